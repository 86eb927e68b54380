"""Step 1: from a record to what is to be built: one molecule, protonated, with its stereo decided."""
import re

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

import fragments
import patterns
import protonate
import reading
import stereo


def formula(molecule):
    """Hill's, without the charge."""
    return re.sub(r"[+-][0-9]*$", "", rdMolDescriptors.CalcMolFormula(molecule))


def _cutting(smiles):
    """Its fragments; "" where RDKit stumbles, too: it may build the whole molecule none the less."""
    try:
        return fragments.cutting(smiles)
    except (ValueError, RuntimeError):
        return ""


def run(options, kind, text, exclude):
    """For each form its canonical SMILES, its formula, what its name ends with, remarks, lines, and where it is to be
    joined its fragments."""
    molecule, remark = reading.read(kind, text)
    patterns.refuse(molecule, exclude)
    forms = [form for state in protonate.states(molecule, options)
                for form in stereo.isomers(state, options)]
    answer = []
    for number, form in enumerate(forms, 1):
        answer += [form.smiles, formula(form.molecule), f"_{number}" if len(forms) > 1 else "",
                   "\n".join(filter(None, (remark, form.remark))),
                   _cutting(form.smiles) if "fragments" in options else ""]
    return answer
