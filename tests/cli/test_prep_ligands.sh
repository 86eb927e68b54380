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
    run "$BERTH" prep ligands "$@" --out "$prep_out" --failures failed.csv --conformers 2 --builder openbabel \
        --overwrite
}

# ligands LIB.blib NAMES: these and no others are in it, in this order.
ligands() { [ "$("$BERTH" lib ls "$1" | sed 1d | cut -d, -f 2 | tr '\n' ' ')" = "$2 " ]; }

printf 'CCO ethanol\nc1ccccc1C(=O)[O-].[Na+] benzoate\nC1CC( broken\nCC(=O)Nc1ccc(O)cc1 parac\303\251tamol\nCCO ethanol\n' >some.smi
prep a.blib some.smi
check 'SMILES: one bad molecule is one row, the others come out' all exited 2 -- lines failed.csv 2 -- \
    grep -q '^[0-9]*,broken,' failed.csv
"$BERTH" lib ls a.blib >listed
check 'in the order of the input, UTF-8 and duplicate names as they are' all grep -q 'ethanol' listed -- \
    [ "$(grep -c ethanol listed)" -eq 2 ] -- grep -q 'paracétamol' listed
check 'the salt is stripped' all "$BERTH" lib get a.blib benzoate --out benzoate.mol2 -- \
    sh -c '! grep -v "^#" benzoate.mol2 | grep -q Na' -- grep -q 'O.co2' benzoate.mol2
"$BERTH" lib ls a.blib >all_jobs
run "$BERTH" prep ligands some.smi --out a.blib --failures failed.csv --conformers 2 --builder openbabel \
    --overwrite --jobs 1
"$BERTH" lib ls a.blib >one_job
check 'the order does not depend on the number of jobs' all exited 2 -- \
    [ "$(cut -d, -f 1-3 all_jobs)" = "$(cut -d, -f 1-3 one_job)" ]
run "$BERTH" lib verify a.blib
check 'it is whole' exited 0
run "$BERTH" prep ligands some.smi --out u.blib --failures failed.csv --conformers 1 --builder openbabel \
    --overwrite --drop_duplicates
check '--drop_duplicates drops duplicates and says so' all exited 2 -- grep -q '^[0-9]*,ethanol,' failed.csv

# Mol2 with coordinates and hydrogens is taken as it stands.
prep m.blib demo/1hpv_ligand.mol2
"$BERTH" lib get m.blib --ordinal 0 --format mol2 >back.mol2 2>/dev/null
"$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out direct.csv
"$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand m.blib --out library.csv
check 'Mol2 is taken as it stands: the energy is the same' all exited 0 -- awk -F, '
    NR == FNR { direct[FNR] = $2; next }
    FNR == 2 && ($2 - direct[2] > 0.2 || direct[2] - $2 > 0.2) { exit 1 }' direct.csv library.csv

# Broken input.
gzip -c some.smi | head -c -20 >cut.smi.gz
prep cut.blib cut.smi.gz
check 'a truncated gz: what was whole comes out, the damage is named' all exited 2 -- ligands cut.blib 'ethanol benzoate' -- \
    lines failed.csv 3 -- grep -q 'cut.smi.gz:4,.*gzip' failed.csv
prep none.blib /nonexistent.smi
check 'an input that is not there' all exited 1 -- grep -q '/nonexistent.smi' stderr -- absent none.blib
printf 'CCO a\r\nCCN b\nCCC c\r\r\n\n\r\nCCCl d\rCCBr e\nCCF f' >ends.smi
prep ends.blib ends.smi
check 'mixed line ends and empty lines; a lone carriage return joins no molecules' all exited 2 -- ligands ends.blib 'a b c f' -- \
    lines failed.csv 2 -- said 'a carriage return' ends.smi:6
printf '[Cu+2] copper\nCCC[Hg]C mercury\nc1ccc2c(c1)[Pt]2 platinum\n[Zn+2].OCC[NH2] salt\nCCO fine\n' >metals.smi
prep metals.blib metals.smi
check 'metals come out, those that the forcefield lacks are named, a counterion is stripped' all exited 0 -- \
    ligands metals.blib 'copper mercury platinum salt fine' -- \
    grep -q "warning: mercury: atom H[Gg] is of type Hg, which BUDE's forcefield lacks" stderr -- \
    grep -q 'platinum: .* Pt' stderr -- grep -q 'copper: atom CU .* Zn' stderr
printf '[Na+] sodium\nC methane\nCO methanol\n' >small.smi
prep small.blib small.smi
check 'what has one heavy atom is prepared, and said' all exited 0 -- ligands small.blib 'sodium methane methanol' -- \
    said 'what has one heavy atom is prepared, and said'
"$BERTH" lib ls metals.blib --full >listed
check 'the salt of zinc is its largest part' grep -q ',salt,4,[12],1,OCC\[NH3+\],' listed

# Nothing.
empty_sdf() { # NAME: a record without atoms
    printf '%s\n  x\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n$$$$\n' "$1"
}
{ empty_sdf nothing; printf 'CCO\n' | obabel -ismi -osdf --title something 2>/dev/null; } >empty.sdf
prep empty.blib empty.sdf
check 'a molecule without atoms in SDF costs itself' all exited 2 -- ligands empty.blib something -- \
    said 'a molecule without atoms in SDF costs itself' empty.sdf:1
printf '@<TRIPOS>MOLECULE\nnothing\n 0 0 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n@<TRIPOS>BOND\n' >empty.mol2
prep empty.blib empty.mol2 some.smi
check 'and in Mol2' all exited 2 -- said 'an empty Mol2' empty.mol2:1 -- lines failed.csv 3
rm empty.blib
for file in empty.smi none.sdf; do
    : >$file
    prep empty.blib $file
    check "an empty file, $file" all exited 1 -- absent empty.blib -- holds stderr empty.blib
done
check 'which is said' said 'an input without a molecule'

printf 'CCO one\nCCN two\nCCC one\nCCF one\n' >names.smi
prep names.blib names.smi --jobs 1
check 'names that come again are said once, with how many there are' all exited 0 -- holds stdout '4 ligands' -- \
    said 'names that come again are said once, with how many there are' 'one: '

# Bonds without an order: Open Babel would take hydrogens away from their ends.
complex() { # NAME TYPE: aminoethanol on zinc, with a bond of this type
    printf '%s\n  x\n\n  6  5  0  0  0  0  0  0  0  0999 V2000\n' "$1"
    for atom in '0.0000    0.0000    0.0000 N ' '1.4700    0.0000    0.0000 C ' '2.0000    1.4000    0.0000 C ' \
        '3.4000    1.4000    0.0000 O ' '1.0000    1.8000    0.0000 Zn' '1.0000    3.8000    0.0000 Cl'; do
        printf '    %s  0  0\n' "$atom"
    done
    printf '  1  2  1  0\n  2  3  1  0\n  3  4  1  0\n  1  5  %s  0\n  5  6  1  0\nM  END\n$$$$\n' "$2"
}
{
    complex any 8; complex coordination 9; complex zero 0; complex single 1
    printf 'three\n  x\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 2 1 0 0 0\nM  V30 BEGIN ATOM\n'
    printf 'M  V30 1 N 0 0 0 0\nM  V30 2 Zn 2 0 0 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 9 1 2\nM  V30 END BOND\n'
    printf 'M  V30 END CTAB\nM  END\n$$$$\n'
} >orders.sdf
prep orders.blib orders.sdf
check 'coordination, zero-order and query bonds are named' all exited 2 -- ligands orders.blib single -- lines failed.csv 5 -- \
    said 'bonds without an order' orders.sdf:1: -- grep -q '^[0-9]*,coordination,"orders.sdf:18: bond 4 .* 9' failed.csv -- \
    grep -q '^[0-9]*,zero,"orders.sdf:35: bond 4 .* 0' failed.csv -- \
    grep -q '^[0-9]*,three,"orders.sdf:69: bond 1 .* 9' failed.csv

# A peptide of 15 residues, 203 atoms.
G='NCC(=O)' A='N[C@@H](C)C(=O)' L='N[C@@H](CC(C)C)C(=O)' S='N[C@@H](CO)C(=O)' K='N[C@@H](CCCCN)C(=O)'
F='N[C@@H](Cc1ccccc1)C(=O)' D='N[C@@H](CC(=O)O)C(=O)' P='N1CCC[C@H]1C(=O)'
echo "$A$G$L$S$K$F$A$D$G$L$P$A$K$G${A}O peptide" >peptide.smi
if in_slice preparation 'a peptide of 203 atoms'; then
    prep peptide.blib peptide.smi
    "$BERTH" lib get peptide.blib peptide 2>/dev/null | awk '/^@<TRIPOS>MOLECULE/ { n++ } n == 1' >peptide.mol2
    check 'a peptide of 203 atoms comes out, charged and in 3D' all exited 0 -- ligands peptide.blib peptide -- \
        [ "$(sed -n 3p peptide.mol2 | awk '{ print $1 }')" = 203 ] -- [ "$(grep -c ' N\.4 ' peptide.mol2)" -eq 3 ] -- \
        [ "$(grep -c ' N\.am ' peptide.mol2)" -eq 14 ] -- [ "$(grep -c ' O\.co2 ' peptide.mol2)" -eq 4 ]
fi

printf '\n  2D\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n    1.2990    0.7500    0.0000 C   0  0\n    2.5981    0.0000    0.0000 O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n$$$$\n' >flat.sdf
prep flat.blib flat.sdf
"$BERTH" lib get flat.blib --ordinal 0 --format mol2 >flat.mol2 2>/dev/null
check 'a 2D drawing gets 3D coordinates' all exited 0 -- awk '
    /^@/ { atoms = /ATOM/; next } atoms && $5 * $5 > 0.01 { deep = 1 } END { exit !deep }' flat.mol2

run env PATH=/nonexistent "$BERTH" prep ligands some.smi --out no.blib --overwrite
check 'no Open Babel: how to get it' all exited 1 -- holds stderr openbabel -- absent no.blib

# On a terminal: how far it is, of how much.
if has_terminal; then
    on_terminal() { # IN...: what stands on the terminal, a line each time that it changes
        script -qec "'$BERTH' prep ligands $* --out shown.blib --failures failed.csv --conformers 1 --builder openbabel --overwrite" \
            typescript </dev/null >/dev/null
        tr '\r' '\n' <typescript >shown
    }
    on_terminal some.smi demo/1hpv_ligand.mol2
    check 'the progress says how many molecules there are, counted' grep -q '^6 of 6 molecules, 1 failed' shown
    printf 'HETATM    1  C1  EOH B   1       5.000  -5.000   5.000  1.00 10.00           C\nHETATM    2  C2  EOH B   1       6.500  -5.000   5.000  1.00 10.00           C\n' >ethane.pdb
    on_terminal some.smi ethane.pdb
    check 'or estimated, where a file can only be read by Open Babel' grep -q '^6 of about 6 molecules, 1 failed' shown
else
    skip 'the progress on a terminal' 'there is none to be had (script)'
fi

# Where the molecules come from.
mkdir -p folder/inner
printf 'CCN\n' | gzip -c >folder/a.smi.gz
cp empty.sdf folder/b.sdf
echo text >folder/README
prep folder.blib folder
"$BERTH" lib ls folder.blib --full >listed
check 'a folder, by name; what is no molecule file is said' all exited 2 -- ligands folder.blib 'a.smi.gz:1 something' -- \
    grep -q ',folder/a.smi.gz,1,input_smiles=' listed -- said 'what is passed over' 'warning: folder/'
printf 'folder/a.smi.gz\n# a remark\n\nfolder/b.sdf\n' >list
prep list.blib --list list
check 'a list of inputs' all exited 2 -- ligands list.blib 'a.smi.gz:1 something'
prep list.blib @list
check 'a list as @LIST' all exited 2 -- ligands list.blib 'a.smi.gz:1 something'
echo folder/none.smi >>list
prep list.blib @list
check 'a list with a file that is not there' all exited 1 -- said 'a list with a file that is not there'
printf 'CCO piped\n' | gzip -c >piped.gz
run sh -c '"$0" prep ligands - --format smi --out piped.blib --failures failed.csv --conformers 1 --builder openbabel \
    --overwrite <piped.gz' "$BERTH"
check 'standard input, gzipped' all exited 0 -- ligands piped.blib piped
cat >ethanol.pdb <<'END'
HETATM    1  C1  EOH B   1       5.000  -5.000   5.000  1.00 10.00           C
HETATM    2  C2  EOH B   1       6.500  -5.000   5.000  1.00 10.00           C
HETATM    3  O   EOH B   1       7.000  -3.700   5.000  1.00 10.00           O
END
run sh -c '"$0" prep ligands - --format pdb --out piped.blib --failures failed.csv --conformers 1 --builder openbabel \
    --overwrite <ethanol.pdb' "$BERTH"
"$BERTH" lib ls piped.blib --full >listed
check 'standard input of a format that only Open Babel reads; bonds are guessed, and that is said' all exited 0 -- \
    grep -q ',CCO,-,1,$' listed -- said 'bonds that are guessed' CCO
cat >toluene.pdbqt <<'END'
REMARK  hydrogens at carbon are left out, as the format has it
ROOT
ATOM      1  C   UNL     1       1.390   0.000   0.000  0.00  0.00    +0.000 A
ATOM      2  C   UNL     1       0.695   1.204   0.000  0.00  0.00    +0.000 A
ATOM      3  C   UNL     1      -0.695   1.204   0.000  0.00  0.00    +0.000 A
ATOM      4  C   UNL     1      -1.390   0.000   0.000  0.00  0.00    +0.000 A
ATOM      5  C   UNL     1      -0.695  -1.204   0.000  0.00  0.00    +0.000 A
ATOM      6  C   UNL     1       0.695  -1.204   0.000  0.00  0.00    +0.000 A
ATOM      7  C   UNL     1       2.900   0.000   0.000  0.00  0.00    +0.000 C
ENDROOT
TORSDOF 0
END
prep qt.blib toluene.pdbqt
"$BERTH" lib ls qt.blib --full >listed
check 'PDBQT gets its hydrogens back' all exited 0 -- grep -q ',Cc1ccccc1,toluene.pdbqt,1,$' listed
{ echo 'MODEL 1'; cat toluene.pdbqt; echo ENDMDL; echo 'MODEL 2'; cat toluene.pdbqt; echo ENDMDL; } >two.pdbqt
prep two.blib two.pdbqt
check 'of two models in PDBQT none is guessed' all exited 1 -- said 'of two models in PDBQT none is guessed' 'failed: ligand two: two.pdbqt' -- \
    absent two.blib

slice preparation 'Open Babel that hangs, properties, killed and resumed'
# Open Babel that hangs or is killed costs one molecule.
mkdir fake
cat >fake/obabel <<'END'
#!/bin/sh
case $* in -V) exec "$REAL_OBABEL" -V ;; esac
input=$(cat)
case $input in
*CCCCCCN*) sleep 100 ;;
*CCCCCCO*) kill -9 $$ ;;
*CCCCCCF*) while :; do :; done ;;
esac
printf '%s\n' "$input" | "$REAL_OBABEL" "$@"
END
chmod +x fake/obabel
REAL_OBABEL=$(command -v obabel)
export REAL_OBABEL
printf 'CCO one\nCCCCCCN hangs\nCCCCCCO dies\nCCCCCCF spins\nCCN two\n' >trap.smi
run env PATH="$PWD/fake:$PATH" "$BERTH" prep ligands trap.smi --out trap.blib --failures failed.csv --conformers 1 \
    --builder openbabel --overwrite --time_limit 1
check 'Open Babel that hangs, dies or never ends costs one molecule each' all exited 2 -- lines failed.csv 4 -- \
    ligands trap.blib 'one two' -- said 'Open Babel that hangs' trap.smi:2 -- said 'Open Babel that dies' trap.smi:3 -- \
    grep -q '^[0-9]*,spins,' failed.csv

# SDF properties travel with the ligand.
{
    sed '/^\$\$\$\$/d' empty.sdf | sed 1,5d
    printf '>  <ID>\nX-1\n\n>  <price, EUR>\n12,50\nper g\n\n$$$$\n'
} >properties.sdf
prep properties.blib properties.sdf --properties all
"$BERTH" lib ls properties.blib --full >listed
check 'all properties' all exited 0 -- silent -- holds listed '"ID=X-1; price, EUR=12,50'
prep properties.blib properties.sdf --properties ID,colour
"$BERTH" lib ls properties.blib --full >listed
check 'some properties, and which none has' all exited 0 -- grep -q ',ID=X-1$' listed -- \
    said 'some properties, and which none has'

# A killed run leaves nothing under the final name and goes on; its failures are not forgotten.
cat >fake/obabel <<'END'
#!/bin/sh
input=$(cat)
case $input in *CCCCCCN*) [ ! -e hold ] || { : >caught; sleep 40; } ;; esac
case $* in
*gen3d*) # what is built once stays as it is: no random numbers
    built=$(printf '%s' "$input" | cksum | tr ' ' _).built
    [ -e "$built" ] || { printf '%s\n' "$input" | "$REAL_OBABEL" "$@" >"$built.$$" && mv "$built.$$" "$built"; }
    cat "$built" ;;
*) printf '%s\n' "$input" | "$REAL_OBABEL" "$@" ;;
esac
END
# What is kept is whole blocks, of chunks of 128 records.
{
    printf 'C1CC( bro\033ken\n'
    i=0
    while [ $i -lt 5 ]; do i=$((i + 1)); echo "C$(printf '%*s' $i '' | tr ' ' C)O alcohol$i"; done
    while [ $i -lt 127 ]; do i=$((i + 1)); echo "C1CC( broken$i"; done
    echo 'CCCCCCCO alcohol6'
    echo 'c1cccc1 kekule'
    echo 'CCCCCCN amine'
    echo 'CCCCCCCC octane'
} >long.smi
slow() { # OUT OPTION...
    slow_out=$1
    shift
    run env PATH="$PWD/fake:$PATH" "$BERTH" prep ligands long.smi --out "$slow_out" --failures "$slow_out.csv" \
        --conformers 3 --builder openbabel "$@"
}
slow whole.blib --jobs 2
check 'a run in one go' all exited 2 -- lines whole.blib.csv 125 -- \
    ligands whole.blib 'alcohol1 alcohol2 alcohol3 alcohol4 alcohol5 alcohol6 amine octane'
slow again.blib --jobs 1
check 'where Open Babel gives the same, the library is the same to the byte' same whole.blib again.blib
: >hold
for signal in INT KILL; do
    rm -f caught
    env PATH="$PWD/fake:$PATH" "$BERTH" prep ligands long.smi --out $signal.blib --failures $signal.blib.csv --conformers 3 \
        --builder openbabel --jobs 1 >stdout 2>stderr.$signal &
    pid=$!
    # What came before has been taken in, where its last is known to have failed.
    until [ -e caught ] && grep -q kekule $signal.blib.part.failures || ! kill -0 $pid; do sleep 0.2; done 2>/dev/null
    kill -$signal $pid
    wait $pid
    code=$?
    check "killed by $signal: nothing under the final name" absent $signal.blib $signal.blib.csv
done
rm hold
cp stderr.INT stderr
check 'SIGINT says what is kept' said 'an interrupted run' '--resume'
slow INT.blib
check 'what was begun is not overwritten unasked' all exited 1 -- said 'what was begun is not overwritten unasked' INT.blib.part
cp long.smi first.smi
sed '3s/CC/CN/' first.smi >long.smi
slow INT.blib --resume
check 'nor gone on with from other molecules in a file as large' all exited 1 -- said 'other molecules in a file as large'
mv first.smi long.smi
content() { # LIB.blib: all that is in it; its blocks may end elsewhere
    "$BERTH" lib ls "$1" --full
    # shellcheck disable=SC2046 # names without blanks
    "$BERTH" lib get "$1" $("$BERTH" lib ls "$1" | sed 1d | cut -d, -f 2)
}
content whole.blib >whole.txt
for signal in INT KILL; do
    slow $signal.blib --resume
    content $signal.blib >resumed.txt
    check "resumed after $signal: the same ligands and failures, nothing left over" all exited 2 -- \
        same whole.txt resumed.txt -- same whole.blib.csv $signal.blib.csv -- \
        absent $signal.blib.part $signal.blib.part.failures -- "$BERTH" lib verify $signal.blib
done

# What is said about a library whose end is damaged helps.
cp whole.blib damaged.blib
printf '\377' | dd of=damaged.blib bs=1 seek=$(($(wc -c <whole.blib) - 5)) conv=notrunc 2>/dev/null
run "$BERTH" lib verify damaged.blib
check 'a damaged index: what to do' all exited 1 -- said 'a damaged index: what to do' damaged.blib
mv damaged.blib damaged.blib.part
slow damaged.blib --resume
check 'and that brings all back' all [ $code -ne 1 ] -- same whole.blib damaged.blib

if in_slice preparation 'a line of 300 MB'; then
    { printf 'CCO before\n'; head -c 300000000 /dev/zero | tr '\0' C; printf '\nCCN after\n'; } >huge.smi
    prep huge.blib huge.smi
    check 'a line of 300 MB costs itself' all [ $code -eq 2 ] -- \
        sh -c '"$0" lib ls huge.blib | grep -q after' "$BERTH"
    rm huge.smi
fi
# Twice a minute a line goes to a log.
if in_slice preparation 'progress in a log'; then
    {
        echo 'CCO a'
        for _ in $(seq 600); do [ -e slow.blib.part ] || sleep 1; done # until it has begun
        sleep 32
        echo 'CCN b'
    } | "$BERTH" prep ligands - --format smi --out slow.blib >stdout 2>stderr
    check 'progress in a log' grep -q '^berth: [01] molecules' stderr
fi
finish
