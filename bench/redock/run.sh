#!/usr/bin/env bash
# run.sh --prepared DIR --out DIR [options] [-- options of berth dock]: redocking of 21 complexes.
#
# Docks each crystal conformer from a random orientation and compares with the crystal pose. Needs
# what prepare.sh wrote; no Open Babel.
#
#   --prepared DIR  <pdb>/receptor.mol2 and <pdb>/crystal.mol2, from prepare.sh
#   --out DIR       where everything goes: summary.md, rows.csv, and what they were made from
#   --berth BIN     the program (default build/berth)
#   --data DIR      reference data, for redock/sites.tsv (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --device D      as for berth (default berth's)
#   --size A        edge of the box, Angstrom (default 16)
#   --seeds N       seeds 1 to N, each for the orientation at the start and for the search (default 1)
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' prepared='' size=16 seeds=1 device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --prepared) prepared=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    --size) size=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --) shift; break ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
extra=("$@")
[ -n "$out" ] || die '--out is missing'
[ -n "$prepared" ] || die '--prepared is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"
sites=$data/redock/sites.tsv
[ -f "$sites" ] || die "no redock/sites.tsv in $data: give --data"

score() { # PDB POSES.mol2 OUT.csv
    "$berth" score --receptor "$prepared/$1/receptor.mol2" --ligand "$2" "${device[@]}" --out "$3" 2> "$out/score.log" ||
        { cat "$out/score.log" >&2; return 1; }
}

dock() { # PDB SEED X Y Z
    local at=$out/$1/seed$2
    "$bench/turn.py" "$prepared/$1/crystal.mol2" "$at-start.mol2" --seed "$2"
    "$berth" dock --receptor "$prepared/$1/receptor.mol2" --ligand "$at-start.mol2" \
        --reference "$prepared/$1/crystal.mol2" --center_x "$3" --center_y "$4" --center_z "$5" \
        --size_x "$size" --size_y "$size" --size_z "$size" --seed "$2" "${device[@]}" "${extra[@]}" \
        --out "$at.mol2" --scores "$at.csv" > "$at.log" 2> "$at.err" || { cat "$at.err" >&2; return 1; }
}

mkdir -p "$out"
tail -n +2 "$sites" | tr -d '\r' | while IFS=$'\t' read -r pdb x y z _; do
    rm -rf "${out:?}/$pdb"
    [ -f "$prepared/$pdb/crystal.mol2" ] || die "no $pdb in $prepared: run prepare.sh"
    mkdir -p "$out/$pdb"
    score "$pdb" "$prepared/$pdb/crystal.mol2" "$out/$pdb/crystal.csv"
    for seed in $(seq "$seeds"); do dock "$pdb" "$seed" "$x" "$y" "$z"; done
    echo "$pdb" >&2
done
{
    describe_machine
    describe_devices "$(find "$out" -name seed1.log | sort | head -n 1)"
    echo "- docking: box of $size Å about the centres of sites.tsv, options: ${extra[*]:-defaults}"
} > "$out/machine.md"
"$bench/redock/table.py" "$out" "$prepared" "$sites" "$size" > "$out/summary.md"
cat "$out/summary.md"
