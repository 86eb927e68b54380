#!/bin/sh
# Rows in = rows out, by name: of files with faults, in every format, each molecule is prepared or a row
# of the failures, once.
. tests/cli/lib.sh

need_rdkit 'every molecule is a ligand or a row of the failures'

body() { # an SDF record of ethanol behind its title, up to M  END
    cat <<'END'
  program

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.1000    0.2000 C   0  0
    2.1000    1.3000    0.1000 O   0  0
  1  2  1  0
  2  3  1  0
M  END
END
}
record() { # NAME
    echo "$1"
    body
}

# SDF: between the records nothing, a mark that is short or indented, blank lines, items without a blank.
{ record s1 && record s2 && echo '$$$' && record s3 && echo '  $$$$' && record s4; } >bare.sdf
{
    for name in s5 s6; do
        record $name
        printf '> <id>\nA %s\n> <price>\n12\n$$$$\n' $name
    done
    record s7
    printf '>  <id>\nno blank, no end\n'
    record s8
    printf '> <id>\nshort end\n$$$\n'
    record s9
    printf '> <id>\n$$\n\n$$$$\n\n\n'
    record s10
} >items.sdf
# Cut off in its atoms; a line short; an abbreviation; without bonds; bonds to a part left out.
{
    record s11 | head -n 6
    echo '$$$$'
    record s12 | sed 2d
    echo '$$$$'
    record s13 | sed 's/^M  END/A    3\nOMe\nM  END/'
    record s14 | sed -e 's/  3  2  0/  3  0  0/' -e '/^  [12]  [23]  1/d'
    record s15 | sed -e 's/  3  2  0/  3  1  0/' -e '/^  2  3  1/d'
    record s16
} >faults.sdf
{
    record s18 | sed 's/^M  END/A    1\nCA\nA    2\nCB\nM  END/' # names of atoms, of which most have one
    record s17
    printf '> <block>\n'
    record inner | sed '3s/^$/x/'
    printf '\n$$$$\n'
} >value.sdf

mol2() { # NAME [TYPE OF H]
    cat <<END
@<TRIPOS>MOLECULE
$1
 6 5 0 0 0
SMALL
NO_CHARGES

@<TRIPOS>ATOM
 1 C1  0.0000  0.0000  0.0000 C.3   1 L 0.0
 2 O1  1.4000  0.0000  0.0000 O.3   1 L 0.0
 3 H1  -0.390  1.0200  0.0000 ${2:-H} 1 L 0.0
 4 H2  -0.390 -0.5100  0.8800 ${2:-H} 1 L 0.0
 5 H3  -0.390 -0.5100 -0.8800 ${2:-H} 1 L 0.0
 6 H4   1.700  0.9000  0.0000 ${2:-H} 1 L 0.0
@<TRIPOS>BOND
 1 1 2 1
 2 1 3 1
 3 1 4 1
 4 1 5 1
 5 2 6 1
END
}
with_sodium() { # NAME
    mol2 "$1" | sed -e 's/^ 6 5 0/ 7 5 0/' -e 's/^ 6 H4.*/&\n 7 NA 5.0 0.0 0.0 Na 2 NA 1.0/'
}
without_bonds() { # NAME
    mol2 "$1" | sed -e 's/^ 6 5 0/ 6 0 0/' -e '/BOND/,$d'
}
{
    mol2 m1
    with_sodium m2
    without_bonds m3
    mol2 m4 | sed 's/^@<TRIPOS>/  @<Tripos>/' # as hands write it
    mol2 m5 | sed 's/^ 6 5 0/ 7 5 0/'
    mol2 m6
    mol2 m7 hc | sed -e 's/C\.3/c3 /' -e 's/O\.3/oh /'
    mol2 m8 HC | sed -e 's/C\.3/CA /' -e 's/O\.3/OH /' # bonds without orders
} >faults.mol2

# A table with quotes, a row that is short, one without SMILES, one without a name; lines with a header.
printf '"ChEMBL ID";Smiles;note\r\n"t;1";CCO;"a;b"\nt2\nt3;;x\nt4;C1CC;x\nt5;c1ccccc1O;"two\nlines"\n;CCN;\n' | gzip >table.csv.gz
printf 'smiles zinc_id\nCCO u1\nCCN two words\n' >header.smi
printf 'SMILES,ID\nCCO,u3\n' >commas.smi
printf 'SMILES,Name\rCCO,ethanol\r' >returns.csv

component() { # NAME
    printf 'data_%s\nloop_\n_chem_comp_atom.comp_id\n_chem_comp_atom.atom_id\n_chem_comp_atom.type_symbol\n' "$1"
    printf '_chem_comp_atom.charge\n_chem_comp_atom.model_Cartn_x\n_chem_comp_atom.model_Cartn_y\n_chem_comp_atom.model_Cartn_z\n'
    printf '%s\n' 'X C C 0 0 0 0' 'X O O -1 1.4 0.2 0.1' 'X H1 H 0 -0.4 1.0 0' 'X H2 H 0 -0.4 -0.5 0.9' 'X "H3" H 0 -0.4 -0.5 -0.9' \
        loop_ _chem_comp_bond.atom_id_1 _chem_comp_bond.atom_id_2 _chem_comp_bond.value_order \
        'C O UNK' 'C H1 SING' 'C H2 SING' 'C H3 SING'
}
{
    printf '%s\n' data_comp_list loop_ _chem_comp.id k1 k2
    component comp_k1
    component k2 | sed 's/-1 1.4/0 1.4/' # which contradicts its bonds
} >components.cif

atom='<atom elementType="O" x3="0" y3="0" z3="0"'
{
    echo '<cml><molecule id="c1"><atomArray>'"$atom"' id="a"/></atomArray></molecule><molecule id="c2">'
    echo '<atomArray>'"$atom"' id="a"/></atomArray></molecule> <molecule title="c3" id="x">'
    echo '<atomArray>'"$atom"' id="a"/></atomArray></molecule></cml>'
} >several.cml

pdb() { # RESIDUE: methanol
    printf 'HETATM    1  C   %s A   1       0.000   0.000   0.000  1.00  0.00           C\n' "$1"
    printf 'HETATM    2  O   %s A   1       1.400   0.000   0.000  1.00  0.00           O\n' "$1"
}
{ pdb AAA && pdb BBB && echo END && pdb CCC; } >several.pdb
pdb AAA | sed -e '2s/ AAA/AAAA/' -e '2p' -e '2s/AAAA/BAAA/' -e '2s/1.400/-1.40/' -e '2s/1.00  0.00/0.40  0.00/' >flip.pdb
echo 'no molecule' >junk.pdb
cif() { # BLOCK
    printf 'data_%s\nloop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n_atom_site.label_comp_id\n' "$1"
    printf '_atom_site.Cartn_x\n_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.pdbx_PDB_model_num\n'
    printf 'C C1 %s 0 0 0 1\nO O1 %s 1.4 0 0 1\n' "$1" "$1"
}
{ cif b1 && cif b2 | sed 's/1.4/x/' && cif b3; } >several.cif
water='O 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n'
printf "3\nx1\n${water}3\nx2\nO 0 0 0\n3\nx3\n$water" >several.xyz
pdbqt() { # NAME
    printf 'REMARK  Name = %s\nROOT\n' "$1"
    printf 'ATOM      1  C   LIG A   1       0.000   0.000   0.000  1.00  0.00     0.100 C \n'
    printf 'ATOM      2  O   LIG A   1       1.400   0.000   0.000  1.00  0.00    -0.100 OA\n'
    printf 'ATOM      3  H   LIG A   1       1.700   0.900   0.000  1.00  0.00     0.100 HD\nENDROOT\nTORSDOF 0\n'
}
{ pdbqt a && pdbqt b; } >several.pdbqt

names() {
    printf '%s\n' s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 s12 s13 s14 s15 s16 s17 s18
    printf '%s\n' m1 m2 m3 m4 m5 m6 m7 m8
    printf '%s\n' 't;1' t2 t3 t4 t5 table.csv.gz:6 u1 'two words' u3 k1 k2
    command -v obabel >/dev/null && printf '%s\n' c1 c2 c3 b1 b2 b3 x1 x2 x3 \
        several.pdb several.pdb:2 several.pdb:3 flip.pdb junk a b
}
files='bare.sdf items.sdf faults.sdf value.sdf faults.mol2 table.csv.gz header.smi commas.smi components.cif'
command -v obabel >/dev/null && files="$files several.cml several.cif several.xyz several.pdb flip.pdb junk.pdb several.pdbqt"
# shellcheck disable=SC2086 # several files
run "$BERTH" prep ligands $files --out rows.blib --failures failed.csv --properties id,price
"$BERTH" lib ls rows.blib --full >listed
names | sort >wanted
{ cut -d, -f2 listed && cut -d, -f2 failed.csv; } | grep -v -x -e name -e ligand | sort >found
check 'every molecule is a ligand or a row of the failures, once' all exited 2 -- same wanted found
cut -d, -f2 failed.csv | sed 1d | sort >failed
{
    printf '%s\n' s11 s12 s13 s14 s15 m3 m5 m8 t2 t3 t4 k2
    command -v obabel >/dev/null && printf '%s\n' b2 x2 junk
} | sort >wanted
check 'those fail that are at fault' same wanted failed
check 'and each with a reason' all grep -q 's13.*OMe' failed.csv -- said 'bonds without orders' m8: -- said 'a short row' t2: -- \
    said 'no SMILES' t3: -- said 'an order of a component' k2: -- said "the columns of a table" "SMILES in"
if command -v obabel >/dev/null; then
    check 'of alternate locations one stands' grep -q '^[0-9]*,flip.pdb,2,1,' listed
    check 'what is none of the format is said to be so' holds failed.csv 'no ATOM or HETATM line'
fi
check 'a part of a salt is no part of the ligand' all grep -q '^[0-9]*,m2,2,' listed -- holds stderr 'm2: a salt'
check 'a value ends where the next item or the record does' all grep -q 'id=A s5; price=12$' listed -- \
    grep -q 's7.*id="*no blank, no end' listed -- grep -q 's8.*id=short end$' listed -- grep -q 's9.*id=\$\$$' listed
printf 'C1CC\tn1\nCCO\tn2\n' >number.smi
run "$BERTH" prep ligands number.smi --smiles_column 1 --name_column 2 --out number.blib --failures number.csv
check 'columns by number: SMILES that cannot be read are no line of names' all exited 2 -- grep -q ',n1,' number.csv
run "$BERTH" prep ligands returns.csv --out returns.blib
check 'a table whose lines end with CR alone' all exited 1 -- said 'a table whose lines end with CR alone' 'inside the line of names'

# The same as they stand: docked from Mol2, scored.
run "$BERTH" dock $rigid --poses 256 --generations 2 --hops 0 --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    --ligand faults.mol2 --out m.sdf --scores m.csv
{ cut -d, -f2 m.csv && cut -d, -f2 m.failures.csv; } | grep -v -x ligand | sort -u >found
check 'docked, too' all exited 2 -- [ "$(tr '\n' ' ' <found)" = 'm1 m2 m3 m4 m5 m6 m7 m8 ' ] -- \
    grep -q ',m3,' m.failures.csv -- lines m.failures.csv 4
run "$BERTH" score --receptor pocket.mol2 --ligand bare.sdf --out s.csv --failures s.failures.csv
{ cut -d, -f1 s.csv && cut -d, -f2 s.failures.csv; } | grep -x 's[0-9]*' | sort >found
check 'and scored' [ "$(tr '\n' ' ' <found)" = 's1 s2 s3 s4 ' ]

# Of tables: docked and screened, and columns that are not there, or cannot be told apart.
little="--receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 $rigid --poses 256 --generations 2 --hops 0"
# shellcheck disable=SC2086
{
    run "$BERTH" dock $little --ligand table.csv.gz --out t.sdf --scores t.csv
    { cut -d, -f2 t.csv && cut -d, -f2 t.failures.csv; } | grep -v -x ligand | LC_ALL=C sort -u >found
    check 'a table is docked' all exited 2 -- [ "$(tr '\n' ' ' <found)" = 't2 t3 t4 t5 t;1 table.csv.gz:6 ' ]
    run "$BERTH" screen $little --library table.csv.gz --name_column note --out t
    check 'and screened' all exited 2 -- grep -q '^0,a;b,' t/scores.csv
    mkdir out
    run "$BERTH" dock $little --ligand table.csv.gz --smiles_column 4 --out out/t.sdf
    check 'a column that is not there' all exited 1 -- said 'a column that is not there' table.csv.gz:1 -- nothing_in out
    refused_too 'likewise of a screen' 'there is no column' "$BERTH" screen $little --library table.csv.gz --smiles_column x --out out
}
printf 'name,id,smiles\na,b,CCO\n' >twice.csv
run "$BERTH" prep ligands twice.csv --out twice.blib
check 'names in two columns' all exited 1 -- said 'names in two columns' failed: -- absent twice.blib
run sh -c 'printf "a,CCO\nb,CCN\n" | "$BERTH" prep ligands - --format csv --smiles_column 2 --name_column 1 --out plain.blib'
check 'a table without names of columns' [ "$("$BERTH" lib ls plain.blib | cut -d, -f2 | tr '\n' ' ')" = 'name a b ' ]
printf 'molecule id\nCCO a\n' >words.smi
run "$BERTH" prep ligands words.smi --out words.blib
check 'a line of names that none tells' all exited 2 -- said 'a line of names that none tells' 'failed: ligand id'
refused_too 'a campaign of a table' 'names of columns' "$BERTH" campaign --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
    --library header.smi --out out

record s12 | sed 2d >short.sdf
refused_too 'a box about an SDF whose header is a line short' 'line 3 of the record' "$BERTH" dock --receptor pocket.mol2 \
    --autobox_ligand short.sdf --ligand bare.sdf --out out/t.sdf

# A receptor's blocks.
run "$BERTH" prep receptor several.cif --out none.brec
check 'a bad block of a receptor is said' all exited 1 -- holds stderr 'several.cif:22'
{ cif b1 && cif b2; } >two.cif
run "$BERTH" prep receptor two.cif --out two.brec --center_x 0 --center_y 0 --center_z 0 --size_x 9 --size_y 9 --size_z 9
check 'the blocks of a receptor are one structure' holds stderr '4 atoms'
finish
