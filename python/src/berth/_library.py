"""The C library: its errors as exceptions, its messages to `logging`, and what it calls back."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import logging
import os
import sys
import threading
import warnings
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Type, Union

import numpy as np
from numpy.typing import NDArray

from ._berth import ffi, lib

Path = Union[str, "os.PathLike[str]"]
Floats = NDArray[np.float64]
Integers = NDArray[np.intc]

logger = logging.getLogger("berth")

HANGS = "a device hangs: its driver may wait for it when Python exits; os._exit does not"


class Error(Exception):
    """What went wrong, where (file, line, molecule), and what to do about it: the text is the C
    library's.

    Attributes
    ----------
    option
        the keyword that it is about
    """

    option: Optional[str] = None


class UsageError(Error, ValueError):
    """An argument that makes no sense."""


class OutOfMemoryError(Error, MemoryError):
    """Out of host memory."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""


class NoFileError(FileError, FileNotFoundError):
    """A file is not there: for those who catch what Python itself raises then."""


class FormatError(Error, ValueError):
    """A file's content is not what its format says."""


class AtomTypeError(Error, ValueError):
    """An atom type that the forcefield or scoring function lacks."""


class DeviceError(Error, RuntimeError):
    """No device, a failed call of its driver, or a kernel that it refused."""


class DeviceMemoryError(DeviceError):
    """A device's memory does not suffice."""


class ResultError(DeviceError):
    """A device computed something that cannot be right."""


_ERRORS: Dict[int, Type[Error]] = {
    lib.BERTH_E_USAGE: UsageError,
    lib.BERTH_E_MEMORY: OutOfMemoryError,
    lib.BERTH_E_IO: FileError,
    lib.BERTH_E_FORMAT: FormatError,
    lib.BERTH_E_TYPE: AtomTypeError,
    lib.BERTH_E_DEVICE: DeviceError,
    lib.BERTH_E_DEVICE_MEMORY: DeviceMemoryError,
    lib.BERTH_E_RESULT: ResultError,
}


def text(pointer: Any) -> str:
    """A text of the library's; "" for NULL.  What is no UTF-8 is kept as surrogates."""
    return str(ffi.string(pointer), "utf-8", "surrogateescape") if pointer else ""


def encode(value: Path) -> Any:
    """A path or text for the library, to be kept until the call is over.  Raises TypeError."""
    return ffi.new("char[]", os.fsencode(value))


def encode_optional(value: Optional[Path]) -> Any:
    """The same; NULL for None."""
    return ffi.NULL if value is None else encode(value)


def array(pointer: Any, count: int) -> Floats:
    """A copy of `count` doubles."""
    return np.frombuffer(ffi.buffer(pointer, count * 8), dtype=np.float64).copy()


def new_positions(count: int) -> "tuple[Floats, Any]":
    """An array [count, 3], and the same memory as the library takes it."""
    positions: Floats = np.empty((count, 3))
    return positions, ffi.cast("double(*)[3]", positions.ctypes.data)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last parameter is the error, and raises what it gives.  A Log among the arguments
    stands for its struct: it must live until the function returns, and these keep it."""
    error = ffi.new("struct berth_error *")
    status = function(*(one.struct if isinstance(one, Log) else one for one in arguments), error)
    if status:
        option, message = text(error.option), text(error.message)
        named = not option or message.startswith((f"{option}:", f"{option} is"))
        kind = _ERRORS.get(status, Error)
        if kind is FileError and message.endswith(os.strerror(errno.ENOENT)):
            kind = NoFileError
        raised = kind(message if named else f"{message} ({option})")
        raised.option = option or None
        raise raised


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a long call is: total, before, done, failed, finished, seconds; see below.  At the end a
    call has it once more, with all that failed, and finished.

    Attributes
    ----------
    total
        ligands, or molecules, in all; 0: not known
    before
        of these, done by earlier runs
    done
        done now, those among them; also those that failed
    failed
        without a result; in the end also those that could not be prepared, which of a screen of molecules are
        not in total
    finished
        all is done, and the results are written
    seconds
        since this run began
    """

    total: int
    before: int
    done: int
    failed: int
    finished: bool
    seconds: float


ProgressCall = Callable[[Progress], object]
ProgressLike = Union[ProgressCall, bool]


class _Count:
    """What stands for a bar where tqdm is not installed: one line of standard error, `140/300 ligands`."""

    def __init__(self, total: Optional[int], unit: str) -> None:
        self.total, self.unit, self.n = total, unit, 0

    def update(self, more: int) -> None:
        if not more:
            return
        self.n += more
        of = f"/{self.total}" if self.total else ""
        print(f"\r{self.n}{of}{self.unit}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> "_Count":
        return self

    def __exit__(self, *error: object) -> None:
        print(file=sys.stderr)


def bar_of(unit: str, total: int = 0) -> Any:
    """A bar of tqdm's, or a count without it; total: 0: not known."""
    try:
        with warnings.catch_warnings():  # without ipywidgets a notebook has the bar as text
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return _Count(total or None, unit)
    return tqdm(total=total or None, unit=unit)


@contextlib.contextmanager
def shown(progress: Optional[ProgressLike], unit: str) -> Iterator[Optional[ProgressCall]]:
    """What is called with a Progress: the function that is given, or what moves a bar, for True."""
    if progress is not True:
        if progress and not callable(progress):
            raise UsageError(f"progress: a function, which is called with a berth.Progress, or True, not {progress!r}")
        yield progress or None
        return
    with bar_of(unit) as bar:

        def move(told: Progress) -> None:
            bar.total = told.total or None
            if told.done != bar.n:  # where bars are lines of text (nbconvert) each update is one
                bar.update(told.done - bar.n)

        yield move


def progress_of(told: Any) -> Progress:
    return Progress(told.total, told.before, told.done, told.failed, bool(told.finished), told.seconds)


class Log:
    """Takes the library's messages: to the logger "berth", and failures to a list besides.

    Attributes
    ----------
    name
        what becomes of each message, of this ligand ("": of none)
    """

    def __init__(self, said: Optional[Set[str]] = None, loading: bool = False) -> None:
        """said: what was logged of a receptor; warnings in it that name no ligand are not logged again, nor
        are notes while it is loaded."""
        self.failures: List[str] = []
        self._raw: Dict[str, int] = {}  # of each failure, as the library has it: its place there
        self._said = set() if said is None else said
        self._loading = loading
        self.name: Callable[[str, str], str] = lambda message, ligand: message
        self._self = ffi.new_handle(self)
        self.struct = ffi.new("struct berth_log *", {"take": lib.berth_python_log, "context": self._self})

    def take(self, line: Any) -> None:
        message = self.name(text(line.text), text(line.ligand))
        if line.level == lib.BERTH_LOG_FAILURE:
            self._raw[text(line.text)] = len(self.failures)
            self.failures.append(message)
        if self._loading or (line.level == lib.BERTH_LOG_WARNING and not text(line.ligand)):
            if message in self._said:
                return
            self._said.add(message)
        logger.log(logging.INFO if line.level == lib.BERTH_LOG_NOTE else logging.WARNING, "%s", message)

    def clear(self) -> None:
        """Forgets the failures."""
        self.failures.clear()
        self._raw.clear()

    def fail(self, name: str, place: str, reason: str) -> None:
        """A ligand that has no result: once, with its place among what was given, also where the library's
        message of it was without that, or there was none."""
        message = f"{name}{place}: {reason}" if name else reason
        raw = f"ligand {name}: {reason}"
        if raw in self._raw:
            self.failures[self._raw[raw]] = message
        elif reason not in self._raw:
            self._raw[raw] = len(self.failures)
            self.failures.append(message)
            logger.warning("%s", message)


class Calls:
    """What a long call of the library calls back.  An exception in there, Ctrl-C too, ends the call
    in good order, and is raised behind it."""

    _running = threading.local()

    def __init__(
        self, progress: Optional[ProgressCall] = None, take: Optional[Callable[[Any], object]] = None
    ) -> None:
        self._progress = progress
        self._take = take
        self.raised: Optional[BaseException] = None
        self.stopped = False
        self.context = ffi.new_handle(self)

    def progress(self, told: Any) -> bool:
        if self._progress is not None and self._progress(progress_of(told)) is True:
            self.stopped = True
        return self.stopped or self.raised is not None

    def take(self, told: Any) -> bool:
        if self._take is not None:
            self._take(told)
        return self.stopped or self.raised is not None

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        """As the function of this name; in it, these are called back."""
        before: Optional[Calls] = getattr(Calls._running, "calls", None)
        Calls._running.calls = self
        try:
            call(function, *arguments)
        except Error:
            if self.raised is None:
                raise
        finally:
            Calls._running.calls = before
        if self.raised is not None:
            raise self.raised

    @staticmethod
    def catch(
        kind: Type[BaseException], value: BaseException, traceback: Optional[TracebackType]
    ) -> None:
        """What was raised in a callback of this thread."""
        running: Optional[Calls] = getattr(Calls._running, "calls", None)
        if running is None:
            logger.error("an exception in a callback", exc_info=value)
        elif running.raised is None:
            running.raised = value


# Their results after an exception: true stops, and void has none.


@ffi.def_extern(onerror=Calls.catch)  # type: ignore
def berth_python_log(context: Any, line: Any) -> None:
    ffi.from_handle(context).take(line)


@ffi.def_extern(error=True, onerror=Calls.catch)  # type: ignore
def berth_python_ligand(context: Any, ligand: Any) -> bool:
    return bool(ffi.from_handle(context).take(ligand))


@ffi.def_extern(error=True, onerror=Calls.catch)  # type: ignore
def berth_python_progress(context: Any, progress: Any) -> bool:
    return bool(ffi.from_handle(context).progress(progress))


@ffi.def_extern(error=True, onerror=Calls.catch)  # type: ignore
def berth_python_name(context: Any, ordinal: int, name: Any) -> bool:
    return bool(ffi.from_handle(context).take(name))


@ffi.def_extern(onerror=Calls.catch)  # type: ignore
def berth_python_result(context: Any, result: Any) -> None:
    ffi.from_handle(context).take(result)


@ffi.def_extern(onerror=Calls.catch)  # type: ignore
def berth_python_text(context: Any, told: Any) -> None:
    ffi.from_handle(context).take(told)


@ffi.def_extern(onerror=Calls.catch)  # type: ignore
def berth_python_option(context: Any, option: Any) -> None:
    ffi.from_handle(context).take(option)
