#!/bin/sh
# Writes C source with the default forcefield (first argument), the tuned variants (second), the
# fragments that ship (third), scoring functions (*.score), rankings (*.rank), kernel files (*.h, *.cl),
# modules of the RDKit worker (*.py) and of what evaluates rankings (tools/eval), what imports models (tools/model)
# and texts that are printed as they stand (data/page, data/report, data/manual, data/store, data/covalent) as byte
# arrays, and a table of each of the latter seven by name: see src/base/embedded.h.
set -eu

array() { # name file
    printf 'static const unsigned char %s[] = {' "$1"
    od -An -v -tu1 "$2" | sed 's/  */ /g; s/ \([0-9][0-9]*\)/\1,/g'
    printf '0};\n'
}

element() { # name array
    printf '    {"%s", (const char *)%s, sizeof %s - 1},\n' "$1" "$2" "$2"
}

# table NAME PATTERN file...: of the files whose names match
table() {
    table=$1
    pattern=$2
    shift 2
    printf '\nconst struct berth_embedded berth_embedded_%s[] = {\n' "$table"
    number=0
    for file; do
        if expr "$file" : "$pattern" >/dev/null; then
            name=$(basename "$(basename "$file" .score)" .rank)
            element "$(basename "$name" .py)" "file$number"
        fi
        number=$((number + 1))
    done
    printf '    {0, 0, 0}};\n'
}

printf '#include "base/embedded.h"\n\n'
array forcefield "$1"
array tuning "$2"
array fragments "$3"
shift 3
number=0
for file; do
    array "file$number" "$file"
    number=$((number + 1))
done
printf '\nconst struct berth_embedded berth_embedded_forcefield = '
printf '{"built-in", (const char *)forcefield, sizeof forcefield - 1};\n'
printf '\nconst struct berth_embedded berth_embedded_tuning = '
printf '{"devices.tsv", (const char *)tuning, sizeof tuning - 1};\n'
printf '\nconst struct berth_embedded berth_embedded_fragments = '
printf '{"common.store.z", (const char *)fragments, sizeof fragments - 1};\n'
table scoring '.*\.score$' "$@"
table rankings '.*\.rank$' "$@"
table kernels '.*\.\(h\|cl\)$' "$@"
table worker '.*/rdkit/.*\.py$' "$@"
table analysis '.*/\(rdkit/start\|rdkit/frames\|eval/.*\)\.py$' "$@"
table import '.*/model/.*\.py$' "$@"
table texts 'data/\(page\|report\|manual\|store\|covalent\)/.*' "$@"
