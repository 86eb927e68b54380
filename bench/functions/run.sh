#!/usr/bin/env bash
# run.sh [--device D] [--poses N] [--rounds N]
# Interactions/s of the energy kernel by each scoring function, the user's of docs/scoring.md (lennard_jones) among
# them, on the demo's receptor and ligand: in turn, medians; and the part of its floor that each reaches, from the
# operations counted in its generated code and the rates measured in the same runs.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

device=0 poses=65536 rounds=5
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2 ;;
    --poses) poses=$2 ;;
    --rounds) rounds=$2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
    shift 2
done

functions=(bude plp vina vinardo "$bench/../tests/fixtures/scoring/lennard_jones.score")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for ((round = 0; round < rounds; round++)); do
    for function in "${functions[@]}"; do
        name=$(basename "$function" .score)
        "$berth" bench --scoring "$function" --poses "$poses" --repeats 3 --device "$device" > "$work/log" 2>&1 ||
            { cat "$work/log" >&2; die "$name failed"; }
        "$berth" bench --scoring "$function" --poses "$poses" --repeats 3 --device "$device" --csv - |
            awk -F, 'NR == 2 { print $10, $17 }' >> "$work/$name.rates"
        sed -n 's/.*of \([0-9.]*\) operations each.*/\1/p' "$work/log" > "$work/$name.operations"
    done
done

# column NAME K: the median of the K-th number of the function's rounds.
column() { awk -v k="$2" '{ print $k }' "$work/$1.rates" | sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
describe_machine
echo "- device: $device, $("$berth" bench --poses 64 --device "$device" --csv - 2> "$work/log" | awk -F, 'NR == 2 { print $1 ", " $2 }'); $poses poses"
printf '\n| function | operations an interaction | interactions/s | of bude | %% of its floor |\n| --- | ---: | ---: | ---: | ---: |\n'
for function in "${functions[@]}"; do
    name=$(basename "$function" .score)
    awk -v name="$name" -v operations="$(cat "$work/$name.operations")" -v rate="$(column "$name" 1)" \
        -v bude="$(column bude 1)" -v floor="$(column "$name" 2)" \
        'BEGIN { printf "| %s | %s | %.3g | %.2f | %.0f |\n", name, operations, rate, rate / bude, floor }'
done
