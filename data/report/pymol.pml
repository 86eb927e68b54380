# Written by berth {{version}}.  Open it with `pymol {{script}}`.{{?poses}}  The arrows at the
# bottom go from pose to pose, {{/poses}}{{^poses}}  {{/poses}}F1 shows and hides the surface,
# F2 the box.  For a figure: png figure.png, width=2000, ray=1
{{#most}}
# It opens {{.}} poses at most, the best of the page: `berth report --view_top N` has more.
{{/most}}
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


# The poses of the file that are told of here, by their numbers there, with their side chains.
def keep_poses(numbers):
    for read, shown in (("read", "poses"), ("read_side_chains", "side_chains")):
        if read in cmd.get_names():
            for state, number in enumerate(numbers, 1):
                cmd.create(shown, read, number, state, discrete=1)
            cmd.delete(read)


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


# The radius and colour of each.  Hydrogen bonds that are weak, longer than 3.5 A or bent to less than 120 degrees,
# are thin and without a label.
looks = {
    "hydrogen bond": (0.11, (0.85, 0.35, 0.0)), "weak hydrogen bond": (0.04, (0.97, 0.74, 0.5)),
    "metal": (0.11, (0.5, 0.35, 0.75)), "salt bridge": (0.11, (0.8, 0.15, 0.15)),
    "halogen bond": (0.11, (0.0, 0.62, 0.45)), "stacking": (0.07, (0.65, 0.46, 0.11)),
    "cation-pi": (0.07, (0.8, 0.47, 0.65)),
}


# What a pose makes: hydrogen bonds, with metals and salt bridges, and the others in an object of their own.
def bonds(found, state):
    shapes = {"hydrogen_bonds": [], "further_contacts": []}
    for a, b, look in found:
        bonded.setdefault(state, []).append(along(a, b, 0.5))
        further = look in ("halogen bond", "stacking", "cation-pi")
        shapes["further_contacts" if further else "hydrogen_bonds"] += dashes(a, b, *looks[look])
        dashed.setdefault(state, []).extend(along(a, b, n / 8) for n in range(9))
        if not look.startswith("weak"):
            labels.append(("distances", "%.1f" % math.dist(a, b), [along(a, b, n / 8) for n in (4, 3, 5, 2, 6, 1)], state, "none"))
    for name, shape in shapes.items():
        cmd.load_cgo(shape, name, state)


labels = []
kept = []
met = {}
bonded = {}
dashed = {}


def residue_of(chain, number):
    return 'chain "%s" and resi %s' % (chain, number.replace("-", "\\-"))


# With its chain, where the receptor has several.
def label_of(chain, number, name):
    return "%s %s%s" % (name, chain + ":" if chain and len(cmd.get_chains("receptor")) > 1 else "", number)


def meets(chain, number, name, at, state):
    chosen = residue_of(chain, number)
    met.setdefault(state, []).append("(receptor and %s)" % chosen)
    labels.append(("residues", label_of(chain, number, name), [at], state, chosen))


# Residues that only carbons are near.
def nears(chain, number, name, at, state):
    labels.append(("near_residues", label_of(chain, number, name), [at], state, residue_of(chain, number)))


# Side chains that moved, where nothing is near them.
def moves(state):
    named = [own for _, _, _, shown, own in labels if shown == state]
    ends = {(atom.chain, atom.resi, atom.resn): atom.coord
            for atom in cmd.get_model("side_chains and not elem H", state).atom}
    for (chain, number, name), at in ends.items():
        if residue_of(chain, number) not in named:
            labels.append(("residues", label_of(chain, number, name), [at], state, residue_of(chain, number)))


# Of each pose the residues that it meets, and those that it is near.
def residues_of_poses():
    for state in range(1, cmd.count_states("poses") + 1):
        near = "byres (receptor within 4 of (poses and state %d))" % state
        cmd.create("near", near, 1, state)
        cmd.create("meeting", " or ".join(met.get(state, ["none"])), 1, state)
        if "side_chains" in cmd.get_names():
            moves(state)


# Without poses those that reach into the box.
def residues_of_site():
    cmd.create("meeting", " or ".join(met.get(1, ["none"])))


# The first pose, with what it meets spread out, and its bonds not behind it.
def look_at_bonds():
    cmd.orient("poses or meeting", state=1)
    toward = [cmd.get_view()[3 * k + 2] for k in range(3)]

    def depth(places):
        return sum(x * y for place in places for x, y in zip(place, toward)) / len(places)
    if 1 in bonded and depth(bonded[1]) < depth(cmd.get_coords("poses", 1)):
        cmd.turn("y", 180)


# What is drawn in a pose's state, without the cartoon.
def shown(state):
    names = [name for name in ("poses", "reference", "meeting", "near") if name in cmd.get_names()]
    places = [cmd.get_coords(name, -1 if name == "reference" else state) for name in names]
    return [place for found in places if found is not None for place in found.tolist()]


# How far from the eye, in A.
def far(at):
    view = cmd.get_view()
    return -view[11] - sum((at[k] - view[12 + k]) * view[3 * k + 2] for k in range(3))


# With the labels, which lie beside what they name.  Nothing but them is in front of what is
# shown, and fog begins behind it.
def look_at_all():
    if "poses" in cmd.get_names():
        cmd.zoom("poses or residues" if met.get(1) else "poses", 3, state=1)
    depths = [far(at) for at in shown(1)]
    if depths:
        cmd.clip("near", cmd.get_view()[15] - min(depths) + 2)
        cmd.clip("far", min(cmd.get_view()[16] - max(depths) - 5, 0))
        front, back = cmd.get_view()[15:17]
        cmd.set("fog_start", (max(depths) - front) / (back - front))


# The labels of poses up to the last, where they touch no other, nor the pose or its bonds, as seen now:
# distances where their own bond is the nearest, and the names of residues that only carbons are near nearest
# to their own atoms, or nowhere; of residues that are met where the least is hidden and, if that can be,
# nearest to their own atoms, away from these at the end of a line.
def write_labels(last):
    view, taken, leaders = cmd.get_view(), {}, {}
    away, front = -view[11], view[15]
    right, up = [[view[3 * k + n] for k in range(3)] for n in range(2)]
    tall = 2 * away * math.tan(math.radians(cmd.get_setting_float("field_of_view") / 2))
    wide = tall * cmd.get_viewport()[0] / cmd.get_viewport()[1]
    around = [(r * math.cos(math.pi * n / 6), r * math.sin(math.pi * n / 6))
              for r in (0.8, 1.1, 1.4, 1.8, 2.2) for n in range(12)]
    further = [(r * math.cos(math.pi * n / 6), r * math.sin(math.pi * n / 6)) for r in (3, 4, 5) for n in range(12)]
    steps = {"residues": [(0, 0)] + around + further, "near_residues": [(0, 0)] + around, "distances": around}
    sizes = {"residues": 16, "near_residues": 12, "distances": 13}

    def moved(at, x, y):
        return [at[k] + x * right[k] + y * up[k] for k in range(3)]

    # On the screen, in A of the plane that the view turns about.
    def flat(at):
        return [sum((at[k] - view[12 + k]) * axis[k] for k in range(3)) * away / max(far(at), 1) for axis in (right, up)]

    # Along sticks, too: the middles of bonds.
    def atoms(of, state, half, chosen="all"):
        if of not in cmd.get_names():
            return []
        model = cmd.get_model("%s and (%s) and not elem H" % (of, chosen), state)
        places = [atom.coord for atom in model.atom]
        places += [along(*[model.atom[n].coord for n in bond.index], 0.5) for bond in model.bond]
        return [flat(place) + [half, half] for place in places]

    # The atoms of residues that are drawn as sticks; for small letters of lines, too.
    def coordinates(of, state, small):
        drawn = ["meeting", "side_chains"] + (["near"] if small else [])
        found = [cmd.get_coords("%s and not elem H and (%s)" % (name, of), state)
                 for name in drawn if name in cmd.get_names()]
        return [place for places in found if places is not None for place in places.tolist()]

    # Half the room of letters of size 16, which are 0.023 of the view wide and 0.032 high, with their box
    # 0.045, in a window of 480 pixels, and less in larger ones.
    def room(name, text):
        high = 0.0225 if name == "residues" else 0.016
        return [part * tall * sizes[name] / 16 for part in (0.0115 * len(text), high)]

    def touches(at, half, others):
        return (abs(at[0] - u) < half[0] + w and abs(at[1] - v) < half[1] + h for u, v, w, h in others)

    def inside(at, half):
        return abs(at[0]) + half[0] < wide / 2 and abs(at[1]) + half[1] < tall / 2

    # How far the letters are from what is drawn there.
    def off(at, half, places):
        return [math.hypot(*[max(0, abs(at[k] - place[k]) - half[k]) for k in range(2)]) for place in places]

    # Whether the letters are nearer to the residue's own atoms than to those of others.
    def stands(at, half, own, strange):
        return not own or min(off(at, half, own)) < min(off(at, half, strange), default=math.inf)

    # Or so near to another's that a reader may take it for that one's.
    def doubtful(at, half, own, strange):
        return min(off(at, half, own)) + 0.8 > min(off(at, half, strange), default=math.inf)

    def nearest(at, places):
        return min([math.dist(at, place) for place in places], default=math.inf)

    # The sticks of other residues weigh more: what stands on these is read as theirs.
    def hides(place, half, residues, sticks):
        return place[0] + 0.3 * sum(touches(place[1], half, residues)) + 3 * sum(touches(place[1], half, sticks))

    # Of places, as their distance from what they name and (x, y), the free one that hides least.
    def choose(name, half, places, middle, others, residues, bound):
        spread = [part + (1 if name == "near_residues" else 0) for part in half]
        free = [place for place in places
                if inside(place[1], half) and not any(touches(place[1], spread, others))
                and nearest(place[1], middle) <= nearest(place[1], bound)]
        return min(free, key=lambda place: hides(place, half, residues, []), default=None)

    for number, (name, text, middle, state, own) in enumerate(labels):
        if state > last:
            continue
        if state not in taken:
            taken[state] = (atoms("poses", state, 0.35) + [flat(at) + [0.15, 0.15] for at in dashed.get(state, [])],
                            atoms("meeting", state, 0.2) + atoms("side_chains", state, 0.2)
                            + atoms("near", state, 0.15) + atoms("reference", 1, 0.2))
        others, residues = taken[state]
        half = room(name, text)
        places = [(math.hypot(*step), flat(at), at)
                  for step in steps[name] for at in [moved(place, *step) for place in middle]]
        mine, strange = [coordinates(of, state, name == "near_residues") for of in (own, "not (%s)" % own)]
        flats, strange = [flat(at) for at in mine], [flat(at) for at in strange]
        if name == "near_residues":
            places = [place for place in places if mine and not doubtful(place[1], half, flats, strange)]
        if name == "residues":
            places += [(1 + math.hypot(*step), flat(at), at) for step in around[12:36:2]
                       for at in [moved(place, *step) for place in mine]]
            sticks = atoms("meeting", state, 0.2, "not (%s)" % own)
            chosen = min(places, key=lambda place: hides(place, half, residues, sticks)
                         + 9 * (not stands(place[1], half, flats, strange))
                         + 9 * (sum(touches(place[1], half, others)) + (not inside(place[1], half))))
            away_by = off(chosen[1], half, flats)
            if mine and (min(away_by) > 0.8 or doubtful(chosen[1], half, flats, strange)):
                # To an atom that no other residue's is in front of or behind, if there is one.
                hidden = [3 * (nearest(place, strange) < 0.7) for place in flats]
                ways = [length + more for length, more in zip(away_by, hidden)]
                leaders.setdefault(state, []).extend(
                    [cgo.CYLINDER] + mine[ways.index(min(ways))] + chosen[2] + [0.03] + [0.2] * 6)
        else:
            bound = [flat(at) for at in dashed.get(state, []) if name == "distances"]
            chosen = choose(name, half, places, [flat(at) for at in middle], others, residues, bound)
        if chosen:
            others.append(chosen[1] + half)
            cmd.pseudoatom(name, pos=chosen[2], label=text, state=state, resi=str(number))
            # Drawn where the view begins, in front of all that is shown; PyMOL takes 1 A off.
            cmd.set("label_position", (0, 0, far(chosen[2]) - front + 0.8), "%s and resi %d" % (name, number))
    # PyMOL crashes where states before the first that it is told of are missing.
    for state in range(1, max(leaders, default=0) + 1):
        cmd.load_cgo(leaders.get(state, [cgo.BEGIN, cgo.LINES, cgo.END]), "leaders", state, zoom=0)
    for name in set(steps).intersection(cmd.get_names()):
        cmd.show("labels", name)
        if name != "residues":
            cmd.set("label_size", sizes[name], name)
            cmd.set("label_bg_transparency", 1, name)


# All of them in the view that shows those of the first pose.
def rewrite_labels():
    for name in ("residues", "near_residues", "distances", "leaders"):
        cmd.delete(name)
    write_labels(math.inf)


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


{{#files}}
load("{{name}}", "{{path}}", "{{object}}")
{{/files}}
{{#box}}
low, high = ({{low|, }}), ({{high|, }})
corners = [[(low, high)[n >> k & 1][k] for k in range(3)] for n in range(8)]
lines([(corners[n], corners[n | 1 << k]) for n in range(8) for k in range(3)
       if not n >> k & 1], "site", 1, (0.3, 0.5, 1.0))
{{/box}}
{{#shown}}
{{?poses}}
kept.append({{pose}})
bonds([{{#bonds}}(({{from|, }}), ({{to|, }}), "{{look}}"), {{/bonds}}], {{state}})
{{/poses}}
{{#residues}}
{{?near}}nears{{/near}}{{^near}}meets{{/near}}("{{chain}}", "{{number}}", "{{name}}", ({{at|, }}), {{state}})
{{/residues}}
{{?poses}}
{{#places}}
place("restraint_{{restraint}}", ({{at|, }}), {{radius}}, {{met}}, "{{?labelled}}{{distance}} {{stands}}{{/labelled}}", {{state}})
{{/places}}
{{/poses}}
{{/shown}}
{{?poses}}
keep_poses(kept)
{{/poses}}
cmd.set_key("F1", surface)
cmd.set_key("F2", box)
{{?poses}}
residues_of_poses()
{{/poses}}
{{^poses}}
residues_of_site()
{{/poses}}
python end
bg_color white
hide everything
show cgo
show cartoon, receptor
set cartoon_transparency, 0.7
color gray80, (receptor or meeting) and elem C
{{?reference}}
show sticks, reference
color magenta, reference and elem C
hide sticks, reference and elem H and neighbor elem C
set stick_radius, 0.12, reference
{{/reference}}
{{?moved}}
show sticks, side_chains
color orange, side_chains and elem C
{{/moved}}
{{?restraints}}
show dots, restraint_*
show labels, restraint_*
{{/restraints}}
{{?poses}}
color gray80, near and elem C
show sticks, poses
color cyan, poses and elem C
hide sticks, poses and elem H and neighbor elem C
select site_residues, byres (receptor within 4 of poses)
show lines, near
disable site
python
look_at_bonds()
python end
{{/poses}}
{{^poses}}
select site_residues, byres (receptor within 0.1 of meeting)
zoom site, 4
{{/poses}}
deselect
show sticks, meeting
set stick_radius, 0.14, meeting
show spheres, metals and not receptor
set sphere_scale, 0.3
set label_color, black
set label_size, 16
set label_font_id, 7
set label_bg_color, white
set label_bg_transparency, 0.15
set ray_shadows, 0
set antialias, 2
set all_states, 0
python
write_labels(1)
look_at_all()
rewrite_labels()
python end
