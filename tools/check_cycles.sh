#!/bin/sh
# Checks that no two source files use each other, directly or by way of others: reads from the built
# objects who defines what and who uses it.
# Usage: sh tools/check_cycles.sh BUILD   (the folder of an up-to-date build)
# Prints each cycle, a file a line; exit code 1 where there is one.
set -eu
build=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# "user used" for each pair of files.  Objects of files that are gone are left out.
find src -name '*.c' | sed "s|^\(.*\)\.c\$|$build/\1.o|" | xargs nm -A -g | awk '
    { object = $1; sub(/:.*/, "", object) }
    $(NF - 1) == "U" { uses[object " " $NF]; next }
    { home[$NF] = object }
    END {
        for (pair in uses) {
            split(pair, part, " ")
            if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]]
        }
    }' | sort -u | tsort 2>"$log" >/dev/null || true
if [ -s "$log" ]; then
    sed -e "s|$build/||" -e 's|\.o$|.c|' "$log"
    exit 1
fi
