#!/usr/bin/env python3
"""reach.py SET...: how near to the crystal's conformer, and to its energy, the structures of prepared complexes can be
brought by turning bonds alone?

Each SET is a folder that `berth eval redock --mode none --out SET` made (ligand.blib, receptor and crystal of each complex).
The bonds of each structure are turned, and it is laid, to where it is nearest to the crystal's pose (heavy atoms, symmetry);
`berth score --minimize --refine_torsions` (vina) goes downhill from there. Writes SET/reach.csv: complex, structures, the
smallest RMSD (Å) and the lowest energy; for each set how many are within 0.2, 0.3 and 0.5 Å and the sum of the energies over
the complexes that all have. No search: what differs is the structures. Needs RDKit and NumPy. BERTH names the program;
DEVICE the device."""
import csv
import glob
import os
import subprocess
import sys

import numpy
from rdkit import Chem, RDLogger

sys.path.insert(0, f'{os.path.dirname(os.path.abspath(__file__))}/../conformers')
import rings

BERTH = os.path.abspath(os.environ.get('BERTH', f'{os.path.dirname(os.path.abspath(__file__))}/../../build/berth'))
DEVICE = ['--device', os.environ['DEVICE']] if 'DEVICE' in os.environ else []
IMAGES, STEPS = 16, 30  # ways to lay the ligand on the crystal's; of each fit
LIMITS = (0.2, 0.3, 0.5)  # Å


def run(*arguments):
    subprocess.run([BERTH, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def lay(places, crystal):
    """All atoms moved so that the first ones lie best on the crystal's (Kabsch); the RMSD."""
    count = len(crystal)
    middle, there = places[:count].mean(0), crystal.mean(0)
    u, _, v = numpy.linalg.svd((places[:count] - middle).T @ (crystal - there))
    u[:, -1] *= numpy.sign(numpy.linalg.det(u @ v))
    laid = (places - middle) @ (u @ v) + there
    return laid, numpy.sqrt(((laid[:count] - crystal) ** 2).sum() / count)


def fit(places, crystal, bonds):
    """Turned to the crystal's angles, then on to where they lie nearest (damped least squares)."""
    for atoms, moved in bonds:
        places = rings.turn(places, atoms, moved, rings.angle(crystal, atoms) - rings.angle(places, atoms))
    places, best = lay(places, crystal)
    damping, count = 1e-3, len(crystal)
    for _ in range(STEPS):
        columns = [numpy.where(moved[:count, None], numpy.cross(axis, places[:count] - places[atoms[2]]), 0).ravel()
                   for atoms, moved in bonds for axis in [places[atoms[2]] - places[atoms[1]]]]
        columns += [numpy.cross(axis, places[:count]).ravel() for axis in numpy.eye(3)]
        columns += [numpy.tile(axis, count) for axis in numpy.eye(3)]
        slopes = numpy.array(columns).T
        square = slopes.T @ slopes
        by = numpy.linalg.solve(square + damping * numpy.diag(numpy.diag(square) + 1e-9),
                                slopes.T @ (crystal - places[:count]).ravel())
        tried = places
        for (atoms, moved), angle in zip(bonds, by):
            tried = rings.turn(tried, atoms, moved, angle * numpy.linalg.norm(places[atoms[2]] - places[atoms[1]]))
        tried, found = lay(tried, crystal)
        if found < best:
            helped, places, best, damping = best - found, tried, found, damping / 3
            if helped < 1e-5:
                break
        else:
            damping *= 5
    return best, places


def reach(folder):
    """The structures, the smallest RMSD and the lowest energy of one complex; None where the graphs do not agree."""
    run('lib', 'get', f'{folder}/ligand.blib', '--out', f'{folder}/reach.in.sdf')
    structures = list(Chem.SDMolSupplier(f'{folder}/reach.in.sdf', removeHs=False))
    crystal = Chem.MolFromMol2File(f'{folder}/crystal.mol2', sanitize=False, removeHs=False)
    crystal = Chem.RemoveHs(crystal, sanitize=False)
    there, nearest = crystal.GetConformer().GetPositions(), []
    plain = Chem.AdjustQueryParameters.NoAdjustments()
    plain.makeBondsGeneric = True
    heavy = Chem.RemoveHs(structures[0])
    order = [atom.GetIdx() for atom in structures[0].GetAtoms() if atom.GetAtomicNum() > 1]
    hydrogens = [atom.GetIdx() for atom in structures[0].GetAtoms() if atom.GetAtomicNum() == 1]
    query = Chem.MolFromSmiles(Chem.MolToSmiles(heavy)) and Chem.RWMol(heavy)
    for atom in query.GetAtoms():
        query.ReplaceAtom(atom.GetIdx(), Chem.AtomFromSmarts(f'[#{atom.GetAtomicNum()}]'))
    query = Chem.AdjustQueryProperties(query.GetMol(), plain)
    matches = crystal.GetSubstructMatches(query, uniquify=False, maxMatches=IMAGES)
    if not matches:
        return None
    bonds = []
    for atoms, _ in rings.torsions(heavy):
        moved = rings.far_side(structures[0], order[atoms[1]], order[atoms[2]])
        bonds.append((atoms, numpy.isin(order + hydrogens, moved)))
    writer = Chem.SDWriter(f'{folder}/reach.sdf')
    for structure in structures:
        places = structure.GetConformer().GetPositions()[order + hydrogens]
        rmsd, places = min((fit(places, there[list(match)], bonds) for match in matches), key=lambda found: found[0])
        for atom, place in zip(order + hydrogens, places):
            structure.GetConformer().SetAtomPosition(atom, place)
        nearest.append(rmsd)
        writer.write(structure)
    writer.close()
    run('score', '--receptor', f'{folder}/receptor.mol2', '--ligand', f'{folder}/reach.sdf', '--minimize', '--refine_torsions',
        *DEVICE, '--out', f'{folder}/reach.csv')
    with open(f'{folder}/reach.csv') as file:
        energies = [float(row['energy']) + float(row['strain']) for row in csv.DictReader(file)]
    return len(structures), min(nearest), min(energies), nearest[0], energies[0]


def main():
    RDLogger.DisableLog('rdApp.*')
    found = {}
    for name in sys.argv[1:]:
        found[name] = {}
        for path in sorted(glob.glob(f'{name}/*/ligand.blib')):
            complex_ = path.split('/')[-2]
            row = reach(os.path.dirname(path))
            if row:
                found[name][complex_] = row
            else:
                print(f'{name}: {complex_}: the crystal has other bonds', file=sys.stderr)
        with open(f'{name}/reach.csv', 'w', newline='') as file:
            writer = csv.writer(file)
            writer.writerow(['pdb', 'structures', 'rmsd', 'energy', 'rmsd_first', 'energy_first'])
            writer.writerows([key, row[0], *(f'{value:.3f}' for value in row[1:])] for key, row in found[name].items())
    shared = set.intersection(*(set(rows) for rows in found.values()))
    for name, rows in found.items():
        rmsds = [rows[key][1] for key in shared]
        print(f'{name}: {len(shared)} complexes, {sum(rows[key][0] for key in shared)} structures; within',
              ', '.join(f'{limit} Å: {sum(rmsd <= limit for rmsd in rmsds)}' for limit in LIMITS),
              f'; energies, sum {sum(rows[key][2] for key in shared):.1f} kcal/mol, '
              f'of first structures {sum(rows[key][4] for key in shared):.1f}')


main()
