#!/usr/bin/env bash
# types_1gcz.sh --out DIR [--berth BIN] [--data DIR]: does `berth prep receptor` give a PDB file the types
# that BUDE's own receptor has?
#
# Strips BUDE's 1GCZ receptor (Mol2) of types, bonds and hydrogens to a bare PDB file (DIR/bare.pdb;
# a chain begins where residue numbers begin again), prepares that, and compares the type of every
# heavy atom by place. Prints the differences and how many types agree.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out=''
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"
receptor=$data/bude/1gcz/receptor.mol2
[ -f "$receptor" ] || die "no bude/1gcz/receptor.mol2 in $data: give --data"

strip() {
    awk '/^@<TRIPOS>/ { section = $1; next }
        section == "@<TRIPOS>ATOM" && NF > 6 && $6 !~ /^H/ {
            residue = number = $8
            sub(/[0-9]+$/, "", residue)
            sub(/^[A-Z]+/, "", number)
            if (chain == "" || number + 0 < last) chain = substr("ABCDEFGH", ++chains, 1)
            last = number + 0
            printf "ATOM  %5d  %-3s %3s %s%4d    %8.3f%8.3f%8.3f\n", ++serial, $2, residue, chain, number, $3, $4, $5
        }
        END { print "END" }' "$1"
}

# compare BUDE.mol2 OURS.mol2
compare() {
    awk '/^@<TRIPOS>/ { section = $1; next }
        section != "@<TRIPOS>ATOM" || NF <= 6 || $6 ~ /^H/ { next }
        { place = sprintf("%.3f %.3f %.3f", $3, $4, $5) }
        FILENAME == ARGV[1] { type[place] = $6; atoms++; next }
        !(place in type) { print "not in BUDE'"'"'s file: " $8 " " $2; bad = 1; next }
        {
            ours++
            residue = $8
            sub(/[0-9]+$/, "", residue)
            if (type[place] == $6) same++
            else count[residue " " $2 ": BUDE " type[place] ", berth " $6]++
        }
        END {
            for (text in count) print count[text] " x " text
            printf "%d of %d types agree\n", same, atoms
            exit bad || ours != atoms
        }' "$1" "$2"
}

mkdir -p "$out"
strip "$receptor" > "$out/bare.pdb"
"$berth" prep receptor "$out/bare.pdb" --out "$out/bare.brec" --mol2 "$out/typed.mol2" --overwrite 2> "$out/log" || { cat "$out/log" >&2; exit 1; }
compare "$receptor" "$out/typed.mol2"
