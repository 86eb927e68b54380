"""Protonation states at a pH, by the measured pKa's of functional groups.

A molecule is made neutral (but for charges that are drawn where no rule says anything: these stay), its groups are
found by the table of pka_rules.py, and each gets the pKa of its group, shifted by its neighbours.  A state says of each group whether it is
charged; it costs |pKa - pH| for every group that is not as it would be alone, and more or less for
every two charges near each other.  States that are the same molecule count as one.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional

from rdkit import Chem

import pka_rules
from charges import (
    change_charge, has_charges, has_single_bonds, is_balanced, move_charges, neutralise, redraw_ions, settle_amidinium
)
from nearby import Nearby

# States kept while the groups are gone through one by one: exact up to nine groups.
BEAM = 512

# A charge that the input has and that no proton can take away.
FIXED = "fixed"

# Two nitrogens of a ring that share the charge of its cation or anion, whichever has the hydrogen before.
SHARING = Chem.MolFromSmarts("[nX2;r5]:[c;r5]:[nX3;H1;r5]")

# What the first atom of a rule's SMARTS can be.
FIRST = Chem.MolFromSmarts("[#7,O!H0,S!H0,Se!H0]")


# Of what a site is, by the sign of the charge that it takes.
KINDS = {"base": +1, "acid": -1}


@dataclass(frozen=True)
class Rule:
    line: int  # of the table
    kind: str
    classes: tuple[str, ...]
    value: Optional[float]
    query: Optional[Chem.Mol]  # None where bonds is given
    bonds: int = 0


@dataclass(frozen=True)
class Rules:
    sites: dict[int, Rule]  # by their lines
    shifts: dict[int, Rule]
    shifting: dict[str, frozenset[int]]  # lines of the shifts of each class
    pairs: tuple[Rule, ...]
    inert: dict[str, tuple[Rule, ...]]  # of acids and bases that are drawn as ions
    nearby: Nearby  # which of the sites and shifts an atom may have


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
    if len(cells) != 5 or cells[0] not in ("base", "acid", "shift", "pair", "inert"):
        raise ValueError(f"protonation rules, line {number}: not five columns of a known kind")
    kind, classes, value, pattern, _ = cells
    bonds = int(pattern) if pattern.isdigit() else 0
    query = None if bonds else Chem.MolFromSmarts(pattern)
    if not bonds and query is None:
        raise ValueError(f"protonation rules, line {number}: '{pattern}' is no SMARTS")
    names = classes.split("+") if kind == "pair" else classes.split(",")
    return Rule(number, kind, tuple(names), None if value == "-" else float(value), query, bonds)


def parse_rules(text: str) -> Rules:
    """The table of rules; ValueError names the line that is wrong."""
    lines = {number: line for number, line in enumerate(text.splitlines(), 1) if line and not line.startswith("#")}
    rules = [_parse_rule(line, number) for number, line in lines.items()]
    shifts = {rule.line: rule for rule in rules if rule.kind == "shift"}
    classes = {name for rule in shifts.values() for name in rule.classes}
    return Rules(
        {rule.line: rule for rule in rules if rule.kind in KINDS},
        shifts,
        {name: frozenset(line for line, rule in shifts.items() if name in rule.classes) for name in classes},
        tuple(rule for rule in rules if rule.kind == "pair"),
        {kind: tuple(rule for rule in rules if rule.kind == "inert" and rule.classes == (kind,)) for kind in KINDS},
        Nearby({rule.line: lines[rule.line].split()[3] for rule in rules if rule.kind in (*KINDS, "shift")}),
    )


def _matches(mol: Chem.Mol, query: Chem.Mol) -> Iterable[tuple[int, ...]]:
    return mol.GetSubstructMatches(query, uniquify=False, maxMatches=100000)


# --- Sites


def _decided(mol: Chem.Mol, rules: Rules, possible: dict[int, frozenset[int]]) -> dict[tuple[str, int], Rule]:
    """The rule of a group by its kind and atom: the first that matches; possible are the lines of those that may."""
    decided: dict[tuple[str, int], Rule] = {}
    for line in sorted(rules.sites.keys() & frozenset().union(*possible.values())):
        rule = rules.sites[line]
        if any(line in lines and (rule.kind, atom) not in decided for atom, lines in possible.items()):
            for match in _matches(mol, rule.query):
                decided.setdefault((rule.kind, match[0]), rule)
    return decided


def _shifts(
    mol: Chem.Mol, rules: Rules, possible: dict[int, frozenset[int]], groups: set[tuple[str, int]]
) -> dict[tuple[str, int], float]:
    """The sum of shifts for each of these classes and atoms."""
    sums: dict[tuple[str, int], float] = {}
    none: frozenset[int] = frozenset()
    for line in sorted(none.union(*(possible[atom] & rules.shifting.get(group, none) for group, atom in groups))):
        rule = rules.shifts[line]
        ways = {(match[0], frozenset(match)) for match in _matches(mol, rule.query)}
        for atom, _ in ways:
            for group in rule.classes:
                sums[group, atom] = sums.get((group, atom), 0.0) + (rule.value or 0.0)
    return sums


def _is_site(atom: Chem.Atom, rule: Rule) -> bool:
    return (rule.value is not None and not atom.GetFormalCharge() and not atom.GetNumRadicalElectrons()
            and (rule.kind != "acid" or atom.GetTotalNumHs() > 0))


def find_sites(mol: Chem.Mol, rules: Rules) -> list[Site]:
    """The groups of a neutral molecule that take or give a proton, in the order of its atoms."""
    possible = {index: rules.nearby.possible(mol, mol.GetAtomWithIdx(index)) for (index,) in _matches(mol, FIRST)}
    decided = {(index, kind): rule for (kind, index), rule in _decided(mol, rules, possible).items()
               if _is_site(mol.GetAtomWithIdx(index), rule)}
    shifts = _shifts(mol, rules, possible, {(rule.classes[0], index) for (index, _), rule in decided.items()})
    sites = []
    for (index, kind), rule in sorted(decided.items(), key=lambda item: item[0]):
        group = rule.classes[0]
        pka = (rule.value or 0.0) + shifts.get((group, index), 0.0)
        sites.append(Site(index, 1 if kind == "base" else -1, kind, group, pka))
    return sites


def _unknown(molecule: Chem.Mol, neutral: Chem.Mol, rules: Rules) -> frozenset[int]:
    """The atoms whose charge neutral has taken away, and of which no rule says that it may."""
    asked = {index: rules.nearby.possible(neutral, neutral.GetAtomWithIdx(index)) for (index,) in _matches(neutral, FIRST)}
    told = _decided(neutral, rules, asked)
    found: set[int] = set()
    for kind, charge in KINDS.items():
        ions = {atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetFormalCharge() * charge > 0
                and atom.GetFormalCharge() != neutral.GetAtomWithIdx(atom.GetIdx()).GetFormalCharge()
                and (kind, atom.GetIdx()) not in told}
        for rule in rules.inert[kind]:
            if ions:
                ions -= {match[0] for match in _matches(neutral, rule.query)}
        found |= ions
    return frozenset(found)


def ground_state(molecule: Chem.Mol, rules: Rules) -> tuple[Chem.Mol, frozenset[int]]:
    """What is titrated: the molecule without its charges but for those that no proton can take away, and those that
    are drawn where no rule says anything; and the atoms of these."""
    drawn = move_charges(redraw_ions(molecule))
    kept: frozenset[int] = frozenset()
    while True:
        neutral = neutralise(drawn, kept)
        unknown = _unknown(drawn, neutral, rules) if neutral is not drawn else kept
        if unknown <= kept:
            return neutral, kept
        kept |= unknown


def _fixed_sites(mol: Chem.Mol) -> list[Site]:
    if not has_charges(mol):
        return []
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
        self._mol, self._rules = mol, rules.pairs
        self._pairs: dict[int, set[tuple[int, int]]] = {}  # that rules with SMARTS match, by their lines
        self._others = {match[end]: match[2 - end] for match in _matches(mol, SHARING) for end in (0, 2)}

    def _bonds(self, first: Site, second: Site) -> int:
        """Between the nearest atoms of theirs: tautomers have one ion, and so one distance."""
        ends = [(site.atom, self._others.get(site.atom, site.atom)) for site in (first, second)]
        return int(min(1000, *(self._distances[one][other] for one in ends[0] for other in ends[1])))

    def _applies(self, rule: Rule, ends: tuple[int, int], bonds: int) -> bool:
        if not rule.query:
            return bonds == rule.bonds
        if rule.line not in self._pairs:
            self._pairs[rule.line] = {(match[0], match[-1]) for match in _matches(self._mol, rule.query)}
        return ends in self._pairs[rule.line] or ends[::-1] in self._pairs[rule.line]

    def between(self, first: Site, second: Site) -> float:
        bonds = self._bonds(first, second)
        for rule in self._rules:
            if not (self._names(rule, first, second) or self._names(rule, second, first)):
                continue
            if self._applies(rule, (first.atom, second.atom), bonds):
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
    fixed = _fixed_sites(mol)
    coupling = _Coupling(mol, rules) if len(sites) + len(fixed) > 1 else None  # which one alone never asks
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


def _keeps_rings(atom: Chem.Atom, site: Site) -> bool:
    """True where the site's charge changes nothing that sanitising finds: neither which rings are aromatic nor how
    bonds are drawn."""
    return has_single_bonds(atom) and (site.kind == "base" or not atom.IsInRing())


def _apply(neutral: Chem.Mol, sites: list[Site], charged: tuple[bool, ...]) -> Chem.Mol:
    if not any(charged):
        return neutral
    mol = Chem.RWMol(neutral)
    sane = True
    for site, on in zip(sites, charged):
        if on:
            atom = mol.GetAtomWithIdx(site.atom)
            change_charge(atom, site.charge)
            sane = sane and _keeps_rings(atom, site)
            for bond in atom.GetBonds():
                if site.group.endswith(("guanidine", "amidine")) and bond.GetBondTypeAsDouble() == 2:
                    bond.SetStereo(Chem.BondStereo.STEREONONE)  # the cation's bonds are all alike
    if not sane:
        Chem.SanitizeMol(mol)
    return mol.GetMol()


class _Titration:
    """A molecule's sites and the states of them, the likeliest first, each with its share of all."""

    def __init__(self, molecule: Chem.Mol, rules: Rules, ph: float) -> None:
        self._neutral, _ = ground_state(molecule, rules)
        self._sites = find_sites(self._neutral, rules)
        self._drafts = _drafts(self._neutral, self._sites, rules, ph)
        weights = [10.0 ** (self._drafts[0].cost - draft.cost) for draft in self._drafts]
        total = sum(weights)
        self.shares = [weight / total for weight in weights]

    def state(self, number: int) -> Chem.Mol:
        return settle_amidinium(_apply(self._neutral, self._sites, self._drafts[number].charged))

    def ranked(self, count: int) -> list[State]:
        """The count most populated molecules: states that are the same one count together."""
        states: dict[str, State] = {}
        for number, share in enumerate(self.shares):
            # far behind what is asked for: not worth a molecule
            if share < 1e-4 and len(states) >= count:
                break
            mol = self.state(number)
            smiles = Chem.MolToSmiles(mol)
            known = states.get(smiles, State(mol, smiles, 0.0))
            states[smiles] = State(known.molecule, smiles, known.population + share)
        return sorted(states.values(), key=lambda state: (-state.population, state.smiles))[:count]


def protomers(molecule: Chem.Mol, rules: Rules, ph: float, count: int = 1) -> list[State]:
    """The count most populated states at the pH, the first one first; at least one.

    The molecule has its hydrogens implicit.  Populations are shares of all states.
    """
    return _Titration(molecule, rules, ph).ranked(count)


RULES = parse_rules(pka_rules.TABLE)


def states(molecule: Chem.Mol, options: dict[str, str]) -> list[tuple[Chem.Mol, float | None]]:
    """The molecule in the `protomers` likeliest states at `ph`, each with its population where several are asked for:
    those of `min_population` at least, and the first one.  `ph` absent: as it is, but for where the charge of an
    amidinium is drawn."""
    if "ph" not in options:
        return [(settle_amidinium(molecule), None)]
    titration = _Titration(molecule, RULES, float(options["ph"]))
    count = int(options.get("protomers", "1"))
    if count == 1 and titration.shares[0] > 0.51:  # more than half: whatever the others are together
        return [(titration.state(0), None)]
    least = float(options.get("min_population", "0"))
    found = titration.ranked(count)
    return [
        (state.molecule, state.population if count > 1 else None)
        for state in found if state is found[0] or state.population >= least
    ]


def remark(molecule: Chem.Mol, options: dict[str, str]) -> str:
    """What is to be said where a charge stays as it is drawn; "": nothing."""
    if "ph" not in options or not has_charges(molecule) or not ground_state(molecule, RULES)[1]:
        return ""
    return "a charge stays as it is drawn: no pKa is known of its group (`berth lib ls --full` shows what is docked)"
