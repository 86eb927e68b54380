#!/bin/sh
# berth score: BUDE's own energies, the order of rows, input by gzip and standard input.
. tests/cli/lib.sh

receptor=$reference/bude/1gcz/receptor.mol2
poses=$reference/bude/1gcz/reference

# The names of a TSV's or CSV's rows, and those of a Mol2 file's molecules.
names() { awk -F"$1" -v column="$2" 'NR > 1 { print $column }' "$3"; }
titles() { awk 'title { print; title = 0 } /^@<TRIPOS>MOLECULE/ { title = 1 }' "$@"; }

# CSV rows against BUDE's energies, by name: how many lie beyond 0.02, and how many were compared.
against_bude() {
    awk 'FNR == NR { if (FNR > 1) bude[$3] = $4; next }
        FNR > 1 {
            split($0, row, ",")
            if (!(row[1] in bude)) { print "unknown: " row[1]; bad = 1; next }
            d = row[2] - bude[row[1]]
            if (d < 0) d = -d
            if (d > worst) worst = d
            if (!(d <= 0.02)) { print row[1] ": " row[2] ", BUDE has " bude[row[1]]; bad = 1 }
            delete bude[row[1]]
            count++
        }
        END {
            for (name in bude) { print name " is missing"; bad = 1 }
            print count " rows, largest difference " worst
            exit bad || count != 471
        }' "$poses/energies.tsv" "$1"
}

if [ -n "$reference" ]; then
    cat "$poses"/ligand*.mol2 >all.mol2
    run "$BERTH" score --scoring bude --receptor "$receptor" --ligand all.mol2 --out all.csv
    check 'all 471 poses of 1GCZ' all exited 0 -- silent -- stdout_is_empty -- lines all.csv 472
    check "within 0.02 of BUDE's energies" against_bude all.csv
    against_bude all.csv | sed 's/^/# /'
    names , 1 all.csv >given
    titles all.mol2 >wanted
    check 'rows are in the order of the file' same wanted given
    check 'the header' grep -qx 'name,energy,steric,electrostatic,desolvation,clash' all.csv
    check 'the terms add up' awk -F, 'NR > 1 { d = $2 - $3 - $4 - $5; if (d > 3e-4 || d < -3e-4) exit 1 }' \
        all.csv
    gzip -c all.mol2 >all.mol2.gz
    run "$BERTH" score --scoring bude --receptor "$receptor" --ligand all.mol2.gz --out gz.csv
    check 'the same from a .gz file' all exited 0 -- same all.csv gz.csv
else
    skip 'all 471 poses of 1GCZ' 'no reference data'
fi

ligand=demo/1hpv_ligand.mol2
by() { "$BERTH" score --receptor demo/1hpv_receptor.mol2 --scoring "$@"; }
score() { by bude "$@"; }

run score --ligand $ligand --out one.csv
check 'one molecule' all exited 0 -- lines one.csv 2 -- grep -q '^amprenavir,-113\.7' one.csv
run score --ligand - --out - <$ligand
check 'from standard input to standard output' all exited 0 -- silent -- same one.csv stdout
gzip -c $ligand >ligand.gz
run score --ligand - --out - <ligand.gz
check 'gzip on standard input' all exited 0 -- same one.csv stdout
sed 's/$/\r/' $ligand >crlf.mol2
run score --ligand crlf.mol2 --out -
check 'CRLF line ends' all exited 0 -- same one.csv stdout
awk '/^@<TRIPOS>MOLECULE/ { print "# a comment"; print; getline; print "a, \"b\""; next } { print }' \
    $ligand >name.mol2
run score --ligand name.mol2 --out -
check 'a name with comma and quotes' grep -q '^"a, ""b""",-113\.7' stdout
printf 'receptor = demo/1hpv_receptor.mol2\nscoring = bude\nligand = %s # here\nout = config.csv\n' $ligand >config
run "$BERTH" score --config config
check 'options from a file' all exited 0 -- same one.csv config.csv
run "$BERTH" score --config config --out line.csv
check 'the command line wins over the file' all exited 0 -- same one.csv line.csv

# An RMSD is of one molecule: its mirror image is another.
awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 = 18 - $3 } { print }' $ligand >mirror.mol2
rmsds() { awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rmsd") k = i } NR > 1 { print $k == "" ? "none" : "some" }' "$@" | paste -s -d ' '; }
cat $ligand mirror.mol2 >both.mol2
run score --ligand both.mol2 --reference $ligand --out both.csv
check 'the mirror image of the reference has no RMSD, which is said' all exited 0 -- [ "$(rmsds both.csv)" = 'some none' ] -- \
    grep -q 'no RMSD for 1 of 2 ligands (amprenavir): .*any_stereo' stderr
run score --ligand both.mol2 --reference $ligand --any_stereo --out both.csv
check 'unless it is asked for' all exited 0 -- [ "$(rmsds both.csv)" = 'some some' ] -- sh -c '! grep any_stereo stderr'
run score --ligand mirror.mol2 --minimize --out both.csv
check 'how far a molecule moved is of itself' all exited 0 -- [ "$(rmsds both.csv)" = some ]

awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 200 } { print }' $ligand >far.mol2
run score --ligand far.mol2 --out far.csv
check 'a molecule that nothing is near to is warned of' all exited 0 -- grep -q '^amprenavir,0\.0000,' far.csv -- \
    said 'a molecule that nothing is near to is warned of'

# Without the bond of the sulfur and the aniline.
awk '/^@/ { part = $1 } part ~ /MOLECULE/ && $1 == 70 { $2-- } part ~ /BOND/ && $2 == 35 && $3 == 17 { next } { print }' $ligand >broken.mol2
cat broken.mol2 $ligand >some_broken.mol2
run score --ligand some_broken.mol2 --out broken.csv
check 'and one that lacks a bond, and so is two' all exited 0 -- lines broken.csv 3 -- \
    said 'and one that lacks a bond, and so is two'

awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 4 } { print }' $ligand >moved.mol2
cat $ligand moved.mol2 moved.mol2 >overlapping.mol2
run score --ligand overlapping.mol2 --out overlapping.csv
check 'molecules that overlap the receptor are warned of: the first, and how many' all exited 0 -- \
    said 'molecules that overlap the receptor are warned of: the first, and how many'

run score --ligand $ligand --out rigid.csv --minimize --out_poses rigid.mol2
check 'minimised' all exited 0 -- lines rigid.csv 2 -- \
    grep -qx 'name,energy,steric,electrostatic,desolvation,strain,rmsd,clash' rigid.csv -- \
    awk -F, 'NR == 2 { exit !($2 < -130 && $6 == 0) }' rigid.csv
run score --ligand rigid.mol2 --out rescored.csv
check 'the pose that was written has that energy' awk -F, '
    FNR == 2 && NR == 2 { energy = $2 }
    FNR == 2 && NR > 2 { d = $2 - energy; exit !(d < 0.02 && d > -0.02) }' rigid.csv rescored.csv
run score --ligand $ligand --out turned.csv --minimize --refine_torsions --out_poses turned.sdf
check 'with torsions: lower' all exited 0 -- awk -F, '
    FNR == 2 && NR == 2 { energy = $2 }
    FNR == 2 && NR > 2 { exit !($2 + $6 < energy - 1) }' rigid.csv turned.csv
check 'the pose is tagged with strain and how far it went' \
    all holds turned.sdf '<strain>' -- holds turned.sdf '<rmsd>'
run score --ligand rigid.mol2 --out again.csv --minimize --refine_evaluations 1
check 'one evaluation goes nowhere' awk -F, '
    FNR == 2 && NR == 2 { energy = $2 }
    FNR == 2 && NR > 2 { d = $2 - energy; exit !(d < 0.002 && d > -0.002) }' rescored.csv again.csv
run score --ligand $ligand --out same.csv --out_poses same.mol2
run score --ligand same.mol2 --out again.csv
check '--out_poses without --minimize has them as they stand' all exited 0 -- same same.csv again.csv
run score --ligand $ligand --out same.csv --out_poses same.pdbqt
check 'also as PDBQT' all exited 0 -- grep -q '^REMARK SMILES ' same.pdbqt -- grep -q ' HD *$' same.pdbqt

{
    fragment first
    fragment bad X.9
    cat $ligand
    fragment last
} >some.mol2
run score --ligand some.mol2 --out some.csv --failures bad.csv
check 'a bad molecule is a failed row, the others stay' all exited 2 -- lines some.csv 4 -- lines bad.csv 2 -- \
    holds stderr 'some.mol2:23: bad: atom 7'
names , 1 some.csv >given
printf 'first\namprenavir\nlast\n' >wanted
check 'and their order' same wanted given
check 'the failure names the molecule and the reason' holds bad.csv 'bad,"some.mol2:23: atom 7'
fragment fallback S.ar >fallback.mol2
run score --ligand fallback.mol2 --out -
check 'a fallback type is reported' all exited 0 -- said 'a fallback type is reported'
run by plp --ligand $ligand --out -
check 'by the piecewise linear potential: a wall, hydrogen bonds, metals and contacts' all exited 0 -- awk -F, '
    function near(a, b) { return a - b < 2e-3 && b - a < 2e-3 }
    FNR == 2 && near($2, -79.2275) && near($3, 11.3471) && near($4, -9.6837) && $5 == 0 && near($6, -80.8909) { ok = 1 }
    END { exit !ok }' stdout
run by chemplp --ligand $ligand --out -
check 'a scoring that there is not' all exited 1 -- said 'a scoring that there is not'
awk '/ATOM/ { atom = 1 } /BOND/ { atom = 0 } atom && NF > 5 { $3 += 500 } { print }' $ligand >far.mol2
run score --ligand far.mol2 --out -
check 'far away the energy is 0' all exited 0 -- grep -q '^amprenavir,0.0000,0.0000,0.0000,0.0000' stdout

slice docking 'poses of other programs, and how far they are from a reference'
# What Vina and its kin write: a model for each pose.
if command -v obabel >/dev/null; then
    "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $ligand --ligand $ligand --scoring vina --search fast \
        --poses 16 --num_modes 3 --out poses.pdbqt --scores poses.csv 2>/dev/null >&2
    run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand poses.pdbqt --out again.csv
    columns poses.csv energy >wanted
    columns again.csv energy >found
    cut -d, -f 1 again.csv >names
    printf '%s\n' name amprenavir amprenavir amprenavir >wanted_names
    check 'models of PDBQT are poses, by the names that they have' all exited 0 -- same wanted_names names -- [ "$(wc -l <found)" = 3 ] -- sh -c 'paste wanted found |
        awk "{ apart = \$1 - \$2; if (apart > 0.05 || apart < -0.05) bad = 1 } END { exit bad }"'
    sed '/^REMARK  Name/d' poses.pdbqt >nameless.pdbqt
    run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand nameless.pdbqt --out again.csv
    cut -d, -f 1 again.csv >names
    printf '%s\n' name nameless nameless:2 nameless:3 >wanted_names
    check 'without one by names of one kind' all exited 0 -- same wanted_names names
    awk '/^MODEL *2/ { second = 1 } second && /^ATOM/ { print "BEGIN_RES THR A 315"; second = 0 } { print }' poses.pdbqt >moved.pdbqt
    run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand moved.pdbqt --out again.csv
    check 'one with side chains fails alone' all exited 2 -- lines again.csv 3 -- \
        grep -q '^berth: failed: moved.pdbqt:[0-9]*: .*moved:2: .*BEGIN_RES' stderr
else
    skip 'models of PDBQT' 'Open Babel is not installed'
fi
# Poses of a docking (their tags say which) and a molecule that was none.
receptor=demo/1hpv_receptor.mol2
run "$BERTH" dock --receptor $receptor --autobox_ligand $ligand --reference $ligand --ligand demo/1hpv_ligand_turned.mol2 \
    --scoring vina --search fast --poses 16 --num_modes 3 --out docked.sdf --scores docked.csv
{ cat docked.sdf; sed '/^>  <mode>/,/^$/d' docked.sdf; } >both.sdf
run "$BERTH" score --receptor $receptor --ligand both.sdf --reference $ligand --out both.csv
columns both.csv mode rmsd | sed -n 1,3p >found
columns docked.csv mode rmsd >wanted
check 'of poses of a docking mode and, to a reference, the same rmsd' all exited 0 -- silent -- \
    awk -F, 'FNR == NR { rmsd[$1] = $2; next } { d = $2 - rmsd[$1]; seen += d < 0.002 && d > -0.002 && $1 == FNR } END { exit seen != 3 }' wanted found
columns both.csv mode rmsd | sed -n 4,6p | sed 's/^/,/' | tr -s , >bare
cut -d, -f2 found | sed 's/^/,/' >wanted
check 'no mode where there is no tag' same wanted bare
run "$BERTH" score --receptor $receptor --ligand $ligand --reference $ligand --out one.csv
check 'the unit is said' grep -q '^berth: device [0-9]*: .*; energies by vina in kcal/mol$' stderr.raw
check 'of others rmsd alone' all exited 0 -- holds one.csv name,energy,gauss1 -- \
    sh -c '[ "$(cut -d, -f8 one.csv | paste -sd " ")" = "rmsd 0.000" ]'
run "$BERTH" score --receptor $receptor --ligand docked.sdf --reference pocket.mol2 --out other.csv
check 'another molecule has none, and is named' all exited 0 -- holds stderr '3 of 3 ligands (amprenavir' -- \
    sh -c '[ -z "$(cut -d, -f9 other.csv | sed 1d | tr -d "\n")" ]'
run "$BERTH" score --receptor $receptor --ligand docked.sdf --reference $ligand --minimize --out down.csv --out_poses down.sdf
check 'minimised, too, and in the poses' all exited 0 -- python3 - <<'END'
import csv, re
rows = list(csv.DictReader(open("down.csv")))
records = open("down.sdf").read().split("$$$$\n")
assert [row["mode"] for row in rows] == ["1", "2", "3"]
for row, record in zip(rows, records):
    assert f">  <rmsd>\n{row['rmsd']}\n" in record and f">  <mode>\n{row['mode']}\n" in record
END

finish
