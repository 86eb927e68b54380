#!/bin/sh
# The second half of `make demo`: a library of 112 approved drugs from SMILES, in $BUILD/demo/drugs.blib,
# screened against HIV-1 protease into $BUILD/demo/screen; prints where the drugs that were made against this
# protein rank.  A quick search keeps it to a few minutes on two cores.
set -eu
BUILD=${BUILD:-build}
out=$BUILD/demo
mkdir -p "$out"
set -- prep ligands data/demo/drugs.smi --overwrite --out "$out/drugs.blib"
echo
echo "$BUILD/berth $*"
"$BUILD/berth" "$@" || [ $? -eq 2 ] # some failed: they are listed
"$BUILD/berth" lib info "$out/drugs.blib"

set -- screen --receptor data/demo/1hpv_receptor.mol2 --autobox_ligand data/demo/1hpv_ligand.mol2 \
    --library "$out/drugs.blib" --out "$out/screen" --overwrite
echo
echo "$BUILD/berth $*"
echo
"$BUILD/berth" "$@" || [ $? -eq 2 ] # some failed: they are listed
echo
awk '/^>  </ { tag = $2; next }
    { value[tag] = $0; tag = "" }
    /^\$\$\$\$/ {
        ligand = value["<ligand>"]
        if (ligand ~ /navir$/) ranks = ranks (ranks ? ", " : "") ligand " " value["<rank>"]
        count++
        split("", value)
    }
    END { printf "HIV-1 protease inhibitors, by rank of %d: %s\n", count, ranks }' "$out/screen/hits.sdf"
echo
echo "all scores:                     $out/screen/scores.csv"
echo "poses of the hits, best first:  $out/screen/hits.sdf"
# The page needs RDKit or Open Babel for its drawings, and nothing to be looked at.
awk '$2 ~ /navir$/ { print $2 }' data/demo/drugs.smi >"$out/inhibitors.txt"
"$BUILD/berth" report "$out/screen" --actives "$out/inhibitors.txt" \
    --view pymol --reference data/demo/1hpv_ligand.mol2
