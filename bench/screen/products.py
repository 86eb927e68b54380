"""products.py DUD OUT.smi: 100,000 amides, all different, of at most 35 heavy atoms, from parts of DUD's ligands.

Acids and amines, of at most 18 heavy atoms, are what is left where an amide's or an amine's bond of these ligands is cut
(DUD: a folder with *.smi.gz); pairs are drawn with one seed. What a library of products is like to prepare and to screen."""
import glob
import gzip
import random
import sys

from rdkit import Chem, RDLogger
from rdkit.Chem import AllChem

COUNT, PART, WHOLE = 100000, 18, 35
ACID = AllChem.ReactionFromSmarts("[C;$(C(=O)[#6]):1](=[O:2])-!@[NX3:3]>>[C:1](=[O:2])O")
AMINE = AllChem.ReactionFromSmarts(
    "[CX4,c:1]-!@[NX3;H0,H1;!$(N[C,S]=O);!$(NC=[N,O]):3]-!@[CX4:2]>>[CX4,c:1][N:3]")
AMIDE = AllChem.ReactionFromSmarts(
    "[C:1](=[O:2])[OX2H1].[NX3;H1,H2;!$(N[C,S]=O);!$(NC=[N,O]):3]>>[C:1](=[O:2])[N:3]")


def products_of(reaction, *molecules, most):
    for product, *_ in reaction.RunReactants(molecules):
        try:
            Chem.SanitizeMol(product)
        except ValueError:
            continue
        if product.GetNumHeavyAtoms() <= most:
            yield Chem.MolToSmiles(product)


def parts(folder):
    acids, amines = set(), set()
    for path in sorted(glob.glob(f"{folder}/*.smi.gz")):
        for line in gzip.open(path, "rt"):
            molecule = Chem.MolFromSmiles(line.split()[0])
            if molecule:
                acids.update(products_of(ACID, molecule, most=PART))
                amines.update(products_of(AMINE, molecule, most=PART))
    return [[Chem.MolFromSmiles(smiles) for smiles in sorted(some)] for some in (acids, amines)]


def main(folder, out):
    RDLogger.DisableLog("rdApp.*")
    random.seed(7)
    acids, amines = parts(folder)
    found = {}
    while len(found) < COUNT:
        for smiles in products_of(AMIDE, random.choice(acids), random.choice(amines), most=WHOLE):
            found.setdefault(smiles, len(found))
    with open(out, "w") as file:
        file.writelines(f"{smiles} P{number:06d}\n" for smiles, number in found.items())


if __name__ == "__main__":
    main(*sys.argv[1:])
