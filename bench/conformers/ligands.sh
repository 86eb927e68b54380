#!/usr/bin/env bash
# ligands.sh DATA_DIR OUT_DIR: the 21 ligands of the redocking set for measuring conformers.
#
# OUT_DIR/<pdb>.mol2 is the crystal conformer (bond orders from ../redock/ligands.tsv, hydrogens added),
# OUT_DIR/ligands.smi its SMILES with the stereo centres that the crystal shows: what a conformer
# generator is given.
set -euo pipefail
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
tail -n +2 "$here/../redock/ligands.tsv" | while IFS=$'\t' read -r pdb _ smiles; do
    obabel "-:$smiles" -osdf -O "$out/template.sdf" > /dev/null 2>&1
    "$here/../redock/assign_bonds.py" "$data/$pdb/crystal.pdbqt" "$out/template.sdf" > "$out/$pdb.sdf"
    obabel -isdf "$out/$pdb.sdf" -omol2 -O "$out/$pdb.mol2" -h > /dev/null 2>&1
    obabel -imol2 "$out/$pdb.mol2" -ocan 2> /dev/null | awk -v pdb="$pdb" '{ print $1 "\t" pdb }'
done > "$out/ligands.smi"
