"""Mol2 (SYBYL) types of atoms and bonds, as Open Babel gives them; berth then puts them to the
convention of its forcefields (src/chem/type_rules.h)."""
import struct

from rdkit import Chem

from outcome import Failed

MOST = 65535  # atoms or bonds of a record

AMIDE = Chem.MolFromSmarts("[NX3][CX3]=[O,S;X1]")
GUANIDINE = Chem.MolFromSmarts("[#6X3+0](=[NX3+])([#7X3])[#7X3]")
CARBOXYLATE = Chem.MolFromSmarts("[OX1]~[#6X3]~[OX1-]")
NITRO = Chem.MolFromSmarts("[OX1]~[NX3+]~[OX1-]")
# conjugated with its lone pair: anilines, enamines, nitro groups
FLAT_NITROGEN = Chem.MolFromSmarts("[$([NX3;!+]-[#6;$([#6]=,:[*]),$(C#*)]),$([NX3]-[NX2]=*),$([NX3](=O)),$([N+](=O)[O-])]")


def matched(molecule, pattern, which=None):
    found = set()
    for match in molecule.GetSubstructMatches(pattern, uniquify=False, maxMatches=10000):
        found.update(match if which is None else (match[which],))
    return found


def is_double(bond):
    return bond.GetBondType() == Chem.BondType.DOUBLE


def carbon(atom, guanidine):
    bonds = atom.GetBonds()
    doubles = sum(is_double(bond) for bond in bonds)
    if atom.GetIsAromatic():
        return "C.ar"
    if atom.GetIdx() in guanidine:
        return "C.cat"
    if doubles > 1 or any(bond.GetBondType() == Chem.BondType.TRIPLE for bond in bonds):
        return "C.1"
    return "C.2" if doubles else "C.3"


def nitrogen(atom, flat, amide):
    bonds = atom.GetBonds()
    doubles = sum(is_double(bond) for bond in bonds)
    if atom.GetIsAromatic():
        return "N.ar"
    if atom.GetIdx() in amide:
        return "N.am"
    if doubles > 1 or any(bond.GetBondType() == Chem.BondType.TRIPLE for bond in bonds):
        return "N.1"
    if atom.GetIdx() in flat:
        return "N.pl3"
    if doubles:
        return "N.pl3" if atom.GetTotalDegree() == 3 else "N.2"
    return "N.4" if atom.GetTotalDegree() == 4 else "N.3"


def oxygen(atom, carboxylate, nitro):
    if atom.GetIdx() in carboxylate:
        return "O.co2"
    if atom.GetIdx() in nitro:
        return "O.2"  # both: which is drawn with the charge says nothing
    return "O.2" if atom.GetDegree() == 1 and any(map(is_double, atom.GetBonds())) else "O.3"


def sulfur(atom):
    oxygens = sum(is_double(bond) and bond.GetOtherAtom(atom).GetAtomicNum() == 8
                  for bond in atom.GetBonds())
    if oxygens:
        return "S.O" if oxygens == 1 else "S.O2"
    return "S.2" if any(map(is_double, atom.GetBonds())) else "S.3"


def atom_types(molecule):
    """A type for each atom of a molecule with all its hydrogens."""
    guanidine = matched(molecule, GUANIDINE, 0)
    flat = matched(molecule, FLAT_NITROGEN)
    amide = matched(molecule, AMIDE, 0)
    carboxylate, nitro = (matched(molecule, pattern, 0) | matched(molecule, pattern, 2)
                          for pattern in (CARBOXYLATE, NITRO))
    special = {
        6: lambda atom: carbon(atom, guanidine),
        7: lambda atom: nitrogen(atom, flat, amide),
        8: lambda atom: oxygen(atom, carboxylate, nitro),
        15: lambda atom: "P.3",
        16: sulfur,
    }
    return [special.get(atom.GetAtomicNum(), Chem.Atom.GetSymbol)(atom) for atom in molecule.GetAtoms()]


def bond_types(molecule):
    """A type for each bond, as records number them: 1, 2, 3, 4 (ar), 5 (am)."""
    amide = {frozenset(match[:2]) for match in molecule.GetSubstructMatches(AMIDE, uniquify=False)}
    numbers = {Chem.BondType.DOUBLE: 2, Chem.BondType.TRIPLE: 3, Chem.BondType.AROMATIC: 4}
    return [5 if frozenset((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())) in amide
            else numbers.get(bond.GetBondType(), 1) for bond in molecule.GetBonds()]


def pack_atoms(molecule, caps=()):
    """As src/prep/worker_molecule.h has them: element, formal charge and type of each; caps have no element."""
    return [struct.pack("<Bb6s", 0 if atom.GetIdx() in caps else atom.GetAtomicNum(), atom.GetFormalCharge(), kind.encode())
            for atom, kind in zip(molecule.GetAtoms(), atom_types(molecule))]


def pack_bonds(molecule, atoms=MOST):
    """As there, those between the first so many atoms: ends, order in a Kekulé structure and type."""
    kekule = Chem.Mol(molecule)
    Chem.Kekulize(kekule)
    orders = {Chem.BondType.DOUBLE: 2, Chem.BondType.TRIPLE: 3}
    return [struct.pack("<HHBB", bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), orders.get(bond.GetBondType(), 1), kind)
            for bond, kind in zip(kekule.GetBonds(), bond_types(molecule))
            if max(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) < atoms]


def record(molecule, structures):
    """The molecule as the same file has it, at the places of each structure (doubles)."""
    if max(molecule.GetNumAtoms(), molecule.GetNumBonds()) > MOST:
        raise Failed(f"more than {MOST} atoms")
    bonds = pack_bonds(molecule)
    return b"".join([struct.pack("<HHH", molecule.GetNumAtoms(), len(bonds), len(structures)), *pack_atoms(molecule),
                     *bonds, *structures])
