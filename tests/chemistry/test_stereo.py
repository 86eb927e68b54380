"""Open stereo is decided, and what was built is held against what was asked for."""
from __future__ import annotations

import itertools
import os
import random
import sys
import unittest
from unittest import mock

from rdkit import Chem, RDLogger
from rdkit.Chem import rdDepictor, rdDistGeom
from rdkit.Geometry import Point3D

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "rdkit"))

import cages  # noqa: E402
import normalise  # noqa: E402
import protonate  # noqa: E402
import build  # noqa: E402
import stereo  # noqa: E402

RDLogger.DisableLog("rdApp.*")

# Of each molecule how many isomers there are, however many are asked for.
ISOMERS = {
    "CCO": 1,
    "CC(O)F": 2,
    "CC=CC": 2,
    "CC(O)C(F)Cl": 4,
    "CC(O)C(C)O": 3,  # one is meso
    "CC=NO": 2,
    "OC1CCC(C)CC1": 2,
    "CS(=O)CC": 2,
    "C1CCC=CCCC1": 1,  # cis, in a ring
    "C1CC2CCC1C2": 1,  # a bridge has no choice
    "C[NH+](CC)CCC": 1,  # the nitrogen inverts
    "CN=C(N)NC": 1,  # and guanidines turn
    "CN=[N+]=[N-]": 1,
    "CN=NC": 1,  # trans
    "CN=NC(O)F": 2,
    "CP(F)Cl": 2,  # a phosphine does not invert
    }


def built(smiles: str) -> Chem.Mol:
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    settings = rdDistGeom.ETKDGv3()
    settings.randomSeed = 1
    rdDistGeom.EmbedMolecule(mol, settings)
    return mol


class Stereo(unittest.TestCase):
    def test_numbers_of_isomers(self) -> None:
        for smiles, count in ISOMERS.items():
            with self.subTest(smiles):
                found = stereo.isomers(Chem.MolFromSmiles(smiles), {"stereo": "16"})
                texts = {Chem.MolToSmiles(one.molecule) for one in found}
                self.assertEqual((count, count), (len(found), len(texts)), texts)
                for one in found:
                    self.assertEqual([], stereo.open_elements(one.molecule))
                    self.assertEqual(Chem.MolToSmiles(Chem.MolFromSmiles(one.smiles)), one.smiles)

    def test_choice_does_not_depend_on_the_order_of_atoms(self) -> None:
        mol = Chem.MolFromSmiles("CC(O)C(F)C(Cl)C=CC")
        chosen = Chem.MolToSmiles(stereo.isomers(mol, {})[0][0])
        order = list(range(mol.GetNumAtoms()))
        for seed in range(5):
            random.Random(seed).shuffle(order)
            other = stereo.isomers(Chem.RenumberAtoms(mol, order), {})
            self.assertEqual(chosen, Chem.MolToSmiles(other[0][0]))

    def test_given_stereo_stays(self) -> None:
        for smiles in ("C[C@H](O)F", "C/C=C/C", "C/C=C\\C", "C[C@H]1CC[C@@H](O)CC1"):
            mol = Chem.MolFromSmiles(smiles)
            found = stereo.isomers(mol, {"stereo": "4"})
            self.assertEqual([(Chem.MolToSmiles(mol), "")], [(one.smiles, one.remark) for one in found])

    def test_the_wrong_isomer_is_found_out(self) -> None:
        right = ("N[C@@H](C)C(=O)O", "C/C=C/C", "C[C@H]1CC[C@@H](O)CC1", "CC[S@](C)=O")
        wrong = ("N[C@H](C)C(=O)O", "C/C=C\\C", "C[C@H]1CC[C@H](O)CC1", "CC[S@@](C)=O")
        for one, other in zip(right, wrong):
            with self.subTest(one):
                mol, false = built(one), built(other)
                self.assertIsNone(stereo.difference(mol, mol.GetConformer()))
                for atom in range(mol.GetNumAtoms()):
                    at = false.GetConformer().GetAtomPosition(atom)
                    mol.GetConformer().SetAtomPosition(atom, Point3D(at.x, at.y, at.z))
                self.assertIsNotNone(stereo.difference(mol, mol.GetConformer()))

    def test_bare_rings_tell_what_can_exist(self) -> None:
        for flat, count in (("CC1CC2CCC1C2", 4), ("C1CCC2C(C1)CCCC2F", 8), ("CN1C2CCC1CC(O)C2", 2)):
            mol = Chem.MolFromSmiles(flat)
            elements = stereo.open_elements(mol)
            systems = cages.bare_systems(mol)
            ways = itertools.product((0, 1), repeat=len(elements))
            can = [one for one in (stereo._specify(mol, elements, way) for way in ways) if cages.exist(one, systems)]
            with self.subTest(flat):
                self.assertEqual(count, len({Chem.MolToSmiles(one) for one in can}))
                for one in can:
                    self.assertGreaterEqual(rdDistGeom.EmbedMolecule(Chem.AddHs(one), randomSeed=1), 0)

    def test_rings_are_tried_once_with_their_mirror_image_and_never_for_one_centre(self) -> None:
        for smiles, tries in (("C[C@]12CC[C@](C)(C(=O)O1)C2(C)C", 1), ("O=C1c2ccccc2[C@@H]2CCCN12", 0)):
            mol = Chem.MolFromSmiles(smiles)
            images = (mol, Chem.MolFromSmiles(smiles.replace("@@", "!").replace("@", "@@").replace("!", "@")))
            cages._known.clear()
            with self.subTest(smiles), mock.patch.object(cages, "_try", wraps=cages._try) as tried:
                answers = [cages.exist(image, cages.bare_systems(image)) for image in images]
                self.assertEqual(([True, True], tries), (answers, tried.call_count))

    def test_guanidines_have_no_stereo_however_they_are_drawn(self) -> None:
        drawn = Chem.MolFromSmiles("Cc1cc(=O)nc(/N=C(\\N)Nc2cccc3ccccc23)[nH]1")
        rdDepictor.Compute2DCoords(drawn)
        for mol in (drawn, Chem.MolFromMolBlock(Chem.MolToMolBlock(drawn))):
            for state in (mol, protonate.states(mol, {"ph": "7.4"})[0][0]):
                self.assertNotIn("/", stereo.isomers(state, {})[0].smiles)

    def test_what_is_open_is_counted(self) -> None:
        for smiles, count in (("CC(O)F", 1), ("CC(O)C(F)Cl", 2), ("OC1CCC(C)CC1", 2), ("OC1CC2CCC1C2", 3),
                              ("CC(N)C12CC3CC(CC(C3)C1)C2", 1), ("NC12CC3CC(CC(C3)C1)C2", 0)):
            with self.subTest(smiles):
                self.assertEqual(count, stereo.isomers(Chem.MolFromSmiles(smiles), {})[0].left)

    def test_a_cage_of_one_shape_has_no_open_stereo(self) -> None:
        for smiles, left in (("OC(=O)C12CC(C1)(C2)c1ccccc1", 0), ("C[C@]12C[C@](C(=O)O)(C1)C2", 0), ("C12CC(C1)C2", 0),
                             ("NC12C3C4C1C5C2C3C45", 0), ("C12C3C4C5C1C5C2C34", 0), ("CC(O)C12CC(C1)(C2)Cl", 1),
                             ("OC12CC(C1)(C2)C12CC(C1)(C2)O", 0)):
            with self.subTest(smiles):
                form, = stereo.isomers(Chem.MolFromSmiles(smiles), {})
                self.assertEqual((left, bool(left)), (form.left, bool(form.remark)))
                self.assertTrue(build.run({"conformers": "1", "structures": "1"}, form.smiles.encode())[0])

    def test_protonation_keeps_stereo(self) -> None:
        for smiles in ("C[C@H](N)c1ccccc1", "C/C=C/CN", "N[C@@H](CS)C(=O)O"):
            mol = protonate.states(Chem.MolFromSmiles(smiles), {"ph": "7.4"})[0][0]
            back = protonate.neutralise(mol)
            self.assertEqual(Chem.CanonSmiles(smiles), Chem.MolToSmiles(back))


# Of each molecule with groups of stereo: all isomers that these leave open.
GROUPS = {
    "C[C@H](F)Cl |a:1|": 1,
    "C[C@H](F)Cl |o1:1|": 2,
    "C[C@H](F)[C@@H](O)Cl |&1:1,3|": 2,
    "C[C@@H](F)[C@H](O)Cl |&1:1,3|": 2,
    "C[C@H](F)[C@@H](O)Cl |&1:1,o1:3|": 4,
    "C[C@H](F)[C@@H](O)Cl |o1:1,a:3|": 2,
    "C[C@H](F)[C@@H](O)Cl |r|": 2,
    "C[C@H]1CC[C@H](CC1)F |&1:1,4|": 1,  # cis is its own mirror image
    "C[C@H](F)[C@@H](O)C(N)Cl |&1:1,3|": 4,
    "CC([NH3+])C(=O)[O-] |o1:1|": 2,
    "C[C@H](N)[C@@H](O)C(=O)O.Cl |&1:1,3|": 2,  # through salts and protonation
}


class Groups(unittest.TestCase):
    """What the stereo groups of CXSMILES and V3000 leave open, and what atom maps do not."""

    def forms(self, kind: bytes, text: bytes, stereo: int) -> list[list[str]]:
        answer = normalise.run({"ph": "7.4", "stereo": str(stereo)}, kind, text, b"")
        size = normalise.FORM_FIELDS
        return [answer[at:at + size] for at in range(0, len(answer), size)]

    def test_groups_are_open_together(self) -> None:
        for smiles, count in GROUPS.items():
            with self.subTest(smiles):
                forms = self.forms(b"smi", smiles.encode(), 8)
                self.assertEqual(len({form[0] for form in forms}), count)
                one = self.forms(b"smi", smiles.encode(), 1)
                self.assertEqual(len(one), 1)
                self.assertEqual(one[0][6] != "", count > 1, "what is left open is said")

    def test_a_racemate_is_one_however_it_is_drawn(self) -> None:
        first, second = (self.forms(b"smi", smiles, 1)[0][0] for smiles in (
            b"C[C@H](F)[C@@H](O)Cl |&1:1,3|", b"C[C@@H](F)[C@H](O)Cl |&1:1,3|"))
        self.assertEqual(first, second)

    def test_collections_of_v3000(self) -> None:
        molecule = Chem.MolFromSmiles("C[C@H](F)[C@@H](O)Cl |&1:1,3|")
        rdDepictor.Compute2DCoords(molecule)
        block = Chem.MolToV3KMolBlock(molecule)
        self.assertIn("STERAC", block)
        self.assertEqual(len(self.forms(b"sdf", block.encode(), 8)), 2)

    def test_maps_are_no_stereo(self) -> None:
        for mapped, plain in (("[CH3:1][C@H:2]([CH3:3])[OH:4]", "CC(C)O"), ("[CH3:1][CH:2]=[C:3]([CH3:4])[CH3:5]", "CC=C(C)C"),
                              ("[CH3:1][C@H:2]([NH2:3])[F:4]", "C[C@H](N)F"), ("[CH3:7]/[CH:2]=[CH:2]/[CH3:7]", "C/C=C/C")):
            ((smiles, *more),) = self.forms(b"smi", mapped.encode(), 8)
            self.assertEqual(Chem.CanonSmiles(smiles), Chem.CanonSmiles(self.forms(b"smi", plain.encode(), 8)[0][0]))
        block = Chem.MolToMolBlock(Chem.MolFromSmiles("[CH3:1][CH:2]([CH3:3])[OH:4]"))
        self.assertEqual([form[0] for form in self.forms(b"sdf", block.encode(), 8)], ["CC(C)O"])

    def test_labels_are_no_atoms(self) -> None:
        for text in ("CC |$OMe;$|", "CC |zz(|"):
            with self.assertRaises(normalise.reading.Failed):
                self.forms(b"smi", text.encode(), 1)
        self.assertEqual(len(self.forms(b"smi", b"CC |$C1;CH3$|", 1)), 1)


if __name__ == "__main__":
    unittest.main()
