#!/usr/bin/env python3
"""rings.py DATA_DIR [BUILDER ...] > rows.csv: how near the shapes of `berth prep ligands --conformers 1` come
to the crystal's with all torsions fitted, which leaves rings, bond lengths and angles.

For each DATA_DIR/*/crystal.sdf its SMILES go through `berth prep ligands` (BERTH names the program), and each
conformer's rotatable bonds are turned until it lies as near to the crystal's as it gets: heavy atoms, best
superposition and symmetry. Needs RDKit and NumPy. Writes a table to standard error."""
import csv
import glob
import os
import subprocess
import sys
import tempfile

import numpy
from rdkit import Chem

BOND = Chem.MolFromSmarts('[!$([D1])&!$(*#*)]-&!@[!$([D1])&!$(*#*)]')
STIFF = [Chem.MolFromSmarts(smarts) for smarts in ('[NX3]-!@[CX3]=[O,N,S]', '[NX3]-!@[CX3]=[N+]')]
NEAR = 0.5  # Å
IMAGES = 64  # ways to lay a molecule on itself that are looked at


def shapes_of(smiles, builder):
    """The conformers that berth makes, heavy atoms alone."""
    berth = os.path.abspath(os.environ.get('BERTH', 'build/berth'))
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/in.smi', 'w') as file:
            file.write(f'{smiles}\tx\n')
        for command in (['prep', 'ligands', 'in.smi', '--out', 'x.blib', '--keep_protonation', '--conformers', '1',
                         '--builder', builder], ['lib', 'get', 'x.blib', 'x', '--out', 'x.sdf']):
            subprocess.run([berth, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return list(Chem.SDMolSupplier(f'{folder}/x.sdf'))


def far_side(molecule, near, far):
    """The atoms beyond `far` as seen from `near`."""
    seen, ahead = {near, far}, [far]
    while ahead:
        for atom in molecule.GetAtomWithIdx(ahead.pop()).GetNeighbors():
            if atom.GetIdx() not in seen:
                seen.add(atom.GetIdx())
                ahead.append(atom.GetIdx())
    return numpy.array(sorted(seen - {near, far}), int)


def torsions(molecule):
    """Of each rotatable bond four atoms that tell its angle, and those that it moves."""
    stiff = {frozenset(match[:2]) for pattern in STIFF for match in molecule.GetSubstructMatches(pattern)}
    for b, c in molecule.GetSubstructMatches(BOND):
        if frozenset((b, c)) not in stiff:
            ends = [next(atom.GetIdx() for atom in molecule.GetAtomWithIdx(here).GetNeighbors() if atom.GetIdx() != there)
                    for here, there in ((b, c), (c, b))]
            yield (ends[0], b, c, ends[1]), far_side(molecule, b, c)


def angle(places, atoms):
    a, b, c, d = (places[atom] for atom in atoms)
    axis = (c - b) / numpy.linalg.norm(c - b)
    u, v = ((end - start) - ((end - start) @ axis) * axis for start, end in ((b, a), (c, d)))
    return numpy.arctan2(numpy.cross(axis, u) @ v, u @ v)


def turn(places, atoms, moved, by):
    turned = places.copy()
    origin = places[atoms[2]]
    axis = (origin - places[atoms[1]]) / numpy.linalg.norm(origin - places[atoms[1]])
    arms = places[moved] - origin
    turned[moved] = (origin + arms * numpy.cos(by) + numpy.cross(axis, arms) * numpy.sin(by) +
                     numpy.outer(arms @ axis, axis) * (1 - numpy.cos(by)))
    return turned


def rmsd(a, b):
    """Superposed (Kabsch)."""
    a, b = a - a.mean(0), b - b.mean(0)
    u, sizes, v = numpy.linalg.svd(a.T @ b)
    sizes[-1] *= numpy.sign(numpy.linalg.det(u @ v))
    return numpy.sqrt(max(0, (a * a).sum() + (b * b).sum() - 2 * sizes.sum()) / len(a))


def fit(molecule, places, crystal):
    """RMSD with each torsion as it is in the crystal, then turned on while that helps."""
    bonds = list(torsions(molecule))
    for atoms, moved in bonds:
        places = turn(places, atoms, moved, angle(crystal, atoms) - angle(places, atoms))
    best, step = rmsd(places, crystal), 0.3
    while step > 0.01:
        helped = False
        for atoms, moved in bonds:
            for by in (step, -step):
                tried = turn(places, atoms, moved, by)
                found = rmsd(tried, crystal)
                if found < best - 1e-6:
                    best, places, helped = found, tried, True
                    break
        step = step if helped else step / 2
    return best


def nearest(crystal, shape):
    places, there = shape.GetConformer().GetPositions(), crystal.GetConformer().GetPositions()
    matches = crystal.GetSubstructMatches(shape, uniquify=False, maxMatches=IMAGES)
    return min((fit(shape, places, there[list(match)]) for match in matches), default=float('inf'))


def main():
    builders = sys.argv[2:] or ['rdkit', 'slow']
    writer = csv.writer(sys.stdout, lineterminator='\n')
    writer.writerow(['builder', 'pdb', 'shapes', 'rmsd', 'smiles'])
    near = dict.fromkeys(builders, 0)
    files = sorted(glob.glob(f'{sys.argv[1]}/*/crystal.sdf'))
    for path in files:
        crystal = Chem.RemoveHs(Chem.MolFromMolFile(path))
        Chem.AssignStereochemistryFrom3D(crystal)
        smiles = Chem.MolToSmiles(crystal)
        for builder in builders:
            shapes = shapes_of(smiles, builder)
            best = min((nearest(crystal, shape) for shape in shapes), default=float('inf'))
            near[builder] += best <= NEAR
            writer.writerow([builder, path.split('/')[-2], len(shapes), f'{best:.2f}', smiles])
            sys.stdout.flush()
    for builder, count in near.items():
        print(f'{builder}: {count} of {len(files)} within {NEAR} Å', file=sys.stderr)


if __name__ == '__main__':
    main()
