"""Which of the bonds that may be double are: the best matching of atoms that must or may have a double bond.

Carbons come first, then oxygens at an end, then nitrogens of two bonds, which else have a hydrogen, then those of three,
which a double bond makes cations.  Each is matched by an augmenting path (J. Edmonds, Canad. J. Math. 17 (1965) 449), which keeps matched
what was, or else by leaving out an atom that comes later.
"""
OPEN = 4  # the order of a bond that may be single or double

MUST, OXO_END, WANTS, WANTS_OR_ANION, CATION, LAST, NEVER = range(7)
# Who is matched, in this order, and up to which level others take part.
PHASES = ((MUST, WANTS_OR_ANION), (OXO_END, WANTS_OR_ANION), (WANTS, WANTS_OR_ANION), (WANTS_OR_ANION, WANTS_OR_ANION),
          (MUST, CATION), (WANTS, CATION), (MUST, LAST))
CHALCOGENS = (8, 16, 34)
WALK_DEGREE = 6  # bonds of an atom that a ring is looked for through
# Charges of single atoms.
IONS = {**dict.fromkeys((9, 17, 35, 53), -1), **dict.fromkeys((3, 11, 19, 37, 55), 1),
        **dict.fromkeys((4, 12, 20, 30, 38, 56), 2)}

# By element how many more bonds the middle of an oxo group takes, whose bonds sum up to `valence`.
OXO = {6: lambda valence: 4 - valence, 7: lambda valence: 4 - valence,
       15: lambda valence: 5 - valence, 33: lambda valence: 5 - valence,
       16: lambda valence: (6 if valence >= 4 else 4) - valence, 34: lambda valence: (6 if valence >= 4 else 4) - valence,
       17: lambda valence: valence - 1, 35: lambda valence: valence - 1, 53: lambda valence: valence - 1}


class Matching:
    """Of vertices, each with its level and its neighbours."""

    def __init__(self, levels, neighbours):
        self.levels, self.neighbours = levels, neighbours
        self.partner = [-1] * len(levels)

    def run(self):
        for root_level, level in PHASES:
            for vertex, own in enumerate(self.levels):
                if own == root_level and self.partner[vertex] < 0:
                    self._augment(vertex, level)

    def _augment(self, root, level):
        size = len(self.levels)
        self.root, self.highest = root, level
        self.parent, self.base, self.even = [-1] * size, list(range(size)), [False] * size
        self.even[root] = True
        self.queue = [root]
        end = -1
        for vertex in self.queue:  # which grows
            end = self._grow(vertex)
            if end >= 0:
                break
        if end < 0:
            end = self._spare()
        while end >= 0:
            before = self.parent[end]
            following = self.partner[before]
            self.partner[end], self.partner[before] = before, end
            end = following

    def _grow(self, vertex):
        """The unmatched vertex that the tree reaches from this one, or -1."""
        for to in self.neighbours[vertex]:
            if self.levels[to] > self.highest or self.base[vertex] == self.base[to] or self.partner[vertex] == to:
                continue
            mate = self.partner[to]
            if to == self.root or (mate >= 0 and self.parent[mate] >= 0):
                self._contract(vertex, to)
            elif self.parent[to] < 0:
                self.parent[to] = vertex
                if mate < 0:
                    return to
                self.even[mate] = True
                self.queue.append(mate)
        return -1

    def _contract(self, a, b):
        """The edge joins two even vertices: its odd cycle becomes one."""
        base, marked = self._common_base(a, b), set()
        for vertex, child in ((a, b), (b, a)):
            while self.base[vertex] != base:
                mate = self.partner[vertex]
                marked.update((self.base[vertex], self.base[mate]))
                self.parent[vertex] = child
                child, vertex = mate, self.parent[mate]
        for vertex in range(len(self.levels)):
            if self.base[vertex] in marked:
                self.base[vertex] = base
                if not self.even[vertex]:
                    self.even[vertex] = True
                    self.queue.append(vertex)

    def _common_base(self, a, b):
        seen = set()
        while True:
            a = self.base[a]
            seen.add(a)
            if self.partner[a] < 0:
                break  # the root
            a = self.parent[self.partner[a]]
        b = self.base[b]
        while b not in seen:
            b = self.base[self.parent[self.partner[b]]]
        return b

    def _spare(self):
        """The even vertex of the highest level above the root's loses its partner, the end of a path; -1 without one."""
        spared = self.root
        for vertex in self.queue:
            if self.levels[vertex] > self.levels[spared]:
                spared = vertex
        if spared == self.root:
            return -1
        end, self.partner[spared] = self.partner[spared], -1
        return end


class Orders:
    """Of a graph's bonds, of which some are OPEN; decides these.  must: atoms that have a double bond as carbons do."""

    def __init__(self, graph, orders, must=frozenset()):
        self.graph, self.orders, self.must = graph, orders, must
        for atom in range(graph.count):
            self._settle_oxo(atom)
        left = set(range(graph.count))
        for atom in range(graph.count):
            if atom in left and self.open_at(atom):
                system = self._system(atom)
                left.difference_update(system)
                self._decide(system)

    def valence(self, atom):
        """With open bonds as single ones."""
        return sum(1 if self.orders[bond] == OPEN else self.orders[bond] for _, bond in self.graph.neighbours[atom])

    def open_at(self, atom):
        return [(other, bond) for other, bond in self.graph.neighbours[atom] if self.orders[bond] == OPEN]

    def is_decided(self):
        return all(order != OPEN for order in self.orders)

    def charge(self, atom):
        """The formal charge that follows from the atom's bonds between heavy atoms."""
        element, bonds, valence = self.graph.elements[atom], self.graph.neighbours[atom], self.valence(atom)
        if not bonds:
            return IONS.get(element, 0)
        if self.open_at(atom):
            return 0
        hangs = len(bonds) == 1 and self.graph.elements[bonds[0][0]] == 7 and self.valence(bonds[0][0]) == 4
        if element == 7 and valence == 2 and hangs and self.graph.degree(bonds[0][0]) == 2:
            return -1  # an azide's
        if element == 5:
            return -(valence == 4)
        if element == 6:
            return -(valence == 3 and hangs)
        if element in (7, 15, 33):
            return int(valence == 4)
        if element in CHALCOGENS:
            return -hangs if valence == 1 else int(valence == 3)
        return 0

    def _is_end(self, atom):
        return self.graph.elements[atom] in CHALCOGENS and self.graph.degree(atom) == 1

    def _settle_oxo(self, center):
        """Of open bonds to oxygens at an end as many are double as the middle takes; a carbon's only one is left open."""
        element, opened = self.graph.elements[center], self.open_at(center)
        ends = [bond for other, bond in opened if self._is_end(other)]
        if self.graph.degree(center) < 2 or (element == 6 and len(ends) == 1):
            return
        doubles = OXO.get(element, lambda valence: 0)(self.valence(center))
        if element == 7 and len(opened) - len(ends) >= 2:
            doubles = 0  # the N-oxide of an aromatic ring, which needs N+
        for at, bond in enumerate(ends):
            self.orders[bond] = 2 if at < doubles else 1

    def _system(self, first):
        """The atoms that open bonds join with this one."""
        found = [first]
        for atom in found:  # which grows
            found += [other for other, _ in self.open_at(atom) if other not in found]
        return found

    def _walks_to(self, atom, come_from, goal, steps):
        if self.graph.degree(atom) > WALK_DEGREE:
            return False
        for other, _ in self.open_at(atom):
            if other != come_from and (other == goal if steps == 1 else
                                       other != goal and self._walks_to(other, atom, goal, steps - 1)):
                return True
        return False

    def _level(self, atom):
        element, valence = self.graph.elements[atom], self.valence(atom)
        if element in (6, 14) or atom in self.must:
            return MUST if valence <= 3 else NEVER
        if element == 7:
            if valence >= 3:
                return CATION if valence == 3 else NEVER
            return WANTS_OR_ANION if self._walks_to(atom, atom, atom, 5) else WANTS
        if element in (15, 33):
            return WANTS if valence <= 2 else NEVER
        if element in CHALCOGENS and valence == 1:
            return OXO_END
        return LAST if element in (8, 16, 34, 52) and valence == 2 else NEVER

    def _decide(self, system):
        """Leaves the bonds open where a carbon stays without a double one."""
        number = {atom: at for at, atom in enumerate(system)}
        matching = Matching([self._level(atom) for atom in system],
                            [[number[other] for other, _ in self.open_at(atom)] for atom in system])
        matching.run()
        if any(level == MUST and mate < 0 for level, mate in zip(matching.levels, matching.partner)):
            return
        for at, atom in enumerate(system):
            for other, bond in self.open_at(atom):
                self.orders[bond] = 2 if matching.partner[at] == number[other] else 1
