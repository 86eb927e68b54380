#!/bin/sh
# berth prep receptor --assembly: copies of chains that stand near a ligand or site by the file's symmetry, in its
# assembly or its crystal alone; what dock and others make of the same structure.
. tests/cli/lib.sh

need_rdkit 'assemblies'
prep() { "$BERTH" prep receptor "$@" --overwrite; }
# residues FILE.mol2: its residues with their chains, on one line.
residues() { awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>SUBSTRUCTURE" && NF { printf "%s%s:%s", t, $6, $2; t = " " } END { print "" }' "$1"; }

# A two-fold axis (z) with zinc on it; beside it glycine, and ethanol, 3.6 Å from its copy.  Chain B is far away and an
# assembly of its own.
cat >atoms.pdb <<'EOF'
ATOM      1  N   GLY A   1       4.000   3.000   0.000  1.00 10.00           N
ATOM      2  CA  GLY A   1       5.450   3.000   0.000  1.00 10.00           C
ATOM      3  C   GLY A   1       6.000   4.420   0.000  1.00 10.00           C
ATOM      4  O   GLY A   1       5.300   5.430   0.000  1.00 10.00           O
ATOM      5  N   GLY B   1      44.000   3.000   0.000  1.00 10.00           N
ATOM      6  CA  GLY B   1      45.450   3.000   0.000  1.00 10.00           C
ATOM      7  C   GLY B   1      46.000   4.420   0.000  1.00 10.00           C
ATOM      8  O   GLY B   1      45.300   5.430   0.000  1.00 10.00           O
HETATM    9 ZN    ZN A 301       0.000   0.000   9.000  1.00 10.00          ZN
HETATM   10  C1  EOH A 401       1.800   0.000   3.000  1.00 10.00           C
HETATM   11  C2  EOH A 401       3.300   0.000   3.000  1.00 10.00           C
HETATM   12  O   EOH A 401       3.800   1.300   3.000  1.00 10.00           O
END
EOF
assemblies() {
    cat <<'EOF'
REMARK 350 BIOMOLECULE: 1
REMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: DIMERIC
REMARK 350 APPLY THE FOLLOWING TO CHAINS: A
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000        0.00000
REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000
REMARK 350
REMARK 350 BIOMOLECULE: 2
REMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: MONOMERIC
REMARK 350 APPLY THE FOLLOWING TO CHAINS: B
REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000
REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000
REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000
EOF
}
{ assemblies; cat atoms.pdb; } >two.pdb
box='--center_x 2 --center_y 0 --center_z 3 --size_x 4 --size_y 4 --size_z 4'

# --- Without gemmi ---

mkdir hidden
echo 'raise ImportError' >hidden/gemmi.py
PYTHONPATH=$PWD/hidden
export PYTHONPATH
run prep two.pdb --out two.brec --ligand_id EOH
check 'without gemmi it is said that nothing was looked for, and what to install' all exited 0 -- \
    said 'without gemmi' 'apt-get install python3-gemmi'
# Copies in a crystal matter to a site alone, and operators only where they move something.
{ echo 'CRYST1  100.000  100.000   30.000  90.00  90.00  90.00 P 1           1'; assemblies | sed '/BIOMT.   2/d'; grep -v EOH atoms.pdb; } >still.pdb
run prep still.pdb --out still.brec
check 'gemmi is not asked where no answer matters' all exited 0 -- lacks stderr gemmi
run prep still.pdb --out still.brec $box
check 'it is where there is a site in a crystal' holds stderr gemmi
run prep two.pdb --out none.brec --ligand_id EOH --assembly 1
check 'and an assembly that is asked for is refused' all exited 1 -- said 'an assembly without gemmi' '--assembly' -- absent none.brec
run prep atoms.pdb --out none.brec --ligand_id EOH
check 'of a file that says nothing of symmetry, nothing is said' all exited 0 -- lacks stderr gemmi
unset PYTHONPATH
if ! "$python" -c 'import gemmi' 2>/dev/null; then
    skip 'assemblies' 'gemmi is not installed'
    finish
fi

# --- The assembly ---

run prep two.pdb --out two.brec --mol2 two.mol2 --ligand_id EOH
check 'a copy near the ligand is added, with the copy of the ligand, and said' all exited 0 -- said 'a copy near the ligand' 'A-2'
residues two.mol2 >given
echo 'A:GLY1 B:GLY1 A:ZN301 A-2:GLY1 A-2:EOH401' >wanted
check 'but for what lies on itself' same wanted given
awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>ATOM" && $2 == "CA" { print $3, $4, $5 }' two.mol2 >given
printf '%s\n' '5.4500 3.0000 0.0000' '45.4500 3.0000 0.0000' '-5.4500 -3.0000 0.0000' >wanted
check 'where the file says' same wanted given
run prep two.pdb --out none.brec --mol2 none.mol2 --ligand_id EOH --assembly none
residues none.mol2 >given
echo 'A:GLY1 B:GLY1 A:ZN301' >wanted
check 'none leaves it out, and says so' all exited 0 -- same wanted given -- said 'none' 'lacks, as asked for'
run prep two.pdb --out none.brec --mol2 one.mol2 --ligand_id EOH --assembly 1
residues one.mol2 >given
echo 'A:GLY1 A:ZN301 A-2:GLY1 A-2:EOH401' >wanted
check 'a name is that assembly and nothing else' all exited 0 -- same wanted given -- said 'an assembly by name' 'left out: B'
run prep two.pdb --out part.brec --mol2 part.mol2 --ligand_id EOH --drop EOH:A-2:401,B:,A-3:7
residues part.mol2 >given
echo 'A:GLY1 A:ZN301 A-2:GLY1' >wanted
check 'what is dropped may be of a copy' all exited 0 -- same wanted given -- said 'what is dropped of a copy' 'drop: no residue A-3:7'
run prep two.pdb --out x.brec --ligand_id EOH --assembly 2
check 'which has to have the ligand' all exited 1 -- said 'an assembly elsewhere' '--assembly'
run prep two.pdb --out x.brec --ligand_id EOH --assembly 7
check 'and to be there' all exited 1 -- said 'no such assembly' '1, 2'
run prep two.pdb --out x.brec --mol2 box.mol2 --drop EOH $box
residues box.mol2 >given
echo 'A:GLY1 B:GLY1 A:ZN301 A-2:GLY1' >wanted
check 'without a ligand it is the site that counts' all exited 0 -- same wanted given -- said 'a site' 'of the site'
run prep two.pdb --out x.brec --drop EOH
check 'and without a site nothing is added' all exited 0 -- said 'no site' 'none is given'
run "$BERTH" dock --receptor two.pdb $box --allow_occupied --ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 64 --generations 1 \
    --scoring vina --out x.sdf
check 'dock adds nothing by a box, and says so' all exited 0 -- holds stderr 'which the receptor lacks: A (4.0 Å); to have them, prepare it'
run prep - --format pdb --ligand_id EOH --out x.brec <two.pdb
check 'standard input says nothing of symmetry' all exited 0 -- said 'standard input' 'read but once'

# As mmCIF, whose assemblies are of label_asym_id: chain A is A, C and D there.
"$python" - <<'EOF'
import gemmi
structure = gemmi.read_structure("two.pdb")
structure.setup_entities()
structure.assign_label_seq_id()
structure.make_mmcif_document().write_file("two.cif")
EOF
run prep two.cif --out cif.brec --mol2 cif.mol2 --ligand_id EOH
for file in two cif; do awk '/^@/ { s = $1 } s == "@<TRIPOS>ATOM" { print $2, $3, $4, $5, $6 }' $file.mol2 | sort >$file.atoms; done # in another order
check 'mmCIF gives the same' all exited 0 -- holds stderr 'A-2' -- same two.atoms cif.atoms

# The assembly has chain A where it is, and B where the axis brings it.
assemblies | awk '/BIOMT1   2/ { print "REMARK 350 APPLY THE FOLLOWING TO CHAINS: B" } /BIOMOLECULE: 2/ { exit } { print }' >seen.pdb
sed 's/ 4\([456]\.[0-9]*  *[345]\.\)/ -\1/; s/ -\([456]\)\./-1\1./; / B /s/   \([345]\.[0-9]* *0\.000 \)/  -\1/' atoms.pdb >>seen.pdb
run prep seen.pdb --out seen.brec --mol2 seen.mol2 --residues B:1
residues seen.mol2 >given
echo 'A:GLY1 B:GLY1 A:ZN301 A-2:GLY1' >wanted
check 'what the site stands in stays where it is' all exited 0 -- same wanted given

# --- Hostile ---

sed 's/BIOMT1   2 -1.000000/BIOMT1   2 -9.000000/' two.pdb >scaled.pdb
run prep scaled.pdb --out x.brec --ligand_id EOH
check 'an operator that is no rotation is said' all exited 0 -- said 'no rotation' 'place nothing'
run prep scaled.pdb --out x.brec --ligand_id EOH --assembly 1
check 'or refused' all exited 1 -- said 'no rotation, by name' '--assembly'
awk '/BIOMT/ && $4 == 2 { for (i = 2; i < 400; i++) rows = rows sprintf("%s%4d%s\n", substr($0, 1, 19), i, substr($0, 24)); if (++n == 3) printf "%s", rows; next } { print }' two.pdb >many.pdb
run prep many.pdb --out x.brec --ligand_id EOH
check 'operators without number end' exited 0

# --- The crystal alone ---

{ echo 'CRYST1  100.000  100.000    9.000  90.00  90.00  90.00 P 1           1'; cat atoms.pdb; } >crystal.pdb
run prep crystal.pdb --out x.brec --mol2 x.mol2 --ligand_id EOH
residues x.mol2 >given
echo 'A:GLY1 B:GLY1 A:ZN301' >wanted
check 'what is near in the crystal is said, and not added' all exited 0 -- same wanted given -- said 'a mate in the crystal' 'symmetry mates'
sed 's/    9.000  90.00/   40.000  90.00/' crystal.pdb >wide.pdb
run prep wide.pdb --out x.brec --ligand_id EOH
check 'what is far is not' all exited 0 -- lacks stderr 'symmetry'
sed 's/  100.000  100.000    9.000/    2.000    2.000    9.000/' crystal.pdb >narrow.pdb
run prep narrow.pdb --out x.brec --ligand_id EOH
check 'a cell without room is said' all exited 0 -- said 'a cell without room' 'no room'

# --- A real one: DNA whose second strand, and second drug in the groove, are a copy ---

if [ -n "$reference" ] && [ -e "$reference/structures/304d.pdb.gz" ]; then
    run prep "$reference/structures/304d.pdb.gz" --out dna.brec --ligand_id DMY --reference drug.mol2
    "$BERTH" dock --receptor dna.brec --ligand drug.mol2 --reference drug.mol2 --seed 1 --out dna.sdf 2>/dev/null
    rmsd=$(awk '/<rmsd>/ { getline; print; exit }' dna.sdf)
    check "distamycin finds its place in both strands (${rmsd:-none} Å)" awk "BEGIN { exit !(${rmsd:-99} < 1) }"
else
    skip 'distamycin finds its place in both strands' 'no reference data'
fi
finish
