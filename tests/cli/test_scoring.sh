#!/bin/sh
# Scoring functions of the user's own: they are used, tried and refused; what is in a file stays out of
# the kernels but for what the language defines; docs/scoring.md shows them as they are.
# shellcheck disable=SC1003,SC2016,SC2317
. tests/cli/lib.sh

functions=$root/tests/fixtures/scoring
score() {
    "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out - "$@"
}
run score --scoring "$functions/lennard_jones.score"
check 'a file of the user: its terms, and a total' all exited 0 -- \
    grep -q '^name,energy,dispersion,hydrogen_bond' stdout -- awk -F, '
    NR == 2 { d = $2 - $3 - $4; ok = $3 < -30 && $4 < -3 && d * d < 1e-7 } END { exit !ok }' stdout
"$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 256 --generations 2 --ligand demo/1hpv_ligand.mol2 --scoring "$functions/everything.score" --out poses.sdf >stdout 2>stderr
check 'another one docks, refines and names what it writes' all grep -q '^> *<ladder>' poses.sdf -- \
    grep -q 'scoring .*everything.score' stdout

run "$BERTH" show-kernel --scoring vina
check 'show-kernel prints the code of a function' all exited 0 -- \
    grep -q '^static float pair_energy(float r, const float \*c)$' stdout -- \
    grep -q '^#define BERTH_TERMS 5$' stdout -- grep -q 'terms\[4\] = .*/\* hydrogen_bond \*/' stdout -- \
    grep -q '^#define BERTH_FOR_EACH_BODY(BODY) BODY(0x7) BODY(0x17) BODY(0xf) BODY(0x1f)$' stdout

# spoil NAME SED MESSAGE: the user's function with an error in it is refused, exit code 1.
spoil() {
    sed "$2" "$functions/lennard_jones.score" >bad.score
    run score --scoring ./bad.score
    check "$1" all exited 1 -- stderr_is "berth: $3"
}
spoil 'an operator too many' 's/x^12 -/x^12 - */' \
    "./bad.score:31:56: expected a number, a name or '(', not '*'"
spoil 'an unknown parameter' 's/depth_j/deepness_j/' \
    "./bad.score:31:37: there is no 'deepness_j' here; there is r, size, x, y, bond, radius_i and _j, depth_i and \
_j, donor_i and _j, acceptor_i and _j"
spoil 'a value too few' 's/^    C_P .*/    C_P 2.00 0.15 0/' "./bad.score:10:5: expected the acceptor of C_P, not 'N_P'"
spoil 'a type without a row' '/ C_P /d' 'demo/1hpv_receptor.mol2: 1hpv_receptor: atom 2 (CA of PRO1) is of type C_P, which the scoring function ./bad.score has no type for'
spoil 'infinite' 's|max(r, size / 2)|max(r - 5, 0)|' \
    './bad.score: the value of term dispersion is nan for C_H and C_H at r = 0.01 Å'
spoil 'one atom knows that it is the first' 's/depth_i \* depth_j/depth_i/' \
    './bad.score: term dispersion is 1536.8 for C_H and N_P at r = 0.001 Å, but 1587.2 when they change places; energies do not know which atom is the first'
run score --scoring ./none.score
check 'no such file' all exited 1 -- stderr_is 'berth: ./none.score: cannot open: No such file or directory'
head -c 3000 /dev/urandom >bad.score
run score --scoring ./bad.score
check 'no text' exited 1

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
finish
