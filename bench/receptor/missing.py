"""How well side chains are built: bench/receptor/missing.py FILE.pdb ...   (a Python with RDKit)

Takes from each whole structure the side chains of every tenth residue beyond CB, all at once, builds them by tools/rdkit/missing.py,
and prints how many have their first torsion within 40 degrees, and the median RMSD (Å) of what was built.
"""
import itertools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools/rdkit"))
import missing
from network import Atom

KEPT = ("N", "CA", "C", "O", "CB")
SAME = dict(PHE="CD1 CD2 CE1 CE2", TYR="CD1 CD2 CE1 CE2", ASP="OD1 OD2", GLU="OE1 OE2", LEU="CD1 CD2", VAL="CG1 CG2", ARG="NH1 NH2")


def read(path):
    """Heavy atoms of the first alternates, without water, as the worker gets them."""
    index, last = -1, None
    for line in pathlib.Path(path).read_text().splitlines():
        element = line[76:78].strip()
        if line.startswith("ENDMDL"):
            return
        if line.startswith(("ATOM", "HETATM")) and line[16] in " A" and element not in ("H", "D") and line[17:20] != "HOH":
            index, last = index + (line[17:27] != last), line[17:27]
            yield Atom(index, line[17:20].strip(), line[21], int(line[22:26]), line[12:16].strip(), element,
                       tuple(float(line[at:at + 8]) for at in (30, 38, 46)))


def rmsd(true, built, names):
    return math.sqrt(sum(math.dist(true[names.get(name, name)], at) ** 2 for name, at in built.items()) / len(built))


def measure(path):
    atoms = list(read(path))
    residues = [list(group) for _, group in itertools.groupby(atoms, key=lambda atom: atom.residue)]
    whole = [group for group in residues if group[0].name in missing.LETTERS and group[0].name not in ("GLY", "ALA", "PRO") and
             {*missing.template_of(group[0].name).frames, *KEPT} - {"OXT"} <= {atom.atom for atom in group}]
    taken = {group[0].residue: group for group in whole[::10]}
    left = [atom for atom in atoms if atom.residue not in taken or atom.atom in KEPT]
    surroundings = missing.Surroundings(left)
    right, deviations = 0, []
    for index, group in taken.items():
        built = {name: at for name, _, at in missing.complete(index, [atom for atom in group if atom.atom in KEPT], surroundings)[0]}
        true = {atom.atom: atom.place for atom in group}
        first = next(name for name in ("CG", "CG1", "OG", "OG1", "SG") if name in true)
        turned = missing.torsion(*(true[name] for name in ("N", "CA", "CB")), true[first])
        right += abs((turned - missing.torsion(*(true[name] for name in ("N", "CA", "CB")), built[first]) + 180) % 360 - 180) < 40
        pairs = SAME.get(group[0].name, "").split()
        swapped = dict(sum(([(a, b), (b, a)] for a, b in zip(pairs[::2], pairs[1::2])), []))
        deviations.append(min(rmsd(true, built, {}), rmsd(true, built, swapped)))
        for name, at in built.items():
            surroundings.add(index, name[0], at)
    print(f"{pathlib.Path(path).stem}: {right} of {len(taken)} first torsions, median {sorted(deviations)[len(deviations) // 2]:.2f} Å", flush=True)
    return right, len(taken)


counts = [measure(path) for path in sys.argv[1:]]
print(f"all: {sum(right for right, _ in counts)} of {sum(count for _, count in counts)}")
