#!/bin/sh
# Data races, looked for by ThreadSanitizer: on the stream, by a screen, a docking and a redocking on two devices and
# the window by itself, and in what berth.h promises about threads.  `make tsan` builds what it runs.
# Usage: BUILD=build-tsan sh tests/tsan.sh
set -eu
old=$PWD/tests/fixtures/screen
berth=$PWD/$BUILD/berth
TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp ignore_noninstrumented_modules=1 exitcode=66"
POCL_DEVICES='pthread pthread'
export TSAN_OPTIONS POCL_DEVICES
"$BUILD/tests/unit/test_window"
"$BUILD/tests/unit/test_threads"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
search="--receptor $old/receptor.brec --scoring bude --poses 256 --generations 2 --batch 1 --device all"
# Split into words on purpose.
# shellcheck disable=SC2086
"$berth" screen $search --library "$old/library.blib" --num_modes 2 --out "$folder/screen"
# shellcheck disable=SC2086
"$berth" dock $search --ligand "$old/library.blib" --refine_torsions --out "$folder/poses.sdf"
mkdir "$folder/set"
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\n' >"$folder/set/sites.tsv"
for complex in one two three four five; do
    mkdir "$folder/set/$complex"
    cp data/demo/1hpv_receptor.mol2 "$folder/set/$complex/receptor.mol2"
    cp data/demo/1hpv_ligand.mol2 "$folder/set/$complex/crystal.mol2"
    "$berth" prep ligands data/demo/1hpv_ligand.mol2 --out "$folder/set/$complex/ligand.blib"
    printf '%s\t9.9\t16.2\t8.8\n' $complex >>"$folder/set/sites.tsv"
done
echo nonsense >"$folder/set/two/receptor.mol2"
for resume in '' --resume; do
    "$berth" eval redock "$folder/set" --scoring bude --search rigid_fast --poses 256 --generations 2 --refine 1 --hops 0 \
        --device all --out "$folder/redocked" $resume || [ $? -eq 2 ] # one fails
done
echo 'no data race'
