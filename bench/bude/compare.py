#!/usr/bin/env python3
"""compare.py OUT ENERGIES.tsv > summary.md: berth's energies beside BUDE's, from what run.sh left in OUT.

Takes the runs that are there, so that it can be called before the long ones are done. Writes
OUT/rows.csv as well.
"""
import csv
import math
import os
import re
import sys

AGREE = 0.02  # kJ/mol, issue 2
SAME_MINIMUM = 0.5
RUNS = {'seed1': 'berth', 'seed2': 'berth_seed2', 'times16-seed1': 'berth16', 'times16-seed2': 'berth16_seed2'}
SHOWN = 20  # names of conformers that miss
STEPS = [-10, -5, -3, -2, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 2, 3, 5, 10, 15, 20, 30]


def read_bude(path):
    """[(name, energy)] in the order of the files."""
    with open(path, newline='') as file:
        return [(row['name'], float(row['bude_energy'])) for row in csv.DictReader(file, delimiter='\t')]


def read_energies(path, column, names):
    """Energies in file order, or None without the file. The names must be the same: a row that is
    missing would shift all the others."""
    if not os.path.exists(path):
        return None
    with open(path, newline='') as file:
        rows = [(row[column], float(row['energy'])) for row in csv.DictReader(file)]
    for number, (wanted, found) in enumerate(zip(names, [name for name, _ in rows])):
        if wanted != found:
            sys.exit(f'{path}: row {number + 1} is {found}, not {wanted}')
    if len(rows) != len(names):
        sys.exit(f'{path}: {len(rows)} rows, not {len(names)}')
    return [energy for _, energy in rows]


def histogram(values):
    """Text: a line for each bin between STEPS that holds a value, or lies between two that do."""
    edges = [float('-inf')] + STEPS + [float('inf')]
    counts = [sum(low <= v < high for v in values) for low, high in zip(edges, edges[1:])]
    used = [i for i, count in enumerate(counts) if count]
    scale = max(1, max(counts) / 60)
    lines = []
    for i in range(used[0], used[-1] + 1):
        low, high = edges[i], edges[i + 1]
        label = f'below {high:g}' if i == 0 else f'{low:g} and more' if i == len(STEPS) else f'{low:g} to {high:g}'
        lines.append(f'{label:>14} {counts[i]:4d} {"#" * math.ceil(counts[i] / scale)}'.rstrip())
    return '```\n' + '\n'.join(lines) + '\n```'


def quantiles(values):
    ordered = sorted(values)
    return ordered[0], ordered[len(ordered) // 2], ordered[-1]


def print_score(bude, scored):
    differences = [abs(b - s) for (_, b), s in zip(bude, scored)]
    agree = sum(d <= AGREE for d in differences)
    print(f'## Scores of BUDE\'s poses\n\n`berth score` on the {len(bude)} poses as BUDE docked them: '
          f'largest difference {max(differences):.4f}, within {AGREE}: {agree} of {len(bude)}.\n')


def print_dock(bude, docked):
    gains = [b - d for (_, b), d in zip(bude, docked)]
    above = [(name, -gain) for (name, _), gain in zip(bude, gains) if gain < 0]
    low, middle, high = quantiles(gains)
    print(f'## Docking afresh\n\nEnergy no higher than BUDE\'s: **{len(bude) - len(above)} of {len(bude)}**. '
          f'How far below (kJ/mol): least {low:.2f}, median {middle:.2f}, most {high:.2f}.\n')
    print(histogram(gains) + '\n')
    if above:
        above.sort(key=lambda row: -row[1])
        print('Above' + (f', the worst {SHOWN}' if len(above) > SHOWN else '') + ': '
              + ', '.join(f'{name} by {by:.4f}' for name, by in above[:SHOWN]) + '.\n')


def print_against(runs):
    """How the runs at default size compare with those with 16 times the poses."""
    large = {name: energies for name, energies in runs.items() if name.startswith('times16')}
    small = {name: energies for name, energies in runs.items() if name not in large}
    if not large:
        return
    print('## Against itself with 16 times the poses\n\nDefault − 16 times (kJ/mol; above 0: the default '
          'missed something). With the same seed the first generation of the one is part of that of the other; the '
          'runs of different seeds share nothing.\n\n'
          f'| run | against | within {SAME_MINIMUM} of it or lower | within 0.1 of it or lower | lower by more than '
          f'{SAME_MINIMUM} | most above |\n| --- | --- | --- | --- | --- | --- |')
    lowest = [min(energies) for energies in zip(*runs.values())]
    pairs = [(a, b) for a in small for b in large] + [(b, 'lowest of all') for b in runs]
    for run, other in pairs:
        print(against_row(run, other, runs[run], large.get(other, lowest)))
    print()
    for other in large:
        print(f'seed1 − {other}:\n\n{histogram([a - b for a, b in zip(runs["seed1"], runs[other])])}\n')


def against_row(run, other, energies, references):
    differences = [a - b for a, b in zip(energies, references)]
    total = len(differences)
    near, close = (sum(d <= limit for d in differences) for limit in (SAME_MINIMUM, 0.1))
    lower = sum(d < -SAME_MINIMUM for d in differences)
    return (f'| {run} | {other} | {near} of {total} ({near / total:.1%}) | {close} ({close / total:.1%}) | {lower} | '
            f'{max(differences):.2f} |')


def print_seeds(runs):
    if 'seed2' not in runs:
        return
    differences = [abs(a - b) for a, b in zip(runs['seed1'], runs['seed2'])]
    print(f'## Another seed\n\nSeeds 1 and 2 at the default number of poses: within {SAME_MINIMUM} of each other on '
          f'{sum(d <= SAME_MINIMUM for d in differences)} of {len(differences)}, within 0.1 on '
          f'{sum(d <= 0.1 for d in differences)}, furthest apart {max(differences):.2f}.\n')


def print_times(out, runs):
    print('## Time\n\n| run | s | interactions/s | conformers/s |\n| --- | --- | --- | --- |')
    for name, energies in runs.items():
        with open(f'{out}/dock-{name}.log') as file:
            found = re.search(r'([\d.]+) s, ([\d.e+]+) interactions/s', file.read())
        if found:
            print(f'| {name} | {found[1]} | {found[2]} | {len(energies) / float(found[1]):.2f} |')
    print()


def write_rows(path, bude, scored, runs):
    with open(path, 'w', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(['name', 'bude', 'berth_score'] + [RUNS[run] for run in runs])
        writer.writerows((name, energy, s, *docked)
                         for (name, energy), s, *docked in zip(bude, scored, *runs.values()))


def main():
    out, reference = sys.argv[1:3]
    bude = read_bude(reference)
    names = [name for name, _ in bude]
    scored = read_energies(f'{out}/score.csv', 'name', names)
    runs = {}
    for name in RUNS:
        energies = read_energies(f'{out}/dock-{name}.csv', 'ligand', names)
        if energies:
            runs[name] = energies
    print('# berth and BUDE 1.2.10 on 1GCZ\n')
    for part in ('machine.md', 'commands.txt'):
        with open(f'{out}/{part}') as file:
            text = file.read().strip()
        print(text if part == 'machine.md' else f'```\n{text}\n```', end='\n\n')
    print_score(bude, scored)
    print_dock(bude, runs['seed1'])
    print_against(runs)
    print_seeds(runs)
    print_times(out, runs)
    write_rows(f'{out}/rows.csv', bude, scored, runs)


main()
