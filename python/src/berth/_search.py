"""How much to search."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Union

from ._berth import ffi, lib
from ._library import call, encode, encode_optional


@dataclasses.dataclass(frozen=True)
class Search:
    """How much to search: a level, and what is to differ from it (None: as the level has it).

    Levels with torsions, on maps: "fast" (what screens take), "balanced" (what dockings take),
    "thorough"; conformers as they are, by exact energies: "rigid_fast", "rigid_balanced",
    "rigid_thorough", "published".
    """

    level: str = "balanced"
    seed: int = 1
    """the same on the same kind of device gives the same bytes"""
    poses: Optional[int] = None
    """of a conformer in each generation"""
    generations: Optional[int] = None
    """the random first one included"""
    parents: Optional[int] = None
    """poses that may have children"""
    refine: Optional[int] = None
    """of them the best, which go downhill in the end by exact energies"""
    evaluations: Optional[int] = None
    """energies and gradients of each descent, at most"""
    hops: Optional[int] = None
    """refine changed poses again, so many times; on maps, descents in each generation"""
    torsions: Optional[bool] = None
    """of a rigid search: refined poses turn their rotatable bonds, too"""
    batch: int = 0
    """conformers in one launch; changes no result; 0: what suits the device"""
    variant: Optional[str] = None
    """tunables of the kernels, "ppwi=2 unroll=8"; None: by device"""
    check_every: int = 100
    """hold a device's first batch and every N-th against the reference; 0: none"""
    patience: float = 600
    """s: a device that takes longer for one batch is dropped"""

    def _struct(self) -> "tuple[Any, Any]":
        """As the library takes it, and what must be kept as long."""
        options = ffi.new("struct berth_search_options *")
        call(lib.berth_search_level, encode(self.level), options, ffi.sizeof(options[0]))
        for name in ("poses", "generations", "parents", "refine", "evaluations", "hops", "torsions"):
            value = getattr(self, name)
            if value is not None:
                setattr(options, name, value)
        for name in ("seed", "batch", "check_every", "patience"):
            setattr(options, name, getattr(self, name))
        variant = encode_optional(self.variant)
        options.variant = variant
        return options, variant


def search_of(search: Union[str, Search], seed: Optional[int]) -> Search:
    """What is asked for by a level's name, or in full, and perhaps a seed of its own."""
    chosen = Search(search) if isinstance(search, str) else search
    return chosen if seed is None else dataclasses.replace(chosen, seed=seed)
