#!/bin/sh
# kill.sh [ROUNDS]: campaigns (40) on a small library, each killed with -9 at random moments and resumed until it ends by
# itself, and compared with one that nobody disturbed: byte by byte.  Prints a line for each; exit status 1 where one differs.
# BERTH is the program; BERTH_PYTHON a Python with RDKit.
set -eu
rounds=${1:-40}
root=$(cd "$(dirname "$0")/../.." && pwd)
BERTH=${BERTH:-$root/build/berth}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$BERTH" berth # the one that may be built anew meanwhile would be another version
"${BERTH_PYTHON:-python3}" "$root/bench/campaign/library.py" 120 2>/dev/null >molecules.smi
echo 'C1CC open' >>molecules.smi

campaign() { # DIR: becomes berth
    exec ./berth campaign --receptor "$root/data/demo/1hpv_receptor.mol2" --autobox_ligand "$root/data/demo/1hpv_ligand.mol2" \
        --library molecules.smi --out "$1" --search rigid_fast --poses 128 --generations 2 --refine 0 --structures 1 \
        --scoring bude --rank energy+0*rotors --budget '50 %' --sample '60 %' --seek '20 %' --rounds 2 --checkpoint 0.05 \
        --resume >/dev/null 2>&1
}

start=$(date +%s%N)
(campaign undisturbed) || true
span=$(($(date +%s%N) - start))
bad=0 round=1
while [ "$round" -le "$rounds" ]; do
    rm -rf run
    killed=0 code=137
    while [ "$code" -eq 137 ]; do
        campaign run &
        pid=$!
        # a random moment of the whole, later and later, so that it ends
        sleep "$(awk -v most="$span" -v random="$(od -An -N3 -tu4 /dev/urandom)" -v killed="$killed" \
            'BEGIN { print random / 16777216 * most / 1e9 * (0.6 + killed / 4) }')"
        kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
        code=0
        wait "$pid" 2>/dev/null || code=$?
    done
    same=yes
    for file in scores.csv hits.sdf failures.csv campaign.csv fingerprints.bin round-2/molecules.smi round-3/molecules.smi; do
        cmp -s "undisturbed/$file" "run/$file" || same="no: $file"
    done
    [ "$same" = yes ] || bad=$((bad + 1))
    echo "round $round: killed $killed times, exit code $code, same bytes: $same"
    round=$((round + 1))
done
echo "$bad of $rounds differ"
[ "$bad" -eq 0 ]
