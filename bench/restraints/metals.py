#!/usr/bin/env python3
"""metals.py SET [--list] [--others] [--seeds N ...] [--berth PATH] [ARGUMENT ...]: what open sites of metals do to redocking.

SET is a folder for `berth eval redock`. Complexes whose crystal ligand has an atom within 3 Å of a metal that berth knows sites
of are redocked with --metal_sites on and off; --list only lists them. With --others those are that have none, whose poses must be
the same to the byte. Further arguments go to `berth eval redock` (--mode, --size, --search). Right is a top pose within 2 Å of the
crystal's. Rows go to standard output, a summary to standard error.
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

METALS = {"MG", "CA", "MN", "FE", "CO", "NI", "CU", "ZN"}
NEAR = 3.0  # Å


def pdb_atoms(path):
    """Element and place of each heavy atom of PDB or PDBQT."""
    for line in path.read_text().splitlines():
        if line.startswith(("ATOM", "HETATM")):
            element = (line[77:79] if path.suffix == ".pdbqt" else line[76:78]).strip().upper()
            if element not in ("H", "HD", "HS"):
                yield element, [float(line[k : k + 8]) for k in (30, 38, 46)]


def mol_atoms(path):
    """The same of an SDF of one molecule, or Mol2."""
    text = path.read_text()
    if path.suffix == ".mol2":
        rows = [line.split() for line in text.split("@<TRIPOS>ATOM")[1].split("@<TRIPOS>")[0].splitlines() if line.strip()]
        return [(row[5].split(".")[0].upper(), [float(x) for x in row[2:5]]) for row in rows if row[5] != "H"]
    lines = text.splitlines()
    rows = lines[4 : 4 + int(lines[3][:3])]
    return [(line[31:34].strip().upper(), [float(line[k : k + 10]) for k in (0, 10, 20)]) for line in rows if line[31:34].strip() != "H"]


def atoms_of(folder, name):
    path = next(folder / (name + ending) for ending in (".sdf", ".mol2", ".pdbqt", ".pdb") if (folder / (name + ending)).exists())
    return list(pdb_atoms(path) if path.suffix.startswith(".pdb") else mol_atoms(path))


def nearest(folder):
    """Å, and the metal: the nearest to the crystal's ligand."""
    ligand = [at for _, at in atoms_of(folder, "crystal")]
    metals = [(element, at) for element, at in atoms_of(folder, "receptor") if element in METALS]
    return min(((sum((a - b) ** 2 for a, b in zip(at, atom)) ** 0.5, element) for element, at in metals for atom in ligand), default=(9e9, ""))


def redock(options, names, seed, sites, out):
    words = [options.berth, "eval", "redock", options.set, "--only", ",".join(names), "--seed", seed, "--metal_sites", sites, "--out", out]
    done = subprocess.run([str(word) for word in words + options.more], capture_output=True, text=True)
    if done.returncode not in (0, 2):
        raise SystemExit(done.stderr)
    poses = {path.relative_to(out): path.read_bytes() for path in sorted(out.glob("*/*_poses.sdf"))}
    return {(row["complex"], row["mode"]): float(row["rmsd_top"]) for row in csv.DictReader((out / "redock.csv").open())}, poses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--seeds", nargs="+", default=["1", "2", "3"])
    parser.add_argument("--berth", default=Path(__file__).resolve().parents[2] / "build/berth")
    options, options.more = parser.parse_known_args()
    found = {site["pdb"]: nearest(options.set / site["pdb"]) for site in csv.DictReader((options.set / "sites.tsv").open(), delimiter="\t")}
    names = [name for name, (distance, _) in found.items() if (distance <= NEAR) != options.others]
    out = csv.writer(sys.stdout)
    if options.list:
        out.writerow(["complex", "metal", "distance"])
        out.writerows([name, found[name][1], "%.2f" % found[name][0]] for name in names)
        return
    out.writerow(["complex", "mode", "seed", "off", "on"])
    pairs, differ = [], set()
    for seed in options.seeds:
        with tempfile.TemporaryDirectory() as scratch:
            (off, off_poses), (on, on_poses) = [redock(options, names, seed, sites, Path(scratch) / sites) for sites in ("off", "on")]
        differ |= {str(path.parent) for path in off_poses if off_poses[path] != on_poses.get(path)}
        for key in off.keys() & on.keys():
            out.writerow([*key, seed, off[key], on[key]])
            pairs.append((off[key] <= 2, on[key] <= 2))
        sys.stdout.flush()
    print("of %d right without sites %d, with %d; %d gained, %d lost; poses differ in %d of %d complexes"
          % (len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs), pairs.count((False, True)), pairs.count((True, False)), len(differ), len(names)), file=sys.stderr)


main()
