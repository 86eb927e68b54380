#!/bin/sh
# Docks DUD-E's fabp4 as it stands and says how early the known actives rank.
# Usage: sh bench/enrichment/run.sh [options of berth dock]   (from the project's root)
set -eu
BERTH=${BERTH:-build/berth}
data=${BERTH_REFERENCE_DATA:-../shared/data}/dude/fabp4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$BERTH" prep receptor "$data/receptor.pdb" --center_x 4.42 --center_y 7.61 --center_z 17.55 \
    --size_x 22.5 --size_y 22.5 --size_z 22.5 --out "$work/receptor.brec"
zcat "$data/actives_final.mol2.gz" "$data/decoys_final.mol2.gz" | gzip -1 >"$work/ligands.mol2.gz"
time "$BERTH" dock --receptor "$work/receptor.brec" --ligand "$work/ligands.mol2.gz" --search fast \
    --num_modes 1 --out "$work/poses.sdf" --scores "$work/scores.csv" "$@" >"$work/log"
tail -1 "$work/log"
"$BERTH" eval screen "$work/scores.csv" --actives "$data/actives_final.mol2.gz" --decoys "$data/decoys_final.mol2.gz"
