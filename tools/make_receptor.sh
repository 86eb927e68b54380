#!/usr/bin/env bash
# make_receptor.sh IN.pdb|IN.pdbqt OUT.mol2 [TITLE]: a protonated receptor with BUDE's SYBYL types.
#
# Open Babel finds the bonds and the hydrogens (pH 7.4); clean_pdb.awk before it and
# fix_mol2_types.awk after it put right what it gets wrong.
set -euo pipefail

[ $# -ge 2 ] || { echo "usage: $0 IN.pdb|IN.pdbqt OUT.mol2 [TITLE]" >&2; exit 1; }
tools=$(cd "$(dirname "$0")" && pwd)
input=$1 output=$2 title=${3:-receptor}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

case $input in *.pdbqt) pdbqt=1 ;; *) pdbqt=0 ;; esac
awk -v pdbqt=$pdbqt -f "$tools/clean_pdb.awk" "$input" > "$work/clean.pdb"
if ! obabel -ipdb "$work/clean.pdb" -omol2 -O "$work/raw.mol2" -p 7.4 > "$work/log" 2>&1 || ! [ -s "$work/raw.mol2" ]; then
    echo "$0: Open Babel failed on $input:" >&2
    cat "$work/log" >&2
    exit 1
fi
# A ring that it could not make aromatic has wrong bonds and hydrogens; the types of amino acids are
# not touched by that, those of cofactors may be.
if grep -q 'Failed to kekulize' "$work/log"; then
    echo "make_receptor.sh: warning: $title: Open Babel could not kekulize every ring" >&2
fi
awk -v pdb="$work/clean.pdb" -v title="$title" -f "$tools/fix_mol2_types.awk" "$work/raw.mol2" > "$work/typed.mol2"
mv "$work/typed.mol2" "$output"
