#!/bin/sh
# Docking with several seeds: which poses there are, which of them found each, and how far they agree.
. tests/cli/lib.sh

# dock OUT OPTIONS...: the demo's ligand, searched quickly, so that seeds end in different places.
dock() {
    dock_out=$1
    shift
    "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand_turned.mol2 \
        --autobox_ligand demo/1hpv_ligand.mol2 --poses 48 --generations 4 --refine 12 --hops 1 \
        --out "$dock_out.sdf" --scores "$dock_out.csv" "$@"
}

for seed in 4 5 6; do
    run dock one$seed --seed $seed --min_rmsd 0 --num_modes 100
done
run dock all --seed 4 --seeds 3 --min_rmsd 0 --num_modes 100
cp stdout all.txt
run dock wide --seed 4294967295 --seeds 2 --min_rmsd 0 --num_modes 100
run dock wide2 --seed 4294967296 --min_rmsd 0 --num_modes 100
run dock few --seed 4 --seeds 3 --num_modes 2
cat >poses.py <<'END'
import csv
def poses(name):
    """Of each record its atoms, its seed and its row."""
    records = open(name + ".sdf").read().split("$$$$\n")[:-1]
    rows = list(csv.DictReader(open(name + ".csv")))
    assert len(rows) == len(records)
    def tag(record, tag):
        return record.split(f">  <{tag}>\n")[1].split("\n")[0]
    return [(record.split("M  END")[0].split("\n", 3)[3], int(tag(record, "seed")), row)
            for record, row in zip(records, rows)]
def places(name, seed=None):
    return {atoms for atoms, of, _ in poses(name) if seed in (None, of)}
END
check 'its poses are those of each seed, which each pose names' python3 - <<'END'
from poses import places, poses
assert len(poses("all")) > 6
for seed in (4, 5, 6):
    assert places("all", seed) and places("all", seed) == places(f"one{seed}"), seed
END
check 'seeds go on past 2^32' python3 - <<'END'
from poses import places
assert places("wide", 4294967296) == places("wide2")
END
check 'poses have how many seeds put their first pose there' python3 - <<'END'
from poses import poses
import math
def atoms(text):
    return [tuple(map(float, (line[:10], line[10:20], line[20:30]))) for line in text.split("\n")
            if len(line) > 60 and line[31:34].strip() != "H"]
def apart(one, other):
    return math.sqrt(sum(math.dist(a, b) ** 2 for a, b in zip(one, other)) / len(one))
firsts = [atoms(poses(f"one{seed}")[0][0]) for seed in (4, 5, 6)]
counts = set()
for text, _, row in poses("all"):
    least = sum(apart(atoms(text), first) < 1.99 for first in firsts) # symmetry may bring it nearer
    assert least <= int(row["seeds"]) <= 3, (least, row["seeds"])
    counts.add(row["seeds"])
assert len(counts) > 1
assert int(poses("all")[0][2]["seeds"]) >= 1
END
check 'their energies are those of the same pose of one seed' python3 - <<'END'
from poses import poses
alone = {text: row for seed in (4, 5, 6) for text, _, row in poses(f"one{seed}")}
for text, _, row in poses("all"):
    for name in ("energy", "vina", "vinardo", "plp", "bude", "rmsd"):
        assert row[name] == alone[text][name], name
END
check 'a line says how far they agree' grep -qE 'all 3 seeds put|seeds disagree: [12] of 3 put' all.txt
check 'the run card says that there were several' grep -q '"seeds": "3"' all.run.json
check 'and how many are kept changes nothing of that' all exited 0 -- lines few.csv 3
run dock one4again --seed 4 --seeds 1 --min_rmsd 0 --num_modes 100
check 'one is what there is by default' all same one4.csv one4again.csv -- same one4.sdf one4again.sdf -- \
    lacks one4again.csv seeds
finish
