"""Sums over the pairs of atoms of a pose, by Vina's types of both and distance: what data/scoring/fitted.score weighs.

Types are those of docs/scoring.md (`types vina`); a pair's weight is linear in the distance between KNOTS, constant below
the first, and 0 at the last, where the function ends.
"""
import numpy as np
from rdkit import Chem
from scipy.spatial import cKDTree

KNOTS = (2.4, 2.9, 3.4, 4.0, 4.8, 5.8, 7.0)  # Å
TYPES = ('C_H', 'C_P', 'N_P', 'N_D', 'N_A', 'N_DA', 'O_A', 'O_DA', 'S_P', 'P_P', 'F_H', 'Cl_H', 'Br_H', 'I_H', 'Met_D')
PAIRS = [(a, b) for k, a in enumerate(TYPES) for b in TYPES[k:]]
WEIGHTS = len(KNOTS) - 1  # of a pair of types
NUMBERS = {pair: k for k, (a, b) in enumerate(PAIRS) for pair in ((a, b), (b, a))}
TABLE = np.array([[NUMBERS[a, b] for b in TYPES] for a in TYPES])  # number of a pair of types
OTHERS = {'S': 'S_P', 'SE': 'S_P', 'P': 'P_P', 'F': 'F_H', 'CL': 'Cl_H', 'BR': 'Br_H', 'I': 'I_H'}
METALS = {'LI', 'NA', 'K', 'MG', 'CA', 'MN', 'FE', 'CO', 'NI', 'CU', 'ZN', 'CD', 'HG'}
RADII = {'H': 0.31, 'C': 0.76, 'N': 0.71, 'O': 0.66, 'S': 1.05, 'P': 1.07, 'F': 0.57, 'CL': 1.02}  # Å, covalent


def vina_type(element, hetero, hydrogens, accepts):
    """The type of a heavy atom; None where Vina has none that is fitted (boron, silicon)."""
    if element == 'C':
        return 'C_P' if hetero else 'C_H'
    if element == 'N':
        return 'N_' + ('D' if hydrogens else '') + ('A' if accepts else '') if hydrogens or accepts else 'N_P'
    if element == 'O':
        return 'O_DA' if hydrogens else 'O_A'
    return 'Met_D' if element in METALS else OTHERS.get(element)


def ligand_types(molecule):
    """Of each atom of an RDKit molecule: the number of its type; -1: a hydrogen, or without type."""
    types = []
    for atom in molecule.GetAtoms():
        heavy = [n.GetSymbol() for n in atom.GetNeighbors() if n.GetAtomicNum() > 1]
        hydrogens = atom.GetTotalNumHs(includeNeighbors=True)
        flat = atom.GetIsAromatic() or atom.GetHybridization() in (Chem.HybridizationType.SP2, Chem.HybridizationType.SP)
        bonds = len(heavy) + hydrogens
        name = vina_type(atom.GetSymbol().upper(), any(n != 'C' for n in heavy), hydrogens, bonds <= 2 or (bonds == 3 and not flat))
        types.append(TYPES.index(name) if name in TYPES else -1)
    return np.array(types)


def receptor_types(types, places):
    """The same of the atoms of a receptor's Mol2 file, by their Mol2 types [atoms] and places [atoms, 3] (Å)."""
    elements = [t.split('.')[0].upper() for t in types]
    radii = np.array([RADII.get(e, 1.45) for e in elements])
    bonded = [[] for _ in types]
    for a, b in cKDTree(places).query_pairs(2.4):
        if ((places[a] - places[b]) ** 2).sum() < (1.1 * (radii[a] + radii[b])) ** 2:
            bonded[a].append(elements[b])
            bonded[b].append(elements[a])
    full = {'N.4': 4, 'N.3': 3, 'N.am': 3, 'N.pl3': 3, 'N.2': 2, 'O.3h': 2, 'O.3': 2, 'O.spc': 2, 'O.t3p': 2}
    numbers = []
    for type_, element, near in zip(types, elements, bonded):
        heavy = len([n for n in near if n != 'H' and n not in METALS])
        metal = any(n in METALS for n in near)  # whose bond takes a lone pair
        hydrogens = max(near.count('H'), full.get(type_, 0) - heavy if not near.count('H') and type_ not in ('N.2',) else 0)
        name = vina_type(element, any(n not in ('H', 'C') for n in near), hydrogens,
                         (type_ == 'N.3' or heavy + hydrogens + metal <= 2) and type_ not in ('N.4', 'N.am'))
        numbers.append(TYPES.index(name) if name in TYPES else -1)
    return np.array(numbers)


def pair_sums(ligand, poses, receptor, places):
    """Sums [poses, pairs of types x WEIGHTS] of the functions that the weights multiply.

    ligand: numbers of its atoms' types [atoms]; poses [poses, atoms, 3]; receptor [atoms], places [atoms, 3]; Å."""
    knots = np.array(KNOTS)
    ligand_used, receptor_used = ligand >= 0, receptor >= 0
    ligand, receptor, tree = ligand[ligand_used], receptor[receptor_used], cKDTree(places[receptor_used])
    sums = np.zeros((len(poses), len(PAIRS) * WEIGHTS), np.float32)
    for row, pose in zip(sums, poses):
        near = cKDTree(pose[ligand_used]).sparse_distance_matrix(tree, knots[-1], output_type='coo_matrix')
        first = TABLE[ligand[near.row], receptor[near.col]] * WEIGHTS
        distance = np.clip(near.data, knots[0], None)
        k = np.clip(np.searchsorted(knots, distance, side='right') - 1, 0, WEIGHTS - 1)
        share = (distance - knots[k]) / (knots[k + 1] - knots[k])
        np.add.at(row, first + k, 1 - share)
        inside = k + 1 < WEIGHTS
        np.add.at(row, (first + k + 1)[inside], share[inside])
    return sums
