#!/usr/bin/env python3
"""hbond.py SET [--berth PATH] [--seed N] [--ways LIST] [ARGUMENT ...]: what one hydrogen bond that is known does to redocking.

SET is a folder for `berth eval redock` (sites.tsv; receptor.pdbqt and crystal.sdf of each complex; crystal.mol2, if it is there, is
docked, as it stands). The bond is the crystal's
shortest. Each complex is docked as it is and in each of the ways of LIST:

    kind   any donor or acceptor of the ligand may make it
    atom   the ligand's own atom does, which SMARTS of its surroundings name (RDKit)
    false  the polar backbone atom of the box that lies farthest from the ligand, which no right pose holds

Further arguments go to `berth dock`. Right is a top pose within 2 Å of the crystal's. Rows go to standard output, a summary to
standard error. made: whether the top pose makes the bond, by `berth interactions`; best: the least RMSD of five poses.
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

NEEDS = {"N": "acceptor", "O": "donor"}  # of a ligand; backbone atoms
RADIUS = 3.3  # Å; what `berth dock` has for donors and acceptors


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(done.stderr.splitlines()[-1:]))
    return done.stdout


def bonds_of(berth, folder, poses):
    text = run(berth, "interactions", "--receptor", folder / "receptor.pdbqt", "--poses", poses, "--kinds", "hydrogen_bond", "--out", "-")
    return [row for row in csv.DictReader(text.splitlines())]


def residue_atom(bond):
    return "%s:%s%s:%s" % (bond["chain"], bond["residue"], bond["number"], bond["receptor_atoms"])


def pattern_of(folder, atom):
    """SMARTS of a heavy atom of the crystal's ligand, `atom` from 1, with what lies within two bonds; it has label 1."""
    from rdkit import Chem

    molecule = Chem.MolFromMolFile(str(folder / "crystal.sdf"), sanitize=False, removeHs=False)
    molecule.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(molecule)
    near = {atom - 1}
    for _ in range(2):
        near |= {other.GetIdx() for at in near for other in molecule.GetAtomWithIdx(at).GetNeighbors() if other.GetAtomicNum() > 1}

    def written(at, seen):
        """The tree of `near` from an atom, each with its element and number of heavy neighbours."""
        own = molecule.GetAtomWithIdx(at)
        heavy = [other.GetIdx() for other in own.GetNeighbors() if other.GetAtomicNum() > 1]
        text = "[#%d;D%d%s]" % (own.GetAtomicNum(), len(heavy), ":1" if at == atom - 1 else "")
        seen.add(at)
        branches = ["~" + written(other, seen) for other in sorted(heavy) if other in near and other not in seen]
        return text + "".join("(%s)" % branch for branch in branches)

    return written(atom - 1, set())


def false_bond(folder, site):
    """A backbone atom of the box as far from the ligand as there is one."""
    half = [float(site["size_" + axis]) / 2 for axis in "xyz"]
    center = [float(site["center_" + axis]) for axis in "xyz"]
    sdf = (folder / "crystal.sdf").read_text().splitlines()
    ligand = [[float(line[k : k + 10]) for k in (0, 10, 20)] for line in sdf[4 : 4 + int(sdf[3][:3])]]
    best = ("", 0.0)
    for line in (folder / "receptor.pdbqt").read_text().splitlines():
        name = line[12:16].strip()
        if not line.startswith(("ATOM", "HETATM")) or name not in NEEDS or line[17:20] == "PRO":
            continue
        at = [float(line[k : k + 8]) for k in (30, 38, 46)]
        if any(abs(a - c) > h for a, c, h in zip(at, center, half)):
            continue
        near = min(sum((a - b) ** 2 for a, b in zip(at, atom)) ** 0.5 for atom in ligand)
        if near > best[1]:
            best = ("%s to %s:%s%s:%s" % (NEEDS[name], line[21].strip(), line[17:20].strip(), line[22:26].strip(), name), near)
    return best[0]


def restraint_of(way, folder, site, bond):
    if way == "false":
        return false_bond(folder, site)
    if way == "atom":
        at = int("".join(c for c in bond["ligand_atoms"] if c.isdigit()))
        return "smarts %s to %s radius %s" % (pattern_of(folder, at), residue_atom(bond), RADIUS)
    return "%s to %s" % ("acceptor" if bond["donor"] == "receptor" else "donor", residue_atom(bond))


def dock(options, folder, site, restraint, bond):
    """RMSD of the top pose, the least of all, whether the top pose makes the bond, and what it says is not met."""
    with tempfile.TemporaryDirectory() as scratch:
        ligand = next(path for path in (folder / "crystal.mol2", folder / "crystal.sdf") if path.exists())
        scores, poses = Path(scratch) / "scores.csv", Path(scratch) / "poses.sdf"
        words = [*options.prefix.split(), options.berth, "dock", "--receptor", folder / "receptor.pdbqt", "--ligand", ligand, "--reference", ligand, "--num_modes", 5, "--seed", options.seed]
        words += [word for key in ("center_x", "center_y", "center_z", "size_x", "size_y", "size_z") for word in ("--" + key, site[key])]
        words += ["--out", poses, "--scores", scores, *options.more]
        if restraint:
            (Path(scratch) / "restraints").write_text(restraint + "\n")
            words += ["--restraints", Path(scratch) / "restraints"]
        run(*words)
        rows = list(csv.DictReader(scores.open()))
        made = any(row["mode"] == "1" and residue_atom(row) == residue_atom(bond) for row in bonds_of(options.berth, folder, poses))
        return float(rows[0]["rmsd"]), min(float(row["rmsd"]) for row in rows), int(made), rows[0].get("unmet", "")


def summarize(table, ways):
    for way in ways:
        pairs = [(row["free"][0] <= 2, row[way][0] <= 2) for row in table if way in row]
        missed = [row for row in table if way in row and row["free"][0] > 2]
        print(
            "%s: of %d right without %d, with %d; %d gained, %d lost; %d not met; of %d misses %d have a right pose among five without, %d of these right with, %d make the bond without"
            % (way, len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs), pairs.count((False, True)), pairs.count((True, False)), sum(int(row[way][3] or 0) > 0 for row in table if way in row),
               len(missed), sum(row["free"][1] <= 2 for row in missed), sum(row["free"][1] <= 2 and row[way][0] <= 2 for row in missed), sum(row["free"][2] for row in missed)),
            file=sys.stderr,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--berth", default=Path(__file__).resolve().parents[2] / "build/berth")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--ways", default="kind,atom,false")
    parser.add_argument("--prefix", default="", help="words before each docking's command")
    options, options.more = parser.parse_known_args()
    ways = options.ways.split(",")
    out = csv.writer(sys.stdout)
    out.writerow(["complex", "way", "restraint", "rmsd", "best", "made", "unmet"])
    table = []
    for site in csv.DictReader((options.set / "sites.tsv").open(), delimiter="\t"):
        folder = options.set / site["pdb"]
        row = {}
        try:
            bonds = [bond for bond in bonds_of(options.berth, folder, folder / "crystal.sdf") if " " not in bond["receptor_atoms"]]
            bond = min(bonds, key=lambda bond: float(bond["distance"]), default=None)
            for way in ["free", *ways] if bond else []:
                restraint = "" if way == "free" else restraint_of(way, folder, site, bond)
                row[way] = dock(options, folder, site, restraint, bond)
                out.writerow([site["pdb"], way, restraint, *row[way]])
                sys.stdout.flush()
        except RuntimeError as error:
            print("%s: %s" % (site["pdb"], error), file=sys.stderr)
        if "free" in row:
            table.append(row)
    summarize(table, ways)


main()
