"""Protonation states at a pH, by the measured pKa's of functional groups.

A molecule is made neutral, its groups are found by the table of pka_rules.py, and
each gets the pKa of its group, shifted by its neighbours.  A state says of each group whether it is
charged; it costs |pKa - pH| for every group that is not as it would be alone, and more or less for
every two charges near each other.  States that are the same molecule count as one.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional

from rdkit import Chem

import pka_rules
from charges import change_charge, is_balanced, neutralise

# States kept while the groups are gone through one by one: exact up to nine groups.
BEAM = 512

# A charge that the input has and that no proton can take away.
FIXED = "fixed"


@dataclass(frozen=True)
class Rule:
    kind: str
    classes: tuple[str, ...]
    value: Optional[float]
    query: Optional[Chem.Mol]  # None where bonds is given
    bonds: int = 0


@dataclass(frozen=True)
class Rules:
    sites: tuple[Rule, ...]
    shifts: tuple[Rule, ...]
    pairs: tuple[Rule, ...]


@dataclass(frozen=True)
class Site:
    atom: int
    charge: int  # that it takes: +1 a base, -1 an acid
    kind: str
    group: str
    pka: float


@dataclass(frozen=True)
class State:
    molecule: Chem.Mol
    smiles: str
    population: float


@dataclass(frozen=True)
class _Draft:
    """Some sites decided: the cost in pKa units and which of them are charged."""

    cost: float
    charged: tuple[bool, ...]


def _parse_rule(line: str, number: int) -> Rule:
    cells = line.split(None, 4)
    if len(cells) != 5 or cells[0] not in ("base", "acid", "shift", "pair"):
        raise ValueError(f"protonation rules, line {number}: not five columns of a known kind")
    kind, classes, value, pattern, _ = cells
    bonds = int(pattern) if pattern.isdigit() else 0
    query = None if bonds else Chem.MolFromSmarts(pattern)
    if not bonds and query is None:
        raise ValueError(f"protonation rules, line {number}: '{pattern}' is no SMARTS")
    names = classes.split("+") if kind == "pair" else classes.split(",")
    return Rule(kind, tuple(names), None if value == "-" else float(value), query, bonds)


def parse_rules(text: str) -> Rules:
    """The table of rules; ValueError names the line that is wrong."""
    rules = [
        _parse_rule(line, number)
        for number, line in enumerate(text.splitlines(), 1)
        if line and not line.startswith("#")
    ]
    return Rules(
        tuple(rule for rule in rules if rule.kind in ("base", "acid")),
        tuple(rule for rule in rules if rule.kind == "shift"),
        tuple(rule for rule in rules if rule.kind == "pair"),
    )


def _matches(mol: Chem.Mol, query: Chem.Mol) -> Iterable[tuple[int, ...]]:
    return mol.GetSubstructMatches(query, uniquify=False, maxMatches=100000)


# --- Sites


def _shifts(mol: Chem.Mol, rules: Rules) -> dict[tuple[str, int], float]:
    """The sum of shifts for each class and atom."""
    sums: dict[tuple[str, int], float] = {}
    for rule in rules.shifts:
        ways = {(match[0], frozenset(match)) for match in _matches(mol, rule.query)}
        for atom, _ in ways:
            for group in rule.classes:
                sums[group, atom] = sums.get((group, atom), 0.0) + (rule.value or 0.0)
    return sums


def find_sites(mol: Chem.Mol, rules: Rules) -> list[Site]:
    """The groups of a neutral molecule that take or give a proton, in the order of its atoms."""
    decided: dict[tuple[str, int], Rule] = {}
    for rule in rules.sites:
        for match in _matches(mol, rule.query):
            decided.setdefault((rule.kind, match[0]), rule)
    shifts = _shifts(mol, rules)
    sites = []
    for (kind, index), rule in sorted(decided.items(), key=lambda item: (item[0][1], item[0][0])):
        atom = mol.GetAtomWithIdx(index)
        if rule.value is None or atom.GetFormalCharge() or atom.GetNumRadicalElectrons():
            continue
        if kind == "acid" and not atom.GetTotalNumHs():
            continue
        group = rule.classes[0]
        pka = rule.value + shifts.get((group, index), 0.0)
        sites.append(Site(index, 1 if kind == "base" else -1, kind, group, pka))
    return sites


def _fixed_sites(mol: Chem.Mol) -> list[Site]:
    return [
        Site(atom.GetIdx(), charge, "base" if charge > 0 else "acid", FIXED, 0.0)
        for atom in mol.GetAtoms()
        for charge in (atom.GetFormalCharge(),)
        if charge and not is_balanced(atom)
    ]


# --- How sites feel each other


class _Coupling:
    """What two charges cost each other, by the rules for pairs."""

    def __init__(self, mol: Chem.Mol, rules: Rules) -> None:
        self._distances = Chem.GetDistanceMatrix(mol)
        self._rules = [
            (rule, {(match[0], match[-1]) for match in _matches(mol, rule.query)} if rule.query else None)
            for rule in rules.pairs
        ]

    def between(self, first: Site, second: Site) -> float:
        bonds = int(min(self._distances[first.atom][second.atom], 1000))
        for rule, pairs in self._rules:
            if not (self._names(rule, first, second) or self._names(rule, second, first)):
                continue
            ends = (first.atom, second.atom)
            if (ends in pairs or ends[::-1] in pairs) if pairs is not None else bonds == rule.bonds:
                return (rule.value or 0.0) * (1 if first.charge * second.charge > 0 else -1)
        return 0.0

    @staticmethod
    def _names(rule: Rule, first: Site, second: Site) -> bool:
        a, b = rule.classes
        return a in (first.kind, first.group) and b in (second.kind, second.group)


def _costs(site: Site, ph: float) -> float:
    """Of being charged, against not, in pKa units."""
    return ph - site.pka if site.charge > 0 else site.pka - ph


def _drafts(mol: Chem.Mol, sites: list[Site], rules: Rules, ph: float) -> list[_Draft]:
    coupling = _Coupling(mol, rules)
    fixed = _fixed_sites(mol)
    drafts = [_Draft(0.0, ())]
    for number, site in enumerate(sites):
        own = _costs(site, ph) + sum(coupling.between(site, other) for other in fixed)
        with_others = [coupling.between(site, other) for other in sites[:number]]
        grown = []
        for draft in drafts:
            cost = own + sum(value for value, on in zip(with_others, draft.charged) if on)
            grown.append(_Draft(draft.cost, draft.charged + (False,)))
            grown.append(_Draft(draft.cost + cost, draft.charged + (True,)))
        grown.sort(key=lambda draft: (draft.cost, draft.charged))
        drafts = grown[:BEAM]
    return drafts


# --- States


def _apply(neutral: Chem.Mol, sites: list[Site], charged: tuple[bool, ...]) -> Chem.Mol:
    mol = Chem.RWMol(neutral)
    for site, on in zip(sites, charged):
        if on:
            atom = mol.GetAtomWithIdx(site.atom)
            change_charge(atom, site.charge)
            for bond in atom.GetBonds():
                if site.group.endswith(("guanidine", "amidine")) and bond.GetBondTypeAsDouble() == 2:
                    bond.SetStereo(Chem.BondStereo.STEREONONE)  # the cation's bonds are all alike
    Chem.SanitizeMol(mol)
    return mol.GetMol()


def protomers(molecule: Chem.Mol, rules: Rules, ph: float, count: int = 1) -> list[State]:
    """The count most populated states at the pH, the first one first; at least one.

    The molecule has its hydrogens implicit.  Populations are shares of all states.
    """
    neutral = neutralise(molecule)
    sites = find_sites(neutral, rules)
    drafts = _drafts(neutral, sites, rules, ph)
    lowest = drafts[0].cost
    weights = [10.0 ** (lowest - draft.cost) for draft in drafts]
    total = sum(weights)
    states: dict[str, State] = {}
    for draft, weight in zip(drafts, weights):
        # far behind what is asked for: not worth a molecule
        if weight < 1e-4 * total and len(states) >= count:
            break
        mol = _apply(neutral, sites, draft.charged)
        smiles = Chem.MolToSmiles(mol)
        known = states.get(smiles, State(mol, smiles, 0.0))
        states[smiles] = State(known.molecule, smiles, known.population + weight / total)
    ranked = sorted(states.values(), key=lambda state: (-state.population, state.smiles))
    return ranked[:count]


RULES = parse_rules(pka_rules.TABLE)


def states(molecule: Chem.Mol, options: dict[str, str]) -> list[Chem.Mol]:
    """The molecule in the `protomers` likeliest states at `ph`; `ph` absent: as it is."""
    if "ph" not in options:
        return [molecule]
    found = protomers(molecule, RULES, float(options["ph"]), int(options.get("protomers", "1")))
    return [state.molecule for state in found]
