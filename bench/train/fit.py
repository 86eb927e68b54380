#!/usr/bin/env python3
"""fit.py TABLE.npz [--test TABLE.npz ...] [--out DIR]: fits what judges poses on the poses of table.py.

1. The potential of data/scoring/fitted.score: what is added to today's ranking so that right poses (within 2 Å) come first.
   Conditional logit: of the poses of a list one is right with a probability that falls with exp(-ranking); weights of a
   pair of types are like those at the next distances, and small, by a penalty that is chosen on folds.
2. The probability that a first pose is right: logistic regression on how far it is ahead of others.

Folds of related proteins (groups.py). Writes fitted.score into DIR, and prints the line `confidence` of a .rank file and how both
do on folds and on other tables. Needs numpy and scipy.
"""
import argparse
import math

import numpy as np
from scipy.optimize import minimize

import pairs

FOLDS, RIGHT = 5, 2.0  # Å
PENALTIES = (100, 400, 1600, 6400)
ROWS = 300  # poses that have a pair of types, at least, for it to have weights
ALONG = 2.0  # distances between knots over which weights are alike
FUNCTIONS = ('vina', 'vinardo', 'plp', 'bude')


class Table:
    """The arrays of a table's file; starts: where each list's poses begin."""

    def __init__(self, path):
        with np.load(path) as file:
            for name in file.files:
                setattr(self, name, file[name])
        self.counts = np.bincount(self.list)
        self.starts = np.r_[0, np.cumsum(self.counts)]
        self.right = self.rmsd <= RIGHT

    def field(self, name):
        return np.nan_to_num(self.fields[:, list(self.names).index(name)].astype(float))

    def ranges(self):
        return zip(self.starts, self.starts[1:])

    def first(self, ranking):
        """The pose of each list that the ranking puts first."""
        return np.array([a + np.argmin(ranking[a:b]) for a, b in self.ranges()])

    def right_of(self, ranking, count=1):
        """Of each list whether one of the first `count` is right."""
        return np.array([self.right[a + np.argsort(ranking[a:b], kind='stable')[:count]].any() for a, b in self.ranges()])


def folds(table, seed=0):
    """The fold of each list."""
    groups = np.unique(table.group)
    np.random.default_rng(seed).shuffle(groups)
    return np.array([{g: k % FOLDS for k, g in enumerate(groups)}[g] for g in table.group])


# --- The potential ---

def smoothing():
    """Weights are this matrix times numbers that are penalised alike: neighbouring distances have similar weights."""
    steps = np.subtract.outer(np.arange(pairs.WEIGHTS), np.arange(pairs.WEIGHTS))
    return np.linalg.cholesky(np.exp(-0.5 * (steps / ALONG) ** 2) + 0.02 * np.eye(pairs.WEIGHTS))


def kept_pairs(table):
    """The pairs of types that enough poses have."""
    sums = table.sums.reshape(len(table.sums), -1, pairs.WEIGHTS)
    return np.flatnonzero((sums != 0).any(2).sum(0) >= ROWS)


def columns(table, kept):
    """What the numbers behind the weights multiply [poses, numbers]; today's ranking is the first column."""
    sums = table.sums.reshape(len(table.sums), -1, pairs.WEIGHTS)[:, kept] @ smoothing().astype(np.float32)
    return np.c_[table.field('pose_ranking'), sums.reshape(len(sums), -1)].astype(np.float32)


def fit_potential(table, matrix, lists, penalty):
    """The numbers of least loss over these lists (mask), of those that have right poses and wrong ones."""
    useful = np.array([lists[k] and 0 < table.right[a:b].sum() < b - a for k, (a, b) in enumerate(table.ranges())])
    rows = np.flatnonzero(useful[table.list])
    x, right = matrix[rows], table.right[rows]
    starts = np.r_[0, np.cumsum(table.counts[useful])[:-1]]
    of = np.repeat(np.arange(len(starts)), table.counts[useful])
    penalties = np.r_[0, np.full(matrix.shape[1] - 1, float(penalty))]

    def loss(numbers):
        height = -(x @ numbers.astype(np.float32)).astype(float)
        share = np.exp(height - np.maximum.reduceat(height, starts)[of])
        whole, good = np.add.reduceat(share, starts), np.add.reduceat(np.where(right, share, 0), starts) + 1e-30
        slope = np.where(right, share, 0) / good[of] - share / whole[of]
        return (np.log(whole / good).sum() + (penalties * numbers ** 2).sum(),
                (slope.astype(np.float32) @ x).astype(float) + 2 * penalties * numbers)

    return minimize(loss, np.r_[1, np.zeros(matrix.shape[1] - 1)], jac=True, method='L-BFGS-B', options={'maxiter': 200}).x


def loss_of(table, ranking):
    """Mean of -log(probability of the right poses) over lists that have right and wrong ones, and its standard error."""
    losses = []
    for a, b in table.ranges():
        if 0 < table.right[a:b].sum() < b - a:
            share = np.exp(ranking[a:b].min() - ranking[a:b])
            losses.append(math.log(share.sum() / (share[table.right[a:b]].sum() + 1e-30)))
    return np.mean(losses), np.std(losses) / len(losses) ** 0.5


def rank_by_folds(table, matrix, penalty):
    """Each pose's ranking by numbers that were fitted without its group."""
    fold, ranking = folds(table), np.zeros(len(matrix))
    for k in range(FOLDS):
        rows = (fold == k)[table.list]
        ranking[rows] = matrix[rows] @ fit_potential(table, matrix, fold != k, penalty)
    return ranking


def gain(table, before, after):
    """Lists right before and after, and the gain's 95 % interval over groups (bootstrap)."""
    groups, of = np.unique(table.group, return_inverse=True)
    sums = np.bincount(of, after.astype(float) - before, len(groups))
    drawn = sums[np.random.default_rng(1).integers(0, len(groups), (4000, len(groups)))].sum(1)
    return f'{before.sum()} -> {after.sum()} ({np.percentile(drawn, 2.5):+.0f} to {np.percentile(drawn, 97.5):+.0f})'


def report(name, table, ranking):
    today = table.field('pose_ranking')
    for mode in np.unique(table.mode):
        at = table.mode == mode
        part = argparse.Namespace(group=table.group[at])
        print(f'| {name}, {mode} | {at.sum()} |', ' | '.join(
            gain(part, table.right_of(today, n)[at], table.right_of(ranking, n)[at]) for n in (1, 5)), '|')


def write_score(path, weights, kept):
    """weights [kept, WEIGHTS]: kcal/mol at the knots."""
    names = [f'at_{knot:.1f}'.replace('.', '_') for knot in pairs.KNOTS[:-1]]
    used = [t for t in pairs.TYPES if any(t in pairs.PAIRS[k] for k in kept)]
    with open(path, 'w') as file:
        file.write('# A potential between types of atoms, fitted to tell right poses from wrong ones where other functions judge, too:\n'
                   '# what is to be added to them (data/ranking/consensus.rank).  It is no energy by itself.\n'
                   'name    fitted\nsource  bench/train on 997 complexes of PDBbind\nunit    kcal/mol\n'
                   f'cutoff  {pairs.KNOTS[-1]:g}\ntypes   vina\n\n# Types that have no row below add nothing.\nparameters  listed\n')
        for name in pairs.TYPES + ('O_P', 'O_D', 'Si', 'At'):
            file.write(f'    {name:5s} {int(name in used)}\n')
        file.write('\n# kcal/mol at 2.4 Å (and below), 2.9 Å and so on; linear between, 0 at the cutoff\n'
                   f'pairs         {"".join(f"{name:>9s}" for name in names)}\n')
        for k, row in zip(kept, weights):
            file.write(f'    {pairs.PAIRS[k][0]:5s} {pairs.PAIRS[k][1]:5s}{"".join(f"{w:9.4f}" for w in row)}\n')
        terms = [f'({a} - {b}) * ramp(r, {far:g}, {near:g})' for a, b, near, far in
                 zip(names, names[1:], pairs.KNOTS, pairs.KNOTS[1:])] + [f'{names[-1]} * ramp(r, {pairs.KNOTS[-1]:g}, {pairs.KNOTS[-2]:g})']
        file.write('\nterm potential = ' + '\n                 + '.join(terms) + '\n\ntotal = inter\n')


# --- The probability ---

def standing(table, ranking):
    """How the first pose of each list stands among the others: columns by name [lists]."""
    rows = []
    functions = [*map(table.field, FUNCTIONS), ranking - table.field('pose_ranking')]  # the last: the potential
    for a, b in table.ranges():
        first = np.argmin(ranking[a:b])
        rivals = table.apart[a:b, first] >= RIGHT
        rows.append({'gap': ranking[a:b][rivals].min() - ranking[a + first] if rivals.any() else 100,
                     'agree': np.mean([not rivals[np.argmin(of[a:b])] for of in functions])})
    out = {name: np.array([row[name] for row in rows], float) for name in rows[0]}
    first = table.first(ranking)
    return {**out, 'pose_ranking': ranking[first], 'rotors': table.field('rotors')[first], 'heavy_atoms': table.heavy_atoms.astype(float)}


def inputs(stand):
    """What the logistic model adds up: expressions of a .rank file and their values [lists]."""
    return [('min(gap, 6)', np.minimum(stand['gap'], 6)), ('agree', stand['agree']), ('log(heavy_atoms)', np.log(stand['heavy_atoms'])),
            ('rotors', stand['rotors']), ('pose_ranking/heavy_atoms', stand['pose_ranking'] / stand['heavy_atoms'])]


def found(table):
    """The lists of complexes where some pose from the crystal's own rings and angles is right.  Where none is, the complex as
    it was read (bonds perceived from PDBQT, cofactors cut off) cannot show how often a ranking is right."""
    right = {its: table.right[a:b].any() for its, (a, b) in zip(zip(table.complex, table.mode), table.ranges())}
    return np.array([right.get((name, 'torsions'), False) for name in table.complex])


def fit_logistic(x, right, penalty=3.0):
    """Intercept and coefficients; x [lists, inputs] are scaled by their deviations for the penalty."""
    middle, scale = x.mean(0), x.std(0) + 1e-9
    z = np.c_[np.ones(len(x)), (x - middle) / scale]

    def loss(c):
        height = z @ c
        p = 1 / (1 + np.exp(-height))
        return np.logaddexp(0, height).sum() - height[right].sum() + penalty * (c[1:] ** 2).sum(), z.T @ (p - right) + 2 * penalty * np.r_[0, c[1:]]

    c = minimize(loss, np.zeros(z.shape[1]), jac=True, method='L-BFGS-B').x
    return np.r_[c[0] - (c[1:] * middle / scale).sum(), c[1:] / scale]


def chance(coefficients, x):
    return 1 / (1 + np.exp(-(coefficients[0] + x @ coefficients[1:])))


def area(said, right):
    """Of the ROC curve: how often a right pose is said to be likelier than a wrong one."""
    order = np.argsort(np.argsort(said, kind='stable'), kind='stable') + 1
    wrong = (~right).sum()
    return (order[right].sum() - right.sum() * (right.sum() + 1) / 2) / (right.sum() * wrong)


def reliability(name, said, right):
    print(f'\n{name}: {len(said)} poses, {right.mean():.3f} right, said {said.mean():.3f}, area {area(said, right):.3f}')
    print('| said | poses | mean said | right |\n| --- | ---: | ---: | ---: |')
    for low in np.arange(0, 1, 0.1):
        at = (said >= low) & (said < low + 0.1 + 1e-9 * (low > 0.85))
        if at.any():
            print(f'| {low:.1f} to {low + 0.1:.1f} | {at.sum()} | {said[at].mean():.2f} | {right[at].mean():.2f} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('table')
    parser.add_argument('--test', nargs='*', default=[])
    parser.add_argument('--out', default='.')
    given = parser.parse_args()
    table = Table(given.table)
    kept = kept_pairs(table)
    matrix = columns(table, kept)
    print('Potential, on folds: loss of today\'s ranking', '%.4f' % loss_of(table, table.field('pose_ranking'))[0])
    tried = {}
    for penalty in PENALTIES:
        ranking = rank_by_folds(table, matrix, penalty)
        tried[penalty] = (*loss_of(table, ranking), ranking)
        print(f'penalty {penalty}: loss {tried[penalty][0]:.4f}, {table.right_of(ranking).sum()} right, {table.right_of(ranking, 5).sum()} of five')
    least = min(tried.values(), key=lambda its: its[0])
    penalty = max(p for p in tried if tried[p][0] <= least[0] + least[1])  # the simplest within one standard error
    print(f'\npenalty {penalty}: {len(kept)} pairs of types; lists right before and after (95 % interval of the gain)\n\n| set | lists | first | one of five |\n| --- | ---: | ---: | ---: |')
    by_folds = tried[penalty][2]
    report('folds', table, by_folds)
    numbers = fit_potential(table, matrix, np.ones(len(table.counts), bool), penalty)
    tests = [(path, Table(path)) for path in given.test]
    ranked = [columns(test, kept) @ (numbers / numbers[0]) for _, test in tests]
    for (path, test), ranking in zip(tests, ranked):
        report(path, test, ranking)
    weights = numbers[1:].reshape(len(kept), -1) @ smoothing().T / numbers[0]
    write_score(f'{given.out}/fitted.score', weights, kept)

    stand = standing(table, by_folds)
    names, x = zip(*inputs(stand))
    at = found(table)
    x, right, fold = np.stack(x, 1)[at], table.right_of(by_folds)[at], folds(table)[at]
    said = np.zeros(len(right))
    for k in range(FOLDS):
        said[fold == k] = chance(fit_logistic(x[fold != k], right[fold != k]), x[fold == k])
    reliability('folds', said, right)
    model = fit_logistic(x, right)
    for (path, test), ranking in zip(tests, ranked):
        xs = np.stack([column for _, column in inputs(standing(test, ranking))], 1)
        reliability(path, chance(model, xs), test.right_of(ranking))
    print('\nconfidence = 1 / (1 + exp(-(' + f'{model[0]:.4f}' + ''.join(f' {"+-"[int(c < 0)]} {abs(c):.4f}*{n}' for c, n in zip(model[1:], names)) + ')))')


if __name__ == '__main__':
    main()
