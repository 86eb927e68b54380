"""Ligands by name: what of a table is one ligand, which of them are known, whatever states and names they have there."""
import re

import numpy


class Refused(Exception):
    """What the user asked for makes no sense; option: which one says so, or ""."""

    def __init__(self, message, option=""):
        super().__init__(message)
        self.option = option


# --- What the C side sends: fields by name ---

def texts(fields, name):
    """A list of texts, each with a 0 behind it; as Latin-1, so that every byte is kept."""
    return fields.get(name, b"").decode("latin-1").split("\0")[:-1]


def text(fields, name):
    """One text; None where it is not given."""
    return fields[name].decode("latin-1") if name in fields else None


def numbers(fields, name, kind="<f8"):
    return numpy.frombuffer(fields.get(name, b""), dtype=kind)


# --- Ligands ---

class Ligands:
    """Ligands, each by the row of the lowest score; the first of several."""

    def __init__(self, names, scores):
        self.best, self.scores = {}, scores
        for row, name in enumerate(names):
            if scores[row] == scores[row]:  # a number
                self._add(name, row)

    def _add(self, name, row):
        at = self.best.setdefault(name, row)
        if self.scores[row] < self.scores[at]:
            self.best[name] = row

    def __contains__(self, name):
        return name in self.best

    def names(self):
        return sorted(self.best)

    def rename(self, name_of):
        """Calls each by another name; ligands that then are one are the best of them."""
        best, self.best = self.best, {}
        for name in sorted(best):
            self._add(name_of(name), best[name])

    def join_states(self, table):
        """Calls what a table has as a state by its molecule."""
        if table.states:
            self.rename(lambda name: table.states.get(name, name))

    def join_twins(self, table):
        """Calls what a table has under several names by the best one's."""
        if table.twins:
            self.rename(lambda name: table.twins.get(name, name))


class Known(Ligands):
    """Molecules of which something is known: actives, decoys, what was docked."""

    def __init__(self, fields):
        self.path = text(fields, "path")
        super().__init__(texts(fields, "names"), numbers(fields, "scores").tolist())
        self.heavy_atoms, self.masses = numbers(fields, "heavy_atoms"), numbers(fields, "masses")
        self.scaffolds = texts(fields, "scaffolds")

    def scaffold(self, name):
        """As SMILES, "" without a ring; None: it is not known."""
        row = self.best.get(name)
        return None if row is None or self.scaffolds[row] == "?" else self.scaffolds[row]


class Table(Ligands):
    """The ligands of a table of scores."""

    def __init__(self, fields):
        self.path = text(fields, "path")
        self.heavy_atoms, self.open = numbers(fields, "heavy_atoms"), numbers(fields, "open", "u1")
        names, states, scores = texts(fields, "names"), texts(fields, "states"), numbers(fields, "scores")
        self.molecules = [state or name for name, state in zip(names, states)] if states else names
        super().__init__(self.molecules, scores.tolist())
        self.rows = int(numpy.isfinite(scores).sum())
        self.states = {name: state for name, state in zip(names, states) if state}
        self.forms, self.twins, self.joined = {}, {}, []
        for name, form in zip(self.molecules, texts(fields, "forms")):
            if form:
                self._add_form(name, form)

    def _add_form(self, name, form):
        held = self.forms.get(name, ())
        if form not in held:
            self.forms[name] = (*held, form)

    def rename(self, name_of):
        super().rename(name_of)
        forms, self.forms = self.forms, {}
        for name in forms:
            for form in forms[name]:
                self._add_form(name_of(name), form)

    def join_twins(self, table):
        self.joined += sorted((name, table.twins[name]) for name in table.twins.keys() & self.best.keys())
        super().join_twins(table)

    def find_twins(self):
        """Finds ligands that are one molecule under several names, as every form of one is one of the other, and no more: the
        enantiomers of a racemate are not it.  What joins and cuts states comes first."""
        met, alike = {}, {}
        for name, forms in self.forms.items():
            if name in self and (other := met.setdefault(tuple(sorted(forms)), name)) != name:
                alike.setdefault(other, [other]).append(name)
        for names in alike.values():
            first, *others = sorted(names, key=lambda name: (self.scores[self.best[name]], name))
            self.twins.update((name, first) for name in others)

    def joined_text(self):
        """How many rows were joined, and the first ligand of another name; "": none."""
        if self.rows <= len(self.best):
            return ""
        many, states = len(self.joined) > 1, " (states by the column state_of)" if self.states else ""
        result = (f"{self.rows - len(self.best)} of {self.rows} rows are further ones of a ligand{states}, which counts once, "
                  "by its best score")
        if self.joined:
            name, best = self.joined[0]
            result += (f"; among them {len(self.joined)} ligand{'s that are' if many else ' that is'} the same molecule as one of "
                       f"another name, by smiles ({name[:40]} is {best[:40]}{' ...' if many else ''})")
        return result


# --- States by their names ---

def cut_once(name):
    """Without _1 or the like at its end; None: it has none."""
    match = re.fullmatch("(.+)_[0-9]+", name, re.DOTALL)
    return match and match[1]


def cut_states(name, actives, decoys):
    """Without _1 and the like at its end, until it is among the known, else without all of them: a tautomer ID_2 of which
    states were made is ID_2_1."""
    while name not in actives and name not in decoys and (shorter := cut_once(name)):
        name = shorter
    return name


# --- All of it ---

class Joined:
    """Results, and what is known of their ligands, under the names that all of them share."""

    def __init__(self, results, actives, decoys, molecules, by_name):
        self.results, self.actives, self.decoys, self.molecules = results, actives, decoys, molecules
        known = (actives, decoys, molecules)
        for ligands in (*results, *known):
            for table in results:
                ligands.join_states(table)
        both = sorted(actives.best.keys() & decoys.best.keys())
        if both:
            raise Refused(f"{both[0]} is in {actives.path} and in {decoys.path}; it can be but one")
        for ligands in (*results, molecules) if by_name else ():
            ligands.rename(lambda name: cut_states(name, actives, decoys))
        for table in results:
            table.find_twins()
            for ligands in (*results, *known):
                ligands.join_twins(table)
