"""What a fit prints and writes: a summary, tables, and the ranking for --rank."""
import re

from enrichment import verdict_text
from text import field, number, on_line, plural, row, shown

LEAST, WANTED = 10, 10  # complexes, or actives and decoys, that it takes; that are wanted for each weight
FOLDS, DEALS = 10, 5    # of the cross-validation; how often units are dealt out to folds
MEASURE, CELL, ALONE = 13, 26, 20  # widths of columns
OVER_SIZE = " over size"  # behind a function's name: its ranking of ligands over their size


def expression(terms):
    """The sum of the terms by their weights, of which the first is 1; "": no term tells right from wrong."""
    parts = []
    for term in terms:
        if term.weight > 0:
            word = term.text if re.fullmatch("[A-Za-z0-9_]*", term.text) else f"({term.text})"
            parts.append(word if term.weight == 1 else f"{term.weight:.4g}*{word}")
    return " + ".join(parts)


# --- The summary ---

def figure(estimate, decimals, sign=""):
    """ "0.782 (0.713 to 0.845)" """
    value, low, high = (f"{number:{sign}.{decimals}f}" for number in (estimate.value, estimate.low, estimate.high))
    return f"{value} ({low} to {high})"


def head(part):
    terms, wanted = len(part.terms), len(part.terms) * WANTED
    if part.name == "ligands":
        yield f"{shown(part.source)}: {sum(part.known)} ligands, {part.known[1]} actives, {part.known[0]} decoys"
    else:
        yield f"{shown(part.source)}: {part.known[0]} complexes, {part.known[1]} of them with right poses and wrong ones"
    if part.rows.twins:
        yield f"{part.rows.twins} {plural(part.rows.twins, 'ligand is', 'ligands are')} the same molecule as another, by smiles"
    kept = "complex" if part.name == "poses" else "scaffold (actives) or name" if part.rows.scaffolds else "name"
    yield f"{terms} terms fitted in {FOLDS} folds of {part.name}; those of one {kept} stay together"
    if part.known[1] < wanted:
        yield (f"for {terms} {plural(terms, 'weight', 'weights')} about {wanted} {part.wanted} are wanted; these are "
               f"{part.known[1]}")


def measures(part):
    yield ""
    labels = [shown(label) for label in part.labels]
    sized = part.figures[0].alone is not None
    over = f"fitted over {labels[part.best]}"
    heads = "".join(f"{label:{CELL}}  " for label in labels[:part.compared])
    yield " " * MEASURE + heads + (f"{over:{CELL}}  size alone" if sized else over)
    for kind in part.figures:
        cells = "".join(f"{figure(estimate, kind.decimals):{CELL}}  " for estimate in kind.values[:part.compared])
        gain = figure(kind.gains[part.best], kind.decimals, "+")
        beside = f"{gain:{CELL}}  {kind.alone:.{kind.decimals}f}" if sized and kind.name.startswith("ef_") else gain
        yield f"{kind.title:{MEASURE}}{cells}{beside}"
    first, alone = part.figures[0], range(part.compared, len(part.labels))
    if alone:
        yield f"\n{'by one alone':{ALONE}}{first.title:{CELL}}fitted over it"
    for k in alone:
        yield (f"{part.labels[k]:{ALONE}}{figure(first.values[k], first.decimals):{CELL}}  "
               f"{figure(first.gains[k], first.decimals, '+')}")
    if any(OVER_SIZE in part.labels[k] for k in alone):
        yield "(over size: / (1 + 0.03*rotors) / heavy_atoms^0.25)"
    yield f"(95 % confidence by {part.resamples} resamples)"


def weights(part):
    yield f"\n{'weight':{MEASURE}}{'share (of the folds)':{CELL}}term"
    for term in part.terms:
        share = f"{100 * term.share:.0f} % ({100 * term.bounds[0]:.0f} to {100 * term.bounds[1]:.0f})"
        yield f"{term.weight:<{MEASURE}.4g}{share:{CELL}}{shown(term.text)}"


def gain_text(part):
    """Whether the gain is more than chance, and if not what would tell."""
    gain, than = part.figures[0].gains[part.best], shown(part.labels[part.best])
    if part.shown:
        return f"It ranks better than {than} by more than chance, in each of {DEALS} deals of the folds."
    if part.gaining:
        return (f"These {part.wanted} cannot tell whether it ranks better than {than}: by more than chance it does in "
                f"{part.gaining} of {DEALS} deals of the folds.")
    if gain.high < 0:
        return f"It ranks worse than {than}, by more than chance."
    told = f"These {part.wanted} do not show that it ranks better than {than}."
    if gain.value > 0:
        times = (gain.high - gain.low) / 2 / gain.value
        told += f"  If the gain is what it seems, about {max(times * times, 1) * part.known[part.name == 'ligands']:.0f} would."
    return told


def verdict(part):
    """Whether the ranking is worth it, also beside single functions and size."""
    if not part.expression:
        yield "\nNo term tells right from wrong: nothing is fitted."
        return
    yield f"\n{part.name} = {shown(part.expression)}"
    yield gain_text(part)
    gains = {label: part.figures[0].gains[k] for k, label in enumerate(part.labels) if k >= part.compared and k != part.size}
    worse = [label for label, gain in gains.items() if gain.high < 0]
    level = [label for label, gain in gains.items() if gain.high >= 0 >= gain.value]
    if worse:
        yield f"By more than chance it ranks worse than {', '.join(worse)} alone."
    if level:
        yield (f"By the same measure it is no better than {', '.join(level)} alone, which "
               f"{plural(len(level), 'needs', 'need')} no fit.")
    if part.verdict:
        told = verdict_text(part.verdict, part.labels[part.size])
        if told:
            yield told


def summary(parts):
    return "\n".join("".join(line + "\n" for tell in (head, measures, weights, verdict) for line in tell(part)) for part in parts)


# --- Tables ---

def measures_table(parts):
    lines = [row("part", "ranking", "against", "measure", "value", "low", "high", "size_alone")]
    for part in parts:
        labels = [field(label) for label in part.labels]
        for kind in part.figures:
            told = [(labels[k], "", estimate) for k, estimate in enumerate(kind.values)]
            told += [(labels[0], labels[k], estimate) for k, estimate in enumerate(kind.gains) if k]
            lines += [row(part.name, ranking, against, kind.name, number(estimate.value), number(estimate.low), number(estimate.high),
                          "" if kind.alone is None else number(kind.alone)) for ranking, against, estimate in told]
    return "".join(lines)


def weights_table(parts):
    return row("part", "term", "weight", "share", "low", "high") + "".join(
        row(part.name, field(term.text), *(number(value) for value in (term.weight, term.share, *term.bounds)))
        for part in parts for term in part.terms)


# --- fitted.rank ---

def origin(part):
    """Where a ranking's part is from."""
    gain = part.figures[0].gains[part.best]
    return (f"# {part.name}: fitted by `berth eval fit` to {part.known[1]} {part.wanted} of {on_line(part.source)};\n"
            f"# in folds that were left out {part.figures[0].title} {gain.value:+.3g} ({gain.low:+.3g} to {gain.high:+.3g}) over "
            f"{on_line(part.labels[part.best])}\n")


def rank(poses, ligands):
    """The functions of the runs come first; those that an expression names which was not fitted follow."""
    given = [part for part in (poses, ligands) if part]
    of_poses, of_ligands = given[0], given[-1]
    by = [poses.expression if poses and poses.shown else of_poses.before["poses_by"],
          ligands.expression if ligands and ligands.shown else of_ligands.before["ligands_by"]]
    pool = (of_poses.before["pool"] or "") if ",".join(of_poses.functions) == of_poses.before["scoring"] else ""
    functions = []
    for names in (of_poses.functions, of_ligands.functions,
                  *((part.before["scoring"] or "").split(",") for part in (of_poses, of_ligands))):
        for name in names:
            needed = not functions or name in pool.split(",") or any(re.search(rf"\b{re.escape(name)}\b", text, re.ASCII) for text in by)
            if name and needed and name not in functions:
                functions.append(name)
    return ("".join(origin(part) for part in given if part.shown) +
            (f"scoring = {','.join(functions)}\n" if functions else "") + (f"pool    = {pool}\n" if pool else "") +
            f"poses   = {on_line(by[0])}\nligands = {on_line(by[1])}\n")
