#!/usr/bin/env bash
# run.sh DATA_DIR OUT_DIR: conformer methods of Open Babel and that of `berth prep ligands`, on the ligands
# of the redocking set (DATA_DIR): rate, coverage of the crystal conformer, spread. Writes
# OUT_DIR/rows.csv and OUT_DIR/table.md. An hour or so on one core.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
"$here/ligands.sh" "$1" "$2"
"$here/measure.py" "$2" > "$2/rows.csv"
"$here/table.py" "$2/rows.csv" | tee "$2/table.md"
