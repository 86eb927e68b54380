"""Curves as SVG: ROC curves of screens, and how many complexes of a redocking lie below an RMSD."""
import math
from html import escape

import numpy

from enrichment import roc_curve
from text import shown

WIDTH, HEIGHT, LEFT, TOP, PLOT, TALL, KEY = 760, 470, 64, 84, 440, 310, 28  # layout, in pixels
BEGIN, END = 0.1, 100  # of an axis, in %; BEGIN: of the logarithmic one
TICKS = (0, 20, 40, 60, 80, 100), (0.1, 1, 10, 100)
PIECES = 24    # that a line is drawn in which the logarithm bends
LABEL = 20     # bytes of a ranking's label
NEAR = 5       # Å: where the axis of RMSDs ends
COLORS = ("#2f6db3", "#c2410c", "#2e7d32", "#7b3fa0", "#8a6d00", "#8a94a0")
STYLE = """text { font-family: system-ui, sans-serif; fill: #1f2933; font-size: 13px }
.title { font-size: 18px; font-weight: bold }
.subtitle, .axis, .tick { fill: #52606d }
.tick { text-anchor: middle; font-size: 12px }
.grid { stroke: #e1e6eb }
.percent { fill: #52606d; text-anchor: end; font-size: 12px }
.curve { fill: none; stroke-width: 2.5 }
""" + "".join(f".color{number} {{ stroke: {color} }}\n" for number, color in enumerate(COLORS)) + ".dashed { stroke-dasharray: 6 4 }\n"


def x_of(value, logarithmic):
    place = math.log(value / BEGIN) / math.log(END / BEGIN) if logarithmic else value / END
    return LEFT + PLOT * min(max(place, 0), 1)


def rmsd_x(value):
    return LEFT + PLOT * min(value / NEAR, 1)


def y_of(share):
    return TOP + TALL * (1 - share)


def text(x, y, kind, words):
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words, quote=False)}</text>\n'


def line(x1, y1, x2, y2):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="grid"/>\n'


def axes(ticks, place, label):
    parts = []
    for percent in range(0, 101, 25):
        y = y_of(percent / 100)
        parts += [line(LEFT, y, LEFT + PLOT, y), f'<text x="{LEFT - 8}" y="{y + 4:.1f}" class="percent">{percent} %</text>\n']
    for value in ticks:
        x = place(value)
        parts += [line(x, TOP, x, TOP + TALL), f'<text x="{x:.1f}" y="{TOP + TALL + 18}" class="tick">{value:g}</text>\n']
    return "".join(parts) + text(LEFT, TOP + TALL + 44, "axis", label)


def path(values, shares, logarithmic):
    """Straight lines from value to value, cut where the axis begins; on a logarithmic one they are drawn in pieces."""
    parts, begin, (value, share) = [], BEGIN if logarithmic else 0, (0, 0)
    for next_value, next_share in zip(values, shares):
        step, rise, start = next_value - value, next_share - share, max(begin, value)
        pieces = PIECES if logarithmic and step > 0 and rise > 0 else 1
        for k in range(bool(parts), pieces + 1 if next_value >= begin else 0):
            at = start * (next_value / start) ** (k / pieces) if pieces > 1 else start + k * (next_value - start)
            reached = share + rise * ((at - value) / step if step > 0 else k / pieces)
            parts.append(f"{'L' if parts else 'M'}{x_of(at, logarithmic):.1f} {y_of(reached):.1f}")
        value, share = next_value, next_share
    return "".join(parts)


def steps(values):
    """How many of the values, RMSDs, lie below each; those above the axis's end are never reached."""
    parts = [f"M{rmsd_x(0):.1f} {y_of(0):.1f}"]
    for i, value in enumerate(sorted(values)):
        if value <= NEAR:
            parts.append(f"H{rmsd_x(value):.1f} V{y_of((i + 1) / len(values)):.1f}")
    return " ".join(parts) + f" H{LEFT + PLOT}"


def curve(number, label, color, dashed, drawn):
    kind, y = f"curve color{color}{' dashed' * dashed}", TOP + 16 + 24 * number
    return (f'<path class="{kind}" d="{drawn}"/>\n<path class="{kind}" d="M{LEFT + PLOT + 20} {y:.1f} h{KEY}"/>\n' +
            text(LEFT + PLOT + 20 + KEY + 8, y + 4, "key", label))


def picture(title, subtitle, axes_text, curves):
    """curves: of each its label, color, whether it is dashed, and its path."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">\n<style>\n'
            f'{STYLE}</style>\n<rect width="100%" height="100%" fill="#ffffff"/>\n' +
            text(LEFT, 34, "title", title) + text(LEFT, 58, "subtitle", subtitle) + axes_text +
            "".join(curve(i, *each) for i, each in enumerate(curves)) + "</svg>\n")


def roc(evaluation, logarithmic):
    """Those of all rankings, over decoys or over their logarithm."""
    scored, results, curves = evaluation.scored, len(evaluation.joined.results), []
    for i, ranking in enumerate(evaluation.rankings):
        decoys, actives = roc_curve(scored.active, ranking.scores)
        plain = i >= evaluation.trivial
        color = (4 - (i - evaluation.trivial) if plain else i) % (len(COLORS) - 1)
        area = evaluation.enrichment.values[i, 0]
        curves.append((f"{shown(ranking.label[:LABEL])} {area:.2f}", color, plain or (i >= results and results > 1),
                       path((100 * decoys).tolist(), actives.tolist(), logarithmic)))
    curves.append(("by chance 0.50", len(COLORS) - 1, False, path((0, 100), (0, 1), logarithmic)))
    subtitle = (f"{scored.actives} actives among {len(scored.names)} ligands; the area under each curve" +
                " with a linear axis" * logarithmic)
    return picture("Actives found", subtitle,
                   axes(TICKS[logarithmic], lambda value: x_of(value, logarithmic), "decoys before them, %"), curves)


def redock(fields):
    """One text: success against RMSD, of each curve's values."""
    curves = [(each["label"].decode(), int(each["color"]), "dashed" in each, steps(numpy.frombuffer(each["values"], "<f8").tolist()))
              for each in fields["curves"]]
    yield "redock.svg", picture("Redocking: success against RMSD", fields["subtitle"].decode(),
                                axes(range(NEAR + 1), rmsd_x, "RMSD to the crystal pose, at most, Å"), curves)
