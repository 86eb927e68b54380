#!/usr/bin/env bash
# make_demo_data.sh: writes data/demo/1hpv_receptor.mol2, 1hpv_ligand.mol2 and 1hpv_ligand_turned.mol2
# (run once; all are kept in the repository). HIV-1 protease with amprenavir, PDB entry 1HPV, as shipped in
# Debian's package pymol-data. Needs build/berth, Open Babel and Python; takes the package from apt's archive without
# installing it.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/data/demo
pdb_sha256=5e4a3e559491dcde705665959e34f52b51582c5104d933732a25db92804ba153
amprenavir='CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1'
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

fetch_pdb() {
    (cd "$work" && apt-get -o APT::Sandbox::User=root download -qq pymol-data && dpkg-deb -x pymol-data_*.deb unpacked)
    cp "$work/unpacked/usr/share/pymol/data/tut/1hpv.pdb" "$work/1hpv.pdb"
    echo "$pdb_sha256  $work/1hpv.pdb" | sha256sum --check --quiet
}

# Columns 73-80 hold the entry's name and line number in this old file, where elements belong now:
# `berth prep receptor` knows, Open Babel does not.
ligand() {
    awk '/^HETATM/ && substr($0, 18, 3) == "478" {
        printf "%sLIG L   1%s          %2s\n", substr($0, 1, 17), substr($0, 27, 40), substr($0, 13, 2) }' "$work/1hpv.pdb"
}

plain_smiles() { obabel "$@" -ocan -xi 2> /dev/null | cut -f 1; }

make_ligand() {
    ligand > "$work/ligand.pdb"
    obabel -ipdb "$work/ligand.pdb" -omol2 -O "$work/ligand.mol2" -p 7.4 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
    awk -v title=amprenavir -f "$root/tools/fix_mol2_types.awk" "$work/ligand.mol2" > "$out/1hpv_ligand.mol2"
    local found expected
    found=$(plain_smiles -imol2 "$out/1hpv_ligand.mol2")
    expected=$(plain_smiles "-:$amprenavir")
    if [ "$found" != "$expected" ]; then
        echo "$0: the ligand is not amprenavir: $found, expected $expected" >&2
        exit 1
    fi
}

main() {
    mkdir -p "$out"
    fetch_pdb
    cp "$work/1hpv.pdb" "$work/1hpv_receptor.pdb" # the name becomes the title
    "$root/build/berth" prep receptor "$work/1hpv_receptor.pdb" --ligand_id 478 --out "$work/1hpv.brec" --mol2 "$out/1hpv_receptor.mol2"
    make_ligand
    "$root/bench/turn.py" "$out/1hpv_ligand.mol2" "$out/1hpv_ligand_turned.mol2" --seed 1
    "$root/tools/check_types.sh" "$out/1hpv_receptor.mol2" "$out/1hpv_ligand.mol2"
}

main
