#!/bin/sh
# Poses as PDBQT: the atoms and places of the SDF, trees that are whole, and what Meeko makes of them.
. tests/cli/lib.sh

dock_ten() { # FILE OPTION...
    file=$1
    shift
    run "$BERTH" dock --receptor pocket.mol2 --ligand demo/ten_drugs.mol2.gz --autobox_ligand \
        demo/1hpv_ligand.mol2 --search fast --poses 32 --generations 1 --hops 1 --num_modes 2 --scoring vina --out "$file" "$@"
}
dock_ten ten.sdf --out_also also.pdbqt --out_each each
check 'SDF' exited 0
dock_ten ten.pdbqt
check 'PDBQT' exited 0
check 'one run writes both' cmp ten.pdbqt also.pdbqt
check 'and a file for each ligand, which together are the one' all [ "$(ls each | wc -l)" -eq 10 ] -- \
    sh -c 'grep "^REMARK  Name = " ten.pdbqt | uniq | sed "s/.*= //" | while read -r name; do cat "each/$name.pdbqt"; done | cmp - ten.pdbqt'
dock_ten ten.sdf --out_also ten.sdf
check 'but not to one file' exited 1
dock_ten ten.sdf --out_also ten.xyz
check 'nor in a format that there is not' all exited 1 -- said 'no such format'
check 'a model for each pose, with its score as the result of Vina' \
    sh -c 'sed -n "/^>  <score>/{n;p}" ten.sdf | awk "{ printf \"%.3f\n\", \$1 }" >a
        awk "/^REMARK VINA RESULT:/ { print \$4 }" ten.pdbqt >b; [ -s a ] && diff a b'
"$BERTH" score --receptor pocket.mol2 --ligand ten.sdf --out - --out_poses scored.pdbqt >/dev/null 2>&1
check 'modes that score writes have the RMSDs to the first that the docking has (0.002 Å)' \
    sh -c 'grep "^REMARK VINA RESULT:" ten.pdbqt | cut -c 30- >a; grep "^REMARK VINA RESULT:" scored.pdbqt | cut -c 30- | paste a - |
        awk "{ d = \$1 - \$3; e = \$2 - \$4; if (d > 0.002 || d < -0.002 || e > 0.002 || e < -0.002) exit 1; n += \$2 > 0.1 }
            END { exit !(NR == 20 && n > 5) }"'
check 'serials from 1 without a gap, branches that open and close on atoms that are there' \
    awk '/^MODEL/ { n = depth = branches = 0 }
        /^ATOM/ { if ($2 != ++n) bad = 1 }
        /^BRANCH/ { open[++depth] = $2 " " $3; branches++; if ($2 > n || $3 != n + 1) bad = 1 }
        /^ENDBRANCH/ { if (open[depth--] != $2 " " $3) bad = 1 }
        /^TORSDOF/ { if (depth || $2 != branches) bad = 1; models++ }
        END { exit bad || !models }' ten.pdbqt
# Vina divides by the branches, of which one to an atom without a further heavy neighbour counts half, and not by TORSDOF.
cat >rotors.py <<'END'
import csv
wanted = {row["name"]: float(row["rotors"]) for row in csv.DictReader(open("rotors.csv"))}
counted = {}
for model in open("ten.pdbqt").read().split("ENDMDL\n")[:-1]:
    lines = model.splitlines()
    name = next(line for line in lines if line.startswith("REMARK  Name = "))[15:]
    atoms = {int(line[6:11]): (line[76:].strip(), [float(line[k:k + 8]) for k in (30, 38, 46)]) for line in lines if line.startswith("ATOM")}
    heavy = {k: at for k, (kind, at) in atoms.items() if kind != "HD"}
    near = lambda k: sum(0 < sum((a - b) ** 2 for a, b in zip(heavy[k], at)) < 2.1 ** 2 for at in heavy.values())
    ends = [map(int, line.split()[1:]) for line in lines if line.startswith("BRANCH")]
    counted[name] = sum(0.5 * (near(k) > 1) for pair in ends for k in pair)
assert len(counted) == 10 and counted == wanted, (counted, wanted)
END
"$BERTH" score --receptor pocket.mol2 --ligand ten.sdf --scoring vina --out rotors.csv >/dev/null 2>&1
check 'branches count as many rotors, by Vina, as the score is divided by' python3 rotors.py
smiles_of() { awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "smiles") k = i } NR > 1 { print $k }' "$1"; }
lacks_stereo_of() { awk -v name="$1" '$2 == name && /[@\/\\]/ { bad = 1 } END { exit bad }' again.smi; }
printf 'OCC1OC(O)C(O)C(O)C1O glucose\nNCCc1ccc(O)c(O)c1 dopamine\nNC(=O)c1ccccc1N amide\n' >turning.smi
run "$BERTH" prep ligands turning.smi --structures 1 --out turning.blib
"$BERTH" lib get turning.blib glucose dopamine amide --out turning.pdbqt 2>err
check 'hydroxyl groups and amines turn, as in files of Open Babel, amides do not' \
    [ "$(grep TORSDOF turning.pdbqt | cut -c 9- | paste -s -d ' ')" = '6 5 2' ]
# The stereo of the SMILES, and names.
printf '%s\n' 'C/C=C\C[C@H](N)C(=O)O z' 'C/C=C/C[C@H](N)C(=O)O e' 'C/C=C/C[C@@H](N)C(=O)O other e' 'C[C@@H]1CC[C@H](O)CC1 ring' 'CCC(O)CC none' >stereo.smi
run "$BERTH" prep ligands stereo.smi --structures 1 --out stereo.blib
"$BERTH" lib get stereo.blib z e 'other e' ring none --out stereo.pdbqt 2>err
run "$BERTH" score --receptor pocket.mol2 --ligand stereo.pdbqt --out names.csv
check 'score reads the names, blanks and all' all exited 0 -- [ "$(sed 1d names.csv | cut -d , -f 1 | paste -s -d , -)" = 'z,e,other e,ring,none' ]
awk '/^REMARK SMILES [^I]/ { s = $3 } /^REMARK  Name = / { n = substr($0, 16) } /^ROOT/ { print s, n }' stereo.pdbqt >again.smi
run "$BERTH" prep ligands again.smi --structures 1 --keep_protonation --out again.blib
"$BERTH" lib ls stereo.blib --full 2>err >a
"$BERTH" lib ls again.blib --full 2>err >b
check 'REMARK SMILES have stereo: read again, they are the same molecules' all grep -q '@.*/\|/.*@' again.smi -- lacks_stereo_of none -- \
    [ "$(smiles_of a)" = "$(smiles_of b)" ] -- [ "$(smiles_of a | sort -u | wc -l)" -eq 5 ]
awk '/^MODEL/ { n++ } /^REMARK SMILES [^I]/ { if (!sub("@@", "@")) sub("@", "@@") } n == 2' stereo.pdbqt >wrong.pdbqt
run "$BERTH" score --receptor pocket.mol2 --ligand wrong.pdbqt --out wrong.csv
check 'SMILES of another isomer than its coordinates are refused' all [ "$code" -ne 0 ] -- absent wrong.csv
echo 'Cn1cncc1C1CCCC1 imidazole' >five.smi
run "$BERTH" prep ligands five.smi --structures 1 --out five.blib
"$BERTH" lib get five.blib imidazole --out five.pdbqt 2>err
check 'carbons of aromatic rings of five are A' [ "$(awk '/^ATOM/ { n[$NF]++ } END { print n["A"], n["C"] }' five.pdbqt)" = '3 6' ]
# Hydrogens in front of all else in a Mol2 that is taken as it stands.
"$BERTH" lib get turning.blib amide --out amide.mol2 2>err
awk '/^@/ { part = $1 }
    part == "@<TRIPOS>MOLECULE" && ++head == 3 { n = $1 }
    part == "@<TRIPOS>ATOM" && !/^@/ { id = $1; $1 = n + 1 - id; atom[$1] = $0; if (id == n) for (i = 1; i <= n; i++) print atom[i]; next }
    part == "@<TRIPOS>BOND" && NF > 2 { $2 = n + 1 - $2; $3 = n + 1 - $3 } { print }' amide.mol2 >turned.mol2
run "$BERTH" prep ligands turned.mol2 --out turned.blib
"$BERTH" lib get turned.blib amide --out turned.pdbqt 2>err
"$BERTH" lib get turning.blib amide --out amide.pdbqt 2>err
check 'types are those of the atoms, in whatever order they come' all [ -s turned.pdbqt ] -- \
    sh -c 'for file in amide turned; do sed -n "/^ATOM/s/.\{30\}//p" $file.pdbqt | sort >$file.atoms; done; diff amide.atoms turned.atoms'

slice posebusters 'Meeko reads the molecules back'
for python in python3 "${BERTH_POSEBUSTERS:-python3}"; do
    "$python" -c 'import meeko' 2>/dev/null && meeko=$python
done
if [ -z "${meeko:-}" ]; then
    skip 'Meeko reads the molecules back' 'Meeko is not installed (BERTH_POSEBUSTERS names a Python that has it)'
    finish
fi
cat >back.py <<'END'
import itertools
import numpy
from meeko import PDBQTMolecule, RDKitMolCreate
from rdkit import Chem

def name(model):
    return next(line for line in model.splitlines() if line.startswith("REMARK  Name = "))[15:]

models = [part + "ENDMDL\n" for part in open("ten.pdbqt").read().split("ENDMDL\n") if part]
poses = iter(Chem.SDMolSupplier("ten.sdf", removeHs=False))
for ligand, group in itertools.groupby(models, name):
    group = list(group)
    back = RDKitMolCreate.from_pdbqt_mol(PDBQTMolecule("".join(group)))[0]
    heavy = Chem.RemoveHs(back)
    for conformer in heavy.GetConformers():
        pose = Chem.RemoveHs(next(poses))
        assert pose.GetProp("_Name") == ligand
        Chem.AssignStereochemistryFrom3D(heavy, conformer.GetId())
        assert Chem.MolToSmiles(heavy) == Chem.MolToSmiles(pose), ligand
        match = pose.GetSubstructMatches(heavy, uniquify=False)
        places = pose.GetConformer().GetPositions()
        nearest = min(numpy.abs(conformer.GetPositions() - places[list(one)]).max() for one in match)
        assert nearest < 0.001, (ligand, nearest)
print("agree")
END
run "$meeko" back.py
check 'Meeko reads the molecules back' all exited 0 -- holds stdout agree
# What Vina makes of files that Meeko prepares is divided by other rotors where these groups are (docs/coming_from.md).
cat >meeko.smi <<'END'
CCOC(C)CO alcohol
CCC(=O)NCC amide
CCC(=O)N(CC)CCC tertiary_amide
CCNc1ncccn1 aminopyrimidine
CCc1ccccc1C#N nitrile
CCC(=[NH2+])NCC amidine
END
cat >torsions.py <<'END'
import re
from meeko import MoleculePreparation, PDBQTWriterLegacy
from rdkit import Chem
models = open("meeko.pdbqt").read().split("ENDMDL\n")
for molecule, model in zip(Chem.SDMolSupplier("meeko.sdf", removeHs=False), models):
    text, good, why = PDBQTWriterLegacy.write_string(MoleculePreparation().prepare(molecule)[0])
    theirs, ours = (int(re.search(r"^TORSDOF (\d+)", one, re.M)[1]) for one in (text, model))
    assert theirs == text.count("\nBRANCH") and ours == model.count("\nBRANCH")
    print(molecule.GetProp("_Name"), ours, theirs - ours)
END
run "$BERTH" prep ligands meeko.smi --structures 1 --keep_protonation --out meeko.blib
"$BERTH" lib get meeko.blib --out meeko.sdf 2>err
"$BERTH" lib get meeko.blib --out meeko.pdbqt 2>err
run "$meeko" torsions.py
check "Meeko's trees are the same, but at tertiary amides, amines between two N of a ring, and nitriles" \
    [ "$(paste -s -d , stdout)" = 'alcohol 4 0,amide 2 0,tertiary_amide 4 1,aminopyrimidine 1 1,nitrile 2 -1,amidine 2 0' ]
finish
