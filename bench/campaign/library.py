#!/usr/bin/env python3
"""library.py COUNT [SEED] > out.smi: COUNT different products of RDKit's reactions on building blocks, always the same of
a seed.  Blocks are molecules of the first 5,000 of NCI (Debian's rdkit-data) that have a group once; half of the
acids are drawn out by one or two amino acids."""
import random
import sys

from rdkit import Chem, RDConfig, RDLogger
from rdkit.Chem import AllChem

SOURCE = f'{RDConfig.RDDataDir}/NCI/first_5K.smi'
LARGEST = 17  # heavy atoms of a block
ORGANIC = {1, 6, 7, 8, 9, 16, 17, 35}
ACID, AMINE = '[CX3:1](=O)[OX2H1]', '[NX3;H2,H1;!$(N[C,S]=[O,S,N]);!$(N[#7,#8]):2]'
GROUPS = {'acid': ACID, 'amine': AMINE, 'alcohol': '[OX2H1;$(O[CX4,c])]', 'carbonyl': '[CX3;$(C([#6])[#6]),$([CH1][#6])]=[OX1]'}
REACTIONS = [(3, 'acid', 'amine', f'{ACID}.{AMINE}>>[C:1](=O)[N:2]'),
             (1, 'amine', 'amine', f'{AMINE.replace(":2", ":1")}.{AMINE}>>[N:1]C(=O)[N:2]'),
             (1, 'acid', 'alcohol', f'{ACID}.[OX2H1;$(O[CX4,c]):2]>>[C:1](=O)[O:2]'),
             (1, 'carbonyl', 'amine', f'[CX3;$(C([#6])[#6]),$([CH1][#6]):1]=[OX1].{AMINE}>>[C:1][N:2]')]
MIDDLES = ['NCC(=O)O', 'N[C@@H](C)C(=O)O', 'N1CCC[C@H]1C(=O)O', 'NCCC(=O)O', 'N[C@@H](CC(C)C)C(=O)O', 'Nc1cccc(C(=O)O)c1',
           'Nc1ccc(C(=O)O)cc1', 'N1CCC(CC1)C(=O)O', 'N[C@@H](Cc1ccccc1)C(=O)O', 'N1CC(C1)C(=O)O', 'NCc1ccc(C(=O)O)cc1']


def find_blocks():
    """Building blocks by the one group that they have."""
    patterns = {name: Chem.MolFromSmarts(text) for name, text in GROUPS.items()}
    blocks = {name: {} for name in GROUPS}
    for line in open(SOURCE):
        molecule = Chem.MolFromSmiles(line.split()[0])
        if molecule is None or '.' in line.split()[0] or not 3 <= molecule.GetNumHeavyAtoms() <= LARGEST or any(
                atom.GetAtomicNum() not in ORGANIC or atom.GetFormalCharge() or atom.GetNumRadicalElectrons() for atom in molecule.GetAtoms()):
            continue
        counts = {name: len(molecule.GetSubstructMatches(pattern)) for name, pattern in patterns.items()}
        if sum(counts.values()) == 1:
            name = max(counts, key=counts.get)
            blocks[name].setdefault(Chem.MolToSmiles(molecule), molecule)
    return {name: [found[key] for key in sorted(found)] for name, found in blocks.items()}


def react(reaction, first, second):
    """The first product, or None."""
    for products in reaction.RunReactants((first, second)):
        product = products[0]
        if Chem.SanitizeMol(product, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE:
            return product
    return None


def main():
    RDLogger.DisableLog('rdApp.*')
    blocks, draw, seen = find_blocks(), random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1), set()
    print({name: len(found) for name, found in blocks.items()}, file=sys.stderr)
    reactions = [(first, second, AllChem.ReactionFromSmarts(text)) for _, first, second, text in REACTIONS]
    middles = [Chem.MolFromSmiles(text) for text in MIDDLES]
    while len(seen) < int(sys.argv[1]):
        first, second, reaction = draw.choices(reactions, [weight for weight, *_ in REACTIONS])[0]
        left, right = draw.choice(blocks[first]), draw.choice(blocks[second])
        for middle in draw.choices(middles, k=draw.choice((0, 0, 0, 1, 1, 2))) if first == 'acid' else []:
            left = left and react(reactions[0][2], left, middle)
        product = left and react(reaction, left, right)
        smiles = product and Chem.MolToSmiles(product)
        if smiles and smiles not in seen:
            seen.add(smiles)
            print(smiles, f'p{len(seen)}', sep='\t')


main()
