#!/bin/sh
# Clashes with the receptor: the column and the tag, against distances worked out here, and --max_clash.
. tests/cli/lib.sh
fixture=$root/tests/fixtures/screen
site="--receptor $root/tests/fixtures/pocket.mol2 --autobox_ligand $root/data/demo/1hpv_ligand.mol2"
search="--scoring bude --poses 256 --generations 2 --refine 2 --hops 0"

# overlaps POSES.sdf: the largest overlap of each pose's heavy atoms with the demo's receptor (V2000; no
# metals), beside its tag.
overlaps() {
    awk '
        function polar(e) { return e == "N" || e == "O" || e == "F" }
        BEGIN { r["C"] = 1.7; r["N"] = 1.55; r["O"] = 1.52; r["S"] = 1.8; r["F"] = 1.47; r["Cl"] = 1.75 }
        FILENAME == ARGV[1] {
            if (/^@/) { atoms = /ATOM/; next }
            sub(/\..*/, "", $6)
            if (atoms && $6 != "H") { n++; x[n] = $3; y[n] = $4; z[n] = $5; e[n] = $6 }
            next
        }
        FNR == 1 || begins { begins = 0; line = 0; worst = 0 }
        { line++ }
        line == 4 { count = substr($0, 1, 3) + 0 }
        line > 4 && line <= 4 + count && $4 != "H" {
            for (i = 1; i <= n; i++) {
                d = sqrt((x[i] - $1) ^ 2 + (y[i] - $2) ^ 2 + (z[i] - $3) ^ 2)
                o = r[e[i]] + r[$4] - d - (polar(e[i]) && polar($4) ? 0.4 : 0)
                worst = o > worst ? o : worst
            }
        }
        tagged { tag = $0; tagged = 0 }
        />  <clash>/ { tagged = 1 }
        /^\$\$\$\$/ { print tag, worst; begins = 1 }' pocket.mol2 "$1"
}
agree() { awk '{ d = $1 - $2; if (NF != 2 || d > 0.001 || d < -0.001) exit 1 } END { exit NR != '"$2"' }' "$1"; }

# What does not fit into a box of atoms is left out, and where no pose fits, the ligand fails.
small='--box atoms --center_x 9.92 --center_y 16.23 --center_z 8.83 --size_x 4 --size_y 4 --size_z 4'
few='--scoring vina --poses 48 --generations 3 --refine 12 --hops 1'
# shellcheck disable=SC2086
run "$BERTH" dock --receptor pocket.mol2 $small --ligand demo/1hpv_ligand.mol2 $few --out small.sdf
check 'no pose fits into a small box' all exited 2 -- grep -q 'box.* Å long.* Å outside' small.failures.csv -- \
    sh -c '! grep -q . small.sdf'
# shellcheck disable=SC2086
run "$BERTH" screen --receptor pocket.mol2 $small --library "$fixture/library.blib" $few --out small
check 'nor of a screen' all exited 2 -- grep -q 'box.* Å long.* Å outside' small/failures.csv
# shellcheck disable=SC2086
run "$BERTH" dock --receptor pocket.mol2 ${small%%--size_x*} --size_x 14 --size_y 14 --size_z 14 --ligand demo/1hpv_ligand.mol2 $few \
    --out fits.sdf
check 'poses that are given lie in the box, but for 1 Å' all [ -s fits.sdf ] -- awk '/^\$\$\$\$/ { line = -1 } { line++ } line == 4 { n = substr($0, 1, 3) + 0 }
    line > 4 && line <= 4 + n && $4 != "H" { for (k = 1; k <= 3; k++) { d = $k - (k == 1 ? 9.92 : k == 2 ? 16.23 : 8.83)
        if (d > 8 || d < -8) bad = 1 } } END { exit bad }' fits.sdf

# shellcheck disable=SC2086
screen() { # DIR OPTIONS...
    screen_out=$1
    shift
    "$BERTH" screen --search rigid_fast $site --library "$fixture/library.blib" $search --out "$screen_out" "$@"
}

run screen whole --num_modes 3
overlaps whole/hits.sdf >overlaps
check 'screen: clash is the largest overlap with the receptor' all exited 0 -- agree overlaps 9
columns whole/scores.csv clash >clashes
awk 'FNR % 3 == 1 { print $1 }' overlaps | sort >first
check 'and the same column of scores.csv' [ "$(sort clashes)" = "$(cat first)" ]

run screen one
columns one/scores.csv clash >clashes.one
check 'of one pose of each ligand, too' same clashes clashes.one

# The limit leaves out the worst first pose, and so a ligand whose only pose it is.
worst=$(sort -n clashes | tail -n 1)
limit=$(awk "BEGIN { print $worst - 0.001 }")
run screen limited --max_clash "$limit"
check '--max_clash: a ligand whose every pose clashes more fails' all exited 2 -- lines limited/scores.csv 3 -- \
    lines limited/failures.csv 2 -- holds limited/failures.csv "$limit Å" -- holds stdout '2 ligands docked, 1 failed' -- \
    holds stdout '--max_clash'
check 'and the others are as without, but for their ranks' \
    [ "$(columns limited/scores.csv ligand score clash)" = "$(columns one/scores.csv ligand score clash | grep -v ",$worst\$")" ]
check 'which have no gap' [ "$(columns limited/scores.csv rank | sort -n | tr '\n' ' ')" = '1 2 ' ]
check 'hits.sdf has none of it' [ "$(grep -c '^\$\$\$\$' limited/hits.sdf)" -eq 2 ]
run screen again --max_clash 50
check 'a limit beyond all leaves all' all exited 0 -- same one/scores.csv again/scores.csv -- same one/hits.sdf again/hits.sdf

run screen several --num_modes 3 --max_clash "$limit"
kept=$(awk -v limit="$limit" '$1 <= limit' overlaps | wc -l)
check 'poses below the limit are kept of several' [ "$(grep -c '^\$\$\$\$' several/hits.sdf)" -eq "$kept" ]
check 'and counted anew' [ "$(sed -n '/<mode>/{n;p}' several/hits.sdf | sort -n | head -n 1)" = 1 ]

# The limit is no part of what a run computes: a finished one gives its results again.
run screen one --resume --max_clash "$limit"
check 'a run that is done takes another limit' all exited 2 -- same limited/scores.csv one/scores.csv -- \
    same limited/hits.sdf one/hits.sdf -- same limited/failures.csv one/failures.csv

for part in 1 2; do
    run screen part$part --shard $part/2 --max_clash "$limit"
done
run "$BERTH" merge part1 part2 --out merged
check 'merge takes the limit of the shards' all exited 2 -- same limited/scores.csv merged/scores.csv -- \
    same limited/failures.csv merged/failures.csv -- holds merged/run.json '"max_clash"' -- holds stdout '--max_clash'
run "$BERTH" merge part1 part2 --out merged50 --max_clash 50
check 'or its own' all exited 0 -- same again/scores.csv merged50/scores.csv

# shellcheck disable=SC2086
dock() { # OUT OPTIONS...
    dock_out=$1
    shift
    "$BERTH" dock --search rigid_balanced $site --ligand "$fixture/library.blib" $search --out "$dock_out.sdf" \
        --scores "$dock_out.csv" "$@"
}
run dock docked --num_modes 3
overlaps docked.sdf >overlaps
check 'dock: clash is the largest overlap with the receptor' all exited 0 -- agree overlaps 9
columns docked.csv clash >clashes
awk '{ print $1 }' overlaps >tags
check 'and the same column of the table' same clashes tags

# Of all poses that differ those below a limit, the best three of each ligand: also behind three that clash.
run dock every --num_modes 100 --min_rmsd 0
limit=$(columns every.csv clash | sort -n | sed -n 5p)5
run dock limited_dock --num_modes 3 --min_rmsd 0 --max_clash "$limit"
columns every.csv ligand score clash | awk -F, -v limit="$limit" '$3 <= limit && kept[$1]++ < 3' >wanted
columns limited_dock.csv ligand score clash >kept
check '--max_clash: the best of the poses below the limit' all same wanted kept -- [ -s kept ] -- holds stdout '--max_clash'
run dock limited_dock --num_modes 3 --max_clash 1e-9
check 'a ligand of which none is kept fails' all exited 2 -- \
    holds limited_dock.failures.csv '1,darunavir,every pose clashes with the receptor by more than the 1e-09 Å allowed'

run "$BERTH" score --receptor pocket.mol2 --ligand docked.sdf --out scored.csv
columns scored.csv clash >clashes.scored
paste -d ' ' clashes clashes.scored >pairs
check 'score: the clash of what dock wrote' all exited 0 -- agree pairs 9
run "$BERTH" score --receptor pocket.mol2 --ligand docked.sdf --minimize --out minimized.csv \
    --out_poses minimized.sdf
overlaps minimized.sdf >overlaps
columns minimized.csv clash >clashes
awk '{ print $1 }' overlaps >tags
check 'score --minimize: of where it comes to' all exited 0 -- agree overlaps 9 -- same clashes tags
finish
