"""Screens."""

from __future__ import annotations

import contextlib
import csv
import heapq
import os
import queue
import threading
from types import TracebackType
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from . import _devices
from ._berth import ffi, lib
from ._inputs import Ligand
from ._library import (
    HANGS, Calls, Log, NoFileError, Path, Progress, ProgressCall, ProgressLike, UsageError, call, encode, encode_optional,
    fill, logger, progress_of, shown,
)  # fmt: skip
from ._ligands import Library, set_options
from ._options import SCREEN
from ._receptor import Receptor, ScoringLike, Site, ranked_receptor, ranking_of
from ._results import SHOWN, Failure, ScreenResult, html_table, screened_of
from ._search import Search, search_of

_WAITING = 10000  # results that wait to be taken, at most: the screen waits for the taker then


class Screen:
    """A screen: iterate over it to run it, and to get each ligand's result as it comes, in the
    library's order; in a run that is resumed, first those of earlier runs.  A thread of its own docks
    meanwhile.

    Results are written to its folder, as by `berth screen`, once all ligands are done.  Ctrl-C, an
    error, or the end of a `with` block stop it in good order; another screen with resume=True goes on
    where it was, to the same bytes.

    Attributes
    ----------
    folder
        scores.csv, hits.sdf, failures.csv and run.json, once it has finished, and the journal
    progress
        how far it is
    """

    def __init__(
        self, receptor: Receptor, folder: str, options: Any, kept: Any, device: Optional[Union[str, int]]
    ) -> None:
        self._receptor = receptor
        self._options = options
        self._kept = kept  # what the options borrow
        self._device = device
        self.folder = folder
        self.progress = Progress(0, 0, 0, 0, False, 0.0)
        self._call: Optional[ProgressCall] = None
        self._results: "queue.Queue[Optional[ScreenResult]]" = queue.Queue(_WAITING)
        self._calls = Calls(self._tend, self._take)
        self._opened = threading.Lock()  # once, and for ever
        self._worker: Optional[threading.Thread] = None
        self._stop = threading.Event()
        self._raised: Optional[BaseException] = None

    def __iter__(self) -> Iterator[ScreenResult]:
        """Runs it; once.  Raises UsageError (options; no site; a run that is in the folder already, or
        another one), FileError, FormatError, DeviceError, DeviceMemoryError, ResultError,
        OutOfMemoryError."""
        if not self._opened.acquire(blocking=False):
            raise UsageError("the screen has been run already; to go on, begin another with resume=True")
        self._worker = threading.Thread(target=self._work, name="berth.screen")
        self._worker.start()
        try:
            while True:
                result = self._results.get()
                if result is None:
                    break
                yield result
        finally:
            self.stop()
        if self._raised is not None:
            raise self._raised

    def run(self, progress: Optional[ProgressLike] = None) -> Progress:
        """Runs it without taking its results; how far it came.  progress: a function, as of screen(), in
        place of that one; or True: a bar of tqdm, or a count where that is not installed.  Raises as iterating."""
        with shown(progress, " ligands") as call:
            self._call = call or self._call
            for _ in self:
                pass
            if self._call is not None:
                self._call(self.progress)
        return self.progress

    def stop(self) -> None:
        """Stops it, and waits until what is done is on disk."""
        self._stop.set()
        if self._worker is not None and self._worker is not threading.current_thread():
            self._worker.join()

    def __enter__(self) -> "Screen":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.stop()

    def hits(self) -> List[Any]:
        """RDKit molecules of the best ligands' poses (hits.sdf), best first, with their tags as
        properties, once it has finished.  Raises ImportError, FileError (it has not)."""
        path = self._finished("hits.sdf")
        from rdkit import Chem

        return [molecule for molecule in Chem.SDMolSupplier(path, removeHs=False) if molecule is not None]

    @property
    def failures(self) -> List[Failure]:
        """The ligands without a result (failures.csv), once it has finished.  Raises FileError
        (it has not)."""
        with open(self._finished("failures.csv"), encoding="utf-8", errors="surrogateescape", newline="") as file:
            return [
                Failure(int(row["ordinal"]) if row["ordinal"] else None, row["ligand"], row["reason"])
                for row in csv.DictReader(file)
            ]

    def to_pandas(self) -> Any:
        """scores.csv as a pandas DataFrame, once it has finished.  Raises ImportError,
        FileError (it has not)."""
        path = self._finished("scores.csv")
        import pandas

        return pandas.read_csv(path)

    def _repr_html_(self) -> str:
        """What notebooks show: the best ligands, once it has finished; else how far it is."""
        told = self.progress
        said = f"{self.folder}: {told.done} of {told.total or 'so far unknown'} ligands done, {told.failed} failed"
        if not told.finished:
            return html_table((), [], said)
        with open(self._finished("scores.csv"), encoding="utf-8", errors="surrogateescape", newline="") as file:
            ranked = (row for row in csv.DictReader(file) if row["rank"])
            best = heapq.nsmallest(SHOWN, ranked, key=lambda row: int(row["rank"]))
        usual = ("rank", "ligand", "ranking", "score", *self._receptor.functions, "strain", "clash", "smiles")
        return html_table(usual, best, f"{said}; the best {len(best)} are here")

    def _finished(self, name: str) -> str:
        """The path of a file that is there once the screen has finished."""
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            raise NoFileError(f"{path}: the screen has not finished")
        return path

    def _is_left(self) -> bool:
        """It is to stop.  Python waits for this thread when it exits: then the screen ends, too."""
        return self._stop.is_set() or not threading.main_thread().is_alive()

    def _tend(self, progress: Progress) -> bool:
        self.progress = progress
        return self._is_left() or (self._call is not None and self._call(progress) is True)

    def _take(self, told: Any) -> None:
        result = screened_of(told, len(self._receptor.terms), len(self._receptor.functions))
        while not self._is_left():
            try:
                self._results.put(result, timeout=0.1)
                return
            except queue.Full:
                pass

    def _work(self) -> None:
        try:
            self._screen()
        except BaseException as raised:  # raised again by the iterator, in its thread
            self._raised = raised
        while True:
            try:
                self._results.put(None, timeout=0.1)
                return
            except queue.Full:
                if self._is_left():  # what it waits for then is the end, not more results
                    with contextlib.suppress(queue.Empty):
                        self._results.get_nowait()

    def _screen(self) -> None:
        log = Log(self._receptor._said)
        devices = _devices.find(self._device, log)
        self._options.result, self._options.context = lib.berth_python_result, self._calls.context
        opened = ffi.new("berth_screen **")
        receptor = self._receptor._handle
        self._calls.call(lib.berth_screen_open, receptor, devices, self._options, log, opened)
        screen = opened[0]
        try:
            self.progress = progress_of(lib.berth_screen_progress(screen))
            self._calls.call(lib.berth_screen_run, screen, lib.berth_python_progress, self._calls.context)
        finally:
            self.progress = progress_of(lib.berth_screen_progress(screen))
            if lib.berth_screen_is_stuck(screen):
                logger.warning(HANGS)
            lib.berth_screen_free(screen)


def screen(
    receptor: Union[Path, Receptor],
    library: Union[Path, Library],
    folder: Path,
    *,
    resume: bool = SCREEN["resume"],
    overwrite: bool = SCREEN["overwrite"],
    scoring: Optional[ScoringLike] = None,
    site: Optional[Site] = None,
    autobox: Optional[Ligand] = None,
    search: Union[str, Search] = SCREEN["search"],
    seed: Optional[int] = None,
    exhaustiveness: Optional[int] = None,
    top: int = SCREEN["top"],
    num_modes: int = SCREEN["num_modes"],
    min_rmsd: float = SCREEN["min_rmsd"],
    strain_weight: float = SCREEN["strain_weight"],
    max_clash: float = SCREEN["max_clash"],
    rank: Optional[str] = None,
    rescore: Optional[Path] = None,
    rescore_top: int = SCREEN["rescore_top"],
    require: Optional[str] = None,
    flexible_residues: Optional[str] = None,
    flexible_within: float = SCREEN["flexible_within"],
    flexible_most: int = SCREEN["flexible_most"],
    reference: Optional[Path] = None,
    covalent: Optional[str] = None,
    db: Optional[Path] = None,
    shard: Tuple[int, int] = (1, 1),
    checkpoint: float = SCREEN["checkpoint"],
    prepare: Optional[Mapping[str, Any]] = None,
    device: Optional[Union[str, int]] = None,
    progress: Optional[ProgressCall] = None,
) -> Screen:
    """A screen of a library, as `berth screen` does it, to the same bytes; iterate over it.

        with berth.screen("site.brec", "molecules.smi", "results", resume=True) as run:
            for result in run:
                print(result.name, result.failure or result.score)

    Parameters
    ----------
    receptor, scoring, site, autobox, search, seed, exhaustiveness, device
        as of dock().
    library
        a Library, or its path (.blib); or the path of molecules, which are prepared while they are
        docked, into library.blib in the folder: the same bytes as by Library.prepare.
    folder
        for scores.csv, hits.sdf, failures.csv, run.json and the journal; made where it is missing.
    resume
        go on with the run in the folder, or begin it; False: begin it.
    overwrite
        remove the run that is in the folder, with its results, and begin anew.
    top
        ligands whose poses hits.sdf is to have, best first.
    num_modes, min_rmsd
        poses to keep of each ligand, at most; Å between them, at least.
    strain_weight
        rank by energy + strain + this times the conformer's strain.
    max_clash
        Å: leave out poses whose clash is more.
    rank
        what poses, and in the end ligands, are ordered by: as of dock(); None: as `berth screen` does,
        "screening", or the score where dock() goes by it.
    rescore, rescore_top
        a model (docs/learned.md) that in the end judges the poses of so many of the best ligands; its
        outputs are columns of scores.csv, and rank may look at them.
    require
        interactions that poses must make, "hydrogen_bond A:MET793:N or metal A:ZN300, hydrophobic A:PHE82";
        ligands that have no such pose are rows of failures.csv.
    db
        SQLite database that the results go to, too, in the end (docs/results.md).
    shard
        (k, n): part k of n alone, from 1; berth.merge makes one of them.
    flexible_residues, flexible_within, flexible_most
        residues of the receptor whose side chains move with the ligands, as of dock(); reference, a
        file, is what flexible_within is measured from.  hits.side_chains.pdb has those of the hits.
    covalent
        the receptor's atom that ligands are bonded to, as of dock(); prepare has reactions and
        all_warheads, too: {"all_warheads": True}.
    checkpoint
        s that a crash may lose, at most.
    prepare
        options of Library.prepare, for molecules: {"builder": "fragments"}.
    progress
        called several times a second, in a thread of its own, with a Progress; what is True stops.  A bar
        is run(progress=True).

    Nothing runs before the first result is asked for, and no error is raised before, but those of
    loading the receptor, and FileError where there is no library.
    """
    if not isinstance(shard, tuple) or len(shard) != 2:
        raise TypeError(f"shard: (number, of so many), not {shard!r}")
    if progress is not None and not callable(progress):
        raise UsageError("progress: a function, which is called with a berth.Progress; run(progress=True) has a bar")
    effort = search_of(search, seed, exhaustiveness)
    usual = ranking_of("screening", rank, receptor, scoring, bool(strain_weight) or effort._goes_by_score)
    chosen, rank = ranked_receptor(receptor, scoring, site, autobox, (usual, rank))
    options = ffi.new("struct berth_screen_options *")
    lib.berth_screen_defaults(options, ffi.sizeof(options[0]))
    if not isinstance(library, (Library, str, os.PathLike)):
        raise TypeError(f"library: a Library, or the path of one or of molecules, not {library!r}; Library.prepare makes one")
    if prepare and isinstance(library, Library):
        raise UsageError("prepare: a library is prepared already")
    path = library.path if isinstance(library, Library) else os.fspath(library)
    kept = [encode(path), encode(folder), effort._struct(), encode("%d/%d" % shard)]
    kept += [encode_optional(rank), encode_optional(rescore), encode_optional(require)]
    options.library, options.out, options.search = kept[0], kept[1], kept[2][0]
    fill(options, overwrite=overwrite, resume=resume, top=top, num_modes=num_modes, min_rmsd=min_rmsd)
    fill(options, strain_weight=strain_weight, max_clash=max_clash, checkpoint=checkpoint, rescore_top=rescore_top)
    options.shard, options.rank = kept[3], kept[4]
    options.rescore, options.require = kept[5], kept[6]
    kept += [encode_optional(flexible_residues), encode_optional(reference)]
    options.flexible_residues, options.reference = kept[7], kept[8]
    fill(options, flexible_within=flexible_within, flexible_most=flexible_most)
    kept += [encode_optional(db), encode_optional(covalent)]
    options.db, options.covalent = kept[-2:]
    if not isinstance(library, Library):
        for name in path.split(","):
            if name and name != "-" and not os.path.exists(name):
                raise NoFileError(f"{name}: no such file")
        how = ffi.new("struct berth_prepare_ligands_options *")
        lib.berth_prepare_ligands_defaults(how, ffi.sizeof(how[0]))
        kept += [how, *set_options(how, prepare or {})]
        options.prepare = how
    made = Screen(chosen, os.fspath(folder), options, kept, device)
    made._call = progress
    return made


def merge(
    folders: Sequence[Path],
    out: Path,
    *,
    library: Optional[Path] = None,
    top: Optional[int] = None,
    max_clash: Optional[float] = None,
    rank: Optional[str] = None,
    require: Optional[str] = None,
    db: Optional[Path] = None,
) -> int:
    """Merges the folders of all shards of one screen, in any order, into the results that one run of
    all of it would have written, in the folder out; how many ligands are without a result.

    library: where that lies now; None: where it was.  top: ligands in hits.sdf, best first; max_clash:
    Å, as of screen(); None: as the shards were run.  rank: another ranking of poses and ligands than
    that of the shards, over the columns that they have, as of dock(); None: theirs.  require: interactions
    that poses must make, as of screen(), "any", or None: as the shards were run.  Raises UsageError (a
    shard is missing, or there twice; require), FormatError (of different runs; one is not finished;
    another library; rank), FileError.  db: as of screen().
    """
    paths = [encode(path) for path in folders]
    counts = ffi.new("struct berth_merge_counts *")
    options = ffi.new("struct berth_merge_options *")
    lib.berth_merge_defaults(options, ffi.sizeof(options[0]))
    kept = [encode(out), encode_optional(library), encode_optional(rank), encode_optional(require)]
    options.out, options.library, options.rank, options.require = kept
    given = {"top": top, "max_clash": max_clash}
    fill(options, **{name: value for name, value in given.items() if value is not None})
    kept.append(encode_optional(db))
    options.db = kept[-1]
    shards = ffi.new("const char *[]", paths)
    call(lib.berth_screen_merge, shards, len(paths), options, counts)
    return int(counts.failed)
