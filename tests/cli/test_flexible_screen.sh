#!/bin/sh
# Side chains that move in screens: their journals, results, shards and merges.
. tests/cli/lib.sh

chained pocket.mol2 >receptor.pdb
sed 's/^amprenavir/&_other/' demo/1hpv_ligand.mol2 | cat demo/1hpv_ligand_turned.mol2 - >two.mol2
run "$BERTH" prep ligands two.mol2 --out two.blib
check 'a library' exited 0

# screening OUT OPTIONS...: searched quickly.
quick='--autobox_ligand demo/1hpv_ligand.mol2 --search fast --scoring vina --rank score --poses 48 --generations 3 --refine 12
    --hops 1 --num_modes 3'
# shellcheck disable=SC2086
screening() {
    screen_out=$1
    shift
    "$BERTH" screen --receptor "${receptor:-receptor.pdb}" --library two.blib $quick --out "$screen_out" "$@"
}

run screening moved --flexible_residues A:25,B:82
check 'a screen with side chains that move says which' all exited 0 -- holds stderr 'ASP A:25 2, VAL B:82 1'
check 'has what they cost in its table, and a model for each pose' python3 - <<'END'
import csv
rows = list(csv.DictReader(open("moved/scores.csv")))
assert len(rows) == 2 and all(abs(float(row["receptor_strain"])) > 1e-6 for row in rows)
poses = open("moved/hits.sdf").read().split("$$$$\n")[:-1]
models = open("moved/hits.side_chains.pdb").read().split("ENDMDL\n")
assert models[-1] == "END\n" and len(models) - 1 == len(poses) > 2
for pose, model in zip(poses, models):
    assert "OF LIGAND " + pose.split("\n")[0] + "\n" in model, model
    assert sum(line.startswith("ATOM") for line in model.splitlines()) == 8 + 7
    moved = pose.split(">  <side_chains>\n")[1].split("\n")[0].split("; ")
    assert len(moved) == 3 + 2, moved
    for atom in moved:
        name, *place = atom.split()[1:]
        assert "%8s%8s%8s" % tuple(place) in model, (atom, model)
END
check 'and says so in run.json' grep -q '"side_chains": "ASP:A:25,VAL:B:82"' moved/run.json
# shellcheck disable=SC2086
run "$BERTH" dock --receptor receptor.pdb --ligand two.blib $quick --flexible_residues A:25,B:82 \
    --out dock.sdf --scores dock.csv
check 'the energies are those of berth dock' python3 - <<'END'
import csv
docked = {row["ligand"]: row for row in csv.DictReader(open("dock.csv")) if row["mode"] == "1"}
for row in csv.DictReader(open("moved/scores.csv")):
    other = docked[row["ligand"]]
    for name in ["score", "energy", "receptor_strain", "strain"]:
        assert row[name] == other[name], (name, row, other)
END
run screening moved --flexible_residues A:25,B:82 --resume
check 'a run that is resumed' exited 0
run screening moved --flexible_residues A:25 --resume
check 'cannot have other side chains' exited 1
run screening moved --resume
check 'nor none' exited 1

run screening first --flexible_residues A:25,B:82 --shard 1/2
run screening second --flexible_residues A:25,B:82 --shard 2/2
run "$BERTH" merge first second --out merged
check 'shards are merged to the same bytes' all exited 0 -- sh -c 'for file in scores.csv hits.sdf hits.side_chains.pdb; do
    cmp moved/$file merged/$file || exit 1; done'
run screening first --flexible_residues A:25,B:82 --full_flex_output --shard 1/2 --overwrite
run screening second --flexible_residues A:25,B:82 --full_flex_output --shard 2/2 --overwrite
run "$BERTH" merge first second --out whole
check 'with the whole receptor, where it was asked for' all exited 0 -- same moved/hits.sdf whole/hits.sdf -- python3 - <<'END'
def models(path):
    return [[line[11:] for line in model.splitlines() if line.startswith("ATOM")] for model in open(path).read().split("ENDMDL\n")[:-1]]
given = [line[11:54] for line in open("receptor.pdb") if line[:4] == "ATOM" and line[12:14] != " H"]
moved, whole = models("moved/hits.side_chains.pdb"), models("whole/hits.side_chains.pdb")
assert len(moved) == len(whole) > 2 and len(given) > 200
for part, model in zip(moved, whole):
    assert [line for line in model if line[6:15] in ("ASP A  25", "VAL B  82")] == part, model
    assert [line[:19] for line in model] == [line[:19] for line in given]
    assert sum(line[:43] != was for line, was in zip(model, given)) == 3 + 2
END
mv receptor.pdb elsewhere.pdb
run "$BERTH" merge first second --out again
check 'not without the receptor, which is named' all exited 1 -- holds stderr receptor.pdb
mv elsewhere.pdb receptor.pdb

run screening near --flexible_within 4 --flexible_most 2 --reference demo/1hpv_ligand.mol2
check 'those near a reference' holds stderr 'ASP A:25 2, ASP B:25 2'
run screening refused --flexible_within 4
check 'need one' all exited 1 -- holds stderr flexible_within
run screening refused --flexible_residues A:25 --rescore none.model
check 'a model sees the receptor as given' all exited 1 -- holds stderr '--rescore'
run screening required --flexible_residues A:25,B:82 --require 'hbond A:ASP25'
"$BERTH" interactions --receptor receptor.pdb --poses moved/hits.sdf --out moved.csv 2>/dev/null
"$BERTH" merge moved --out later --require 'hbond A:ASP25' >/dev/null 2>&1
check 'interactions are required of side chains where they have moved to' all exited 0 -- \
    same required/hits.sdf later/hits.sdf -- python3 - <<'END'
import csv
def poses(path):
    return [text.split("M  END")[0] for text in open(path).read().split("$$$$\n")[:-1]]
moved = poses("moved/hits.sdf")
makes = {int(row["pose"]) for row in csv.DictReader(open("moved.csv"))
         if (row["kind"], row["chain"], row["number"]) == ("hydrogen_bond", "A", "25")}
assert sorted(poses("required/hits.sdf")) == sorted(moved[i] for i in makes) and 0 < len(makes) < len(moved), makes
END
run screening stiff
check 'a screen whose receptor stands has nothing of it' all exited 0 -- \
    sh -c '! grep -q receptor_strain stiff/scores.csv && ! test -e stiff/hits.side_chains.pdb &&
    ! grep -q side_chains stiff/run.json'
finish
