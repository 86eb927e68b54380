"""Makes a model (docs/learned.md) of gnina's published weights: reads the file of torch's on standard input, needs
nothing but the standard library.  Argument: the name of the ONNX file beside the model.  Writes the size of that file
(32 bits, little-endian), its bytes, and the model's text."""
import io
import pickle
import struct
import sys
import zipfile

LAYERS = (("unit1_conv", 3), ("unit2_conv", 1), ("unit3_conv", 3), ("unit4_conv", 1), ("unit5_conv", 3))
POOLED = ("unit1_conv", "unit3_conv", "unit5_conv")  # an average over 2 x 2 x 2 stands before these
POINTS, AVERAGE, CHANNELS = 48, 2, 28

# Kinds of atoms and their radii (Å) in each channel, those of the receptor first.
CARBONS = ["C_H:aliphatic 1.9", "C_P:aliphatic 1.9", "C_H:aromatic 1.9", "C_P:aromatic 1.9"]
POLAR = ["N_P 1.8 N_A 1.8", "N_D 1.8 N_DA 1.8", "O_P 1.7 O_A 1.7", "O_DA 1.7 O_D 1.7", "S_P 2.0", "P_P 2.1"]
RECEPTOR = CARBONS + ["Br_H 2.0 I_H 2.2 Cl_H 1.8 F_H 1.5"] + POLAR + ["Ca 1.2", "Zn 1.2", "Met_D 1.2 B 1.92"]
LIGAND = CARBONS + ["Br_H 2.0 I_H 2.2", "Cl_H 1.8", "F_H 1.5"] + POLAR + ["Met_D 1.2 B 1.92"]


class Refused(Exception):
    """What is wrong with the file."""


# --- torch's files ---


class Module:
    """Whatever else stands in a file: its attributes are looked through."""

    def __init__(self, *arguments):
        pass

    def __setstate__(self, state):
        self.state = state


# Bytes of a number in each kind of storage.
SIZES = {"FloatStorage": 4, "DoubleStorage": 8, "HalfStorage": 2, "IntStorage": 4, "LongStorage": 8}


class Tensor:
    def __init__(self, storage, offset, shape, strides, *rest):
        self.storage, self.kind = storage
        self.offset, self.shape, self.strides = offset, tuple(shape), tuple(strides)


class Dictionary(dict):
    """One that may have attributes, too."""


class Reader(pickle.Unpickler):
    """Makes nothing but tensors, dictionaries and modules without code."""

    def find_class(self, module, name):
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return Tensor
        if (module, name) == ("torch._utils", "_rebuild_parameter"):
            return lambda tensor, *rest: tensor
        if (module, name) == ("collections", "OrderedDict"):
            return Dictionary
        if module == "torch" and name.endswith("Storage"):
            return name
        if module.startswith("__torch__"):
            return type("Module", (Module,), {})
        raise Refused(f"it holds {module}.{name}, which networks that berth imports do not")

    def persistent_load(self, what):
        if not isinstance(what, tuple) or len(what) < 5 or what[1] not in SIZES:
            raise Refused("it holds numbers of a kind that networks that berth imports do not have")
        return str(what[2]), what[1]


def collect(value, name, found):
    """The tensors in a tree of dictionaries and modules, by the last two parts of their names."""
    if isinstance(value, Tensor):
        found[".".join(name[-2:])] = value
    elif isinstance(value, dict):
        for key, item in value.items():
            collect(item, name + str(key).split("."), found)
    elif isinstance(value, Module):
        collect(getattr(value, "state", {}), name, found)
    return found


def read_zip(data):
    archive = zipfile.ZipFile(io.BytesIO(data))
    pickled = [name for name in archive.namelist() if name.endswith("/data.pkl")]
    if len(pickled) != 1:
        raise Refused("it is a zip file, but none of torch's")
    folder = pickled[0][:-len("data.pkl")]
    tensors = collect(Reader(io.BytesIO(archive.read(pickled[0]))).load(), [], {})
    return tensors, {tensor.storage: archive.read(f"{folder}data/{tensor.storage}") for tensor in tensors.values()}


def read_old(data):
    """The format before torch 1.6: pickles one behind the other, then the storages."""
    stream = io.BytesIO(data)
    for _ in range(3):
        Reader(stream).load()
    tensors = collect(Reader(stream).load(), [], {})
    sizes = {tensor.storage: SIZES[tensor.kind] for tensor in tensors.values()}
    storages = {}
    for key in Reader(stream).load():
        count, = struct.unpack("<q", stream.read(8))
        if not 0 <= count <= len(data):
            raise Refused("it is damaged")
        storages[str(key)] = stream.read(sizes[str(key)] * count)
    return tensors, storages


def read_weights(data):
    """Bytes of each tensor, little-endian floats, and its shape."""
    tensors, storages = (read_zip if data.startswith(b"PK") else read_old)(data)
    weights = {}
    for name, tensor in tensors.items():
        if tensor.kind != "FloatStorage":
            continue
        count, strides = 1, []
        for size in reversed(tensor.shape):
            strides.insert(0, count)
            count *= size
        values = storages[tensor.storage][4 * tensor.offset:4 * (tensor.offset + count)]
        if tuple(strides) != tensor.strides or len(values) != 4 * count:
            raise Refused(f"its tensor {name} is cut off or not contiguous")
        weights[name] = (tensor.shape, values)
    return weights


def check(weights):
    """The default network of 2018, whatever the widths of its layers."""
    channels, points = CHANNELS, POINTS // AVERAGE
    for layer, size in LAYERS:
        shape = weights.get(f"{layer}.weight", ((), b""))[0]
        if shape[1:] != (channels, size, size, size) or weights.get(f"{layer}.bias", ((), b""))[0] != shape[:1]:
            raise Refused(f"it is none of gnina's networks that berth imports, default2018: there is no {layer}, or "
                          "one of another shape")
        channels = shape[0]
        points //= 2 if layer in POOLED[1:] else 1
    for layer, outputs in (("pose_output", 2), ("affinity_output", 1)):
        wanted = {"weight": (outputs, channels * points**3), "bias": (outputs,)}
        if any(weights.get(f"{layer}.{part}", ((), b""))[0] != shape for part, shape in wanted.items()):
            raise Refused(f"it is none of gnina's networks that berth imports, default2018: its {layer} is another")


# --- ONNX: protocol buffers by hand.  Numbers of fields are those of onnx.proto. ---


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def message(*fields):
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def integers(name, values):
    return message((1, name), *((8, value) for value in values), (20, 7))


def integer(name, value):
    return message((1, name), (3, value), (20, 2))


def node(operation, inputs, output, *attributes):
    return message(*((1, name) for name in inputs), (2, output), (4, operation), *((5, item) for item in attributes))


FLOAT, INT64 = 1, 7


def value_info(name, kind, *sizes):
    """A tensor; sizes that have a name are open."""
    shape = b"".join(message((1, message((2, size) if isinstance(size, str) else (1, size)))) for size in sizes)
    return message((1, name), (2, message((1, message((1, kind), (2, shape))))))


def onnx(weights):
    # the grid and the first layer have only the channels that are not empty: half of them for most poses
    nodes, at = [node("Gather", ["unit1_conv.weight", "channels"], "unit1_conv.used", integer("axis", 1))], "grid"
    for layer, size in LAYERS:
        if layer in POOLED[1:]:
            nodes.append(node("AveragePool", [at], f"{layer}.pool", integers("kernel_shape", [2] * 3),
                              integers("strides", [2] * 3)))
            at = f"{layer}.pool"
        nodes.append(node("Conv", [at, f"{layer}.{'used' if at == 'grid' else 'weight'}", f"{layer}.bias"], f"{layer}.sum",
                          integers("kernel_shape", [size] * 3), integers("pads", [size // 2] * 6)))
        nodes.append(node("Relu", [f"{layer}.sum"], layer))
        at = layer
    nodes.append(node("Flatten", [at], "flat"))
    for layer, output in (("pose_output", "raw"), ("affinity_output", "affinity")):
        nodes.append(node("Gemm", ["flat", f"{layer}.weight", f"{layer}.bias"], output, integer("transB", 1)))
    nodes.append(node("Softmax", ["raw"], "pose", integer("axis", 1)))
    used = [f"{layer}.{part}" for layer, _ in LAYERS + (("pose_output", 0), ("affinity_output", 0))
            for part in ("weight", "bias")]
    tensors = [message(*((1, size) for size in weights[name][0]), (2, 1), (8, name), (9, weights[name][1]))
               for name in used]
    points = POINTS // AVERAGE
    graph = message(*((1, item) for item in nodes), (2, "gnina default2018"), *((5, item) for item in tensors),
                    (11, value_info("grid", FLOAT, "grids", "used", points, points, points)),
                    (11, value_info("channels", INT64, "used")),
                    (12, value_info("pose", FLOAT, "grids", 2)), (12, value_info("affinity", FLOAT, "grids", 1)))
    return message((1, 8), (2, "berth"), (7, graph), (8, message((2, 13))))


def text(network):
    lines = ["berth model 1", f"network  {network}", "input    grid", "channels channels    # which ones the grid has", "",
             "# a grid of densities about the ligand's heavy atoms; the network's first average is made there",
             f"points   {POINTS}", f"average  {AVERAGE}", "spacing  0.5    # Å", "density  gaussian_parabola", "",
             "output   cnn_score     pose      1    # that the pose is right, 0 to 1",
             "output   cnn_affinity  affinity  0    # pK", "",
             "# channels: kinds of atoms and their radii, Å"]
    lines += [f"receptor {kinds}" for kinds in RECEPTOR] + [f"ligand   {kinds}" for kinds in LIGAND]
    return "\n".join(lines) + "\n"


def main(network):
    try:
        weights = read_weights(sys.stdin.buffer.read())
        check(weights)
    except Refused as reason:
        sys.exit(f"{reason}")
    except (pickle.UnpicklingError, zipfile.BadZipFile, struct.error, KeyError, EOFError, IndexError, TypeError,
            ValueError, AttributeError, OverflowError, RecursionError, MemoryError) as reason:
        sys.exit(f"it is no file of torch's, or damaged ({type(reason).__name__})")
    made = onnx(weights)
    sys.stdout.buffer.write(struct.pack("<I", len(made)) + made + text(network).encode())


main(*sys.argv[1:])
