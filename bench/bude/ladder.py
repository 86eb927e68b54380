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
LEVELS = {'rigid_fast': (4096, 8), 'rigid_balanced': (16384, 7), 'rigid_thorough': (65536, 8), 'published': (65536, 8)}


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
    command = [given.berth, 'dock', '--scoring', 'bude', '--receptor', os.path.join(given.data, 'bude/1gcz/receptor.mol2'), '--ligand',
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
    """Mean energy above the reference (0.01 to 10, logarithmic) against evaluations a conformer."""
    low, high = (math.log2(f(row['evaluations'] for row in rows)) for f in (min, max))

    def across(evaluations):
        return 70 + 560 * (math.log2(evaluations) - low) / (high - low or 1)

    def down(above):
        return 350 - 100 * (math.log10(min(max(above, 0.01), 10)) + 2)

    with open(path, 'w') as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="700" height="400" font-family="sans-serif" '
                   'font-size="10"><rect width="700" height="400" fill="white"/>\n'
                   '<text x="70" y="392" font-size="12">evaluations a conformer; refinement not counted</text>'
                   '<text x="70" y="20" font-size="12">mean energy above 16 times the published search, '
                   'kJ/mol</text>\n')
        for above in (0.01, 0.1, 1, 10):
            file.write(f'<path d="M70 {down(above)}H640" stroke="#ddd"/>'
                       f'<text x="62" y="{down(above) + 4}" text-anchor="end">{above:g}</text>\n')
        for evaluations in sorted({row['evaluations'] for row in rows}):
            file.write(f'<text x="{across(evaluations):.1f}" y="370" text-anchor="middle" font-size="9">'
                       f'{evaluations / 1024:g}k</text>\n')
        below = {}
        for row in sorted(rows, key=lambda row: -row['mean_above']):
            x, y = across(row['evaluations']), down(row['mean_above'])
            colour = '#c33' if row['search'] in LEVELS else '#36c'
            label = max(y + 3, below.get(row['evaluations'], 0) + 11)  # labels above each other stay apart
            below[row['evaluations']] = label
            side = (x - 6, 'end') if x > 350 else (x + 6, 'start')
            file.write(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/><text x="{side[0]:.1f}" '
                       f'y="{label:.1f}" text-anchor="{side[1]}">{row["search"]}: {row["mean_above"]:g}</text>\n')
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
