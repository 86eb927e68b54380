#!/usr/bin/env bash
# scan.sh --prepared DIR --out DIR [--berth BIN] [--sites N]: does `--site scan` find the known site?
#
# For each complex of the redocking set (<pdb>/receptor.mol2 and crystal.mol2 in DIR, from
# bench/redock/prepare.sh) and the demo: the rank of the first box that the crystal ligand's centroid lies in, and
# how far the centres of the N (10) best boxes are from it. Prints a Markdown table.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' prepared='' sites=10
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --prepared) prepared=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --sites) sites=$2; shift 2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
[ -n "$prepared" ] || die '--prepared is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"

# centroid LIGAND.mol2: of its heavy atoms.
centroid() {
    awk '/^@<TRIPOS>/ { section = $1; next }
        section == "@<TRIPOS>ATOM" && NF > 5 && $6 !~ /^H/ { x += $3; y += $4; z += $5; n++ }
        END { print x / n, y / n, z / n }' "$1"
}

row() { # NAME RECEPTOR LIGAND
    "$berth" prep receptor "$2" --keep_types --keep all --site scan --sites "$sites" \
        --out "$out/$1.brec" --overwrite 2> "$out/$1.log" || { cat "$out/$1.log" >&2; return 1; }
    awk -F, -v name="$1" -v at="$(centroid "$3")" '
        function outside(d, size) { return (d < 0 ? -d : d) > size / 2 }
        BEGIN { split(at, c, " "); best = 1e9 }
        FNR > 1 {
            d = sqrt(($3 - c[1]) ^ 2 + ($4 - c[2]) ^ 2 + ($5 - c[3]) ^ 2)
            if (d < best) { best = d; nearest = $1 }
            if (!rank && !outside($3 - c[1], $6) && !outside($4 - c[2], $7) && !outside($5 - c[3], $8)) rank = $1
        }
        END { printf "| %s | %s | %.1f | %d |\n", name, rank ? rank : "none", best, nearest }' "$out/$1_sites.csv"
}

mkdir -p "$out"
echo '| complex | rank of the first box with the ligand | nearest centre, Å | its rank |'
echo '| --- | ---: | ---: | ---: |'
for folder in "$prepared"/*/; do
    row "$(basename "$folder")" "$folder/receptor.mol2" "$folder/crystal.mol2"
done | tee "$out/rows"
row 1hpv "$bench/../data/demo/1hpv_receptor.mol2" "$bench/../data/demo/1hpv_ligand.mol2" | tee -a "$out/rows"
awk -F'|' '{ n++; r = $3 + 0; one += r == 1; three += r >= 1 && r <= 3; five += r >= 1 && r <= 5 }
    END { printf "\nThe ligand lies in the first box in %d of %d, in one of the first three in %d, of the first five in %d.\n", one, n, three, five }' "$out/rows"
