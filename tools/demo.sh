#!/bin/sh
# What `make demo` runs: amprenavir, turned at random, back into HIV-1 protease (PDB 1HPV).  Writes
# poses.sdf and scores.csv to $BUILD/demo (build/demo), and prints the modes with their RMSD to the
# crystal pose.  Further options go to `berth dock`: sh tools/demo.sh --seed 2
set -eu
BUILD=${BUILD:-build}
data=data/demo
out=$BUILD/demo
mkdir -p "$out"
set -- dock --receptor $data/1hpv_receptor.mol2 --ligand $data/1hpv_ligand_turned.mol2 \
    --autobox_ligand $data/1hpv_ligand.mol2 --reference $data/1hpv_ligand.mol2 \
    --out "$out/poses.sdf" --scores "$out/scores.csv" "$@"
echo "$BUILD/berth $*"
echo
"$BUILD/berth" "$@"
echo
echo "poses with all atoms and bonds: $out/poses.sdf"
echo "scores:                         $out/scores.csv"
echo "crystal pose to compare with:   $data/1hpv_ligand.mol2"
