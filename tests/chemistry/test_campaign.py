"""Checks of tools/rdkit/campaign.py by other ways to the same: python3 test_campaign.py; with a campaign's folder, of what
its tables say."""
import csv
import json
import math
import os
import sys
import tempfile

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "..", "tools", "rdkit"))
import campaign  # noqa: E402
from outcome import Failed  # noqa: E402


KEYS = ["0x778b1aa9c29bc868", "0x17657d56072d6c6c"]  # of seed 1, worked out by Python's integers


def tail(count, share, least, most):
    return sum(math.comb(count, k) * share ** k * (1 - share) ** (count - k) for k in range(least, most + 1))


def check_interval():
    """Clopper and Pearson's bounds are where either tail has 2.5 %."""
    for found, count in (0, 5), (5, 5), (8, 10), (1, 40), (73, 90), (400, 1000):
        low, high = campaign.interval(found, count)
        assert low <= found / count <= high
        assert low == 0 if found == 0 else abs(tail(count, low, found, count) - 0.025) < 1e-9, (found, count)
        assert high == 1 if found == count else abs(tail(count, high, 0, found) - 0.025) < 1e-9, (found, count)
    assert campaign.interval(0, 0) == (0, 1)


def check_identity():
    """Rounds are compared by their options, whatever the folder is called."""
    found = []
    for name in "my (2) camp/round-1", "plain":
        with tempfile.TemporaryDirectory() as folder:
            note = f"/d/{name}/molecules.smi (1 inputs, 0123456789abcdef) conformers=1"
            with open(os.path.join(folder, "run.json"), "w", encoding="latin-1") as file:
                json.dump({"identity": {"prepare": note}}, file)
            found.append(campaign.read_identity(folder))
    assert found[0] == found[1] == {"prepare": "conformers=1"}, found


def check_choice():
    """Numbers that look random, the same on all machines, others for each seed and stream."""
    keys = campaign.mix(1, 0, 100000)
    assert [hex(key) for key in keys[:2]] == KEYS, [hex(key) for key in keys[:2]]
    assert len(set(keys)) == 100000
    shares = [np.mean(keys >> np.uint64(bit) & np.uint64(1)) for bit in range(64)]
    assert max(abs(share - 0.5) for share in shares) < 0.01, shares
    for other in campaign.mix(2, 0, 100000), campaign.mix(1, 1, 100000):
        assert not set(keys) & set(other)
    assert list(campaign.lowest(np.array([5, 1, 3, 1, 0]), np.array([0, 1, 2, 3]), 3)) == [1, 3, 2]


def check_model():
    """Regression finds what is a sum over bits and traits, and predicts others of the kind."""
    draw = np.random.RandomState(1)
    records = np.zeros((600, campaign.RECORD), np.uint8)
    records[:, :4] = draw.randint(0, 256, (600, 4))
    records[:, campaign.BITS // 8:-1] = draw.randint(0, 40, (600, campaign.TRAITS))
    weights = draw.normal(size=32)
    values = np.unpackbits(records[:, :4], axis=1) @ weights + 0.1 * records[:, campaign.BITS // 8]
    assert np.corrcoef(campaign.fit_ridge(records[:500], values[:500], 1)(records[500:]), values[500:])[0, 1] > 0.99
    try:
        campaign.check_model("lightgbm")
    except Failed:
        return
    found = [campaign.fit_lightgbm(records[:500], values[:500], 1)(records[500:]) for _ in range(2)]
    assert np.corrcoef(found[0], values[500:])[0, 1] > 0.8 and (found[0] == found[1]).all()


def check_amounts():
    for text, wanted in ("5 %", (5, True)), ("0.5%", (0.5, True)), ("100", (100, False)), (".5 %", (0.5, True)):
        assert campaign.read_amount("budget", text) == wanted, text
    for text in "0", "-1", "1.5", "101 %", "%", "many", "5 % of it", "1e3":
        try:
            campaign.read_amount("budget", text)
        except Failed:
            continue
        raise AssertionError(text)


def check_reading():
    """Names are bytes, in which no blank of Unicode is one; what no screen could read has a reason instead of SMILES."""
    lines = (b"\xef\xbb\xbfCCO  voil\xc3\xa0 \r\n", b"\n", b"#C no\n", b" CN |x y|\t5\xc3\x85\tmore\n", b"C \x85\xa0x\n", b"CC |x\n", b"N\n",
             b"CCO no\0body\n", b"C a\rb\n", b"C" * 70000 + b" long\n", b"C" * 30000 + b" large\n", b"C(" * 600 + b"C" + b")" * 600 + b" tree\n", b"C last")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "p\u00e4.smi")
        with open(path, "wb") as file:
            file.writelines(lines)
        found = [(smiles if isinstance(smiles, int) or len(smiles) < 20 else len(smiles), name.encode("latin-1"))
                 for smiles, name in campaign.read_molecules([path])]
        records = campaign.describe_many([smiles for smiles, _ in campaign.read_molecules([path])][4:-1], 1)
    assert found == [("CCO", b"voil\xc3\xa0"), ("CN |x y|", b"5\xc3\x85"), ("C", b"\x85\xa0x"), ("CC", b"|x"), ("N", b"p\xc3\xa4.smi:7"),
                     (campaign.NUL, b"p\xc3\xa4.smi:8"), (campaign.RETURN, b"p\xc3\xa4.smi:9"), (campaign.TOO_LONG, b"p\xc3\xa4.smi:10"),
                     (30000, b"large"), (1801, b"tree"), ("C", b"last")], found
    endings = [(records[at], records[at + campaign.RECORD - 1]) for at in range(0, len(records), campaign.RECORD)]
    assert endings[1:4] == [(campaign.NUL, 0), (campaign.RETURN, 0), (campaign.TOO_LONG, 0)] and endings[0][1] == 1, endings
    assert endings[4] == (campaign.TOO_LARGE, 0) and endings[5][1] == 1, endings


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def check_folder(folder, seed, seek):
    """The campaign's tables are what those of its rounds say."""
    molecules = [line.split() for line in open(os.path.join(folder, "..", "molecules.smi")) if line.split()]
    bad = {row["ordinal"] for row in read(f"{folder}/failures.csv") if "not chosen" in row["reason"]}
    good = [k for k in range(len(molecules)) if str(k) not in bad]
    order = sorted(good, key=campaign.mix(seed, 0, len(molecules)).__getitem__)
    rounds = sorted(int(name[6:]) for name in os.listdir(folder) if name.startswith("round-"))
    chosen = [[int(line.split()[1]) for line in open(f"{folder}/round-{k}/molecules.smi")] for k in rounds]
    held = [[int(line) for line in open(f"{folder}/round-{k}/held.txt")] for k in rounds]
    sample = order[:len(chosen[0])]
    kept = sample[len(sample) - len(sample) // 2:]
    assert sorted(sample) == chosen[0], "the first round is the random sample"
    everything = sum(chosen, [])
    assert len(set(everything)) == len(everything), "nothing is docked twice"
    assert set(sum(held, [])) <= set(kept) and len(set(sum(held, []))) == len(sum(held, []))
    values = {}
    for number in rounds:
        for row in read(f"{folder}/round-{number}/scores.csv"):
            molecule = int(row["ligand"].split()[0])
            values[molecule] = min(values.get(molecule, math.inf), float(row["ranking"]))
    limit = sorted(values.get(k, math.inf) for k in sample)[math.ceil(math.ceil(seek * len(good)) * len(sample) / len(good)) - 1]
    best = [k for k in kept if values.get(k, math.inf) <= limit]
    for row, number in zip(read(f"{folder}/campaign.csv"), rounds, strict=True):
        found = set(best) & set(sum(held[:number], []))
        assert (int(row["held_out_found"]), int(row["held_out_best"])) == (len(found), len(best)), row
        certain = len(sample) / len(good)
        for share, column in zip((len(found) / len(best), *campaign.interval(len(found), len(best))),
                                 ("recall", "recall_low", "recall_high")):
            assert abs(certain + (1 - certain) * share - float(row[column])) < 1e-4, row
        assert int(row["docked"]) == len(sum(chosen[:number], []))
    rows = read(f"{folder}/scores.csv")
    assert [int(row["ordinal"]) for row in rows] == list(range(len(rows)))
    assert [int(row["molecule"]) for row in rows] == sorted(values)
    assert all(row["ligand"] == molecules[int(row["molecule"])][1] for row in rows)
    ranked = sorted(rows, key=lambda row: (float(row["ranking"]), int(row["ordinal"])))
    assert [int(row["rank"]) for row in ranked] == list(range(1, len(rows) + 1))
    poses = open(f"{folder}/hits.sdf").read().split("$$$$\n")[:-1]
    assert [pose.split("\n")[0] for pose in poses] == [row["ligand"] for row in ranked[:len(poses)]]
    assert all(f"<ordinal>\n{row['ordinal']}\n" in pose and f"<rank>\n{row['rank']}\n" in pose for pose, row in zip(poses, ranked))
    print(len(rows), len(poses), len(kept), len(best))


def check_lines():
    """Names stand behind CXSMILES' extensions; a line of column names is no molecule."""
    assert campaign.split_line("CC |&1:1,2| two words\tx\n") == ("CC |&1:1,2|", "two words")
    assert campaign.split_line("CC\tname\n") == ("CC", "name") and campaign.split_line("CC |open\n") == ("CC", "|open")
    assert campaign.is_header("smiles zinc_id\n") and campaign.is_header("ID,Canonical_SMILES\n")
    assert not campaign.is_header("CC smiles\n") and not campaign.is_header("C1CC bad_smiles\n") and not campaign.is_header(" smiles\n")


if len(sys.argv) > 1:
    check_folder(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
else:
    check_interval()
    check_identity()
    check_choice()
    check_model()
    check_amounts()
    check_lines()
    check_reading()
