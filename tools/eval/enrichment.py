"""How early rankings of ligands find the actives among them: measures, their confidence, and how sure it is that one
ranking is better than another.  docs/evaluation.md has the formulas and where they are from.

A ranking is a score for each ligand, the lower the better.  It is cut into steps, which are all that its measures depend
on: runs of actives alone, runs of decoys alone, and ligands of equal score where there are both.  These count as the mean
over all their orders, so that no measure depends on the order of the input.  Resampled, a ranking has the same steps with
other counts.
"""
import math

import numpy

from sampling import BLOCK, Estimate, Random, total

EARLY = (5, 10, 20, 50, 100)  # the shares of the ligands that EF is given at, in 1/1000
FEW = 10          # fewer actives have intervals that are too narrow; of fewer ligands an EF is coarse
UNLIKELY = 0.05   # p of a difference that is more than chance
RESAMPLES = 2000  # by default,
DRAWN = 4e8       # but no more ligands than that are drawn, which takes seconds,
RESAMPLES_LEAST = 200  # of however many


def early_count(permille, ligands):
    """How many of the ligands that share is, rounded up."""
    return (ligands * permille + 999) // 1000


def default_resamples(ligands):
    return int(min(max(DRAWN / ligands, RESAMPLES_LEAST), RESAMPLES))


# --- Steps ---

def steps_of(active, scores):
    """The number of the step that each ligand is in."""
    order = numpy.argsort(scores, kind="stable")
    scores, active = scores[order], active[order]
    begins = numpy.flatnonzero(numpy.r_[True, scores[1:] != scores[:-1]])  # of ligands of equal score
    actives, sizes = numpy.add.reduceat(active, begins, dtype=int), numpy.diff(numpy.r_[begins, len(scores)])
    kind = numpy.where(actives == 0, 0, numpy.where(actives == sizes, 1, 2))
    steps = numpy.cumsum(numpy.r_[True, (kind[1:] == 2) | (kind[1:] != kind[:-1])]) - 1
    result = numpy.empty(len(scores), dtype=numpy.int32)
    result[order] = numpy.repeat(steps, sizes)
    return result


def counted(steps, chosen, weights=None):
    """How many of the chosen ligands, or what weight of them, is in each step."""
    picked = None if weights is None else weights[chosen]
    return numpy.bincount(steps[chosen], picked, minlength=int(steps.max()) + 1).astype(float)


def ranks_of(scores):
    """From 1; equal scores have the mean of theirs."""
    _, place, sizes = numpy.unique(scores, return_inverse=True, return_counts=True)
    ends = numpy.cumsum(sizes)
    return (0.5 * (ends - sizes + 1 + ends))[place]


# --- Measures of steps: [steps, samples], the best step first; counts are whole numbers, but for areas ---

def roc_area(actives, decoys):
    all_decoys = total(decoys)
    behind = all_decoys - numpy.cumsum(decoys, axis=0)
    return total(actives * (behind + 0.5 * decoys)) / (total(actives) * all_decoys)


class Counts:
    """What the measures of several samples are worked out of."""

    def __init__(self, actives, decoys):
        self.actives, self.decoys, self.sizes = actives, decoys, actives + decoys
        self.found, self.ends = numpy.cumsum(actives, axis=0), numpy.cumsum(self.sizes, axis=0)  # up to the end of each step
        self.before = self.ends - self.sizes
        self.all_actives, self.all_decoys, self.ligands = self.found[-1], total(decoys), self.ends[-1]

    def enrichment_factor(self, permille):
        """The actives among the first ligands, in units of what chance would find there."""
        first = early_count(permille, int(self.ligands[0]))
        steps = slice(int((self.before.min(axis=1) < first).sum()))  # which they may lie in
        actives, left = self.actives[steps], first - self.before[steps]
        sizes = numpy.maximum(self.sizes[steps], 1)
        found = total(numpy.where(self.ends[steps] <= first, actives, actives * numpy.maximum(left, 0) / sizes))
        return found * self.ligands / (self.all_actives * first)

    def bedroc(self, alpha):
        """Truchon and Bayly, J. Chem. Inf. Model. 47 (2007) 488: the mean over actives of exp(-alpha rank / ligands), scaled
        to 0 for the worst ranking and 1 for the best one."""
        ratio, each, steps = self.all_actives / self.ligands, alpha / self.ligands, self.actives.any(axis=1)
        actives, sizes, before = self.actives[steps], self.sizes[steps], self.before[steps]
        # a geometric series over the ranks of each step
        found = total(actives / numpy.maximum(sizes, 1) * numpy.exp(-each * (before + 1)) * numpy.expm1(-each * sizes) /
                      numpy.expm1(-each))
        # each over what chance gives on the average
        chance = math.expm1(-alpha) / numpy.expm1(each) / -self.ligands
        most = numpy.expm1(-alpha * ratio) / (ratio * math.expm1(-alpha))
        least = numpy.expm1(alpha * ratio) / (ratio * math.expm1(alpha))
        return (found / self.all_actives / chance - least) / (most - least)

    def log_area(self):
        """Mysinger and Shoichet, J. Chem. Inf. Model. 50 (2010) 1561: under the curve over log10 of the share of decoys, from
        `least` on."""
        least = 0.001
        decoys_before = (self.before - self.found + self.actives) / self.all_decoys
        share = (self.found - self.actives) / self.all_actives
        end = (self.ends - self.found) / self.all_decoys
        slope = self.actives * self.all_decoys / (numpy.maximum(self.decoys, 1) * self.all_actives) * (self.decoys > 0)
        begin = numpy.maximum(decoys_before, least)
        end = numpy.maximum(end, begin)
        return total(slope * (end - begin) + (share - slope * decoys_before) * numpy.log(end / begin)) / -math.log(least)


class Measure:
    """Its name in tables, its title for people, what works it out of Counts, and its decimals."""

    def __init__(self, name, title, of, decimals=3):
        self.name, self.title, self.of, self.decimals = name, title, of, decimals


def factor(permille):
    return Measure(f"ef_{permille / 10:g}", f"EF{permille / 10:g} %", lambda counts: counts.enrichment_factor(permille), 1)


MEASURES = [Measure("roc_area", "ROC area", lambda counts: roc_area(counts.actives, counts.decoys)), *map(factor, EARLY),
            Measure("bedroc_20", "BEDROC 20", lambda counts: counts.bedroc(20)),
            Measure("bedroc_80.5", "BEDROC 80.5", lambda counts: counts.bedroc(80.5)),
            Measure("log_area", "log area", Counts.log_area)]
ALL = range(len(MEASURES))
NUMBER = {measure.name: number for number, measure in enumerate(MEASURES)}
FACTORS = range(NUMBER["ef_0.5"], NUMBER["ef_10"] + 1)
TESTED = [NUMBER[name] for name in ("roc_area", "bedroc_20", "ef_1")]  # whose differences are tested


def measure(active, scores):
    """All measures of one ranking."""
    steps = steps_of(active, scores)
    counts = Counts(counted(steps, active)[:, None], counted(steps, ~active)[:, None])
    return numpy.array([measure.of(counts)[0] for measure in MEASURES])


def area_of(active, scores, weights=None):
    """Under the ROC curve; weights: what each active counts for."""
    steps = steps_of(active, scores)
    return float(roc_area(counted(steps, active, weights), counted(steps, ~active)))


def roc_curve(active, scores):
    """The corners of the curve, from (0, 0) to (1, 1): shares of decoys and of actives that were found."""
    steps = steps_of(active, scores)
    found = [numpy.r_[0, numpy.cumsum(counted(steps, chosen))] for chosen in (~active, active)]
    return [shares / shares[-1] for shares in found]


def rank_by_size(active, sizes):
    """Scores by which size alone ranks, which is what a ranking has to beat: the largest come first or, where that has the
    larger ROC area, the smallest; and whether that is so.  A size that is not known comes last."""
    largest, smallest = (numpy.where(numpy.isnan(sizes), math.inf, sign * sizes) for sign in (-1, 1))
    turned = area_of(active, smallest) > area_of(active, largest)
    return (smallest if turned else largest), turned


# --- Several rankings, resampled ---

class Difference(Estimate):
    """Of a measure, with the two-sided probability of one as large where there is none: of the normal distribution, and
    never below what so many resamples can tell."""

    def __init__(self, value, draws):
        super().__init__(value, draws)
        unit = math.sqrt(total((draws - total(draws / len(draws))) ** 2) / (len(draws) - 1))
        distance = abs(self.value) / unit if unit > 0 else math.inf
        self.least = 1 / (len(draws) + 1)
        self.p = max(1.0 if value == 0 else math.erfc(distance / math.sqrt(2)), self.least)

    def p_text(self):
        return f"p {self.p:.2g}" if self.p > self.least else f"p < {self.p:.1g}"


class Enrichment:
    """Measures all rankings, and resamples actives and decoys, each among themselves, with replacement; the same ligands
    for every ranking, so that differences are paired.  kinds: the numbers of the measures that will be asked for."""

    def __init__(self, active, rankings, resamples, seed, kinds=ALL):
        self.values = numpy.array([measure(active, scores) for scores in rankings])
        self.draws = numpy.full((resamples, *self.values.shape), math.nan)
        both, ligands, random = (~active, active), len(active), Random(seed)
        steps = [steps_of(active, scores) for scores in rankings]
        together = max(BLOCK // ligands, 1)
        for begin in range(0, resamples, together):
            rows = min(together, resamples - begin)
            uniform, at, drawn = random.uniform(rows * ligands).reshape(rows, ligands), 0, []
            for size in (int(kind.sum()) for kind in both):
                drawn.append((uniform[:, at:at + size] * size).astype(numpy.int32))
                at += size
            for number, of in enumerate(steps):
                decoys, actives = (self._count(of[kind], places, int(of.max()) + 1) for kind, places in zip(both, drawn))
                counts = Counts(actives, decoys)
                for kind in kinds:
                    self.draws[begin:begin + rows, number, kind] = MEASURES[kind].of(counts)

    @staticmethod
    def _count(steps, places, size):
        """How many ligands at these places of each row are in each step: [steps, rows]."""
        rows = len(places)
        cells = steps[places] * rows + numpy.arange(rows)[:, None]
        return numpy.bincount(cells.ravel(), minlength=size * rows).reshape(size, rows).astype(float)

    def estimate(self, ranking, measure):
        return Estimate(self.values[ranking, measure], self.draws[:, ranking, measure])

    def difference(self, ranking, other, measure):
        """How much more one ranking has of a measure than another."""
        return Difference(self.values[ranking, measure] - self.values[other, measure],
                          self.draws[:, ranking, measure] - self.draws[:, other, measure])

    def verdict(self, ranking, other):
        """Whether a ranking has more of the tested measures than another by more than chance, and whether less: of the
        first of those "ROC area -0.261, p < 0.0005", else ""."""
        better, worse = False, ""
        for number in TESTED:
            difference = self.difference(ranking, other, number)
            if difference.p < UNLIKELY and difference.low * difference.high > 0:
                better = better or difference.value > 0
                if difference.value < 0 and not worse:
                    measure = MEASURES[number]
                    worse = f"{measure.title} {difference.value:+.{measure.decimals}f}, {difference.p_text()}"
        return better, worse


# --- For people ---

def estimate_text(estimate, decimals, sign=""):
    """ "0.782 (0.713 to 0.845)"; "1.000 (no interval)" where all resamples have the same, which is no certainty.  sign: "+"
    of a difference."""
    value, low, high = (f"{number:{sign}.{decimals}f}" for number in (estimate.value, estimate.low, estimate.high))
    alone = f"{estimate.low:.{decimals}f}" == f"{estimate.high:.{decimals}f}"
    return f"{value} (no interval)" if alone else f"{value} ({low} to {high})"


def coarse_text(actives, ligands):
    """The EF of so few ligands that one active more or less makes another figure."""
    firsts = [(number, early_count(early, ligands)) for number, early in enumerate(EARLY, FACTORS.start)]
    return ", ".join(f"{MEASURES[number].title} (first {first}; one active is {ligands / (first * actives):.1f})"
                     for number, first in firsts if first < FEW and actives)


def verdict_text(verdict, size, ranking=""):
    """A sentence on whether a ranking (which "it" is) is better than size alone; "" where it is."""
    better, worse = verdict
    if better and worse:
        return f"{ranking or 'It'} ranks better than {size} alone by one measure, worse by another ({worse})."
    if worse:
        return f"{ranking or 'It'} ranks worse than {size} alone ({worse})."
    return "" if better else f"These actives do not show that {ranking or 'it'} ranks better than {size} alone."
