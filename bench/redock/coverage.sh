#!/usr/bin/env bash
# coverage.sh --out DIR [options] [-- options of berth eval redock]: how near generated conformers come to the crystal's, on the redocking set.
#
# Prepares the set once for each number of conformers (DIR/N: a set for `berth eval redock`, which then
# needs no Open Babel), and writes DIR/coverage.md: for each complex the RMSD of the nearest conformer,
# superposed, and its energy laid onto the crystal pose and minimised there.
#
#   --out DIR       where everything goes; a DIR/N that is there is taken as it is
#   --counts LIST   numbers of conformers (default "20 50")
#   --data DIR      reference data, for redock (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --berth BIN     the program (default build/berth)
#   --device D      as for berth (default berth's)
#
# Options behind -- go to the preparation (--builder openbabel, --time_limit 1000).
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' counts='20 50' device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --counts) counts=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    --) shift; break ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
extra=("$@")
[ -n "$out" ] || die '--out is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"
mkdir -p "$out"

# Exit status 2 (some complexes failed) is no end: failures.csv has them.
may_fail() { "$@" || [ $? -eq 2 ]; }

tables=()
for count in $counts; do
    [ -f "$out/$count/sites.tsv" ] ||
        may_fail "$berth" eval redock "$data/redock" --smiles "$bench/redock/ligands.tsv" --mode none \
            --conformers "$count" "${extra[@]}" --out "$out/$count"
    # The search is none; what is wanted is found without it.
    may_fail "$berth" eval redock "$out/$count" --mode generated --conformers "$count" --poses 64 \
        --generations 1 --parents 16 "${device[@]}" --out "$out/measured$count" > /dev/null
    tables+=("$out/measured$count/redock.csv")
done

awk -F, -v counts="$counts" '
    FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
    !($1 in seen) { seen[$1] = 1; order[++complexes] = $1 }
    {
        torsions[$1] = $column["torsions"]; crystal[$1] = $column["energy_crystal_minimised"]
        made[$1, file] = $column["conformers"]; nearest[$1, file] = $column["nearest_conformer"]
        energy[$1, file] = $column["energy_nearest_minimised"]
    }
    END {
        files = split(counts, count, " ")
        head = "| complex | torsions | crystal pose, minimised |"; line = "| --- | ---: | ---: |"
        for (f = 1; f <= files; f++) {
            head = head " at most " count[f] ": made | nearest | laid |"; line = line " ---: | ---: | ---: |"
        }
        print head "\n" line
        for (c = 1; c <= complexes; c++) {
            name = order[c]
            printf "| %s | %d | %.1f |", name, torsions[name], crystal[name]
            for (f = 1; f <= files; f++) {
                printf " %d | %.2f | %.1f |", made[name, f], nearest[name, f], energy[name, f]
                for (limit = 1; limit <= 4; limit++) within[f, limit] += nearest[name, f] < limit / 2
            }
            print ""
        }
        print ""
        for (f = 1; f <= files; f++)
            printf "At most %s: within 0.5, 1, 1.5 and 2 Å in %d, %d, %d and %d of %d.\n", count[f], within[f, 1],
                within[f, 2], within[f, 3], within[f, 4], complexes
    }' "${tables[@]}" | tee "$out/coverage.md"
