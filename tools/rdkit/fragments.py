"""Preparation from fragments: the geometry of a piece that a molecule is cut into (cutting.py).

A fragment is a ring system, or an atom outside of rings, with what is bonded to it by bonds that do not turn and with
the atoms at its ends.  Bonds between fragments are cut.  Where one was, a fragment has a cap, which stands for the atom
beyond: a dummy atom whose isotope is its kind (CAPS).  Aromatic atoms have hydrogens there instead, since what is bonded
to a flat ring hardly changes it: so benzene is one fragment, whatever is bonded to it.

A fragment's key is its canonical SMILES.  Its geometry follows from the key and the version of RDKit alone.
"""
import struct

from rdkit import Chem
from rdkit.Chem import rdMolTransforms

import build
import rings
import sybyl
from cutting import ALIKE, AS_WRITTEN, CIS, OTHER
from outcome import Failed

CONJUGATED = Chem.MolFromSmarts("[C;$(C=*)]-;!@[N;!$([N+;!$(N=*)])]")

# What a cap is while its fragment is built, by kind; any other element has hydrogens, and the kind OTHER + its number.
CAPS = {
    1: "C", 2: "c1ccccc1", 3: "C=C", 4: "C=O", 5: "C#C",
    6: "N", 7: "[NH3+]", 8: "NC=O", 9: "NC=C", 10: "n1cccc1", 11: "N=C", 12: "[N+](=O)[O-]", 13: "NS(=O)(=O)C",
    14: "O", 15: "OC=O", 16: "OC=C", 17: "S", 18: "S(=O)C", 19: "S(=O)(=O)C", 20: "P(=O)(O)O",
}
TEMPLATES = {kind: Chem.MolFromSmiles(smiles, AS_WRITTEN) for kind, smiles in CAPS.items()}

# Structures that are built: of any fragment, and beside what rings.py says for flexible rings, for a nitrogen that
# inverts, for an amide that may be laid either way; those that are kept.
TRIES, TRIES_NITROGEN, TRIES_AMIDE, SHAPES = 2, 4, 4, 8
STEPS = 300  # of minimising
FLAT = 0.1  # volume that the directions of three bonds span: below, they lie in a plane

# The sign of the volume that the directions of an atom's first three bonds span.
HANDS = {Chem.ChiralType.CHI_TETRAHEDRAL_CCW: 1, Chem.ChiralType.CHI_TETRAHEDRAL_CW: -1}


def _volume(atom, conformer):
    here = conformer.GetAtomPosition(atom.GetIdx())
    a, b, c = (here.DirectionVector(conformer.GetAtomPosition(other.GetIdx())) for other in atom.GetNeighbors()[:3])
    return a.DotProduct(b.CrossProduct(c))


def _replace_cap(mol, at):
    """The cap's dummy atom becomes the first atom of what stands for it: its bond stays, and so does the stereo."""
    atom = mol.GetAtomWithIdx(at)
    kind = atom.GetIsotope() % ALIKE
    template = TEMPLATES.get(kind)
    first = template.GetAtomWithIdx(0) if template else Chem.Atom(kind - OTHER)
    atom.SetIsotope(0)
    atom.SetAtomicNum(first.GetAtomicNum())
    atom.SetFormalCharge(first.GetFormalCharge())
    atom.SetIsAromatic(first.GetIsAromatic())
    atom.SetNoImplicit(False)
    if template:
        places = [at] + [mol.AddAtom(other) for other in list(template.GetAtoms())[1:]]
        for bond in template.GetBonds():
            mol.AddBond(places[bond.GetBeginAtomIdx()], places[bond.GetEndAtomIdx()], bond.GetBondType())


class Fragment(build.Molecule):
    """A fragment with all its hydrogens, and with whole caps."""

    def __init__(self, key):
        bare = Chem.MolFromSmiles(key, AS_WRITTEN)
        if bare is None:
            raise Failed("no fragment")
        self.key, self.size = key, bare.GetNumAtoms()
        self.caps = {atom.GetIdx() for atom in bare.GetAtoms() if atom.GetAtomicNum() == 0}
        mol = Chem.RWMol(bare)
        for at in sorted(self.caps):
            _replace_cap(mol, at)
        Chem.SanitizeMol(mol)
        whole = Chem.AddHs(mol.GetMol())
        Chem.SetBondStereoFromDirections(whole)
        self.take(whole)
        self.own = [at for at in range(self.size) if at not in self.caps]
        parents = [(atom.GetIdx(), atom.GetNeighbors()[0].GetIdx()) for atom in self.graph.GetAtoms()
                   if atom.GetAtomicNum() == 1]
        self.hydrogens = [(at, parent) for at, parent in parents if parent < self.size and parent not in self.caps]
        self.nitrogens = [atom for atom in map(self.untouched.GetAtomWithIdx, self.own) if _inverts(atom)]
        self._mark()
        self.amides = self._find_amides()

    def _find_amides(self):
        """Four atoms of each bond like a tertiary amide's, which does not turn and may be cis or trans."""
        ranks = list(Chem.CanonicalRankAtoms(self.graph, breakTies=False))
        found = []
        for carbon, nitrogen in self.untouched.GetSubstructMatches(CONJUGATED):
            if max(carbon, nitrogen) < self.size:
                ends = [[other.GetIdx() for other in self.untouched.GetAtomWithIdx(at).GetNeighbors()
                         if other.GetIdx() != beyond] for at, beyond in ((carbon, nitrogen), (nitrogen, carbon))]
                unlike = all(len({ranks[at] for at in end}) == len(end) == 2 for end in ends)
                if unlike and all(self.untouched.GetAtomWithIdx(at).GetAtomicNum() > 1 for at in ends[1]):
                    found.append((ends[0][0], carbon, nitrogen, ends[1][0]))
        return found

    def _mark(self):
        """Isotopes, so that no symmetry exchanges atoms that may have other neighbours in the molecule."""
        for at in range(self.size):
            if at in self.caps or self.untouched.GetAtomWithIdx(at).GetIsAromatic():
                self.graph.GetAtomWithIdx(at).SetIsotope(300 + at)

    def is_right(self, conformer):
        """True where the stereo is the key's."""
        for atom in self.untouched.GetAtoms():
            hand = HANDS.get(atom.GetChiralTag())
            if hand and hand * _volume(atom, conformer) < FLAT:
                return False
        for bond in self.untouched.GetBonds():
            if bond.GetStereo() in CIS:
                first, second = bond.GetStereoAtoms()
                angle = rdMolTransforms.GetDihedralDeg(conformer, first, bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(),
                                                       second)
                if CIS[bond.GetStereo()] != (abs(angle) < 90):
                    return False
        return True

    def sides(self, conformer):
        """Of the nitrogens that invert, the sides on which their lone pairs are; of amides, whether they are cis."""
        volumes = [_volume(atom, conformer) for atom in self.nitrogens]
        return ([(volume > FLAT) - (volume < -FLAT) for volume in volumes] +
                [abs(rdMolTransforms.GetDihedralDeg(conformer, *atoms)) < 90 for atoms in self.amides])

    def shapes(self):
        """Structures that differ in what turning the cut bonds does not change, lowest first: their energies (kJ/mol)
        and conformers."""
        told = rings.Rings(self.graph)
        tries = TRIES + told.tries + TRIES_NITROGEN * bool(self.nitrogens) + TRIES_AMIDE * bool(self.amides)
        found = build.embed(self.graph, tries, build.seed_of(self.key.encode()))
        energies = {}
        for number in found:
            field = self.field(number)
            field.Minimize(maxIts=STEPS)
            if self.is_right(self.graph.GetConformer(number)):
                energies[number] = build.KJ_PER_KCAL * field.CalcEnergy()
        taken = []
        for number in sorted(energies, key=energies.get):
            known = (told.angles(number), self.sides(self.graph.GetConformer(number)))
            if len(taken) < SHAPES and all(told.differ(angles, number) or sides != known[1] for _, angles, sides in taken):
                taken.append((number, *known))
        return [(energies[number], self.graph.GetConformer(number)) for number, _, _ in taken]

    def pack(self):
        """As src/prep/fragments/fragment.h has it."""
        shapes = self.shapes()
        if not shapes:
            return b""
        bonds = sybyl.pack_bonds(self.untouched, self.size)
        data = struct.pack("<HHHBx", self.size, len(self.hydrogens), len(bonds), len(shapes))
        data += b"".join(sybyl.pack_atoms(self.untouched, self.caps)[:self.size])
        data += b"".join(struct.pack("<H", parent) for _, parent in self.hydrogens)
        data += b"".join(bonds)
        places = [*range(self.size), *(at for at, _ in self.hydrogens)]
        for energy, conformer in shapes:
            data += struct.pack("<f", energy)
            for at in map(conformer.GetAtomPosition, places):
                data += struct.pack("<3f", at.x, at.y, at.z)
        return data


def _inverts(atom):
    """True for a nitrogen outside of rings whose three neighbours change sides: it is its own mirror image then but for
    what they are."""
    return (atom.GetAtomicNum() == 7 and not atom.IsInRing() and atom.GetChiralTag() not in HANDS
            and sum(other.GetAtomicNum() > 1 for other in atom.GetNeighbors()) == 3
            and atom.GetHybridization() == Chem.HybridizationType.SP3)


def make(key):
    """A fragment's record; nothing where it cannot be built."""
    try:
        return Fragment(key).pack()
    except (Failed, ValueError, RuntimeError):  # the latter are RDKit's
        return b""


def run_make(options, keys):
    return [make(key) for key in keys.decode().split(".")]
