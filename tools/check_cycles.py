#!/usr/bin/env python3
"""Finds files of src that need each other, directly or by way of others.

Usage: tools/check_cycles.py BUILD [FOLDER]   (an up-to-date build, from the project's folder; the sources, src by default)
A file is X.c with X.h.  It needs another whose functions it uses, as the built objects say, and whose header defines a
type that it names, unless it declares that one as opaque.  X_part.c and X_part.h are parts of the X beside them.
Prints the files of each circle; exit code 1 where there is one.
"""
import os
import re
import subprocess
import sys

COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|//[^\n]*', re.S)
TYPE = re.compile(r"\b(?:struct|enum|union) \w+")
DEFINED = re.compile(r"^((?:struct|enum|union) \w+)\s*\{", re.M)
OPAQUE = re.compile(r"^((?:struct|enum|union) \w+);", re.M)


def whole_of(stem, stems):
    """The file that stem is a part of: the shortest X beside it of an X_part; else stem."""
    folder, name = os.path.split(stem)
    words = name.split("_")
    wholes = [os.path.join(folder, "_".join(words[:n])) for n in range(1, len(words))]
    return next((whole for whole in wholes if whole in stems), stem)


def by_types(texts):
    """(file, another) where file names a type that the header of another defines."""
    home = {name: path for path, text in texts.items() if path.endswith(".h") for name in DEFINED.findall(text)}
    for path, text in texts.items():
        own = set(DEFINED.findall(text)) if path.endswith(".c") else set()
        for name in set(TYPE.findall(text)) - own - set(OPAQUE.findall(text)):
            if name in home:
                yield path, home[name]


def by_functions(texts, build):
    """(file, another) where file uses a symbol that another defines."""
    objects = {os.path.join(build, path[:-1] + "o"): path for path in texts if path.endswith(".c")}
    listing = subprocess.run(["nm", "-A", "-g", *objects], capture_output=True, check=True, text=True).stdout
    rows = [(objects[line.split(":", 1)[0]], *line.split()[-2:]) for line in listing.splitlines()]
    home = {name: path for path, kind, name in rows if kind != "U"}
    return ((path, home[name]) for path, kind, name in rows if kind == "U" and name in home)


def circles_of(needs):
    """Sets of files that need each other (R. Tarjan's strongly connected components)."""
    number, low, stack, found = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in sorted(needs.get(file, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            circle = stack[stack.index(file):]
            del stack[stack.index(file):]
            found.extend([circle] if len(circle) > 1 else [])

    for file in sorted(needs):
        if file not in number:
            visit(file)
    return found


def main():
    sys.setrecursionlimit(10000)
    build, top = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "src"
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names if name[-2:] in (".c", ".h")]
    texts = {path: COMMENT.sub(" ", open(path, encoding="utf8").read()) for path in paths}
    stems = {path[:-2] for path in paths}
    needs = {}
    for pairs in (by_types(texts), by_functions(texts, build)):
        for path, other in pairs:
            file, used = whole_of(path[:-2], stems), whole_of(other[:-2], stems)
            if file != used:
                needs.setdefault(file, set()).add(used)
    circles = circles_of(needs)
    for circle in circles:
        print("need each other: " + ", ".join(sorted(circle)))
    sys.exit(bool(circles))


main()
