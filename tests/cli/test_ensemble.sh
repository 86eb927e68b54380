#!/bin/sh
# Several receptors of one site in one run: each ligand's result is the best of what separate runs
# give, however the run is cut.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"
zcat demo/ten_drugs.mol2.gz | awk '/MOLECULE/ { held = $0; good = 0; next }
    held { good = /^(celecoxib|trimethoprim)_C0*[12]$/; if (good) print held; held = "" } good { print }' >part.mol2
./rates part.mol2 two.blib >/dev/null
"$BERTH" lib merge alpha.blib two.blib --out few.blib >/dev/null 2>&1
ligands=15

# moved DX: the demo's receptor, its residues up to 0.3 Å from where they were, and all DX further.
moved() {
    awk -v dx="$1" '/^@<TRIPOS>/ { section = $1; print; next }
        section == "@<TRIPOS>ATOM" && NF >= 8 {
            printf "%d %s %.4f %.4f %.4f %s %d %s %s\n", $1, $2, $3 + dx + 0.3 * sin($7),
                $4 + 0.25 * cos($7), $5, $6, $7, $8, $9
            next
        }
        { print }' pocket.mol2
}
mkdir other
ln -s "$work/pocket.mol2" a.mol2
moved 0 >b.mol2
cp b.mol2 other/a.mol2

# ensemble RECEPTORS DIR OPTIONS...: a quick screen by the defaults' search.
ensemble() {
    ensemble_of=$1
    ensemble_out=$2
    shift 2
    "$BERTH" screen --scoring vina --receptor "$ensemble_of" --autobox_ligand demo/1hpv_ligand.mol2 --library few.blib \
        --poses 16 --generations 2 --refine 2 --hops 1 --out "$ensemble_out" "$@"
}

for name in a b; do
    run ensemble $name.mol2 $name --top 1000
    check "a screen of $name" exited 0
done
run ensemble a.mol2,b.mol2 ab --batch 4 --verbose
check 'a screen of both' all exited 0 -- holds stdout 'receptor a.mol2, called a: 207 heavy atoms' -- \
    holds stdout 'receptor b.mol2, called b: ' -- holds stdout "$ligands ligands docked, 0 failed"
check 'no warning' lacks stderr warning
# shellcheck disable=SC2016
check 'a table of one receptor has no column of it' sh -c '! grep -q receptor "$1"' sh a/scores.csv
columns a/scores.csv score >score_a
columns b/scores.csv score >score_b
columns ab/scores.csv score_a score_b >scores
paste -d, score_a score_b >wanted
check 'the score in each receptor is that of its own run' same wanted scores
columns ab/scores.csv receptor score energy strain clash efficiency conformer >best
columns a/scores.csv score energy strain clash efficiency conformer | sed 's/^/a,/' >one
columns b/scores.csv score energy strain clash efficiency conformer | sed 's/^/b,/' >other.csv
paste one other.csv | awk -F '\t' '{ split($1, x, ","); split($2, y, ","); print x[2] + 0 <= y[2] + 0 ? $1 : $2 }' >wanted
check 'the best of them is the result, and said to be' all same wanted best -- \
    grep -q '^a,' best -- grep -q '^b,' best
check 'hits.sdf has the pose in that receptor' python3 - <<'END'
def read(path):
    poses = {}
    for record in open(path).read().split("$$$$\n"):
        if record.strip():
            lines = record.splitlines()
            tags = {lines[i][4:-1]: lines[i + 1] for i in range(len(lines)) if lines[i].startswith(">  <")}
            poses[tags["ordinal"]] = lines[:lines.index("M  END")], tags
    return poses
one = {"a": read("a/hits.sdf"), "b": read("b/hits.sdf")}
both = read("ab/hits.sdf")
assert len(both) == 15
for ordinal, (molecule, tags) in both.items():
    molecule_of_one, tags_of_one = one[tags["receptor"]][ordinal]
    assert molecule == molecule_of_one, ordinal
    assert tags["score"] == min(tags["score_a"], tags["score_b"], key=float) == tags_of_one["score"]
END
check 'run.json lists both, with their hashes' python3 - <<'END'
import json
run = {name: json.load(open(name + "/run.json")) for name in ("a", "b", "ab")}
both = run["ab"]
for name in "ab":
    assert both["identity"]["receptor_" + name] == run[name]["identity"]["receptor"]
    assert both["files"]["receptor_" + name].endswith("/" + name + ".mol2")
assert "receptor" not in both["identity"] and "receptor_a" not in run["a"]["identity"]
END

slice docking 'however the run is cut'
# However the run is cut.
as_both() { check "$1" all exited 0 -- same_results ab "$2"; }
POCL_DEVICES='pthread pthread'
export POCL_DEVICES
run ensemble a.mol2,b.mol2 devices
as_both 'two devices' devices
if preload fail_opencl; then
    # What was on its way is at either of the receptors.
    for call in 25 38; do
        run failing "clEnqueueNDRangeKernel $call -5 1" ensemble a.mol2,b.mol2 lost$call --batch 3
        as_both "two devices, of which one is lost at kernel $call" lost$call
        check 'which is said' holds stderr device
    done
    unset POCL_DEVICES
    run failing 'clEnqueueNDRangeKernel 20 -4 1' ensemble a.mol2,b.mol2 memory
    as_both 'memory that runs out in the middle' memory
else
    unset POCL_DEVICES
    skip 'devices that fail' 'no compiler, or no dlsym'
fi
size=$(wc -c <ab/journal)
for bytes in $((size / 2)) $((size - 1)); do
    rm -rf cut
    mkdir cut
    head -c "$bytes" ab/journal >cut/journal
    run ensemble a.mol2,b.mol2 cut --resume
    as_both "resumed after $bytes bytes of $size" cut
done
"$BERTH" screen --scoring vina --receptor a.mol2,b.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library few.blib --poses 16 \
    --generations 2 --refine 2 --hops 1 --out killed --batch 1 --checkpoint 0 >stdout 2>stderr &
pid=$!
until [ -e killed/journal ] && [ "$(wc -c <killed/journal)" -gt 2500 ] || ! kill -0 $pid; do sleep 0.05; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
run ensemble a.mol2,b.mol2 killed --resume
as_both 'killed, and resumed' killed
for shard in 1 2; do
    ensemble a.mol2,b.mol2 part$shard --shard $shard/2 >/dev/null 2>&1
done
run "$BERTH" merge part1 part2 --out joined
as_both 'shards, merged' joined
check 'run.json of the merge lists both' holds joined/run.json '"receptor_b": "'
run ensemble b.mol2,a.mol2 ab --resume
check 'a resume with the receptors in another order is refused' all exited 1 -- \
    holds stderr "receptor $work/a.mol2,$work/b.mol2, now $work/b.mol2,$work/a.mol2"
run ensemble a.mol2 ab --resume
check 'and so is one with a receptor less' all exited 1 -- holds stderr "receptor $work/a.mol2,$work/b.mol2, now $work/a.mol2;"

# Several poses, and such as clash.
for name in a b; do
    ensemble $name.mol2 several_$name --num_modes 3 --max_clash 0.12 >/dev/null 2>&1
done
run ensemble a.mol2,b.mol2 several --num_modes 3 --max_clash 0.12
check 'a ligand whose poses clash in one of them has its result in the other' all exited 0 -- \
    lines several/failures.csv 1 -- [ "$(cat several_[ab]/failures.csv | wc -l)" -eq 3 ] -- \
    grep -q -e ',,-[.0-9]*$' -e ',-[.0-9]*,$' several/scores.csv
check 'up to three poses of all receptors together' [ "$(sed -n '/^>  <mode>/{n;p;}' several/hits.sdf | sort -u | tr -d '\n')" = 123 ]

run ensemble a.mol2,b.mol2 several --num_modes 3 --max_clash 0.02 --resume
check 'one whose poses clash in all of them fails' all exited 2 -- lines several/failures.csv 2

# berth dock: the best poses of both.
quick() { # RECEPTORS NAME OPTIONS...
    quick_of=$1
    quick_name=$2
    shift 2
    "$BERTH" dock --scoring vina --receptor "$quick_of" --autobox_ligand demo/1hpv_ligand.mol2 --poses 16 --generations 2 --refine 2 --hops 1 \
        --ligand few.blib --out "$quick_name.sdf" --scores "$quick_name.csv" "$@"
}
for receptors in a b a,b; do
    run quick "$(echo $receptors.mol2 | sed 's/,/.mol2,/')" "dock_$receptors"
    check "dock in $receptors" exited 0
done
check 'a line of each ligand names the receptor' grep -q '  alpha[0-9]*  in b$' stdout
for name in a b; do
    columns dock_$name.csv ordinal score energy conformer clash | sed "s/^/$name,/"
done | LC_ALL=C sort -t, -k2,2n -k3,3g -k1,1 | awk -F, '{ if (count[$2]++ < 9) print }' >wanted
columns dock_a,b.csv receptor ordinal score energy conformer clash | LC_ALL=C sort -t, -k2,2n -k3,3g -k1,1 >given
check 'its poses are the best of both' same wanted given
quick a.mol2,b.mol2 range --energy_range 0.2 >/dev/null 2>&1
# shellcheck disable=SC2016
check '--energy_range is of both together' awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["mode"] == 1 { best = $c["score"] } $c["score"] > best + 0.2001 { bad = 1 } END { exit bad }' range.csv
run quick a.mol2,other/a.mol2 twins
check 'names that are taken get a number' all exited 0 -- \
    [ "$(head -n 1 twins.csv | sed 's/.*,device,//')" = score_a,score_a_2 ]

# What looks at poses and tables.
run "$BERTH" show ab --columns ligand,receptor,score_a --filter 'score_a < score_b' --out -
check 'show knows the columns' all exited 0 -- grep -q '^[^,]*,a,-' stdout -- sh -c '! grep -q ",b," stdout'
printf '%s\n' celecoxib alpha1 alpha2 >known.txt
run "$BERTH" eval screen ab --actives known.txt --out enrichment
check 'eval screen takes the best score' exited 0
# Which receptor a ligand is best in may differ from machine to machine: poses with hydrogens, in a and b in turn.
awk -v RS='[$][$][$][$]\n' -v ORS='$$$$\n' '!/^alpha/ {
    sub(/>  <receptor>[^\n]*\n[^\n]*/, ">  <receptor>\n" (count++ % 2 ? "a" : "b")); print }' ab/hits.sdf >mixed.sdf
grep -cx b mixed.sdf >wanted
run "$BERTH" interactions --receptor b.mol2 --poses mixed.sdf --out contacts.csv
columns contacts.csv pose | sort -u | wc -l >given
check 'interactions leave out the poses in another receptor, and say so' all exited 0 -- \
    grep -q 'mixed.sdf: [0-9]* poses .* b.mol2' stderr -- same wanted given
run "$BERTH" interactions --receptor pocket.mol2 --poses ab/hits.sdf --out contacts.csv
check 'of a receptor that none is in there are none' all exited 1 -- \
    said 'of a receptor that none is in there are none' pocket.mol2
run "$BERTH" report ab --out page.html
check 'report shows the hits' all exited 0 -- [ -s page.html ] -- holds page.html "$(sed 's/,.*//;q' best).mol2"

# What is refused.
moved 9 >shifted.mol2
moved 90 >far.mol2
refused 'a receptor in another frame' ensemble a.mol2,far.mol2 out/run
run ensemble a.mol2,shifted.mol2 shifted
check 'one that is not superposed is warned of' all exited 0 -- said 'one that is not superposed is warned of' 'warning: shifted.mol2'
refused 'one file twice' ensemble a.mol2,pocket.mol2 out/run
refused_too 'one that is missing' missing.mol2 ensemble a.mol2,missing.mol2 out/run
refused 'an empty name' ensemble a.mol2,,b.mol2 out/run
refused 'too many' ensemble "$(seq 33 | sed 's/$/.mol2/' | paste -s -d, -)" out/run
cp b.mol2 'b,c.mol2'
run quick 'b,c.mol2' comma
check 'a file with a comma in its name is one' all exited 0 -- same dock_b.csv comma.csv
run "$BERTH" dock --scoring vina --receptor a.mol2,b.mol2 --autobox_ligand a.mol2 --ligand few.blib --out b.mol2
check 'a receptor is not written over' all exited 1 -- holds stderr b.mol2 -- same b.mol2 other/a.mol2
run "$BERTH" interactions --receptor a.brec,b.brec --poses ab.sdf --out none.csv
check 'interactions are with one receptor' all exited 1 -- [ ! -e none.csv ] -- said 'interactions are with one receptor'
finish
