#!/usr/bin/env python3
"""turn.py IN.mol2 OUT.mol2 --seed N: starts for redocking that know nothing of the answer.

Turns each molecule of a Mol2 file about the centroid of its heavy atoms, uniformly over all
rotations, and shifts it by a vector uniform in a ball of 5 Angstrom. All other text stays as it is.
The same seed gives the same file.
"""
import argparse
import math
import random
import re

SHIFT = 5.0  # Angstrom
# id and name, then three coordinates with the blanks before them, then type and the rest
ATOM = re.compile(r'(\s*\S+\s+\S+)(\s+\S+)(\s+\S+)(\s+\S+)(\s+(\S+).*)', re.DOTALL)


def random_rotation(rng):
    """Shoemake 1992: a uniform unit quaternion, as a matrix."""
    u, v, w = rng.random(), 2 * math.pi * rng.random(), 2 * math.pi * rng.random()
    a, b = math.sqrt(1 - u), math.sqrt(u)
    x, y, z, s = a * math.sin(v), a * math.cos(v), b * math.sin(w), b * math.cos(w)
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - z * s), 2 * (x * z + y * s)),
            (2 * (x * y + z * s), 1 - 2 * (x * x + z * z), 2 * (y * z - x * s)),
            (2 * (x * z - y * s), 2 * (y * z + x * s), 1 - 2 * (x * x + y * y)))


def random_shift(rng):
    while True:
        shift = [SHIFT * (2 * rng.random() - 1) for _ in range(3)]
        if sum(s * s for s in shift) <= SHIFT * SHIFT:
            return shift


def atom_lines(lines):
    """For each molecule, {line number: parsed line} of its atoms."""
    molecules, section = [], ''
    for number, line in enumerate(lines):
        if line.startswith('@<TRIPOS>'):
            section = line.split()[0]
            if section == '@<TRIPOS>MOLECULE':
                molecules.append({})
        elif section == '@<TRIPOS>ATOM' and line.strip() and not line.startswith('#'):
            molecules[-1][number] = ATOM.match(line)
    return molecules


def format_like(value, old):
    """As wide and as precise as the text it replaces, and never without a blank before it."""
    decimals = len(old.strip().partition('.')[2])
    return ' ' + f'{value:.{decimals}f}'.rjust(len(old) - 1)


def turn(lines, atoms, rng):
    rotation, shift = random_rotation(rng), random_shift(rng)
    place = {n: [float(m.group(i)) for i in (2, 3, 4)] for n, m in atoms.items()}
    heavy = [place[n] for n, m in atoms.items() if m.group(6).split('.')[0].upper() != 'H']
    centre = [sum(axis) / len(heavy) for axis in zip(*heavy)]
    for n, m in atoms.items():
        arm = [p - c for p, c in zip(place[n], centre)]
        moved = [sum(r * a for r, a in zip(row, arm)) + c + s for row, c, s in zip(rotation, centre, shift)]
        lines[n] = m.group(1) + ''.join(format_like(v, m.group(i)) for v, i in zip(moved, (2, 3, 4))) + m.group(5)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('input')
    parser.add_argument('output')
    parser.add_argument('--seed', type=int, required=True)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with open(options.input, newline='') as file:  # newline='': line ends stay what they are
        lines = file.read().splitlines(keepends=True)
    for atoms in atom_lines(lines):
        if atoms:
            turn(lines, atoms, rng)
    with open(options.output, 'w', newline='') as file:
        file.writelines(lines)


if __name__ == "__main__":
    main()
