"""Holds `berth interactions` against PLIP (PyPI `plip`, which needs Open Babel's Python module).

    python3 bench/interactions/compare.py SET BERTH [NAME ...]

SET is a folder as `berth eval redock` takes: for each complex NAME/receptor.pdbqt and
NAME/crystal.sdf.  Both get the heavy atoms of the same protein and the same ligand; a row is one
residue and one kind.  Prints a line for each difference and the sums as Markdown.
"""
import csv
import io
import logging
import os
import subprocess
import sys
import tempfile

ENVIRONMENT = dict(os.environ)  # as it was: Open Babel's wheel points its programs elsewhere

from openbabel import pybel
from plip.basic import config
from plip.structure.preparation import PDBComplex

# PLIP's lists, and the kinds of ours that they hold.
LISTS = {
    "hydrogen_bond": ("hbonds_ldon", "hbonds_pdon"),
    "salt_bridge": ("saltbridge_lneg", "saltbridge_pneg"),
    "metal": ("metal_complexes",),
    "halogen_bond": ("halogen_bonds",),
    "stacking": ("pistacking",),
    "cation_pi": ("pication_laro", "pication_paro"),
    "hydrophobic": ("hydrophobic_contacts",),
}


def write_complex(folder, path):
    """Heavy atoms of the protein, and the ligand with its hydrogens, as a PDB file."""
    with open(path, "w") as file:
        for line in open(os.path.join(folder, "receptor.pdbqt")):
            kind = line[77:79].strip()
            if line.startswith(("ATOM", "HETATM")) and kind not in ("H", "HD", "HS"):
                symbol = {"A": "C", "OA": "O", "NA": "N", "SA": "S"}.get(kind, kind)
                file.write(f"{line[:66]:66}          {symbol.upper():>2}\n")
        ligand = next(pybel.readfile("sdf", os.path.join(folder, "crystal.sdf")))
        for residue in pybel.ob.OBResidueIter(ligand.OBMol):
            residue.SetName("LIG")
        rows = ligand.write("pdb").splitlines()
        for line in rows:
            if line.startswith(("ATOM", "HETATM")):
                number = 20000 + int(line[6:11])
                name = f"{line[76:78].strip()}{int(line[6:11])}"
                file.write(f"HETATM{number:5d} {name:<4} LIG Z 999    {line[30:]}\n")
            elif line.startswith("CONECT"):
                numbers = [20000 + int(line[at:at + 5]) for at in range(6, len(line.rstrip()), 5)]
                file.write("CONECT" + "".join(f"{n:5d}" for n in numbers) + "\n")
        file.write("END\n")


def by_plip(path):
    complex_ = PDBComplex()
    complex_.load_pdb(path)
    complex_.analyze()
    sites = [site for key, site in complex_.interaction_sets.items() if key.startswith("LIG:")]
    found = {}
    for kind, lists in LISTS.items():
        for name in lists:
            for item in (item for site in sites for item in getattr(site, name)):
                if kind == "metal" and item.restype == "LIG":
                    residue = (item.metal.residue.OBResidue.GetChain(), item.metal.residue.OBResidue.GetNum())
                else:
                    residue = (item.reschain, item.resnr)
                found.setdefault((kind, str(residue[0]).strip(), str(residue[1])), []).append(item)
    return found


def by_berth(berth, folder, receptor):
    text = subprocess.run(
        [berth, "interactions", "--receptor", receptor, "--poses",
         os.path.join(folder, "crystal.sdf"), "--out", "-"],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=ENVIRONMENT).stdout
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        kind = "stacking" if row["kind"] == "stacking_t" else row["kind"]
        found.setdefault((kind, row["chain"], row["number"]), []).append(row)
    return found


def main(folder, berth, *names):
    logging.disable(logging.CRITICAL)
    config.NOHYDRO = False
    sums = {kind: [0, 0, 0] for kind in LISTS}
    for name in names:
        here = os.path.join(folder, name)
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "complex.pdb")
            write_complex(here, path)
            theirs = by_plip(path)
        ours = by_berth(berth, here, os.path.join(here, "receptor.pdbqt"))
        for key in sorted(set(ours) | set(theirs)):
            side = 0 if key in ours and key in theirs else 1 if key in ours else 2
            sums[key[0]][side] += 1
            if side:
                print(name, ["", "berth alone", "PLIP alone"][side], *key,
                      *(f"{i['receptor_atoms']} {i['ligand_atoms']} {i['distance']} {i['angle']}"
                        for i in ours.get(key, [])),
                      *(" ".join(f"{f}={getattr(i, f)}" for f in
                                 ("restype", "distance_ad", "angle", "distance", "sidechain", "type")
                                 if hasattr(i, f)) for i in theirs.get(key, [])))
    print("\n| kind | both | berth alone | PLIP alone |\n| --- | --- | --- | --- |")
    for kind, counts in sums.items():
        print(f"| {kind} | " + " | ".join(map(str, counts)) + " |")


main(*sys.argv[1:])
