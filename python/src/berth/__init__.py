"""berth: molecular docking on GPUs and CPUs.

    import berth
    results = berth.dock("complex.pdb", "LIG", "molecules.smi")   # where the residue LIG is
    for docked in results.ranked():
        print(docked.name, docked.best.score, results.unit)

Positions are NumPy arrays of doubles, Å, in the receptor's frame, with hydrogens; energies are in the
unit of the scoring function, and lower is better.  Errors are berth.Error; messages go to the logger
"berth".  docs/python.md has more.
"""

from . import _guard
from ._berth import ffi as _ffi
from ._berth import lib as _lib
from ._devices import Device, devices
from ._drivers import offer_pocl as _offer_pocl
from ._docking import Docking, dock, minimize, score
from ._library import (
    AtomTypeError,
    DeviceError,
    DeviceMemoryError,
    Error,
    FileError,
    FormatError,
    OutOfMemoryError,
    Progress,
    ResultError,
    UsageError,
)
from ._ligands import Library, LibraryLigand
from ._ligands import use_own_rdkit as _use_own_rdkit
from ._options import Option, options
from ._program import command
from ._receptor import Receptor
from ._results import Docked, Failure, Pose, Results, ScreenResult
from ._scoring import Scoring
from ._screen import Screen, merge, screen

_offer_pocl()
_use_own_rdkit()

__version__: str = _ffi.string(_lib.berth_version()).decode()

__all__ = [
    "AtomTypeError",
    "Device",
    "DeviceError",
    "DeviceMemoryError",
    "Docked",
    "Docking",
    "Error",
    "Failure",
    "FileError",
    "FormatError",
    "Library",
    "LibraryLigand",
    "Option",
    "OutOfMemoryError",
    "Pose",
    "Progress",
    "Receptor",
    "ResultError",
    "Results",
    "Scoring",
    "Screen",
    "ScreenResult",
    "UsageError",
    "command",
    "devices",
    "dock",
    "merge",
    "minimize",
    "options",
    "score",
    "screen",
]

_guard.guard(globals(), __all__)
