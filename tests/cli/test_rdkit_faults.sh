#!/bin/sh
# An RDKit that is broken, other than berth knows it, or stopped: what is whose fault, and what it costs.
. tests/cli/lib.sh

run "$BERTH" prep ligands demo/drugs.smi --out none.blib --builder rdkit --max_heavy 1
if grep -q 'no python3 of PATH has RDKit' stderr; then
    skip 'faults of RDKit' 'python3-rdkit is not installed'
    finish
fi
echo 'CCO one' >one.smi
run "$BERTH" prep ligands one.smi --out one.blib
BERTH_PYTHON=$(sed -n 's/.*(\(\/.*python3\))$/\1/p' stderr)
export BERTH_PYTHON
names() { "$BERTH" lib ls "$1" | cut -d, -f2 | tail -n +2 | tr '\n' ' '; } # LIBRARY
prep() { # NAME [ARGUMENT...]
    prep_name=$1
    shift
    run "$BERTH" prep ligands "$prep_name.smi" --out "$prep_name.blib" --overwrite --conformers 1 "$@"
}

slice preparation 'a broken or stopped RDKit'
# --- Stopped while they start: these take a while, and are looked at further down
stopping() { # NAME TEST: berth's Python is stopped at those of its starts whose number passes the test
    mkdir "$1"
    # shellcheck disable=SC2016 # that is for the script
    printf '#!/bin/sh\necho >>starts\n[ $(wc -l <starts) %s ] || kill -STOP $$\nexec "%s" "$@"\n' "$2" "$BERTH_PYTHON" >"$1/python.sh"
    chmod +x "$1/python.sh"
    (cd "$1" && BERTH_PYTHON=$PWD/python.sh exec "$BERTH" prep ligands ../one.smi --out one.blib --jobs 1 --time_limit 2 >stdout 2>stderr) &
    echo $! >"$1/pid"
}
# The first start is how berth finds out that there is an RDKit.
stopping once '-ne 2'
stopping twice '-lt 2'

# --- Answers that berth cannot use
printf '%s\n' 'CCO first' '[Np] neptunium' '[Rf] rutherfordium' '[Og] oganesson' 'CC[Pu]C plutonium' 'CCN last' >heavy.smi
prep heavy
check 'elements behind uranium are rows of the failures' all exited 2 -- [ "$(names heavy.blib)" = 'first last ' ] -- \
    lines heavy.failures.csv 5 -- said 'elements behind uranium' heavy.smi:2
mkdir nonsense
cat >nonsense/sitecustomize.py <<'PY'
import re, struct
from rdkit.Chem import rdMolDescriptors
formula, pack, sub = rdMolDescriptors.CalcMolFormula, struct.pack, re.sub
class Longer(bytes):  # says of itself that it has more bytes than the frame
    def __len__(self):
        return super().__len__() + 99
class Overlong(str):
    def encode(self, *how):
        return Longer(super().encode(*how))
rdMolDescriptors.CalcMolFormula = lambda molecule: "Zz2" if molecule.GetNumAtoms() == 5 else formula(molecule)
re.sub = lambda *what: Overlong(sub(*what)) if what[2] == "C7H16" else sub(*what)
struct.pack = lambda form, *values: b"" if form == "<60d" else pack(form, *values)
PY
printf '%s\n' 'CCO first' 'CCCCO formula' 'CCCCCC positions' 'CCN last' >nonsense.smi
PYTHONPATH=$PWD/nonsense prep nonsense --builder rdkit
check 'an answer that berth does not understand costs one molecule' all exited 2 -- \
    [ "$(names nonsense.blib)" = 'first last ' ] -- lines nonsense.failures.csv 3 -- \
    said 'an answer that berth does not understand' nonsense.smi
echo 'CCCCCCC heptane' >length.smi
PYTHONPATH=$PWD/nonsense prep length
check 'a field that is longer than its answer ends the run' all exited 1 -- \
    said 'a field that is longer than its answer ends the run' length.smi:1

# --- Whose fault it is
mkdir lacks throws
echo 'from rdkit import Chem; del Chem.FindPotentialStereo' >lacks/sitecustomize.py
cat >throws/sitecustomize.py <<'PY'
from rdkit import Chem
def fail(molecule):
    raise ValueError("Bad Conformer Id")
Chem.FindPotentialStereo = fail
PY
PYTHONPATH=$PWD/lacks prep one
check 'a call that this RDKit lacks is a defect of berth, with its place' all exited 1 -- \
    grep -q 'stereo.py:[0-9][0-9]*: .*FindPotentialStereo' stderr
PYTHONPATH=$PWD/throws prep one
check "what RDKit throws is the molecule's" all exited 1 -- said "what RDKit throws is the molecule's" one.smi:1
run env PYTHONPATH="$PWD/lacks" "$BERTH" doctor
check 'berth doctor builds molecules, and says what broke' all exited 1 -- grep -q '^PROBLEM  *RDKit .*stereo.py:[0-9]' stdout
run env PYTHONPATH="$PWD/nonsense" "$BERTH" doctor
check 'and which molecule' grep -q '^PROBLEM  *RDKit .*(.*): ' stdout
mkdir undrawn
cat >undrawn/sitecustomize.py <<'PY'
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "rdkit.Chem.Draw":
            raise ImportError("libXrender.so.1: cannot open shared object file: No such file or directory")
sys.meta_path.insert(0, Finder())
PY
run env PYTHONPATH="$PWD/undrawn" "$BERTH" doctor
check "that pip's RDKit lacks what it draws with is a warning" all exited 0 -- grep -q '^warning  *RDKit .*libXrender' stdout -- \
    holds stdout libxrender1
run "$BERTH" doctor
check 'and is content with this one' grep -q '^ok  *RDKit ' stdout

# --- One that does not start
mkdir -p broken/rdkit
echo 'from rdkit.nowhere import anything' >broken/rdkit/__init__.py
at=$(dirname "$BERTH_PYTHON")
run env -u VIRTUAL_ENV -u BERTH_PYTHON PATH="$at:$PATH" PYTHONPATH="$PWD/broken" "$BERTH" prep ligands one.smi --out must.blib --builder rdkit
check "a broken rdkit on PYTHONPATH: its error is named, not PATH's" all exited 1 -- absent must.blib -- \
    holds stderr rdkit.nowhere
if command -v obabel >/dev/null; then
    run env -u VIRTUAL_ENV -u BERTH_PYTHON PATH="$at:$PATH" PYTHONPATH="$PWD/broken" "$BERTH" prep ligands one.smi --out babel.blib
    check 'and where Open Babel steps in, too' all exited 0 -- grep -q '^berth: Open Babel .*rdkit.nowhere' stderr
else
    skip 'and where Open Babel steps in, too' 'obabel is not installed'
fi
check_stop() { # NAME CODE: how a run went that has its own folder
    wait "$(cat "$1/pid")"
    [ $? -eq "$2" ] && lines "$1/starts" 3
}
check 'a worker that is stopped while it starts is given up, and another one started' check_stop once 0
check 'if that is stopped, too, the run ends' all check_stop twice 1 -- holds twice/stderr ' 20 s '

# --- What is mended is counted
printf '%s\n' 'N=[CH+](N)c1cccc(OC)c1 first' 'NC(=[NH2+])c1ccccc1 right' 'N=[CH+](N)CC(O)F second' 'C[CH4+] none' >slips.smi
prep slips --keep_protonation
check 'an amidinium drawn on its carbon is mended, with a count; what has no one meaning is refused' all exited 2 -- \
    said 'an amidinium on its carbon' first -- holds stderr 'second: ' -- \
    [ "$("$BERTH" lib ls --full slips.blib | grep -c '=\[NH2+\]')" -eq 3 ] -- said 'more bonds than the charge allows' slips.smi:4
finish
