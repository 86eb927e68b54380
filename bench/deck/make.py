#!/usr/bin/env python3
"""Makes a miniBUDE deck of a protein against itself, at any size.

    make.py PROTEIN.mol2 FORCEFIELD.bhff FOLDER [--atoms N] [--poses N] [--energies N] [--seed N]

The protein's heavy atoms, once as protein.in and once, about their centre, as ligand.in, with the
forcefield's types of their Mol2 types; poses that touch from all sides; and ref_energies.out, the
energies of the first of them by miniBUDE's formula in double precision, from this file alone.
Needs numpy.
"""
import argparse
import math
import struct
import sys

import numpy as np

# What miniBUDE compiles in: kJ/mol, and Å; its energy is half of its sum.
HARDNESS, NONPOLAR_REACH, POLAR_REACH, CHARGE = 38.0, 5.5, 1.0, 45.0


def read_types(path):
    """{Mol2 type: (class, radius, hydrophobic potential, charge)}."""
    types = {}
    with open(path) as file:
        lines = [line.split() for line in file if not line.startswith(("#", "%"))]
    for words in lines[2:]:
        if len(words) == 9:
            types[words[0]] = (words[1], float(words[2]) * float(words[7]), float(words[3]), float(words[8]))
    return types


def read_atoms(path):
    """Positions and Mol2 types of the heavy atoms."""
    atoms, within = [], False
    with open(path) as file:
        for line in file:
            if line.startswith("@<TRIPOS>"):
                within = line.startswith("@<TRIPOS>ATOM")
            elif within and len(line.split()) >= 6:
                words = line.split()
                if words[5] not in ("H", "Du", "LP"):
                    atoms.append(([float(word) for word in words[2:5]], words[5]))
    return np.array([at for at, _ in atoms]), [kind for _, kind in atoms]


def rotation(a, b, c):
    """The matrix of a pose's Euler angles, as miniBUDE has it."""
    sa, ca, sb, cb, sc, cc = math.sin(a), math.cos(a), math.sin(b), math.cos(b), math.sin(c), math.cos(c)
    return np.array([[cb * cc, sa * sb * cc - ca * sc, ca * sb * cc + sa * sc],
                     [cb * sc, sa * sb * sc + ca * cc, ca * sb * sc - sa * cc],
                     [-sb, sa * cb, ca * cb]])


def make_poses(protein, ligand, count, random):
    """Random rotations; shifted in a random direction to where the two touch, or overlap a little."""
    poses = np.empty((count, 6))
    for pose in poses:
        pose[:3] = random.uniform(-math.pi, math.pi, 3)
        way = random.normal(size=3)
        way /= np.linalg.norm(way)
        reach = (protein @ way).max() - (ligand @ rotation(*pose[:3]).T @ way).min()
        pose[3:] = way * (reach - random.uniform(-3, 6))
    return poses.astype(np.float32)


def energy(protein, ligand, numbers, table, pose):
    """miniBUDE's energy of a pose, in double precision."""
    placed = ligand @ rotation(*(float(x) for x in pose[:3])).T + pose[3:].astype(float)
    letters, radii, potentials, charges = table
    total = 0.0
    for at, kind in zip(placed, numbers):
        r = np.sqrt(((protein - at) ** 2).sum(axis=1))
        contact = radii[numbers] + radii[kind]
        beyond = r - contact
        pair = np.where(r < contact, 2 * HARDNESS * (1 - r / contact), 0)
        h, q = potentials[numbers], charges[numbers] * charges[kind]
        either = (letters[numbers] == "E") | (letters[kind] == "E")
        formal = (letters[numbers] == "F") & (letters[kind] == "F")
        q = CHARGE * np.where(either, -np.abs(q), q)
        pair += q * np.clip(1 - beyond / np.where(formal, 4.0, 2.0), 0, 1)
        nonpolar = (h < 0) & (potentials[kind] < 0)
        opposite = h * potentials[kind] < 0
        weight = np.where(nonpolar, h + potentials[kind],
                          np.where(opposite, np.abs(h) + abs(potentials[kind]), 0))
        pair += weight * np.clip(1 - beyond / np.where(nonpolar, NONPOLAR_REACH, POLAR_REACH), 0, 1)
        total += pair.sum()
    return total / 2


def write_atoms(path, positions, numbers):
    with open(path, "wb") as file:
        for at, number in zip(positions, numbers):
            file.write(struct.pack("<fffi", *at, number))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("protein", "forcefield", "folder"):
        parser.add_argument(name)
    parser.add_argument("--atoms", type=int, help="take the first N heavy atoms only")
    parser.add_argument("--poses", type=int, default=2048)
    parser.add_argument("--energies", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    types = read_types(options.forcefield)
    protein, kinds = read_atoms(options.protein)
    protein, kinds = protein[:options.atoms], kinds[:options.atoms]
    unknown = sorted(set(kinds) - set(types))
    if unknown:
        sys.exit(f"{options.protein}: types without parameters: {' '.join(unknown)}")
    names = list(types)
    numbers = np.array([names.index(kind) for kind in kinds])
    # in single precision, as the deck has them
    protein = (protein - protein.mean(axis=0)).astype(np.float32).astype(float)
    ligand = protein
    rows = [(types[name][0], *np.float32(types[name][1:])) for name in names]
    table = (np.array([row[0] for row in rows]),) + tuple(
        np.array([row[k] for row in rows], dtype=float) for k in (1, 2, 3))
    poses = make_poses(protein, ligand, options.poses, np.random.default_rng(options.seed))
    with open(f"{options.folder}/forcefield.in", "wb") as file:
        for letter, *values in rows:
            file.write(struct.pack("<ifff", ord(letter), *values))
    write_atoms(f"{options.folder}/protein.in", protein, numbers)
    write_atoms(f"{options.folder}/ligand.in", ligand, numbers)
    with open(f"{options.folder}/poses.in", "wb") as file:
        file.write(poses.T.astype("<f4").tobytes())
    with open(f"{options.folder}/ref_energies.out", "w") as file:
        for pose in poses[:options.energies]:
            file.write(f"{energy(protein, ligand, numbers, table, pose):.6f}\n")
    print(f"{len(protein)} x {len(protein)} atoms, {options.poses} poses, {options.energies} energies")


if __name__ == "__main__":
    main()
