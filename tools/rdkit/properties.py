"""What a buyer asks of a molecule, what it is like, and what it holds: columns and functions of `berth show`."""
import functools

from outcome import Failed
from rdkit import Chem


@functools.cache
def alerts(name):
    from rdkit.Chem.FilterCatalog import FilterCatalog, FilterCatalogParams

    return FilterCatalog(FilterCatalogParams(getattr(FilterCatalogParams.FilterCatalogs, name)))


@functools.cache
def calculations():
    """In the order of src/report/show_properties.c; a list to buy has all but the scaffold."""
    # No other request needs these, which take time to load.
    from rdkit.Chem import QED, Crippen, Descriptors, rdMolDescriptors

    def alert(name, molecule):
        found = alerts(name).GetFirstMatch(molecule)
        return found.GetDescription() if found else ""

    def scaffold(molecule):
        from rdkit.Chem.Scaffolds import MurckoScaffold

        return MurckoScaffold.MurckoScaffoldSmiles(mol=molecule)

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
        "scaffold": scaffold,
    }


@functools.cache
def uncharger():
    from rdkit.Chem.MolStandardize import rdMolStandardize

    return rdMolStandardize.Uncharger()


def properties(molecule, names):
    """Texts, of the molecule as vendors list it: neutral, and without a salt's other ion."""
    parts = Chem.GetMolFrags(molecule, asMols=True)
    largest = max(parts, key=lambda part: part.GetNumHeavyAtoms())
    neutral = uncharger().uncharge(largest)
    values = (calculations()[name](neutral) for name in names)
    return [value if isinstance(value, str) else f"{value:.5g}" for value in values]


def read(text):
    """The molecule; None where RDKit cannot read its SMILES."""
    molecule = Chem.MolFromSmiles(text)
    return molecule if molecule is not None and molecule.GetNumAtoms() > 0 else None


def run_properties(options, text):
    """Those of one molecule that options name, each behind a tab; nothing where its SMILES cannot be read."""
    molecule = read(text.decode())
    return ["".join(f"\t{value}" for value in properties(molecule, options["names"].split(",")))] if molecule else [""]


@functools.cache
def fingerprints():
    # No other request needs these, which take time to load.
    from rdkit.Chem import rdFingerprintGenerator

    return rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)


@functools.cache
def compared(what, text, read_it):
    """The molecule or pattern that molecules are compared with."""
    found = read_it(text)
    if not found or not found.GetNumAtoms():
        raise Failed(f"'{text}' is no {what}")
    return found


def run_similarity(options, text, other):
    """Tanimoto's similarity of Morgan fingerprints (radius 2) of two SMILES; empty where the first cannot be read."""
    from rdkit import DataStructs

    theirs = fingerprints().GetFingerprint(compared("SMILES", other.decode(), read))
    molecule = read(text.decode())
    return [f"{DataStructs.TanimotoSimilarity(fingerprints().GetFingerprint(molecule), theirs):.4g}" if molecule else ""]


def run_substructure(options, text, pattern):
    """1 where the molecule holds the SMARTS, else 0; empty where its SMILES cannot be read."""
    wanted = compared("SMARTS", pattern.decode(), Chem.MolFromSmarts)
    molecule = read(text.decode())
    return [str(int(molecule.HasSubstructMatch(wanted))) if molecule else ""]
