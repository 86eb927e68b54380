#!/bin/sh
# Side chains of the receptor that move with the ligand.
. tests/cli/lib.sh

chained demo/1hpv_receptor.mol2 >receptor.pdb
run "$BERTH" prep receptor receptor.pdb --out receptor.brec
check 'a receptor with chains' exited 0

# dock OUT OPTIONS...: the demo's ligand, searched quickly.
# shellcheck disable=SC2086
known='--reference demo/1hpv_ligand.mol2'
dock() {
    dock_out=$1
    shift
    "$BERTH" dock --receptor "${receptor:-receptor.brec}" --ligand "${ligand:-demo/1hpv_ligand_turned.mol2}" \
        --autobox_ligand demo/1hpv_ligand.mol2 $known \
        --scoring "${scoring:-vina}" --poses 48 --generations 3 --refine 12 --hops 1 --out "$dock_out.sdf" --scores "$dock_out.csv" --verbose "$@"
}

run dock stiff
check 'a docking to a receptor that stands has no column of what moving it costs' all exited 0 -- \
    sh -c '! grep -q receptor_strain stiff.csv && ! test -e stiff.side_chains.pdb'
run dock far --flexible_residues A:25,B:61
check 'of a residue away from the box a warning comes' all exited 0 -- holds stderr 'B:61 lies 13'
rm far.csv
run dock far --autobox_add 1 --flexible_residues A:25,B:41
check 'one that is far from it is refused' all exited 1 -- holds stderr 'B:41 lies' -- absent far.csv
run dock one --flexible_residues A:25,B:82,ILE:A:84
check 'side chains move, and the score is said to have what that costs' all exited 0 -- said receptor_strain 'receptor_strain, '
check 'and how' all said 'the score' 'divided by' -- python3 - <<'END'
import csv
rows = [{name: float(row[name]) for name in ("score", "energy", "strain", "receptor_strain")}
        for row in csv.DictReader(open("one.csv"))]
total = lambda row, strain: (row["energy"] + row["strain"] - strain) / (1 + 0.05846 * 13) + row["receptor_strain"]
lowest = min(rows, key=lambda row: total(row, 0))
assert all(abs(total(row, lowest["strain"]) - row["score"]) < 2e-3 for row in rows), (rows, lowest)
END
check 'as many as were named' said 'side chains that move' 'ASP A:25 2'
run "$BERTH" eval poses --receptor receptor.brec --poses one.sdf --conformers 0 --out checks.csv
check 'that their clashes are not checked is said' said 'side chains in eval poses' ASP:A:25
check 'and have torsions that moved' python3 - <<'END'
import csv
rows = list(csv.DictReader(open("one.csv")))
models = open("one.side_chains.pdb").read().split("ENDMDL\n")
assert models[-1] == "END\n" and len(models) - 1 == len(rows) > 3
where = {(line[12:16].strip(), line[17:26]): line[30:54] for line in open("receptor.pdb")}
for model in models[:-1]:
    atoms = {(line[12:16].strip(), line[17:26]): line[30:54]
             for line in model.splitlines() if line.startswith("ATOM")}
    assert len(atoms) == 8 + 8 + 7 and set(atoms) <= set(where)
    moved = {name for name in atoms if atoms[name] != where[name]}
    assert moved == {("CG", "ASP A  25"), ("OD1", "ASP A  25"), ("OD2", "ASP A  25"),
                     ("CG1", "VAL B  82"), ("CG2", "VAL B  82"), ("CG1", "ILE A  84"),
                     ("CG2", "ILE A  84"), ("CD1", "ILE A  84")}, moved
    said = {line.split()[2]: float(line.split()[4]) for line in model.splitlines() if " MOVED " in line}
    assert set(said) == {"ASP:A:25", "VAL:B:82", "ILE:A:84"}
    place = lambda text: [float(text[k:k + 8]) for k in (0, 8, 16)]
    for residue, distance in said.items():
        name, chain, number = residue.split(":")
        squares = [sum((a - b) ** 2 for a, b in zip(place(atoms[atom]), place(where[atom])))
                   for atom in moved if atom[1] == f"{name} {chain}{int(number):4d}"]
        assert abs((sum(squares) / len(squares)) ** 0.5 - distance) < 0.01, (residue, distance)
for row in rows:
    assert abs(float(row["receptor_strain"])) > 1e-4 and float(row["clash"]) < 3
END
run dock again --flexible_residues A:25,B:82,ILE:A:84 --db again.db
check 'the same seed gives the same poses and side chains' sh -c \
    'cmp one.sdf again.sdf && cmp one.csv again.csv && cmp one.side_chains.pdb again.side_chains.pdb'
cat demo/1hpv_ligand.mol2 demo/1hpv_ligand_turned.mol2 | sed 's/^amprenavir/&_x/' >two.mol2
ligand=two.mol2
run dock apart --flexible_residues A:25 --separate --batch 1
run dock beside --flexible_residues A:25 --separate --batch 2
ligand=
check 'in batches of any size' sh -c \
    'cmp apart.csv beside.csv && cmp apart.side_chains.pdb beside.side_chains.pdb'

# The receptor as the best pose has it.
python3 - <<'END'
model = open("one.side_chains.pdb").read().split("ENDMDL\n")[0]
moved = {(line[12:16].strip(), line[17:26]): line[30:54]
         for line in model.splitlines() if line.startswith("ATOM")}
with open("moved.pdb", "w") as file:
    for line in open("receptor.pdb"):
        file.write(line[:30] + moved.get((line[12:16].strip(), line[17:26]), line[30:54]) + line[54:])
with open("best.sdf", "w") as file:
    file.write(open("one.sdf").read().split("$$$$\n")[0] + "$$$$\n")
END
run "$BERTH" score --receptor receptor.brec --ligand one.sdf --out standing.csv
check 'score says that it has not the side chains of the poses' all exited 0 -- said 'side chains in score' ASP:A:25
run "$BERTH" score --receptor moved.pdb --ligand best.sdf --out best.csv
check 'nor where there is none' lacks stderr ASP:A:25
check 'the energy is that of the pose in the receptor with its side chains' python3 - <<'END'
import csv
pose, score = next(csv.DictReader(open("one.csv"))), next(csv.DictReader(open("best.csv")))
for name in ["energy", "gauss1", "gauss2", "repulsion", "hydrophobic", "hydrogen_bond"]:
    found, wanted = float(pose[name]), float(score[name]) # places in PDB are rounded to 0.001 A
    assert abs(found - wanted) < 0.03 + 2e-3 * abs(wanted), (name, found, wanted)
assert abs(float(pose["clash"]) - float(score["clash"])) < 0.005
END
"$BERTH" interactions --receptor receptor.brec --poses again.sdf --out again.interactions.csv 2>err
check 'a database has the interactions with them where each pose has them' python3 - <<'END'
import csv, sqlite3
query = "SELECT mode, kind, residue, chain, number, receptor_atoms, ligand_atoms, round(distance, 3) FROM interaction WHERE kind <> 'contact'"
stored = {(*map(str, row[:-1]), f"{row[-1]:.3f}") for row in sqlite3.connect("again.db").execute(query)}
names = ("mode", "kind", "residue", "chain", "number", "receptor_atoms", "ligand_atoms", "distance")
table = {tuple(row[name] for name in names) for row in csv.DictReader(open("again.interactions.csv")) if row["kind"] != "contact"}
assert len(table) > 20 and stored == table, sorted(stored ^ table)[:8]
END
slice docking 'interactions, ensembles, faults'
# interactions OUT RECEPTOR POSES
interactions() {
    "$BERTH" interactions --receptor "$2" --poses "$3" --out "$1" --kinds hydrogen_bond,hydrophobic,contact
}
python3 - <<'END'
import re
text = open("best.sdf").read()
bare = re.sub(r">  <side_chains>\n.*\n\n", "", text)
assert bare != text
open("bare.sdf", "w").write(bare)
open("wrong.sdf", "w").write(re.sub(r"ASP:A:25", "ASP:C:25", text))
END
run interactions moved.csv receptor.pdb best.sdf
check 'interactions of a pose' exited 0
run interactions same.csv moved.pdb bare.sdf
check 'are those with its own side chains' cmp moved.csv same.csv
run interactions given.csv receptor.pdb bare.sdf
check 'and not with the given ones' sh -c '! cmp -s moved.csv given.csv'
run interactions wrong.csv receptor.pdb wrong.sdf
check 'side chains of another receptor are told' all exited 1 -- holds stderr ASP:C:25
run "$BERTH" interactions --receptor receptor.pdb --poses one.sdf --out view.csv --view pymol
check 'a viewer opens them' grep -q 'one.side_chains.pdb", "read_side_chains")' view.pml
scoring=vina,bude
run dock near --flexible_within 4 --flexible_most 2 --pool vina,bude
scoring=
check 'those near the reference, by functions that judge and search: the nearest, and the others by name' all exited 0 -- \
    said 'the nearest side chains' flexible_most
check 'have the sum as energy of either function' python3 - <<'END'
import csv
for row in csv.DictReader(open("near.csv")):
    terms = ["gauss1", "gauss2", "repulsion", "hydrophobic", "hydrogen_bond"]
    assert abs(sum(float(row[name]) for name in terms) - float(row["vina"])) < 1e-3
END

run dock whole --flexible_residues A:25,B:82,ILE:A:84 --full_flex_output
check 'the whole receptor has the same side chains, and all else where the file has it' all exited 0 -- same one.sdf whole.sdf -- \
    python3 - <<'END'
def models(path):
    return [{(line[12:16], line[17:27]): line[30:54] for line in model.splitlines() if line.startswith("ATOM")}
            for model in open(path).read().split("ENDMDL\n")[:-1]]
given = {(line[12:16], line[17:27]): line[30:54] for line in open("receptor.pdb") if line[:4] == "ATOM" and line[76:78] != " H"}
part, whole = models("one.side_chains.pdb"), models("whole.side_chains.pdb")
assert len(part) == len(whole) > 3
for moved, model in zip(part, whole):
    assert list(model) == list(given), set(model) ^ set(given)
    assert {**given, **moved} == model
END
refused 'the whole receptor where nothing moves' dock out/x --full_flex_output
refused 'a residue without a side chain that turns' dock out/x --flexible_residues A:27
refused_too 'nor does a proline' 'PRO A:1' dock out/x --flexible_residues A:1
refused 'a residue that is not there' dock out/x --flexible_residues A:100
refused 'more torsions than a pose has room for' dock out/x --flexible_within 12 --flexible_most 48
run dock crowded --flexible_residues ARG,ASP --autobox_add 16
check 'a ligand that does not fit beside side chains' said 'a ligand that does not fit beside side chains' '35 heavy atoms'
refused 'a rigid search' dock out/x --flexible_residues A:25 --search rigid_fast
refused_too 'a whole surface' 'site surface' dock out/x --flexible_residues A:25 --site surface
refused 'a model, which sees the receptor as given' dock out/x --flexible_residues A:25 --rescore none.model
receptor=demo/1hpv_receptor.mol2
refused 'a receptor without chains' dock out/x --flexible_residues A:25
receptor='' known=''
refused 'a distance needs something that it is from' dock out/x --flexible_within 4
slice posebusters 'gemmi opens the whole receptor, a model for each pose'
python=${BERTH_POSEBUSTERS:-$root/build-python/bin/python}
if ! "$python" -c 'import gemmi' 2>/dev/null; then
    skip 'gemmi opens the whole receptor' 'gemmi is not installed'
    finish
fi
run "$python" - <<'END'
import gemmi
whole = gemmi.read_structure("whole.side_chains.pdb")
given = gemmi.read_structure("receptor.pdb")
given.remove_hydrogens()
assert len(whole) == open("one.sdf").read().count("$$$$") > 3
names = lambda model: [(chain.name, str(residue.seqid), residue.name, atom.name) for chain in model for residue in chain for atom in residue]
assert all(names(model) == names(given[0]) for model in whole)
END
check 'gemmi opens the whole receptor, a model for each pose' exited 0
finish
