#!/usr/bin/env python3
"""Splits a protein in Mol2 into its chains, and turns one of them, as PDB.

    chains.py split PROTEIN.mol2 FOLDER    FOLDER/A.pdb, B.pdb ...: one ends where numbers begin anew
    chains.py turn IN.pdb OUT.pdb SEED     about its centre, uniformly at random, and away
"""
import math
import random
import re
import string
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from turn import random_rotation  # noqa: E402


def split(path, folder):
    within, chain, before, files = False, -1, math.inf, []
    with open(path) as file:
        for line in file:
            if line.startswith("@<TRIPOS>"):
                within = line.startswith("@<TRIPOS>ATOM")
                continue
            words = line.split()
            if not within or len(words) < 8 or words[5] == "H":
                continue
            residue, number = re.match(r"(.*?[A-Z]+)(-?\d+)$", words[7]).groups()
            number = int(number)
            if number < before:
                files.append([])
                chain += 1
            before = number
            element = words[5].split(".")[0].upper()
            label = words[1] if len(words[1]) > 3 or len(element) > 1 else " " + words[1]
            x, y, z = (float(word) for word in words[2:5])
            files[-1].append(f"ATOM  {len(files[-1]) + 1:5d} {label:<4s} {residue[:3]:>3s} "
                             f"{string.ascii_uppercase[chain]}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                             f"  1.00  0.00          {element:>2s}\n")
    for letter, lines in zip(string.ascii_uppercase, files):
        with open(f"{folder}/{letter}.pdb", "w") as file:
            file.writelines(lines + ["END\n"])


def turn(source, target, seed):
    rng = random.Random(seed)
    matrix, shift = random_rotation(rng), [rng.uniform(-50, 50) for _ in range(3)]
    with open(source) as file:
        lines = file.readlines()
    places = [[float(line[k:k + 8]) for k in (30, 38, 46)] for line in lines if line.startswith("ATOM")]
    centre = [sum(place[k] for place in places) / len(places) for k in range(3)]
    with open(target, "w") as file:
        for line in lines:
            if line.startswith("ATOM"):
                at = [float(line[k:k + 8]) - c for k, c in zip((30, 38, 46), centre)]
                at = [sum(m * x for m, x in zip(row, at)) + s for row, s in zip(matrix, shift)]
                line = line[:30] + "".join(f"{x:8.3f}" for x in at) + line[54:]
            file.write(line)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "split":
        split(sys.argv[2], sys.argv[3])
    elif len(sys.argv) == 5 and sys.argv[1] == "turn":
        turn(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        sys.exit(__doc__)
