#!/usr/bin/env bash
# run.sh --out DIR [options] [-- options of berth dock]: berth against BUDE 1.2.10 on 1GCZ.
#
# Scores the 471 poses that BUDE printed energies for, then docks the 471 conformers afresh, each
# turned at random, in the box that BUDE searched, and compares the energies.
#
#   --out DIR     where everything goes: summary.md, rows.csv, and what they were made from
#   --berth BIN   the program (default build/berth)
#   --data DIR    reference data (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --device D    as for berth (default berth's)
#   --times16     also against itself with 16 times the poses, and with another seed
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' times16=0 device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    --times16) times16=1; shift ;;
    --) shift; break ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"
[ -f "$data/bude/1gcz/reference/energies.tsv" ] || die "no bude/1gcz in $data: give --data"

data=$(realpath "$data") gcz=$data/bude/1gcz
# berth takes an option once only, so a --poses after -- is taken out of the rest.
poses=(); others=(); times=65536
while [ $# -gt 0 ]; do
    if [ "$1" = --poses ]; then poses=(--poses "$2"); times=$2; shift 2; else others+=("$1"); shift; fi
done
times=(--poses $((16 * times)))

mkdir -p "$out"
rm -f "$out"/dock-*.csv "$out"/dock-*.log "$out"/*.md "$out"/rows.csv
: > "$out/commands.txt"

# Runs a command, its output to a file, and keeps a note of it for the summary.
note() {
    local log=$1; shift
    echo "$*" >> "$out/commands.txt"
    "$@" > "$log"
}

# dock NAME OPTIONS...: the turned conformers, one pose each, to dock-NAME.csv.
dock() {
    local name=$1; shift
    note "$out/dock-$name.log" "$berth" dock --scoring bude --receptor "$gcz/receptor.mol2" --ligand "$out/turned.mol2" \
        --separate --center_x 0.2 --center_y 0.0 --center_z 2.6 --size_x 18 --size_y 18 --size_z 18 \
        --num_modes 1 "${device[@]}" "${others[@]}" "$@" \
        --out "$out/dock-$name.mol2" --scores "$out/unfinished.csv"
    mv "$out/unfinished.csv" "$out/dock-$name.csv"
    rm "$out/dock-$name.mol2"
}

summarise() {
    { describe_machine; describe_devices "$out/dock-seed1.log"; } > "$out/machine.md"
    "$bench/bude/compare.py" "$out" "$gcz/reference/energies.tsv" > "$out/summary.md"
}

cat "$gcz"/reference/ligand*.mol2 > "$out/poses.mol2"
note "$out/score.log" "$berth" score --scoring bude --receptor "$gcz/receptor.mol2" --ligand "$out/poses.mol2" \
    "${device[@]}" --out "$out/score.csv"
note "$out/turn.log" "$bench/turn.py" "$out/poses.mol2" "$out/turned.mol2" --seed 1
dock seed1 "${poses[@]}"
summarise
if [ $times16 -eq 1 ]; then
    dock seed2 "${poses[@]}" --seed 2
    summarise
    dock times16-seed1 "${times[@]}"
    summarise
    dock times16-seed2 "${times[@]}" --seed 2
    summarise
fi
cat "$out/summary.md"
