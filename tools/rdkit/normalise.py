"""Step 1: from a record to what is to be built: one fragment, protonated, with its stereo decided."""
import re

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

import patterns
import protonate
import stereo
from outcome import Failed


def read_molecule(kind, text):
    """The record's molecule; kind is `smi` or `sdf`."""
    text = text.decode("utf-8", "replace")
    if kind == b"smi":
        molecule = Chem.MolFromSmiles(text.strip())
    else:
        molecule = Chem.MolFromMolBlock(text)
    if molecule is None:
        raise Failed("RDKit cannot read it")
    if molecule.GetNumAtoms() == 0:
        raise Failed("an empty molecule")
    return molecule


def largest_fragment(molecule):
    """The fragment with the most heavy atoms; of several the heaviest, then the first."""
    fragments = Chem.GetMolFrags(molecule, asMols=True, sanitizeFrags=True)
    return max(fragments, key=lambda one: (one.GetNumHeavyAtoms(), rdMolDescriptors.CalcExactMolWt(one)))


def formula(molecule):
    """Hill's, without the charge."""
    return re.sub(r"[+-][0-9]*$", "", rdMolDescriptors.CalcMolFormula(molecule))


def run(options, kind, text, exclude):
    """For each form its canonical SMILES, its formula, what its name ends with, and a remark."""
    molecule = largest_fragment(read_molecule(kind, text))
    patterns.refuse(molecule, exclude)
    forms = [form for state in protonate.states(molecule, options)
                for form in stereo.isomers(state, options)]
    answer = []
    for number, (form, remark) in enumerate(forms, 1):
        form = Chem.RemoveHs(form)
        answer += [Chem.MolToSmiles(form), formula(form),
                   f"_{number}" if len(forms) > 1 else "", remark]
    return answer
