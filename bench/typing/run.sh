#!/usr/bin/env bash
# run.sh OUT_DIR: BUDE's 16 reference ligands of 1GCZ to SMILES and to SDF, and back through
# `berth prep ligands`; the types of their heavy atoms compared with BUDE's. Writes OUT_DIR/differences.tsv and
# prints a summary. Protonation stays as BUDE's files have it.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"
berth=${BERTH:-$berth}
out=$1
mkdir -p "$out"
rm -f "$out"/reference.* "$out"/from_*
for file in "$data"/bude/1gcz/reference/ligand??.mol2; do
    name=$(basename "$file" .mol2)
    # the first conformer alone, under the file's name
    awk -v name="$name" '/^@<TRIPOS>MOLECULE/ { if (++n == 2) exit; print; getline; print name; next } { print }' "$file" \
        >> "$out/reference.mol2"
done
obabel -imol2 "$out/reference.mol2" -ocan -O "$out/reference.smi" > "$out/log" 2>&1
obabel -imol2 "$out/reference.mol2" -osdf -O "$out/reference.sdf" >> "$out/log" 2>&1
for form in smi sdf; do
    "$berth" prep ligands "$out/reference.$form" --out "$out/from_$form.blib" --overwrite --conformers 1 \
        --keep_protonation --failures "$out/from_${form}_failures.csv" > "$out/from_$form.txt"
    "$berth" lib get "$out/from_$form.blib" $(seq -f 'ligand%02g' 16) --out "$out/from_$form.mol2"
done
"$(dirname "$0")/compare.py" "$out/reference.mol2" "$out/from_smi.mol2" "$out/from_sdf.mol2" | tee "$out/differences.tsv"
