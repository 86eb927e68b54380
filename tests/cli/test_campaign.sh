#!/bin/sh
# Campaigns: what is chosen and what is said of it, the files, killed and resumed, rounds that are screened elsewhere, and
# what is refused.
# shellcheck shell=sh disable=SC2154
. tests/cli/lib.sh

need_rdkit 'campaigns'
run "$python" -B "$root/tests/chemistry/test_campaign.py"
check 'the parts of campaign.py (tests/chemistry)' exited 0

# A library of 102, of which four cannot be read and one cannot be prepared.  Each name ends with a letter whose last byte
# is a blank of Latin-1.
"$python" "$root/bench/campaign/library.py" 97 2>/dev/null | tr '\t' ' ' | sed 's/$/à/' >molecules.smi
printf 'C1CC open_ring\n\nCCCCC[N] radical\nC(C)(C)(C)(C)C five\nCCO no\0body\n%03000d long\n' 0 | sed '/long/s/0/C/g' >>molecules.smi
search="--scoring bude --rank energy+0*rotors --search rigid_fast --poses 256 --generations 2 --refine 0 --structures 1"
# campaign DIR OPTIONS...
campaign() {
    campaign_out=$1
    shift
    # shellcheck disable=SC2086 # words
    "$BERTH" campaign --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library molecules.smi \
        --out "$campaign_out" $search --budget '40 %' --sample '60 %' --seek '20 %' --rounds 2 --seed 3 "$@"
}
# same_campaign A B
same_campaign() {
    for file in scores.csv hits.sdf failures.csv campaign.csv; do
        cmp "$1/$file" "$2/$file" || return 1
    done
}

slice screening 'a campaign, what is refused, killed and resumed'
run campaign whole --db results.db --report
check 'a random sample and two rounds' all exited 2 -- holds stdout 'round 3 of 3: ' -- holds stdout ' held out' -- \
    lines whole/campaign.csv 4 -- [ -s whole/report.html ]
check 'SMILES that cannot be read are failures, which nothing chooses' all \
    holds whole/failures.csv '97,open_ring,RDKit cannot read' -- holds whole/failures.csv '99,five,RDKit' -- \
    holds whole/failures.csv '100,molecules.smi:102,its line has a NUL byte;' -- \
    holds whole/failures.csv '101,long,it has more than 1000 heavy atoms;'
run "$python" -B "$root/tests/chemistry/test_campaign.py" whole 3 0.2
check 'its tables are what the rounds say: the sample, the held out, recall, ranks, poses' exited 0
cp stdout counts
docked=$(cut -d ' ' -f 1 counts)
check 'a database of it' [ "$("$BERTH" show results.db --filter 'round >= 1' --columns ligand,round --out - | wc -l)" -eq $((docked + 1)) ]
check 'run.json says what was sought and found' all holds whole/run.json '"sought": 20' -- holds whole/run.json '"recall_low": '

# What is refused.
refused 'stages' campaign out/no --stages 'fast, 5 balanced'
refused 'a shard' campaign out/no --shard 1/2
refuse() { # NAME COMMAND...
    refuse_name=$1
    shift
    run "$@"
    check "$refuse_name" all exited 1 -- said "$refuse_name"
}
refuse 'a campaign that is there' campaign whole
refuse 'another campaign' \
    "$BERTH" campaign --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library molecules.smi \
    --out whole --budget '40 %' --sample '60 %' --seek '20 %' --rounds 2 --seed 4 --resume
cp molecules.smi first.smi
sed '1s/C/N/' first.smi >molecules.smi
refuse 'another library of the same size' campaign whole --resume
mv first.smi molecules.smi
alone() { # DIR LIBRARY OPTIONS...
    alone_out=$1 alone_library=$2
    shift 2
    "$BERTH" campaign --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library "$alone_library" \
        --out "$alone_out" "$@"
}
refuse 'a budget that is none' alone none molecules.smi --budget '5 percent'
refuse 'a model that is none' alone none5 molecules.smi --model net
refuse 'a ranking that looks at other ligands' alone none6 molecules.smi --rank 'score + z( energy )'
refuse 'a file that is not there' alone none2 absent.smi
refuse 'what is no SMILES' alone none3 demo/ten_drugs.mol2.gz
refuse 'a library that is too small' alone none4 molecules.smi
mkdir -p foreign
cp -r whole/. foreign/
sed '2s/^\([0-9]*\),[0-9]* /\1,/' whole/round-2/scores.csv >foreign/round-2/scores.csv
refuse "another screen's table" campaign foreign --resume
cp whole/round-1/scores.csv foreign/round-2/scores.csv
refuse "another round's table" campaign foreign --resume
cp whole/round-2/scores.csv foreign/round-2/scores.csv
sed '/"identity"/,$s/"seed": "3"/"seed": "4"/' whole/round-2/run.json >foreign/round-2/run.json
refuse 'a round with another seed' campaign foreign --resume

cp whole/round-2/run.json foreign/round-2/run.json
sed '/^>  <ordinal>$/,+2d' whole/round-2/hits.sdf >foreign/round-2/hits.sdf
refuse 'a round whose poses are not told apart' campaign foreign --resume

# Killed at each step.
for file in fingerprints.bin.part round-1/journal round-2/molecules.smi round-2/journal round-3/journal campaign.csv; do
    # shellcheck disable=SC2086
    "$BERTH" campaign --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library molecules.smi \
        --out killed $search --budget '40 %' --sample '60 %' --seek '20 %' --rounds 2 --seed 3 --resume \
        >started.out 2>started.err &
    pid=$!
    while [ ! -e "killed/$file" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
done
run campaign killed --resume
check 'killed at each step and resumed: the same bytes' all exited 2 -- same_campaign whole killed
run campaign killed --resume --top 3
check 'resumed when it is done, with fewer hits' all exited 2 -- same whole/scores.csv killed/scores.csv -- \
    [ "$(grep -c '^\$\$\$\$' killed/hits.sdf)" -eq 3 ]

touch killed/keep
run campaign killed --recall 20 --overwrite
check 'begun anew, with another end' all exited 2 -- absent killed/round-3 -- [ -e killed/keep ] -- [ -s killed/scores.csv ]

# Where its worker dies, what was docked stays, although the campaign was to begin anew.
# shellcheck disable=SC2086
"$BERTH" campaign --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library molecules.smi \
    --out killed $search --budget '40 %' --sample '60 %' --seek '20 %' --rounds 2 --seed 3 --overwrite >again.out 2>again.err &
pid=$!
while { [ -e killed/campaign.csv ] || [ ! -e killed/round-1/journal ]; } && kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
kill -9 "$(pgrep -o -P "$pid")"
wait "$pid"
again=$?
check 'its worker died: the same bytes' all [ "$again" -eq 2 ] -- same_campaign whole killed -- \
    [ "$(grep -c '^round 1 of 3: ' again.out)" -eq 1 ]

# Rounds that are screened elsewhere.
if in_slice screening 'rounds that were screened elsewhere: the same bytes'; then
    for round in 1 2 3; do
        run campaign apart --choose_only --resume
        # shellcheck disable=SC2086
        "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --seed 3 $search \
            --library apart/round-$round/molecules.smi --out apart/round-$round >/dev/null 2>&1
    done
    run campaign apart --choose_only --resume
    check 'rounds that were screened elsewhere: the same bytes' all exited 2 -- same_campaign whole apart
fi
finish
