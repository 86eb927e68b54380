#!/bin/sh
# Poses scored by several functions in one run, and poses and ligands ordered by rankings of them.
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

# dock OUT OPTIONS...: the demo's ligand, searched by Vina quickly.
dock() {
    dock_out=$1
    shift
    "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand_turned.mol2 \
        --autobox_ligand demo/1hpv_ligand.mol2 --poses 48 --generations 3 --refine 12 --hops 1 \
        --min_rmsd "${apart:-0.5}" --out "$dock_out.sdf" --scores "$dock_out.csv" --verbose "$@"
}

run dock alone --scoring vina
check 'a docking by one function' exited 0
run dock all --scoring vina,vinardo,plp,bude
check 'and by four: each pose has a column for each' all exited 0 -- grep -q ',score,vina,vinardo,plp,bude,energy,' all.csv
columns alone.csv mode score energy strain gauss1 clash >wanted
columns all.csv mode score energy strain gauss1 clash >found
check 'the first finds the same poses as alone' same wanted found
for function in vina vinardo plp bude; do
    "$BERTH" score --receptor pocket.mol2 --ligand all.sdf --scoring $function --out $function.csv >/dev/null 2>&1
done
check 'each score is the energy that `berth score` gives the pose' python3 - <<'END'
import csv
poses = list(csv.DictReader(open("all.csv")))
assert len(poses) > 3
for name in ["vina", "vinardo", "plp", "bude"]:
    scores = list(csv.DictReader(open(name + ".csv")))
    assert len(scores) == len(poses)
    for pose, score in zip(poses, scores): # positions in the file are rounded to 0.0001 A
        energy = float(score["energy"])
        assert abs(float(pose[name]) - energy) < 0.02 + 1e-3 * abs(energy), (name, pose[name], energy)
assert all(pose["vina"] == pose["energy"] for pose in poses)
END
check 'and the tags of the poses say so' python3 - <<'END'
import csv
rows, records = list(csv.DictReader(open("all.csv"))), open("all.sdf").read().split("$$$$\n")
for row, record in zip(rows, records):
    for name in ["vinardo", "plp", "bude"]:
        assert f">  <{name}>\n{row[name]}\n" in record
END

run dock ranked --scoring vina,vinardo --rank 'z(vina) - 2*rank(vinardo) + strain' --num_modes 100
check 'poses ordered by an expression' exited 0
run dock few --scoring vina,vinardo --rank 'z(vina) - 2*rank(vinardo) + strain' --num_modes 2
check 'and the first of them: order and numbers are those of the expression over all distinct poses' all exited 0 -- \
    python3 - <<'END'
import csv, statistics
rows = list(csv.DictReader(open("ranked.csv")))
number = lambda name: [float(row[name]) for row in rows]
vina, vinardo, strain = number("vina"), number("vinardo"), number("strain")
mean, deviation = statistics.fmean(vina), statistics.pstdev(vina)
wanted = [(v - mean) / deviation - 2 * (1 + sum(o < w for o in vinardo)) + s
          for v, w, s in zip(vina, vinardo, strain)]
given = number("pose_ranking")
assert max(abs(a - b) for a, b in zip(wanted, given)) < 2e-3, (wanted, given)
assert given == sorted(given) and number("score") != sorted(number("score"))
few = list(csv.DictReader(open("few.csv")))
assert [row["pose_ranking"] for row in few] == [row["pose_ranking"] for row in rows[:2]]
END

# What ranks where nobody says what.
run dock default
check 'by default' all exited 0 -- said 'what ranks' 'ranked by consensus' -- \
    grep -q ' pose_ranking  *score  *vina  *vinardo ' stdout -- said 'what the score is' 'divided by'
slice docking 'rigid searches, dockings of several ligands, mercury, pools, rankings of scored poses and of screens'
run dock screening --rank screening
check 'a ranking of poses by score divides' all exited 0 -- said 'a ranking by score' 'divided by'
sed 's/^amprenavir/again/' demo/1hpv_ligand_turned.mol2 | cat demo/1hpv_ligand_turned.mol2 - >both.mol2
run "$BERTH" dock --receptor pocket.mol2 --ligand both.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --poses 48 --generations 1 --hops 1 \
    --out both.sdf --rank consensus --verbose
check 'and consensus does where it ranks ligands' all exited 0 -- holds stdout '2 ligands docked' -- \
    said 'consensus of ligands' 'divided by'
check 'score is: the first function, divided for rotors, where strain is least' awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { if (!least || $c["score"] < least) { least = $c["score"]; d = least - $c["vina"] / (1 + 0.05846 * $c["rotors"]) } }
    END { exit !(NR > 1 && d < 0.001 && d > -0.001) }' default.csv
run "$BERTH" show default.csv --poses --out shown.csv --columns mode --top 100
columns default.csv mode >wanted
columns shown.csv mode >found
check 'and what ranks the poses is what show orders by' all exited 0 -- same wanted found
run "$BERTH" show default.csv
check 'and has a column of' holds stdout pose_ranking
{ cat default.csv; echo; } | awk -F , -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    NR == 2 { print; $at["ordinal"] = 9; $at["ligand"] = "large"; $at["pose_ranking"] -= 10; $at["score"] -= 1; $at["ranking"] += 1; print }' >two.csv
run "$BERTH" show two.csv --columns ligand
check 'but orders no ligands, nor does the score where they have a ranking' all exited 0 -- sh -c '[ "$(sed -n 3p stdout)" = large ]'
mkdir page
cp default.sdf page/poses.sdf
cp default.csv page/scores.csv
run "$BERTH" report page --out page.html
check 'and the page plots' all exited 0 -- holds page.html '"ranked_by":"ranking"'
run dock consensus --rank consensus
check 'a docking ranks as --rank consensus does' all same default.sdf consensus.sdf -- same default.csv consensus.csv
run dock spelt --scoring vina,vinardo,plp,bude,fitted --pool vina,vinardo --rank 'vina + vinardo + 0.05*plp + 0.05*bude + fitted + strain'
for name in default spelt; do
    columns $name.csv mode pose_ranking score energy strain clash conformer >$name.poses
done
check 'which is that sum over a pool of two searches' same default.poses spelt.poses
run dock unpooled --rank consensus --pool vina
check 'or of one, where that is asked for' all exited 0 -- differ default.csv unpooled.csv
check 'functions that are named rank by score' sh -c '! grep -q -e pose_ranking alone.csv alone.sdf'
run "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand_turned.mol2 --search published --rank consensus \
    --autobox_ligand demo/1hpv_ligand.mol2 --poses 96 --generations 3 --out published.sdf --scores published.csv \
    --verbose
check 'the published search keeps its poses as they are: one function searches, without strain' all exited 0 -- \
    holds stdout 'consensus, of vina,vinardo,plp,bude,fitted' -- python3 - <<'END'
import csv
rows = list(csv.DictReader(open("published.csv")))
value = lambda row, name: float(row[name])
given = [value(row, "pose_ranking") for row in rows]
assert len(rows) > 3 and given == sorted(given)
for row in rows:
    assert not row["strain"] and row["vina"] == row["energy"]
    wanted = sum(value(row, name) for name in ("vina", "vinardo", "fitted")) + 0.05 * (value(row, "plp") + value(row, "bude"))
    assert abs(wanted - value(row, "pose_ranking")) < 1e-3
END
run dock stiff --search rigid_fast
check 'as does a rigid search' all exited 0 -- grep -q ',score,energy,' stiff.csv

run "$BERTH" dock --receptor pocket.mol2 --ligand demo/ten_drugs.mol2.gz --autobox_ligand demo/1hpv_ligand.mol2 \
    --poses 16 --generations 2 --refine 4 --hops 1 --out ten.sdf --scores ten.csv --verbose
check 'ligands of a docking' exited 0
awk '/^best first/ { best = NR; next } best && !NF { exit } best && NR > best + 2 { print $4 }' stdout >listed
awk '/^best first/ { best = NR; next } best && !NF { exit } best && NR > best + 2 { print $1 }' stdout >values
run "$BERTH" show ten.csv --out shown.csv --top 10
columns shown.csv ligand >shown
columns shown.csv ranking | awk '{ printf "%.2f\n", $1 }' >shown_values
columns shown.csv score >given
sort -n given >sorted
check 'have one order, which is not that of the scores: dock prints the ranking that table and show have' all \
    exited 0 -- lines listed 10 -- same listed shown -- same values shown_values -- differ given sorted
check 'and the poses a tag of it' python3 - <<'END'
import csv
rows, records = list(csv.DictReader(open("ten.csv"))), open("ten.sdf").read().split("$$$$\n")
assert len(rows) > 10
for row, record in zip(rows, records):
    assert f">  <ranking>\n{row['ranking']}\n" in record and f">  <pose_ranking>\n{row['pose_ranking']}\n" in record
    wanted = (float(row["vina"]) + float(row["vinardo"]) + 0.2 * float(row["strain"])) / (1 + 0.03 * float(row["rotors"]))
    assert row["mode"] != "1" or abs(wanted / int(row["heavy_atoms"]) ** 0.25 - float(row["ranking"])) < 1e-3
END
run "$BERTH" dock --receptor pocket.mol2 --ligand demo/ten_drugs.mol2.gz --autobox_ligand demo/1hpv_ligand.mol2 \
    --poses 16 --generations 2 --refine 4 --hops 1 --scoring vina,vinardo --rank 'z(vina) + z(vinardo)' --out z.sdf --scores z.csv \
    --verbose
awk '/^best first/ { best = NR; next } best && !NF { exit } best && NR > best + 2 { print $3 }' stdout >listed
run "$BERTH" show z.csv --out shown.csv --top 10
columns shown.csv ligand >shown
check 'what compares poses alone ranks no ligands: by score they are listed and shown' all same listed shown -- \
    grep -q '^ordinal,ligand,mode,pose_ranking,score,' z.csv

# Mercury, which Vina has a type for, but the others' types have not.
for name in ligand receptor; do
    awk '/^@/ { part = $1 } part ~ /ATOM/ && $6 == "C.3" && !n++ { sub(/ C\.3/, " Hg ") } { print }' \
        demo/1hpv_$name.mol2 >mercury_$name.mol2
done
mercury='--autobox_ligand demo/1hpv_ligand.mol2 --poses 48 --generations 2 --hops 1 --refine 4 --out mercury.sdf --scores mercury.csv'
# shellcheck disable=SC2086
{
    run "$BERTH" dock $mercury --receptor pocket.mol2 --ligand mercury_ligand.mol2
    check 'functions that lack a type of a ligand say nothing of it' all exited 0 -- \
        said 'functions that lack a type of a ligand say nothing of it'
    check 'and are left out of what ranks its poses' python3 - <<'END'
import csv
rows = list(csv.DictReader(open("mercury.csv")))
assert rows and all(row["plp"] == row["bude"] == "" for row in rows)
for row in rows:
    wanted = sum(float(row[name]) for name in ("vina", "vinardo", "fitted", "strain"))
    assert abs(wanted - float(row["pose_ranking"])) < 1e-3
END
    run "$BERTH" dock $mercury --receptor pocket.mol2 --ligand mercury_ligand.mol2 \
        --scoring vina,bude --pool vina,bude
    check 'one that is to search must have its types' all exited 2 -- holds mercury.failures.csv ' Hg'
    run "$BERTH" dock $mercury --receptor mercury_receptor.mol2 --ligand demo/1hpv_ligand.mol2
    check 'nor does such a receptor stop a docking: Vina alone ranks' all exited 0 -- \
        said 'a receptor of unknown types' 'vina alone' -- grep -q ',score,energy,' mercury.csv
    run "$BERTH" dock $mercury --receptor mercury_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --rank consensus
    check 'unless a ranking is named' exited 1
}

apart=0
run dock own --scoring vinardo --num_modes 100
run dock pooled --scoring vina,vinardo --pool vina,vinardo --num_modes 100
check 'a pool of two searches' exited 0
run dock single --scoring vina --num_modes 100
check 'has the poses of both runs, with the energies that each found, best first by the first' python3 - <<'END'
import csv
read = lambda name, column: sorted(row[column] for row in csv.DictReader(open(name)))
pooled = read("pooled.csv", "energy")
assert len(pooled) == len(read("own.csv", "energy")) + len(read("single.csv", "energy"))
assert set(read("single.csv", "energy")) <= set(pooled)
assert set(read("own.csv", "energy")) <= set(read("pooled.csv", "vinardo"))
scores = [float(row["score"]) for row in csv.DictReader(open("pooled.csv"))]
assert scores == sorted(scores)
END
run dock reported --scoring vina,vinardo --pool vinardo --num_modes 100
check 'a search by the second function alone' exited 0
check 'has its poses, with the energies of the first' python3 - <<'END'
import csv
read = lambda name: list(csv.DictReader(open(name)))
own, reported = read("own.csv"), read("reported.csv")
assert sorted(row["energy"] for row in own) == sorted(row["vinardo"] for row in reported)
assert not {row["energy"] for row in reported} & {row["vinardo"] for row in reported}
scores = [float(row["score"]) for row in reported]
assert scores == sorted(scores)
END

apart=

# Mistakes.
refuses() { refused "$*" dock out/no "$@"; } # OPTIONS...
refuses --rank '2 + gold'
refuses --rank consensu
refused_too 'a ranking without its functions' 'rank consensus: poses' dock out/no --rank consensus --scoring vina
refuses --scoring vina,vina
refuses --scoring vina,plp --pool vina,bude
refused_too 'a function that there is not' "'nothing'" dock out/no --scoring vina,nothing
run "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand.mol2 --site surface \
    --scoring vina,plp --out no.sdf
check 'a surface is searched by one function' all exited 1 -- said 'a surface is searched by one function'
run "$BERTH" dock --receptor pocket.mol2 --ligand pocket.mol2 --protein \
    --scoring vina,plp --out no.pdb
check 'and so are proteins' exited 1

run "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    --search published --scoring vina,plp --pool plp --out no.sdf
check 'another function than the first searches where poses are refined' all exited 1 -- holds stderr 'must be refined'

# Poses as they stand.
run "$BERTH" score -r pocket.mol2 -l default.sdf -o stand.csv --rank consensus
check '`berth score` brings the functions of a ranking along' all exited 0 -- \
    grep -q '^name,mode,ranking,pose_ranking,vina,vinardo,plp,bude,fitted,energy,gauss1,' stand.csv -- \
    said '`berth score` brings the functions of a ranking along' 'rank: '
run "$BERTH" score -r pocket.mol2 -l default.sdf -o rigid.csv --rank consensus --minimize
check 'so have those whose torsions stay' all exited 0 -- said 'so have those whose torsions stay' 'rank: '
check 'by which poses have the energies of the docking, and ligands the ranking of a screen' python3 - <<'END'
import csv
docked, stood = ([*csv.DictReader(open(name + ".csv"))] for name in ("default", "stand"))
assert len(docked) == len(stood) > 3
for pose, row in zip(docked, stood): # positions in the file are rounded to 0.0001 A; they have no strain here
    number = {name: float(row[name]) for name in row if name != "name"}
    for name in ["vina", "vinardo", "plp", "bude", "fitted"]:
        assert abs(float(pose[name]) - number[name]) < 0.02 + 1e-3 * abs(number[name]), (name, pose, row)
    wanted = number["vina"] + number["vinardo"] + number["fitted"] + 0.05 * (number["plp"] + number["bude"])
    assert abs(wanted - number["pose_ranking"]) < 1e-3
    assert abs(wanted + float(pose["strain"]) - float(pose["pose_ranking"])) < 0.1
    ranking = (number["vina"] + number["vinardo"]) / (1 + 0.03 * number["rotors"]) / int(pose["heavy_atoms"]) ** 0.25
    assert abs(ranking - number["ranking"]) < 1e-3
END
run "$BERTH" score --receptor pocket.mol2 --ligand default.sdf --out go.csv --scoring plp,vina --minimize --out_poses go.sdf
run "$BERTH" score --receptor pocket.mol2 --ligand go.sdf --out gone.csv --scoring vina
check 'minimised by the first, the others say what they say there' all exited 0 -- grep -q '^name,mode,plp,vina,energy,wall,' go.csv -- \
    holds go.sdf '<vina>' -- sh -c "cut -d, -f4 go.csv >left; cut -d, -f3 gone.csv >right
        paste left right | awk 'NR > 1 { d = \$1 - \$2; n++; if (d > 0.02 || d < -0.02) bad = 1 } END { exit bad || n < 3 }'"
run "$BERTH" score --receptor pocket.mol2 --ligand mercury_ligand.mol2 --out - --scoring 'vina , plp' --rank 'vina + plp'
check 'a function without types for a molecule adds nothing there, either' all exited 0 -- holds stderr plp -- \
    awk -F, 'NR == 2 { exit !($4 < 0 && $3 == $4 && $5 == "") }' stdout
run "$BERTH" score --receptor pocket.mol2 --ligand default.sdf --out - --rank 'z(vina)'
check 'molecules are not compared' all exited 1 -- said 'molecules are not compared'

# What ranks where nobody says what.
default() { # DIR OPTION...
    default_out=$1
    shift
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library many.blib \
        --poses 16 --generations 2 --hops 1 --out "$default_out" "$@"
}
run default default
check 'a screen' all exited 0 -- holds stdout 'ranked by screening of vina and vinardo; the affinity is that of vina'
run default named --rank screening
check 'ranks as --rank screening does' all same default/scores.csv named/scores.csv -- \
    same default/hits.sdf named/hits.sdf
run default weighted --strain_weight 0.5
check 'and by score where strain has a weight' all exited 0 -- sh -c '! grep -q ,ranking, weighted/scores.csv'
run default vina --scoring vina
check 'or a function is named' all exited 0 -- sh -c '! grep -q ,ranking, vina/scores.csv'

# A screen, in parts and again.
library=many.blib scoring=bude,plp
rank='z(bude) + z(plp) / heavy_atoms'
run screen whole --rank "$rank" --top 1000
check 'a screen ranked by two functions' exited 0
for shard in 1 2 3; do
    run screen "part$shard" --rank "$rank" --shard $shard/3
done
run "$BERTH" merge part1 part2 part3 --out merged --top 1000
check 'merged of three parts it is the same, z-scores over all ligands' all exited 0 -- \
    same whole/scores.csv merged/scores.csv -- same whole/hits.sdf merged/hits.sdf
check 'ligands are ordered by the ranking' python3 - <<'END'
import csv, statistics
rows = list(csv.DictReader(open("whole/scores.csv")))
number = lambda name: [float(row[name]) for row in rows]
z = lambda x: [(v - statistics.fmean(x)) / statistics.pstdev(x) for v in x]
wanted = [a + b / n for a, b, n in zip(z(number("bude")), z(number("plp")), number("heavy_atoms"))]
assert max(abs(a - b) for a, b in zip(wanted, number("ranking"))) < 1e-3
order = sorted(range(len(rows)), key=lambda i: number("ranking")[i])
assert [int(rows[i]["rank"]) for i in order] == list(range(1, len(rows) + 1))
END
run screen whole --rank 'bude' --resume
check 'another ranking is another run' all exited 1 -- holds stderr "rank $rank, now bude;"
run screen whole --rank "$rank" --resume
check 'the same one goes on' exited 0
run "$BERTH" show whole --top 1000 --columns rank,ranking --out shown.csv
columns whole/scores.csv rank | sort -n >wanted
columns shown.csv rank >found
check 'show orders by what ranks' same wanted found
finish
