"""Step 2: from canonical SMILES to 3D structures, with their MMFF94s energies."""
import struct
import zlib

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers
from rdkit.ForceField import rdForceField  # the classes of what rdForceFieldHelpers gives

import angles
import cages
import rings
import stereo
import sybyl
from outcome import Failed

KJ_PER_KCAL = 4.184
# Dielectric constant: as in a vacuum, charges would draw each other near, and nothing else would count.
WATER = 80.0
ROUGH = 0.0135  # of the forces that end the refinement of distances; a fifth faster than what the smallest cages need
SMALL_CAGE = Chem.MolFromSmarts("[x3,x4;r3,r4]")
STEPS = 100  # of minimising
SEEDS, UNMINIMISED = 4, 10  # tries where the stereo comes out wrong
# Tries that a conformer may take, one by a further seed, and one from random places: nearly all take one or two, a
# steroid's four, a long peptide's dozens.  With RDKit's own, ten for each atom, a cage took five minutes to say that it
# cannot be built.
TRIES, TRIES_FURTHER, TRIES_LAST = 64, 10, 300


class Molecule:
    """With all hydrogens, and parameters of MMFF94s (None where it lacks some: UFF makes do then, but for
    energies)."""

    def __init__(self, smiles):
        self.smiles = smiles
        self.take(Chem.AddHs(Chem.MolFromSmiles(smiles.decode())))

    def take(self, graph):
        """The molecule is this one."""
        self.graph = graph
        self.untouched = Chem.Mol(self.graph)  # what comes next gives it MMFF's own idea of aromatic rings
        self.parameters = rdForceFieldHelpers.MMFFGetMoleculeProperties(self.graph, "MMFF94s")
        if self.parameters is not None:
            self.parameters.SetMMFFDielectricConstant(WATER)
        elif not rdForceFieldHelpers.UFFHasAllMoleculeParams(self.graph):
            raise Failed("neither MMFF94s nor UFF has parameters for all of its atoms: its geometry is not known; "
                         "give its 3D structure, with hydrogens, as Mol2")

    def field(self, conformer):
        if self.parameters is None:
            return rdForceFieldHelpers.UFFGetMoleculeForceField(self.graph, confId=conformer)
        return rdForceFieldHelpers.MMFFGetMoleculeForceField(self.graph, self.parameters, confId=conformer)

    def positions(self, conformer):
        return pack_positions(self.graph.GetConformer(conformer))


def pack_positions(conformer):
    """As doubles."""
    values = []
    for atom in range(conformer.GetNumAtoms()):
        at = conformer.GetAtomPosition(atom)
        values += (at.x, at.y, at.z)
    return struct.pack(f"<{len(values)}d", *values)


last = [None]  # the molecule that was built last, for its energies


def seed_of(smiles):
    """Of the molecule alone, so that neither the order nor the number of workers matters."""
    return zlib.crc32(smiles) & 0x3FFFFFFF


def embed(molecule, count, seed, replace=True, tries=TRIES):
    """Adds conformers by distance geometry, or replaces all; their numbers.  Where all are replaced and none came out, one
    that starts from random places."""
    settings = rdDistGeom.ETKDGv3()
    settings.clearConfs = replace
    settings.maxIterations = tries
    settings.randomSeed = seed
    settings.optimizerForceTol = ROUGH  # what comes next is minimised
    found = list(rdDistGeom.EmbedMultipleConfs(molecule, count, settings))
    if not found and molecule.HasSubstructMatch(SMALL_CAGE):
        settings.optimizerForceTol, settings.maxIterations = cages.FINE, TRIES_LAST
        found = list(rdDistGeom.EmbedMultipleConfs(molecule, count, settings))
    if not found and replace:
        settings.useRandomCoords, settings.maxIterations = True, TRIES_LAST
        found = list(rdDistGeom.EmbedMultipleConfs(molecule, 1, settings))
    return found


def minimise(molecule, conformers):
    """The conformers by their energy, lowest first."""
    energies = {}
    for conformer in conformers:
        field = molecule.field(conformer)
        field.Minimize(maxIts=STEPS)
        energies[conformer] = field.CalcEnergy()
    return sorted(conformers, key=energies.get)


def choose_structures(molecule, shapes, found, wanted, angled):
    """Of minimised conformers those that differ in what no torsion changes: the lowest of each shape of the rings,
    lowest first, and then, where angled, those that differ in bond angles."""
    taken = shapes.distinct(found, wanted)
    return taken + (angles.Angles(molecule.graph).further(found, taken, wanted) if angled else [])


def find_asked(molecule, wanted, angled):
    """The lowest structures whose stereo is the molecule's.  Distance geometry misses it now and then, of a double
    bond in a large ring nine times of ten, and minimising may turn a double bond: what other seeds give is added
    then, until there are as many right conformers as structures are wanted, and last what was not minimised."""
    seed, graph = seed_of(molecule.smiles), molecule.graph
    shapes = rings.Rings(graph)
    tries = max(shapes.tries, wanted if angled else 1) if wanted > 1 else 1
    right = []
    for more in range(SEEDS):
        found = embed(graph, tries, seed + more, replace=not more, tries=TRIES_FURTHER if more else TRIES)
        if not found and not more:
            raise Failed("RDKit found no 3D coordinates; give its 3D structure, with hydrogens, as Mol2")
        found = minimise(molecule, found)
        if not more:
            structures = choose_structures(molecule, shapes, found, wanted, angled)
            asked, why = stereo.as_asked(molecule.untouched, graph, structures)
            if len(asked) == len(structures):
                return asked
        right += stereo.as_asked(molecule.untouched, graph, found)[0]
        if len(right) >= wanted:
            break
    if right:
        energies = {number: molecule.field(number).CalcEnergy() for number in right}
        return choose_structures(molecule, shapes, sorted(right, key=energies.get), wanted, angled)
    raw, _ = stereo.as_asked(molecule.untouched, graph, embed(graph, UNMINIMISED, seed))
    if not raw:
        raise Failed(why)
    return raw[:1]


def run(options, smiles):
    """The molecule's record, in all structures, the lowest one first."""
    molecule = last[0] = Molecule(smiles)
    angled = int(options["conformers"]) == 1  # an ensemble's bonds are turned: that covers more than angles do
    conformers = find_asked(molecule, int(options["structures"]), angled)
    return [sybyl.record(molecule.untouched, list(map(molecule.positions, conformers)))]


def run_energies(options, smiles, positions):
    """MMFF94s energies (kJ/mol, doubles) at these positions (doubles); NAN where it lacks parameters."""
    molecule = last[0]
    if molecule is None or molecule.smiles != smiles:  # the worker was started anew
        molecule = Molecule(smiles)
    size = 3 * molecule.graph.GetNumAtoms()
    count = len(positions) // (8 * size)
    energies = [float("nan")] * count
    if molecule.parameters is not None:
        if not molecule.graph.GetNumConformers():
            embed(molecule.graph, 1, seed_of(smiles))
        field = molecule.field(-1)
        for i in range(count):
            energies[i] = KJ_PER_KCAL * field.CalcEnergy(list(struct.unpack_from(f"<{size}d", positions, 8 * size * i)))
    return [struct.pack(f"<{count}d", *energies)]
