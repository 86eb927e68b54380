#!/usr/bin/env bash
# make_paper_data.sh: writes data/demo/ten_drugs.mol2.gz (run once; it is kept in the repository): 128
# conformers of ten drugs, what `berth-bench --paper` docks. Needs Open Babel.
#
# Each drug is built from its SMILES (its formula is checked; neutral and without stereochemistry, which
# Open Babel 3.1.1 fails to build for half of them: this is for measuring speed, and needs no more), given
# 3D coordinates, and turned about its bonds by Open Babel's genetic search for conformers that differ
# most; of those, as many as the table says are taken, evenly spread.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT

# name, conformers, formula, SMILES
drugs() {
    cat <<'TABLE'
amprenavir 13 C25H35N3O6S CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1CCOC1)S(=O)(=O)c1ccc(N)cc1
indinavir 13 C36H47N5O4 CC(C)(C)NC(=O)C1CN(CCN1CC(O)CC(Cc1ccccc1)C(=O)NC1C(O)Cc2ccccc12)Cc1cccnc1
darunavir 13 C27H37N3O7S CC(C)CN(CC(O)C(Cc1ccccc1)NC(=O)OC1COC2OCCC12)S(=O)(=O)c1ccc(N)cc1
nelfinavir 13 C32H45N3O4S Cc1c(O)cccc1C(=O)NC(CSc1ccccc1)C(O)CN1CC2CCCCC2CC1C(=O)NC(C)(C)C
imatinib 13 C29H31N7O Cc1ccc(NC(=O)c2ccc(CN3CCN(C)CC3)cc2)cc1Nc1nccc(n1)-c1cccnc1
erlotinib 13 C22H23N3O4 COCCOc1cc2ncnc(Nc3cccc(c3)C#C)c2cc1OCCOC
sildenafil 13 C22H30N6O4S CCCc1nn(C)c2c1nc([nH]c2=O)-c1cc(ccc1OCC)S(=O)(=O)N1CCN(C)CC1
haloperidol 13 C21H23ClFNO2 OC1(CCN(CCCC(=O)c2ccc(F)cc2)CC1)c1ccc(Cl)cc1
celecoxib 12 C17H14F3N3O2S Cc1ccc(cc1)-c1cc(nn1-c1ccc(cc1)S(N)(=O)=O)C(F)(F)F
trimethoprim 12 C14H18N4O3 COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC
TABLE
}

# The molecule of file $1 with number $2.
molecule() { awk -v wanted="$2" '/^@<TRIPOS>MOLECULE/ { n++ } n == wanted' "$1"; }

make_drug() { # name count formula smiles
    local found taken
    found=$(obabel "-:$4" -otxt --append formula 2> /dev/null | tr -d '[:space:]')
    if [ "$found" != "$3" ]; then
        echo "$0: $1: the SMILES is that of $found, expected $3" >&2
        exit 1
    fi
    obabel "-:$4" -osdf -O "$work/3d.sdf" --gen3d med 2> /dev/null
    obabel "$work/3d.sdf" -omol2 -O "$work/all.mol2" --conformer --nconf 40 --score rmsd --writeconformers \
        > /dev/null 2>&1
    found=$(grep -c '^@<TRIPOS>MOLECULE' "$work/all.mol2")
    if [ "$found" -lt "$2" ]; then
        echo "$0: $1: Open Babel found $found conformers, $2 are needed" >&2
        exit 1
    fi
    for ((taken = 1; taken <= $2; taken++)); do
        molecule "$work/all.mol2" $((1 + (taken - 1) * found / $2)) |
            awk -v title="$(printf '%s_C%04d' "$1" "$taken")" -f "$root/tools/fix_mol2_types.awk"
    done
    echo "$1: $2 of $found conformers" >&2
}

while read -r name count formula smiles; do
    make_drug "$name" "$count" "$formula" "$smiles"
done < <(drugs) > "$work/ten_drugs.mol2"
"$root/tools/check_types.sh" "$work/ten_drugs.mol2"
gzip -9n < "$work/ten_drugs.mol2" > "$root/data/demo/ten_drugs.mol2.gz"
