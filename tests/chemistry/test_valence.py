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
# Of ions and parts beside each other: the metal of a complex, which is refused, or what is left of a salt.
METALS = [
    ("O=C([O-])C1(CCC1)C(=O)[O-].N.N.[Pt+2]", "Pt"),
    ("[cH-]1cccc1.[cH-]1cccc1.[Fe+2]", "Fe"),
    ("C1=CCC=C1.C1=CCC=C1.[Fe]", "Fe"),
    ("N.N.[Cl-].[Cl-].[Pt+2]", "Pt"),
    ("[O-]n1ccccc1=S.[O-]n1ccccc1=S.[Zn+2]", "Zn"),
    ("CCN(CC)C(=S)[S-].CCN(CC)C(=S)[S-].[Zn+2]", "Zn"),
    ("[Cu+2].c1cnc2c(c1)ccc1cccnc12", "Cu"),
    ("[Mg+2].c1cc2cc3ccc([n-]3)cc3ccc(n3)cc3ccc([n-]3)cc1n2", "Mg"),
    ("[Ca+2].[O-]C(=O)CN(CCN(CC([O-])=O)CC([O-])=O)CC([O-])=O", "Ca"),
    ("O=C([O-])CCc1ccccc1.N[Pt+](N)Cl", "Pt"),
    ("[Zn+2].CC(=O)[O-].CC(=O)[O-]", "CC(=O)[O-]"),
    ("[Mg+2].CCC(=O)[O-].CCC(=O)[O-].O", "CCC(=O)[O-]"),
    ("CN(C)CCN(C)C.Cl[Zn]Cl", "CN(C)CCN(C)C"),
    ("[Zn+2].OCC[NH2]", "NCCO"),
    ("CC(=O)O.[Na]", "CC(=O)O"),
]
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

    def test_a_complex_drawn_as_ions_is_no_salt(self) -> None:
        for smiles, wanted in METALS:
            with self.subTest(smiles):
                said = outcome(b"smi", smiles)[0]
                if f"[{wanted}" in smiles:
                    self.assertRegex(said, f"^a metal complex .*: {wanted} ")
                else:
                    self.assertEqual(wanted, said)

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
