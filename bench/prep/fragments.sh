#!/usr/bin/env bash
# fragments.sh OUT_DIR SMILES...: prepares each file from fragments with one worker, twice: with what ships alone, then with the
# store that this left; writes OUT_DIR/summary.md: molecules per second of user time, berth's and its workers', and what berth says
# of fragments. BERTH names the program, BERTH_PYTHON the Python with RDKit. Exit status 1 where the two libraries differ.
set -euo pipefail
out=$1
shift
. "$(dirname "$0")/../common.sh"
berth=${BERTH:-$berth}
mkdir -p "$out"
TIMEFORMAT=%U

# NAME FILE STORE: a row
prepare() {
    { time BERTH_FRAGMENTS=$3 "$berth" prep ligands "$2" --builder fragments --jobs 1 --overwrite --out "$out/$1.blib" \
        > "$out/$1.txt" 2> "$out/$1.messages" || [ $? -eq 2 ]; } 2> "$out/$1.time"
    ligands=$(awk '{ print $1 }' "$out/$1.txt") user=$(tail -n 1 "$out/$1.time")
    echo "- $1: $ligands ligands, $user s of user time, $(awk "BEGIN { print int($ligands / $user) }") a second;" \
        "$(sed -n 's/^berth: \(.*joined from fragments.*\)/\1/p' "$out/$1.messages")"
}

describe_machine > "$out/summary.md"
for file; do
    name=$(basename "$file") name=${name%%.*}
    rm -f "$out/$name.store"
    prepare "$name.new" "$file" "$out/$name.store" | tee -a "$out/summary.md"
    prepare "$name.warm" "$file" "$out/$name.store" | tee -a "$out/summary.md"
    cmp "$out/$name.new.blib" "$out/$name.warm.blib"
done
