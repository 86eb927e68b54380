#!/usr/bin/env python3
"""many.py OUT_DIR [COUNT [PART]]: prepares COUNT (100000) generated SMILES (generate.py), killed with -9 every minute or so
and resumed until it ends by itself, and the first PART (5000) of them with nobody disturbing; writes OUT_DIR/summary.md.
Exit status 1 where a molecule is lost or there twice, or the ligands of the part are not the same to the byte. One core
(`--jobs 1`); BERTH names the program."""
import csv
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BERTH = os.path.abspath(os.environ.get('BERTH', f'{HERE}/../../build/berth'))
PREPARE = [BERTH, 'prep', 'ligands', 'in.smi', '--out', 'out.blib', '--conformers', '1', '--jobs', '1']


def resident(pid):
    """MiB of a process; 0 where it has ended."""
    try:
        with open(f'/proc/{pid}/status') as file:
            return next((int(line.split()[1]) / 1024 for line in file if line.startswith('VmRSS')), 0)
    except OSError:
        return 0


def children(pid):
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as file:
            found = [int(word) for word in file.read().split()]
    except OSError:
        found = []
    for task in os.listdir(f'/proc/{pid}/task') if os.path.exists(f'/proc/{pid}/task') else []:
        try:
            with open(f'/proc/{pid}/task/{task}/children') as file:
                found += [int(word) for word in file.read().split()]
        except OSError:
            pass
    return set(found)


def run_for(seconds, folder, log, memory):
    """One process, killed after so many seconds; True where it came to its end. memory: rows of seconds, MiB of berth, MiB
    of its largest worker."""
    process = subprocess.Popen([*PREPARE, '--resume'], cwd=folder, stdout=log, stderr=log)
    end = time.time() + seconds
    while process.poll() is None and time.time() < end:
        workers = [resident(child) for child in children(process.pid)]
        memory.append((time.time(), resident(process.pid), max(workers, default=0)))
        time.sleep(1)
    if process.poll() is None:
        process.kill()
    if process.wait() not in (0, 2, -9):
        sys.exit(f'many.py: berth ended with {process.returncode}; see {log.name}')
    return process.returncode != -9


def disturbed(folder):
    """Kills and resumes until the run ends by itself: how often, and the memory meanwhile."""
    draw, kills, memory = random.Random(1), 0, []
    with open(f'{folder}/log.txt', 'w') as log:
        while not run_for(draw.uniform(20, 100), folder, log, memory):
            kills += 1
    return kills, memory


def names(folder):
    listed = subprocess.run([BERTH, 'lib', 'ls', 'out.blib'], cwd=folder, check=True, capture_output=True, text=True).stdout
    with open(f'{folder}/out.failures.csv', newline='') as file:
        failed = [row['ligand'] for row in csv.DictReader(file)]
    return [row['name'] for row in csv.DictReader(listed.splitlines())], failed


def take(folder, count):
    """The first ligands of a library, as SDF."""
    listed = subprocess.run([BERTH, 'lib', 'get', 'out.blib'] + names(folder)[0][:count] + ['--format', 'sdf'], cwd=folder,
                            check=True, capture_output=True)
    return listed.stdout


def write_inputs(out, count, part):
    subprocess.run(f'"{sys.executable}" "{HERE}/generate.py" {count} > "{out}/whole/in.smi"', shell=True, check=True)
    with open(f'{out}/whole/in.smi') as whole, open(f'{out}/part/in.smi', 'w') as first:
        first.writelines(line for _, line in zip(range(part), whole))


def main():
    out, count, part = sys.argv[1], *map(int, (sys.argv[2:] + ['100000', '5000'][len(sys.argv) - 2:]))
    for name in ('whole', 'part'):
        os.makedirs(f'{out}/{name}', exist_ok=True)
    write_inputs(out, count, part)
    start = time.time()
    kills, memory = disturbed(f'{out}/whole')
    seconds = time.time() - start
    subprocess.run(PREPARE + ['--overwrite'], cwd=f'{out}/part', stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ligands, failed = names(f'{out}/whole')
    there = len(names(f'{out}/part')[0])
    same = take(f'{out}/whole', there) == take(f'{out}/part', there)
    whole = sorted(ligands + failed) == sorted(f'g{i + 1}' for i in range(count)) and ligands == sorted(
        ligands, key=lambda name: int(name[1:]))
    rows = [f'- {count} SMILES, killed {kills} times, {seconds:.0f} s',
            f'- {len(ligands)} came out, {len(failed)} failed; {"none lost, none twice, in order" if whole else "LOST OR TWICE"}',
            f'- the first {there} ligands, against a run of {part} that nobody disturbed: {"same" if same else "DIFFERENT"} bytes']
    for quarter in range(4):
        piece = memory[quarter * len(memory) // 4:(quarter + 1) * len(memory) // 4]
        rows.append(f'- quarter {quarter + 1}: at most {max(row[1] for row in piece):.1f} MiB of berth, '
                    f'{max(row[2] for row in piece):.1f} MiB of its worker')
    with open(f'{out}/summary.md', 'w') as file:
        file.write('\n'.join(rows) + '\n')
    print('\n'.join(rows))
    sys.exit(0 if same and whole else 1)


main()
