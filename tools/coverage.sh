#!/bin/sh
# Lines of the sources that ran, by folder: what the programs of a build with --coverage left behind.
# Usage: BUILD=build-sanitize sh tools/coverage.sh   (from the project's folder; needs gcov, of gcc)
set -u
BUILD=${BUILD:-build-sanitize}

# gcov names each file of an object, with the part of its lines that ran; of a file that is part of
# several (a header) the best counts.
find "$BUILD/src" -name '*.gcda' | while read -r counts; do
    gcov -n "$counts" 2>/dev/null
done | awk '
    /^File / { file = $0; gsub(/^File .|.$/, "", file); next }
    /^Lines executed:/ && file ~ /^src\// {
        split($0, part, /[:% ]+/)
        ran = part[3] * part[5] / 100
        lines[file] = part[5]
        executed[file] = ran > executed[file] ? ran : executed[file]
    }
    { file = "" }
    END {
        for (file in lines) {
            folder = file
            sub(/^src\//, "", folder)
            sub(/\/.*/, "", folder)
            all[folder] += lines[file]; done[folder] += executed[file]
            all["total"] += lines[file]; done["total"] += executed[file]
        }
        for (folder in all)
            printf "coverage: %-8s %5.1f %% of %6d lines\n", folder, 100 * done[folder] / all[folder], all[folder]
    }' | sort | awk '/ total / { total = $0; next } { print } END { print total == "" ? "coverage: no line of src ran" : total }'
