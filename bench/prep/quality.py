#!/usr/bin/env python3
"""quality.py IN.smi OUT_DIR [COUNT [ENERGIES [BUILDER ...]]]: how good are the structures of `berth prep ligands`, builder
beside builder (rdkit fragments)?

COUNT (2000) molecules, evenly taken from IN.smi. Of each builder: how many came out, with how many structures; how many
molecules have structures that all pass PoseBusters' checks of bond lengths, bond angles, clashes and flatness, and which
checks the others fail, by berth's own rows of these checks (tools/rdkit/validity.py), which take far less time; of
ENERGIES (100) molecules the same by PoseBusters itself, and how many first structures pass its check of internal energy.
Against the first builder the MMFF94s energy (as in water) of each molecule's first structure, as it is and minimised to the
end: the medians of the differences, and their quartiles. Needs RDKit and PoseBusters. BERTH names the program; OUT_DIR gets
BUILDER.sdf, which a later run takes as it is, and failures.csv."""
import collections
import csv
import os
import statistics
import subprocess
import sys

import posebusters
import yaml
from rdkit import Chem, RDLogger
from rdkit.Chem import rdForceFieldHelpers

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f'{HERE}/../../tools/rdkit')
import validity

BERTH = os.path.abspath(os.environ.get('BERTH', f'{HERE}/../../build/berth'))
ENERGY = 'Energy ratio'
CHECKS = ('bond_lengths', 'bond_angles', 'internal_clash', 'aromatic_rings', 'saturated_rings', 'double_bonds')
WATER = 80.0  # dielectric constant
STEPS = 5000


def buster(energies):
    """PoseBusters' checks of a molecule alone, with or without the internal energy."""
    with open(f'{os.path.dirname(posebusters.__file__)}/config/mol.yml') as file:
        config = yaml.safe_load(file)
    config['modules'] = [module for module in config['modules']
                         if module['name'] == 'Loading' or (module['name'] == ENERGY) == energies]
    return posebusters.PoseBusters(config=config)


def choose(path, count, to):
    """Takes COUNT lines, and names the molecules by number."""
    with open(path) as file:
        lines = [line.split()[0] for line in file if line.strip() and not line.startswith('#')]
    step = max(1, len(lines) / count)
    with open(to, 'w') as file:
        for number in range(min(count, len(lines))):
            print(lines[int(number * step)], f'm{number}', sep='\t', file=file)


def prepare(builder, folder):
    """The structures of each ligand; those that an earlier run left are taken."""
    if not os.path.exists(f'{folder}/{builder}.sdf'):
        command = [BERTH, 'prep', 'ligands', 'in.smi', '--out', f'{builder}.blib', '--builder', builder, '--overwrite',
                   '--conformers', '1']
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode not in (0, 2):
            sys.exit(done.stderr)
        print(f'{builder}:', done.stderr.splitlines()[-1], flush=True)
        subprocess.run([BERTH, 'lib', 'get', f'{builder}.blib', '--out', f'{builder}.sdf'], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
    found = collections.defaultdict(list)
    for structure in Chem.SDMolSupplier(f'{folder}/{builder}.sdf', removeHs=False):
        found[structure.GetProp('_Name').split()[0]].append(structure)
    return found


def energies(molecule):
    """kcal/mol, as it is and minimised; None where MMFF94s lacks parameters."""
    copy = Chem.Mol(molecule)
    parameters = rdForceFieldHelpers.MMFFGetMoleculeProperties(copy, 'MMFF94s')
    if parameters is None:
        return None
    parameters.SetMMFFDielectricConstant(WATER)
    field = rdForceFieldHelpers.MMFFGetMoleculeForceField(copy, parameters)
    raw = field.CalcEnergy()
    field.Minimize(maxIts=STEPS)
    return raw, field.CalcEnergy()


def failed_of(structure):
    """The checks that it fails, by berth."""
    said, places = {}, structure.GetConformer().GetPositions()
    validity.geometry(structure, places, said)
    validity.flatness(structure, places, said)
    return [check for check in CHECKS if not said[check]]


def failed_by_posebusters(structures, with_energies):
    rows = buster(with_energies).bust(structures).to_dict('records')
    return [[check for check, passed in row.items() if passed is False] for row in rows]


def tell(what, found, failing, writer):
    """Prints how many molecules pass; failing gives the failed checks of each of a molecule's structures."""
    failed, wrong = collections.Counter(), set()
    for name, structures in found.items():
        for number, checks in enumerate(failing(structures), 1):
            failed.update(checks)
            wrong.update([name] if checks else [])
            writer.writerows([what, name, number, check] for check in checks)
    count = sum(map(len, found.values()))
    print(f'{what}: {len(found)} molecules, {count} structures; pass: {len(found) - len(wrong)}, '
          f'{100 * (1 - len(wrong) / max(1, len(found))):.2f} %; structures that fail: {dict(failed)}', flush=True)


def main():
    RDLogger.DisableLog('rdApp.*')
    path, folder = sys.argv[1:3]
    count, tried = (int(given or usual) for given, usual in zip((sys.argv[3:] + ['', ''])[:2], (2000, 100)))
    builders = sys.argv[5:] or ['rdkit', 'fragments']
    os.makedirs(folder, exist_ok=True)
    choose(path, count, f'{folder}/in.smi')
    made = {builder: prepare(builder, folder) for builder in builders}
    with open(f'{folder}/failures.csv', 'w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(['what', 'ligand', 'structure', 'check'])
        for builder, found in made.items():
            tell(f'{builder}, geometry', found, lambda structures: map(failed_of, structures), writer)
            some = {name: found[name] for name in sorted(found)[::max(1, len(found) // max(1, tried))][:tried]}
            tell(f'{builder}, geometry by PoseBusters', some, lambda all_: failed_by_posebusters(all_, False), writer)
            tell(f'{builder}, energy', some, lambda all_: failed_by_posebusters(all_[:1], True), writer)
    first = {name: energies(structures[0]) for name, structures in made[builders[0]].items()} if builders[1:] else {}
    for builder in builders[1:]:
        pairs = [(energies(structures[0]), first[name]) for name, structures in made[builder].items() if first.get(name)]
        for word, which in ('as they are', 0), ('minimised', 1):
            quartiles = statistics.quantiles((own[which] - other[which] for own, other in pairs), n=4)
            print(f'{builder}: first structures, {word}, above those of {builders[0]}: median {quartiles[1]:.2f} kcal/mol, '
                  f'quartiles {quartiles[0]:.2f} and {quartiles[2]:.2f} ({len(pairs)} molecules)')


main()
