"""What an atom may have is decided by our own table: the same molecules, or the same reasons, by any RDKit."""
from __future__ import annotations

import os
import re
import sys
import unittest

from rdkit import Chem, RDLogger

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "rdkit"))

import normalise  # noqa: E402
import valence  # noqa: E402
from outcome import Failed  # noqa: E402

RDLogger.DisableLog("rdApp.*")

FIXTURE = os.path.join(ROOT, "tests", "fixtures", "chemistry", "valences.tsv")
# Of NC(=N)/C=C/F with a charge, on the atom of this number.
AMIDINIUM = """amidinium
  x

  6  5  0  0  0  0  0  0  0  0999 V2000
   -2.2689    0.9563    0.0000 N   0  0
   -1.0893    0.0297    0.0000 C   0  0
   -1.3020   -1.4551    0.0000 N   0  0
    0.3029    0.5880    0.0000 C   0  0
    1.4825   -0.3386    0.0000 C   0  0
    2.8748    0.2197    0.0000 F   0  0
  1  2  1  0
  2  3  2  0
  2  4  1  0
  4  5  2  0
  5  6  1  0
M  CHG  1   {}   1
M  END
"""
PLAIN = {"stereo": "1"}  # charges stay as they are


def outcome(kind: bytes, text: str) -> tuple[str, str]:
    """SMILES and remark, or the reason for which there are none."""
    try:
        answer = normalise.run(PLAIN, kind, text.encode(), b"")
    except Failed as why:
        return str(why), ""
    return answer[0], answer[3]


class Valence(unittest.TestCase):
    def test_forms(self) -> None:
        with open(FIXTURE, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        self.assertGreater(len(rows), 30)
        for smiles, wanted in rows:
            with self.subTest(smiles):
                self.assertEqual(wanted, outcome(b"smi", smiles)[0])

    def test_hydrogen_counts_ask_for_nothing(self) -> None:
        """PDBbind's files have them, for each atom."""
        plain = AMIDINIUM.format(3)
        rows = [f"{line[:34]} 0  0  0  3" if " C   0" in line or " N   0" in line else line for line in plain.split("\n")]
        self.assertEqual(outcome(b"sdf", plain), outcome(b"sdf", "\n".join(rows)))
        block = Chem.MolToV3KMolBlock(Chem.MolFromMolBlock(plain))
        counted = re.sub(r"(?m)^(M  V30 \d+ C .*)$", r"\1 HCOUNT=2", block)
        self.assertNotEqual(block, counted)
        self.assertEqual(outcome(b"sdf", block), outcome(b"sdf", counted))
        self.assertIn("is a query", outcome(b"sdf", plain.replace("M  END", "M  SUB  1   2   1\nM  END"))[0])

    def test_complexes_drawn_as_ions(self) -> None:
        for smiles in ("C1CC(C1)(C(=O)[O-])C(=O)[O-].N.N.[Pt+2]", "[Fe+2].[cH-]1cccc1.[cH-]1cccc1", "[Gd+3].CC([O-])=O"):
            self.assertIn("drawn as ions", outcome(b"smi", smiles)[0])
        for smiles in ("[Fe+2].[O-]C(=O)C", "[Zn+2].CC([O-])=O", "[Ca+2].CC([O-])=O", "N.CC(=O)[O-]"):
            self.assertEqual("CC(=O)[O-]", outcome(b"smi", smiles)[0])

    def test_what_is_mended_is_said(self) -> None:
        self.assertEqual(valence.MENDED, outcome(b"smi", "N=[CH+](N)c1cccc(OC)c1")[1])
        self.assertEqual("", outcome(b"smi", "NC(=[NH2+])c1cccc(OC)c1")[1])
        remarks = outcome(b"smi", "N=[CH+](N)C(O)F")[1].split("\n")
        self.assertEqual((2, valence.MENDED), (len(remarks), remarks[0]))

    def test_a_mended_record_keeps_its_stereo(self) -> None:
        for centre in ("@", "@@"):
            self.assertEqual(
                Chem.CanonSmiles(f"NC(=[NH2+])C[C{centre}H](O)F"), outcome(b"smi", f"N=[CH+](N)C[C{centre}H](O)F")[0]
            )

    def test_sdf_is_mended_too(self) -> None:
        smiles = Chem.CanonSmiles("NC(=[NH2+])/C=C/F")
        self.assertEqual((smiles, ""), outcome(b"sdf", AMIDINIUM.format(3)))
        self.assertEqual((smiles, valence.MENDED), outcome(b"sdf", AMIDINIUM.format(2)))


if __name__ == "__main__":
    unittest.main()
