#!/bin/sh
# A warning that comes for each of many molecules is printed once, with how often it came: of the screens
# and redockings whose warnings test_hostile.sh does not see.
. tests/cli/lib.sh

make_rates || exit 1

# chain NAME: an alkane of 60 carbons in zigzag, with more rotatable bonds than can turn.
chain() {
    awk -v name="$1" 'BEGIN {
        print "@<TRIPOS>MOLECULE\n" name "\n 60 59 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM"
        for (i = 1; i <= 60; i++)
            printf "%d C%d %.3f %.3f 8.8 C.3 1 LIG 0\n", i, i, 9.92 + 1.26 * (i - 30), 16.23 + 0.44 * (i % 2 * 2 - 1)
        print "@<TRIPOS>BOND"
        for (i = 1; i < 60; i++) print i, i, i + 1, 1
    }'
}
for i in 1 2 3; do chain chain$i; fragment between$i; done >chains.mol2
./rates chains.mol2 chains.blib >stdout
check 'a library' [ -s chains.blib ]
run "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --library chains.blib \
    $rigid --poses 64 --generations 1 --refine_torsions --refine_evaluations 5 --hops 0 --out screened
check 'screen: three times the same' all exited 0 -- said 'torsions that do not turn' chain1 -- \
    [ "$(grep -c 'do not turn' stderr)" -eq 1 ]

if command -v obabel >/dev/null; then
    mkdir -p set/one set/two
    printf 'pdb\tcenter_x\tcenter_y\tcenter_z\none\t9.92\t16.23\t8.83\ntwo\t9.92\t16.23\t8.83\n' >set/sites.tsv
    for complex in one two; do
        ln -s "$root/tests/fixtures/pocket.mol2" set/$complex/receptor.mol2
        fragment ring Cu >set/$complex/crystal.mol2
    done
    run "$BERTH" eval redock set --out redocked --mode crystal $rigid --poses 64 --generations 1 --hops 0 --builder openbabel
    check 'eval redock: once for all complexes' all grep -q '^berth: warning: one: atom CU .* Zn' stderr -- \
        [ "$(grep -c 'is taken as Zn' stderr)" -eq 1 ]
    printf 'CCO first\nOCC second\nCCN first\n' >again.smi
    run "$BERTH" dock --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --ligand again.smi --builder openbabel \
        $rigid --poses 64 --generations 1 --hops 0 --out again.sdf
    check 'dock: what is docked twice' all exited 0 -- grep -q 'second: .*first (record 1)' stderr -- \
        holds stderr 'warning: first: '
else
    skip 'docked twice' 'Open Babel is not installed'
    skip 'eval redock' 'Open Babel is not installed'
fi
finish
