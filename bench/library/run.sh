#!/usr/bin/env bash
# run.sh --out DIR [options]: how fast Mol2 becomes a library, how fast a library is read, both on one
# core, and what a conformer costs on disk: for the 471 reference conformers, and for a larger library
# of the same repeated under other names.
#
#   --out DIR     where everything goes: summary.md, rates.csv, and what they were made from
#   --data DIR    reference data (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --times N     how often the larger library repeats the 471 conformers (default 100)
#   --mol2 FILE   also this file: Mol2 with hydrogens, conformers one behind the other
#   --keep        keep the libraries
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' times=100 mol2='' keep=0
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --times) times=$2; shift 2 ;;
    --mol2) mol2=$2; shift 2 ;;
    --keep) keep=1; shift ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
need_reference

mkdir -p "$out"
build_rates "$out/rates"
cat "$data"/bude/1gcz/reference/ligand*.mol2 > "$out/reference.mol2"
repeat_reference "$times" > "$out/repeated.mol2"

# rate NAME FILE PASSES FIRST: a row of rates.csv, under the header where FIRST is not empty.
rate() {
    "$out/rates" "$2" "$out/$1.blib" "$3" | awk -v name="$1" -v first="$4" '
        NR == 1 && first { print "library," $0 }
        NR == 2 { print name "," $0 }'
}
{
    rate reference "$out/reference.mol2" 1000 1
    rate repeated "$out/repeated.mol2" 10 ''
    if [ -n "$mol2" ]; then rate given "$mol2" 10 ''; fi
} > "$out/rates.csv"

{
    describe_machine
    echo
    awk -F , '
        NR == 1 { print "| library | ligands | conformers | heavy atoms a conformer | docking stream, bytes a conformer | write-out stream | Mol2 to library, conformers/s | reading, conformers/s | peak memory, MiB |"
                  print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"; next }
        { printf "|"; for (i = 1; i <= NF; i++) printf " %s |", $i; print "" }' "$out/rates.csv"
} > "$out/summary.md"
rm -f "$out/rates" "$out/repeated.mol2" "$out/reference.mol2"
[ $keep -eq 1 ] || rm -f "$out"/*.blib
cat "$out/summary.md"
