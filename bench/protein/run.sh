#!/usr/bin/env bash
# run.sh [--seeds N] [--device D] [--scoring "bude plp vina"] [--data DIR]
# Chains of known complexes, turned at random and docked back (berth dock --protein): HIV protease's
# dimer (the demo's), and, where the reference data is, one chain of 1GCZ's trimer to the other two.
# A table: energy and ligand RMSD of the first mode, the first mode within 5 A of the complex, and
# seconds.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

seeds=3 device=0 scorings="bude plp vina"
while [ $# -gt 0 ]; do
    case $1 in
    --seeds) seeds=$2 ;;
    --device) device=$2 ;;
    --scoring) scorings=$2 ;;
    --data) data=$2 ;;
    *) die "unknown option $1" ;;
    esac
    shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# dock_back COMPLEX: the folder's ligand.pdb, turned, to its receptor.brec.
dock_back() {
    local folder=$work/$1 scoring seed start seconds
    "$berth" prep receptor "$folder/receptor.pdb" --out "$folder/receptor.brec" 2> "$folder/prep.log"
    for scoring in $scorings; do
        for ((seed = 1; seed <= seeds; seed++)); do
            python3 "$bench/protein/chains.py" turn "$folder/ligand.pdb" "$folder/turned.pdb" "$seed"
            start=$(date +%s.%N)
            "$berth" dock --receptor "$folder/receptor.brec" --ligand "$folder/turned.pdb" --protein \
                --reference "$folder/ligand.pdb" --scoring "$scoring" --seed "$seed" --device "$device" \
                --out "$folder/poses.pdb" --scores "$folder/scores.csv" > "$folder/log" 2>&1 ||
                { cat "$folder/log" >&2; die "$1 failed"; }
            seconds=$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.0f", b - a }')
            awk -F, -v head="$1 | $scoring | $seed" -v seconds="$seconds" '
                NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
                NR == 2 { energy = $column["energy"]; rmsd = $column["rmsd"] }
                !first && $column["rmsd"] < 5 { first = NR - 1 }
                END { printf "| %s | %.1f | %.2f | %s | %s |\n", head, energy, rmsd, first ? first : "none", seconds }' \
                "$folder/scores.csv"
        done
    done
}

describe_machine
printf '\n| complex | scoring | seed | energy of the first mode | its RMSD, A | first within 5 A | s |\n'
echo '| --- | --- | ---: | ---: | ---: | ---: | ---: |'
mkdir "$work/1hpv" "$work/1gcz"
python3 "$bench/protein/chains.py" split "$bench/../data/demo/1hpv_receptor.mol2" "$work/1hpv"
mv "$work/1hpv/A.pdb" "$work/1hpv/receptor.pdb"
mv "$work/1hpv/B.pdb" "$work/1hpv/ligand.pdb"
dock_back 1hpv
if [ -f "$data/bude/1gcz/receptor.mol2" ]; then
    python3 "$bench/protein/chains.py" split "$data/bude/1gcz/receptor.mol2" "$work/1gcz"
    cat "$work/1gcz/A.pdb" "$work/1gcz/B.pdb" | grep '^ATOM' > "$work/1gcz/receptor.pdb"
    mv "$work/1gcz/C.pdb" "$work/1gcz/ligand.pdb"
    dock_back 1gcz
fi
