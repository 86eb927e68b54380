#!/usr/bin/env bash
# EasyDock docks molecules through `berth serve`, without its protonation and with it, and compares scores and poses
# with those of `berth screen`.  PYTHON has EasyDock (PyPI) and what it needs; where MolGpKa is not installed for it,
# as it is not on PyPI, stand_in/ gives pKa values to EasyDock's own code.
# Usage: [PYTHON=build-python/bin/python] bash bench/easydock/run.sh OUT RECEPTOR REFERENCE MOLECULES.smi [option: value ...]
set -euo pipefail
# shellcheck source=bench/common.sh
. "$(dirname "$0")/../common.sh"
[ $# -ge 4 ] || die 'usage: run.sh OUT RECEPTOR REFERENCE MOLECULES.smi [option: value ...]'
python=${PYTHON:-$bench/../build-python/bin/python}
berth=$(realpath "${BERTH:-$berth}")
mkdir -p "$1"
out=$(realpath "$1") receptor=$(realpath "$2") reference=$(realpath "$3") molecules=$(realpath "$4")
shift 4

# one NAME PROTONATION "option: value"...: a run, and the screen of what it docked.
one() {
    local name=$1 protonation=$2 begin line options=()
    shift 2
    rm -rf "${out:?}/$name" "${out:?}/$name".*
    {
        echo "script_file: $berth serve"
        echo "init_server:"
        printf '  %s\n' "receptor: $receptor" "autobox_ligand: $reference" "$@"
    } >"$out/$name.yml"
    for line; do
        options+=("--${line%%: *}=${line#*: }")
    done
    begin=$(date +%s.%N)
    # shellcheck disable=SC2086 # PROTONATION is an option and its value, or nothing
    "$python" -m easydock.run_dock -i "$molecules" -o "$out/$name.db" --program server --config "$out/$name.yml" \
        $protonation --log "$out/$name.log" --log_level DEBUG
    echo "$name: EasyDock took $(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }') s"
    "$python" "$(dirname "$0")/compare.py" molecules "$out/$name.db" >"$out/$name.smi"
    "$berth" screen --receptor "$receptor" --autobox_ligand "$reference" --library "$out/$name.smi" --out "$out/$name" \
        "${options[@]}" >"$out/$name.screen.log" 2>&1 || [ $? -eq 2 ]
    "$python" "$(dirname "$0")/compare.py" "$out/$name.db" "$out/$name"
}

one berth '' "$@"
"$python" -c 'import molgpka' 2>/dev/null || {
    PYTHONPATH=$(realpath "$(dirname "$0")/stand_in")
    export PYTHONPATH
}
one easydock '--protonation molgpka' 'keep_protonation: true' "$@"
