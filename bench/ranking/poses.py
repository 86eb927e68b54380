#!/usr/bin/env python3
"""poses.py DIR: how often rankings of the poses that poses.sh left in DIR put a right one first, and among five.

Right: within 2 Angstrom of the crystal's. Of five: after niches of 1 Angstrom. Means over seeds; gains over today's ranking
with 95 % intervals, from a paired bootstrap over complexes. Needs numpy.
"""
import collections
import csv
import glob
import os
import re
import sys

import numpy as np

FUNCTIONS = ('vina', 'vinardo', 'plp', 'bude')
MODES = ('torsions', 'generated')
# Name, searches whose poses are pooled, weights of the functions' energies; strain counts once.
RANKINGS = (('vina (today)', ('vina',), (1, 0, 0, 0)),
            ('vinardo', ('vinardo',), (0, 1, 0, 0)),
            ('vina + vinardo', ('vina',), (1, 1, 0, 0)),
            ('+ 0.05 plp', ('vina',), (1, 1, 0.05, 0)),
            ('+ 0.05 plp + 0.05 bude', ('vina',), (1, 1, 0.05, 0.05)),
            ('vina + vinardo, pooled', ('vina', 'vinardo'), (1, 1, 0, 0)),
            ('+ 0.05 plp + 0.05 bude, pooled', ('vina', 'vinardo'), (1, 1, 0.05, 0.05)))


def read_poses(path):
    """Of each pose: places of heavy atoms, rmsd to the crystal's, strain, energies by the four functions."""
    poses = []
    with open(path) as file:
        blocks = [block for block in file.read().split('$$$$\n') if block.strip()]
    for block in blocks:
        lines = block.split('\n')
        atoms = lines[4:4 + int(lines[3][:3])]
        tags = dict(re.findall(r'>  <(\w+)>\n(.*)\n', block))
        heavy = [atom for atom in atoms if atom[31:34].strip() != 'H']
        poses.append({'places': np.array([[float(atom[k:k + 10]) for k in (0, 10, 20)] for atom in heavy]),
                      'rmsd': float(tags['rmsd']), 'strain': float(tags.get('strain', 0))})
    for function in FUNCTIONS:
        with open(path.replace('_poses.sdf', f'_{function}.csv'), newline='') as file:
            for pose, row in zip(poses, csv.DictReader(file), strict=True):
                pose[function] = float(row['energy'])
    return poses


def judge(poses, weights):
    """Whether the first pose is right, and whether one of the first five niches is."""
    energies = np.array([pose['strain'] + sum(w * pose[f] for w, f in zip(weights, FUNCTIONS)) for pose in poses])
    niches = []
    for index in np.argsort(energies, kind='stable'):
        near = (np.sqrt(((poses[index]['places'] - niche['places']) ** 2).sum(1).mean()) < 1 for niche in niches)
        if not any(near):
            niches.append(poses[index])
    right = [niche['rmsd'] <= 2 for niche in niches[:5]]
    return right[0], any(right)


def main():
    folder = sys.argv[1]
    seeds = sorted({path.rsplit('-', 1)[1] for path in glob.glob(f'{folder}/set80-vina-*')})
    random = np.random.default_rng(1)
    for name in ('set80', 'set21'):
        complexes = sorted(os.path.basename(path[:-1]) for path in glob.glob(f'{folder}/{name}/*/'))
        for mode in MODES:
            found = collections.defaultdict(list)
            for seed in seeds:
                lists = {(pdb, search): read_poses(f'{folder}/{name}-{search}-{seed}/{pdb}/{mode}_poses.sdf')
                         for pdb in complexes for search in ('vina', 'vinardo')}
                for ranking, searches, weights in RANKINGS:
                    found[ranking].append([judge(sum((lists[pdb, search] for search in searches), []), weights)
                                           for pdb in complexes])
            today = np.mean(found[RANKINGS[0][0]], 0)
            drawn = random.integers(0, len(complexes), (2000, len(complexes)))
            print(f'\n{name}, {mode}, {len(complexes)} complexes, {len(seeds)} seeds\n')
            print('| ranking | top | of five | gain of top |\n| --- | ---: | ---: | ---: |')
            for ranking, _, _ in RANKINGS:
                right = np.mean(found[ranking], 0)
                gain = right[:, 0] - today[:, 0]
                low, high = np.percentile(gain[drawn].sum(1), (2.5, 97.5))
                print(f'| {ranking} | {right[:, 0].sum():.1f} | {right[:, 1].sum():.1f} | {gain.sum():+.1f} ({low:+.1f} to {high:+.1f}) |')


main()
