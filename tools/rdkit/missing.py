"""Side chains whose ends a crystal does not show, built: bond lengths and angles by RDKit, torsions as rotamers have them.

Of the rotamers (60, 180 and -60 degrees between tetrahedral atoms, every 30 where one end is flat) the one is taken that overlaps
least with everything else, the ligand and what was built before included, and has most contacts and hydrogen bonds; rare rotamers
pay for it.  Atoms that the file has stay where they are.  (Built anew from CB on, three of four residues of whole structures get
their first torsion back: bench/receptor/missing.py.)

The answer is one binary record: src/prep/receptor/missing.h has it.
"""
import functools
import itertools
import math
import struct

from network import STEMS, read_atoms

LETTERS = dict(ALA="A", ARG="R", ASN="N", ASP="D", CYS="C", GLN="Q", GLU="E", HIS="H", ILE="I", LEU="L", LYS="K", MET="M", PHE="F",
               PRO="P", SER="S", THR="T", TRP="W", TYR="Y", VAL="V")
BACKBONE = ("N", "CA", "C")
STAGGERED = (180, -60, 60)  # degrees
FLAT = range(-180, 180, 30)
APART, POLAR = 3.2, 2.7  # Å: heavy atoms nearer than this overlap; nitrogen and oxygen may be as near as that
CONTACT, BONDED = 4.5, 3.3  # Å: of any two; of nitrogen or oxygen by a hydrogen
# What a rotamer costs: an Å² of overlap, a contact, a hydrogen bond, and what is rare: of the first torsion, and of others.
OVERLAP, TOUCH, BOND = 30, -0.5, -3
FIRST, FURTHER = {-60: 0, 180: 2.5, 60: 10}, {180: 0, -60: 3.5, 60: 3.5}


class Template:
    """A residue as RDKit builds it: names, places, and how each atom of the side chain is placed from three others."""

    def __init__(self, name):
        from rdkit import Chem
        from rdkit.Chem import AllChem

        molecule = Chem.AddHs(Chem.MolFromSequence(LETTERS[name]))
        if AllChem.EmbedMolecule(molecule, randomSeed=1) or AllChem.MMFFOptimizeMolecule(molecule) < 0:
            raise RuntimeError(f"no geometry of {name}")
        atoms = [atom for atom in molecule.GetAtoms() if atom.GetAtomicNum() > 1]
        self.names = [atom.GetPDBResidueInfo().GetName().strip() for atom in atoms]
        place = molecule.GetConformer().GetAtomPosition
        self.places = {name: tuple(place(index)) for index, name in enumerate(self.names)}
        self.elements = {name: atom.GetAtomicNum() for name, atom in zip(self.names, atoms)}
        neighbours = {self.names[atom.GetIdx()]: [self.names[other.GetIdx()] for other in atom.GetNeighbors() if other.GetAtomicNum() > 1]
                      for atom in atoms}
        self.frames, done = {}, list(BACKBONE)
        for name in done:  # grows while it is gone through
            for other in neighbours[name]:
                if other in done or name in ("N", "C"):
                    continue
                before = next(known for known in neighbours[name] if known in done)
                last = next(known for known in neighbours[before] if known in done and known != name) if before != "N" else "C"
                self.frames[other] = (name, before, "C" if (name, before) == ("CA", "N") else last)
                done.append(other)
        self.turns = self._rotamers(molecule, atoms)

    def _rotamers(self, molecule, atoms):
        """Bonds of the side chain that turn, with the torsions that they may have, by the first atom behind each."""
        single = {}
        for other, (name, before, _) in self.frames.items():
            bond = molecule.GetBondBetweenAtoms(self.names.index(name), self.names.index(before))
            if name == "CA" or bond.IsInRing() or (before, name) in {turn[:2] for turn in single.values()}:
                continue
            ends = [str(atoms[self.names.index(end)].GetHybridization()) for end in (name, before)]
            if ends == ["SP2", "SP2"]:
                continue  # of guanidinium: as it stands
            single[other] = (before, name, STAGGERED if ends == ["SP3", "SP3"] else FLAT)
        return single


@functools.lru_cache(maxsize=None)
def template_of(name):
    return Template(name)


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(a):
    length = math.sqrt(dot(a, a)) or 1.0
    return tuple(x / length for x in a)


def torsion(a, b, c, d):
    """Degrees."""
    first, axis, last = minus(b, a), minus(c, b), minus(d, c)
    one, other = cross(first, axis), cross(axis, last)
    return math.degrees(math.atan2(dot(cross(one, other), unit(axis)), dot(one, other)))


def place(frame, length, angle, turned):
    """Where an atom stands at a distance (Å) of the first of frame, at an angle (rad) with the second, at a torsion (degrees)
    with the third."""
    near, middle, far = frame
    axis = unit(minus(near, middle))
    normal = unit(cross(minus(middle, far), axis))
    side = cross(normal, axis)
    along, out, turned = -length * math.cos(angle), length * math.sin(angle), math.radians(turned)
    return tuple(n + along * a + out * (math.cos(turned) * s + math.sin(turned) * z) for n, a, s, z in zip(near, axis, side, normal))


def build(template, known, chosen):
    """Places of the atoms that are missing; chosen: torsions, by the first atom behind each bond that turns."""
    places, ideal = dict(known), template.places
    turned_by = {template.turns[other][:2]: turned - torsion(*(ideal[name] for name in (*reversed(template.frames[other]), other)))
                 for other, turned in chosen.items()}
    for name, (near, middle, far) in template.frames.items():
        if name in places:
            continue
        corner = [ideal[at] for at in (near, middle, far)]
        bond, back = minus(ideal[name], corner[0]), minus(corner[1], corner[0])
        angle = math.acos(dot(unit(bond), unit(back)))
        own = torsion(corner[2], corner[1], corner[0], ideal[name]) + turned_by.get((middle, near), 0)
        places[name] = place([places[at] for at in (near, middle, far)], math.sqrt(dot(bond, bond)), angle, own)
    return {name: at for name, at in places.items() if name not in known}


class Surroundings:
    """Heavy atoms by cells of CONTACT Å."""

    def __init__(self, atoms):
        self.cells = {}
        for atom in atoms:
            self.add(atom.residue, atom.element, atom.place)

    def add(self, residue, element, at):
        self.cells.setdefault(tuple(int(x // CONTACT) for x in at), []).append((residue, element in ("N", "O"), at))

    def near(self, at):
        middle = [int(x // CONTACT) for x in at]
        for shift in itertools.product((-1, 0, 1), repeat=3):
            yield from self.cells.get(tuple(m + s for m, s in zip(middle, shift)), ())

    def judge(self, residue, built, polar):
        """What it costs that atoms of a residue stand there, and the least distance, Å."""
        cost, least = 0.0, math.inf
        for name, at in built.items():
            for other, theirs, there in self.near(at):
                distance = math.dist(at, there)
                if other == residue or distance > CONTACT:
                    continue
                both = polar[name] and theirs
                overlap = max(0.0, (POLAR if both else APART) - distance)
                cost += OVERLAP * overlap * overlap + TOUCH + (BOND if both and distance < BONDED and not overlap else 0)
                least = min(least, distance)
        return cost, least


def rarity(name, turn, turned):
    """Hydroxyls of Ser and Thr have no rotamer that is rare."""
    before, at, torsions = turn
    if torsions is not STAGGERED or name in ("SER", "THR"):
        return 0
    return (FIRST if (before, at) == ("CA", "CB") else FURTHER)[turned]


def complete(residue, atoms, surroundings):
    """The atoms that a residue lacks: names, elements, places, and the least distance to others; empty where it is whole."""
    name = STEMS.get(atoms[0].name, atoms[0].name)
    known = {atom.atom: atom.place for atom in atoms}
    if name not in LETTERS or not all(atom in known for atom in BACKBONE):
        return [], math.inf
    template = template_of(name)
    lacking = [atom for atom in template.frames if atom not in known and atom not in ("O", "OXT")]
    if not lacking:
        return [], math.inf
    kept = {atom: at for atom, at in known.items() if atom in template.places}
    turns = {other: turn[2] for other, turn in template.turns.items()
             if other in lacking and not any(frame[:2] == (turn[1], turn[0]) and name in kept for name, frame in template.frames.items())}
    polar = {atom: template.elements[atom] in (7, 8) for atom in lacking}
    best = None
    for torsions in itertools.product(*turns.values()):
        built = {atom: at for atom, at in build(template, kept, dict(zip(turns, torsions))).items() if atom in lacking}
        cost, least = surroundings.judge(residue, built, polar)
        cost += sum(rarity(name, template.turns[other], turned) for other, turned in zip(turns, torsions))
        if best is None or cost < best[0] - 1e-6:
            best = cost, least, built
    return [(atom, template.elements[atom], best[2][atom]) for atom in lacking], best[1]


def run(options, receptor, ligand):
    """Atoms as network.run has them."""
    atoms = [atom for atom in read_atoms(receptor) if atom.element not in ("H", "D")]
    surroundings = Surroundings(atoms + [atom for atom in read_atoms(ligand) if atom.element not in ("H", "D")])
    rows = []
    for residue, group in itertools.groupby(atoms, key=lambda atom: atom.residue):
        built, least = complete(residue, list(group), surroundings)
        for atom, number, at in built:
            surroundings.add(residue, {7: "N", 8: "O"}.get(number, "C"), at)
        if built:
            rows.append(struct.pack("<IdB", residue, least, len(built)) +
                        b"".join(atom.encode() + b"\0" + struct.pack("<B3d", number, *at) for atom, number, at in built))
    return [struct.pack("<I", len(rows)) + b"".join(rows)]
