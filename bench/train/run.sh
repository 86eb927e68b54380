#!/usr/bin/env bash
# run.sh --out DIR [--device D]: poses of PDBbind's 997 complexes, a table of them, and what is fitted to it.
#
# Docks each complex from its crystal's ligand with random torsions and from its SMILES (two minutes on an H200, hours on
# a CPU), writes DIR/train.npz (table.py says what is in it), the same of redock80 and PoseBusters' complexes, which nothing
# is fitted to, and DIR/fitted.score; prints how good both fits are on folds of related proteins and on those two sets, and the line
# `confidence` of a .rank file (fit.py). Poses are ranked by what was there before the potential, so that it is fitted
# to what that misses. Needs what `berth eval redock` needs, and Python with numpy, scipy and RDKit ($BERTH_PYTHON).
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' device=()
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
[ -n "$out" ] || die '--out is missing'
python=${BERTH_PYTHON:-python3}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
for archive in train/train997 redock80/redock80 posebusters/pb120; do
    tar xf "$data/$archive.tar.xz" -C "$out"
done
cat >"$out/before.rank" <<'END'
scoring = vina,vinardo,plp,bude
pool    = vina,vinardo
poses   = vina + vinardo + 0.05*plp + 0.05*bude + strain
ligands = vina
END
for set in train1200 redock80 pb_dev; do
    # Complexes that cannot be read are listed in failures.csv, and end the command with status 2.
    "$berth" eval redock "$out/$set" --mode torsions,generated --num_modes 50 --rank "$out/before.rank" "${device[@]}" --out "$out/$set-poses" || [ $? = 2 ]
    "$python" "$here/table.py" "$out/$set" "$out/$set-poses" "$out/$set.npz"
done
"$python" "$here/fit.py" "$out/train1200.npz" --test "$out/redock80.npz" "$out/pb_dev.npz" --out "$out"
