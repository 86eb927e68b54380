#!/usr/bin/env python3
"""table.py PREPARED OUT [ONLY]: the Markdown table of bench/surface/run.sh, and OUT/rows.csv.

A pocket is the known one where its centre lies within 4 Angstrom of the crystal ligand's centroid, or
where it has the same residues, of which other chains may have copies: half of those within 4.5 Angstrom
of the crystal ligand or more, by name and number.
"""
import csv
import math
import os
import re
import sys

NEAR, ABOUT = 4.0, 4.5


def heavy_atoms(path):
    """(x, y, z, residue) of a Mol2 file's heavy atoms."""
    section = ''
    with open(path) as file:
        for line in file:
            words = line.split()
            if line.startswith('@<TRIPOS>'):
                section = words[0][9:]
            elif section == 'ATOM' and len(words) > 5 and words[5].split('.')[0] != 'H':
                yield (*map(float, words[2:5]), words[7] if len(words) > 7 else '')


def rank_of(rows, good):
    return next((i for i, row in enumerate(rows, 1) if good(row)), 0)


def evaluate(prepared, out, pdb):
    ligand = list(heavy_atoms(f'{prepared}/{pdb}/crystal.mol2'))
    receptor = list(heavy_atoms(f'{prepared}/{pdb}/receptor.mol2'))
    centre = [sum(atom[k] for atom in ligand) / len(ligand) for k in range(3)]
    known = {a[3] for a in receptor if any(math.dist(a[:3], b[:3]) < ABOUT for b in ligand)}

    def distance(row):
        return math.dist(centre, [float(row[f'center_{k}']) for k in 'xyz'])

    def same(row):
        # "ASP A:25" of a .brec, "ASP25" of a Mol2 file
        names = {re.sub(r' (\w*:)?', '', name) for name in row['residues'].split('; ')}
        return len(known & names) >= len(known) / 2

    pockets = list(csv.DictReader(open(f'{out}/{pdb}.pockets.csv')))
    poses = list(csv.DictReader(open(f'{out}/{pdb}.csv')))
    sites = list(csv.DictReader(open(f'{out}/{pdb}_sites.csv')))
    seconds = re.findall(r'; ([0-9.]+) s', open(f'{out}/{pdb}.log').read())[-1]
    right = rank_of(pockets, lambda row: distance(row) <= NEAR or same(row))
    return {'complex': pdb, 'receptor_atoms': len(receptor), 'ligand_atoms': len(ligand),
            'rank': rank_of(pockets, lambda row: distance(row) <= NEAR), 'rank_any_copy': right,
            'nearest': f'{min(map(distance, pockets)):.1f}',
            'rmsd': f'{min(float(row["rmsd"]) for row in poses):.2f}',
            'rmsd_first': f'{float(poses[0]["rmsd"]):.2f}',
            'scan_rank': rank_of(sites, lambda row: distance(row) <= NEAR), 'seconds': seconds}


def main():
    prepared, out, only = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ''
    names = sorted(name for name in os.listdir(prepared) if os.path.isdir(f'{prepared}/{name}'))
    rows = [evaluate(prepared, out, name) for name in names if not only or f',{name},' in only]
    with open(f'{out}/rows.csv', 'w') as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    print('| ' + ' | '.join(key.replace('_', ' ') for key in rows[0]) + ' |')
    print('| --- |' + ' ---: |' * (len(rows[0]) - 1))
    for row in rows:
        print('| ' + ' | '.join(str(value) if value != 0 else '-' for value in row.values()) + ' |')
    print()
    for key, name in (('rank', 'surface'), ('rank_any_copy', 'surface, any copy of the site'), ('scan_rank', 'scan')):
        first, three = (sum(1 <= row[key] <= most for row in rows) for most in (1, 3))
        print(f'{name}: first in {first} of {len(rows)}, among the first three in {three}.')
    found = [row for row in rows if float(row['rmsd']) < 2]
    print(f'A pose within 2 Å: the first in {sum(float(row["rmsd_first"]) < 2 for row in rows)}, any in {len(found)}.')


if __name__ == '__main__':
    main()
