#!/usr/bin/env python3
"""simulate.py MOLECULES.smi SCREEN [NAME=VALUE ...]: campaigns on a library that was screened whole into the folder SCREEN,
whose table says what a round's docking would have made.  The steps are those of `berth campaign`; settings are its options,
and `seeds`, how many campaigns.  Prints, of each seed, the share of the true best that was found, and whether the interval
that the campaign states holds it."""
import csv
import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "rdkit"))
import campaign  # noqa: E402


def value_of(row):
    return float(row.get("ranking") or row["score"])


def dock(folder, known):
    """What a screen of the round's molecules would have written."""
    with open(os.path.join(folder, "molecules.smi"), encoding="latin-1") as molecules, \
            open(os.path.join(folder, "scores.csv"), "w", encoding="latin-1") as scores:
        print("ordinal,ligand,rank,score", file=scores)
        for line in molecules:
            _, number, name = line.rstrip("\n").split(" ", 2)
            for row in known.get(name, ()):
                print(f"0,{number} {name},0,{row}", file=scores)
    for name, text in ("hits.sdf", ""), ("failures.csv", "ordinal,ligand,reason\n"), ("run.json", '{\n  "identity": {}\n}'):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


def simulate(library, known, settings, prints):
    """The share of the true best that a campaign finds, and what it says of that."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fingerprints.bin")
        if os.path.exists(prints):
            os.link(prints, path)
        answer = ["busy"]
        while answer[0] != "done":
            answer = campaign.step(dict(settings), folder.encode(), library.encode())
            if answer[0] == "dock":
                dock(os.fsdecode(answer[1]), known)
        if not os.path.exists(prints):
            os.link(path, prints)
        with open(os.path.join(folder, "run.json")) as file:
            said = json.load(file)["campaign"]
        with open(os.path.join(folder, "scores.csv"), encoding="latin-1", newline="") as file:
            docked = {row["ligand"] for row in csv.DictReader(file)}
    best = sorted(known, key=lambda name: min(known[name]))[:said["sought"]]
    return sum(name in docked for name in best) / len(best), said


def main():
    library, screen, *words = sys.argv[1:]
    settings = {"budget": "10 %", "seek": "1 %", "sample": "40 %", "model": "ridge", "rounds": "4", "explore": "5", "recall": "100", "jobs": "2",
                "top": "10", "resume": "1", "overwrite": "0", "seeds": "2", **dict(word.split("=", 1) for word in words)}
    known = {}
    with open(os.path.join(screen, "scores.csv"), encoding="latin-1", newline="") as file:
        for row in csv.DictReader(file):
            known.setdefault(row["ligand"], []).append(value_of(row))
    shares, holds, seeds, clock = [], 0, int(settings.pop("seeds")), time.process_time()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for seed in range(1, seeds + 1):
            share, said = simulate(library, known, dict(settings, seed=str(seed)), os.path.join(folder, "prints"))
            held = said["recall_low"] <= share <= said["recall_high"]
            print(f"seed {seed}: docked {said['docked']} of {said['readable']}, found {100 * share:.1f} % of the best "
                  f"{said['sought']}; says {100 * said['recall']:.1f} ({100 * said['recall_low']:.1f} to "
                  f"{100 * said['recall_high']:.1f}), {said['held_out_best']} held out: {'holds' if held else 'MISSES'}", flush=True)
            shares.append(share)
            holds += held
    print(f"mean {100 * sum(shares) / seeds:.1f} %, lowest {100 * min(shares):.1f} %; the interval holds in {holds} of {seeds}; "
          f"{(time.process_time() - clock) / seeds:.1f} s a campaign")


main()
