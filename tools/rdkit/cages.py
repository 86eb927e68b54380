"""Whether rings that share bonds can have the stereo of the atoms they share: in bridged rings most cannot.

That depends on the rings alone, of which libraries hold the same again and again: what distance geometry makes of them
bare, or nearly, is remembered.  Where that is not plain, the whole molecule is to be tried.
"""
from __future__ import annotations

import itertools
import zlib
from typing import Iterator, NamedTuple, Optional

from rdkit import Chem
from rdkit.Chem import rdDistGeom

# Tries of bare rings: one that comes out of the first is plain, and none of all.
FIRST, FURTHER = 10, 20

SMALL = 5  # atoms of a ring

CRAMPED = 7  # atoms of the three bridges between two atoms that rings share: with fewer than eight no bond points inside

LARGE = 32  # atoms of bare rings: from more on, all the tries would cost more than the whole molecule's

REMEMBERED = 100000  # stereo of rings: what a worker's memory is not to grow beyond

ATOM_TAGS = (Chem.ChiralType.CHI_TETRAHEDRAL_CW, Chem.ChiralType.CHI_TETRAHEDRAL_CCW)

# Builds of bare rings that must come out alike, how many have to come out at all, and the tries of each.
SHAPES, LEAST, PATIENCE = 4, 2, 50
FINE = 0.001  # of the forces that end the refinement of distances: with more, the smallest cages never come out

_known: dict[tuple, Optional[bool]] = {}
_shaped: dict[str, bool] = {}


class Bare(NamedTuple):
    """Rings that share bonds, with nothing that they bear but =O; bridged ones with a methyl for the rest, since that
    may be in the way there."""

    smiles: str
    places: dict[int, int]  # in these SMILES, of the molecule's atoms
    centres: list[int]  # atoms of the molecule whose tags count: of bridged rings all, else those that rings share


def _systems(molecule: Chem.Mol) -> list[list[set[int]]]:
    """The rings that share bonds, as sets of atoms."""
    systems: list[list[set[int]]] = []
    for ring in map(set, molecule.GetRingInfo().AtomRings()):
        joined = [system for system in systems if any(len(ring & other) > 1 for other in system)]
        systems = [system for system in systems if system not in joined]
        systems.append([ring, *(other for system in joined for other in system)])
    return [system for system in systems if len(system) > 1]


def _is_bridged(system: list[set[int]]) -> bool:
    """True for rings that share more than a bond, and for small ones, which hold what they bear as firmly."""
    return any(len(ring) < SMALL or any(len(ring & other) > 2 for other in system[:i]) for i, ring in enumerate(system))


def _become(atom: Chem.Atom, element: int) -> None:
    atom.SetAtomicNum(element)
    atom.SetIsAromatic(False)
    atom.SetFormalCharge(0)
    atom.SetIsotope(0)
    atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    atom.SetNoImplicit(False)
    atom.SetNumExplicitHs(0)


def _strip(molecule: Chem.Mol, atoms: set[int], bridged: bool) -> tuple[Chem.Mol, list[int]]:
    """These atoms and what they bear as Bare has it; the atoms of the molecule that those are."""
    mol = Chem.RWMol(molecule)
    borne = set()
    for index in atoms:
        atom = mol.GetAtomWithIdx(index)
        hydrogens = atom.GetTotalNumHs()
        for bond in atom.GetBonds():
            other = bond.GetOtherAtom(atom)
            if other.GetIdx() in atoms:
                continue
            double = bond.GetBondType() == Chem.BondType.DOUBLE
            if bridged or double:
                borne.add(other.GetIdx())
                _become(other, 8 if double else 6)
            else:
                hydrogens += 1
        atom.SetNoImplicit(True)
        atom.SetNumExplicitHs(hydrogens)
        atom.SetIsotope(0)
        atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for bond in molecule.GetBonds():
        if bond.GetBeginAtomIdx() in borne and bond.GetEndAtomIdx() in borne:
            mol.RemoveBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
    for index in reversed(range(molecule.GetNumAtoms())):
        if index not in atoms and index not in borne:
            mol.RemoveAtom(index)
    return mol.GetMol(), sorted(atoms | borne)


def bare_systems(molecule: Chem.Mol, fused: bool = True) -> list[Bare]:
    """Of bridged rings alone where not fused."""
    found = []
    for system in _systems(molecule):
        atoms = set().union(*system)
        bridged = _is_bridged(system)
        if not (bridged or fused):
            continue
        centres = [atom for atom in sorted(atoms) if bridged or sum(atom in ring for ring in system) > 1]
        mol, kept = _strip(molecule, atoms, bridged)
        smiles = Chem.MolToSmiles(mol, isomericSmiles=False)
        order = list(mol.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"])
        found.append(Bare(smiles, {kept[atom]: place for place, atom in enumerate(order)}, centres))
    return found


def _is_odd(order: list[int]) -> bool:
    return sum(a > b for i, b in enumerate(order) for a in order[:i]) % 2 == 1


def _parity(atom: Chem.Atom, places: dict[int, int]) -> bool:
    """Of a tag, by its neighbours in the order of these places; what has none comes last, as hydrogens do."""
    order = [places.get(other.GetIdx(), len(places)) for other in atom.GetNeighbors()]
    return (atom.GetChiralTag() == ATOM_TAGS[1]) != _is_odd(order)


def _tags(molecule: Chem.Mol, bare: Bare) -> Iterator[tuple[int, bool]]:
    for index in bare.centres:
        atom = molecule.GetAtomWithIdx(index)
        if atom.GetChiralTag() in ATOM_TAGS:
            yield bare.places[index], _parity(atom, bare.places)


def _first_atoms(molecule: Chem.Mol, end: int, bridges: tuple[set[int], ...]) -> list[int]:
    """The neighbours of a bridgehead in each of the bridges, and what else it bears: a hydrogen comes last."""
    around = [other.GetIdx() for other in molecule.GetAtomWithIdx(end).GetNeighbors()]
    inside = [next((other for other in around if other in bridge), end) for bridge in bridges]
    return inside + ([other for other in around if other not in inside] or [molecule.GetNumAtoms()])


def _inside_out(molecule: Chem.Mol, tags: tuple[tuple[int, bool], ...]) -> bool:
    """True where of two bridgeheads one has its further bond inside of the cage, and there is no room: seen from
    outside, one must have the three bridges clockwise, the other anticlockwise."""
    parities = dict(tags)
    rings = list(map(set, molecule.GetRingInfo().AtomRings()))
    for one, other in itertools.combinations(rings, 2):
        shared = one & other
        ends = [atom for atom in shared if _is_end(molecule, atom, shared)]
        if len(shared) < 3 or len(one | other) - 2 > CRAMPED or len(ends) != 2 or not parities.keys() >= set(ends):
            continue
        bridges = (shared, one - shared, other - shared)
        orders = [_first_atoms(molecule, end, bridges) for end in ends]
        first, second = (parities[end] != _is_odd(order) for end, order in zip(ends, orders))
        if first == second and all(len(set(order)) == 4 for order in orders):
            return True
    return False


def _is_end(molecule: Chem.Mol, atom: int, path: set[int]) -> bool:
    return sum(other.GetIdx() in path for other in molecule.GetAtomWithIdx(atom).GetNeighbors()) == 1


def _settings(smiles: str, number: int) -> rdDistGeom.EmbedParameters:
    settings = rdDistGeom.ETKDGv3()
    settings.randomSeed = (zlib.crc32(smiles.encode()) + number) & 0x3FFFFFFF
    return settings


def _try(smiles: str, tags: tuple[tuple[int, bool], ...]) -> Optional[bool]:
    """Whether these rings come out with their stereo; None where that is not plain."""
    bare = Chem.MolFromSmiles(smiles)
    if _inside_out(bare, tags):
        return False  # as all tries would say
    mol = Chem.AddHs(bare)
    heavy = {atom.GetIdx(): atom.GetIdx() for atom in mol.GetAtoms() if atom.GetAtomicNum() > 1}
    for place, parity in tags:
        atom = mol.GetAtomWithIdx(place)
        atom.SetChiralTag(ATOM_TAGS[0])
        atom.SetChiralTag(ATOM_TAGS[_parity(atom, heavy) != parity])
    for number, tries in enumerate((FIRST, FURTHER)):
        settings = _settings(smiles, number)
        settings.maxIterations = tries
        if rdDistGeom.EmbedMolecule(mol, settings) >= 0:
            return None if number else True
    return False


def _has_one_shape(smiles: str) -> bool:
    """Whether bare rings come out with the same stereo, or all of its mirror image, whenever they are built."""
    seen, built = set(), 0
    for number in range(SHAPES):
        mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
        settings = _settings(smiles, number)
        settings.maxIterations, settings.optimizerForceTol = PATIENCE, FINE
        if rdDistGeom.EmbedMolecule(mol, settings) < 0:
            continue
        built += 1
        Chem.AssignAtomChiralTagsFromStructure(mol)
        places = {atom.GetIdx(): atom.GetIdx() for atom in mol.GetAtoms()}
        tags = tuple((place, _parity(mol.GetAtomWithIdx(place), places)) for place in places
                     if mol.GetAtomWithIdx(place).GetChiralTag() in ATOM_TAGS and _is_joint(mol, place))
        seen.add(_as_seen(tags) if tags else ())
    return len(seen) == 1 and built >= LEAST


def _is_joint(molecule: Chem.Mol, atom: int) -> bool:
    """True for an atom that can be a centre: with at most one hydrogen."""
    return sum(other.GetAtomicNum() == 1 for other in molecule.GetAtomWithIdx(atom).GetNeighbors()) < 2


def held(molecule: Chem.Mol) -> set[int]:
    """The atoms of bridged rings whose stereo follows from what they are: cages that come in one shape, none of whose
    atoms is a centre by CIP's rules.  To leave their stereo open says all."""
    found: set[int] = set()
    systems = [bare for bare in bare_systems(molecule, fused=False) if len(bare.places) <= LARGE]
    if not systems:
        return found
    centres = {index for index, _ in Chem.FindMolChiralCenters(molecule, includeUnassigned=True,
                                                               useLegacyImplementation=True)}
    for bare in systems:
        if centres & set(bare.centres):
            continue
        if bare.smiles not in _shaped:
            if len(_shaped) >= REMEMBERED:
                _shaped.clear()
            _shaped[bare.smiles] = _has_one_shape(bare.smiles)
        if _shaped[bare.smiles]:
            found |= set(bare.centres)
    return found


def freed(molecule: Chem.Mol) -> Chem.Mol:
    """Without the tags of such cages, where RDKit builds none that has them: a bicyclo[1.1.1]pentane's."""
    rings = molecule.GetRingInfo()
    tagged = {atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetChiralTag() in ATOM_TAGS}
    if not any(rings.NumAtomRings(index) > 1 for index in tagged):
        return molecule
    loose = held(molecule)
    if not loose & tagged or exist(molecule, bare_systems(molecule, fused=False)) is not False:
        return molecule
    mol = Chem.RWMol(molecule)
    for index in loose:
        mol.GetAtomWithIdx(index).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def _as_seen(tags: tuple[tuple[int, bool], ...]) -> tuple[tuple[int, bool], ...]:
    """These tags or those of the mirror image, which can be where they can: such that both are known from one try."""
    return tuple((place, parity != tags[0][1]) for place, parity in tags)


def exist(molecule: Chem.Mol, systems: list[Bare]) -> Optional[bool]:
    """Whether the molecule's rings can have the stereo that they have; None where only the whole molecule tells."""
    answers: list[Optional[bool]] = []
    for bare in systems:
        if len(bare.places) > LARGE:
            answers.append(None)
            continue
        tags = _as_seen(tuple(sorted(_tags(molecule, bare))))
        if len(tags) < 2:
            answers.append(True)  # one centre alone can be as well as its mirror image
            continue
        if (bare.smiles, tags) not in _known:
            if len(_known) >= REMEMBERED:
                _known.clear()
            _known[bare.smiles, tags] = _try(bare.smiles, tags)
        answers.append(_known[bare.smiles, tags])
    return False if False in answers else None if None in answers else True
