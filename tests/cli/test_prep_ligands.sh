#!/bin/sh
# berth prep ligands: what comes out, in what order, and that one bad molecule costs itself only.
. tests/cli/lib.sh

if ! command -v obabel >/dev/null; then
    skip 'berth prep ligands' 'Open Babel is not installed'
    finish
fi

prep() { # OUT IN... : few conformers, built fast
    prep_out=$1
    shift
    run "$BERTH" prep ligands "$@" --out "$prep_out" --failures failed.csv --conformers 2 --builder med \
        --overwrite
}

printf 'CCO ethanol\nc1ccccc1C(=O)[O-].[Na+] benzoate\nC1CC( broken\nCC(=O)Nc1ccc(O)cc1 parac\303\251tamol\nCCO ethanol\n' >some.smi
prep a.blib some.smi
check 'SMILES: one bad molecule is one row, the others come out' all exited 2 -- lines failed.csv 2 -- \
    grep -q '^broken,' failed.csv
"$BERTH" lib ls a.blib >listed
check 'in the order of the input, UTF-8 and duplicate names as they are' all grep -q 'ethanol' listed -- \
    [ "$(grep -c ethanol listed)" -eq 2 ] -- grep -q 'paracétamol' listed
check 'the salt is stripped' all "$BERTH" lib get a.blib benzoate --out benzoate.mol2 -- \
    sh -c '! grep -q Na benzoate.mol2' -- grep -q 'O.co2' benzoate.mol2
"$BERTH" lib ls a.blib >all_jobs
run "$BERTH" prep ligands some.smi --out a.blib --failures failed.csv --conformers 2 --builder med \
    --overwrite --jobs 1
"$BERTH" lib ls a.blib >one_job
check 'the order does not depend on the number of jobs' all exited 2 -- \
    [ "$(cut -d, -f 1-3 all_jobs)" = "$(cut -d, -f 1-3 one_job)" ]
run "$BERTH" lib verify a.blib
check 'it is whole' exited 0
run "$BERTH" prep ligands some.smi --out u.blib --failures failed.csv --conformers 1 --builder med \
    --overwrite --unique
check '--unique drops duplicates and says so' all exited 2 -- grep -q '^ethanol,' failed.csv

# Mol2 with coordinates and hydrogens is taken as it stands.
prep m.blib demo/1hpv_ligand.mol2
"$BERTH" lib get m.blib --ordinal 0 --format mol2 >back.mol2 2>/dev/null
"$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out direct.csv
"$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand m.blib --out library.csv
check 'Mol2 is taken as it stands: the energy is the same' all exited 0 -- awk -F, '
    NR == FNR { direct[FNR] = $2; next }
    FNR == 2 && ($2 - direct[2] > 0.2 || direct[2] - $2 > 0.2) { exit 1 }' direct.csv library.csv

# Broken input.
gzip -c some.smi | head -c 40 >cut.smi.gz
prep cut.blib cut.smi.gz
check 'a truncated gz is named' all [ $code -ne 0 ] -- grep -q 'cut.smi.gz' stderr.raw
prep none.blib /nonexistent.smi
check 'an input that is not there' all exited 1 -- grep -q '/nonexistent.smi' stderr -- absent none.blib
printf 'CCO a\r\nCCN b\rCCC c\n\n\nCCCl d\n' >ends.smi
prep ends.blib ends.smi
check 'mixed line ends and empty lines' grep -q 'ligand' stdout
printf '[Fe] iron\n[Cu+2] copper\nCCO fine\n' >metals.smi
prep metals.blib metals.smi
check 'metals without a molecule fail by name or come out, the others go on' all [ $code -ne 1 ] -- \
    sh -c '"$0" lib ls metals.blib | grep -q fine' "$BERTH"
printf '\n  2D\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n    1.2990    0.7500    0.0000 C   0  0\n    2.5981    0.0000    0.0000 O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n$$$$\n' >flat.sdf
prep flat.blib flat.sdf
"$BERTH" lib get flat.blib --ordinal 0 --format mol2 >flat.mol2 2>/dev/null
check 'a 2D drawing gets 3D coordinates' all exited 0 -- awk '
    /^@/ { atoms = /ATOM/; next } atoms && $5 * $5 > 0.01 { deep = 1 } END { exit !deep }' flat.mol2

# Open Babel that hangs or is killed costs one molecule.
mkdir fake
cat >fake/obabel <<'END'
#!/bin/sh
case $* in -V) exec "$REAL_OBABEL" -V ;; esac
input=$(cat)
case $input in
*CCCCCCN*) sleep 100 ;;
*CCCCCCO*) kill -9 $$ ;;
esac
printf '%s\n' "$input" | "$REAL_OBABEL" "$@"
END
chmod +x fake/obabel
REAL_OBABEL=$(command -v obabel)
export REAL_OBABEL
printf 'CCO one\nCCCCCCN hangs\nCCCCCCO dies\nCCN two\n' >trap.smi
run env PATH="$PWD/fake:$PATH" "$BERTH" prep ligands trap.smi --out trap.blib --failures failed.csv --conformers 1 \
    --builder med --overwrite --time_limit 3
check 'Open Babel hung or killed costs one molecule each' all exited 2 -- lines failed.csv 3 -- \
    grep -q '^hangs,' failed.csv -- grep -q '^dies,' failed.csv
run env PATH=/nonexistent "$BERTH" prep ligands trap.smi --out no.blib --overwrite
check 'no Open Babel: how to get it' all exited 1 -- \
    grep -q 'apt-get install openbabel' stderr -- absent no.blib

if [ -n "$light" ]; then
    skip 'a line of 300 MB' 'slow; left out of the light run'
else
    { printf 'CCO before\n'; head -c 300000000 /dev/zero | tr '\0' C; printf '\nCCN after\n'; } >huge.smi
    prep huge.blib huge.smi
    check 'a line of 300 MB costs itself' all [ $code -eq 2 ] -- \
        sh -c '"$0" lib ls huge.blib | grep -q after' "$BERTH"
    rm huge.smi
fi
finish
