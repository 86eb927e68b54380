#!/usr/bin/env bash
# convergence.sh --out DIR [options] [-- options of berth dock]: does every seed end in the same pose?
#
# Docks each ligand, the crystal's rings and bonds, its torsions drawn by the search, with several seeds, and
# says how many first modes are within 0.1 of the lowest energy of all runs.  The energy is what the search
# makes lowest: that with the receptor and that inside the ligand (the columns energy and strain).
#
#   --out DIR       where everything goes: the set, a table of scores a run, and summary.md
#   --set DIR       a set that `berth eval redock` made (default DIR/set, made of the reference data)
#   --berth BIN     the program (default build/berth)
#   --data DIR      reference data, for redock/ (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --device D      as for berth (default berth's)
#   --size A        edge of the box, Angstrom; 0: that of sites.tsv (default 16)
#   --seeds N       seeds 1 to N (default 10)
#   --torsions N    leave out ligands that have more (default 8)
#   --only NAMES    only these complexes, with commas between
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' set='' size=16 seeds=10 torsions=8 only='' device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --set) set=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    --size) size=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --torsions) torsions=$2; shift 2 ;;
    --only) only=$2; shift 2 ;;
    --) shift; break ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
extra=("$@")
[ -n "$out" ] || die '--out is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"
sites=$data/redock/sites.tsv
[ -f "$sites" ] || die "no redock/sites.tsv in $data: give --data"
mkdir -p "$out/runs"
if [ -z "$set" ]; then
    set=$out/set
    [ -f "$set/redock.csv" ] || "$berth" eval redock "$data/redock" --smiles "$bench/redock/ligands.tsv" \
        --mode torsions --search fast --out "$set" > "$out/set.log" 2>&1 ||
        { cat "$out/set.log" >&2; die 'the set cannot be prepared'; }
fi

dock() { # PDB SEED X Y Z A B C
    local at=$out/runs/$1.$2
    "$berth" dock --receptor "$set/$1/receptor.mol2" --ligand "$set/$1/crystal.mol2" --center_x "$3" --center_y "$4" \
        --center_z "$5" --size_x "$6" --size_y "$7" --size_z "$8" --seed "$2" --profile "${device[@]}" "${extra[@]}" \
        --out "$at.sdf" --scores "$at.csv" > "$at.log" 2>&1 || { cat "$at.log" >&2; return 1; }
}

# run PDB SEED: the first mode's energy, the evaluations and the seconds of a run.
run() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        NR == 2 { printf "%.4f ", $column["energy"] + $column["strain"] }' "$out/runs/$1.$2.csv"
    awk '/energies with gradients$/ { evaluations = $1 } / failed; / { seconds = $(NF - 1) }
        END { print evaluations + 0, seconds + 0 }' "$out/runs/$1.$2.log"
}

# ligands: names and torsions of the set's.
ligands() {
    awk -F, -v most="$torsions" -v only=",$only," 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["mode"] == "torsions" && $column["torsions"] <= most && (only == ",," || index(only, "," $1 ",")) {
            print $1, $column["torsions"] }' "$set/redock.csv"
}

ligands | while read -r pdb count; do
    IFS=$'\t' read -r _ x y z a b c _ < <(tr -d '\r' < "$sites" | grep "^$pdb"$'\t')
    [ "$size" = 0 ] || a=$size b=$size c=$size
    for seed in $(seq "$seeds"); do
        dock "$pdb" "$seed" "$x" "$y" "$z" "$a" "$b" "$c"
        echo "$pdb $count $(run "$pdb" "$seed")"
    done
done > "$out/rows"
{
    describe_machine
    describe_devices "$(find "$out/runs" -name '*.1.log' | sort | head -n 1)"
    echo "- docking: $([ "$size" = 0 ] && echo 'boxes of sites.tsv' || echo "boxes of $size Å"), seeds 1 to $seeds, options: ${extra[*]:-defaults}"
    printf '\n| ligand | torsions | lowest energy | runs within 0.1 | worst run above it | evaluations | s |\n'
    printf '| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n'
    awk '
        !($1 in runs) { order[++ligands] = $1; torsions[$1] = $2; lowest[$1] = highest[$1] = $3 }
        { runs[$1]++; energy[$1, runs[$1]] = $3; evaluations[$1] += $4; seconds[$1] += $5
          if ($3 < lowest[$1]) lowest[$1] = $3
          if ($3 > highest[$1]) highest[$1] = $3 }
        END {
            for (k = 1; k <= ligands; k++) {
                name = order[k]; n = runs[name]; near = 0
                for (i = 1; i <= n; i++) near += energy[name, i] <= lowest[name] + 0.1
                printf "| %s | %d | %.2f | %d of %d | %.2f | %.0f | %.2f |\n", name, torsions[name], lowest[name], near,
                    n, highest[name] - lowest[name], evaluations[name] / n, seconds[name] / n
                whole += near == n; all += n; found += near; sum += evaluations[name]; time += seconds[name]
            }
            printf "\nAll runs within 0.1 of the lowest energy: %d of %d ligands; %d of %d runs. A run: %.0f evaluations, %.2f s.\n",
                whole, ligands, found, all, sum / all, time / all
        }' "$out/rows"
} > "$out/summary.md"
cat "$out/summary.md"
