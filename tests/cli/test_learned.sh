#!/bin/sh
# Networks that judge what is docked: their outputs as columns of poses and ligands, in rankings, journals, shards and
# merges.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

runtime=$root/build-python
python3 "$root/tests/learned/reference.py" weights net.pt net.ts
"$BERTH" model import net.pt --out net.model 2>/dev/null

# dock OUT OPTIONS...: the demo's ligand, quickly.
dock() {
    dock_out=$1
    shift
    "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand_turned.mol2 \
        --autobox_ligand demo/1hpv_ligand.mol2 --poses 48 --generations 3 --refine 12 --hops 1 --num_modes 4 \
        --min_rmsd 0.5 --out "$dock_out.sdf" --scores "$dock_out.csv" "$@"
}

run dock none --scoring vina --rank 'vina - 4*cnn_score'
check 'a ranking that needs a model, and no model' all exited 1 -- said 'a ranking that needs a model, and no model' '--rank' -- \
    test ! -e none.sdf
(BERTH_ONNXRUNTIME=$work/none.so && export BERTH_ONNXRUNTIME && run dock none --rescore net.model)
check 'no ONNX Runtime: known before anything is docked' all holds stderr BERTH_ONNXRUNTIME -- test ! -e none.sdf
run screen none --rank 'bude - cnn_score'
check 'the same of a screen' all exited 1 -- holds stderr cnn_score -- test ! -e none/journal

# A GPU's faults, by a stand-in for the library, are no faults of the network's file.
compile() { ${CC:-cc} -std=c11 -D_DEFAULT_SOURCE $sanitize -I"$root/include" -I"$root/src" "$root/tests/cli/onnx_gpu.c" -o "$@" 2>cc.log; }
compile onnx_gpu.so -shared -fPIC && compile onnx_gpu -DPROGRAM "$root/$BUILD/libberth.a" -lOpenCL -lz -lm -lpthread
echo network >gpu.onnx
on_gpu() { # STATUS [FAULT]: what is then returned
    run env FAULT="${2:-}" BERTH_ONNXRUNTIME="$work/onnx_gpu.so" ./onnx_gpu gpu.onnx
    check "a network on a GPU: ${2:-no fault}" grep -q "^$1 " stdout
}
device=6 format=4 # of enum berth_status
on_gpu 0
on_gpu $device 'session 1'
on_gpu $device 'run 1'
check 'it is said whose fault it is, and what to do' said 'a GPU that fails' 'the GPU'
on_gpu $device 'run 11'
on_gpu $format 'run 2'

if ! "$runtime/bin/python" -c 'import numpy, onnxruntime' 2>/dev/null; then
    skip 'poses that networks judge' 'ONNX Runtime (make setup-compare) is not installed'
    finish
fi
VIRTUAL_ENV=$runtime
export VIRTUAL_ENV

# --- berth dock ---

run dock plain --scoring vina
run dock judged --scoring vina --rescore net.model
check 'poses with what a network says' all exited 0 -- grep -q ',score,cnn_score,cnn_affinity,energy,' judged.csv -- \
    holds judged.sdf '>  <cnn_affinity>'
columns plain.csv mode score energy strain >wanted
columns judged.csv mode score energy strain >found
check 'are the same poses in the same order' same wanted found
printf 'poses = vina - 4*cnn_score\nligands = vina\nconfidence = cnn_score/2\n' >sure.rank
run dock sure --scoring vina --rescore net.model --rank sure.rank
columns sure.csv cnn_score confidence >given
check 'the confidence in the first may look at it' all exited 0 -- awk -F, '
    NR == 1 ? $1 / 2 - $2 > 0.0002 || $2 - $1 / 2 > 0.0002 || $2 == "" : $2 != "" { exit 1 }' given
"$BERTH" score --receptor pocket.mol2 --ligand judged.sdf --rescore net.model --out given.csv --out_poses given.sdf \
    --tags gnina 2>/dev/null
check 'it says what it says of the poses where they stand' python3 - <<'END'
import csv
judged, given = list(csv.DictReader(open("judged.csv"))), list(csv.DictReader(open("given.csv")))
assert len(judged) == len(given) > 2
for a, b in zip(judged, given): # positions in the file are rounded to 0.0001 A
    for name in ["cnn_score", "cnn_affinity"]:
        assert abs(float(a[name]) - float(b[name])) < 2e-3, (name, a, b)
assert len({row["cnn_affinity"] for row in judged}) > 2
END
check "and by gnina's names of tags" python3 - <<'END'
records = open("given.sdf").read().split("$$$$\n")[:-1]
tag = lambda record, name: record.split(f">  <{name}>\n")[1].split("\n")[0]
assert len(records) > 2
for record in records:
    for theirs, ours in {"minimizedAffinity": "score", "CNNscore": "cnn_score", "CNNaffinity": "cnn_affinity"}.items():
        assert tag(record, theirs) == tag(record, ours), theirs
END
run dock byvina --scoring vina --rescore net.model --rank vina
run dock ranked --scoring vina --rescore net.model --rank 'vina - 300*cnn_affinity'
check 'a ranking looks at it, among the poses that are kept' all exited 0 -- python3 - <<'END'
import csv
judged, ranked = list(csv.DictReader(open("byvina.csv"))), list(csv.DictReader(open("ranked.csv")))
value = lambda row: float(row["energy"]) - 300 * float(row["cnn_affinity"])
assert [row["energy"] for row in ranked] == [row["energy"] for row in sorted(judged, key=value)]
assert [row["energy"] for row in ranked] != [row["energy"] for row in judged]
for row in ranked:
    assert abs(value(row) - float(row["pose_ranking"])) < 0.05, row
END
run dock one --cpu 1 --scoring vina --rescore net.model
check 'the same with one thread' all same judged.csv one.csv -- same judged.sdf one.sdf
sed 's/^output *cnn_score/output energy/' net.model >taken.model
run dock none --scoring vina --rescore taken.model
check 'an output with the name of a column' all exited 1 -- said 'an output with the name of a column'

run dock named --rescore net.model --rank learned
check 'the ranking with a network that ships' all exited 0 -- \
    grep -q ',pose_ranking,score,vina,vinardo,plp,bude,cnn_score,cnn_affinity,energy,' named.csv
sed 's/^output *cnn_score/output right/' net.model >other.model
run dock none --rescore other.model --rank learned
check 'and a model without its column' all exited 1 -- holds stderr cnn_score

# --- berth screen ---

few='--num_modes 3 --rescore net.model --rescore_top 7'
run screen plain --num_modes 3 --rank 'bude / sqrt(heavy_atoms)'
# shellcheck disable=SC2086
run screen judged $few --rank 'bude / sqrt(heavy_atoms)' --tags gnina
check 'a screen whose best ligands are judged' all exited 0 -- holds judged/run.json '"learned": "cnn_score cnn_affinity"'
columns plain/scores.csv ligand rank score ranking >wanted
columns judged/scores.csv ligand rank score ranking >found
check 'ranked as without, where the ranking does not look at it' same wanted found
check 'the best seven are judged, no others' python3 - <<'END'
import csv
rows = list(csv.DictReader(open("judged/scores.csv")))
assert sorted(int(row["rank"]) for row in rows if row["cnn_score"]) == list(range(1, 8))
records = open("judged/hits.sdf").read().split("$$$$\n")[:-1]
for record in records:
    rank = int(record.split(">  <rank>\n")[1].split("\n")[0])
    said = record.split(">  <cnn_score>\n")[1].split("\n")[0] if ">  <cnn_score>" in record else ""
    assert bool(said) == (rank <= 7) == (f">  <CNNscore>\n{said}\n" in record) == (">  <CNNscore>" in record), rank
assert len(records) > 41
END
by='bude / sqrt(heavy_atoms) - 3000*cnn_affinity'
# shellcheck disable=SC2086
run screen ranked $few --rank "$by"
check 'a ranking that looks at it puts those first, by their best poses' all exited 0 -- python3 - <<'END'
import csv
plain = {row["ligand"]: row for row in csv.DictReader(open("plain/scores.csv"))}
rows = sorted(csv.DictReader(open("ranked/scores.csv")), key=lambda row: int(row["rank"]))
assert {row["ligand"] for row in rows[:7]} == {name for name, row in plain.items() if int(row["rank"]) <= 7}
assert [row["ligand"] for row in rows[7:]] == sorted([row["ligand"] for row in rows[7:]], key=lambda name: int(plain[name]["rank"]))
values = [float(row["ranking"]) for row in rows[:7]]
assert values == sorted(values) and not any(row["ranking"] for row in rows[7:])
for row, value in zip(rows[:7], values):
    wanted = float(row["energy"]) / float(row["heavy_atoms"]) ** 0.5 - 3000 * float(row["cnn_affinity"])
    assert abs(wanted - value) < 0.3, (row, value)
tags = lambda record, name: record.split(f">  <{name}>\n")[1].split("\n")[0]
poses = {}
for record in open("ranked/hits.sdf").read().split("$$$$\n")[:-1]:
    if int(tags(record, "rank")) <= 7:
        value = float(tags(record, "energy")) / float(tags(record, "heavy_atoms")) ** 0.5 - 3000 * float(tags(record, "cnn_affinity"))
        poses.setdefault(tags(record, "rank"), []).append(value)
assert any(len(values) > 1 for values in poses.values())
for values in poses.values():
    assert all(a < b + 0.3 for a, b in zip(values, values[1:])), values
END
printf 'poses = bude - 3000*cnn_affinity\nligands = bude / heavy_atoms\n' >by.rank
# shellcheck disable=SC2086
run screen file $few --rank by.rank
check 'ligands ranked without it, by poses that are chosen by it' all exited 0 -- python3 - <<'END'
import csv
rows = sorted(csv.DictReader(open("file/scores.csv")), key=lambda row: int(row["rank"]))
values = [float(row["energy"]) / float(row["heavy_atoms"]) for row in rows[:7]]
assert all(row["cnn_affinity"] for row in rows[:7]) and values == sorted(values)
assert all(abs(value - float(row["ranking"])) < 1e-4 for value, row in zip(values, rows))
END
cp ranked/journal whole
# shellcheck disable=SC2086
run screen ranked $few --rank "$by" --resume
check 'a run that is done says it again' all exited 0 -- same ranked/journal whole
python3 - <<'END'
import os
os.mkdir("killed")
whole = open("ranked/journal", "rb").read()
open("killed/journal", "wb").write(whole[:-20]) # in the last record of what the network says
END
# shellcheck disable=SC2086
run screen killed $few --rank "$by" --resume
check 'one that ended while the network was asked goes on' all exited 0 -- same_results killed ranked -- same killed/journal whole
run screen ranked --num_modes 3 --rescore net.model --rescore_top 8 --rank "$by" --resume
check 'another number of ligands is another run' all exited 1 -- holds stderr rescore_top -- holds stderr 'now 8'
for shard in 1 2 3; do
    # shellcheck disable=SC2086
    run screen shard$shard $few --rank "$by" --shard $shard/3
done
run "$BERTH" merge shard1 shard2 shard3 --out merged
check 'shards merge into the whole' all exited 0 -- same_results merged ranked
rm -r merged

# --- berth merge --rank ---

run "$BERTH" merge shard1 shard2 shard3 --out merged --rank '-cnn_affinity'
check 'merged by what the network says alone: all that it has judged come first' all exited 0 -- \
    holds merged/run.json '"rank": "-cnn_affinity"' -- python3 - <<'END'
import csv
rows = sorted(csv.DictReader(open("merged/scores.csv")), key=lambda row: int(row["rank"]))
judged = [row for row in rows if row["cnn_affinity"]]
assert len(judged) > 14 and rows[:len(judged)] == judged
said = [float(row["cnn_affinity"]) for row in judged]
assert said == sorted(said, reverse=True)
END
run "$BERTH" merge plain --out again --rank 'bude / heavy_atoms'
run screen anew --num_modes 3 --rank 'bude / heavy_atoms'
columns again/scores.csv ligand rank ranking >found
columns anew/scores.csv ligand rank ranking >wanted.rows
check 'merged by another expression: as a screen by it' all exited 0 -- same wanted.rows found
# rank_lines FOLDER: what run.json says that its poses and ligands are ranked by.
rank_lines() {
    grep -e '"rank_' "$1/run.json" | tr -d ' ,\n'
}
check 'and run.json has what ranks now, once' [ "$(rank_lines again)" = '"rank_poses":"bude/heavy_atoms""rank_ligands":"bude/heavy_atoms"' ]
run "$BERTH" merge plain --out same
check 'without another one what ranked before' all exited 0 -- [ "$(rank_lines same)" = "$(rank_lines plain)" ]
screen bare >/dev/null 2>&1
run "$BERTH" merge bare --out named --rank 'bude / heavy_atoms'
check 'so is one that was ranked by score, of which the best poses by score are there' all exited 0 -- python3 - <<'END'
import csv
rows = sorted(csv.DictReader(open("named/scores.csv")), key=lambda row: int(row["rank"]))
values = [float(row["energy"]) / float(row["heavy_atoms"]) for row in rows]
assert values == sorted(values) and len(values) == 41
assert all(abs(float(row["ranking"]) - value) < 1e-4 for row, value in zip(rows, values))
bare = {row["ligand"]: row["score"] for row in csv.DictReader(open("bare/scores.csv"))}
assert all(bare[row["ligand"]] == row["score"] for row in rows)
END
check 'its run.json has it, too' [ "$(rank_lines named)" = "$(rank_lines again)" ]
run "$BERTH" merge plain --out none --rank 'bude - cnn_score'
check 'by a column that there is not' all exited 1 -- holds stderr cnn_score -- test ! -e none/scores.csv
finish
