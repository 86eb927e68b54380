#!/usr/bin/env python3
"""A screen of acrylamides that are bonded to a cysteine: how many ligands a second of a core.

    acrylamides.py RECEPTOR.pdb ATOM --out FOLDER [--berth build/berth] [--docked 80] [-- OPTIONS of berth screen]

Writes FOLDER/acrylamides.smi: 1,000 acrylamides, made by reactions of fragments (a seeded draw, the same each time): an
amine that has a second group, what is coupled to that, and acryloyl chloride.  So many of them are prepared as
adducts, by each builder, and docked from that library, by `fast` and `balanced`; processor time (user and system)
of berth and what it started.  Docking's is that of all less that of the first one alone, which is what starting
costs.  Needs RDKit.
"""
import argparse
import csv
import os
import random
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem, Descriptors

MADE, SEED, HEAVIEST = 1000, 1, 500.0  # molecules; of the draw; g/mol
# Amines, the nitrogen that is acryloylated as [15N], with an acid, a halide, or a second amine as [14N].
CORES = """[15NH2]c1cccc(C(=O)O)c1 [15NH2]c1ccc(C(=O)O)cc1 [15NH2]CC(=O)O [15NH2]CCC(=O)O [15NH]1CCC(C(=O)O)CC1
[15NH]1CCCC1C(=O)O [15NH2]Cc1ccc(C(=O)O)cc1 [15NH]1CC(C(=O)O)C1 [15NH2]C1CCC(C(=O)O)CC1 [15NH2]c1cccc(Br)c1
[15NH2]c1ccc(Br)cc1 [15NH2]Cc1cccc(Br)c1 [15NH2]c1ccc(Br)nc1 [15NH2]Cc1ccc(Br)s1 [15NH]1CCc2cc(Br)ccc2C1
[15NH]1CC[14NH]CC1 [15NH]1CCC([14NH2])CC1 [15NH2]c1cccc([14NH2])c1 [15NH2]CC[14NH2] [15NH]1CC([14NH2])C1
[15NH]1CCCC([14NH2])C1 [15NH2]C1CC[14NH]CC1
[15NH2]c1cc(C(=O)O)ccc1C [15NH]1CCCC(C(=O)O)C1 [15NH2]C1CCCC1C(=O)O [15NH2]C(C)C(=O)O [15NH2]c1ccc(C(=O)O)nc1
[15NH2]c1cc(Br)cnc1 [15NH2]c1cc(Br)ccc1F [15NH2]Cc1ccc(Br)cc1 [15NH]1CC[14NH]CC1C [15NH2]c1ccc([14NH2])cc1
[15NH]1CC2(C1)C[14NH]C2 [15NH2]Cc1cccc(C[14NH2])c1 [15NH]1CCC(C[14NH2])C1""".split()
AMINES = """NCc1ccccc1 Nc1ccccc1 Nc1ccc(F)cc1 Nc1ccc(OC)cc1 NC1CCCCC1 N1CCOCC1 NCc1ccncc1 NCc1ccco1 Nc1nccs1 NCCc1ccccc1
CNCc1ccccc1 NC1CC1 NCC(C)C N1CCCC1 Nc1cccc(C#N)c1 NCc1ccc(Cl)cc1 N1CCc2ccccc2C1 Nc1ccc2[nH]ncc2c1 NCCN1CCOCC1
NCCOC N1CCC(O)CC1 N1CCN(C)CC1 NCc1cccnc1 NC1CCOCC1 NCC1CC1 Nc1ccccn1 Nc1cnccn1 NC(C)c1ccccc1 NCCc1c[nH]c2ccccc12 Nc1ccc(C)cc1
NCc1ccc(OC)cc1 NCCO""".split()
ACIDS = """OC(=O)c1ccccc1 OC(=O)c1ccc(F)cc1 OC(=O)Cc1ccccc1 OC(=O)c1ccncc1 OC(=O)c1ccco1 OC(=O)c1cccs1 OC(=O)C1CCCCC1
OC(=O)C1CC1 OC(=O)c1cc2ccccc2[nH]1 OC(=O)c1ccc(OC)cc1 OC(=O)c1cn(C)nc1 OC(=O)CC(C)C OC(=O)c1ccc(Cl)cc1
OC(=O)COc1ccccc1 OC(=O)c1ccc(C)nc1 OC(=O)C1CCOCC1 OC(=O)CCc1ccccc1 OC(=O)c1ccc(C#N)cc1 OC(=O)c1cnccn1
OC(=O)c1ccc2[nH]ccc2c1 OC(=O)c1cccc(C(F)(F)F)c1 OC(=O)c1csc(C)n1 OC(=O)c1cccc2ccccc12 OC(=O)Cc1cccnc1 OC(=O)C1CCC1
OC(=O)c1cc(C)on1 OC(=O)c1ccncn1 OC(=O)c1ccc(N(C)C)cc1""".split()
BORONICS = """OB(O)c1ccccc1 OB(O)c1ccc(F)cc1 OB(O)c1ccc(OC)cc1 OB(O)c1cccnc1 OB(O)c1ccncc1 OB(O)c1ccsc1 OB(O)c1cnn(C)c1
OB(O)c1cccc(C#N)c1 OB(O)c1ccc(C(F)(F)F)cc1 OB(O)c1ccc2[nH]ccc2c1 OB(O)c1ccc(C(N)=O)cc1 OB(O)c1cncnc1 OB(O)c1cccc(Cl)c1 OB(O)c1ccoc1
OB(O)c1ccc(C)cc1 OB(O)c1ccc(CO)cc1 OB(O)c1ccc2ccccc2c1 OB(O)c1cc(F)cc(F)c1 OB(O)c1ccc(N2CCOCC2)nc1 OB(O)c1c(C)noc1C""".split()
SULFONYLS = """ClS(=O)(=O)c1ccccc1 ClS(=O)(=O)c1ccc(F)cc1 ClS(=O)(=O)C ClS(=O)(=O)c1cccs1 ClS(=O)(=O)C1CC1
ClS(=O)(=O)c1ccc(C)cc1 ClS(=O)(=O)c1cccnc1 ClS(=O)(=O)Cc1ccccc1 ClS(=O)(=O)CC ClS(=O)(=O)c1cn(C)cn1
ClS(=O)(=O)c1ccc(OC)cc1 ClS(=O)(=O)c1ccc(C#N)cc1 ClS(=O)(=O)N1CCOCC1""".split()
AMIDE = "[C:1](=[O:2])[OH].[N;!$(NC=O);!H0:3]>>[C:1](=[O:2])[N:3]"
COUPLINGS = [
    (AMIDE, AMINES),
    ("[c:1]Br.[c:2]B(O)O>>[c:1][c:2]", BORONICS),
    ("[14N:1].[C:2](=[O:3])[OH]>>[14N:1][C:2]=[O:3]", ACIDS),
    ("[14N:1].[S:2](=[O:3])(=[O:4])Cl>>[14N:1][S:2](=[O:3])=[O:4]", SULFONYLS),
]
ACRYLOYLATION = AllChem.ReactionFromSmarts("[15N:1]>>[15N:1]C(=O)C=C")


def run_first(reaction, *reactants):
    """Its first product, or None."""
    for (product,) in reaction.RunReactants(reactants):
        return None if Chem.SanitizeMol(product, catchErrors=True) else product
    return None


def all_acrylamides():
    """The SMILES of all that the fragments make, in one order."""
    found = set()
    for smarts, partners in COUPLINGS:
        coupling = AllChem.ReactionFromSmarts(smarts)
        for core in map(Chem.MolFromSmiles, CORES):
            for partner in map(Chem.MolFromSmiles, partners):
                coupled = run_first(coupling, core, partner)
                made = coupled and run_first(ACRYLOYLATION, coupled)
                if not made:
                    continue
                for atom in made.GetAtoms():
                    atom.SetIsotope(0)
                if Descriptors.MolWt(made) <= HEAVIEST:
                    found.add(Chem.MolToSmiles(made))
    return sorted(found)


def cpu_of(command):
    """Runs it; s of processor time, its children's included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[: own.index("--")], own[own.index("--") + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("receptor", type=Path)
    parser.add_argument("atom", help="A:CYS25:SG")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--berth", default="build/berth")
    parser.add_argument("--docked", type=int, default=80)
    given = parser.parse_args(own)
    RDLogger.DisableLog("rdApp.*")
    given.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("BERTH_PYTHON", sys.executable)

    every = all_acrylamides()
    chosen = random.Random(SEED).sample(every, MADE)
    names = [f"{smiles} acrylamide{i}\n" for i, smiles in enumerate(chosen, 1)]
    (given.out / "acrylamides.smi").write_text("".join(names))
    print(f"{MADE} of the {len(every)} acrylamides that the fragments make")

    some, first = given.out / "some.smi", given.out / "first.smi"
    some.write_text("".join(names[: given.docked]))
    first.write_text(names[0])
    receptor = given.out / "receptor.brec"
    receptor.unlink(missing_ok=True)
    cpu_of([given.berth, "prep", "receptor", given.receptor, "--out", receptor])
    adducts = ["--adducts", given.atom.split(":")[1][:3]]
    for builder in ("fragments", "rdkit"):
        took = {}
        for molecules in (first, some):
            out = molecules.with_suffix(".blib")
            out.unlink(missing_ok=True)
            took[molecules] = cpu_of(
                [given.berth, "prep", "ligands", molecules, *adducts, "--builder", builder, "--out", out]
            )
        each = (took[some] - took[first]) / (given.docked - 1)
        print(f"{builder}: {took[first]:.2f} s for the first, {each:.3f} s for each further one")
    for search in ("fast", "balanced"):
        took = {}
        for molecules in (first, first, some):  # the first compiles
            folder = given.out / f"{molecules.stem}_{search}"
            shutil.rmtree(folder, ignore_errors=True)
            took[molecules] = cpu_of(
                [given.berth, "screen", "--receptor", receptor, "--covalent", given.atom, "--device", "cpu"]
                + ["--library", molecules.with_suffix(".blib"), "--search", search, "--out", folder, *options]
            )
        with open(given.out / f"some_{search}" / "scores.csv") as file:
            rows = list(csv.DictReader(file))
        each = (took[some] - took[first]) / (len(rows) - 1)
        conformers = sum(int(row["conformers"]) for row in rows) / len(rows)
        print(
            f"{search}: {len(rows)} ligands, {conformers:.1f} conformers each; {took[first]:.2f} s for the first, "
            f"{each:.3f} s for each further one: {1 / each:.1f}/s"
        )


if __name__ == "__main__":
    main()
