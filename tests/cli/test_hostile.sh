#!/bin/sh
# What input may do to us: names that look like options, damage inside gzip files, byte-order marks,
# coordinates that make no sense; and warnings that say the same of many.
. tests/cli/lib.sh

receptor=pocket.mol2 ligand=demo/1hpv_ligand.mol2
score() { "$BERTH" score --scoring bude --receptor $receptor --out scores.csv "$@"; }
prep() { # OUT IN...
    prep_out=$1
    shift
    run "$BERTH" prep ligands --out "$prep_out" --failures failed.csv --conformers 1 --builder openbabel --overwrite "$@"
}
ligands() { [ "$("$BERTH" lib ls "$1" | sed 1d | cut -d, -f 2 | tr '\n' ' ')" = "$2 " ]; } # LIB.blib NAMES
named() { sed "s/^amprenavir\$/$1/" $ligand; }
mark() { printf '\357\273\277'; cat "$1"; }
have_obabel=$(command -v obabel)

# `--` ends the options.
named -first >dash.mol2
"$BERTH" prep ligands dash.mol2 --out dash.blib >/dev/null 2>&1
run "$BERTH" lib get --format mol2 dash.blib -- -first
check 'a ligand whose name begins with a dash' all exited 0 -- holds stdout -first
run "$BERTH" prep ligands --out dash.blib --overwrite -- -h
check 'behind -- nothing is an option' all exited 1 -- holds stderr ' -h: '

# No name reaches Open Babel, which would take some for its own options.
if [ -n "$have_obabel" ]; then
    obabel $ligand -osdf 2>/dev/null >known.sdf
    for file in keep.sdf vic.xyz; do echo 'not to be touched' >$file; done
    cp known.sdf -- -Okeep.sdf
    printf '3\n\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n' >water.xyz
    cp water.xyz -- -Ovic.xyz
    run "$BERTH" dock --receptor $receptor --ligand $ligand $rigid --poses 512 --generations 3 --hops 0 --out named.sdf \
        --autobox_ligand=-Okeep.sdf
    check 'a known ligand whose name is an option' all exited 0 -- holds keep.sdf 'not to be touched'
    echo '-Ovic.xyz' >list
    prep listed.blib --list list
    check 'an input whose name is an option' all exited 0 -- holds vic.xyz 'not to be touched' -- \
        ligands listed.blib "'-Ovic.xyz"
    for format in 'xyz -Ovic.xyz' ../xyz; do
        prep odd.blib water.xyz --format "$format"
        check "no format: '$format'" all exited 1 -- absent odd.blib -- holds vic.xyz 'not to be touched'
    done
    check 'which is said' said 'no format' 'failed: ligand water.xyz:1: water.xyz'
    mkdir -p ./-Oset/phenol
    fragment phenol | obabel -imol2 -osdf 2>/dev/null >./-Oset/phenol/crystal.sdf
    cp $receptor ./-Oset/phenol/receptor.mol2
    printf 'pdb\tcenter_x\tcenter_y\tcenter_z\nphenol\t9.9\t16.2\t8.8\n' >./-Oset/sites.tsv
    run "$BERTH" eval redock --mode none --out evaluated --conformers 1 --builder openbabel -- -Oset
    check 'a set whose folder is called as an option' all exited 0 -- holds stderr phenol
else
    skip 'names that are options' 'Open Babel is not installed'
fi

# 22 atoms, each bonded to all others.
awk 'BEGIN { print "@<TRIPOS>MOLECULE\ndense\n22 231\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM"
    for (i = 1; i <= 22; i++) print i, "C" i, 9 + i % 3, 15 + i % 4, 8 + i % 5, "C.ar"
    print "@<TRIPOS>BOND"
    for (i = 1; i <= 22; i++) for (j = 1; j < i; j++) print ++n, j, i, "ar" }' >dense.mol2
run score --ligand dense.mol2
check 'more bonds than any atom has' all exited 2 -- said 'more bonds than any atom has' 'failed:'

# Damage at the head of a later gzip member, and zeros between two.
for i in 1 2; do
    { named first$i; named second$i; } | gzip -c >member$i.gz
    printf 'CC%sO smiles%s\n' "$(printf %$i.${i}s CCC)" $i | gzip -c >smiles$i.gz
done
cat member1.gz member2.gz >whole.mol2.gz
{ cat whole.mol2.gz; head -c 3000 /dev/zero; } >padded.mol2.gz
{ cat member1.gz; printf X; tail -c +2 member2.gz; } >later.mol2.gz
{ cat member1.gz; head -c 512 /dev/zero; cat member2.gz; } >between.mol2.gz
{ cat smiles1.gz; printf X; tail -c +2 smiles2.gz; } >later.smi.gz
place="at byte $(($(wc -c <member1.gz) + 2)) of the file, in member 2"
zeros="at byte $(($(wc -c <member1.gz) + 512)) of the file, in member 1"
for file in whole padded; do
    run score --ligand $file.mol2.gz
    check "a gzip file of two members, $file" all exited 0 -- lines scores.csv 5
    prep $file.blib $file.mol2.gz
    check "and in prep" all exited 0 -- ligands $file.blib 'first1 second1 first2 second2'
done
run score --ligand later.mol2.gz --failures failed.csv
check 'a second member whose head is damaged' all exited 2 -- lines scores.csv 2 -- \
    holds failed.csv "later.mol2.gz:" -- holds failed.csv "$place"
prep later.blib later.mol2.gz
check 'and in prep' all exited 2 -- ligands later.blib first1 -- holds failed.csv "$place"
run score --ligand between.mol2.gz --failures failed.csv
check 'zeros between two members' all exited 2 -- lines scores.csv 2 -- holds failed.csv "$zeros"
prep between.blib between.mol2.gz
check 'and in prep' all exited 2 -- ligands between.blib first1 -- holds failed.csv "$zeros"
if [ -n "$have_obabel" ]; then
    prep smiles.blib later.smi.gz
    check 'damage in SMILES' all exited 2 -- ligands smiles.blib smiles1 -- holds failed.csv 'in member 2)'
    { gzip -c water.xyz; printf X; gzip -c water.xyz | tail -c +2; } >later.xyz.gz
    prep xyz.blib later.xyz.gz
    check 'and in what only Open Babel reads' all exited 1 -- holds failed.csv 'in member 2)' -- absent xyz.blib
    { gzip -c known.sdf; printf XY; } >later.sdf.gz
    run "$BERTH" dock --receptor $receptor --ligand $ligand --out named.sdf --autobox_ligand later.sdf.gz
    check 'and in a known ligand' all exited 1 -- holds stderr 'in member 2)'
else
    skip 'damaged gzip for Open Babel' 'Open Babel is not installed'
fi

# A byte-order mark.
cat >zinc.pdb <<'END'
HETATM    1 ZN    ZN A 301       5.000   5.000   5.000  1.00 10.00          ZN
ATOM      2  N   SER A  -1       0.000   0.000   0.000  1.00 10.00           N
ATOM      3  CA  SER A  -1       1.450   0.100   0.000  1.00 10.00           C
END
cat >zinc.cif <<'END'
data_Z
loop_
_atom_site.group_PDB
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
HETATM ZN ZN ZN A 301 5.000 5.000 5.000
ATOM N N SER A 1 0.000 0.000 0.000
END
sed -e 's/^\(.\{76\}\) *\([A-Z]*\)$/\1 \2/' -e 's/ZN$/Zn/' zinc.pdb >zinc.pdbqt
for file in zinc.pdb zinc.cif zinc.pdbqt $receptor; do
    mark $file >marked."${file##*.}"
    run "$BERTH" prep receptor $file --out plain.brec --mol2 plain.mol2 --overwrite
    run "$BERTH" prep receptor marked."${file##*.}" --out marked.brec --mol2 read.mol2 --overwrite
    sed -i 2d plain.mol2 read.mol2
    check "a receptor behind a mark, $file" all exited 0 -- same plain.mol2 read.mol2 -- \
        sh -c "case $file in zinc*) grep -q Zn read.mol2 ;; esac"
done
mark $ligand >marked.mol2
mark "$root/data/forcefields/by-atom-2017.bhff" >marked.bhff
printf 'forcefield = marked.bhff\n' >config
mark config >marked.config
run score --ligand marked.mol2 --config marked.config
check 'ligand, forcefield and options behind a mark' all exited 0 -- lines scores.csv 2
iconv -f UTF-8 -t UTF-16 zinc.pdb >wide.pdb
run "$BERTH" prep receptor wide.pdb --out wide.brec
check 'UTF-16 is named' all exited 1 -- absent wide.brec -- said 'UTF-16 is named'
if [ -n "$have_obabel" ]; then
    echo 'CCO ethanol' >plain.smi
    mark plain.smi >marked.smi
    sed 1s/.*/first/ ./-Oset/phenol/crystal.sdf >first.sdf
    mark first.sdf >marked.sdf
    mark water.xyz >marked.xyz
    printf 'marked.smi\nmarked.sdf\nmarked.xyz\n' >plain.list
    mark plain.list >marked.list
    prep marked.blib --list marked.list
    "$BERTH" lib ls marked.blib --full >listed
    check 'a list, SMILES, SDF and XYZ behind a mark' all exited 0 -- ligands marked.blib 'ethanol first marked.xyz' -- \
        grep -q ',ethanol,3,1,0,CCO,' listed -- grep -q ',marked.xyz,1,.*,O,' listed
    run "$BERTH" dock --receptor $receptor --ligand $ligand $rigid --poses 512 --generations 3 --hops 0 --out named.sdf \
        --autobox_ligand marked.sdf
    check 'and a known ligand' all exited 0 -- holds stdout 'site (10.3'
    mark ./-Oset/sites.tsv >sites.tsv
    mv sites.tsv ./-Oset/sites.tsv
    run "$BERTH" eval redock ./-Oset --mode none --out marked --conformers 1 --builder openbabel
    check 'and a table' all exited 0 -- holds stderr phenol
else
    skip 'what Open Babel reads behind a mark' 'Open Babel is not installed'
fi

# An atom far off: the same rule for all.
{ sed 's/11\.1690/9999.169/' $ligand; named near; } >far.mol2
run score --ligand far.mol2 --failures failed.csv
check 'an atom far off: score' all exited 2 -- lines scores.csv 2 -- said 'an atom far off' far.mol2:1
run quick_dock --ligand far.mol2 --out far.sdf --scores scores.csv --num_modes 1
check 'dock' all exited 2 -- lines scores.csv 2 -- holds far.failures.csv ',amprenavir,far.mol2:1: '
prep far.blib far.mol2
check 'prep' all exited 2 -- ligands far.blib near -- holds failed.csv '0,amprenavir,"far.mol2, record 1: '

# A warning comes once, with how often it came.
for i in 1 2 3 4 5 6 7 8; do fragment ring Cu; done >same.mol2
for i in 1 2 3 4 5 6 7 8; do fragment ring$i Cu; done >others.mol2
run score --ligand same.mol2
check 'eight times the same: score' all exited 0 -- said 'a warning that comes again' 'ring: '
run score --ligand same.mol2 --minimize
check 'score --minimize' all exited 0 -- holds stderr '(8 times)' -- lines stderr 1
run quick_dock --ligand same.mol2 --out same.sdf
check 'dock' all exited 0 -- holds stderr '(8 times)' -- lines stderr 1
run quick_dock --ligand others.mol2 --out same.sdf
check 'of eight ligands' all exited 0 -- grep -q 'ring1: .* 7 more' stderr -- lines stderr 1
"$BERTH" lib get "$prep_out" near --format mol2 2>/dev/null | sed "s/^near\$/turns/; 0,/ C\.3 /s// Cu  /" >one.mol2
for i in 1 2 3; do sed "s/^turns\$/turns$i/" one.mol2; done >three.mol2
prep three.blib three.mol2
check 'prep' all exited 0 -- [ "$(grep -c 'taken as Zn' stderr)" -eq 1 ] -- holds stderr '2 more'
awk '/^@<TRIPOS>/ { s = $1 } s == "@<TRIPOS>ATOM" && / C\.3 / && n++ < 5 { sub(/ C\.3 /, " Cd  ") } 1' $receptor >cadmium.mol2
run "$BERTH" score --scoring bude --receptor cadmium.mol2 --ligand $ligand --out scores.csv
check 'a receptor' all exited 0 -- lines stderr 1 -- said "a receptor's type" Cd
finish
