"""Compares what EasyDock has in its database with a screen of the same molecules.

    compare.py molecules DATABASE >molecules.smi    what it docked, as it called them
    compare.py DATABASE SCREEN                      the screen's folder: scores.csv and hits.sdf
"""

import csv
import os
import sqlite3
import sys


def rows(database):
    """Name, SMILES as docked, score, pose."""
    with sqlite3.connect(database) as connection:
        return [
            (f"{name}_{isomer}", protonated or smiles, score, pose)
            for name, isomer, smiles, protonated, score, pose in connection.execute(
                "SELECT id, stereo_id, smi, smi_protonated, docking_score, mol_block FROM mols ORDER BY rowid"
            )
        ]


def block(record):
    """Atoms and bonds of an SDF record, without what stands above and below them."""
    return record.split("M  END")[0].split("\n", 3)[3]


def main():
    if sys.argv[1] == "molecules":
        for name, smiles, _, _ in rows(sys.argv[2]):
            print(smiles, name)
        return 0
    docked = {name: (score, pose) for name, _, score, pose in rows(sys.argv[1]) if score is not None}
    with open(os.path.join(sys.argv[2], "scores.csv"), newline="") as file:
        scores = {row["ligand"]: row["ranking"] for row in csv.DictReader(file)}
    with open(os.path.join(sys.argv[2], "hits.sdf")) as file:
        poses = {record.split("\n", 1)[0]: record for record in file.read().split("$$$$\n") if record.strip()}
    same = [name for name, (score, _) in docked.items() if f"{score:.4f}" == f"{float(scores.get(name, 'nan')):.4f}"]
    alike = [name for name, (_, pose) in docked.items() if name in poses and block(pose) == block(poses[name])]
    print(f"{len(docked)} docked, {len(same)} scores and {len(alike)} poses are those of the screen, which docked {len(scores)}")
    return 0 if len(docked) == len(same) == len(alike) == len(scores) else 1


if __name__ == "__main__":
    sys.exit(main())
