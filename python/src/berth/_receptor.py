"""Receptors."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Set, Tuple, Union

from ._berth import ffi, lib
from ._inputs import Ligand, one_file
from ._library import (
    AtomTypeError, Floats, Log, Path, UsageError, call, encode, encode_optional, fill, logger, new_positions, text,
)
from ._options import DOCK, RECEPTOR
from ._scoring import Scoring, scoring_of

Site = Tuple[Sequence[float], Sequence[float]]
ScoringLike = Union[str, "os.PathLike[str]", Scoring]


def numbers_of(site: Site) -> "tuple[list[float], list[float]]":
    """Centre and edges, which must be three numbers each."""
    try:
        center, edges = ([float(x) for x in part] for part in site)
    except (TypeError, ValueError) as error:
        raise TypeError(f"site: ((x, y, z), (a, b, c)), centre and full edges, Å, not {site!r}") from error
    if len(center) != 3 or len(edges) != 3:
        raise ValueError(f"site: centre and edges are three numbers each, ((x, y, z), (a, b, c)), not {site!r}")
    return center, edges


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

    def __init__(
        self, handle: Any, options: "tuple[Scoring, dict[str, Any]]", said: Optional[Set[str]] = None
    ) -> None:
        self._handle = handle
        self._options = options
        self._others: Dict[Scoring, Receptor] = {}  # the same by other functions, as rankings bring them along
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
    def from_file(
        cls,
        path: Path,
        *,
        scoring: Optional[ScoringLike] = None,
        forcefield: Optional[Path] = None,
        site: Optional[Site] = None,
        autobox: Optional[Ligand] = None,
        autobox_add: float = DOCK["autobox_add"],
        ligand_id: Optional[str] = None,
        ligand_smiles: Optional[str] = None,
        allow_occupied: bool = DOCK["allow_occupied"],
    ) -> "Receptor":
        """Loads a receptor and types it.

        Parameters
        ----------
        path
            .brec (`berth prep receptor`, or Receptor.prepare), which may bring a site; Mol2 as it
            stands; PDB, mmCIF or PDBQT, which are prepared on the way.
        scoring
            "vina", "vinardo", "bude" or "plp"; the path of a .score file; or a Scoring; None: "vina", and
            dockings are ranked as the program's are, by several (see rank of dock()).
        forcefield
            of "bude" and "plp": a .bhff file; None: the one that is built in.
        site
            the box that the centroid of a ligand's heavy atoms stays in: centre (x, y, z) and full
            edges, Å.
        autobox
            instead of a site: a molecule that it is to be about, as a file (Mol2, SDF, PDB, PDBQT),
            an RDKit molecule with a conformer, or a pose.
        autobox_add
            Å: half edges of that box, but for half of the molecule's own half extent.
        ligand_id
            a residue of a structure ("LIG", "B:201") to cut out: the box is about it where no other
            is given, and dockings without a reference have it as theirs.
        ligand_smiles
            of that residue: its bonds, for write_ligand.
        allow_occupied
            dock though what looks like a ligand of the receptor's stands in the site, which is an
            error else.

        Raises FileError, FormatError, AtomTypeError, UsageError (no such scoring function; a site
        that is none; a ligand that is not there).
        """
        options: Dict[str, Any] = {
            "forcefield": forcefield,
            "ligand_id": ligand_id,
            "ligand_smiles": ligand_smiles,
            "allow_occupied": allow_occupied,
            "autobox_add": autobox_add,
            "named": scoring is not None,
        }
        receptor = cls._loaded(path, scoring_of(scoring or DOCK["scoring"]), options, set())
        return receptor._boxed(site, autobox, autobox_add)

    def _boxed(self, site: Optional[Site], autobox: Optional[Ligand], autobox_add: float) -> "Receptor":
        if site is not None and autobox is not None:
            raise UsageError("site, autobox: both are the box; give one")
        if site is not None:
            self.set_site(*numbers_of(site))
        elif autobox is not None:
            self.site_about(autobox, autobox_add)
        return self

    @classmethod
    def _loaded(
        cls, path: Path, scoring: Scoring, options: Dict[str, Any], said: Set[str]
    ) -> "Receptor":
        """options: of from_file; said: messages that were logged of this file before, and are not again."""
        struct = ffi.new("struct berth_receptor_options *")
        lib.berth_receptor_defaults(struct, ffi.sizeof(struct[0]))
        texts = (options["forcefield"], scoring.name, scoring.text, options["ligand_id"], options["ligand_smiles"])
        kept = [encode_optional(value) for value in texts]
        struct.forcefield, struct.scoring, struct.scoring_text, struct.ligand_id, struct.ligand_smiles = kept
        struct.box.autobox_add, struct.allow_occupied = options["autobox_add"], options["allow_occupied"]
        loaded = ffi.new("berth_receptor **")
        call(lib.berth_receptor_load, encode(path), struct, Log(said, loading=True), loaded)
        handle = ffi.gc(loaded[0], lib.berth_receptor_free)
        return cls(handle, (scoring, options), said)

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

    def site_about(self, molecule: Ligand, autobox_add: float = DOCK["autobox_add"]) -> None:
        """Sets the site to a box about a molecule: see autobox and autobox_add of from_file."""
        log = Log(self._said, loading=True)
        with one_file("autobox", molecule) as found:
            call(lib.berth_receptor_site_about, self._handle, encode_optional(found), autobox_add, log)

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
        chosen, options = scoring_of(scoring), self._options[1]
        if chosen == self._options[0] and options["named"]:
            return self
        options = {**options, "named": True}
        return Receptor._loaded(self.path, chosen, options, self._said)._boxed(self.site, None, 0)

    def _scored_by(self, chosen: Scoring) -> "Receptor":
        """The same by other functions, read once, however often it is docked into."""
        if chosen == self._options[0]:
            return self
        if chosen not in self._others:
            self._others[chosen] = Receptor._loaded(self.path, chosen, self._options[1], self._said)
        return self._others[chosen]._boxed(self.site, None, 0)

    @staticmethod
    def prepare(
        path: Path,
        out: Path,
        *,
        format: Optional[str] = None,
        ligand_id: Optional[str] = None,
        keep: Optional[str] = None,
        drop: Optional[str] = None,
        keep_waters: Optional[str] = None,
        waters: bool = RECEPTOR["waters"],
        displaceable_waters: Optional[str] = None,
        keep_waters_within: float = RECEPTOR["keep_waters_within"],
        keep_types: bool = RECEPTOR["keep_types"],
        site: Optional[Site] = None,
        autobox: Optional[Ligand] = None,
        autobox_add: float = RECEPTOR["autobox_add"],
        residues: Optional[str] = None,
        reference: Optional[Path] = None,
        mol2: Optional[Path] = None,
        ligand_smiles: Optional[str] = None,
        view: Optional[str] = None,
        forcefield: Optional[Path] = None,
        overwrite: bool = RECEPTOR["overwrite"],
    ) -> "Receptor":
        """Makes a receptor file of a structure, as `berth prep receptor` does, and loads it as from_file does.

        Parameters
        ----------
        path, format
            PDB, mmCIF, PDBQT or Mol2; None: by its ending.
        out
            .brec to write.
        ligand_id
            residue that is the ligand: it is cut out, and the site about it.
        keep, drop
            residues; keep may be "all", drop "hetero".
        keep_waters, keep_waters_within
            residues, or "bridging"; Å of the ligand, 0: none.
        waters
            log which waters at the ligand bridge to it, and why.
        displaceable_waters
            residues, or "bridging", 4 at most: they are kept, and further files are written without
            each of them and without several, for docking with a `water_price`.
        keep_types
            leave the types of a Mol2 file as they are.
        site, autobox
            the box, by centre and full edges or about a molecule, as of from_file; None: about the
            ligand that is cut out.
        autobox_add, residues
            Å: margin of a box about a molecule, or about these residues.
        reference, mol2
            Mol2 to write of the ligand that was cut out, and of the receptor's typed heavy atoms.
        ligand_smiles
            of the ligand that is cut out, for the bonds of `reference`; None: they are perceived.
        view
            "pymol" or "chimerax": a script beside out that opens the receptor, its box, the residues
            that reach into it, and the reference.
        forcefield
            that types are checked against; None: the one that is built in.
        overwrite
            replace a receptor file that is there.

        Raises UsageError (a file that is there; a selection that nothing matches), AtomTypeError,
        FormatError, FileError.
        """
        log = Log()
        options = ffi.new("struct berth_prepare_receptor_options *")
        lib.berth_prepare_receptor_defaults(options, ffi.sizeof(options[0]))
        given = {
            "out": out, "format": format, "forcefield": forcefield, "ligand_id": ligand_id, "keep": keep,
            "drop": drop, "keep_waters": keep_waters, "residues": residues, "reference": reference,
            "mol2": mol2, "displaceable_waters": displaceable_waters, "ligand_smiles": ligand_smiles,
            "view": view,
        }  # fmt: skip
        kept = {name: encode_optional(value) for name, value in given.items()}
        for name, value in kept.items():
            setattr(options, name, value)
        options.waters = waters
        fill(options, keep_waters_within=keep_waters_within, keep_types=keep_types, overwrite=overwrite)
        fill(options.box, autobox_add=autobox_add)
        if site is not None:
            options.box.center, options.box.edges = numbers_of(site)
        with one_file("autobox", autobox) as found:
            kept["autobox"] = encode_optional(found)
            options.box.autobox_ligand = kept["autobox"]
            call(lib.berth_prepare_receptor, encode(path), options, log)
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


def _ranked_by(rank: str, receptor: Union[Path, Receptor]) -> Optional[str]:
    """The functions that a ranking brings along; None: it names none, or the receptor has them."""
    functions = ffi.new("char[1024]")
    call(lib.berth_rank_functions, encode(rank), functions, len(functions))
    names = text(functions)
    known = receptor.functions if isinstance(receptor, Receptor) else ()
    return names if names and not set(names.split(",")) <= set(known) else None


# Options of from_file, where a path is given in place of a Receptor.
_DEFAULTS: Dict[str, Any] = {
    "forcefield": None,
    "ligand_id": None,
    "ligand_smiles": None,
    "allow_occupied": DOCK["allow_occupied"],
    "autobox_add": DOCK["autobox_add"],
    "named": False,
}
_SAID: Dict[Tuple[str, int], Set[str]] = {}


def _said_of(path: Path) -> Set[str]:
    """What was logged of the file as it is now: loops give its path to each call, which loads it."""
    try:
        changed = os.stat(path).st_mtime_ns
    except (OSError, ValueError):  # loading it tells
        return set()
    return _SAID.setdefault((os.path.abspath(os.fsdecode(path)), changed), set())


def receptor_of(
    receptor: Union[Path, Receptor],
    scoring: Optional[ScoringLike],
    site: Optional[Site],
    autobox: Optional[Ligand],
    rank: Optional[str] = None,
) -> Receptor:
    """A receptor as functions take it: a path or one that is loaded, to be scored and boxed so."""
    if rank is not None and scoring is None:
        scoring = _ranked_by(rank, receptor)
    if isinstance(receptor, (list, tuple)):
        raise TypeError("receptor: one Receptor or path; to several docks berth.command(\"dock\", receptor=[...])")
    if not isinstance(receptor, Receptor):
        scorer, said = scoring_of(scoring or DOCK["scoring"]), _said_of(receptor)
        return Receptor._loaded(receptor, scorer, _DEFAULTS, said)._boxed(site, autobox, DOCK["autobox_add"])
    if site is None and autobox is None:
        return receptor if scoring is None else receptor._scored_by(scoring_of(scoring))
    chosen, options = receptor._options
    scorer = chosen if scoring is None else scoring_of(scoring)
    again = Receptor._loaded(receptor.path, scorer, options, receptor._said)
    return again._boxed(site, autobox, DOCK["autobox_add"])


def ranked_receptor(
    receptor: Union[Path, Receptor],
    scoring: Optional[ScoringLike],
    site: Optional[Site],
    autobox: Optional[Ligand],
    ranks: Tuple[Optional[str], Optional[str]],
) -> Tuple[Receptor, Optional[str]]:
    """The receptor, and what ranks: as usual, or where one of the usual functions has no types for it the
    first alone, as in `berth dock`.  ranks: what is usual (see ranking_of), and what was asked for."""
    usual, named = ranks
    try:
        return receptor_of(receptor, scoring, site, autobox, usual), usual
    except AtomTypeError as error:
        if named == usual:
            raise
        logger.warning("%s; ranked by %s alone", error, DOCK["scoring"])
        return receptor_of(receptor, scoring, site, autobox, named), named


def ranking_of(
    usual: str,
    rank: Optional[str],
    receptor: Union[Path, Receptor],
    scoring: Optional[ScoringLike],
    by_score: bool,
) -> Optional[str]:
    """What dockings are ranked by where it is not said: as usual, unless a function was named or what is
    asked for goes by the score (`by_score`)."""
    named = isinstance(receptor, Receptor) and receptor._options[1]["named"]
    return rank if rank is not None or scoring is not None or named or by_score else usual
