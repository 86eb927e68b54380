#!/bin/sh
# berth eval redock: tables, rows and pictures of a small set; what fails is listed; bad input.
. tests/cli/lib.sh

# A set of two: pyridine where it docks best into the demo's receptor, so that the answer is known to have
# the lowest energy (by 1 kJ/mol, so that no rounding decides); and a complex whose folder is missing.
mkdir -p set/pyridine
ln -s "$root/tests/fixtures/pocket.mol2" set/pyridine/receptor.mol2
fragment pyridine | sed -e 's/^ 7 7/ 6 6/' -e 's/^1 C1 \(.*\) C.ar/1 N1 \1 N.ar/' -e '/^7 /d' >fragment.mol2
run "$BERTH" dock --receptor pocket.mol2 --ligand fragment.mol2 $rigid --center_x 9.9 --center_y 16.2 \
    --center_z 8.8 --size_x 8 --size_y 8 --size_z 8 --poses 8192 --num_modes 1 --out set/pyridine/crystal.mol2 \
    --out_also crystal.sdf
check 'an answer to find again' exited 0
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\npyridine\t9.9\t16.2\t8.8\nnone\t0\t0\t0\n' >set/sites.tsv
find_rdkit
if [ -n "$python" ]; then
    mkdir -p whole/pyridine bin
    ln -s "$root/tests/fixtures/pocket.mol2" whole/pyridine/receptor.mol2
    ln -s "$(command -v "$python")" bin/python3
    mv crystal.sdf whole/pyridine/crystal.sdf
    printf 'pdb\tcenter_x\tcenter_y\tcenter_z\npyridine\t9.9\t16.2\t8.8\n' >whole/sites.tsv
    run env PATH="$work/bin" "$BERTH" eval redock whole $rigid --poses 512 --generations 2 --conformers 1 --size 8 \
        --mode crystal --out whole_out
    check 'SDF that says all needs no Open Babel' all exited 0 -- lines whole_out/redock.csv 2
else
    skip 'SDF that says all needs no Open Babel' 'RDKit is not installed'
fi

redock() {
    "$BERTH" eval redock set $rigid --poses 8192 --conformers 3 --size 8 "$@"
}

refuse() { # NAME ARGUMENTS...
    refuse_name=$1
    shift
    run "$BERTH" eval redock "$@"
    check "$refuse_name" all exited 1 -- stdout_is_empty -- said "$refuse_name" -- absent out
}

refuse 'two sets' set set --out out
refuse 'no such mode' set --out out --mode each
refuse 'torsions that the search keeps' set --out out --only pyridine --mode crystal,torsions --search rigid_fast
refuse 'no such builder' set --out out --builder quick
refuse 'no table' demo --out out
refuse 'a complex that is not there' set --out out --only pyridine,1abc
mkdir bad
printf 'pdb\tcenter_x\tcenter_y\n1hpv\t1\t2\n' >bad/sites.tsv
refuse 'a column that is missing' bad --out out
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\n1hpv\t1\ttwo\t3\n' >bad/sites.tsv
refuse 'no number' bad --out out
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\n../set\t1\t2\t3\n' >bad/sites.tsv
refuse 'a name that leads elsewhere' bad --out out
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\n' >bad/sites.tsv
refuse 'no complex' bad --out out
mkdir -p drawn/pyridine
ln -s "$root/tests/fixtures/pocket.mol2" drawn/pyridine/receptor.mol2
awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $5 = "0.0000" } { print }' set/pyridine/crystal.mol2 >drawn/pyridine/crystal.mol2
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\npyridine\t9.9\t16.2\t8.8\n' >drawn/sites.tsv
run "$BERTH" eval redock drawn $rigid --poses 512 --generations 2 --size 8 --mode crystal --out out
check 'a crystal that is a drawing' all exited 1 -- said 'a crystal that is a drawing' drawn/pyridine
rm -rf out
run redock --out nowhere/out
check 'no folder for the results' all exited 1 -- \
    said 'no folder for the results'
rm -rf out
run redock --out out --only none
check 'nothing that can be docked' all exited 1 -- stdout_is_empty -- said 'nothing that can be docked' -- absent out/redock.csv

run "$BERTH" eval redock set --out set
check 'the set itself for results' all exited 1 -- stdout_is_empty -- \
    said 'the set itself for results' -- absent set/failures.csv

# By the defaults, from a set that needs no Open Babel: the crystal's rings and bonds, torsions random.
mkdir -p known/amprenavir
ln -s "$root/tests/fixtures/pocket.mol2" known/amprenavir/receptor.mol2
ln -s "$root/data/demo/1hpv_ligand.mol2" known/amprenavir/crystal.mol2
"$BERTH" prep ligands demo/1hpv_ligand.mol2 --out known/amprenavir/ligand.blib >/dev/null 2>&1
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\namprenavir\t9.92\t16.23\t8.83\n' >known/sites.tsv
torsions() { # OUT OPTIONS...
    torsions_out=$1
    shift
    "$BERTH" eval redock known --scoring vina --search fast --size 8 --mode torsions --out "$torsions_out" "$@"
}
run torsions turned
check 'from random torsions, on maps' all exited 0 -- holds stderr amprenavir -- \
    holds stdout '96 poses x 10 generations, seed 1, ' -- holds stdout 'scoring vina' -- \
    holds turned/redock.svg 'torsions, top pose' -- absent turned/amprenavir/crystal_poses.sdf
columns turned/redock.csv mode conformers nearest_conformer >given
check 'one conformer, which can become the crystal pose' same given - <<END
torsions,1,0.000
END
columns turned/redock.csv rmsd_best >given
check 'and does' awk '{ exit !($1 < 2) }' given
run torsions again
check 'the same torsions by the same seed' all exited 0 -- \
    same turned/amprenavir/torsions_poses.sdf again/amprenavir/torsions_poses.sdf
run torsions else --seed 2
check 'others by another' all exited 0 -- \
    differ turned/amprenavir/torsions_poses.sdf else/amprenavir/torsions_poses.sdf
run "$BERTH" eval redock turned --scoring vina --search fast --size 8 --mode torsions --out third
check 'what it prepared is such a set, too' all exited 0 -- lines third/redock.csv 2

# What is known of the poses: files in the complex's folder, which others need not have.
cp demo/1hpv_ligand.mol2 known/amprenavir/bound.mol2
printf 'atom avoid 0 0 0 radius 1 wished\nhydrophobic to 9.9 16.2 8.8 radius 4\n' >known/amprenavir/known.txt
if in_slice screening 'with a template and restraints'; then
    run torsions held --template bound.mol2 --restraints known.txt
    check 'with a template and restraints' all exited 0 -- holds held/redock.csv ',unmet,smiles' -- \
        holds held/amprenavir/torsions_poses.sdf '<restraint_3>'
    columns held/redock.csv rmsd_top >given
    check 'the template leads to where it lies' awk '{ exit !($1 < 1.5) }' given
fi
refused 'a file that no complex has' torsions out --template other.sdf
printf 'donor to A:GLY999:N\n' >known/amprenavir/wrong.txt
run torsions bad --restraints wrong.txt
check 'restraints that do not fit are a failure of the complex' all exited 1 -- \
    holds stderr 'known/amprenavir/wrong.txt:1: A:GLY999:N: '
rm -rf turned again else third held bad

# The same, and a receptor with mercury, which Vina has a type for, but others that judge by default have not.
mkdir known/mercury
cp known/amprenavir/ligand.blib known/amprenavir/crystal.mol2 known/mercury
awk '/^@/ { part = $1 } part ~ /ATOM/ && $6 == "C.3" && !n++ { sub(/ C\.3/, " Hg ") } { print }' \
    pocket.mol2 >known/mercury/receptor.mol2
printf 'mercury\t9.92\t16.23\t8.83\n' >>known/sites.tsv
little='--search fast --poses 48 --generations 2 --hops 1 --size 8 --mode torsions'
# shellcheck disable=SC2086
{
    run "$BERTH" eval redock known $little --out judged
    check 'a receptor that a function has no type for is ranked by the first alone, the others as ever' all exited 0 -- \
        lines judged/redock.csv 3 -- \
        said 'a receptor of an unknown type' 'built-in' -- \
        holds judged/amprenavir/torsions_poses.sdf '<pose_ranking>' -- \
        sh -c '! grep -q -e "<pose_ranking>" -e "<plp>" judged/mercury/torsions_poses.sdf'
    columns judged/redock.csv complex confidence >given
    check 'redock.csv has the confidence where the ranking chose' awk -F, '
        $1 == "mercury" ? $2 != "" : !($2 ~ /^[01]\.[0-9]+$/) { exit 1 }' given
    mv judged whole_run
    cp -r whole_run judged
    head -c $(($(wc -c <whole_run/journal) - 9)) whole_run/journal >judged/journal # that of the one that was last is not whole
    rm judged/*.* judged/*/*
    run "$BERTH" eval redock known $little --out judged --resume
    without_times() { cut -d, -f 1-19,22- "$1/redock.csv"; }
    without_times judged >again.csv
    without_times whole_run >once.csv
    check 'gone on with, what is done is not done again, and the results are the same' all exited 0 -- \
        same once.csv again.csv -- [ "$(grep -c 'berth: [a-z]*: torsions' stderr)" -eq 1 ] -- \
        sh -c 'cd judged; set -- */torsions_poses.sdf; [ $# -eq 1 ] && cmp "$1" "../whole_run/$1"'
    refused_too 'gone on with by another seed' '`seed = 1`, now `seed = 2`;' "$BERTH" eval redock known $little --out judged --resume --seed 2
    echo >>known/mercury/receptor.mol2
    refused_too 'and with another receptor' '`mercury = ' "$BERTH" eval redock known $little --out judged --resume
    run "$BERTH" eval redock known $little --scoring vina --out vina --only mercury
    check 'with the poses of a run by it' same whole_run/mercury/torsions_poses.sdf vina/mercury/torsions_poses.sdf
    run "$BERTH" eval redock known $little --rank consensus --out named --only mercury
    check 'but not where a ranking is named' all exited 1 -- holds stderr built-in
}
rm -rf judged whole_run vina named

if ! command -v obabel >/dev/null; then
    skip 'redocking' 'obabel is not installed'
    finish
fi

run redock --out out
check 'one docked, one failed' all exited 2 -- holds stderr pyridine -- lines out/redock.csv 3 -- \
    holds out/failures.csv 'none,set/none: ' -- same stdout out/summary.md -- said 'one that failed' failures.csv
echo 'complex,mode,outcome,heavy_atoms,torsions,conformers,nearest_conformer,rmsd_top,rmsd_top5,rmsd_best,energy_top,energy_best,conformer_strain,energy_crystal,energy_crystal_minimised,energy_gap,energy_nearest,energy_nearest_minimised,energy_placed,seconds_prepare,seconds_dock,confidence,smiles' >wanted
head -n 1 out/redock.csv >given
check 'the columns' same wanted given
check 'rows that agree with themselves' awk -F, 'NR > 1 {
        bad += $1 != "pyridine" || $3 != "right" || $4 != 6 || $5 != 0 || $6 != 1
        bad += $8 > 0.5 || $8 < $9 || $9 < $10 || $14 < $15 || $17 < $18
        d = $11 - $15 - $16
        bad += d > 0.0015 || d < -0.0015 || NF != 23
    }
    NR == 2 { bad += $2 != "crystal" || $7 != 0 || $13 != "" || $14 != $17 || $15 != $18 }
    NR == 3 { bad += $2 != "generated" || $7 <= 0 || $7 > 0.2 || ($23 != "c1cccnc1" && $23 != "c1ccncc1") }
    NR == 3 { d = $18 - $15; bad += d > 5 || d < -5 } # a conformer that is all but the same
    END { exit bad > 0 }' out/redock.csv
check 'the files of a complex' all [ -s out/pyridine/receptor.mol2 ] -- [ -s out/pyridine/crystal.mol2 ] -- \
    holds out/pyridine/crystal_poses.sdf '<rmsd>' -- holds out/pyridine/generated_poses.sdf '<rmsd>' -- \
    holds out/redock.svg 'generated, best of all'

# The crystal pose as it stands has the energy that `berth score` gives it.
run "$BERTH" score --scoring bude --receptor out/pyridine/receptor.mol2 --ligand out/pyridine/crystal.mol2 --out score.csv
awk -F, 'NR == 2 { print "energy"; print $14 }' out/redock.csv >crystal.csv
awk -F, 'NR == 2 { print "energy"; print $2 }' score.csv >scored.csv
check 'the crystal energy is that of berth score' awk 'NR == FNR { a[FNR] = $1; next }
    FNR == 2 { d = $1 - a[2]; exit !(d < 0.02 && d > -0.02) }' crystal.csv scored.csv

plp='and by the piecewise linear potential'
if in_slice screening "$plp"; then
    run "$BERTH" eval redock set --scoring plp --search rigid_balanced --poses 8192 --size 8 --out plp --only pyridine --mode crystal
    "$BERTH" score --scoring plp --receptor plp/pyridine/receptor.mol2 --ligand plp/pyridine/crystal.mol2 \
        --out score.csv >/dev/null 2>&1
    check "$plp" all exited 0 -- \
        awk -F, 'NR == FNR { a = $14; b = $11; next } FNR == 2 { d = a - $2; exit !(d < 0.02 && d > -0.02 && b <= a) }' \
        plp/redock.csv score.csv -- differ out/redock.csv plp/redock.csv
fi

slice screening 'other runs, seeds and inputs'
# Another run gives the same, times aside (and what Open Babel builds, which is not always the same);
# another turn and search do not.
run redock --out again --only pyridine
grep crystal again/redock.csv | cut -d, -f 1-19,22 >again.csv
grep crystal out/redock.csv | cut -d, -f 1-19,22 >out.csv
check 'the same again' all exited 0 -- same out.csv again.csv -- \
    same out/pyridine/crystal_poses.sdf again/pyridine/crystal_poses.sdf
run redock --out other --only pyridine --mode crystal --seed 5
check 'another seed, and one mode alone' all exited 0 -- lines other/redock.csv 2 -- \
    differ out/pyridine/crystal_poses.sdf other/pyridine/crystal_poses.sdf -- absent other/pyridine/generated_poses.sdf

# What a run prepared is a set for another one, which needs no Open Babel.
mkdir empty
PATH=$work/empty "$BERTH" eval redock out $rigid --poses 8192 --size 8 --out third >/dev/null 2>stderr.raw
code=$?
cut -d, -f 1-19,22 third/redock.csv >third.csv
cut -d, -f 1-19,22 out/redock.csv >first.csv
# The library keeps conformers to 0.001 Å, which may decide which of two poses of one energy is first.
check 'the prepared set gives the same without Open Babel' all exited 0 -- awk -F, '
    FNR == NR { for (i = 1; i <= NF; i++) was[FNR, i] = $i; next }
    {
        for (i = 1; i <= NF; i++)
            if ($i != was[FNR, i] && (FNR < 3 || i > 3 && i < 8 || i > 13 && i != 16 && i != 19)) {
                d = $i - was[FNR, i]
                bad += $i !~ /^-?[0-9.]+$/ || d > 0.3 || d < -0.3
            }
    }
    END { exit bad || FNR != 3 }' first.csv third.csv
run redock --out prepared --mode none
check 'preparing alone' all exited 2 -- stdout_is_empty -- holds stderr pyridine -- \
    lines prepared/sites.tsv 2 -- [ -s prepared/pyridine/ligand.blib ] -- absent prepared/redock.csv \
    prepared/pyridine/crystal_poses.sdf
run "$BERTH" eval redock prepared $rigid --poses 8192 --size 8 --out fourth
cut -d, -f 1-19,22 fourth/redock.csv >fourth.csv
check 'and it is docked the same way' all exited 0 -- same third.csv fourth.csv
run "$BERTH" prep ligands set/pyridine/crystal.mol2 demo/1hpv_ligand.mol2 --conformers 1 \
    --out prepared/pyridine/ligand.blib --overwrite
run "$BERTH" eval redock prepared $rigid --out fifth
check 'a library of two ligands' all exited 1 -- \
    said 'a library of two' ligand.blib

# The crystal's coordinates do not reach the conformers: with the ligand bent, blown up and elsewhere,
# they stay what they are.
mkdir -p bent/pyridine
ln -s "$root/tests/fixtures/pocket.mol2" bent/pyridine/receptor.mol2
grep -v none set/sites.tsv >bent/sites.tsv
awk '/^@/ { atom = /ATOM/ }
    atom && NF > 5 { print $1, $2, $5, 1.1 * $3 + 0.1 * sin(9 * $1), $4 - 20, $6, $7, $8; next }
    { print }' set/pyridine/crystal.mol2 >bent/pyridine/crystal.mol2
run "$BERTH" eval redock bent $rigid --out straight --mode none --conformers 3
check 'conformers are made from the graph alone' all exited 0 -- \
    differ straight/pyridine/crystal.mol2 out/pyridine/crystal.mol2 -- \
    same straight/pyridine/ligand.blib out/pyridine/ligand.blib

printf 'pdb\tsmiles\npyridine\tCCO\n' >smiles.tsv
run redock --out wrong --only pyridine --smiles smiles.tsv
check 'the SMILES of another molecule' all exited 1 -- said 'another SMILES' ' 3'

# A crystal in SDF has its bonds.
mkdir -p sdf/pyridine
ln -s "$root/tests/fixtures/pocket.mol2" sdf/pyridine/receptor.mol2
grep -v none set/sites.tsv >sdf/sites.tsv
obabel -imol2 set/pyridine/crystal.mol2 -osdf -Osdf/pyridine/crystal.sdf 2>obabel.log
run "$BERTH" eval redock sdf $rigid --out from_sdf --mode none --conformers 1 --smiles smiles.tsv
check 'bonds of an SDF file, whatever the table says' all exited 0 -- \
    [ -s from_sdf/pyridine/ligand.blib ]
finish
