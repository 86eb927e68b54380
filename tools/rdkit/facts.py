"""What a molecule is, for statistics: its formula, and its scaffold where the options ask for it."""
from rdkit import Chem

import normalise
import reading


def scaffold(molecule):
    """Bemis and Murcko's (J. Med. Chem. 39 (1996) 2887): rings and what links them, as SMILES without
    stereo; "" without rings.  Charges are taken off first, so that all states have the same one."""
    # No other request needs these, which take time to load.
    from rdkit.Chem.MolStandardize import rdMolStandardize
    from rdkit.Chem.Scaffolds import MurckoScaffold

    neutral = rdMolStandardize.Uncharger().uncharge(molecule)
    Chem.RemoveStereochemistry(neutral)
    return Chem.MolToSmiles(MurckoScaffold.GetScaffoldForMol(neutral))


def run(options, kind, text):
    molecule, _ = reading.read(kind, text)
    return [normalise.formula(molecule)] + ([scaffold(molecule)] if "scaffold" in options else [])
