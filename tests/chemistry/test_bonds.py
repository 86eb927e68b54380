"""Bonds of molecules that have none, from where their atoms stand."""
from __future__ import annotations

import os
import struct
import sys
import unittest

from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "rdkit"))

import bonds  # noqa: E402
import vectors  # noqa: E402
from outcome import Failed  # noqa: E402

RDLogger.DisableLog("rdApp.*")

# Coordinates (Å): RDKit's, after MMFF94, but where an entry of the PDB is named; behind them of each atom's bonds the
# highest order, and its charge.  ?: either is a form of the molecule.
PERCEIVED = {
    "danusertib's piperazine in 2V7A, whose C12-C13 is 1.34 Å long and N5-C12 1.27": (
        "N -0.91 0.73 -0.98 C -1.81 0.23 -0.23 C -1.57 -0.99 0.29 N -0.61 -1.88 -0.31 C 0.38 -1.20 -1.19 "
        "C -0.29 -0.10 -2.02 C 0.14 -2.63 0.72 C -0.48 2.06 -0.83", "11111111", "........"),
    "guanine, Nc1nc2[nH]cnc2c(=O)[nH]1, of whose ring of five either nitrogen may have the hydrogen": (
        "N 2.73 0.72 -0.63 C 1.48 0.34 -0.26 N 0.44 0.93 -0.78 C -0.73 0.43 -0.32 N -1.97 0.85 -0.69 C -2.87 0.08 0.01 "
        "N -2.28 -0.79 0.79 C -0.94 -0.58 0.59 C 0.23 -1.21 1.16 O 0.22 -2.11 2.00 N 1.41 -0.69 0.66",
        "1222?2?2221", "..........."),
    "Clc1ccc2[nH]cnc2c1, of which Open Babel makes ClC1=CC=C2N=CN=C2C1": (
        "Cl -3.48 -1.40 0.43 C -1.94 -0.66 0.23 C -1.86 0.73 0.06 C -0.63 1.37 -0.11 C 0.50 0.56 -0.10 N 1.84 0.83 -0.24 "
        "C 2.52 -0.35 -0.16 N 1.71 -1.37 0.02 C 0.45 -0.83 0.06 C -0.79 -1.46 0.23", "12222?2?22", ".........."),
    "O=C1C=CC(=O)C=C1": (
        "O 0.04 2.66 -0.02 C 0.02 1.44 -0.01 C 1.27 0.65 0.01 C 1.25 -0.69 0.02 C -0.02 -1.44 0.01 O -0.04 -2.66 0.02 "
        "C -1.27 -0.65 -0.01 C -1.25 0.69 -0.02", "22222222", "........"),
    "4,5-dimethylimidazole of a poor model (1PMN): flat, with bonds as long as single ones": (
        "N 22.929 10.681 31.054 C 23.012 12.032 30.959 N 22.099 12.689 31.761 C 21.286 11.715 32.506 "
        "C 21.818 10.391 32.070 C 20.233 12.113 33.484 C 21.478 8.914 32.226", "?2?2211", "......."),
    "indoline, c1ccc2c(c1)CCN2: a ring of five beside, whose carbons are sp3": (
        "C 2.32 0.55 0.38 C 2.34 -0.74 -0.17 C 1.15 -1.37 -0.53 C -0.04 -0.69 -0.35 C -0.06 0.58 0.21 C 1.10 1.22 0.58 "
        "C -1.47 1.02 0.39 C -2.21 -0.04 -0.44 N -1.34 -1.22 -0.62", "222222111", "........."),
    "O=C1Nc2ccccc2C1=Cc1ccc[nH]1, which might be O=C1N=c2ccccc2=C1C=C1C=CC=N1": (
        "O 0.72 -3.56 -1.15 C 1.05 -2.42 -0.85 N 2.31 -1.87 -0.90 C 2.31 -0.54 -0.48 C 3.40 0.30 -0.40 C 3.17 1.60 0.05 "
        "C 1.88 2.01 0.42 C 0.79 1.14 0.33 C 1.01 -0.14 -0.13 C 0.16 -1.31 -0.35 C -1.16 -1.53 -0.22 C -2.07 -0.55 0.21 "
        "C -2.68 -0.28 1.42 C -3.53 0.84 1.23 C -3.43 1.21 -0.09 N -2.55 0.36 -0.71",
        "2212222222222221", "................"),
    "a flavin, Cn1c2ccccc2nc2c1nc(=O)[nH]c2=O, whose middle ring has 8 electrons when reduced": (
        "C -0.02 -2.48 -0.51 N 0.07 -1.05 -0.26 C -1.10 -0.34 0.08 C -2.37 -0.94 0.16 C -3.51 -0.19 0.50 C -3.40 1.17 0.77 "
        "C -2.15 1.78 0.69 C -1.01 1.05 0.35 N 0.21 1.76 0.30 C 1.29 1.10 0.01 C 1.29 -0.38 -0.29 N 2.42 -0.97 -0.55 "
        "C 3.60 -0.28 -0.56 O 4.68 -0.85 -0.48 N 3.59 1.08 -0.66 C 2.61 1.82 -0.07 O 2.78 2.93 0.39",
        "11222222222222122", "................."),
    "Nc1cc[nH]c(=O)n1, a lactam": (
        "N 2.28 -0.31 -0.23 C 0.92 -0.21 -0.06 C 0.31 1.12 0.12 C -1.02 1.13 0.27 N -1.71 -0.04 0.24 C -1.12 -1.27 0.07 "
        "O -1.82 -2.28 0.06 N 0.25 -1.32 -0.09", "12221222", "........"),
    "the same in another order": (
        "N 0.25 -1.32 -0.09 O -1.82 -2.28 0.06 C -1.12 -1.27 0.07 N -1.71 -0.04 0.24 C -1.02 1.13 0.27 C 0.31 1.12 0.12 "
        "C 0.92 -0.21 -0.06 N 2.28 -0.31 -0.23", "22212221", "........"),
    "indazole, c1ccc2[nH]ncc2c1": (
        "C -1.92 0.54 -0.19 C -1.82 -0.78 0.27 C -0.57 -1.38 0.48 C 0.56 -0.61 0.21 N 1.90 -0.88 0.31 N 2.70 0.14 -0.05 "
        "C 1.84 1.10 -0.39 C 0.49 0.70 -0.25 C -0.77 1.29 -0.46", "222212222", "........."),
    "indazole in another order": (
        "N 2.70 0.14 -0.05 N 1.90 -0.88 0.31 C 1.84 1.10 -0.39 C 0.49 0.70 -0.25 C -0.77 1.29 -0.46 C -1.92 0.54 -0.19 "
        "C -1.82 -0.78 0.27 C -0.57 -1.38 0.48 C 0.56 -0.61 0.21", "212222222", "........."),
    "C[n+]1ccccc1, charged as there is no other way": (
        "C 2.17 -0.03 -0.13 N 0.70 -0.01 -0.03 C 0.01 -1.18 -0.06 C -1.38 -1.18 0.02 C -2.06 0.03 0.12 C -1.34 1.21 0.14 "
        "C 0.05 1.17 0.06", "1222222", ".+....."),
    "O=[N+]([O-])c1ccccc1": (
        "O 2.91 -1.12 -0.03 N 2.34 -0.02 -0.02 O 2.93 1.07 -0.02 C 0.88 -0.01 -0.01 C 0.19 1.22 0.00 C -1.20 1.22 0.01 "
        "C -1.91 0.02 0.02 C -1.22 -1.20 0.01 C 0.17 -1.22 -0.01", "?2?222222", "?+?......"),
    "CNC(=N)N": (
        "C 1.75 0.01 0.33 N 0.43 -0.58 0.17 C -0.63 0.20 -0.13 N -0.63 1.48 -0.16 N -1.73 -0.55 -0.38", "1?2??", "....."),
    "CS(=O)(=O)O": (
        "C 1.12 0.12 0.01 S -0.55 -0.45 0.21 O -0.90 -1.29 -0.91 O -0.77 -0.84 1.58 O -1.30 0.95 -0.05", "12???", "....."),
    "CN=[N+]=[N-]": ("C -0.82 0.07 -0.04 N 0.45 0.78 0.11 N 1.46 0.06 0.09 N 2.39 -0.60 0.07", "1222", "..+-"),
    "O=c1cc([O-])c2ccccc2o1, an enolate, whose middle carbon has no hydrogen to spare": (
        "O -3.20 -0.90 0 C -2.05 -0.50 0 C -1.75 0.88 0 C -0.42 1.32 0 O -0.10 2.54 0 C 0.62 0.33 0 C 1.98 0.66 0 "
        "C 2.97 -0.33 0 C 2.61 -1.68 0 C 1.26 -2.03 0 C 0.27 -1.03 0 O -1.05 -1.38 0", "?22???222221", "............"),
    "C=CC#C": ("C -1.37 0.47 -0.07 C -0.47 -0.51 0.00 C 0.92 -0.26 -0.19 C 2.09 -0.06 -0.36", "2233", "...."),
}
PYRIMIDINONE = ("O 2.45 -1.18 0.03 C 1.29 -0.77 0.01 C 1.06 0.70 0.06 C -0.19 1.15 0.04 N -1.23 0.28 -0.03 C -0.98 -1.06 -0.07 "
                "N 0.19 -1.61 -0.05")
ACETIC = "C 0 0 0 C 1.5 0 0 O 2.12 1.07 0 O 2.18 -1.15 0"
PHOSPHONIC = "C 0 0 1.8 P 0 0 0 O 1.4 0 -0.5 O -0.73 1.26 -0.5 O -0.73 -1.26 -0.5"
# Atoms and bonds of indazole as the 1H form, N1 first.
INDAZOLE = ("N 1.28 -0.99 0 N 2.10 0.14 0 C 1.28 1.27 0 C -0.04 0.84 0 C -1.25 1.54 0 C -2.46 0.84 0 C -2.46 -0.56 0 "
            "C -1.25 -1.26 0 C -0.04 -0.56 0")
ETHANOL = ("C 1.01369 -0.08533 -0.05630 C 2.52798 -0.07809 -0.05618 O 3.00966 1.02981 0.68990 H 0.62889 -0.94004 -0.61953 "
           "H 0.62169 0.83512 -0.50129 H 0.62821 -0.13367 0.96746 H 2.91940 -0.01192 -1.07597 H 2.91497 -0.99239 0.40304 "
           "H 2.67008 1.83747 0.26813")


def rows(text):
    words = text.split()
    return [(words[at], tuple(map(float, words[at + 1:at + 4]))) for at in range(0, len(words), 4)]


def request(text, known=(), aromatic=(), ends=None):
    """The structure of a request: bonded are the ends, or what is nearer than 1.95 Å (2.3 with P, S, Cl); atoms in `known`
    get a hydrogen."""
    table = Chem.GetPeriodicTable()
    heavy = [row for row in rows(text) if row[0] != "H"]
    hydrogens = [place for symbol, place in rows(text) if symbol == "H"]
    hydrogens += [(x, y, z + 0.9) for x, y, z in (heavy[at][1] for at in known)]
    atoms = b"".join(struct.pack("<3dBBB", *place, table.GetAtomicNumber(symbol), at in aromatic, 0)
                     for at, (symbol, place) in enumerate(heavy))
    if ends is None:
        ends = [(i, j) for i, (a, here) in enumerate(heavy) for j, (b, there) in enumerate(heavy)
                if i < j and vectors.distance(here, there) < (2.3 if {a, b} & {"P", "S", "Cl"} else 1.95)]
    return (struct.pack("<3I", len(heavy), len(ends), len(hydrogens)) + atoms
            + b"".join(struct.pack("<HH", *pair) for pair in ends)
            + b"".join(struct.pack("<3d", *place) for place in hydrogens)
            + b"".join(symbol.encode() + b"\0" for symbol, _ in heavy))


def perceive(text, known=(), aromatic=(), partners=()):
    """The molecule (None: there is no structure), what contradicts it, how many hydrogens moved."""
    around = b"".join(struct.pack("<3dB", *place, gives) for place, gives in partners)
    sdf, why, moved = bonds.run({}, request(text, known, aromatic), around)
    return Chem.MolFromMolBlock(sdf, sanitize=False) if sdf else None, why, int(moved)


def orders(molecule):
    return "".join(str(int(max([0, *(bond.GetBondTypeAsDouble() for bond in atom.GetBonds())]))) for atom in molecule.GetAtoms())


def charges(molecule):
    return "".join("." if not atom.GetFormalCharge() else "+-"[atom.GetFormalCharge() < 0] for atom in molecule.GetAtoms())


def like(given, pattern):
    return "".join("?" if wanted == "?" else is_ for is_, wanted in zip(given, pattern))


class Perceived(unittest.TestCase):
    def test_orders_and_charges(self) -> None:
        for name, (text, order, charge) in PERCEIVED.items():
            with self.subTest(name):
                molecule, why, _ = perceive(text)
                self.assertEqual((order, charge), (like(orders(molecule), order), like(charges(molecule), charge)))
                if "2V7A" not in name:
                    self.assertEqual("", why)

    def test_hydrogens_decide(self) -> None:
        """Which oxygen is double, were it the longer one, and which nitrogen has a hydrogen."""
        for text, known, order in ((ACETIC, (2,), "1212"), (ACETIC, (3,), "1221"), (PHOSPHONIC, (2, 4), "12121"),
                                   (PYRIMIDINONE, (), "2222221"), (PYRIMIDINONE, (4,), "2222122")):
            with self.subTest(f"{order} {known}"):
                self.assertEqual(order, orders(perceive(text, known)[0]))

    def test_all_hydrogens_say_all(self) -> None:
        molecule, why, _ = perceive(ETHANOL)
        self.assertEqual(("111", ""), (orders(molecule), why))
        self.assertIn("atom 3 (O) lacks a hydrogen, or a double bond", perceive(" ".join(ETHANOL.split()[:-4]))[1])
        short = ETHANOL.replace("2.52798", "2.35")  # 1.34 Å: a poor model of a bond that its hydrogens make single
        self.assertEqual(("111", ""), (orders(perceive(short)[0]), perceive(short)[1]))

    def test_stereo_is_that_of_the_places(self) -> None:
        """Of double bonds and centres, whatever is known of the hydrogens."""
        for smiles in ("CC1=C(/C=C/C(C)=C/C=C/C(C)=C/C(=O)O)C(C)(C)CCC1", "CC1=C(/C=C/C(C)=C\\C=C\\C(C)=C\\C(=O)O)C(C)(C)CCC1",
                       "C/C=C\\C[C@H](N)C(=O)O", "C/C=C/C[C@@H](N)C(=O)O", "C/C(=N\\O)c1ccccc1", "C/C(=N/O)c1ccccc1",
                       "F/C=C(/Cl)c1ccccc1", "C[C@@H]1CC[C@@H](O)CC1"):
            molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
            AllChem.EmbedMolecule(molecule, randomSeed=7)
            AllChem.MMFFOptimizeMolecule(molecule)
            for whole in (True, False):
                shown = molecule if whole else Chem.RemoveHs(molecule)
                places = shown.GetConformer().GetPositions()
                text = " ".join(f"{atom.GetSymbol()} {x} {y} {z}" for atom, (x, y, z) in zip(shown.GetAtoms(), places))
                with self.subTest(f"{smiles} {whole}"):
                    sdf = bonds.run({}, request(text), b"")[0]
                    self.assertEqual(Chem.CanonSmiles(smiles), Chem.MolToSmiles(Chem.MolFromMolBlock(sdf)))

    def test_what_is_not_found(self) -> None:
        """A nitrogen in a line with two carbons."""
        molecule, why, _ = perceive("C -1.3 0 0 N 0 0 0 C 1.3 0 0")
        self.assertIsNone(molecule)
        self.assertIn("cannot share double bonds", why)


class Partners(unittest.TestCase):
    def settle(self, *partners) -> int:
        """Which nitrogen of indazole has the hydrogen, 1 or 2."""
        molecule, _, moved = perceive(INDAZOLE, partners=partners)
        first = orders(molecule)[0] == "1"
        self.assertEqual(not first, bool(moved))
        return 1 if first else 2

    def test_partners_have_their_say(self) -> None:
        # 2.9 Å from N1 and from N2, along their third bonds
        first, second = (2.18, -3.75, 0.0), (4.99, 0.14, 0.0)
        for partners, nitrogen in (((), 1), (((first, True),), 2), (((second, False),), 2), (((first, True), (second, False)), 2),
                                   (((first, False),), 1), (((first, False), (second, False)), 1),
                                   (((first, False), (second, True)), 1)):
            with self.subTest(partners):
                self.assertEqual(nitrogen, self.settle(*partners))

    def test_partners_are_in_reach_and_in_line(self) -> None:
        self.assertEqual(1, self.settle(((2.40, -4.60, 0.0), True)))
        self.assertEqual(1, self.settle(((1.28, -0.99, 2.9), True)))


class Contradictions(unittest.TestCase):
    """Of molecules whose orders are given."""

    def says(self, text, pairs, known=(), aromatic=()) -> str:
        graph = bonds.Graph(request(text, known, aromatic, [pair[:2] for pair in pairs]))
        graph.orders = [pair[2] for pair in pairs]
        return bonds.contradiction(graph)

    def test_valences(self) -> None:
        five = "C 0 0 0 C 1.35 0 0 N -0.7 1.2 0 N -0.7 -1.2 0"
        self.assertEqual("atom 1 (C) has bonds of order 5 in all", self.says(five, ((0, 1, 2), (0, 2, 2), (0, 3, 1))))
        self.assertEqual("", self.says(five, ((0, 1, 2), (0, 2, 1), (0, 3, 1))))
        self.assertIn("atom 1 (C) lacks a hydrogen", self.says("C 0 0 0 O 1.43 0 0 H -0.4 1 0 H -0.4 -0.5 0.9", ((0, 1, 1),)))

    def test_shapes(self) -> None:
        star = "C 0 0 {} C 1.45 0 0 C -0.72 1.25 0 C -0.72 -1.25 0"
        for height, order, said in ((0.5, 1, ""), (0.02, 1, "atom 1 (C) is tetrahedral by its bonds, and flat in the file"),
                                    (0.02, 2, ""), (0.5, 2, "atom 1 (C) is flat by its bonds, and a pyramid in the file")):
            with self.subTest(said):
                self.assertEqual(said, self.says(star.format(height), ((0, 1, 1), (0, 2, 1), (0, 3, order))))
        cyanide = "C 0 0 0 N 1.16 0 0 C -1.46 {} 0"
        self.assertEqual("", self.says(cyanide.format(0.1), ((0, 1, 3), (0, 2, 1))))
        self.assertEqual("atom 1 (C) is linear by its bonds, and bent (138 degrees) in the file",
                         self.says(cyanide.format(1.3), ((0, 1, 3), (0, 2, 1))))
        self.assertEqual("", self.says(star.format(0.5), ((0, 1, 1), (0, 2, 1), (0, 3, 2)), aromatic=(0, 3)))

    def test_lengths(self) -> None:
        self.assertEqual("", self.says("C 0 0 0 C 1.53 0 0", ((0, 1, 1),)))
        self.assertEqual("the single bond of atoms 1 (C) and 2 (C) is 1.39 Å long", self.says("C 0 0 0 C 1.39 0 0", ((0, 1, 1),)))
        self.assertEqual("", self.says("C 0 0 0 C 1.39 0 0", ((0, 1, 2),)))

    def test_the_file_says(self) -> None:
        self.assertEqual("atom 1 (C) is aromatic in the file, sp3 by its bonds",
                         self.says("C 0 0 0 O 1.43 0 0", ((0, 1, 1),), known=(1,), aromatic=(0,)))
        self.assertEqual("atom 2 (N) has 1 hydrogens in the file, 2 by its bonds",
                         self.says("C 0 0 0 N 1.47 0 0", ((0, 1, 1),), known=(1,)))
        self.assertEqual("atom 2 (O) has 1 hydrogens in the file, 0 by its bonds",
                         self.says("C 0 0 0 O 1.22 0 0", ((0, 1, 2),), known=(1,)))


class BySmiles(unittest.TestCase):
    PYRIDINE = "N 51.39 0 0 C 50.695 1.204 0 C 49.305 1.204 0 C 48.61 0 0 C 49.305 -1.204 0 C 50.695 -1.204 0"
    FLUOROETHANOL = "C 0 0 0 C 1.53 0 0 O 2.0 1.35 0 F 2.04 -0.7 {}"

    def lay(self, text, smiles) -> str:
        return Chem.MolToSmiles(Chem.MolFromMolBlock(bonds.run_lay({}, request(text), smiles.encode())[0]))

    def test_its_bonds_and_charges(self) -> None:
        self.assertEqual("c1cc[nH+]cc1", self.lay(self.PYRIDINE, "C1=CC=CC=[NH+]1"))
        self.assertEqual("c1cc[nH+]cc1", self.lay(self.PYRIDINE, "c1cccc[n+]1[H]"))

    def test_other_atoms(self) -> None:
        for smiles in ("c1ccccc1", "CCO", "not a smiles"):
            with self.subTest(smiles), self.assertRaises(Failed) as caught:
                self.lay(self.PYRIDINE, smiles)
            self.assertEqual(smiles == "CCO", "are not those of the SMILES, which has 3" in str(caught.exception))

    def test_its_stereo(self) -> None:
        """What it states is that of the place; what it leaves open is as it stands there."""
        text = self.FLUOROETHANOL.format(1.1)
        stands = self.lay(text, "CC(O)F")
        other = stands.replace("@@", "@") if "@@" in stands else stands.replace("@", "@@")
        self.assertIn("@", stands)
        self.assertEqual(stands, self.lay(text, stands))
        with self.assertRaises(Failed) as caught:
            self.lay(text, other)
        self.assertIn("another stereoisomer", str(caught.exception))

    PLACES = ((1.53, 0), (0, 0), (-0.765, 1.325), (-0.765, -1.325))

    def placed(self, smiles, index):
        """Of a file whose atoms have the serial numbers 11 to 14."""
        rows = [f"ATOM  {serial:5d}  C   LIG A   1    {x:8.3f}{y:8.3f}{0:8.3f}  1.00  0.00     0.000 C"
                for serial, (x, y) in enumerate(self.PLACES, 11)]
        text = "\n".join([f"REMARK SMILES IDX {index}", *rows, "ENDMDL", rows[0].replace("1.530", "9.000")])
        return bonds.run_place({}, smiles, text.encode())[0]

    def test_places_that_the_file_names(self) -> None:
        molecule = Chem.MolFromMolBlock(self.placed(b"CC(=C)C", "1 11 2 12 4 14 3 13"))
        self.assertEqual("C=C(C)C", Chem.MolToSmiles(molecule))
        self.assertEqual((1.53, -0.765), tuple(molecule.GetConformer().GetPositions()[[0, 2], 0].round(3)))
        for smiles, index, why in ((b"CC(=C)CC", "1 11 2 12 3 13 4 14", "has 5 atoms, REMARK SMILES IDX places 4"),
                                   (b"CCCC", "1 11 2 12 3 13 4 14", "lie apart"),
                                   (b"CC(=C)C", "1 11 2 12 3 13 4 17", "names atom 4 of the SMILES and atom 17 of the file"),
                                   (b"CC(=C)C", "1 11 2 12 3 13 3 14", "names atom 3 of the SMILES and atom 14 of the file"),
                                   (b"CC(=C)C", "0 11 2 12 3 13 4 14", "names atom 0 of the SMILES and atom 11 of the file")):
            with self.subTest(why), self.assertRaises(Failed) as caught:
                self.placed(smiles, index)
            self.assertIn(why, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
