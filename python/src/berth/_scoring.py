"""Scoring functions."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from typing import Optional

from ._library import NoFileError, Path


@dataclasses.dataclass(frozen=True)
class Scoring:
    """A scoring function: a built-in one ("vina", "vinardo", "bude", "plp"), or your own
    (docs/scoring.md says what a .score file holds).  Where a name of a built-in one or a path is
    taken, so is this.

    Attributes
    ----------
    name
        of a built-in one; the path of a .score file; or the name of a text
    text
        what a .score file would hold; None: the name says it
    """

    name: str
    text: Optional[str] = None

    @classmethod
    def from_file(cls, path: Path) -> "Scoring":
        """A .score file.  It is read when a receptor is loaded with it, which raises FormatError
        where it makes no sense.  Raises FileError."""
        if not os.path.isfile(path):
            raise NoFileError(f"{os.fspath(path)}: no such scoring function")
        return cls(os.path.abspath(path))

    @classmethod
    def from_text(cls, text: str, name: Optional[str] = None) -> "Scoring":
        """What a .score file would hold.

        name: in messages and results, not that of a built-in function; by default "text-" and the
        text's hash, so that a screen that is resumed with another text is refused."""
        return cls(name or "text-" + hashlib.sha256(text.encode()).hexdigest()[:12], text)
