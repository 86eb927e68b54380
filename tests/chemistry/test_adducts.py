"""What is an adduct, and what becomes one: run by tests/cli/test_chemistry.sh."""
from __future__ import annotations

import os
import sys
import unittest

from rdkit import Chem, RDLogger

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools", "rdkit"))

import adducts  # noqa: E402
from outcome import Failed  # noqa: E402

RDLogger.DisableLog("rdApp.*")

with open(os.path.join(ROOT, "data", "covalent", "covalent.reactions"), "rb") as file:
    REACTIONS = file.read()

# Residue (with :given), molecule, adduct ("": none), from CA on.
CASES = [
    # neither a warhead nor a residue
    ("CYS", "CSCC[C@H](N)C(=O)O", ""),
    ("CYS", "CSc1ccc2Sc3ccccc3Nc2c1", ""),
    ("CYS", "CCSCCC(N)=O", ""),
    ("CYS", "OC(=O)C1CSCN1", ""),
    ("CYS", "NC(CCC(=O)NC(CSCCCCCC)C(=O)NCC(=O)O)C(=O)O", ""),
    ("SER", "CCOC(=O)c1ccc(N)cc1", ""),
    ("SER", "CC(=O)OCCC", ""),
    ("SER", "O=c1ccc2ccccc2o1", ""),
    ("SER", "CC(C)(C)OC(=O)NCC", ""),
    ("THR", "CC(C)OC(=O)C", ""),
    # a residue with its backbone, whatever caps it
    ("CYS", "N[C@@H](CSCCC(=O)NC)C(=O)O", "CCSCCC(=O)NC"),
    ("CYS", "[NH3+][C@@H](CSCCC(=O)NC)C(=O)[O-]", "CCSCCC(=O)NC"),
    ("CYS", "CC(=O)N[C@@H](CSCCC(=O)NC)C(=O)NC", "CCSCCC(=O)NC"),
    ("CYS", "*N[C@@H](CSCCC(=O)NC)C(*)=O", "CCSCCC(=O)NC"),
    ("SER", "NC(COC(=O)c1ccccc1)C=O", "CCOC(=O)c1ccccc1"),
    ("LYS", "NC(CCCCNCc1ccccc1)C(=O)O", "CCCCCNCc1ccccc1"),
    ("TYR", "NC(Cc1ccc(OS(=O)(=O)C)cc1)C(=O)O", "CCc1ccc(OS(C)(=O)=O)cc1"),
    # told by placeholders, or by :given
    ("CYS", "*CCSCCC(N)=O", "CCSCCC(N)=O"),
    ("CYS", "*CSCCC(N)=O", "CCSCCC(N)=O"),
    ("CYS", "*CCC(N)=O", "CCSCCC(N)=O"),
    ("CYS", "*CC(=O)Nc1ccc(SCC)cc1", "CCSCC(=O)Nc1ccc(SCC)cc1"),
    ("CYS:given", "CCSCCC(N)=O", "CCSCCC(N)=O"),
    ("CYS:given", "CSCCC(N)=O", "CCSCCC(N)=O"),
    ("CYS:given", "C=CC(N)=O", ""),
    ("SER:given", "CCOC(=O)c1ccccc1", "CCOC(=O)c1ccccc1"),
    # warheads of serine
    ("SER", "CC(=O)Oc1ccccc1C(=O)O", "CCOC(C)=O"),
    ("SER", "CN(C)C(=O)Oc1ccccc1", "CCOC(=O)N(C)C"),
    ("SER", "N#C[C@@H]1CCCN1C(=O)CN", "CCOC(=N)[C@@H]1CCCN1C(=O)CN"),
    ("SER", "NC(=O)[C@@H]1CC[C@@H]2CN1C(=O)N2OS(=O)(=O)O", "CCOC(=O)N1C[C@H](NOS(=O)(=O)O)CC[C@H]1C(N)=O"),
    ("SER", "CB(O)O", "CCO[B-](C)(O)O"),
]


class Adducts(unittest.TestCase):
    def test_what_is_an_adduct(self) -> None:
        for residue, smiles, expected in CASES:
            with self.subTest(residue=residue, smiles=smiles):
                molecule, _ = adducts.read_ligand(b"smi", smiles.encode())
                if not expected:
                    self.assertRaises(Failed, adducts.make, molecule, {"residue": residue}, REACTIONS)
                    continue
                made = adducts.make(molecule, {"residue": residue}, REACTIONS)
                self.assertEqual([Chem.CanonSmiles(expected)],
                                 [Chem.CanonSmiles(adducts.begun_at_alpha(Chem.MolToSmiles(one))) for one in made])


if __name__ == "__main__":
    unittest.main()
