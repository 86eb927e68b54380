"""Dockings and scores."""

from __future__ import annotations

import dataclasses
import math
import os
import shutil
import tempfile
import weakref
from types import TracebackType
from typing import Any, Callable, List, Optional, Tuple, Type, Union

from . import _devices
from ._berth import ffi, lib
from ._guard import Use
from ._inputs import File, Ligand, Ligands, files, one_file
from ._library import (
    HANGS, Calls, Log, Path, Progress, ProgressCall, ProgressLike, UsageError, encode, encode_optional, fill,
    logger, shown, text,
)  # fmt: skip
from ._ligands import Library
from ._options import DOCK, SCORE
from ._receptor import Receptor, ScoringLike, Site, ranked_receptor, ranking_of, receptor_of
from ._results import Docked, Results, docked_of
from ._search import Search, search_of


class _Taker:
    """Takes ligands of one file after the other, until it is stopped."""

    def __init__(
        self, receptor: Receptor, log: Log, progress: Optional[ProgressCall], learned: Tuple[str, ...] = ()
    ) -> None:
        self.ligands: List[Docked] = []
        self._file: File
        self._call = progress
        self._total = 0  # of all files; 0: not known
        self._before = Progress(0, 0, 0, 0, False, 0.0)  # of the files before this one
        self._last = self._before
        self._receptor = receptor
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
        receptor = self._receptor
        if told.failure:
            self._log.fail(text(told.name), "" if self._file.alone else f" (index {place})", text(told.failure))
        else:
            self.ligands.append(
                docked_of(told, place, len(receptor.terms), len(receptor.functions), self._learned)
            )

    def run(
        self,
        found: List[File],
        function: Callable[..., int],
        before: "tuple[Any, ...]",
        behind: "tuple[Any, ...]" = (),
    ) -> Results:
        """Calls the function for each file, with these arguments before and behind its path."""
        counts = [_count(file) for file in found]
        self._total = sum(counts) if all(counts) else 0
        for file in found:
            self._before = self._last
            self._file = file
            self._log.name = file.name
            self.calls.call(function, *before, encode(file.path), *behind, self.struct)
            if self.calls.stopped:
                break
        receptor = self._receptor
        if self._call is not None:
            self._call(self._end())
        return Results(
            self.ligands,
            self._log.failures,
            receptor.terms,
            receptor.unit,
            not self.calls.stopped,
            receptor.functions if len(receptor.functions) > 1 else (),
        )


def _count(file: File) -> int:
    """How many ligands it has; 0: that is not known before it is read."""
    if file.indices is not None:
        return len(file.indices)
    return len(Library(file.path)) if file.path.endswith(".blib") else 0


class Docking:
    """Devices that are ready to dock into a receptor: for several calls of run, one after the other.
    close(), or a `with` block, frees the devices."""

    def __init__(
        self,
        receptor: Union[Path, Receptor],
        *,
        scoring: Optional[ScoringLike] = None,
        site: Optional[Site] = None,
        autobox: Optional[Ligand] = None,
        search: Union[str, Search] = DOCK["search"],
        seed: Optional[int] = None,
        exhaustiveness: Optional[int] = None,
        num_modes: int = DOCK["num_modes"],
        min_rmsd: float = DOCK["min_rmsd"],
        energy_range: float = DOCK["energy_range"],
        strain_weight: float = DOCK["strain_weight"],
        max_clash: float = DOCK["max_clash"],
        rank: Optional[str] = None,
        relax: bool = DOCK["relax"],
        rescore: Optional[Path] = None,
        reference: Optional[Ligand] = None,
        any_stereo: bool = DOCK["any_stereo"],
        separate: bool = DOCK["separate"],
        flexible_residues: Optional[str] = None,
        flexible_within: float = DOCK["flexible_within"],
        flexible_most: int = DOCK["flexible_most"],
        covalent: Optional[str] = None,
        reactions: Optional[Path] = None,
        all_warheads: bool = DOCK["all_warheads"],
        ph: float = DOCK["ph"],
        keep_protonation: bool = DOCK["keep_protonation"],
        protomers: int = DOCK["protomers"],
        min_population: float = DOCK["min_population"],
        stereo: int = DOCK["stereo"],
        builder: Optional[str] = None,
        smiles_column: Optional[str] = None,
        name_column: Optional[str] = None,
        sdf: bool = True,
        device: Optional[Union[str, int]] = None,
    ) -> None:
        """Parameters as of dock().  Raises UsageError (no site; an option), DeviceError,
        DeviceMemoryError, and the errors of loading receptor and reference."""
        self._handle: Any = None
        self._use = Use("docking")
        effort = search_of(search, seed, exhaustiveness)
        usual = ranking_of("consensus", rank, receptor, scoring, bool(strain_weight) or effort._goes_by_score)
        self._receptor, rank = ranked_receptor(receptor, scoring, site, autobox, (usual, rank))
        self._log = Log(self._receptor._said)
        options = ffi.new("struct berth_dock_options *")
        lib.berth_dock_defaults(options, ffi.sizeof(options[0]))
        fill(options, num_modes=num_modes, min_rmsd=min_rmsd, energy_range=energy_range)
        fill(options, strain_weight=strain_weight, max_clash=max_clash)
        fill(options, separate=separate, sdf=sdf, relax=relax, any_stereo=any_stereo)
        fill(options, ph=ph, keep_protonation=keep_protonation, protomers=protomers)
        fill(options, min_population=min_population, stereo=stereo)
        chosen, variant = effort._struct()
        options.search = chosen
        devices = _devices.find(device, self._log)
        with one_file("reference", reference) as path:
            known = encode_optional(path)
            options.reference = known
            named = encode_optional(builder)
            options.builder = named
            smiles, names = encode_optional(smiles_column), encode_optional(name_column)
            options.smiles_column, options.name_column = smiles, names
            ranking = encode_optional(rank)
            options.rank = ranking
            model = encode_optional(rescore)
            options.rescore = model
            moving = encode_optional(flexible_residues)
            options.flexible_residues = moving
            fill(options, flexible_within=flexible_within, flexible_most=flexible_most)
            bonded, table = encode_optional(covalent), encode_optional(reactions)
            options.covalent, options.reactions, options.all_warheads = bonded, table, all_warheads
            folder = tempfile.mkdtemp(prefix="berth-")
            weakref.finalize(self, _remove, folder, os.getpid())
            self._run_json = os.path.join(folder, "run.json")
            told = encode(self._run_json)
            options.run_json = told
            opened = ffi.new("berth_docking **")
            Calls().call(
                lib.berth_docking_open, self._receptor._handle, devices, options, self._log, opened
            )
        del variant
        kept = (self._receptor._handle, self._log)  # until the docking is freed
        self._handle = ffi.gc(opened[0], lambda handle, kept=kept: _free(handle))
        facts = lib.berth_docking_describe(self._handle)
        self._is_mapped = bool(facts.maps)
        self._learned = tuple(text(facts.learned[i]) for i in range(facts.learned_count))

    @property
    def receptor(self) -> Receptor:
        """What it docks into."""
        return self._receptor

    def run(self, ligands: Ligands, progress: Optional[ProgressLike] = None) -> Results:
        """Docks ligands: see dock().  Raises UsageError, too, where it is closed, or in use: another
        thread, or the run whose callback this is, docks."""
        with self._use:
            if self._handle is None:
                raise UsageError("the docking is closed")
            self._log.clear()
            os.makedirs(os.path.dirname(self._run_json), exist_ok=True)  # which may be cleared of what is old
            with files(ligands, posed=False) as found, shown(progress, " ligands") as call:
                taker = _Taker(self._receptor, self._log, call, self._learned)
                results = taker.run(found, lib.berth_docking_file, (self._handle,))
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
                "%s: no mode within 2 Å of the reference: the same with it as template_file of a Search says what a pose "
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


def dock(
    receptor: Union[Path, Receptor],
    ligands: Ligands,
    *,
    scoring: Optional[ScoringLike] = None,
    site: Optional[Site] = None,
    autobox: Optional[Ligand] = None,
    search: Union[str, Search] = DOCK["search"],
    seed: Optional[int] = None,
    exhaustiveness: Optional[int] = None,
    num_modes: int = DOCK["num_modes"],
    min_rmsd: float = DOCK["min_rmsd"],
    energy_range: float = DOCK["energy_range"],
    strain_weight: float = DOCK["strain_weight"],
    max_clash: float = DOCK["max_clash"],
    rank: Optional[str] = None,
    relax: bool = DOCK["relax"],
    rescore: Optional[Path] = None,
    reference: Optional[Ligand] = None,
    any_stereo: bool = DOCK["any_stereo"],
    separate: bool = DOCK["separate"],
    flexible_residues: Optional[str] = None,
    flexible_within: float = DOCK["flexible_within"],
    flexible_most: int = DOCK["flexible_most"],
    covalent: Optional[str] = None,
    reactions: Optional[Path] = None,
    all_warheads: bool = DOCK["all_warheads"],
    ph: float = DOCK["ph"],
    keep_protonation: bool = DOCK["keep_protonation"],
    protomers: int = DOCK["protomers"],
    min_population: float = DOCK["min_population"],
    stereo: int = DOCK["stereo"],
    builder: Optional[str] = None,
    smiles_column: Optional[str] = None,
    name_column: Optional[str] = None,
    sdf: bool = True,
    device: Optional[Union[str, int]] = None,
    progress: Optional[ProgressLike] = None,
) -> Results:
    """Docks ligands into a receptor, as `berth dock` does; with the same files, options and seed it
    gives the same numbers and the same SDF.

        receptor = berth.Receptor.from_file("site.brec")
        results = berth.dock(receptor, ["CC(=O)Oc1ccccc1C(=O)O aspirin", "known.mol2"], seed=1)
        for docked in results.ranked():
            print(docked.name, docked.best.score, receptor.unit)
        results.write_sdf("poses.sdf")

    Lengths are in Å, energies in the unit of the scoring function (Receptor.unit: kcal/mol of "vina",
    kJ/mol of "bude"), and lower is better.  Defaults are in the signature.

    Parameters
    ----------
    receptor
        a Receptor, or a path: see Receptor.from_file.
    ligands
        one or several: paths (a library, .blib; Mol2; SMILES, SDF, PDB and more, prepared on the
        way); SMILES, a name behind a blank; RDKit molecules; a Library.  A text is a path where there
        is such a file, else SMILES.  What is prepared gets new 3D coordinates, RDKit molecules too,
        whose conformers are not used.  To dock geometries of your own, give a path of Mol2 with
        hydrogens, which is docked as it stands: consecutive molecules with the same atoms, bonds and
        name (X_C1, X_C2 ... count as X) are conformers of one ligand.  Searches with torsions turn its
        rotatable bonds and keep the rest of a geometry, rigid ones keep all of it.
    scoring
        "vina", "vinardo", "bude", "plp", a .score file or a Scoring; None: the receptor's own, if it was
        loaded with one, or those that rank brings along.  Or several, "vina,vinardo": the first
        searches, all score the poses.
    site, autobox
        the box that ligands' centroids stay in, Å: see Receptor.from_file; None: the receptor's own.
    search, seed, exhaustiveness
        a level ("fastest", "fast", "balanced", "thorough", "rigid_fast", "rigid_balanced", "rigid_thorough",
        "published") or a Search; a seed of its own (1); effort as in AutoDock Vina (8 is "balanced").
    num_modes, min_rmsd, energy_range
        poses of a ligand, at most; Å between them, at least; give none that is this much above the
        best, in the unit of the scoring.
    strain_weight
        rank by energy + strain + this times the conformer's strain; not of Mol2.
    max_clash
        Å: leave out poses whose clash is more.
    rank
        what poses are ordered by, and ligands in Results.ranked(): a ranking that ships with berth
        ("consensus", "screening") or a file (.rank), which bring their scoring functions along unless
        scoring names some; or an expression over columns, "vina + 0.1*plp"; None: as `berth dock` does,
        "consensus", or the score if a scoring (here or of the receptor) or strain_weight is given, the
        search is rigid or nothing is refined, or one of its functions has no types for the receptor.
    relax
        let bond lengths, angles and rings of the best poses go downhill as well before they are ranked,
        by the first function and MMFF94s (needs RDKit); not with restraints or what moves beside.
    rescore
        a model (docs/learned.md) that judges the poses of a ligand: Pose.learned; they are ordered
        again where rank looks at what it says.
    reference
        a known pose, for RMSDs: a file, an RDKit molecule with a conformer, or a Pose.
    any_stereo
        RMSDs to a reference that is another stereoisomer, too, which are NaN otherwise.
    separate
        every molecule of a Mol2 file by itself; False: consecutive conformers of one ligand compete.
    flexible_residues, flexible_within, flexible_most
        residues of the receptor whose side chains move with the ligand, "A:315,A:382"; and those with
        an atom that moves within so many Å of the reference, the nearest ones, at most so many.  The
        receptor is no Mol2, the search on maps.  Poses have the part receptor_strain.
    covalent
        the receptor's atom that ligands are bonded to, "A:CYS25:SG": molecules with a warhead become
        adducts, which hold its side chain from CA on and hang from it; adducts are taken as they are.
        Without a site it is a box of 30 Å about the atom.
    reactions, all_warheads
        a table of reactions that make adducts, in place of the one that ships; of each of a
        molecule's warheads, where there are several, which is a failure otherwise.
    ph, keep_protonation, protomers, min_population, stereo
        of ligands that are prepared, as of Library.prepare: protonated for this pH, or as drawn; states
        of protonation of a molecule and isomers where it leaves stereo open, at most.
    builder
        what builds the 3D coordinates of ligands that are prepared: "rdkit", "fragments" or
        "openbabel"; None: fragments (rigid searches: "rdkit") where RDKit is there.
    smiles_column, name_column
        of tables (.csv, .tsv) and of SMILES with a line of column names: a column's name, or its
        number from 1; None: the one with a usual name ("smiles"; "id").
    sdf
        give each pose as SDF, too, which to_rdkit and write_sdf need.
    device
        None: those like the fastest-looking one; "all"; or numbers, parts of names, "cuda:0", with
        commas between them.
    progress
        called several times a second with a Progress; what is True stops, in good order.  Or True: a
        bar of tqdm, or a count where that is not installed.

    Returns Results, in the order of the ligands; what cannot be read, prepared, typed or docked is in
    their failures (and a warning of the logger "berth").  Ctrl-C stops it and raises
    KeyboardInterrupt.  Other threads run meanwhile.

    Raises UsageError, FileError, FormatError (nothing in a file could be read), AtomTypeError,
    DeviceError, ResultError, OutOfMemoryError; TypeError, ValueError of ligands.
    """
    with Docking(
        receptor, scoring=scoring, site=site, autobox=autobox, search=search, seed=seed,
        exhaustiveness=exhaustiveness, num_modes=num_modes, min_rmsd=min_rmsd, energy_range=energy_range, strain_weight=strain_weight,
        max_clash=max_clash, rank=rank, relax=relax, rescore=rescore, reference=reference, any_stereo=any_stereo, separate=separate, flexible_residues=flexible_residues,
        flexible_within=flexible_within, flexible_most=flexible_most, covalent=covalent, reactions=reactions,
        all_warheads=all_warheads, ph=ph, keep_protonation=keep_protonation, protomers=protomers,
        min_population=min_population, stereo=stereo, builder=builder, smiles_column=smiles_column,
        name_column=name_column, sdf=sdf, device=device,
    ) as docking:  # fmt: skip
        return docking.run(ligands, progress)


def _score(
    receptor: Union[Path, Receptor],
    poses: Ligands,
    scoring: Optional[ScoringLike],
    device: Optional[Union[str, int]],
    progress: Optional[ProgressLike],
    rank: Optional[str] = None,
    reference: Optional[Ligand] = None,
    **options: Any,
) -> Results:
    chosen = receptor_of(receptor, scoring, None, None, rank)
    log = Log(chosen._said)
    struct = ffi.new("struct berth_score_options *")
    lib.berth_score_defaults(struct, ffi.sizeof(struct[0]))
    struct.log = log.struct
    ranking = encode_optional(rank)
    struct.rank = ranking
    fill(struct, **options)
    devices = _devices.find(device, log)
    with one_file("reference", reference) as path:
        place = encode_optional(path)
        struct.reference = place
        with files(poses, posed=True) as found, shown(progress, " poses") as call:
            taker = _Taker(chosen, log, call)
            return taker.run(found, lib.berth_score_file, (chosen._handle, devices), (struct,))


def score(
    receptor: Union[Path, Receptor],
    poses: Ligands,
    *,
    relax: bool = SCORE["relax"],
    scoring: Optional[ScoringLike] = None,
    rank: Optional[str] = None,
    reference: Optional[Ligand] = None,
    any_stereo: bool = SCORE["any_stereo"],
    sdf: bool = True,
    device: Optional[Union[str, int]] = None,
    progress: Optional[ProgressLike] = None,
) -> Results:
    """Energies of poses as they stand in the receptor's frame, as `berth score` computes them.  No
    site is needed.

    Parameters
    ----------
    receptor, scoring, reference, any_stereo, device, progress, sdf
        as of dock(); scoring may be several functions here, too.
    rank
        as of dock(), of each pose by itself: Pose.ranking and Docked.ranking.
    poses
        one or several: paths (Mol2, SDF, PDB; a library), RDKit molecules with conformers, each of
        which is a pose, a Pose, or a Docked, of which all poses are scored.
    relax
        let all coordinates go downhill first, as `berth score --relax` does: the sum of the first function and the
        molecule's own energy (MMFF94s), so that scores may rise; Pose.rmsd is how far it moved, Å, unless reference is
        given (a ligand that the receptor cut out is none here).

    Returns Results, one pose for each molecule.  Raises as dock().
    """
    return _score(
        receptor, poses, scoring, device, progress, rank, reference, any_stereo=any_stereo, sdf=sdf, relax=relax
    )


def minimize(
    receptor: Union[Path, Receptor],
    poses: Ligands,
    *,
    refine_torsions: bool = SCORE["refine_torsions"],
    refine_evaluations: int = SCORE["refine_evaluations"],
    scoring: Optional[ScoringLike] = None,
    rank: Optional[str] = None,
    reference: Optional[Ligand] = None,
    any_stereo: bool = SCORE["any_stereo"],
    sdf: bool = True,
    device: Optional[Union[str, int]] = None,
    progress: Optional[ProgressLike] = None,
) -> Results:
    """Lets poses go downhill from where they stand, as `berth score --minimize` does: of `energy` or,
    where bonds turn, of energy + strain.

    Parameters
    ----------
    refine_torsions
        turn their rotatable bonds as well; what falls then is energy + strain, of which one may rise.
    refine_evaluations
        energies and gradients for a molecule, at most.

    The others, what is returned and what is raised: as of score(); without a reference Pose.rmsd is how far
    it moved, Å.
    """
    return _score(
        receptor, poses, scoring, device, progress, rank, reference, any_stereo=any_stereo, sdf=sdf, minimize=True,
        refine_torsions=refine_torsions, refine_evaluations=refine_evaluations,
    )  # fmt: skip
