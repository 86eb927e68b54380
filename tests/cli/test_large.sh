#!/bin/sh
# Ligands that are proteins: docked as rigid bodies beside small ones, which they do not change; scored;
# from libraries; decks of any size.
. tests/cli/lib.sh

receptor=part.mol2
site='--center_x 28 --center_y 24 --center_z 2 --size_x 16 --size_y 10 --size_z 10'
# The words of $site are separate options.
# shellcheck disable=SC2086
dock() { "$BERTH" dock --receptor $receptor --scoring bude $site --out out.mol2 --scores "$@"; }

# The first atoms of the demo's receptor, the bonds between them, and one from the first to the last, so that they are
# one molecule.
protein() { # ATOMS
    awk -v atoms="$1" '
        /^@<TRIPOS>/ { section = $0 }
        section ~ /ATOM/ && $1 <= atoms { atom[++count] = $0 }
        section ~ /BOND/ && NF >= 4 && $2 <= atoms && $3 <= atoms { bond[++bonds] = bonds " " $2 " " $3 " " $4 }
        END {
            bond[++bonds] = bonds " 1 " atoms " 1"
            print "@<TRIPOS>MOLECULE\nprotein\n" atoms " " bonds "\nPROTEIN\nUSER_CHARGES"
            for (i = 1; i <= count; i++) if (atom[i] !~ /^@/) body = body "\n" atom[i]
            print "@<TRIPOS>ATOM" body "\n@<TRIPOS>BOND"
            for (i = 1; i <= bonds; i++) print bond[i]
        }' demo/1hpv_receptor.mol2
}
protein 1001 >protein.mol2
protein 400 >part.mol2
fragment first >first.mol2
fragment second N.3 >second.mol2

small='--search fast --poses 8 --generations 2 --hops 1'
# shellcheck disable=SC2086
run dock large.csv --ligand protein.mol2 $small
check 'a ligand of 1001 atoms, by the default kind of search' all exited 0 -- \
    said 'a rigid body' -- \
    [ "$(wc -l <large.csv)" -ge 2 ] -- awk -F, 'NR == 2 && !($5 < -20) { exit 1 }' large.csv
grep -v ',first,\|,second,' large.csv >alone.csv
run "$BERTH" score --receptor $receptor --scoring bude --ligand out.mol2 --out scored.csv
check 'its poses are written as they were scored, to 1e-4' all exited 0 -- \
    [ "$(wc -l <scored.csv)" -eq "$(wc -l <large.csv)" ] -- scores_agree large.csv scored.csv 0.02

cat first.mol2 protein.mol2 second.mol2 first.mol2 >mixed.mol2
cat first.mol2 second.mol2 first.mol2 >few.mol2
# shellcheck disable=SC2086
run dock few.csv --separate --ligand few.mol2 $small
check 'small ones' exited 0
# shellcheck disable=SC2086
run dock mixed.csv --separate --ligand mixed.mol2 $small
grep -v ',protein,' mixed.csv | cut -d, -f2- >mixed_few.csv
grep ',protein,' mixed.csv | cut -d, -f2- >mixed_large.csv
check 'a large one changes nothing of small ones, to the byte, nor they of it' all exited 0 -- \
    [ "$(cut -d, -f2- few.csv)" = "$(cat mixed_few.csv)" ] -- \
    [ "$(tail -n +2 alone.csv | cut -d, -f2-)" = "$(cat mixed_large.csv)" ]
run "$BERTH" score --receptor $receptor --scoring bude --ligand mixed.mol2 --out scored.csv
check 'scoring large and small ones together' all exited 0 -- lines scored.csv 5
run "$BERTH" score --receptor $receptor --scoring bude --ligand few.mol2 --out scored_few.csv
check 'likewise' [ "$(grep -v protein scored.csv)" = "$(cat scored_few.csv)" ]
slice preparation 'an exact search, libraries and decks'
run dock rigid.csv --ligand mixed.mol2 --search published --poses 64 --generations 2
check 'an exact search' all exited 0 -- grep -q ',protein,' rigid.csv -- grep -q ',second,' rigid.csv
# shellcheck disable=SC2086
run dock again.csv --ligand protein.mol2 $small
check 'the same seed gives the same, to the byte' same large.csv again.csv

make_rates
run ./rates mixed.mol2 mixed.blib
check 'a library holds it' exited 0
# shellcheck disable=SC2086
run dock library.csv --ligand mixed.blib $small
check 'and it docks from there' all exited 0 -- grep -q ',protein,' library.csv
run "$BERTH" lib get mixed.blib --out all.mol2
check 'as it was' [ "$(grep -c ' C\.' all.mol2)" -eq "$(grep -c ' C\.' mixed.mol2)" ]

# Decks: energies by a program of their own.
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import numpy' 2>/dev/null || python=$candidate
done
if [ -z "$python" ]; then
    skip 'decks' 'NumPy is not installed'
    finish
fi
for atoms in 1000 1001; do
    mkdir deck$atoms
    run "$python" "$root/bench/deck/make.py" demo/1hpv_receptor.mol2 "$root/data/forcefields/by-atom-2017.bhff" \
        deck$atoms --atoms $atoms --poses 64 --energies 8
    check "a deck of $atoms x $atoms atoms" exited 0
    run "$BERTH" bench --deck deck$atoms --repeats 1 --device 0 --csv deck.csv
    check 'is valid' all exited 0 -- silent -- \
        awk -F, 'NR == 2 && ($11 != "yes" || !($12 < 0.01)) { exit 1 }' deck.csv
done
finish
