"""Which conformers differ in bond angles, which no torsion changes: those of a crowded molecule depend on how its
bonds were turned when it was minimised."""
from rdkit import Chem
from rdkit.Chem import rdMolTransforms

DISTINCT = 3.0  # degrees


class Angles:
    """The angles between a molecule's heavy atoms; those of atoms that are alike are not told apart."""

    def __init__(self, molecule):
        self.molecule = molecule
        self.kinds = list(Chem.CanonicalRankAtoms(molecule, breakTies=False))
        self.triples = []
        for atom in molecule.GetAtoms():
            near = [other.GetIdx() for other in atom.GetNeighbors() if other.GetAtomicNum() > 1]
            if atom.GetAtomicNum() > 1:
                self.triples += [(a, atom.GetIdx(), b) for i, a in enumerate(near) for b in near[:i]]

    def kind(self, triple):
        """The same for angles that the molecule's symmetry makes alike."""
        a, middle, b = (self.kinds[atom] for atom in triple)
        return min(a, b), middle, max(a, b)

    def of(self, conformer):
        """The angles in degrees: by kind, those of one kind by size."""
        place = self.molecule.GetConformer(conformer)
        angles = sorted((self.kind(triple), rdMolTransforms.GetAngleDeg(place, *triple)) for triple in self.triples)
        return [angle for _, angle in angles]

    def further(self, conformers, taken, count):
        """Those of the conformers, in their order, that differ from all that are taken and from each other: as many
        as make count with them."""
        known, more = [self.of(conformer) for conformer in taken], []
        for conformer in conformers:
            angles = self.of(conformer)
            if len(known) < count and all(_differ(angles, others) for others in known):
                known.append(angles)
                more.append(conformer)
        return more


def _differ(some, others):
    return any(abs(a - b) >= DISTINCT for a, b in zip(some, others))
