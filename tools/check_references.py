#!/usr/bin/env python3
"""Finds what comments and documents name and is nowhere: files of sources, and functions, types and macros of berth.

Usage: tools/check_references.py [FOLDER]   (the project's; here by default)
Prints file:line: name for each; exit code 1 where there is one.
"""
import os
import re
import sys

FOLDERS = ("include", "src", "kernels", "tests", "bench", "tools", "python", "docs", "data", ".ci")
SOURCES = (".c", ".h", ".cl")
# Files of other programs, and names that stand for any.
FOREIGN = re.compile(r"^llvm/|^(mk_export|config)\.py$|\bNAME\b|_NAME_")
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|/\*.*?\*/|//[^\n]*', re.S)
FILE = re.compile(r"(?<![\w./*$<-])(?:[A-Za-z0-9_]+/)*[A-Za-z0-9_]+\.(?:c|h|cl|py|sh)(?![\w/.]*\w)")
NAME = re.compile(r"\b(?:berth|BERTH)_\w*[a-zA-Z0-9](?!\w|\*)")


def comments_of(path, text):
    """(offset, text) of each comment of a source, or the whole of a document."""
    if path.endswith(SOURCES):
        return [(m.start(), m[0]) for m in COMMENT.finditer(text) if m[0].startswith("/")]
    if path.endswith(".md"):
        return [(m.start(), m[0]) for m in re.finditer(r"`[^`\n]+`", text)]
    return [(m.start(), m[0]) for m in re.finditer(r"(?m)^\s*#[^!].*$", text)]


def without_comments(text):
    return COMMENT.sub(lambda m: " " if m[0].startswith("/") else m[0], text)


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
    paths = [os.path.join(folder, name) for top in FOLDERS for folder, _, names in os.walk(top) for name in names]
    paths += [name for name in os.listdir(".") if os.path.isfile(name)]
    texts = {path: open(path, encoding="utf8", errors="replace").read() for path in paths
             if path.endswith(SOURCES + (".py", ".sh", ".md")) and path != "CHANGELOG.md"}
    defined = {name for path, text in texts.items() if not path.endswith(".md")
               for name in NAME.findall(without_comments(text) if path.endswith(SOURCES) else text)}
    ends = {path[start:] for path in paths for start in [0] + [m.end() for m in re.finditer("/", path)]}
    faults = 0
    for path, text in sorted(texts.items()):
        for offset, comment in comments_of(path, text):
            named = {name for name in FILE.findall(comment) if name not in ends}
            if path.endswith(SOURCES):
                named |= {name for name in NAME.findall(comment) if name not in defined}
            for name in sorted(name for name in named if not FOREIGN.search(name)):
                line = text.count("\n", 0, offset + comment.find(name)) + 1
                print(f"{path}:{line}: {name} is nowhere")
                faults += 1
    sys.exit(faults > 0)


main()
