#!/bin/sh
# The same molecules with the same options, which are drawn: docked, screened, and screened in shards
# and merged.  Where the three mean the same, they write the same bytes.  BERTH_TEST_SEED=N draws others.
. tests/cli/lib.sh
seed=${BERTH_TEST_SEED:-1}

make_rates || exit 1

# draw LEAST MOST: a whole number between them, both included, in $drawn.
draw() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    drawn=$(($1 + seed / 65536 % ($2 - $1 + 1)))
}

# pick WORD...: one of them, in $picked.
pick() {
    draw 1 $#
    shift $((drawn - 1))
    picked=$1
}

# Molecules to draw from, one a file: drugs with conformers, fragments.
mkdir deck
zcat demo/ten_drugs.mol2.gz | awk '/MOLECULE/ { getline title; name = title; sub(/_C0*[0-9]+$/, "", name)
    file = "deck/" name ".mol2"; print >file; print title >file; next } { print >file }'
for type in O.3 N.3 S.3 Cl N.4; do
    { fragment "phen$type" $type; fragment "phen$type" $type 11.35; } >"deck/phen$type.mol2"
done

# molecules NUMBER: a library lib.blib of so many, drawn, some of them twice.
molecules() {
    : >drawn.mol2
    while [ "$(grep -c . names)" -lt "$1" ]; do
        # shellcheck disable=SC2046
        pick $(ls deck)
        cat "deck/$picked" >>drawn.mol2
        echo "$picked" >>names
        fragment "between$(wc -l <names)" >>drawn.mol2 # equal neighbours would be conformers of one
        echo between >>names
    done
    ./rates drawn.mol2 lib.blib >/dev/null
}

# records POSES.sdf: a line for each pose, by ligand and mode, without what dock cannot know.
records() {
    awk '/^>  <(rank|smiles)>/ { skip = 3 }
        skip { skip--; next }
        /^>  <ordinal>/ { at = 1 }
        />  <mode>/ { mode = 1 }
        { text = text $0 "|"; if (at == 2) ordinal = $0; if (mode == 2) number = $0 }
        at && ++at > 2 { at = 0 }
        mode && ++mode > 2 { mode = 0 }
        /^\$\$\$\$/ { printf "%d %d %s\n", ordinal, number, text; text = "" }' "$1" | sort -n -k1,1 -k2,2
}

compare() { # ROUND
    rm -rf names lib.blib screen part* merged dock*
    : >names
    draw 3 9
    molecules "$drawn"
    draw 1 4 && modes=$drawn
    draw 1 3 && shards=$drawn
    draw 0 1000000 && run_seed=$drawn
    draw -15 15 && x=$drawn
    draw 80 160 && edge=$drawn
    pick 128 200 256 && search="--search rigid_fast --poses $picked"
    draw 1 3 && search="$search --generations $drawn"
    draw 0 3 && search="$search --refine $drawn --refine_evaluations 20"
    draw 0 1 && search="$search --hops $drawn"
    pick '' --refine_torsions && search="$search $picked"
    pick bude plp && search="$search --scoring $picked"
    pick 0 0.5 1 && search="$search --min_rmsd $picked"
    draw 1 9 && batch=$drawn
    search="$search --seed $run_seed --num_modes $modes --receptor $root/tests/fixtures/pocket.mol2
        --center_x $(awk "BEGIN { print 9.92 + $x / 10 }") --center_y 16.23 --center_z 8.83
        --size_x $(awk "BEGIN { print $edge / 10 }") --size_y 11 --size_z 14"
    what="round $1: $(grep -c . names) molecules, $modes modes, $shards shards"
    # shellcheck disable=SC2086
    {
        run "$BERTH" screen $search --library lib.blib --out screen
        check "$what: screened" grep -q , screen/scores.csv
        screened=$code
        run "$BERTH" dock $search --ligand lib.blib --out dock.sdf --scores dock.csv --batch "$batch"
        check "$what: docked, and the same fail" all exited "$screened" -- \
            same screen/failures.csv dock.failures.csv
        part=1 parts=
        while [ "$part" -le "$shards" ]; do
            run "$BERTH" screen $search --library lib.blib --out part$part --shard $part/$shards
            parts="part$part $parts" part=$((part + 1))
        done
        run "$BERTH" merge $parts --out merged
    }
    check "$what: merged as screened" all exited "$screened" -- same screen/scores.csv merged/scores.csv -- \
        same screen/hits.sdf merged/hits.sdf -- same screen/failures.csv merged/failures.csv
    records screen/hits.sdf >poses.screen
    records dock.sdf >poses.dock
    check "$what: the same poses" same poses.screen poses.dock
    # Ranks stand only in a screen's table.
    cut -d, -f 1,2,4- screen/scores.csv >rows.screen
    awk -F, 'NR == 1 || $3 == 1' dock.csv >rows.dock
    check "$what: the same rows" same rows.screen rows.dock
}

compare 1
slice screening 'further inputs'
round=2
while [ $round -le 12 ]; do
    compare $round
    round=$((round + 1))
done
finish
