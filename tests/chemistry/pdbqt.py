"""Writes a molecule as a PDBQT ligand, its atoms in another order than its SMILES has: SMILES NAME
[remark] [bend]; remark: with Meeko's REMARK SMILES; bend: with atoms moved by up to 0.35 A."""
import random
import sys

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers

smiles, name, *how = sys.argv[1:]
mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
rdDistGeom.EmbedMolecule(mol, randomSeed=1)
rdForceFieldHelpers.MMFFOptimizeMolecule(mol)
draw = random.Random(1)
order = [atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1][::-1]
lines = [f"REMARK  Name = {name}"]
if "remark" in how:
    lines.append(f"REMARK SMILES {smiles}")
    pairs = [f"{atom + 1} {order.index(atom) + 1}" for atom in sorted(order)]
    for i in range(0, len(pairs), 6):
        lines.append("REMARK SMILES IDX " + " ".join(pairs[i : i + 6]))
lines.append("ROOT")
polar = [atom.GetIdx() for atom in mol.GetAtoms()
         if atom.GetAtomicNum() == 1 and atom.GetNeighbors()[0].GetAtomicNum() != 6]
for serial, index in enumerate(order + polar, 1):
    atom = mol.GetAtomWithIdx(index)
    at = [value + ("bend" in how and draw.uniform(-0.35, 0.35)) for value in mol.GetConformer().GetAtomPosition(index)]
    symbol = atom.GetSymbol()
    kind = {"H": "HD", "O": "OA"}.get(symbol, "A" if symbol == "C" and atom.GetIsAromatic() else symbol)
    lines.append(f"ATOM  {serial:5d}  {symbol:3s} LIG A   1    {at[0]:8.3f}{at[1]:8.3f}{at[2]:8.3f}"
                 f"  1.00  0.00     0.000 {kind:2s}")
print("\n".join(lines + ["ENDROOT", "TORSDOF 0"]))
