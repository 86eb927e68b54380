#!/bin/sh
# The second half of `make demo`: a library of 112 approved drugs from SMILES, ready to be screened, in
# $BUILD/demo/drugs.blib.  Few conformers and a fast builder keep it to a minute or two on two cores.
set -eu
BUILD=${BUILD:-build}
out=$BUILD/demo
mkdir -p "$out"
set -- prep ligands data/demo/drugs.smi --conformers 4 --builder med --overwrite \
    --failures "$out/failures.csv" --out "$out/drugs.blib"
echo
echo "$BUILD/berth $*"
"$BUILD/berth" "$@"
"$BUILD/berth" lib info "$out/drugs.blib"
