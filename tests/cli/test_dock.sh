#!/bin/sh
# berth dock: its outputs, the site, conformers and ligands.  Searches are tiny: what they find is
# checked elsewhere.
. tests/cli/lib.sh

crystal=demo/1hpv_ligand.mol2

run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference $crystal --out poses.sdf \
    --scores scores.csv --num_modes 5 --refine_torsions
check 'one ligand' all exited 0 -- silent
check 'scores.csv has its header' \
    grep -qx 'ligand,conformer,mode,energy,steric,electrostatic,desolvation,rmsd,conformer_strain,efficiency,strain' scores.csv
check 'and a row for each mode, best first, terms adding up' awk -F, '
    FNR == 1 { next }
    NF != 11 || $9 != "" || $11 == "" || $1 != "amprenavir" || $2 != 1 || $3 != FNR - 1 { bad = 1 }
    FNR > 2 && $4 + $11 < last - 2e-4 { bad = 1 }
    { last = $4 + $11; d = $4 - $5 - $6 - $7; if (d > 3e-4 || d < -3e-4) bad = 1 }
    $8 !~ /^[0-9]+\.[0-9][0-9][0-9]$/ { bad = 1 }
    { d = $10 - $4 / 35; if (d > 1e-4 || d < -1e-4) bad = 1 } # amprenavir has 35 heavy atoms
    END { exit bad || FNR != 6 }' scores.csv
check 'failures.csv is there and empty but for its header' \
    all lines failures.csv 1 -- grep -qx 'ligand,reason' failures.csv

# What stands on the terminal; numbers that depend on the device or the hour are left out.
sed -e 's/^device [0-9]*: .*/device/' -e 's/[0-9.]* s, [0-9.e+]* interactions/T s, R interactions/' \
    -e 's/^    [1-9] .*/    a mode/' stdout >terminal
golden dock-terminal.txt terminal
check 'the table is that of scores.csv' awk '
    FNR == NR { if (FNR > 1) { n = split($0, f, ","); for (i = 2; i <= n; i++) row[f[3], i] = f[i] }
        next }
    /^    [0-9]/ {
        seen++
        $0 = $7 " " $1 " " $2 " " $3 " " $4 " " $5 " " $8 " " $6
        for (i = 1; i <= 8; i++) {
            d = $i - row[$2, i == 8 ? 11 : i + 1]
            if (d > 0.0061 || d < -0.0061) { print; bad = 1 }
        }
    }
    END { exit bad || seen != 5 }' scores.csv stdout

if command -v obabel >/dev/null; then
    run obabel -isdf poses.sdf -oreport
    check 'Open Babel reads the poses: five of C25H36N3O6S+ or C25H35N3O6S' \
        awk '/^FORMULA: C25H3[56]N3O6S/ { n++ } END { exit n != 5 }' stdout
    atoms=$(awk 'NR == 3 { print $1 }' $crystal)
    check 'and as many atoms and bonds as the input' awk -v atoms="$atoms" '
        /V2000$/ && $1 == atoms { n++ } END { exit n != 5 }' poses.sdf
else
    skip 'Open Babel reads the poses' 'obabel is not installed'
fi
tags=$(sed -n 's/^>  <\(.*\)>$/\1/p' poses.sdf | sort -u | tr '\n' ' ')
check 'the tags' [ "$tags" = \
    'conformer desolvation efficiency electrostatic energy ligand mode rmsd seed steric strain ' ]

run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference $crystal --out poses.mol2 \
    --scores again.csv --num_modes 5 --refine_torsions
check 'poses as Mol2: the same scores' all exited 0 -- same scores.csv again.csv
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand poses.mol2 --out rescored.csv
check 'scored again, the poses have their energies (0.02)' scores_agree scores.csv rescored.csv 0.02
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand poses.mol2 --out - --forcefield \
    "$root/data/forcefields/by-atom-2017.bhff"
check 'the shipped forcefield is the built-in one' all exited 0 -- same rescored.csv stdout

run quick_dock --ligand - --out piped.sdf --scores - --num_modes 5 --refine_torsions <demo/1hpv_ligand_turned.mol2
check 'from standard input; scores to standard output, nothing else there' \
    all exited 0 -- lines stdout 6 -- awk -F, '$8 != "" && NR > 1 { exit 1 }' stdout
cut -d, -f 1-7 scores.csv >without
cut -d, -f 1-7 stdout >piped
check 'the same without a reference, but for the RMSD' same without piped

# The box is centred on the reference's heavy atoms; edges are 2 (add + extent / 4).
site() { # ADD: the line that the program should print
    awk -v add="$1" '
        /^@/ { atom = /ATOM/; next }
        atom && $6 != "H" {
            for (k = 0; k < 3; k++) {
                x = $(3 + k); sum[k] += x
                if (!n || x < low[k]) low[k] = x
                if (!n || x > high[k]) high[k] = x
            }
            n++
        }
        END {
            for (k = 0; k < 3; k++) { c[k] = sum[k] / n; e[k] = 2 * (add + (high[k] - low[k]) / 4) }
            printf "site (%.3f, %.3f, %.3f), edges %.2f x %.2f x %.2f Å\n", c[0], c[1], c[2],
                e[0], e[1], e[2]
        }' $crystal
}
check 'the site that autobox_ligand gives' grep -qxF "$(site 4)" terminal
run quick_dock --ligand $crystal --out box.sdf --autobox_add 2.5
check 'and with autobox_add' grep -qxF "$(site 2.5)" stdout
run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --ligand $crystal --poses 512 --generations 2 \
    --center_x 9.92 --center_y=16.23 --center_z 8.8 --size_x 6 --size_y 7.5 --size_z 8 \
    --num_modes 100 --min_rmsd 0 --refine 100 --out box.mol2
check 'a site by centre and edges' all exited 0 -- \
    grep -qxF 'site (9.920, 16.230, 8.800), edges 6.00 x 7.50 x 8.00 Å' stdout
check 'all centroids of heavy atoms lie in it' awk '
    function leave() {
        if (n && (x / n < 9.92 - 3.001 || x / n > 9.92 + 3.001 || y / n < 16.23 - 3.751 ||
                  y / n > 16.23 + 3.751 || z / n < 8.8 - 4.001 || z / n > 8.8 + 4.001)) bad = 1
        if (n) poses++
        n = x = y = z = 0
    }
    /^@<TRIPOS>MOLECULE/ { leave() }
    /^@/ { atom = /ATOM/; next }
    atom && NF > 5 && $6 != "H" { n++; x += $3; y += $4; z += $5 }
    END { leave(); exit bad || poses < 20 }' box.mol2

# Refinement: what it does to the energy, to rigid conformers, and to a ligand that cannot turn.
best() { awk -F, 'NR == 2 { print $4 + $11 }' "$1"; }
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
tagged() { grep -q '^>  <strain>' "$1"; }
for options in '--refine 0' '--refine 8' '--refine 8 --refine_torsions'; do
    # The words of $options are separate options.
    # shellcheck disable=SC2086
    run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --out "refined$options.sdf" \
        --scores "refined$options.csv" $options
    check "docked with $options" all exited 0 -- silent
done
hops=2
run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --out hops.sdf --scores hops.csv --refine 8 \
    --refine_torsions
hops=0
check 'docked with hops' all exited 0 -- silent
check 'rigid refinement lowers the energy' \
    below "$(best 'refined--refine 8.csv')" "$(best 'refined--refine 0.csv')"
check 'torsions lower it more' \
    below "$(best 'refined--refine 8 --refine_torsions.csv')" "$(best 'refined--refine 8.csv')"
check 'hops lower it more' \
    below "$(best 'hops.csv')" "$(best 'refined--refine 8 --refine_torsions.csv')"
check 'only turned torsions have a strain' all tagged 'refined--refine 8 --refine_torsions.sdf' -- \
    grep -q ',$' 'refined--refine 0.csv' -- grep -q ',$' 'refined--refine 8.csv' -- \
    sh -c '! grep -q "<strain>" "refined--refine 0.sdf" "refined--refine 8.sdf"'
{
    fragment stiff
} >stiff.mol2
run quick_dock --ligand stiff.mol2 --out stiff.sdf --scores stiff.csv
check 'a ligand without torsions' all exited 0 -- silent -- grep -q '^stiff,1,1,.*,$' stiff.csv
check 'more poses to refine than parents: all parents' \
    quick_dock --ligand stiff.mol2 --out few.sdf --parents 3 --refine 5

printf '%s\n' 'receptor = demo/1hpv_receptor.mol2' "ligand = demo/1hpv_ligand_turned.mol2 # turned" \
    "autobox_ligand = $crystal" "reference = $crystal" 'poses = 512' 'generations = 9' \
    'num_modes = 5' 'hops = 0' 'refine_torsions = yes' 'scores = config.csv' 'out = config.sdf' >config
run "$BERTH" dock --config config --generations 3
check 'options from a file; the command line wins' all exited 0 -- same scores.csv config.csv
run quick_dock --ligand $crystal --out range.sdf --scores range.csv --num_modes 100 --min_rmsd 0 \
    --energy_range 50
check 'energy_range' awk -F, 'NR == 2 { best = $4 } NR > 1 && $4 > best + 50.0001 { exit 1 }' range.csv

# Conformers: consecutive, of one name but for _C<digits>, and the same atoms and bonds.
{
    fragment phenol_C1
    fragment phenol_C2
    fragment other
    fragment phenol_C3
} >conformers.mol2
run quick_dock --ligand conformers.mol2 --out c.sdf --scores c.csv --num_modes 20
check 'three ligands, two conformers competing in one' all exited 0 -- awk -F, '
    NR > 1 { if ($1 != last) order = order $1 " "; last = $1; seen[$1 $2] = 1 }
    END { exit order != "phenol other phenol " || !seen["phenol1"] || !seen["phenol2"] }' c.csv
check 'the terminal has a line for each' grep -q '^3 ligands, 4 conformers, 0 failed; ' stdout
run quick_dock --ligand conformers.mol2 --out s.sdf --scores s.csv --num_modes 1 --separate
cut -d, -f 1-3 s.csv >given
printf '%s\n' ligand,conformer,mode phenol_C1,1,1 phenol_C2,1,1 other,1,1 phenol_C3,1,1 >wanted
check '--separate docks each by itself' same wanted given

# Minutes of work, of which a signal lets one launch finish.
cat $crystal $crystal $crystal $crystal $crystal $crystal $crystal $crystal >long.mol2
cat long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 >longer.mol2
cat longer.mol2 longer.mol2 longer.mol2 longer.mol2 longer.mol2 >longest.mol2
mkdir signal
rm -f stdout # an earlier run's has the line that is waited for
"$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --ligand longest.mol2 \
    --separate --batch 1 --poses 16384 --generations 4 --out signal/p.sdf >stdout 2>stderr.raw &
waited=0
until grep -q '^seed ' stdout || [ $waited -eq 400 ]; do
    sleep 0.05
    waited=$((waited + 1))
done
kill -TERM $!
wait $!
code=$?
grep '^berth: interrupted' stderr.raw >stderr
check 'a signal ends a run in good order' all exited 1 -- \
    stderr_is 'berth: interrupted; nothing was written, start the run again' -- nothing_in signal

run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --ligand \
    demo/1hpv_ligand_turned.mol2 --reference $crystal --out plp.sdf --scores plp.csv \
    --search fast --scoring plp
check 'by the piecewise linear potential: its unit stands above the table' all exited 0 -- silent -- \
    grep -q '^             PLP       PLP           PLP         PLP  ' stdout
check 'and amprenavir lies where it should' awk -F, '
    FNR == 2 && $4 < -80 && $8 < 1 { ok = 1 } END { exit !ok }' plp.csv
quick_dock --ligand $crystal --out pipe.sdf 2>/dev/null | head -n 1 >/dev/null
check 'a reader that closes the terminal output loses no results' [ -s pipe.sdf ]
finish
