"""Patterns, as SMARTS: those that molecules must not hold, lines `SMARTS NAME` with '#' comments, and where a molecule
has one."""
import functools
import re
import struct

from rdkit import Chem

from outcome import Dropped, Failed

known = {}  # by their text

WAYS = 65535  # of a pattern in a molecule, at most

# What a molecule that is sent says nothing of, so that RDKit would silently find none, or all.
UNKNOWN = re.compile(r"[/\\^]|(?<![RT])h|\[[^\[\]()]*@|\[!?[0-9]")

ORDERS = (Chem.BondType.ZERO, Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE)


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


def read_alone(text):
    """One pattern, whose atoms are heavy.  Hydrogens inside $(...) are counted."""
    if text in known:
        return known[text]
    smarts = text.decode("utf-8", "replace")
    if UNKNOWN.search(smarts):
        raise Failed("stereo, isotopes, hybridisation (^) and implicit hydrogens (h) are not matched: leave them out, or "
                     "count all hydrogens (H)")
    pattern = Chem.MolFromSmarts(smarts)
    if pattern is None or not pattern.GetNumAtoms():
        raise Failed("RDKit cannot read it: a bracket, branch, ring or bond is not ended, or a symbol is not known")
    for atom in pattern.GetAtoms():
        if atom.GetAtomicNum() == 1:
            raise Failed(f"its atom {atom.GetIdx() + 1} is a hydrogen, which is counted at the atom that has it ([O;H1]), "
                         "and is no atom of a match (but in $(...))")
    return known.setdefault(text, Chem.MolFromSmarts(smarts, mergeHs=True))


def run_read(options, text):
    """The labels of a pattern's atoms."""
    return [b"".join(struct.pack("<H", atom.GetAtomMapNum()) for atom in read_alone(text).GetAtoms())]


@functools.lru_cache(maxsize=1000)
def atom_of(element, charge, hydrogens, aromatic):
    atom = Chem.Atom(element)
    atom.SetFormalCharge(charge)
    atom.SetNumExplicitHs(hydrogens)
    atom.SetNoImplicit(True)
    atom.SetIsAromatic(bool(aromatic))
    return atom


@functools.lru_cache(maxsize=1)  # of a ligand several patterns may be asked
def molecule_of(record):
    """The heavy atoms and bonds that berth sends (src/prep/patterns.c), as it has them: nothing is perceived."""
    atoms, bonds = struct.unpack_from("<HH", record)
    molecule = Chem.RWMol()
    for atom in struct.iter_unpack("<BbBB", record[4:4 + 4 * atoms]):
        molecule.AddAtom(atom_of(*atom))
    for first, second, order, aromatic in struct.iter_unpack("<HHBB", record[4 + 4 * atoms:]):
        number = molecule.AddBond(first, second, Chem.BondType.AROMATIC if aromatic else ORDERS[order])
        if aromatic:
            molecule.GetBondWithIdx(number - 1).SetIsAromatic(True)
    molecule.UpdatePropertyCache(False)
    Chem.GetSymmSSSR(molecule)
    return molecule


def in_order(matches, pattern, molecule):
    """Matches by their first atom, then by which of its neighbours the next is, so that they do not depend on how
    RDKit looks for them."""
    befores = [min((other.GetIdx() for other in atom.GetNeighbors() if other.GetIdx() < atom.GetIdx()), default=None)
               for atom in pattern.GetAtoms()]
    ranks = [{other.GetIdx(): rank for rank, other in enumerate(atom.GetNeighbors())} for atom in molecule.GetAtoms()]
    return sorted(matches, key=lambda match: [atom if before is None else ranks[match[before]][atom]
                                              for before, atom in zip(befores, match)])


def run_match(options, text, record):
    """All matches, atom by atom."""
    pattern, molecule = read_alone(text), molecule_of(record)
    matches = molecule.GetSubstructMatches(pattern, uniquify=False, maxMatches=WAYS)
    if len(matches) == WAYS:
        raise Failed(f"matches the molecule in too many ways ({WAYS}); let it say more of its atoms, or have fewer of them")
    if len(matches) > 1:
        matches = in_order(matches, pattern, molecule)
    return [struct.pack(f"<{len(matches) * pattern.GetNumAtoms()}H", *(atom for match in matches for atom in match))]
