#!/usr/bin/env python3
"""assign_bonds.py POSE.pdbqt TEMPLATE.sdf > OUT.sdf

Puts the bond orders and charges of TEMPLATE (a molecule without coordinates, made from SMILES) on
the heavy atoms of POSE, whose bonds are found by distance. A PDBQT file has no bonds, and guessing
their orders from geometry fails for several of the set (thiazolium, oxazole, amidine).
Atoms keep the order and coordinates of POSE. Hydrogens are left to Open Babel.
"""
import sys

RADIUS = {'C': 0.76, 'N': 0.71, 'O': 0.66, 'S': 1.05, 'P': 1.07, 'F': 0.57, 'CL': 1.02, 'BR': 1.20, 'I': 1.39}
AUTODOCK = {'A': 'C', 'NA': 'N', 'NS': 'N', 'OA': 'O', 'OS': 'O', 'SA': 'S'}
HYDROGEN = {'H', 'HD', 'HS'}
SLACK = 0.45  # Angstrom over the sum of covalent radii, as Open Babel


def read_pose(path):
    atoms = []
    for line in open(path):
        if not line.startswith(('ATOM', 'HETATM')):
            continue
        kind = line[77:79].strip()
        if kind in HYDROGEN:
            continue
        element = AUTODOCK.get(kind, kind).upper()
        if element not in RADIUS:
            sys.exit(f'{path}: unknown AutoDock type {kind}')
        atoms.append((element, tuple(float(line[i:i + 8]) for i in (30, 38, 46))))
    return atoms


def bonds_by_distance(atoms):
    neighbours = [set() for _ in atoms]
    for i, (a, p) in enumerate(atoms):
        for j, (b, q) in enumerate(atoms[:i]):
            reach = RADIUS[a] + RADIUS[b] + SLACK
            if sum((u - v) ** 2 for u, v in zip(p, q)) < reach ** 2:
                neighbours[i].add(j)
                neighbours[j].add(i)
    return neighbours


def read_template(path):
    """Elements, bonds {(a, b): order} and charges {atom: charge}, numbered from 0."""
    lines = open(path).read().splitlines()
    natoms, nbonds = int(lines[3][0:3]), int(lines[3][3:6])
    elements = [line.split()[3].upper() for line in lines[4:4 + natoms]]
    bonds, charges = {}, {}
    for line in lines[4 + natoms:4 + natoms + nbonds]:
        bonds[int(line[0:3]) - 1, int(line[3:6]) - 1] = int(line[6:9])
    for line in lines:
        if line.startswith('M  CHG'):
            fields = [int(f) for f in line.split()[3:]]
            charges.update({a - 1: q for a, q in zip(fields[::2], fields[1::2])})
    return elements, bonds, charges


def connected_order(neighbours):
    """Every atom after the first follows one of its neighbours, so a wrong start fails early."""
    order, seen = [], set()
    for root in range(len(neighbours)):
        queue = [root]
        while queue:
            atom = queue.pop(0)
            if atom not in seen:
                seen.add(atom)
                order.append(atom)
                queue.extend(sorted(neighbours[atom]))
    return order


def match(elements, links, atoms, found):
    """Template atom -> pose atom, or None where the two graphs differ."""
    order = connected_order(links)
    image, used = {}, set()

    def fits(t, p):
        return (p not in used and atoms[p][0] == elements[t] and len(found[p]) == len(links[t])
                and all(image[n] in found[p] for n in links[t] if n in image))

    def place(depth):
        if depth == len(order):
            return True
        t = order[depth]
        for p in range(len(atoms)):
            if fits(t, p):
                image[t] = p
                used.add(p)
                if place(depth + 1):
                    return True
                used.discard(p)
                del image[t]
        return False

    return image if place(0) else None


def write_sdf(atoms, bonds, charges):
    print('\n\n')
    print(f'{len(atoms):3d}{len(bonds):3d}  0  0  0  0  0  0  0  0999 V2000')
    for element, (x, y, z) in atoms:
        print(f'{x:10.4f}{y:10.4f}{z:10.4f} {element.capitalize():<3} 0  0  0  0  0  0  0  0  0  0  0  0')
    for (a, b), order in bonds:
        print(f'{a + 1:3d}{b + 1:3d}{order:3d}  0  0  0  0')
    for atom, charge in charges:
        print(f'M  CHG  1 {atom + 1:3d} {charge:3d}')
    print('M  END\n$$$$')


def main():
    pose, template = sys.argv[1:3]
    atoms = read_pose(pose)
    elements, bonds, charges = read_template(template)
    links = [set() for _ in elements]
    for a, b in bonds:
        links[a].add(b)
        links[b].add(a)
    image = None
    if len(atoms) == len(elements):
        image = match(elements, links, atoms, bonds_by_distance(atoms))
    if image is None:
        sys.exit(f'{pose}: its {len(atoms)} heavy atoms are not the molecule of {template} ({len(elements)})')
    write_sdf(atoms, [((image[a], image[b]), o) for (a, b), o in bonds.items()],
              sorted((image[a], q) for a, q in charges.items()))


main()
