#!/usr/bin/env bash
# fragments.sh OUT_DIR FILE.smi[.gz] ...: prepares each file from fragments twice, with a store that knows what ships alone
# (cold), and with all that the first run made (warm), and writes OUT_DIR/table.md: molecules per second and core, by the
# processor time (user and system) of berth and its workers. BERTH names the program.
set -euo pipefail
out=$1
shift
. "$(dirname "$0")/../common.sh"
berth=${BERTH:-$berth}
mkdir -p "$out"
echo '| molecules | store | joined | new fragments | processor time, s | molecules/s and core |' > "$out/table.md"
echo '| --- | --- | ---: | ---: | ---: | ---: |' >> "$out/table.md"
for file; do
    name=$(basename "${file%.gz}" .smi)
    export BERTH_FRAGMENTS=$out/$name.store
    rm -f "$BERTH_FRAGMENTS"
    for store in cold warm; do
        code=0
        /usr/bin/env time -o "$out/time" -f '%U %S' "$berth" prep ligands "$file" --builder fragments \
            --out "$out/$name.blib" --overwrite > "$out/$name.$store.log" 2>&1 || code=$?
        [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || die "$file: see $out/$name.$store.log"
        said=$(grep ' joined from fragments' "$out/$name.$store.log")
        tail -n 1 "$out/time" | awk -v name="$name" -v store="$store" -v said="$said" '{
            split(said, word, " "); match(said, /[0-9]+ new fragments/)
            printf "| %s, %d | %s | %d | %d | %.1f | %.0f |\n", name, word[4], store, word[2], \
                substr(said, RSTART) + 0, $1 + $2, word[4] / ($1 + $2) }' >> "$out/table.md"
    done
done
cat "$out/table.md"
