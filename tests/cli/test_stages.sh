#!/bin/sh
# Screens in stages: each docks the best of the one before, as a screen by itself would; the whole's files;
# killed and resumed; what is refused.
# shellcheck shell=sh disable=SC2154,SC2034
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

# staged DIR OPTIONS...: of quick levels; $plan.
plan="rigid_fast, 50 % rigid_fast --poses 512, 8 rigid_fast --poses 512 --num_modes 2"
staged() {
    staged_out=$1
    shift
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library many.blib \
        --out "$staged_out" --scoring bude --generations 2 --refine 0 --stages "$plan" "$@"
}
# alone DIR LIBRARY OPTIONS...: a stage by itself.
alone() {
    alone_out=$1 alone_library=$2
    shift 2
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library "$alone_library" \
        --out "$alone_out" --scoring bude --generations 2 --refine 0 --search rigid_fast "$@"
}
# names TABLE MOST: names of the ligands up to this rank, in the table's order.
names() { awk -F, -v most="$2" 'NR > 1 && $3 <= most { print $2 }' "$1"; }

run staged whole --top 5 --db whole.db
check 'three stages' all exited 0 -- holds stdout 'stage 3 of 3: whole/3-rigid_fast' -- \
    absent whole/journal -- [ -s whole/3-rigid_fast/journal ]
half=$(((ligands + 1) / 2))
check 'a share is rounded up, a number taken' all lines whole/2-rigid_fast/scores.csv $((half + 1)) -- \
    lines whole/3-rigid_fast/scores.csv 9

# Each stage is the screen of its library, and docks the best of the one before in its order.
alone first many.blib --top 0 >/dev/null 2>&1
check 'the first is a screen of all' all same first/scores.csv whole/1-rigid_fast/scores.csv -- [ ! -s whole/1-rigid_fast/hits.sdf ]
alone third whole/3-rigid_fast/library.blib --poses 512 --num_modes 2 --top 5 >/dev/null 2>&1
check 'a later one that of its library' all same third/scores.csv whole/3-rigid_fast/scores.csv -- \
    same third/hits.sdf whole/3-rigid_fast/hits.sdf
names whole/1-rigid_fast/scores.csv "$half" >wanted
names whole/2-rigid_fast/scores.csv 1000 >found
check 'the second docks the best of the first' same wanted found
names whole/2-rigid_fast/scores.csv 8 >wanted
names whole/3-rigid_fast/scores.csv 1000 >found
check 'the third those of the second' same wanted found

# The whole: a row for each ligand, in the library's order, ranked by its last stage.
cat >join.py <<'END'
import csv, re
def table(path):
    return list(csv.DictReader(open(path)))
first, second, third, whole = [table(f"whole/{name}/scores.csv") for name in ("1-rigid_fast", "2-rigid_fast", "3-rigid_fast", ".")]
key = lambda row: int(row["rank"])
base = {row["ligand"]: row["ordinal"] for row in first}
best = {row["ligand"]: (row, stage) for stage, rows in enumerate((first, second, third), 1) for row in rows}
order = [row["ligand"] for rows in (third, second, first) for row in sorted(rows, key=key)]
ranks = {name: rank for rank, name in enumerate(dict.fromkeys(order), 1)}
for row, start in zip(whole, first):
    wanted, stage = best[start["ligand"]]
    wanted = dict(wanted, ordinal=base[start["ligand"]], rank=str(ranks[start["ligand"]]), stage=str(stage))
    if row != wanted:
        print(row, wanted)
if len(whole) != len(first):
    print(len(whole))
poses = open("whole/hits.sdf").read().split("$$$$\n")[:-1]
ordinals = [re.search(r"<ordinal>\n(\d+)\n", pose)[1] for pose in poses]
if [base[pose.split("\n")[0]] for pose in poses] != ordinals or len(set(ordinals)) != 5 or len(poses) < 6:
    print("hits", ordinals)
END
python3 join.py >difference 2>&1
check 'the whole is what the stages say' same difference /dev/null
check 'run.json has the plan' all holds whole/run.json "\"stages\": \"$plan\"" -- holds whole/run.json '"scoring": "bude"'
check 'and names the library that was given' grep -q '^    "library": ".*/many.blib",$' whole/run.json
check 'a database of it' [ "$("$BERTH" show whole.db --filter 'stage == 3' --columns ligand,stage --out - | wc -l)" -eq 9 ]
run "$BERTH" report whole
check 'a report of it' all exited 0 -- [ -s whole/report.html ]

slice screening 'killed and resumed'
# Killed in each stage, and resumed.
plan="rigid_fast, 50 % rigid_fast --poses 2048, 8 rigid_fast --poses 2048 --num_modes 2"
run staged undisturbed --top 5
for stage in 1 2 3; do
    rm -f watched
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library many.blib \
        --out killed --scoring bude --generations 2 --refine 0 --stages "$plan" --top 5 --resume >started.out 2>started.err &
    pid=$!
    while [ ! -e "killed/$stage-rigid_fast/journal" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
done
run staged killed --top 5 --resume
check 'killed in each stage and resumed: the same bytes' all exited 0 -- same_results undisturbed killed
run staged undisturbed --top 5 --resume
check 'resumed when it is done' all exited 0 -- same_results undisturbed killed

# What is refused.
refused 'a shard' staged out/no --shard 1/2
for plan in fast,balanced '5 fast' 'fast, 5 %' 'fast, 0 balanced' "fast, 5 balanced --rank 'a"; do
    refused "stages '$plan'" staged out/no
done
for plan in 'fast, 2.5 balanced' 'fast, 101 % balanced'; do
    refused_too "stages '$plan'" "'$plan'" staged out/no
done
plan="rigid_fast, 9 rigid_fast"
run staged undisturbed --resume
check 'another plan' all exited 1 -- said 'another plan'
finish
