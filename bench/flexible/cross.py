#!/usr/bin/env python3
"""Cross-docking, with the receptor rigid and with side chains that move.

    cross.py SET... --out FOLDER [--berth build/berth] [--pairs N] [--within 3.5] [-- OPTIONS of berth dock]

A SET is a folder of complexes, each a folder with receptor.pdbqt and crystal.sdf.  Pairs are of one
protein (nine tenths of the shorter chain at the site are the other's), with other ligands at one
place.  Each ligand, from its SMILES, is docked to the other's receptor, in the box of the ligand that
belongs there; the side chains that move are those within so many A of that ligand.  What a pose is
measured to is the docked ligand's own crystal, superposed by the CA about the site (RMSD of heavy
atoms, symmetry considered).  FOLDER/cross.csv has a line for each docking, written as they end; lines
that are there are not docked again.  Needs numpy and RDKit.
"""
import argparse
import csv
import difflib
import itertools
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from rdkit import Chem, RDLogger
from rdkit.Chem import rdMolAlign

LETTERS = dict(zip("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL".split(),
                   "ARNDCQEGHILKMFPSTWYV"))  # fmt: skip
SITE, CHAIN, PLACE, FIT = 15.0, 10.0, 4.0, 2.0  # A: CA that are fitted; of a chain at the site; centroids; RMSD
ALIKE, FEWEST, SUCCESS = 0.9, 15, 2.0  # share of a chain; CA that are fitted; A


class Complex:
    """Chains at the site, as a sequence and the places of its CA, and the ligand."""

    def __init__(self, folder):
        self.name, self.folder = folder.name, folder
        self.ligand = Chem.RemoveHs(Chem.MolFromMolFile(str(folder / "crystal.sdf")))
        self.places = self.ligand.GetConformer().GetPositions()
        self.smiles = Chem.MolToSmiles(self.ligand)
        self.chains = []
        lines = [line for line in open(folder / "receptor.pdbqt") if line[:4] == "ATOM" and line[12:16].strip() == "CA"]
        for _, chain in itertools.groupby(lines, key=lambda line: line[21]):
            chain = [line for line in chain if line[17:20] in LETTERS]
            atoms = np.array([[float(line[i : i + 8]) for i in (30, 38, 46)] for line in chain])
            if len(chain) and distances(atoms, self.places).min() < CHAIN:
                self.chains.append(("".join(LETTERS[line[17:20]] for line in chain), atoms))


def distances(a, b):
    return np.linalg.norm(a[:, None] - b[None], axis=2)


def fit(moved, fixed):
    """Rotation and shift that bring one onto the other, and the RMSD that is left."""
    a, b = moved.mean(0), fixed.mean(0)
    u, _, v = np.linalg.svd((moved - a).T @ (fixed - b))
    rotation = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v))]) @ v
    left = (moved - a) @ rotation + b - fixed
    return rotation, b - a @ rotation, np.sqrt((left**2).sum(1).mean())


def superpose(ligand_of, receptor_of):
    """The first one's ligand where it is in the second's receptor; None: another protein or place."""
    best = None
    for (one, moved), (other, fixed) in itertools.product(ligand_of.chains, receptor_of.chains):
        words = [{chain[i : i + 4] for i in range(len(chain))} for chain in (one, other)]
        if 2 * len(words[0] & words[1]) < min(map(len, words)):
            continue
        blocks = difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
        pairs = [(b.a + i, b.b + i) for b in blocks for i in range(b.size)]
        if len(pairs) < ALIKE * min(len(one), len(other)):
            continue
        near = distances(fixed, receptor_of.places).min(1) < SITE
        pairs = [pair for pair in pairs if near[pair[1]]]
        if len(pairs) < FEWEST:
            continue
        first, second = np.array(pairs).T
        rotation, shift, rmsd = fit(moved[first], fixed[second])
        placed = ligand_of.places @ rotation + shift
        apart = np.linalg.norm(placed.mean(0) - receptor_of.places.mean(0))
        if rmsd < FIT and apart < PLACE and (best is None or rmsd < best[0]):
            best = rmsd, placed
    return best and best[1]


def find_pairs(complexes):
    for first, second in itertools.combinations(complexes, 2):
        if first.smiles != second.smiles and superpose(first, second) is not None:
            yield from ((first, second), (second, first))


def dock(options, ligand_of, receptor_of, moving):
    """RMSD of the first pose and the best one, the first one's score, and processor seconds."""
    start, out = options.out / "ligand.smi", options.out / "poses.sdf"
    start.write_text("%s %s\n" % (ligand_of.smiles, ligand_of.name))
    near = str(receptor_of.folder / "crystal.sdf")
    words = [options.berth, "dock", "--receptor", receptor_of.folder / "receptor.pdbqt", "--ligand", start,
             "--autobox_ligand", near, "--out", out, *options.dock]  # fmt: skip
    if moving:
        words += ["--reference", near, "--flexible_within", options.within]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    known = Chem.Mol(ligand_of.ligand)
    for i, place in enumerate(superpose(ligand_of, receptor_of)):
        known.GetConformer().SetAtomPosition(i, place)
    poses = [Chem.RemoveHs(pose) for pose in Chem.SDMolSupplier(str(out))]
    found = [rmsd_of(pose, known) for pose in poses]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found[0], min(found), float(poses[0].GetProp("score")), seconds


def rmsd_of(pose, known):
    """Atoms match by element, bonds by being there: protonation may have changed the rest."""
    plain = Chem.RWMol()
    for atom in known.GetAtoms():
        plain.AddAtom(Chem.AtomFromSmarts("[#%d]" % atom.GetAtomicNum()))
    for bond in known.GetBonds():
        plain.AddBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), Chem.BondType.UNSPECIFIED)
        plain.ReplaceBond(plain.GetNumBonds() - 1, Chem.BondFromSmarts("~"))
    matches = pose.GetSubstructMatches(plain, uniquify=False, maxMatches=10000)
    if not matches:
        raise ValueError("a pose of another molecule")
    return min(rdMolAlign.CalcRMS(pose, known, map=[list(zip(match, range(len(match))))]) for match in matches)


def summarize(rows):
    print("dockings %d, first pose within %g A, and best of all poses:" % (len(rows) // 2, SUCCESS))
    for kind in ("rigid", "flexible"):
        mine = [row for row in rows if row["receptor_is"] == kind]
        first, best = (sum(float(row[key]) <= SUCCESS for row in mine) for key in ("first", "best"))
        seconds = sum(float(row["seconds"]) for row in mine)
        print("%-9s %d and %d of %d; %.0f s of processor time" % (kind, first, best, len(mine), seconds))
    by = {(row["ligand"], row["receptor"], row["receptor_is"]): float(row["first"]) <= SUCCESS for row in rows}
    pairs = {key[:2] for key in by}
    for word, wanted in (("gained", (False, True)), ("lost", (True, False))):
        names = [" in ".join(pair) for pair in sorted(pairs) if (by[(*pair, "rigid")], by[(*pair, "flexible")]) == wanted]
        print("%s: %d%s" % (word, len(names), " (%s)" % ", ".join(names) if names else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--berth", default="build/berth")
    parser.add_argument("--pairs", type=int, default=1000, help="dockings of either kind, at most")
    parser.add_argument("--within", type=float, default=3.5)
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:cut])
    options.dock = words[cut + 1 :]
    options.out.mkdir(parents=True, exist_ok=True)
    RDLogger.DisableLog("rdApp.*")
    folders = sorted(path.parent for folder in options.sets for path in folder.glob("*/crystal.sdf"))
    pairs = list(find_pairs([Complex(folder) for folder in folders]))
    table = options.out / "cross.csv"
    rows = list(csv.DictReader(open(table))) if table.exists() else []
    done = {(row["ligand"], row["receptor"], row["receptor_is"]) for row in rows}
    print("%d pairs, each both ways" % (len(pairs) // 2), flush=True)
    with open(table, "a", newline="") as file:
        names = ["ligand", "receptor", "receptor_is", "first", "best", "score", "seconds"]
        writer = csv.DictWriter(file, names)
        if not rows:
            writer.writeheader()
        for ligand_of, receptor_of in pairs[: options.pairs]:
            for kind in ("rigid", "flexible"):
                if (ligand_of.name, receptor_of.name, kind) in done:
                    continue
                found = dock(options, ligand_of, receptor_of, kind == "flexible")
                numbers = ["%.2f" % number for number in found]
                rows.append(dict(zip(names, [ligand_of.name, receptor_of.name, kind, *numbers])))
                writer.writerow(rows[-1])
                file.flush()
    summarize(rows)


if __name__ == "__main__":
    main()
