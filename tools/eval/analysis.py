"""What berth asks numpy for: how well rankings do, rankings fitted to what is known, curves.  Reads requests and writes answers,
frames as of tools/rdkit/frames.py, until its input ends.

A request is an operation and fields by name, (name, value) one after the other; a value may be such fields itself, and a name
that is there several times has a list.  An answer is `ok` and either `done`, with names and texts of files, or `refused`, with
why and the option that says so.
"""
import os
import sys

import numpy

import fit
import page
import plot
import screen
from frames import read_fields, read_frame, write_frame
from ligands import Refused

NESTED = ("actives", "decoys", "molecules", "poses", "ligands")  # fields that are such fields themselves
LISTS = {"result": "results", "term": "terms", "ranking": "rankings", "curve": "curves"}
OPERATIONS = {b"screen": screen.run, b"page": page.run, b"order": fit.order, b"fit": fit.run,
              b"redock": plot.redock}


def named(frame):
    """Fields by their names."""
    fields, parts = {name: [] for name in LISTS.values()}, read_fields(frame)
    for name, value in zip(parts[::2], parts[1::2]):
        name = name.decode()
        if name in LISTS:
            fields[LISTS[name]].append(named(value))
        else:
            fields[name] = named(value) if name in NESTED else value
    return fields


def answer(operation, frame):
    try:
        return ["ok", "done", *(part for file in OPERATIONS[operation](named(frame)) for part in file)]
    except Refused as why:
        return ["ok", "refused", str(why).encode("latin-1"), why.option]


def main(stream):
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    write_frame(output, ["ok", numpy.__version__, sys.executable or "python3"])
    try:
        while True:
            write_frame(output, answer(*read_frame(stream)))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # berth has ended, or is done
