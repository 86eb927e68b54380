"""The parts of tools/eval by themselves: measures, ties, intervals, weights, texts; against numbers of other programs (which
tests/statistics/enrichment.py prints: scikit-learn 1.9.1 and RDKit 2022.09.3), closed forms and all orders.

units.py    exit code 1, and an AssertionError, where one is wrong
"""
import itertools
import math
import os
import sys

import numpy

ROOT = os.path.join(os.path.dirname(__file__), "..", "..", "tools")
sys.path[:0] = [os.path.join(ROOT, "eval"), os.path.join(ROOT, "rdkit")]
import enrichment  # noqa: E402
import ligands  # noqa: E402
import logistic  # noqa: E402
import plot  # noqa: E402
import sampling  # noqa: E402
import text  # noqa: E402

LIGANDS = 1000
EARLY = [0, 1, 2, 5, 7, 8, 12, 19, 20, 33, 47, 48, 60, 95, 130, 131, 210, 333, 334, 500, 501, 650, 702, 888, 999]
ACTIVE = numpy.isin(numpy.arange(LIGANDS), EARLY)
SCORES = numpy.arange(LIGANDS, dtype=float)
AREA, BEDROC, LOG_AREA = (enrichment.NUMBER[name] for name in ("roc_area", "bedroc_20", "log_area"))


def near(value, expected, tolerance=1e-9):
    assert numpy.all(numpy.abs(numpy.asarray(value) - expected) <= tolerance), (value, expected)


def test_random_numbers():
    """splitmix64 of seed 1 begins so; the numbers do not depend on how many are asked for at once."""
    near(sampling.Random(1).uniform(1), 0x910A2DEC89025CC1 / 2 ** 64, 2 ** -53)
    whole, parts = sampling.Random(7).uniform(200000), sampling.Random(7)
    assert (whole == numpy.concatenate([parts.uniform(70000), parts.uniform(130000)])).all()
    assert sorted(sampling.Random(3).order(50)) == list(range(50))


def test_measures():
    near(enrichment.measure(ACTIVE, SCORES), [0.777025641025641, 24, 24, 16, 9.6, 5.6, 0.48382278748094437, 0.4871480480644838,
                                              0.454894442806631])
    tied = enrichment.measure(ACTIVE, SCORES // 7)
    near(tied[[AREA, LOG_AREA]], [0.7777846153846153, 0.44885074614101117])
    assert [enrichment.early_count(*of) for of in ((5, 1), (10, 100), (10, 101), (100, 2850))] == [1, 1, 2, 285]


def test_ties():
    """The mean over all orders of the tied ligands 2 .. 5 of nine, two of which are active."""
    active = numpy.array([0, 1, 1, 0, 1, 0, 0, 1, 0], dtype=bool)
    orders = [enrichment.measure(active, numpy.array([0, 1, *order, 6, 7, 8.0])) for order in itertools.permutations([2, 3, 4, 5])]
    tied = enrichment.measure(active, numpy.array([0, 1, 2, 2, 2, 2, 6, 7, 8.0]))
    near(tied[:LOG_AREA], numpy.mean(orders, axis=0)[:LOG_AREA])


def test_ranks_and_curve():
    scores, active = numpy.array([3, -1, 3, math.inf, 3, 0]), numpy.array([1, 1, 0, 0, 0, 1], dtype=bool)
    near(enrichment.ranks_of(scores), [4, 1, 4, 6, 4, 2])
    near(enrichment.roc_curve(active, scores), [[0, 0, 2 / 3, 1], [0, 2 / 3, 1, 1]])
    # weights count like as many actives at the same place
    active = numpy.array([1, 1, 0, 1, 0, 0], dtype=bool)
    near(enrichment.area_of(numpy.array([1, 0, 1, 0, 0], dtype=bool), numpy.arange(1, 6.0), numpy.array([1, 0, 0.5, 0, 0])),
         enrichment.measure(active, numpy.array([1, 1, 2, 3, 4, 5.0]))[AREA])
    scores, smallest = enrichment.rank_by_size(active, numpy.array([9, 8, 10, 7, 30, math.nan]))
    assert smallest and scores.tolist() == [9, 8, 10, 7, 30, math.inf]


def delong(active):
    """The standard deviation of a ROC area by DeLong, DeLong and Clarke-Pearson (Biometrics 44 (1988) 837), of scores that
    are ranks."""
    shares = [(numpy.cumsum(~kind) / (~kind).sum())[kind] for kind in (active, ~active)]
    return math.sqrt(sum(numpy.var(share) / (len(share) - 1) for share in shares))


def test_resampling():
    nearly = SCORES + numpy.where(numpy.arange(LIGANDS) % 2, 30, 0)
    made, again = (enrichment.Enrichment(ACTIVE, [SCORES, -SCORES, nearly, SCORES], 2000, 1) for _ in range(2))
    area, width = made.estimate(0, AREA), 2 * 1.96 * delong(ACTIVE)
    near(made.estimate(1, AREA).value, 1 - area.value)
    assert abs(area.high - area.low - width) < 0.1 * width and area.low < area.value < area.high
    assert (made.draws == again.draws).all()
    difference = made.difference(0, 1, BEDROC)
    assert difference.p < 1e-3 and difference.low > 0.1
    difference = made.difference(0, 3, AREA)
    assert (difference.p, difference.low, difference.high) == (1, 0, 0)
    # the same ligands are drawn for both: rankings that are nearly the same differ by nearly nothing
    difference = made.difference(0, 2, AREA)
    assert difference.high - difference.low < 0.2 * width


def test_verdicts():
    """One ranking has no active early and all before most others, the other ten first and the rest last."""
    number, active = numpy.arange(440), numpy.arange(440) < 40
    even = numpy.where(active, 60.5 + number, number - 40)
    early = numpy.where(active, numpy.where(number < 10, -1, 1000), number - 40.0)
    last = numpy.where(active, 1000, number - 40.0)
    made = enrichment.Enrichment(active, [even, early, last], 500, 1)
    better, worse = made.verdict(0, 1)
    assert better and worse.startswith("BEDROC 20 -"), worse
    assert made.verdict(0, 2) == (True, "") and made.verdict(2, 2) == (False, "")
    assert made.verdict(2, 0)[0] is False and made.verdict(2, 0)[1]


def test_mean():
    """Of many numbers of deviation 1: about 1.96 / sqrt(count) on both sides."""
    mean = sampling.mean_of(numpy.array([2.0, 4.0] * 200), 4000, 1)
    near(mean.value, 3, 1e-12)
    near([mean.low, mean.high], [3 - 1.96 / 20, 3 + 1.96 / 20], 0.01)


def fitted(x, positive, penalty, weights=None, intercept=True):
    examples = logistic.Examples(x, positive, numpy.ones(len(x)) if weights is None else weights, intercept)
    return examples, logistic.fit(examples, penalty)


def test_one_term():
    """Of 100 examples 75 go up with the term: the weight is log(75 / 25), and 0 where 25 do."""
    for up, weight, loss in ((25, 0, math.log(2)), (75, math.log(3), -0.75 * math.log(0.75) - 0.25 * math.log(0.25))):
        x = numpy.where(numpy.arange(100) < up, 1.0, -1.0)[:, None]
        examples, weights = fitted(x, numpy.ones(100, dtype=bool), 1e-12, intercept=False)
        near(weights, [weight], 1e-8)
        near(examples.loss(weights), loss, 1e-12)


def test_odds():
    """A table of two by two: the weight is the logarithm of the ratio of odds, however many there are of each kind."""
    number = numpy.arange(100)  # 8 of 10; 30 of 90
    x = numpy.where(number < 10, number < 8, number < 40).astype(float)[:, None]
    near(fitted(x, number < 10, 1e-12, numpy.full(100, 2.0))[1], [math.log(8 / 2 * 60 / 30), math.log(0.2 / (60 / 90))], 1e-7)


def chance(count=400, terms=4):
    """Examples of which the first two terms say what they are, the third the contrary."""
    random = sampling.Random(7)
    x = random.uniform(count * terms).reshape(count, terms) * 2 - 1
    positive = random.uniform(count) < 1 / (1 + numpy.exp(-(2 * x[:, 0] + x[:, 1] - x[:, 2] - 0.5)))
    return x, positive, 0.5 + random.uniform(count)


def test_minimum():
    """At the minimum no weight above 0 has a slope, and none at 0 leads down."""
    x, positive, shares = chance()
    for penalty in (1e-3, 1e-2, 0.1, 1):
        examples, weights = fitted(x, positive, penalty, shares)
        assert weights[2] == 0 and weights[0] > weights[1] > 0
        for k in range(5):
            move = numpy.eye(5)[k] * 1e-4
            slope = (examples.loss(weights + move) - examples.loss(weights - move)) / 2e-4 + (penalty * weights[k] if k < 4 else 0)
            assert abs(slope) <= 1e-7 or (k < 4 and weights[k] == 0 and slope > 0), (k, slope)


def test_library_agrees():
    """scikit-learn, if it is there, finds the same weights where none would be negative."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        return
    x, positive, shares = chance()
    examples, weights = fitted(x[:, :2], positive, 0.1, shares)
    theirs = LogisticRegression(C=1 / 0.1, tol=1e-12, max_iter=10000).fit(x[:, :2], positive, examples.shares())
    near(weights, [*theirs.coef_[0], *theirs.intercept_], 1e-5)


def test_part_alone():
    """What is left out might as well not be there."""
    x, positive, shares = chance()
    whole, chosen = logistic.Examples(x, positive, shares, True), numpy.arange(400) < 200
    part = logistic.Examples(x[:200], positive[:200], shares[:200], True)
    near(logistic.fit(whole.only(chosen), 0.01), logistic.fit(part, 0.01))


def test_texts():
    """As src/format/output.c and src/base/text.c have them."""
    assert [text.field(value) for value in ("plain", "=1+1", "-3.5", "-x", "a,b", 'a"b', "'x", "-", "\x1b", "\\x41")] == \
        ["plain", "'=1+1", "-3.5", "'-x", '"a,b"', '"a""b"', "''x", "-", "\\x1b", "\\x5cx41"]
    assert text.shown("\xc3\xa4\xff\xc2\x85") == "\u00e4\\xff\\xc2\\x85"
    assert text.in_json("</script>\"") == '"\\u003c/script>\\""'
    assert enrichment.estimate_text(sampling.Estimate(0.7824, numpy.array([0.7131, 0.8449])), 3) == "0.782 (0.716 to 0.842)"
    assert enrichment.estimate_text(sampling.Estimate(0.0, numpy.zeros(2)), 3, "+") == "+0.000 (no interval)"


def test_curves():
    """440 pixels from 64 on for 5 Å, 310 down from 84 on for 100 %: values above 5 are never reached."""
    def values(*numbers):
        return numpy.array(numbers, dtype=float).tobytes()
    curves = [{"label": b"a < b", "color": b"0", "values": values(2.5, 1, 8, 7)},
              {"label": b"one", "color": b"1", "dashed": b"", "values": values(0)}]
    (name, svg), = plot.redock({"curves": curves, "subtitle": b"sub & more"})
    assert name == "redock.svg"
    for part in (">sub &amp; more<", ">a &lt; b<", 'class="curve color0" d="M64.0 394.0 H152.0 V316.5 H284.0 V239.0 H504"',
                 'class="curve color1 dashed" d="M64.0 394.0 H64.0 V84.0 H504"', ">75 %<", ">5<", "</svg>\n"):
        assert part in svg, (part, svg)


def test_names():
    assert [ligands.cut_states(name, {"a_1"}, {"b"}) for name in ("a_1", "a_1_2", "b_3_4", "c_5_6", "_7")] == \
        ["a_1", "a_1", "b", "c", "_7"]


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
