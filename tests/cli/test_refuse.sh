#!/bin/sh
# Bad input and outputs that cannot be written: each has its message, its exit code, and leaves
# nothing under the names of results.  (Devices that fail: test_device.sh.)
. tests/cli/lib.sh

receptor=demo/1hpv_receptor.mol2
ligand=demo/1hpv_ligand.mol2
poses=64 generations=2
dock() { quick_dock --out out/p.sdf --scores out/s.csv "$@"; }
score() { "$BERTH" score --scoring bude --receptor $receptor --out out/s.csv "$@"; }
# For what dock is given twice otherwise.
bare() { "$BERTH" dock $rigid --ligand $ligand --out out/p.sdf "$@"; }

# both NAME FILE: as ligands of dock and score; nothing comes out.
both() {
    refused "$1" dock --ligand "$2"
    refused_too "$1: score" "$2" score --ligand "$2"
}

# failed NAME FILE: the file's only molecule is bad: exit code 2, a row in failures.csv, and none in the results.
failed() {
    rm -rf out
    mkdir out
    run dock --ligand "$2"
    check "$1: dock" all exited 2 -- said "$1" -- lines out/s.csv 1 -- lines out/p.failures.csv 2 -- [ ! -s out/p.sdf ]
    run score --ligand "$2"
    check "$1: score" all exited 2 -- holds stderr "$2" -- lines out/s.csv 1
}

# Files that are no Mol2.
: >empty
both 'an empty file' empty
both 'a missing file' nowhere
both 'a folder' demo
echo 'ATOM      1  N   PRO' >text
both 'another text' text
head -c 20000 "$BERTH" >binary
both 'a binary file' binary
{
    echo '@<TRIPOS>MOLECULE'
    head -c 20000 "$BERTH"
} >marked
failed 'a binary file behind a mark' marked
{
    cat $ligand
    head -c 20000 "$BERTH"
    echo
    cat $ligand
} >between
rm -rf out
mkdir out
run dock --ligand between
check 'a ligand behind binary data docks' all exited 2 -- lines out/p.failures.csv 2 -- holds out/s.csv amprenavir
sed 's/^\( *[0-9]* [A-Z][A-Z0-9]* *\)[-0-9.]* *[-0-9.]* *[-0-9.]* /\1 0.0 0.0 0.0 /' $ligand >origin.mol2
failed 'no 3D coordinates' origin.mol2
tr -d '\000\n' <"$BERTH" | head -c 200000 >noise
both 'noise without line ends' noise
gzip -c $ligand | head -c 400 >cut.gz
good=$(gzip -dc cut.gz 2>/dev/null | wc -l) # how many that are depends on gzip, and so is no golden text
refused_too 'a truncated .gz file' "cut.gz:$((good + 1)): " dock --ligand cut.gz
gzip -c $ligand | head -c 1000 >whole
{
    cat whole
    head -c 500 "$BERTH"
} >corrupt.gz
run score --ligand corrupt.gz
check 'a corrupt .gz file' all exited 1 -- grep -q '^berth: corrupt.gz:[0-9]*: .*gzip' stderr

# Molecules that cannot be used.
head -n 44 $ligand >cut.mol2
failed 'a truncated file' cut.mol2
printf '@<TRIPOS>MOLECULE\nnothing\n0 0\nSMALL\nX\n' >none.mol2
failed 'a molecule without atoms' none.mol2
printf '@<TRIPOS>MOLECULE\nnothing\n3 0\nSMALL\nX\n' >none.mol2
failed 'a molecule without an ATOM section' none.mol2
fragment nan O.3 nan >nan.mol2
failed 'a coordinate that is NaN' nan.mol2
fragment inf O.3 1e999 >inf.mol2
failed 'an infinite coordinate' inf.mol2
fragment far O.3 123456.5 >far.mol2
failed 'an absurd coordinate' far.mol2
printf '@<TRIPOS>MOLECULE\nh2\n2 1\nSMALL\nX\n@<TRIPOS>ATOM\n1 H1 0 0 0 H\n2 H2 1 0 0 H\n@<TRIPOS>BOND\n1 1 2 1\n' >h2.mol2
failed 'no heavy atoms' h2.mol2
atoms() { # NUMBER: carbons, bonded one to the next
    awk -v n="$1" 'BEGIN {
        print "@<TRIPOS>MOLECULE\nbig\n" n " " n - 1 "\nSMALL\nX\n@<TRIPOS>ATOM"
        for (i = 0; i < n; i++) print i + 1, "C" i, i % 17, int(i / 17) % 17, int(i / 289), "C.3"
        print "@<TRIPOS>BOND"
        for (i = 1; i < n; i++) print i, i, i + 1, 2
    }'
}
atoms 20001 >big.mol2
failed '20,001 heavy atoms' big.mol2
atoms 1 >one.mol2
run score --ligand one.mol2
check 'one atom is a ligand' exited 0
atoms 1000 >most.mol2
run dock --ligand most.mol2 --refine 1
check 'and so are 1000' all exited 0 -- [ -s out/p.sdf ]
fragment odd Xx.7 >odd.mol2
failed 'an unknown type' odd.mol2
fragment bonds | sed 's/^7 1 7 1$/7 1 9 1/' >bonds.mol2
failed 'a bond to nowhere' bonds.mol2

# Good molecules in front of the damage stay.
cat $ligand cut.mol2 >half.mol2
rm -rf out
mkdir out
run dock --ligand half.mol2 --num_modes 2
check 'a file cut off in its second molecule' all exited 2 -- lines out/s.csv 3 -- \
    lines out/p.failures.csv 2 -- holds out/p.failures.csv 'amprenavir,"half.mol2:194: '
for i in 1 2 3; do sed "s/amprenavir/ligand$i/" $ligand; done | gzip -c >several.gz
head -c $(($(wc -c <several.gz) - 40)) several.gz >half.gz
run dock --ligand half.gz --num_modes 1
check 'a .gz file cut off behind some molecules' all exited 2 -- \
    grep -q '^berth: failed: ligand3: half.gz:[0-9]*: .*gzip' stderr -- lines out/p.failures.csv 2 -- [ "$(wc -l <out/s.csv)" -ge 2 ]

# Forcefields.
shipped=$root/data/forcefields/by-atom-2017.bhff
refused_too 'a missing forcefield' nowhere.bhff dock --ligand $ligand --forcefield nowhere.bhff
head -n 20 "$shipped" >cut.bhff
refused 'a truncated forcefield' dock --ligand $ligand --forcefield cut.bhff
refused 'a forcefield that is none' score --ligand $ligand --forcefield $ligand
line=$(grep -n '^C\.3 ' "$shipped" | cut -d: -f1)
sed "${line}s/[0-9][0-9.]*/abc/2" "$shipped" >word.bhff
refused 'a number that is none' score --ligand $ligand --forcefield word.bhff
sed 's/^C\.3 /C.3x /' "$shipped" >lacks.bhff
refused 'a forcefield that lacks a type of the receptor' score --ligand $ligand --forcefield lacks.bhff

# Receptors, references and sites.
refused_too 'an empty receptor' empty bare --receptor empty --autobox_ligand $ligand
refused 'a receptor without heavy atoms' bare --receptor h2.mol2 --autobox_ligand $ligand
head -n 1272 $receptor >cut_receptor.mol2
refused 'a truncated receptor' bare --receptor cut_receptor.mol2 --autobox_ligand $ligand
cat $receptor $ligand >two.mol2
refused 'a receptor of two molecules' bare --receptor two.mol2 --autobox_ligand $ligand
sed 's/ O\.3h / Zz /' $receptor >odd_receptor.mol2
refused_too 'an unknown type in the receptor' '(OG1 of THR4)' bare --receptor odd_receptor.mol2 --autobox_ligand $ligand
refused_too 'a missing reference' nowhere dock --ligand $ligand --reference nowhere
run dock --ligand $ligand --reference nan.mol2
check 'a reference that cannot be read' all exited 1 -- holds stderr nan.mol2:8
run dock --ligand $ligand --reference h2.mol2
check 'a reference that is another molecule: a warning, and no RMSD' all exited 0 -- \
    said 'a reference that is another molecule' -- [ -z "$(columns out/s.csv rmsd | tr -d '\n')" ]

# box X Y Z A B C: dock with this site.
box() {
    bare --receptor $receptor --poses 512 --center_x "$1" --center_y "$2" --center_z "$3" \
        --size_x "$4" --size_y "$5" --size_z "$6"
}
refused 'no receptor atom near the box' box 500 -20 0 10 10 10
refused 'a box of size zero' box 10 16 9 10 0 10
refused 'a box of negative size' box 10 16 9 10 10 -5
refused 'no site' bare --receptor $receptor
refused 'half a site' bare --receptor $receptor --center_x 1 --center_y 2 --center_z 3 --size_x 10
refused 'two sites' dock --ligand $ligand --size_x 10
refused 'a box about nothing' bare --receptor $receptor --autobox_ligand h2.mol2
refused_too 'a box about two molecules' half.mol2:151 bare --receptor $receptor --autobox_ligand half.mol2

# Outputs.
to() { quick_dock --ligand $ligand "$@"; }
refused 'an output folder that is missing' to --out nodir/p.sdf --failures out/f.csv
refused_too 'scores to a folder that is missing' nodir/s.csv to --out out/p.sdf --scores nodir/s.csv
refused 'a file as a folder' to --out empty/p.sdf
run to --out out/p.pdb
check 'poses in an unknown format' all exited 1 -- holds stderr out/p.pdb -- nothing_in out
mkdir folder.sdf
refused_too 'a folder as a file' folder.sdf to --out folder.sdf
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    chmod 555 locked
    refused_too 'a folder that is write-protected' locked/p.sdf to --out locked/p.sdf
else
    skip 'a folder that is write-protected' 'root may write everywhere'
fi
refused 'one file for poses and scores' to --out out/p.sdf --scores out/p.sdf
refused 'scores where the failures go' to --out out/p.sdf --scores out/p.failures.csv
cp $ligand own.mol2
refused 'poses over their own input' quick_dock --ligand own.mol2 --out ./own.mol2
check 'which stays as it is' same $ligand own.mol2

ln -s /dev/full full.sdf
refused 'a full disk: poses' to --out full.sdf --scores out/s.csv
refused_too 'a full disk: scores' /dev/full to --out out/p.sdf --scores /dev/full
refused_too 'a full disk: failures' /dev/full to --out out/p.sdf --failures /dev/full
refused_too 'a full disk: berth score' /dev/full "$BERTH" score --receptor $receptor --ligand $ligand --out /dev/full
run sh -c '"$0" score --receptor "$1" --ligand "$2" --out - >/dev/full' "$BERTH" $receptor $ligand
check 'standard output that cannot be written' all exited 1 -- holds stderr 'standard output'
mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>mount.log; then
    trap 'umount disk; rm -rf "$work"' EXIT
    run to --out disk/p.sdf --num_modes 200 --min_rmsd 0.1 --refine 0
    check 'a disk that fills up: nothing stays on it' all exited 1 -- holds stderr disk/p.sdf -- nothing_in disk
else
    skip 'a disk that fills up' 'no right to mount a small one'
fi
run to --out out/p.sdf --scores /dev/null
check 'scores to a device: the failures go beside the poses' all exited 0 -- [ -s out/p.failures.csv ] -- \
    absent /dev/null.failures.csv
echo 'an older result' >out/old.sdf
run to --out out/old.sdf --scores /dev/full
check 'an older result stays where the new one fails' all exited 1 -- \
    [ "$(cat out/old.sdf)" = 'an older result' ]
finish
