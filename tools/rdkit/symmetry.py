"""What a structure's file says of its symmetry: assemblies, and the images in its crystal, read by gemmi.

The answer is one binary record (src/prep/symmetry.h has it); matrices are Cartesian, three rows of four, Å.
"""
import itertools
import math
import operator
import struct

from outcome import Failed

ROOM = 5  # Å^3 of a crystal for each heavy atom, at least: without water they take 10 or more
STEPS = 20000  # images by axes of the cell that are looked at
PARTS = 100000  # chains of all assemblies: the largest entries have some thousands


def version():
    """gemmi's; empty where there is none."""
    try:
        import gemmi
    except ImportError:
        return ""
    return gemmi.__version__


def texted(text):
    return text.encode() + b"\0"


def rows_of(apply):
    """The matrix of an affine map of points: what it does to the origin, and to a step along each axis."""
    import gemmi

    origin = apply(gemmi.Position(0, 0, 0))
    steps = [apply(gemmi.Position(*(float(i == k) for i in range(3)))) - origin for k in range(3)]
    return [value for row in zip(*(point.tolist() for point in (*steps, origin))) for value in row]


def read(text, cif):
    """The structure of the first block that has atoms; without them, what the lines in front of a PDB file's say."""
    import gemmi

    if not cif:
        return gemmi.read_pdb_string(text)
    for block in gemmi.cif.read_string(text):
        if block.find_values("_atom_site.Cartn_x"):
            return gemmi.make_structure_from_block(block)
    raise Failed("no atoms")


def chains_by_subchain(structure):
    """mmCIF says of label_asym_id where they go, and berth calls chains as authors do: an author's chain goes where its
    largest part does, waters aside, as the PDB's own REMARK 350 has it."""
    sizes = {}
    for chain in structure[0] if len(structure) else ():
        for residue in chain:
            parts = sizes.setdefault(chain.name, {})
            parts[residue.subchain] = parts.get(residue.subchain, 0) + (0 if residue.is_water() else len(residue))
    chains = {}
    for chain, parts in sizes.items():
        chains.setdefault(max(parts, key=parts.get), []).append(chain)
    return chains


def put_assemblies(structure):
    chains = chains_by_subchain(structure)
    record = struct.pack("<H", len(structure.assemblies))
    count = 0
    for assembly in structure.assemblies:
        parts = []
        for generator in assembly.generators:
            names = generator.chains or [name for part in generator.subchains for name in chains.get(part, ())]
            count += len(names) * len(generator.operators)
            if count > PARTS:
                raise Failed(f"its assemblies have more than {PARTS} chains")
            placed = [struct.pack("<12d", *rows_of(made.transform.apply)) for made in generator.operators]
            parts += [texted(name) + rows for rows in placed for name in names]
        record += texted(assembly.name) + struct.pack("<I", len(parts))
        record += b"".join(parts)
    return record


def images_near(structure, around, near):
    """The images of a sphere about the structure that come into another, without the structure where it stands; both
    are middle and radius, Å."""
    import gemmi

    cell = structure.cell
    fraction = rows_of(cell.fractionalize)
    target, reach = gemmi.Position(*near[:3]), around[3] + near[3]
    spans = [reach * math.hypot(*fraction[row:row + 3]) for row in (0, 4, 8)]
    steps = 0
    for image in (None, *cell.images):
        rows = rows_of(lambda point: cell.orthogonalize(image.apply(cell.fractionalize(point))) if image else point)
        middle = gemmi.Position(*(sum(map(operator.mul, rows[row:row + 4], (*around[:3], 1))) for row in (0, 4, 8)))
        apart = cell.fractionalize(target - middle).tolist()
        ranges = [range(math.ceil(at - span), math.floor(at + span) + 1) for at, span in zip(apart, spans)]
        steps += math.prod(map(len, ranges))
        if steps > STEPS:
            raise Failed("the crystal's cell is too small for how far its atoms stand apart")
        for shift in itertools.product(*ranges):
            moved = cell.orthogonalize(gemmi.Fractional(*shift))
            if (image or any(shift)) and (middle + moved - target).length() <= reach:
                yield [value + (moved[k // 4] if k % 4 == 3 else 0) for k, value in enumerate(rows)]


def put_images(structure, options):
    """None where it is in no crystal, or the file does not say which, or nothing is asked for."""
    cell = structure.cell
    if "near" not in options or not cell.is_crystal() or structure.find_spacegroup() is None:
        return struct.pack("<BI", 0, 0)
    if cell.volume < ROOM * int(options["heavy"]) * (1 + len(cell.images)):
        return struct.pack("<BI", 1, 0)
    spheres = [[float(value) for value in options[name].split()] for name in ("around", "near")]
    images = list(images_near(structure, *spheres))
    return struct.pack("<BI", 0, len(images)) + b"".join(struct.pack("<12d", *rows) for rows in images)


def run(options, text):
    """The record of a file's text: of PDB, what stands in front of its atoms is enough."""
    if not version():
        raise Failed("the Python that has RDKit lacks gemmi, which reads symmetry: apt-get install python3-gemmi, or pip install gemmi")
    try:
        structure = read(text.decode("latin-1"), "cif" in options)
        return [put_assemblies(structure) + put_images(structure, options)]
    except (ValueError, RuntimeError, struct.error) as why:
        raise Failed(f"gemmi: {' '.join(str(why).split())[:200]}")
