#!/bin/sh
# Ligands that come without bonds, and files that Open Babel converts as a whole.
. tests/cli/lib.sh

if ! command -v obabel >/dev/null; then
    skip 'ligands without bonds' 'Open Babel is not installed'
    finish
fi

prep() { # FILE: its ligands in given.csv
    rm -f given.csv
    run "$BERTH" prep ligands "$@" --out given.blib --failures failed.csv --conformers 1 --jobs 1 --overwrite
    [ "$code" -eq 1 ] || "$BERTH" lib ls given.blib --full >given.csv
}
names() { [ "$(sed 1d given.csv | cut -d, -f 2 | tr '\n' ' ')" = "$1 " ]; }
smiles() { [ "$(sed -n 2p given.csv | cut -d, -f 6)" = "$1" ]; }

# --- Three molecules, the second one bad: the others come out, it is a row.
xyz() { # NAME COUNT: an ethanol-like molecule that says so many atoms
    printf '%s\n%s\n' "$2" "$1"
    printf '%s\n' 'C 1.01369 -0.08533 -0.05630' 'C 2.52798 -0.07809 -0.05618' 'O 3.00966 1.02981 0.68990' \
        'H 0.62889 -0.94004 -0.61953' 'H 0.62169 0.83512 -0.50129' 'H 0.62821 -0.13367 0.96746' \
        'H 2.91940 -0.01192 -1.07597' 'H 2.91497 -0.99239 0.40304' 'H 2.67008 1.83747 0.26813'
}
for wrong in 8 none; do
    { xyz first 9; xyz second $wrong; xyz third 9; } >three.xyz
    prep three.xyz
    check "XYZ, the second of three says $wrong atoms" all exited 2 -- names 'first third' -- lines failed.csv 2 -- \
        grep -q '^1,second,three.xyz:12: ' failed.csv
done
check 'which is said' said 'lines that are no molecule' three.xyz:12
{ xyz first 9; xyz second 9 | sed 's/^O .*/O here/'; xyz third 9; } >three.xyz
prep three.xyz
check 'XYZ, an atom that is nowhere' all exited 2 -- names 'first third' -- lines failed.csv 2
{ xyz first 9; xyz second 8 | sed '$d'; xyz third 9; } >three.xyz
prep three.xyz
check 'XYZ, a carbon or oxygen without its hydrogen is named' all exited 2 -- lines failed.csv 2 -- \
    grep -q 'second,.*atom 3 (O[0-9]*) \(is a radical\|lacks\)' failed.csv
{ xyz first 9; xyz second 9; xyz third 9; } >three.xyz
prep three.xyz
check 'and all three are well' all exited 0 -- names 'first second third' -- smiles CCO
obabel three.xyz -opdb -O three.pdb 2>/dev/null
awk '/^HETATM/ && ++n == 11 { $0 = substr($0, 1, 30) "   x.xxx   y.yyy" substr($0, 47) } { print }' three.pdb >bad.pdb
prep bad.pdb
check 'PDB, a bad line in the second' all exited 2 -- lines given.csv 3 -- lines failed.csv 2
obabel three.xyz -ocml -O three.cml 2>/dev/null
sed 's/<molecule id="second">/&<atomArray>/' three.cml >bad.cml
prep bad.cml
check 'CML, a bad element in the second' all exited 2 -- names 'first third' -- lines failed.csv 2
printf 'InChI=1S/CH4/h1H4\nInChI=1S/nonsense\nInChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3\n' >three.inchi
prep three.inchi
check 'InChI, a bad line' all exited 2 -- lines given.csv 3 -- lines failed.csv 2

# --- PDB without hydrogens: the ligand Y8L of 2XNB, which Open Babel gives a carbon of five bonds.
pdb() { # LIGAND: rows "NAME X Y Z"
    awk -v ligand="$1" '{ printf "HETATM%5d %4s %3s A 900    %8.3f%8.3f%8.3f  1.00 20.00          %2s\n", NR, $1, ligand, $2, $3, $4, substr($1, 1, 1) }'
}
pdb Y8L >y8l.pdb <<'END'
C1 21.030 24.009 29.256
C2 20.870 22.477 29.251
N1 21.724 21.821 28.249
C3 21.547 22.504 26.975
C4 22.313 23.826 27.037
N2 21.999 24.549 28.282
C5 22.470 25.869 28.457
C6 23.389 26.428 27.566
C7 23.819 27.755 27.710
C8 22.009 26.643 29.518
C9 22.471 27.957 29.661
C10 23.358 28.543 28.754
N3 23.753 29.812 28.968
C11 24.842 30.429 28.472
N4 25.786 29.832 27.713
N5 24.930 31.755 28.691
C12 25.945 32.478 28.244
C13 26.946 31.872 27.505
C14 26.865 30.501 27.258
C15 27.837 29.897 26.443
S1 29.207 30.663 25.737
C16 29.677 29.286 24.871
O1 30.676 29.188 24.162
N6 28.842 28.279 25.139
C17 29.025 26.926 24.541
C18 27.837 28.572 25.975
C19 26.804 27.516 26.378
END
prep y8l.pdb
check 'the bonds of a crystal ligand' all exited 0 -- names y8l.pdb -- smiles 'Cc1c(-c2ccnc(Nc3ccc(N4CC[NH2+]CC4)cc3)n2)sc(=O)n1C'
{ cat y8l.pdb; echo 'CONECT    1    2'; } >bonds.pdb
prep bonds.pdb
check 'and with CONECT, which says nothing of orders' all exited 0 -- smiles 'Cc1c(-c2ccnc(Nc3ccc(N4CC[NH2+]CC4)cc3)n2)sc(=O)n1C'

awk 'BEGIN { for (i = 0; i < 1000; i++) print "C" i % 100, i, 0, 0 }' | pdb BIG >big.pdb
prep big.pdb
check 'what is too large for a ligand is refused before it is perceived' all exited 1 -- absent given.csv -- \
    said 'a receptor as a ligand' 'is it a ligand'
run env BERTH_PYTHON=/bin/false "$BERTH" prep ligands y8l.pdb --out given.blib --conformers 1 --overwrite
check 'without RDKit there are no bonds, which is said' all exited 1 -- said 'no RDKit' 'which perceives them'

slice preparation 'PDBQT, and SMILES in it'
# --- PDBQT
pdbqt() { # ROWS...: "SYMBOL X Y Z TYPE"
    echo ROOT
    serial=0
    for row; do
        serial=$((serial + 1))
        # shellcheck disable=SC2086
        set -- $row
        printf 'ATOM  %5d  %-3s LIG A   1    %8.3f%8.3f%8.3f  1.00  0.00     0.000 %s\n' $serial "$1" "$2" "$3" "$4" "$5"
    done
    printf 'ENDROOT\nTORSDOF 0\n'
}
acid() { pdbqt 'C1 0 0 0 C' 'C2 1.52 0 0 C' 'C3 2.07 1.42 0 C' 'O1 1.35 2.42 0 OA' 'O2 3.32 1.54 0 OA' "$@"; }
acid >ion.pdbqt
acid 'H2 3.66 2.45 0 HD' >neutral.pdbqt
rotors() { "$BERTH" score --receptor demo/1hpv_receptor.mol2 --ligand "$1" --scoring vina --out - 2>stderr | awk -F , 'NR == 2 { print $(NF - 1) }'; }
check 'an acid without its hydrogen in PDBQT is an ion, with a rotor less by half' [ "$(rotors ion.pdbqt) $(rotors neutral.pdbqt)" = '1.0 1.5' ]
# The same as a structure of heavy atoms, which says nothing of protons: the ion, as a docking has it.
{ acid | sed -n 's/^ATOM  /HETATM/p' | cut -c1-66 | awk '{ print $0 "          " substr($3, 1, 1) "  " }'; echo END; } | sed 's/^\(.\{76\}\)\(.\)/\1 \2/' >bare.pdb
check 'an acid in a PDB file without hydrogens is an ion, which is said' all [ "$(rotors bare.pdb)" = 1.0 ] -- \
    said 'an acid without hydrogens' bare.pdb
check 'an SDF file has the acid as drawn' [ "$(obabel bare.pdb -O drawn.sdf 2>/dev/null; rotors drawn.sdf)" = 1.5 ]
# Isobutane, flat: or, as its SMILES say, isobutene.
flat() {
    pdbqt 'C 1.53 0 0 C' 'C 0 0 0 C' 'C -0.765 1.325 0 C' 'C -0.765 -1.325 0 C'
}
flat >flat.pdbqt
prep flat.pdbqt
check 'PDBQT whose geometry contradicts what is perceived is refused' all exited 1 -- absent given.csv -- \
    said 'geometry that contradicts what is perceived' 'failed: ligand flat'
{ echo 'REMARK SMILES CC(=C)C'; echo 'REMARK SMILES IDX 1 1 2 2 3 3 4 4'; flat; } >meeko.pdbqt
prep meeko.pdbqt
check "with Meeko's SMILES in it, it has those bonds" all exited 0 -- smiles 'C=C(C)C'
check 'a file of one molecule names it' names meeko
run "$BERTH" prep ligands meeko.pdbqt --out meeko.sdf
check 'a library is no SDF' all exited 1 -- absent meeko.sdf -- \
    holds stderr 'berth: --out: meeko.sdf would be a library, whose name ends in .blib; `berth lib get` then'
{ echo 'REMARK SMILES CC(=C)C'; echo 'REMARK SMILES IDX 1 2 2 1 3 3 4 4'; flat; } >apart.pdbqt
prep apart.pdbqt
check 'unless these do not fit' all exited 1 -- said 'SMILES that lie apart' 'failed: ligand apart'
{ echo 'REMARK SMILES CC(=C)C'; echo 'REMARK SMILES IDX 1 1 2 2 3 3 4 7'; flat; } >index.pdbqt
prep index.pdbqt
check 'or name an atom that is not there' all exited 1 -- said 'SMILES of an atom that is not there' 'failed: ligand index'
{ echo 'REMARK SMILES CC(=C)CC'; echo 'REMARK SMILES IDX 1 1 2 2 3 3 4 4'; flat; } >short.pdbqt
prep short.pdbqt
check 'or not all atoms' all exited 1 -- said 'SMILES of more atoms' 'failed: ligand short'

{ echo 'REMARK SMILES CC(=C)C'; flat; } >named.pdbqt
prep named.pdbqt
check 'SMILES alone: the atoms are found by their bonds' all exited 0 -- smiles 'C=C(C)C'
{ echo 'REMARK SMILES CC(=C)C'; flat | grep ATOM | sed 's/0.000 C$/      C/'; } >named.pdb
prep named.pdb
check 'and in PDB' all exited 0 -- smiles 'C=C(C)C'
{ echo 'REMARK SMILES CCCC'; flat; } >other.pdbqt
prep other.pdbqt
check 'SMILES of another molecule' all exited 1 -- said 'SMILES of another molecule' 'failed: ligand other'

# --- Cofactors of a receptor: by RDKit, so that Open Babel need not be there.
mkdir none
printf '#!/bin/sh\nexit 1\n' >none/obabel
chmod +x none/obabel
# A cysteine that is oxidised once (S-OH), DMSO, and an ion of a halogen.
cat >oxidised.pdb <<'END'
HETATM    1  N   CSO A  28      36.223  20.874  29.868  1.00 10.00           N
HETATM    2  CA  CSO A  28      36.913  21.372  28.679  1.00 10.00           C
HETATM    3  CB  CSO A  28      35.884  21.912  27.650  1.00 10.00           C
HETATM    4  SG  CSO A  28      34.796  20.605  27.034  1.00 10.00           S
HETATM    5  C   CSO A  28      37.933  22.462  28.973  1.00 10.00           C
HETATM    6  O   CSO A  28      38.654  22.886  28.056  1.00 10.00           O
HETATM    7  OD  CSO A  28      35.720  19.665  25.817  1.00 10.00           O
HETATM    8  S   DMS A 101      10.000   0.000   0.000  1.00 10.00           S
HETATM    9  O   DMS A 101      10.500   0.800   1.150  1.00 10.00           O
HETATM   10  C1  DMS A 101      11.100   0.500  -1.330  1.00 10.00           C
HETATM   11  C2  DMS A 101      10.600  -1.650   0.400  1.00 10.00           C
HETATM   12 BR    BR A 102      20.000   0.000   0.000  1.00 10.00          BR
END
run env PATH="$PWD/none:$PATH" "$BERTH" prep receptor oxidised.pdb --keep DMS,BR --out oxidised.brec --mol2 oxidised.mol2
awk '/^@<TRIPOS>/ { atoms = /ATOM/; next } atoms && $2 ~ /^(SG|OD|S|C1|BR)$/ { print $2 ":" $6 }' oxidised.mol2 | paste -s -d ' ' >given
echo 'SG:S.3 OD:O.3 S:S.O C1:C.3 BR:Br' >wanted
check 'cofactors without Open Babel' all exited 0 -- same wanted given

# --- Complexes: nothing is perceived that their SDF contradicts.
if [ -d "$reference/redock" ]; then
    prep "$reference/redock/1ig3/crystal.pdbqt"
    check '1ig3, a thiazolium' all exited 0 -- smiles 'Cc1ncc(C[n+]2csc(CCO)c2C)c(N)n1'
    prep "$reference/redock/1y6b/crystal.pdbqt" --keep_protonation
    check '1y6b, whose ligand is perceived rightly' all exited 0 -- \
        smiles 'COc1ccc(S(=O)(=O)NCC2CC2)cc1Nc1ncc(-c2cccc(-c3cccnc3)c2)o1'
else
    skip 'ligands of complexes' 'no reference data'
fi

finish
