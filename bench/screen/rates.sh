#!/usr/bin/env bash
# rates.sh --out DIR [options]: how fast a library is screened at each level of --search, on one device
# and on all of them, and how busy they are kept. The library is BUDE's 471 conformers of 16 ligands,
# under other names so many times that a run lasts. Writes DIR/rates.md.
#
#   --out DIR      where everything goes
#   --data DIR     reference data (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --one D        the one device, as --device takes it (default 0)
#   --all D        all devices (default all); "none": leave them out
#   --levels L     (default "fast balanced thorough published")
#   --times N      the 471 conformers, so often, for fast; a tenth of it for the others (default 100)
#   --scoring S    (default bude)
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' one=0 all=all levels='fast balanced thorough published' times=100 scoring=bude
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2 ;;
    --data) data=$2 ;;
    --one) one=$2 ;;
    --all) all=$2 ;;
    --levels) levels=$2 ;;
    --times) times=$2 ;;
    --scoring) scoring=$2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
    shift 2
done
[ -n "$out" ] || die '--out is missing'
build=$bench/../build
[ -x "$build/berth" ] || die "no berth in $build: run make"
[ -d "$data/bude/1gcz/reference" ] || die "no bude/1gcz in $data: give --data"

mkdir -p "$out"
${CC:-cc} -O2 -std=c11 -D_DEFAULT_SOURCE -I"$bench/../src" -o "$out/rates" \
    "$bench/library/rates.c" "$build/libberth.a" -lOpenCL -lz -lm -lpthread
repeat() { # TIMES LIBRARY
    cat "$data"/bude/1gcz/reference/ligand*.mol2 >"$out/reference.mol2"
    for ((i = 1; i <= $1; i++)); do
        awk -v copy="$i" 'title { sub(/^/, "copy" copy "_"); title = 0 }
            /^@<TRIPOS>MOLECULE/ { title = 1 } { print }' "$out/reference.mol2"
    done >"$out/repeated.mol2"
    "$out/rates" "$out/repeated.mol2" "$2" >/dev/null
    rm "$out/repeated.mol2"
}
repeat "$times" "$out/long.blib"
repeat $(((times + 9) / 10)) "$out/short.blib"

field() { # NAME
    sed -n "s/^ *\"$1\": *\([0-9.e+]*\),*$/\1/p" "$out/run/run.json" | tail -n 1
}
{
    echo '| search | devices | conformers | s | conformers/s | ligands/s | interactions/s | busy | peak memory, MiB |'
    echo '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
    for level in $levels; do
        library=short
        [ "$level" = fast ] && library=long
        for device in "$one" "$all"; do
            [ "$device" != none ] || continue
            rm -rf "$out/run"
            "$build/berth" screen --receptor "$data/bude/1gcz/receptor.mol2" --library "$out/$library.blib" \
                --center_x 0.2 --center_y 0 --center_z 2.6 --size_x 18 --size_y 18 --size_z 18 \
                --search "$level" --scoring "$scoring" --device "$device" --out "$out/run" \
                >"$out/log" 2>"$out/messages" &
            pid=$! peak=0
            while kill -0 $pid 2>/dev/null; do
                now=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
                peak=${now:-$peak}
                sleep 0.2
            done
            wait $pid || die "berth screen failed: $(tail -n 1 "$out/messages")"
            echo "| $level | $device | $(field conformers) | $(field seconds) |" \
                "$(field conformers_per_second) | $(field ligands_per_second) |" \
                "$(field interactions_per_second) | $(field devices_busy) | $((peak / 1024)) |"
        done
    done
} | tee "$out/rates.md"
