"""From a record's text to a molecule that can be a ligand, or the reason why it is none."""
from __future__ import annotations

import re
from typing import Optional

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors, rdqueries

import groups
import valence
from outcome import Failed
from valence import name as _name

# Elements whose bonds are covalent; all others are metals here.
NONMETALS = frozenset(
    "H He B C N O F Ne Si P S Cl Ar As Se Br Kr Te I Xe".split()
)

# Metals that form covalent molecules, with so many bonds: their geometry follows from that.
COVALENT = {"Hg": 2, "Ge": 4, "Sn": 4, "Pb": 4, "Sb": 3, "Bi": 3}

# Metals whose bonds to oxygen, nitrogen, sulfur and halogens are salts, however they are drawn.
IONIC = frozenset("Li Na K Rb Cs Mg Ca Sr Ba".split())

# What else makes salts, of acids with one group.  A charge elsewhere than on such an acid binds a metal, and so do two
# nitrogens or phosphines that have none; all but sodium and its like are bound by porphyrins and aminopolycarboxylates.
SALTS = frozenset("Al Mn Fe Co Ni Cu Zn Ag Cd Sn Pb Bi".split())
ALKALI = frozenset("Li Na K Rb Cs".split())
_ACID = Chem.MolFromSmarts("[OX2H,OX1-]-[C,S,P]=O")
_BINDS = Chem.MolFromSmarts("[$([#7,#6,#16,#15;-;!$(*~[+])]),$([OX1-]-[!$(C=O);!$(S=O);!$(P=O)]),"
                            "$([C;r5;X4]1C=CC=C1)]")
_DONATES = Chem.MolFromSmarts("[$([#7X3;+0;A;!$(N-[C,S]=[O,S]);!$(N-[c,$(C=C)])]),$([nX2]),$([NX2]=C),$([#15X3])]")
_CHELATES = tuple(map(Chem.MolFromSmarts, ("[#7;-;R].[#7;-;R]", "[NX3](C-C(=O)[OX2H,OX1-])C-C(=O)[OX2H,OX1-]")))

HEAVIEST = 92  # uranium: the last element of ligands

# Of two parts of a record, the smaller is more than a counterion from this share of heavy atoms on.
MIXTURE = 0.5

# What nearly all atoms of drugs are, by element, charge and sum of bond orders: no check here refuses or changes these.
_COMMON = "#6+0v4,#7+0v3,#7+1v4,#8+0v2,#8-1v1,#16+0v2,#16+0v4,#16+0v6,#9+0v1,#17+0v1,#35+0v1"
_UNCOMMON = Chem.MolFromSmarts(f"[!$([0*;{_COMMON}])]")
_RADICAL = rdqueries.NumRadicalElectronsGreaterQueryAtom(0)


def _is_covalent(atom: Chem.Atom) -> bool:
    """True for a metal's atom that is as those of covalent molecules are."""
    bonds = atom.GetBonds()
    return (len(bonds) == COVALENT.get(atom.GetSymbol()) and not atom.GetFormalCharge()
            and all(bond.GetBondType() == Chem.BondType.SINGLE for bond in bonds)
            and not (atom.GetSymbol() == "Hg" and any(bond.IsInRing() for bond in bonds))
            and all(bond.GetOtherAtom(atom).GetFormalCharge() <= 0 for bond in bonds))


def _check_metals(molecule: Chem.Mol) -> None:
    """Fails for complexes, whose geometry is not known."""
    Chem.FastFindRings(molecule)
    for atom in molecule.GetAtoms():
        if atom.GetAtomicNum() and atom.GetSymbol() not in NONMETALS and atom.GetDegree() and not _is_covalent(atom):
            raise Failed(f"a metal complex: {_name(atom)} has bonds, whose geometry is not known; "
                         "give its 3D structure, with hydrogens, as Mol2")


def _is_salt(atom: Chem.Atom) -> bool:
    """True for a metal's atom that is drawn as if a salt were a molecule."""
    return (atom.GetSymbol() in IONIC and atom.GetDegree() > 0 and not atom.GetFormalCharge() and not atom.IsInRing()
            and all(bond.GetBondType() == Chem.BondType.SINGLE and bond.GetOtherAtom(atom).GetAtomicNum() not in (1, 6)
                    and bond.GetOtherAtom(atom).GetFormalCharge() <= 0 for bond in atom.GetBonds()))


def without_salts(molecule: Chem.Mol) -> Chem.Mol:
    """The molecule with the bonds of salts taken apart: O-Na is an anion and a cation."""
    salts = [atom.GetIdx() for atom in molecule.GetAtoms() if _is_salt(atom)]
    if not salts:
        return molecule
    mol = Chem.RWMol(molecule)
    for metal in map(mol.GetAtomWithIdx, salts):
        anions = metal.GetNeighbors()
        for anion in anions:
            mol.RemoveBond(metal.GetIdx(), anion.GetIdx())
            anion.SetFormalCharge(anion.GetFormalCharge() - 1)
        metal.SetFormalCharge(len(anions))
    Chem.SanitizeMol(mol)
    return mol.GetMol()


def _problem(molecule: Chem.Mol) -> Optional[str]:
    """What sanitising would stumble over, in words; None where it would not."""
    for problem in Chem.DetectChemistryProblems(molecule):
        if problem.GetType() == "AtomValenceException":
            atom = molecule.GetAtomWithIdx(problem.GetAtomIdx())
            return f"{_name(atom)} has more bonds than its charge allows"
        if problem.GetType() == "KekulizeException":
            numbers = ", ".join(str(index + 1) for index in problem.GetAtomIndices())
            return (f"atoms {numbers} are aromatic, and no single and double bonds are possible for "
                    "them: a hydrogen or a charge is missing")
        return " ".join(problem.Message().split())
    return None


def without_queries(block: str) -> str:
    """A molfile without its column of hydrogen counts (V3000: HCOUNT), which PDBbind's files fill: what asks for
    hydrogens in a query says nothing of a molecule that bonds and charges do not."""
    lines = block.split("\n")
    if len(lines) > 3 and "V3000" in lines[3]:
        return re.sub(r"(?m)^(M  V30 [0-9].*?) HCOUNT=-?[0-9]+", r"\1", block)
    count = lines[3][:3].strip() if len(lines) > 3 else ""
    for number in range(4, min(4 + int(count), len(lines)) if count.isdigit() else 4):
        line = lines[number]
        if line[42:45].strip() not in ("", "0"):
            lines[number] = f"{line[:42]}  0{line[45:]}"
    return "\n".join(lines)


def molfile(text: str, **options: bool) -> Optional[Chem.Mol]:
    """What RDKit reads of an SDF record's molfile; None where it cannot."""
    return Chem.MolFromMolBlock(without_queries(text), **options)


def _parse(is_smiles: bool, text: str) -> Chem.Mol:
    """What the record says, not sanitised, hydrogens counted."""
    raw = (Chem.MolFromSmiles(text, sanitize=False) if is_smiles
           else molfile(text, sanitize=False, removeHs=False))
    if raw is None:
        bare, bar, more = text.partition(" |")
        if is_smiles and bar and Chem.MolFromSmiles(bare, sanitize=False) is not None:
            raise Failed(f"its CXSMILES extension (|{more}) cannot be read: correct it, or leave it out")
        raise Failed("no valid SMILES" if is_smiles else "no SDF record that could be read")
    Chem.SanitizeMol(raw, sanitizeOps=Chem.SanitizeFlags.SANITIZE_CLEANUP)  # nitro groups with five bonds and the like
    raw.UpdatePropertyCache(strict=False)
    return raw


def _sanitised(is_smiles: bool, raw: Chem.Mol) -> Chem.Mol:
    """A molecule that was mended, as RDKit gives one that it has read."""
    Chem.SanitizeMol(raw)
    if not is_smiles:
        Chem.DetectBondStereochemistry(raw, -1)
    molecule = Chem.RemoveHs(raw)
    Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
    return molecule


def without_maps(molecule: Chem.Mol) -> Chem.Mol:
    """Numbers that map atoms to those of a reaction tell no isomers apart."""
    mapped = [atom for atom in molecule.GetAtoms() if atom.GetAtomMapNum()]
    for atom in mapped:
        atom.SetAtomMapNum(0)
    if mapped:
        molecule.ClearComputedProps(includeRings=False)
        Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
    return molecule


def _check_labels(molecule: Chem.Mol) -> None:
    """Fails where an atom stands for a group, as its label says ("OMe" in CXSMILES)."""
    for atom in molecule.GetAtoms():
        label = atom.GetProp("atomLabel") if atom.HasProp("atomLabel") else ""
        if label and atom.GetAtomicNum() and not re.fullmatch(f"{atom.GetSymbol()}H?[0-9]*[+-]*", label):
            raise Failed(f"{_name(atom)} is an abbreviation, '{label}': draw it out")


def _check_aromatic(molecule: Chem.Mol) -> None:
    """Fails where a bond is aromatic and in no ring: RDKit leaves it without an order."""
    Chem.FastFindRings(molecule)
    for bond in molecule.GetBonds():
        if bond.GetBondType() == Chem.BondType.AROMATIC and not bond.IsInRing():
            raise Failed(f"the bond of {_name(bond.GetBeginAtom())} and {_name(bond.GetEndAtom())} is aromatic, "
                         "and in no ring: make it single or double")


def read_molecule(kind: bytes, data: bytes) -> tuple[Chem.Mol, str]:
    """The record's molecule, sanitised, hydrogens implicit, and what was mended; kind is `smi` or `sdf`."""
    is_smiles = kind == b"smi"
    text = data.decode("utf-8", "replace")
    text = text.strip() if is_smiles else text
    raw = _parse(is_smiles, text)
    mended = valence.mend(raw)
    excess = next(filter(None, map(valence.excess, raw.GetAtoms())), None)
    if excess:
        _check_metals(raw)
        raise Failed(excess)
    _check_labels(raw)
    _check_aromatic(raw)
    if mended:
        return groups.read(without_maps(_sanitised(is_smiles, raw)), text if is_smiles else ""), valence.MENDED
    molecule = Chem.MolFromSmiles(text) if is_smiles else molfile(text)
    if molecule is None:
        _check_metals(raw)
        raise Failed(_problem(raw) or "RDKit cannot read it")
    if molecule.GetNumAtoms() == 0:
        raise Failed("an empty molecule")
    return groups.read(without_maps(molecule), text if is_smiles else ""), ""


def _heavy_share(fragment: Chem.Mol) -> tuple[bool, int, float, str]:
    """Whether it is organic, how large it is; last what makes the choice the same for any order."""
    organic = any(atom.GetAtomicNum() == 6 for atom in fragment.GetAtoms())
    mass = round(rdMolDescriptors.CalcExactMolWt(fragment), 3)
    return organic, fragment.GetNumHeavyAtoms(), mass, Chem.MolToSmiles(fragment)


def _is_metal(atom: Chem.Atom) -> bool:
    return bool(atom.GetAtomicNum()) and atom.GetSymbol() not in NONMETALS


def _is_counterion(metal: Chem.Atom, parts: list[Chem.Mol]) -> bool:
    """True for a metal of a salt, by its other parts; False where these bind it, as far as can be told of ions."""
    def each(query: Chem.Mol) -> list[int]:
        return [len(part.GetSubstructMatches(query)) for part in parts]

    if metal.GetSymbol() in IONIC:
        return metal.GetSymbol() in ALKALI or not any(any(each(query)) for query in _CHELATES)
    if all(part.GetNumAtoms() == 1 and part.GetAtomWithIdx(0).GetAtomicNum() in (8, 9, 17, 35, 53) for part in parts):
        return True
    acids, binds, donates = each(_ACID), sum(each(_BINDS)), sum(each(_DONATES))
    return not (any(acids) or binds or donates) or (
        metal.GetSymbol() in SALTS and max(acids) <= 1 and not binds and donates < 2)


def _refuse_complexes(parts: list[Chem.Mol]) -> None:
    """Fails for complexes that are drawn as ions, or as a part beside another: what is left without the metal is
    another molecule."""
    for part in parts:
        others = [other for other in parts if other is not part and not any(map(_is_metal, other.GetAtoms()))]
        for metal in filter(_is_metal, part.GetAtoms()):
            alone = metal.GetDegree() == 0
            binds = any(other.GetAtomicNum() in (6, 7, 15, 16) for other in part.GetAtoms())
            bound = not alone and not _is_covalent(metal) and (
                binds or metal.GetSymbol() not in SALTS | IONIC)
            if bound or (alone and not _is_counterion(metal, others)):
                raise Failed(f"a metal complex drawn as {'ions' if alone else 'parts'}: {metal.GetSymbol()} and what "
                             "binds it belong together, and their geometry is not known; give its 3D structure, with "
                             "hydrogens, as Mol2, or the ligand alone if that is meant")


def largest_fragment(molecule: Chem.Mol) -> tuple[Chem.Mol, str]:
    """The largest organic part (of several with as many heavy atoms the heaviest), and a remark.  Fails where no
    part is more than an ion or a solvent's one atom: one that is meant is given by itself."""
    if len(Chem.GetMolFrags(molecule)) == 1:
        return molecule, ""
    fragments = Chem.GetMolFrags(molecule, asMols=True)
    _refuse_complexes(fragments)
    parts = sorted(
        ((_heavy_share(part), part) for part in fragments),
        key=lambda item: item[0],
        reverse=True,
    )
    key, part = parts[0]
    if not key[0] and key[1] <= 1:
        raise Failed("only ions and solvent of one heavy atom: no molecule is left without the salt; "
                     "give alone what is to be docked")
    others = [other for other, _ in parts[1:] if other[3] != key[3]]
    if others and others[0][0] and others[0][1] > MIXTURE * key[1]:
        return part, "a mixture, of which the largest molecule is taken"
    return part, ""


def check_atoms(molecule: Chem.Mol) -> None:
    """Fails for what is no atom, or none that is known."""
    for atom in molecule.GetAtoms():
        name = _name(atom)
        if atom.GetAtomicNum() == 0:
            raise Failed(f"{name} is a placeholder (R group, attachment point or query), no atom")
        if atom.HasQuery():
            raise Failed(f"{name} is a query (a list of elements, or what asks for substitution or ring bonds), no atom")
        if atom.GetAtomicNum() > HEAVIEST:
            raise Failed(f"{name}: berth knows the elements up to uranium")


def check(molecule: Chem.Mol) -> None:
    """Fails for what has no structure that could be built or docked."""
    check_atoms(molecule)
    for atom in molecule.GetAtoms():
        if valence.is_radical(atom):
            raise Failed(f"{_name(atom)} is a radical: it lacks a hydrogen, a bond or a charge")
    _check_metals(molecule)


def without_isotopes(molecule: Chem.Mol) -> Chem.Mol:
    """Deuterium is hydrogen and carbon-13 carbon: no energy here depends on it."""
    if not any(atom.GetIsotope() for atom in molecule.GetAtoms()):
        return molecule
    mol = Chem.RWMol(molecule)
    for atom in mol.GetAtoms():
        atom.SetIsotope(0)
    mol = Chem.RemoveHs(mol)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol


def _read_common(data: bytes) -> Optional[Chem.Mol]:
    """The molecule of SMILES where nothing is to be checked or mended; None where read_molecule is to look at them.
    What follows a bar may ask for queries, a colon may map atoms, and RDKit loses the charge of a hydrogen that has a
    bond."""
    if any(sign in data for sign in (b"|", b":", b"[H+", b"[H-")):
        return None
    molecule = Chem.MolFromSmiles(data.decode("utf-8", "replace").strip())
    common = (molecule is not None and molecule.GetNumAtoms() and not molecule.HasSubstructMatch(_UNCOMMON)
              and not len(molecule.GetAtomsMatchingQuery(_RADICAL)))
    return molecule if common else None


def read(kind: bytes, data: bytes) -> tuple[Chem.Mol, str]:
    """The ligand of a record, and remarks for the user ("": none; several are lines)."""
    common = _read_common(data) if kind == b"smi" else None
    if common is not None:
        return largest_fragment(common)
    whole, mended = read_molecule(kind, data)
    molecule, remark = largest_fragment(without_salts(without_isotopes(whole)))
    check(molecule)
    return molecule, "\n".join(filter(None, (mended, remark)))
