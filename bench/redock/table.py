#!/usr/bin/env python3
"""table.py OUT PREPARED SITES.tsv SIZE > summary.md: what run.sh left in OUT, as a table and OUT/rows.csv.

A complex whose top pose is 2 Angstrom or more from the crystal pose is a miss of
  scoring  if some pose found has an energy no higher than the crystal pose: the search did its work;
  search   if the crystal pose is lower than all that was found.
"""
import csv
import glob
import os
import re
import sys

NEAR = 2.0  # Angstrom
COLUMNS = ['pdb', 'seed', 'atoms', 'offset', 'rmsd_top', 'rmsd_top3', 'rmsd_top9', 'energy_top', 'energy_nearest',
           'energy_crystal', 'class', 'seconds']


def heavy_places(path):
    places, section = [], ''
    with open(path) as file:
        for line in file:
            if line.startswith('@<TRIPOS>'):
                section = line.strip()
            elif section == '@<TRIPOS>ATOM' and line.strip():
                fields = line.split()
                if fields[5].split('.')[0] != 'H':
                    places.append([float(f) for f in fields[2:5]])
    return places


def read_sites(path):
    with open(path, newline='') as file:
        return {row['pdb']: [float(row[f'center_{axis}']) for axis in 'xyz'] for row in csv.DictReader(file, delimiter='\t')}


def read_rows(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def classify(rmsd_top, energy_top, energy_crystal):
    if rmsd_top < NEAR:
        return 'ok'
    return 'scoring' if energy_top <= energy_crystal else 'search'


def one_run(folder, seed, places, centre):
    modes = [(float(row['energy']), float(row['rmsd'])) for row in read_rows(f'{folder}/seed{seed}.csv')]
    crystal = float(read_rows(f'{folder}/crystal.csv')[0]['energy'])
    with open(f'{folder}/seed{seed}.log') as file:
        seconds = float(re.search(r'([\d.]+) s, [\d.e+]+ interactions/s', file.read())[1])
    rmsds = [rmsd for _, rmsd in modes]
    centroid = [sum(axis) / len(places) for axis in zip(*places)]
    offset = max(abs(a - b) for a, b in zip(centroid, centre))
    values = [os.path.basename(folder), seed, len(places), offset, rmsds[0], min(rmsds[:3]), min(rmsds[:9]), modes[0][0],
              min(modes, key=lambda mode: mode[1])[0], crystal, classify(rmsds[0], modes[0][0], crystal), seconds]
    return dict(zip(COLUMNS, values))


def print_table(rows):
    print('| complex | heavy atoms | top RMSD | best of 3 | best of 9 | top energy | energy of the nearest of 9 | '
          'crystal pose as it stands | outcome | s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |')
    for row in rows:
        print('| {pdb} | {atoms} | {rmsd_top:.2f} | {rmsd_top3:.2f} | {rmsd_top9:.2f} | {energy_top:.1f} | '
              '{energy_nearest:.1f} | {energy_crystal:.1f} | {class} | {seconds:.1f} |'.format(**row))
    print()


def print_counts(rows):
    total = len(rows)
    near = [sum(row[column] < NEAR for row in rows) for column in ('rmsd_top', 'rmsd_top3', 'rmsd_top9')]
    print(f'Within {NEAR:g} Å of the crystal pose: top pose **{near[0]} of {total}**, one of the first 3 {near[1]}, one '
          f'of 9 {near[2]}. Misses of scoring: {sum(row["class"] == "scoring" for row in rows)}, of search: '
          f'{sum(row["class"] == "search" for row in rows)}.\n')


def print_seeds(rows, seeds):
    if len(seeds) < 2:
        return
    print('## Other seeds\n\n| seed | top | best of 3 | best of 9 |\n| ---: | ---: | ---: | ---: |')
    for seed in seeds:
        of_seed = [row for row in rows if row['seed'] == seed]
        near = [sum(row[column] < NEAR for row in of_seed) for column in ('rmsd_top', 'rmsd_top3', 'rmsd_top9')]
        print(f'| {seed} | {near[0]} | {near[1]} | {near[2]} |')
    print('\n| complex | top within 2 Å | top RMSD | top energy |\n| --- | ---: | ---: | ---: |')
    for pdb in dict.fromkeys(row['pdb'] for row in rows):
        of_pdb = [row for row in rows if row['pdb'] == pdb]
        rmsds, energies = ([row[column] for row in of_pdb] for column in ('rmsd_top', 'energy_top'))
        print(f'| {pdb} | {sum(r < NEAR for r in rmsds)} of {len(seeds)} | {min(rmsds):.2f} to {max(rmsds):.2f} | '
              f'{min(energies):.1f} to {max(energies):.1f} |')
    print()


def main():
    out, prepared, sites, size = sys.argv[1:5]
    rows = []
    for pdb, centre in read_sites(sites).items():
        places = heavy_places(f'{prepared}/{pdb}/crystal.mol2')
        seeds = sorted(int(re.search(r'seed(\d+)\.csv$', path)[1]) for path in glob.glob(f'{out}/{pdb}/seed*.csv'))
        rows += [one_run(f'{out}/{pdb}', seed, places, centre) for seed in seeds]
    with open(f'{out}/machine.md') as file:
        print('# Redocking\n\n' + file.read())
    first = [row for row in rows if row['seed'] == 1]
    print_table(first)
    print_counts(first)
    outside = [row['pdb'] for row in first if row['offset'] > float(size) / 2]
    if outside:
        print(f'Centroid of the crystal pose outside the box: {", ".join(outside)}.\n')
    print_seeds(rows, seeds)
    with open(f'{out}/rows.csv', 'w', newline='') as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator='\n')
        writer.writeheader()
        writer.writerows({key: f'{value:.3f}' if isinstance(value, float) else value for key, value in row.items()}
                         for row in rows)


main()
