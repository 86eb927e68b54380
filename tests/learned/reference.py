"""What tests/cli/test_rescore.sh compares with: random networks of gnina's default2018 layout, in torch's formats, and
densities and values of them computed from their description.

reference.py weights OLD.pt NEW.pt        the same network in both formats; the standard library alone
reference.py compare RECEPTOR.mol2 POSES.mol2 SCORES.csv   by NumPy; the receptor is a protein with
                                                           PDB's names of atoms, the poses are amprenavir's
"""
import collections
import csv
import io
import pickle
import random
import struct
import sys
import types
import zipfile

WIDTHS = [(28, 6, 3), (6, 5, 1), (5, 8, 3), (8, 7, 1), (7, 9, 3)]
LAST = 9 * 6**3

# --- Weights ---


def network():
    rng = random.Random(11)

    def tensor(*shape):
        count = 1
        for size in shape:
            count *= size
        scale = (3 * shape[0] / count) ** 0.5 if len(shape) > 1 else 0.1
        return shape, struct.pack(f"<{count}f", *(rng.gauss(0, scale) for _ in range(count)))

    weights = {}
    for i, (inputs, outputs, size) in enumerate(WIDTHS, 1):
        weights[f"unit{i}_conv.weight"] = tensor(outputs, inputs, size, size, size)
        weights[f"unit{i}_conv.bias"] = tensor(outputs)
    for name, outputs in (("pose_output", 2), ("affinity_output", 1)):
        weights[f"{name}.weight"] = tensor(outputs, LAST)
        weights[f"{name}.bias"] = tensor(outputs)
    return weights


class Storage:
    def __init__(self, key, data):
        self.key, self.data = key, data


def stand_in(module, name, value):
    """Something of torch's by its name, for pickles to refer to."""
    made = sys.modules.setdefault(module, types.ModuleType(module))
    value.__module__, value.__qualname__ = module, name
    setattr(made, name, value)
    return value


def _rebuild_tensor_v2(*_):
    pass


class FloatStorage:
    pass


class Network:
    pass


REBUILD = stand_in("torch._utils", "_rebuild_tensor_v2", _rebuild_tensor_v2)
FLOATS = stand_in("torch", "FloatStorage", FloatStorage)
MODULE = stand_in("__torch__", "Network", Network)


class Tensor:
    def __init__(self, key, shape, data):
        self.storage, self.shape = Storage(key, data), shape

    def __reduce__(self):
        strides, count = [], 1
        for size in reversed(self.shape):
            strides.insert(0, count)
            count *= size
        return REBUILD, (self.storage, 0, self.shape, tuple(strides), False, collections.OrderedDict())


class Pickler(pickle.Pickler):
    def persistent_id(self, thing):
        if isinstance(thing, Storage):
            return "storage", FLOATS, thing.key, "cpu", len(thing.data) // 4
        return None


def pickled(thing):
    out = io.BytesIO()
    Pickler(out, 2).dump(thing)
    return out.getvalue()


def write_weights(old, new):
    tensors = {name: Tensor(str(i), *value) for i, (name, value) in enumerate(network().items())}
    with open(old, "wb") as file:
        for thing in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, collections.OrderedDict(tensors),
                      [tensor.storage.key for tensor in tensors.values()]):
            file.write(pickled(thing))
        for tensor in tensors.values():
            file.write(struct.pack("<q", len(tensor.storage.data) // 4) + tensor.storage.data)
    module = MODULE()
    for name, tensor in tensors.items():
        layer, part = name.split(".")
        if not hasattr(module, layer):
            setattr(module, layer, MODULE())
        setattr(getattr(module, layer), part, tensor)
    with zipfile.ZipFile(new, "w") as archive:
        archive.writestr("network/data.pkl", pickled(module))
        for tensor in tensors.values():
            archive.writestr(f"network/data/{tensor.storage.key}", tensor.storage.data)


# --- Kinds of atoms, by their names ---

ALIPHATIC, ALIPHATIC_POLAR, AROMATIC, AROMATIC_POLAR = 0, 1, 2, 3
ACCEPTOR_N, DONOR_N, ACCEPTOR_O, DONOR_O, SULFUR = 5, 6, 7, 8, 9
RADII = {"C": 1.9, "N": 1.8, "O": 1.7, "S": 2.0}
BESIDE_HETERO = {"SER CB", "THR CB", "CYS CB", "MET CG", "MET CE", "ASP CG", "ASN CG", "GLU CD", "GLN CD", "LYS CE",
                 "ARG CD", "ARG CZ", "PRO CD", "HIS CG", "HIS CD2", "HIS CE1", "TRP CD1", "TRP CE2", "TYR CZ"}
RINGS = {"PHE": "CG CD1 CD2 CE1 CE2 CZ", "TYR": "CG CD1 CD2 CE1 CE2 CZ", "HIS": "CG CD2 CE1",
         "TRP": "CG CD1 CD2 CE2 CE3 CZ2 CZ3 CH2"}


def protein_channel(name, kind, residue):
    element = name[0]
    if element == "C":
        polar = name in ("C", "CA") or f"{residue} {name}" in BESIDE_HETERO
        return (2 if name in RINGS.get(residue, "").split() else 0) + polar
    if element == "N":
        return ACCEPTOR_N if kind == "N.2" or (residue == "PRO" and kind == "N.am") else DONOR_N
    if element == "O":
        return DONOR_O if name in ("OG", "OG1", "OH") or kind == "O.3h" else ACCEPTOR_O
    return SULFUR


# Atoms of amprenavir by the ligand's channels, in which halogens have three.
AMPRENAVIR = {name: channel for channel, names in {
    0: "C2 C7 C16 C23 C24", 1: "C1 C3 C4 C5 C6 C14 C15 C25", 2: "C8 C9 C10 C11 C12 C13 C18 C19 C21 C22", 3: "C17 C20",
    7: "N2", 8: "N1 N3", 9: "O1 O2 O4 O5 O6", 10: "O3", 11: "S1"}.items() for name in names.split()}


def read_mol2(path):
    """Heavy atoms of each molecule: name, place, type, residue."""
    molecules, part = [], ""
    with open(path) as file:
        for line in file:
            if line.startswith("@"):
                part = line.strip()
                if part.endswith("MOLECULE"):
                    molecules.append([])
            elif part.endswith("ATOM") and line.strip():
                words = line.split()
                if words[5] != "H":
                    molecules[-1].append((words[1], [float(word) for word in words[2:5]], words[5], words[7][:3]))
    return molecules


# --- The network ---


def densities(np, receptor, ligand):
    """[28][48][48][48]"""
    grid = np.zeros((28, 48, 48, 48))
    center = np.mean([place for _, place, _, _ in ligand], axis=0)
    points = (np.arange(48) - 23.5) * 0.5
    atoms = [(protein_channel(name, kind, residue), name[0], place) for name, place, kind, residue in receptor]
    atoms += [(14 + AMPRENAVIR[name], name[0], place) for name, place, _, _ in ligand]
    for channel, element, place in atoms:
        radius = RADII[element]
        x, y, z = ((points - place[k] + center[k]) ** 2 for k in range(3))
        d = np.sqrt(x[:, None, None] + y[None, :, None] + z[None, None, :]) / radius
        grid[channel] += np.where(d <= 1, np.exp(-2 * d * d), np.where(d < 1.5, 4 * np.exp(-2) * (1.5 - d) ** 2, 0))
    return grid


def pool(np, x):
    half = x.shape[1] // 2
    return x.reshape(len(x), half, 2, half, 2, half, 2).mean(axis=(2, 4, 6))


def convolve(np, x, weight, bias):
    size, points = weight.shape[2], x.shape[1]
    padded = np.pad(x, [(0, 0)] + [(size // 2, size // 2)] * 3)
    out = np.zeros((len(weight), points, points, points)) + bias[:, None, None, None]
    for i in range(size):
        for j in range(size):
            for k in range(size):
                part = padded[:, i:i + points, j:j + points, k:k + points]
                out += np.tensordot(weight[:, :, i, j, k], part, axes=1)
    return np.maximum(out, 0)


def judge(np, x):
    weights = {name: np.frombuffer(data, "<f4").reshape(shape).astype(float)
               for name, (shape, data) in network().items()}
    for i in range(1, 6):
        x = pool(np, x) if i in (1, 3, 5) else x
        x = convolve(np, x, weights[f"unit{i}_conv.weight"], weights[f"unit{i}_conv.bias"])
    raw, affinity = (weights[f"{name}.weight"] @ x.ravel() + weights[f"{name}.bias"]
                     for name in ("pose_output", "affinity_output"))
    both = np.exp(raw - raw.max())
    return both[1] / both.sum(), affinity[0]


def compare(receptor, poses, scores):
    import numpy as np
    [protein] = read_mol2(receptor)
    ligands = read_mol2(poses)
    with open(scores, newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(ligands) > 1, len(rows)
    for row, ligand in zip(rows, ligands):
        for found, value in zip((row["cnn_score"], row["cnn_affinity"]), judge(np, densities(np, protein, ligand))):
            print(f"{found} {value:.5f}")
            assert abs(float(found) - value) < 1e-4 + 5e-5, "they differ"


if __name__ == "__main__":
    {"weights": write_weights, "compare": compare}[sys.argv[1]](*sys.argv[2:])
