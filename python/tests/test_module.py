"""Receptors, libraries and devices."""

import inspect
import logging
import os
import re
import shutil
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path
from typing import Callable, Set

import numpy as np
import pytest
from conftest import DEMO, LIGAND, RECEPTOR, ROOT, SEARCH, SMILES, in_slice, prepares, program, python

import berth


def test_version_and_devices() -> None:
    assert program("--version").split()[1] == berth.__version__
    found = berth.devices()
    assert found[0].number == 0 and found[0].memory > 0 and sum(device.standard for device in found) == 1
    with pytest.raises(berth.UsageError, match="no such device"):
        berth.devices("no such device")


def test_options_are_listed() -> None:
    for run in ("dock", "screen", "score", "merge", "prep ligands", "prep receptor", "selftest"):
        assert berth.options(run)
    assert berth.options("dock")["num_modes"].default == 9 and berth.options("dock")["reference"].default is None
    with pytest.raises(berth.UsageError):
        berth.options("nothing")


@pytest.mark.parametrize("function, run, own", [
    (berth.dock, "dock", {"scoring_text"}),
    (berth.screen, "screen", {"library", "out", "scoring_text"}),
    (berth.score, "score", {"scoring_text"}),
    (berth.minimize, "score", {"scoring_text", "minimize"}),
    (berth.merge, "merge", {"DIR...", "out"}),
    (berth.Library.prepare, "prep ligands", {"IN...", "out"}),
    (berth.Receptor.prepare, "prep receptor", {"IN", "out"}),
])  # fmt: skip
def test_keywords_are_of_the_table(function: Callable[..., object], run: str, own: Set[str]) -> None:
    parameters, said = inspect.signature(function).parameters, inspect.getdoc(function) or ""
    options = berth.options(run)
    assert own <= set(options) and "**options" not in said
    assert not {"receptor", "ligand", "protein", "stages", "report"} & set(options)  # which are the program's
    for name in set(options) - own:
        assert parameters[name].default == (True if name == "sdf" else options[name].default), name
        assert re.search(rf"^({name}|.*, {name})( : |, )", said, flags=re.MULTILINE), name
    keywords = {name for name, parameter in parameters.items() if parameter.kind is parameter.KEYWORD_ONLY}
    assert keywords - set(options) <= {"progress", "site", "autobox"}


def test_receptor(receptor: berth.Receptor, tmp_path: Path) -> None:
    assert receptor.heavy_count == 207 and receptor.unit == "kcal/mol" and len(receptor.terms) == 5
    assert receptor.positions.shape == (207, 3) and abs(receptor.positions).max() < 100
    other = berth.Receptor.from_file(RECEPTOR, scoring="plp", site=((1, 2, 3), (4, 5, 6)))
    assert other.site == ((1, 2, 3), (4, 5, 6)) and other.unit == "PLP"
    assert other.with_scoring("plp") is other and other.with_scoring("bude").site == other.site
    assert berth.Receptor.from_file(RECEPTOR).site is None
    with pytest.raises(berth.UsageError, match="ligand"):
        other.write_ligand(tmp_path / "none.pdb")
    with pytest.raises(berth.UsageError, match=" 0"):
        other.set_site((1, 2, 3), (0, 5, 6))
    with pytest.raises(ValueError, match="three"):
        other.set_site((1, 2), (4, 5, 6))


def test_receptor_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="berth"):
        prepared = berth.Receptor.prepare(RECEPTOR, tmp_path / "r.brec")
        with pytest.raises(berth.UsageError, match="reference"):
            prepared.write_ligand(tmp_path / "none.pdb")
    assert caplog.records and prepared.heavy_count == 207
    assert berth.Receptor.from_file(tmp_path / "r.brec").heavy_count == 207


def test_prepared_with_a_site(tmp_path: Path) -> None:
    """The site is given as Receptor.from_file takes it."""
    made, about = tmp_path / "r.brec", berth.Receptor.from_file(RECEPTOR, autobox=LIGAND).site
    for autobox in (LIGAND, berth.dock(RECEPTOR, LIGAND, autobox=LIGAND, **SEARCH)[0].best):
        found = berth.Receptor.prepare(RECEPTOR, made, autobox=autobox, overwrite=True).site
        wanted = berth.Receptor.from_file(RECEPTOR, autobox=autobox).site
        assert wanted is not None and found is not None and np.allclose(found, wanted, atol=1e-9)
    berth.Receptor.prepare(RECEPTOR, made, site=((1, 2, 3.5), (10, 20, 30)), overwrite=True)
    assert berth.Receptor.from_file(made).site == ((1, 2, 3.5), (10, 20, 30))
    with pytest.raises(berth.UsageError, match="autobox"):
        berth.Receptor.prepare(RECEPTOR, made, site=about, autobox=LIGAND, overwrite=True)
    with pytest.raises(TypeError, match="edges"):
        berth.Receptor.prepare(RECEPTOR, made, site=(1, 2, 3), overwrite=True)


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(berth.FileError, match="none.mol2") as raised:
        berth.Receptor.from_file("none.mol2")
    for path in ("none.mol2", "none.pdb", "none.brec"):
        with pytest.raises(FileNotFoundError, match=path):
            berth.Receptor.from_file(path)
    assert isinstance(raised.value, OSError) and isinstance(raised.value, berth.Error)
    (tmp_path / "bad.blib").write_bytes(b"no library")
    with pytest.raises(berth.FormatError, match="bad.blib"):
        berth.Library(tmp_path / "bad.blib")


def test_library(library: berth.Library, tmp_path: Path) -> None:
    names = library.names()
    assert len(library) == len(names) == 10 and names[0] == "amprenavir"
    assert library.names(8) == names[8:] and library.names(2, 3) == names[2:5]
    shown = library._repr_html_()
    assert shown.count("<tr>") == 11 and "<tr><td>0</td><td>amprenavir</td>" in shown and ": 10 ligands, " in shown
    ligand = library[-1]
    assert ligand.name == names[9] and ligand.ordinal == 9 and len(ligand.elements) == ligand.atom_count
    assert (ligand.elements > 1).sum() == ligand.heavy_count
    places = ligand.positions(ligand.conformer_count - 1)
    assert places.shape == (ligand.atom_count, 3) and np.isfinite(places).all()
    for wrong in (-1, ligand.conformer_count):
        with pytest.raises(IndexError):
            ligand.positions(wrong)
    with pytest.raises(IndexError):
        library[10]
    assert [ligand.name for ligand in library[:2]] == names[:2] and library.verify() == 0
    twice = berth.Library.merge(tmp_path / "twice.blib", [library.path, library.path])
    assert twice.names() == names + names


@prepares
def test_prepare(tmp_path: Path) -> None:
    out = tmp_path / "made.blib"
    made = berth.Library.prepare(["CCO ethanol", "CCN"], out, keep_protonation=True)
    assert made.names() == ["ethanol", "ligand2"] and made[1].smiles == "CCN"
    assert [ligand.input_smiles for ligand in made] == ["CCO", "CCN"]
    with pytest.raises(berth.UsageError, match="overwrite"):
        berth.Library.prepare("CCO", out)
    with pytest.raises(TypeError, match="'phh'; did you mean 'ph'"):
        berth.Library.prepare("CCO", out, overwrite=True, phh=7)
    with pytest.raises(ZeroDivisionError):
        berth.Library.prepare([DEMO / "drugs.smi"], out, overwrite=True, progress=lambda progress: 1 // 0)
    program("prep", "ligands", LIGAND, "--out", tmp_path / "program.blib")
    berth.Library.prepare(LIGAND, tmp_path / "module.blib")
    assert (tmp_path / "module.blib").read_bytes() == (tmp_path / "program.blib").read_bytes()


def test_document() -> None:
    """docs/python.md names everything public."""
    text = (ROOT / "docs" / "python.md").read_text()
    names = [name for name in berth.__all__ if name not in ("Device", "LibraryLigand", "ScreenResult")]
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


@in_slice
@prepares
@pytest.mark.parametrize("function", (berth.dock, berth.screen, berth.Library.prepare))
def test_examples(
    function: Callable[..., object], complex_pdb: Path, drawer: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples of the docstrings run."""
    parts = (inspect.getdoc(function) or "").split("Parameters\n")[0].split("\n\n")
    example = "\n".join(textwrap.dedent(part) for part in parts if part.startswith("    "))
    assert "berth." in example
    monkeypatch.chdir(tmp_path)
    shutil.copy(complex_pdb, "complex.pdb")
    shutil.copy(LIGAND, "known.mol2")
    Path("molecules.smi").write_text("\n".join(SMILES))
    berth.Receptor.prepare(RECEPTOR, "site.brec", autobox=LIGAND)
    exec(example, {"berth": berth})


def test_ligands_are_prepared_by_this_python() -> None:
    has_rdkit = find_spec("rdkit") is not None
    told = python("import os, sys, berth; print(os.environ.get('BERTH_PYTHON') == sys.executable)").stdout
    assert told.strip() == str(has_rdkit or os.environ.get("BERTH_PYTHON") == sys.executable)


@prepares
def test_commands_of_the_program(receptor: berth.Receptor, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    poses, table = tmp_path / "poses.sdf", tmp_path / "made.csv"
    berth.dock(receptor, LIGAND, **SEARCH).write_sdf(poses)
    with caplog.at_level(logging.INFO, logger="berth"):
        assert berth.command("interactions", receptor=RECEPTOR, poses=poses, kinds=["hydrogen_bond"], out=table) == ""
        berth.command("prep receptor", RECEPTOR, out=tmp_path / "r.brec")
    assert f"{RECEPTOR}: 207 atoms" in caplog.text and "berth: " not in caplog.text
    with open(table) as file:
        lines = file.read().splitlines()
    assert lines[0].startswith("pose,ligand,") and len(lines) > 1
    assert "Usage: berth eval screen RESULTS" in berth.command("help", "eval", "screen")
    with pytest.raises(berth.Error, match="frobnicate"):
        berth.command("frobnicate")
    with pytest.raises(berth.UsageError, match="'--nothing'"):
        berth.command("eval screen", tmp_path, nothing=1)
    with pytest.raises(FileNotFoundError, match=r"none\.sdf"):
        berth.command("interactions", receptor=RECEPTOR, poses=tmp_path / "none.sdf", out=table)
