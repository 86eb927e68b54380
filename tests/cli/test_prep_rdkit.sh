#!/bin/sh
# berth prep ligands with RDKit's worker processes: what comes out does not depend on their number; one
# that crashes, hangs or grows costs a molecule; what is the machine's fault ends the run, to be resumed.
. tests/cli/lib.sh

printf '%s\n' 'CC(=O)Oc1ccccc1C(=O)O aspirin' 'C1CCNCC1C piperidine' 'c1ccccc1 benzene' 'C1CCCCC1(C)O ring' \
    'CCOC(=O)c1ccc(N)cc1 ester' 'CCCCCCCC octane' 'CC(C)Cc1ccc(cc1)C(C)C(=O)O ibuprofen' 'CN1CCN(C)CC1 piperazine' >some.smi
prep() { # OUT [ARGUMENT...]
    prep_out=$1
    shift
    run "$BERTH" prep ligands --out "$prep_out.blib" --conformers 3 --overwrite "$@"
}
names() { "$BERTH" lib ls "$1" | cut -d, -f2 | tail -n +2 | tr '\n' ' '; } # LIBRARY
conformers() { "$BERTH" lib ls "$1" | awk -F, -v name="$2" '$2 == name { print $4 }'; } # LIBRARY NAME

# Without RDKit.
if command -v obabel >/dev/null; then
    run env BERTH_PYTHON=/bin/false "$BERTH" prep ligands some.smi --out none.blib --conformers 1 --format smi --jobs 2
    check 'no RDKit: Open Babel builds, and that is said' all exited 0 -- \
        said 'no RDKit: Open Babel builds, and that is said' /bin/false -- [ -s none.blib ]
else
    skip 'no RDKit: Open Babel builds' 'obabel is not installed'
fi
run env BERTH_PYTHON=/bin/false "$BERTH" prep ligands some.smi --out must.blib --builder rdkit
check '--builder rdkit without RDKit' all exited 1 -- holds stderr /bin/false -- absent must.blib
run env -u VIRTUAL_ENV -u BERTH_PYTHON PATH=/nonexistent "$BERTH" prep ligands some.smi --out must.blib --builder rdkit
check 'and without Python: how to get it' all exited 1 -- said 'and without Python: how to get it' python3-rdkit -- \
    absent must.blib
prep rdkit some.smi --builder rdkit
if [ $code -ne 0 ] && grep -q 'no python3 of PATH has RDKit' stderr; then
    skip 'RDKit' 'python3-rdkit is not installed'
    finish
fi
check 'RDKit builds' all exited 0 -- holds stderr '4 of 8 ' -- holds stderr 'piperidine: '
prep one some.smi --jobs 1
check 'it is what builds by default, and that is said' all exited 0 -- grep -q '(/.*python3)$' stderr
BERTH_PYTHON=$(sed -n 's/.*(\(\/.*python3\))$/\1/p' stderr) # from here on none is looked for
export BERTH_PYTHON
prep jobs some.smi --jobs 5
check 'the same bytes with 5 workers, in the order of the input' all exited 0 -- same one.blib jobs.blib -- \
    [ "$(names jobs.blib)" = 'aspirin piperidine benzene ring ester octane ibuprofen piperazine ' ]

# Types: a lactone's ring, a nitro group, a guanidinium, an amide, a sulfonamide, an azole, a carboxylate.
printf '%s\n' 'O=c1ccc2ccccc2o1 coumarin' 'C[N+](=O)[O-] nitro' 'CNC(N)=[NH2+] guanidinium' 'CNC(C)=O amide' \
    'NS(=O)(=O)C sulfonamide' 'c1c[nH]cn1 imidazole' 'CC(=O)[O-] acetate' 'C[NH3+] ammonium' >types.smi
run "$BERTH" prep ligands types.smi --out types.blib --conformers 1 --keep_protonation
"$BERTH" lib get types.blib coumarin nitro guanidinium amide sulfonamide imidazole acetate ammonium --out types.mol2 >/dev/null
awk '/^@/ { section = $1; next } section ~ /MOLECULE/ && NF == 1 && !/^(SMALL|NO_CHARGES)/ { printf "%s%s", n++ ? "\n" : "", $1 }
    section ~ /ATOM/ && $6 != "H" { printf " %s", $6 } END { print "" }' types.mol2 >types
cat >expected <<'TYPES'
coumarin O.2 C.2 C.2 C.2 C.ar C.ar C.ar C.ar C.ar C.ar O.3
nitro C.3 N.pl3 O.2 O.2
guanidinium C.3 N.pl3 C.cat N.pl3 N.pl3
amide C.3 N.am C.2 C.3 O.2
sulfonamide C.3 S.o2 N.pl3 O.2 O.2
imidazole C.2 C.2 N.pl3 C.2 N.2
acetate C.3 C.2 O.co2 O.co2
ammonium C.3 N.4
TYPES
check 'types of atoms' diff expected types

slice preparation 'filters, duplicates, rings, faults and signals'
# Filters.
printf '# what reacts\n[CX3](=O)[OX2H] carboxylic acid\n[#6]-[#7;H2]\tprimary amine\n' >patterns
prep exclude some.smi --exclude patterns
check '--exclude drops what holds a pattern, and says which' all exited 0 -- \
    [ "$(names exclude.blib)" = 'piperidine benzene ring octane piperazine ' ] -- \
    holds exclude.failures.csv 'some.smi:1: dropped: it holds carboxylic acid (--exclude)' -- \
    grep -q 'some.smi:5: .*primary amine' exclude.failures.csv -- lines exclude.failures.csv 4
prep exclude demo/1hpv_ligand.mol2 --exclude patterns
check '--exclude sees Mol2 that is taken as it stands' all exited 1 -- holds exclude.failures.csv 'primary amine'
echo 'c1ccc( broken' >>patterns
prep exclude some.smi --exclude patterns
check 'a pattern that is none is named at once' all exited 1 -- said 'a pattern that is none is named at once' patterns:
prep exclude some.smi --exclude patterns --builder openbabel
check '--exclude without RDKit' all exited 1 -- said '--exclude without RDKit'
printf 'OC(=O)c1ccccc1OC(C)=O again\nCCO new\n' >more.smi
prep twice some.smi more.smi --drop_duplicates
check '--drop_duplicates, across files' all exited 0 -- \
    [ "$(names twice.blib)" = 'aspirin piperidine benzene ring ester octane ibuprofen piperazine new ' ] -- \
    holds twice.failures.csv ',again,"more.smi, record 1: dropped: a duplicate, aspirin (record 1) came before: '
prep twice some.smi more.smi
check 'without it they stay, and it is said' all exited 0 -- holds stdout '10 ligands' -- said 'a duplicate' 'again: '
printf '%s\n' 'OC(=O)C acid' 'CC(=O)[O-].[Na+] salt' 'CC(O)F open' 'FC(O)C isomer' 'CCO same' 'OCC same' >alike.smi
prep alike alike.smi
check 'also of what becomes the same by its preparation, whatever its name' all exited 0 -- holds stdout '6 ligands' -- \
    grep -q 'salt: .*acid (record 1).* 2 more' stderr
run "$BERTH" prep ligands some.smi --out old.blib --unique
check '--unique is called that now' all exited 1 -- said '--unique is called that now'

printf '%s\n' 'C/C1=C\CCCCCCCC1 trans' >trans.smi
run "$BERTH" prep ligands trans.smi --out trans.blib --conformers 1
check 'of a double bond in a large ring, which mostly comes out wrong, several right structures are found' all exited 0 -- \
    [ "$(conformers trans.blib trans)" -ge 3 ]

# Rings.
printf '%s\n' 'CC(C)(C)C1CCNCC1 chair' 'c1ccccc1 flat' >rings.smi
printf '%s\n' 'CCCCCCCCC(=O)NCCC chain' 'CC(C)N(C(C)C)C(=O)c1ccccc1C(C)(C)CO crowded' >>rings.smi
run "$BERTH" prep ligands rings.smi --out rings.blib
check 'by default: structures that differ in rings or bond angles' all exited 0 -- \
    [ "$(conformers rings.blib flat)" -eq 1 ] -- [ "$(conformers rings.blib chain)" -eq 1 ] -- \
    [ "$(conformers rings.blib chair)" -ge 2 ] -- [ "$(conformers rings.blib chair)" -le 5 ] -- \
    [ "$(conformers rings.blib crowded)" -ge 2 ] -- [ "$(conformers rings.blib crowded)" -le 5 ]
mv rings.blib default.blib
run "$BERTH" prep ligands rings.smi --out rings.blib --conformers 1
check 'that is --conformers 1' all exited 0 -- same default.blib rings.blib
run "$BERTH" prep ligands rings.smi --out rings.blib --conformers 20 --overwrite
check '--conformers 20: an ensemble' all exited 0 -- [ "$(conformers rings.blib chain)" -ge 10 ] -- \
    [ "$(conformers rings.blib chain)" -le 20 ]
run "$BERTH" prep ligands rings.smi --out rings.blib --conformers 1 --structures 1 --overwrite
check '--structures 1' all exited 0 -- holds stdout '4 conformers'
cat >wider.py <<'PY'
"""Of ethanols whose angle is wider by so many degrees, those that count as other structures than the first."""
import sys

sys.path.insert(0, sys.argv[1])
import angles
from rdkit import Chem
from rdkit.Chem import rdDistGeom
from rdkit.Chem.rdMolTransforms import GetAngleDeg, SetAngleDeg

ethanol = Chem.MolFromSmiles('CCO')
rdDistGeom.EmbedMolecule(ethanol, randomSeed=1)
first = ethanol.GetConformer()
for wider in (2.9, 3.1, 5.9, 6.2):
    other = ethanol.GetConformer(ethanol.AddConformer(first, assignId=True))
    SetAngleDeg(other, 0, 1, 2, GetAngleDeg(first, 0, 1, 2) + wider)
print(angles.Angles(ethanol).further([1, 2, 3, 4], [0], 5), angles.Angles(ethanol).further([1, 2, 3, 4], [0], 2))
PY
run "$BERTH_PYTHON" -I -B wider.py "$root/tools/rdkit"
check 'structures differ by 3 degrees from each other' all exited 0 -- stdout_is '[2, 4] [2]'

# Which Python it is, and where it runs.
mkdir venv venv/bin
ln -s "$BERTH_PYTHON" venv/bin/python3
run env -u BERTH_PYTHON VIRTUAL_ENV="$PWD/venv" "$BERTH" prep ligands some.smi --out venv.blib --conformers 3
check 'that of a virtual environment comes first' all exited 0 -- holds stderr "($PWD/venv/bin/python3)"
mkdir -p decoy/bin
ln -s "$(readlink venv/bin/python3)" decoy/bin/python3
printf 'home = /usr/bin\ninclude-system-site-packages = false\n' >decoy/pyvenv.cfg
run env -u VIRTUAL_ENV -u BERTH_PYTHON PATH="$PWD/decoy/bin:$PATH" "$BERTH" prep ligands some.smi --out decoy.blib --conformers 3
check 'a python3 without RDKit does not hide the next one' all exited 0 -- same one.blib decoy.blib
for place in /nonexistent /proc; do
    run env TMPDIR=$place "$BERTH" prep ligands some.smi --out tmp.blib --conformers 3 --overwrite
    check "no temporary file is needed, TMPDIR=$place" all exited 0 -- holds stdout '8 ligands'
done
echo 'raise SystemExit("ours")' >rdkit.py
prep here some.smi
check 'Python modules in the current folder are none of ours' all exited 0 -- same one.blib here.blib
rm rdkit.py

# The sanitizers see one in tests/cli/test_rdkit_faults.sh.
# A Python whose RDKit crashes, hangs, spins, grows or is killed at certain molecules.
mkdir faults
cat >faults/sitecustomize.py <<'PY'
import os, signal, time
from rdkit import Chem
real = Chem.MolFromSmiles
def faulty(smiles, *rest, **named):
    if smiles == "CCCCCN":
        os.kill(os.getpid(), signal.SIGSEGV)
    if smiles == "CCCCCO":
        time.sleep(600)
    while smiles == "CCCCCF":
        pass
    if smiles == "CCCCCCl":
        bytes(10**11)
    if smiles == "CCCCCBr" or smiles == "CCCCCI" and not os.path.exists("killed"):
        open("killed", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return real(smiles, *rest, **named)
Chem.MolFromSmiles = faulty
PY
faulty() { PYTHONPATH=$PWD/faults "$BERTH" prep ligands "$@"; }
printf '%s\n' 'CCO first' 'CCCCCN crashes' 'CCCCCO hangs' 'CCC between' 'CCCCCF spins' 'CCCCCCl grows' 'CCN last' >faults.smi
run faulty faults.smi --out faults.blib --conformers 1 --time_limit 1 # ten by the clock
check 'a worker that crashes, hangs, spins or grows costs one molecule each' all exited 2 -- \
    [ "$(names faults.blib)" = 'first between last ' ] -- lines faults.failures.csv 5 -- \
    said 'a worker that crashes' faults.smi:2 -- said 'a worker that hangs' faults.smi:3 -- \
    holds faults.failures.csv faults.smi:5: -- said 'a worker that grows' faults.smi:6

# What is no molecule's fault.
sed '4s/.*/CCCCCI killed/' some.smi >once.smi
run "$BERTH" prep ligands once.smi --out wanted.blib --conformers 3
run faulty once.smi --out once.blib --conformers 3
check 'a worker that is killed from outside, once: nothing is lost' all exited 0 -- [ -e killed ] -- same wanted.blib once.blib
nonsense() { seq "$1" | sed 's/.*/nonsense &/'; } # COUNT: records of which nothing comes
{ # a run that ends keeps whole chunks of 128 records
    head -n 4 some.smi
    nonsense 124
    sed '2s/.*/CCCCCBr victim/' some.smi
} >killed.smi
run faulty killed.smi --out killed.blib --conformers 3 --jobs 2
check 'again and again: the run ends in good order' all exited 1 -- absent killed.blib -- [ -s killed.blib.part ] -- \
    grep -q '^berth: killed.smi:130: .*4 ligands are kept.*--resume' stderr
run "$BERTH" prep ligands killed.smi --out killed.blib --conformers 3 --resume --jobs 3
mv killed.blib resumed.blib
run "$BERTH" prep ligands killed.smi --out killed.blib --conformers 3
check 'and goes on to the same bytes' all exited 2 -- same killed.blib resumed.blib
real_python=$(readlink venv/bin/python3)
cat >gone.sh <<PY
#!/bin/sh
[ ! -e gone ] || exit 127
exec "$real_python" "\$@"
PY
chmod +x gone.sh
{ printf '%s\n' 'CCO one' 'CCN two' && nonsense 126 && printf '%s\n' 'CCS next' 'CCCCCN crashes' 'CCC three'; } >gone.smi
sed -i 's/os.kill(os.getpid(), signal.SIGSEGV)/open("gone", "w").close(); &/' faults/sitecustomize.py
run env BERTH_PYTHON="$PWD/gone.sh" PYTHONPATH="$PWD/faults" "$BERTH" prep ligands gone.smi --out gone.blib --builder rdkit --jobs 1
check 'Python that is gone ends the run in good order' all exited 1 -- absent gone.blib -- holds stderr gone.sh -- \
    holds stderr '2 ligands are kept' -- holds stderr '1 of 3 '
rm gone
run env BERTH_PYTHON="$PWD/gone.sh" "$BERTH" prep ligands gone.smi --out gone.blib --builder rdkit --jobs 1 --resume
check 'and once it is back nothing was lost, and no molecule blamed' all exited 2 -- holds stdout ' 126 failed' -- \
    [ "$(names gone.blib)" = 'one two next crashes three ' ]
if preload full_disk; then
    run preloaded full_disk env FULL_DISK=900 "$BERTH" prep ligands some.smi --out one.blib --conformers 3 --overwrite
    check 'a full disk ends the run' all exited 1 -- holds stderr 'No space left on device'
    cp one.blib full.blib 2>/dev/null
    run "$BERTH" prep ligands some.smi --out one.blib --conformers 3 --overwrite
    check 'and with room again it is made' all exited 0 -- same one.blib jobs.blib
else
    skip 'a full disk' 'no compiler'
fi

# Stopped and resumed: the same bytes, and no process left behind.
gone() { # PID...: within two minutes
    for worker; do
        waited=0
        while grep -q '^State:.*[^Z] (' "/proc/$worker/status" 2>/dev/null && [ $waited -lt 1200 ]; do
            sleep 0.1
            waited=$((waited + 1))
        done
        [ $waited -lt 1200 ] || return 1
    done
}
nonsense 120 >many.smi
i=0
while [ $i -lt 18 ]; do
    i=$((i + 1))
    echo "C1CCN(CC1)CCC(C)CCCCC(=O)NC$(printf '%*s' $((i % 7)) '' | tr ' ' C) many$i"
done >>many.smi
run "$BERTH" prep ligands many.smi --out many.blib --conformers 3
mv many.blib whole.blib
for signal in TERM KILL; do
    "$BERTH" prep ligands many.smi --out many.blib --conformers 3 --jobs 1 >stdout 2>stderr.raw &
    pid=$!
    until pgrep -P $pid >workers 2>/dev/null || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
    sleep 0.7
    kill -$signal $pid
    wait $pid 2>/dev/null
    # shellcheck disable=SC2046
    check "$signal: the workers are gone with the program" gone $(cat workers)
    run "$BERTH" prep ligands many.smi --out many.blib --conformers 3 --resume
    check "$signal, and resumed: the same bytes" all exited 2 -- same whole.blib many.blib
    rm -f many.blib
done
finish
