"""The one table of options that the program, berth.h and this module have: functions take their keywords from it, with
defaults and help, and give the library what they are given in the program's words."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import numbers
import os
import re
import tempfile
import textwrap
from typing import Any, Callable, Container, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar

import numpy as np

from ._berth import ffi, lib
from ._inputs import one_file
from ._library import Calls, call, encode, text
from ._scoring import Scoring

Site = Tuple[Sequence[float], Sequence[float]]
Function = TypeVar("Function", bound=Callable[..., Any])

_INDENT = textwrap.TextWrapper(108, initial_indent="    ", subsequent_indent="    ")

BOX = ("center_x", "center_y", "center_z", "size_x", "size_y", "size_z")

_KINDS: Dict[int, type] = {
    lib.BERTH_VALUE_FLAG: bool,
    lib.BERTH_VALUE_WHOLE: int,
    lib.BERTH_VALUE_REAL: float,
    lib.BERTH_VALUE_TEXT: str,
}
_NEEDED = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of a run.

    Attributes
    ----------
    name
        as the program has it, and this module as its keyword
    group
        of options that belong together; "": none
    kind
        of its value: bool, int, float or str
    help
        what it does
    unit
        of a number; "": none
    default
        None: fallback says what is done, or nothing is
    fallback
        the default in words: "by search"; "": see default
    min
        see max
    max
        with min: allowed range of a number that is not the default; None: any
    """

    name: str
    group: str
    kind: type
    help: str
    unit: str
    default: Optional[Any]
    fallback: str
    min: Optional[float]
    max: Optional[float]


def _option_of(told: Any) -> Option:
    kind = _KINDS[told.kind]
    default: Any = text(told.standard_text) or None if kind is str else kind(told.standard)
    is_ranged = told.min != 0 or told.max != 0
    return Option(
        name=text(told.name),
        group=text(told.group),
        kind=kind,
        help=text(told.help),
        unit=text(told.unit),
        default=None if told.fallback else default,
        fallback=text(told.fallback),
        min=told.min if is_ranged else None,
        max=told.max if is_ranged else None,
    )


@functools.lru_cache(maxsize=None)
def table(run: str) -> Dict[str, Option]:
    """As options, not to be changed."""
    found: List[Option] = []
    calls = Calls(None, lambda told: found.append(_option_of(told)))
    calls.call(lib.berth_options_list, encode(run), lib.berth_python_option, calls.context)
    return {option.name: option for option in found}


def options(run: str) -> Dict[str, Option]:
    """The options of a run, by name: of "dock", "screen", "score", "merge", "prep ligands",
    "prep receptor" or "selftest".  Raises UsageError."""
    return dict(table(run))


# What this module takes besides: of a run that has the option, another keyword for it; and further values, with their
# type and what a docstring says of them.
_KEYWORDS = {"center_x": "site", "autobox_ligand": "autobox"}
_MOLECULE = ("Ligand", "or an RDKit molecule with a conformer, or a Pose")
_VALUES = {
    "autobox": ("Ligand", "as autobox_ligand"),
    "autobox_ligand": _MOLECULE,
    "reference": _MOLECULE,
    "template": _MOLECULE,
    "restraints": ("Path", "or these lines as a text"),
    "scoring": ("ScoringLike", "or a Scoring"),
    "shard": ("Union[str, Tuple[int, int]]", "or (K, N)"),
    "site": ("Site", "((x, y, z), (a, b, c)): the box by its centre and full edges, Å"),
    "device": ("Union[str, int]", "a number as such, too"),
}


def _is_written(run: str, name: str) -> bool:
    """The ligand that was cut out is."""
    return run == "prep receptor" and name == "reference"


def _taken(run: str, option: Option) -> Option:
    """As functions have it."""
    help, fallback = (re.sub(r"--(\w)", r"\1", said) for said in (option.help, option.fallback))  # keywords have no dashes
    kind, more = _VALUES.get(option.name, ("", ""))
    if more and not _is_written(run, option.name):
        help = f"{help}; {more}" if help else more
    if fallback not in ("", "none"):
        help += f"; default: {fallback}"
    if option.min is not None:
        help += f"; {option.min:.10g} to {option.max:.10g}"
    # Poses are given with their bonds, unless it is said that they are not to be.
    default = True if option.name == "sdf" else option.default
    return dataclasses.replace(option, help=help, default=default)


def _keywords(run: str, but: Container[str], of: Callable[[Option], bool]) -> List[Option]:
    """Those of functions that take the options of a run."""
    taken = {name: option for name, option in table(run).items() if name not in but and of(option)}
    found: List[Option] = []
    for name, option in taken.items():
        if _KEYWORDS.get(name, name) not in taken:
            found.append(_taken(run, Option(_KEYWORDS[name], option.group, str, "", "", None, "", None, None)))
        found.append(_taken(run, option) if option.help else option)
    return found


def _documented(taken: Sequence[Option]) -> str:
    """What a docstring says of options."""
    entries: List[List[str]] = []
    for option in taken:
        if not option.help:  # the one before tells of it, too
            entries[-1][0] += f", {option.name}"
            continue
        kind = _VALUES[option.name][0] if option.name in _VALUES else option.kind.__name__
        unit = f", {option.unit}" if option.unit else ""
        default = "" if option.default is None else f", default {option.default!r}"
        entries.append([option.name, f" : {kind}{unit}{default}\n{_INDENT.fill(option.help)}\n"])
    return "".join(map("".join, entries))


def takes(
    run: str, *but: str, of: Callable[[Option], bool] = lambda option: True
) -> Callable[[Function], Function]:
    """Makes the options of a run, but those named and those that are not `of` a kind, the keywords of a function that has
    **options: its signature has them, with kinds and defaults, and its docstring, in place of a line `**options`."""
    taken = _keywords(run, but, of)

    def give(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        given = [
            inspect.Parameter(
                option.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=option.default,
                annotation=f"Optional[{_VALUES.get(option.name, (option.kind.__name__,))[0]}]",
            )
            for option in taken
        ]
        setattr(function, "__signature__", signature.replace(parameters=[*own, *given]))
        place = re.search(r"^( *)\*\*options\n", function.__doc__ or "", flags=re.MULTILINE)
        if place and function.__doc__:
            said = textwrap.indent(_documented(taken), place[1])
            function.__doc__ = function.__doc__.replace(place[0], said)
        return function

    return give


def numbers_of(site: Site) -> "Tuple[List[float], List[float]]":
    """Centre and edges, which must be three numbers each."""
    try:
        center, edges = ([float(x) for x in part] for part in site)
    except (TypeError, ValueError) as error:
        raise TypeError(f"site: ((x, y, z), (a, b, c)), centre and full edges, Å, not {site!r}") from error
    if len(center) != 3 or len(edges) != 3:
        raise ValueError(f"site: centre and edges are three numbers each, ((x, y, z), (a, b, c)), not {site!r}")
    return center, edges


def texts_of_site(site: Site) -> Dict[str, str]:
    """A box in the program's words."""
    center, edges = numbers_of(site)
    return dict(zip(BOX, map(repr, center + edges)))


def _word(option: Option, value: Any) -> str:
    """A value in the program's words.  Raises TypeError."""
    name, kind = option.name, option.kind
    if kind is bool and isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if kind in (int, str) and isinstance(value, numbers.Integral):
        return str(int(value))
    if kind is float and isinstance(value, numbers.Real):
        return repr(float(value))
    if kind is str and isinstance(value, (str, os.PathLike)):
        return os.fsdecode(value)
    if kind is str and isinstance(value, (list, tuple)):
        raise TypeError(f"{name} is one text, of several with commas between: {','.join(map(str, value))!r}")
    raise TypeError(f"{name}: {value!r} is not what it takes, {_NEEDED[kind]}")


class Given:
    """Options of a run as they were given: in the program's words, by name.  Files that had to be made of them are there
    until the end of the `with` block."""

    def __init__(self, run: str, given: Mapping[str, Any]) -> None:
        self.run = run
        self.texts: Dict[str, str] = {}
        self._files = contextlib.ExitStack()
        for name, value in given.items():
            if value is not None:
                self.texts.update(self._texts(name, value))

    def _texts(self, name: str, value: Any) -> Dict[str, str]:
        known = table(self.run)
        if name == "site" and not (isinstance(value, str) and name in known):
            return texts_of_site(value)
        if name == "shard" and not isinstance(value, str):
            if not isinstance(value, tuple) or len(value) != 2:
                raise TypeError(f"shard: (number, of so many), not {value!r}")
            value = "%d/%d" % value
        name = "autobox_ligand" if name == "autobox" else name
        more: Dict[str, str] = {}
        if isinstance(value, Scoring):
            more = {} if value.text is None else {"scoring_text": value.text}
            value = value.name
        elif _VALUES.get(name) is _MOLECULE and not _is_written(self.run, name):
            value = self._files.enter_context(one_file(name, value))
        elif name == "restraints" and isinstance(value, str) and " " in value.strip() and not os.path.exists(value):
            value = self._file_of(value)
        return {name: _word(known[name], value), **more}

    def _file_of(self, lines: str) -> str:
        folder = self._files.enter_context(tempfile.TemporaryDirectory(prefix="berth-"))
        made = os.path.join(folder, "restraints")
        with open(made, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(lines)
        return made

    def handle(self) -> Any:
        """As the library takes them.  Raises UsageError."""
        return handle_of(self.run, self.texts)

    def __enter__(self) -> "Given":
        return self

    def __exit__(self, *raised: object) -> None:
        self._files.close()


def handle_of(run: str, texts: Mapping[str, str]) -> Any:
    """Options of a run as the library takes them.  Raises UsageError."""
    made = ffi.new("berth_options **")
    call(lib.berth_options_create, encode(run), made)
    handle = ffi.gc(made[0], lib.berth_options_free)
    for name, value in texts.items():
        call(lib.berth_options_set, handle, encode(name), encode(value))
    return handle
