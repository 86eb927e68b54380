#!/bin/sh
# The Python module: a wheel, its own tests (python/tests), types, and the steps of the example
# notebook.  BERTH_TEST_PYTHON is the Python (/usr/bin/python3, whose packages tools/setup.sh installs).
. tests/cli/lib.sh

python=${BERTH_TEST_PYTHON:-/usr/bin/python3}
has() { "$python" -c "import $1" 2>/dev/null; }

[ -z "$sanitize" ] || {
    skip 'the Python module' 'Python cannot load what is linked for coverage'
    finish
}
lacking=
for module in pip setuptools wheel cffi numpy pytest; do
    has $module || lacking="$lacking python3-$module"
done
if [ -n "$lacking" ]; then
    skip 'the Python module' "$lacking is not installed for $python"
    finish
fi

cp -r "$root/python" module
rm -rf module/build module/src/*.egg-info
run "$python" -m pip wheel -q --disable-pip-version-check --no-index --no-build-isolation --no-deps -w none ./module
check 'without the tree around it, it says what it needs' all [ "$code" -ne 0 ] -- holds stderr BERTH_SOURCE
"$python" -m venv --without-pip bare && mkdir lean && "$python" - <<'END'
import importlib.metadata, importlib.util, os
for module in "pip", "setuptools", "pkg_resources", "wheel", "_distutils_hack":
    found = importlib.util.find_spec(module)
    if found:
        os.symlink(os.path.dirname(found.origin), os.path.join("lean", module))
for name in "pip", "setuptools", "wheel":
    path = str(importlib.metadata.distribution(name)._path)
    os.symlink(path, os.path.join("lean", os.path.basename(path)))
END
run env PYTHONPATH="$work/lean" BERTH_SOURCE="$root" BERTH_BUILD="$root/$BUILD" bare/bin/python -m pip wheel -q --disable-pip-version-check \
    --no-index --no-build-isolation --no-deps -w none ./module
check 'without cffi there is no wheel, which would lack the module' all [ "$code" -ne 0 ] -- holds stderr 'the module is built by cffi' -- sh -c '! ls none/*.whl'
run env BERTH_INSTALL=no ${MAKE:-make} -s -C "$root" --no-print-directory wheel BUILD="$BUILD" PYTHON="$python"
wheel=$(tail -n 1 stdout)
case $wheel in /*) ;; *) wheel=$root/$wheel ;; esac
check 'make wheel: one for every Python from 3.9 on' all exited 0 -- sh -c '[ -e "$1" ] && case $1 in *-cp39-abi3-*) ;; *) exit 1 ;; esac' sh "$wheel"
run "$python" -m pip install -q --disable-pip-version-check --no-index --no-deps --target site "$wheel"
check 'is installed' all exited 0 -- [ -e site/berth/py.typed ]
nm -D --defined-only site/berth/_berth.abi3.so | awk '{ print $NF }' >exported
check 'exports nothing of the library' all grep -q PyInit exported -- sh -c '! grep -v "^_\{0,1\}cffi\|PyInit" exported'
PYTHONPATH=$work/site PYTHONDONTWRITEBYTECODE=1 BERTH_DEMO=$root/data/demo
export PYTHONPATH PYTHONDONTWRITEBYTECODE BERTH BERTH_DEMO

# The package has the program with it: the same version, by the RDKit of the Python that it is installed for.
unset BERTH_PYTHON
run "$python" site/bin/berth --version
check 'the program comes with it' all exited 0 -- [ "$(cat stdout)" = "$("$BERTH" --version)" ]
if has rdkit; then
    run "$python" -m berth doctor
    check 'python -m berth is that program, with this Python' grep -q "RDKit .*($python)" stdout
else
    skip 'python -m berth is that program, with this Python' "python3-rdkit is not installed for $python"
fi
export BERTH_PYTHON=/usr/bin/false
run "$python" -m berth doctor
check 'or with another that is named' holds stdout /usr/bin/false
unset BERTH_PYTHON
run "$python" -m berth frobnicate
check 'and its exit code' all exited 1 -- holds stderr frobnicate

# pytest's lines as checks of this script.
run "$python" -m pytest -q -rA -p no:cacheprovider "$root/python/tests"
cp stdout pytest.log
check 'pytest runs' all grep -q ' passed' pytest.log -- [ "$code" -le 1 ]
sed -n 's/^\(PASSED\|FAILED\|ERROR\) \([^ ]*\).*/\1 \2/p' pytest.log >verdicts
while read -r verdict test; do
    test=${test##*/python/tests/}
    if [ "$verdict" = PASSED ]; then
        ok "$test"
    else
        not_ok "$test"
        grep '^E  ' pytest.log | head -n 40 | sed 's/^/# /'
    fi
done <verdicts
sed -n 's/^SKIPPED \[[0-9]*\] //p' pytest.log >skipped
while IFS= read -r reason; do
    case $reason in *'could not import'*) reason="$reason: not installed" ;; esac
    skip 'a test' "$reason"
done <skipped

slice python 'types, and the example notebook'
# By today's cffi, whose handles are collected.
newest=$root/build-python/bin/python
if "$newest" -c 'import cffi, numpy; assert cffi.__version_info__ >= (2, 0)' 2>/dev/null; then
    mkdir called
    run "$newest" "$root/python/tests/callbacks.py" "$root/tests/fixtures/pocket.mol2" "$root/data/demo/1hpv_ligand.mol2" called
    check 'what is called back lives' all exited 0 -- holds stdout alive
else
    skip 'what is called back lives' 'cffi 2 (make setup-compare) is not installed'
fi
notebook=$root/python/examples/docking.ipynb
"$python" "$root/python/examples/run_notebook.py" --print "$notebook" >example.py
if has mypy; then
    run env MYPYPATH="$root/python/src" "$python" -m mypy --strict --cache-dir "$work/mypy" \
        --config-file "$root/python/pyproject.toml" "$root/python/src/berth" example.py
    check 'mypy --strict passes on module and example' exited 0
else
    skip 'mypy --strict passes on module and example' 'mypy is not installed'
fi
if has matplotlib && has rdkit; then
    run env TMPDIR="$work" "$python" "$root/python/examples/run_notebook.py" "$notebook"
    check 'the steps of the example notebook run' all exited 0 -- holds stdout 'amprenavir' -- \
        sh -c 'ls berth-example-*/poses.png berth-example-*/terms.png berth-example-*/screen/scores.csv'
else
    skip 'the steps of the example notebook run' 'matplotlib or RDKit is not installed'
fi
finish
