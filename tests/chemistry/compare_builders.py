"""Holds the structures of one builder against another's: compare_builders.py FRAGMENTS.sdf RDKIT.sdf.

Every structure has the stereo of its SMILES; atoms, charges and bonds are the same; lengths and angles
differ by no more than those of RDKit's own conformers do.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../tools/rdkit"))
from rdkit import Chem  # noqa: E402
from rdkit.Chem import rdMolTransforms  # noqa: E402

import stereo  # noqa: E402

LENGTH, ANGLE = 0.05, 9.0  # Å, degrees


def read(path):
    molecules = {}
    for molecule in Chem.SDMolSupplier(path, removeHs=False):
        molecules.setdefault(molecule.GetProp("_Name"), []).append(molecule)
    return molecules


def graph(molecule):
    return ([(atom.GetAtomicNum(), atom.GetFormalCharge()) for atom in molecule.GetAtoms()],
            sorted((*sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())), str(bond.GetBondType()))
                   for bond in molecule.GetBonds()))


def stereo_flaw(molecule):
    asked = Chem.AddHs(Chem.MolFromSmiles(molecule.GetProp("smiles")))  # whose order the atoms have
    conformer = Chem.Conformer(asked.GetNumAtoms())
    for atom in range(asked.GetNumAtoms()):
        conformer.SetAtomPosition(atom, molecule.GetConformer().GetAtomPosition(atom))
    return stereo.difference(asked, conformer)


def heavy_angles(molecule):
    for atom in molecule.GetAtoms():
        near = [other.GetIdx() for other in atom.GetNeighbors() if other.GetAtomicNum() > 1]
        yield from ((a, atom.GetIdx(), b) for i, a in enumerate(near) for b in near[:i])


def geometry_flaw(molecule, others):
    """The length or angle that is farthest from all of the other builder's."""
    place = molecule.GetConformer()
    for bond in molecule.GetBonds():
        ends = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        here = rdMolTransforms.GetBondLength(place, *ends)
        if min(abs(here - rdMolTransforms.GetBondLength(other.GetConformer(), *ends)) for other in others) > LENGTH:
            return f"bond {ends} of {here:.3f} Å"
    for atoms in heavy_angles(molecule):
        here = rdMolTransforms.GetAngleDeg(place, *atoms)
        if min(abs(here - rdMolTransforms.GetAngleDeg(other.GetConformer(), *atoms)) for other in others) > ANGLE:
            return f"angle {atoms} of {here:.1f} degrees"
    return None


def main(first, second):
    ours, theirs = read(first), read(second)
    flaws = [f"{name} is missing" for name in theirs if name not in ours]
    for name, structures in ours.items():
        for molecule in structures:
            if graph(molecule) != graph(theirs[name][0]):
                flaws.append(f"{name}: other atoms or bonds")
                break
            flaws += [f"{name}: {flaw}" for flaw in (stereo_flaw(molecule), geometry_flaw(molecule, theirs[name])) if flaw]
    print("\n".join(flaws))
    sys.exit(bool(flaws))


main(*sys.argv[1:])
