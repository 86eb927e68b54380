#!/usr/bin/env bash
# rates.sh --out DIR [options]: how fast a library is screened at each level of --search, on each choice
# of devices, and how busy they are kept. The library is BUDE's 471 conformers of 16 ligands, under other
# names so many times that a run lasts. Writes DIR/rates.md and each run's run.json.
#
#   --out DIR      where everything goes
#   --data DIR     reference data (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --devices L    choices of devices, each as --device takes it (default "0 all")
#   --levels L     (default "rigid_fast rigid_balanced rigid_thorough published")
#   --times N      the 471 conformers, so often, for fast; a tenth of it for the others (default 100)
#   --scoring S    (default bude)
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' devices='0 all' levels='rigid_fast rigid_balanced rigid_thorough published' times=100 scoring=bude
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2 ;;
    --data) data=$2 ;;
    --devices) devices=$2 ;;
    --levels) levels=$2 ;;
    --times) times=$2 ;;
    --scoring) scoring=$2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
    shift 2
done
[ -n "$out" ] || die '--out is missing'
need_reference

mkdir -p "$out"
build_rates "$out/rates"
library() { # NAME TIMES
    repeat_reference "$2" >"$out/repeated.mol2"
    "$out/rates" "$out/repeated.mol2" "$out/$1.blib" >/dev/null
    rm "$out/repeated.mol2"
}
library long "$times"
library short $(((times + 9) / 10))

# screen LEVEL DEVICES: into $out/run; sets peak, the memory of the process in KiB.
screen() {
    local library=short pid now
    [ "$1" != fast ] || library=long
    rm -rf "$out/run"
    "$berth" screen --receptor "$data/bude/1gcz/receptor.mol2" --library "$out/$library.blib" \
        --center_x 0.2 --center_y 0 --center_z 2.6 --size_x 18 --size_y 18 --size_z 18 \
        --search "$1" --scoring "$scoring" --device "$2" --out "$out/run" >"$out/log" 2>"$out/messages" &
    pid=$! peak=0
    while kill -0 $pid 2>/dev/null; do
        now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
        peak=${now:-$peak}
        sleep 0.2
    done
    wait $pid || die "berth screen failed: $(tail -n 1 "$out/messages")"
    cp "$out/run/run.json" "$out/$1.$2.json"
}
field() { # NAME
    sed -n "s/^ *\"$1\": *\([0-9.e+]*\),*$/\1/p" "$out/run/run.json" | tail -n 1
}
{
    describe_machine
    echo
    echo '| search | devices | conformers | s | conformers/s | ligands/s | interactions/s | busy | peak memory, MiB |'
    echo '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
    for level in $levels; do
        for device in $devices; do
            screen "$level" "$device"
            echo "| $level | $device | $(field conformers) | $(field seconds) |" \
                "$(field conformers_per_second) | $(field ligands_per_second) |" \
                "$(field interactions_per_second) | $(field devices_busy) | $((peak / 1024)) |"
        done
    done
} | tee "$out/rates.md"
