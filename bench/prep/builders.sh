#!/usr/bin/env bash
# builders.sh OUT_DIR [OPENBABEL]: both builders on the demo's 112 drugs (Open Babel on OPENBABEL (20) of them, evenly
# taken: it is slow), RDKit on the first 1,000 of NCI and on 1,000 evenly of its first 5,000 (Debian's rdkit-data), and Mol2
# that is taken as it stands; defaults otherwise, that is up to 5 structures. Writes OUT_DIR/table.md.
# Processor time (user and system, all processes) is what counts where the machine has other work.
set -euo pipefail
out=$1 some=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../common.sh"
berth=${BERTH:-$berth}
nci=/usr/share/RDKit/Data/NCI/first_5K.smi
[ -e "$nci" ] || die "$nci is missing: apt-get install rdkit-data"
mkdir -p "$out"

evenly() { # COUNT FILE
    awk -v count="$1" -v total="$(wc -l < "$2")" 'int(NR * count / total) > int((NR - 1) * count / total)' "$2"
}
drugs=$(dirname "$0")/../../data/demo/drugs.smi
grep -v '^#' "$drugs" > "$out/drugs.smi"
evenly "$some" "$out/drugs.smi" > "$out/some.smi"
head -n 1000 "$nci" > "$out/first.smi"
evenly 1000 "$nci" > "$out/spread.smi"
for ((copy = 0; copy < 40; copy++)); do # every conformer a molecule of its own
    zcat "$(dirname "$0")/../../data/demo/ten_drugs.mol2.gz" | awk -v copy="$copy" '
        title { print "m" copy "x" ++n; title = 0; next } /^@<TRIPOS>MOLECULE/ { title = 1 } { print }'
done > "$out/many.mol2"

row() { # WHAT BUILDER INPUT OPTION...
    local what=$1 builder=$2 input=$3 code=0
    shift 3
    "$here/measure.py" "$out/usage.txt" "$berth" prep ligands "$out/$input" --out "$out/x.blib" --overwrite "$@" \
        > "$out/report.txt" 2> "$out/messages.txt" || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || die "$(tail -n 1 "$out/messages.txt")"
    awk -v what="$what" -v builder="$builder" '
        FILENAME == ARGV[1] { cpu = $4; berth = $10; worker = $16; next }
        {
            wall = $0; sub(/ s, .*/, "", wall); sub(/.*; /, "", wall)
            all = $1 + $5
            printf "| %s | %s | %d of %d | %.1f | %.1f | %.4g | %.3g | %s / %s |\n", what, builder, $1, all, wall, cpu,
                1000 * cpu / all, all / cpu, berth, worker
        }' "$out/usage.txt" "$out/report.txt"
}
{
    describe_machine
    echo "- load when it began: $(cut -d ' ' -f 1-3 /proc/loadavg)"
    echo
    echo '| what | builder | came out | wall, s | processor time, s | ms a molecule | molecules/s and core | memory of berth / worker, MiB |'
    echo '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |'
    row "the demo's 112 drugs" rdkit drugs.smi --builder rdkit
    row "$some of them" 'Open Babel' some.smi --builder openbabel
    row 'first 1,000 of NCI' rdkit first.smi --builder rdkit
    row '1,000 of its first 5,000' rdkit spread.smi --builder rdkit
    row 'Mol2 as it stands' none many.mol2
} | tee "$out/table.md"
rm -f "$out/x.blib" "$out/many.mol2"
