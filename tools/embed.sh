#!/bin/sh
# Writes C source with the default forcefield (first argument), the tuned variants (second), kernel
# files (*.h, *.cl) and modules of the RDKit worker (*.py) as byte arrays, and a table of each of the
# latter two by name: see src/base/embedded.h.
set -eu

array() { # name file
    printf 'static const unsigned char %s[] = {' "$1"
    od -An -v -tu1 "$2" | sed 's/  */ /g; s/ \([0-9][0-9]*\)/\1,/g'
    printf '0};\n'
}

printf '#include "base/embedded.h"\n\n'
array forcefield "$1"
array tuning "$2"
shift 2
number=0
for file; do
    array "file$number" "$file"
    number=$((number + 1))
done
printf '\nconst struct berth_embedded berth_embedded_forcefield = '
printf '{"built-in", (const char *)forcefield, sizeof forcefield - 1};\n'
printf '\nconst struct berth_embedded berth_embedded_tuning = '
printf '{"devices.tsv", (const char *)tuning, sizeof tuning - 1};\n'

table() { # name python FILES...
    printf '\nconst struct berth_embedded berth_embedded_%s[] = {\n' "$1"
    python=$2
    shift 2
    number=0
    for file; do
        case $file in
        *.py) is_python=yes ;;
        *) is_python=no ;;
        esac
        [ $is_python != "$python" ] ||
            printf '    {"%s", (const char *)file%d, sizeof file%d - 1},\n' "$(basename "$file" .py)" $number $number
        number=$((number + 1))
    done
    printf '    {0, 0, 0}};\n'
}

table kernels no "$@"
table worker yes "$@"
