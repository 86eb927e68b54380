"""Patterns that molecules must not hold: lines `SMARTS NAME`, '#' comments."""
from rdkit import Chem

from outcome import Dropped, Failed

known = {}  # by their text


def read(text):
    """Pairs of a pattern and its name."""
    if text in known:
        return known[text]
    pairs = []
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        smarts, name = (line.split(None, 1) + ["", ""])[:2]
        if smarts and not smarts.startswith("#"):
            pattern = Chem.MolFromSmarts(smarts, mergeHs=True)
            if pattern is None:
                raise Failed(f"line {number}: '{smarts}' is no SMARTS")
            pairs.append((pattern, name.strip() or smarts))
    return known.setdefault(text, pairs)


def check(options, text):
    """How many patterns there are."""
    return [str(len(read(text)))]


def refuse(molecule, text):
    for pattern, name in read(text):
        if molecule.HasSubstructMatch(pattern):
            raise Dropped(f"it holds {name} (--exclude)")
