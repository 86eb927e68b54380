"""The one table of options that the program, berth.h and this module have: defaults come from it."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Optional

from ._berth import ffi, lib
from ._library import Calls, encode, text


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of a run.

    Attributes
    ----------
    name
        as the program has it, and where this module has it, its keyword
    group
        of options that belong together; "": none
    help
        what it does
    unit
        of a number; "": none
    default
        None: none is given, or what says so in the help
    min
        see max
    max
        with min: allowed range of a number that is not the default; None: any
    """

    name: str
    group: str
    help: str
    unit: str
    default: Optional[Any]
    min: Optional[float]
    max: Optional[float]


def _option_of(told: Any) -> Option:
    default: Any = text(told.standard_text) or None
    if told.kind == lib.BERTH_VALUE_FLAG:
        default = False
    elif told.kind == lib.BERTH_VALUE_WHOLE:
        default = int(told.standard)
    elif told.kind == lib.BERTH_VALUE_REAL:
        default = told.standard
    is_ranged = told.min != 0 or told.max != 0
    return Option(
        name=text(told.name),
        group=text(told.group),
        help=text(told.help),
        unit=text(told.unit),
        default=default,
        min=told.min if is_ranged else None,
        max=told.max if is_ranged else None,
    )


def options(run: str) -> Dict[str, Option]:
    """The options of a run, by name: of "dock", "screen", "score", "merge", "prep ligands",
    "prep receptor" or "selftest".  Raises UsageError."""
    found: Dict[str, Option] = {}

    def take(told: Any) -> None:
        option = _option_of(told)
        found[option.name] = option

    calls = Calls(None, take)
    calls.call(lib.berth_options_list, encode(run), lib.berth_python_option, calls.context)
    return found


def defaults(run: str) -> Dict[str, Any]:
    """The defaults of a run, by name."""
    return {name: option.default for name, option in options(run).items()}


DOCK = defaults("dock")
SCREEN = defaults("screen")
SCORE = defaults("score")
RECEPTOR = defaults("prep receptor")
