#!/usr/bin/env bash
# run.sh [--rounds N] [--device D] [--poses N] [--data DIR]
# Interactions/s of the energy kernel on a deck of a protein against itself (1GCZ, 2,672 x 2,672 atoms,
# made by make.py) and on miniBUDE's small deck (bm1, 938 x 26), in turn, each energy verified; and the
# ratio of the medians.  On a GPU: run.sh --device 0 --poses 65536
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

rounds=7 device=0 poses=256
while [ $# -gt 0 ]; do
    case $1 in
    --rounds) rounds=$2 ;;
    --device) device=$2 ;;
    --poses) poses=$2 ;;
    --data) data=$2 ;;
    *) die "unknown option $1" ;;
    esac
    shift 2
done
[ -d "$data/minibude/bm1" ] || die "no minibude/bm1 in $data: give --data"
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! "$candidate" -c 'import numpy' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || die "no python3 with numpy"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/1gcz"
"$python" "$bench/deck/make.py" "$data/bude/1gcz/receptor.mol2" \
    "$bench/../data/forcefields/by-atom-2017.bhff" "$work/1gcz"

# rate DECK POSES: appends the deck's interactions/s to a file of its name.
rate() {
    "$berth" bench --deck "$1" --poses "$2" --repeats 3 --device "$device" --csv - |
        awk -F, 'NR == 2 { if ($11 != "yes") exit 1; print $10 }' >> "$work/$(basename "$1").rates" ||
        die "$1: energies differ"
}
for ((i = 0; i < rounds; i++)); do
    rate "$data/minibude/bm1" 65536
    rate "$work/1gcz" "$poses"
done
median() { sort -g "$work/$1.rates" | awk '{ rate[NR] = $1 } END { print rate[int((NR + 1) / 2)] }'; }
describe_machine
echo "- bm1, 938 x 26 atoms, 65536 poses: $(median bm1) interactions/s"
echo "- 1GCZ, 2672 x 2672 atoms, $poses poses: $(median 1gcz) interactions/s"
awk -v a="$(median 1gcz)" -v b="$(median bm1)" 'BEGIN { printf "- ratio of the medians: %.2f\n", a / b }'
