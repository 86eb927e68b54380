#!/usr/bin/env bash
# poses.sh --out DIR [--seeds N] [--device D]: poses of redock and redock80 by two searches, each scored by four functions.
#
# Docks both sets (`berth eval redock --mode torsions,generated`) by vina and by vinardo, and scores every pose as it
# stands by vina, vinardo, plp and bude. poses.py DIR then compares rankings. Needs what `berth eval redock` needs.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' seeds=1 device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
mkdir -p "$out"
tar xf "$data/redock80/redock80.tar.xz" -C "$out"
"$berth" eval redock "$out/redock80" --mode none --out "$out/set80"
"$berth" eval redock "$data/redock" --smiles "$bench/redock/ligands.tsv" --mode none --out "$out/set21"

for set in set80 set21; do
    for seed in $(seq "$seeds"); do
        for search in vina vinardo; do
            run=$out/$set-$search-$seed
            "$berth" eval redock "$out/$set" --mode torsions,generated --scoring "$search" --seed "$seed" "${device[@]}" --out "$run"
            for poses in "$run"/*/*_poses.sdf; do
                for function in vina vinardo plp bude; do
                    "$berth" score --receptor "$(dirname "$poses")/receptor.mol2" --ligand "$poses" --scoring "$function" \
                        "${device[@]}" --out "${poses%_poses.sdf}_$function.csv"
                done
            done
        done
    done
done
