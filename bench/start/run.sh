#!/usr/bin/env bash
# Time from the start of berth to the end of its first kernel, with empty and with filled caches.
# Usage: bench/start/run.sh [--device D] [--platform NAME]
#   --device    as berth's; the default device otherwise
#   --platform  call the platform so: PoCL under another name gets berth's cache too
# Prints a table in Markdown: ms, the median of RUNS (5) runs each.  The driver's own cache is that
# of PoCL (POCL_CACHE_DIR) or NVIDIA (CUDA_CACHE_PATH); both are empty directories here to begin with.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

device=() runs=${RUNS:-5}
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=(--device "$2") && shift 2 ;;
    --platform) export START_PLATFORM=$2 && shift 2 ;;
    *) die "unknown option $1" ;;
    esac
done
[ -x "$berth" ] || die "$berth is missing: run make"
demo=$bench/../data/demo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=c11 -O1 -shared -fPIC -o "$work/timer.so" "$bench/start/timer.c" -ldl

score() {
    "$berth" score --receptor "$demo/1hpv_receptor.mol2" --ligand "$demo/1hpv_ligand.mol2" \
        --out "$work/scores.csv" "${device[@]}"
}

dock() {
    "$berth" dock --scoring vina --receptor "$demo/1hpv_receptor.mol2" --ligand "$demo/1hpv_ligand_turned.mol2" \
        --autobox_ligand "$demo/1hpv_ligand.mol2" --poses 1024 --generations 2 \
        --out "$work/poses.sdf" --scores "$work/scores.csv" "${device[@]}"
}

# timed COMMAND BERTH_CACHE DRIVER_CACHE: one run; its line goes to times.
timed() {
    BERTH_CACHE_DIR=$2 POCL_CACHE_DIR=$3 CUDA_CACHE_PATH=$3 START_TIMES=$work/times \
        LD_PRELOAD=$work/timer.so "$1" > "$work/log" 2>&1 || die "$(cat "$work/log")"
}

median() { # COLUMN of times
    cut -d, -f"$1" "$work/times" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

row() { # COMMAND WHAT
    echo "| $1 | $2 | $(median 1) | $(median 2) | $(median 3) | $(median 4) | $(median 5) | $(median 6) |"
    rm "$work/times"
}

# empty NAME...: empty directories of these names.
empty() {
    for name; do
        rm -rf "${work:?}/$name"
        mkdir "$work/$name"
    done
}

describe_machine
"$berth" devices | sed -n 's/^\*/- device/p'
echo
echo '| command | caches | listing | context | program | from | first launch | start to its end |'
echo '| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |'
for command in score dock; do
    for ((i = 0; i < runs; i++)); do
        empty berth driver
        timed $command "$work/berth" "$work/driver"
    done
    row $command 'all empty'
    for ((i = 0; i < runs; i++)); do timed $command "$work/berth" "$work/driver"; done
    row $command 'all filled'
    for ((i = 0; i < runs; i++)); do
        empty driver
        timed $command "$work/berth" "$work/driver"
    done
    row $command "berth's filled, the driver's empty"
    for ((i = 0; i < runs; i++)); do
        empty driver
        timed $command '' "$work/driver"
    done
    row $command "no cache of berth's, the driver's empty"
    for ((i = 0; i < runs; i++)); do timed $command '' "$work/driver"; done
    row $command "no cache of berth's, the driver's filled"
done
