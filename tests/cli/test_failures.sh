#!/bin/sh
# A file of 1,000 ligands with ten bad ones: 990 dock, ten are in failures.csv, exit code 2.
. tests/cli/lib.sh

# The ten: a change to one line each.
spoil() { # NUMBER
    case $1 in
    17) sed 's/O\.3/Xx.1/' ;;                      # an unknown type
    100) sed 's/^2 C2 [^ ]*/2 C2 nan/' ;;          # no number
    101) sed 's/^3 C3 [^ ]*/3 C3 77777/' ;;        # an absurd coordinate
    250) sed 's/^ 7 7 0/ 8 7 0/' ;;                # fewer atoms than it says
    333) sed 's/^7 1 7 1$/7 1 12 1/' ;;            # a bond to nowhere
    334) sed 's/^7 1 7 1$/7 1 2 1/' ;;             # two bonds between two atoms
    500) sed '/^7 O1/,$d' ;;                       # cut off
    767) sed -e 's/C\.ar/H/' -e 's/O\.3/H/' ;;     # hydrogens only
    768) sed 's/^ 7 7 0 0 0/ 0 0 0 0 0/' ;;        # no atoms
    1000) sed '/BOND/,$d' ;;                       # the file ends early
    *) cat ;;
    esac
}
bad='17 100 101 250 333 334 500 767 768 1000'

fragment good | tail -n +3 >common
for number in $bad; do
    fragment "ligand$number" | spoil "$number" >"bad.$number"
done
awk -v bad="$bad" '
    function show(file,    line) { while ((getline line <file) > 0) print line; close(file) }
    BEGIN {
        split(bad, numbers, " ")
        for (i in numbers) spoilt[numbers[i]] = 1
        for (i = 1; i <= 1000; i++) {
            if (!(i in spoilt)) print "@<TRIPOS>MOLECULE\nligand" i
            show(i in spoilt ? "bad." i : "common")
        }
    }' >thousand.mol2
check 'the file holds 1000 ligands' [ "$(grep -c MOLECULE thousand.mol2)" -eq 1000 ]

mkdir out
poses=32 generations=1
run quick_dock --ligand thousand.mol2 --num_modes 1 --refine 1 --out out/poses.sdf \
    --scores out/scores.csv
check 'exit code 2' exited 2
awk -v bad="$bad" 'BEGIN {
    split(bad, numbers, " ")
    for (i in numbers) spoilt[numbers[i]] = 1
    for (i = 1; i <= 1000; i++) if (!(i in spoilt)) print "ligand" i
}' >wanted
columns out/scores.csv ligand >given
check '990 ligands have their row, in the order of the file' all lines given 990 -- same wanted given
check 'and their pose' [ "$(grep -c '^\$\$\$\$$' out/poses.sdf)" -eq 990 ]
tail -n +2 out/poses.failures.csv >failures
sed 's/: .*//; s/"//' failures >places
golden failures.csv places
# but for the ligand's name, which has a column in the file
sed -e 's/^berth: failed: //' -e 's/: molecule ligand[0-9]*: /: /' -e 's/: ligand[0-9]*: /: /' stderr >reasons
sed -e 's/^[^,]*,[^,]*,//' -e 's/^"\(.*\)"$/\1/' failures >rows
check 'the terminal gives the same reasons' same reasons rows
check 'and the sum' holds stdout '990 ligands docked, 990 conformers, 10 failed'
check 'nothing else is left' [ "$(echo out/*)" = 'out/poses.failures.csv out/poses.run.json out/poses.sdf out/scores.csv' ]

run "$BERTH" score --scoring bude --receptor demo/1hpv_receptor.mol2 --ligand thousand.mol2 --out out/score.csv \
    --failures out/score_failures.csv
tail -n +2 out/score.csv | cut -d, -f 1 >given
check 'berth score: the same 990, the same ten' all exited 2 -- same wanted given -- \
    same out/poses.failures.csv out/score_failures.csv

# A ligand's ordinal is its place in the file, whoever failed in front of it.
{ fragment before; fragment odd | sed 's/^7 1 7 1$/7 1 9 1/'; fragment behind; } >three.mol2
run quick_dock --ligand three.mol2 --out placed.sdf --scores placed.csv --num_modes 1
check 'dock: the ordinal is that of the molecule, from 0' all exited 2 -- \
    [ "$(columns placed.csv ordinal ligand | tr '\n' ' ')" = '0,before 2,behind ' ] -- \
    grep -q '^1,odd,' placed.failures.csv

if ! command -v obabel >/dev/null; then
    skip 'the failures of two commands in one folder' 'Open Babel is not installed'
    finish
fi

# The failures of two commands that write into one folder.
mkdir both
run "$BERTH" prep ligands three.mol2 --out both/library.blib
check 'prep: the ordinal is that of the record, from 0' all exited 2 -- lines both/library.failures.csv 2 -- \
    grep -qx 'ordinal,ligand,reason' both/library.failures.csv -- grep -q '^1,odd,' both/library.failures.csv
cp both/library.failures.csv kept
run quick_dock --ligand both/library.blib --out both/poses.sdf
check 'dock leaves those of prep alone' all exited 0 -- same kept both/library.failures.csv -- \
    lines both/poses.failures.csv 1

printf '%s\n' 'CCO ethanol' 'this_is_none nonsense' 'CCN ethylamine' >three.smi
run quick_dock --ligand three.smi --out smiles.sdf --scores smiles.csv --num_modes 1
check 'so it is of a record that is prepared' all exited 2 -- \
    [ "$(columns smiles.csv ordinal ligand | tr '\n' ' ')" = '0,ethanol 2,ethylamine ' ] -- \
    grep -q '^1,nonsense,' smiles.failures.csv
finish
