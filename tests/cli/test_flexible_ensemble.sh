#!/bin/sh
# Side chains that move in several receptors of one run: each receptor moves its own, and gives what it
# gives alone, however the run is cut.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

chained pocket.mol2 >a.pdb
# b: residues up to 0.3 Å from where a has them; ASP A:25 is an asparagine, and ASP B:25 lies 2 Å further off.
awk '{
    n = substr($0, 23, 4); x = substr($0, 31, 8); y = substr($0, 39, 8); z = substr($0, 47, 8)
    far = substr($0, 18, 9) == "ASP B  25" ? 2 : 0
    line = sprintf("%s%8.3f%8.3f%8.3f%s", substr($0, 1, 30), x + 0.3 * sin(n), y + 0.25 * cos(n) + far, z, substr($0, 55))
    if (sub(/ASP A  25/, "ASN A  25", line)) { sub(/OD2/, "ND2", line); sub(/O$/, "N", line) }
    print line }' a.pdb >b.pdb
sed 's/^amprenavir/&_other/' demo/1hpv_ligand.mol2 | cat demo/1hpv_ligand_turned.mol2 - >two.mol2
run "$BERTH" prep ligands two.mol2 --out two.blib
check 'a library' exited 0

fast='--autobox_ligand demo/1hpv_ligand.mol2 --search fast --rank score --poses 32 --generations 2 --refine 8 --hops 1'
# dock RECEPTORS NAME OPTIONS...
# shellcheck disable=SC2086
dock() {
    dock_of=$1
    dock_name=$2
    shift 2
    "$BERTH" dock --receptor "$dock_of" --ligand two.blib $fast --reference demo/1hpv_ligand.mol2 \
        --scoring "${functions:-vina}" --out "$dock_name.sdf" --scores "$dock_name.csv" "$@"
}

# alike A B AB: each row, pose and model of the run to both is that of the receptor's own run, and they are
# the best of these.
cat >alike.py <<'END'
import csv, sys
def read(name, receptor=None):
    rows = list(csv.DictReader(open(name + ".csv")))
    poses = open(name + ".sdf").read().split("$$$$\n")[:-1]
    models = open(name + ".side_chains.pdb").read().split("ENDMDL\n")
    assert models.pop() == "END\n" and len(rows) == len(poses) == len(models)
    made = []
    for row, pose, model in zip(rows, poses, models):
        tags = dict(part.split(">\n", 1) for part in pose.split(">  <")[1:])
        molecule, moved = pose[:pose.index("M  END")], tags["side_chains"].strip()
        atoms = [line for line in model.splitlines() if line.startswith("ATOM")]
        places = {(line[12:16].strip(), line[17:20] + ":" + line[21] + ":" + line[22:26].strip()): line[30:54] for line in atoms}
        for atom in moved.split("; "):
            residue, label, *at = atom.split()
            assert places[label, residue] == "%8s%8s%8s" % tuple(at), atom
        mine = receptor or row["receptor"]
        assert tags.get("receptor", mine).strip() == mine
        numbers = {key: value for key, value in row.items() if key not in ("mode", "ranking", "receptor", "score_a", "score_b")}
        made.append((row["ligand"], float(row["score"]), mine, numbers, molecule, moved, atoms))
    return made
a, b, both = read(sys.argv[1], "a"), read(sys.argv[2], "b"), read(sys.argv[3])
for ligand in sorted({row[0] for row in both}):
    wanted = sorted((row for row in a + b if row[0] == ligand), key=lambda row: row[1])[:9]
    given = [row for row in both if row[0] == ligand]
    assert given == wanted, (ligand, [row[:3] for row in given], [row[:3] for row in wanted])
assert {row[2] for row in both} == {"a", "b"}
moved = {row[2]: {atom.split()[0] for atom in row[5].split("; ")} for row in both}
print(sorted(moved["a"]), sorted(moved["b"]))
END
alike() { python3 alike.py "$@"; }

for receptors in a b a,b; do
    run dock "$(echo $receptors.pdb | sed 's/,/.pdb,/')" "$receptors" --flexible_residues A:25,B:82
    check "side chains move in $receptors" exited 0
done
check 'in each receptor its own' all \
    holds stderr 'flexible in a: 3 torsions: ASP A:25 2, VAL B:82 1' -- \
    holds stderr 'flexible in b: 3 torsions: ASN A:25 2, VAL B:82 1'
run alike a b a,b
check 'poses, energies and side chains are those of the receptors alone' all exited 0 -- \
    stdout_is "['ASP:A:25', 'VAL:B:82'] ['ASN:A:25', 'VAL:B:82']"
run dock a.pdb,b.pdb again --flexible_residues A:25,B:82 --batch 1
check 'in batches of any size' all same a,b.csv again.csv -- same a,b.sdf again.sdf -- \
    same a,b.side_chains.pdb again.side_chains.pdb
functions=vina,bude
slice docking 'those near the reference, what looks at poses, waters, screens'
for receptors in a b a,b; do
    run dock "$(echo $receptors.pdb | sed 's/,/.pdb,/')" "near_$receptors" --flexible_within 3.2 --pool vina,bude
    check "those near the reference, in $receptors, with functions that judge and search" exited 0
done
functions=
check 'are found in each receptor, others and of other cost' all \
    holds stderr 'flexible in a: 6 torsions: ASP A:25 2, ASP B:25 2, ASP B:30 2' -- \
    holds stderr 'flexible in b: 4 torsions: ASN A:25 2, ILE A:50 2'
run alike near_a near_b near_a,b
check 'and give what they give alone' exited 0

# What looks at the poses.
# of RECEPTOR POSES OUT
of() {
    "$BERTH" interactions --receptor "$1" --poses "$2" --out "$3" --kinds hydrogen_bond,hydrophobic,contact
}
run of b.pdb a,b.sdf both.csv
check 'interactions are those in the pose'"'"'s receptor' all exited 0 -- holds stderr b.pdb
of b.pdb b.sdf alone.csv >/dev/null 2>&1
check 'with its side chains' python3 - <<'END'
import csv
def read(name, scores):
    score = {(row["ligand"], row["mode"]): row["score"] for row in csv.DictReader(open(scores))}
    found = {}
    for row in csv.DictReader(open(name)):
        key = row["ligand"], score[row["ligand"], row["mode"]]
        found.setdefault(key, []).append([row[k] for k in row if k not in ("pose", "mode")])
    return found
both, alone = read("both.csv", "a,b.csv"), read("alone.csv", "b.csv")
assert len(both) > 3 and all(alone[key] == rows for key, rows in both.items())
END
run "$BERTH" eval poses --poses a,b.sdf --receptor a.pdb --out valid.csv
check 'eval poses takes those in its receptor' all exited 0 -- holds stderr a.pdb

# What is refused.
sed '/VAL B  82/d' b.pdb >lacks.pdb
run dock a.pdb,lacks.pdb no --flexible_residues A:25,B:82
check 'a residue that one receptor lacks' all exited 1 -- said 'a residue that one receptor lacks' '(--flexible_residues)' -- absent no.sdf no.csv
sed '/VAL B  82/{/ C[AB] \|  [NCO]  /!d;}' b.pdb >stub.pdb
run dock a.pdb,stub.pdb no --flexible_residues A:25,B:82
check 'one whose atoms it lacks' all exited 1 -- said 'one whose atoms it lacks' '(--flexible_residues)' -- absent no.sdf no.csv
refused_too 'a receptor without residues' pocket.mol2 dock a.pdb,pocket.mol2 out/x --flexible_residues A:25

# A water that ligands may displace makes several receptors.
{ cat a.pdb; echo 'HETATM 9001  O   HOH A 301      12.500  17.000   6.500  1.00 20.00           O'; } >wet.pdb
run "$BERTH" prep receptor wet.pdb --displaceable_waters A:301 --out wet.brec
check 'receptors with and without a water' exited 0
run dock wet.brec,wet_no_A301.brec wet --flexible_residues A:25,B:82 --water_price 1
check 'have side chains that move, too' all exited 0 -- \
    holds stderr 'flexible in wet: 3 torsions: ASP A:25 2, VAL B:82 1' -- \
    holds stderr 'flexible in wet_no_A301: 3 torsions: ASP A:25 2, VAL B:82 1'
check 'and poses pay for the water' python3 - <<'END'
import csv
for row in csv.DictReader(open("wet.csv")):
    assert float(row["displacement"]) == (row["receptor"] == "wet_no_A301") and row["receptor_strain"]
END

# Screens.
# screening RECEPTORS OUT OPTIONS...
# shellcheck disable=SC2086
screening() {
    screen_of=$1
    screen_out=$2
    shift 2
    "$BERTH" screen --receptor "$screen_of" --library two.blib $fast --scoring vina --num_modes 3 \
        --flexible_residues A:25,B:82 --out "$screen_out" "$@"
}
run screening a.pdb,b.pdb ab
check 'a screen of both says what moves in each' all exited 0 -- holds ab/run.json '"side_chains_a": "ASP:A:25,VAL:B:82"' -- \
    holds ab/run.json '"side_chains_b": "ASN:A:25,VAL:B:82"'
check 'has the poses of berth dock' python3 - <<'END'
import csv
docked = {row["ligand"]: row for row in csv.DictReader(open("a,b.csv")) if row["mode"] == "1"}
rows = list(csv.DictReader(open("ab/scores.csv")))
assert len(rows) == 2
for row in rows:
    for name in ["receptor", "score", "energy", "receptor_strain", "strain", "score_a", "score_b"]:
        assert row[name] == docked[row["ligand"]][name], (name, row)
models = open("ab/hits.side_chains.pdb").read().split("ENDMDL\n")[:-1]
poses = open("ab/hits.sdf").read().split("$$$$\n")[:-1]
assert len(models) == len(poses) == 6
for pose, model in zip(poses, models):
    receptor = pose.split(">  <receptor>\n")[1].split("\n")[0]
    assert ("ASP A  25" if receptor == "a" else "ASN A  25") in model, (receptor, model)
END
# as_both WHAT DIR
as_both() { check "$1" all exited 0 -- same_results ab "$2" -- same ab/hits.side_chains.pdb "$2/hits.side_chains.pdb"; }
POCL_DEVICES='pthread pthread'
export POCL_DEVICES
run screening a.pdb,b.pdb devices --batch 1
as_both 'two devices' devices
if preload fail_opencl; then
    # What was on its way is at either of the receptors.
    for call in 9 18; do
        run failing "clEnqueueNDRangeKernel $call -5 1" screening a.pdb,b.pdb lost$call --batch 1
        as_both "two devices, of which one is lost at kernel $call" lost$call
        check 'which is said' grep -q 'going on without this device' stderr
    done
fi
unset POCL_DEVICES
size=$(wc -c <ab/journal)
for bytes in $((size / 2)) $((size - 1)); do
    rm -rf cut
    mkdir cut
    head -c "$bytes" ab/journal >cut/journal
    run screening a.pdb,b.pdb cut --resume
    as_both "resumed after $bytes bytes of $size" cut
done
run screening a.pdb,b.pdb ab --resume --flexible_within 4 --reference demo/1hpv_ligand.mol2
check 'not with other side chains' all exited 1 -- holds stderr 'flexible_residues ASP:A:25,VAL:B:82 and ASN:A:25,VAL:B:82'
for shard in 1 2; do
    screening a.pdb,b.pdb part$shard --shard $shard/2 >/dev/null 2>&1
done
run "$BERTH" merge part1 part2 --out joined
as_both 'shards, merged' joined
run "$BERTH" report ab --out page.html
check 'report shows the hits in their receptor' all exited 0 -- \
    holds page.html "$(sed -n '/^>  <receptor>/{n;p;q;}' ab/hits.sdf).pdb"
finish
