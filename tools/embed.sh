#!/bin/sh
# Writes C source with the default forcefield (first argument), the tuned variants (second) and the
# kernel files (the others) as byte arrays, and a table of the kernel files by name: see
# src/base/embedded.h.
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
    array "kernel$number" "$file"
    number=$((number + 1))
done
printf '\nconst struct berth_embedded berth_embedded_forcefield = '
printf '{"built-in", (const char *)forcefield, sizeof forcefield - 1};\n'
printf '\nconst struct berth_embedded berth_embedded_tuning = '
printf '{"devices.tsv", (const char *)tuning, sizeof tuning - 1};\n'
printf '\nconst struct berth_embedded berth_embedded_kernels[] = {\n'
number=0
for file; do
    printf '    {"%s", (const char *)kernel%d, sizeof kernel%d - 1},\n' "$(basename "$file")" $number $number
    number=$((number + 1))
done
printf '    {0, 0, 0}};\n'
