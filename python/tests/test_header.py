"""Every function of berth.h, which the module's C part has: NULL where something is needed is refused, by
the argument's name, and taken where berth.h says so."""

import itertools
import re
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import pytest
from conftest import LIGAND, RECEPTOR, ROOT, SEARCH

from berth._berth import ffi, lib

sys.path.insert(0, str(ROOT / "python"))

from tree import declarations  # noqa: E402  (that of python/)

FUNCTIONS = sorted(name for name in dir(lib) if re.match("berth_(?!python_)", name) and callable(getattr(lib, name)))
# Where NULL has a meaning: of every function, and of single ones.
ALWAYS = {"error", "log", "context", "options", "progress", "report"}
OPTIONAL = {
    ("berth_prepare_ligands", "done"), ("berth_screen_merge", "counts"), ("berth_receptor_get_site", "center"), ("berth_receptor_get_site", "edges"),
    ("berth_options_set", "value"), ("berth_options_stop_at", "stop"), ("berth_screen_open", "calls"), ("berth_run_methods", "counts"),
}  # fmt: skip
PATHS = {"berth_library_load", "berth_receptor_load", "berth_prepare_receptor"}  # where it is no ligand's
TOO_LONG = ("berth_devices_selftest", "options")  # all kernels: test_device.sh and others run it
NEEDED = {(f"berth_{name}", "options") for name in ("screen_open", "screen_merge", "prepare_ligands", "prepare_receptor",
    "options_create", "options_set", "options_ranking")}  # fmt: skip
RUNS = {"berth_devices_selftest": "selftest", "berth_prepare_ligands": "prep ligands", "berth_prepare_receptor": "prep receptor",
    "berth_score_file": "score", "berth_screen_merge": "merge", "berth_screen_open": "screen"}  # fmt: skip


def parameters(function: str) -> List[str]:
    """Their names, as berth.h has them."""
    text = declarations().replace("[3]", "")
    place = re.search(rf"\b{function}\(", text)
    assert place
    depth, parts = 0, [""]
    for letter in text[place.end() :]:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    names = [re.search(r"\(\*(\w+)\)|(\w+)$", part.strip()) for part in parts]
    return [name[1] or name[2] for name in names if name and name[0] != "void"]


def pointers(function: str) -> List[str]:
    kinds = ffi.typeof(getattr(lib, function)).args
    return [name for name, kind in zip(parameters(function), kinds) if kind.kind in ("pointer", "function")]


def is_optional(function: str, name: str) -> bool:
    is_default = name in ALWAYS and (function, name) not in NEEDED
    return is_default or (function, name) in OPTIONAL or function.endswith("_free")


def make(function: Callable[..., int], kind: str, *arguments: Any) -> Any:
    """The handle that the function makes."""
    made, error = ffi.new(f"{kind} **"), ffi.new("struct berth_error *")
    assert function(*arguments, made, error) == 0, ffi.string(error.message)
    return ffi.gc(made[0], getattr(lib, f"{kind}_free"))


class Values:
    """What functions take: by the names of their parameters, or else by types."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers = itertools.count()
        self.kept: List[Any] = []
        self.devices = make(lib.berth_devices_find, "berth_devices", ffi.NULL, ffi.NULL)
        self.receptor = make(lib.berth_receptor_load, "berth_receptor", self.text(RECEPTOR), ffi.NULL, ffi.NULL)
        self.receptors = self.new("berth_receptor *[]", [self.receptor])
        assert lib.berth_receptor_site_about(self.receptor, self.text(LIGAND), 4, ffi.NULL, ffi.NULL) == 0
        cut = self.options("dock", ligand_id="EOH")
        self.complex = make(lib.berth_receptor_load, "berth_receptor", self.text(self.complex_pdb()), cut, ffi.NULL)
        self.bonded = make(lib.berth_receptor_load, "berth_receptor", self.text(self.bonded_pdb()), cut, ffi.NULL)
        self.blib = self.text(folder / "ligand.blib")
        inputs = self.texts(self.text(LIGAND))
        prepare = self.options("prep ligands", out=folder / "ligand.blib")
        assert lib.berth_prepare_ligands(inputs, 1, prepare, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL) == 0
        self.library = make(lib.berth_library_load, "berth_library", self.blib)
        self.ligand = make(lib.berth_library_ligand, "berth_ligand", self.library, 0)
        dock = self.options("dock", **SEARCH)
        self.docking = make(lib.berth_docking_open, "berth_docking", self.receptors, 1, self.devices, dock, ffi.NULL)
        self.shard = folder / "shard"
        self.screen = self.new_screen(self.shard)
        assert lib.berth_screen_run(self.screen, ffi.NULL, ffi.NULL, ffi.NULL) == 0
        self.by_name: Dict[str, Callable[[], Any]] = {
            "path": lambda: self.text(LIGAND), "run": lambda: self.text("dock"), "why": lambda: self.text("stopped"), "run_json": lambda: self.text("{}"),
            "covalent": lambda: self.text("A:CYS1:SG"), "ligand_id": lambda: self.new("char[]", 64),
            "functions": lambda: self.new("char[]", 1024),
            "out": lambda: self.text(self.fresh()), "inputs": lambda: inputs, "paths": lambda: self.texts(self.blib),
            "folders": lambda: self.texts(self.text(self.shard)), "library": lambda: ffi.NULL,
            "i": lambda: 0, "first": lambda: 0, "conformer": lambda: 0, "ordinal": lambda: 0,
            "count": lambda: 1, "size": lambda: 1024, "name": lambda: self.text("device"), "value": lambda: self.text("0"),
            "margin": lambda: 4.0, "status": lambda: 0, "agreed": lambda: False,
        }  # fmt: skip
        self.by_type: Dict[str, Callable[[], Any]] = {
            "struct berth_devices_handle *": lambda: self.devices, "struct berth_receptor_handle *": lambda: self.receptor,
            "struct berth_library_handle *": lambda: self.library, "struct berth_ligand_handle *": lambda: self.ligand,
            "struct berth_docking_handle *": lambda: self.docking, "struct berth_ligand_calls *": self.calls,
            "double *": lambda: self.new("double[3]", [10, 10, 10]),
            "double(*)[3]": lambda: self.new("double[2000][3]"),
        }  # fmt: skip

    def new(self, kind: str, *content: Any) -> Any:
        self.kept.append(ffi.new(kind, *content))
        return self.kept[-1]

    def text(self, text: object) -> Any:
        return self.new("char[]", str(text).encode())

    def texts(self, *texts: Any) -> Any:
        return self.new("char *[]", texts)

    def fresh(self) -> Path:
        return self.folder / f"{next(self.numbers)}.brec"

    def options(self, run: str, **given: object) -> Any:
        options = make(lib.berth_options_create, "berth_options", self.text(run))
        for name, value in given.items():
            assert lib.berth_options_set(options, self.text(name), self.text(value), ffi.NULL) == 0, name
        return options

    def options_of(self, function: str) -> Any:
        run = RUNS.get(function, "dock")
        given: Dict[str, object] = dict(SEARCH) if run in ("dock", "screen") else {}
        if run in ("prep ligands", "prep receptor", "merge", "screen"):
            given["out"] = self.fresh()
        if run == "screen":
            given["library"] = self.folder / "ligand.blib"
        if run == "selftest":
            given = {"small": "true", "check": "random_numbers"}
        return self.options(run, **given)

    def bonded_pdb(self) -> Path:
        """A cysteine, and what is bonded to it as residue EOH."""
        atoms = (("N", "CYS", 0, 0), ("CA", "CYS", 1.5, 0), ("C", "CYS", 3, 0), ("O", "CYS", 4.2, 0), ("CB", "CYS", 1.5, 1.5),
            ("SG", "CYS", 1.5, 3.3), ("C1", "EOH", 1.5, 5.1), ("C2", "EOH", 1.5, 6.6), ("O", "EOH", 1.5, 8))  # fmt: skip
        path = self.folder / "bonded.pdb"
        path.write_text("".join(
            f"ATOM  {i:5}  {name:3} {residue} A   1    {x:8.3f}{y:8.3f}{0:8.3f}  1.00  0.00          {name[0]:>2}\n"
            for i, (name, residue, x, y) in enumerate(atoms)))  # fmt: skip
        return path

    def complex_pdb(self) -> Path:
        """A glycine, and ethanol as residue EOH."""
        atoms = (("N", "GLY", 0), ("CA", "GLY", 1.5), ("C", "GLY", 3), ("O", "GLY", 4.2), ("C1", "EOH", 9), ("C2", "EOH", 10.5),
            ("O", "EOH", 12))  # fmt: skip
        path = self.folder / "complex.pdb"
        path.write_text("".join(
            f"ATOM  {i:5}  {name:3} {residue} A   1    {x:8.3f}{0:8.3f}{0:8.3f}  1.00  0.00          {name[0]:>2}\n"
            for i, (name, residue, x) in enumerate(atoms)))  # fmt: skip
        return path

    def new_screen(self, folder: Path) -> Any:
        options = self.options("screen", **SEARCH, library=self.folder / "ligand.blib", out=folder)
        return make(lib.berth_screen_open, "berth_screen", self.receptors, 1, self.devices, options, ffi.NULL, ffi.NULL)

    def calls(self) -> Any:
        return self.new("struct berth_ligand_calls *", {"ligand": take_ligand})

    def of(self, function: str, name: str, kind: Any) -> Any:
        text = kind.cname.replace("const ", "")
        if text == "struct berth_screen_handle *":  # a run is for one call
            return self.new_screen(self.fresh()) if function == "berth_screen_run" else self.screen
        if text == "struct berth_receptor_handle *" and function in ("berth_receptor_write_pdb", "berth_receptor_write_ligand"):
            return self.complex
        if text == "struct berth_receptor_handle *" and function == "berth_receptor_write_bonded":
            return self.bonded
        if name == "receptors":
            return self.receptors
        if text == "struct berth_options *":
            return self.options_of(function)
        if text in self.by_type:
            return self.by_type[text]()
        if name == "path" and function == "berth_bonded_ligand":
            return self.text(self.bonded_pdb())
        if name == "path" and function in PATHS:
            return self.blib if function == "berth_library_load" else self.text(RECEPTOR)
        if name in self.by_name and not text.endswith("_handle * *"):
            return self.by_name[name]()
        if name == "error":
            return self.new("struct berth_error *")
        if is_optional(function, name) or name == "context":
            return ffi.NULL
        return TAKERS[text] if text in TAKERS else self.new(text)


@ffi.callback("bool(void *, const struct berth_docked_ligand *)")  # type: ignore[misc]
def take_ligand(context: Any, ligand: Any) -> bool:
    return True


@ffi.callback("bool(void *, uint64_t, const char *)")  # type: ignore[misc]
def take_name(context: Any, ordinal: int, name: Any) -> bool:
    return True


@ffi.callback("bool(void *, const struct berth_screen_result *)")  # type: ignore[misc]
def take_result(context: Any, result: Any) -> bool:
    return True


@ffi.callback("void(void *, const struct berth_option_info *)")  # type: ignore[misc]
def take_option(context: Any, option: Any) -> None:
    pass


@ffi.callback("void(void *, const char *)")  # type: ignore[misc]
def take_text(context: Any, text: Any) -> None:
    pass


@ffi.callback("void(void *, const struct berth_kernel_profile *)")  # type: ignore[misc]
def take_kernel(context: Any, kernel: Any) -> None:
    pass


@ffi.callback("void(void *, const struct berth_docked_pocket *)")  # type: ignore[misc]
def take_pocket(context: Any, pocket: Any) -> None:
    pass


TAKERS = {
    ffi.typeof(taker).cname.replace("const ", ""): taker
    for taker in (take_name, take_result, take_option, take_text, take_kernel, take_pocket)
}


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Values:
    return Values(tmp_path_factory.mktemp("header"))


def call(values: Values, function: str, missing: str) -> Tuple[Any, str]:
    """With NULL for this one: what it gives, and the message."""
    kinds = ffi.typeof(getattr(lib, function)).args
    given = {name: values.of(function, name, kind) for name, kind in zip(parameters(function), kinds)}
    error = given.get("error", ffi.NULL)
    given[missing] = ffi.NULL
    result = getattr(lib, function)(*given.values())
    return result, ffi.string(error.message).decode() if error else ""


@pytest.mark.parametrize("function, name", [(f, name) for f in FUNCTIONS for name in pointers(f) if (f, name) != TOO_LONG])
def test_null(values: Values, function: str, name: str) -> None:
    result, message = call(values, function, name)
    fails = ffi.typeof(getattr(lib, function)).result.cname == "enum berth_status"
    if is_optional(function, name):
        assert not fails or result == 0, message
    elif fails:
        assert result == lib.BERTH_E_USAGE and f"argument {name} is NULL" in message
    else:
        assert not result
