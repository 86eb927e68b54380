#!/usr/bin/env python3
"""hbond.py SET [--berth PATH] [--seed N] [--false] [ARGUMENT ...]: what one hydrogen bond that is known does to redocking.

SET is a folder for `berth eval redock` (sites.tsv; receptor.pdbqt and crystal.sdf of each complex). Each complex is docked as it
is and with a restraint to the shortest hydrogen bond of the crystal; with --false to the polar atom of the receptor in the box
that lies farthest from the ligand, which no pose of it should hold. Further arguments go to `berth dock`. Right is a top pose
within 2 Å of the crystal's. Rows go to standard output, a summary to standard error.
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

POLAR = {"N": "acceptor", "O": "donor"}  # what a ligand needs to bind to it; backbone atoms alone


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(done.stderr.splitlines()[-1:]))
    return done.stdout


def true_bond(berth, folder):
    """The restraint to the crystal's shortest hydrogen bond; "": it has none."""
    text = run(berth, "interactions", "--receptor", folder / "receptor.pdbqt", "--poses", folder / "crystal.sdf", "--kinds", "hydrogen_bond", "--out", "-")
    bonds = [row for row in csv.DictReader(text.splitlines()) if " " not in row["receptor_atoms"]]
    if not bonds:
        return ""
    bond = min(bonds, key=lambda row: float(row["distance"]))
    return "%s to %s:%s%s:%s" % ("acceptor" if bond["donor"] == "receptor" else "donor", bond["chain"], bond["residue"], bond["number"], bond["receptor_atoms"])


def places(lines, first, last):
    return [(line, [float(line[k : k + 8]) for k in (30, 38, 46)]) for line in lines if line.startswith(("ATOM", "HETATM")) and first <= line[12:16].strip() <= last]


def false_bond(folder, site):
    """A backbone atom of the box as far from the ligand as there is one."""
    half = [float(site["size_" + axis]) / 2 for axis in "xyz"]
    center = [float(site["center_" + axis]) for axis in "xyz"]
    sdf = (folder / "crystal.sdf").read_text().splitlines()
    ligand = [[float(line[k : k + 10]) for k in (0, 10, 20)] for line in sdf[4 : 4 + int(sdf[3][:3])]]
    best = ("", 0.0)
    for line, at in places((folder / "receptor.pdbqt").read_text().splitlines(), "N", "O"):
        name = line[12:16].strip()
        if name not in POLAR or line[17:20] == "PRO" or any(abs(a - c) > h for a, c, h in zip(at, center, half)):
            continue
        near = min(sum((a - b) ** 2 for a, b in zip(at, atom)) ** 0.5 for atom in ligand)
        if near > best[1]:
            best = ("%s to %s:%s%s:%s" % (POLAR[name], line[21], line[17:20].strip(), line[22:26].strip(), name), near)
    return best[0]


def dock(berth, folder, site, seed, restraint, more):
    """RMSD of the top pose, and how many required restraints it does not meet."""
    with tempfile.TemporaryDirectory() as scratch:
        scores = Path(scratch) / "scores.csv"
        words = [berth, "dock", "--receptor", folder / "receptor.pdbqt", "--ligand", folder / "crystal.sdf", "--reference", folder / "crystal.sdf", "--num_modes", 5, "--seed", seed]
        words += [word for key in ("center_x", "center_y", "center_z", "size_x", "size_y", "size_z") for word in ("--" + key, site[key])]
        words += ["--out", Path(scratch) / "poses.sdf", "--scores", scores, *more]
        if restraint:
            (Path(scratch) / "restraints").write_text(restraint + "\n")
            words += ["--restraints", Path(scratch) / "restraints"]
        run(*words)
        row = next(csv.DictReader(scores.open()))
        return float(row["rmsd"]), row.get("unmet", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--berth", default=Path(__file__).resolve().parents[2] / "build/berth")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--false", action="store_true")
    options, more = parser.parse_known_args()
    out = csv.writer(sys.stdout)
    out.writerow(["complex", "restraint", "rmsd_without", "rmsd_with", "unmet"])
    counts = {(before, after): 0 for before in (True, False) for after in (True, False)}
    unmet = none = 0
    for site in csv.DictReader((options.set / "sites.tsv").open(), delimiter="\t"):
        folder = options.set / site["pdb"]
        restraint = false_bond(folder, site) if options.false else true_bond(options.berth, folder)
        if not restraint:
            none += 1
            continue
        try:
            before, _ = dock(options.berth, folder, site, options.seed, "", more)
            after, missed = dock(options.berth, folder, site, options.seed, restraint, more)
        except RuntimeError as error:
            print("%s: %s" % (site["pdb"], error), file=sys.stderr)
            continue
        counts[before <= 2, after <= 2] += 1
        unmet += int(missed or 0) > 0
        out.writerow([site["pdb"], restraint, before, after, missed])
        sys.stdout.flush()
    print(
        "right without %d, with %d: %d gained, %d lost; of %d complexes %d do not meet it; %d have no hydrogen bond"
        % (counts[True, True] + counts[True, False], counts[True, True] + counts[False, True], counts[False, True], counts[True, False], sum(counts.values()), unmet, none),
        file=sys.stderr,
    )


main()
