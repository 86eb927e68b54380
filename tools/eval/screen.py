"""Whether a screen finds the actives that are known: `berth eval screen`."""
import math

import numpy

import plot
from enrichment import (EARLY, FACTORS, FEW, MEASURES, TESTED, Enrichment, area_of, coarse_text, default_resamples,
                        early_count, estimate_text, measure, rank_by_size, ranks_of, verdict_text)
from ligands import Joined, Known, Refused, Table, cut_once, cut_states, text, texts
from text import field, number, row, shown

LABEL = 63   # bytes of a ranking's label, at most
SIZES = ("heavy atoms", "fewest heavy atoms", "mass", "least mass")  # labels of the rankings that need no docking


class Scored:
    """The ligands that all results have a score of, and what is left out."""

    def __init__(self, joined, decoys_given, states):
        first, *others = joined.results
        actives, decoys = joined.actives, joined.decoys
        listed = [name for name in first.names() if name in actives or not decoys_given or name in decoys]
        self.names = [name for name in listed if all(name in other for other in others)]
        self.active = numpy.array([name in actives for name in self.names], dtype=bool)
        self.actives = int(self.active.sum())
        self.left_out, self.unlisted = len(listed) - len(self.names), len(first.best) - len(listed)
        self.undocked = [name for name in actives.names() if name not in first]
        self.hidden = sum((cut := cut_states(name, actives, decoys)) in actives and cut not in first
                          for name in (first.best if self.undocked else ()))
        rows = numpy.array([first.best[name] for name in self.names], dtype=int)
        self.open = first.open[rows].astype(bool)
        # first by what all are of, since a charged form has another mass than actives have that are given as drawn
        known, place = (joined.molecules, actives, decoys), {name: i for i, name in enumerate(self.names)}
        self.heavy_atoms, self.masses = first.heavy_atoms[rows].copy(), numpy.full(len(rows), math.nan)
        for kind in ("heavy_atoms", "masses"):
            sizes = getattr(self, kind)
            for ligands in known:
                for name, row in ligands.best.items():
                    if name in place and math.isnan(sizes[place[name]]):
                        sizes[place[name]] = getattr(ligands, kind)[row]
        if not self.actives:
            name = min(first.best)
            is_state = not states and cut_once(name)
            hint = "; if _1 and the like say states of a molecule, say so" if is_state else ""
            raise Refused(f"none of the {len(actives.best)} actives of {actives.path} is in {first.path}; its names are such as "
                          f"{name}{hint}", "states" if is_state else "")
        if self.actives == len(self.names):
            raise Refused(f"all {len(self.names)} ligands are actives: there is nothing to tell them from")


class Ranking:
    """What orders the ligands, and where it has the actives."""

    def __init__(self, label, scores, scored, scaffolds):
        self.label, self.scores, self.ranks = label, scores, ranks_of(scores)
        self.actives = sorted(numpy.flatnonzero(scored.active).tolist(), key=lambda i: (self.ranks[i], i))  # best first
        best = {}
        for i in self.actives:
            best.setdefault(scaffolds.of.get(i), i)
        self.places = [best[number] for number in range(len(scaffolds.smiles))]  # of the best active of each scaffold
        if scaffolds.smiles:
            self.scaffold_area = scaffolds.area(scored.active, scores)

    def early_scaffolds(self, permille):
        """Scaffolds of which an active is among the first ligands."""
        first = early_count(permille, len(self.scores))
        return sum(bool(self.ranks[place] <= first) for place in self.places)


class Scaffolds:
    """Those of the actives: a screen that finds many of one series finds one idea."""

    def __init__(self, joined, scored):
        """As far as they are known: from the actives' molecules, else from those of all ligands."""
        found = {}
        for i in numpy.flatnonzero(scored.active).tolist():
            smiles = joined.actives.scaffold(scored.names[i])
            found[i] = joined.molecules.scaffold(scored.names[i]) if smiles is None else smiles
        self.unknown = sum(smiles is None for smiles in found.values())
        self.smiles = sorted({smiles for smiles in found.values() if smiles is not None})
        place = {smiles: number for number, smiles in enumerate(self.smiles)}
        self.of = {i: place[smiles] for i, smiles in found.items() if smiles is not None}
        self.actives = numpy.bincount(list(self.of.values()), minlength=len(self.smiles))

    def area(self, active, scores):
        """Under the ROC curve in which each scaffold counts once; actives without one do not count."""
        weights = numpy.zeros(len(scores))
        weights[list(self.of)] = 1 / self.actives[list(self.of.values())]
        keep = ~active | (weights > 0)
        return area_of(active[keep], scores[keep], weights[keep])

    def text(self, i):
        """Of a ligand; "" where none is known."""
        return (self.smiles[self.of[i]] or "no ring") if i in self.of else ""


def label_of(path):
    """A table's name without its ending or, where that says nothing, the name of its folder."""
    folder, slash, name = path.rpartition("/")
    ending = name.find(".csv")
    name = name[:ending] if ending > 0 else name
    if slash and name == "scores":
        name = folder.rpartition("/")[2]
    return (name or path)[:LABEL]


class Evaluation:
    """The rankings of a screen's ligands: by each of the results, by their mean rank, and by what needs no docking."""

    def __init__(self, fields, tables, columns):
        """columns: what ranks each table, where several do one; else none."""
        self.states = "states" in fields
        self.joined = Joined([Table(table) for table in tables], *(Known(fields.get(name, {})) for name in
                             ("actives", "decoys", "molecules")), self.states)
        self.scored = scored = Scored(self.joined, "decoys" in fields, self.states)
        self.scaffolds, self.rankings, self.by_column = Scaffolds(self.joined, scored), [], bool(columns)
        for i, table in enumerate(self.joined.results):
            self._add(self._free_label(columns[i][:LABEL] if columns else label_of(table.path)),
                      numpy.array([table.scores[table.best[name]] for name in scored.names]))
        if len(tables) > 1:
            self._add("mean rank", sum(ranking.ranks for ranking in self.rankings) / len(tables))
        self.trivial = len(self.rankings)  # the first of those that need no docking
        for labels, sizes in ((SIZES[:2], scored.heavy_atoms), (SIZES[2:], scored.masses)):
            if not numpy.isnan(sizes).any():
                scores, smallest = rank_by_size(scored.active, sizes)
                self._add(labels[smallest], scores)
        self.size_alone = None if numpy.isnan(scored.heavy_atoms).any() else measure(scored.active, -scored.heavy_atoms)
        self.resamples = int(text(fields, "resamples")) or default_resamples(len(scored.names))
        self.enrichment = Enrichment(scored.active, [ranking.scores for ranking in self.rankings], self.resamples,
                                     int(text(fields, "seed")))

    def _add(self, label, scores):
        self.rankings.append(Ranking(label, scores, self.scored, self.scaffolds))

    def _free_label(self, label):
        """One that no ranking has."""
        taken = {"mean rank", *SIZES, *(ranking.label for ranking in self.rankings)}
        following = (f"{label[:LABEL - 7]} {i}" for i in range(2, len(taken) + 3))
        return next(name for name in (label, *following) if name not in taken)

    def pairs(self):
        """Rankings whose difference is tested: each that is not trivial against each that is, and the first results."""
        for i in range(self.trivial):
            yield from ((i, other) for other in range(self.trivial, len(self.rankings)))
            if i:
                yield i, 0


# --- The summary ---

BESIDE = 3     # rankings beside each other
SHOWN = 20     # actives whose rank is printed
MEASURE, CELL = 13, 26  # widths of columns
NAMES_ALONE = ("no scaffolds: the actives are known by their names alone; the options actives and ligands take molecules: SMILES, "
               "SDF, Mol2 and libraries")


def cells(texts):
    """Texts under each other with those of other lines."""
    *others, last = texts
    return "".join(cell + " " * max(CELL - len(cell), 0 if len(cell) < CELL else 2) for cell in others) + last


def head(evaluation, no_rdkit):
    scored, results = evaluation.scored, evaluation.joined.results
    tables = results[:1] if evaluation.by_column else results
    lines = [f"{', '.join(shown(table.path) for table in tables)}: {len(scored.names)} ligands, {scored.actives} actives, "
             f"{len(scored.names) - scored.actives} decoys"]
    for table in tables:
        joined = table.joined_text()
        if joined:
            lines.append((f"{shown(table.path)}: " if len(tables) > 1 else "") + shown(joined))
    if scored.undocked:
        many = len(scored.undocked) > 1
        lines.append(f"{len(scored.undocked)} active{'s have' if many else ' has'} no score, and {'are' if many else 'is'} left out "
                     f"({shown(scored.undocked[0])}{' ...' if many else ''})")
    open_ligands, open_actives = int(scored.open.sum()), int((scored.open & scored.active).sum())
    massless = numpy.flatnonzero(numpy.isnan(scored.masses))
    notes = [(scored.hidden, f"{scored.hidden} ligands are states of these, if _1 and the like say so: the option states takes "
                             "them so"),
             (open_ligands, f"stereo left open: {open_ligands} of the ligands, {open_actives} of the actives, of which some isomers "
                            "were not docked (prep ligands --stereo N makes more)"),
             (scored.left_out, f"{scored.left_out} ligands have no score in some of the results, and are left out"),
             (scored.unlisted, f"{scored.unlisted} ligands are neither active nor decoy, and are left out"),
             (evaluation.scaffolds.smiles and evaluation.scaffolds.unknown,
              f"{evaluation.scaffolds.unknown} actives are of unknown scaffold"),
             (scored.actives < FEW, f"with fewer than {FEW} actives the intervals are too narrow"),
             (not evaluation.scaffolds.smiles,
              "no scaffolds: they need RDKit, which was not found" if no_rdkit else NAMES_ALONE),
             (len(massless), f"no ranking by mass: it is not known of {len(massless)} ligands ("
                             f"{shown(scored.names[massless[0]]) if len(massless) else ''}); the option ligands takes the library, or "
                             "other molecules, that were docked")]
    return "".join(line + "\n" for line in lines + [note for holds, note in notes if holds])


def verdicts(evaluation):
    """What it comes to, a line for each ranking: whether it is worth more than size alone."""
    def says(better, worse):
        return ("ranks better than " if better else "ranks worse than " if worse else "not shown to be better than ",
                " by one measure, worse by another" if better and worse else "")

    sizes, lines = range(evaluation.trivial, len(evaluation.rankings)), []
    for i in range(evaluation.trivial if sizes else 0):
        said = [says(*evaluation.enrichment.verdict(i, k)) for k in sizes]
        labels = [evaluation.rankings[k].label for k in sizes]
        if len(set(said)) == 1:
            said, labels = said[:1], ["size"]
        lines.append(f"{shown(evaluation.rankings[i].label)}: " + ", ".join(
            f"{how}{label} alone{rest}" for (how, rest), label in zip(said, labels)) + "\n")
    return "".join(lines)


def measures(evaluation):
    """Rankings beside each other, and beside their enrichment factors those of size alone."""
    parts = []
    for begin in range(0, len(evaluation.rankings), BESIDE):
        block = range(begin, min(begin + BESIDE, len(evaluation.rankings)))
        labels = [shown(evaluation.rankings[i].label) for i in block]
        alone = None if SIZES[0] in labels else evaluation.size_alone
        parts.append("\n" + " " * MEASURE + cells(labels + ["size alone"] * (alone is not None)))
        for k, kind in enumerate(MEASURES):
            row = [estimate_text(evaluation.enrichment.estimate(i, k), kind.decimals) for i in block]
            if alone is not None and k in FACTORS:
                row.append(f"{alone[k]:.{kind.decimals}f}")
            parts.append(f"\n{kind.title:{MEASURE}}{cells(row)}")
        parts.append("\n")
    coarse = coarse_text(evaluation.scored.actives, len(evaluation.scored.names))
    return "".join(parts) + (f"(95 % confidence by {evaluation.resamples} resamples)\n" +
                             (f"of few ligands: {coarse}\n" if coarse else ""))


def comparison(evaluation, i, other):
    """One ranking beside another."""
    labels = [shown(evaluation.rankings[k].label) for k in (i, other)]
    lines = ["\n" + " against ".join(labels)]
    for k in TESTED:
        difference = evaluation.enrichment.difference(i, other, k)
        told = cells([estimate_text(difference, MEASURES[k].decimals, "+"), ""])
        lines.append(f"{MEASURES[k].title:{MEASURE}}{told} {difference.p_text()}")
    if other >= evaluation.trivial:
        lines.append(verdict_text(evaluation.enrichment.verdict(i, other), labels[1], labels[0]))
    return "".join(line + "\n" for line in lines if line)


def scaffolds(evaluation):
    lines = [f"\n{len(evaluation.scaffolds.smiles)} scaffolds of actives; found among the first 0.5, 1, 2, 5 and 10 %, and ROC area "
             "where each counts once\n"]
    for ranking in evaluation.rankings:
        found = "".join(f"{ranking.early_scaffolds(early):5}" for early in EARLY)
        lines.append(f"{cells([shown(ranking.label), ''])}{found}  {ranking.scaffold_area:.3f}\n")
    return "".join(lines)


def actives(evaluation):
    first, names = evaluation.rankings[0], evaluation.scored.names
    ranks = ", ".join(f"{shown(names[i])} {first.ranks[i]:g}" for i in first.actives[:SHOWN])
    more = f" ... and {len(first.actives) - SHOWN} more" if len(first.actives) > SHOWN else ""
    return f"\nactives by rank of {len(names)} ({shown(first.label)}): {ranks}{more}\n"


def summary(evaluation, no_rdkit):
    pairs = list(evaluation.pairs())
    parts = [head(evaluation, no_rdkit), verdicts(evaluation), measures(evaluation),
             *(comparison(evaluation, *pair) for pair in pairs)]
    if len(evaluation.joined.results) > 1:
        parts.append(f"\nThese are {len(pairs)} comparisons by {len(TESTED)} measures; of 20 without a difference one has p < 0.05 by "
                     "chance.  p is from a normal distribution: near 0.05 the interval may say otherwise.\n")
    if evaluation.scaffolds.smiles:
        parts.append(scaffolds(evaluation))
    return "".join(parts) + actives(evaluation)


# --- Tables ---

def enrichment_table(evaluation):
    lines, alone = [row("ranking", "measure", "value", "low", "high", "size_alone")], evaluation.size_alone
    for i, ranking in enumerate(evaluation.rankings):
        for k, kind in enumerate(MEASURES):
            estimate = evaluation.enrichment.estimate(i, k)
            lines.append(row(field(ranking.label), kind.name, number(estimate.value), number(estimate.low), number(estimate.high),
                             "" if alone is None else number(alone[k])))
        if evaluation.scaffolds.smiles:
            lines.append(row(field(ranking.label), "scaffold_roc_area", number(ranking.scaffold_area), "", "", ""))
            lines += [row(field(ranking.label), f"scaffolds_{early / 10:g}", str(ranking.early_scaffolds(early)), "", "", "")
                      for early in EARLY]
    return "".join(lines)


def differences_table(evaluation):
    lines = [row("ranking", "against", "measure", "difference", "low", "high", "p")]
    for i, other in evaluation.pairs():
        for k, kind in enumerate(MEASURES):
            difference = evaluation.enrichment.difference(i, other, k)
            lines.append(row(*(field(evaluation.rankings[at].label) for at in (i, other)), kind.name, number(difference.value),
                             number(difference.low), number(difference.high), f"{difference.p:.6g}"))
    return "".join(lines)


def actives_table(evaluation):
    return row("ranking", "ligand", "rank", "score", "scaffold") + "".join(
        row(field(ranking.label), field(evaluation.scored.names[i]), f"{ranking.ranks[i]:g}", f"{ranking.scores[i]:.9g}",
            field(evaluation.scaffolds.text(i)))
        for ranking in evaluation.rankings for i in ranking.actives)


def scaffolds_table(evaluation):
    return row("ranking", "scaffold", "actives", "best_rank", "best_active") + "".join(
        row(field(ranking.label), field(evaluation.scaffolds.text(place)), str(count), f"{ranking.ranks[place]:g}",
            field(evaluation.scored.names[place]))
        for ranking in evaluation.rankings for place, count in zip(ranking.places, evaluation.scaffolds.actives))


def run(fields):
    """Files by their names; summary.txt is first."""
    columns = texts(fields, "columns")
    evaluation = Evaluation(fields, fields["results"], columns)
    yield "summary.txt", summary(evaluation, "no_rdkit" in fields)
    yield "enrichment.csv", enrichment_table(evaluation)
    yield "differences.csv", differences_table(evaluation)
    yield "actives.csv", actives_table(evaluation)
    if evaluation.scaffolds.smiles:
        yield "scaffolds.csv", scaffolds_table(evaluation)
    yield "roc.svg", plot.roc(evaluation, False)
    yield "roc_log.svg", plot.roc(evaluation, True)
