"""Receptors."""

from __future__ import annotations

import os
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Set, Tuple, Union, cast

from ._berth import ffi, lib
from ._inputs import Ligand, one_file
from ._library import (
    AtomTypeError, Floats, Log, Path, call, encode, encode_optional, logger, new_positions, text,
)  # fmt: skip
from ._options import BOX, Given, Option, Site, handle_of, numbers_of, table, takes, texts_of_site
from ._scoring import Scoring

ScoringLike = Union[str, "os.PathLike[str]", Scoring]
ReceptorLike = Union[str, "os.PathLike[str]", "Receptor"]
Receptors = Union[ReceptorLike, Sequence[ReceptorLike]]


def _is_of_receptors(option: Option) -> bool:
    """It says how a receptor is read, scored and boxed."""
    group = option.group.startswith(("What becomes the receptor", "Site"))
    return option.name in ("forcefield", "scoring", "scoring_text") or (group and option.name != "site")


_ABOUT_BOX = {*BOX, "autobox_ligand", "autobox_add"}


def _of_receptors(texts: Dict[str, str]) -> Dict[str, str]:
    known = table("dock")
    return {name: value for name, value in texts.items() if name in known and _is_of_receptors(known[name])}


class Receptor:
    """What to dock into, and how it scores.  Made by Receptor.from_file.

    Attributes
    ----------
    path
        as it was loaded
    title
        of the molecule
    heavy_count
        heavy atoms
    forcefield
        its name; None: the scoring function has none
    scoring
        the function's name
    unit
        of energies: "kcal/mol", "kJ/mol" or "PLP"; lower is better
    terms
        names of the terms that energies are sums of
    functions
        names of the scoring functions, that of the energies first
    """

    def __init__(self, handle: Any, texts: Dict[str, str], said: Optional[Set[str]] = None) -> None:
        self._handle = handle
        self._texts = texts  # options that it was loaded with, but for its box
        self._is_named = "scoring" in texts  # by whom it was loaded, not by what ranks
        self._others: Dict[FrozenSet[Tuple[str, str]], Receptor] = {}  # the same with others, as calls ask for them
        self._said: Set[str] = set() if said is None else said  # shared with its copies, and what docks into it
        facts = lib.berth_receptor_describe(handle)
        self.path: str = text(facts.path)
        self.title: str = text(facts.title)
        self.heavy_count: int = facts.heavy_count
        self.forcefield: Optional[str] = text(facts.forcefield) or None
        self.scoring: str = text(facts.scoring)
        self.unit: str = text(facts.unit)
        self.terms: Tuple[str, ...] = tuple(text(facts.terms[i]) for i in range(facts.term_count))
        self.functions: Tuple[str, ...] = tuple(text(facts.functions[i]) for i in range(facts.function_count))

    @classmethod
    @takes("dock", "scoring_text", of=_is_of_receptors)
    def from_file(cls, path: Path, **options: Any) -> "Receptor":
        """Loads a receptor and types it.

        Parameters
        ----------
        path
            .brec (`berth prep receptor`, or Receptor.prepare), which may bring a site; Mol2 as it
            stands; PDB, mmCIF or PDBQT, which are prepared on the way.
        **options

        Where no scoring is given, dockings are ranked as the program's are, by several functions (see rank of
        dock()).  Raises FileError, FormatError, AtomTypeError, UsageError (no such scoring function; a site
        that is none; a ligand that is not there).
        """
        if options.get("site") is not None:
            numbers_of(options["site"])
        with Given("dock", options) as given:
            return cls._loaded(path, given.texts, set())

    @classmethod
    def _loaded(cls, path: Path, texts: Dict[str, str], said: Set[str]) -> "Receptor":
        """said: messages that were logged of this file before, and are not again."""
        loaded = ffi.new("berth_receptor **")
        call(lib.berth_receptor_load, encode(path), handle_of("dock", texts), Log(said, loading=True), loaded)
        handle = ffi.gc(loaded[0], lib.berth_receptor_free)
        return cls(handle, {name: value for name, value in texts.items() if name not in _ABOUT_BOX}, said)

    def _again(self, texts: Dict[str, str]) -> "Receptor":
        """The same with these options, too, read from its file again."""
        boxed = bool(_ABOUT_BOX & set(texts)) or self.site is None
        here = {} if boxed else texts_of_site(cast(Site, self.site))
        return Receptor._loaded(self.path, {**self._texts, **here, **texts}, self._said)

    def _with(self, texts: Dict[str, str]) -> "Receptor":
        """The same with these options, too: itself where it has them, else read once, however often it is docked into,
        unless they are another box."""
        if texts.items() <= self._texts.items():
            return self
        if _ABOUT_BOX & set(texts):
            return self._again(texts)
        key = frozenset(texts.items())
        if key not in self._others:
            self._others[key] = self._again(texts)
        if self.site is not None:
            self._others[key].set_site(*self.site)
        return self._others[key]

    @property
    def positions(self) -> Floats:
        """[heavy_count, 3]: places of the heavy atoms, Å; a new array."""
        positions, memory = new_positions(self.heavy_count)
        lib.berth_receptor_positions(self._handle, memory)
        return positions

    @property
    def site(self) -> Optional["tuple[tuple[float, ...], tuple[float, ...]]"]:
        """The box that the centroid of a ligand's heavy atoms stays in: centre (x, y, z) and full
        edges, Å; None: there is none yet."""
        center, edges = ffi.new("double[3]"), ffi.new("double[3]")
        if not lib.berth_receptor_get_site(self._handle, center, edges):
            return None
        return tuple(center), tuple(edges)

    def set_site(self, center: Sequence[float], edges: Sequence[float]) -> None:
        """Sets the site, for dockings that begin after it: centre (x, y, z) and full edges, Å.  Raises
        UsageError (no numbers, an edge that is not above 0)."""
        box = [ffi.new("double[3]", part) for part in numbers_of((center, edges))]
        call(lib.berth_receptor_set_site, self._handle, *box)

    def site_about(self, molecule: Ligand, autobox_add: Optional[float] = None) -> None:
        """Sets the site to a box about a molecule: see autobox and autobox_add of from_file."""
        margin = table("dock")["autobox_add"].default if autobox_add is None else autobox_add
        log = Log(self._said, loading=True)
        with one_file("autobox", molecule) as found:
            call(lib.berth_receptor_site_about, self._handle, encode_optional(found), margin, log)

    def write_pdb(self, out: Path) -> None:
        """Writes what ligands are docked into as PDB: heavy atoms, with their names, residues and chains.  Raises
        UsageError (Mol2, which has no chains), FileError."""
        call(lib.berth_receptor_write_pdb, self._handle, encode(out))

    def write_ligand(self, out: Path, covalent: Optional[str] = None) -> None:
        """Writes the ligand that ligand_id cut out, as PDB, where it stood, with the bonds of
        ligand_smiles, or the tautomer that the receptor wants, which is logged: a file of ligands to dock
        back.  With covalent ("A:CYS25:SG", the atom that it was bonded to) as SMILES with a placeholder (*)
        for that, for dock(covalent=).  Raises UsageError (none was cut out, or it is not bonded there),
        FileError."""
        log = Log(self._said, loading=True)
        if covalent is None:
            call(lib.berth_receptor_write_ligand, self._handle, encode(out), log)
        else:
            call(lib.berth_receptor_write_bonded, self._handle, encode(covalent), encode(out), log)

    def with_scoring(self, scoring: ScoringLike) -> "Receptor":
        """The same receptor and site by this scoring function, read from its file again; itself where it
        was made to score so."""
        with Given("dock", {"scoring": scoring}) as given:
            return self if given.texts.items() <= self._texts.items() else self._again(given.texts)

    @staticmethod
    @takes("prep receptor", "IN", "out")
    def prepare(path: Path, out: Path, **options: Any) -> "Receptor":
        """Makes a receptor file of a structure, as `berth prep receptor` does, and loads it as from_file does.

        Parameters
        ----------
        path
            PDB, mmCIF, PDBQT or Mol2.
        out
            .brec to write.
        **options

        Raises UsageError (a file that is there; a selection that nothing matches), AtomTypeError,
        FormatError, FileError.
        """
        with Given("prep receptor", {**options, "out": out}) as given:
            call(lib.berth_prepare_receptor, encode(path), given.handle(), Log())
        return Receptor.from_file(out)

    @staticmethod
    def bonded_ligand(path: Path, covalent: str) -> str:
        """What ligand_id calls the ligand that the structure of path has bonded to the atom covalent
        ("A:CYS25:SG").  Raises UsageError (none is), FileError, FormatError."""
        found = ffi.new("char[64]")
        call(lib.berth_bonded_ligand, encode(path), encode(covalent), found)
        return text(found)

    def __repr__(self) -> str:
        return f"<Receptor {self.path!r}: {self.heavy_count} heavy atoms, scoring {self.scoring}>"


_SAID: Dict[Tuple[str, int], Set[str]] = {}


def _said_of(path: Path) -> Set[str]:
    """What was logged of the file as it is now: loops give its path to each call, which loads it."""
    try:
        changed = os.stat(path).st_mtime_ns
    except (OSError, ValueError):  # loading it tells
        return set()
    return _SAID.setdefault((os.path.abspath(os.fsdecode(path)), changed), set())


def _ranking_of(given: Given) -> Tuple[str, str]:
    """What ranks a run, and the functions that it brings along; "": the score, and none."""
    asked, rank, functions = given.handle(), ffi.new("const char **"), ffi.new("char[1024]")
    call(lib.berth_options_ranking, asked, rank, functions, len(functions))
    return text(rank[0]), text(functions)


def _asked(receptor: ReceptorLike, texts: Dict[str, str], functions: str) -> Receptor:
    """A receptor as these options ask for it; functions: of the ranking, where no scoring is given."""
    known = receptor.functions if isinstance(receptor, Receptor) else ()
    brought = {"scoring": functions} if functions and not set(functions.split(",")) <= set(known) else {}
    if not isinstance(receptor, Receptor):
        found = Receptor._loaded(receptor, {**texts, **brought}, _said_of(receptor))
    else:
        found = receptor._with({**texts, **brought})
    if brought:
        found._is_named = isinstance(receptor, Receptor) and receptor._is_named
    return found


def receptors_of(receptor: Receptors, given: Given) -> List[Receptor]:
    """The receptors that functions take, as the options given ask for them; the first has the box.  Where nothing else is asked for, what
    ranks is that of the program; where one of its functions has no types for a receptor, the first ranks alone."""
    several = receptor if isinstance(receptor, (list, tuple)) else [receptor]
    texts = _of_receptors(given.texts)
    is_usual = "rank" not in given.texts
    named = is_usual and any(one._is_named for one in several if isinstance(one, Receptor))
    rank, functions = ("", "") if named else _ranking_of(given)
    unboxed = {name: value for name, value in texts.items() if name != "box" and name not in _ABOUT_BOX}

    def asked(functions: str) -> List[Receptor]:
        return [_asked(one, unboxed if i else texts, functions) for i, one in enumerate(several)]

    try:
        found = asked(functions)
    except AtomTypeError as error:
        if not is_usual:
            raise
        found = asked("")
        logger.warning("%s; ranked by %s alone", error, found[0].scoring)
        return found
    if rank:
        given.texts["rank"] = rank
    return found
