"""A molecule cut into fragments, as fragments.py has them.

Its canonical SMILES is cut as text: a tree, whose branches at cut bonds become SMILES of their own.  RDKit is asked for
a fragment's key once, and what it said of that text is remembered, so that it follows from the text alone.
"""
import functools
import re
import struct
from typing import NamedTuple

from rdkit import Chem

STRANGE = re.compile(r"\*|[<>]|\[(\d|H[]+-])")  # isotopes, dative bonds, hydrogens that are atoms of their own
TOKEN = re.compile(r"\[[^]]+\]|Cl|Br|%\d\d|%\(\d+\)|.")
BRACKET = re.compile(r"\[(se|te|as|si|[a-z]|[A-Z][a-z]?)(@*)(?:(H)(\d?))?([+-]?)(\d?)\]")
MACROCYCLE = 9  # atoms of a ring, at most: larger ones have too many shapes
KNOWN = 20000  # texts of fragments of which what was found is remembered
OTHER = 100  # and the atomic number: the kind of a cap that is none of fragments.CAPS
LARGEST = 65535  # numbers of atoms in a record
ALIKE = 1000  # is added to the kind of a further cap of a stereo centre or double bond: alike, they would have no stereo
CIS = {Chem.BondStereo.STEREOCIS: True, Chem.BondStereo.STEREOTRANS: False}
AS_WRITTEN = Chem.SmilesParserParams()
AS_WRITTEN.sanitize = False  # which takes the stereo away where two caps are alike, and does not like a pyrrolyl


class Atom(NamedTuple):
    number: int
    aromatic: bool
    charge: int
    centre: bool  # of stereo


def _parts(token):
    """Of an atom: symbol, stereo, H, how many, sign and size of its charge."""
    found = BRACKET.fullmatch(token if token[0] == "[" else f"[{token}]")
    if not found:
        raise ValueError(f"{token} is no atom of a fragment")
    return found.groups()


@functools.lru_cache(1000)
def _atom(token):
    """None for what is no atom."""
    if not token[0].isalpha() and token[0] != "[":
        return None
    symbol, hand, _, _, sign, size = _parts(token)
    charge = int(size or 1) * (1 if sign == "+" else -1) if sign else 0
    return Atom(Chem.GetPeriodicTable().GetAtomicNumber(symbol.capitalize()), symbol.islower(), charge, bool(hand))


@functools.lru_cache(1000)
def _with_hydrogens(token, count):
    """An aromatic atom of so many more."""
    if token in ("b", "c"):
        return token
    symbol, hand, has, hydrogens, sign, size = _parts(token)
    count += int(hydrogens or 1) if has else 0
    return f"[{symbol}{hand}H{count if count > 1 else ''}{sign}{size}]"


class Text:
    """A molecule by its SMILES.  Of each atom: what it is, the one before it in the tree and the bond to that, its bonds
    as pairs of order and atom."""

    def __init__(self, smiles):
        self.smiles, self.tokens = smiles, TOKEN.findall(smiles)
        self.atoms, self.before, self.signs = [], [], []
        rings = self._read()
        count = len(self.atoms)
        self.ringed = [False] * count  # the bond to the one before
        self.bonds = [[] for _ in range(count)]
        self._directed, self._doubles = set(), []
        for at in range(1, count):
            self._add(self.before[at], at, self.signs[at])
        for first, at, sign in rings:
            self._add(first, at, sign)
            while at != first:
                self.ringed[at] = True
                at = self.before[at]
        doubles = [pair for pair in self._doubles if self._directed.issuperset(pair)]
        self.stereo = sum(atom.centre for atom in self.atoms), len(doubles)
        self.told = {at for at, atom in enumerate(self.atoms) if atom.centre}.union(*doubles)

    def _read(self):
        """The bonds that close rings."""
        at, sign, branches, closing, rings = -1, "", [], {}, []
        for token in self.tokens:
            atom = _atom(token)
            if atom:
                self.before.append(at)
                self.signs.append(sign)
                at, sign = len(self.atoms), ""
                self.atoms.append(atom)
            elif token == "(":
                branches.append(at)
            elif token == ")":
                at = branches.pop()
            elif token[-1].isdigit() or token[0] == "%":
                first, other = closing.pop(token, (None, ""))
                if first is None:
                    closing[token] = at, sign
                else:
                    rings.append((first, at, sign or other))
                sign = ""
            else:
                sign = token
        return rings

    def _add(self, one, other, sign):
        if not sign:
            order = 1.5 if self.atoms[one].aromatic and self.atoms[other].aromatic else 1
        else:
            order = {"=": 2, "#": 3, "$": 4, ":": 1.5}.get(sign, 1)
        if order == 2:
            self._doubles.append((one, other))
        elif sign in ("/", "\\"):
            self._directed.update((one, other))
        self.bonds[one].append((order, other))
        self.bonds[other].append((order, one))

    def has_double(self, at, numbers=None):
        """True where the atom has a double bond, to one of these elements."""
        return any(order == 2 and (not numbers or self.atoms[other].number in numbers) for order, other in self.bonds[at])

    def _is_conjugated(self, carbon, nitrogen):
        """C-N beside a double bond."""
        first, second = self.atoms[carbon], self.atoms[nitrogen]
        return (first.number == 6 and second.number == 7 and not first.aromatic and not second.aromatic
                and self.has_double(carbon) and (second.charge != 1 or self.has_double(nitrogen)))

    def is_cut(self, at):
        """True where the bond to the atom before is to be cut: a single one outside of rings, of atoms that have further
        ones, or of an aromatic one; but not C-N beside a double bond, as in amides, which does not turn."""
        before = self.before[at]
        if before < 0 or self.ringed[at] or self.signs[at] in ("=", "#", "$"):
            return False
        return ((len(self.bonds[at]) > 1 or self.atoms[before].aromatic)
                and (len(self.bonds[before]) > 1 or self.atoms[at].aromatic)
                and not self._is_conjugated(at, before) and not self._is_conjugated(before, at))

    # --- What kind of a cap stands for an atom

    def _carbon(self, at):
        if self.atoms[at].aromatic:
            return 2
        orders = [order for order, _ in self.bonds[at]]
        if 3 in orders or orders.count(2) > 1:
            return 5
        return (4 if self.has_double(at, (7, 8, 16)) else 3) if 2 in orders else 1

    def _nitrogen(self, at):
        atom = self.atoms[at]
        if atom.aromatic:
            return 10
        double = self.has_double(at, (6, 7, 8))
        if atom.charge > 0:
            return 12 if double else 7
        if double:
            return 11
        beyond = {self.kind(other) for _, other in self.bonds[at] if self.atoms[other].number in (6, 16)}
        return 13 if 19 in beyond else 8 if 4 in beyond else 9 if 2 in beyond or 3 in beyond else 6

    def _oxygen(self, at):
        beyond = {self._carbon(other) for _, other in self.bonds[at] if self.atoms[other].number == 6}
        return 15 if 4 in beyond else 16 if 2 in beyond or 3 in beyond else 14

    def kind(self, at):
        number = self.atoms[at].number
        if number == 6:
            return self._carbon(at)
        if number == 7:
            return self._nitrogen(at)
        if number == 8:
            return self._oxygen(at)
        if number == 16:
            return 17 + min(2, sum(order == 2 for order, _ in self.bonds[at]))
        return 20 if number == 15 else OTHER + number


class _Pieces:
    """The texts of a molecule's fragments, and the atoms that these have; caps have numbers from its number of atoms
    on."""

    def __init__(self, text, capped):
        self.text, self.texts, self.members, self.owner = text, [], [], []  # owner: of each atom its fragment
        self.cut = {at for at in range(len(text.atoms)) if text.is_cut(at)}
        self.pairs, self.caps = sorted((text.before[at], at) for at in self.cut), []
        self._label(capped)
        self._write()

    def _label(self, capped):
        """The caps: kind and number by atom and the one that they stand for; 0 for what a hydrogen stands for.  Of
        aromatic atoms those have caps that are to be capped."""
        atoms, seen = self.text.atoms, {}
        self.labels, self.hydrogens = {}, {}
        for pair in self.pairs:
            for beyond, at in (pair, pair[::-1]):
                kind = 0 if atoms[at].aromatic and at not in capped else self.text.kind(beyond)
                number = seen.get((at, kind), 0)
                seen[at, kind] = number + 1
                if kind:
                    label = kind + number * ALIKE if number and at in self.text.told else kind
                    self.labels[at, beyond] = f"[{label}*]", len(atoms) + len(self.caps)
                    self.caps.append((beyond, at))
                else:
                    self.hydrogens[at] = number + 1

    def _put_cap(self, piece, ends, before, after):
        """Puts the cap that one atom has for another; false where a hydrogen, which is not written, stands for that."""
        label, member = self.labels.get(ends, ("", 0))
        if label:
            self.texts[piece].append(before + label + after)
            self.members[piece].append(member)
        return bool(label)

    def _begin(self, at, lead):
        """Of the fragment that begins with this atom; whether lead and cap were written where its branch was cut off."""
        before, owner = self.text.before[at], self.owner
        owner.append(len(self.texts))
        self.texts.append([])
        self.members.append([])
        if before < 0:
            return False
        sign = lead.lstrip("(")
        self._put_cap(owner[at], (at, before), "", sign)
        return self._put_cap(owner[before], (before, at), lead, "")

    def _put_atom(self, at, token, lead):
        """Behind its branch's parenthesis and its bond; whether that parenthesis was written."""
        before, written = self.text.before[at], True
        if before < 0 or at in self.cut:
            written = self._begin(at, lead)
            lead = ""
        else:
            self.owner.append(self.owner[before])
        more = self.hydrogens.get(at)
        self.texts[self.owner[at]].append(lead + (_with_hydrogens(token, more) if more else token))
        self.members[self.owner[at]].append(at)
        return written

    def _write(self):
        branches, at, lead = [], -1, ""  # the texts that have the branches' parentheses; None where none has
        for token in self.text.tokens:
            if _atom(token):
                at += 1
                written = self._put_atom(at, token, lead)
                if lead[:1] == "(":
                    branches.append(self.texts[self.owner[self.text.before[at]]] if written else None)
                lead = ""
            elif token == ")":
                text = branches.pop()
                if text is not None:
                    text.append(token)
            elif token[-1].isdigit() or token[0] == "%":
                self.texts[self.owner[at]].append(lead + token)
                lead = ""
            else:
                lead += token


def _count_doubles(smiles):
    """Double bonds that have stereo."""
    if "/" not in smiles and "\\" not in smiles:
        return 0
    molecule = Chem.MolFromSmiles(smiles, AS_WRITTEN)
    Chem.SetBondStereoFromDirections(molecule)
    return sum(bond.GetStereo() in CIS for bond in molecule.GetBonds())


@functools.lru_cache(KNOWN)
def _named(text):
    """A fragment's key, its order of the text's atoms, how many stereo centres and double bonds it has; None where it has
    a macrocycle."""
    molecule = Chem.MolFromSmiles(text, AS_WRITTEN)
    molecule.UpdatePropertyCache(strict=False)
    Chem.SanitizeMol(molecule, Chem.SANITIZE_SYMMRINGS)
    if max(map(len, molecule.GetRingInfo().AtomRings()), default=0) > MACROCYCLE:
        return None
    Chem.SetBondStereoFromDirections(molecule)
    Chem.AssignStereochemistry(molecule, cleanIt=False, force=True)
    key = Chem.MolToSmiles(molecule)
    order = tuple(map(int, molecule.GetProp("_smilesAtomOutputOrder").strip("[],").split(",")))
    return key, order, key.count("@") - key.count("@@"), _count_doubles(key)


def _cut(text, capped=frozenset()):
    """The pieces; their keys, each with its atoms, in order; and whether all stereo is theirs, too.  None: not to be cut."""
    pieces = _Pieces(text, capped)
    named = [_named("".join(parts)) for parts in pieces.texts]
    if None in named:
        return None
    told = sorted((name[0], [members[at] for at in name[1]]) for name, members in zip(named, pieces.members))
    whole = (sum(name[2] for name in named), sum(name[3] for name in named)) == text.stereo
    return pieces, told, whole


def _fused(smiles):
    """The atoms of rings that share a bond with one that is not aromatic."""
    molecule = Chem.MolFromSmiles(smiles)
    rings = list(map(set, molecule.GetRingInfo().AtomRings()))
    others = [ring for ring in rings if not all(molecule.GetAtomWithIdx(at).GetIsAromatic() for at in ring)]
    return set().union(*(ring for ring in rings if any(len(ring & other) > 1 for other in others)))


def run(smiles):
    """The fragments of a molecule by its canonical SMILES, as src/prep/prepare_fragments.c reads them; nothing where it is
    none of what fragments are made of."""
    if STRANGE.search(smiles):
        return b""
    text = Text(smiles)
    found = _cut(text)
    if found and not found[2]:  # the stereo of a centre, say, whose neighbours differ in other fragments alone
        found = _cut(text, _fused(smiles))
    if not found or not found[2]:
        return b""
    pieces, told, _ = found
    order = [at for _, order in told for at in order]
    pairs = [at for some in (pieces.pairs, pieces.caps) for pair in some for at in pair]
    numbers = [len(told), len(order), len(pieces.pairs), len(pieces.caps)]
    if max(numbers) > LARGEST:
        return b""
    return (struct.pack("<4H", *numbers) + b"".join(key.encode() + b"\0" for key, _ in told)
            + struct.pack(f"<{len(order) + len(pairs)}H", *order, *pairs))
