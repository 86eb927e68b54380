#!/usr/bin/env bash
# ligands.sh --out DIR [--device D]: fabp4 and four targets of DUD, searched by vina and by vinardo, each scored by four functions.
#
# Docks at `fast`, one pose for each ligand, and scores it as it stands by vina, vinardo, plp and bude. ligands.py DIR then
# compares rankings. DUD's ligands are built from fragments, fabp4's taken as they are.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
mkdir -p "$out"
zcat "$data"/dude/fabp4/{actives,decoys}_final.mol2.gz > "$out/fabp4.mol2"
zcat "$data/dude/fabp4/actives_final.mol2.gz" | awk 'title { print } { title = /^@<TRIPOS>MOLECULE/ }' | sort -u > "$out/fabp4.actives"
"$berth" prep ligands "$out/fabp4.mol2" --overwrite --out "$out/fabp4.blib"
"$berth" prep receptor "$data/dude/fabp4/receptor.pdb" --center_x 4.42 --center_y 7.61 --center_z 17.55 \
    --size_x 22.5 --size_y 22.5 --size_z 22.5 --overwrite --out "$out/fabp4.brec"
for target in cdk2 ace ar hivrt; do
    zcat "$data/dud/$target.pdb.gz" > "$out/$target.pdb"
    zcat "$data/dud/$target.smi.gz" > "$out/$target.smi"
    awk '$2 ~ /^ACT_/ { print $2 }' "$out/$target.smi" | sort -u > "$out/$target.actives"
    "$berth" prep receptor "$out/$target.pdb" --ligand_id LG1 --overwrite --out "$out/$target.brec"
    "$berth" prep ligands "$out/$target.smi" --builder fragments --overwrite --out "$out/$target.blib"
done
for target in fabp4 cdk2 ace ar hivrt; do
    for search in vina vinardo; do
        run=$out/$target-$search
        "$berth" dock --receptor "$out/$target.brec" --ligand "$out/$target.blib" --search fast --scoring "$search" --num_modes 1 \
            "${device[@]}" --out "$run.mol2" --scores "$run.csv"
        for function in vina vinardo plp bude; do
            "$berth" score --receptor "$out/$target.brec" --ligand "$run.mol2" --scoring "$function" "${device[@]}" --out "$run-$function.csv"
        done
    done
done
