#!/bin/sh
# berth score --relax: all coordinates of a pose, by the scoring function and MMFF94s together.
. tests/cli/lib.sh

ligand=demo/1hpv_ligand.mol2
relax() { "$BERTH" score --receptor demo/1hpv_receptor.mol2 --relax "$@"; }

refused '--relax with --minimize' '--relax: it moves all that minimize does, and more: ask for one' \
    relax --ligand $ligand --minimize --out out.csv
refused '--relax by a function without kJ' \
    "--relax: plp is in PLP; MMFF94s' energies can be added to such in kJ/mol or kcal/mol (vina, vinardo, bude)" \
    relax --ligand $ligand --scoring plp --out out.csv
need_rdkit 'relaxed poses'

# Column $2 of line $3 (the first row's, 2) of $1.
cell() { awk -F, -v column="$2" -v row="${3:-2}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } NR == row { print $at }' "$1"; }
near() { awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a != "" && b != "" && a - b <= most && b - a <= most) }'; }
# The sum of both fields in row $2, kJ/mol, but for what the free molecule has.
both() { awk -v energy="$(cell "$1" energy "$2")" -v strain="$(cell "$1" conformer_strain "$2")" 'BEGIN { print 4.184 * energy + strain }'; }

# The ligand, and the same with atom 1 pulled away by 0.3 Å.
{
    cat $ligand
    awk '/@<TRIPOS>/ { atoms = /ATOM/ } atoms && $1 == 1 && NF > 5 { $3 += 0.3 } { print }' $ligand
} >two.mol2
run relax --ligand two.mol2 --out two.csv --out_poses two.sdf
check 'relaxed' all exited 0 -- lines two.csv 3 -- \
    grep -qx 'name,energy,gauss1,gauss2,repulsion,hydrophobic,hydrogen_bond,conformer_strain,clash,rotors,total' two.csv -- \
    holds two.sdf '<conformer_strain>'
# Soft torsions end a little apart, along the valley: what the field has less, the molecule has more.
check 'a stretched bond comes back: within 0.5 kJ/mol of the same sum' near "$(both two.csv 2)" "$(both two.csv 3)" 0.5
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand two.sdf --out stood.csv
check 'the poses that were written have these energies' near "$(cell two.csv energy)" "$(cell stood.csv energy)" 0.002
run relax --ligand two.sdf --out again.csv
check 'relaxed again they stay' all near "$(cell two.csv energy)" "$(cell again.csv energy)" 0.02 -- \
    near "$(cell two.csv conformer_strain)" "$(cell again.csv conformer_strain)" 0.5
awk '/@<TRIPOS>/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 200 } { print }' $ligand >far.mol2
run relax --ligand far.mol2 --out far.csv
check "far from the receptor it comes to RDKit's own minimum" all exited 0 -- near "$(cell far.csv energy)" 0 0 -- \
    near "$(cell far.csv conformer_strain)" 0 0.5

# RDKit says what the molecule itself has, before and after.
"$python" - two.sdf $ligand >sums <<'EOF'
import sys
from rdkit import Chem
from rdkit.Chem import rdForceFieldHelpers as helpers
from rdkit.ForceField import rdForceField  # the classes of what these give

for molecule in (Chem.MolFromMolFile(sys.argv[1], removeHs=False), Chem.MolFromMol2File(sys.argv[2], removeHs=False)):
    parameters = helpers.MMFFGetMoleculeProperties(molecule, 'MMFF94s')
    parameters.SetMMFFDielectricConstant(80)
    print(helpers.MMFFGetMoleculeForceField(molecule, parameters).CalcEnergy())
EOF
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand $ligand --out before.csv
check 'the sum of both fields falls' awk -v after="$(cell two.csv energy)" -v before="$(cell before.csv energy)" '
    { own[NR] = $1 } END { exit !(NR == 2 && own[1] + after < own[2] + before - 5) }' sums

"$python" -c '
from rdkit import Chem
print(Chem.MolToMolBlock(Chem.RemoveHs(Chem.MolFromMolFile("two.sdf"))) + "$$$$")' >bare.sdf
run relax --ligand bare.sdf --out bare.csv
check 'hydrogens that a record lacks are added first' all exited 0 -- lines bare.csv 2
finish
