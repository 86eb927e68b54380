#!/bin/sh
# kill.sh [ROUNDS [OPTIONS...]]: screens (50) of a small library, with further options (--db results.db, --stages
# PLAN; the database is not compared), each killed with -9 at random moments and resumed
# until it ends by itself, and compared with one that nobody disturbed: byte by byte, all of them.
# Prints a line for each; exit status 1 where one differs.  BERTH is the program.
set -eu
rounds=${1:-50}
[ $# -eq 0 ] || shift
root=$(cd "$(dirname "$0")/../.." && pwd)
BERTH=${BERTH:-$root/build/berth}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$BERTH" berth # the one that may be built anew meanwhile would be another version
BERTH=$work/berth
${CC:-cc} -std=c11 -D_DEFAULT_SOURCE -I"$root/include" -I"$root/src" -I"$root/kernels" -o rates "$root/bench/library/rates.c" \
    "$root/build/libberth.a" -lOpenCL -lz -lm -lpthread
zcat "$root/data/demo/ten_drugs.mol2.gz" >drugs.mol2
./rates drugs.mol2 drugs.blib >/dev/null
"$BERTH" lib merge drugs.blib drugs.blib drugs.blib --out many.blib >/dev/null 2>&1

screen() { # DIR OPTIONS...: becomes berth
    screen_out=$1
    shift
    exec "$BERTH" screen --receptor "$root/data/demo/1hpv_receptor.mol2" \
        --autobox_ligand "$root/data/demo/1hpv_ligand.mol2" --library many.blib \
        --poses 512 --generations 2 --refine 1 --batch 8 --checkpoint 0.05 --out "$screen_out" "$@" \
        >/dev/null 2>&1
}
random() { # N: 0 .. N - 1
    echo $(($(od -An -N3 -tu4 /dev/urandom) % $1))
}

start=$(date +%s)
(screen undisturbed "$@")
seconds=$(($(date +%s) - start + 1))
bad=0 round=1
while [ "$round" -le "$rounds" ]; do
    rm -rf run
    killed=0 code=1
    while [ "$code" -ne 0 ] && [ "$killed" -lt 100 ]; do
        (screen run --resume "$@") &
        pid=$!
        sleep "$(random $((seconds + 1))).$(random 10)"
        kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
        code=0
        wait "$pid" 2>/dev/null || code=$?
    done
    result=same
    for file in scores.csv hits.sdf failures.csv; do
        cmp -s undisturbed/$file run/$file || result=DIFFERENT
    done
    [ $result = same ] || bad=$((bad + 1))
    echo "round $round: killed $killed times: $result"
    round=$((round + 1))
done
echo "$rounds rounds, $bad different"
[ "$bad" -eq 0 ]
