#!/bin/sh
# Data races, looked for by ThreadSanitizer: on the stream, by a screen and a docking on two devices and the
# window by itself, and in what berth.h promises about threads.  `make tsan` builds what it runs.
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
echo 'no data race'
