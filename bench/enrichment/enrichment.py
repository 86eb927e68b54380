"""EF1%, EF5% and the area under the ROC curve of a scores.csv: enrichment.py ACTIVES.mol2.gz scores.csv

A ligand counts once, by the best score of its states (rows of one name)."""
import csv
import gzip
import sys


def names_of(path):
    lines = iter(gzip.open(path, "rt"))
    return {next(lines).strip() for line in lines if line.startswith("@<TRIPOS>MOLECULE")}


def main(actives_path, scores_path):
    actives, best = names_of(actives_path), {}
    with open(scores_path, newline="") as file:
        for row in csv.DictReader(file):
            score = float(row["score"])
            best[row["ligand"]] = min(best.get(row["ligand"], score), score)
    ranked = [name in actives for name in sorted(best, key=best.get)]
    found, decoys = sum(ranked), len(ranked) - sum(ranked)

    def enrichment(share):
        first = max(1, round(share * len(ranked)))
        return sum(ranked[:first]) / found / (first / len(ranked))

    area = behind = 0
    for active in reversed(ranked):
        area += behind if active else 0
        behind += not active
    print(f"{len(ranked)} ligands, {found} actives: EF1% {enrichment(0.01):.1f}, "
          f"EF5% {enrichment(0.05):.1f}, AUC {area / found / decoys:.3f}")


main(*sys.argv[1:])
