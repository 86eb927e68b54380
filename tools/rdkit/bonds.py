"""Bond orders of a molecule whose file has none (PDB, PDBQT, XYZ): out of its SMILES, or from where its atoms stand.

After P. Labute, On the perception of molecules from 3D atomic coordinates, J. Chem. Inf. Model. 45 (2005) 215: which atoms
are flat follows from their neighbours' directions and the lengths of their bonds, and flat atoms then share double bonds so
that every carbon has one (kekule.py); a nitrogen that stays without a double bond has a hydrogen (ring_hydrogens.py).
Hydrogens that the file has say who is flat.
"""
import re
import struct

from rdkit import Chem
from rdkit.Chem import rdchem
from rdkit.Geometry import Point3D

import reading
import vectors
from kekule import OPEN, Orders
from outcome import Failed
from ring_hydrogens import RingHydrogens

C, N, O, S, P = 6, 7, 8, 16, 15

# Degrees: an atom of two bonds is linear above; it has the angle of flat atoms above WIDE, which those of rings of five
# have not, but no flat one has less than NARROW.
LINEAR, WIDE, NARROW = 155.0, 115.0, 95.0
# Å from the plane of its three neighbours: 0 for sp2, 0.5 for sp3; a carbon that lies in it is flat, however long a poor
# model has its bonds.
FLAT, PLANE = 0.22, 0.12
RING = 7  # bonds of rings that double bonds run round

# How short a bond is, from 0 (single, between sp3 atoms) to 1 (double): aromatic bonds of carbon have some 0.7, single ones
# between flat carbons 0.4.  At least, of:
SHORT_ATOM = 0.45  # the shortest bond of a flat carbon of two bonds
SHORT_WIDE = 0.30  # the same in a ring, where the angle is wide
SHORT_FLAT = 0.20  # of any other atom that is taken for flat
SHORT_END = 0.70  # the bond of a flat carbon at an end
SHORT_OXO = 0.50  # C=O, C=S, N=O
SHORT_CHAIN = 0.52  # C=C and N=N outside of rings
SHORT_NITROGEN = 0.80  # C=N outside of rings: in amides and on aromatic rings 0.4 to 0.75

# Å, of single and double bonds (F. H. Allen et al., J. Chem. Soc. Perkin Trans. 2 (1987) S1).
LENGTHS = {(C, C): (1.53, 1.34), (C, N): (1.47, 1.28), (C, O): (1.43, 1.22), (C, S): (1.82, 1.62), (N, N): (1.42, 1.25),
           (N, O): (1.40, 1.22), (N, S): (1.70, 1.54)}

USUAL = {N: 3, O: 2, S: 2}  # bonds without a charge
# More bonds than any charge allows, of the elements whose bonds are perceived wrongly: five of nitrogen, as files draw
# nitro groups.
MOST = {9: 1, C: 4, N: 5, O: 3}

# Degrees: a linear atom is not bent by more.  Å from the plane of its three neighbours: a carbon without a double bond is
# not flatter than SHALLOW, one with one is no pyramid higher than PYRAMID.
BENT, SHALLOW, PYRAMID = 150.0, 0.12, 0.35
SHORTEST = {C: 1.42, N: 1.37, O: 1.30}  # Å: no single bond between sp3 atoms (they have 1.53, 1.47 and 1.43) is shorter

LONGEST, TO_HYDROGEN = 2.6, 1.6  # Å: no two atoms of a ligand that are bonded are further apart, no hydrogen from its own
INDEX = "REMARK SMILES IDX"  # of Meeko: pairs of an atom of the SMILES, from 1, and its serial number in the file
MATCHES = 1000  # ways to lay a symmetrical molecule that are tried for its stereo


class Graph:
    """Heavy atoms as the request has them (src/prep/bond_orders.c): elements, positions, which are bonded; of each how many
    hydrogens the file has there, whether it is aromatic to it, and whether it takes hydrogen bonds (PDBQT says so)."""

    ATOM = struct.Struct("<3dBBB")  # position (Å), element, aromatic, accepts
    BOND = struct.Struct("<HH")  # two atoms
    PLACE = struct.Struct("<3d")

    def __init__(self, structure):
        self.count, bonds, hydrogens = struct.unpack_from("<3I", structure)
        at, parts = 12, []
        for row, count in ((self.ATOM, self.count), (self.BOND, bonds), (self.PLACE, hydrogens)):
            parts.append(list(row.iter_unpack(structure[at:at + row.size * count])))
            at += row.size * count
        rows, bonds, hydrogens = parts
        self.positions = [row[:3] for row in rows]
        self.elements = [row[3] for row in rows]
        self.aromatic, self.accepts = [bool(row[4]) for row in rows], [bool(row[5]) for row in rows]
        self.hydrogens, self.parents = [0] * self.count, []
        for place in hydrogens:
            parent = min(range(self.count), key=lambda atom: vectors.distance(self.positions[atom], place))
            if vectors.distance(self.positions[parent], place) < TO_HYDROGEN:
                self.hydrogens[parent] += 1
                self.parents.append((parent, place))
        self.polar = bool(self.parents)  # those of N, O and S are there
        self.full = any(count and element == C for count, element in zip(self.hydrogens, self.elements))
        self.names = structure[at:].decode("utf-8", "replace").split("\0")
        self.ends, self.neighbours = [], [[] for _ in rows]
        for first, second in bonds:
            self.neighbours[first].append((second, len(self.ends)))
            self.neighbours[second].append((first, len(self.ends)))
            self.ends.append((first, second))
        self.orders = [1] * len(self.ends)
        self.charges = [0] * self.count

    def degree(self, atom):
        return len(self.neighbours[atom])

    def valence(self, atom):
        """By bonds between heavy atoms."""
        return sum(self.orders[bond] for _, bond in self.neighbours[atom])

    def is_saturated(self, atom):
        return all(self.orders[bond] == 1 for _, bond in self.neighbours[atom])

    def name(self, atom):
        return f"atom {atom + 1} ({self.names[atom]})"

    def shortness(self, a, b):
        first, second = sorted((self.elements[a], self.elements[b]))
        if (first, second) not in LENGTHS:
            return 0.0
        single, double = LENGTHS[first, second]
        return (single - vectors.distance(self.positions[a], self.positions[b])) / (single - double)

    def shortest_bond(self, atom):
        return max([0.0, *(self.shortness(atom, other) for other, _ in self.neighbours[atom])])

    def angle(self, atom):
        """Degrees between the two bonds of an atom."""
        (first, _), (second, _) = self.neighbours[atom][:2]
        return vectors.angle_at(self.positions[first], self.positions[atom], self.positions[second])

    def height(self, atom):
        """Å between an atom and the plane of its three neighbours."""
        return vectors.height(self.positions[atom], [self.positions[other] for other, _ in self.neighbours[atom][:3]])

    def in_ring(self, a, b):
        """Whether a ring of at most RING atoms has this bond."""
        reached, edge = {a}, [a]
        for steps in range(RING - 1):
            edge = [other for at in edge for other, _ in self.neighbours[at]
                    if other not in reached and not (at == a and other == b)]
            if b in edge:
                return True
            reached.update(edge)
        return False

    def molecule(self):
        """RDKit's, heavy atoms with their charges and orders, where they stand."""
        mol = Chem.RWMol()
        for element, charge in zip(self.elements, self.charges):
            atom = Chem.Atom(element)
            atom.SetFormalCharge(charge)
            mol.AddAtom(atom)
        for (first, second), order in zip(self.ends, self.orders):
            mol.AddBond(first, second, rdchem.BondType.values[order])
        return _placed(mol, self.positions)


def _placed(mol, positions):
    conformer = Chem.Conformer(len(positions))
    for at, (x, y, z) in enumerate(positions):
        conformer.SetAtomPosition(at, Point3D(x, y, z))
    mol.RemoveAllConformers()
    mol.AddConformer(conformer, assignId=True)
    return mol


class Perception:
    """Of the graph's orders and charges."""

    def __init__(self, graph):
        self.graph = graph
        self.strict = graph.polar  # nitrogens of two bonds without a hydrogen have a double one
        self.cations = False  # nitrogens of three bonds may have a double one
        self.linear = [self._is_linear(atom) for atom in range(graph.count)]
        self.flat = [not self.linear[atom] and self._is_flat(atom) for atom in range(graph.count)]
        for a, b in graph.ends:
            if self.flat[a] and self.flat[b] and self._are_of_piperazine(a, b):
                self.flat[a] = self.flat[b] = False

    def _bonds(self, atom):
        """All of an atom, as far as they are known."""
        return self.graph.degree(atom) + self.graph.hydrogens[atom]

    def _is_linear(self, atom):
        graph = self.graph
        return (graph.elements[atom] in (C, N) and graph.degree(atom) == 2 and graph.angle(atom) > LINEAR
                and not graph.hydrogens[atom])

    def _is_flat(self, atom):
        graph = self.graph
        element, degree = graph.elements[atom], graph.degree(atom)
        if element not in (C, N):
            return degree == 1 and element in (O, S) and not graph.hydrogens[atom]
        if (graph.full and element == C) or self._bonds(atom) > 3:
            return self._bonds(atom) == 3
        if graph.aromatic[atom] or self._is_bare_nitrogen(atom):
            return True
        if degree == 1:
            return element == N or graph.shortest_bond(atom) > SHORT_END
        if degree == 2:
            return self._is_flat_middle(atom)
        return degree == 3 and ((element == C and graph.height(atom) < PLANE) or
                                (graph.height(atom) < FLAT and graph.shortest_bond(atom) > SHORT_FLAT))

    def _is_bare_nitrogen(self, atom):
        """Of two bonds, where the file has nitrogens' hydrogens, and not there: it has a double bond, or is an anion."""
        graph = self.graph
        return graph.polar and graph.elements[atom] == N and graph.degree(atom) == 2 and not graph.hydrogens[atom]

    def _is_flat_middle(self, atom):
        """A carbon or nitrogen of two bonds."""
        graph = self.graph
        angle, short = graph.angle(atom), graph.shortest_bond(atom)
        if graph.elements[atom] == N:
            return angle > NARROW and short > SHORT_FLAT
        if graph.in_ring(atom, graph.neighbours[atom][0][0]):
            return (angle > WIDE and short > SHORT_WIDE) or (angle > NARROW and short > SHORT_ATOM)
        return angle > WIDE and short > SHORT_ATOM

    def _is_full_nitrogen(self, atom):
        """Has three bonds."""
        graph = self.graph
        return graph.elements[atom] == N and self._bonds(atom) >= 3

    def _other(self, atom, than):
        (first, _), (second, _) = self.graph.neighbours[atom]
        return second if first == than else first

    def _is_middle_carbon(self, atom):
        return self.graph.degree(atom) == 2 and self.graph.elements[atom] == C

    def _are_of_piperazine(self, a, b):
        """Two flat carbons of a ring N-CH=CH-N-CH2-CH2: a piperazine that a poor model has half flat, as no ligand to speak
        of has that ring."""
        if not (self._is_middle_carbon(a) and self._is_middle_carbon(b)):
            return False
        first, second = self._other(a, b), self._other(b, a)
        if not (self._is_full_nitrogen(first) and self._is_full_nitrogen(second)):
            return False
        return any(c != a and not self.flat[c] and self._is_middle_carbon(c) and
                   d not in (b, c) and not self.flat[d] and self._is_middle_carbon(d) and self._other(c, first) == d
                   for c, _ in self.graph.neighbours[first] for d, _ in self.graph.neighbours[second])

    def _opens_end(self, end, center):
        """Whether the bond of an oxygen or sulfur at an end may be double."""
        graph = self.graph
        if graph.elements[center] in (C, N):  # acids: either of the two, which the file may have as equals
            ends = sum(graph.degree(other) == 1 and graph.elements[other] in (O, S)
                       for other, _ in graph.neighbours[center])
            return self.flat[end] and self.flat[center] and (
                ends > 1 or graph.full or graph.shortness(end, center) > SHORT_OXO)
        near = [graph.elements[other] for other, _ in graph.neighbours[center]]
        sulfenic = graph.elements[center] == S and sorted(near) == [C, O]  # C-S-OH: cysteine, oxidised once
        return graph.elements[end] == O and graph.elements[center] in (S, P) and not graph.hydrogens[end] and not sulfenic

    def _opens(self, a, b):
        """Whether the bond may be double."""
        graph = self.graph
        for end, center in ((a, b), (b, a)):
            if graph.degree(end) == 1 and graph.elements[end] in (O, S):
                return self._opens_end(end, center)
        if not self.flat[a] or not self.flat[b] or (
                not self.cations and (self._is_full_nitrogen(a) or self._is_full_nitrogen(b))):
            return False
        if graph.full or (graph.aromatic[a] and graph.aromatic[b]) or self._is_bare_nitrogen(a) or self._is_bare_nitrogen(b):
            return True
        short = graph.shortness(a, b)
        if graph.in_ring(a, b):
            return short > 0
        return short > (SHORT_NITROGEN if {graph.elements[a], graph.elements[b]} == {C, N} else SHORT_CHAIN)

    def _settle_linear(self, orders):
        """Triple bonds, and double ones in a row, of linear carbons and azides; False for what else is linear."""
        graph = self.graph
        for atom in range(graph.count):
            if not self.linear[atom]:
                continue
            (a, first), (b, second) = graph.neighbours[atom]
            ends = (graph.elements[a], graph.elements[b])
            if graph.elements[atom] != C and ends != (N, N):
                return False
            if C not in ends:
                orders[first] = orders[second] = 2
            else:
                orders[first if graph.shortness(atom, a) > graph.shortness(atom, b) else second] = 3
        return True

    def _open_starved(self, orders):
        """A flat carbon with nothing else to share a double bond with has it with the nitrogen that is nearest: amidines,
        guanidines."""
        graph = self.graph
        for atom in range(graph.count):
            if self.flat[atom] and graph.elements[atom] == C and not any(
                    orders[bond] == OPEN for _, bond in graph.neighbours[atom]):
                best, most = None, 0.0
                for other, bond in graph.neighbours[atom]:
                    short = graph.shortness(atom, other) - 0.2 * (graph.degree(other) == 3)
                    if graph.elements[other] == N and short > most:
                        best, most = bond, short
                if best is not None:
                    orders[best] = OPEN

    def _open_bonds(self):
        """The orders with those that may be 2 open; None where an atom is linear that cannot be."""
        orders = [1] * len(self.graph.ends)
        if not self._settle_linear(orders):
            return None
        for bond, (a, b) in enumerate(self.graph.ends):
            if orders[bond] == 1 and self._opens(a, b):
                orders[bond] = OPEN
        self._open_starved(orders)
        return orders

    def _give_up_one(self, found):
        """Where orders are not decided, some carbon is not flat, or an oxygen at one has a hydrogen: that whose bonds are
        longest is.  False where there is none."""
        graph = self.graph
        worst, least = None, float("inf")
        for atom in range(graph.count):
            undecided = found.open_at(atom) or (
                graph.degree(atom) == 1 and found.open_at(graph.neighbours[atom][0][0]))
            if undecided and self.flat[atom] and graph.elements[atom] != N and graph.shortest_bond(atom) < least:
                worst, least = atom, graph.shortest_bond(atom)
        if worst is not None:
            self.flat[worst] = False
        return worst is not None

    def run(self):
        """Sets the graph's orders and charges; False, and single bonds, where no structure is to be had."""
        graph = self.graph
        while True:
            orders = self._open_bonds()
            if orders is None:
                return False
            found = Orders(graph, orders, {atom for atom in range(graph.count) if self.strict and self._is_bare_nitrogen(atom)})
            if found.is_decided():
                break
            if self.strict and self.cations:
                self.strict = self.cations = False
            elif self.cations and not self._give_up_one(found):
                return False
            else:
                self.cations = True
        graph.orders = orders
        graph.charges = [found.charge(atom) for atom in range(graph.count)]
        RingHydrogens(graph).add(graph.hydrogens if graph.polar else None)
        self._charge()
        return True

    def _charge(self):
        """Charges that the file's hydrogens tell: where all are there, of what has one more than its bonds leave room for,
        or one less beside a double bond; in PDBQT, of acids' oxygens without one."""
        graph = self.graph
        for atom in range(graph.count):
            excess = graph.valence(atom) + graph.hydrogens[atom] - USUAL.get(graph.elements[atom], 0)
            if graph.full and graph.elements[atom] in USUAL and not graph.charges[atom]:
                beside = any(2 in (graph.orders[bond] for _, bond in graph.neighbours[other])
                             for other, _ in graph.neighbours[atom])
                if (excess == 1 and graph.elements[atom] != S) or (excess == -1 and beside):
                    graph.charges[atom] = excess
            elif self._is_bare_nitrogen(atom) and graph.valence(atom) == 2 and self._is_acidic(atom):
                graph.charges[atom] = -1
            elif graph.accepts[atom] and graph.elements[atom] == O and not graph.hydrogens[atom]:
                graph.charges[atom] = -self._is_acid(atom) or graph.charges[atom]

    def _is_acidic(self, atom):
        """A nitrogen of a sulfonamide or tetrazole, which PDBQT may have without its hydrogen."""
        graph = self.graph
        near = {other for other, _ in graph.neighbours[atom]}
        further = {other for at in near for other, bond in graph.neighbours[at] if graph.elements[other] == N}
        return any(graph.elements[at] == S and self._has_oxo(at) for at in near) or (
            len({at for at in near | further | {atom} if graph.elements[at] == N}) == 4 and all(
                graph.in_ring(atom, at) for at in near))

    def _has_oxo(self, atom):
        graph = self.graph
        return any(graph.orders[bond] == 2 and graph.elements[other] == O for other, bond in graph.neighbours[atom])

    def _is_acid(self, atom):
        """An atom with a single bond alone, to one that has a double bond to an oxygen."""
        graph = self.graph
        if graph.degree(atom) != 1 or graph.orders[graph.neighbours[atom][0][1]] != 1:
            return False
        return self._has_oxo(graph.neighbours[atom][0][0])


# --- What cannot be true ---

def _wrong_valence(graph, atom):
    element, bonds = graph.elements[atom], graph.valence(atom) + graph.hydrogens[atom]
    if bonds > MOST.get(element, bonds):
        return f"{graph.name(atom)} has bonds of order {bonds} in all"
    lacks = graph.full and (element == C and bonds < 4 + min(graph.charges[atom], 0)
                            or element in USUAL and bonds < USUAL[element] + graph.charges[atom])
    return f"{graph.name(atom)} lacks a hydrogen, or a double bond" if lacks else ""


def _wrong_shape(graph, atom):
    """Nothing of what the file calls aromatic: its model may be poor."""
    if graph.aromatic[atom]:
        return ""
    orders = [graph.orders[bond] for _, bond in graph.neighbours[atom]]
    if len(orders) == 2 and (3 in orders or orders.count(2) > 1) and graph.angle(atom) < BENT:
        return (f"{graph.name(atom)} is linear by its bonds, and bent ({graph.angle(atom):.0f} degrees) in the file")
    if len(orders) == 3 and graph.elements[atom] == C:
        saturated, above = graph.is_saturated(atom), graph.height(atom)
        if saturated and above < SHALLOW:
            return f"{graph.name(atom)} is tetrahedral by its bonds, and flat in the file"
        if not saturated and above > PYRAMID:
            return f"{graph.name(atom)} is flat by its bonds, and a pyramid in the file"
    return ""


def _wrong_length(graph, a, b):
    """Nitrogen and oxygen conjugate with what is next to them: only sp3 carbons tell."""
    if graph.elements[a] != C or not graph.is_saturated(a) or not graph.is_saturated(b):
        return ""
    length = vectors.distance(graph.positions[a], graph.positions[b])
    if length < SHORTEST.get(graph.elements[b], 0):
        return f"the single bond of {graph.name(a).replace('atom', 'atoms', 1)} and {graph.name(b)[5:]} is {length:.2f} Å long"
    return ""


def _wrong_hydrogens(graph, molecule, atom):
    """A nitrogen that has more hydrogens in the file may just be protonated; one that has fewer cannot be what was
    perceived, nor an oxygen whose hydrogen is lost, and no aromatic carbon is sp3."""
    if graph.aromatic[atom] and graph.is_saturated(atom):
        return f"{graph.name(atom)} is aromatic in the file, sp3 by its bonds"
    there, here = graph.hydrogens[atom], molecule.GetAtomWithIdx(atom).GetTotalNumHs()
    if (graph.elements[atom] == N and here > there) or (graph.elements[atom] == O and there > here):
        return f"{graph.name(atom)} has {there} hydrogens in the file, {here} by its bonds"
    return ""


def contradiction(graph):
    """The first thing that cannot be true of the bonds ("": nothing): too many on an atom, or too few where the file has all
    hydrogens; a linear atom that is bent, a flat one that is a pyramid, a tetrahedral one that is flat; a single bond as
    short as an aromatic one; hydrogens that the file has and these bonds do not."""
    atoms, says = range(graph.count), []
    if graph.polar:
        molecule = graph.molecule()
        molecule.UpdatePropertyCache(strict=False)
        says += [_wrong_hydrogens(graph, molecule, atom) for atom in atoms]
    says += [_wrong_valence(graph, atom) for atom in atoms]
    if not graph.full:  # else hydrogens say more than what is often a poor model
        says += [_wrong_shape(graph, atom) for atom in atoms]
        says += [_wrong_length(graph, *ends) for a, b in graph.ends for ends in ((a, b), (b, a))]
    return next(filter(None, says), "")


def _sdf(molecule):
    """The record, whose stereo is that of the coordinates: double bonds of which RDKit does not know it are written as
    open (crossed), whatever includeStereo says."""
    molecule = Chem.Mol(molecule)
    molecule.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(molecule)
    Chem.AssignStereochemistryFrom3D(molecule)
    return Chem.MolToMolBlock(molecule, includeStereo=False) + "$$$$\n"


def _with_hydrogens(graph):
    """The graph's molecule with the hydrogens that the file has."""
    molecule = graph.molecule()
    for parent, _ in graph.parents:
        molecule.AddBond(parent, molecule.AddAtom(Chem.Atom(1)), Chem.BondType.SINGLE)
    return _placed(molecule, graph.positions + [place for _, place in graph.parents])


def run(options, structure, partners):
    """Of heavy atoms, which are bonded, and hydrogens: an SDF record with orders and charges ("": there is no structure),
    what contradicts it ("": nothing), and how many hydrogens of azoles moved to where they fit the partners.  Where the
    options say `keep`, and the file has all hydrogens, the record has them too."""
    graph = Graph(structure)
    if not Perception(graph).run():
        return ["", "its flat atoms cannot share double bonds so that each carbon has one", "0"]
    around = [(row[:3], bool(row[3])) for row in struct.iter_unpack("<3dB", partners)]
    moved = 0 if graph.polar else RingHydrogens(graph).settle(around)
    molecule = _with_hydrogens(graph) if "keep" in options and graph.full else graph.molecule()
    return [_sdf(molecule), contradiction(graph), str(moved)]


# --- By SMILES ---

def _read_smiles(smiles, hydrogens):
    parameters = Chem.SmilesParserParams()
    parameters.removeHs = not hydrogens
    molecule = Chem.MolFromSmiles(smiles.decode("utf-8", "replace"), parameters)
    if molecule is None:
        reading.read_molecule(b"smi", smiles)  # which says why
        raise Failed("no valid SMILES")
    return molecule


def _stereo(molecule):
    """What is said of centres and double bonds."""
    Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
    centers = {center: label for center, label in Chem.FindMolChiralCenters(molecule, useLegacyImplementation=True)}
    bonds = {bond.GetIdx(): bond.GetStereo() for bond in molecule.GetBonds() if bond.GetStereo() > Chem.BondStereo.STEREOANY}
    return centers, bonds


def _agrees(molecule, positions):
    """Whether the stereo that the molecule states is that of these positions."""
    placed = Chem.Mol(_placed(Chem.RWMol(molecule), positions))
    Chem.AssignStereochemistryFrom3D(placed)
    said, stand = _stereo(Chem.Mol(molecule)), _stereo(placed)
    return all(there.get(at) == label for known, there in zip(said, stand) for at, label in known.items())


def _skeleton(molecule):
    """Elements and bonds alone."""
    bare = Chem.RWMol()
    for atom in molecule.GetAtoms():
        bare.AddAtom(Chem.Atom(atom.GetAtomicNum()))
    for bond in molecule.GetBonds():
        bare.AddBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), Chem.BondType.SINGLE)
    bare.UpdatePropertyCache(strict=False)
    return bare


def _laid(molecule, positions):
    if not _agrees(molecule, positions):
        raise Failed("the SMILES is of another stereoisomer than stands there: at a centre (@, @@) or double bond (/, \\) it "
                     "says what the coordinates contradict; write it without these marks to have what stands there")
    placed = _placed(Chem.RWMol(molecule), positions)
    Chem.Kekulize(placed, clearAromaticFlags=True)
    return [_sdf(placed)]


def _how_it_differs(stand, asked):
    """What numbers of atoms do not say of two molecules that differ: a text, empty where the numbers do."""
    if stand.GetNumAtoms() != asked.GetNumAtoms():
        return ""
    elements, others = (sorted(atom.GetAtomicNum() for atom in molecule.GetAtoms()) for molecule in (stand, asked))
    return " of the same elements, bonded otherwise" if elements == others else " of other elements"


def run_lay(options, structure, smiles):
    """An SDF record of the SMILES' atoms, each where one of the request's stands; by which of these are near enough to be
    bonded, which says nothing of orders."""
    graph, molecule = Graph(structure), _read_smiles(smiles, False)
    stand, asked = graph.molecule(), _skeleton(molecule)
    stand.UpdatePropertyCache(strict=False)
    fits = (stand.GetNumAtoms(), stand.GetNumBonds()) == (asked.GetNumAtoms(), asked.GetNumBonds())
    matches = stand.GetSubstructMatches(asked, uniquify=False, maxMatches=MATCHES) if fits else ()
    if not matches:
        raise Failed(f"the {graph.count} heavy atoms and their bonds are not those of the SMILES, which has "
                     f"{asked.GetNumAtoms()}{_how_it_differs(stand, asked)}")
    ways = [[graph.positions[at] for at in match] for match in matches]
    return _laid(molecule, next((way for way in ways if _agrees(molecule, way)), ways[0]))


def _number(text):
    try:
        return float(text)
    except ValueError:
        return 0.0


def _places(text):
    """Where the first model of a PDB or PDBQT file has the atoms of its REMARK SMILES, in their order."""
    pairs, stand = [], {}
    for line in text.decode("utf-8", "replace").splitlines():
        if line.startswith("ENDMDL"):
            break
        if line.startswith(INDEX):
            numbers = [int(word) for word in line[len(INDEX):].split() if re.fullmatch(r"-?[0-9]+", word)]
            pairs += zip(numbers[::2], numbers[1::2])
        elif line.startswith(("ATOM", "HETATM")) and len(line) >= 54:
            stand.setdefault(int(_number(line[6:11])), [_number(line[at:at + 8]) for at in (30, 38, 46)])
    wrong = next(((atom, serial) for at, (atom, serial) in enumerate(pairs) if serial not in stand
                  or not 0 < atom <= len(pairs) or atom in [known for known, _ in pairs[:at]]), None)
    if wrong:
        raise Failed("its REMARK SMILES IDX names atom {} of the SMILES and atom {} of the file, which do not both exist "
                     "once".format(*wrong))
    return [stand[serial] for _, serial in sorted(pairs)]


def run_place(options, smiles, text):
    """An SDF record of the SMILES' atoms where the text of a file has them."""
    molecule, places = _read_smiles(smiles, True), _places(text)
    if molecule.GetNumAtoms() != len(places):
        raise Failed(f"REMARK SMILES has {molecule.GetNumAtoms()} atoms, REMARK SMILES IDX places {len(places)}")
    for bond in molecule.GetBonds():
        a, b = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        if vectors.distance(places[a], places[b]) > LONGEST:
            raise Failed(f"atoms {a + 1} and {b + 1} of its REMARK SMILES are bonded, and lie apart in the file")
    return _laid(molecule, places)
