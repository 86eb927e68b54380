"""Measures of a ranking by scikit-learn and RDKit, which berth's own are held against.

enrichment.py SCORES.csv ACTIVES.txt ENRICHMENT.csv
    compares the rows of the first ranking in ENRICHMENT.csv (of `berth eval screen --out`) with what
    both make of SCORES.csv (columns ligand, score, without ties); exit code 1 where they differ by
    more than 1e-9
enrichment.py
    prints the numbers that tests/statistics/units.py holds
"""
import csv
import sys

import numpy
from rdkit.ML.Scoring import Scoring
from sklearn.metrics import roc_auc_score, roc_curve

SHARES = (0.005, 0.01, 0.02, 0.05, 0.1)


def log_area(active, scores):
    """Mysinger and Shoichet 2010: over log10 of the share of decoys, from 0.001 on, exactly."""
    decoys, actives, _ = roc_curve(active, -scores, drop_intermediate=False)
    keep = numpy.unique(numpy.concatenate([[0.001], decoys[decoys > 0.001]]))
    area = 0.0
    for begin, end in zip(keep[:-1], keep[1:]):
        at = numpy.searchsorted(decoys, end)  # the segment that ends here
        x1, x2, y1, y2 = decoys[at - 1], decoys[at], actives[at - 1], actives[at]
        slope = (y2 - y1) / (x2 - x1)
        area += slope * (end - begin) + (y1 - slope * x1) * numpy.log(end / begin)
    return area / numpy.log(1000)


def measures(active, scores):
    """Name and value of each; those of RDKit want a list in order, without ties."""
    active, scores = numpy.asarray(active), numpy.asarray(scores, dtype=float)
    order = numpy.argsort(scores, kind="stable")
    ranked = [[bool(flag)] for flag in active[order]]
    result = {"roc_area": roc_auc_score(active, -scores), "log_area": log_area(active, scores)}
    assert abs(Scoring.CalcAUC(ranked, 0) - result["roc_area"]) < 1e-12 or len(set(scores)) < len(scores)
    for share in SHARES:  # one at a time: together, RDKit 2022.09 is wrong where two are as many ligands
        result[f"ef_{share * 100:g}"] = Scoring.CalcEnrichment(ranked, 0, [share])[0]
    for alpha in (20, 80.5):
        result[f"bedroc_{alpha:g}"] = Scoring.CalcBEDROC(ranked, 0, alpha)
    return result


def of_files(scores_path, actives_path):
    with open(actives_path) as file:
        actives = set(file.read().split())
    with open(scores_path, newline="") as file:
        rows = list(csv.DictReader(file))
    return measures([row["ligand"] in actives for row in rows], [row["score"] for row in rows])


def compare(scores_path, actives_path, ours_path):
    theirs = of_files(scores_path, actives_path)
    with open(ours_path, newline="") as file:
        rows = list(csv.DictReader(file))
    ours = {row["measure"]: float(row["value"]) for row in rows if row["ranking"] == rows[0]["ranking"]}
    wrong = [name for name in theirs if abs(ours[name] - theirs[name]) > 1e-9]
    for name in wrong:
        print(f"{name}: {ours[name]!r}, but by scikit-learn and RDKit {theirs[name]!r}")
    print(f"{len(theirs)} measures compared")
    return 1 if wrong else 0


def fixed():
    """The set of the unit test: 1000 ligands, scores are ranks."""
    early = [0, 1, 2, 5, 7, 8, 12, 19, 20, 33, 47, 48, 60, 95, 130, 131, 210, 333, 334, 500, 501, 650, 702, 888, 999]
    active = numpy.isin(numpy.arange(1000), early)
    for name, value in measures(active, numpy.arange(1000)).items():
        print(f"{name:12s} {value!r}")
    tied = numpy.arange(1000) // 7
    print("in ties of seven: roc_area", repr(roc_auc_score(active, -tied)), "log_area", repr(log_area(active, tied)))


if len(sys.argv) == 4:
    sys.exit(compare(*sys.argv[1:]))
fixed()
