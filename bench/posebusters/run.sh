#!/usr/bin/env bash
# run.sh --out DIR [options] [-- options of berth eval redock]: the PoseBusters benchmark, judged by PoseBusters.
#
# Docks each ligand into its own receptor from its graph alone (`berth eval redock --mode generated`); the package
# PoseBusters, with its configuration "redock", then says of the first five poses how far they lie from the
# crystal's and which checks they pass (judge.py), and table.py compares that with what M. Buttenschoen,
# G. M. Morris and C. M. Deane published of Vina, GOLD and DiffDock (Chem. Sci. 15 (2024) 3130).
#
#   --out DIR       where everything goes: summary.md, a folder for each seed, and verdicts beside the poses
#   --set DIR       sites.tsv, NAME/receptor.pdb and NAME/crystal.sdf, and published.tsv if there is one
#                   (default posebusters/pb120.tar.xz of the reference data, unpacked to DIR/pb_dev)
#   --data DIR      reference data (default $BERTH_REFERENCE_DATA, else ../shared/data)
#   --berth BIN     the program (default build/berth)
#   --device D      as for berth (default berth's)
#   --seeds N       seeds 1 to N (default 1)
#   --jobs N        processes that judge (default: one per core)
#
# BERTH_POSEBUSTERS names a Python with PoseBusters (default build-python/bin/python). What is in DIR is not made again; a
# docking that was stopped goes on.
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"

out='' set='' seeds=1 jobs=$(nproc) device=()
python=${BERTH_POSEBUSTERS:-$bench/../build-python/bin/python}
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=$2; shift 2 ;;
    --set) set=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --berth) berth=$2; shift 2 ;;
    --device) device=(--device "$2"); shift 2 ;;
    --seeds) seeds=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --) shift; break ;;
    *) die "unknown option $1 (see the head of the script)" ;;
    esac
done
extra=("$@")
[ -n "$out" ] || die '--out is missing'
[ -x "$berth" ] || die "no program at $berth: run make, or give --berth"
"$python" -c 'import posebusters' 2> /dev/null || die "no PoseBusters in $python: run make setup-compare, or set BERTH_POSEBUSTERS"
mkdir -p "$out"
if [ -z "$set" ]; then
    archive=$data/posebusters/pb120.tar.xz set=$out/pb_dev
    [ -f "$archive" ] || die "no posebusters/pb120.tar.xz in $data: give --data or --set"
    [ -f "$set/sites.tsv" ] || tar xf "$archive" -C "$out"
fi
[ -f "$set/sites.tsv" ] || die "no sites.tsv in $set"

# judge POSES OUT.csv: POSES with {} where the name of the complex stands.
judge() {
    [ -f "$2" ] || "$python" "$bench/posebusters/judge.py" "$set" "$1" "$2" --jobs "$jobs"
}

judge "$set/{}/crystal.sdf" "$out/crystal.csv"
runs=()
for seed in $(seq "$seeds"); do
    run=$out/seed$seed
    # Exit status 2 (some complexes failed) is no end: failures.csv has them.
    [ -f "$run/redock.csv" ] || "$berth" eval redock "$set" --mode generated --seed "$seed" "${device[@]}" "${extra[@]}" \
        --resume --out "$run" >> "$run.log" 2>&1 || [ $? -eq 2 ] || { tail -n 20 "$run.log" >&2; die "seed $seed cannot be docked"; }
    judge "$run/{}/generated_poses.sdf" "$run/posebusters.csv"
    runs+=("$run")
done
{
    echo '# PoseBusters benchmark'
    echo
    describe_machine
    describe_devices <(sed 's/^berth: //' "$out/seed1.log")
    echo "- docking: seeds 1 to $seeds, options: ${extra[*]:-defaults}"
    echo "- judge: PoseBusters $("$python" -c 'import posebusters; print(posebusters.__version__)'), configuration redock"
    echo
    "$bench/posebusters/table.py" "$set" "$out/crystal.csv" "${runs[@]}"
} > "$out/summary.md"
cat "$out/summary.md"
