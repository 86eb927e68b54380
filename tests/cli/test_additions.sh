#!/bin/sh
# What docs/architecture.md says can be added in few files: tests/additions has patches that add a
# made-up part of an energy (springs between neighbouring atoms), a search level, an option, a fact of the run
# card, a column of poses and a format of them.  They are applied to a copy, which is built; kernels and oracles
# have to agree about the part, and all files tell it and the column.
. tests/cli/lib.sh

patches=$root/tests/additions
touched() { grep -c '^+++ b/\(src\|kernels\|tools\|python\)' "$patches/$1.patch"; }
check 'a part of an energy touches at most 6 files' [ "$(touched part)" -le 6 ]
check 'an option touches 3 files: its field, its row and its use' [ "$(touched option)" -eq 3 ]
for patch in search_level run_card_fact pose_column output_format; do
    check "a $patch touches 1 file" [ "$(touched $patch)" -eq 1 ]
done

if ! command -v patch >/dev/null; then
    skip 'the patches' 'needs patch'
    finish
fi

mkdir copy
for item in Makefile include src kernels data docs tools tests; do
    cp -R "$root/$item" copy/
done
for patch in part search_level option run_card_fact pose_column output_format; do
    run patch -d copy -p1 -i "$patches/$patch.patch"
    check "the patch of a $patch applies" exited 0
done
slice package 'a build with all'

# Not optimised: that builds in half of the time.
run make -C copy BUILD=build CFLAGS=-O0 build/berth build/tests/kernel/check_kernels build/tests/unit/test_fields
check 'berth builds with all' exited 0

# The oracle and the kernels have the part, and its slopes.
for kernel in refine mapped; do
    (cd copy && exec build/tests/kernel/check_kernels --kernel $kernel --small) >stdout 2>stderr.raw
    code=$?
    check "kernels and oracle agree ($kernel)" exited 0
done

docks() {
    run copy/build/berth "$@" --receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --search brief
}
docks dock --ligand demo/1hpv_ligand_turned.mol2 --out poses.sdf --scores scores.csv --verbose
check 'it docks by the new level' all exited 0 -- holds stdout '48 poses x 3 '
check 'the table has the part' holds stdout ' springs '
check 'scores.csv has its column' holds scores.csv ',springs,strain,'
check 'poses have its tag' holds poses.sdf '>  <springs>'

check 'run.json has the fact' holds poses.run.json '"heavy_atoms": "1516"'

# The column is in tables, tags, what is shown and rankings, and the reference has it.
check 'scores.csv has the column' holds scores.csv ',efficiency,sile,rmsd,'
check 'poses have its tag' holds poses.sdf '>  <sile>'
(cd copy && exec build/tests/unit/test_fields) >stdout 2>stderr
code=$?
check 'docs/formats.md has it' exited 0
run copy/build/berth show scores.csv
check 'show shows it' all exited 0 -- holds stdout ' sile'
docks dock --ligand demo/1hpv_ligand_turned.mol2 --out poses.xyz --rank sile
check 'a ranking looks at it, and poses are written in the new format' all exited 0 -- \
    [ "$(awk 'NF == 4' poses.xyz | wc -l)" -gt 100 ]
run copy/build/berth dock --help_all
check 'help names the format' holds stdout '.xyz'

# By vina's function the total does not name the part, so it is added: of the first mode
# score = energy / (1 + 0.05846 torsions) + springs.
first() { columns scores.csv "$1" | head -n 1; }
check 'the score counts it' awk -v score="$(first score)" -v energy="$(first energy)" -v springs="$(first springs)" \
    'BEGIN { share = (score - springs) / energy; exit !(share > 0.4 && share < 1 && springs != 0) }'

run copy/build/berth dock --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out poses.sdf \
    --autobox_ligand demo/1hpv_ligand.mol2 --search quick
check 'messages name the new level' holds stderr 'brief'

# The option: help, files of options, errors and the use have it.
run copy/build/berth score --help_all
check 'help has the option' holds stdout '--contact LENGTH'
scores() {
    run copy/build/berth score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out scores.csv "$@"
}
scores
check 'it is not given' all exited 0 -- silent
echo 'contact = 1' >contact.txt
scores --config contact.txt
check 'a file of options gives it' all exited 0 -- holds stderr 'within 1 '
scores --contact 101
check 'its range is known' all exited 1 -- holds stderr '--contact: 101 is out of range'
finish
