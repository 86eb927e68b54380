#!/usr/bin/env python3
"""measure.py LIGANDS_DIR [METHOD ...] > rows.csv: conformer generators on what ligands.sh wrote.

For each ligand and method: CPU seconds, conformers made (the pool), the smallest RMSD of the pool and of a
diverse pick of COUNT of it to the crystal conformer, and the mean RMSD between two of the pick. RMSDs are
obrms's: heavy atoms, best superposition and symmetry. Every method starts from SMILES; `berth` is
`berth prep ligands` itself (BERTH names the program).
"""
import csv
import os
import re
import resource
import subprocess
import sys
import tempfile

COUNT = 20
POOL_MAX = 300  # of a larger pool, this many evenly spaced members are measured
LIMIT = 300     # seconds
GEN = '--gen3d slow'
METHODS = {
    'gen3d fast': [('--gen3d fast',)],
    'gen3d slow': [(GEN,)],
    'gen3d best': [('--gen3d best',)],
    'confab 10000 0.5': [(GEN,), ('--confab --conf 10000 --rcutoff 0.5',)],
    'confab 100000 1.0': [(GEN,), ('--confab --conf 100000 --rcutoff 1.0',)],
    'GA rmsd 20': [(GEN,), ('--conformer --nconf 20 --score rmsd --writeconformers',)],
    'GA energy 20': [(GEN,), ('--conformer --nconf 20 --score energy --writeconformers',)],
    'GA rmsd 100': [(GEN,), ('--conformer --nconf 100 --score rmsd --writeconformers',)],
    'random 20': [(GEN,), ('--conformer --random --nconf 20 --writeconformers',)],
    'random 200': [(GEN,), ('--conformer --random --nconf 200 --writeconformers',)],
    'berth': None,
}


def spend(command, cwd):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def generate(method, smiles, cwd):
    """Leaves the conformers in cwd/pool.mol2; CPU seconds."""
    with open(f'{cwd}/in.smi', 'w') as file:
        file.write(smiles + '\tx\n')
    open(f'{cwd}/pool.mol2', 'w').close()
    if METHODS[method] is None:
        berth = os.path.abspath(os.environ.get('BERTH', 'build/berth'))
        seconds = spend([berth, 'prep', 'ligands', 'in.smi', '--out', 'lib.blib', '--jobs', '1', '--ph', 'none'], cwd)
        with open(f'{cwd}/pool.mol2', 'w') as out:
            subprocess.run([berth, 'lib', 'get', 'lib.blib', 'x', '--out', 'pool.mol2'], cwd=cwd,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return seconds
    seconds, source = 0.0, 'in.smi'
    for number, (options,) in enumerate(METHODS[method]):
        target = f'step{number}.mol2'
        seconds += spend(['obabel', source, '-O', target, *options.split()], cwd)
        source = target
    os.replace(f'{cwd}/{source}', f'{cwd}/pool.mol2')
    return seconds


def split(path):
    with open(path) as file:
        return ['@<TRIPOS>MOLECULE' + part for part in file.read().split('@<TRIPOS>MOLECULE')[1:]]


def rmsds(arguments, cwd):
    text = subprocess.run(['obrms', '-f', '-m', *arguments], cwd=cwd, capture_output=True, text=True).stdout
    return [[float(value) for value in re.findall(r'(?:inf|\d+\.?\d*(?:e-?\d+)?)', line.split(':')[-1].split(' ', 1)[-1])]
            for line in text.splitlines()]


def cross(members, cwd):
    """Matrix of RMSDs between the members."""
    with open(f'{cwd}/all.mol2', 'w') as file:
        file.writelines(members)
    text = subprocess.run(['obrms', '-m', '-x', 'all.mol2'], cwd=cwd, capture_output=True, text=True).stdout
    return [[float(value) for value in line.split(',')[1:]] for line in text.splitlines()]


def pick_diverse(matrix, count):
    """The first, then always the one that is farthest from those picked."""
    picked = [0]
    while len(picked) < min(count, len(matrix)):
        picked.append(max((i for i in range(len(matrix)) if i not in picked),
                          key=lambda i: min(matrix[i][j] for j in picked)))
    return picked


def measure(crystal, cwd):
    members = split(f'{cwd}/pool.mol2')
    size = len(members)
    if size > POOL_MAX:
        members = [members[i * size // POOL_MAX] for i in range(POOL_MAX)]
    if not members:
        return {'pool': 0}
    with open(f'{cwd}/measured.mol2', 'w') as file:
        file.writelines(members)
    to_crystal = [row[-1] for row in rmsds([crystal, 'measured.mol2'], cwd)]
    matrix = cross(members, cwd)
    picked = pick_diverse(matrix, COUNT)
    pairs = [matrix[i][j] for i in picked for j in picked if i < j]
    return {'pool': size, 'best_pool': min(to_crystal), 'best_pick': min(to_crystal[i] for i in picked),
            'spread': sum(pairs) / len(pairs) if pairs else 0.0}


def main():
    folder, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(METHODS)
    writer = csv.DictWriter(sys.stdout, ['method', 'pdb', 'seconds', 'pool', 'best_pool', 'best_pick', 'spread'], lineterminator='\n')
    writer.writeheader()
    with open(f'{folder}/ligands.smi') as file:
        ligands = [line.split() for line in file]
    for name in names:
        for smiles, pdb in ligands:
            with tempfile.TemporaryDirectory() as cwd:
                seconds = generate(name, smiles, cwd)
                row = {'method': name, 'pdb': pdb, 'seconds': seconds, **measure(f'{folder}/{pdb}.mol2', cwd)}
            writer.writerow({key: f'{value:.3f}' if isinstance(value, float) else value for key, value in row.items()})
            sys.stdout.flush()


main()
