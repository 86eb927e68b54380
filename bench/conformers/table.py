#!/usr/bin/env python3
"""table.py rows.csv: what measure.py found, a row a method (Markdown). Coverage counts ligands whose crystal
conformer is within that RMSD of a conformer; a ligand for which nothing came out is not covered."""
import csv
import statistics
import sys

LIMITS = (1.0, 1.5, 2.0)


def main():
    methods = {}
    with open(sys.argv[1]) as file:
        for row in csv.DictReader(file):
            methods.setdefault(row['method'], []).append(row)
    print('| method | CPU s a ligand, mean | median | conformers, mean | within 1 / 1.5 / 2 Å, 20 picked | the whole pool | '
          'RMSD to crystal, median Å, 20 picked | spread, Å |')
    print('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
    for name, rows in methods.items():
        seconds = [float(row['seconds']) for row in rows]
        pick, pool = ([float(row[key] or 'inf') for row in rows] for key in ('best_pick', 'best_pool'))
        spread = [float(row['spread'] or 0) for row in rows if int(row['pool']) > 1]
        print(f'| {name} | {statistics.mean(seconds):.2f} | {statistics.median(seconds):.2f} '
              f'| {statistics.mean(int(row["pool"]) for row in rows):.0f} '
              f'| {" / ".join(str(sum(value <= limit for value in pick)) for limit in LIMITS)} '
              f'| {" / ".join(str(sum(value <= limit for value in pool)) for limit in LIMITS)} '
              f'| {statistics.median(pick):.2f} | {statistics.mean(spread) if spread else 0:.2f} |')


main()
