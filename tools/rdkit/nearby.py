"""Which of many SMARTS can match from an atom on, told by that atom and its neighbours: most cannot, and each that is
asked for costs as much as a look at these.

What a pattern says of its first atom and of that one's neighbours, recursive SMARTS left out, is tried once on each
surrounding; surroundings that are alike, and there are few, share what came out.
"""
from __future__ import annotations

from rdkit import Chem


def _end_of(smarts: str, begin: int) -> int:
    """Behind the parenthesis that closes the one at begin."""
    depth = 0
    for at in range(begin, len(smarts)):
        depth += (smarts[at] == "(") - (smarts[at] == ")")
        if not depth:
            return at + 1
    return len(smarts)


def _relaxed(smarts: str) -> str:
    """The pattern with any atom where a recursive SMARTS stands, or the negation of one."""
    begin = smarts.find("$(")
    if begin < 0:
        return smarts
    before = smarts[:begin - 1] if smarts[:begin].endswith("!") else smarts[:begin]
    return before + "*" + _relaxed(smarts[_end_of(smarts, begin + 1):])


def star(smarts: str) -> Chem.Mol:
    """What a pattern says of its first atom and the neighbours of that."""
    query = Chem.RWMol(Chem.MolFromSmarts(_relaxed(smarts)))
    near = {0, *(other.GetIdx() for other in query.GetAtomWithIdx(0).GetNeighbors())}
    for atom in reversed(range(query.GetNumAtoms())):
        if atom not in near:
            query.RemoveAtom(atom)
    for begin, end in [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in query.GetBonds()]:
        if begin and end:
            query.RemoveBond(begin, end)
    return query.GetMol()


class Nearby:
    """Patterns by their numbers.  They may say of the atoms that are looked at: element, aromaticity, X, H, charge, R
    and r; of bonds to the first atom their order."""

    def __init__(self, patterns: dict[int, str]) -> None:
        self._stars: dict[str, tuple[Chem.Mol, set[int]]] = {}  # many patterns share theirs
        self._known: dict[tuple, frozenset[int]] = {}
        for number, smarts in patterns.items():
            query = star(smarts)
            self._stars.setdefault(Chem.MolToSmarts(query), (query, set()))[1].add(number)

    def possible(self, mol: Chem.Mol, atom: Chem.Atom) -> frozenset[int]:
        """The numbers of patterns that may match with this atom as their first."""
        rings = mol.GetRingInfo()

        def kind(one: Chem.Atom) -> tuple:
            return (one.GetAtomicNum(), one.GetIsAromatic(), one.GetTotalDegree(), one.GetTotalNumHs(True),
                    one.GetFormalCharge(), rings.MinAtomRingSize(one.GetIdx()))

        around = sorted((bond.GetBondType(), kind(bond.GetOtherAtom(atom))) for bond in atom.GetBonds())
        key = (kind(atom), *around)
        if key not in self._known:
            self._known[key] = self._tried(mol, atom.GetIdx())
        return self._known[key]

    def _tried(self, mol: Chem.Mol, atom: int) -> frozenset[int]:
        found: set[int] = set()
        for query, numbers in self._stars.values():
            if any(match[0] == atom for match in mol.GetSubstructMatches(query, uniquify=False, maxMatches=100000)):
                found |= numbers
        return frozenset(found)
