"""Libraries of ligands."""

from __future__ import annotations

import operator
import os
import sys
from typing import Any, Iterator, List, Optional, Sequence

import numpy as np

from ._berth import ffi, lib
from ._inputs import Ligands, files
from ._library import (
    Calls, Floats, Integers, Log, Path, ProgressLike, array, call, encode, new_positions, shown, text,
)  # fmt: skip
from ._options import Given, takes
from ._results import SHOWN, html_table


def use_own_rdkit() -> None:
    """Ligands are prepared by processes that run RDKit: by this Python, where it has RDKit and the
    user chose no other (BERTH_PYTHON)."""
    from importlib.util import find_spec

    if "BERTH_PYTHON" not in os.environ and sys.executable and find_spec("rdkit") is not None:
        os.environ["BERTH_PYTHON"] = sys.executable


class LibraryLigand:
    """A ligand of a library.

    Attributes
    ----------
    ordinal
        in its library, from 0
    smiles
        canonical, of what was prepared: protonated, with its stereo; "" where unknown
    input_smiles
        as the input gave it; "" where that was no SMILES
    source
        the file that it came from; "" where unknown
    record
        its place in that file, from 1; 0: unknown
    atom_count
        hydrogens among them
    conformer_count
        at least 1
    elements
        [atom_count]: atomic numbers; 0: none
    strains
        [conformer_count]: kJ/mol above the best; NaN where unknown
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        facts = lib.berth_ligand_describe(handle)
        self.ordinal: int = facts.ordinal
        self.name: str = text(facts.name)
        self.smiles: str = text(facts.smiles)
        self.input_smiles: str = text(facts.input_smiles)
        self.source: str = text(facts.source)
        self.record: int = facts.record
        self.atom_count: int = facts.atom_count
        self.heavy_count: int = facts.heavy_count
        self.conformer_count: int = facts.conformer_count
        elements = ffi.buffer(facts.elements, self.atom_count * ffi.sizeof("int"))
        self.elements: Integers = np.frombuffer(elements, np.intc).copy()
        self.strains: Floats = array(facts.strains, self.conformer_count)

    def positions(self, conformer: int = 0) -> Floats:
        """[atom_count, 3]: places of a conformer's atoms, Å, in the frame in which they came; a new
        array.  Raises IndexError."""
        positions, memory = new_positions(self.atom_count)
        if conformer < 0 or not lib.berth_ligand_positions(self._handle, conformer, memory):
            raise IndexError(f"{self.name}: {self.conformer_count} conformers, and none is {conformer}")
        return positions

    def __repr__(self) -> str:
        return f"<LibraryLigand {self.name!r}: {self.conformer_count} conformers>"


class Library(Sequence[LibraryLigand]):
    """A library of prepared ligands (.blib).  library[i] reads ligand i.

    Attributes
    ----------
    conformers
        of all ligands
    bytes
        of the file
    forcefield
        that typed the ligands
    note
        how the library was made
    """

    def __init__(self, path: Path) -> None:
        """Opens a library.  Raises FileError, FormatError (no library, another version, cut off,
        damaged)."""
        loaded = ffi.new("berth_library **")
        call(lib.berth_library_load, encode(path), loaded)
        self._handle = ffi.gc(loaded[0], lib.berth_library_free)
        facts = lib.berth_library_describe(self._handle)
        self.path: str = os.fspath(path)
        self.conformers: int = facts.conformers
        self.bytes: int = facts.bytes
        self.forcefield: str = text(facts.forcefield)
        self.note: str = text(facts.note)
        self._count: int = facts.ligands

    @classmethod
    @takes("prep ligands", "IN...", "out")
    def prepare(
        cls, ligands: Ligands, out: Path, *, progress: Optional[ProgressLike] = None, **options: Any
    ) -> "Library":
        """Prepares ligands for screening, as `berth prep ligands` does, and opens the library.  What
        cannot be prepared is a row of OUT.failures.csv, and a warning.

            library = berth.Library.prepare("molecules.smi", "library.blib", ph=7.4, stereo=4, max_heavy=40)
            print(len(library), library[0].name, library[0].smiles)

        Parameters
        ----------
        ligands
            one or several: paths of files in any format that is read (SMILES, SDF, Mol2 ...) or of
            folders; SMILES, a name behind a blank; RDKit molecules.  New 3D structures are built of all
            but Mol2 with hydrogens and 3D coordinates, which is taken as it stands: charges, hydrogens
            and geometry (rebuild=True: it is treated like the others).
        out
            .blib to write.
        progress
            called several times a second with a Progress; what is True stops, which raises
            UsageError; Ctrl-C does so, too, and resume goes on.  Or True: a bar of tqdm, or a count.
        **options

        Raises UsageError (the library is there; an option), FormatError (no ligand came out),
        FileError, TypeError (no such option).
        """
        with Given("prep ligands", {**options, "out": out}) as given, files(ligands, posed=False) as found:
            with shown(progress, " molecules") as call:
                calls = Calls(call)
                paths = [encode(file.path) for file in found]
                calls.call(
                    lib.berth_prepare_ligands, ffi.new("const char *[]", paths), len(paths), given.handle(), Log(),
                    lib.berth_python_progress, calls.context, ffi.NULL,
                )  # fmt: skip
        return cls(out)

    @classmethod
    def merge(cls, out: Path, paths: Sequence[Path]) -> "Library":
        """Merges libraries of one forcefield, in this order, into the file out, and opens it.  Raises
        UsageError (none given), FormatError, FileError."""
        given = [encode(path) for path in paths]
        call(lib.berth_library_merge, encode(out), ffi.new("const char *[]", given), len(given))
        return cls(out)

    def names(self, first: int = 0, count: Optional[int] = None) -> List[str]:
        """Names of the ligands from ordinal `first` on, of at most count (None: all).  Raises
        FormatError (a damaged block), FileError."""
        found: List[str] = []
        calls = Calls(take=lambda name: found.append(text(name)))
        most = self._count if count is None else count
        calls.call(
            lib.berth_library_names, self._handle, first, most, lib.berth_python_name, calls.context
        )
        return found

    def verify(self) -> int:
        """Checks every byte; how many blocks are damaged, each of which is a warning.  Raises
        FileError."""
        damaged = ffi.new("uint64_t *")
        call(lib.berth_library_verify_all, self._handle, Log(), damaged)
        return int(damaged[0])

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(self._count))]
        ordinal = operator.index(at)
        if not -self._count <= ordinal < self._count:
            raise IndexError(f"{self.path}: {self._count} ligands, and none is {ordinal}")
        read = ffi.new("berth_ligand **")
        call(lib.berth_library_ligand, self._handle, ordinal % self._count, read)
        return LibraryLigand(ffi.gc(read[0], lib.berth_ligand_free))

    def __fspath__(self) -> str:
        """A library stands for its file, alone or among other ligands."""
        return self.path

    def __iter__(self) -> Iterator[LibraryLigand]:
        for i in range(self._count):
            yield self[i]

    def _repr_html_(self) -> str:
        """What notebooks show: its first ligands."""
        usual = ("ordinal", "name", "heavy_atoms", "conformers", "smiles", "input_smiles")
        rows = [
            {"heavy_atoms": ligand.heavy_count, "conformers": ligand.conformer_count, **vars(ligand)}
            for ligand in self[:SHOWN]
        ]
        more = f", the first {len(rows)} of them here" if len(rows) < self._count else ""
        return html_table(usual, rows, f"{self.path}: {self._count} ligands, {self.conformers} conformers{more}")

    def __repr__(self) -> str:
        return f"<Library {self.path!r}: {self._count} ligands, {self.conformers} conformers>"
