"""Screens."""

from __future__ import annotations

import contextlib
import csv
import heapq
import os
import queue
import threading
from types import TracebackType
from typing import Any, Iterator, List, Optional, Sequence, Type, Union

from . import _devices
from ._berth import ffi, lib
from ._library import (
    HANGS, Calls, Log, NoFileError, Path, Progress, ProgressCall, ProgressLike, UsageError, call, encode, logger,
    progress_of, shown,
)  # fmt: skip
from ._ligands import Library
from ._options import Given, takes
from ._receptor import Receptor, Receptors, receptors_of
from ._results import SHOWN, Failure, ScreenResult, html_table, screened_of

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

    def __init__(self, receptors: List[Receptor], folder: str, given: Given) -> None:
        self._receptors = receptors
        self._receptor = receptors[0]
        self._given = given
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
        result = ffi.new("struct berth_screen_calls *", {"result": lib.berth_python_result, "context": self._calls.context})
        handles = [one._handle for one in self._receptors]
        several = ffi.new("const berth_receptor *[]", handles)
        opened = ffi.new("berth_screen **")
        with self._given:
            asked = self._given.handle()
            devices = _devices.find(asked, log)
            self._calls.call(lib.berth_screen_open, several, len(handles), devices, asked, result, log, opened)
        screen = opened[0]
        try:
            self.progress = progress_of(lib.berth_screen_progress(screen))
            self._calls.call(lib.berth_screen_run, screen, lib.berth_python_progress, self._calls.context)
        finally:
            self.progress = progress_of(lib.berth_screen_progress(screen))
            if lib.berth_screen_is_stuck(screen):
                logger.warning(HANGS)
            lib.berth_screen_free(screen)


@takes("screen", "library", "out", "scoring_text")
def screen(
    receptor: Receptors,
    library: Union[Path, Library],
    folder: Path,
    *,
    progress: Optional[ProgressCall] = None,
    **options: Any,
) -> Screen:
    """A screen of a library, as `berth screen` does it, to the same bytes; iterate over it.

        with berth.screen("site.brec", "molecules.smi", "results", resume=True) as run:
            for result in run:
                print(result.name, result.failure or result.score)

    Parameters
    ----------
    receptor
        as of dock().
    library
        a Library, or its path (.blib); or the path of molecules, which are prepared while they are
        docked, into library.blib in the folder: the same bytes as by Library.prepare.
    folder
        for scores.csv, hits.sdf, failures.csv, run.json and the journal; made where it is missing.
    progress
        called several times a second, in a thread of its own, with a Progress; what is True stops.  A bar
        is run(progress=True).
    **options

    Nothing runs before the first result is asked for, and no error is raised before, but those of
    loading the receptor, and FileError where there is no library.
    """
    if progress is not None and not callable(progress):
        raise UsageError("progress: a function, which is called with a berth.Progress; run(progress=True) has a bar")
    if not isinstance(library, (Library, str, os.PathLike)):
        raise TypeError(f"library: a Library, or the path of one or of molecules, not {library!r}; Library.prepare makes one")
    path = os.fspath(library)
    for name in [] if isinstance(library, Library) else path.split(","):
        if name and name != "-" and not os.path.exists(name):
            raise NoFileError(f"{name}: no such file")
    given = Given("screen", {**options, "library": path, "out": folder})
    made = Screen(receptors_of(receptor, given), os.fspath(folder), given)
    made._call = progress
    return made


@takes("merge", "DIR...", "out")
def merge(folders: Sequence[Path], out: Path, **options: Any) -> int:
    """Merges the folders of all shards of one screen, in any order, into the results that one run of
    all of it would have written, in the folder out; how many ligands are without a result.

    Parameters
    ----------
    folders, out
        those of the shards, and that of the results
    **options

    Raises UsageError (a shard is missing, or there twice; require), FormatError (of different runs; one is not
    finished; another library; rank), FileError.
    """
    paths = [encode(path) for path in folders]
    counts = ffi.new("struct berth_merge_counts *")
    with Given("merge", {**options, "out": out}) as given:
        call(lib.berth_screen_merge, ffi.new("const char *[]", paths), len(paths), given.handle(), counts)
    return int(counts.failed)
