#!/usr/bin/env python3
"""template.py SET ... [--pairs] [--seeds N ...] [--berth PATH] [ARGUMENT ...]: what another ligand of the protein does to redocking.

SET is a folder with complexes as `berth eval redock` takes them (sites.tsv; receptor.pdbqt and crystal.sdf or crystal.pdbqt of
each). Of all pairs of complexes of one protein (90 % of the residues of the shorter sequence alike) whose ligands have at least
10 atoms in common (RDKit's MCS, rings as a whole), each ligand is docked into its own receptor as it is, and with the other
ligand as template, whose crystal pose comes over by the C-alpha atoms that both receptors have within 15 Å of the ligand. Further
arguments go to `berth dock`. Right is a top pose within 2 Å of the crystal's. --pairs only lists them; apart is how far the
crystals' cores lie from each other. Rows go to standard output, a summary to standard error. Needs RDKit, NumPy and Open Babel.
"""
import argparse
import csv
import difflib
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from rdkit import Chem, RDLogger
from rdkit.Chem import rdFMCS

LETTERS = dict(zip("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL HID HIE HIP CYX".split(), "ARNDCQEGHILKMFPSTWYVHHHC"))


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(done.stderr.splitlines()[-1:]))
    return done.stdout


class Complex:
    def __init__(self, folder, site):
        self.folder, self.site = folder, site
        alphas = [line for line in (folder / "receptor.pdbqt").read_text().splitlines() if line.startswith(("ATOM", "HETATM")) and line[12:16].strip() == "CA" and line[17:20] in LETTERS]
        self.sequence = "".join(LETTERS[line[17:20]] for line in alphas)
        self.alphas = numpy.array([[float(line[k : k + 8]) for k in (30, 38, 46)] for line in alphas])
        crystal = folder / "crystal.sdf"
        text = crystal.read_text() if crystal.exists() else run("obabel", folder / "crystal.pdbqt", "-osdf", "-h")
        self.ligand = Chem.MolFromMolBlock(text) or Chem.MolFromMolBlock(text, sanitize=False)
        self.text = text


def alike(a, b):
    """Pairs of residues of two sequences; empty where they are of different proteins."""
    words = [{one.sequence[k : k + 5] for k in range(len(one.sequence) - 4)} for one in (a, b)]
    if 2 * len(words[0] & words[1]) < min(len(word) for word in words):
        return []
    blocks = difflib.SequenceMatcher(None, a.sequence, b.sequence, autojunk=False).get_matching_blocks()
    pairs = [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]
    return pairs if len(pairs) >= 0.9 * min(len(a.sequence), len(b.sequence)) else []


def superposition(a, b, pairs):
    """What brings b to a, by the residues about a's ligand: rotation and shift."""
    ligand = a.ligand.GetConformer().GetPositions()
    near = [p for p in pairs if numpy.linalg.norm(ligand - a.alphas[p[0]], axis=1).min() < 15]
    x, y = a.alphas[[p[0] for p in near]], b.alphas[[p[1] for p in near]]
    for _ in range(3):
        u, _, v = numpy.linalg.svd((y - y.mean(0)).T @ (x - x.mean(0)))
        turn = u @ numpy.diag([1, 1, numpy.sign(numpy.linalg.det(u @ v))]) @ v
        shift = x.mean(0) - y.mean(0) @ turn
        off = numpy.linalg.norm(y @ turn + shift - x, axis=1)
        kept = off <= max(1, numpy.sort(off)[len(off) // 2])
        x, y = x[kept], y[kept]
    return turn, shift


def template(a, b, turn, shift):
    """The ligand of b where a's receptor has it."""
    moved = Chem.Mol(b.ligand)
    for i, at in enumerate(b.ligand.GetConformer().GetPositions() @ turn + shift):
        moved.GetConformer().SetAtomPosition(i, at.tolist())
    return moved


def core(a, moved):
    """How many atoms are in common, and how far apart they lie in the crystals, Å."""
    common = rdFMCS.FindMCS([a.ligand, moved], bondCompare=rdFMCS.BondCompare.CompareAny, ringMatchesRingOnly=True, completeRingsOnly=True, timeout=20)
    if common.numAtoms < 10:
        return common.numAtoms, 0
    pattern = Chem.MolFromSmarts(common.smartsString)
    x, y = a.ligand.GetConformer().GetPositions(), moved.GetConformer().GetPositions()
    ways = itertools.product(a.ligand.GetSubstructMatches(pattern, uniquify=False, maxMatches=200), moved.GetSubstructMatches(pattern, uniquify=True))
    return common.numAtoms, min(numpy.sqrt(((x[list(i)] - y[list(k)]) ** 2).sum(1).mean()) for i, k in ways)


def find_pairs(complexes):
    for a, b in itertools.permutations(complexes, 2):
        pairs = alike(a, b)
        if pairs:
            moved = template(a, b, *superposition(a, b, pairs))
            atoms, apart = core(a, moved)
            if atoms >= 10:
                yield a, b, moved, atoms, apart


def dock(berth, a, moved, seed, more):
    """RMSD of the top pose."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        (scratch / "crystal.sdf").write_text(a.text)
        words = [berth, "dock", "--receptor", a.folder / "receptor.pdbqt", "--ligand", scratch / "crystal.sdf", "--reference", scratch / "crystal.sdf", "--num_modes", 1, "--seed", seed]
        words += [word for key in ("center_x", "center_y", "center_z", "size_x", "size_y", "size_z") for word in ("--" + key, a.site[key])]
        words += ["--out", scratch / "poses.sdf", "--scores", scratch / "scores.csv", *more]
        if moved:
            (scratch / "template.sdf").write_text(Chem.MolToMolBlock(moved, kekulize=False))
            words += ["--template", scratch / "template.sdf"]
        run(*words)
        return float(next(csv.DictReader((scratch / "scores.csv").open()))["rmsd"])


def measure(options, more, pairs):
    out = csv.writer(sys.stdout)
    out.writerow("complex template core apart seed without with".split())
    right, done = [0, 0], {}
    for a, b, moved, atoms, apart in pairs:
        for seed in options.seeds:
            try:
                if (a, seed) not in done:
                    done[a, seed] = dock(options.berth, a, None, seed, more)
                rmsds = done[a, seed], dock(options.berth, a, moved, seed, more)
            except (RuntimeError, StopIteration) as error:
                print("%s with %s: %s" % (a.site["pdb"], b.site["pdb"], error), file=sys.stderr)
                continue
            out.writerow([a.site["pdb"], b.site["pdb"], atoms, "%.2f" % apart, seed, *rmsds])
            sys.stdout.flush()
            right = [count + (rmsd <= 2) for count, rmsd in zip(right, rmsds)]
    print("right without %d, with %d, of %d" % (*right, len(options.seeds) * len(pairs)), file=sys.stderr)


def main():
    RDLogger.DisableLog("rdApp.*")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--berth", default=Path(__file__).resolve().parents[2] / "build/berth")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--pairs", action="store_true")
    options, more = parser.parse_known_args()
    complexes = [Complex(folder / site["pdb"], site) for folder in options.sets for site in csv.DictReader((folder / "sites.tsv").open(), delimiter="\t")]
    pairs = list(find_pairs(complexes))
    if options.pairs:
        for a, b, _, atoms, apart in pairs:
            print(a.site["pdb"], b.site["pdb"], atoms, "%.2f" % apart)
    else:
        measure(options, more, pairs)


main()
