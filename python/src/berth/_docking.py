"""Dockings and scores."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import shutil
import tempfile
import weakref
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Type, cast

from . import _devices
from ._berth import ffi, lib
from ._guard import Use
from ._inputs import File, Ligands, files
from ._library import HANGS, Calls, Log, Progress, ProgressCall, ProgressLike, UsageError, encode, logger, shown, text
from ._ligands import Library
from ._options import Given, takes
from ._receptor import Receptor, ReceptorLike, Receptors, receptors_of
from ._results import Docked, Results, docked_of


class _Taker:
    """Takes ligands of one file after the other, until it is stopped."""

    def __init__(
        self,
        receptors: Sequence[Receptor],
        log: Log,
        progress: Optional[ProgressCall],
        learned: Tuple[str, ...] = (),
    ) -> None:
        self.ligands: List[Docked] = []
        self._file: File
        self._call = progress
        self._total = 0  # of all files; 0: not known
        self._before = Progress(0, 0, 0, 0, False, 0.0)  # of the files before this one
        self._last = self._before
        self._receptors = receptors
        self._log = log
        self._learned = learned
        self.calls = Calls(self._tend, self._take)
        self.struct = ffi.new(
            "struct berth_ligand_calls *",
            {
                "ligand": lib.berth_python_ligand,
                "progress": lib.berth_python_progress,
                "context": self.calls.context,
            },
        )

    def _tend(self, progress: Progress) -> object:
        before = self._before
        self._last = dataclasses.replace(
            progress,
            total=self._total,
            done=before.done + progress.done,
            failed=before.failed + progress.failed,
            seconds=before.seconds + progress.seconds,
        )
        return self._call is not None and self._call(self._last)

    def _end(self) -> Progress:
        """Of all, with what could not be prepared."""
        failed = len(self._log.failures)
        done = max(self._last.done, len(self.ligands) + failed)
        total = max(self._total, done)
        return dataclasses.replace(self._last, total=total, done=done, failed=failed, finished=not self.calls.stopped)

    def _take(self, told: Any) -> None:
        place = self._file.place(told.ordinal)
        receptor = self._receptors[0]
        if told.failure:
            self._log.fail(text(told.name), "" if self._file.alone else f" (index {place})", text(told.failure))
        else:
            self.ligands.append(
                docked_of(told, place, len(receptor.terms), len(receptor.functions), self._learned)
            )

    def run(self, found: List[File], function: Callable[[Any, Any, Any], int]) -> Results:
        """Calls the function for each file, with its path, what it calls back, and the error."""
        counts = [_count(file) for file in found]
        self._total = sum(counts) if all(counts) else 0
        for file in found:
            self._before = self._last
            self._file = file
            self._log.name = file.name
            self.calls.call(function, encode(file.path), self.struct)
            if self.calls.stopped:
                break
        receptor = self._receptors[0]
        if self._call is not None:
            self._call(self._end())
        return Results(
            self.ligands,
            self._log.failures,
            receptor.terms,
            receptor.unit,
            not self.calls.stopped,
            receptor.functions if len(receptor.functions) > 1 else (),
            self._receptors,
        )


def _count(file: File) -> int:
    """How many ligands it has; 0: that is not known before it is read."""
    if file.indices is not None:
        return len(file.indices)
    return len(Library(file.path)) if file.path.endswith(".blib") else 0


# Options that name files which a call writes anew.
_WRITTEN = ("out", "out_also", "out_each", "out_poses", "scores", "failures", "db")


def _refuse_several(texts: Dict[str, str], found: List[File]) -> None:
    for name in _WRITTEN:
        if name in texts and len(found) > 1:
            raise UsageError(f"{name}: it is of one file, or of SMILES and molecules, not of several files")


class Docking:
    """Devices that are ready to dock into a receptor: for several calls of run, one after the other.
    close(), or a `with` block, frees the devices."""

    @takes("dock", "scoring_text")
    def __init__(self, receptor: Receptors, **options: Any) -> None:
        """Parameters as of dock().  Raises UsageError (no site; an option), DeviceError,
        DeviceMemoryError, and the errors of loading receptor and reference.

        **options
        """
        self._handle: Any = None
        self._use = Use("docking")
        with Given("dock", {"sdf": True, **options}) as given:
            self._receptors = receptors_of(receptor, given)
            self._log = Log(self.receptor._said)
            folder = tempfile.mkdtemp(prefix="berth-")
            weakref.finalize(self, _remove, folder, os.getpid())
            self._run_json = os.path.abspath(given.texts.get("run_json", os.path.join(folder, "run.json")))
            given.texts["run_json"] = self._run_json
            self._texts = given.texts
            asked = given.handle()
            devices = _devices.find(asked, self._log)
            handles = [one._handle for one in self._receptors]
            opened = ffi.new("berth_docking **")
            several = ffi.new("const berth_receptor *[]", handles)
            Calls().call(lib.berth_docking_open, several, len(handles), devices, asked, self._log, opened)
        kept = (handles, self._log)  # until the docking is freed
        self._handle = ffi.gc(opened[0], lambda handle, kept=kept: _free(handle))
        facts = lib.berth_docking_describe(self._handle)
        self._is_mapped = bool(facts.maps)
        self._learned = tuple(text(facts.learned[i]) for i in range(facts.learned_count))

    @property
    def receptor(self) -> Receptor:
        """What it docks into; of several the first."""
        return self._receptors[0]

    def run(self, ligands: Ligands, progress: Optional[ProgressLike] = None) -> Results:
        """Docks ligands: see dock().  Raises UsageError, too, where it is closed, or in use: another
        thread, or the run whose callback this is, docks."""
        with self._use:
            if self._handle is None:
                raise UsageError("the docking is closed")
            self._log.clear()
            os.makedirs(os.path.dirname(self._run_json), exist_ok=True)  # which may be cleared of what is old
            with files(ligands, posed=False) as found, shown(progress, " ligands") as call:
                _refuse_several(self._texts, found)
                taker = _Taker(self._receptors, self._log, call, self._learned)
                results = taker.run(found, functools.partial(lib.berth_docking_file, self._handle))
                if len(found) == 1 and results.finished:
                    with open(self._run_json, encoding="utf-8", errors="surrogateescape") as file:
                        results._run_json = file.read()
                if self._is_mapped:
                    _tell_apart(results)
                return results

    def close(self) -> None:
        """Frees the devices; may be called twice.  Raises UsageError (it is in use)."""
        with self._use:
            if self._handle is not None:
                handle, self._handle = self._handle, None
                ffi.release(handle)

    def __enter__(self) -> "Docking":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()


def _tell_apart(results: Results) -> None:
    """Logs, as `berth dock` says, of which ligands no mode is where the reference has them."""
    for docked in results:
        best = docked.best
        ranked = not math.isnan(best.ranking)
        if not math.isnan(best.rmsd) and all(pose.rmsd >= 2 for pose in docked.poses):
            logger.warning(
                "%s: no mode within 2 Å of the reference: the same with it as template says what a pose "
                "there comes to: if its %s is lower than %.2f, the search missed it, else the ranking is why, or the "
                "conformers that were docked (at a metal give both metal_sites=\"off\")",
                docked.name, "pose_ranking" if ranked else "score", best.ranking if ranked else best.score,
            )  # fmt: skip


def _remove(folder: str, owner: int) -> None:
    """In the process that made it: one that was forked off ends with the same finalizers."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _free(handle: Any) -> None:
    if lib.berth_docking_is_stuck(handle):
        logger.warning(HANGS)
    lib.berth_docking_free(handle)


def _told_apart(ligands: Any, behind: Tuple[Any, ...], options: Dict[str, Any]) -> "Tuple[Any, Dict[str, Any]]":
    """The ligands and options of dock(), which may have ligand_id in front of the ligands.  Raises TypeError."""
    if not behind:
        return ligands, options
    if len(behind) > 1 or not isinstance(ligands, str) or behind[0] is None:
        raise TypeError("dock: a receptor, or a complex and the ligand_id in it, and then ligands: several as a list")
    if options.get("ligand_id") is not None:
        raise TypeError("dock: ligand_id is given twice")
    return behind[0], {**options, "ligand_id": ligands}


@takes("dock", "scoring_text")
def dock(
    receptor: Receptors,
    ligands: Ligands,
    *behind: Ligands,
    progress: Optional[ProgressLike] = None,
    **options: Any,
) -> Results:
    """Docks ligands into a receptor, as `berth dock` does; with the same files, options and seed it
    gives the same numbers and the same SDF.

        results = berth.dock("complex.pdb", "LIG", "molecules.smi")   # where the residue LIG is
        results                                                       # in a notebook: a table
        results.view()                                                # the best pose in 3D
        table = results.to_pandas()

    With three arguments the one in the middle is ligand_id: the residue in a structure that is cut out and about
    which the site is.  With two, the receptor or autobox, site or box say where the site is:

        receptor = berth.Receptor.from_file("site.brec")
        results = berth.dock(receptor, ["CC(=O)Oc1ccccc1C(=O)O aspirin", "known.mol2"], seed=1)
        for docked in results.ranked():
            print(docked.name, docked.best.score, receptor.unit)
        results.write_sdf("poses.sdf")

    Lengths are in Å, energies in the unit of the scoring function (Receptor.unit: kcal/mol of "vina",
    kJ/mol of "bude"), and lower is better.

    Parameters
    ----------
    receptor
        a Receptor, or a path: see Receptor.from_file; or several, superposed structures of one site, of
        which each ligand keeps its best: the first has the site.
    ligands
        one or several: paths (a library, .blib; Mol2; SMILES, SDF, PDB and more, prepared on the
        way); SMILES, a name behind a blank; RDKit molecules; a Library.  A text is a path where there
        is such a file, else SMILES.  What is prepared gets new 3D coordinates, RDKit molecules too,
        whose conformers are not used.  To dock geometries of your own, give a path of Mol2 with
        hydrogens, which is docked as it stands: consecutive molecules with the same atoms, bonds and
        name (X_C1, X_C2 ... count as X) are conformers of one ligand.  Searches with torsions turn its
        rotatable bonds and keep the rest of a geometry, rigid ones keep all of it.
    behind
        the ligands, where ligand_id stands in front of them.
    progress
        called several times a second with a Progress; what is True stops, in good order.  Or True: a
        bar of tqdm, or a count where that is not installed.
    **options

    None is the default of an option.  What nothing is said of here is as the receptor was loaded; where that was
    with a scoring, dockings are ranked by it.

    Returns Results, in the order of the ligands; what cannot be read, prepared, typed or docked is in
    their failures (and a warning of the logger "berth").  Ctrl-C stops it and raises
    KeyboardInterrupt.  Other threads run meanwhile.

    Raises UsageError, FileError, FormatError (nothing in a file could be read), AtomTypeError,
    DeviceError, ResultError, OutOfMemoryError; TypeError, ValueError of ligands.
    """
    ligands, options = _told_apart(ligands, behind, options)
    with Docking(receptor, **options) as docking:
        return docking.run(ligands, progress)


@takes("score", "scoring_text")
def score(
    receptor: ReceptorLike, poses: Ligands, *, progress: Optional[ProgressLike] = None, **options: Any
) -> Results:
    """Energies of poses as they stand in the receptor's frame, as `berth score` computes them.  No
    site is needed.

    Parameters
    ----------
    receptor, progress
        as of dock(), but one receptor.
    poses
        one or several: paths (Mol2, SDF, PDB; a library), RDKit molecules with conformers, each of
        which is a pose, a Pose, or a Docked, of which all poses are scored.
    **options

    Returns Results, one pose for each molecule; what is relaxed or minimised has as rmsd how far it moved, Å, unless
    a reference is given (a ligand that the receptor cut out is none then).  Raises as dock().
    """
    with Given("score", {"sdf": True, **options}) as given:
        (chosen,) = receptors_of([receptor], given)
        log = Log(chosen._said)
        asked = given.handle()
        devices = _devices.find(asked, log)

        def score_file(path: Any, calls: Any, error: Any) -> int:
            return cast(int, lib.berth_score_file(chosen._handle, devices, path, asked, calls, log.struct, error))

        with files(poses, posed=True) as found, shown(progress, " poses") as call:
            _refuse_several(given.texts, found)
            return _Taker([chosen], log, call).run(found, score_file)


@takes("score", "scoring_text", "minimize")
def minimize(
    receptor: ReceptorLike, poses: Ligands, *, progress: Optional[ProgressLike] = None, **options: Any
) -> Results:
    """Lets poses go downhill from where they stand, as `berth score --minimize` does: of `energy` or,
    where bonds turn, of energy + strain, of which one may rise then.

    Parameters
    ----------
    receptor, poses, progress
        as of score()
    **options

    What is returned and what is raised: as of score().
    """
    return score(receptor, poses, progress=progress, minimize=True, **options)
