"""Mol2 (SYBYL) types of atoms and bonds, as Open Babel gives them; berth then puts them to the
convention of its forcefields (src/chem/type_rules.h)."""
from rdkit import Chem

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
    """A type for each bond: 1, 2, 3, ar, am."""
    amide = {frozenset(match[:2]) for match in molecule.GetSubstructMatches(AMIDE, uniquify=False)}
    names = {Chem.BondType.SINGLE: "1", Chem.BondType.DOUBLE: "2", Chem.BondType.TRIPLE: "3",
             Chem.BondType.AROMATIC: "ar"}
    return ["am" if frozenset((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())) in amide
            else names.get(bond.GetBondType(), "1") for bond in molecule.GetBonds()]


def mol2(molecule, conformer):
    """The molecule as Mol2, where the conformer has its atoms."""
    lines = ["@<TRIPOS>MOLECULE", "x",
             f"{molecule.GetNumAtoms()} {molecule.GetNumBonds()} 1 0 0", "SMALL", "NO_CHARGES", "",
             "@<TRIPOS>ATOM"]
    place = conformer.GetAtomPosition
    for atom, kind in zip(molecule.GetAtoms(), atom_types(molecule)):
        at = place(atom.GetIdx())
        lines.append(f"{atom.GetIdx() + 1} {atom.GetSymbol()} {at.x:.4f} {at.y:.4f} {at.z:.4f} {kind} 1 UNL1 0")
    lines.append("@<TRIPOS>BOND")
    for bond, kind in zip(molecule.GetBonds(), bond_types(molecule)):
        lines.append(f"{bond.GetIdx() + 1} {bond.GetBeginAtomIdx() + 1} {bond.GetEndAtomIdx() + 1} {kind}")
    return "\n".join(lines) + "\n"


def orders(molecule):
    """What Mol2 does not say: the order of each bond in a Kekulé structure, and the formal charge of each atom, a byte
    each."""
    kekule = Chem.Mol(molecule)
    Chem.Kekulize(kekule)
    known = {Chem.BondType.DOUBLE: 2, Chem.BondType.TRIPLE: 3}
    return [bytes(known.get(bond.GetBondType(), 1) for bond in kekule.GetBonds()),
            bytes(atom.GetFormalCharge() & 255 for atom in kekule.GetAtoms())]
