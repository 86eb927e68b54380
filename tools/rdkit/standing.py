"""A molecule as it stands: the types of its atoms by the bonds and hydrogens that its record has, as those that are
built get them; and its SMILES."""
import math

from rdkit import Chem

import build
import protonate
import reading
import sybyl
from outcome import Failed


def _read(options, text):
    """As it stands; with a `ph` in the state that a docking would give it."""
    if "ph" not in options:
        return reading.molfile(text.decode("utf-8", "replace"), removeHs=False)
    molecule, _ = reading.read(b"sdf", text)
    return protonate.states(molecule, options)[0][0]


def run(options, text):
    """Of an SDF record: the molecule's record; hydrogens that it leaves out are added behind its atoms."""
    molecule = _read(options, text)
    if molecule is None:
        raise Failed("RDKit cannot read it")
    if molecule.GetNumAtoms() == 0:
        raise Failed("an empty molecule")
    reading.check_atoms(molecule)
    whole = Chem.AddHs(molecule, addCoords=True)
    if not all(map(math.isfinite, whole.GetConformer().GetPositions().flat)):
        raise Failed("its atoms lie in a line, which says nothing of where its hydrogens are; give them, too")
    return [sybyl.record(whole, [build.pack_positions(whole.GetConformer())])]


def run_smiles(options, text):
    """Of an SDF record: its canonical SMILES, with the stereo of its coordinates."""
    molecule = reading.molfile(text.decode("utf-8", "replace"))
    if molecule is None:
        raise Failed("RDKit cannot read it")
    Chem.AssignStereochemistryFrom3D(molecule)
    return [Chem.MolToSmiles(molecule)]
