#!/bin/sh
# Files that earlier versions wrote are read by this one: tests/fixtures/VERSION-COMMIT has a library, a
# receptor, the journals of two shards of a screen, and the scores that it made of them.
# shellcheck disable=SC2016
. tests/cli/lib.sh

# columns FILE NAME...: these columns of a CSV file, by name.
columns() {
    columns_file=$1
    shift
    awk -F, -v names="$*" 'NR == 1 { n = split(names, wanted, " "); for (i = 1; i <= NF; i++) at[$i] = i }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[wanted[k]], k < n ? "," : "\n" }' "$columns_file"
}

for old in "$root"/tests/fixtures/[0-9]*/; do
    version=$(basename "$old")
    run "$BERTH" lib verify "$old/library.blib"
    check "$version: its library is whole" all exited 0 -- silent
    run "$BERTH" lib ls "$old/library.blib"
    columns stdout name >names
    { echo name; columns "$old/scores.csv" ligand | sed 1d; } >wanted
    check "$version: and has its ligands" same wanted names
    run "$BERTH" merge "$old/part1" "$old/part2" --library "$old/library.blib" --out "merged-$version"
    for file in "$old/scores.csv" "merged-$version/scores.csv"; do
        columns "$file" ligand energy steric electrostatic desolvation conformer heavy_atoms conformers
    done | awk 'seen[$0]++ { twice++ } END { exit !(NR == 2 * twice && twice == 4) }'
    check "$version: its journals give the scores that they gave" all exited 0 -- [ $? -eq 0 ]
    check "$version: and poses" [ "$(grep -c '^\$\$\$\$' "merged-$version/hits.sdf")" -eq 3 ]
    run "$BERTH" dock --receptor "$old/receptor.brec" --ligand "$old/library.blib" $rigid --poses 256 \
        --generations 2 --hops 0 --out "$version.sdf"
    check "$version: its receptor brings its site" all exited 0 -- \
        holds stdout 'site (9.920, 16.231, 8.825), edges 12.53 x 11.79 x 15.69'
    run "$BERTH" dock --receptor "$old/receptor.brec" --ligand "$old/library.blib" --scoring vina --out v.sdf
    check "$version: its receptor has no types for Vina's function" all exited 1 -- \
        grep -q 'with Mol2 types alone; make it again with `berth prep receptor`' stderr
    run "$BERTH" dock --receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --ligand "$old/library.blib" --scoring vina --out v.sdf
    check "$version: nor has its library" all exited 1 -- \
        grep -q 'alone; make it again with `berth prep ligands` to use it with --scoring vina' stderr -- absent v.sdf
    run "$BERTH" dock --receptor "$old/receptor.brec" --ligand "$old/library.blib" \
        --scoring "$root/bench/scoring/plp_torsion.score" --out v.sdf
    check "$version: it has not what a torsional term goes by" all exited 1 -- \
        grep -q 'torsional term of --scoring .*; make it again with `berth prep ligands`' stderr -- absent v.sdf
    cp -r "$old/part1" "again-$version"
    run "$BERTH" screen --receptor "$old/receptor.brec" --library "$old/library.blib" $rigid --poses 256 \
        --generations 2 --hops 0 --shard 1/2 --out "again-$version" --resume
    check "$version: a run of other kernels is not gone on with" all exited 1 -- \
        grep -q 'kernels' stderr -- same "$old/part1/journal" "again-$version/journal"
done
finish
