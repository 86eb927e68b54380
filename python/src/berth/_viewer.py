"""Poses in their receptor, as notebooks show them.  py3Dmol draws."""

from __future__ import annotations

import gzip
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

from ._library import UsageError
from ._results import Pose

if TYPE_CHECKING:
    from ._receptor import Receptor

NEAR = 5.0  # Å: residues so near to the pose are drawn whole


def _moved(lines: List[str], side_chains: str) -> List[str]:
    """Lines of PDB, in which atoms are where a pose's tag has them (docs/formats.md).  Raises ValueError."""
    places: Dict[Tuple[str, str], str] = {}
    for one in side_chains.split("; ") if side_chains else ():
        residue, name, *numbers = one.split()
        places[residue, name] = "".join(f"{float(number):8.3f}" for number in numbers)
    found = []
    for line in lines:
        residue = ":".join((line[17:20].strip(), line[21:22].strip(), line[22:27].strip()))
        place = places.pop((residue, line[12:16].strip()), line[30:54])
        found.append(line[:30] + place + line[54:])
    if places:
        raise ValueError(f"view: the receptor has no atom {' '.join(next(iter(places)))}, which moved with the pose")
    return found


def _structure(receptor: Receptor, pose: Pose) -> Tuple[str, str]:
    """What the pose stands in, and its format: PDB, or of a Mol2 file that itself."""
    with tempfile.TemporaryDirectory(prefix="berth-") as folder:
        made = os.path.join(folder, "receptor.pdb")
        try:
            receptor.write_pdb(made)
        except UsageError:
            with open(receptor.path, "rb") as given:
                text = given.read()
            return (gzip.decompress(text) if receptor.path.endswith(".gz") else text).decode(errors="replace"), "mol2"
        with open(made, encoding="utf-8") as file:
            return "".join(_moved(file.readlines(), pose.tags.get("side_chains", ""))), "pdb"


def view(receptor: Receptor, pose: Pose, width: int, height: int) -> Any:
    """A py3Dmol.view.  Raises ImportError, ValueError (the pose has no bonds)."""
    try:
        import py3Dmol
    except ImportError as error:
        raise ImportError("py3Dmol, which draws poses in notebooks, is not installed: pip install py3Dmol") from error
    if not pose.sdf:
        raise ValueError("the pose has no bonds: dock, score or minimize with sdf=True")
    drawn = py3Dmol.view(width=width, height=height)
    drawn.addModel(*_structure(receptor, pose))
    drawn.addModel(pose.sdf, "sdf", {"keepH": True})
    receptors, ligand = {"model": 0}, {"model": 1}
    drawn.setStyle(receptors, {"cartoon": {"color": "lightgrey"}})
    near = {**receptors, "byres": True, "within": {"distance": NEAR, "sel": ligand}}
    drawn.addStyle(near, {"stick": {"radius": 0.1}})
    drawn.setStyle(ligand, {"stick": {"colorscheme": "greenCarbon"}})
    drawn.zoomTo(ligand)
    return drawn
