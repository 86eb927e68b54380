#!/usr/bin/env bash
# run.sh OUT_DIR [COUNT] [OPTION ...]: prepares COUNT (1000) real SMILES, evenly taken from the first 5,000
# of NCI that Debian's rdkit-data ships (read where it is installed), and writes OUT_DIR/summary.md: rate,
# failures by reason, peak memory, size of the docking stream. Further options go to `berth prep ligands`. Exit status 1 where
# less than 97 % came out.
set -euo pipefail
out=$1 count=${2:-1000}
shift $(($# < 2 ? $# : 2))
source=/usr/share/RDKit/Data/NCI/first_5K.smi
. "$(dirname "$0")/../common.sh"
berth=${BERTH:-$berth}
[ -e "$source" ] || { echo "$0: $source is missing: apt-get install rdkit-data" >&2; exit 1; }
mkdir -p "$out"
awk -v count="$count" -v total="$(wc -l < "$source")" \
    'int(NR * count / total) > int((NR - 1) * count / total)' "$source" > "$out/input.smi"

code=0
/usr/bin/env python3 "$(dirname "$0")/measure.py" "$out/usage.txt" "$berth" prep ligands "$out/input.smi" \
    --out "$out/nci.blib" --failures "$out/failures.csv" --overwrite "$@" > "$out/report.txt" 2> "$out/messages.txt" || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 2 ] || { tail -n 3 "$out/messages.txt" >&2; exit 1; }

# A reason without its place and numbers.
reasons() {
    python3 -c 'import csv, re, sys
for row in csv.DictReader(open(sys.argv[1])):
    reason = re.sub(r"^[^ ]*:\d+: ", "", row["reason"])
    reason = re.sub(r"^.*has the type (\S+), which.*", r"the forcefield lacks type \1", reason)
    print(re.sub(r"\d+", "N", reason))' "$out/failures.csv" | sort | uniq -c | sort -rn
}
ligands=$(awk '{ print $1 }' "$out/report.txt")
read_count=$(wc -l < "$out/input.smi")
{
    describe_machine
    echo "- $read_count SMILES, options: ${*:-defaults}"
    echo "- $(cat "$out/report.txt")"
    cat "$out/usage.txt"
    echo "- docking stream: $("$berth" lib info "$out/nci.blib" | sed -n 's/^docking *//p')"
    echo "- $ligands of $read_count came out, failures by reason:"
    echo
    reasons | sed 's/^/      /'
} > "$out/summary.md"
cat "$out/summary.md"
[ $((ligands * 100)) -ge $((read_count * 97)) ]
