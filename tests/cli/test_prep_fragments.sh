#!/bin/sh
# berth prep ligands --builder fragments: the same bytes whatever the store holds and however many workers
# there are; stereo, types and geometry as RDKit's; what cannot be joined is built by RDKit, and counted.
. tests/cli/lib.sh

need_rdkit 'preparation from fragments'
BERTH_FRAGMENTS=$work/store
export BERTH_FRAGMENTS

gzip -cd demo/ten_drugs.mol2.gz | sed -n '/MOLECULE/{n;s/_C[0-9]*$//;p;}' | sort -u >names
awk -F '\t' 'NR == FNR { wanted[$1]; next } $2 in wanted' names demo/drugs.smi >ten.smi
echo 'C[SiH2]CC[C@]1(F)CN2CC[Si]1(C)CC2 rare' >>ten.smi # whose fragments do not ship
prep() { # OUT INPUT [ARGUMENT...]
    prep_out=$1
    prep_in=$2
    shift 2
    run "$BERTH" prep ligands "$prep_in" --out "$prep_out.blib" --overwrite --builder fragments "$@"
}

same_structures() { sed '/^> *<record>/,/^$/d' "$1" >one.txt && sed '/^> *<record>/,/^$/d' "$2" >two.txt && sed -i '/source/,/^$/d' one.txt two.txt && cmp one.txt two.txt; }
prep cold ten.smi --jobs 1
check 'ten drugs and a rare molecule from fragments' all exited 0 -- holds stdout '11 ligands' -- [ -s store ]
run "$BERTH" prep ligands ten.smi --out default.blib
check 'which is what builds by default' all exited 0 -- holds stderr '11 of 11'
run "$BERTH" prep ligands demo/drugs.smi --out many.blib --conformers 2 --max_heavy 12
check 'but not more conformers than one' all exited 0 -- [ "$(grep -c fragments stderr)" -eq 0 ]
cp store store.cold
prep warm ten.smi --jobs 1
check 'with a warm store the same bytes' all exited 0 -- same cold.blib warm.blib -- same store store.cold -- \
    holds stderr ' 0 new'
rm store
prep two ten.smi --jobs 2
check 'with two workers, too' all exited 0 -- same cold.blib two.blib
echo 'a diary' >store
prep diary ten.smi
check 'a file that is no store is refused, and left alone' all exited 1 -- \
    said 'a file that is no store is refused, and left alone' store -- holds store 'a diary'
rm store

# The slow way.
printf '%s\n' 'C1CCCCCCCCCCC1 macrocycle' 'CCO ethanol' >mixed.smi
prep mixed mixed.smi
check 'what cannot be joined is built by RDKit, and counted' all exited 0 -- \
    grep -q ' 1 of 2 .* 50.0 % (1 ' stderr
run "$BERTH" prep ligands mixed.smi --out never.blib --builder fragment
check 'builders are named where one is not known' all exited 1 -- said 'builders are named where one is not known'

# A tertiary amide's bond does not turn: both ways to lay it are structures, where they differ.
printf '%s\n' 'CCC(=O)N(C)Cc1ccccc1 unlike' 'CCC(=O)N(C)C alike' >amides.smi
prep amides amides.smi
"$BERTH" lib get amides.blib --out amides.sdf
cat >sides.py <<'END'
from rdkit import Chem
from rdkit.Chem import rdMolTransforms

sides = {'unlike': set(), 'alike': set()}
for structure in Chem.SDMolSupplier('amides.sdf'):
    atoms = structure.GetSubstructMatch(Chem.MolFromSmarts('O=CN[CH3]'))
    sides[structure.GetProp('_Name').split()[0]].add(
        round(abs(rdMolTransforms.GetDihedralDeg(structure.GetConformer(), *atoms)) / 180))
assert sides['unlike'] == {0, 1}, sides
assert len(sides['alike']) == 1, sides
END
run "$python" sides.py
check 'amides of two unlike groups have both in cis' exited 0

slice preparation 'other stores and orders, bad molecules among many, and the geometry of RDKit'
BERTH_FRAGMENTS='' prep none ten.smi --jobs 2
check 'and without a store' all exited 0 -- same cold.blib none.blib
tac ten.smi >turned.smi
rm store
prep turned turned.smi --jobs 2
"$BERTH" lib get cold.blib "$(head -n 1 names)" --out first.sdf
"$BERTH" lib get turned.blib "$(head -n 1 names)" --out last.sdf
check 'in another order the same structures' same_structures first.sdf last.sdf
printf 'garbage' >>store
prep torn ten.smi
check 'a torn tail of the store does no harm' all exited 0 -- same cold.blib torn.blib
rm store
run env -u BERTH_FRAGMENTS BERTH_CACHE_DIR="$work/cache" "$BERTH" prep ligands ten.smi --out cache.blib --builder fragments
check 'its own place is the cache folder' all exited 0 -- same cold.blib cache.blib -- ls cache/fragments-*.store
for one in S O '[SiH2]' 'P(C)'; do
    for two in S '[SiH2]' 'B(C)' 'N(C)' 'P(C)' O; do echo "C1${one}[Si](C)(C)CC${two}C1 ${one}-$two"; done
done >rings.smi
prep rings rings.smi
check 'many new fragments are said to be what takes time' all exited 0 -- said 'many new fragments' 'each once'
prep rings rings.smi
check 'once' all exited 0 -- lacks stderr 'each once'

# Many molecules are one request: one that is bad is one row, whatever it does to the worker.
mkdir faults
cat >faults/sitecustomize.py <<'PY'
import os
from rdkit.Chem import rdMolDescriptors
formula = rdMolDescriptors.CalcMolFormula
def faulty(molecule):
    size = molecule.GetNumAtoms()
    if size == 31:
        os.abort()
    while size == 32:
        pass
    if size == 33:
        raise MemoryError
    return formula(molecule)
rdMolDescriptors.CalcMolFormula = faulty
PY
for size in 1 2 3 4 5 6 31 7 8 32 9 10 11 33 12 13 14 15 16 17 18 19 20; do
    printf '%*s n%d\n' "$size" C "$size" | sed ':a; s/^\( *\) C/\1CC/; ta'
done >chains.smi
echo 'C1CC n0' >>chains.smi
grep -v ' n3[123]$' chains.smi >alone.smi
for jobs in 1 3; do
    PYTHONPATH=$PWD/faults prep "faults$jobs" chains.smi --jobs "$jobs" --time_limit 2
    cut -d, -f 2 "faults$jobs.failures.csv" >failed
    check "a bad molecule among many is a row of its own ($jobs workers)" all exited 2 -- holds stdout '20 ligands' -- \
        [ "$(tail -n +2 failed | sort | tr '\n' ' ')" = 'n0 n31 n32 n33 ' ] -- holds "faults$jobs.failures.csv" crashed -- \
        holds "faults$jobs.failures.csv" '--memory_limit'
done
prep alone alone.smi
"$BERTH" lib get alone.blib n12 --out alone.sdf
"$BERTH" lib get faults1.blib n12 --out among.sdf
check 'and changes nothing of the others' same_structures alone.sdf among.sdf

# Stereo, rings, crowded ones; and that types, charges, orders and geometry are RDKit's.
cat >hard.smi <<'END'
C[C@H](N)C(=O)O alanine
C/C=C(\CC)c1ccccc1 trans
C/C=C(/CC)c1ccccc1 cis
O=C(NCC)[C@@H]1C[C@H](CC)CN1 proline
C[C@H]1CC[C@@H](CC)CC1 ring
CC[C@H]1CC[C@H](CC)CC1 same_caps
C[S@](=O)CCc1ccccc1 sulfoxide
OC[C@H]1OC(O)[C@H](O)[C@@H](O)[C@@H]1O glucose
CCN(C)CC[N+](C)(C)C amine
Cc1cccc(C)c1-c1c(C)cccc1C crowded
CC(=O)n1ccc(-c2ccncc2)c1 rings
CCOP(=O)(OCC)OCC phosphate
END
cat ten.smi hard.smi >all.smi
for builder in fragments rdkit; do
    "$BERTH" prep ligands all.smi --out "$builder.blib" --builder "$builder" 2>/dev/null >/dev/null
    "$BERTH" lib get "$builder.blib" --out "$builder.sdf"
done
run "$python" -B "$root/tests/chemistry/compare_builders.py" fragments.sdf rdkit.sdf
check 'stereo, types of bonds, charges, lengths and angles are those that RDKit builds' exited 0
finish
