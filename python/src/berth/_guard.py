"""What public calls have in common: None where something is needed, names that are nearly those of parameters, and
two calls of one object at once are refused before the library is asked."""

from __future__ import annotations

import difflib
import functools
import inspect
import itertools
import threading
from typing import Any, Callable, Dict, List

from ._library import UsageError


class Use:
    """Keeps the calls of an object apart: a `with` block for each, one at a time."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise UsageError(
                f"the {self._what} is in use, by another thread or by the call whose callback this is: "
                "it is for one call at a time"
            )

    def __exit__(self, *raised: object) -> None:
        self._lock.release()


def _is_needed(parameter: inspect.Parameter) -> bool:
    """By its annotation: nobody has to name it once more."""
    annotation = parameter.annotation
    named = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return named and isinstance(annotation, str) and not annotation.startswith("Optional[")


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    parameters = inspect.signature(function).parameters
    needed = {name for name, parameter in parameters.items() if _is_needed(parameter)}
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        for name in keywords:
            if not takes_all and name not in parameters:
                near = difflib.get_close_matches(name, list(parameters), 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise TypeError(f"{function.__qualname__}: there is no parameter {name!r}{hint}")
        for name, value in itertools.chain(zip(parameters, arguments), keywords.items()):
            if value is None and name in needed:
                raise TypeError(f"{function.__qualname__}: {name} is None, and something is needed")
        return function(*arguments, **keywords)

    return call


def _guard_methods(kind: type) -> None:
    for name, member in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, (classmethod, staticmethod)):
            setattr(kind, name, type(member)(_guarded(member.__func__)))
        elif inspect.isfunction(member):
            setattr(kind, name, _guarded(member))


def guard(module: Dict[str, Any], names: List[str]) -> None:
    """Lets the functions and classes of these names in a module refuse None for every parameter whose
    annotation is not Optional: with a TypeError that names it."""
    for name in names:
        if inspect.isfunction(module[name]):
            module[name] = _guarded(module[name])
        elif not issubclass(module[name], Exception):
            _guard_methods(module[name])
