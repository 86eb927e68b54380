#!/bin/sh
# berth dock: its outputs, the site, conformers and ligands.  Searches are tiny: what they find is
# checked elsewhere.
. tests/cli/lib.sh

crystal=demo/1hpv_ligand.mol2

run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference $crystal --out poses.sdf \
    --scores scores.csv --num_modes 5 --refine_torsions --verbose
check 'one ligand' all exited 0 -- silent
check 'scores.csv has its header' \
    grep -qx 'ordinal,ligand,mode,score,energy,steric,electrostatic,desolvation,strain,conformer_strain,efficiency,rmsd,clash,conformer,heavy_atoms,conformers,device' scores.csv
check 'and a row for each mode, best first, terms adding up' awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $1 != 0 || $2 != "amprenavir" || $c["conformer"] != 1 || $c["mode"] != FNR - 1 { bad = 1 }
    $c["conformer_strain"] != "" || ("rank" in c) || $c["strain"] == "" { bad = 1 }
    $c["heavy_atoms"] != 35 || $c["conformers"] != 1 || $c["device"] == "" { bad = 1 }
    FNR > 2 && $c["score"] < last { bad = 1 }
    { last = $c["score"]; d = last - $c["energy"] - $c["strain"]; if (d > 2e-4 || d < -2e-4) bad = 1 }
    { d = $c["energy"] - $c["steric"] - $c["electrostatic"] - $c["desolvation"] }
    d > 3e-4 || d < -3e-4 { bad = 1 }
    $c["rmsd"] !~ /^[0-9]+\.[0-9][0-9][0-9]$/ { bad = 1 }
    { d = $c["efficiency"] - $c["energy"] / 35; if (d > 1e-4 || d < -1e-4) bad = 1 }
    END { exit bad || FNR != 6 }' scores.csv
echo nonsense >bad.smi
"$BERTH" dock --receptor pocket.mol2 --ligand bad.smi --autobox_ligand demo/1hpv_ligand.mol2 --search fast --out empty.sdf >lines 2>/dev/null
check 'that a file of poses has none is said' all [ $? -eq 2 ] -- [ ! -s empty.sdf ] -- grep -q 'empty.sdf' lines
check 'poses.failures.csv is there and empty but for its header' \
    all lines poses.failures.csv 1 -- grep -qx 'ordinal,ligand,reason' poses.failures.csv -- absent failures.csv
cp stdout terminal
columns scores.csv mode score energy steric electrostatic desolvation strain conformer rmsd | tr , ' ' >rows
check 'the table on the terminal is that of scores.csv, with its unit' all grep -q '^  *kJ/mol  *kJ/mol' stdout -- awk '
    FNR == NR { for (i = 1; i <= 9; i++) row[$1, i] = $i; next }
    /^    [0-9]/ {
        seen++
        for (i = 1; i <= 9; i++) {
            d = $i - row[$1, i]
            if (d > 0.0061 || d < -0.0061) { print; bad = 1 }
        }
    }
    END { exit bad || seen != 5 }' rows stdout

# What is printed without --verbose: five lines, a table, the closing line; a ranking has no unit.
run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --ligand $crystal --reference $crystal \
    --poses 16 --generations 2 --seeds 2 --num_modes 3 --out brief.sdf --scores brief.csv --verbose
check '--verbose: the ranking has no unit' all exited 0 -- \
    grep -q '^ mode pose_ranking     score      vina   vinardo       plp      bude    fitted   strain conformer    rmsd$' stdout -- \
    grep -q '^                    kcal/mol  kcal/mol  kcal/mol       PLP    kJ/mol  kcal/mol kcal/mol                 Å$' stdout -- \
    holds stdout 'variant ' -- holds stdout 'divided by'
columns brief.csv score rmsd | tr , ' ' >rows
run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --ligand $crystal --reference $crystal \
    --poses 16 --generations 2 --seeds 2 --num_modes 3 --out brief.sdf --scores brief.csv
check 'without: at most five lines, then the table, its verdict and a closing line' all exited 0 -- \
    [ "$(grep -n '^amprenavir$' stdout | cut -d : -f 1)" -le 7 ] -- \
    [ "$(sed -n '/^amprenavir$/{n;p;}' stdout)" = ' mode  affinity  confidence  seeds    rmsd' ] -- \
    [ "$(grep -A 2 '^ mode' stdout | sed -n 2p)" = '       kcal/mol                          Å' ] -- \
    grep -q '^first pose: ' stdout -- lacks stdout pose_ranking -- lacks stdout variant -- \
    [ "$(tail -n 1 stdout | sed 's/[0-9.]* s;/N s;/')" = '1 ligand docked, 2 conformers, 0 failed; N s; every column: brief.csv' ]
check 'the numbers are those of the CSV, the confidence that of the first' awk '
    FNR == NR { score[FNR] = $1; rmsd[FNR] = $2; next }
    /^    [0-9]/ { seen++; d = $2 - score[$1]; e = $NF - rmsd[$1]; if (d * d > 4e-5 || e * e > 4e-5) bad = 1
        if (NF != ($1 == 1 ? 6 : 4)) bad = 1 }
    END { exit bad || seen != 3 }' rows stdout

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
sed -n 's/^>  <\(.*\)>$/\1/p; /^\$\$\$\$/q' poses.sdf >tags
head -n 1 scores.csv | tr , '\n' | grep -v -e rank -e conformer_strain >wanted
echo seed >>wanted
check 'the tags: as the columns, in their order' same wanted tags
sed -n '/^>  <score>$/{n;p;}' poses.sdf >given
columns scores.csv score >wanted
check 'and what they say' same wanted given

run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference $crystal --out poses.mol2 \
    --scores again.csv --num_modes 5 --refine_torsions
check 'poses as Mol2: the same scores' all exited 0 -- same scores.csv again.csv
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --scoring bude --ligand poses.mol2 --out rescored.csv
check 'scored again, the poses have their energies (0.02)' scores_agree scores.csv rescored.csv 0.02
run "$BERTH" score --receptor demo/1hpv_receptor.mol2 --scoring bude --ligand poses.mol2 --out - --forcefield \
    "$root/data/forcefields/by-atom-2017.bhff"
check 'the shipped forcefield is the built-in one' all exited 0 -- same rescored.csv stdout

run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference $crystal --out packed.sdf.gz \
    --scores packed.csv.gz --num_modes 5 --refine_torsions
gzip -dc packed.sdf.gz >unpacked.sdf
gzip -dc packed.csv.gz >unpacked.csv
check 'poses and scores are packed where their names end with .gz' all exited 0 -- silent -- \
    same poses.sdf unpacked.sdf -- same scores.csv unpacked.csv -- lines packed.failures.csv 1 -- \
    [ "$(od -An -tu1 -j4 -N4 packed.csv.gz | tr -d ' ')" = 0000 ]
# Of a pose that is not the reference's, whether it was found: the reference is the second mode.
run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --out two.mol2 --scores two.csv --num_modes 2 --min_rmsd 3
awk '/@<TRIPOS>MOLECULE/ { n++ } n == 2' two.mol2 >second.mol2
run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference second.mol2 --out again.mol2 --num_modes 2 --min_rmsd 3 \
    --verbose
columns two.csv score | awk '{ printf "%s%.2f", NR == 1 ? "" : " ", $1 }' >values
read -r first second <values
check 'the first mode within 2 Å, and what it is ranked by' all exited 0 -- \
    grep -q "^mode 2 .*(0.00 Å).*(score $second, mode 1 $first)$" stdout
run quick_dock --ligand demo/1hpv_ligand_turned.mol2 --reference second.mol2 --out one.mol2 --num_modes 1 --verbose
check 'and where there is none what tells whether it was missed' all exited 0 -- said 'no mode near the reference' '--minimize'
run "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --scoring vina --search fastest \
    --reference demo/1hpv_ligand_turned.mol2 --num_modes 1 --out missed.sdf --verbose
check 'of a search with torsions on the same terms' all exited 0 -- holds stdout '--template demo/1hpv_ligand_turned.mol2'

run quick_dock --ligand - --out piped.sdf --scores - --num_modes 5 --refine_torsions <demo/1hpv_ligand_turned.mol2
check 'from standard input; scores to standard output, nothing else there' \
    all exited 0 -- lines stdout 6 -- [ -z "$(columns stdout rmsd | tr -d '\n')" ]
cut -d, -f 1-11,13- scores.csv >without
cut -d, -f 1-11,13- stdout >piped
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
run quick_dock --ligand $crystal --out box.sdf --autobox_add 2.5 --verbose
check 'and with autobox_add' grep -qxF "$(site 2.5)" stdout
run "$BERTH" dock --receptor pocket.mol2 --ligand $crystal $rigid --poses 512 --generations 2 \
    --center_x 9.92 --center_y=16.23 --center_z 8.8 --size_x 6 --size_y 7.5 --size_z 8 \
    --num_modes 40 --min_rmsd 0 --refine 40 --out box.mol2
check 'a site by centre and edges' all exited 0 -- \
    holds stdout '; site (9.920, 16.230, 8.800), edges 6.00 x 7.50 x 8.00 Å'
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
best() { columns "$1" score | head -n 1; }
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
    [ -z "$(columns 'refined--refine 0.csv' strain; columns 'refined--refine 8.csv' strain)" ] -- \
    sh -c '! grep -q "<strain>" "refined--refine 0.sdf" "refined--refine 8.sdf"'
{
    fragment stiff
} >stiff.mol2
run quick_dock --ligand stiff.mol2 --out stiff.sdf --scores stiff.csv
check 'a ligand without torsions' all exited 0 -- silent -- [ -z "$(columns stiff.csv strain)" ]
check 'more poses to refine than parents: all parents' \
    quick_dock --ligand stiff.mol2 --out few.sdf --parents 3 --refine 5

printf '%s\n' 'receptor = demo/1hpv_receptor.mol2' "ligand = demo/1hpv_ligand_turned.mol2 # turned" \
    "autobox_ligand = $crystal" "reference = $crystal" 'poses = 512' 'generations = 9' \
    'scoring = bude' 'search = rigid_balanced' \
    'num_modes = 5' 'hops = 0' 'refine_torsions = yes' 'scores = config.csv' 'out = config.sdf' >config
run "$BERTH" dock --config config --generations 3
check 'options from a file; the command line wins' all exited 0 -- same scores.csv config.csv
run quick_dock --ligand $crystal --out range.sdf --scores range.csv --num_modes 100 --min_rmsd 0 \
    --energy_range 50 --verbose
columns range.csv score >ranges
check 'energy_range, and that it is why there are fewer' all grep -q '^1 ligand .* 100 .*: [1-9][0-9]* .*--energy_range' stdout -- \
    awk 'NR == 1 { best = $1 } $1 > best + 50.0001 { exit 1 }' ranges
run quick_dock --ligand $crystal --out apart.sdf --scores apart.csv --num_modes 100 --min_rmsd 4 --verbose
check 'min_rmsd is, likewise' grep -q '^1 ligand .* 100 .*: [1-9][0-9]* .*--min_rmsd' stdout
cat $crystal demo/1hpv_ligand_turned.mol2 >two.mol2
run quick_dock --ligand two.mol2 --separate --out apart.sdf --num_modes 100 --min_rmsd 4 --verbose
check 'which ligands they are' grep -q '^2 ligands .* 100 .*(amprenavir, amprenavir[a-z_]*): ' stdout
run quick_dock --ligand $crystal --out one.sdf --num_modes 1 --verbose
check 'where there are enough, nothing is said' all exited 0 -- lacks stdout fewer

run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --ligand $crystal --out in.sdf --scores in.csv --center_x 10 --center_y 26 \
    --center_z 16 --size_x 1 --size_y 1 --size_z 1 --search fast --scoring vinardo --num_modes 2
check 'a best pose that does not bind is said to be one, and what to look at' all exited 0 -- \
    said 'a best pose that does not bind' 'not below 0' -- awk -F, 'NR == 2 { exit !($4 >= 0) }' in.csv -- \
    sh -c 'tail -n 1 stderr | grep -q "^berth: warning: "'
run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --ligand $crystal --out in.sdf --scores in.csv --center_x 10 --center_y 26 \
    --center_z 16 --size_x 1 --size_y 1 --size_z 1 --search fast --scoring vinardo --num_modes 2 --verbose
check 'with --verbose among the results, with what a score is' all holds stdout 'not below 0' -- \
    said 'what the score is' 'divided by'

# Conformers: consecutive, of one name but for _C<digits>, and the same atoms and bonds.
{
    fragment phenol_C1
    fragment phenol_C2
    fragment other
    fragment phenol_C3
} >conformers.mol2
run quick_dock --ligand conformers.mol2 --out c.sdf --scores c.csv --num_modes 20
columns c.csv ordinal ligand conformer >conformed
check 'three ligands, two conformers competing in one' all exited 0 -- awk -F, '
    { if (NR == 1 || $1 != last) order = order $1 $2 " "; last = $1; seen[$2 $3] = 1 }
    END { exit order != "0phenol 2other 3phenol " || !seen["phenol1"] || !seen["phenol2"] }' conformed
check 'the terminal has a line for each' grep -q '^3 ligands docked, 4 conformers, 0 failed; ' stdout
run quick_dock --ligand conformers.mol2 --out s.sdf --scores s.csv --num_modes 1 --separate
columns s.csv ligand conformer mode >given
printf '%s\n' phenol_C1,1,1 phenol_C2,1,1 other,1,1 phenol_C3,1,1 >wanted
check '--separate docks each by itself' same wanted given

slice docking 'on maps, by other functions, signals, a profile'
# By the defaults: Vina's function, on maps.  --exhaustiveness is what Vina's users know.
mapped() { # NAME OPTIONS...
    mapped_name=$1
    shift
    "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --reference $crystal \
        --ligand demo/1hpv_ligand_turned.mol2 --scoring vina --generations 2 --out "$mapped_name.sdf" \
        --scores "$mapped_name.csv" "$@"
}
run mapped effort --exhaustiveness 1
check 'by the scoring function of AutoDock Vina, with torsions' all exited 0 -- silent -- holds stdout 'scoring vina' -- \
    holds stdout '32 poses x 2 generations' -- grep -q ',energy,gauss1,gauss2,repulsion,hydrophobic,hydrogen_bond,' effort.csv -- \
    tagged effort.sdf
run mapped poses --poses 32 --batch 1
check '--exhaustiveness 1 is 32 poses' all exited 0 -- same effort.sdf poses.sdf -- same effort.csv poses.csv
refused '--exhaustiveness beside --poses' mapped out/twice --exhaustiveness 1 --poses 32
refused '--exhaustiveness of a rigid search' mapped out/rigid --exhaustiveness 1 --search rigid_fast

refused 'nothing refined on maps' mapped out/none --refine 0

# Minutes of work, of which a signal lets one launch finish.
cat $crystal $crystal $crystal $crystal $crystal $crystal $crystal $crystal >long.mol2
cat long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 long.mol2 >longer.mol2
cat longer.mol2 longer.mol2 longer.mol2 longer.mol2 longer.mol2 >longest.mol2
mkdir signal
rm -f stdout # an earlier run's has the line that is waited for
"$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --ligand longest.mol2 \
    --separate --batch 1 $rigid --poses 16384 --generations 4 --out signal/p.sdf >stdout 2>stderr.raw &
until grep -q '^seed ' stdout || ! kill -0 $!; do sleep 0.05; done
kill -TERM $!
wait $!
code=$?
grep '^berth: interrupted' stderr.raw >stderr
check 'a signal ends a run in good order' all exited 1 -- said 'a signal ends a run in good order' -- nothing_in signal

run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand $crystal --ligand \
    demo/1hpv_ligand_turned.mol2 --reference $crystal --out plp.sdf --scores plp.csv \
    --search rigid_fast --scoring plp --verbose
check 'by the piecewise linear potential: its terms and unit stand above the table' all exited 0 -- silent -- \
    grep -q ' wall hydrogen_bond  *metal  *contact ' stdout -- grep -q ' PLP  *PLP ' stdout
check 'and its terms in the table and the tags' all grep -q ',energy,wall,hydrogen_bond,metal,contact,' plp.csv -- \
    grep -q '^>  <contact>$' plp.sdf -- \
    [ "$(grep -c steric plp.sdf)" -eq 0 ]
columns plp.csv energy rmsd >near
check 'and amprenavir lies where it should' awk -F, '
    FNR == 1 && $1 < -80 && $2 < 1 { ok = 1 } END { exit !ok }' near
run quick_dock --ligand $crystal --out profiled.sdf --profile
check '--profile: the time of each kernel, and the bytes to the device and from it' all exited 0 -- \
    grep -q '^energy  *[0-9]' stdout -- grep -q '^busy [0-9.]* % of the time' stdout -- \
    awk '/ MB to the device, .* MB from it$/ { ok = $1 > 0.01 && $6 > 0 } END { exit !ok }' stdout
quick_dock --ligand $crystal --out pipe.sdf 2>/dev/null | head -n 1 >/dev/null
check 'a reader that closes the terminal output loses no results' [ -s pipe.sdf ]
finish
