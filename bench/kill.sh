#!/bin/sh
# kill.sh KIND [ROUNDS]: runs (10) of a KIND (screen, smiles: of molecules prepared on the way, stages, db: with --db,
# merge: with --db, campaign, redock), each killed with -9 at random moments and resumed until it ends by itself, and compared
# with one that nobody disturbed: byte by byte, all of them; of a database the rows, but for run.json's; of a redocking all but its seconds.
# Prints a line for each; exit status 1 where one differs.  BERTH is the program; BERTH_PYTHON a Python with RDKit.
set -eu
kind=$1
rounds=${2:-10}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "${BERTH:-$root/build/berth}" berth # the one that may be built anew meanwhile would be another version
demo=$root/data/demo
site="--receptor $demo/1hpv_receptor.mol2 --autobox_ligand $demo/1hpv_ligand.mol2"
staged="$site --scoring bude --rank energy+0*rotors --generations 2 --poses 512 --refine 1 --batch 8 --checkpoint 0.05"
dock="$staged --search rigid_fast"

# What is docked: of some kinds a library, which is prepared before.
"${BERTH_PYTHON:-python3}" "$root/bench/campaign/library.py" 200 2>/dev/null >molecules.smi
echo 'C1CC open' >>molecules.smi
./berth prep ligands molecules.smi --out library.blib >/dev/null 2>&1 || [ $? -eq 2 ] # one fails

# run DIR: becomes berth.  The options are split into words on purpose.
# shellcheck disable=SC2086
run() {
    case $kind in
    screen) set -- screen $dock --library library.blib --resume --out "$1" ;;
    smiles) set -- screen $dock --library molecules.smi --resume --out "$1" ;;
    stages) set -- screen $staged --library library.blib --stages 'rigid_fast, 50 % rigid_fast --hops 1, 8 rigid_fast --num_modes 3' \
        --resume --out "$1" ;;
    db) set -- screen $dock --library library.blib --top 60 --resume --out "$1" --db "$1.db" ;;
    merge) set -- merge shard1 shard2 --top 120 --out "$1" --db "$1.db" ;;
    campaign) set -- campaign $dock --library molecules.smi --structures 1 --budget '50 %' --sample '60 %' --seek '20 %' \
        --rounds 2 --resume --out "$1" ;;
    redock) set -- eval redock set --scoring bude --search rigid_fast --poses 4096 --generations 2 --refine 1 --size 8 --resume --out "$1" ;;
    *) echo "kill.sh: no kind '$kind'" >&2 && exit 1 ;;
    esac
    exec ./berth "$@" >/dev/null 2>&1
}

# What is compared, of DIR: a line for each file.
content() {
    (cd "$1" && find . -type f ! -name run.json ! -name journal ! -name redock.csv ! -name summary.md -exec sha256sum {} + | sort -k 2)
    [ ! -e "$1/redock.csv" ] || cut -d, -f 1-19,22- "$1/redock.csv" | sha256sum
    [ ! -e "$1.db" ] || sqlite3 "$1.db" .dump | grep -v '^INSERT INTO run ' | sha256sum
}

if [ "$kind" = merge ]; then
    for shard in 1 2; do
        # shellcheck disable=SC2086
        ./berth screen $dock --library library.blib --shard $shard/2 --out shard$shard >/dev/null 2>&1 || true
    done
fi
mkdir set
printf 'pdb\tcenter_x\tcenter_y\tcenter_z\n' >set/sites.tsv
for complex in a b c d; do
    mkdir "set/$complex"
    cp "$demo/1hpv_receptor.mol2" "set/$complex/receptor.mol2"
    cp "$demo/1hpv_ligand.mol2" "set/$complex/crystal.mol2"
    printf '%s\t9.9\t16.2\t8.8\n' $complex >>set/sites.tsv
done
echo nonsense >set/b/crystal.mol2
start=$(date +%s%N)
(run run) || [ $? -eq 2 ]
span=$(($(date +%s%N) - start))
content run >wanted
bad=0 kills=0 round=1
while [ "$round" -le "$rounds" ]; do
    rm -rf run run.db
    killed=0 code=137
    while [ "$code" -eq 137 ]; do
        run run &
        pid=$!
        # a random moment of the whole, later and later, so that it ends
        sleep "$(awk -v most="$span" -v random="$(od -An -N3 -tu4 /dev/urandom)" -v killed="$killed" \
            'BEGIN { print random / 16777216 * most / 1e9 * (0.6 + killed / 4) }')"
        kill -9 "$pid" 2>/dev/null && killed=$((killed + 1))
        code=0
        wait "$pid" 2>/dev/null || code=$?
    done
    content run >found
    same=yes
    cmp -s wanted found || same="no: $(diff wanted found | sed -n 's/^>.* //p' | tr '\n' ' ')"
    [ "$same" = yes ] || bad=$((bad + 1))
    kills=$((kills + killed))
    echo "round $round: killed $killed times, exit code $code, same bytes: $same"
    round=$((round + 1))
done
echo "$bad of $rounds differ, $kills kills, $((span / 1000000)) ms undisturbed"
[ "$bad" -eq 0 ]
