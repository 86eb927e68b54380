#!/bin/sh
# --scoring vina and vinardo against Debian's `vina --score_only`: the redocking set's crystal and start
# poses, and ligands of fabp4 as berth docks them, with the same protons on both sides.
# shellcheck disable=SC2016
. tests/cli/lib.sh

run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out - --scoring vina
check 'terms, rotors and total of a pose' all exited 0 -- grep -qx \
    'name,energy,gauss1,gauss2,repulsion,hydrophobic,hydrogen_bond,clash,rotors,total' stdout -- \
    awk -F, 'NR == 2 { d = $2 - $3 - $4 - $5 - $6 - $7; t = $2 / (1 + 0.05846 * $9) - $10
        ok = $2 < -13.97 && $2 > -14 && $9 == 13 && d * d < 1e-7 && t * t < 1e-7 } END { exit !ok }' stdout

tail -n 1 stdout >wanted # vina has -13.985
run "$BERTH" prep receptor demo/1hpv_receptor.mol2 --keep_types --out kept.brec
run "$BERTH" score --receptor kept.brec --ligand demo/1hpv_ligand.mol2 --out - --scoring vina
check 'the same from Mol2 with single bonds alone and from what is prepared of it' [ "$(tail -n 1 stdout)" = "$(cat wanted)" ]

slice vina 'energies and totals'
if [ ! -d "${reference:-/none}/redock" ]; then
    skip 'energies and totals' 'no reference data'
    finish
fi
if ! command -v vina >/dev/null || ! command -v obabel >/dev/null; then
    skip 'energies and totals' 'autodock-vina or Open Babel is not installed'
    finish
fi

# What berth prepares of receptor.pdbqt, as PDBQT: without waters and what else it leaves out.
filter_receptor() { # FILE
    "$BERTH" prep receptor "$1" --out r.brec --mol2 r.mol2 --overwrite >/dev/null 2>&1 || return 1
    awk 'FNR == NR { if (/^@/) atoms = /ATOM/; else if (atoms) kept[sprintf("%.3f %.3f %.3f", $3, $4, $5)]; next }
        /^(ATOM|HETATM)/ {
            type = substr($0, 78); sub(/ *$/, "", type)
            place = sprintf("%.3f %.3f %.3f", substr($0, 31, 8), substr($0, 39, 8), substr($0, 47, 8))
            if (type ~ /^HD?$/ ? last : last = place in kept) print
        }' r.mol2 "$1" >r.pdbqt
}

# compare NAME FUNCTION: the molecules of poses.mol2 in r.pdbqt.  Vina bends what an atom has above 0 down
# by as many thousandths, so that a pose with clashes may differ by the square of the repulsion, in
# thousandths.
compare() {
    rm -rf parts mine.csv
    mkdir parts
    obabel poses.mol2 -opdbqt -O parts/x.pdbqt -m >/dev/null 2>&1
    "$BERTH" score --receptor r.brec --ligand poses.mol2 --scoring "$2" --out mine.csv >/dev/null 2>&1
    number=0
    sed 1d mine.csv | while read -r row; do
        number=$((number + 1))
        theirs=$(vina --receptor r.pdbqt --ligand parts/x$number.pdbqt --scoring "$2" --score_only --autobox \
            --cpu 1 2>/dev/null | sed -n -e 's/^.*Intermolecular[^:]*: *\([-0-9.]*\).*/\1/p' \
            -e 's/^.*Free Energy of Binding[^:]*: *\([-0-9.]*\).*/\1/p' | paste -s -d , | awk -F, '{ print $2 "," $1 }')
        echo "$1 $number,$row,$theirs"
    done >>"$2.compared"
}

complexes=$(cd "$reference/redock" && ls -d [0-9]??? | awk 'NR % 2')
for complex in $complexes; do
    filter_receptor "$reference/redock/$complex/receptor.pdbqt" || continue
    for pose in crystal start; do
        file=$reference/redock/$complex/$pose.sdf
        [ -e "$file" ] || file=$reference/redock/$complex/$pose.pdbqt
        obabel "$file" -omol2 -O poses.mol2 >/dev/null 2>&1
        for scoring in vina vinardo; do
            compare "$complex.$pose" $scoring
        done
    done
done

# Every second active of fabp4.
zcat "$reference/dude/fabp4/actives_final.mol2.gz" | awk '/MOLECULE/ { n++ } n % 2 == 0' >ligands.mol2
obabel "$reference/dude/fabp4/receptor.pdb" -p 7.4 -opdb -O protons.pdb >/dev/null 2>&1
obabel protons.pdb -xr -opdbqt 2>/dev/null | sed 's/^\(ATOM.* NH2 ARG .*\) NA$/\1 N /' >protons.pdbqt # no acceptor
filter_receptor protons.pdbqt
"$BERTH" dock --scoring vina --receptor r.brec --autobox_ligand "$reference/dude/fabp4/crystal_ligand.mol2" --ligand ligands.mol2 \
    --num_modes 1 --search fast --out poses.mol2 >/dev/null 2>&1
compare fabp4 vina
"$BERTH" dock --scoring vina --receptor r.brec --autobox_ligand "$reference/dude/fabp4/crystal_ligand.mol2" --ligand ligands.mol2 \
    --num_modes 1 --search fast --out poses.pdbqt >/dev/null 2>&1
rm -rf parts
mkdir parts
awk '/^MODEL/ { n++; next } n <= 20 && !/^ENDMDL/ { print >("parts/" n ".pdbqt") }' poses.pdbqt
for part in parts/*.pdbqt; do
    echo "$part,$(sed -n 's/^REMARK VINA RESULT: *\([-0-9.]*\).*/\1/p' "$part"),$(sed -n 's/^REMARK  repulsion = //p' "$part"),$(
        vina --receptor r.pdbqt --ligand "$part" --score_only --autobox --cpu 1 2>/dev/null |
            sed -n 's/^.*Free Energy of Binding[^:]*: *\([-0-9.]*\).*/\1/p')"
done >pdbqt.compared
check "of poses written as PDBQT, vina --score_only has the score ($(wc -l <pdbqt.compared))" \
    awk -F, '{ d = $2 - $4; if ($4 == "" || (d < 0 ? -d : d) > 0.05 + $3 * $3 / 1000) { print; bad = 1 } } END { exit bad || !NR }' pdbqt.compared

for scoring in vina vinardo; do
    awk -F, -v scoring=$scoring 'NR == 1 { print "# " scoring }
        function beyond(a, b, most) { return a - b > most || b - a > most }
        {
            repulsion = scoring == "vina" ? $6 : $5
            slack = repulsion * repulsion / 1000
            if (slack < 0.01) { squares += ($3 - $(NF - 1)) ^ 2; mild++ }
            if ($NF == "" || $(NF - 1) == "" || beyond($3, $(NF - 1), 0.04 + slack) ||
                beyond($(NF - 2), $NF, 0.05 + slack)) { print; bad++ }
        } END {
            printf "# root mean square of %d without clashes %.4f\n", mild, sqrt(squares / mild)
            exit bad > 0 || NR < 6 || squares / mild > 0.015 ^ 2
        }' $scoring.compared >wrong
    result=$?
    cat wrong
    check "$scoring: energies within 0.04, 0.015 (root mean square), and totals within 0.05 of $(wc -l <$scoring.compared) poses" [ $result -eq 0 ]
done
# A box of atoms: what stands farthest out of an edge of 13 Å about the site's centre.
outside() { # FILE
    awk '/V2000$/ { n = $1; next } n-- > 0 && $4 != "H" {
        split("9.92 16.231 8.825", c); for (k = 1; k <= 3; k++) { d = $k - c[k]; d = (d < 0 ? -d : d) - 6.5; if (d > most) most = d }
    } END { print most + 0 }' "$1"
}
in_box() { # WHAT
    run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand_turned.mol2 --search fast --scoring vina \
        --center_x 9.92 --center_y 16.231 --center_z 8.825 --size_x 13 --size_y 13 --size_z 13 --box "$1" --out "$1.sdf"
}
in_box centroid
check 'a box of a centroid lets atoms out' all exited 0 -- [ "$(outside centroid.sdf | cut -d . -f 1)" -ge 1 ]
in_box atoms
check 'a box of atoms does not (1 Å)' all exited 0 -- [ "$(outside atoms.sdf | cut -d . -f 1)" -lt 1 ]
refused 'a box of atoms of a search without maps' \
    "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    --box atoms --search rigid_fast --out out/p.sdf
finish
