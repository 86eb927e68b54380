#!/bin/sh
# berth screen of molecules, prepared while they are docked: the bytes of `prep ligands` and then `screen`, whatever
# the number of jobs, also when it is killed and resumed, and in shards.
. tests/cli/lib.sh

need_rdkit 'a screen of molecules'
BERTH_FRAGMENTS=$work/store
export BERTH_FRAGMENTS

# 300 small molecules in two files: two of them bad, one that a filter drops.
seq 300 | awk '{ tail = "O"; for (i = $1 % 50; i > 9; i -= 10) tail = "C" tail
    split("C N CC c1ccccc1 OC CCN C1CCCCC1 CCS c1ccncc1 FC", head, " ")
    print head[$1 % 10 + 1] "C(C)C" tail, "m" $1 }' >all.smi
sed -i -e '70s/.*/C(C)(C)(C)(C)C bad/' -e '200s/.*/nonsense worse/' -e '260s/.*/CCCCCCCCCCCCCCCCCCCCCCCCC long/' all.smi
head -n 110 all.smi >a.smi
tail -n +111 all.smi | gzip >b.smi.gz
prepare='--builder fragments --structures 2 --max_heavy 20'
search='--scoring bude --search rigid_fast --poses 64 --generations 2 --refine 1 --refine_evaluations 10 --max_clash 0.5'
# shellcheck disable=SC2086
screen() { # OUT LIBRARY OPTION...
    screen_out=$1 screen_library=$2
    shift 2
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --library "$screen_library" --out "$screen_out" $search "$@"
}
# shellcheck disable=SC2086
molecules() { # OUT OPTION...
    molecules_out=$1
    shift
    screen "$molecules_out" a.smi,b.smi.gz $prepare "$@"
}
same_results() { # A B
    for file in scores.csv hits.sdf failures.csv library.blib; do
        cmp "$1/$file" "$2/$file" || return 1
    done
}

# shellcheck disable=SC2086
run "$BERTH" prep ligands a.smi b.smi.gz --out two.blib $prepare
check 'a library' all exited 2 -- holds stdout '297 ligands' -- holds stdout '2 failed, 1 dropped'
run screen two two.blib
mkdir expected
cp two/scores.csv two/hits.sdf expected
cp two.blib expected/library.blib
# What was not prepared has no ordinal, which would be that of another in scores.csv.
(sed 's/^[0-9]*,/,/' two.failures.csv && tail -n +2 two/failures.csv) >expected/failures.csv
check 'of which some ligands cannot be docked' all exited 2 -- [ "$(wc -l <two/failures.csv)" -gt 1 ]
run molecules one
check 'molecules: the same scores, hits, failures and library' all exited 2 -- same_results expected one
check 'both kinds of failures count' grep -q "\"failed\": $(($(wc -l <expected/failures.csv) - 2)),\$" one/run.json
check 'and what preparing took is said' all grep -q '"preparation_share": 0\.' one/run.json -- \
    grep -q '"prepare": "prep ligands a.smi b.smi.gz ' one/run.json
# What to order stands beside the scores.
"$BERTH" lib ls one/library.blib --full >list.csv
columns list.csv name smiles | sort >of_library
columns one/scores.csv ligand smiles | sort >of_screen
comm -13 of_library of_screen >else
check 'scores.csv has the SMILES of each ligand, as the library has it' all [ -s of_screen ] -- [ ! -s else ] -- \
    grep -Eqx 'm(10|60|110),CC\(C\)CCO' of_screen
# And what a supplier has: the SMILES as they were given.
{ cat a.smi && gzip -dc b.smi.gz; } | awk '{ print $2 "," $1 }' | sort >given
columns one/scores.csv ligand input_smiles | sort >of_input
check 'and the SMILES of the input, as it gave them' all [ "$(wc -l <of_input)" -eq "$(wc -l <of_screen)" ] -- \
    [ -z "$(comm -13 given of_input)" ] -- holds one/hits.sdf '>  <input_smiles>'
run "$BERTH" show one --columns ligand,smiles --filter 'score < 0' --top 3 --out order.csv
columns order.csv ligand smiles | sort >of_show
check 'and so has what is shown' all exited 0 -- [ "$(wc -l <of_show)" -eq 3 ] -- [ -z "$(comm -23 of_show of_screen)" ]
run "$BERTH" merge one --out stored --db one.db --top 1
"$BERTH" show one.db --columns ligand,smiles,input_smiles --out all.csv
columns all.csv ligand smiles | sort >of_base
columns all.csv ligand input_smiles | sort >input_of_base
check 'and a database, of all ligands' all exited 2 -- same of_screen of_base -- same of_input input_of_base
run molecules one --resume
check 'a finished run can be resumed' all exited 2 -- same_results expected one
cp a.smi first.smi
sed '1s/^N/O/' first.smi >a.smi
run molecules one --resume
check 'but not with other molecules in files as large' all exited 1 -- said 'other molecules'
mv first.smi a.smi
for size in 20 3000; do # of a copy that was cut off, on a machine that vanished
    head -c $size expected/library.blib >one/library.blib
    run molecules one --resume
    check "and makes a library anew of which $size bytes are left" all exited 2 -- same_results expected one
done
check 'which is said' said 'a library of which a part is left' 'one/library.blib: is damaged'
rm one/journal
run molecules one
check 'but not begun over its library' all exited 1 -- \
    said 'a library is there'
run molecules one --resume
check 'with --resume that is docked afresh' all exited 2 -- same_results expected one

slice screening 'one job, several poses, killed and resumed, in shards'
run molecules jobs --jobs 1 --batch 7 --report
check 'one job, small batches: the same, and the page with it' all exited 2 -- same_results expected jobs -- \
    [ -s jobs/report.html ]
run screen modes two.blib --num_modes 3
run molecules several --num_modes 3
check 'several poses of each, too' all same modes/scores.csv several/scores.csv -- same modes/hits.sdf several/hits.sdf

# Stopped and killed.
run molecules limit --time_limit 0.001
sed -i 's/ after .* ligands/ after N of M ligands/' stderr
check 'the time limit stops both' all exited 1 -- said 'the time limit' 'time limit' -- absent limit/scores.csv
for round in 1 2; do molecules limit --time_limit 0.7 --resume >log 2>&1; done
run molecules limit --resume
check 'and --resume goes on' all exited 2 -- same_results expected limit
took=$(sed -n 's/.*"seconds": \([0-9.]*\),.*/\1/p' one/run.json)
for round in 1 2 3; do
    rm -rf killed
    for part in 1 5; do
        # shellcheck disable=SC2086
        "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --checkpoint 0 \
            --library a.smi,b.smi.gz $prepare --out killed $search --resume >log 2>&1 &
        pid=$!
        sleep "$(awk -v took="$took" "BEGIN { print 0.1 + took * ($part + $round) / 10 }")"
        kill -KILL "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    run molecules killed --resume
    check "killed twice and resumed, round $round: the same bytes" all exited 2 -- same_results expected killed
done

# How many there are is said before the first one is prepared, which here takes too long.
mkdir slow
cat >slow/sitecustomize.py <<'PY'
import os, time
from rdkit.Chem import rdMolDescriptors
def wait(molecule):
    open(os.path.join(os.path.dirname(__file__), "begun"), "w").close()
    time.sleep(600)
rdMolDescriptors.CalcMolFormula = wait
PY
# shellcheck disable=SC2086
PYTHONPATH=$PWD/slow "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    --library b.smi.gz --out waiting $search --builder rdkit >stdout 2>stderr &
pid=$!
while [ ! -e slow/begun ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
kill -TERM "$pid"
wait "$pid"
code=$?
check 'molecules are counted before any is prepared' all exited 1 -- holds stderr ' 0 of about 190 ligands'

# What is another run.
run molecules killed --resume --ph 6
check 'another pH is refused' all exited 1 -- holds stderr 'ph 7.4, now 6'
echo 'CCCC extra' >>a.smi
run molecules killed --resume
check 'and other molecules' all exited 1 -- holds stderr 'library a.smi'
head -n 110 all.smi >a.smi
mkdir bad
printf '%s\n' 'nonsense worse' '[Na+].[Cl-] salt' '[K+].[Cl-] salt2' >bad/bad.smi
run screen none bad
check 'where no ligand comes out, nothing is written, and why is said' all exited 1 -- absent none/scores.csv -- said 'no ligand came out' ' of 3 molecules' -- \
    sh -c '! grep -q resume stderr'
printf '%s\n' 'C[As](O)(=O)O one' 'CC[As](O)(=O)O two' >arsenic.smi # which no function has a type for
run screen untyped arsenic.smi
check 'where none is docked, why is said' all exited 2 -- holds stdout '0 ligands docked, 2 failed' -- said 'none was docked' '(2 of 2)'
for text in '' '# no molecule\n\n'; do
    # shellcheck disable=SC2059
    printf "$text" >empty.smi
    run screen void empty.smi
    check 'an input without molecules begins nothing' all exited 1 -- absent void
done
said 'no molecule'
run screen none missing.smi
check 'a file that is not there' exited 1

# Isomers, and one molecule twice, under one name: each is a ligand of its own, in dock as in a screen.
printf '%s\n' 'C[C@H](O)c1ccccc1 x' 'C[C@@H](O)c1ccccc1 x' 'CCO y_C1' 'CCO y_C2' >isomers.smi
run "$BERTH" prep ligands isomers.smi --out isomers.blib --builder fragments
printf '%s\n' '0,x,1,C[C@H](O)c1ccccc1' '1,x,1,C[C@@H](O)c1ccccc1' '2,y_C1,1,CCO' '3,y_C2,1,CCO' >wanted
for file in smi blib; do
    run quick_dock --ligand isomers.$file --num_modes 1 --out isomers.sdf --scores isomers.csv
    columns isomers.csv ordinal ligand conformers smiles >given
    check "dock merges no ligands of a .$file by their names" all exited 0 -- same wanted given -- \
        holds stdout '4 ligands docked, 4 conformers, 0 failed'
done

# Shards: the third has 44 records.
for k in 3 1 2; do
    run molecules part$k --shard $k/3
    check "shard $k of 3" exited 2
done
run "$BERTH" merge part2 part3 part1 --out merged
check 'merged they are the whole, to the byte' all exited 2 -- same_results expected merged
check 'and its run.json says so' grep -q '"shard": "1/1"' merged/run.json
rm part2/library.blib
run "$BERTH" merge part1 part2 part3 --out other
check 'a shard that is not finished' all exited 1 -- said 'not all prepared'
finish
