"""Flat drawings of molecules, and where their atoms are in them."""
from __future__ import annotations

import re

from rdkit import Chem
from rdkit.Chem import rdDepictor

import reading
from outcome import Failed

WIDTH, HEIGHT = 260, 180


def draw(molecule):
    """The drawing as SVG, black alone, and the places of its atoms in it."""
    from rdkit.Chem.Draw import rdMolDraw2D  # takes a while, and most workers draw nothing

    rdDepictor.SetPreferCoordGen(False)
    rdDepictor.Compute2DCoords(molecule)
    drawer = rdMolDraw2D.MolDraw2DSVG(WIDTH, HEIGHT, -1, -1, True)  # letters as text, no paths: a tenth of the bytes
    options = drawer.drawOptions()
    options.useBWAtomPalette()
    options.clearBackground = False
    options.padding = 0.06
    options.fixedFontSize = 11
    options.bondLineWidth = 1.4
    drawer.DrawMolecule(rdMolDraw2D.PrepareMolForDrawing(molecule, addChiralHs=False))
    places = [drawer.GetDrawCoords(i) for i in range(molecule.GetNumAtoms())]
    drawer.FinishDrawing()
    return drawer.GetDrawingText(), places


def shrink(svg):
    """The picture in a quarter of the bytes, since a page has a thousand: "LOOK PATH" a line, of letters "tSIZE X Y LETTER
    X Y LETTER ...".  LOOK is the lines' width, then d for dashes and f for what is filled; those that look alike are
    one path, in which what begins where the line is goes on there."""
    paths = {}
    for tag in re.findall(r"<path[^>]*>", svg):
        style = styles(tag)
        drawn = style.get("stroke", "none") != "none"
        look = style.get("stroke-width", "1").replace("px", "") if drawn else "0"
        look += "d" if "stroke-dasharray" in style else ""
        look += "f" if style.get("fill", attribute(tag, "fill") or "none") != "none" else ""
        d = re.sub(r"(\.\d)\d+", r"\1", " ".join(attribute(tag, "d").split())).replace(".0", "")
        paths.setdefault(look, []).append(re.sub(r"\s*([MLCQZ])\s*", r"\1", d))
    lines = {look: "".join(parts) for look, parts in paths.items()}
    for look in lines:
        if "d" not in look:
            lines[look] = re.sub(r"([ML])([^MLCQZ]+)M\2(?=L)", r"\1\2", lines[look])
    letters = {}
    for tag, letter in re.findall(r"(<text[^>]*>)([^<]*)</text>", svg):
        size = styles(tag).get("font-size", "11px").replace("px", "")
        letters.setdefault("t" + size, []).append(f"{attribute(tag, 'x')} {attribute(tag, 'y')} {letter}")
    return "\n".join([f"{look} {path}" for look, path in lines.items()]
                     + [f"{look} {' '.join(parts)}" for look, parts in letters.items()])


def styles(tag):
    return dict(part.split(":", 1) for part in attribute(tag, "style").split(";") if ":" in part)


def attribute(tag, name):
    found = re.search(rf"\b{name}=['\"]([^'\"]*)['\"]", tag)
    return found.group(1) if found else ""


def run(options, text):
    """Of a record's molecule: the paths of its drawing (WIDTH by HEIGHT), the places of its atoms in it
    ("number x y" a line, numbers from 1), and its SMILES."""
    molecule = reading.molfile(text.decode("utf-8", "replace"), removeHs=False)
    if molecule is None:
        raise Failed("RDKit cannot read the pose")
    for atom in molecule.GetAtoms():
        atom.SetIntProp("number", atom.GetIdx() + 1)
    Chem.AssignStereochemistryFrom3D(molecule)
    plain = Chem.RemoveHs(molecule)
    numbers = [atom.GetIntProp("number") for atom in plain.GetAtoms()]
    smiles = Chem.MolToSmiles(plain)
    svg, places = draw(plain)
    return [shrink(svg),
            "\n".join(f"{number} {place.x:.1f} {place.y:.1f}" for number, place in zip(numbers, places)),
            smiles]
