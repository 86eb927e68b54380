"""The program, which the package has with it: the command `berth` of the environment, `python -m berth`, and
`berth.command`."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Iterator, List, Union

from ._library import Error, NoFileError, UsageError, logger

PATH = Path(__file__).parent / "bin" / "berth"

_PREFIX = "berth: "

Value = Union[bool, int, float, str, "os.PathLike[str]"]


def main() -> None:
    """Becomes the program, which prepares ligands by this Python's RDKit, and takes the OpenCL driver
    that the module does."""
    os.execv(PATH, ["berth", *sys.argv[1:]])


def _words_of(options: "dict[str, Union[Value, List[Value], None]]") -> Iterator[str]:
    for name, value in options.items():
        if value is None or value is False:
            continue
        yield f"--{name}"
        if isinstance(value, (list, tuple)):
            yield ",".join(map(str, value))
        elif value is not True:
            yield os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _listen(stream: IO[str], said: List[str]) -> None:
    """Logs what the program says, line by line; said: its messages, without what they begin with."""
    for line in stream:
        message = line.rstrip("\n")
        if message.startswith(_PREFIX):
            message = message[len(_PREFIX) :]
            said.append(message)
        warns = message.startswith("warning: ")
        level = logging.WARNING if warns or message.startswith("failed: ") else logging.INFO
        logger.log(level, "%s", message[len("warning: ") :] if warns else message)


def _why(said: List[str], name: str) -> Error:
    """The error that the program ended with: its last message, or, where that says what to read, the one before."""
    if len(said) > 1 and said[-1].startswith("see `berth "):
        return UsageError(said[-2])
    why = said[-1] if said else f"berth {name} ended without a word"
    return NoFileError(why) if ": cannot open: No such file" in why else Error(why)


def command(name: str, *arguments: Value, **options: Union[Value, List[Value], None]) -> str:
    """Runs a command of the program, such as those that the module has no function for: what it prints.

        berth.command("interactions", receptor="site.brec", poses="poses.sdf", out="made.csv")
        berth.command("report", "screened", actives="actives.txt", top=100)

    name is the command's ("eval screen"), arguments are those that stand in front of its options (the folder of
    a run), and options have the program's names (`berth COMMAND --help_all`): True gives one that takes no value,
    None and False leave one out, and a list gives its values with commas between.  The program's messages go to the
    logger "berth".  Exit code 2 is no error here: some ligands failed, which is logged, and their rows are in
    the file of failures; or `eval fit` found no gain and wrote no ranking, as the text says.  Raises, with what the program said last, UsageError for arguments that make no sense,
    FileNotFoundError for a file that is not there, and Error for all else; Ctrl-C ends the program in good
    order first."""
    words = [*name.split(), *map(str, arguments), *_words_of(options)]
    said: List[str] = []
    with subprocess.Popen(
        [PATH, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="backslashreplace"
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        listener = threading.Thread(target=_listen, args=(process.stderr, said))
        listener.start()
        try:
            printed = process.stdout.read()
        except BaseException:
            process.send_signal(signal.SIGINT)
            raise
        finally:
            process.wait()
            listener.join()
    if process.returncode not in (0, 2):
        raise _why(said, name)
    return printed
