#!/usr/bin/env bash
# check_types.sh FILE.mol2...: lists the heavy atoms whose type the default forcefield does not have.
# Exit status 1 if there are any.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
awk '
    FNR == NR { if ($2 ~ /^[-A-Z]$/ && NF >= 9) known[$1] = 1; next }
    /^@<TRIPOS>/ { section = $1; next }
    section == "@<TRIPOS>ATOM" && NF >= 6 && $6 !~ /^H$/ && !($6 in known) {
        print FILENAME ": atom " $1 " " $2 " of " $8 ": type " $6 " is not in the forcefield"
        bad = 1
    }
    END { exit bad }
' "$root/data/forcefields/by-atom-2017.bhff" "$@"
