#!/bin/sh
# Conformer strain on its way from RDKit's energies through a library to the rows of a docking.
. tests/cli/lib.sh

refused '--strain_weight without strains' quick_dock --ligand demo/1hpv_ligand.mol2 --out out/p.sdf --strain_weight 1

need_rdkit 'conformer strain'

echo 'CCCC(CO)CCO diol' >diol.smi
run "$BERTH" prep ligands diol.smi --out diol.blib --conformers 8
run "$BERTH" lib get diol.blib diol --out diol.mol2
sed -n 's/^# strain: //p' diol.mol2 >strains
# RDKit's energies of the same conformers, kcal/mol: kJ/mol above the lowest.
"$BERTH" lib get diol.blib diol --out diol.sdf
"$python" - >energies <<'END'
from rdkit import Chem
from rdkit.Chem import rdForceFieldHelpers as force
from rdkit.ForceField import rdForceField  # its classes
for molecule in Chem.SDMolSupplier("diol.sdf", removeHs=False):
    parameters = force.MMFFGetMoleculeProperties(molecule, "MMFF94s")
    parameters.SetMMFFDielectricConstant(80)
    print(force.MMFFGetMoleculeForceField(molecule, parameters).CalcEnergy())
END
check 'strains are MMFF94s energies, in kJ/mol' awk '
    FNR == NR { strain[FNR] = $1; count = FNR; next }
    {
        if (FNR == 1) first = $1
        d = strain[FNR] - strain[1] - 4.184 * ($1 - first) # rounding positions costs some
        bad += d > 1 || d < -1 || strain[FNR] < 0
        if (strain[FNR] - strain[1] > most) most = strain[FNR] - strain[1]
        if (strain[1] - strain[FNR] > most) most = strain[1] - strain[FNR]
    }
    END { exit bad || count < 3 || FNR != count || most < 4 }' strains energies

quick_dock --ligand diol.blib --out plain.sdf --scores plain.csv --num_modes 9 >stdout
columns plain.csv conformer_strain conformer >plain
check 'rows and tags have the strain of their conformer' all awk -F, '
    FNR == NR { strain[FNR] = $1; next }
    { d = $1 - strain[$2]; rows++; bad += $1 == "" || d > 0.006 || d < -0.006 }
    END { exit bad || rows < 5 }' strains plain -- \
    [ "$(grep -c '^>  <conformer_strain>' plain.sdf)" -eq "$(grep -c '^>  <mode>' plain.sdf)" ]
weighted() { # W CSV: best first by energy + strain + W x conformer_strain
    columns "$2" score energy strain conformer_strain | awk -F, -v w="$1" '
        { d = $1 - $2 - $3 - w * $4; if (d > 0.006 * w + 1e-3 || d < -0.006 * w - 1e-3) bad = 1 }
        rows++ && $1 < last { bad = 1 }
        { last = $1 }
        END { exit bad || rows < 5 }'
}
check 'ranked by energy and the strain of turned torsions' weighted 0 plain.csv
run quick_dock --ligand diol.blib --out heavy.sdf --scores heavy.csv --num_modes 9 --strain_weight 50 \
    --refine_torsions
columns heavy.csv conformer_strain >heavy
check 'ranked by these and the strain of conformers' all exited 0 -- silent -- weighted 50 heavy.csv -- \
    said 'what ranks' 'ranked by' -- awk -F, 'FNR == NR { if (FNR == 1 || $1 < least) least = $1; next }
        FNR == 1 { exit $1 > least + 0.006 }' strains heavy

# A library of a molecule that was taken as it stands knows no strain.
run "$BERTH" prep ligands demo/1hpv_ligand.mol2 --out taken.blib
run quick_dock --ligand taken.blib --out taken.sdf --scores taken.csv --strain_weight 1
check 'strains that are not known' all exited 0 -- said 'strains that are not known' -- \
    [ -z "$(columns taken.csv conformer_strain | tr -d '\n')" ] -- sh -c '! grep -q conformer_strain taken.sdf'
finish
