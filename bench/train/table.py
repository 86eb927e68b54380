#!/usr/bin/env python3
"""table.py SET RUN OUT.npz: one table of all poses of RUN, what `berth eval redock SET --out RUN` left.

Arrays, a row for each pose: `list` (poses of a complex and mode, in the order of the run), `rmsd` (to the crystal's, Å),
`fields` [poses, names] (functions' energies, strain and so on, as the poses' SDF has them), `apart` [poses, most] (RMSD to
each pose of the same list, Å), `sums` [poses, pairs of types x distances] (pairs.py). And for each list: `complex`, `mode`,
`group` (groups.py), `heavy_atoms`, `smiles`. Needs numpy, scipy and RDKit.
"""
import csv
import multiprocessing
import os
import re
import sys

import numpy as np
from rdkit import Chem, RDLogger

import groups
import pairs

FIELDS = ('pose_ranking', 'vina', 'vinardo', 'plp', 'bude', 'strain', 'conformer_strain', 'clash', 'rotors')


def read_poses(path):
    """The first pose as an RDKit molecule with hydrogens, places [poses, atoms, 3] and what each pose's tags say."""
    with open(path) as file:
        blocks = [block for block in file.read().split('$$$$\n') if block.strip()]
    places, tags = [], []
    for block in blocks:
        lines = block.split('\n')
        places.append([[float(line[k:k + 10]) for k in (0, 10, 20)] for line in lines[4:4 + int(lines[3][:3])]])
        tags.append(dict(re.findall(r'>  <(\w+)>\n(.*)\n', block)))
    return Chem.MolFromMolBlock(blocks[0].split('M  END')[0] + 'M  END\n', removeHs=False), np.array(places), tags


def read_receptor(path):
    """Mol2 types [atoms] and places [atoms, 3]."""
    with open(path) as file:
        rows = [line.split() for line in file.read().split('@<TRIPOS>ATOM\n')[1].split('@')[0].splitlines()]
    return [row[5] for row in rows], np.array([[float(x) for x in row[2:5]] for row in rows])


def distances(molecule, places):
    """RMSD of all poses to all, over heavy atoms, of the best of the molecule's symmetries [poses, poses]."""
    heavy = Chem.RemoveHs(molecule)
    at = [atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetAtomicNum() > 1]
    matches = heavy.GetSubstructMatches(heavy, uniquify=False, maxMatches=1000)
    if heavy.GetNumAtoms() != len(at) or not matches:
        matches = [range(len(at))]
    places = places[:, at]
    return np.min([np.sqrt(((places[:, None] - places[None][:, :, match]) ** 2).sum(3).mean(2)) for match in map(list, matches)], 0)


def read_list(job):
    folder, mode = job
    molecule, places, tags = read_poses(f'{folder}/{mode}_poses.sdf')
    if molecule is None or any('rmsd' not in tag for tag in tags):  # those of another stereoisomer have none
        return None
    types, receptor = read_receptor(f'{folder}/receptor.mol2')
    return (np.array([float(tag['rmsd']) for tag in tags]),
            np.array([[float(tag.get(name) or 'nan') for name in FIELDS] for tag in tags]),
            distances(molecule, places),
            pairs.pair_sums(pairs.ligand_types(molecule), places, pairs.receptor_types(types, receptor), receptor))


def main():
    source, run, out = sys.argv[1:]
    RDLogger.DisableLog('rdApp.*')
    with open(f'{run}/redock.csv', newline='') as file:
        rows = [row for row in csv.DictReader(file) if os.path.exists(f'{run}/{row["complex"]}/{row["mode"]}_poses.sdf')]
    with multiprocessing.Pool() as pool:
        read = pool.map(read_list, [(f'{run}/{row["complex"]}', row['mode']) for row in rows], chunksize=4)
    rows, read = zip(*[(row, its) for row, its in zip(rows, read) if its])
    names = sorted({row['complex'] for row in rows})
    number = dict(zip(names, groups.group([f'{source}/{name}' for name in names])))
    most = max(len(its[0]) for its in read)
    np.savez_compressed(
        out, names=FIELDS, list=np.repeat(np.arange(len(rows)), [len(its[0]) for its in read]),
        rmsd=np.concatenate([its[0] for its in read]), fields=np.concatenate([its[1] for its in read]).astype(np.float32),
        apart=np.concatenate([np.pad(its[2], ((0, 0), (0, most - len(its[0]))), constant_values=np.nan) for its in read]).astype(np.float32),
        sums=np.concatenate([its[3] for its in read]), complex=[row['complex'] for row in rows],
        mode=[row['mode'] for row in rows], group=[number[row['complex']] for row in rows],
        heavy_atoms=[int(row['heavy_atoms']) for row in rows], smiles=[row['smiles'] for row in rows])


if __name__ == '__main__':
    main()
