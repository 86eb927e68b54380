python
import math
import os
from pymol import cgo, cmd


def find(name, path):
    here = os.path.dirname(globals().get("__script__") or "")
    beside = os.path.join(here, name)
    return beside if os.path.exists(beside) else path


# What has been left behind, when the script was taken elsewhere, is not shown.
def load(name, path, shown):
    if os.path.exists(find(name, path)):
        cmd.load(find(name, path), shown)
    else:
        print("%s is neither beside this script nor where it was: it is not shown" % name)


# The first poses of the file, to the last that is told of here.
def keep_poses(last):
    for state in range(1, min(last, cmd.count_states("read")) + 1):
        cmd.create("poses", "read", state, state, discrete=1)
    cmd.delete("read")


def lines(pairs, name, state, color):
    shape = [cgo.BEGIN, cgo.LINES, cgo.COLOR] + list(color)
    for pair in pairs:
        for place in pair:
            shape += [cgo.VERTEX] + [float(x) for x in place]
    cmd.load_cgo(shape + [cgo.END], name, state)


def along(a, b, part):
    return [x + (y - x) * part for x, y in zip(a, b)]


def dashes(a, b, radius, color, parts=9):
    shape = []
    for n in range(0, parts, 2):
        shape += [cgo.CYLINDER] + along(a, b, n / parts) + along(a, b, (n + 1) / parts) + \
            [radius] + list(color) + list(color)
    return shape


# Bonds that are weak, longer than 3.5 A or bent to less than 120 degrees, are thin.
def bonds(found, state):
    shape = []
    for a, b, weak in found:
        bonded.setdefault(state, []).append(along(a, b, 0.5))
        shape += dashes(a, b, *((0.05, (0.95, 0.6, 0.3)) if weak else (0.11, (0.85, 0.35, 0.0))))
        apart = sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5
        labels.append(("distances", "%.1f" % apart,
                       [along(a, b, part) for part in (0.5, 0.35, 0.65, 0.8)], state))
    cmd.load_cgo(shape, "hydrogen_bonds", state)


labels = []
met = {}
bonded = {}


def meets(chain, residue, text, at, state):
    residue = residue.replace("-", "\\-")
    met.setdefault(state, []).append('(receptor and chain "%s" and resi %s)' % (chain, residue))
    labels.append(("residues", text, [at], state))


# Of each pose the residues that it meets, and those that it is near.
def residues_of_poses():
    for state in range(1, cmd.count_states("poses") + 1):
        near = "byres (receptor within 4 of (poses and state %d))" % state
        cmd.create("near", near, 1, state)
        cmd.create("meeting", " or ".join(met.get(state, ["none"])), 1, state)


# Without poses those that reach into the box.
def residues_of_site():
    cmd.create("meeting", " or ".join(met.get(1, ["none"])))


# The first pose, with what it meets spread out, and its hydrogen bonds not behind it.
def look_at_bonds():
    cmd.orient("poses or meeting", state=1)
    toward = [cmd.get_view()[3 * k + 2] for k in range(3)]

    def depth(places):
        return sum(x * y for place in places for x, y in zip(place, toward)) / len(places)
    if 1 in bonded and depth(bonded[1]) < depth(cmd.get_coords("poses", 1)):
        cmd.turn("y", 180)


# With the labels, which lie beside what they name.
def look_at_all():
    seen = "poses or residues" if met.get(1) else "poses"
    cmd.zoom(seen, 3, state=1)


# Labels at the first of their places where they touch no other of the same pose, as seen now:
# distances above or below their bonds, or nowhere; residues where they are, or higher or lower.
def write_labels():
    view, taken = cmd.get_view(), {}
    away, lifted = -view[11], cmd.get_setting_tuple("label_position")[1][2]
    up = [view[3 * k + 1] for k in range(3)]
    tall = 2 * away * math.tan(math.radians(cmd.get_setting_float("field_of_view") / 2))
    steps = {"residues": [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5], "distances": [0.7, -0.7, 1.5, -1.5]}

    # On the screen, in A of the plane that the view turns about.
    def flat(at):
        x, y, z = [sum((at[k] - view[12 + k]) * view[3 * k + n] for k in range(3)) + view[9 + n] for n in range(3)]
        return [part * away / max(-z - lifted, 1) for part in (x, y)]

    # Letters are 0.023 of the view wide and 0.045 high in a window of 480 pixels; in larger ones, less.
    def touches(at, text, others):
        x, y = flat(at)
        return sum(abs(x - u) < 0.0115 * tall * (len(text) + len(other)) and abs(y - v) < 0.045 * tall
                   for u, v, other in others)
    for name, text, places, state in labels:
        others = taken.setdefault(state, [])
        places = [[x + up[k] * step for k, x in enumerate(place)] for step in steps[name] for place in places]
        at = min(places, key=lambda place: touches(place, text, others))
        if name == "residues" or not touches(at, text, others):
            others.append(flat(at) + [text])
            cmd.pseudoatom(name, pos=at, label=text, state=state)


# Once more, in the view that shows them all.
def rewrite_labels():
    cmd.delete("residues")
    cmd.delete("distances")
    write_labels()


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


