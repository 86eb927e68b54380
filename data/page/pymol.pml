python
import os
from pymol import cgo, cmd


def find(name, path):
    here = os.path.dirname(globals().get("__script__") or "")
    beside = os.path.join(here, name)
    return beside if os.path.exists(beside) else path


def lines(pairs, name, state, color):
    shape = [cgo.BEGIN, cgo.LINES, cgo.COLOR] + list(color)
    for pair in pairs:
        for place in pair:
            shape += [cgo.VERTEX] + [float(x) for x in place]
    cmd.load_cgo(shape + [cgo.END], name, state)


def dashes(pairs, parts=9):
    def along(a, b, part):
        return [x + (y - x) * part / parts for x, y in zip(a, b)]
    return [(along(a, b, n), along(a, b, n + 1)) for a, b in pairs for n in
            range(0, parts, 2)]


def bonds(pairs, state):
    lines(dashes(pairs), "hydrogen_bonds", state, (0.9, 0.6, 0.0))
    for a, b in pairs:
        apart = sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5
        cmd.pseudoatom("distances", pos=[(x + y) / 2 for x, y in zip(a, b)],
                       label="%.1f" % apart, state=state)


meeting = set()


def meets(chain, residue, text, at, state):
    residue = residue.replace("-", "\\-")
    meeting.add('(receptor and chain "%s" and resi %s)' % (chain, residue))
    cmd.pseudoatom("residues", pos=at, label=text, state=state)


def place(name, at, radius, met, label, state):
    cmd.pseudoatom(name, pos=at, vdw=radius, label=label, state=state,
                   color="forest" if met else "firebrick")


def box():
    if "site" in cmd.get_names("all", enabled_only=1):
        cmd.disable("site")
    else:
        cmd.enable("site")


def surface():
    name = "pocket_surface"
    if name not in cmd.get_names("all"):
        cmd.create(name, "site_residues")
        cmd.hide("everything", name)
        cmd.show("surface", name)
        cmd.set("transparency", 0.4, name)
        cmd.color("gray90", name)
    elif name in cmd.get_names("all", enabled_only=1):
        cmd.disable(name)
    else:
        cmd.enable(name)


