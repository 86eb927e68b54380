"""Molecules that differ from each other, the first ones first, with what a buyer asks of them."""
import functools

from rdkit import Chem

ALIKE = 0.5  # Tanimoto's similarity from which on two molecules count as alike


@functools.cache
def alerts(name):
    from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams

    return FilterCatalog(FilterCatalogParams(getattr(FilterCatalogParams.FilterCatalogs, name)))


@functools.cache
def calculations():
    """In the order of BERTH_PROPERTIES (src/report/show_diverse.c)."""
    # No other request needs these, which take time to load.
    from rdkit.Chem import QED, Crippen, Descriptors, rdMolDescriptors

    def alert(name, molecule):
        found = alerts(name).GetFirstMatch(molecule)
        return found.GetDescription() if found else ""

    return {
        "mw": Descriptors.MolWt,
        "logp": Crippen.MolLogP,
        "donors": rdMolDescriptors.CalcNumHBD,
        "acceptors": rdMolDescriptors.CalcNumHBA,
        "tpsa": rdMolDescriptors.CalcTPSA,
        "rotatable_bonds": rdMolDescriptors.CalcNumRotatableBonds,
        "qed": QED.qed,
        "pains": functools.partial(alert, "PAINS"),
        "brenk": functools.partial(alert, "BRENK"),
    }


def properties(molecule, names):
    """Texts, of the molecule as vendors list it: neutral, and without a salt's other ion."""
    from rdkit.Chem.MolStandardize import rdMolStandardize

    parts = Chem.GetMolFrags(molecule, asMols=True)
    largest = max(parts, key=lambda part: part.GetNumHeavyAtoms())
    neutral = rdMolStandardize.Uncharger().uncharge(largest)
    values = (calculations()[name](neutral) for name in names)
    return [value if isinstance(value, str) else f"{value:.5g}" for value in values]


def run_properties(options, text):
    """Those of one molecule that options name, tabs between them; empty where its SMILES cannot be read."""
    molecule = Chem.MolFromSmiles(text.decode())
    good = molecule is not None and molecule.GetNumAtoms() > 0
    return ["\t".join(properties(molecule, options["names"].split(","))) if good else ""]


def run(options, text):
    """A line for each that is chosen, tabs between its fields: its number among the lines of text, and its properties.
    One is chosen unless it is like one before (sphere exclusion): Morgan fingerprints of radius 2."""
    # No other request needs these, which take time to load.
    from rdkit import DataStructs
    from rdkit.Chem import rdFingerprintGenerator

    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    chosen, prints = [], []
    for number, smiles in enumerate(text.decode().split("\n")):
        molecule = Chem.MolFromSmiles(smiles) if smiles and len(chosen) < int(options["count"]) else None
        if molecule is None:
            continue
        mine = generator.GetFingerprint(molecule)
        if all(likeness < ALIKE for likeness in DataStructs.BulkTanimotoSimilarity(mine, prints)):
            prints.append(mine)
            chosen.append("\t".join([str(number)] + properties(molecule, calculations())))
    return ["\n".join(chosen)]
