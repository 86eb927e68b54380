"""Stands in for MolGpKa, which is not on PyPI: EasyDock asks it for pKa values and sets charges by them.  Carboxylic
acids have 4 here and aliphatic amines 9."""

from rdkit import Chem

ACID = Chem.MolFromSmarts("[CX3](=O)[OX2]-[#1]")
BASE = Chem.MolFromSmarts("[NX3;!$(N[#6]=[O,N,S]);!$(Nc);!$(NS);!$(N[#7,#8])]([CX4,#1])([CX4,#1])[CX4]")


def load_state_dicts():
    return None


def load_models(models):
    return models


def predict2(molecule, models, uncharged=True):
    """pKa of bases by their atom, and of acids by the hydrogen that they lose, of the molecule with hydrogens."""
    whole = Chem.AddHs(molecule)
    acids = {match[3]: 4.0 for match in whole.GetSubstructMatches(ACID)}
    bases = {match[0]: 9.0 for match in whole.GetSubstructMatches(BASE)}
    return bases, acids, whole
