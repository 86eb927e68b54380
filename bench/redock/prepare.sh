#!/usr/bin/env bash
# prepare.sh DATA_DIR OUT_DIR: the redocking set as receptor files and Mol2.
#
# For each folder of DATA_DIR (receptor.pdbqt, crystal.pdbqt) writes OUT_DIR/<pdb>/receptor.brec and
# receptor.mol2 (`berth prep receptor`, every cofactor and additive kept) and crystal.mol2, and
# OUT_DIR/report.tsv on what came out. The ligands' hydrogens are dropped and added anew: the PDBQT
# files carry polar ones only. Bond orders and charges (pH 7.4) of the ligands come from ligands.tsv. Exit status 1 if a heavy atom was lost or moved, a ligand is not the molecule it
# should be, or a type is not in the forcefield.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: $0 DATA_DIR OUT_DIR" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=bench/common.sh
. "$here/../common.sh"
data=$1 out=$2
[ -x "$berth" ] || die "no program at $berth: run make"
tools=$here/../../tools
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failures=0

complain() { echo "$1: $2" >&2; failures=$((failures + 1)); }

smiles_of() { awk -F '\t' -v pdb="$1" '$1 == pdb { print $3 }' "$here/ligands.tsv"; }
plain_smiles() { obabel "$@" -ocan -xi 2> /dev/null | cut -f 1; }

# The receptor without residues that are the ligand itself: 3drf's file still has the peptide in it.
without_ligand() {
    awk 'function key() { return substr($0, 22, 6) }
        function place() { return substr($0, 31, 24) }
        !/^(ATOM|HETATM)/ { next }
        FILENAME == ARGV[1] { ligand[place()] = 1; next }
        FILENAME == ARGV[2] && !second { if (place() in ligand) drop[key()] = 1; next }
        !(key() in drop)' "$1" "$2" second=1 "$2"
}

make_ligand() {
    local pdb=$1 smiles=$2 crystal=$data/$1/crystal.pdbqt
    obabel "-:$smiles" -osdf -O "$work/template.sdf" > /dev/null 2>&1 &&
    "$here/assign_bonds.py" "$crystal" "$work/template.sdf" > "$work/ligand.sdf" &&
    obabel -isdf "$work/ligand.sdf" -omol2 -O "$work/ligand.mol2" -h > /dev/null 2>&1 &&
    awk -v title="$pdb" -f "$tools/fix_mol2_types.awk" "$work/ligand.mol2" > "$out/$pdb/crystal.mol2"
}

# "x y z" of every heavy atom, sorted: the same list before and after, or something went wrong.
pdbqt_places() {
    awk '/^(ATOM|HETATM)/ { type = substr($0, 78, 2); gsub(/[ \r]/, "", type)
        if (type !~ /^H[DS]?$/) printf "%.3f %.3f %.3f\n", substr($0, 31, 8), substr($0, 39, 8), substr($0, 47, 8) }' "$1" | sort
}
mol2_atoms() { awk '/^@<TRIPOS>/ { section = $1; next } section == "@<TRIPOS>ATOM" && NF >= 6' "$1"; }
mol2_places() { mol2_atoms "$1" | awk '$6 != "H" { printf "%.3f %.3f %.3f\n", $3, $4, $5 }' | sort; }

# check_places IN.pdbqt OUT.mol2: sets `atoms` to the two counts.
check_places() {
    pdbqt_places "$1" > "$work/before"
    mol2_places "$2" > "$work/after"
    cmp -s "$work/before" "$work/after" || complain "$2" "heavy atoms differ from $1"
    atoms="$(wc -l < "$work/before")/$(wc -l < "$work/after")"
}

# Hydrogens on N, O and S. A difference is a difference of opinion on protonation: worth a look.
polar_pdbqt() { awk '/^(ATOM|HETATM)/ && substr($0, 78, 2) ~ /^HD/ { n++ } END { print n + 0 }' "$1"; }
polar_mol2() {
    awk '/^@<TRIPOS>/ { section = $1; next }
        section == "@<TRIPOS>ATOM" { type[$1] = $6 }
        section == "@<TRIPOS>BOND" { n += polar($2, $3) + polar($3, $2) }
        function polar(h, x) { return type[h] == "H" && type[x] ~ /^[NOS]\./ }
        END { print n + 0 }' "$1"
}

types_of() { mol2_atoms "$1" | awk '$6 != "H" { print $6 }' | sort | uniq -c | awk '{ printf "%s:%s ", $2, $1 }'; }
# "1 HEM, 2 ZN" of what `berth prep receptor` said.
others_of() { sed -n 's/^berth: kept besides: //p' "$1"; }

prepare() {
    local pdb=$1 smiles found atoms receptor_atoms ligand_atoms dropped
    local crystal=$data/$pdb/crystal.pdbqt receptor=$work/receptor.pdbqt
    smiles=$(smiles_of "$pdb")
    [ -n "$smiles" ] || { complain "$pdb" "not in ligands.tsv"; return; }
    mkdir -p "$out/$pdb"
    without_ligand "$crystal" "$data/$pdb/receptor.pdbqt" > "$receptor"
    dropped=$(($(pdbqt_places "$data/$pdb/receptor.pdbqt" | wc -l) - $(pdbqt_places "$receptor" | wc -l)))
    [ "$dropped" -eq 0 ] || echo "$pdb: left out $dropped heavy atoms of the receptor that are the ligand" >&2
    "$berth" prep receptor "$receptor" --keep all --out "$out/$pdb/receptor.brec" --mol2 "$out/$pdb/receptor.mol2" \
        --overwrite 2> "$work/log" ||
        { cat "$work/log" >&2; complain "$pdb" "no receptor written"; return; }
    make_ligand "$pdb" "$smiles" || { complain "$pdb" "no ligand written"; return; }

    check_places "$receptor" "$out/$pdb/receptor.mol2"; receptor_atoms=$atoms
    check_places "$crystal" "$out/$pdb/crystal.mol2"; ligand_atoms=$atoms
    found=$(plain_smiles -imol2 "$out/$pdb/crystal.mol2")
    [ "$found" = "$(plain_smiles "-:$smiles")" ] || complain "$pdb" "ligand reads back as $found, not $smiles"
    "$tools/check_types.sh" "$out/$pdb/receptor.mol2" "$out/$pdb/crystal.mol2" >&2 || failures=$((failures + 1))

    printf '%s\t%s\t%s\t%s/%s\t%s\t%s\t%s\t%s\n' "$pdb" "$receptor_atoms" "$ligand_atoms" \
        "$(polar_pdbqt "$crystal")" "$(polar_mol2 "$out/$pdb/crystal.mol2")" \
        "$found" "$(types_of "$out/$pdb/crystal.mol2")" "$(types_of "$out/$pdb/receptor.mol2")" \
        "$(others_of "$work/log")" >> "$out/report.tsv"
}

main() {
    mkdir -p "$out"
    printf 'pdb\treceptor_atoms\tligand_atoms\tligand_polar_h\tsmiles\tligand_types\treceptor_types\tother_residues\n' > "$out/report.tsv"
    for folder in "$data"/*/; do prepare "$(basename "$folder")"; done
    echo "$out/report.tsv: $(($(wc -l < "$out/report.tsv") - 1)) complexes, $failures failures"
    [ "$failures" -eq 0 ]
}

main
