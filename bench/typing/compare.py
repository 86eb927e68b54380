#!/usr/bin/env python3
"""compare.py REFERENCE.mol2 OTHER.mol2 ... : heavy-atom types of molecules of the same title, atoms matched by the bond graph
(of the possible matches the one with the fewest differences). One line a kind of difference, then the sums."""
import collections
import sys

MATCHES_MAX = 20000


def read(path):
    """Title -> (types, neighbours, hydrogens) of the heavy atoms; of several molecules with one title the first."""
    molecules = {}
    with open(path) as file:
        blocks = file.read().split('@<TRIPOS>MOLECULE\n')[1:]
    for block in blocks:
        title = block.split('\n', 1)[0].strip()
        section, types, bonds = '', {}, []
        for line in block.splitlines()[1:]:
            fields = line.split()
            if line.startswith('@'):
                section = line.strip()
            elif section == '@<TRIPOS>ATOM' and len(fields) >= 6:
                types[int(fields[0])] = fields[5]
            elif section == '@<TRIPOS>BOND' and len(fields) >= 4:
                bonds.append((int(fields[1]), int(fields[2])))
        heavy = [a for a in types if types[a].split('.')[0] not in ('H', 'LP')]
        number = {a: i for i, a in enumerate(heavy)}
        links, hydrogens = [set() for _ in heavy], [0] * len(heavy)
        for a, b in bonds:
            if a in number and b in number:
                links[number[a]].add(number[b])
                links[number[b]].add(number[a])
            elif a in number or b in number:
                hydrogens[number[a] if a in number else number[b]] += 1
        molecules.setdefault(title, ([types[a] for a in heavy], links, hydrogens))
    return molecules


def element(kind):
    return kind.split('.')[0]


def matches(one, other):
    """Every way to lay `one` on `other` with elements and bonds kept."""
    (types, links, _), (kinds, ties, _) = one, other
    order, seen = [0], {0}
    for atom in order:
        for n in sorted(links[atom]):
            if n not in seen:
                seen.add(n)
                order.append(n)
    image, used, count = {}, set(), 0

    def place(depth):
        nonlocal count
        if depth == len(order):
            count += 1
            yield dict(image)
            return
        atom = order[depth]
        before = [image[n] for n in links[atom] if n in image]
        for p in (ties[before[0]] if before else range(len(kinds))):
            if count < MATCHES_MAX and p not in used and element(kinds[p]) == element(types[atom]) \
                    and len(ties[p]) == len(links[atom]) and all(b in ties[p] for b in before):
                image[atom] = p
                used.add(p)
                yield from place(depth + 1)
                used.discard(p)
                del image[atom]

    if len(types) == len(kinds) and len(order) == len(types):
        yield from place(0)


def compare(reference, path):
    other = read(path)
    kinds, where, atoms, wrong, hydrogens = collections.Counter(), collections.defaultdict(set), 0, 0, 0
    for title, molecule in reference.items():
        best = None
        for image in matches(molecule, other[title]) if title in other else ():
            found = [(molecule[0][a], other[title][0][p]) for a, p in image.items()]
            differences = [pair for pair in found if pair[0] != pair[1]]
            if best is None or len(differences) < len(best):
                best = differences
                off = sum(molecule[2][a] != other[title][2][p] for a, p in image.items())
        if best is None:
            print(f'{path}\t{title}\tis missing or another molecule')
            continue
        atoms += len(molecule[0])
        wrong += len(best)
        hydrogens += off
        for pair in best:
            kinds[pair] += 1
            where[pair].add(title)
    for (was, now), count in sorted(kinds.items()):
        print(f'{path}\tBUDE {was}\tberth {now}\t{count}\t{",".join(sorted(where[was, now]))}')
    print(f'{path}\t{atoms} heavy atoms\t{wrong} types differ\t{hydrogens} atoms with other hydrogens')


def main():
    reference = read(sys.argv[1])
    for path in sys.argv[2:]:
        compare(reference, path)


main()
