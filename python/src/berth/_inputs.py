"""Ligands as people have them, as files for the library: paths, SMILES, RDKit's molecules, poses."""

from __future__ import annotations

import bisect
import contextlib
import dataclasses
import itertools
import math
import os
import re
import tempfile
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union, cast

from ._library import NoFileError
from ._results import Docked, Pose

Ligand = Union[str, "os.PathLike[str]", Pose, Docked, Any]
Ligands = Union[Ligand, Iterable[Ligand]]

# SMILES and their extension, of a line.
_SMILES = re.compile(r"\s*\S+(\s+\|[^|]*\|)?")

# No SMILES ends like these files, nor in a point and small letters: aromatic atoms need rings' numbers.
_ENDINGS = tuple(".blib .mol2 .sdf .sd .mol .smi .smiles .cxsmiles .pdb .pdbqt .ent .cif .xyz .gz .csv .tsv".split())
_LIKE_FILE = re.compile(r"\S*\.[a-z]{2,}")


@dataclasses.dataclass(frozen=True)
class File:
    """Ligands in a file.

    Attributes
    ----------
    indices
        of each of its records, the place among what was given; None: all of it is one place:
    titles
        of each record of a temporary file, the ligand's name
    begins
        and the line that it begins in, from 1
    alone
        nothing else was given: its index says nothing
    """

    path: str
    indices: Optional[List[int]]
    index: int
    titles: Sequence[str] = ()
    begins: Sequence[int] = ()
    alone: bool = False

    def place(self, ordinal: int) -> int:
        indices = self.indices
        return self.index if indices is None else indices[ordinal]

    def name(self, message: str, ligand: str) -> str:
        """The message with the ligand's name, as results have it, and its place among what was given, from
        0, where that is more than a file: in front of it, where it fails and is of a file; else where it names a record of a temporary one."""
        if ligand:  # which is said once
            message = re.sub(rf"(^|: )((molecule|ligand) )?{re.escape(ligand)}: ", r"\1", message, count=1)
        if self.indices is None:
            place = "" if self.alone else f" (index {self.index})"
            return f"{ligand}{place}: {message}" if ligand else message
        record = re.escape(self.path) + r"(:|, record )(\d+)"
        return re.sub(record, lambda found: self._ligand(found[1] == ":", int(found[2])), message)

    def _ligand(self, is_line: bool, number: int) -> str:
        record = (bisect.bisect_right(self.begins, number) if is_line else number) - 1
        return f"{self.titles[record]} (index {self.place(record)})"


def _is_molecule(ligand: Any) -> bool:
    return hasattr(ligand, "GetNumConformers")


def _is_one(ligands: Any) -> bool:
    return isinstance(ligands, (str, os.PathLike, Pose, Docked)) or _is_molecule(ligands)


def _is_path(ligand: Any) -> bool:
    if isinstance(ligand, os.PathLike):
        return True
    if not isinstance(ligand, str):
        return False
    if os.path.exists(ligand):
        return True
    if ligand.lower().endswith(_ENDINGS) or _LIKE_FILE.fullmatch(ligand):
        raise NoFileError(f"{ligand}: no such file")
    return False


def _name(molecule: Any) -> str:
    name = molecule.GetProp("_Name") if molecule.HasProp("_Name") else ""
    return " ".join(str(name).split())


def _is_missing(ligand: Any) -> bool:
    """What pandas has for an empty cell (nan, NA), and RDKit for what it cannot read (None)."""
    return ligand is None or type(ligand).__name__ == "NAType" or (isinstance(ligand, float) and math.isnan(ligand))


def _name_behind(line: str) -> str:
    """The name in a line of SMILES, which may have an extension (CXSMILES) in front of it."""
    return _SMILES.sub("", line, count=1).strip()


def _smiles(ligand: Any, index: int) -> str:
    """A line of a .smi file; without a name the ligand is called by its place.  Behind a blank it names no columns."""
    if _is_missing(ligand):
        line = ""
    elif _is_molecule(ligand):
        from rdkit import Chem

        bare = Chem.RemoveHs(ligand)
        if bare.GetStereoGroups():
            stereo = Chem.CXSmilesFields.CX_ENHANCEDSTEREO
            line = Chem.MolToCXSmiles(bare, Chem.SmilesWriteParams(), stereo)
        else:
            line = Chem.MolToSmiles(bare)
        line = f"{line} {_name(ligand)}".strip()
    elif isinstance(ligand, str):
        line = ligand.strip()
        if len(line.splitlines()) > 1:
            raise ValueError(f"index {index}: a text of several lines is not one SMILES; give text.splitlines()")
    else:
        raise TypeError(f"index {index}: a {type(ligand).__name__} is no path, SMILES or RDKit molecule")
    line = line or '""'  # which fails, as an empty cell
    return f" {line}\n" if _name_behind(line) else f" {line} ligand{index + 1}\n"


def _records(ligand: Any, index: int) -> List[str]:
    """Records of an SDF file: each conformer of a molecule, each pose of a ligand."""
    if isinstance(ligand, Pose):
        return [ligand.sdf]
    if isinstance(ligand, Docked):
        return [pose.sdf for pose in ligand.poses]
    if not _is_molecule(ligand):
        raise TypeError(
            f"index {index}: a {type(ligand).__name__} has no place in the receptor: poses are files, "
            "RDKit molecules with conformers, or results of a docking"
        )
    from rdkit import Chem

    if not ligand.GetNumConformers():
        raise ValueError(f"index {index}: the molecule has no conformer, and so no place in the receptor")
    molecule = Chem.Mol(ligand)
    molecule.SetProp("_Name", _name(ligand) or f"ligand{index + 1}")
    return [
        Chem.MolToMolBlock(molecule, confId=conformer.GetId()) + "$$$$\n"
        for conformer in molecule.GetConformers()
    ]


def _title(text: str) -> str:
    """The name in a record of SDF or a line of SMILES."""
    return (text.split("\n", 1)[0] if "\n" in text.rstrip() else _name_behind(text)).strip()


def _texts(ligand: Any, index: int, posed: bool) -> List[str]:
    return _records(ligand, index) if posed else [_smiles(ligand, index)]


def _groups(ligands: Ligands, posed: bool) -> Iterator[Tuple[Optional[str], Dict[str, Any]]]:
    """Files as they are, and what stands between them, in order."""
    texts: List[str] = []
    indices: List[int] = []
    if hasattr(ligands, "columns"):  # iterated over, a DataFrame gives the names of these
        raise TypeError("ligands: a DataFrame; give the column that has the SMILES or molecules: frame[\"smiles\"]")
    several = [ligands] if _is_one(ligands) else cast(Iterable[Ligand], ligands)
    for index, ligand in enumerate(several):
        if _is_path(ligand):
            if texts:
                yield None, {"texts": texts, "indices": indices}
            texts, indices = [], []
            yield os.fspath(cast(str, ligand)), {"index": index}
        else:
            more = _texts(ligand, index, posed)
            texts += more
            indices += [index] * len(more)
    if texts:
        yield None, {"texts": texts, "indices": indices}


@contextlib.contextmanager
def one_file(name: str, ligand: Optional[Ligand]) -> Iterator[Optional[str]]:
    """The path of a file of the one molecule that a parameter of this name is; None: it is none."""
    if ligand is None:
        yield None
        return
    if not _is_one(ligand):
        raise TypeError(f"{name}: one molecule (a file, an RDKit molecule or a pose), not {ligand!r}")
    if isinstance(ligand, Docked):
        raise TypeError(f"{name}: one pose; of a Docked give one of its poses, or best")
    with files(ligand, posed=True) as found:
        yield found[0].path


@contextlib.contextmanager
def files(ligands: Ligands, posed: bool) -> Iterator[List[File]]:
    """The ligands in files, some of them temporary.  posed: they have places in the receptor."""
    with tempfile.TemporaryDirectory(prefix="berth-") as folder:
        found = []
        for path, group in _groups(ligands, posed):
            if path is not None:
                found.append(File(path, None, group["index"], alone=_is_one(ligands)))
                continue
            made = os.path.join(folder, f"ligands{len(found)}" + (".sdf" if posed else ".smi"))
            with open(made, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(group["texts"])
            titles = [_title(text) for text in group["texts"]]
            ends = itertools.accumulate(text.count("\n") for text in group["texts"])
            begins = [1, *(end + 1 for end in ends)]
            found.append(File(made, group["indices"], 0, titles, begins[:-1]))
        yield found
