#!/bin/sh
# Scoring functions of the user's own: they are used, tried and refused; what is in a file stays out of
# the kernels but for what the language defines; docs/scoring.md shows them as they are.
# shellcheck disable=SC1003,SC2016,SC2317
. tests/cli/lib.sh

functions=$root/tests/fixtures/scoring
score() {
    "$BERTH" score --receptor pocket.mol2 --ligand demo/1hpv_ligand.mol2 --out - "$@"
}
run score --scoring "$functions/lennard_jones.score"
check 'a file of the user: its terms, and a total' all exited 0 -- \
    grep -q '^name,energy,dispersion,hydrogen_bond' stdout -- awk -F, '
    NR == 2 { d = $2 - $3 - $4; ok = $3 < -30 && $4 < -3 && d * d < 1e-7 } END { exit !ok }' stdout
another='another one docks, refines and names what it writes'
if in_slice docking "$another"; then
    "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 256 \
        --generations 2 --ligand demo/1hpv_ligand.mol2 --scoring "$functions/everything.score,$functions/lennard_jones.score" --out poses.sdf --verbose >stdout 2>stderr
    check "$another" all grep -q '^> *<ladder>' poses.sdf -- grep -q 'scoring .*everything.score' stdout
    check 'run.json says where each file is' all holds poses.run.json "\"function_everything\": \"$functions/everything.score\"" -- \
        holds poses.run.json "\"function_lennard_jones\": \"$functions/lennard_jones.score\""
fi

run "$BERTH" show-kernel --scoring vina
check 'show-kernel prints the code of a function' all exited 0 -- \
    grep -q '^static float pair_energy(float r, const float \*c)$' stdout -- \
    grep -q '^#define BERTH_TERMS 5$' stdout -- grep -q 'terms\[4\] = .*/\* hydrogen_bond \*/' stdout -- \
    grep -q '^#define BERTH_FOR_EACH_BODY(BODY) BODY(0x7) BODY(0x17) BODY(0xf) BODY(0x1f)$' stdout

# spoil NAME SED: the user's function with an error in it is refused, exit code 1.
spoil() {
    sed "$2" "$functions/lennard_jones.score" >bad.score
    run score --scoring ./bad.score
    check "$1" all exited 1 -- said "$1"
}
spoil 'an operator too many' 's/x^12 -/x^12 - */'
spoil 'an unknown parameter' 's/depth_j/deepness_j/'
spoil 'a value too few' 's/^    C_P .*/    C_P 2.00 0.15 0/'
spoil 'a type without a row' '/ C_P /d'
spoil 'infinite' 's|max(r, size / 2)|max(r - 5, 0)|'
spoil 'one atom knows that it is the first' 's/depth_i \* depth_j/depth_i/'
run score --scoring ./none.score
check 'no such file' all exited 1 -- holds stderr ./none.score
head -c 3000 "$BERTH" >bad.score
run score --scoring ./bad.score
check 'no text' exited 1

# What is wrong is found between the distances and angles that are tried, too, and put down to the function.
# add NAME SED: the function with a torsional term, edited, is refused.
add() {
    sed "$2" "$functions/torsional.score" >bad.score
    run score --scoring ./bad.score
    check "$1" all exited 1 -- said "$1"
}
add 'a hole between two distances' 's/^term  overlap.*/term overlap = select(r > 5.001 and r < 5.1, log(r - 10), r * 0.001)/'
add 'a pole between two distances' 's/^term  overlap.*/term overlap = 1 \/ (r - 3.33333)/'
add 'a pole between two angles' 's/any-any .*/any-any = 1 \/ (cos(phi) - 0.70001)/'
add 'parameters, and then those of bude' 's/^types .*//; $a types bude F'
add 'a cutoff twice' '$a cutoff 8'
add 'half a bond' 's/^intra .*/intra 2.5/'
add 'a term of the name of a column' 's/^term  contact/term ligand/'
add 'a total that is finite for no energies' 's/^total.*/total = inter \/ (intra - intra)/'

# A total that is not finite costs the ligand, which is a failure (log(x - 100): of any pose that a search keeps); one
# that is large is printed whole.
# (Kernels know nothing of totals, so that those of a function that other tests dock by do for all this.)
"$BERTH" prep ligands demo/1hpv_ligand.mol2 --conformers 1 --out total.blib >stdout 2>stderr
total() {
    sed "s/^total.*/total = $1/; s/term hydrophobic/term grease/" "$root/data/scoring/vinardo.score" >total.score
    shift
    rm -rf total.csv total.sdf failed.csv screened
    run "$BERTH" "$@" --receptor pocket.mol2 --scoring ./total.score
}
search='--autobox_ligand demo/1hpv_ligand.mol2 --poses 32 --generations 2 --hops 1'
reason='^0,amprenavir,.* ./total.score'
cat demo/1hpv_ligand.mol2 demo/1hpv_ligand_turned.mol2 >two.mol2
total 'log(inter)' score --ligand two.mol2 --out total.csv --failures failed.csv
check 'score: a total that is not finite for one of two poses' all exited 2 -- said 'a total that is not finite' total.score -- \
    [ "$(wc -l <failed.csv)" -eq 2 ] -- [ "$(wc -l <total.csv)" -eq 2 ] -- sh -c '! grep -q nan total.csv'
total 'log(inter)' score --minimize --ligand demo/1hpv_ligand.mol2 --out total.csv --failures failed.csv
check 'and minimised' all exited 2 -- grep -q "$reason" failed.csv -- [ "$(wc -l <total.csv)" -eq 1 ]
# shellcheck disable=SC2086
total 'log(inter - 100)' dock $search --ligand demo/1hpv_ligand.mol2 --out total.sdf --scores total.csv --failures failed.csv
check 'dock: no ligand is lost' all exited 2 -- grep -q "$reason" failed.csv -- [ "$(wc -l <total.csv)" -eq 1 ] -- \
    test ! -s total.sdf
for modes in 1 3; do
    # shellcheck disable=SC2086
    total 'log(inter - 100)' screen $search --num_modes $modes --library total.blib --out screened
    check "screen, $modes modes: nor here" all exited 2 -- grep -q "$reason" screened/failures.csv -- \
        [ "$(wc -l <screened/scores.csv)" -eq 1 ]
done
# shellcheck disable=SC2086
total 'inter * 1e300' dock $search --ligand demo/1hpv_ligand.mol2 --num_modes 2 --out total.sdf --scores total.csv
check 'a large total is whole' all exited 0 -- awk -F, '
    NR > 1 { d = $4 / 1e300 - $5; ok += d * d < 1e-8 && length($4) > 300 } END { exit ok != 2 }' total.csv -- \
    sh -c 'grep -A1 "<score>" total.sdf | grep -q "^-[0-9]\{300,\}\.0000$"'

run "$BERTH" show-kernel --scoring "$functions/torsional.score"
check 'show-kernel prints it' all exited 0 -- grep -q '^#define BERTH_TORSIONAL$' stdout -- \
    grep -q '^/\* torsional sp3-sp3 \*/$' stdout -- grep -q '^static real torsional_energy(int row' stdout
run "$BERTH" show-kernel --scoring plp
check 'and nothing where there is none' all exited 0 -- sh -c '! grep -q -e torsional_energy -e "define BERTH_TORSIONAL$" stdout'
add 'an unknown kind of atom' 's/sp2-sp2 /sp2-sp1 /'
add 'a torsion that is not finite' '26s|0.1 \* exp|0.1 * log|'
add 'a torsion of the distance' '25s/2 \* sin(phi)/2 * sin(r)/'
add 'a pair that knows the angle' 's/^let   d .*/let d = phi/'

# Whatever stands in names and comments, nothing of it gets to the compiler.
sed -e 's|^name .*|name */ evil_1 /*|; s|^source .*|source "; kernel void evil_2(){} #include </etc/passwd>|' \
    -e 's|^let y .*|let y = 2.9 / max(r, 1.6) # */ evil_3 \\|' "$functions/lennard_jones.score" >evil.score
run "$BERTH" show-kernel --scoring ./evil.score
check 'nothing but the language gets into a kernel' all exited 0 -- test ! -s stderr -- \
    sh -c '! grep -q -e evil -e passwd stdout'
for evil in 'term t = asm("nop")' 'term a"b = r' 'term t = r; evil()' 'term t = r } evil' 'term t = __import__' \
    'let evil = r
#define evil' 'term t = #include "evil"' 'unit kcal"evil' 'types vina;evil' 'term t = r \' "term t = 'a'"; do
    { cat "$functions/lennard_jones.score"; echo "$evil"; } >evil.score
    run "$BERTH" show-kernel --scoring ./evil.score
    if [ "$code" != 1 ] && grep -q evil stdout; then
        echo "$evil"
    fi
done >got_in
check 'nor by force' same got_in /dev/null

(cd "$root" && sh tools/scoring_tables.sh <docs/scoring.md) >tables.md
check 'docs/scoring.md shows the functions as they are (sh tools/scoring_tables.sh)' \
    same tables.md "$root/docs/scoring.md"
sed -n 's/^ *LEVEL(\([a-z_]*\), [a-z]*, \([0-9]*\), \([0-9]*\), [0-9]*, \([0-9]*\), [0-9]*, \([0-9]*\), .*/| `\1` | \2 × \3 | \4 | \5 |/p' \
    "$root/src/engine/levels.h" >levels
while read -r level; do holds "$root/docs/scoring.md" "$level" || echo "$level"; done <levels >unknown
check 'and the levels of the search' all [ -s levels ] -- same unknown /dev/null

slice docking 'docking by a function with a torsional term'
# A torsional term: in a column of its own, in energy and total, the same whatever the ligand is read
# from and whether it turns; and functions that have none know nothing of it.
run score --scoring "$functions/torsional.score"
check 'a torsional term has its column' all exited 0 -- \
    grep -q '^name,energy,contact,overlap,torsional,clash$' stdout -- \
    awk -F, 'NR == 2 { d = $2 - $3 - $4 - $5; ok = $5 > 1 && d * d < 1e-7 } END { exit !ok }' stdout
standing=$(tail -n 1 stdout | cut -d, -f 5)
torsional_dock() {
    run "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --generations 2 --hops 1 --scoring "$functions/torsional.score" "$@"
}
torsional_dock --ligand demo/1hpv_ligand.mol2 --poses 32 --num_modes 3 --out turned.sdf --scores turned.csv
# score = inter + 0.5 intra + 0.8 torsional, as the file says
check 'and is in the total' all exited 0 -- grep -q ',energy,contact,overlap,torsional,strain,' turned.csv -- \
    grep -q '^> *<torsional>' turned.sdf -- \
    awk -F, 'NR > 1 { d = $4 - ($6 + $7 + 0.5 * $9 + 0.8 * $8); e = $5 - $6 - $7 - $8
        bad = bad || d * d > 1e-6 || e * e > 1e-6 || $8 < 0.1 } END { exit bad || NR != 4 }' turned.csv
cut -d, -f 8 turned.csv | sed 1d >wanted
run "$BERTH" score --receptor pocket.mol2 --ligand turned.sdf --out - \
    --scoring "$functions/torsional.score"
sed 1d stdout | cut -d, -f 6 | paste -d, - wanted >both
check 'poses that were written have the same when they are scored' all exited 0 -- \
    awk -F, '{ d = $1 - $2; bad = bad || d * d > 1e-5 } END { exit bad || NR != 3 }' both
rigid='a rigid search gives all poses what the conformer has'
if in_slice docking "$rigid"; then
    torsional_dock --ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 256 --out rigid.sdf --scores rigid.csv
    cut -d, -f 8 rigid.csv | sed 1d | sort -u >found
    echo "$standing" >wanted
    check "$rigid" all exited 0 -- same wanted found
fi
"$BERTH" prep ligands demo/1hpv_ligand.mol2 --conformers 1 --out one.blib >stdout 2>stderr &&
    "$BERTH" lib get one.blib amprenavir --out one.mol2 >>stdout 2>>stderr
torsional_dock --ligand one.mol2 --poses 32 --out file.sdf --scores file.csv
torsional_dock --ligand one.blib --poses 32 --out library.sdf --scores library.csv
cut -d, -f 3-9 file.csv >wanted
cut -d, -f 3-9 library.csv >found
check 'the same from a library, which has no bonds' all exited 0 -- same wanted found -- [ "$(wc -l <found)" -gt 2 ]
run "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library one.blib \
    --scoring "$functions/torsional.score" --search balanced --poses 32 --generations 2 --hops 1 --num_modes 9 --out screened
cut -d, -f 4-10 screened/scores.csv >found
head -n 2 wanted >first
check 'and in a screen' all exited 0 -- same first found
finish
