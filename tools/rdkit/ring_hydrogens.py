"""Which nitrogens of rings have a hydrogen, where heavy atoms alone are known.

A matching (kekule.py) gives as many nitrogens as it can a double bond: guanine would lose two hydrogens.  Where two
nitrogens with one more each make rings aromatic, they have them.  And in rings of five (pyrazoles, imidazoles, triazoles,
tetrazoles and what they are fused to) forms are of much the same energy: what stands around the molecule says which
nitrogen has it.
"""
import vectors

REACH, LINE = 3.5, 50.0  # Å, degrees: how far from a nitrogen, and from its third bond, the partner of a hydrogen bond is
WAY = 12  # bonds on the longest way between two nitrogens, across three rings
RING_DEGREE = 5  # bonds of an atom that may be in a flat ring
NO_PART = 100  # electrons, of an atom that lets no ring be aromatic
AROMATIC = 100  # what a ring is worth, more than all else


class RingHydrogens:
    """Of a graph whose bonds have orders 1 to 3; moves double bonds."""

    def __init__(self, graph):
        self.graph = graph
        self.rings = [ring for atom in range(graph.count) for ring in self._rings_from([atom])]
        self.sets = [frozenset(ring) for ring in self.rings]
        self.of = [[at for at, ring in enumerate(self.sets) if atom in ring] for atom in range(graph.count)]

    def _rings_from(self, path):
        """Rings of five and six that begin with the path, whose first atom is their lowest, in one direction each."""
        first, last = path[0], path[-1]
        for other, _ in self.graph.neighbours[last]:
            if other == first and len(path) >= 5 and path[1] < last:
                yield list(path)
            elif other > first and len(path) < 6 and self.graph.degree(other) <= RING_DEGREE and other not in path:
                yield from self._rings_from([*path, other])

    def _share(self, a, b, size=None):
        return any(size in (None, len(self.rings[at])) and b in self.sets[at] for at in self.of[a])

    def _is_double(self, bond):
        return self.graph.orders[bond] == 2

    def _doubles(self, atom):
        """How many double bonds a nitrogen with two bonds and no charge has; None of any other atom."""
        graph = self.graph
        if graph.elements[atom] != 7 or graph.charges[atom] or graph.degree(atom) != 2:
            return None
        return sum(self._is_double(bond) for _, bond in graph.neighbours[atom])

    def _way(self, at, to, doubled, bonds, on_way):
        """Bonds, single and double in turn, to another nitrogen, the last one double; None where there are none."""
        if at == to and bonds and self._is_double(bonds[-1]):
            return bonds
        if len(bonds) < WAY:
            for other, bond in self.graph.neighbours[at]:
                if self._is_double(bond) == doubled and other not in on_way and self.graph.degree(other) <= RING_DEGREE:
                    found = self._way(other, to, not doubled, [*bonds, bond], on_way | {other})
                    if found:
                        return found
        return None

    def _flip(self, way):
        for bond in way:
            self.graph.orders[bond] = 2 if self.graph.orders[bond] == 1 else 1

    def _doubled_to(self, atom):
        return next((other for other, bond in self.graph.neighbours[atom] if self._is_double(bond)), None)

    def _electrons(self, atom):
        """How many the atom adds to a ring that it is in."""
        other = self._doubled_to(atom)
        if other is None:
            return 2 if self.graph.elements[atom] in (7, 8, 16) else NO_PART
        if self._share(atom, other):
            return 1
        return NO_PART if self.graph.elements[other] == 6 else 0

    def _keeps(self, ring, aromatic):
        """Whether all double bonds from the ring's atoms are in it, or in another aromatic ring."""
        for atom in self.rings[ring]:
            other = self._doubled_to(atom)
            if other is not None and other not in self.sets[ring] and self._share(atom, other) and not any(
                    fused in aromatic and other in self.sets[fused] for fused in self.of[atom]):
                return False
        return True

    def _count_aromatic(self):
        """Aromatic rings (6 electrons, by Hückel's rule), less those that would have 8."""
        electrons = [sum(map(self._electrons, ring)) for ring in self.rings]
        aromatic = {at for at, count in enumerate(electrons) if count == 6}
        lost = aromatic
        while lost:
            lost = {at for at in aromatic if not self._keeps(at, aromatic)}
            aromatic -= lost
        return len(aromatic) - electrons.count(8)

    def _gain(self, way):
        """How many more rings are aromatic with the way's bonds flipped."""
        before = self._count_aromatic()
        self._flip(way)
        after = self._count_aromatic()
        self._flip(way)
        return after - before

    def _add_best(self, may):
        """Gives the pair of nitrogens a hydrogen each that makes most rings aromatic; False where none does."""
        best, most = None, 0
        for at, first in enumerate(may):
            for second in may[at + 1:]:
                if self._doubles(first) == 1 == self._doubles(second):
                    way = self._way(first, second, True, [], {first})
                    gain = self._gain(way) if way else 0
                    if gain > most:
                        best, most = way, gain
        self._flip(best or [])
        return best is not None

    def _move_best(self, in_five, worth):
        """Moves the hydrogen of a ring's nitrogen that gains most to another's; within rings of five only, or anywhere.
        False where none gains."""
        best, most = None, 0
        nitrogens = [atom for atom in range(self.graph.count) if self._doubles(atom) is not None]
        for start in nitrogens:
            for end in nitrogens:
                if self._doubles(start) != 0 or self._doubles(end) != 1 or not (
                        self._share(start, end, 5) if in_five else self.of[start] and self.of[end]):
                    continue
                way = self._way(start, end, False, [], {start})
                if way:
                    gain = (AROMATIC * self._gain(way) + worth(start, False) + worth(end, True)
                            - worth(start, True) - worth(end, False))
                    if gain > most:
                        best, most = way, gain
        self._flip(best or [])
        return best is not None

    def _worth(self, atom, hydrogen):
        """What a hydrogen is worth by the nitrogen's neighbours: most next to a carbonyl group (a lactam's, as in
        guanine), least next to a carbon that has an amine (an amidine's lone pair, as in cytosine), and more where two
        rings meet (the 1H form of indazole)."""
        worth = 0
        for near, _ in self.graph.neighbours[atom] if hydrogen else ():
            worth += len(self.of[near]) > 1
            for other, bond in self.graph.neighbours[near]:
                element, outside = self.graph.elements[other], not self._share(near, other)
                worth += 4 * (outside and element == 8 and self._is_double(bond))
                worth -= 2 * (outside and element == 7 and not self._is_double(bond))
        return worth

    def add(self, known):
        """Gives pairs of nitrogens of two bonds a hydrogen each where more rings are aromatic with them, and of two that
        may have one gives it to that which makes a ring aromatic, else by its neighbours.  known: how many hydrogens
        each atom has in the file, where this is known: only these get any then."""
        may = [atom for atom in range(self.graph.count) if self._doubles(atom) is not None and (not known or known[atom])]
        while self._add_best(may):
            pass
        while not known and self._move_best(False, self._worth):
            pass

    def settle(self, partners):
        """Moves hydrogens of rings of five to where more of the partners (position in Å, whether it gives) that are in
        reach and in line with a nitrogen's third bond fit: one that takes at its hydrogen, one that gives at its lone
        pair.  How many moved; each move fits better than what was, so that it ends."""
        def worth(atom, hydrogen):
            at = self.graph.positions[atom]
            a, b = (self.graph.positions[other] for other, _ in self.graph.neighbours[atom][:2])
            out = vectors.direction(tuple((x + y) / 2 for x, y in zip(a, b)), at)
            fit = 0
            for position, gives in partners:
                if vectors.distance(at, position) <= REACH and vectors.angle(out, vectors.direction(at, position)) <= LINE:
                    fit += -1 if gives == hydrogen else 1
            return fit

        moved = 0
        while self._move_best(True, worth):
            moved += 1
        return moved
