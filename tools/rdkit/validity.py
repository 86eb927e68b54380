"""Whether a pose could be a molecule in a protein: the checks of PoseBusters (M. Buttenschoen et al., Chem. Sci.
15 (2024) 3130), whose limits these are, and whether the stereo is that of the SMILES."""
from __future__ import annotations

from functools import lru_cache

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdForceFieldHelpers
from rdkit.Chem.rdShapeHelpers import ShapeTverskyIndex
from rdkit.ForceField import rdForceField  # the class of what rdForceFieldHelpers gives

import reading
from outcome import Failed

BOND, ANGLE, INTERNAL = 0.25, 0.25, 0.3  # shares beyond the bounds of distance geometry
FLAT, PUCKERED = 0.25, 0.05  # Å from the plane, at most and at least
ENERGY_RATIO = 100.0
NEAR, FAR = 0.75, 5.0  # of the sum of radii; Å
OVERLAP = 0.075  # of the ligand's volume
SEARCH = 6.0  # Å about the ligand

AROMATIC = ["[ar5^2]1[ar5^2][ar5^2][ar5^2][ar5^2]1", "[ar6^2]1[ar6^2][ar6^2][ar6^2][ar6^2][ar6^2]1"]
SATURATED = ["[C,O,S,N;R1]~1[C,O,S,N;R1][C,O,S,N;R1][C,O,S,N;R1][C,O,S,N;R1][C,O,S,N;R1]1",
             "[C;R1]~1[C;R1][C,O,S,N;R1]~[C,O,S,N;R1][C;R1][C;R1]1",
             "[C;R1]~1[C;R1][C;R1]~[C;R1][C,O,S,N;R1][C;R1]1",
             "[C;R1]~1[C;R1][C;R1][C,O,S,N;R1]~[C,O,S,N;R1][C;R1]1",
             "[C;R1]~1[C;R1][C,O,S,N;R1][C;R1]~[C;R1][C;R1]1"]
DOUBLE = ["[C;X3;^2](*)(*)=[C;X3;^2](*)(*)"]
CONJUGATED = "[O,N;D1;$([O,N;D1]-[*]=[O,N;D1]),$([O,N;D1]=[*]-[O,N;D1])]~[*]"

# Kinds of receptor atoms as berth sends them: which radii they have, and by how much these are scaled for volumes.
KINDS = {0: ("protein", False, 0.8), 1: ("cofactors", False, 0.8), 2: ("inorganic", True, 0.5),
         3: ("waters", False, 0.5)}


@lru_cache(maxsize=None)
def pattern(smarts):
    return Chem.MolFromSmarts(smarts)


def symmetric(molecule, low, high):
    """Bounds of bonds to ends that share their charge (carboxylates, amidines) hold for all of the same
    elements: of two such oxygens the file's order says only which was drawn with the double bond."""
    groups = {}
    for a, b in molecule.GetSubstructMatches(pattern(CONJUGATED)):
        elements = tuple(sorted(molecule.GetAtomWithIdx(i).GetSymbol() for i in (a, b)))
        groups.setdefault(elements, []).append((a, b))
    for pairs in groups.values():
        least, most = min(low[p] for p in pairs), max(high[p] for p in pairs)
        for a, b in pairs:
            low[a, b] = low[b, a] = least
            high[a, b] = high[b, a] = most


def geometry(molecule, places, said):
    """Bonds, angles and what is further apart, against the bounds of distance geometry."""
    bounds = rdDistGeom.GetMoleculeBoundsMatrix(molecule, set15bounds=True, scaleVDW=True, doTriangleSmoothing=True,
                                                useMacrocycle14config=False)
    count = len(places)
    upper = np.triu(np.ones((count, count), bool), 1)
    high = np.where(upper, bounds, bounds.T)
    low = np.where(upper, bounds.T, bounds)
    np.fill_diagonal(low, 1)
    np.fill_diagonal(high, 1)
    symmetric(molecule, low, high)
    distances = np.linalg.norm(places[:, None] - places[None], axis=-1) + np.eye(count)
    heavy = np.array([atom.GetAtomicNum() > 1 for atom in molecule.GetAtoms()])
    pairs = upper & heavy[:, None] & heavy[None]
    bonds = Chem.GetAdjacencyMatrix(molecule).astype(bool)
    angles = (bonds.astype(int) @ bonds.astype(int) > 0) & ~bonds
    beyond = np.where(distances < low, distances / low - 1, np.where(distances > high, distances / high - 1, 0))
    worst_bond = np.abs(beyond[pairs & bonds]).max(initial=0)
    worst_angle = np.abs(beyond[pairs & angles]).max(initial=0)
    apart = pairs & ~bonds & ~angles
    nearest = (distances[apart] / low[apart]).min(initial=9)
    said["bond_lengths"], said["worst_bond"] = worst_bond <= BOND, worst_bond
    said["bond_angles"], said["worst_angle"] = worst_angle <= ANGLE, worst_angle
    said["internal_clash"], said["nearest_internal"] = nearest >= 1 - INTERNAL, min(nearest, 1)


def distances_to_planes(molecule, places, patterns, counts=lambda molecule, match: True):
    """Of each match that counts, the largest distance of an atom to the plane of all."""
    found = []
    for smarts in patterns:
        for match in filter(lambda found: counts(molecule, found), molecule.GetSubstructMatches(pattern(smarts))):
            group = places[list(match)] - places[list(match)].mean(axis=0)
            found.append(np.dot(group, np.linalg.svd(group)[2][-1]).max())
    return found


def must_pucker(molecule, match):
    """Of a ring that PoseBusters calls saturated whether it is: two tetrahedral atoms stand side by side in it.
    Others, such as barbiturates, are flat as they should be."""
    tetrahedral = {i for i in match if molecule.GetAtomWithIdx(i).GetHybridization() == Chem.HybridizationType.SP3}
    return any(molecule.GetBondBetweenAtoms(a, b) for a in tetrahedral for b in tetrahedral if a < b)


def flatness(molecule, places, said):
    rings = distances_to_planes(molecule, places, AROMATIC)
    said["aromatic_rings"], said["aromatic_plane"] = max(rings, default=0) <= FLAT, max(rings, default=0)
    said["saturated_rings"] = min(distances_to_planes(molecule, places, SATURATED, must_pucker), default=9) >= PUCKERED
    bonds = distances_to_planes(molecule, places, DOUBLE)
    said["double_bonds"], said["double_bond_plane"] = max(bonds, default=0) <= FLAT, max(bonds, default=0)


@lru_cache(maxsize=64)
def mean_energy(smiles, conformers):
    """Of conformers of the molecule that were minimised, kcal/mol."""
    molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
    settings = rdDistGeom.ETKDGv3()
    settings.randomSeed = 42
    settings.useRandomCoords = True
    settings.numThreads = 0
    if not rdDistGeom.EmbedMultipleConfs(molecule, conformers, settings):
        return float("nan")
    energies = [energy for _, energy in rdForceFieldHelpers.UFFOptimizeMoleculeConfs(molecule, numThreads=0)]
    return sum(energies) / len(energies)


def energy(molecule, conformers, said):
    """By UFF, against the mean of conformers; of all hydrogens as they are."""
    if not conformers or not rdForceFieldHelpers.UFFHasAllMoleculeParams(molecule):
        return
    own = rdForceFieldHelpers.UFFGetMoleculeForceField(molecule).CalcEnergy()
    mean = mean_energy(Chem.MolToSmiles(Chem.RemoveHs(molecule)), conformers)
    if mean == mean and mean != 0:
        said["internal_energy"], said["energy_ratio"] = own / mean <= ENERGY_RATIO, own / mean


def keeps_stereo(molecule, smiles):
    """The stereo that the SMILES asks for is there; None where it is of another molecule."""
    wanted = Chem.MolFromSmiles(smiles) if smiles else None
    if wanted is None:
        return None
    Chem.AssignStereochemistryFrom3D(molecule)
    plain = Chem.RemoveHs(molecule)
    if wanted.GetNumAtoms() != plain.GetNumAtoms() or not plain.HasSubstructMatch(wanted):
        return None
    return plain.HasSubstructMatch(wanted, useChirality=True)


def radii(numbers, covalent):
    table = Chem.GetPeriodicTable()
    return np.array([(table.GetRcovalent if covalent else table.GetRvdw)(int(n)) for n in numbers])


def as_molecule(numbers, places):
    """Atoms without bonds, for their volume."""
    molecule = Chem.RWMol()
    conformer = Chem.Conformer(len(numbers))
    for i, number in enumerate(numbers):
        molecule.AddAtom(Chem.Atom(int(number)))
        conformer.SetAtomPosition(i, [float(x) for x in places[i]])
    molecule.AddConformer(conformer)
    return molecule.GetMol()


def receptor(molecule, places, packed, said):
    """Distances to the receptor's atoms, and volume that both claim."""
    atoms = np.frombuffer(packed, dtype=np.dtype([("at", "<f8", 3), ("number", "u1"), ("kind", "u1")]))
    heavy = np.array([atom.GetAtomicNum() for atom in molecule.GetAtoms()])
    ligand, own = places[heavy > 1], heavy[heavy > 1]
    least, ratio, overlap = float("inf"), float("inf"), 0.0
    for kind, (_, covalent, scale) in KINDS.items():
        near = atoms[atoms["kind"] == kind]
        if not len(near):
            continue
        apart = np.linalg.norm(ligand[:, None] - near["at"][None], axis=-1)
        sums = radii(own, covalent)[:, None] + radii(near["number"], covalent)[None]
        least = min(least, apart.min() if kind == 0 else least)
        if (apart / sums).min() < ratio:
            ratio = (apart / sums).min()
            a, b = np.unravel_index((apart / sums).argmin(), apart.shape)
            said["nearest_distance"] = apart[a, b]
        close = near[np.linalg.norm(places[:, None] - near["at"][None], axis=-1).min(axis=0) <= SEARCH * scale]
        if len(close):
            overlap = max(overlap, ShapeTverskyIndex(molecule, as_molecule(close["number"], close["at"]), alpha=1, beta=0,
                                                     vdwScale=scale, ignoreHs=True))
    said["in_receptor"] = least <= FAR
    said["receptor_distance"] = ratio >= NEAR
    if ratio < float("inf"):
        said["nearest_ratio"] = ratio
    said["receptor_overlap"], said["overlap"] = overlap <= OVERLAP, overlap


def run(options, text, packed):
    """Lines "name=value": 1 or 0 of checks, numbers of what they look at; nothing of what is not known."""
    block = text.decode("utf-8", "replace")
    raw = reading.molfile(block, sanitize=False, removeHs=False)
    if raw is None or not raw.GetNumAtoms():
        raise Failed("RDKit cannot read the pose")
    said = {}
    molecule = Chem.Mol(raw)
    said["chemistry"] = Chem.SanitizeMol(molecule, catchErrors=True) == Chem.SanitizeFlags.SANITIZE_NONE
    said["connected"] = len(Chem.GetMolFrags(molecule)) == 1
    places = molecule.GetConformer().GetPositions()
    if said["chemistry"]:
        said["no_radicals"] = not any(atom.GetNumRadicalElectrons() for atom in molecule.GetAtoms())
        geometry(molecule, places, said)
        flatness(molecule, places, said)
        kept = keeps_stereo(Chem.Mol(molecule), options.get("smiles", ""))
        if kept is not None:
            said["stereo"] = kept
        energy(molecule, int(options.get("conformers", "0")), said)
    receptor(molecule, places, packed, said)
    return ["\n".join(f"{name}={int(value) if isinstance(value, (bool, np.bool_)) else f'{value:.4f}'}"
                      for name, value in said.items())]
