#!/usr/bin/env python3
"""generate.py COUNT > out.smi: COUNT different SMILES of small molecules, always the same: pieces of the first 5,000 of
NCI (Debian's rdkit-data), cut at single bonds outside rings, and put together anew in pairs."""
import random
import sys

from rdkit import Chem, RDConfig, RDLogger

SOURCE = f'{RDConfig.RDDataDir}/NCI/first_5K.smi'
CUT = Chem.MolFromSmarts('[#6]-&!@[#6,#7,#8,#16]')
LARGEST = 8  # heavy atoms of a piece
ORGANIC = {1, 6, 7, 8, 9, 16, 17, 35}


def pieces(molecule):
    """Fragments with one place where a carbon was cut off, or a carbon itself."""
    for match in molecule.GetSubstructMatches(CUT):
        bond = molecule.GetBondBetweenAtoms(*match).GetIdx()
        for part in Chem.GetMolFrags(Chem.FragmentOnBonds(molecule, [bond], dummyLabels=[(0, 0)]), asMols=True):
            if part.GetNumHeavyAtoms() <= LARGEST and all(atom.GetAtomicNum() in ORGANIC or not atom.GetAtomicNum()
                                                          for atom in part.GetAtoms()):
                yield Chem.MolToSmiles(part)


def join(first, second):
    """The molecule of two pieces, or None where heteroatoms would meet."""
    both = Chem.RWMol(Chem.CombineMols(first, second))
    places = [atom for atom in both.GetAtoms() if not atom.GetAtomicNum()]
    ends = [atom.GetNeighbors()[0] for atom in places]
    if len(places) != 2 or all(end.GetAtomicNum() != 6 for end in ends):
        return None
    both.AddBond(ends[0].GetIdx(), ends[1].GetIdx(), Chem.BondType.SINGLE)
    for place in sorted((atom.GetIdx() for atom in places), reverse=True):
        both.RemoveAtom(place)
    molecule = both.GetMol()
    return molecule if Chem.SanitizeMol(molecule, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE else None


def main():
    RDLogger.DisableLog('rdApp.*')
    found = set()
    with open(SOURCE) as file:
        for line in file:
            molecule = Chem.MolFromSmiles(line.split()[0])
            if molecule is not None:
                found.update(pieces(molecule))
    known = [Chem.MolFromSmiles(smiles) for smiles in sorted(found)]
    draw, seen = random.Random(1), set()
    while len(seen) < int(sys.argv[1]):
        molecule = join(draw.choice(known), draw.choice(known))
        smiles = molecule and Chem.MolToSmiles(molecule)
        if smiles and smiles not in seen:
            seen.add(smiles)
            print(smiles, f'g{len(seen)}', sep='\t')


main()
