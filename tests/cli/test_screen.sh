#!/bin/sh
# berth screen: its outputs, and that they depend on nothing but the seed.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

run "$BERTH" lib info many.blib
check 'the library' all grep -q "^ligands  *$ligands\$" stdout -- grep -q '^blocks  *3$' stdout

run screen first --verbose
cp stdout first.out
check 'a screen' all exited 0 -- lines first/scores.csv $((ligands + 1)) -- lines first/failures.csv 1
run screen brief
sed 's/.*[0-9]  //' stdout | sed -n '/^---/,/^  \.\.\./p' | sed '1d; $d' >hits
"$BERTH" show first --out ranked.csv --top 10
columns ranked.csv ligand >wanted
check 'without --verbose: at most five lines, the ten best and a closing line' all exited 0 -- same wanted hits -- \
    [ "$(grep -n '^ rank  affinity  ligand$' stdout | cut -d : -f 1)" -le 7 ] -- lacks stdout variant -- \
    [ "$(tail -n 1 stdout | sed 's/[0-9.]* s;/N s;/')" = "$ligands ligands docked, 0 failed; N s; every column: brief/scores.csv" ]
run screen first --overwrite --verbose
check 'progress says the rate in figures, never as a power of ten, and none before there is one' awk '
    / ligands\/s/ { seen++; if ($0 !~ /, [0-9.]+ ligands\/s/ || $0 ~ /, 0 ligands\/s/) bad = 1 }
    END { exit bad || !seen }' stderr
check 'nothing but what is documented' \
    [ "$(echo first/*)" = 'first/failures.csv first/hits.sdf first/journal first/run.json first/scores.csv' ]
check 'scores.csv: every ligand in order, terms and efficiency' awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    {
        energy = $c["energy"]
        d = energy - $c["steric"] - $c["electrostatic"] - $c["desolvation"]
        e = energy / $c["heavy_atoms"] - $c["efficiency"]
        s = $c["score"] - energy - $c["strain"]
        if ($1 != FNR - 2 || d > 3e-4 || d < -3e-4 || e > 1e-4 || e < -1e-4) bad = 1
        if ($c["mode"] != 1 || s > 2e-4 || s < -2e-4 || $c["rmsd"] != "" || $c["device"] == "") bad = 1
        if ($c["conformer"] < 1 || $c["conformer"] > $c["conformers"]) bad = 1
        turned += $c["strain"] != ""
    }
    END { exit bad || turned != 10 }' first/scores.csv
sed -n '/^>  <ligand>/{n;p;}' first/hits.sdf >hits
columns first/scores.csv score ordinal ligand rank | LC_ALL=C sort -t, -k1,1g -k2,2n >sorted
cut -d, -f 3 sorted >ranked
check 'hits.sdf: all of them, best first' all lines hits $ligands -- same ranked hits
cut -d, -f 4 sorted >ranks
seq $ligands >wanted
sed -n '/^>  <rank>/{n;p;}' first/hits.sdf >given
check 'their rank stands in both files' all same wanted ranks -- same wanted given
"$BERTH" lib ls many.blib | awk -F, 'NR > 1 && $5 > 2 { print $1 "," $5 }' >wanted
run "$BERTH" show first --filter 'torsions > 2' --columns ordinal,torsions --out -
check "berth show: torsions from the screen's library" all exited 0 -- [ -s wanted ] -- [ "$(sed 1d stdout)" = "$(cat wanted)" ]
quick_dock --ligand many.blib --out columns.sdf --scores columns.csv >stdout
check 'berth dock has the same columns, but no rank' [ "$(head -n 1 columns.csv)" = "$(head -n 1 first/scores.csv | sed 's/,rank,/,/')" ]
sed -n 's/^>  <\(.*\)>$/\1/p; /^\$\$\$\$/q' first/hits.sdf >tags
check 'the tags stand in their order' awk '
    FNR == NR { n = split($0, name, ","); for (i = 1; i <= n; i++) place[name[i]] = i; nextfile }
    $1 in place { if (place[$1] < last) bad = 1; last = place[$1]; seen++ }
    END { exit bad || seen < 14 }' first/scores.csv tags
odd=$(printf 'caf\351 na\303\257ve "x".blib')
cp many.blib "$odd"
library=$odd
run screen odd
check 'the name of a library may be anything' python3 -c '
import json
name = json.load(open("odd/run.json", encoding="utf-8"))["files"]["library"]
assert name.endswith("/caf\u00e9 na\u00efve \"x\".blib"), name'
library=many.blib
check 'run.json is JSON' python3 -m json.tool first/run.json
check 'and says what was run' all holds first/run.json '"seed": "1"' -- \
    holds first/run.json '"poses": "256"' -- holds first/run.json "\"ligands\": $ligands"

# as_first NAME DIR: DIR has the same results.
as_first() { check "$1" all exited 0 -- same_results first "$2"; }
run screen again
as_first 'the same again' again
for batch in 1 17; do
    run screen "batch$batch" --batch $batch
    as_first "--batch $batch" "batch$batch"
done
POCL_DEVICES='pthread pthread'
export POCL_DEVICES
equal=$(equal_devices)
if [ "$equal" -gt 1 ]; then
    run screen several --verbose
    check 'equal devices are used by default' [ "$(grep -c '^device ' stdout)" -eq "$equal" ]
    as_first 'equal devices' several
    run screen several5 --batch 5
    as_first 'equal devices, --batch 5' several5
    run screen named --verbose --device "$("$BERTH" devices | sed -n 's/^\* *[0-9]* *[A-Z]* *//p' | cut -c 1-12)"
    check 'and by a part of their name' [ "$(grep -c '^device ' stdout)" -eq "$equal" ]
    run "$BERTH" show-kernel --device all
    sed -i "s/ $equal devices/ N devices/" stderr
    check 'one device, where a list is given' all exited 1 -- said 'one device'
    run "$BERTH" show-kernel --device "$("$BERTH" devices | sed -n 's/^\* *[0-9]* *[A-Z]* *//p' | cut -c 1-12)"
    check 'the first of a name, where one is wanted' all exited 0 -- grep -q '^ \* variant: ' stdout
    run screen one --device "$standard"
    as_first 'one of them' one
else
    skip 'equal devices' 'there is but one'
fi
unset POCL_DEVICES

# docked NAME OPTIONS...: the same by berth dock.
docked() {
    docked_name=$1
    shift
    "$BERTH" dock --scoring "$scoring" --search rigid_fast --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --poses $poses --generations $generations --refine "$refine" --refine_evaluations 20 --refine_torsions \
        --ligand many.blib --out "$docked_name.sdf" --scores "$docked_name.csv" "$@" >/dev/null 2>&1
}
# all columns but the rank, which berth dock's tables have not
results() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rank") rank = i }
        { line = ""; for (i = 1; i <= NF; i++) if (i != rank) line = line "," $i; print substr(line, 2) }' "$1"
}
docked d --num_modes 1
results d.csv >docked
results first/scores.csv >screened
check 'berth dock gives every ligand the same energy and strain' same docked screened
refine=0
run screen rigid
docked r --num_modes 1
results r.csv >docked
results rigid/scores.csv >screened
check 'also without refinement' same docked screened

slice screening 'by other functions, several modes, merges, a terminal, properties'
scoring=plp
run screen plp
docked p --num_modes 1
scoring=bude
results p.csv >docked
results plp/scores.csv >plp_screened
check 'and by the piecewise linear potential' all exited 0 -- same docked plp_screened -- \
    differ screened plp_screened -- holds plp/run.json '"scoring": "plp"'
run "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library many.blib \
    --out default --poses 16 --generations 2 --hops 1
check 'by the defaults: found by Vina, on maps, and ranked by Vinardo, too' all exited 0 -- \
    grep -q ',energy,gauss1,gauss2,repulsion,hydrophobic,hydrogen_bond,' default/scores.csv -- \
    grep -q '^ordinal,ligand,rank,mode,ranking,' default/scores.csv -- \
    holds default/run.json '"functions": "vina vinardo"' -- lines default/scores.csv $((ligands + 1)) -- \
    [ "$(grep -c -e null -e interactions default/run.json)" -eq 0 ]
check 'its run.json has the figures of the search on maps, and none of a rigid one' all \
    holds default/run.json '"mapped": "16 2 ' -- holds default/run.json '"poses": "16"' -- \
    holds default/run.json '"generations": "2"' -- holds default/run.json '"hops": "1"' -- \
    holds first/run.json '"niche"' -- sh -c '! grep -q -e niche -e exchange default/run.json'
run "$BERTH" merge plp --out plp_merged
check 'whose terms have their own names, after a merge, too' all exited 0 -- \
    grep -q ',energy,wall,hydrogen_bond,metal,contact,' plp/scores.csv -- same plp/scores.csv plp_merged/scores.csv
refine=2
scoring=vina
run screen vina
scoring=bude
scoring=vina docked v --num_modes 1
results v.csv >docked
results vina/scores.csv >vina_screened
check "the same library by Vina's function: ranked by its total, which rotatable bonds count in" all exited 0 -- \
    same docked vina_screened -- awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { halves = 2 * ($c["energy"] / $c["score"] - 1) / 0.05846; off = halves - int(halves + 0.5)
            if (off > 0.05 || off < -0.05) bad++; seen += halves > 10 }
        END { exit bad > 0 || !seen }' vina/scores.csv

run screen modes --num_modes 3 --top 4 --verbose
cp stdout modes.out
check 'several modes: the same best ones' all exited 0 -- same first/scores.csv modes/scores.csv
check 'up to 3 poses each of the 4 best' \
    [ "$(grep -A 1 '^>  <ligand>' modes/hits.sdf | grep -v -e '^>' -e '^--' | uniq | tr '\n' ' ')" = \
    "$(head -n 4 ranked | tr '\n' ' ')" ]
docked d3 --num_modes 3
few=$(columns d3.csv ordinal | sort | uniq -c | awk '$1 < 3 { n++ } END { print n + 0 }')
check 'how many ligands have fewer' all [ "$few" -gt 1 ] -- holds modes.out "$few ligands have fewer than 3 poses" -- \
    sh -c '! grep fewer first.out'
run "$BERTH" merge modes --out modes_merged
check 'a merge says it, too' holds stdout "$few ligands"
sed -i "s/^$few ligands/N ligands/" stdout
check 'and why' said 'fewer poses' ' fewer than 3 poses'
hit=$(head -n 1 ranked)
columns d3.csv ligand conformer mode energy | grep "^$hit," | cut -d, -f 2-4 | head -n 3 >docked
awk '/^>  </ { tag = $2; next } tag == "<mode>" { m = $0 } tag == "<energy>" { e = $0 }
    tag == "<conformer>" { print $0 "," m "," e } { tag = "" }' modes/hits.sdf | head -n 3 >given
check 'and as berth dock chooses them' same docked given

# Shards.
for number in 1 2 3 4 5 6 7; do
    screen "part$number" --shard "$number/7" >/dev/null 2>&1 || echo "shard $number failed"
done
run "$BERTH" merge part5 part1 part2 part7 part4 part3 part6 --out merged
as_first '7 shards merged' merged
check 'and run.json' all python3 -m json.tool merged/run.json -- sh -c '! grep -q "replaces" stdout'
run "$BERTH" merge part5 part1 part2 part7 part4 part3 part6 --out merged
check 'a merge over another says that it replaces it' all exited 0 -- said replaces ' merged'
run "$BERTH" merge part1 part2 part3 part4 part5 part6 part7 --out top3 --top 3
check 'run.json of a merge is that of the whole' all holds merged/run.json '"shard": "1/1"' -- \
    holds top3/run.json '"top": "3"'
# What of the molecules is not in the library, by the table that `prep ligands` left beside it.
cp "$root/tests/fixtures/screen/library.blib" prepared.blib
printf 'ordinal,ligand,reason\n3,bad,few.smi:4: no valid SMILES\n5,big,"few.smi:6: dropped: 60 heavy atoms, more than 50"\n' \
    >prepared.failures.csv
touch -r prepared.blib -d '2 hours' prepared.failures.csv # as copied behind it
library=prepared.blib
screen half1 --shard 1/2 >/dev/null 2>&1
screen half2 --shard 2/2 >/dev/null 2>&1
run "$BERTH" merge half1 half2 --out halves
check 'what failed when the library was prepared' all exited 0 -- holds halves/run.json '"prepare_failed": "1",' -- \
    holds halves/run.json '"prepare_dropped": "1",'
touch -r prepared.blib -d '-30 seconds' prepared.failures.csv # as copied in front of it
run "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library prepared.blib --out in_stages \
    --scoring bude --generations 2 --refine 0 --stages 'rigid_fast, 2 rigid_fast'
check 'of stages, too' all exited 0 -- holds in_stages/run.json '"prepare_failed": "1",' -- \
    holds in_stages/run.json '"prepare_dropped": "1",' -- python3 -m json.tool in_stages/run.json
touch -d '2 hours ago' prepared.failures.csv
run screen replaced
check 'but not by an older table' all exited 0 -- sh -c '! grep -q prepare_ replaced/run.json'
cp many.blib made.blib
cp prepared.failures.csv made.failures.csv
touch made.failures.csv
library=made.blib
run screen made
check 'nor by one beside a library that was not prepared' all exited 0 -- sh -c '! grep -q prepare_ made/run.json'
library=many.blib
check 'merge --top' [ "$(grep -c '^\$\$\$\$' top3/hits.sdf)" -eq 3 ]
refused 'a shard is missing' "$BERTH" merge part1 part2 part4 part5 part6 part7 --out out
refused_too 'the last shard is missing' 7/7 "$BERTH" merge part1 part2 part3 part4 part5 part6 --out out
refused 'a shard twice' "$BERTH" merge part1 part2 part2 part3 part4 part5 part6 part7 --out out
screen other2 --shard 2/7 --seed 2 >/dev/null 2>&1
refused 'a shard of another run' "$BERTH" merge part1 other2 part3 part4 part5 part6 part7 --out out
mkdir half
head -c $(($(wc -c <part2/journal) - 60)) part2/journal >half/journal # the last ligand, before what it took
refused 'a shard that is not finished' "$BERTH" merge part1 half part3 part4 part5 part6 part7 --out out
run "$BERTH" merge part1 part2 part3 part4 part5 part6 part7 --out part1
check 'into a run' all exited 1 -- \
    said 'into a run'
mkdir empty9
refused 'no shard' "$BERTH" merge empty9 --out out
refused 'no such folder' "$BERTH" merge part1 part9 --out out
mv many.blib moved.blib
refused 'the library is gone' "$BERTH" merge part1 part2 part3 part4 part5 part6 part7 --out out
run "$BERTH" merge part1 part2 part3 part4 part5 part6 part7 --out found --library moved.blib
as_first 'merge --library' found
refused 'another library' "$BERTH" merge part1 part2 part3 part4 part5 part6 part7 --out out --library drugs.blib
mv moved.blib many.blib
for shard in 0/3 4/3 1 x 1/2/3 1/0 1/-3 1/+3 "1/ 3"; do
    refused_too "--shard $shard" --shard screen out --shard "$shard"
done
run screen wide --shard 50/60
check 'a shard without ligands' all exited 0 -- lines wide/scores.csv 1

# On a terminal progress stays within its width, so that the next line can be written over it.
if has_terminal; then
    cat >pty.sh <<EOF
stty cols 50
exec "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \\
    --library many.blib --out pty --scoring bude --search rigid_fast --poses 256 --generations 2 --refine 2 >/dev/null
EOF
    script -q -c 'sh pty.sh' typed </dev/null >/dev/null 2>&1
    tr '\r' '\n' <typed | sed 's/^.\[K//' | grep 'ligands (' >shown
    check 'progress fits a terminal of 50 columns' all [ -s shown ] -- [ -s pty/scores.csv ] -- \
        awk '{ cut += length($0) == 49; over += length($0) > 49 } END { exit over || !cut }' shown
else
    skip 'progress on a terminal' 'there is none to be had (script)'
fi

# Properties become columns, unless they are called as ours are.
if command -v obabel >/dev/null; then
    obabel -imol2 demo/1hpv_ligand.mol2 -osdf 2>/dev/null |
        sed 's/^\$\$\$\$/>  <logP>\n2.5\n\n>  <energy>\n7, or so\n\n>  <ranking>\n-9\n\n>  <library_energy>\n8\n\n$$$$/' >one.sdf
    "$BERTH" prep ligands one.sdf --properties all --conformers 1 --out props.blib >/dev/null 2>&1
    "$BERTH" lib merge alpha.blib props.blib --out mixed.blib >/dev/null 2>&1
    library=mixed.blib
    run screen props
    head -n 1 props/scores.csv | sed 's/.*,device,//' >given
    sed -n '/amprenavir/s/.*,\(2.5,"7, or so",-9,8\)$/\1/p' props/scores.csv >>given
    printf '%s\n' smiles,logP,library_energy,library_ranking,library_library_energy '2.5,"7, or so",-9,8' >wanted
    check 'properties of the library' all exited 0 -- same wanted given -- \
        grep -q '^>  <library_energy>' props/hits.sdf
    check 'are empty where a ligand has none' grep -q '^0,alpha1,.*,,,,$' props/scores.csv
else
    skip 'properties of the library' 'obabel is not installed'
fi
finish
