#!/bin/sh
# tools/demo.sh, what `make demo` runs: amprenavir goes back to where the crystal has it.
. tests/cli/lib.sh

run sh -c 'cd "$1" && BUILD="$2" sh tools/demo.sh' sh "$root" "$BUILD"
check 'the demo runs' all exited 0 -- silent
scores=$root/$BUILD/demo/scores.csv
columns "$scores" mode rmsd energy >best
poses=$(grep -c '^M  END' "$root/$BUILD/demo/poses.sdf")
check 'it writes poses and their scores: nine, less those that went down to the same minimum' \
    all lines "$scores" $((poses + 1)) -- [ "$poses" -ge 6 ] -- [ "$poses" -le 9 ]
check 'the best pose is within 2 A of the crystal pose' \
    awk -F, 'NR == 1 { near = $1 == 1 && $2 < 2 } END { exit !near }' best
check 'and below the energy of the crystal pose (-13.98)' \
    awk -F, 'NR == 1 { low = $3 < -15 } END { exit !low }' best
check 'it says where the files are' all grep -q "$BUILD/demo/poses.sdf\$" stdout -- \
    grep -q "$BUILD/demo/scores.csv\$" stdout
finish
