"""Where berth's C sources are, and what they say and give."""

import os
import re
import subprocess
from pathlib import Path


def source() -> Path:
    """The repository: the folder around this one, or BERTH_SOURCE of the environment."""
    folder = Path(os.environ.get("BERTH_SOURCE") or Path(__file__).resolve().parent.parent)
    if not (folder / "include" / "berth.h").is_file():
        raise SystemExit(
            f"berth: {folder} has no include/berth.h: the Python module is built from berth's whole "
            "source tree.  Run `pip install ./python` or `make wheel` there, or let BERTH_SOURCE be "
            "its path."
        )
    return folder.resolve()


def header() -> str:
    """What include/berth.h holds."""
    return (source() / "include" / "berth.h").read_text(encoding="utf-8")


def version() -> str:
    """Of the C library: "0.2.0"."""
    numbers = re.findall(r"#define BERTH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header())
    return ".".join(numbers)


def declarations() -> str:
    """Those of berth.h, as cffi takes them: without comments, directives and attributes, and without
    fields that are pointers to constant arrays, of which cffi writes C that no compiler takes."""
    text = re.sub(r"/\*.*?\*/", "", header(), flags=re.DOTALL)
    text = re.sub(r'#ifdef __cplusplus\n.*?#endif\n', "", text, flags=re.DOTALL)
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"const double \(\*\w+\)\[3\];", "...;", text)
    return re.sub(r"\bBERTH_API\s", "", text)


def made(name: str) -> Path:
    """A file of the build, made by make: libberth.a, berth.  BERTH_BUILD of the environment is another
    folder to make it in than `build`, relative to the source tree."""
    folder = os.environ.get("BERTH_BUILD") or "build"
    target = f"{folder}/{name}"
    jobs = len(os.sched_getaffinity(0))
    command = [os.environ.get("MAKE") or "make", f"-j{jobs}", f"BUILD={folder}", target]
    try:
        subprocess.run(command, cwd=source(), check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(
            f"berth: {error}.  What building needs, `sh tools/setup.sh build` in {source()} installs, as root, "
            "on Debian or Ubuntu: a C compiler, make, OpenCL and zlib."
        ) from None
    return source() / target
