#!/bin/sh
# berth prep receptor --build_missing: ends of side chains that the file lacks, where nothing stands in their way.
. tests/cli/lib.sh

need_rdkit 'missing side chains'
prep() { "$BERTH" prep receptor "$@" --overwrite; }

protease_pdb >whole.pdb
# cut RESIDUE CHAIN NUMBER ATOMS: without these atoms of it.
cut_off() { awk -v residue="$1" -v chain="$2" -v number="$3" -v atoms=" $4 " '!(substr($0, 18, 3) == residue && substr($0, 22, 1) == chain && substr($0, 23, 4) + 0 == number && index(atoms, " " $3 " "))'; }
cut_off PHE A 53 'CG CD1 CD2 CE1 CE2 CZ' <whole.pdb | cut_off ILE B 15 'CG1 CG2 CD1' | cut_off LYS A 20 'CE NZ' |
    cut_off VAL A 75 'CB CG1 CG2' >lacking.pdb

# atoms FILE: chain, residue, atom and place of each in a Mol2 file, sorted.
atoms() {
    awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>ATOM" && NF > 5 { at[$7] = at[$7] $8 " " $2 " " $3 " " $4 " " $5 "\n" }
        s == "@<TRIPOS>SUBSTRUCTURE" && NF > 5 { n = split(at[$1], line, "\n"); for (i = 1; i < n; i++) print $6, line[i] }' "$1" | sort
}
# distance RESIDUE CHAIN ATOM ATOM: Å, in built.mol2.
distance() {
    atoms built.mol2 | awk -v residue="$1" -v chain="$2" -v a="$3" -v b="$4" '$1 == chain && $2 == residue && ($3 == a || $3 == b) { x[++n] = $4; y[n] = $5; z[n] = $6 }
        END { print n == 2 ? sqrt((x[1] - x[2]) ^ 2 + (y[1] - y[2]) ^ 2 + (z[1] - z[2]) ^ 2) : "none" }'
}
# within VALUE LOW HIGH
within() { awk -v value="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(value + 0 > low && value + 0 < high) }'; }

run prep whole.pdb --build_missing --out whole.brec --mol2 whole.mol2
check 'of a whole receptor nothing is built' all exited 0 -- holds stderr '0 atoms of 0 side chains'
run prep lacking.pdb --build_missing --out built.brec --mol2 built.mol2
check 'what is built is said' all exited 0 -- said 'built' 'side chains that the file lacks'
check 'nothing lacks any more' lacks stderr 'lacks atoms'
atoms whole.mol2 | awk '{ print $1, $2, $3 }' >whole.names
atoms built.mol2 | awk '{ print $1, $2, $3 }' >built.names
check 'all atoms are there, by the same names' cmp whole.names built.names
run prep lacking.pdb --out lacking.brec --mol2 lacking.mol2
check 'without the option they are named' all exited 0 -- holds stderr 'ILE B:15'
atoms lacking.mol2 >lacking.atoms
atoms built.mol2 >built.atoms
check 'atoms of the file stay where they are' test -z "$(comm -23 lacking.atoms built.atoms)"
check 'bonds have their lengths' eval 'within "$(distance PHE53 A CB CG)" 1.45 1.58 && within "$(distance ILE15 B CB CG2)" 1.48 1.60 && within "$(distance LYS20 A CD CE)" 1.48 1.60 && within "$(distance VAL75 A CA CB)" 1.48 1.60'
check 'a ring stays one' eval 'within "$(distance PHE53 A CG CZ)" 2.7 2.9 && within "$(distance PHE53 A CD1 CE2)" 2.7 2.9'
check 'nothing is built into something else' lacks stderr 'hardly fit'

# A ligand where the phenylalanine of the file stood: its ring goes elsewhere.
{
    cat lacking.pdb
    awk '/ PHE A  53/ && $3 ~ /^C[GDEZ]/ { sub(/^ATOM  /, "HETATM"); sub(/PHE A  53/, "BNZ L   1"); print }' whole.pdb
} >taken.pdb
run prep taken.pdb --ligand_id BNZ --build_missing --out taken.brec --mol2 built.mol2
far() {
    atoms built.mol2 | awk '$1 == "A" && $2 == "PHE53" && $3 == "CZ" { print $4, $5, $6 }' >cz
    awk 'NR == FNR { x = $1; y = $2; z = $3; next } / BNZ L   1/ { d = sqrt((x - substr($0, 31, 8)) ^ 2 + (y - substr($0, 39, 8)) ^ 2 + (z - substr($0, 47, 8)) ^ 2); if (d < 2) bad = 1 }
        END { exit bad }' cz taken.pdb
}
check 'the ligand that is cut out keeps its place' all exited 0 -- far
sed '/ C   LYS A  20/d' lacking.pdb >broken.pdb
run prep broken.pdb --build_missing --out broken.brec
check 'without a whole backbone nothing is built, and it is said' all exited 0 -- holds stderr 'LYS A:20'
finish
