"""How much to search."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import tempfile
import weakref
from typing import Any, Dict, List, Optional, Union, cast

from ._berth import ffi, lib
from ._inputs import Ligand, one_file
from ._library import Path, encode, fill
from ._options import DOCK


class _Files:
    """Files of what is given otherwise, as long as this lives."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        weakref.finalize(self, self._stack.close)

    def restraints(self, given: Path) -> str:
        """A file that is there, or one with these lines."""
        path = os.fspath(given)
        if not isinstance(given, str) or os.path.exists(path) or not path.strip() or " " not in path.strip():
            return path
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="berth-"))
        made = os.path.join(folder, "restraints")
        with open(made, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(path)
        return made

    def template(self, given: Ligand) -> str:
        """A file of the one ligand."""
        return cast(str, self._stack.enter_context(one_file("template_file", given)))


@dataclasses.dataclass(frozen=True)
class Search:
    """How much to search: a level, and what is to differ from it (None: as the level has it).

    Levels with torsions, on maps: "fastest" (ranks as the next one does), "fast" (what screens
    take), "balanced" (what dockings take), "thorough"; conformers as they are, by exact energies:
    "rigid_fast", "rigid_balanced", "rigid_thorough", "published".

    Attributes
    ----------
    level
        one of those above
    seed
        the same on the same kind of device gives the same bytes
    exhaustiveness
        effort as in AutoDock Vina: N is 32 x N poses in a search on maps, 8 is "balanced"
    poses
        of a conformer in each generation
    generations
        the random first one included
    parents
        poses that may have children
    refine
        of them the best, which go downhill in the end by exact energies
    refine_evaluations
        energies and gradients of each descent, at most
    hops
        refine changed poses again, so many times; on maps, descents in each generation
    refine_torsions
        of a rigid search: refined poses turn their rotatable bonds, too
    batch
        conformers in one launch; changes no result; 0: what suits the device
    variant
        tunables of the kernels, "ppwi=2 unroll=8"; None: by device
    check
        hold a device's first batch and every N-th against the reference; 0: none
    batch_limit
        s: a device that takes longer for one batch is dropped
    pool
        of several scoring functions the first so many search in turn, and their poses are pooled; 0: as the
        ranking says ("consensus": 2), else 1
    restraints
        what a search on maps is restrained by: a file, or its lines as a text (docs/restraints.md); None:
        nothing
    template_file
        a ligand where it is bound, as a file, an RDKit molecule with a conformer or a Pose: what others
        have in common with it starts there and stays there
    core
        what of it that is, SMARTS; None: the largest part in common
    core_tolerance
        Å: how far its atoms may lie from the template's; 1000: they only start there
    core_weight
        what being off the template costs at most, in the function's unit; 0: it is held there
    min_core
        heavy atoms in common that count as a core
    no_core
        ligands without it are docked without the template ("free"), or fail ("refuse")
    metal_sites
        open coordination sites of metals draw donors in a search on maps: auto (not those of metals that the
        ligand which was cut out does not bind), on or off
    water_price
        of several receptors: what a pose pays for each water that another of them has and its own lacks, in
        the function's unit
    """

    level: str = DOCK["search"]
    seed: int = DOCK["seed"]
    exhaustiveness: Optional[int] = None
    poses: Optional[int] = None
    generations: Optional[int] = None
    parents: Optional[int] = None
    refine: Optional[int] = None
    refine_evaluations: Optional[int] = None
    hops: Optional[int] = None
    refine_torsions: Optional[bool] = None
    batch: int = DOCK["batch"]
    variant: Optional[str] = None
    check: int = DOCK["check"]
    batch_limit: float = DOCK["batch_limit"]
    pool: int = DOCK["pool"]
    restraints: Optional[Path] = None
    template_file: Optional[Ligand] = None
    core: Optional[str] = None
    core_tolerance: float = DOCK["core_tolerance"]
    core_weight: float = DOCK["core_weight"]
    min_core: int = DOCK["min_core"]
    no_core: str = DOCK["no_core"]
    metal_sites: str = DOCK["metal_sites"]
    water_price: float = DOCK["water_price"]

    @property
    def _goes_by_score(self) -> bool:
        """Of rigid searches, and of what is not refined, no ranking by several functions is usual."""
        return self.level.startswith("rigid_") or self.level == "published" or self.refine == 0

    def _struct(self) -> "tuple[Any, Any]":
        """As the library takes it, and what must be kept as long."""
        options = ffi.new("struct berth_search_options *")
        lib.berth_search_defaults(options, ffi.sizeof(options[0]))
        made = _Files()
        kept: List[Any] = [made]
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name == "restraints" and value is not None:
                value = made.restraints(value)
            elif field.name == "template_file" and value is not None:
                value = made.template(value)
            if isinstance(value, str):
                kept.append(value := encode(value))
            if value is not None:
                fill(options, **{"search" if field.name == "level" else field.name: value})
        return options, kept


def search_of(search: Union[str, Search], seed: Optional[int], exhaustiveness: Optional[int]) -> Search:
    """What is asked for by a level's name, or in full, and perhaps a seed and an effort of its own."""
    chosen = Search(search) if isinstance(search, str) else search
    given: Dict[str, Any] = {"seed": seed, "exhaustiveness": exhaustiveness}
    return dataclasses.replace(chosen, **{name: value for name, value in given.items() if value is not None})
