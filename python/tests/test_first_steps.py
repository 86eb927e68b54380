"""What docs/python.md begins with: docking into a complex in one line, and looking at what comes of it."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import DEMO, LIGAND, RECEPTOR, SEARCH, atoms_of, in_slice, prepares

import berth


SMILES = ["CC(=O)Oc1ccccc1C(=O)O aspirin", "CCO ethanol"]


@prepares
def test_a_complex_in_one_line(complex_pdb: Path, tmp_path: Path, drawer: None) -> None:
    molecules = tmp_path / "molecules.smi"
    molecules.write_text("\n".join(SMILES) + "\n")
    results = berth.dock(str(complex_pdb), "LIG", str(molecules), **SEARCH, seed=3)
    assert not results.failures and [docked.name for docked in results] == ["aspirin", "ethanol"]
    assert "aspirin" in results._repr_html_()
    same = berth.dock(complex_pdb, molecules, ligand_id="LIG", **SEARCH, seed=3)
    assert [docked.best.sdf for docked in same] == [docked.best.sdf for docked in results]
    site = berth.Receptor.from_file(complex_pdb, ligand_id="LIG").site
    crystal = np.array([[float(x) for x in atom[2:5]] for atom in atoms_of(LIGAND) if atom[5] != "H"])
    assert site is not None and np.allclose(site[0], (crystal.min(0) + crystal.max(0)) / 2, atol=2)

    view = results.view()
    (structure, kind), (pose, sdf, how) = view.models
    assert kind == "pdb" and sdf == "sdf" and how == {"keepH": True} and pose == results.ranked()[0].best.sdf
    kept = [line[12:27] for line in complex_pdb.read_text().splitlines() if line.startswith("ATOM") and line[76:78] != " H"]
    assert [line[12:27] for line in structure.splitlines() if line.startswith("ATOM")] == kept  # without LIG
    assert results.view(results[1], width=300).models[1][0] == results[1].best.sdf
    with pytest.raises(ValueError, match="poses 1 to"):
        results.view(results[1], mode=100)
    again = pickle.loads(pickle.dumps(results))
    assert again[0].best.sdf == results[0].best.sdf
    with pytest.raises(ValueError, match="another process"):
        again.view()


def test_what_is_no_ligand_id(complex_pdb: Path) -> None:
    for given in (("LIG", LIGAND, LIGAND), (["LIG"], LIGAND), ("LIG", None)):
        with pytest.raises(TypeError, match="ligand_id"):
            berth.dock(complex_pdb, *given)
    with pytest.raises(TypeError, match="twice"):
        berth.dock(complex_pdb, "LIG", LIGAND, ligand_id="LIG")
    with pytest.raises(berth.UsageError, match="XYZ"):
        berth.dock(complex_pdb, "XYZ", LIGAND, **SEARCH)


def test_without_py3dmol(receptor: berth.Receptor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py3Dmol", None)
    with pytest.raises(ImportError, match="pip install py3Dmol"):
        berth.dock(receptor, LIGAND, **SEARCH).view()


@in_slice
def test_views_of_other_receptors(complex_pdb: Path, receptor: berth.Receptor, drawer: None) -> None:
    """A Mol2 file as it stands, and side chains that moved, which are where the pose has them."""
    (mol2, kind), _ = berth.dock(receptor, LIGAND, **SEARCH).view().models
    assert kind == "mol2" and mol2 == RECEPTOR.read_text()
    results = berth.dock(complex_pdb, "LIG", DEMO / "1hpv_ligand.mol2", flexible_residues="A:25,B:82", **SEARCH)
    pose = results[0].best
    (structure, _), _ = results.view().models
    given = complex_pdb.read_text()
    moved = [line for line in structure.splitlines() if line.startswith("ATOM") and line[30:54] not in given]
    assert len(moved) == 5 and {line[17:26] for line in moved} == {"ASP A  25", "VAL B  82"}
    for atom in pose.tags["side_chains"].split("; "):
        assert "".join(f"{float(x):8.3f}" for x in atom.split()[2:]) in structure
