"""Which atoms a molecule may have: how many bonds an element has at a charge, checked by a table of our own, since
RDKit's has changed from release to release; and a slip of the pen that has one meaning, mended."""
from __future__ import annotations

from rdkit import Chem

# By element and charge, the sums of bond orders, hydrogens among them, that an atom may have.  What is not here is
# refused, whatever the RDKit at hand makes of it; docs/preparation.md names this table to users.
_CHALCOGEN = {-2: (0,), -1: (1, 3, 5), 0: (2, 4, 6), 1: (3, 5), 2: (4,)}
_PNICTOGEN = {-3: (0,), -1: (2, 4, 6), 0: (3, 5), 1: (4,)}
_HALOGEN = {-1: (0,), 0: (1,), 1: (2,), 2: (3,), 3: (4,)}
_NOBLE = {0: (0,)}
ALLOWED = {
    "H": {-1: (0,), 0: (1,), 1: (0,)},
    "B": {-1: (4,), 0: (3,), 1: (2,)},
    "C": {-4: (0,), -1: (3,), 0: (4,), 1: (3,)},
    "Si": {-1: (3, 5), 0: (4,), 1: (3,)},
    "N": {-3: (0,), -1: (2,), 0: (3,), 1: (4,)},
    "P": _PNICTOGEN, "As": _PNICTOGEN,
    "O": {-2: (0,), -1: (1,), 0: (2,), 1: (3,)},
    "S": _CHALCOGEN, "Se": _CHALCOGEN, "Te": _CHALCOGEN,
    "F": {-1: (0,), 0: (1,)},
    "Cl": _HALOGEN, "Br": _HALOGEN,
    "I": {-1: (0, 2, 4), 0: (1, 3, 5), 1: (2, 4, 6), 2: (3, 5), 3: (4,)},
    "He": _NOBLE, "Ne": _NOBLE, "Ar": _NOBLE, "Kr": _NOBLE, "Xe": {0: (0, 2, 4, 6)},
}

MENDED = "an amidinium whose charge is drawn on its carbon is read with the charge on the nitrogen"


def name(atom: Chem.Atom) -> str:
    return f"atom {atom.GetIdx() + 1} ({atom.GetSymbol()})"


def _sum(atom: Chem.Atom) -> float:
    """Of the bond orders, hydrogens among them; each aromatic bond counts 1, the least that it can be."""
    return atom.GetTotalNumHs() + sum(
        1 if bond.GetBondType() == Chem.BondType.AROMATIC else bond.GetValenceContrib(atom) for bond in atom.GetBonds()
    )


def excess(atom: Chem.Atom) -> str:
    """Why an atom has more bonds than it can have; "": it has not, or it is a metal's."""
    known = ALLOWED.get(atom.GetSymbol())
    if known is None or atom.HasQuery():
        return ""
    sums = known.get(atom.GetFormalCharge())
    if sums is None:
        return f"{name(atom)} has a charge, {atom.GetFormalCharge():+d}, that it has in no molecule"
    return f"{name(atom)} has more bonds than its charge allows" if _sum(atom) > max(sums) else ""


def is_radical(atom: Chem.Atom) -> bool:
    """True for a nonmetal's atom without excess that has too few bonds."""
    known = ALLOWED.get(atom.GetSymbol())
    lacks = atom.GetNumRadicalElectrons() > 0
    if known and not any(bond.GetBondType() == Chem.BondType.AROMATIC for bond in atom.GetBonds()):
        lacks = _sum(atom) not in known[atom.GetFormalCharge()]
    return bool(known) and lacks


def has_room(atom: Chem.Atom) -> bool:
    """True for an anion's atom that can take a proton for each of its charges: not that of PF6-."""
    return _sum(atom) - atom.GetFormalCharge() <= max(ALLOWED[atom.GetSymbol()][0])


def _double_nitrogens(carbon: Chem.Atom) -> list[Chem.Atom]:
    """The neutral nitrogens to which a carbon has a double bond."""
    return [bond.GetOtherAtom(carbon) for bond in carbon.GetBonds()
            if bond.GetBondType() == Chem.BondType.DOUBLE and bond.GetOtherAtom(carbon).GetAtomicNum() == 7
            and not bond.GetOtherAtom(carbon).GetFormalCharge()]


def mend(molecule: Chem.Mol) -> bool:
    """Moves the charge of N=[C+]N, N=[CH+]N and their like to the nitrogen of the double bond, which takes a hydrogen;
    a carbon with five bonds loses its own.  True where there was one; hydrogens are to be counted anew."""
    found = False
    for atom in molecule.GetAtoms():
        if atom.GetAtomicNum() != 6 or atom.GetFormalCharge() != 1 or not 4 <= _sum(atom) <= 5:
            continue
        nitrogens = _double_nitrogens(atom)
        spare = int(_sum(atom)) - 4
        if len(nitrogens) != 1 or atom.GetNumExplicitHs() < spare:
            continue
        atom.SetFormalCharge(0)
        atom.SetNumExplicitHs(atom.GetNumExplicitHs() - spare)
        nitrogens[0].SetFormalCharge(1)
        if nitrogens[0].GetNoImplicit():
            nitrogens[0].SetNumExplicitHs(nitrogens[0].GetNumExplicitHs() + 1)
        found = True
    molecule.UpdatePropertyCache(strict=False)
    return found
