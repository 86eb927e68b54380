#!/usr/bin/env python3
"""ligands.py DIR: ROC area and EF1% of rankings of the ligands that ligands.sh left in DIR.

A name counts once, with its lowest value. Against vina's score, 95 % intervals from a paired bootstrap. Needs numpy.
"""
import csv
import sys

import numpy as np

TARGETS = ('fabp4', 'cdk2', 'ace', 'ar', 'hivrt')
FUNCTIONS = ('vina', 'vinardo', 'plp', 'bude')
# Name, search, value of a ligand from its columns.
RANKINGS = (('vina (today)', 'vina', lambda c: c['vina'] / (1 + 0.05846 * c['torsions'])),
            ('vinardo', 'vinardo', lambda c: c['vinardo'] / (1 + 0.05846 * c['torsions'])),
            ('(vina + vinardo) / (1 + 0.05846 t)', 'vina',
             lambda c: (c['vina'] + c['vinardo']) / (1 + 0.05846 * c['torsions'])),
            ('the same + 0.05 plp + 0.05 bude', 'vina',
             lambda c: (c['vina'] + c['vinardo'] + 0.05 * c['plp'] + 0.05 * c['bude']) / (1 + 0.05846 * c['torsions'])),
            ('(vina + vinardo) / (1 + 0.03 t) / n^0.2', 'vina',
             lambda c: (c['vina'] + c['vinardo']) / (1 + 0.03 * c['torsions']) / c['atoms'] ** 0.2),
            ('(vina + vinardo + 0.2 strain) / (1 + 0.03 t) / n^0.25', 'vina',
             lambda c: (c['vina'] + c['vinardo'] + 0.2 * c['strain']) / (1 + 0.03 * c['torsions']) / c['atoms'] ** 0.25))


def read_table(path):
    with open(path, newline='') as file:
        return list(csv.DictReader(file))


def read_columns(folder, target, search):
    rows = read_table(f'{folder}/{target}-{search}.csv')
    columns = {'atoms': [row['heavy_atoms'] for row in rows], 'strain': [row.get('strain') or 0 for row in rows]}
    for function in FUNCTIONS:
        table = read_table(f'{folder}/{target}-{search}-{function}.csv')
        columns[function] = [row['energy'] for row in table]
        if function == 'vina':
            columns['torsions'] = [row['rotors'] for row in table]
    return [row['ligand'] for row in rows], {name: np.array(values, float) for name, values in columns.items()}


def measure(values, active):
    """ROC area (ties count half) and EF1%."""
    order = np.sort(values[~active])
    below, upto = np.searchsorted(order, values[active], 'left'), np.searchsorted(order, values[active], 'right')
    first = active[np.argsort(values, kind='stable')[:-(-len(values) // 100)]]
    return np.array([1 - (below + upto).mean() / 2 / len(order), first.mean() / active.mean()])


def main():
    folder = sys.argv[1]
    random = np.random.default_rng(1)
    found = {name: [] for name, _, _ in RANKINGS}
    print('| ranking | ' + ' | '.join(TARGETS) + ' | mean |\n' + '| --- ' * (len(TARGETS) + 2) + '|')
    today = {}
    for target in TARGETS:
        with open(f'{folder}/{target}.actives') as file:
            actives = set(file.read().split())
        for name, search, value in RANKINGS:
            ligands, columns = read_columns(folder, target, search)
            best = {}
            for ligand, number in zip(ligands, value(columns)):
                best[ligand] = min(number, best.get(ligand, np.inf))
            names = sorted(best)
            values, active = np.array([best[ligand] for ligand in names]), np.array([ligand in actives for ligand in names])
            today.setdefault(target, (names, values))
            text = '{:.3f} / {:.1f}'.format(*measure(values, active))
            if today[target][0] == names and name != RANKINGS[0][0]:
                draws = [np.concatenate([random.choice(np.flatnonzero(part), part.sum()) for part in (active, ~active)])
                         for _ in range(500)]
                gains = [measure(values[draw], active[draw]) - measure(today[target][1][draw], active[draw])
                         for draw in draws]
                text += ' (area {:+.3f} to {:+.3f}, EF {:+.1f} to {:+.1f})'.format(*np.percentile(gains, (2.5, 97.5), 0).T.ravel())
            found[name].append((text, measure(values, active)))
    for name, cells in found.items():
        mean = np.mean([numbers for _, numbers in cells], 0)
        print(f'| {name} | ' + ' | '.join(text for text, _ in cells) + ' | {:.3f} / {:.1f} |'.format(*mean))


main()
