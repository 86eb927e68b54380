"""Weights of few terms that tell right from wrong: logistic regression with weights that are not negative and a penalty on
their squares (S. le Cessie, J. C. van Houwelingen, Appl. Stat. 41 (1992) 191), by Newton's method."""
import numpy

STEPS, HALVINGS = 50, 12
CONVERGED = 1e-10  # a step that changes no weight by more is the last one
ROUNDING = 1e-13   # what differs by no more is equal
EXCHANGES = 200    # of weights at 0 and others, in a step


class Examples:
    """What weights are learned from.  x: [examples, terms]; x . weights + intercept is to be high of positive ones, low of
    others.  weights: what each counts for."""

    def __init__(self, x, positive, weights, intercept):
        x = numpy.column_stack([x, numpy.ones(len(x))]) if intercept else x
        self.signed, self.positive, self.weights = numpy.where(positive, 1, -1)[:, None] * x, positive, weights
        self.bounded = numpy.arange(x.shape[1]) < x.shape[1] - intercept  # and penalised

    def only(self, chosen):
        """These examples alone."""
        result = object.__new__(Examples)
        result.signed, result.positive = self.signed[chosen], self.positive[chosen]
        result.weights, result.bounded = self.weights[chosen], self.bounded
        return result

    def shares(self):
        """What each counts for where both kinds count alike, however many there are."""
        kinds = [chosen for chosen in (self.positive, ~self.positive) if chosen.any()]
        result = numpy.zeros(len(self.weights))
        for chosen in kinds:
            result[chosen] = self.weights[chosen] / (self.weights[chosen].sum() * len(kinds))
        return result

    def loss(self, weights):
        """The mean of log(1 + exp(-margin)) over positive examples, and that over others."""
        return float(self.shares() @ numpy.logaddexp(0, -self.signed @ weights))


def step_of(gradient, hessian, weights, bounded):
    """The step to the least of the parabola that leaves no bounded weight below 0: weights become 0, or free, one by one,
    the last that is wrong first (K. G. Murty, Linear Algebra Appl. 7 (1974) 257)."""
    free, step = ~bounded | (weights > 0), -weights
    for _ in range(EXCHANGES):
        held = -weights * ~free
        step = held.copy()
        step[free] = numpy.linalg.solve(hessian[numpy.ix_(free, free)], -(gradient + hessian @ held)[free])
        wrong = numpy.flatnonzero(bounded & (numpy.where(free, weights + step, gradient + hessian @ step) < -ROUNDING))
        if not len(wrong):
            break
        free[wrong[-1]] ^= True
    return step


def fit(examples, penalty):
    """The weights of the least loss + penalty / 2 x the sum of their squares.  penalty: above 0.  Of examples of one kind the
    intercept has no best value: it is what STEPS make of it, always begun at 0."""
    signed, shares, bounded = examples.signed, examples.shares(), examples.bounded

    def value(weights):
        margins = signed @ weights
        return margins, shares @ numpy.logaddexp(0, -margins) + penalty / 2 * (weights[bounded] @ weights[bounded])

    weights = numpy.zeros(len(bounded))
    margins, here = value(weights)
    for _ in range(STEPS):
        wrong = 1 / (1 + numpy.exp(margins))
        gradient = penalty * weights * bounded - (shares * wrong) @ signed
        hessian = (signed * (shares * wrong * (1 - wrong))[:, None]).T @ signed + numpy.diag(penalty * bounded)
        step, change = step_of(gradient, hessian, weights, bounded), 0
        for halving in range(HALVINGS):
            moved = weights + step / 2 ** halving
            moved = numpy.where(bounded, numpy.maximum(moved, 0), moved)  # of rounding
            margins, there = value(moved)
            if there < here + ROUNDING:
                change = abs(moved - weights).max()
                weights, here = moved, there
                break
        if change <= CONVERGED:
            break
    return weights
