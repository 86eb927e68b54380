"""Molecules that differ from each other, the first ones first, with what a buyer asks of them."""
from rdkit import Chem

ALIKE = 0.5  # Tanimoto's similarity from which on two molecules count as alike


def properties(molecule, alerts):
    """In the order of BERTH_PROPERTIES (src/report/show_diverse.c)."""
    from rdkit.Chem import QED, Crippen, Descriptors, rdMolDescriptors

    alert = alerts.GetFirstMatch(molecule)
    numbers = (
        Descriptors.MolWt(molecule),
        Crippen.MolLogP(molecule),
        rdMolDescriptors.CalcNumHBD(molecule),
        rdMolDescriptors.CalcNumHBA(molecule),
        rdMolDescriptors.CalcTPSA(molecule),
        rdMolDescriptors.CalcNumRotatableBonds(molecule),
        QED.qed(molecule),
    )
    return [f"{number:.5g}" for number in numbers] + [alert.GetDescription() if alert else ""]


def run(options, text):
    """A line for each that is chosen, tabs between its fields: its number among the lines of text, and its properties.
    One is chosen unless it is like one before (sphere exclusion): Morgan fingerprints of radius 2."""
    # No other request needs these, which take time to load.
    from rdkit import DataStructs
    from rdkit.Chem import rdFingerprintGenerator
    from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams

    alerts = FilterCatalog(FilterCatalogParams(FilterCatalogParams.FilterCatalogs.PAINS))
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    chosen, prints = [], []
    for number, smiles in enumerate(text.decode().split("\n")):
        molecule = Chem.MolFromSmiles(smiles) if smiles and len(chosen) < int(options["count"]) else None
        if molecule is None:
            continue
        mine = generator.GetFingerprint(molecule)
        if all(likeness < ALIKE for likeness in DataStructs.BulkTanimotoSimilarity(mine, prints)):
            prints.append(mine)
            chosen.append("\t".join([str(number)] + properties(molecule, alerts)))
    return ["\n".join(chosen)]
