"""What dockings and scorings give."""

from __future__ import annotations

import dataclasses
import html
import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Tuple, Union, overload

import numpy as np

from ._berth import ffi, lib
from ._library import Calls, Floats, Integers, Path, UsageError, array, encode, text

if TYPE_CHECKING:
    from ._receptor import Receptor

SHOWN = 20  # rows of tables in notebooks, at most


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else f"{value:.2f}"
    return html.escape("" if value is None else str(value), quote=False)


def html_table(usual: Iterable[str], rows: List[Dict[str, Any]], said: str) -> str:
    """What notebooks show: of the usual columns those that a row has something in, and a line below."""
    columns = [name for name in usual if any(_cell(row.get(name)) for row in rows)]
    head = "".join(f"<th>{name}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(row.get(name))}</td>" for name in columns) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{html.escape(said)}</p>"


@dataclasses.dataclass(frozen=True, eq=False)
class Pose:
    """A pose of a ligand in the receptor.  Energies are in the unit of the scoring function
    (Receptor.unit); lower is better.

    Attributes
    ----------
    positions
        [atoms, 3]: Å, in the receptor's frame; a view of Docked.positions
    score
        energy and strain by the first function, as docs/formats.md has it: what ranks poses where there is no
        `ranking`
    energy
        between receptor and ligand: the sum of the terms
    terms
        [terms]: as Receptor.terms names them
    strain
        by torsions; NaN where there are none to refine
    conformer
        of the ligand, from 0, that it began as
    conformer_strain
        kJ/mol above the ligand's best conformer; NaN where unknown
    rmsd
        Å, to the reference; without one, of poses that score() or minimize() moved: to where it stood; NaN:
        there is none
    clash
        Å: largest overlap of van der Waals radii with the receptor's heavy atoms; 0: none; NaN: unknown
    twist
        degrees: the largest angle by which a carbonyl group stands out of the plane of the ring or double bond
        that it is conjugated with, of molecules that were prepared; NaN: there is none, or what is beside it
        twists it
    scores
        [functions]: energy between receptor and ligand by each function that ranks: those of
        Results.functions, or the one
    ranking
        what `rank` makes of it among the ligand's poses; NaN: there is none
    confidence
        of the ligand's first: the probability that it is within 2 Å of the crystal pose, where `rank` says; else NaN
    seeds
        with several `seeds`: so many of them put their first pose within 2 Å of it; NaN: there is one
    learned
        what the model `rescore` says of it, by the names of its outputs
    receptor
        of several the one that it is in, from 0
    sdf
        its record of an SDF file, the same bytes that `berth dock --out` writes: all atoms, bonds and tags;
        hydrogens that would crowd are moved aside there; "" where it was not asked for
    """

    positions: Floats
    score: float
    energy: float
    terms: Floats
    strain: float
    conformer: int
    conformer_strain: float
    rmsd: float
    clash: float
    twist: float
    scores: Floats
    ranking: float
    confidence: float
    seeds: float
    learned: Dict[str, float]
    receptor: int
    sdf: str

    @property
    def tags(self) -> Dict[str, str]:
        """The tags of its SDF record, by name: what restraints, side chains and rankings say of it,
        too (docs/formats.md); {}: sdf was not asked for."""
        tags = {}
        for part in self.sdf.split("\n>  <")[1:]:
            name, _, value = part.partition(">\n")
            tags[name] = value.split("\n", 1)[0]
        return tags

    def __repr__(self) -> str:
        return f"<Pose: score {self.score:.2f}, energy {self.energy:.2f}, {len(self.positions)} atoms>"

    def to_rdkit(self) -> Any:
        """An RDKit molecule with all hydrogens, one conformer and the tags as properties.  Raises
        ImportError (no RDKit), ValueError (sdf was not asked for, or RDKit refuses it)."""
        from rdkit import Chem

        if not self.sdf:
            raise ValueError("the pose has no bonds: dock, score or minimize with sdf=True")
        supplier = Chem.SDMolSupplier()
        supplier.SetData(self.sdf, removeHs=False)
        molecule = supplier[0]
        if molecule is None:
            raise ValueError("RDKit refuses the pose; its log says why")
        return molecule


def _number(value: str) -> Union[int, float, str]:
    """A tag's value: a number where it is one, whole where it is written so (seed, unmet)."""
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value


@dataclasses.dataclass(frozen=True, eq=False)
class Docked:
    """A ligand with its poses, best first.

    Attributes
    ----------
    index
        its place among what was given, from 0: all ligands of a file have that of the file
    ordinal
        its place in its file, from 0, which tells these apart
    name
        its title, or, of SMILES without one, its place, from 1: ligand1
    elements
        [atoms]: atomic numbers, hydrogens among them; 0: none
    positions
        [poses, atoms, 3]: Å, in the receptor's frame
    heavy_count
        atoms that are no hydrogens
    conformer_count
        that were docked
    core_atoms
        heavy atoms that it has of a template's or restraint's core; 0: none, or there is no core
    poses
        at least one
    ranking
        what `rank` makes of the ligand, by its best pose; NaN: there is none, or it looks at others, too
    """

    index: int
    ordinal: int
    name: str
    elements: Integers
    positions: Floats
    heavy_count: int
    conformer_count: int
    core_atoms: int
    poses: Tuple[Pose, ...]
    ranking: float

    @property
    def best(self) -> Pose:
        """The first pose."""
        return self.poses[0]

    @property
    def smiles(self) -> str:
        """Of what was docked, protonated and with its stereo; "": not known (Mol2), or sdf was not asked for."""
        return self.best.tags.get("smiles", "")

    @property
    def input_smiles(self) -> str:
        """That it was prepared from, as given; "": the input was no SMILES, or sdf was not asked for."""
        return self.best.tags.get("input_smiles", "")

    def _repr_html_(self) -> str:
        """What notebooks show: its poses, best first."""
        rows = [
            {"mode": mode, "pose_ranking": pose.ranking, **vars(pose)} for mode, pose in enumerate(self.poses, 1)
        ]
        usual = ("mode", "pose_ranking", "confidence", "score", "energy", "strain", "conformer_strain", "clash", "rmsd")
        return html_table(usual, rows, f"{self.name}: {len(self.poses)} poses; conformer_strain in kJ/mol")

    def __repr__(self) -> str:
        return f"<Docked {self.name!r}: {len(self.poses)} poses, best {self.best.score:.2f}>"


def docked_of(told: Any, index: int, terms: int, functions: int, learned: Tuple[str, ...]) -> Docked:
    """A ligand that the library lends: each of its coordinates is copied once."""
    atoms, count = told.atom_count, told.pose_count
    positions: Floats = np.empty((count, atoms, 3))
    elements = np.frombuffer(ffi.buffer(told.elements, atoms * ffi.sizeof("int")), np.intc).copy()
    poses: List[Pose] = []
    for i in range(count):
        pose = told.poses[i]
        ffi.memmove(ffi.from_buffer(positions[i]), lib.berth_python_positions(pose), atoms * 24)
        poses.append(
            Pose(
                positions=positions[i],
                score=pose.value,
                energy=pose.energy,
                terms=array(pose.terms, terms),
                strain=pose.strain,
                conformer=pose.conformer,
                conformer_strain=pose.conformer_strain,
                rmsd=pose.rmsd,
                clash=pose.clash,
                twist=pose.twist,
                scores=array(pose.scores, functions),
                ranking=pose.ranking,
                confidence=pose.confidence,
                seeds=pose.seeds,
                learned=dict(zip(learned, array(pose.learned, len(learned)).tolist())),
                receptor=pose.receptor,
                sdf=text(pose.sdf),
            )
        )
    return Docked(
        index=index,
        ordinal=told.ordinal,
        name=text(told.name),
        elements=elements,
        positions=positions,
        heavy_count=told.heavy_count,
        conformer_count=told.conformer_count,
        core_atoms=told.core_atoms,
        poses=tuple(poses),
        ranking=told.ranking,
    )


class Results(Sequence[Docked]):
    """Ligands that were docked or scored, in the order in which they were given, and why others were
    not.

    Attributes
    ----------
    failures
        what of the input has no result, and why: a line each
    terms
        names of the terms that energies are sums of
    unit
        of energies
    finished
        False where the progress callback stopped it
    functions
        names of the scoring functions, where there are several
    """

    def __init__(
        self,
        ligands: List[Docked],
        failures: List[str],
        terms: Tuple[str, ...],
        unit: str,
        finished: bool,
        functions: Tuple[str, ...] = (),
        receptors: Sequence[Receptor] = (),
    ) -> None:
        self._ligands = ligands
        self.failures = tuple(failures)
        self.terms = terms
        self.unit = unit
        self.finished = finished
        self.functions = functions
        self._receptors = receptors  # that poses are in
        self._run_json = ""  # of a docking of one file: what it was

    def __getstate__(self) -> Dict[str, Any]:
        """What another process gets: all but the receptors, which are of this one."""
        return {**vars(self), "_receptors": ()}

    @overload
    def __getitem__(self, at: int) -> Docked: ...
    @overload
    def __getitem__(self, at: slice) -> List[Docked]: ...
    def __getitem__(self, at: Union[int, slice]) -> Union[Docked, List[Docked]]:
        return self._ligands[at]

    def __len__(self) -> int:
        return len(self._ligands)

    def __iter__(self) -> Iterator[Docked]:
        return iter(self._ligands)

    def __repr__(self) -> str:
        return f"<Results: {len(self)} ligands, {len(self.failures)} failures>"

    def ranked(self) -> List[Docked]:
        """The ligands, best first: by their ranking (those without one last), where none has one by the
        score of their best poses."""
        ranked = any(not math.isnan(docked.ranking) for docked in self._ligands)
        values = [docked.ranking if ranked else docked.best.score for docked in self._ligands]
        order = sorted(range(len(values)), key=lambda i: (math.isnan(values[i]), values[i]))
        return [self._ligands[i] for i in order]

    def to_rdkit(self) -> List[Any]:
        """RDKit molecules of all poses, ligand by ligand: see Pose.to_rdkit."""
        return [pose.to_rdkit() for docked in self._ligands for pose in docked.poses]

    def write_sdf(self, path: Path, num_modes: Optional[int] = None) -> None:
        """Writes poses to an SDF file: of each ligand the best num_modes, or all.  Raises OSError, ValueError (sdf
        was not asked for; num_modes is not at least 1)."""
        if num_modes is not None and num_modes < 1:
            raise ValueError(f"num_modes: {num_modes}; poses of each ligand, 1 at least")
        if any(not pose.sdf for docked in self._ligands for pose in docked.poses):
            raise ValueError("poses have no bonds: dock, score or minimize with sdf=True")
        with open(os.fspath(path), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.writelines(pose.sdf for docked in self._ligands for pose in docked.poses[:num_modes])

    def methods(self) -> str:
        """The paragraph for methods that a report has: preparation, receptor, search, ranking, references, with this
        docking's figures.  Raises UsageError where it was stopped, or is none: poses that were scored; or where
        files were docked beside others, or SMILES, each of which counts by itself; ValueError (sdf was not asked for,
        which tells the forms of molecules)."""
        if not self._run_json:
            raise UsageError("methods: it tells of one docking, to its end, of one file, or of SMILES and molecules")
        if any(not docked.best.sdf for docked in self._ligands):
            raise ValueError("methods: forms of molecules are told by the poses' SDF: dock with sdf=True")
        told: List[str] = []
        calls = Calls(None, lambda paragraph: told.append(text(paragraph)))
        counts = ffi.new("struct berth_methods_counts *", self._counts())
        calls.call(lib.berth_run_methods, encode(self._run_json), counts, lib.berth_python_text, calls.context)
        return told[0]

    def _counts(self) -> Dict[str, int]:
        """The fields of struct berth_methods_counts; states of a molecule follow each other."""
        molecules = open_stereo = 0
        last: Optional[Tuple[str, str]] = None
        for docked in self._ligands:
            tags = docked.best.tags
            state_of = tags.get("state_of", "")
            molecule = (state_of or docked.name, tags.get("input_smiles", ""))
            if not state_of or molecule != last:
                molecules += 1
                open_stereo += "open_stereo" in tags
            last = molecule
        smiles = [docked.smiles for docked in self._ligands if docked.smiles]
        dropped = [line for line in self.failures if "dropped: " in line]
        return {
            "ligands": len(self._ligands),
            "molecules": molecules,
            "open_stereo": open_stereo,
            "repeated": len(smiles) - len(set(smiles)),
            "failed": len(self.failures) - len(dropped),
            "dropped": len(dropped),
            "duplicates": sum("dropped: a duplicate" in line for line in dropped),
            "ranked": any(not math.isnan(docked.ranking) for docked in self._ligands),
        }

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each pose, with the columns of scores.csv (docs/formats.md) that are known:
        modes and conformers are counted from 1 there; `ranking`, which orders ranked(), where what ranks
        the ligands looks at each by itself; and `index`, see Docked.  What only the poses' SDF says (restraints,
        receptor_strain, smiles, input_smiles) needs sdf=True."""
        return [
            self._row(docked, mode, pose)
            for docked in self._ligands
            for mode, pose in enumerate(docked.poses, 1)
        ]

    def _columns(self) -> List[str]:
        """Of the rows that there would be, whatever was docked."""
        return ["index", "ordinal", "ligand", "mode", "ranking", "pose_ranking", "confidence", "score",
                *self.functions, "energy", *self.terms, "strain", "conformer_strain", "efficiency", "rmsd", "clash",
                "conformer", "heavy_atoms", "conformers", "smiles", "input_smiles"]  # fmt: skip

    def _row(self, docked: Docked, mode: int, pose: Pose) -> Dict[str, Any]:
        row = {
            "index": docked.index,
            "ordinal": docked.ordinal,
            "ligand": docked.name,
            "mode": mode,
            **({"ranking": docked.ranking} if not math.isnan(docked.ranking) else {}),
            **({"pose_ranking": pose.ranking} if not math.isnan(pose.ranking) else {}),
            **({"confidence": pose.confidence} if not math.isnan(pose.confidence) else {}),
            **({"seeds": int(pose.seeds)} if not math.isnan(pose.seeds) else {}),
            "score": pose.score,
            **dict(zip(self.functions, pose.scores.tolist())),
            **pose.learned,
            "energy": pose.energy,
            **dict(zip(self.terms, pose.terms.tolist())),
            "strain": pose.strain,
            "conformer_strain": pose.conformer_strain,
            "efficiency": pose.energy / docked.heavy_count,
            "rmsd": pose.rmsd,
            "clash": pose.clash,
            **({"twist": pose.twist} if not math.isnan(pose.twist) else {}),
            "conformer": pose.conformer + 1,
            "heavy_atoms": docked.heavy_count,
            "conformers": docked.conformer_count,
        }
        for name, value in pose.tags.items():
            if name not in row:
                row[name] = value if name in ("smiles", "input_smiles") else _number(value)
        return row

    def _repr_html_(self) -> str:
        """What notebooks show: the best pose of each ligand, in the order of ranked()."""
        shown = self.ranked()[:SHOWN]
        rows = [self._row(docked, 1, docked.best) for docked in shown]
        usual = ("index", "ligand", "ranking", "confidence", "score", *self.functions, "energy", "strain", "rmsd", "smiles")
        more = f", the best {len(shown)} of them here" if len(shown) < len(self) else ""
        said = f"{len(self)} ligands{more}; {len(self.failures)} failures; score, energy and strain in {self.unit}"
        if len(self.functions) > 1:
            said += f", {', '.join(self.functions)} each in its own unit"
        return html_table(usual, rows, said)

    def view(
        self, docked: Optional[Docked] = None, mode: int = 1, width: int = 640, height: int = 480
    ) -> Any:
        """A pose in its receptor, in 3D, which notebooks show: a py3Dmol.view, for more styles.  Residues within
        5 Å are drawn with all heavy atoms, side chains where the pose has them.

        Parameters
        ----------
        docked
            one of these; None: the first of ranked()
        mode
            which of its poses, from 1, best first
        width, height
            pixels

        Raises ImportError (no py3Dmol), ValueError (nothing was docked; no such mode; sdf was not asked for; results of
        another process).
        """
        from ._viewer import view

        if docked is None and not self._ligands:
            raise ValueError("view: nothing was docked; failures says why")
        chosen = self.ranked()[0] if docked is None else docked
        if not 1 <= mode <= len(chosen.poses):
            raise ValueError(f"mode: {mode}; {chosen.name} has poses 1 to {len(chosen.poses)}")
        pose = chosen.poses[mode - 1]
        if not self._receptors:
            raise ValueError("view: these results came from another process, and their receptor did not")
        return view(self._receptors[pose.receptor], pose, width, height)

    def to_pandas(self) -> Any:
        """A pandas DataFrame of the rows.  Raises ImportError (no pandas)."""
        import pandas

        rows = self.rows()
        return pandas.DataFrame(rows, columns=None if rows else self._columns())


@dataclasses.dataclass(frozen=True, eq=False)
class ScreenResult:
    """A ligand's result in a screen: its best pose.  Energies as in Pose; where it failed they are
    NaN.

    Attributes
    ----------
    ordinal
        in the library, from 0
    name
        "" where it could not be read
    failure
        why it has none; None: it was docked
    heavy_count
        atoms that are no hydrogens
    conformer_count
        that were docked
    conformer
        of the best pose, from 0
    score
        what the ligand is ranked by: lower is better
    energy
        between receptor and ligand: the sum of the terms
    terms
        [terms]: as Receptor.terms names them; empty where it failed
    strain
        by torsions; NaN where there are none to refine
    conformer_strain
        kJ/mol above the ligand's best conformer; NaN where unknown
    clash
        Å: see Pose
    scores
        [functions]: as in Pose; empty where it failed
    receptor
        as in Pose
    ranking
        what `rank` makes of the ligand; NaN: there is none, or it looks at others, too: then scores.csv has
        it in the end
    """

    ordinal: int
    name: str
    failure: Optional[str]
    heavy_count: int
    conformer_count: int
    conformer: int
    score: float
    energy: float
    terms: Floats
    strain: float
    conformer_strain: float
    clash: float
    scores: Floats
    receptor: int
    ranking: float


@dataclasses.dataclass(frozen=True)
class Failure:
    """What of a library has no result, and why: a row of failures.csv.

    Attributes
    ----------
    ordinal
        its place in the library, from 0; None: not known
    name
        "" where it could not be read
    reason
        why, with what to do about it
    """

    ordinal: Optional[int]
    name: str
    reason: str


def screened_of(told: Any, terms: int, functions: int) -> ScreenResult:
    """A result that the library lends."""
    return ScreenResult(
        ordinal=told.ordinal,
        name=text(told.name),
        failure=text(told.failure) if told.failure else None,
        heavy_count=told.heavy_count,
        conformer_count=told.conformer_count,
        conformer=told.conformer,
        score=told.value,
        energy=told.energy,
        terms=array(told.terms, terms) if told.terms else np.empty(0),
        strain=told.strain,
        conformer_strain=told.conformer_strain,
        clash=told.clash,
        scores=array(told.scores, functions) if told.scores else np.empty(0),
        receptor=told.receptor,
        ranking=told.ranking if told.terms else math.nan,
    )
