"""From a record's text to a molecule that can be a ligand, or the reason why it is none."""
from __future__ import annotations

from typing import Optional

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

from outcome import Failed

# Elements that form the bonds distance geometry and MMFF94 know about; all others are metals here.
NONMETALS = frozenset(
    "H He B C N O F Ne Si P S Cl Ar As Se Br Kr Te I Xe".split()
)

# Of two parts of a record, the smaller is more than a counterion from this share of heavy atoms on.
MIXTURE = 0.5


def _problem(molecule: Chem.Mol) -> Optional[str]:
    """What sanitising would stumble over, in words; None where it would not."""
    for problem in Chem.DetectChemistryProblems(molecule):
        if problem.GetType() == "AtomValenceException":
            atom = molecule.GetAtomWithIdx(problem.GetAtomIdx())
            return f"atom {atom.GetIdx() + 1} ({atom.GetSymbol()}) has more bonds than its charge allows"
        if problem.GetType() == "KekulizeException":
            numbers = ", ".join(str(index + 1) for index in problem.GetAtomIndices())
            return (f"atoms {numbers} are aromatic, and no single and double bonds are possible for "
                    "them: a hydrogen or a charge is missing")
        return " ".join(problem.Message().split())
    return None


def read_molecule(kind: bytes, data: bytes) -> Chem.Mol:
    """The record's molecule, sanitised, hydrogens implicit; kind is `smi` or `sdf`."""
    is_smiles = kind == b"smi"
    text = data.decode("utf-8", "replace")
    text = text.strip() if is_smiles else text
    molecule = Chem.MolFromSmiles(text) if is_smiles else Chem.MolFromMolBlock(text)
    if molecule is None:
        raw = (Chem.MolFromSmiles(text, sanitize=False) if is_smiles
               else Chem.MolFromMolBlock(text, sanitize=False, removeHs=False))
        wrong = "no valid SMILES" if is_smiles else "no SDF record that could be read"
        raise Failed(wrong if raw is None else _problem(raw) or "RDKit cannot read it")
    if molecule.GetNumAtoms() == 0:
        raise Failed("an empty molecule")
    return molecule


def _heavy_share(fragment: Chem.Mol) -> tuple[bool, int, float, str]:
    """Whether it is organic, how large it is; last what makes the choice the same for any order."""
    organic = any(atom.GetAtomicNum() == 6 for atom in fragment.GetAtoms())
    mass = round(rdMolDescriptors.CalcExactMolWt(fragment), 3)
    return organic, fragment.GetNumHeavyAtoms(), mass, Chem.MolToSmiles(fragment)


def largest_fragment(molecule: Chem.Mol) -> tuple[Chem.Mol, str]:
    """The largest organic part (of several with as many heavy atoms the heaviest), and a remark."""
    parts = sorted(
        ((_heavy_share(part), part) for part in Chem.GetMolFrags(molecule, asMols=True)),
        key=lambda item: item[0],
        reverse=True,
    )
    key, part = parts[0]
    others = [other for other, _ in parts[1:] if other[3] != key[3]]
    if others and others[0][0] and others[0][1] > MIXTURE * key[1]:
        return part, "a mixture, of which the largest molecule is taken"
    return part, ""


def check(molecule: Chem.Mol) -> None:
    """Fails for what has no structure that could be built or docked."""
    for atom in molecule.GetAtoms():
        name = f"atom {atom.GetIdx() + 1} ({atom.GetSymbol()})"
        if atom.GetAtomicNum() == 0 or atom.HasQuery():
            raise Failed(f"{name} is a placeholder (R group, attachment point or query), no atom")
        if atom.GetSymbol() in NONMETALS:
            if atom.GetNumRadicalElectrons():
                raise Failed(f"{name} is a radical: it lacks a hydrogen, a bond or a charge")
        elif atom.GetDegree():
            raise Failed(f"a metal complex: {name} has bonds, whose geometry is not known; "
                         "give its 3D structure, with hydrogens, as Mol2")


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


def read(kind: bytes, data: bytes) -> tuple[Chem.Mol, str]:
    """The ligand of a record, and a remark for the user ("": none)."""
    molecule, remark = largest_fragment(without_isotopes(read_molecule(kind, data)))
    check(molecule)
    return molecule, remark
