#!/bin/sh
# --restraints: columns and tags of a docking, what it pulls to, lines that are refused, what no ligand has,
# and that runs without are as they were.
. tests/cli/lib.sh
receptor=demo/1hpv_receptor.mol2
ligand=demo/1hpv_ligand.mol2
level=fast
lacks() { ! holds "$@"; }
dock() { # OUT OPTIONS...
    dock_out=$1
    shift
    "$BERTH" dock --receptor "$receptor" --ligand "$ligand" --autobox_ligand "$ligand" --scoring vina \
        --search "$level" --poses 48 --generations 2 --num_modes 2 --out "$dock_out.sdf" --scores "$dock_out.csv" "$@"
}

run dock plain
check 'no restraints, no columns' all exited 0 -- lacks plain.csv restraint -- lacks plain.csv unmet -- \
    lacks stdout restraint

# Where the ligand's first heavy atom lies: any atom is to come there.
place=$(awk '/^@/ { atoms = /ATOM/; next } atoms { print $3, $4, $5; exit }' "$ligand")
printf 'atom to %s radius 1 weight 20\nsmarts [Si] to 0 0 0\n' "$place" >some.txt
run dock some --restraints some.txt
check 'columns, and what is met' all exited 0 -- holds some.csv ',unmet,restraint_1,restraint_2,' -- \
    holds stdout 'restraint 1: met' -- holds stdout 'restraint 2: not met: smarts [Si] to 0 0 0' -- \
    holds stderr 'some.txt:2: no ligand has what this restraint is about' -- holds some.sdf '<restraint_1>'
columns some.csv restraint_1 >distances
check 'a point is drawn there' awk '!($1 <= 1.25) { exit 1 }' distances
columns some.csv unmet >unmet
check 'required ones that are not met are counted' awk '$1 != 1 { exit 1 }' unmet

# A journal keeps them: shards join to the whole, whose best poses are those of a docking.
screen() { # OUT OPTIONS...
    screen_out=$1
    shift
    "$BERTH" screen --receptor "$receptor" --library few.blib --autobox_ligand "$ligand" --scoring vina --search fast \
        --poses 48 --generations 2 --restraints some.txt --out "$screen_out" "$@"
}
zcat demo/ten_drugs.mol2.gz >few.mol2
"$BERTH" prep ligands few.mol2 --out few.blib >/dev/null 2>&1
run screen whole
check 'a screen takes them' all exited 0 -- holds whole/scores.csv ',restraint,' -- \
    holds whole/scores.csv ',unmet,restraint_1,restraint_2,'
columns whole/scores.csv restraint_1 >distances
check 'and draws each ligand' awk '!($1 <= 1.25) { exit 1 } END { exit NR < 2 }' distances
for shard in 1 2; do
    screen "part$shard" --shard "$shard/2" >/dev/null 2>&1
done
run "$BERTH" merge part1 part2 --out joined
check 'shards join to it' all exited 0 -- same whole/scores.csv joined/scores.csv

printf 'donor to ASP25:OD9\n' >bad.txt
run dock bad --restraints bad.txt
check 'an atom that the receptor lacks is refused' all exited 1 -- holds stderr 'bad.txt:1: ASP25:OD9: the receptor has no such atom'
printf '\ndonor beside 1 2 3\n' >bad.txt
run dock bad --restraints bad.txt
check 'a line that cannot be read is refused' all exited 1 -- holds stderr 'bad.txt:2: behind what counts stands to, over or avoid'
level=rigid_fast
run dock bad --restraints some.txt
check 'a rigid search refuses them' all exited 1 -- holds stderr 'the search rigid_fast is not on maps'

finish
