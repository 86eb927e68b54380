#!/bin/sh
# rdkit_versions.sh: berth with RDKit as Debian has it, with a middle one and with the newest that the package index
# has, each of these in a virtual environment of build-rdkit/, which is kept.  With each the 112 drugs of the demo are
# prepared (112 of 112, the same molecules), `berth doctor` builds its own, and tests/cli/test_chemistry.sh runs, which
# runs tests/chemistry.  Needs `make tests`; a network where the environments are to be made, or to be brought up to
# date: without one it fails, and says so.
# Usage: sh tests/rdkit_versions.sh   (from the root; BERTH_TEST_PYTHON: the oldest, which makes the environments)
set -u
BUILD=${BUILD:-build}
oldest=${BERTH_TEST_PYTHON:-/usr/bin/python3}
MIDDLE=2024.9.6
folder=build-rdkit
failed=0

fail() { # WHAT
    echo "not ok - $1"
    failed=1
}

# environment NAME REQUIREMENT...: one that has these
environment() {
    at=$folder/$1
    shift
    { [ -x "$at/bin/python3" ] || "$oldest" -m venv "$at"; } &&
        "$at/bin/python3" -m pip install -q --disable-pip-version-check --retries 1 --timeout 15 --upgrade \
            --only-binary :all: "$@"
}

# molecules PYTHON NAME: name, heavy atoms, rotatable bonds, formula and charge of each drug, in NAME.molecules
molecules() {
    BERTH_PYTHON=$1 "$BUILD/berth" prep ligands data/demo/drugs.smi --structures 1 --overwrite \
        --out "$folder/$2.blib" >"$folder/$2.log" 2>&1
    echo "$2: $(grep ' ligands, ' "$folder/$2.log")"
    grep -q '^112 ligands prepared, .* 0 failed, 0 dropped' "$folder/$2.log" || fail "$2: not 112 of 112 drugs"
    "$BUILD/berth" lib ls "$folder/$2.blib" --full | "$oldest" -c '
import csv, sys
from rdkit import Chem
from rdkit.Chem.rdMolDescriptors import CalcMolFormula
for row in csv.DictReader(sys.stdin):
    molecule = Chem.MolFromSmiles(row["smiles"])
    print(row["name"], row["heavy_atoms"], row["torsions"], CalcMolFormula(molecule), Chem.MolToSmiles(molecule))
' >"$folder/$2.molecules"
}

# try PYTHON NAME
try() {
    echo "== RDKit $("$1" -c 'import rdkit; print(rdkit.__version__)') ($2)"
    molecules "$1" "$2"
    cmp "$folder/oldest.molecules" "$folder/$2.molecules" || fail "$2: other drugs than the oldest makes"
    BERTH_PYTHON=$1 "$BUILD/berth" doctor | grep '^[^ ]*  *RDKit' | tee "$folder/$2.doctor"
    grep -q '^ok .*builds what it should' "$folder/$2.doctor" || fail "$2: berth doctor does not call it ok"
    BERTH_TEST_ALL=1 BERTH_PYTHON=$1 sh tests/run.sh test_chemistry >"$folder/$2.tests" 2>&1 || fail "$2: tests/cli/test_chemistry.sh"
    cat "$folder/$2.tests"
    grep -q ' 0 failed, 0 skipped$' "$folder/$2.tests" || fail "$2: tests were skipped"
}

mkdir -p "$folder"
"$oldest" -c 'import rdkit' 2>/dev/null || {
    echo "not ok - $oldest has no RDKit: make setup"
    exit 1
}
case $("$oldest" -c 'import rdkit; print(rdkit.__version__)') in
2022.*) ;;
*) echo "(the oldest here is no 2022.09, as Debian 12 has it)" ;;
esac
molecules "$oldest" oldest
for name in middle newest; do
    requirement=rdkit
    [ "$name" = newest ] || requirement=rdkit==$MIDDLE
    if environment "$name" "$requirement" numpy; then
        try "$PWD/$folder/$name/bin/python3" "$name"
    else
        fail "$name: no $requirement could be installed into $folder/$name (see above; is there a network?): not tried"
    fi
done
[ "$failed" -eq 0 ] && echo 'ok - the same with three RDKits'
exit "$failed"
