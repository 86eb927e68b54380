"""Stereo groups of CXSMILES and V3000: centres of which a sample holds both configurations (`&`) or one that is not
known (`o`), alone or together with others, whose relative configuration is known."""
from __future__ import annotations

import itertools
import random
import re
import zlib

from rdkit import Chem

_GROUP = "_berth_group"  # of an atom: its group's number

# So many groups are turned over in all ways; of more, the others stay as drawn (no molecule of a library has them).
LISTED = 8

# ChemAxon's mark for a molecule all of whose centres are relative.
_RELATIVE = re.compile(r"[|,]r(:[0-9,.]*)?[|,]")


def _relative(molecule: Chem.Mol, text: str) -> list[list[int]]:
    """The centres of a molecule that is marked as relative as a whole."""
    if not _RELATIVE.search(text):
        return []
    return [[atom.GetIdx() for atom in molecule.GetAtoms()
             if atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED]]


def read(molecule: Chem.Mol, text: str = "") -> Chem.Mol:
    """The molecule, of these SMILES if it is of any: a centre that is a group by itself is open, and the atoms of
    larger groups are marked, so that these outlive what is done to the molecule."""
    groups = [[atom.GetIdx() for atom in group.GetAtoms()] for group in molecule.GetStereoGroups()
              if group.GetGroupType() != Chem.StereoGroupType.STEREO_ABSOLUTE]
    groups = [group for group in groups or _relative(molecule, text) if group]
    if not groups:
        return molecule
    mol = Chem.RWMol(molecule)
    for number, group in enumerate(groups, 1):
        for index in group:
            atom = mol.GetAtomWithIdx(index)
            if len(group) == 1:
                atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
            else:
                atom.SetIntProp(_GROUP, number)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def _centres(molecule: Chem.Mol) -> list[list[int]]:
    """The groups' atoms that are centres."""
    groups: dict[int, list[int]] = {}
    for atom in molecule.GetAtoms():
        if atom.HasProp(_GROUP) and atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED:
            groups.setdefault(atom.GetIntProp(_GROUP), []).append(atom.GetIdx())
    return [groups[number] for number in sorted(groups)]


def _turned(molecule: Chem.Mol, groups: list[list[int]], choice: tuple[int, ...]) -> Chem.Mol:
    """The molecule with the groups inverted that the choice has a 1 for, without its marks."""
    mol = Chem.RWMol(molecule)
    for group, turn in zip(groups, choice):
        for index in group:
            mol.GetAtomWithIdx(index).ClearProp(_GROUP)
            if turn:
                mol.GetAtomWithIdx(index).InvertChirality()
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def variants(molecule: Chem.Mol) -> tuple[list[Chem.Mol], int]:
    """The molecules that its groups leave open, in an order that does not depend on which of them is drawn, and how many
    groups do; of a molecule without groups itself."""
    groups = _centres(molecule)
    if not groups:
        return [molecule], 0
    ways = itertools.product((0, 1), repeat=min(len(groups), LISTED))
    found = {}
    for way in ways:
        mol = _turned(molecule, groups, way + (0,) * (len(groups) - len(way)))
        found.setdefault(Chem.MolToSmiles(mol), mol)
    listed = [found[smiles] for smiles in sorted(found)]
    random.Random(zlib.crc32(min(found).encode())).shuffle(listed)
    return listed, len(groups) if len(found) > 1 else 0
