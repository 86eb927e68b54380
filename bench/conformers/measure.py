#!/usr/bin/env python3
"""measure.py LIGANDS_DIR [METHOD ...] > rows.csv: conformer generators on what ligands.sh wrote.

For each ligand and method: CPU seconds, conformers made (the pool), the smallest RMSD of the pool and of a
diverse pick of COUNT of it to the crystal conformer, and the mean RMSD between two of the pick. RMSDs are
obrms's: heavy atoms, best superposition and symmetry. Every method starts from SMILES. Open Babel's turn
the bonds of one 3D structure (`--gen3d slow`, made once a ligand; its seconds are counted each time);
`berth` is `berth prep ligands` itself, with a start of its own (BERTH names the program).
`--gen3d fast` and `fastest` are not here: Open Babel 3.1.1 returns all coordinates as 0.
"""
import csv
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

COUNT = 20
POOL_MAX = 300  # of a larger pool, this many evenly spaced members are measured
LIMIT = int(os.environ.get('LIMIT', 120))  # seconds of CPU time for a step; what is written by then counts
START = '--gen3d slow'
METHODS = {  # options for the start; '': the start itself
    'berth': None,
    'gen3d slow': '',
    'GA rmsd 20': '--conformer --nconf 20 --score rmsd --writeconformers',
    'random 20': '--conformer --random --nconf 20 --writeconformers',
    'confab 10000 0.5': '--confab --conf 10000 --rcutoff 0.5',
    'GA energy 20': '--conformer --nconf 20 --score energy --writeconformers',
    'GA rmsd 100': '--conformer --nconf 100 --score rmsd --writeconformers',
    'random 200': '--conformer --random --nconf 200 --writeconformers',
    'confab 100000 1.0': '--confab --conf 100000 --rcutoff 1.0',
}


def spend(command, cwd):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit, check=False,
                   env={**os.environ, 'OMP_NUM_THREADS': '1'})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_start(smiles, cwd):
    """Leaves the 3D structure in cwd/start.mol2; CPU seconds."""
    with open(f'{cwd}/in.smi', 'w') as file:
        file.write(smiles + '\tx\n')
    open(f'{cwd}/start.mol2', 'w').close()
    return spend(['obabel', 'in.smi', '-O', 'start.mol2', *START.split()], cwd)


def generate(method, start_seconds, cwd):
    """Leaves the conformers in cwd/pool.mol2; CPU seconds."""
    open(f'{cwd}/pool.mol2', 'w').close()
    options = METHODS[method]
    if options is None:
        berth = os.path.abspath(os.environ.get('BERTH', 'build/berth'))
        seconds = spend([berth, 'prep', 'ligands', 'in.smi', '--out', 'lib.blib', '--jobs', '1',
                         '--keep_protonation', '--conformers', str(COUNT), '--time_limit', '3600', '--overwrite'], cwd)
        subprocess.run([berth, 'lib', 'get', 'lib.blib', 'x', '--out', 'pool.mol2'], cwd=cwd, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        return seconds
    if not options:
        shutil.copy(f'{cwd}/start.mol2', f'{cwd}/pool.mol2')
        return start_seconds
    return start_seconds + spend(['obabel', 'start.mol2', '-O', 'pool.mol2', *options.split()], cwd)


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
    for smiles, pdb in ligands:
        with tempfile.TemporaryDirectory() as cwd:
            start_seconds = make_start(smiles, cwd)
            for name in names:
                seconds = generate(name, start_seconds, cwd)
                row = {'method': name, 'pdb': pdb, 'seconds': seconds, **measure(f'{folder}/{pdb}.mol2', cwd)}
                writer.writerow({key: f'{value:.3f}' if isinstance(value, float) else value for key, value in row.items()})
                sys.stdout.flush()


main()
