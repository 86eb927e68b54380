#!/usr/bin/env python3
"""ladder.py --out DIR [--device D] [--berth BIN] [--data DIR] [--every N]: energy against evaluations.

Docks BUDE's 471 conformers of 1GCZ (every N-th), turned at random, by themselves, with searches of many
sizes and with each level of --search, and compares with 16 times the published search without refinement.
Writes DIR/ladder.csv, ladder.md and ladder.svg (mean energy above that reference against evaluations).
"""
import argparse
import csv
import glob
import math
import os
import subprocess
import sys
import time

SITE = '--center_x 0.2 --center_y 0 --center_z 2.6 --size_x 18 --size_y 18 --size_z 18'.split()
REFERENCE = ['--search', 'published', '--poses', '1048576']
GRID = [(65536, 8, 256), (32768, 8, 256), (16384, 16, 128), (16384, 8, 128), (8192, 12, 128), (8192, 8, 64),
        (4096, 16, 64), (4096, 8, 32), (2048, 16, 32), (2048, 8, 32), (1024, 8, 16)]
LEVELS = {'fast': (4096, 8), 'balanced': (16384, 7), 'thorough': (65536, 8), 'published': (65536, 8)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = os.path.dirname(os.path.abspath(__file__))
    root = os.path.dirname(os.path.dirname(here))
    parser.add_argument('--out', required=True)
    parser.add_argument('--device')
    parser.add_argument('--berth', default=os.path.join(root, 'build', 'berth'))
    parser.add_argument('--data', default=os.environ.get('BERTH_REFERENCE_DATA', os.path.join(root, '../shared/data')))
    parser.add_argument('--every', type=int, default=1)
    given = parser.parse_args()
    given.turn = os.path.join(os.path.dirname(here), 'turn.py')
    return given


def make_ligands(given):
    """The conformers, turned, in one file; its name."""
    molecules = []
    for path in sorted(glob.glob(os.path.join(given.data, 'bude/1gcz/reference/ligand*.mol2'))):
        with open(path) as file:
            molecules += ['@<TRIPOS>MOLECULE' + text for text in file.read().split('@<TRIPOS>MOLECULE')[1:]]
    if not molecules:
        sys.exit(f'no bude/1gcz/reference in {given.data}: give --data')
    poses, turned = (os.path.join(given.out, name) for name in ('poses.mol2', 'turned.mol2'))
    with open(poses, 'w') as file:
        file.write(''.join(molecules[::given.every]))
    subprocess.run([given.turn, poses, turned, '--seed', '1'], check=True)
    return turned


def dock(given, ligands, options):
    """Energies (kJ/mol) of the best poses in file order, and seconds by the clock."""
    scores = os.path.join(given.out, 'scores.csv')
    command = [given.berth, 'dock', '--receptor', os.path.join(given.data, 'bude/1gcz/receptor.mol2'), '--ligand',
               ligands, *SITE, '--separate', '--num_modes', '1', '--out', os.path.join(given.out, 'poses.sdf'),
               '--scores', scores, *options]
    if given.device:
        command += ['--device', given.device]
    start = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    with open(scores, newline='') as file:
        return [float(row['energy']) for row in csv.DictReader(file)], seconds


def summarise(name, evaluations, docked, reference):
    found, seconds = docked
    count = len(reference)
    above = [a - b for a, b in zip(found, reference)]
    return {'search': name, 'evaluations': evaluations, 'mean_energy': round(sum(found) / count, 3),
            'mean_above': round(sum(above) / count, 3),
            'no_higher_percent': round(100 * sum(d <= 0 for d in above) / count, 1),
            'within_half_percent': round(100 * sum(d <= 0.5 for d in above) / count, 1), 'seconds': round(seconds, 2)}


def draw(rows, path):
    """Mean energy above the reference (logarithmic, at least 0.01) against evaluations a conformer."""
    x = [math.log2(row['evaluations']) for row in rows]
    y = [math.log10(max(row['mean_above'], 0.01)) for row in rows]
    with open(path, 'w') as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="700" height="400" font-family="sans-serif" '
                   'font-size="11"><rect width="700" height="400" fill="white"/>'
                   '<text x="60" y="390">evaluations a conformer (logarithmic); refinement not counted</text>'
                   '<text x="60" y="20">mean energy above 16 times the published search, kJ/mol (logarithmic)</text>\n')
        for i, row in enumerate(rows):
            across = 60 + 520 * (x[i] - min(x)) / (max(x) - min(x))
            down = 340 - 300 * (y[i] + 2) / (max(y) + 2.001)
            colour = '#c33' if row['search'] in LEVELS else '#36c'
            file.write(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="4" fill="{colour}"/>'
                       f'<text x="{across + 6:.1f}" y="{down - 5:.1f}">{row["search"]}: {row["mean_above"]}</text>\n')
        file.write('</svg>\n')


def main():
    given = arguments()
    os.makedirs(given.out, exist_ok=True)
    ligands = make_ligands(given)
    reference, _ = dock(given, ligands, REFERENCE)
    rows = []
    for level, (poses, generations) in LEVELS.items():
        rows.append(summarise(level, poses * generations, dock(given, ligands, ['--search', level]), reference))
    for poses, generations, parents in GRID:
        options = ['--poses', str(poses), '--generations', str(generations), '--parents', str(parents)]
        rows.append(summarise(f'{poses} x {generations}, {parents}', poses * generations,
                              dock(given, ligands, options), reference))
    with open(os.path.join(given.out, 'ladder.csv'), 'w', newline='') as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    with open(os.path.join(given.out, 'ladder.md'), 'w') as file:
        file.write('| ' + ' | '.join(rows[0]) + ' |\n|' + ' --- |' * len(rows[0]) + '\n')
        for row in rows:
            file.write('| ' + ' | '.join(str(value) for value in row.values()) + ' |\n')
    draw(rows, os.path.join(given.out, 'ladder.svg'))


if __name__ == '__main__':
    main()
