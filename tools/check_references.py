#!/usr/bin/env python3
"""Finds what comments and documents name and is nowhere: files of sources, functions, types and macros of berth; and, in
the commands of documents, scripts, targets of make, and, where PROGRAM is there, options of scripts, and commands and options of berth.

Usage: tools/check_references.py [FOLDER [PROGRAM]]   (the project's; here by default)
Prints file:line: name for each; exit code 1 where there is one.
"""
import os
import re
import subprocess
import sys

FOLDERS = ("include", "src", "kernels", "tests", "bench", "tools", "python", "docs", "data", ".ci")
SOURCES = (".c", ".h", ".cl")
RECORDS = ("CHANGELOG.md", "bench/history/")  # what they name was there once
# Files of other programs, and names that stand for any.
FOREIGN = re.compile(r"^llvm/|^(mk_export|config)\.py$|\bNAME\b|_NAME_")
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|/\*.*?\*/|//[^\n]*', re.S)
FILE = re.compile(r"(?<![\w./*$<-])(?:[A-Za-z0-9_]+/)*[A-Za-z0-9_]+\.(?:c|h|cl|py|sh)(?![\w/.]*\w)")
NAME = re.compile(r"\b(?:berth|BERTH)_\w*[a-zA-Z0-9](?!\w|\*)")
# What documents have as code: blocks between fences, lines that are indented, and what stands between backquotes.
CODE = re.compile(r"^```.*?^```|^ {4}.*?(?<!\\)$|`[^`\n]+(?:\n[^`\n]+)?`", re.S | re.M)
BERTH = re.compile(r"(?m)(?:^ *|/|[|;&(] *|=\S* +|\d +)berth ([^|;&>#\n]+)")
MAKE = re.compile(r"(?:^|(?<=[\s(]))make((?: +(?:-\w+|[A-Z_]+=\S*|[a-z][a-z-]*(?![\w/.])))+)")
SCRIPT = re.compile(r"(?<![\w./])(bench/[\w/]+\.(?:sh|py))([^|;>#\n]*)")
OPTION = re.compile(r"(?<=\s)--[a-z]\w*")
SAID = ("help", "can")  # `berth help COMMAND`, which completion leaves out; "berth can dock here", as doctor prints


def comments_of(path, text):
    """(offset, text) of each comment of a source, or the code in a document."""
    if path.endswith(SOURCES):
        return [(m.start(), m[0]) for m in COMMENT.finditer(text) if m[0].startswith("/")]
    if path.endswith(".md"):
        return [(m.start(), m[0]) for m in CODE.finditer(text)]
    return [(m.start(), m[0]) for m in re.finditer(r"(?m)^\s*#[^!].*$", text)]


def without_comments(text):
    return COMMENT.sub(lambda m: " " if m[0].startswith("/") else m[0], text)


def options_of(program):
    """The words that may follow each command of berth, by its completion."""
    if not os.access(program, os.X_OK):
        return {}
    script = subprocess.run([program, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    words = {}
    for command, more in re.findall(r"(?m)^_berth_words\['(.*)'\]\+?='(.*)'$", script):
        words.setdefault(command, set()).update(more.split())
    return words


def wrong_words(code, words, targets, texts):
    """Names in the commands of a document that are none today."""
    code = re.sub(r"\\\n\s*", " ", code)
    if code.startswith("`") and not code.startswith("```"):
        code = code.strip("`").replace("\n", " ")
    for call in BERTH.findall(code) if words else ():
        command = "berth"
        for word in call.split():
            if command + " " + word not in words:
                break
            command += " " + word
        following = call.split()[command.count(" "):][:1]
        parent = not any(word.startswith("--") for word in words[command])
        if parent and following and re.fullmatch(r"[a-z][a-z-]+", following[0]) and following[0] not in SAID:
            yield f"{command} {following[0]}"
        if not parent:
            yield from (f"{command} {option}" for option in OPTION.findall(call) if option not in words[command])
    for call in MAKE.findall(code):
        yield from (f"make {word}" for word in call.split() if re.fullmatch(r"[a-z][a-z-]*", word) and word not in targets)
    passed = {word for more in words.values() for word in more}  # many scripts hand options on to berth
    for script, call in SCRIPT.findall(code) if words else ():
        yield from (f"{script} {option}" for option in OPTION.findall(call)
                    if option not in passed and option not in texts.get(script, option))


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else ".")
    paths = [os.path.join(folder, name) for top in FOLDERS for folder, _, names in os.walk(top) for name in names]
    paths += [name for name in os.listdir(".") if os.path.isfile(name)]
    texts = {path: open(path, encoding="utf8", errors="replace").read() for path in paths
             if path.endswith(SOURCES + (".py", ".sh", ".md")) and not path.startswith(RECORDS)}
    words = options_of(sys.argv[2] if len(sys.argv) > 2 else "build/berth")
    makefile = open("Makefile", encoding="utf8").read() if os.path.exists("Makefile") else ""
    targets = {word for names in re.findall(r"(?m)^([a-z][a-z -]*):(?!=)", makefile) for word in names.split()}
    defined = {name for path, text in texts.items() if not path.endswith(".md")
               for name in NAME.findall(without_comments(text) if path.endswith(SOURCES) else text)}
    ends = {path[start:] for path in paths for start in [0] + [m.end() for m in re.finditer("/", path)]}
    faults = 0
    for path, text in sorted(texts.items()):
        for offset, comment in comments_of(path, text):
            named = {name for name in FILE.findall(comment) if name not in ends}
            if path.endswith(SOURCES):
                named |= {name for name in NAME.findall(comment) if name not in defined}
            if path.endswith(".md"):
                named |= set(wrong_words(comment, words, targets, texts))
            for name in sorted(name for name in named if not FOREIGN.search(name)):
                line = text.count("\n", 0, offset + max(comment.find(name.split()[-1]), 0)) + 1
                print(f"{path}:{line}: {name} is nowhere")
                faults += 1
    sys.exit(faults > 0)


main()
