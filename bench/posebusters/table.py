#!/usr/bin/env python3
"""table.py SET CRYSTAL.csv RUN... > summary.md: how many poses are right, and valid as PoseBusters has it.

SET has sites.tsv, which names the complexes, and published.tsv, if others' results are known; CRYSTAL.csv and
RUN/posebusters.csv are from judge.py, RUN/redock.csv and RUN/failures.csv from `berth eval redock --mode generated`:
a RUN for each seed.  A pose is right if its RMSD is at most 2 Angstrom, and valid if it passes every other check;
what PoseBusters could not check counts as failed.  A complex without a pose is wrong.
"""

import collections
import csv
import math
import statistics
import sys
from pathlib import Path

NEAR = 2.0  # Angstrom
LABELS = ["pdb", "pose", "rmsd"]  # columns of judge.py that are no checks
METHODS = {"vina": "AutoDock Vina", "gold": "GOLD", "diffdock": "DiffDock"}


def read_rows(path, delimiter=","):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def is_right(row):
    return bool(row["rmsd"]) and float(row["rmsd"]) <= NEAR


def failed_checks(row):
    return [name for name in row if name not in LABELS and row[name] != "True"]


def wilson(count, total):
    """The 95 % interval of a share that was count of total (E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209)."""
    z, share = 1.96, count / total
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return [max(0, middle + sign * spread) / (1 + z * z / total) for sign in (-1, 1)]


def say_share(count, total):
    low, high = wilson(count, total)
    return f"{count:g} ({100 * count / total:.1f} %; {100 * low:.0f} to {100 * high:.0f})"


def first_poses(rows):
    return {row["pdb"]: row for row in rows if row["pose"] == "1"}


def count_poses(rows):
    """How many complexes have a right first pose, a right and valid one, and a right one among all that were judged."""
    firsts = first_poses(rows).values()
    return (
        sum(is_right(row) for row in firsts),
        sum(is_right(row) and not failed_checks(row) for row in firsts),
        len({row["pdb"] for row in rows if is_right(row)}),
    )


def count_published(rows, method):
    """Their column _valid says nothing of the RMSD."""
    right = [row for row in rows if row[f"{method}_rmsd"] and float(row[f"{method}_rmsd"]) <= NEAR]
    return len(right), sum(row[f"{method}_valid"] == "True" for row in right)


def print_table(names, crystal, runs, published):
    total = len(names)
    of_seeds = [statistics.median(counts) for counts in zip(*(count_poses(rows) for rows in runs.values()))]
    lines = {"berth" + (f", median of {len(runs)} seeds" if len(runs) > 1 else ""): of_seeds}
    lines.update({label: count_published(published, method) for method, label in METHODS.items() if published})
    lines["crystal's ligand"] = count_poses(crystal)[:2]
    print("| | complexes | right (at most 2 Å) | right and valid | one of five right |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for label, counts in lines.items():
        print(f"| {label} | {total} | {' | '.join([say_share(count, total) for count in counts] + [''] * (3 - len(counts)))} |")
    print("\nIn brackets the share and its 95 % interval (Wilson).\n")


def print_missing(names, runs):
    for run, rows in runs.items():
        missing = [name for name in names if name not in first_poses(rows)]
        reasons = {row["ligand"]: row["reason"] for row in read_rows(run / "failures.csv")}
        if missing:
            print(f"{run.name}: {len(missing)} without a pose, counted as wrong:\n")
            print("\n".join(f"- {name}: {reasons.get(name, 'no reason given')}" for name in missing) + "\n")


def print_checks(crystal, runs):
    groups = {"first poses": [row for rows in runs.values() for row in first_poses(rows).values()]}
    groups["right first poses"] = [row for row in groups["first poses"] if is_right(row)]
    groups["crystal's ligands"] = crystal
    failed = {label: collections.Counter(name for row in rows for name in failed_checks(row)) for label, rows in groups.items()}
    print("| check | " + " | ".join(f"fails of {len(rows)} {label}" for label, rows in groups.items()) + " |")
    print("| --- |" + " ---: |" * len(groups))
    for name in sorted(set().union(*failed.values()), key=lambda name: (-failed["first poses"][name], name)):
        print(f"| {name} | " + " | ".join(str(failed[label][name]) for label in groups) + " |")
    print()


def print_invalid(runs):
    lines = [
        f"- {run.name}, {name}, {float(row['rmsd']):.2f} Å: {', '.join(failed_checks(row))}"
        for run, rows in runs.items()
        for name, row in first_poses(rows).items()
        if is_right(row) and failed_checks(row)
    ]
    print("\n".join(["Right first poses that are not valid:\n", *lines] if lines else ["All right first poses are valid."]) + "\n")


def print_disagreements(runs):
    """berth's own RMSD against PoseBusters'."""
    farthest, lines = 0, []
    for run, rows in runs.items():
        firsts = first_poses(rows)
        for row in read_rows(run / "redock.csv"):
            theirs = firsts.get(row["complex"], {}).get("rmsd")
            if not theirs or not row["rmsd_top"]:
                continue
            ours, theirs = float(row["rmsd_top"]), float(theirs)
            farthest = max(farthest, abs(ours - theirs))
            if (ours <= NEAR) != (theirs <= NEAR):
                lines.append(f"- {run.name}, {row['complex']}: {ours:.3f} Å by berth, {theirs:.3f} Å by PoseBusters")
    print(f"berth's RMSDs and PoseBusters' differ by at most {farthest:.3f} Å, and about 2 Å in {len(lines)} poses.\n")
    if lines:
        print("\n".join(lines))


def main():
    folder, crystal = Path(sys.argv[1]), read_rows(sys.argv[2])
    names = [row["pdb"] for row in read_rows(folder / "sites.tsv", "\t")]
    published = folder / "published.tsv"
    published = [row for row in read_rows(published, "\t") if row["pdb"] in names] if published.exists() else []
    runs = {Path(run): read_rows(Path(run) / "posebusters.csv") for run in sys.argv[3:]}
    print_table(names, crystal, runs, published)
    print_missing(names, runs)
    print_checks(crystal, runs)
    print_invalid(runs)
    print_disagreements(runs)


if __name__ == "__main__":
    main()
