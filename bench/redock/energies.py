"""berth's first modes beside those of AutoDock Vina's own search, both scored by vina.

usage: energies.py --out DIR --vina LABEL=FOLDER [--vina LABEL=FOLDER ...] [--data SET] [--berth BIN]
                   [--smiles TABLE] [--only NAMES] [-- options of berth dock]

Each complex's start.pdbqt (torsions random) is docked into receptor.pdbqt in the box of sites.tsv, as vina.py
does with vina, whose FOLDER/NAME.pdbqt are taken as they are.  The heavy atoms of berth's first mode go into
start.pdbqt's records; `vina --score_only` gives both programs' poses an energy with the receptor (inter), one
inside the ligand (intra) and the affinity that it prints.  A row for each complex, kcal/mol; heavy atoms' RMSD
against crystal.pdbqt, symmetry aside, Å; and who has the lower inter + intra, by more than 0.05.  Needs vina,
Open Babel and RDKit.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys

import numpy
from rdkit.Chem import rdMolAlign

import vina

SAME = 0.05  # kcal/mol: what is no difference


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def prepare(options, sites):
    """A set whose ligands are the starts, as `berth eval redock` makes it: Mol2 with bonds from SMILES."""
    source, made = options.out / "starts", options.out / "set"
    if made.exists():
        return made
    source.mkdir(parents=True, exist_ok=True)
    (source / "sites.tsv").write_bytes((options.data / "sites.tsv").read_bytes())
    for site in sites:
        folder = source / site["pdb"]
        folder.mkdir(exist_ok=True)
        for name, origin in (("receptor", "receptor"), ("crystal", "start")):
            data = (options.data / site["pdb"] / f"{origin}.pdbqt").read_bytes()
            (folder / f"{name}.pdbqt").write_bytes(data)
    run(options.berth, "eval", "redock", source, "--smiles", options.smiles, "--mode", "none", "--only",
        ",".join(site["pdb"] for site in sites), "--out", made)
    return made


def atoms_of_mol2(text):
    """Positions of the atoms of the first molecule of a Mol2 file, Å."""
    rows = text.split("@<TRIPOS>ATOM\n")[1].split("@<TRIPOS>")[0].splitlines()
    return numpy.array([[float(word) for word in row.split()[2:5]] for row in rows])


def dock(options, folder, site):
    """The atoms before and after a docking, in one order."""
    out = options.out / "berth" / f"{site['pdb']}.mol2"
    out.parent.mkdir(exist_ok=True)
    command = [options.berth, "dock", "--receptor", folder / "receptor.mol2", "--ligand", folder / "crystal.mol2"]
    for axis in "xyz":
        command += [f"--center_{axis}", site[f"center_{axis}"], f"--size_{axis}", site[f"size_{axis}"]]
    run(*command, "--scoring", "vina", "--out", out, *options.extra)
    return atoms_of_mol2((folder / "crystal.mol2").read_text()), atoms_of_mol2(out.read_text())


def moved(lines, before, after):
    """The records of start.pdbqt with its heavy atoms where the pose has them, each hydrogen with its neighbours."""
    atoms = [line for line in lines if vina.is_atom(line)]
    start = numpy.array([vina.position(line) for line in atoms])
    heavy = numpy.array([vina.is_heavy(line) for line in atoms])
    distances = numpy.linalg.norm(start[:, None] - before[None], axis=2)
    places = numpy.empty_like(start)
    for k, at in enumerate(start):
        if heavy[k]:
            if distances[k].min() > 0.01:
                raise ValueError("the docked molecule is not the one of start.pdbqt")
            places[k] = after[distances[k].argmin()]
        else:  # by the frame of the four nearest atoms: vina sees who has hydrogens, and no more of them
            near = distances[k].argsort()[:4]
            a, b = before[near] - before[near[0]], after[near] - after[near[0]]
            u, _, v = numpy.linalg.svd(a.T @ b)
            turn = u @ numpy.diag([1, 1, numpy.sign(numpy.linalg.det(u @ v))]) @ v
            places[k] = (at - before[near[0]]) @ turn + after[near[0]]
    rest = iter(places)
    return [line[:30] + "%8.3f%8.3f%8.3f" % tuple(next(rest)) + line[54:] if vina.is_atom(line) else line
            for line in lines]


def score(receptor, ligand):
    """inter, intra and the affinity of a pose."""
    text = run("vina", "--receptor", receptor, "--ligand", ligand, "--score_only", "--autobox")
    return [float(re.search(pattern + r" *: +(\S+)", text).group(1))
            for pattern in (r"Final Intermolecular Energy", r"Final Total Internal Energy",
                            r"Free Energy of Binding")]


def first_model(path):
    """The lines of the first pose of vina's file."""
    lines = path.read_text().split("MODEL", 2)[1].splitlines()[1:]
    return [line for line in lines if not line.startswith("ENDMDL")]


def poses_of(options, made, site):
    """The first pose of each program: its PDBQT lines; None: there is none."""
    folder = options.data / site["pdb"]
    poses = {}
    for label, path in options.vina:
        path = path / f"{site['pdb']}.pdbqt"
        poses[label] = first_model(path) if path.exists() else None
    before, after = dock(options, made / site["pdb"], site)
    poses["berth"] = moved((folder / "start.pdbqt").read_text().splitlines(), before, after)
    return poses


def row_of(options, made, site):
    """What the table has of a complex: [inter, intra, affinity, RMSD] of each program."""
    folder, row = options.data / site["pdb"], {}
    start, crystal = vina.skeleton(folder / "start.pdbqt"), vina.skeleton(folder / "crystal.pdbqt")
    for label, lines in poses_of(options, made, site).items():
        if lines is None:
            row[label] = None
            continue
        path = options.out / f"{site['pdb']}.{label}.pdbqt"
        path.write_text("\n".join(lines) + "\n")
        placed = vina.placed(start, vina.heavy_positions(lines))
        row[label] = score(folder / "receptor.pdbqt", path) + [rdMolAlign.CalcRMS(placed, crystal)]
    return row


def lower(row):
    """Who has the lowest inter + intra."""
    sums = {label: numbers[0] + numbers[1] for label, numbers in row.items() if numbers}
    best = min(value for label, value in sums.items() if label != "berth") if len(sums) > 1 else None
    if best is None:
        return ""
    return "berth" if sums["berth"] < best - SAME else "vina" if sums["berth"] > best + SAME else "="


def read_options():
    parser = argparse.ArgumentParser()
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--vina", action="append", default=[], metavar="LABEL=FOLDER")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data/redock"))
    parser.add_argument("--berth", type=pathlib.Path, default=here / "../../build/berth")
    parser.add_argument("--smiles", type=pathlib.Path, default=here / "ligands.tsv")
    parser.add_argument("--only")
    own = sys.argv[1:]
    at = own.index("--") if "--" in own else len(own)
    options = parser.parse_args(own[:at])
    options.extra = own[at + 1 :]
    options.vina = [(label, pathlib.Path(path)) for label, path in (word.split("=", 1) for word in options.vina)]
    return options


def main():
    options = read_options()
    with open(options.data / "sites.tsv", encoding="utf-8") as table:
        sites = [site for site in csv.DictReader(table, delimiter="\t")
                 if not options.only or site["pdb"] in options.only.split(",")]
    made = prepare(options, sites)
    labels = [label for label, _ in options.vina] + ["berth"]
    print("| complex |" + "".join(f" {label}: inter + intra | affinity | RMSD |" for label in labels) + " lower |")
    print("| --- |" + " ---: |" * (3 * len(labels)) + " --- |")
    counts = {label: {"berth": 0, "=": 0, "vina": 0, "": 0} for label in labels[:-1]}
    right = {label: [0, 0] for label in labels}
    for site in sites:
        row = row_of(options, made, site)
        cells = "".join(f" {n[0] + n[1]:.2f} | {n[2]:.2f} | {n[3]:.2f} |" if n else " | | |" for n in row.values())
        print(f"| {site['pdb']} |{cells} {lower(row)} |", flush=True)
        for label in counts:
            counts[label][lower({label: row[label], "berth": row["berth"]})] += 1
        for label, numbers in row.items():
            right[label][0] += bool(numbers and numbers[3] < 2)
            right[label][1] += numbers is not None
    for label, count in counts.items():
        print(f"\ninter + intra beside {label}: berth lower on {count['berth']}, the same on {count['=']}, "
              f"higher on {count['vina']}")
    print("within 2 Å: " + ", ".join(f"{label} {count} of {all_of}" for label, (count, all_of) in right.items()))


if __name__ == "__main__":
    main()
