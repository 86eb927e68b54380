"""Drawings of molecules as SVG, and where their atoms are in them."""
from __future__ import annotations

import re

from rdkit import Chem
from rdkit.Chem import rdDepictor

from outcome import Failed

WIDTH, HEIGHT = 260, 180


def draw(molecule):
    """The drawing, and the places of its atoms in it.  Black alone: the page says which colour that is."""
    from rdkit.Chem.Draw import rdMolDraw2D  # takes a while, and most workers draw nothing

    rdDepictor.SetPreferCoordGen(False)
    rdDepictor.Compute2DCoords(molecule)
    drawer = rdMolDraw2D.MolDraw2DSVG(WIDTH, HEIGHT)
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
    """The same picture in half of the bytes, since a page has a thousand: lines that look alike are one
    path.  What is filled has the class f."""
    paths = {}
    for tag in re.findall(r"<path[^>]*>", svg):
        style = dict(part.split(":", 1) for part in attribute(tag, "style").split(";") if ":" in part)
        width = style.get("stroke-width", "1").replace("px", "")
        look = f"stroke-width='{width}'" if style.get("stroke", "none") != "none" else ""
        filled = style.get("fill", attribute(tag, "fill") or "none") != "none"
        look += " stroke-dasharray='2,2'" if "stroke-dasharray" in style else ""
        look += " class='f'" if filled else ""
        d = re.sub(r"(\.\d)\d+", r"\1", attribute(tag, "d")).replace(".0", "")
        paths.setdefault(look.strip(), []).append(re.sub(r" ?([MLCQZ]) ?", r"\1", d))
    return f"<svg viewBox='0 0 {WIDTH} {HEIGHT}'>" + "".join(
        f"<path {look} d='{''.join(parts)}'/>" for look, parts in paths.items()) + "</svg>"


def attribute(tag, name):
    found = re.search(rf"\b{name}=['\"]([^'\"]*)['\"]", tag)
    return found.group(1) if found else ""


def run(options, text):
    """SVG of a record's molecule, its SMILES, and the places of its atoms in the drawing: "number x y" a
    line, numbers from 1."""
    molecule = Chem.MolFromMolBlock(text.decode("utf-8", "replace"), removeHs=False)
    if molecule is None:
        raise Failed("RDKit cannot read the pose")
    for atom in molecule.GetAtoms():
        atom.SetIntProp("number", atom.GetIdx() + 1)
    Chem.AssignStereochemistryFrom3D(molecule)
    plain = Chem.RemoveHs(molecule)
    numbers = [atom.GetIntProp("number") for atom in plain.GetAtoms()]
    smiles = Chem.MolToSmiles(plain)
    svg, places = draw(plain)
    return [shrink(svg), smiles,
            "\n".join(f"{number} {place.x:.1f} {place.y:.1f}" for number, place in zip(numbers, places))]
