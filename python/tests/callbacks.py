"""What the library calls back must live as long as it is called, whenever Python collects its garbage: handles
of cffi 2 are collected, and one that is gone ends the process.  Run by test_misuse.py and, with today's cffi, by
tests/cli/test_python.sh: callbacks.py RECEPTOR LIGAND FOLDER"""

import gc
import sys
from pathlib import Path
from typing import Any

import berth
from berth import _library


class Collecting:
    """cffi's functions, but that handles are looked up among what Python's collection leaves."""

    def __init__(self, ffi: Any) -> None:
        self._ffi = ffi

    def __getattr__(self, name: str) -> Any:
        if name == "from_handle":
            gc.collect()
        return getattr(self._ffi, name)


def main(receptor_path: str, ligand: str, folder: Path) -> None:
    _library.ffi = Collecting(_library.ffi)
    search = dict(search="fast", poses=16, generations=1, refine=1, refine_evaluations=50)
    alanine = folder / "alanine.pdb"  # which lacks CB, which is said
    row = "ATOM  {:5d}  {:3s} ALA A   1    {:8.3f}{:8.3f}{:8.3f}  1.00 10.00           {}\n"
    atoms = (("N", 0.0), ("CA", 1.46), ("C", 2.98), ("O", 4.2))
    alanine.write_text("".join(row.format(k, name, x, 0.0, 0.0, name[0]) for k, (name, x) in enumerate(atoms, 1)))
    berth.Receptor.from_file(alanine)
    receptor = berth.Receptor.from_file(receptor_path, autobox=ligand)
    library = berth.Library.prepare(ligand, folder / "library.blib", progress=lambda progress: None)
    library.verify()
    berth.devices()
    results = berth.dock(receptor, ligand, **search, progress=lambda progress: None)
    berth.score(receptor, results)
    berth.screen(receptor, library, folder / "screen", **search, progress=lambda progress: None)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    print("alive")
