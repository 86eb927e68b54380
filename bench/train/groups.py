"""Groups of related proteins: complexes of a group stay together in folds."""
import collections
import glob
import itertools

CODES = dict(zip('ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL'.split(), 'ARNDCQEGHILKMFPSTWYV'))
WORD = 5  # residues
SHARED = 0.06  # of the words of the shorter chain; proteins of 30 % identity share fewer


def chains(folder):
    """Words of each chain of the receptor in a complex's folder (PDB or PDBQT): sets of WORD letters."""
    letters = collections.defaultdict(dict)
    for path in glob.glob(f'{folder}/receptor.pdb*'):
        with open(path, errors='replace') as file:
            for line in file:
                if line.startswith('ATOM') and line[12:16].strip() == 'CA':
                    letters[line[21]].setdefault(line[22:27], CODES.get(line[17:20], 'X'))
    texts = [''.join(chain.values()) for chain in letters.values() if len(chain) > 20]
    return [{text[k:k + WORD] for k in range(len(text) - WORD + 1)} for text in texts]


def group(folders):
    """The number of the group of each complex: those are joined whose chains share SHARED of their words, or are so joined
    by others."""
    words = [chains(folder) for folder in folders]
    parents = list(range(len(folders)))

    def root(k):
        while parents[k] != k:
            k = parents[k]
        return k

    holders = collections.defaultdict(list)
    for k, chain in ((k, chain) for k, its in enumerate(words) for chain in its):
        for word in chain:
            holders[word].append((k, id(chain), len(chain)))
    shared = collections.Counter()
    for its in holders.values():
        shared.update(itertools.combinations(its, 2))
    for (a, b), count in shared.items():
        if a[0] != b[0] and count >= max(6, SHARED * min(a[2], b[2])):
            parents[root(a[0])] = root(b[0])
    return [root(k) for k in range(len(folders))]
