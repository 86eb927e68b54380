"""Stereo: what the input leaves open is decided, and what was built is held against what was asked for.

Which isomers come out depends on the molecule alone, not on how its atoms are ordered.
"""
from __future__ import annotations

import itertools
import random
import zlib
from typing import Iterator, NamedTuple, Optional

from rdkit import Chem
from rdkit.Chem import rdDistGeom, rdqueries

import cages
import groups
from charges import change_charge
from outcome import Failed

# Isomers that are tried for each that is wanted: in bridged rings most cannot exist.
TRIES = 16

# Up to so many elements, all ways to decide them are gone through once; of more they are drawn.
LISTED = 10

# From this many atoms on a ring may have a trans double bond without being told so.
TRANS_RING = 12

# Turns at room temperature, whatever is drawn: amidines, guanidines, their ions, vinylogous ones.
TURNING = Chem.MolFromSmarts("[#7;!$(N-[#7,#8])]=[#6]-[#7,#8,#16]")

# Phosphorus, arsenic, antimony, bismuth with three neighbours do not invert; and how flat that cannot be.
PYRAMIDS = (15, 33, 51, 83)
FLAT = 0.1

# Single atoms and bonds to look for: a look costs less than to go through all of a molecule.
_HYDROGEN = Chem.MolFromSmarts("[#1]")
_DOUBLE_BOND = Chem.MolFromSmarts("[!D1]=[!D1]")
_CHANGING = Chem.MolFromSmarts("[#7;+1,D1]")
_TAGGED = rdqueries.HasChiralTagQueryAtom()

# Centres of oxyacids: phosphorus, sulfur, arsenic, selenium.
OXYACIDS = (15, 16, 33, 34)

ATOM_TAGS = cages.ATOM_TAGS
BOND_TAGS = (Chem.BondStereo.STEREOCIS, Chem.BondStereo.STEREOTRANS)


def canonical_smiles(molecule: Chem.Mol) -> str:
    return Chem.MolToSmiles(Chem.RemoveHs(molecule) if molecule.HasSubstructMatch(_HYDROGEN) else molecule)


def canonical(molecule: Chem.Mol) -> Chem.Mol:
    """The same molecule with its atoms in the order of its canonical SMILES."""
    return Chem.MolFromSmiles(canonical_smiles(molecule))


def _inverts(atom: Chem.Atom) -> bool:
    """True for a protonated amine's nitrogen, which loses its proton and inverts all the time."""
    return atom.GetAtomicNum() == 7 and atom.GetFormalCharge() == 1 and atom.GetTotalNumHs() > 0


def _shares_oxygens(atom: Chem.Atom) -> bool:
    """True for the centre of an oxyacid or its salt, whose proton and charge go round its oxygens."""
    ends = [other for other in atom.GetNeighbors() if other.GetAtomicNum() in (8, 16) and other.GetDegree() == 1]
    return atom.GetAtomicNum() in OXYACIDS and any(
        first.GetAtomicNum() == second.GetAtomicNum() for first, second in itertools.combinations(ends, 2)
    )


def _has_stereo(molecule: Chem.Mol) -> bool:
    """True where a centre's tag, a double bond's stereo or a direction beside one is set."""
    if len(molecule.GetAtomsMatchingQuery(_TAGGED)):
        return True
    doubles = [molecule.GetBondBetweenAtoms(*ends) for ends in molecule.GetSubstructMatches(_DOUBLE_BOND)]
    return any(
        double.GetStereo() != Chem.BondStereo.STEREONONE
        or any(bond.GetBondDir() != Chem.BondDir.NONE
               for end in (double.GetBeginAtom(), double.GetEndAtom()) for bond in end.GetBonds())
        for double in doubles
    )


def settled(molecule: Chem.Mol) -> Chem.Mol:
    """Without the stereo of double bonds that turn, of nitrogens that invert and of oxyacids."""
    if not _has_stereo(molecule):
        return molecule
    mol = Chem.RWMol(molecule)
    for atom in mol.GetAtoms():
        if _inverts(atom) or _shares_oxygens(atom):
            atom.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for match in mol.GetSubstructMatches(TURNING):
        mol.GetBondBetweenAtoms(match[0], match[1]).SetStereo(Chem.BondStereo.STEREOANY)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def _substituents(atom: Chem.Atom, partner: Chem.Atom) -> list[Chem.Atom]:
    """What a double bond's atom bears beside its partner, an azoxy group's oxygen last."""
    others = [other for other in atom.GetNeighbors() if other.GetIdx() != partner.GetIdx()]
    return sorted(others, key=lambda other: other.GetAtomicNum() == 8)


def _set_double_bond(bond: Chem.Bond, atoms: set[int], stereo: Chem.BondStereo) -> None:
    """How the first of these atoms at either end lie to each other."""
    ends = (bond.GetBeginAtom(), bond.GetEndAtom())
    first, second = (
        next(other.GetIdx() for other in _substituents(end, partner) if other.GetIdx() in atoms)
        for end, partner in (ends, ends[::-1])
    )
    bond.SetStereoAtoms(first, second)
    bond.SetStereo(stereo)


def _usual(molecule: Chem.Mol, elements: list[Chem.StereoInfo]) -> Optional[Chem.Mol]:
    """The molecule with those of its open elements decided that one isomer alone is known of at room temperature, None
    where there are none: double bonds in rings of less than TRANS_RING atoms are cis, those between nitrogens (azo
    groups, triazenes) trans."""
    mol = Chem.RWMol(molecule)
    changed = False
    for info in elements:
        if info.type != Chem.StereoType.Bond_Double:
            continue
        bond = mol.GetBondWithIdx(info.centeredOn)
        both = {bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()}
        rings = [set(ring) for ring in molecule.GetRingInfo().AtomRings() if both <= set(ring)]
        small = next((ring for ring in rings if len(ring) < TRANS_RING), None)
        if small:
            _set_double_bond(bond, small, Chem.BondStereo.STEREOCIS)
        elif not rings and all(mol.GetAtomWithIdx(end).GetAtomicNum() == 7 for end in both):
            _set_double_bond(bond, set(range(mol.GetNumAtoms())), Chem.BondStereo.STEREOTRANS)
        else:
            continue
        changed = True
    return _settle(mol) if changed else None


def _settle(mol: Chem.RWMol) -> Chem.Mol:
    """The molecule with its stereo perceived from what was set."""
    Chem.SetDoubleBondNeighborDirections(mol)
    mol.ClearComputedProps(includeRings=False)
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol.GetMol()


def _unchanging(molecule: Chem.Mol) -> Chem.Mol:
    """The molecule with nitrogens as FindPotentialStereo is to see them: without protons that come and go."""
    changing = molecule.GetSubstructMatches(_CHANGING, maxMatches=100000)
    if not changing:
        return molecule
    mol = Chem.RWMol(molecule)
    for (index,) in changing:
        atom = mol.GetAtomWithIdx(index)
        if _inverts(atom):
            change_charge(atom, -1)
        if atom.GetDegree() == 1:  # no isomer is told by NH: newer RDKits know some
            atom.SetNoImplicit(True)
            atom.SetNumExplicitHs(0)
    return mol


def _turning(molecule: Chem.Mol) -> set[int]:
    return {molecule.GetBondBetweenAtoms(match[0], match[1]).GetIdx() for match in molecule.GetSubstructMatches(TURNING)}


def open_elements(molecule: Chem.Mol) -> list[Chem.StereoInfo]:
    """Stereo centres and double bonds that are not specified."""
    mol = _unchanging(molecule)
    found = []
    for info in Chem.FindPotentialStereo(mol):
        if info.specified == Chem.StereoSpecified.Specified:
            continue
        if info.type == Chem.StereoType.Atom_Tetrahedral:
            if _may_be_open(mol.GetAtomWithIdx(info.centeredOn)):
                found.append(info)
        elif info.type == Chem.StereoType.Bond_Double and info.centeredOn not in _turning(molecule):
            bond = mol.GetBondWithIdx(info.centeredOn)
            if not (_is_cumulated(bond.GetBeginAtom()) or _is_cumulated(bond.GetEndAtom())):
                found.append(info)
    return found


def _may_be_open(atom: Chem.Atom) -> bool:
    """False for what is no centre whatever the RDKit at hand says: an oxyacid's, and a nitrogen with three bonds, which
    inverts, or is held by the rings whose bridgehead it is."""
    return not _shares_oxygens(atom) and not (atom.GetAtomicNum() == 7 and not atom.GetFormalCharge())


def _is_cumulated(atom: Chem.Atom) -> bool:
    return sum(bond.GetBondTypeAsDouble() == 2 for bond in atom.GetBonds()) > 1


def _first_atom(mol: Chem.Mol, atoms: list[int]) -> int:
    """Of a double bond's two neighbours at one end; where there is one, the other is no atom's number (RDKit's name
    for that came and went)."""
    return next(atom for atom in atoms if atom < mol.GetNumAtoms())


def _specify(molecule: Chem.Mol, elements: list[Chem.StereoInfo], choice: tuple[int, ...]) -> Chem.Mol:
    mol = Chem.RWMol(molecule)
    for info, which in zip(elements, choice):
        if info.type == Chem.StereoType.Bond_Double:
            bond = mol.GetBondWithIdx(info.centeredOn)
            ends = list(info.controllingAtoms)
            bond.SetStereoAtoms(_first_atom(mol, ends[:2]), _first_atom(mol, ends[2:]))
            bond.SetStereo(BOND_TAGS[which])
        else:
            mol.GetAtomWithIdx(info.centeredOn).SetChiralTag(ATOM_TAGS[which])
    return _settle(mol)


def _choices(count: int, seed: int) -> Iterator[tuple[int, ...]]:
    """All ways to decide count elements, in an order that the seed gives."""
    draw = random.Random(seed)
    if count <= LISTED:
        ways = list(itertools.product((0, 1), repeat=count))
        draw.shuffle(ways)
        yield from ways
        return
    while True:
        yield tuple(draw.getrandbits(1) for _ in range(count))


def _may_clash(molecule: Chem.Mol, elements: list[Chem.StereoInfo]) -> bool:
    """True where some isomers may not exist: an open centre that rings share, or a double bond in one."""
    rings = molecule.GetRingInfo()
    return any(
        rings.NumBondRings(info.centeredOn)
        if info.type == Chem.StereoType.Bond_Double
        else rings.NumAtomRings(info.centeredOn) > 1
        for info in elements
    )


def _settings(seed: int) -> rdDistGeom.EmbedParameters:
    settings = rdDistGeom.ETKDGv3()
    settings.randomSeed = seed & 0x3FFFFFFF
    return settings


def _exists(molecule: Chem.Mol, systems: list[cages.Bare], seed: int) -> bool:
    """Whether an isomer can be: as a whole, where its bare rings do not tell."""
    told = any(bond.GetStereo() in BOND_TAGS and bond.IsInRing() for bond in molecule.GetBonds())
    known = None if told else cages.exist(molecule, systems)
    if known is not None:
        return known
    settings = _settings(seed)
    settings.maxIterations = 20
    return rdDistGeom.EmbedMolecule(Chem.AddHs(molecule), settings) >= 0


def _as_built(molecule: Chem.Mol, seed: int) -> Chem.Mol:
    """The isomer that distance geometry makes where no choice of tags can be built: in cages, where they
    depend on each other."""
    mol = Chem.AddHs(molecule)
    settings = _settings(seed)
    built = rdDistGeom.EmbedMolecule(mol, settings)
    settings.optimizerForceTol = cages.FINE
    if built < 0 and rdDistGeom.EmbedMolecule(mol, settings) < 0:
        raise Failed("no stereoisomer that was tried can be built; give its stereo, or its 3D structure, "
                     "with hydrogens, as Mol2")
    _assign(mol, mol.GetConformer())
    return Chem.RemoveHs(mol)


def _count_open(molecule: Chem.Mol, elements: list[Chem.StereoInfo]) -> int:
    """How many of the elements are open for themselves: not bridgeheads that the cage holds, as an adamantane's, which
    are no centres by CIP's rules."""
    centres = {index for index, _ in Chem.FindMolChiralCenters(molecule, includeUnassigned=True,
                                                               useLegacyImplementation=True)}
    rings = molecule.GetRingInfo()
    held = [info for info in elements if info.type == Chem.StereoType.Atom_Tetrahedral
            and rings.NumAtomRings(info.centeredOn) > 1 and info.centeredOn not in centres]
    return max(len(elements) - len(held), 1)


class Isomer(NamedTuple):
    molecule: Chem.Mol
    smiles: str  # canonical
    remark: str  # "": none
    left: int  # what the input leaves open, where that gives further isomers than these; else 0


def _with_usual(molecule: Chem.Mol) -> tuple[Chem.Mol, list[Chem.StereoInfo]]:
    """The molecule with what is usual decided, and what is open then."""
    elements = open_elements(molecule)
    usual = _usual(molecule, elements)
    return (usual, open_elements(usual)) if usual is not None else (molecule, elements)


def _chosen(
    molecule: Chem.Mol, elements: list[Chem.StereoInfo], seed: int, wanted: int
) -> tuple[dict[str, Chem.Mol], bool]:
    """Isomers that can exist, by their SMILES, up to wanted; and whether these are all there are."""
    systems = cages.bare_systems(molecule) if _may_clash(molecule, elements) else None
    found: dict[str, Chem.Mol] = {}
    tries = TRIES * wanted + 16
    for choice in itertools.islice(_choices(len(elements), seed), tries):
        mol = _specify(molecule, elements, choice)
        smiles = Chem.MolToSmiles(mol)
        if smiles not in found and (systems is None or _exists(mol, systems, seed)):
            if len(found) == wanted:
                return found, False
            found[smiles] = mol
    return found, len(elements) <= LISTED and 2 ** len(elements) <= tries


def _decided(molecule: Chem.Mol, wanted: int) -> tuple[dict[str, Chem.Mol], bool, int]:
    """Isomers of a molecule, by their SMILES, up to wanted; whether these are all there are; and how many of its
    elements are open."""
    told = _has_stereo(molecule)
    molecule = cages.freed(settled(molecule)) if told else molecule
    flat = canonical_smiles(molecule)
    if not (told and _has_stereo(molecule)) and not open_elements(molecule):
        return {flat: molecule}, True, 0  # as it would come out of these SMILES again
    molecule, elements = _with_usual(Chem.MolFromSmiles(flat))
    smiles = Chem.MolToSmiles(molecule)
    if not elements:
        return {smiles: molecule}, True, 0
    seed = zlib.crc32(smiles.encode())
    found, all_there_are = _chosen(molecule, elements, seed, wanted)
    held = set() if found and all_there_are else cages.held(molecule)
    free = [info for info in elements if info.type != Chem.StereoType.Atom_Tetrahedral or info.centeredOn not in held]
    if not found and len(free) < len(elements):  # what holds the others decides them
        if not free:
            return {smiles: molecule}, True, 0
        found, all_there_are = _chosen(molecule, free, seed, wanted)
    all_there_are = all_there_are or not free
    if not found:
        mol = _as_built(molecule, seed)
        built = Chem.MolToSmiles(mol)
        if built == smiles:  # it has no stereo after all
            return {built: mol}, True, 0
        found[built] = mol
        all_there_are = False
    return found, all_there_are, _count_open(molecule, elements)


def _exists_as_drawn(variant: Chem.Mol) -> bool:
    """False for a group of stereo that was inverted without those that a cage ties it to."""
    rings = variant.GetRingInfo()
    tied = any(rings.NumAtomRings(atom.GetIdx()) > 1 for atom in variant.GetAtoms()
               if atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED)
    flat = Chem.MolFromSmiles(Chem.MolToSmiles(variant)) if tied else None
    return flat is None or _exists(flat, cages.bare_systems(flat), zlib.crc32(Chem.MolToSmiles(flat).encode()))


def left_open(options: dict[str, str]) -> str:
    """What is to be said where isomers are left out."""
    wanted = int(options.get("stereo", "1"))
    several = "one isomer" if wanted == 1 else f"up to {wanted} isomers"
    return (
        f"stereo left open by the input: {several} chosen at random, always the same (--stereo N of prep ligands, stereo=N of "
        "Library.prepare, gives more); SMILES say which, the property open_stereo of which ligands (`berth lib ls --full`, tables, poses)")


def isomers(molecule: Chem.Mol, options: dict[str, str]) -> list[Isomer]:
    """Up to `stereo` isomers (1) with all their stereo decided, and a remark where there may be more."""
    wanted = int(options.get("stereo", "1"))
    variants, open_groups = groups.variants(molecule)
    found: dict[str, Chem.Mol] = {}
    all_there_are, left = True, 0
    for variant in variants:
        if open_groups and not _exists_as_drawn(variant):
            continue
        if len(found) >= wanted:
            all_there_are = False
            break
        more, all_of_these, left = _decided(variant, wanted - len(found))
        found.update(more)
        all_there_are = all_there_are and all_of_these
    if not found:
        found, all_there_are, left = _decided(variants[0], wanted)
    remark = "" if all_there_are else left_open(options)
    return [Isomer(mol, text, remark, left + open_groups if remark else 0) for text, mol in found.items()]


# --- What was built


def _same(first: Chem.Mol, second: Chem.Mol) -> bool:
    if Chem.MolToSmiles(first) == Chem.MolToSmiles(second):
        return True
    both = first.GetNumAtoms() == second.GetNumAtoms()
    return both and all(
        one.HasSubstructMatch(other, useChirality=True)
        for one, other in ((first, second), (second, first))
    )


def _volume(atom: Chem.Atom, conformer: Chem.Conformer) -> float:
    """Of what an atom's three neighbours span, signed."""
    here = conformer.GetAtomPosition(atom.GetIdx())
    a, b, c = (here.DirectionVector(conformer.GetAtomPosition(other.GetIdx())) for other in atom.GetNeighbors())
    return a.DotProduct(b.CrossProduct(c))


def _assign(mol: Chem.Mol, conformer: Chem.Conformer) -> None:
    """Stereo as the conformer has it, pyramids of phosphorus and its like included, which RDKit passes over."""
    Chem.AssignStereochemistryFrom3D(mol, conformer.GetId())
    for atom in mol.GetAtoms():
        if atom.GetAtomicNum() in PYRAMIDS and atom.GetDegree() == 3 and not atom.GetFormalCharge():
            volume = _volume(atom, conformer)
            atom.SetChiralTag(ATOM_TAGS[volume > 0] if abs(volume) > FLAT else Chem.ChiralType.CHI_UNSPECIFIED)


def difference(molecule: Chem.Mol, conformer: Chem.Conformer) -> Optional[str]:
    """How the stereo of a molecule (all hydrogens) in this conformer differs from its own bonds' and
    tags'; None where it does not."""
    asked = Chem.RemoveHs(molecule)
    mol = Chem.Mol(molecule)
    mol.RemoveAllConformers()
    mol.AddConformer(conformer, assignId=True)
    _assign(mol, mol.GetConformer())
    for bond in molecule.GetBonds():
        if bond.GetBondTypeAsDouble() == 2 and bond.GetStereo() <= Chem.BondStereo.STEREOANY:
            mol.GetBondWithIdx(bond.GetIdx()).SetStereo(Chem.BondStereo.STEREONONE)
    for atom in molecule.GetAtoms():
        if atom.GetChiralTag() == Chem.ChiralType.CHI_UNSPECIFIED:
            mol.GetAtomWithIdx(atom.GetIdx()).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    for bond in mol.GetBonds():
        bond.SetBondDir(Chem.BondDir.NONE)
    Chem.SetDoubleBondNeighborDirections(mol)
    made = Chem.RemoveHs(mol)
    if _same(canonical(asked), canonical(made)):
        return None
    return f"its stereo came out wrong: {Chem.MolToSmiles(made)} instead of {Chem.MolToSmiles(asked)}"


def as_asked(molecule: Chem.Mol, built: Chem.Mol, conformers: list[int]) -> tuple[list[int], str]:
    """The conformers of what was built whose stereo is the molecule's, and what was wrong with the first other
    one."""
    wrong = {number: difference(molecule, built.GetConformer(number)) for number in conformers}
    kept = [number for number in conformers if wrong[number] is None]
    return kept, next(filter(None, wrong.values()), "")
