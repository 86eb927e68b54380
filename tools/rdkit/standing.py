"""A molecule as it stands: the types of its atoms by the bonds and hydrogens that its record has, as those that are
built get them."""
from rdkit import Chem

import build
import sybyl
from outcome import Failed


def run(options, text):
    """Of an SDF record: the molecule as Mol2, its positions (doubles), orders and charges; hydrogens that it leaves out
    are added behind its atoms."""
    molecule = Chem.MolFromMolBlock(text.decode("utf-8", "replace"), removeHs=False)
    if molecule is None:
        raise Failed("RDKit cannot read it")
    if molecule.GetNumAtoms() == 0:
        raise Failed("an empty molecule")
    whole = Chem.AddHs(molecule, addCoords=True)
    conformer = whole.GetConformer()
    return [sybyl.mol2(whole, conformer), build.pack_positions(conformer), *sybyl.orders(whole)]
