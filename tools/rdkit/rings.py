"""Which conformers differ in their rings: puckers, axial and equatorial, macrocycles' backbones.

A conformer's rings are told by torsion angles: of each bond of a flexible ring, and of each bond out of
it, which says whether that is axial or equatorial.  Two conformers differ where one of the angles does by
more than DISTINCT, whichever way the molecule is laid on itself.
"""
from rdkit import Chem
from rdkit.Chem import rdMolTransforms

DISTINCT = 40.0  # degrees: a pucker of a ring of five turns its angles from 35 to -35
IMAGES = 32  # ways to lay the molecule on itself that are looked at
# Conformers to build: for the first flexible ring of a system of fused ones, for each further one, for a
# macrocycle, and at most.
TRIES, TRIES_FUSED, TRIES_MACROCYCLE, TRIES_MOST = 5, 1, 10, 12
MACROCYCLE = 9  # atoms


def is_flexible(molecule, ring):
    """True for a ring that is not flat: with two bonds, at least, that may turn."""
    count = 0
    for i, atom in enumerate(ring):
        bond = molecule.GetBondBetweenAtoms(ring[i - 1], atom)
        count += not bond.GetIsConjugated() and bond.GetBondTypeAsDouble() == 1.0
    return len(ring) > 3 and count > 1


def flexible_rings(molecule):
    return [ring for ring in molecule.GetRingInfo().AtomRings() if is_flexible(molecule, ring)]


def tries(rings):
    """How many conformers to build to see the shapes of these rings; 0: there is one shape."""
    count, seen = 0, set()
    for ring in rings:
        fused = not seen.isdisjoint(ring)
        count += TRIES_MACROCYCLE if len(ring) >= MACROCYCLE else TRIES_FUSED if fused else TRIES
        seen.update(ring)
    return min(count, TRIES_MOST)


def quadruples(molecule):
    """The atoms of each angle that tells the rings' shapes."""
    found = []
    for ring in flexible_rings(molecule):
        size, inside = len(ring), set(ring)
        for i in range(size):
            before, here, there, behind = (ring[(i + k) % size] for k in range(4))
            found.append((before, here, there, behind))
            for atom in molecule.GetAtomWithIdx(there).GetNeighbors():
                if atom.GetAtomicNum() > 1 and atom.GetIdx() not in inside:
                    found.append((before, here, there, atom.GetIdx()))
    return found


class Rings:
    """The shapes of a molecule's rings."""

    def __init__(self, molecule):
        self.molecule = molecule
        self.images = [quadruples(molecule)]
        self.tries = tries(flexible_rings(molecule))
        if self.tries:
            self.images += self.further_images()

    def further_images(self):
        """The same angles as the molecule's symmetries have them."""
        heavy = Chem.RemoveHs(self.molecule, sanitize=False)
        first = self.images[0]
        images = []
        for match in heavy.GetSubstructMatches(heavy, uniquify=False, maxMatches=IMAGES):
            image = [tuple(match[atom] for atom in atoms) for atoms in first]
            if image != first and image not in images:
                images.append(image)
        return images

    def angles(self, conformer, image=0):
        place = self.molecule.GetConformer(conformer)
        return [rdMolTransforms.GetDihedralDeg(place, *atoms) for atoms in self.images[image]]

    def differ(self, angles, conformer):
        """True where the conformer's rings have not these angles in any of their images."""
        for image in range(len(self.images)):
            if all(abs((a - b + 180) % 360 - 180) <= DISTINCT
                   for a, b in zip(angles, self.angles(conformer, image))):
                return False
        return True

    def distinct(self, conformers, count):
        """The first of the conformers, and those that differ from all taken before; count at most."""
        taken, known = [], []
        for conformer in conformers:
            if len(taken) < count and all(self.differ(angles, conformer) for angles in known):
                taken.append(conformer)
                known.append(self.angles(conformer))
        return taken
