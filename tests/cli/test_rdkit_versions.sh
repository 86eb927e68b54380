#!/bin/sh
# berth with RDKit as Debian has it, with a middle one and with the newest that the package index has, each of these in
# a virtual environment of build-rdkit/, which is kept.  With each the 112 drugs of the demo become the same molecules,
# `berth doctor` calls it ok, and the checks of chemistry pass.  Needs a network where the environments are made.
. tests/cli/lib.sh
slice rdkit 'the oldest RDKit, a middle one and the newest'
oldest=${BERTH_TEST_PYTHON:-/usr/bin/python3}
middle=2024.9.6
folder=$root/build-rdkit

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
    run env BERTH_PYTHON="$1" "$BERTH" prep ligands demo/drugs.smi --structures 1 --overwrite --out "$2.blib"
    check "$2: 112 of 112 drugs" all exited 0 -- grep -q '^112 ligands prepared, .* 0 failed, 0 dropped' stdout
    "$BERTH" lib ls "$2.blib" --full | "$oldest" -c '
import csv, sys
from rdkit import Chem
from rdkit.Chem.rdMolDescriptors import CalcMolFormula
for row in csv.DictReader(sys.stdin):
    molecule = Chem.MolFromSmiles(row["smiles"])
    print(row["name"], row["heavy_atoms"], row["torsions"], CalcMolFormula(molecule), Chem.MolToSmiles(molecule))
' >"$2.molecules"
}

if ! "$oldest" -c 'import rdkit' 2>/dev/null; then
    skip 'RDKits' "python3-rdkit is not installed for $oldest"
    finish
fi
mkdir -p "$folder"
molecules "$oldest" oldest
for name in middle newest; do
    requirement=rdkit
    [ "$name" = newest ] || requirement=rdkit==$middle
    run environment "$name" "$requirement" numpy
    check "$requirement installs" exited 0
    python=$folder/$name/bin/python3
    echo "# $name: RDKit $("$python" -c 'import rdkit; print(rdkit.__version__)')"
    molecules "$python" "$name"
    check "$name: the drugs are those of the oldest" same oldest.molecules "$name.molecules"
    run env BERTH_PYTHON="$python" "$BERTH" doctor
    check "$name: berth doctor builds what it should" grep -q '^ok  *RDKit .*builds what it should' stdout
    (cd "$root" && BERTH_TEST_SLICE=preparation BERTH_PYTHON="$python" sh tests/cli/test_chemistry.sh) >stdout 2>stderr.raw
    code=$?
    check "$name: tests/cli/test_chemistry.sh" all exited 0 -- sh -c '! grep "# SKIP" stdout'
done
finish
