"""Debian's vina on the redocking set, from the same starts and in the same boxes as berth's.

usage: vina.py --out DIR [--data SET] [--exhaustiveness N] [--seed N] [--cpu N] [--only NAMES]

Each complex's start.pdbqt (torsions random) is docked into receptor.pdbqt in the box of sites.tsv.
Writes DIR/NAME.pdbqt (what vina gave; what is there already is not docked again), DIR/times.csv and, in
the end, a row for each complex: RMSD (heavy atoms, symmetry-corrected) of the top pose and of the best of
five against crystal.pdbqt, Å.  Needs vina, Open Babel and RDKit.
"""
import argparse
import csv
import pathlib
import resource
import subprocess
import time

from rdkit import Chem
from rdkit.Chem import rdMolAlign
from rdkit.Geometry import Point3D


def is_atom(line):
    return line.startswith(("ATOM", "HETATM"))


def is_heavy(line):
    return line.split()[-1] not in ("H", "HD")


def position(line):
    return tuple(float(line[at : at + 8]) for at in (30, 38, 46))


def heavy_positions(lines):
    """Positions of the atoms of a PDBQT model but its hydrogens, Å, in the file's order."""
    return [position(line) for line in lines if is_atom(line) and is_heavy(line)]


def models(path):
    """The poses of vina's file, best first."""
    return [heavy_positions(part.splitlines()) for part in path.read_text().split("MODEL")[1:]]


def skeleton(path):
    """A file's ligand without hydrogens, in its order: elements and which atoms are bonded."""
    sdf = subprocess.run(["obabel", path, "-osdf", "-d"], capture_output=True, text=True, check=True)
    molecule = Chem.MolFromMolBlock(sdf.stdout, sanitize=False)
    for bond in molecule.GetBonds():
        bond.SetBondType(Chem.BondType.SINGLE)
        bond.SetIsAromatic(False)
    for atom in molecule.GetAtoms():
        atom.SetIsAromatic(False)
        atom.SetFormalCharge(0)
        atom.SetNoImplicit(True)
    return molecule


def placed(molecule, positions):
    moved = Chem.Mol(molecule)
    for atom, (x, y, z) in enumerate(positions):
        moved.GetConformer().SetAtomPosition(atom, Point3D(x, y, z))
    return moved


def dock(folder, site, options, out):
    """Docks one complex; seconds by the clock and of processor time."""
    command = ["vina", "--receptor", folder / "receptor.pdbqt", "--ligand", folder / "start.pdbqt",
               "--exhaustiveness", options.exhaustiveness, "--cpu", options.cpu,
               "--seed", options.seed, "--num_modes", "9", "--out", out]
    for axis in "xyz":
        command += [f"--center_{axis}", site[f"center_{axis}"], f"--size_{axis}", site[f"size_{axis}"]]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - start, after.ru_utime - before.ru_utime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data/redock"))
    parser.add_argument("--exhaustiveness", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", type=int, default=2)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    top = five = count = 0
    with open(options.data / "sites.tsv", encoding="utf-8") as table:
        sites = [site for site in csv.DictReader(table, delimiter="\t")
                 if not options.only or site["pdb"] in options.only.split(",")]
    print("complex,top,best_of_5,seconds,processor_seconds")
    for site in sites:
        folder, out = options.data / site["pdb"], options.out / f"{site['pdb']}.pdbqt"
        spent = ("", "")
        if not out.exists():
            spent = [f"{seconds:.1f}" for seconds in dock(folder, site, options, out)]
            with open(options.out / "times.csv", "a", encoding="utf-8") as times:
                print(site["pdb"], *spent, sep=",", file=times)
        start, crystal = skeleton(folder / "start.pdbqt"), skeleton(folder / "crystal.pdbqt")
        rmsds = [rdMolAlign.CalcRMS(placed(start, pose), crystal) for pose in models(out)[:5]]
        print(site["pdb"], f"{rmsds[0]:.2f},{min(rmsds):.2f}", *spent, sep=",", flush=True)
        count, top, five = count + 1, top + (rmsds[0] < 2), five + (min(rmsds) < 2)
    print(f"# within 2 Å: top {top} of {count}, best of five {five}")


if __name__ == "__main__":
    main()
