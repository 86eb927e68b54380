#!/usr/bin/env python3
"""stereo.py [COUNT [BUILDER]]: is the stereo of the structures that `berth prep ligands` builds that of its input?

COUNT (1000) molecules of the first 5,000 of NCI (Debian's rdkit-data) that have stereo centres or double bonds, taken at
random with a fixed seed; one isomer of each is written as SMILES that leave nothing open. The stereo of each conformer of the library is read from its coordinates (RDKit, not berth's rules) and held against the input's
canonical SMILES. Prints how many came out and how many of these are right; those that are not, with both SMILES. Exit
status 1 where there is one. BERTH names the program. What turns or inverts at room temperature is passed over: amidines and
guanidines; sulfinic acids, whose proton goes from one oxygen to the other; phosphorus with three neighbours, which RDKit does
not read from coordinates."""
import csv
import os
import random
import subprocess
import sys
import tempfile

from rdkit import Chem, RDConfig, RDLogger
from rdkit.Chem.EnumerateStereoisomers import EnumerateStereoisomers, StereoEnumerationOptions

SOURCE = f'{RDConfig.RDDataDir}/NCI/first_5K.smi'
BERTH = os.path.abspath(os.environ.get('BERTH', f'{os.path.dirname(os.path.abspath(__file__))}/../../build/berth'))
BUILDER = ['--builder', sys.argv[2]] if sys.argv[2:] else []
SULFINIC = Chem.MolFromSmarts('[SX3](=O)[OX2H1]')
TURNING = Chem.MolFromSmarts('[#7;!$(N-[#7,#8])]=[#6]-[#7,#8,#16]')


def settled(molecule):
    """Without what turns or is not read."""
    mol = Chem.RWMol(molecule)
    for match in mol.GetSubstructMatches(TURNING):
        mol.GetBondBetweenAtoms(*match[:2]).SetStereo(Chem.BondStereo.STEREONONE)
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() == 15 and atom.GetDegree() == 3:
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for match in mol.GetSubstructMatches(SULFINIC):
        mol.GetAtomWithIdx(match[0]).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for bond in mol.GetBonds():
        bond.SetBondDir(Chem.BondDir.NONE)
    Chem.SetDoubleBondNeighborDirections(mol)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return Chem.MolFromSmiles(Chem.MolToSmiles(mol))


def isomer(smiles):
    """One of the molecule's, or None where it has none or is not a single organic molecule of usual elements."""
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None or '.' in smiles or any(
            atom.GetAtomicNum() not in (1, 6, 7, 8, 9, 15, 16, 17, 35, 53) or atom.GetNumRadicalElectrons() or atom.GetIsotope()
            for atom in molecule.GetAtoms()):
        return None
    options = StereoEnumerationOptions(tryEmbedding=True, onlyUnassigned=True, maxIsomers=1, rand=1, unique=True)
    found = next(EnumerateStereoisomers(molecule, options=options), None)
    chosen = found and settled(found)
    return chosen if chosen and any(mark in Chem.MolToSmiles(chosen) for mark in '@/\\') else None


def is_same(made, asked):
    """What is asked for leaves nothing open: centres that it has not are none, though RDKit takes meso groups for such."""
    return Chem.MolToSmiles(made) == Chem.MolToSmiles(asked) or (
        made.GetNumAtoms() == asked.GetNumAtoms() and made.HasSubstructMatch(asked, useChirality=True))


def choose(count):
    with open(SOURCE) as file:
        lines = [line.split()[:2] for line in file]
    random.Random(1).shuffle(lines)
    chosen = {}
    for smiles, name in lines:
        molecule = isomer(smiles) if len(chosen) < count else None
        if molecule:
            chosen[name] = molecule
    return chosen


def prepare(molecules, folder):
    """The conformers that berth makes; and what failed."""
    with open(f'{folder}/in.smi', 'w') as file:
        file.writelines(f'{Chem.MolToSmiles(molecule)}\t{name}\n' for name, molecule in molecules.items())
    subprocess.run([BERTH, 'prep', 'ligands', 'in.smi', '--out', 'x.blib', '--keep_protonation', *BUILDER], cwd=folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([BERTH, 'lib', 'get', 'x.blib', '--out', 'x.sdf'], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with open(f'{folder}/x.failures.csv', newline='') as file:
        return list(Chem.SDMolSupplier(f'{folder}/x.sdf')), list(csv.DictReader(file))


def main():
    RDLogger.DisableLog('rdApp.*')
    molecules = choose(int((sys.argv[1:] + ['1000'])[0]))
    with tempfile.TemporaryDirectory() as folder:
        conformers, failed = prepare(molecules, folder)
    wrong, out = set(), set()
    for conformer in conformers:
        name = conformer.GetProp('_Name')
        out.add(name)
        Chem.AssignStereochemistryFrom3D(conformer)
        made = settled(conformer)
        if not is_same(made, molecules[name]):
            wrong.add(name)
            print(f'{name}: {Chem.MolToSmiles(made)} instead of {Chem.MolToSmiles(molecules[name])}')
    for row in failed:
        print(f'{row["ligand"]} failed: {row["reason"]}')
    print(f'{len(out)} of {len(molecules)} came out ({len(conformers)} conformers); stereo as the input: '
          f'{len(out) - len(wrong)} of {len(out)}')
    sys.exit(bool(wrong))


main()
