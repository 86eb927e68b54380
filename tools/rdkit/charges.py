"""Formal charges and the protons that go with them."""
from __future__ import annotations

from rdkit import Chem

import valence


def change_charge(atom: Chem.Atom, by: int) -> None:
    """Adds (+1) or takes away (-1) a proton."""
    hydrogens = atom.GetNumExplicitHs()
    if by < 0 and hydrogens == 0 and atom.GetNoImplicit():
        return
    atom.SetFormalCharge(atom.GetFormalCharge() + by)
    if atom.GetNoImplicit() or atom.GetIsAromatic():
        atom.SetNumExplicitHs(max(0, hydrogens + by))
    elif by < 0 and hydrogens:
        atom.SetNumExplicitHs(hydrogens - 1)
    atom.UpdatePropertyCache(strict=False)


def is_balanced(atom: Chem.Atom) -> bool:
    """True where a neighbour has the opposite charge: nitro groups, N-oxides, ylides."""
    sign = atom.GetFormalCharge()
    return any(other.GetFormalCharge() * sign < 0 for other in atom.GetNeighbors())


def has_single_bonds(atom: Chem.Atom) -> bool:
    return all(bond.GetBondType() == Chem.BondType.SINGLE for bond in atom.GetBonds())


# Protonated amidines and imidazoles whose charge is drawn on an alkylated nitrogen.
_SHIFTED = tuple(
    Chem.MolFromSmarts(text)
    for text in (
        "[NX3+;H0]=[#6]-[#7X3+0;!H0]",
        "[nX3+;H0]:[#6]:[nX3+0;H1]",
    )
)


_CHARGED = Chem.MolFromSmarts("[!+0]")


def has_charges(molecule: Chem.Mol) -> bool:
    return molecule.HasSubstructMatch(_CHARGED)


def move_charges(molecule: Chem.Mol) -> Chem.Mol:
    """Takes the proton from the other nitrogen, the charge from this one."""
    if not any(map(molecule.HasSubstructMatch, _SHIFTED)):
        return molecule
    mol = Chem.RWMol(molecule)
    for query in _SHIFTED:
        match = mol.GetSubstructMatch(query)
        while match:
            charged, middle, donor = (mol.GetAtomWithIdx(index) for index in match)
            charged.SetFormalCharge(0)
            if not charged.GetIsAromatic():
                mol.GetBondBetweenAtoms(match[0], match[1]).SetBondType(Chem.BondType.SINGLE)
                mol.GetBondBetweenAtoms(match[1], match[2]).SetBondType(Chem.BondType.DOUBLE)
            hydrogens = donor.GetTotalNumHs() - 1
            donor.SetNoImplicit(True)
            donor.SetNumExplicitHs(hydrogens)
            Chem.SanitizeMol(mol)
            match = mol.GetSubstructMatch(query)
    return mol.GetMol()


# The cation of an amidine, guanidine or imidazole: a nitrogen that its charge is drawn on, the carbon, and another
# nitrogen that it may be drawn on as well.
_AMIDINIUM = tuple(
    Chem.MolFromSmarts(text)
    for text in (
        "[NX3+;!$([#7+]~[*-])]=[#6;A]-[NX3+0;A;!$(N=*)]",
        "[nX3+;!H0;r5]:[c;r5]:[nX3+0;!H0;r5]",
    )
)

# A nitrogen whose lone pair something else draws on.
_DRAWN = Chem.MolFromSmarts("[N;A;$(N-[!#6;!#1]),$(N-a),$(N-*=[O,S])]")


def _set_charge(mol: Chem.RWMol, nitrogen: int, carbon: int, charge: int) -> None:
    mol.GetAtomWithIdx(nitrogen).SetFormalCharge(charge)
    bond = mol.GetBondBetweenAtoms(nitrogen, carbon)
    if not bond.GetIsAromatic():
        bond.SetBondType(Chem.BondType.DOUBLE if charge else Chem.BondType.SINGLE)
        bond.SetStereo(Chem.BondStereo.STEREONONE)  # its bonds are all alike


def settle_amidinium(molecule: Chem.Mol) -> Chem.Mol:
    """Draws the charge of each amidinium, guanidinium and imidazolium on the nitrogen with most hydrogens, of these
    on one that nothing else draws on, of these in a ring: one cation has one SMILES and one structure, however its
    input draws it."""
    matches = [match for query in _AMIDINIUM for match in molecule.GetSubstructMatches(query, maxMatches=100000)]
    if not matches:
        return molecule
    mol = Chem.RWMol(molecule)
    ends: dict[int, set[int]] = {}
    for charged, carbon, other in matches:
        ends.setdefault(carbon, {charged}).add(other)
        _set_charge(mol, charged, carbon, 0)
    mol.UpdatePropertyCache(strict=False)
    ranks = Chem.CanonicalRankAtoms(mol, breakTies=False)
    drawn = {index for (index,) in molecule.GetSubstructMatches(_DRAWN, maxMatches=100000)}
    for carbon, nitrogens in ends.items():
        order = {
            end: (-molecule.GetAtomWithIdx(end).GetTotalNumHs(), end in drawn,
                  not molecule.GetBondBetweenAtoms(end, carbon).IsInRing(), ranks[end])
            for end in nitrogens
        }
        _set_charge(mol, min(order, key=order.__getitem__), carbon, 1)
    Chem.SanitizeMol(mol)
    return mol.GetMol()


# Ions whose charge is drawn on another atom than where its proton goes or comes from: amidates (also beside a nitrogen
# with its own charge: an amide drawn as a zwitterion), carbanions of carbonyls, amides with a proton on their oxygen.
_REDRAWN = tuple(
    Chem.MolFromSmarts(text)
    for text in (
        "[O-,S-;X1]-[#6;A]=[#7X2,#7X3+;A;!$([#7]-[#7,#8])]",
        "[#6-;X3;A;!$([#6-]~[+])]-[#6X3]=[OX1]",
        "[NX3+;!H0]=[#6;A]-[OX2H]",
    )
)
_AROMATIC_CARBANION = Chem.MolFromSmarts("[c-]:c=[OX1]")  # as RDKit has pyrazolidinediones


def redraw_ions(molecule: Chem.Mol) -> Chem.Mol:
    """The molecule with these charges on the pattern's last atom: the same ion, another drawing of it."""
    if not has_charges(molecule) or not any(map(molecule.HasSubstructMatch, (*_REDRAWN, _AROMATIC_CARBANION))):
        return molecule
    mol = Chem.RWMol(molecule)
    if molecule.HasSubstructMatch(_AROMATIC_CARBANION):
        Chem.Kekulize(mol, clearAromaticFlags=True)
    for query in _REDRAWN:
        match = mol.GetSubstructMatch(query)
        while match:
            charged, middle, end = (mol.GetAtomWithIdx(index) for index in match)
            for atom in (charged, end):
                atom.SetNumExplicitHs(atom.GetTotalNumHs())
                atom.SetNoImplicit(True)
            end.SetFormalCharge(end.GetFormalCharge() + charged.GetFormalCharge())
            charged.SetFormalCharge(0)
            bonds = [mol.GetBondBetweenAtoms(middle.GetIdx(), other.GetIdx()) for other in (charged, end)]
            orders = [bond.GetBondType() for bond in bonds]
            for bond, order in zip(bonds, reversed(orders)):
                bond.SetBondType(order)
                bond.SetStereo(Chem.BondStereo.STEREONONE)
            Chem.SanitizeMol(mol)
            match = mol.GetSubstructMatch(query)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def neutralise(molecule: Chem.Mol, kept: frozenset[int] = frozenset()) -> Chem.Mol:
    """Protons added to anions and taken from cations, as far as that goes; the rest stays, and what is kept."""
    if not has_charges(molecule):
        return molecule
    mol = Chem.RWMol(move_charges(molecule))
    sane = True  # a charge off the rings, at single bonds, changes nothing that sanitising finds
    for atom in mol.GetAtoms():
        charge, element = atom.GetFormalCharge(), atom.GetAtomicNum()
        if not charge or atom.GetIdx() in kept or atom.GetNumRadicalElectrons() or is_balanced(atom):
            continue
        sane = sane and has_single_bonds(atom) and not atom.IsInRing()
        if charge > 0 and element in (7, 8, 15, 16):
            for _ in range(min(charge, atom.GetTotalNumHs())):
                change_charge(atom, -1)
        elif charge < 0 and element in (6, 7, 8, 15, 16, 34) and atom.GetDegree() and valence.has_room(atom):
            for _ in range(-charge):
                change_charge(atom, +1)
    if not sane:
        Chem.SanitizeMol(mol)
    return mol.GetMol()
