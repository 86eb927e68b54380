"""Random numbers that are the same everywhere, as src/base/random.c has them, and what resamples say."""
import numpy

STEP = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1
BLOCK = 1 << 16  # numbers that are made at a time: what the processor's cache holds


class Random:
    """splitmix64 (Steele, Lea, Flood, OOPSLA 2014)."""

    def __init__(self, seed):
        self.state = seed & MASK

    def uniform(self, count):
        """As many numbers in 0 .. 1, 1 excluded."""
        result = numpy.empty(count)
        for begin in range(0, count, BLOCK):
            part = result[begin:begin + BLOCK]
            z = numpy.arange(1, len(part) + 1, dtype=numpy.uint64) * numpy.uint64(STEP) + numpy.uint64(self.state)
            z ^= z >> numpy.uint64(30)
            z *= numpy.uint64(0xBF58476D1CE4E5B9)
            z ^= z >> numpy.uint64(27)
            z *= numpy.uint64(0x94D049BB133111EB)
            z ^= z >> numpy.uint64(31)
            part[:] = z >> numpy.uint64(11)
            self.state = (self.state + len(part) * STEP) & MASK
        result *= 2.0 ** -53
        return result

    def order(self, count):
        """The numbers below count in an order of chance."""
        order = []
        for number, place in enumerate((self.uniform(count) * numpy.arange(1, count + 1)).astype(int).tolist()):
            order.append(number)
            order[place], order[number] = number, order[place]
        return order


def total(values):
    """Sums of the first axis, added in order, so that all processors give the same digits: numpy's own sum of a single column
    is in another order."""
    return values.sum(axis=0) if values.ndim > 1 and values.shape[1] > 1 else numpy.cumsum(values, axis=0)[-1]


def percentile(ascending, share):
    """Interpolated; share: 0 .. 1."""
    place = share * (len(ascending) - 1)
    below = int(place)
    following = ascending[min(below + 1, len(ascending) - 1)]
    return ascending[below] + (place - below) * (following - ascending[below])


class Estimate:
    """A value, and the bounds of its 95 % confidence interval: percentiles of its resamples."""

    def __init__(self, value, draws):
        ascending = numpy.sort(draws)
        self.value = float(value)
        self.low, self.high = (float(percentile(ascending, share)) for share in (0.025, 0.975))


def mean_of(values, resamples, seed):
    """The mean of numbers, by resamples."""
    random, parts = Random(seed), values / len(values)
    draws = [total(parts[(random.uniform(len(values)) * len(values)).astype(int)]) for _ in range(resamples)]
    return Estimate(total(parts), draws)
