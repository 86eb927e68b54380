"""Step 1: from a record to what is to be built: one molecule, protonated, with its stereo decided."""
import re

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

import adducts
import cutting
import groups
import patterns
import protonate
import reading
import stereo


FORM_FIELDS = 8  # of what run answers for each form


def formula(molecule):
    """Hill's, without the charge."""
    return re.sub(r"[+-][0-9]*$", "", rdMolDescriptors.CalcMolFormula(molecule))


def _cutting(smiles):
    """Its fragments; none where RDKit stumbles, too: it may build the whole molecule none the less."""
    try:
        return cutting.run(smiles)
    except (ValueError, RuntimeError):
        return b""


def _molecules(options, kind, text, exclude, reactions):
    """What the record gives, its adducts where these are asked for, and a remark."""
    if "residue" not in options:
        molecule, remark = reading.read(kind, text)
        patterns.refuse(molecule, exclude)
        return [molecule], remark
    molecule, remark = adducts.read_ligand(kind, text)
    patterns.refuse(molecule, exclude)
    variants, open_groups = groups.variants(molecule)
    made = [adduct for variant in variants[:int(options.get("stereo", "1"))]
            for adduct in adducts.make(variant, options, reactions)]
    for adduct in made:
        reading.check(adduct)
    open_ones = open_groups and len(variants) > int(options.get("stereo", "1"))
    return made, "\n".join(filter(None, (remark, stereo.left_open(options) if open_ones else "")))


def run(options, kind, text, exclude, reactions=b""):
    """For each form its canonical SMILES, its formula, what its name ends with, remarks, lines, where it is to be
    joined its fragments, the population of its state where several are asked for, what its input leaves open, and "1"
    where its charge is another than the input's."""
    molecules, remark = _molecules(options, kind, text, exclude, reactions)
    forms = [(form, population, Chem.GetFormalCharge(form.molecule) != Chem.GetFormalCharge(molecule))
                for molecule in molecules
                for state, population in protonate.states(molecule, options)
                for form in stereo.isomers(state, options)]
    if "residue" in options:
        forms = [(form._replace(smiles=adducts.begun_at_alpha(form.smiles)), *more) for form, *more in forms]
    remark = "\n".join(filter(None, (remark, protonate.remark(molecules[0], options))))
    answer = []
    for number, (form, population, recharged) in enumerate(forms, 1):
        answer += [form.smiles, formula(form.molecule), f"_{number}" if len(forms) > 1 else "",
                   "\n".join(filter(None, (remark, form.remark))),
                   _cutting(form.smiles) if "fragments" in options else "",
                   "" if population is None else f"{population:.4f}", str(form.left or ""),
                   "1" if recharged else ""]
    return answer
