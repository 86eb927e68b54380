"""Dockings and scores: what the program gives, too."""

import csv
import dataclasses
import locale
import os
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, List, Sequence, Set

import numpy as np
import pytest
from conftest import (
    LIGAND, LONG, RECEPTOR, SCORE, SEARCH, SEARCH_OPTIONS, SMILES, has_babel, in_slice, prepares, program,
    reads_poses,
)  # fmt: skip

import berth


def docked_by_program(folder: Path, ligand: Path, *options: object, search: Sequence[str] = SEARCH_OPTIONS) -> Path:
    out = folder / "program.sdf"
    program(
        "dock", "--receptor", RECEPTOR, "--autobox_ligand", LIGAND, "--ligand", ligand, "--out", out,
        "--scores", folder / "program.csv", *search, *options,
    )  # fmt: skip
    return out


def check_against_program(results: berth.Results, folder: Path, expected: Path) -> None:
    results.write_sdf(folder / "module.sdf")
    assert (folder / "module.sdf").read_bytes() == expected.read_bytes()
    with open(folder / "program.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    ours = results.rows()
    assert len(rows) == len(ours) > 0
    for theirs, row in zip(rows, ours):
        assert theirs["ligand"] == row["ligand"]
        for name in ("ordinal", "mode", "score", "energy", "efficiency", "conformer", "heavy_atoms", *results.terms):
            assert abs(float(theirs[name]) - float(row[name])) <= 0.000051, name
        for name in ("smiles", "input_smiles"):
            assert theirs.get(name) == row.get(name)
        numbers = (name for name, value in theirs.items() if value and "smiles" not in name)
        for name in (name for name in numbers if name not in ("ligand", "device", "receptor")):
            assert abs(float(theirs[name]) - float(row[name])) <= 0.0051, name


@pytest.fixture
def smiles(tmp_path: Path) -> Path:
    path = tmp_path / "three.smi"
    path.write_text("CC(=O)Oc1ccccc1C(=O)O aspirin\nCCO ligand2\nCC(=O)Nc1ccc(O)cc1 paracetamol\n")
    return path


@in_slice
@prepares
def test_the_best_poses_alone_are_written(receptor: berth.Receptor, tmp_path: Path) -> None:
    results = berth.dock(receptor, SMILES, **SEARCH)
    results.write_sdf(tmp_path / "best.sdf", num_modes=1)
    assert (tmp_path / "best.sdf").read_text() == "".join(docked.best.sdf for docked in results)
    assert len(results.to_rdkit()) > len(results)


@in_slice
@prepares
def test_smiles_as_the_program(receptor: berth.Receptor, smiles: Path, tmp_path: Path) -> None:
    expected = docked_by_program(tmp_path, smiles, "--seed", 7, "--scoring", "vina")
    for ligands in (SMILES, str(smiles)):
        results = berth.dock(receptor, ligands, **SEARCH, seed=7)
        assert results.finished and not results.failures
        check_against_program(results, tmp_path, expected)


@in_slice
def test_modes_away_from_the_reference_are_told(
    receptor: berth.Receptor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = berth.dock(receptor, LIGAND, **SEARCH)[0].best.sdf.splitlines(keepends=True)
    atoms = range(4, 4 + int(record[3][:3]))
    away = [f"{float(line[:10]) + 10:10.4f}{line[10:]}" if i in atoms else line for i, line in enumerate(record)]
    for lines, told in ((record, 0), (away, 1)):
        (tmp_path / "known.sdf").write_text("".join(lines))
        caplog.clear()
        results = berth.dock(receptor, LIGAND, **SEARCH, reference=tmp_path / "known.sdf")
        assert (results[0].best.rmsd > 2) == told
        assert sum("no mode within 2 Å of the reference" in line.getMessage() for line in caplog.records) == told


@in_slice
@prepares
def test_methods_as_the_program(receptor: berth.Receptor, smiles: Path, tmp_path: Path) -> None:
    with open(smiles, "a", encoding="utf-8") as file:
        file.write("nonsense bad\n")
    poses = tmp_path / "poses.sdf"
    options = {"receptor": RECEPTOR, "autobox_ligand": LIGAND, "ligand": smiles, "scoring": "vina", "out": poses}
    berth.command("dock", *SEARCH_OPTIONS, **options)
    expected = berth.command("report", poses, out=tmp_path / "page.html", methods="-").strip()
    results = berth.dock(receptor, smiles, **SEARCH)
    assert results.methods() == expected and "Of 4 molecules given 1 failed." in expected
    for other in (berth.score(receptor, results), berth.dock(receptor, ["CCO", smiles], **SEARCH)):
        with pytest.raises(berth.UsageError, match="^methods"):
            other.methods()


@in_slice
def test_ranking_as_the_program(receptor: berth.Receptor, tmp_path: Path) -> None:
    expected = docked_by_program(tmp_path, LIGAND)
    results = berth.dock(receptor, LIGAND, scoring="vina,vinardo,plp,bude,fitted", rank="consensus", **SEARCH)
    check_against_program(results, tmp_path, expected)
    unnamed = berth.Receptor.from_file(RECEPTOR, autobox=LIGAND)
    for given in (unnamed, RECEPTOR):  # what nothing says is as of the program
        results = berth.dock(given, LIGAND, autobox=LIGAND, **SEARCH)
        check_against_program(results, tmp_path, expected)
    assert unnamed.functions == ("vina",) and results.functions == ("vina", "vinardo", "plp", "bude", "fitted")


@in_slice
def test_several_receptors_as_the_program(tmp_path: Path) -> None:
    other = tmp_path / "other.mol2"
    other.write_text(RECEPTOR.read_text())
    out = tmp_path / "program.sdf"
    program(
        "dock", "--receptor", f"{RECEPTOR},{other}", "--autobox_ligand", LIGAND, "--ligand", LIGAND, "--out", out,
        "--scores", tmp_path / "program.csv", *SEARCH_OPTIONS,
    )  # fmt: skip
    results = berth.dock([RECEPTOR, other], LIGAND, autobox=LIGAND, **SEARCH)
    check_against_program(results, tmp_path, out)
    assert [[RECEPTOR.stem, "other"][pose.receptor] for pose in results[0].poses] == [
        row["receptor"] for row in results.rows()
    ]


@in_slice
def test_files_as_the_program(receptor: berth.Receptor, tmp_path: Path) -> None:
    expected = docked_by_program(tmp_path, LIGAND, "--scoring", "vina")
    made = {"out": tmp_path / "made.sdf", "scores": tmp_path / "made.csv"}
    berth.dock(receptor, LIGAND, **SEARCH, **made)
    assert made["out"].read_bytes() == expected.read_bytes()
    assert made["scores"].read_bytes() == (tmp_path / "program.csv").read_bytes()
    with pytest.raises(berth.UsageError, match="^out: .* several files"):
        berth.dock(receptor, [LIGAND, LIGAND], **SEARCH, **made)


@in_slice
def test_ranked_by_score_as_the_program(tmp_path: Path) -> None:
    rigid = [option.replace("fast", "rigid_fast") for option in SEARCH_OPTIONS]
    expected = docked_by_program(tmp_path, LIGAND, search=rigid)
    results = berth.dock(RECEPTOR, LIGAND, autobox=LIGAND, **{**SEARCH, "search": "rigid_fast"})
    check_against_program(results, tmp_path, expected)
    assert np.isnan(results[0].ranking)


def test_receptor_that_a_function_has_no_types_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    mercury = tmp_path / "mercury.mol2"
    mercury.write_text(RECEPTOR.read_text().replace(" C.3 ", " Hg  ", 1))
    results = berth.dock(mercury, LIGAND, autobox=LIGAND, **SEARCH)
    assert results.functions == () and np.isnan(results[0].ranking)
    assert sum("; ranked by vina alone" in record.getMessage() for record in caplog.records) == 1
    out = tmp_path / "program.sdf"
    program(
        "dock", "--receptor", mercury, "--autobox_ligand", LIGAND, "--ligand", LIGAND, "--out", out, *SEARCH_OPTIONS
    )
    results.write_sdf(tmp_path / "module.sdf")
    assert (tmp_path / "module.sdf").read_bytes() == out.read_bytes()
    with pytest.raises(berth.AtomTypeError):
        berth.dock(mercury, LIGAND, autobox=LIGAND, **SEARCH, rank="consensus")


@in_slice
def test_functions_of_a_ranking_are_typed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    receptor = berth.Receptor.from_file(RECEPTOR, autobox=LIGAND)
    first = berth.dock(receptor, LIGAND, **SEARCH)
    monkeypatch.setattr(berth.Receptor, "_loaded", None)
    receptor.set_site((9.9, 16.2, 8.8), (8, 8, 8))
    again = berth.dock(receptor, LIGAND, **SEARCH)
    assert again[0].ranking != first[0].ranking  # in the site that is set by then
    monkeypatch.undo()
    named = receptor.with_scoring("vina")
    assert named is not receptor and named.with_scoring("vina") is named
    assert np.isnan(berth.dock(named, LIGAND, **SEARCH)[0].ranking)


def test_rescored_as_the_program(receptor: berth.Receptor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    runtime = root / "build-python"
    if not list(runtime.glob("lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so*")):
        pytest.skip("ONNX Runtime (make setup-compare) is not installed")
    monkeypatch.setenv("VIRTUAL_ENV", str(runtime))
    monkeypatch.delenv("BERTH_ONNXRUNTIME", raising=False)
    reference = root / "tests" / "learned" / "reference.py"
    subprocess.run([sys.executable, reference, "weights", tmp_path / "a.pt", tmp_path / "b.pt"], check=True)
    model = tmp_path / "net.model"
    program("model", "import", tmp_path / "a.pt", "--out", model)
    expected = docked_by_program(tmp_path, LIGAND, "--scoring", "vina", "--rescore", model, "--rank", "vina - 9*cnn_score")
    results = berth.dock(receptor, LIGAND, **SEARCH, rescore=model, rank="vina - 9*cnn_score")
    check_against_program(results, tmp_path, expected)
    said = results[0].best.learned
    assert list(said) == ["cnn_score", "cnn_affinity"] and 0 < said["cnn_score"] < 1
    assert results.rows()[0]["cnn_score"] == said["cnn_score"]
    with pytest.raises(berth.FileError):
        berth.Docking(receptor, **SEARCH, rescore=tmp_path / "missing.model")


@prepares
def test_tables(receptor: berth.Receptor, tmp_path: Path) -> None:
    table = tmp_path / "some.csv"
    table.write_text('id,name,smiles\n1,"a, b",CCO\n2,c,\n')
    with pytest.raises(berth.FormatError, match="name_column: 2 columns may be meant"):
        berth.dock(receptor, table, **SEARCH)
    results = berth.dock(receptor, table, name_column="name", **SEARCH)
    assert [docked.name for docked in results] == ["a, b"] and results.failures[0].startswith("c: ")
    results = berth.dock(receptor, ["SMILES name", "CCO ethanol"], **SEARCH)  # a list has no header
    assert [docked.index for docked in results] == [1] and len(results.failures) == 1
    made = berth.Library.prepare(table, tmp_path / "some.blib", smiles_column="3", name_column="1")
    assert [ligand.name for ligand in made] == ["1"]


@in_slice
@prepares
def test_molecules_as_smiles(receptor: berth.Receptor) -> None:
    Chem = pytest.importorskip("rdkit.Chem")
    molecule = Chem.AddHs(Chem.MolFromSmiles("CC(=O)Nc1ccc(O)cc1"))
    molecule.SetProp("_Name", "paracetamol")
    ours, theirs = (berth.dock(receptor, ligand, **SEARCH)[0] for ligand in (molecule, SMILES[2]))
    assert ours.name == theirs.name == "paracetamol"
    assert np.array_equal(ours.positions, theirs.positions)
    back = ours.best.to_rdkit()
    assert Chem.MolToSmiles(Chem.RemoveHs(back)) == Chem.CanonSmiles("CC(=O)Nc1ccc(O)cc1")
    assert back.GetDoubleProp("energy") == pytest.approx(ours.best.energy, abs=1e-4)
    heavy = ours.elements > 1
    assert np.allclose(back.GetConformer().GetPositions()[heavy], ours.best.positions[heavy], atol=1e-4)


@prepares
def test_what_a_ligand_is(receptor: berth.Receptor, tmp_path: Path) -> None:
    results = berth.dock(receptor, [SMILES[0], LIGAND, "nonsense", "CCO", "C1CC x"], **SEARCH, reference=LIGAND)
    assert [docked.index for docked in results] == [0, 1, 3]
    assert [docked.name for docked in results] == ["aspirin", "amprenavir", "ligand4"]
    assert len(results.failures) == 2 and results.failures[0].startswith("ligand3 (index 2): no valid SMILES")
    assert results.failures[1].startswith("x (index 4): no valid SMILES")
    docked = results[1]
    count = len(docked.elements)
    assert docked.positions.shape == (len(docked.poses), count, 3) and docked.heavy_count == 35
    assert docked.best.positions.base is docked.positions  # a view, and no copy
    assert docked.best.terms.sum() == pytest.approx(docked.best.energy, abs=1e-4)
    assert docked.best.rmsd > 0 and np.isnan(results[0].best.rmsd)
    assert results.ranked()[0].best.score == min(docked.best.score for docked in results)


@in_slice
@prepares
def test_which_ligand_failed(receptor: berth.Receptor, tmp_path: Path) -> None:
    untyped = berth.dock(receptor, "OB(O)c1ccccc1 boron", **SEARCH).failures[0]
    assert untyped.startswith("boron (index 0): atom ") and untyped.count("boron") == 1
    isomers = berth.dock(receptor, ["C[C@H](O)CC x", "C[C@@H](O)CC x", "CCO a", "CCO a"], **SEARCH)
    assert [docked.index for docked in isomers] == [0, 1, 2, 3] and not isomers.failures
    assert len({docked.smiles for docked in isomers}) == 3
    file = tmp_path / "some.smi"
    file.write_text("CCO good\nnonsense bad\n")
    of_file = berth.dock(receptor, ["CCO", file], **SEARCH)
    assert [docked.name for docked in of_file] == ["ligand1", "good"]
    assert len(of_file.failures) == 1 and of_file.failures[0].startswith(f"bad (index 1): {file}:2: no valid SMILES")
    alone = berth.dock(receptor, file, **SEARCH)
    assert alone.failures[0].startswith(f"bad: {file}:2: no valid SMILES")
    assert len(berth.dock(receptor, [], **SEARCH)) == 0
    for missing in (berth.FileError, FileNotFoundError):
        with pytest.raises(missing, match="none.sdf"):
            berth.dock(receptor, "none.sdf")
        with pytest.raises(missing, match="none.txt"):
            berth.dock(receptor, "none.txt")
        with pytest.raises(missing, match="none.mol2"):
            berth.score(receptor, LIGAND, reference="none.mol2")
    with pytest.raises(TypeError):
        berth.dock(receptor, [3.5])
    with pytest.raises(ValueError, match="splitlines"):
        berth.dock(receptor, "CCO a\nCCN b\n")
    for single in ({"reference": [LIGAND]}, {"autobox": []}):
        with pytest.raises(TypeError, match="one molecule"):
            berth.dock(receptor, LIGAND, **single)
    for empty in (" ", float("nan"), None):
        assert berth.dock(receptor, [empty]).failures == ("ligand1 (index 0): no SMILES: an empty cell",)


@in_slice
def test_own_function(receptor: berth.Receptor, tmp_path: Path) -> None:
    file = tmp_path / "own.score"
    file.write_text(SCORE)
    expected = docked_by_program(tmp_path, LIGAND, "--scoring", file)
    assert receptor.with_scoring(file).scoring == str(file)
    for scoring in (berth.Scoring.from_file(file), berth.Scoring.from_text(SCORE)):
        results = berth.dock(receptor, LIGAND, scoring=scoring, **SEARCH)
        assert results.terms == ("gauss", "repulsion", "grease", "hydrogen_bond")
        check_against_program(results, tmp_path, expected)
    with pytest.raises(berth.FormatError, match="mine.*line 1|mine:1"):
        receptor.with_scoring(berth.Scoring.from_text("nonsense", name="mine"))
    with pytest.raises(berth.UsageError, match="built-in"):
        receptor.with_scoring(berth.Scoring.from_text(SCORE, name="vina"))
    with pytest.raises(berth.FileError):
        berth.Scoring.from_file("none.score")


def test_scores_as_the_program(receptor: berth.Receptor, tmp_path: Path) -> None:
    command = ["score", "--receptor", RECEPTOR, "--ligand", LIGAND, "--out", tmp_path / "scores.csv"]
    program(*command)
    with open(tmp_path / "scores.csv", newline="") as file:
        row = next(csv.DictReader(file))
    best = berth.score(receptor, LIGAND)[0].best
    assert best.energy == pytest.approx(float(row["energy"]), abs=5.1e-5)
    assert best.clash == pytest.approx(float(row["clash"]), abs=5.1e-4)
    assert np.isnan(best.rmsd)
    assert berth.score(receptor, LIGAND, reference=LIGAND)[0].best.rmsd == pytest.approx(0, abs=1e-6)
    program(*command, "--minimize", "--refine_torsions", "--out_poses", tmp_path / "program.sdf")
    minimized = berth.minimize(receptor, LIGAND, refine_torsions=True)
    minimized.write_sdf(tmp_path / "module.sdf")
    assert (tmp_path / "module.sdf").read_bytes() == (tmp_path / "program.sdf").read_bytes()
    assert minimized[0].best.energy < best.energy and minimized[0].best.rmsd > 0
    if find_spec("rdkit"):
        assert 0 < berth.score(receptor, LIGAND, relax=True)[0].best.rmsd < 3


def test_the_mirror_image_has_no_rmsd(tmp_path: Path) -> None:
    mirror, part = tmp_path / "mirror.mol2", ""
    with open(LIGAND) as known, open(mirror, "w") as file:
        for line in known:
            part, words = (line if line.startswith("@") else part), line.split()
            turned = "ATOM" in part and len(words) > 5
            file.write(" ".join([*words[:2], str(-float(words[2])), *words[3:]]) + "\n" if turned else line)
    assert np.isnan(berth.score(RECEPTOR, mirror, reference=LIGAND)[0].best.rmsd)
    assert berth.score(RECEPTOR, mirror, reference=LIGAND, any_stereo=True)[0].best.rmsd > 1
    for any_stereo in (False, True):
        docked = berth.dock(RECEPTOR, mirror, autobox=LIGAND, **SEARCH, reference=LIGAND, any_stereo=any_stereo)
        assert np.isfinite(docked[0].best.rmsd) == any_stereo


@pytest.mark.skipif(not Path("/usr/share/i18n/charmaps").is_dir(), reason="locales is not installed")
def test_decimal_commas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "source").write_text('LC_NUMERIC\ndecimal_point ","\nthousands_sep "."\ngrouping 3;3\nEND LC_NUMERIC\n')
    subprocess.run(["localedef", "-c", "-i", "source", "./comma"], cwd=tmp_path, stderr=subprocess.PIPE, check=False)
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    structure = tmp_path / "site.pdb"
    structure.write_text("".join(
        f"ATOM  {i + 1:5}  {name:3} ALA A   1    {i * 1.2:8.3f}{i % 2:8.3f}   0.000  1.00  0.00           {name[0]}  \n"
        for i, name in enumerate(["N", "CA", "C", "O", "CB"])
    ))  # fmt: skip

    def results(name: str) -> List[bytes]:
        out = tmp_path / name
        berth.Receptor.from_file(structure, scoring="vina", site=((0, 0, 0.5), (20, 20, 20.5)))
        docked = berth.dock(RECEPTOR, LIGAND, autobox=LIGAND, **SEARCH, reference=LIGAND)
        docked.write_sdf(out)
        scored = berth.minimize(RECEPTOR, docked)
        return [out.read_bytes(), repr(docked.rows()).encode(), repr(scored.rows()).encode(), docked.methods().encode()]

    plain, before = results("points.sdf"), locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, "comma")
        commas = results("commas.sdf")
        kept = locale.localeconv()["decimal_point"]
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert kept == "," and plain == commas


def test_poses_in_another_receptor_are_warned_of(
    receptor: berth.Receptor, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for shift, said in ((4, "amprenavir overlaps the receptor: "), (60, "nothing of the receptor within 4 Å")):
        moved, atoms = [], False
        for line in LIGAND.read_text().splitlines():
            fields = line.split()
            atoms = "ATOM" in line if line.startswith("@") else atoms
            if atoms and len(fields) > 5:
                fields[2] = str(float(fields[2]) + shift)
            moved.append(" ".join(fields))
        (tmp_path / "moved.mol2").write_text("\n".join(moved) + "\n")
        caplog.clear()
        berth.score(receptor, tmp_path / "moved.mol2")
        assert [record.levelname for record in caplog.records if said in record.message] == ["WARNING"]


@in_slice
@prepares
@reads_poses
def test_poses_are_scored_again(receptor: berth.Receptor) -> None:
    docked = berth.dock(receptor, "CCO ethanol", **SEARCH)[0]
    again = berth.score(receptor, [docked, docked.best, docked.best.to_rdkit()])
    assert [pose.index for pose in again] == [0] * len(docked.poses) + [1, 2]
    # coordinates in text are rounded, and a pair of atoms at the cutoff then counts, or not: 0.0036 at most
    assert again[0].best.energy == pytest.approx(docked.best.energy, abs=4e-3)
    with pytest.raises(TypeError, match="index 0"):
        berth.score(receptor, "CCO")
    without = berth.dock(receptor, LIGAND, **SEARCH, sdf=False)
    with pytest.raises(ValueError, match="sdf=True"):
        without.write_sdf("none.sdf")
    assert not os.path.exists("none.sdf")


@prepares
@reads_poses
def test_each_failed_molecule_is_named(receptor: berth.Receptor) -> None:
    Chem = pytest.importorskip("rdkit.Chem")
    whole = berth.dock(receptor, "CCO ethanol", **SEARCH)[0].best.to_rdkit()
    strange = Chem.RWMol(whole)
    strange.GetAtomWithIdx(0).SetAtomicNum(54)
    strange.SetProp("_Name", "strange")
    results = berth.score(receptor, [strange, whole, strange, whole, strange])
    assert [(docked.index, docked.name) for docked in results] == [(1, "ethanol"), (3, "ethanol")]
    assert [failure.split(":")[0] for failure in results.failures] == [
        f"strange (index {index})" for index in (0, 2, 4)
    ]


@in_slice
@prepares
def test_failures_while_docking(receptor: berth.Receptor, tmp_path: Path) -> None:
    """Those that the library does not log are there, too, and each with its index; all are done in the end."""
    seen: List[berth.Progress] = []
    inside: Any = {"site": (tuple(receptor.positions[0]), (0.2, 0.2, 0.2)), "max_clash": 0.5, **SEARCH}
    results = berth.dock(receptor, ["CCO", "?", "CCCCC"], progress=seen.append, **inside)
    assert [failure.split(":")[0] for failure in results.failures if "every pose clashes" in failure] == [
        "ligand1 (index 0)", "ligand3 (index 2)"]  # fmt: skip
    assert len(results) == 0 and len(results.failures) == 3
    assert (seen[-1].total, seen[-1].done, seen[-1].failed) == (3, 3, 3)
    if find_spec("pandas"):
        assert {"ligand", "score", "energy"} <= set(results.to_pandas().columns)
    (tmp_path / "one.smi").write_text("CCO ethanol\n")
    alone = berth.dock(receptor, tmp_path / "one.smi", **inside)
    assert alone.failures == ("ethanol: every pose clashes with the receptor by more than the 0.5 Å allowed",)


@in_slice
@prepares
def test_several_runs_of_a_docking(receptor: berth.Receptor) -> None:
    with berth.Docking(receptor, **SEARCH, num_modes=2) as docking:
        first, again = docking.run(LIGAND), docking.run([LIGAND, "nonsense"])
        assert np.array_equal(again[0].positions, first[0].positions)
        assert len(first[0].poses) <= 2 and not first.failures and len(again.failures) == 1
    with pytest.raises(ValueError, match="closed"):
        docking.run("CCO")


@in_slice
def test_rankings(receptor: berth.Receptor, library: berth.Library) -> None:
    results = berth.dock(receptor, [library], **SEARCH, rank="screening")  # brings vina and vinardo along
    values = [docked.ranking for docked in results.ranked()]
    assert values == sorted(values) and not np.isnan(values).any()
    for docked in results:
        best = docked.best
        rotors = float(best.tags["rotors"])
        wanted = (sum(best.scores) + 0.2 * best.strain) / (1 + 0.03 * rotors) / docked.heavy_count**0.25
        assert docked.ranking == pytest.approx(wanted, abs=1e-3)
    rows = {row["ligand"]: row for row in results.rows() if row["mode"] == 1}
    assert [rows[docked.name]["ranking"] for docked in results.ranked()] == values
    assert rows[results[0].name]["vinardo"] == pytest.approx(results[0].best.scores[1])
    assert "<th>ranking</th><th>score</th><th>vina</th><th>vinardo</th>" in results._repr_html_()
    units = "score, energy and strain in kcal/mol, vina, vinardo each in its own unit"
    assert units in results._repr_html_()
    assert receptor.functions == ("vina",)  # which it stays
    best = results.ranked()[0]
    unknown = dataclasses.replace(best, ranking=float("nan"))
    others = [docked for docked in results if docked is not best]
    partly = berth.Results([unknown, *others], [], results.terms, results.unit, True)
    assert partly.ranked()[-1] is unknown and [docked.ranking for docked in partly.ranked()[:-1]] == values[1:]
    by_score = berth.dock(receptor, library, **SEARCH)
    assert all(np.isnan(docked.ranking) for docked in by_score)
    scores = [docked.best.score for docked in by_score.ranked()]
    assert scores == sorted(scores)
    if has_babel:
        scored = berth.score(receptor, results, rank="consensus")
        assert [len(docked.best.scores) for docked in scored] == [5] * sum(len(docked.poses) for docked in results)
        assert scored[0].best.ranking < 0 and not np.isnan(scored[0].ranking)


@in_slice
def test_progress(receptor: berth.Receptor, library: berth.Library, capsys: pytest.CaptureFixture[str]) -> None:
    seen: List[berth.Progress] = []
    with berth.Docking(receptor, **SEARCH) as docking:
        docking.run([library.path, library.path], progress=seen.append)
        assert seen[-1].total == 20 and seen[-1].done == 20 and seen[-1].finished
        docking.run([LIGAND, library.path], progress=seen.append)
        assert seen[-2].total == 0 and (seen[-1].total, seen[-1].done, seen[-1].failed) == (11, 11, 0)
        docking.run(LIGAND, progress=False)
        with pytest.raises(berth.UsageError, match="berth.Progress"):
            docking.run(LIGAND, progress="bar")  # type: ignore[arg-type]
    assert len(berth.dock(receptor, library, **SEARCH, progress=True)) == 10
    said = capsys.readouterr().err
    assert "10/10" in said if find_spec("tqdm") else said.endswith("\r10/10 ligands\n")


@in_slice
def test_restraints(receptor: berth.Receptor, tmp_path: Path) -> None:
    lines = "atom to 9 16 8 radius 2\n"
    (tmp_path / "lines.txt").write_text(lines)
    said, read = (
        berth.dock(receptor, LIGAND, **SEARCH, restraints=given)
        for given in (lines, tmp_path / "lines.txt")
    )
    assert said[0].best.tags["restraint_1"] == read[0].best.tags["restraint_1"] != ""
    with pytest.raises(berth.FormatError, match=":1: "):
        berth.dock(receptor, LIGAND, **SEARCH, restraints="no such line")
    with pytest.raises(berth.FileError):
        berth.dock(receptor, LIGAND, **SEARCH, restraints="none.txt")
    held = berth.dock(receptor, LIGAND, **SEARCH, template=said[0].best, num_modes=1)
    assert float(held[0].best.tags["restraint_1"]) < 1.5
    if find_spec("rdkit") and has_babel:
        molecule = said[0].best.to_rdkit()
        same = berth.dock(receptor, LIGAND, **SEARCH, template=molecule, num_modes=1)
        assert float(same[0].best.tags["restraint_1"]) < 1.5


def test_stopped(receptor: berth.Receptor, library: berth.Library) -> None:
    seen: List[berth.Progress] = []

    def stop(progress: berth.Progress) -> bool:
        seen.append(progress)
        return True

    results = berth.dock(receptor, library, **LONG, progress=stop)
    assert not results.finished and len(results) < 10 and seen


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:  # it has ended
        return 0


def _children() -> Set[str]:
    """Processes that this one has started."""
    return {stat.parent.name for stat in Path("/proc").glob("[0-9]*/stat") if _parent(stat) == os.getpid()}


@prepares
def test_workers_stay(receptor: berth.Receptor) -> None:
    """What prepares molecules serves each call of a docking, also behind one that was stopped."""
    before = _children()
    several = [f"{'C' * (i + 1)}O n{i}" for i in range(200)]
    with berth.Docking(receptor, **SEARCH) as docking:
        first = docking.run("CCO ethanol")
        workers = _children() - before
        again = docking.run("CCO ethanol")
        assert _children() - before == workers and (workers or not find_spec("rdkit"))
        assert not docking.run(several, lambda _: True).finished
        last = docking.run(["CCO ethanol", "?", "CCCO"])
    assert first[0].best.sdf == again[0].best.sdf == last[0].best.sdf
    assert len(last) == 2 and len(last.failures) == 1
    assert _children() == before


def test_interrupted(receptor: berth.Receptor, library: berth.Library) -> None:
    with pytest.raises(KeyboardInterrupt):
        berth.dock(receptor, library, **LONG, progress=lambda _: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(ZeroDivisionError):
        berth.dock(receptor, library, **LONG, progress=lambda progress: 1 // 0)
    assert len(berth.dock(receptor, LIGAND, **SEARCH)) == 1


@in_slice
def test_other_threads_run(receptor: berth.Receptor, library: berth.Library) -> None:
    count, ended = 0, threading.Event()

    def work() -> None:
        nonlocal count
        while not ended.is_set():
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        berth.dock(receptor, library, **SEARCH, sdf=False)
    finally:
        ended.set()
        thread.join()
    assert count > 3  # it is called back some twenty times


def test_errors(receptor: berth.Receptor) -> None:
    with pytest.raises(berth.UsageError, match="center_x.*autobox.*ligand_id") as missing:
        berth.dock(RECEPTOR, LIGAND)
    assert missing.value.option == "center_x"
    with pytest.raises(berth.UsageError, match="'quick'"):
        berth.dock(receptor, LIGAND, search="quick")
    with pytest.raises(berth.UsageError, match="num_modes"):
        berth.dock(receptor, LIGAND, num_modes=0)
    with pytest.raises(berth.UsageError, match="no such device"):
        berth.dock(receptor, LIGAND, device="no such device")


def test_tables(receptor: berth.Receptor) -> None:
    results = berth.dock(receptor, [LIGAND, LIGAND], **SEARCH, num_modes=2)
    assert {type(row["seed"]) for row in results.rows()} == {int}
    pandas = pytest.importorskip("pandas")
    table = results.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == sum(len(docked.poses) for docked in results)
    assert table.query("mode == 1")["score"].tolist() == [docked.best.score for docked in results]
    assert "ranking" not in table.columns and table["seed"].tolist() == [1] * len(table)
    assert pandas.api.types.is_integer_dtype(table["seed"])
    with pytest.raises(TypeError, match="'vina,plp'"):
        berth.dock(receptor, LIGAND, scoring=["vina", "plp"])


@in_slice
def test_what_is_wrong_with_a_receptor_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "alanine.pdb"  # which lacks CB
    row = "ATOM  {:5d}  {:3s} ALA A   1    {:8.3f}{:8.3f}{:8.3f}  1.00 10.00           {}\n"
    atoms = (("N", 0.0), ("CA", 1.5), ("C", 3.0), ("O", 4.2))
    path.write_text("".join(row.format(k, name, x, 0.0, 0.0, name[0]) for k, (name, x) in enumerate(atoms, 1)))
    site = ((2, 0, 0), (4, 4, 4))

    def said(what: str = "lacks atoms: ALA A:1 (CB)") -> int:
        return sum(what in record.getMessage() for record in caplog.records)

    receptor = berth.Receptor.from_file(path, site=site)
    again = receptor.with_scoring("plp").with_scoring("vinardo")
    assert again.functions == ("vinardo",) and again.site == receptor.site
    assert said() == 1
    caplog.clear()
    for seed in range(3):  # by its path, as in a loop
        berth.dock(path, LIGAND, site=site, **SEARCH, seed=seed)
    assert said() == 1
    berth.dock(receptor, LIGAND, **SEARCH)
    assert said() == 1
    os.utime(path, (0, 0))  # another file of this name
    berth.dock(path, LIGAND, site=site, **SEARCH)
    assert said() == 2
    for x in (13, 14, 14):  # what is wrong with a site is said of each
        berth.dock(receptor, LIGAND, site=((x, 0, 0), (4, 4, 4)), **SEARCH)
    assert said("holds nothing of the receptor") == 2


@in_slice
@prepares
def test_warnings_of_a_file_are_said_once_for_a_receptor(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "ethane.pdb"
    row = "HETATM{:5d}  {:3s} LIG A   1    {:8.3f}{:8.3f}{:8.3f}  1.00 10.00           C\n"
    path.write_text("".join(row.format(k, f"C{k}", 1.53 * k, 0.0, 0.0) for k in (1, 2)))
    for count in (1, 2):
        receptor = berth.Receptor.from_file(RECEPTOR, autobox=LIGAND)
        for _ in range(2):
            assert len(berth.dock(receptor, path, **SEARCH)) == 1
        said = [record for record in caplog.records if "has no bond orders" in record.getMessage()]
        assert len(said) == count and {record.levelname for record in said} == {"WARNING"}


@in_slice
@prepares
def test_open_stereo_is_warned_of_once(receptor: berth.Receptor, caplog: pytest.LogCaptureFixture) -> None:
    berth.dock(receptor, ["CC(O)F first", "CC(O)Cl second", "CCO third"], **SEARCH)
    (said,) = (record.getMessage() for record in caplog.records if "stereo left open" in record.getMessage())
    assert said.startswith("first: ") and said.endswith("(and 1 more of this kind)")


@in_slice
@prepares
def test_smiles_and_notebooks(receptor: berth.Receptor) -> None:
    results = berth.dock(receptor, ["CCO <b>ethanol</b>", "CC(=O)O acid"], **SEARCH)
    assert [docked.smiles for docked in results] == ["CCO", "CC(=O)[O-]"]
    assert [row["smiles"] for row in results.rows() if row["mode"] == 1] == ["CCO", "CC(=O)[O-]"]
    assert [docked.input_smiles for docked in results] == ["CCO", "CC(=O)O"]
    assert [row["input_smiles"] for row in results.rows() if row["mode"] == 1] == ["CCO", "CC(=O)O"]
    poses = results[0]._repr_html_()
    assert "<th>mode</th><th>score</th><th>energy</th>" in poses and "&lt;b&gt;ethanol&lt;/b&gt;: " in poses
    assert poses.count("<tr>") == 1 + len(results[0].poses)
    shown = results._repr_html_()
    assert "&lt;b&gt;ethanol&lt;/b&gt;" in shown and "<th>smiles</th>" in shown and "2 ligands" in shown
    assert "0 failures; score, energy and strain in kcal/mol" in shown and "<th>index</th>" in shown
    assert "smiles" not in berth.dock(receptor, LIGAND, **SEARCH, num_modes=1).rows()[0]


@in_slice
def test_exhaustiveness(receptor: berth.Receptor) -> None:
    one, same = (
        berth.dock(receptor, LIGAND, search="fast", num_modes=1, **effort)[0].best.sdf
        for effort in ({"exhaustiveness": 1}, {"poses": 32})
    )
    assert one == same
    with pytest.raises(berth.UsageError, match="exhaustiveness"):
        berth.dock(receptor, LIGAND, exhaustiveness=-2)
