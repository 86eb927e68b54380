#!/bin/sh
# berth lib: info, ls, get, verify and merge, on libraries that bench/library/rates.c makes.
. tests/cli/lib.sh

run make_rates
check 'the program that makes libraries compiles' exited 0

# Three ligands, the second of two conformers and named like the third.
{
    fragment phenol_C1
    fragment 'a,b' N.3
    fragment 'a,b' N.3 11.35
    fragment 'a,b'
} >ligands.mol2
run ./rates ligands.mol2 x.blib
check 'a library is made' exited 0

run "$BERTH" lib info x.blib
check 'lib info' all exited 0 -- silent -- stdout_is "library      x.blib
format       version 2
$(grep '^forcefield   built-in, [0-9]* types, hash [0-9a-f]\{16\}$' stdout)
made by      rates
ligands      3
conformers   4 (1.3 a ligand)
blocks       1
$(grep '^docking      [0-9]* bytes, [0-9.]* a conformer$' stdout)
$(grep '^write-out    [0-9]* bytes, [0-9.]* a conformer$' stdout)
file         $(wc -c <x.blib) bytes"

run "$BERTH" lib ls x.blib
check 'lib ls' all exited 0 -- silent -- stdout_is 'ordinal,name,heavy_atoms,conformers,torsions
0,phenol,7,1,0
1,"a,b",7,2,0
2,"a,b",7,1,0'
run "$BERTH" lib ls x.blib --full --out ls.csv
echo 'ordinal,name,heavy_atoms,conformers,torsions,smiles,source,record,properties
0,phenol,7,1,0,,,1,
1,"a,b",7,2,0,,,2,
2,"a,b",7,1,0,,,4,' >expected
check 'lib ls --full --out' all exited 0 -- silent -- stdout_is_empty -- same ls.csv expected

run "$BERTH" lib get x.blib phenol
cat >expected <<'EOF'
# conformer: 1
# record: 1
@<TRIPOS>MOLECULE
phenol
    7     7 0 0 0
SMALL
NO_CHARGES

@<TRIPOS>ATOM
      1 C1          11.3100    16.2300     8.8000 C.ar      1 LIG        0.0000
      2 C2          10.6150    17.4340     8.8000 C.ar      1 LIG        0.0000
      3 C3           9.2250    17.4340     8.8000 C.ar      1 LIG        0.0000
      4 C4           8.5300    16.2300     8.8000 C.ar      1 LIG        0.0000
      5 C5           9.2250    15.0260     8.8000 C.ar      1 LIG        0.0000
      6 C6          10.6150    15.0260     8.8000 C.ar      1 LIG        0.0000
      7 O1          12.6800    16.2300     8.8000 O.3       1 LIG        0.0000
@<TRIPOS>BOND
     1     1     2 ar
     2     2     3 ar
     3     3     4 ar
     4     4     5 ar
     5     5     6 ar
     6     6     1 ar
     7     1     7 1

EOF
check 'lib get writes Mol2' all exited 0 -- silent -- same stdout expected
run "$BERTH" lib get x.blib 'a,b' phenol --out out.sdf
check 'lib get writes all ligands of a name as SDF' all exited 0 -- silent -- \
    [ "$(grep -c '^\$\$\$\$' out.sdf)" -eq 4 ] -- [ "$(grep -c '^a,b$' out.sdf)" -eq 3 ]
run "$BERTH" lib get x.blib --ordinal 2 --format sdf
check 'lib get --ordinal' all exited 0 -- holds stdout '>  <record>' -- \
    [ "$(grep -c '^\$\$\$\$' stdout)" -eq 1 ] -- [ "$(head -n 1 stdout)" = a,b ]
# What comes out goes in again as it was.
run "$BERTH" lib get x.blib phenol 'a,b' --out again.mol2
run "$BERTH" lib get x.blib --out whole.mol2
check 'lib get without names writes the whole library' all exited 0 -- silent -- same whole.mol2 again.mol2
run ./rates again.mol2 again.blib
run "$BERTH" lib ls again.blib
cp stdout again.csv
run "$BERTH" lib ls x.blib
check 'a library of what lib get wrote is the same' same stdout again.csv

run "$BERTH" lib verify x.blib
check 'lib verify' all exited 0 -- silent -- said whole ' 3 ligands, 4 conformers in 1 blocks'

run "$BERTH" lib merge x.blib again.blib x.blib --out all.blib
check 'lib merge' all exited 0 -- silent -- said merged ' 9 ligands, 12 conformers '
run "$BERTH" lib verify all.blib
check 'what was merged is whole' all exited 0 -- silent -- holds stdout ' 9 ligands, 12 conformers in 3 blocks'
run "$BERTH" lib ls all.blib
check 'and holds all in order' all lines stdout 10 -- grep -q '^3,phenol,7,1,0$' stdout -- \
    grep -q '^8,"a,b",7,1,0$' stdout

# A library in place of Mol2: the same ligands, rounded to 0.001 Å.
score() { "$BERTH" score --scoring bude --receptor pocket.mol2 "$@"; }
run ./rates demo/1hpv_ligand.mol2 demo.blib
run score --ligand demo/1hpv_ligand.mol2 --out mol2.csv
run score --ligand demo.blib --out blib.csv
check 'score takes a library' all exited 0 -- scores_agree mol2.csv blib.csv 0.05
run quick_dock --ligand x.blib --out out.sdf --scores s.csv
check 'dock takes a library' all exited 0 -- silent -- grep -q '^0,phenol,' s.csv -- \
    grep -q '^3 ligands .* 4 conformers, 0 ' stdout

# One byte of the second block of three.
place=$(($(wc -c <x.blib) - 50))
cp all.blib bad.blib
printf '\377' | dd of=bad.blib bs=1 seek=$place conv=notrunc 2>/dev/null
run "$BERTH" lib verify bad.blib
sed -i 's/ at byte [0-9]*/ at byte N/' stderr
check 'lib verify names the corrupt block' all exited 1 -- \
    said corrupt ' 9 ligands, 12 conformers in 3 blocks' -- said 'a corrupt block' '(ligands 3 to 5)'
run "$BERTH" lib ls bad.blib
check 'lib ls goes on behind it' all exited 1 -- lines stdout 7
run "$BERTH" lib get bad.blib phenol
check 'lib get goes on behind it' all exited 1 -- [ "$(grep -c '^phenol$' stdout)" -eq 2 ]

mkdir out
run score --ligand bad.blib --out out/s.csv --failures out/failures.csv
check 'score goes on behind it' all exited 2 -- lines out/s.csv 9 -- lines out/failures.csv 4

mkdir keep
cp x.blib again.blib bad.blib keep
refused_too 'a merge with a corrupt library' '(ligands 3 to 5)' "$BERTH" lib merge x.blib bad.blib --out out/all.blib
refused 'a merge into one of its libraries' "$BERTH" lib merge x.blib again.blib --out again.blib
check 'that library is as it was' same again.blib keep/again.blib
refused 'a file that is no library' "$BERTH" lib info ligands.mol2
refused_too 'a missing library' ' nowhere: ' "$BERTH" lib ls nowhere --out out/x.csv
head -c 200 x.blib >cut.blib
refused 'a library that was cut off' "$BERTH" lib verify cut.blib
refused 'a name that is not there' "$BERTH" lib get x.blib phenol water --out out/x.sdf
refused 'an ordinal that is not there' "$BERTH" lib get x.blib --ordinal 3 --out out/x.sdf
refused 'both name and ordinal' "$BERTH" lib get x.blib phenol --ordinal 0
run "$BERTH" lib get x.blib phenol --out out/x.pdb
check 'another format' all exited 1 -- absent out/x.pdb
refused 'two libraries where one is taken' "$BERTH" lib info x.blib x.blib
finish
