"""read_mol2.py WANTED.smi WRITTEN.mol2: RDKit must read each molecule of the Mol2 file as the SMILES of its name."""
from __future__ import annotations

import sys

from rdkit import Chem


def smiles_of(molecule: Chem.Mol | None) -> str:
    return Chem.CanonSmiles(Chem.MolToSmiles(molecule, isomericSmiles=False)) if molecule else "unreadable"


with open(sys.argv[1]) as lines:
    wanted = {name: smiles_of(Chem.MolFromSmiles(smiles)) for smiles, name in map(str.split, lines)}
with open(sys.argv[2]) as text:
    blocks = text.read().split("@<TRIPOS>MOLECULE")[1:]
wrong = 0
for block in blocks:
    name = block.split()[0]
    got = smiles_of(Chem.MolFromMol2Block("@<TRIPOS>MOLECULE" + block))
    if got != wanted[name]:
        print(f"{name}: {got}, not {wanted[name]}")
        wrong += 1
missing = wanted.keys() - {block.split()[0] for block in blocks}
if missing:
    print("not written:", *sorted(missing))
sys.exit(bool(wrong or missing))
