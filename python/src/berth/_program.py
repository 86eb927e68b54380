"""The program, which the package has with it: the command `berth` of the environment, and `python -m berth`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ._ligands import use_own_rdkit

PATH = Path(__file__).parent / "bin" / "berth"


def main() -> None:
    """Becomes the program, which prepares ligands by this Python's RDKit, and takes the OpenCL driver
    that the module does."""
    use_own_rdkit()
    os.execv(PATH, ["berth", *sys.argv[1:]])
