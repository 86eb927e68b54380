"""cofactors.py LIGANDS.mol2 OUT.pdb TYPES: from the cofactors of tests/fixtures/chemistry/cofactors.tsv as ligands (Mol2 by
`berth prep ligands`) their heavy atoms as a PDB file, and "residue name type" of each of these as ligands."""
import os
import sys

from rdkit import Chem

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fixtures', 'chemistry', 'cofactors.tsv')


def read_ligands(path):
    """Of each molecule the heavy atoms: position and type."""
    found = {}
    with open(path) as file:
        for block in file.read().split('@<TRIPOS>MOLECULE\n')[1:]:
            atoms = block.split('@<TRIPOS>ATOM\n')[1].split('@<TRIPOS>BOND')[0].split('\n')
            rows = [line.split() for line in atoms if line.strip()]
            found[block.split('\n')[0]] = [(tuple(map(float, row[2:5])), row[5]) for row in rows if row[5] != 'H']
    return found


def main():
    ligands = read_ligands(sys.argv[1])
    with open(TABLE) as table, open(sys.argv[2], 'w') as pdb, open(sys.argv[3], 'w') as types:
        for number, line in enumerate((row for row in table if not row.startswith('#')), 1):
            residue, smiles, names = line.rstrip('\n').split('\t')
            molecule = Chem.MolFromSmiles(smiles)
            stored = Chem.MolFromSmiles(Chem.MolToSmiles(molecule))  # berth's ligands have the order of these
            for serial, (name, place) in enumerate(zip(names.split(), stored.GetSubstructMatch(molecule)), 1):
                (x, y, z), kind = ligands[residue][place]
                x += 40 * number
                symbol = molecule.GetAtomWithIdx(serial - 1).GetSymbol()
                print(f'HETATM{serial:5d}  {name:<4}{residue:>3} A{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00          '
                      f'{symbol:>2}', file=pdb)
                print(residue, name, kind, file=types)


main()
