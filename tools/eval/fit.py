"""Rankings fitted to what is known of a target, and what they are worth: `berth eval fit`.

Nested cross-validation (S. Varma, R. Simon, BMC Bioinformatics 7 (2006) 91): folds outside say what the fit gives for units
that it has not seen; folds inside each of them choose the penalty.
"""
import math

import numpy

import fitted
import logistic
from fitted import DEALS, FOLDS, LEAST, WANTED
from enrichment import MEASURES, NUMBER, Enrichment, default_resamples, measure, rank_by_size
from ligands import Joined, Known, Refused, Table, cut_states, numbers, text, texts
from sampling import Random, mean_of, total

INNER_FOLDS = 5  # of the cross-validation inside each fold of the one outside
PENALTIES = (10, 1, 0.1, 0.01, 0.001)  # to choose from, on weights of terms whose deviation is 1


class Rows:
    """Poses of complexes, or ligands' first modes.  lists: the poses of a file, or the rows of a ligand, rising; kept: what
    each stays together with in folds."""

    def __init__(self, lists, positive, kept):
        self.lists, self.positive = numpy.asarray(lists, dtype=int), numpy.asarray(positive, dtype=bool)
        _, self.units = numpy.unique(numpy.array([name.encode("latin-1") for name in kept], dtype=object), return_inverse=True)
        self.begins = numpy.flatnonzero(numpy.diff(self.lists, prepend=-1))
        self.ends = numpy.r_[self.begins[1:], len(self.lists)]
        self.unit_count = int(self.units.max(initial=-1)) + 1


class LigandRows(Rows):
    """The rows of first modes with a score of which it is known what they are, by name; order: their numbers among all first
    modes with a score."""

    def __init__(self, fields):
        joined = Joined([Table(fields["results"][0])], Known(fields["actives"]), Known(fields.get("decoys", {})), Known({}),
                        "states" in fields)
        table, actives = joined.results[0], joined.actives
        names = []
        for number, row in enumerate(numpy.flatnonzero(numbers(fields, "first", "u1"))):
            name = table.molecules[row]
            name = cut_states(name, actives, joined.decoys) if "states" in fields else name
            name = table.twins.get(name, name)
            if name in actives or "decoys" not in fields or name in joined.decoys:
                names.append((name, number))
        names.sort()
        self.order = numpy.array([number for _, number in names], dtype="<u4")
        distinct = list(dict.fromkeys(name for name, _ in names))
        place = {name: number for number, name in enumerate(distinct)}
        scaffolds = {name: scaffold for name in distinct if name in actives and (scaffold := actives.scaffold(name)) is not None}
        self.scaffolds, self.twins = len(scaffolds), len(table.joined)
        super().__init__([place[name] for name, _ in names], [name in actives for name, _ in names],
                         [scaffolds.get(name, name) for name, _ in names])


class PoseRows(Rows):
    """The poses of redockings; what stays together is their complex."""
    scaffolds = twins = 0

    def __init__(self, fields):
        super().__init__(numbers(fields, "lists"), numbers(fields, "positive", "u1"), texts(fields, "names"))


class Term:
    """An expression.  x: its values, less their mean (over all ligands, or over a list of poses), over their deviation; what
    is no number is 0, which tells nothing."""

    def __init__(self, fields, rows, by_list):
        self.text, values = text(fields, "text"), numbers(fields, "values")
        known = ~numpy.isnan(values)
        begins = rows.begins if by_list else [0]
        of = numpy.repeat(numpy.arange(len(begins)), numpy.diff([*begins, len(values)]))
        sums, counts = (numpy.bincount(of, part) for part in (numpy.where(known, values, 0), known))
        self.x = numpy.where(known, values - (sums / numpy.maximum(counts, 1))[of], 0)
        squares = total(self.x ** 2)
        self.scale = math.sqrt(squares / known.sum()) if squares > 0 else 1
        self.x /= self.scale
        self.weight, self.share, self.bounds = 0.0, 0.0, (0.0, 0.0)  # of the text; of all of x, in the fit to all and in folds


class Ranking:
    """One that is not fitted."""

    def __init__(self, fields):
        self.label, values = text(fields, "label"), numbers(fields, "values")
        self.values = numpy.where(numpy.isnan(values), math.inf, values)  # a row without a number comes last


class Figures:
    """A measure: each ranking's, the fitted one's first, and what that has more than each."""

    def __init__(self, name, title, decimals, values, gains, alone=None):
        self.name, self.title, self.decimals, self.values, self.gains, self.alone = name, title, decimals, values, gains, alone


class Part:
    """What is fitted: how ligands are ordered, or poses.  kinds: of measures, of which the first decides."""
    name, wanted, kinds = "", "", []

    def __init__(self, fields, rows):
        self.source, self.against = text(fields, "source"), text(fields, "against")
        self.functions, self.before = texts(fields, "functions"), {name: text(fields, name) for name in
                                                                    ("scoring", "pool", "poses_by", "ligands_by")}
        self.rows, self.active = rows, numpy.zeros(rows.unit_count, dtype=bool)
        self.known = self.count_known()  # decoys and actives; complexes, and those with right poses and wrong ones
        if min(self.known) < LEAST:
            raise Refused(self.too_few(len(fields["terms"])))
        self.terms = [Term(term, rows, isinstance(rows, PoseRows)) for term in fields["terms"]]
        self.rankings = [Ranking(ranking) for ranking in fields["rankings"]]
        self.compared = int(text(fields, "compared")) + 1  # with the fitted one; others are by one thing alone
        self.size = int(text(fields, "size"))   # the number of the ranking by heavy atoms; 0: there is none
        self.labels = ["fitted", *(ranking.label for ranking in self.rankings)]
        self.resamples = int(text(fields, "resamples")) or default_resamples(len(rows.begins))
        self.seed, self.gaining, self.verdict = int(text(fields, "seed")), 0, None
        self.examples, self.example_units = self.make_examples()
        for deal in reversed(range(DEALS)):  # the first, which is told of, last
            self.fit_deal(deal)
        first = next((term.weight for term in self.terms if term.weight > 0), 0)
        for term in self.terms:
            term.weight /= first or 1
        self.expression = fitted.expression(self.terms)
        self.shown = bool(self.expression) and self.gaining == DEALS

    # --- Cross-validation ---

    def deal(self, seed, left_out, count):
        """Deals units out to folds in an order of chance, actives and others each by themselves; those that are left out get
        none, which is -1."""
        folds, dealt, active, out = [-1] * self.rows.unit_count, [0, 0], self.active.tolist(), left_out.tolist()
        for unit in Random(seed).order(self.rows.unit_count):
            if not out[unit]:
                folds[unit] = dealt[active[unit]] % count
                dealt[active[unit]] += 1
        return numpy.array(folds)

    def fit_without(self, seed, left_out):
        """Fits to all units but those that are left out, by the penalty that loses least on units which were left out of
        that."""
        folds = self.deal(seed, left_out, INNER_FOLDS)[self.example_units]
        losses = numpy.zeros(len(PENALTIES))
        for fold in range(INNER_FOLDS):
            rest, itself = self.examples.only((folds >= 0) & (folds != fold)), self.examples.only(folds == fold)
            losses += [itself.loss(logistic.fit(rest, penalty)) for penalty in PENALTIES]
        weights = logistic.fit(self.examples.only(folds >= 0), PENALTIES[int(losses.argmin())])[:len(self.terms)]
        return weights / weights.sum() if weights.sum() > 0 else weights  # so that the values of different folds are alike

    def cross_validate(self, seed):
        """Each row's value by the fit to other folds; and the weights of the fit to all.  What leaves fold n out begins random
        numbers at seed + n, what leaves none out at seed - 1."""
        folds = self.deal(seed - 1, numpy.zeros(self.rows.unit_count, dtype=bool), FOLDS)
        weights = numpy.array([self.fit_without(seed + fold, folds == fold) for fold in range(FOLDS)])
        values = total(weights.T[:, folds[self.rows.units]] * numpy.array([term.x for term in self.terms]))
        for k, share in enumerate(self.fit_without(seed - 1, folds < 0)):
            self.terms[k].share, self.terms[k].bounds = share, (weights[:, k].min(), weights[:, k].max())
            self.terms[k].weight = share / self.terms[k].scale
        return values

    def fit_deal(self, deal):
        """Fits and measures by one deal of the folds; of those behind the first one only what decides."""
        seed = self.seed + (deal << 32)
        values = [self.cross_validate(seed), *(ranking.values for ranking in self.rankings)]
        self.figures = (self.measure(values[:self.compared], seed, self.kinds[:1]) if deal else
                        self.measure(values, seed, self.kinds))
        first = self.figures[0].values
        # the unfitted ranking that has most of the first measure
        self.best = 2 if self.compared > 2 and first[2].value >= first[1].value else 1
        self.gaining += self.figures[0].gains[self.best].low > 0


class Ligands(Part):
    name, wanted = "ligands", "actives"
    kinds = [NUMBER[name] for name in ("bedroc_20", "roc_area", "ef_1", "ef_5")]

    def count_known(self):
        self.active[self.rows.units] = self.rows.positive
        actives = int(self.rows.positive[self.rows.begins].sum())
        return len(self.rows.begins) - actives, actives

    def too_few(self, terms):
        return (f"{self.source}: {self.known[1]} actives and {self.known[0]} decoys are too few to fit to; it takes {LEAST} of each "
                f"at least, and for {terms} weights better {terms * WANTED} actives")

    def make_examples(self):
        """Each row is one; a list counts once."""
        sizes = self.rows.ends - self.rows.begins
        x = -numpy.column_stack([term.x for term in self.terms])
        return logistic.Examples(x, self.rows.positive, 1 / numpy.repeat(sizes, sizes), True), self.rows.units

    def measure(self, values, seed, kinds):
        """A ligand counts by its best row."""
        scores, active = [numpy.minimum.reduceat(each, self.rows.begins) for each in values], self.rows.positive[self.rows.begins]
        alone = None
        if 0 < self.size < len(scores):
            sizes = numpy.where(numpy.isinf(scores[self.size]), math.nan, -scores[self.size])
            alone = measure(active, scores[self.size])
            scores[self.size], fewest = rank_by_size(active, sizes)
            self.labels[self.size] = "fewest heavy atoms" if fewest else "heavy atoms"
        enrichment = Enrichment(active, scores, self.resamples, seed, kinds)
        if alone is not None:
            self.verdict = enrichment.verdict(0, self.size)
        return [Figures(MEASURES[k].name, MEASURES[k].title, MEASURES[k].decimals,
                        [enrichment.estimate(i, k) for i in range(len(scores))],
                        [enrichment.difference(0, i, k) for i in range(len(scores))], None if alone is None else alone[k])
                for k in kinds]


class Poses(Part):
    name, wanted = "poses", "complexes"
    kinds = [("right_first", "first, %", 1), ("right_of_five", "of five, %", 5)]

    def count_known(self):
        rights = numpy.add.reduceat(self.rows.positive, self.rows.begins, dtype=int)
        teaches = (rights > 0) & (rights < self.rows.ends - self.rows.begins)
        return self.rows.unit_count, len(numpy.unique(self.rows.units[self.rows.begins][teaches]))

    def too_few(self, terms):
        return (f"{self.source}: {self.known[1]} of {self.known[0]} complexes have right poses and wrong ones: too few to fit to; it "
                f"takes {LEAST} at least, and for {terms} weights better {terms * WANTED}")

    def make_examples(self):
        """Each pair of a right and a wrong pose of a list is one; a list counts once."""
        pairs, weights = [], []
        for begin, end in zip(self.rows.begins, self.rows.ends):
            right, wrong = (begin + numpy.flatnonzero(kind[begin:end]) for kind in (self.rows.positive, ~self.rows.positive))
            pairs += [(i, k) for i in right for k in wrong]
            weights += [1 / max(len(right) * len(wrong), 1)] * (len(right) * len(wrong))
        before, behind = numpy.array(pairs, dtype=int).reshape(-1, 2).T
        x = numpy.column_stack([term.x[behind] - term.x[before] for term in self.terms])
        return logistic.Examples(x, numpy.ones(len(x), dtype=bool), numpy.array(weights), False), self.rows.units[before]

    def measure(self, values, seed, kinds):
        result = []
        for name, title, among in kinds:
            successes = [self.success(each, among) for each in values]
            result.append(Figures(name, title, 1, [mean_of(each, self.resamples, seed) for each in successes],
                                  [mean_of(successes[0] - each, self.resamples, seed) for each in successes]))
        return result

    def success(self, values, among):
        """Percent of each complex's lists in which a right pose is among the first so many; of equal ones the first in the
        file comes first."""
        units = self.rows.units[self.rows.begins]
        found = [100 * bool(self.rows.positive[begin:end][numpy.argsort(values[begin:end], kind="stable")[:among]].any())
                 for begin, end in zip(self.rows.begins, self.rows.ends)]
        return numpy.bincount(units, found) / numpy.bincount(units)


def order(fields):
    """The rows that are fitted to, in their order."""
    yield "order", LigandRows(fields["ligands"]).order.tobytes()


def run(fields):
    """Files by their names; summary.txt is first; fitted.rank only where something ranks better than before."""
    poses = Poses(fields["poses"], PoseRows(fields["poses"])) if "poses" in fields else None
    ligands = Ligands(fields["ligands"], LigandRows(fields["ligands"])) if "ligands" in fields else None
    parts = [part for part in (poses, ligands) if part]
    yield "summary.txt", fitted.summary(parts)
    yield "fit.csv", fitted.measures_table(parts)
    yield "weights.csv", fitted.weights_table(parts)
    if any(part.shown for part in parts):
        yield "fitted.rank", fitted.rank(poses, ligands)
