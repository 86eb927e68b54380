#!/bin/sh
# `berth eval poses`: what PoseBusters would say of a pose.
. tests/cli/lib.sh

run "$BERTH" eval poses --receptor demo/1hpv_receptor.mol2 --poses demo/1hpv_ligand.mol2 --out -
check 'Mol2 is refused' all exited 1 -- said Mol2
if ! command -v obabel >/dev/null; then
    skip 'poses' 'obabel is not installed'
    finish
fi
obabel -imol2 demo/1hpv_ligand.mol2 -osdf 2>/dev/null >right.sdf
run env BERTH_PYTHON=/bin/false "$BERTH" eval poses --receptor demo/1hpv_receptor.mol2 --poses right.sdf --out none.csv
check 'without RDKit' all exited 1 -- holds stderr RDKit -- absent none.csv
need_rdkit 'poses'
run "$BERTH" eval poses --receptor demo/1hpv_receptor.mol2 --poses right.sdf --conformers 10 --out right.csv
check 'the crystal pose passes' all exited 0 -- silent -- holds stdout '1 of 1 pose' -- \
    holds right.csv '0,amprenavir,,1,,1,1,1,,1,1,1,1,1,1,1,1,1,1,'

smiles=$(obabel -isdf right.sdf -osmi 2>/dev/null | cut -f 1)
# atoms NAME AWK: the pose with x, y and z of its atoms (n is their number) changed, and the SMILES of the right one.
atoms() {
    awk -v name="$1" -v smiles="$smiles" 'NR == 1 { print name; next }
        /^M  END/ { print; print "> <smiles>"; print smiles; print ""; print "$$$$"; exit }
        NR > 4 && NF > 10 { n++; rest = substr($0, 31); x = $1; y = $2; z = $3; '"$2"'
            printf "%10.4f%10.4f%10.4f%s\n", x, y, z, rest; next }
        { print }' right.sdf
}
{
    atoms same ''
    atoms moved 'x += 3'
    atoms away 'x += 60'
    atoms mirrored 'x = 22 - x'
    atoms stretched 'if (n == 28) { x += 1.5 }'
    atoms crushed 'y = 18 + 0.5 * (y - 18)'
} >wrong.sdf
run "$BERTH" eval poses --receptor demo/1hpv_receptor.mol2 --poses wrong.sdf --conformers 0 --out wrong.csv --valid valid.sdf
check 'each fault is found' all exited 0 -- said passed '1 of 6 poses'
sed '/^\$\$\$\$/q' wrong.sdf >passes.sdf
check '--valid takes the poses that pass, as they are' same passes.sdf valid.sdf
columns wrong.csv ligand failed >failed
failed_in() { grep "^$1," failed | grep -q -w -e "$2"; } # NAME CHECK
check 'the same pose, with the stereo of its SMILES' holds wrong.csv '0,same,,1,,1,1,1,1,1,1,1,1,1,1,,1,1,1,'
check 'moved into the protein' all failed_in moved receptor_distance -- failed_in moved receptor_overlap
check 'far away' failed_in away in_receptor
check 'the mirror image' failed_in mirrored stereo
check 'a bond of twice its length' failed_in stretched bond_lengths
check 'flattened' all failed_in crushed bond_angles -- failed_in crushed internal_clash

# A thiobarbiturate's ring is conjugated all round: PoseBusters takes it for saturated.
echo 'Cc1cccc(C=C2C(=O)NC(=S)N(C)C2=O)c1 flat' >flat.smi
"$BERTH" prep ligands flat.smi --out flat.blib >/dev/null 2>&1
"$BERTH" lib get flat.blib --out flat.sdf >/dev/null 2>&1
run "$BERTH" eval poses --receptor demo/1hpv_receptor.mol2 --poses flat.sdf --conformers 0 --out flat.csv
columns flat.csv saturated_rings aromatic_rings >rings
check 'rings that are flat rightly pass' all [ -s flat.sdf ] -- [ "$(cat rings)" = 1,1 ]

# How far it is: on a terminal at once, in a log every half minute.
if has_terminal; then
    awk '{ text = text $0 "\n" } END { for (i = 0; i < 60; i++) { printf "%s", text } }' right.sdf >many.sdf
    script -qec "'$BERTH' eval poses --receptor demo/1hpv_receptor.mol2 --poses many.sdf --conformers 0 --out many.csv" \
        typescript </dev/null >/dev/null
    check 'on a terminal it says how many poses are checked, of how many' \
        grep -q ' [0-9]* of 60 poses ([0-9.]* %)' typescript
fi

slice posebusters 'PoseBusters says the same'
# Held against PoseBusters itself, where a python3 has it.
for python in python3 /usr/bin/python3 "${BERTH_POSEBUSTERS:-python3}"; do
    "$python" -c 'import posebusters' 2>/dev/null && busters=$python
done
if [ -n "${busters:-}" ]; then
    obabel -imol2 demo/1hpv_receptor.mol2 -opdb 2>/dev/null | sed 's/^HETATM/ATOM  /' >receptor.pdb
    cat >bust.py <<'END'
import csv, sys
from posebusters import PoseBusters
PAIRS = {"bond_lengths": "bond_lengths", "bond_angles": "bond_angles", "internal_clash": "internal_steric_clash",
         "aromatic_rings": "aromatic_ring_flatness", "saturated_rings": "non-aromatic_ring_non-flatness",
         "double_bonds": "double_bond_flatness", "in_receptor": "protein-ligand_maximum_distance",
         "receptor_distance": "minimum_distance_to_protein", "receptor_overlap": "volume_overlap_with_protein"}
theirs = PoseBusters(config="dock_fast").bust("wrong.sdf", None, "receptor.pdb").reset_index()
for i, row in enumerate(csv.DictReader(open("wrong.csv"))):
    for ours, name in PAIRS.items():
        assert int(row[ours]) == int(theirs[name][i]), (row["ligand"], ours, row[ours], theirs[name][i])
print("agree")
END
    run "$busters" bust.py
    check 'PoseBusters says the same' all exited 0 -- holds stdout agree
else
    skip 'PoseBusters says the same' 'PoseBusters is not installed (BERTH_POSEBUSTERS names a Python that has it)'
fi
finish
