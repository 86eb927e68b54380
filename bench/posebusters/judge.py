#!/usr/bin/env python3
"""judge.py SET POSES OUT.csv [--jobs N]: what PoseBusters says of the first five poses of each complex of a set.

SET has sites.tsv, NAME/receptor.pdb and NAME/crystal.sdf; POSES is the path of a complex's poses, with {}
where its name stands.  OUT.csv has a row for each pose: pdb, pose, rmsd (Angstrom, heavy atoms, symmetry
considered; empty if there is none), and, of the first pose, each check of PoseBusters' configuration "redock"
but that of the RMSD: True, False, or empty if PoseBusters could not make it.  A complex without poses has no rows.
"""

import argparse
import csv
import functools
import math
import multiprocessing
import os
import sys
from pathlib import Path

from posebusters import PoseBusters
from posebusters.modules.rmsd import check_rmsd
from rdkit import Chem
from rdkit.Chem.AllChem import AssignBondOrdersFromTemplate

POSES = 5


def make_buster():
    """The configuration "redock" without its RMSD, in which PoseBusters 0.6.5 may raise what RDKit raises."""
    buster = PoseBusters(config="redock", top_n=1)
    buster.config["modules"] = [module for module in buster.config["modules"] if module["function"] != "rmsd"]
    return buster


def measure(pose, crystal):
    """PoseBusters' RMSD; of another tautomer, for which its search of tautomers may raise, with the crystal's bonds."""
    try:
        rmsd = check_rmsd(pose, crystal)["results"]["rmsd"]
    except Chem.MolSanitizeException:
        rmsd = math.nan
    if math.isnan(rmsd):
        rmsd = check_rmsd(AssignBondOrdersFromTemplate(crystal, Chem.RemoveHs(pose)), crystal)["results"]["rmsd"]
    return "" if math.isnan(rmsd) else rmsd


def judge(folder, pattern, name):
    """A row for each pose."""
    path, crystal = Path(pattern.replace("{}", name)), folder / name / "crystal.sdf"
    if not path.exists():
        return []
    report = make_buster().bust(path, crystal, folder / name / "receptor.pdb").astype(object)
    checks = report.where(report.notna(), "").to_dict("records")[0]
    crystal = Chem.MolFromMolFile(str(crystal))
    rmsds = [measure(pose, crystal) for pose in list(Chem.SDMolSupplier(str(path)))[:POSES]]
    return [{"pdb": name, "pose": i + 1, "rmsd": rmsd, **(checks if i == 0 else {})} for i, rmsd in enumerate(rmsds)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("poses")
    parser.add_argument("out", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    with open(options.set / "sites.tsv", newline="") as file:
        names = [row["pdb"] for row in csv.DictReader(file, delimiter="\t")]
    rows = []
    with multiprocessing.Pool(options.jobs) as pool:
        for judged in pool.imap(functools.partial(judge, options.set, options.poses), names):
            rows += judged
            print(f"\r{options.out}: {len({row['pdb'] for row in rows})} of {len(names)} complexes", end="", file=sys.stderr)
    print(file=sys.stderr)
    if not rows:
        sys.exit(f"judge.py: no poses at {options.poses}")
    with open(options.out, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
