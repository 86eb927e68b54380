"""A campaign: which molecules of a large library are docked next, and how many of the best have been found.

All state is in the campaign's folder, and every step is done once its last file is there, so that a killed campaign goes on
to the same bytes.  Random choices order molecules by a hash of seed and number, which no version of NumPy changes.

    campaign.json       what it was begun with
    fingerprints.bin    RECORD bytes for each molecule: 2048 bits of Morgan's fingerprint, TRAITS, whether it can be read; of one
                        that cannot, the number of the reason comes first
    round-N/held.txt    held-out molecules that the round chose, which were docked before
    round-N/molecules.smi   what the round docks, "SMILES NUMBER NAME"; written last
    round-N/scores.csv  what the screen of these has made: the round is docked
"""
import csv
import gzip
import hashlib
import itertools
import json
import os
import re
import shutil
import sys

from outcome import Failed

BITS, TRAITS = 2048, 7
RECORD = BITS // 8 + TRAITS + 1
CHUNK = 2000    # molecules that a process takes at a time
SLICE = 1 << 14  # molecules whose scores are predicted at a time
PENALTY = 30.0  # of ridge regression: of 3, 10, 30 and 100 the best on 250 to 2500 molecules docked into FABP4
CONFIDENCE = 0.95
FEW_HELD = 10    # fewer held-out molecules among the best give an interval, and no figure
ENDINGS = (".smi", ".smiles", ".ism", ".can", ".cxsmiles", ".cxsmi")
ATOMS_MAX = 1000   # heavy atoms: a ligand with more does not bend; time grows with their cube, 1.5 s for so many
TEXT_MAX = 20 * ATOMS_MAX  # bytes of SMILES: what is longer is not even counted
LINE_MAX = 65536 - 32      # bytes; 65536 is what a round's screen reads, with the molecule's number in front
SPACE = " \t\n\v\f\r"      # of names, which are bytes read as Latin-1: other blanks of Unicode are halves of letters in UTF-8

# Why molecules cannot be read.
NO_SMILES, TOO_LARGE, TOO_LONG, NUL, RETURN = range(5)
REASONS = ("RDKit cannot read its SMILES", f"it has more than {ATOMS_MAX} heavy atoms", f"its line has more than {LINE_MAX} bytes",
           "its line has a NUL byte", "its line has a carriage return inside")


# --- The library ---

def read_lines(path):
    """The lines of a file, without their ends; of one that is too long the beginning."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        mark = b"\xef\xbb\xbf"
        while text := file.readline(LINE_MAX + 1):
            rest = text
            while not rest.endswith(b"\n") and (rest := file.readline(LINE_MAX + 1)):
                pass
            yield text.removeprefix(mark).rstrip(b"\n").rstrip(b"\r").decode("latin-1")
            mark = b""


def split_line(text):
    """SMILES, with its CXSMILES extension if there is one, and name of a line, as berth reads them (format/records.c)."""
    smiles, _, rest = re.sub("[ \t]+", " ", text.lstrip(" \t"), count=1).partition(" ")
    extension = re.match(r"\|[^|]*\|(?=[ \t]|$)", rest)
    if extension:
        smiles += " " + extension.group()
        rest = rest[extension.end():].lstrip(" \t")
    return smiles, rest.split("\t")[0].rstrip(SPACE)


def trouble(text):
    """The number of the reason why a line is none that berth reads; None where it is one."""
    found = ((TOO_LONG, len(text) > LINE_MAX), (NUL, "\0" in text), (RETURN, "\r" in text))
    return next((number for number, is_so in found if is_so), None)


def is_header(text):
    """Whether a line names columns, as berth tells it (format/columns.c)."""
    from rdkit import Chem

    words = [re.sub("[^a-z0-9]", "", word) for word in re.split(r"[\s,;\"]+", text.lower())]
    usual = {"smiles", "canonicalsmiles", "isomericsmiles", "cansmiles", "isosmiles"} & set(words[1:]) or "smiles" in words[0]
    return bool(usual) and not text[0].isspace() and Chem.MolFromSmiles(re.split(r"[\s,;]", text)[0]) is None


def read_molecules(paths):
    """Yields SMILES and name of each molecule, in the order of the files; the number of a reason instead of SMILES where its
    line cannot be read."""
    for path in paths:
        if not path.removesuffix(".gz").endswith(ENDINGS):
            raise Failed(f"{path}: a campaign chooses from SMILES, files {', '.join(ENDINGS)}, or these with .gz")
        shown = os.fsencode(os.path.basename(path)).decode("latin-1")
        first = True
        for line, text in enumerate(read_lines(path), 1):
            number = trouble(text)
            if number is not None:
                yield number, f"{shown}:{line}"
            elif text.strip(" \t") and not text.startswith("#"):
                if first and is_header(text):
                    raise Failed(f"{path}:{line}: names of columns, which a campaign does not read: leave SMILES and names alone")
                first = False
                smiles, name = split_line(text)
                yield smiles, name or f"{shown}:{line}"


def is_too_large(smiles):
    """Counts atoms where there may be too many, which takes no time before rings and charges are looked at."""
    from rdkit import Chem

    bare = smiles.partition(" ")[0]
    molecule = Chem.MolFromSmiles(bare, sanitize=False) if ATOMS_MAX < len(bare) <= TEXT_MAX else None
    return len(bare) > TEXT_MAX or molecule is not None and molecule.GetNumHeavyAtoms() > ATOMS_MAX


def describe(smiles, generator):
    """The record of a molecule; of one that cannot be read (SMILES, or the number of the reason), zeros behind the reason."""
    import numpy as np
    from rdkit import Chem, DataStructs
    from rdkit.Chem import Crippen, rdMolDescriptors as counts

    reason = smiles if isinstance(smiles, int) else TOO_LARGE if is_too_large(smiles) else NO_SMILES
    molecule = None if reason else Chem.MolFromSmiles(smiles)
    if molecule is None or not molecule.GetNumHeavyAtoms():
        return bytes([reason]) + bytes(RECORD - 1)
    traits = (molecule.GetNumHeavyAtoms(), counts.CalcNumRotatableBonds(molecule), counts.CalcNumRings(molecule),
              counts.CalcNumAromaticRings(molecule), counts.CalcNumHBD(molecule), counts.CalcNumHBA(molecule),
              100 + 8 * Crippen.MolLogP(molecule))
    bits = DataStructs.BitVectToBinaryText(generator.GetFingerprint(molecule))
    return bits + bytes(int(np.clip(round(trait), 0, 255)) for trait in traits) + b"\1"


def describe_many(smiles, jobs):
    """The records of many molecules, by several processes."""
    from rdkit.Chem import rdFingerprintGenerator

    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=BITS, includeChirality=False)
    parts = [smiles[at:at + CHUNK] for at in range(0, len(smiles), CHUNK)]
    children = []
    for number, part in enumerate(parts):
        ours, theirs = os.pipe()
        child = os.fork() if jobs > 1 and number + 1 < len(parts) else None
        if child == 0:
            with os.fdopen(theirs, "wb") as pipe:
                pipe.write(b"".join(describe(text, generator) for text in part))
            os._exit(0)
        os.close(theirs)
        children.append((child, os.fdopen(ours, "rb"), part))
    records = []
    for child, pipe, part in children:
        records.append(pipe.read() if child else b"".join(describe(text, generator) for text in part))
        pipe.close()
        if child:
            os.waitpid(child, 0)
        if len(records[-1]) != RECORD * len(part):
            raise OSError("a process that computes fingerprints was killed")
    return b"".join(records)


class Fingerprints:
    """Makes fingerprints.bin, some thousand molecules at a call; a file that was left unfinished is continued."""

    def __init__(self, path, library):
        self.path, self.part = path, path + ".part"
        self.done = os.path.getsize(self.part) // RECORD if os.path.exists(self.part) else 0
        self.molecules = itertools.islice(read_molecules(library), self.done, None)
        self.file = open(self.part, "r+b" if self.done else "wb")
        self.file.truncate(self.done * RECORD)
        self.file.seek(self.done * RECORD)

    def go_on(self, jobs):
        """Returns false once all are there."""
        smiles = [text for text, _ in itertools.islice(self.molecules, jobs * CHUNK)]
        self.file.write(describe_many(smiles, jobs))
        self.done += len(smiles)
        if smiles:
            return True
        sync(self.file)
        self.file.close()
        os.rename(self.part, self.path)
        return False


def sync(file):
    file.flush()
    os.fsync(file.fileno())


class Written:
    """A file that has its name once it is whole."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.file = open(self.path + ".part", "w", encoding="latin-1", newline="\n")
        return self.file

    def __exit__(self, kind, *_):
        if kind is None:
            sync(self.file)
        self.file.close()
        if kind is None:
            os.replace(self.file.name, self.path)


# --- Random choices ---

def mix(seed, stream, count):
    """A pseudo-random number of 64 bits for each molecule: two rounds of SplitMix64's mixing (S. Vigna's constants)."""
    import numpy as np

    with np.errstate(over="ignore"):
        x = np.arange(1, count + 1, dtype=np.uint64)
        for key in (seed, stream):
            x = (x + np.uint64((key + 1) * 0x9e3779b97f4a7c15 & 2 ** 64 - 1))
            x = (x ^ x >> np.uint64(30)) * np.uint64(0xbf58476d1ce4e5b9)
            x = (x ^ x >> np.uint64(27)) * np.uint64(0x94d049bb133111eb)
            x ^= x >> np.uint64(31)
    return x


def lowest(keys, among, count):
    """The `count` of these molecules with the lowest keys; ties by number."""
    import numpy as np

    return among[np.argsort(keys[among], kind="stable")[:count]]


# --- The model ---

def features(records):
    """What the model sees of molecules: bits and traits, a row each."""
    import numpy as np

    bits = np.unpackbits(records[:, :BITS // 8], axis=1).astype(np.float32)
    traits = records[:, BITS // 8:-1].astype(np.float32)
    return bits, traits


def fit_ridge(records, values, seed):
    """Ridge regression on bits, traits (scaled) and their squares."""
    import numpy as np

    def see(records):
        bits, traits = features(records)
        scaled = (traits - mean) / spread
        return np.hstack([bits, scaled, scaled ** 2])

    traits = features(records)[1]
    mean, spread = traits.mean(0), np.maximum(traits.std(0), 1e-6)
    rows = see(records).astype(np.float64)
    middle, level = rows.mean(0), values.mean()
    rows -= middle
    gram = rows.T @ rows
    gram[np.diag_indices_from(gram)] += PENALTY
    weights = np.linalg.solve(gram, rows.T @ (values - level))
    return lambda records: see(records) @ weights.astype(np.float32) + np.float32(level - middle @ weights)


def fit_lightgbm(records, values, seed):
    """Trees on bits and traits, each of a fifth of the columns and four fifths of the molecules."""
    import lightgbm
    import numpy as np

    settings = {"objective": "regression", "learning_rate": 0.05, "num_leaves": 31, "min_data_in_leaf": 5, "bagging_freq": 1,
                "bagging_fraction": 0.8, "feature_fraction": 0.2, "seed": seed % 2 ** 31, "deterministic": True,
                "force_row_wise": True, "num_threads": 1, "verbose": -1}
    trees = lightgbm.train(settings, lightgbm.Dataset(np.hstack(features(records)), values), 300)
    return lambda records: trees.predict(np.hstack(features(records)), num_threads=1).astype(np.float32)


MODELS = {"ridge": fit_ridge, "lightgbm": fit_lightgbm}


def check_model(name):
    if name not in MODELS:
        raise Failed(f"model: '{name}' is none of {', '.join(MODELS)}")
    try:
        __import__("lightgbm" if name == "lightgbm" else "numpy")
    except ImportError as why:
        raise Failed(f"model: {name} needs a module that {sys.executable} lacks ({why}): install it there, or name another "
                     "Python by BERTH_PYTHON") from None


# --- What was docked ---

NAME = re.compile(r"(\d+) .*", re.S)


def shown(name):
    """A name of a file, for people."""
    return name.encode("latin-1").decode("utf-8", "surrogateescape")


def read_scores(path):
    """The number of each molecule of a round's scores.csv, which was docked as "NUMBER NAME", and what ranks it."""
    with open(path, encoding="latin-1", newline="") as file:
        for row in csv.DictReader(file):
            match = NAME.fullmatch(row["ligand"])
            if not match:
                raise Failed(f"{path}: '{shown(row['ligand'])}' has no number of the campaign in front: the file is another screen's")
            text = row.get("ranking") or row.get("score")
            value = float(text) if text else float("nan")
            yield int(match[1]), value if value == value else float("inf")


FREE_OF_ROUNDS = ("prepare_hash", "input_hash", "library", "ligands", "shard", "variant")


def read_identity(folder):
    """What decides the scores of a round's screen, but for its molecules and devices: options, receptor, berth itself."""
    with open(os.path.join(folder, "run.json"), encoding="latin-1") as file:
        found = json.load(file).get("identity", {})
    # Behind the names of files, which may have anything in them.
    found["prepare"] = re.sub(r"^.* \(\d+ inputs, [0-9a-f]+\) ?", "", found.get("prepare", ""), flags=re.DOTALL)
    return {name: value for name, value in found.items() if name not in FREE_OF_ROUNDS}


def read_amount(name, text):
    """A number, or the percents of a share, "5 %", and which it is."""
    match = re.fullmatch(r"([0-9]+|[0-9]*\.?[0-9]+(?= ?%))( ?%)?", text)
    if not match or not 0 < float(match[1]) <= (100 if match[2] else 1e12):
        raise Failed(f"{name}: '{text}' is neither a number of molecules nor a share, such as '5 %'")
    return float(match[1]), bool(match[2])


class Campaign:
    def __init__(self, folder, settings):
        import numpy as np

        self.folder, self.settings = folder, settings
        self.records = np.memmap(os.path.join(folder, "fingerprints.bin"), np.uint8, "r").reshape(-1, RECORD)
        self.readable = np.flatnonzero(self.records[:, -1])
        self.seed, self.rounds = int(settings["seed"]), int(settings["rounds"])
        budget, self.seek = (self.amount(name, len(self.readable)) for name in ("budget", "seek"))
        size = self.amount("sample", budget)
        self.plan = [size] + [(budget - size) * (n + 1) // self.rounds - (budget - size) * n // self.rounds
                              for n in range(self.rounds)]
        if size < 20:
            raise Failed(f"the library has {len(self.readable)} molecules that can be read: its random sample of {size} is too "
                         "small, 20 at least: give a larger budget or sample, or dock all of it")
        keys = mix(self.seed, 0, len(self.records))
        self.sample = lowest(keys, self.readable, size)
        self.held = self.sample[size - size // 2:]
        self.values = np.full(len(self.records), np.nan, np.float64)  # NaN: not docked; inf: failed
        self.seen = np.zeros(len(self.records), bool)  # what the model may know of
        self.history = []  # of each round: molecules, those at random, found, of so many held out

    def amount(self, name, whole):
        """How many that is of the whole, rounded up."""
        number, share = read_amount(name, self.settings[name])
        count = -int(-number * whole // 100) if share else int(number)
        if not 1 <= count <= whole:
            raise Failed(f"{name}: {self.settings[name]} of {whole} molecules cannot be")
        return count

    def file(self, number, name):
        return os.path.join(self.folder, f"round-{number}", name)

    def take(self, number):
        """Takes in what a round has docked."""
        import numpy as np

        with open(self.file(number, "molecules.smi"), encoding="latin-1", newline="\n") as file:
            chosen = np.array([int(line.split(" ", 2)[1]) for line in file], np.int64)
        self.values[chosen] = np.inf
        if len(chosen):
            self.check_round(number)
            path, known = self.file(number, "scores.csv"), set(chosen.tolist())
            for molecule, value in read_scores(path):
                if molecule not in known:
                    raise Failed(f"{path}: molecule {molecule} is none that the round has chosen")
                self.values[molecule] = min(self.values[molecule], value)
        if number == 1:
            chosen = self.sample[:len(self.sample) - len(self.held)]
        else:
            with open(self.file(number, "held.txt"), encoding="latin-1") as file:
                chosen = np.append(chosen, [int(line) for line in file]).astype(np.int64)
        self.seen[chosen] = True
        self.history.append((number, int(np.sum(~np.isnan(self.values))), int(np.sum(np.isinf(self.values))), *self.recall()))

    def check_round(self, number):
        """Scores of other screens than the first round's do not compare."""
        first, other = (read_identity(self.file(k, "")) for k in (1, number))
        for name in sorted({*first, *other}):
            if first.get(name) != other.get(name):
                raise Failed(f"{self.file(number, '')[:-1]} was screened with {name} {other.get(name)}, round 1 with "
                             f"{first.get(name)}: remove the folder, and give the options of round 1")

    def recall(self):
        """Of the held-out molecules that are among the best: how many were found, of how many; then the recall of the whole
        library's best that follows, and its interval (Clopper and Pearson, Biometrika 26 (1934) 404).  Which are the best is
        what the random sample says; what is in the sample itself is found, whatever the model does."""
        import numpy as np

        values = self.values[self.sample]
        count = -(-self.seek * len(self.sample) // len(self.readable))
        limit = np.sort(values)[count - 1]
        best = self.held[(self.values[self.held] <= limit) & np.isfinite(self.values[self.held])]
        found, held = int(self.seen[best].sum()), len(best)
        certain = len(self.sample) / len(self.readable)
        low, high = interval(found, held)
        share = found / held if held else 0
        return (found, held, *(certain + (1 - certain) * part for part in (share, low, high)))

    def choose(self, number):
        """Writes what a round docks; returns how many the model chose, and how many were drawn."""
        import numpy as np

        os.makedirs(os.path.join(self.folder, f"round-{number}"), exist_ok=True)
        if number == 1:
            best, drawn, held = self.sample[:0], self.sample, self.sample[:0]
        else:
            unknown = self.readable[~self.seen[self.readable]]
            drawn_count = int(self.plan[number - 1] * float(self.settings["explore"]) / 100)
            best = lowest(self.predict(), unknown, self.plan[number - 1] - drawn_count)
            left = np.setdiff1d(unknown, best, assume_unique=True)
            drawn = lowest(mix(self.seed, number, len(self.records)), left, drawn_count)
            held = np.intersect1d(self.held, np.append(best, drawn))
        with Written(self.file(number, "held.txt")) as file:
            file.writelines(f"{molecule}\n" for molecule in held)
        wanted = np.zeros(len(self.records), bool)
        wanted[best] = wanted[drawn] = True
        wanted[held] = False
        with Written(self.file(number, "molecules.smi")) as file:
            for molecule, (smiles, name) in enumerate(read_molecules(self.settings["library"].split(","))):
                if wanted[molecule]:
                    file.write(f"{smiles} {molecule} {name}\n")
        return len(best), len(drawn)

    def predict(self):
        """What the model predicts for all molecules.  Those that failed count as bad ones, so that it shuns their like."""
        import numpy as np

        known = np.flatnonzero(self.seen)
        values = self.values[known]
        docked = values[np.isfinite(values)]
        if not len(docked):
            raise Failed("nothing of the random sample could be docked: see failures.csv in round-1")
        values[np.isinf(values)] = np.sort(docked)[int(0.95 * (len(docked) - 1))]
        model = MODELS[self.settings["model"]](self.records[known], values, self.seed)
        made = [model(self.records[at:at + SLICE]) for at in range(0, len(self.records), SLICE)]
        return np.concatenate(made)


def interval(found, count):
    """Where a share lies of which `found` of `count` were found, by CONFIDENCE."""
    import math

    def tail(share, least, most):
        """The probability of least to most of count."""
        logs = (math.log(share), math.log1p(-share))
        return sum(math.exp(math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) + k * logs[0] +
                            (count - k) * logs[1]) for k in range(least, most + 1))

    def bound(least, most, rises):
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            if (tail(middle, least, most) < (1 - CONFIDENCE) / 2) == rises:
                low = middle
            else:
                high = middle
        return low
    return (bound(found, count, True) if found else 0.0), (bound(0, found, False) if found < count else 1.0)


# --- The whole ---

COLUMNS = ("round", "docked", "failed", "held_out_found", "held_out_best", "recall", "recall_low", "recall_high")


def write_unreadable(campaign):
    """Writes what cannot be read, as a round has its failures."""
    with Written(os.path.join(campaign.folder, "unreadable.csv")) as file:
        print("ordinal,ligand,reason", file=file)
        if len(campaign.readable) < len(campaign.records):
            for number, (_, name) in enumerate(read_molecules(campaign.settings["library"].split(","))):
                if not campaign.records[number, -1]:
                    reason = REASONS[campaign.records[number, 0]]
                    name = name.replace('"', '""')
                    print(f',"{number} {name}",{reason}; it was not chosen from', file=file)


def end(campaign):
    """Writes what is known of the rounds, from whose results berth makes the campaign's.  Returns the rounds that docked
    anything, and what run.json says of the campaign."""
    with Written(os.path.join(campaign.folder, "campaign.csv")) as file:
        print(",".join(COLUMNS), file=file)
        for row in campaign.history:
            print(",".join(f"{value:.4f}" if isinstance(value, float) else str(value) for value in row), file=file)
    write_unreadable(campaign)
    found = {"settings": kept_settings(campaign.settings), "molecules": len(campaign.records),
             "readable": len(campaign.readable), "sought": campaign.seek, **dict(zip(COLUMNS, campaign.history[-1]))}
    said = json.dumps({"campaign": found}, indent=2, ensure_ascii=False).removeprefix("{\n").removesuffix("\n}") + ",\n"
    return ([number for number, *_ in campaign.history if os.path.getsize(campaign.file(number, "molecules.smi"))],
            re.sub("[\udc80-\udcff]", lambda byte: f"\\u{ord(byte[0]) - 0xdc00:04x}", said))


# --- Steps ---

FREE = ("jobs", "top", "resume", "overwrite")  # settings that another run may have other ones of
RESULTS = ("scores.csv", "hits.sdf", "failures.csv", "run.json", "campaign.csv", "unreadable.csv", "fingerprints.bin.part",
           "fingerprints.bin", "campaign.json")
making = {}  # fingerprints of this process, by their path


def kept_settings(settings):
    return {name: value for name, value in sorted(settings.items()) if name not in FREE}


def digest(path):
    """The SHA-256 of a file."""
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def clear(folder):
    """Removes a campaign, if there is one; what says that there is goes last."""
    if os.path.exists(os.path.join(folder, "campaign.json")):
        for name in sorted(os.listdir(folder), reverse=True):
            if re.fullmatch(r"round-\d+", name):
                shutil.rmtree(os.path.join(folder, name))
        for name in RESULTS:
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))


def begin(folder, settings):
    """Notes what the campaign is, or sees that it is the one that was begun."""
    path, paths = os.path.join(folder, "campaign.json"), settings["library"].split(",")
    for name in ("budget", "seek", "sample"):
        read_amount(name, settings[name])
    check_model(settings["model"])
    for name in paths:
        if not os.path.isfile(name):
            raise Failed(f"{name}: there is no such file")
    if settings["overwrite"] == "1":
        clear(folder)
    wanted = dict(kept_settings(settings), content=",".join(map(digest, paths)))
    if not os.path.exists(path):
        next(read_molecules(paths), None)
        with Written(path) as file:
            json.dump(wanted, file, indent=2)
        return
    if settings["resume"] != "1":
        raise Failed(f"{folder} has a campaign: --resume goes on with it, --overwrite removes it")
    with open(path, encoding="latin-1") as file:
        found = json.load(file)
    for name in wanted:
        if found.get(name) != wanted[name] and name == "content":
            raise Failed(f"{folder} has a campaign on other molecules: the content of {settings['library']} is not what it was; "
                         "give that, or another folder")
        if found.get(name) != wanted[name]:
            raise Failed(f"{folder} has a campaign with {name} {found.get(name)}, not {wanted[name]}: give that, or another folder")


def say(campaign):
    """What is known of the recall, in words."""
    number, docked, failed, found, held, share, low, high = campaign.history[-1]
    text = f"round {number}: {docked} of {len(campaign.readable)} docked, {failed} failed; "
    if not held:
        return text + "none of the held-out molecules is among the best sought, so recall is unknown"
    if held < FEW_HELD:
        return text + (f"{100 * low:.1f} to {100 * high:.1f} % (95 %) of the best {campaign.seek} found, by {found} of {held} held "
                       "out, too few for one figure (a larger --sample has more)")
    return text + (f"{100 * share:.1f} % (95 %: {100 * low:.1f} to {100 * high:.1f}) of the best {campaign.seek} found, by "
                   f"{found} of {held} held out")


def step(settings, folder, library):
    """One step of a campaign.  Answers what comes next, "dock", "done" or "busy" (another step); of "dock" the folder whose
    molecules.smi is to be screened; of "done" the rounds that are to be joined, "failed" where molecules have, and the
    members that run.json begins with; and lines for people."""
    folder, settings["library"] = (os.fsdecode(text) for text in (folder, library))
    path = os.path.join(folder, "fingerprints.bin")
    if path not in making:
        begin(folder, settings)
        making[path] = None if os.path.exists(path) else Fingerprints(path, settings["library"].split(","))
    if not os.path.exists(path):
        making[path].go_on(int(settings["jobs"]))
        return ["busy", "", f"fingerprints of {making[path].done} molecules"]
    campaign, said = Campaign(folder, settings), []
    for number in range(1, campaign.rounds + 2):
        at = campaign.file(number, "")[:-1]
        if not os.path.exists(campaign.file(number, "molecules.smi")):
            best, drawn = campaign.choose(number)
            said.append(f"round {number} of {campaign.rounds + 1}: {best} that the model chose, {drawn} at random")
        if os.path.getsize(campaign.file(number, "molecules.smi")) and not os.path.exists(campaign.file(number, "scores.csv")):
            return ["dock", os.fsencode(at), *said]
        campaign.take(number)
        said = [say(campaign)]
        if campaign.history[-1][-2] >= float(settings["recall"]) / 100:
            break
    rounds, found = end(campaign)
    failed = any(campaign.history[-1][2:3]) or len(campaign.readable) < len(campaign.records)
    return ["done", " ".join(map(str, rounds)), "failed" if failed else "", found, *said]
