"""Molecules that differ from each other, the first ones first, with what a buyer asks of them."""
from properties import calculations, fingerprints, properties
from rdkit import Chem

ALIKE = 0.5  # Tanimoto's similarity from which on two molecules count as alike


def run(options, text):
    """A line for each that is chosen, tabs between its fields: its number among the lines of text, and its properties.
    One is chosen unless it is like one before (sphere exclusion): Morgan fingerprints of radius 2."""
    # No other request needs these, which take time to load.
    from rdkit import DataStructs

    names = [name for name in calculations() if name != "scaffold"]
    chosen, prints = [], []
    for number, smiles in enumerate(text.decode().split("\n")):
        molecule = Chem.MolFromSmiles(smiles) if smiles and len(chosen) < int(options["count"]) else None
        if molecule is None:
            continue
        mine = fingerprints().GetFingerprint(molecule)
        if all(likeness < ALIKE for likeness in DataStructs.BulkTanimotoSimilarity(mine, prints)):
            prints.append(mine)
            chosen.append("\t".join([str(number)] + properties(molecule, names)))
    return ["\n".join(chosen)]
