#!/bin/sh
# Files of the formats that this berth writes are read as they were when they were written:
# tests/fixtures/screen has a library, a receptor, the journals of two shards of a screen, and the scores
# that it made of them.  Files of other versions of the formats are refused.
# shellcheck disable=SC2016
. tests/cli/lib.sh

# columns FILE NAME...: these columns of a CSV file, by name.
columns() {
    columns_file=$1
    shift
    awk -F, -v names="$*" 'NR == 1 { n = split(names, wanted, " "); for (i = 1; i <= NF; i++) at[$i] = i }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[wanted[k]], k < n ? "," : "\n" }' "$columns_file"
}

old=$root/tests/fixtures/screen
run "$BERTH" lib verify "$old/library.blib"
check "a library is whole" all exited 0 -- silent
run "$BERTH" lib ls "$old/library.blib"
columns stdout name >names
{ echo name; columns "$old/scores.csv" ligand | sed 1d; } >wanted
check "and has its ligands" same wanted names
run "$BERTH" merge "$old/part1" "$old/part2" --library "$old/library.blib" --out merged
for file in "$old/scores.csv" merged/scores.csv; do
    columns "$file" ligand energy steric electrostatic desolvation clash conformer heavy_atoms conformers
done | awk 'seen[$0]++ { twice++ } END { exit !(NR == 2 * twice && twice == 4) }'
check "journals give the scores that they gave" all exited 0 -- [ $? -eq 0 ]
check "and poses" [ "$(grep -c '^\$\$\$\$' merged/hits.sdf)" -eq 3 ]
run "$BERTH" dock --receptor "$old/receptor.brec" --ligand "$old/library.blib" $rigid --poses 256 \
    --generations 2 --hops 0 --out old.sdf
check "a receptor brings its site" all exited 0 -- holds stdout ' (9.920, 16.231, 8.825), '
cp -r "$old/part1" again
run "$BERTH" screen --receptor "$old/receptor.brec" --library "$old/library.blib" $rigid --poses 256 \
    --generations 2 --hops 0 --shard 1/2 --out again --resume
check "a run of other kernels is not gone on with" all exited 1 -- holds stderr again/journal -- \
    same "$old/part1/journal" again/journal

# aged FILE: a copy of it, of version 1 of its format, which no release wrote.
aged() {
    mkdir -p "aged/$(dirname "$1")"
    cp "$old/$1" "aged/$1"
    chmod u+w "aged/$1"
    printf '\001' | dd of="aged/$1" bs=1 seek=8 conv=notrunc 2>/dev/null
}
aged library.blib
aged receptor.brec
aged part1/journal
refused 'an older library' "$BERTH" lib ls aged/library.blib
refused 'an older receptor' "$BERTH" dock --receptor aged/receptor.brec --ligand "$old/library.blib" --out out/p.sdf
refused 'an older journal' "$BERTH" merge aged/part1 --library "$old/library.blib" --out out
printf '\005' | dd of=aged/part1/journal bs=1 seek=8 conv=notrunc 2>/dev/null
refused_too 'a newer journal' 'journal of version 5' "$BERTH" merge aged/part1 --library "$old/library.blib" --out out
run "$BERTH" screen --receptor "$old/receptor.brec" --library "$old/library.blib" $rigid --poses 256 \
    --generations 2 --hops 0 --shard 1/2 --out aged/part1 --resume
check 'nor is it gone on with' all exited 1 -- holds stderr 'journal of version 5'
finish
