"""Protonation against measured pKa's: run by tests/cli/test_chemistry.sh.

What the pKa's of a molecule are by the rules is read off its titration: the pH at which its mean
charge passes a half.
"""
from __future__ import annotations

import os
import sys
import unittest

from rdkit import Chem, RDLogger

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "rdkit"))

import protonate  # noqa: E402

RDLogger.DisableLog("rdApp.*")

# pKa units: what a rule of groups may be off by, for the groups and for drugs made of several.
GROUP_ERROR, DRUG_ERROR = 0.8, 1.5

# With the hydrogen on either nitrogen, for each shift that one of the two could miss.
TAUTOMERS = [
    ("Cc1nc[nH]c1CNC(C)=O", "Cc1[nH]cnc1CNC(C)=O"),
    ("Cc1[nH]c[nH+]c1CN(C)C(=O)c1cn2c3c(cccc13)SCC2", "Cc1nc[nH]c1CN(C)C(=O)c1cn2c3c(cccc13)SCC2"),
    ("CNC(=O)[C@H](Cc1c[nH]cn1)NC(C)=O", "CNC(=O)[C@H](Cc1cnc[nH]1)NC(C)=O"),
    ("N[C@@H](Cc1c[nH]cn1)C(=O)O", "N[C@@H](Cc1cnc[nH]1)C(=O)O"),
    *((f"{group}c1c[nH]cn1", f"{group}c1cnc[nH]1")
      for group in ("c1ccccc1-", "OC(=O)C=C", "N", "CC(=O)N", "Br", "[O-][N+](=O)", "COC(=O)", "CS(=O)(=O)",
                    "FC(F)(F)", "CS", "N#C")),
    *((f"{group}c1ccc2[nH]cnc2c1", f"{group}c1ccc2nc[nH]c2c1") for group in ("Cl", "CC(=O)", "[O-][N+](=O)")),
    *((f"{group}c1cccc2[nH]cnc12", f"{group}c1cccc2nc[nH]c12") for group in ("Cl", "CC(=O)", "[O-][N+](=O)")),
    *((f"{group}c1nc[nH]n1", f"{group}c1ncn[nH]1") for group in ("Cl", "N#C")),
    ("Cc1cc(O)no1", "Cc1cc(=O)[nH]o1"),
    ("Nc1ncnc2[nH]cnc12", "Nc1ncnc2nc[nH]c12"),
    ("Cn1c(=O)c2[nH]cnc2n(C)c1=O", "Cn1c(=O)c2nc[nH]c2n(C)c1=O"),
]

# Ways to draw one cation, neutral or charged, and how it is docked.
CATIONS = [
    ("CCN=C(N)N CCNC(N)=N CC[NH+]=C(N)N CCNC(N)=[NH2+]", "CCNC(N)=[NH2+]"),
    ("CN=C(N)C CNC(C)=N C/N=C(\\N)C C[NH+]=C(C)N", "CNC(C)=[NH2+]"),
    ("CN=C(NCC)C CNC(=NCC)C C[NH+]=C(NCC)C CNC(=[NH+]CC)C", "CCNC(C)=[NH+]C"),
    ("Clc1cccc(Cl)c1NC1=NCCN1 Clc1cccc(Cl)c1N=C1NCCN1 Clc1cccc(Cl)c1[NH+]=C1NCCN1", "Clc1cccc(Cl)c1NC1=[NH+]CCN1"),
    ("C[N+](C)=CN CN(C)C=[NH2+]", "CN(C)C=[NH2+]"),
    ("Cc1cnc[nH]1 Cc1c[nH]cn1 Cc1c[nH+]c[nH]1 Cc1c[nH]c[nH+]1", "Cc1c[nH+]c[nH]1"),
]

# Ions as they are drawn, and as they are docked at pH 7.4: where no rule says anything, as drawn; where two drawings
# of one ion are given, alike.
IONS = [
    ("CCOP([O-])(=S)OCC CCOP(=O)([S-])OCC", None),  # the charge is drawn on O or S, and stays there
    ("CS(=O)(=N)[O-] C[S-]=O [O-]Sc1ccccc1 [Te-]c1ccccc1 N#C[N-]C#N N#C[N-]c1ccccc1 N#CC(C#N)=N[O-]", None),
    ("[O-]c1nc(C)ns1 N#C[C-](C#N)C#N C=C(C)[O-] C[Se](=O)[O-] [Se-]CCC [O-]Oc1ccccc1 CN([O-])N=O", None),
    ("Brc1nc(Br)c(Br)[n-]1 CC(=[NH2+])OC C[PH+](C)C CN1C=CC=CC1=[NH2+]", None),
    ("CC[O-]", "CCO"),
    ("C[Si](C)(C)[O-]", "C[Si](C)(C)O"),
    ("CC(=O)[N-]c1ccccc1 CC([O-])=Nc1ccccc1", "CC(=O)Nc1ccccc1"),
    ("CC([O-])=[NH+]C CC(O)=[NH+]C", "CNC(C)=O"),
    ("[n-]1cccc1", "c1cc[nH]c1"),
    ("CC(=O)[NH3+] CC(N)=[OH+]", "CC(N)=O"),
    ("c1co[nH+]c1", "c1cnoc1"),
    ("C[OH+]C", "COC"),
    ("[O-]C1=NS(=O)(=O)c2ccccc12 O=C1[N-]S(=O)(=O)c2ccccc21", "O=C1[N-]S(=O)(=O)c2ccccc21"),
    ("N#C[C-](C#N)C(=O)C N#CC(C#N)=C(C)[O-]", "CC([O-])=C(C#N)C#N"),
    ("C[C-]1C(=O)N(C)N(C)C1=O CC1=C([O-])N(C)N(C)C1=O", "Cc1c([O-])n(C)n(C)c1=O"),
    ("[O-]P([O-])(=S)OP([O-])(=O)OC", "COP(=O)([O-])OP([O-])([O-])=S"),
]


def rows(name: str) -> list[list[str]]:
    with open(os.path.join(ROOT, "tests", "fixtures", "chemistry", name), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]


def mean_charge(mol: Chem.Mol, ph: float) -> float:
    states = protonate.protomers(mol, protonate.RULES, ph, 20)
    total = sum(state.population for state in states)
    return sum(Chem.GetFormalCharge(state.molecule) * state.population for state in states) / total


def titrate(mol: Chem.Mol, low: float, high: float) -> list[float]:
    """The pH of each half charge between low and high, by bisection."""
    most, least = mean_charge(mol, low), mean_charge(mol, high)
    halves = [number + 0.5 for number in range(-8, 8) if least < number + 0.5 < most]
    found = []
    for half in halves:
        below, above = low, high
        while above - below > 0.05:
            middle = (below + above) / 2
            below, above = (middle, above) if mean_charge(mol, middle) > half else (below, middle)
        found.append(round((below + above) / 2, 1))
    return found


class Protonation(unittest.TestCase):
    def test_groups(self) -> None:
        for name, smiles, measured in rows("groups.tsv"):
            with self.subTest(name):
                found = titrate(Chem.MolFromSmiles(smiles), 0.0, 14.0)
                if measured == "-":
                    self.assertEqual([], found)
                for value in () if measured == "-" else map(float, measured.split()):
                    error = min((abs(value - pka) for pka in found), default=99)
                    self.assertLessEqual(error, GROUP_ERROR, f"{value}: {found}")

    def test_drugs(self) -> None:
        for name, smiles, charge, measured in rows("drugs.tsv"):
            with self.subTest(name):
                mol = Chem.MolFromSmiles(smiles)
                first = protonate.protomers(mol, protonate.RULES, 7.4)[0]
                if charge != "?":
                    self.assertEqual(int(charge), Chem.GetFormalCharge(first.molecule), first.smiles)
                found = [] if measured == "-" else titrate(mol, -2.0, 14.0)
                for value in () if measured == "-" else map(float, measured.split()):
                    error = min((abs(value - pka) for pka in found), default=99)
                    self.assertLessEqual(error, DRUG_ERROR, f"{value}: {found}")

    def test_tautomers_of_a_ring_have_one_pka(self) -> None:
        for first, second in TAUTOMERS:
            with self.subTest(first):
                one, other = Chem.MolFromSmiles(first), Chem.MolFromSmiles(second)
                for ph in range(13):
                    self.assertAlmostEqual(mean_charge(one, ph), mean_charge(other, ph), 6)

    def test_a_cation_has_one_drawing(self) -> None:
        for drawings, expected in CATIONS:
            for smiles in drawings.split():
                with self.subTest(smiles):
                    mol = Chem.MolFromSmiles(smiles)
                    (state, _), = protonate.states(mol, {"ph": "5" if "n" in smiles else "7.4"})
                    self.assertEqual(expected, Chem.MolToSmiles(state))
                    if Chem.GetFormalCharge(mol):
                        self.assertEqual(expected, Chem.MolToSmiles(protonate.states(mol, {})[0][0]))

    def test_a_drawn_ion_stays_where_nothing_is_known(self) -> None:
        for drawings, expected in IONS:
            for smiles in drawings.split():
                with self.subTest(smiles):
                    (state, _), = protonate.states(Chem.MolFromSmiles(smiles), {"ph": "7.4"})
                    self.assertEqual(expected or Chem.CanonSmiles(smiles), Chem.MolToSmiles(state))

    def test_a_charge_that_no_rule_knows_is_told(self) -> None:
        for smiles, told in (("CS(=O)(=N)[O-]", True), ("CC(=O)[O-]", False), ("CC[O-]", False), ("C[N+](C)(C)C", False)):
            with self.subTest(smiles):
                self.assertEqual(told, bool(protonate.remark(Chem.MolFromSmiles(smiles), {"ph": "7.4"})))
                self.assertEqual("", protonate.remark(Chem.MolFromSmiles(smiles), {}))

    def test_no_rule_is_passed_over_that_matches(self) -> None:
        rules = protonate.RULES
        for _, smiles, *_ in rows("groups.tsv") + rows("drugs.tsv"):
            mol = protonate.neutralise(Chem.MolFromSmiles(smiles))
            firsts = {match[0] for match in mol.GetSubstructMatches(protonate.FIRST)}
            for rule in (*rules.sites.values(), *rules.shifts.values()):
                for match in mol.GetSubstructMatches(rule.query, uniquify=False):
                    with self.subTest(smiles, line=rule.line):
                        self.assertIn(match[0], firsts)
                        self.assertIn(rule.line, rules.nearby.possible(mol, mol.GetAtomWithIdx(match[0])))


if __name__ == "__main__":
    unittest.main()
