#!/usr/bin/env bash
# run.sh --prepared DIR --out DIR [options] [-- options of berth dock]: does `berth dock --site surface` find
# the known site, and the pose in it, of the redocking set's complexes; beside `prep receptor --site scan`.
#
# Each crystal ligand, turned and shifted by bench/turn.py (the search turns its torsions at random), is docked to the
# whole of its receptor. Writes rows.csv and summary.md to --out.
#
#   --prepared DIR  <pdb>/receptor.mol2 and <pdb>/crystal.mol2, from bench/redock/prepare.sh
#   --berth BIN     the program (default build/berth)
#   --only PDB,...  these complexes
#   --seed N        (1)
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' prepared='' only='' seed=1
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --prepared) prepared=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --only) only=,$2,; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --) shift; break ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
[ -n "$prepared" ] || die '--prepared is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"

mkdir -p "$out"
for folder in "$prepared"/*/; do
    pdb=$(basename "$folder")
    [ -z "$only" ] || [ "${only#*,"$pdb",}" != "$only" ] || continue
    "$bench/turn.py" "$folder/crystal.mol2" "$out/$pdb-start.mol2" --seed "$seed"
    "$berth" dock --receptor "$folder/receptor.mol2" --ligand "$out/$pdb-start.mol2" \
        --reference "$folder/crystal.mol2" --site surface --seed "$seed" "$@" \
        --out "$out/$pdb.sdf" --scores "$out/$pdb.csv" > "$out/$pdb.log" 2> "$out/$pdb.err" ||
        { cat "$out/$pdb.err" >&2; exit 1; }
    "$berth" prep receptor "$folder/receptor.mol2" --keep_types --keep all --site scan --sites 9 \
        --out "$out/$pdb.brec" --overwrite 2> "$out/$pdb-scan.err"
    echo "$pdb: $(tail -n 1 "$out/$pdb.log")" >&2
done
{
    describe_machine
    echo "- command: bench/surface/run.sh, berth dock --site surface --seed $seed $*"
    echo
    "$bench/surface/table.py" "$prepared" "$out" "$only"
} > "$out/summary.md"
cat "$out/summary.md"
