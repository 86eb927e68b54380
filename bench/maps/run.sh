#!/usr/bin/env bash
# run.sh --prepared DIR [--size A] [--only NAMES]: how far energies from maps are from exact ones, by
# Vina's function, on the poses of every stage of a search: as drawn, after the first generation, after
# the last one, and refined by exact energies.
#
#   --prepared DIR  what `berth eval redock --out DIR` wrote (with --mode none, too)
#   --data DIR      reference data, for redock/sites.tsv (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --size A        edge of the box, Angstrom (default 16)
#   --only NAMES    only these complexes, with commas between
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

prepared='' size=16 only=''
while [ $# -gt 0 ]; do
    case $1 in
    --prepared) prepared=$2 ;;
    --data) data=$2 ;;
    --size) size=$2 ;;
    --only) only=$2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
    shift 2
done
[ -n "$prepared" ] || die '--prepared is missing'
[ -f "$bench/../build/libberth.a" ] || die "no library at $bench/../build: run make"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -std=c11 -D_DEFAULT_SOURCE -I"$bench/../include" -I"$bench/../src" -I"$bench/../kernels" \
    -o "$work/error" "$bench/maps/error.c" "$bench/../build/libberth.a" -lOpenCL -lz -lm -lpthread -ldl
tail -n +2 "$data/redock/sites.tsv" | tr -d '\r' | while IFS=$'\t' read -r pdb x y z _; do
    case ,$only, in ,, | *",$pdb,"*) ;; *) continue ;; esac
    [ -f "$prepared/$pdb/crystal.mol2" ] || continue
    "$work/error" "$prepared/$pdb/receptor.mol2" "$prepared/$pdb/crystal.mol2" "$x" "$y" "$z" "$size" |
        sed "s/^/$pdb,/"
done > "$work/poses.csv"

describe_machine
printf -- '- complexes: %s; box %s Å\n' "$(cut -d, -f1 "$work/poses.csv" | sort -u | wc -l)" "$size"
printf '\n| poses | number | exact energy, median | maps above exact: median | 10 %% | 90 %% |\n'
printf '| --- | ---: | ---: | ---: | ---: | ---: |\n'
# percentile STAGE COLUMN P: of the column; 0: of the maps' error.
percentile() {
    awk -F, -v stage="$1" -v column="$2" '$2 == stage && $4 != "nan" && $4 != "-nan" {
        print column ? $column : $4 - $3 }' "$work/poses.csv" | sort -g |
        awk -v p="$3" '{ value[NR] = $1 } END { printf "%.2f", value[int(p * (NR - 1) / 100) + 1] }'
}
for stage in drawn first last refined; do
    echo "| $stage | $(grep -c ",$stage,.*,-*[0-9]" "$work/poses.csv") | $(percentile $stage 3 50) |" \
        "$(percentile $stage 0 50) | $(percentile $stage 0 10) | $(percentile $stage 0 90) |"
done
