#!/bin/sh
# berth score --relax: all coordinates of a pose, by the scoring function and MMFF94s together; berth dock --relax: the same
# of what it found, before it is ranked.
. tests/cli/lib.sh

ligand=demo/1hpv_ligand.mol2
relax() { "$BERTH" score --receptor pocket.mol2 --relax "$@"; }

refused '--relax with --minimize' relax --ligand $ligand --minimize --out out.csv
refused '--relax by a function without kJ' relax --ligand $ligand --scoring plp --out out.csv
echo 'donor to 9.9 16.2 8.8' >bond.restraints
dock() { "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --search fast --exhaustiveness 1 "$@"; }
refused 'relaxed poses with restraints' dock --ligand $ligand --relax --restraints bond.restraints --out out.sdf
need_rdkit 'relaxed poses'

# Column $2 of line $3 (the first row's, 2) of $1.
cell() { awk -F, -v column="$2" -v row="${3:-2}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } NR == row { print $at }' "$1"; }
near() { awk -v a="$1" -v b="$2" -v most="$3" 'BEGIN { exit !(a != "" && b != "" && a - b <= most && b - a <= most) }'; }
# The sum of both fields in row $2, kJ/mol, but for what the free molecule has.
both() { awk -v energy="$(cell "$1" energy "$2")" -v strain="$(cell "$1" conformer_strain "$2")" 'BEGIN { print 4.184 * energy + strain }'; }

# A carbonyl group that stands out of its ring's plane is told, unless something beside it pushes it there.
printf '%s\n' 'NC(=O)c1ccc(F)cc1 benzamide' 'CC(=O)c1c(C)cccc1C crowded' 'CCO none' >amides.smi
run dock --ligand amides.smi --scoring vina --out amides.sdf --scores amides.csv
check 'how far a carbonyl group is twisted out of its ring stands beside each pose' python3 - <<'END'
import csv, math
def sub(a, b): return [x - y for x, y in zip(a, b)]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def twist(record):
    lines = record.splitlines()
    atoms, bonds = int(lines[3][:3]), int(lines[3][3:6])
    at = [[float(x) for x in line.split()[:3]] for line in lines[4:4 + atoms]]
    element = [line.split()[3] for line in lines[4:4 + atoms]]
    near = {i: set() for i in range(atoms)}
    for line in lines[4 + atoms:4 + atoms + bonds]:
        a, b = int(line[:3]) - 1, int(line[3:6]) - 1
        near[a].add(b), near[b].add(a)
    oxygen = element.index("O")
    carbon, = near[oxygen]
    ring, = (i for i in near[carbon] if element[i] == "C")
    angles = []
    for a in near[carbon] - {ring}:
        for d in near[ring] - {carbon}:
            axis = sub(at[ring], at[carbon])
            first, second = cross(sub(at[a], at[carbon]), axis), cross(axis, sub(at[d], at[ring]))
            cosine = abs(dot(first, second)) / math.sqrt(dot(first, first) * dot(second, second))
            angles.append(math.degrees(math.acos(min(1, cosine))))
    return sum(angles) / 4
rows = list(csv.DictReader(open("amides.csv")))
records = open("amides.sdf").read().split("$$$$\n")[:-1]
assert len(rows) == len(records) and {row["ligand"] for row in rows} == {"benzamide", "crowded", "none"}
for row, record in zip(rows, records):
    if row["ligand"] == "benzamide":
        assert abs(float(row["twist"]) - twist(record)) < 0.3 and "<twist>" in record, (row, twist(record))
    else:
        assert row["twist"] == "", row
END

# By a function of no pairs inside the ligand the strain is that price alone, which a screen has, too.
sed 's/^intra .*/intra 10/' "$root/data/scoring/vina.score" >outside.score
run dock --ligand amides.smi --scoring outside.score --out out.sdf --scores outside.csv --num_modes 9
run "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --search fast --exhaustiveness 1 \
    --library amides.smi --scoring outside.score --out outside
columns outside.csv ligand mode strain twist >docked
columns outside/scores.csv ligand mode strain twist >screened
grep ',1,' docked >first
check 'the strain has what that costs, in screens, too' all same first screened -- awk -F, '
    $1 != "benzamide" { bad = bad || $3 + 0 || $4; next }
    { off = $3 - 2.5 * sin($4 * atan2(0, -1) / 180) ^ 2; bad = bad || off > 0.006 || off < -0.006 || $4 == ""; seen++ }
    END { exit bad || seen < 2 }' docked

# The ligand, and the same with atom 1 pulled away by 0.3 Å.
{
    cat $ligand
    awk '/@<TRIPOS>/ { atoms = /ATOM/ } atoms && $1 == 1 && NF > 5 { $3 += 0.3 } { print }' $ligand
} >two.mol2
run relax --ligand two.mol2 --out two.csv --out_poses two.sdf
check 'relaxed' all exited 0 -- lines two.csv 3 -- \
    grep -qx 'name,energy,gauss1,gauss2,repulsion,hydrophobic,hydrogen_bond,conformer_strain,rmsd,clash,rotors,total' two.csv -- \
    holds two.sdf '<conformer_strain>'
# Soft torsions end a little apart, along the valley: what the field has less, the molecule has more.
check 'a stretched bond comes back: within 0.5 kJ/mol of the same sum' near "$(both two.csv 2)" "$(both two.csv 3)" 0.5
run "$BERTH" score --receptor pocket.mol2 --ligand two.sdf --out stood.csv
check 'the poses that were written have these energies' near "$(cell two.csv energy)" "$(cell stood.csv energy)" 0.002
run relax --ligand two.sdf --out again.csv
check 'relaxed again they stay' all near "$(cell two.csv energy)" "$(cell again.csv energy)" 0.02 -- \
    near "$(cell two.csv conformer_strain)" "$(cell again.csv conformer_strain)" 0.5
awk '/@<TRIPOS>/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 200 } { print }' $ligand >far.mol2
run relax --ligand far.mol2 --out far.csv
check "far from the receptor it comes to RDKit's own minimum" all exited 0 -- near "$(cell far.csv energy)" 0 0 -- \
    near "$(cell far.csv conformer_strain)" 0 0.5

# How far it went, symmetry-corrected, is what RDKit finds between the file that was given and the one written.
"$python" - two.sdf $ligand two.csv >/dev/null 2>&1 <<'EOF'
import csv
import sys
from rdkit import Chem
from rdkit.Chem import rdMolAlign

relaxed = next(iter(Chem.SDMolSupplier(sys.argv[1])))
moved = rdMolAlign.CalcRMS(relaxed, Chem.MolFromMol2File(sys.argv[2]))
said = float(next(csv.DictReader(open(sys.argv[3])))["rmsd"])
assert moved > 0.1 and abs(said - moved) < 0.002 and float(relaxed.GetProp("rmsd")) == said
EOF
check 'rmsd is how far it went' [ $? -eq 0 ]
sed '/^\$\$\$\$/q' two.sdf >first.sdf
run relax --ligand two.mol2 --reference first.sdf --out known.csv
check 'with --reference it is the distance from that' all near "$(cell known.csv rmsd)" 0 0.001 -- exited 0

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
run "$BERTH" score --receptor pocket.mol2 --ligand $ligand --out before.csv
check 'the sum of both fields falls' awk -v after="$(cell two.csv energy)" -v before="$(cell before.csv energy)" '
    { own[NR] = $1 } END { exit !(NR == 2 && own[1] + after < own[2] + before - 5) }' sums

"$python" -c '
from rdkit import Chem
print(Chem.MolToMolBlock(Chem.RemoveHs(Chem.MolFromMolFile("two.sdf"))) + "$$$$")' >bare.sdf
run relax --ligand bare.sdf --out bare.csv
check 'hydrogens that a record lacks are added first' all exited 0 -- lines bare.csv 2

slice docking 'dockings'
# What docking says of relaxed poses is what is said of them as they stand, but for a pair of atoms that rounding brings
# across the cutoff (8 Å, where vina's second Gaussian is 0.0035).
echo 'CC(=O)Nc1ccc(O)cc1 paracetamol' >one.smi
run dock --ligand one.smi --out docked.sdf --scores docked.csv --relax
check 'dock --relax' exited 0
for function in vina vinardo plp bude; do
    run "$BERTH" score --receptor pocket.mol2 --ligand docked.sdf --scoring $function --out stood.csv
    lines=$(wc -l <stood.csv) same=0
    for row in $(seq 2 "$lines"); do
        near "$(cell stood.csv energy "$row")" "$(cell docked.csv $function "$row")" 0.008 && same=$((same + 1))
    done
    check "$function's scores are those of the poses that are written" [ "$same" -eq $((lines - 1)) ]
done
check 'they are ordered by their ranking' awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    FNR > 2 && $c["pose_ranking"] < last { bad = 1 }
    { last = $c["pose_ranking"] }
    END { exit bad || FNR < 3 }' docked.csv
check 'and none of them is where another one is' "$python" -c '
import itertools
from rdkit.Chem import SDMolSupplier, rdMolAlign
assert all(rdMolAlign.CalcRMS(a, b) > 0.99 for a, b in itertools.combinations(SDMolSupplier("docked.sdf"), 2))'
run relax --ligand docked.sdf --out again.csv
check 'relaxed again they stay' near "$(cell again.csv energy)" "$(cell docked.csv vina)" 0.02

cat >bare.mol2 <<'EOF'
@<TRIPOS>MOLECULE
ethanol
3 2
SMALL
NO_CHARGES
@<TRIPOS>ATOM
1 C1 0.00 0.00 0.00 C.3
2 C2 1.52 0.00 0.00 C.3
3 O1 2.00 1.35 0.00 O.3
@<TRIPOS>BOND
1 1 2 1
2 2 3 1
EOF
run dock --ligand bare.mol2 --out stays.sdf
run dock --ligand bare.mol2 --out left.sdf --relax
check 'what cannot be relaxed is left as it was docked, which is said' all exited 0 -- cmp stays.sdf left.sdf -- \
    said 'a pose without hydrogens' 'warning: ethanol'

# Of a set of complexes, too.
mkdir -p set/paracetamol
cp pocket.mol2 set/paracetamol/receptor.mol2
run dock --ligand one.smi --out set/paracetamol/crystal.mol2 --num_modes 1
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\nparacetamol\t9.9\t16.2\t8.8\n' >set/sites.tsv
for option in '' --relax; do
    # shellcheck disable=SC2086
    run "$BERTH" eval redock set --mode torsions --search fast --poses 48 --generations 2 --hops 1 --num_modes 3 --scoring vina \
        --out "relaxed$option" $option
    check "eval redock $option" exited 0
done
check 'which has other poses then' differ relaxed/redock.csv relaxed--relax/redock.csv
finish
