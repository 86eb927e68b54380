"""Screens: the bytes of `berth screen`, also where they were stopped and went on."""

import csv
import os
import signal
from pathlib import Path
from typing import Any, Dict, List

import pytest
from conftest import LIGAND, RECEPTOR, SEARCH, SEARCH_OPTIONS, SLOWLY, in_slice, program, python

import berth

FILES = ("scores.csv", "hits.sdf", "failures.csv")


@pytest.fixture(scope="module")
def expected(library: berth.Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("expected") / "results"
    program(
        "screen", "--receptor", RECEPTOR, "--autobox_ligand", LIGAND, "--library", library.path,
        "--out", folder, "--scoring", "vina", *SEARCH_OPTIONS,
    )  # fmt: skip
    return folder


def check_same(folder: Path, expected: Path) -> None:
    for name in FILES:
        assert (folder / name).read_bytes() == (expected / name).read_bytes(), name


def best_of(results: List[berth.ScreenResult]) -> str:
    return min(results, key=lambda result: result.score).name


def test_whole(receptor: berth.Receptor, library: berth.Library, expected: Path, tmp_path: Path) -> None:
    run = berth.screen(receptor, library, tmp_path / "whole", **SEARCH)
    results = list(run)
    assert [result.name for result in results] == library.names()
    assert run.progress.finished and run.progress.done == run.progress.total == 10
    check_same(tmp_path / "whole", expected)
    assert run.failures == []
    shown = run._repr_html_()
    assert shown.count("<tr>") == 11 and f"<tr><td>1</td><td>{best_of(results)}</td>" in shown
    assert "10 of 10 ligands done, 0 failed; the best 10 are here" in shown
    best = min(results, key=lambda result: result.score)
    assert best.failure is None and best.terms.sum() == pytest.approx(best.energy, abs=1e-4)
    first = (expected / "hits.sdf").read_text().splitlines()[0]
    assert first == best.name
    with pytest.raises(ValueError, match="run already"):
        list(run)
    with pytest.raises(FileNotFoundError, match="nope.smi"):
        berth.screen(receptor, "nope.smi", tmp_path / "none")
    with pytest.raises(berth.FileError, match="journal"):
        berth.screen(receptor, library, tmp_path / "whole", **SEARCH).run()
    seen: List[berth.Progress] = []
    again = berth.screen(receptor, library, tmp_path / "whole", **SEARCH, overwrite=True)
    assert again.run(progress=seen.append).finished and seen[-1] == again.progress and seen[-1].finished
    pytest.importorskip("rdkit")
    assert run.hits()[0].GetProp("_Name") == best.name
    pytest.importorskip("pandas")
    assert run.to_pandas()["ligand"].tolist() == library.names()


@in_slice
def test_ranks_as_the_program(library: berth.Library, tmp_path: Path) -> None:
    program(
        "screen", "--receptor", RECEPTOR, "--autobox_ligand", LIGAND, "--library", library.path,
        "--out", tmp_path / "program", *SEARCH_OPTIONS,
    )  # fmt: skip
    berth.screen(RECEPTOR, library, tmp_path / "module", autobox=LIGAND, **SEARCH).run()
    check_same(tmp_path / "module", tmp_path / "program")
    assert "ranking" in (tmp_path / "module" / "scores.csv").read_text().split("\n")[0].split(",")


@in_slice
def test_stopped_and_resumed(
    receptor: berth.Receptor, library: berth.Library, expected: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "stopped"
    with berth.screen(receptor, library, folder, **SLOWLY, progress=lambda p: p.done >= 1) as run:
        early = [result.name for result in run]
    assert run.progress.done == len(early) < 10 and not run.progress.finished
    assert not (folder / "scores.csv").exists()
    assert f"{len(early)} of 10 ligands done" in run._repr_html_()
    with pytest.raises(berth.FileError, match="scores.csv"):
        run.to_pandas()
    more = berth.screen(receptor, library, folder, **SEARCH, resume=True)
    assert [result.name for result in more] == library.names()  # the earlier ones first
    assert more.progress.before >= len(early) and more.progress.finished
    check_same(folder, expected)


@in_slice
def test_left(receptor: berth.Receptor, library: berth.Library, expected: Path, tmp_path: Path) -> None:
    folder = tmp_path / "left"
    with pytest.raises(KeyboardInterrupt):
        for _ in berth.screen(
            receptor, library, folder, **SLOWLY,
            progress=lambda progress: os.kill(os.getpid(), signal.SIGINT),
        ):  # fmt: skip
            pass
    berth.screen(receptor, library, folder, **SEARCH, resume=True).run()
    check_same(folder, expected)
    with pytest.raises(ZeroDivisionError):
        berth.screen(receptor, library, tmp_path / "raised", **SLOWLY, progress=lambda p: 1 // 0).run()


@in_slice
def test_python_exits(library: berth.Library, expected: Path, tmp_path: Path, receptor: berth.Receptor) -> None:
    """A screen that nobody takes results of any more does not keep Python from exiting."""
    program = (
        "import berth, sys\n"
        f"search = {SLOWLY!r}\n"
        "run = iter(berth.screen(berth.Receptor.from_file(sys.argv[1], scoring='vina', autobox=sys.argv[2]), sys.argv[3],\n"
        "    sys.argv[4], **search))\n"
        "print(next(run).name)\n"
        "sys.exit(3)\n"
    )
    ended = python(program, RECEPTOR, LIGAND, library.path, tmp_path / "exit")
    assert ended.returncode == 3 and ended.stdout == "amprenavir\n"
    berth.screen(receptor, library, tmp_path / "exit", **SEARCH, resume=True).run()
    check_same(tmp_path / "exit", expected)


@in_slice
def test_shards(receptor: berth.Receptor, library: berth.Library, expected: Path, tmp_path: Path) -> None:
    folders = [tmp_path / "second", tmp_path / "first"]
    for folder, number in zip(folders, (2, 1)):
        berth.screen(receptor, library, folder, **SEARCH, shard=(number, 2)).run()
    assert berth.merge(folders, tmp_path / "joined") == 0
    check_same(tmp_path / "joined", expected)
    assert berth.merge(folders, tmp_path / "by_energy", rank="energy") == 0
    with open(tmp_path / "by_energy" / "scores.csv", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["rank"]))
    energies = [float(row["energy"]) for row in rows]
    assert energies == sorted(energies) and [row["ranking"] for row in rows] == [row["energy"] for row in rows]
    assert berth.merge(folders, tmp_path / "top", top=2) == 0
    assert (tmp_path / "top" / "hits.sdf").read_text().count("$$$$") == 2
    with pytest.raises(berth.FormatError, match="'cnn_score'"):
        berth.merge(folders, tmp_path / "none", rank="energy - cnn_score")
    with pytest.raises(berth.UsageError, match="folder"):
        berth.merge([], tmp_path / "none")


@in_slice
def test_molecules(receptor: berth.Receptor, tmp_path: Path) -> None:
    """Prepared while they are docked: the bytes of the library, and of its screen."""
    pytest.importorskip("rdkit")
    smiles = tmp_path / "few.smi"
    smiles.write_text("CC(C)O isopropanol\nnonsense worse\nc1ccccc1C(=O)N benzamide\n")
    options: Dict[str, Any] = {"structures": 1, "keep_protonation": True}
    library = berth.Library.prepare(smiles, tmp_path / "apart.blib", **options)
    berth.screen(receptor, library, tmp_path / "apart", **SEARCH).run()
    done = berth.screen(receptor, smiles, tmp_path / "whole", **SEARCH, **options).run()
    assert done.finished and done.done == done.total == 2 and done.failed == 1
    for name in ("scores.csv", "hits.sdf"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "apart" / name).read_bytes(), name
    assert (tmp_path / "whole" / "library.blib").read_bytes() == (tmp_path / "apart.blib").read_bytes()
    with pytest.raises(TypeError, match="'colour'"):
        berth.screen(receptor, smiles, tmp_path / "none", colour=1)


def test_failures(receptor: berth.Receptor, library: berth.Library, tmp_path: Path) -> None:
    run = berth.screen(receptor, library, tmp_path / "run", **SEARCH, max_clash=0, rank="screening")
    with pytest.raises(FileNotFoundError, match="failures.csv"):
        run.failures
    results = list(run)
    failed = [result for result in results if result.failure is not None]
    assert failed and [failure.ordinal for failure in run.failures] == [result.ordinal for result in failed]
    assert [(failure.name, failure.reason) for failure in run.failures] == [
        (result.name, result.failure) for result in failed
    ]
    assert all((result.ranking == result.ranking) == (result.failure is None) for result in results)
