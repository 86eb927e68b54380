"""What the tests share.  BERTH is the program that the module is held against."""

import os
import shutil
import signal
import subprocess
import sys
import types
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

import berth

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO = Path(os.environ.get("BERTH_DEMO", ROOT / "data" / "demo"))
PROGRAM = os.environ.get("BERTH", str(ROOT / "build" / "berth"))
RECEPTOR, LIGAND = ROOT / "tests" / "fixtures" / "pocket.mol2", DEMO / "1hpv_ligand.mol2"
SMILES = ["CC(=O)Oc1ccccc1C(=O)O aspirin", "CCO", "CC(=O)Nc1ccc(O)cc1 paracetamol"]
# A search that takes no time, for the module and the program.
SEARCH: Dict[str, Any] = {"search": "fast", "poses": 16, "generations": 1, "refine": 1, "refine_evaluations": 50}
SEARCH_OPTIONS = [word for name, value in SEARCH.items() for word in (f"--{name}", str(value))]
# The same with so many launches that a run can be stopped before it ends; and longer ones.
SLOWLY = {**SEARCH, "batch": 1}
LONG: Dict[str, Any] = {"search": "fast", "batch": 1}
# A function that is none of the built-in ones by name, whose kernels other tests have compiled.
SCORE = (ROOT / "data" / "scoring" / "vinardo.score").read_text().replace("term hydrophobic", "term grease")

has_babel = shutil.which("obabel") is not None
prepares = pytest.mark.skipif(
    not has_babel and find_spec("rdkit") is None, reason="neither RDKit nor Open Babel prepares ligands"
)
reads_poses = pytest.mark.skipif(not has_babel, reason="obabel is not installed, which reads SDF as it stands")

# What does not run each time (tests/slices.sh).
SLICES = os.environ.get("BERTH_TEST_SLICE", "").split()
in_slice = pytest.mark.skipif("python" not in SLICES and SLICES != ["all"], reason="slice python")


def program(*arguments: object) -> str:
    """Runs `berth`; what it prints."""
    command = [PROGRAM, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def python(text: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    """Runs a program in a Python of its own."""
    command = [sys.executable, "-c", text, *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="session")
def receptor() -> berth.Receptor:
    return berth.Receptor.from_file(RECEPTOR, scoring="vina", autobox=LIGAND)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> berth.Library:
    return berth.Library.prepare(DEMO / "ten_drugs.mol2.gz", tmp_path_factory.mktemp("library") / "ten.blib")


@pytest.fixture(autouse=True, scope="session")
def heard() -> None:
    """What runs in the background ignores Ctrl-C, and Python leaves it at that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def atoms_of(path: Path) -> List[List[str]]:
    return [line.split() for line in path.read_text().split("@<TRIPOS>ATOM\n")[1].split("@<TRIPOS>")[0].splitlines()]


def line_of(serial: int, name: str, residue: str, chain: str, number: int, atom: List[str]) -> str:
    place = "".join(f"{float(x):8.3f}" for x in atom[2:5])
    element = atom[5].split(".")[0]
    indented = name if len(name) > 3 or len(element) > 1 else f" {name}"
    return f"ATOM  {serial:5} {indented:4} {residue:3} {chain}{number:4}    {place}  1.00  0.00          {element:>2}\n"


@pytest.fixture(scope="session")
def complex_pdb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's pocket and its ligand, as residue LIG."""
    path = tmp_path_factory.mktemp("complex") / "complex.pdb"
    lines = []
    for serial, atom in enumerate(atoms_of(RECEPTOR), 1):
        number = int(atom[6])
        chain, number = ("A", number) if number <= 99 else ("B", number - 99)
        lines.append(line_of(serial, atom[1], atom[7][:3], chain, number, atom))
    for serial, atom in enumerate(atoms_of(LIGAND), len(lines) + 1):
        if atom[5] != "H":
            name = f"{atom[5].split('.')[0]}{serial - len(lines)}"
            lines.append(line_of(serial, name[:4], "LIG", "L", 1, atom).replace("ATOM  ", "HETATM"))
    path.write_text("".join(lines) + "END\n")
    return path


class View:
    """Notes what is asked of py3Dmol's."""

    def __init__(self, **size: int) -> None:
        self.size, self.models, self.said = size, [], []  # type: Any, List[Tuple[Any, ...]], List[Any]

    def addModel(self, *model: Any) -> None:
        self.models.append(model)

    def __getattr__(self, name: str) -> Any:
        return lambda *given: self.said.append((name, *given))


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("py3Dmol")
    setattr(module, "view", View)
    monkeypatch.setitem(sys.modules, "py3Dmol", module)
