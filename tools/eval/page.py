"""What the report's page says of actives, as JSON: the same figures as `berth eval screen`, beside heavy atoms alone."""
import numpy

from enrichment import (FACTORS, FEW, MEASURES, NUMBER, Enrichment, coarse_text, default_resamples, estimate_text, measure,
                        rank_by_size, roc_curve, verdict_text)
from ligands import Joined, Known, Table
from text import in_json

SEED = 1
POINTS = 400    # of the curve, about
PLACED = 2000   # actives that are drawn by size and score
LARGEST = 199   # heavy atoms, where the page's axis ends


def size_text(enrichment, fewest):
    """How size alone, ranking 1, ranks the ligands, and whether ranking 0 is worth more."""
    area = estimate_text(enrichment.estimate(1, NUMBER["roc_area"]), 3)
    less = enrichment.difference(0, 1, NUMBER["roc_area"])
    verdict = verdict_text(enrichment.verdict(0, 1), "the fewest heavy atoms" if fewest else "heavy atoms")
    return (f"{'The fewest heavy atoms' if fewest else 'Heavy atoms'} alone have ROC area {area}, the difference is "
            f"{estimate_text(less, 3, '+')}, {less.p_text()}.{' ' + verdict if verdict else ''}")


def measured(active, scores, sizes):
    """Members of the block: each measure with its interval, and what size alone reaches, if all sizes are known."""
    known, size, rankings, alone = bool((sizes > 0).all()), "", [scores], None
    if known:
        by_size, fewest = rank_by_size(active, sizes)
        rankings, alone = [scores, by_size], measure(active, -sizes)
    resamples = default_resamples(len(scores))
    enrichment = Enrichment(active, rankings, resamples, SEED)
    if known:
        size = f'"size":{in_json(size_text(enrichment, fewest))},'
    rows = []
    for k, kind in enumerate(MEASURES):
        beside = f',"{alone[k]:.{kind.decimals}f}"' if known and k in FACTORS else ""
        rows.append(f"[{in_json(kind.title)},{in_json(estimate_text(enrichment.estimate(0, k), kind.decimals))}{beside}]")
    return f'{size}"resamples":{resamples},"measures":[{",".join(rows)}]'


def run(fields):
    """One text; none where no, or all, ligands are actives."""
    table, known = Table(fields["results"][0]), Known(fields["actives"])
    joined = Joined([table], known, Known({}), Known({}), "states" in fields)
    names = table.names()
    active = numpy.array([name in known for name in names], dtype=bool)
    count, rows = int(active.sum()), [table.best[name] for name in names]
    if not 0 < count < len(names):
        return
    scores, sizes = numpy.array([table.scores[row] for row in rows]), table.heavy_atoms[rows]
    undocked = [name for name in known.names() if name not in table]
    placed = [f"[{min(sizes[i], LARGEST):.0f},{scores[i]:.4f}]" for i in numpy.flatnonzero(active & (sizes > 0))[:PLACED]]
    told = [name for name in names if name in known] + sorted(name for name, best in table.twins.items() if best in known)
    decoys, actives = (shares[::len(shares) // POINTS + 1] for shares in roc_curve(active, scores))
    yield "roc", (
        f'{{"actives":{count},"ligands":{len(names)},{measured(active, scores, sizes)},"joined":{in_json(table.joined_text())},'
        f'"undocked":{len(undocked)},"first_undocked":{in_json(undocked[0] if undocked else "")},'
        f'"coarse":{in_json(coarse_text(count, len(names)))},"few":{FEW},"states":{"true" if "states" in fields else "false"},'
        f'"names":[{",".join(map(in_json, told))}],"placed":[{",".join(placed)}],'
        f'"points":[{"".join(f"[{x:.5f},{y:.5f}]," for x, y in zip(decoys, actives))}[1,1]]}}')
