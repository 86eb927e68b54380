#!/bin/sh
# berth prep receptor: what becomes of waters, additives, metals, alternates and ligands; the site; bad
# files; and that dock and score take what it writes.
. tests/cli/lib.sh

prep() { "$BERTH" prep receptor "$@" --overwrite; }
# row WHAT TEXT: the table of what was done has it.
row() { grep -q "^  $1  *$2" stderr; }
# types FILE.mol2: "name type" of each atom, on one line.
types() { awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>ATOM" && NF > 5 { printf "%s%s:%s", t, $2, $6; t = " " } END { print "" }' "$1"; }

# A serine (two alternates; the second one is the fuller), a gap, an arginine cut short, zinc, chloride,
# sulfate, two waters, and a ligand (ethanol).
cat >small.pdb <<'EOF'
MODEL        1
ATOM      1  N   SER A  -1       0.000   0.000   0.000  1.00 10.00           N
ATOM      2  CA ASER A  -1       1.450   0.000   0.000  0.40 10.00           C
ATOM      3  CA BSER A  -1       1.450   0.100   0.000  0.60 10.00           C
ATOM      4  C   SER A  -1       2.000   1.420   0.000  1.00 10.00           C
ATOM      5  O   SER A  -1       1.300   2.430   0.000  1.00 10.00           O
ATOM      6  CB  SER A  -1       2.000  -0.770  -1.200  1.00 10.00           C
ATOM      7  OG  SER A  -1       3.420  -0.770  -1.200  1.00 10.00           O
ATOM      8  N   ARG A   5A      8.330   1.510   0.000  1.00 10.00           N
ATOM      9  CA  ARG A   5A      9.780   1.510   0.000  1.00 10.00           C
ATOM     10  C   ARG A   5A     10.330   2.930   0.000  1.00 10.00           C
ATOM     11  O   ARG A   5A      9.630   3.940   0.000  1.00 10.00           O
ATOM     12  CZ  ARG A   5A     10.330   0.000   3.000  1.00 10.00           C
ATOM     13  OXT ARG A   5A     11.550   3.060   0.000  1.00 10.00           O
TER
HETATM   14 ZN    ZN A 301       5.000   5.000   5.000  1.00 10.00          ZN
HETATM   15 CL    CL A 302      15.000   5.000   5.000  1.00 10.00          CL
HETATM   16  S   SO4 A 303      15.000  15.000   5.000  1.00 10.00           S
HETATM   17  O1  SO4 A 303      16.400  15.000   5.000  1.00 10.00           O
HETATM   18  O2  SO4 A 303      14.500  16.300   5.000  1.00 10.00           O
HETATM   19  O3  SO4 A 303      14.500  14.300   6.200  1.00 10.00           O
HETATM   20  O4  SO4 A 303      14.500  14.300   3.800  1.00 10.00           O
HETATM   21  O   HOH A 401       5.000   2.800   5.000  1.00 10.00           O
HETATM   22  O   HOH A 402      25.000   5.000   5.000  1.00 10.00           O
HETATM   23  C1  EOH B   1       5.000  -5.000   5.000  1.00 10.00           C
HETATM   24  C2  EOH B   1       6.500  -5.000   5.000  1.00 10.00           C
HETATM   25  O   EOH B   1       7.000  -3.700   5.000  1.00 10.00           O
ENDMDL
MODEL        2
ENDMDL
END
EOF

run prep small.pdb --out small.brec --mol2 small.mol2 --ligand_id B:1
check 'what was done is said' all exited 0 -- stdout_is_empty -- said 'what was done is said'
check 'a metal apart from the site is not' lacks stderr 'metal '
run prep small.pdb --out zinc.brec --ligand_id B:1 --center_x 5 --center_y 3 --center_z 5 --size_x 8 --size_y 8 --size_z 8
check 'of one in it is said how it is treated' all exited 0 -- said 'a metal in the site' 'metal ZN A:301'
awk '/ZN A 301/ {
        for (i = 0; i < 3; i++) {
            a = 2 * 3.14159265 * i / 3
            printf "HETATM%5d  O   HOH A %3d    %8.3f%8.3f%8.3f  1.00 10.00           O\n", 50 + i, 310 + i, 5 + 1.88 * cos(a), 5 + 1.88 * sin(a), 5 - 0.66
        }
    } !/HOH A 401/ { print }' small.pdb >held.pdb
run prep held.pdb --out held.brec --keep_waters HOH --ligand_id B:1 --center_x 5 --center_y 3 --center_z 5 --size_x 8 --size_y 8 --size_z 8
check 'with the polyhedron and the places that are open' all exited 0 -- said 'a metal with open places' 'metal ZN A:301'
# The ligand that is cut out is far from it.
run prep held.pdb --out left.brec --keep_waters HOH --ligand_id B:1 --autobox_add 12
check 'a metal that the ligand leaves alone' all exited 0 -- said 'a metal that the ligand leaves alone' 'metal ZN A:301'
printf 'NCC amine\n' >amine.smi
for sites in auto on; do
    "$BERTH" dock --receptor left.brec --ligand amine.smi --search fastest --verbose --metal_sites $sites --out $sites.sdf >$sites.said 2>/dev/null
done
check 'has sites for ligands only where that is asked for' all test -s auto.said -- holds on.said A:ZN301 -- \
    lacks auto.said A:ZN301
# The ligand's first carbon beside the serine's oxygen.
sed '/C1  EOH/s/5.000  -5.000   5.000/3.420  -0.770   0.600/' small.pdb >crash.pdb
run prep crash.pdb --out crash.brec --ligand_id B:1
check 'a ligand that overlaps the receptor' all exited 0 -- said 'a ligand that overlaps the receptor' overlaps
grep EOH crash.pdb >crash_ligand.pdb
run prep small.pdb --out crash.brec --drop EOH --autobox_ligand crash_ligand.pdb
check 'as one from a file does' all exited 0 -- holds stderr 'SER A:-1, 1.80 Å'
types small.mol2 >given
echo 'N:N.4 CA:C.3 C:C.2 O:O.2 CB:C.3 OG:O.3h N:N.am CA:C.3 C:C.2 O:O.co2 CZ:C.cat OXT:O.co2 ZN:Zn' >wanted
check 'the types, with the ends of the chain' same wanted given
check 'the fuller alternate' grep -q 'CA  *1.4500  *0.1000 ' small.mol2

cat >small.cif <<'END'
data_SMALL
_struct.title 'a "quoted" title'
loop_
_atom_site.group_PDB
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_alt_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.pdbx_PDB_ins_code
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
_atom_site.occupancy
END
awk '/^(ATOM|HETATM)/ {
    alternate = substr($0, 17, 1); insertion = substr($0, 27, 1)
    print $1, substr($0, 77, 2), "\"" $3 "\"", alternate == " " ? "." : alternate, substr($0, 18, 3),
        substr($0, 22, 1), substr($0, 23, 4) + 0, insertion == " " ? "?" : insertion,
        substr($0, 31, 8), substr($0, 39, 8), substr($0, 47, 8), substr($0, 55, 6) }' small.pdb |
    sed -e 's/"CA" A/CA A/' -e 's/"\(C[AL]\) *[AB]SER"/"\1"/' >>small.cif
# $3 runs into the alternate's letter only where the name has four letters: here it never does.
sed -i -e 's/"CA" \([AB]\)/CA \1/' small.cif
run prep small.cif --out cif.brec --mol2 cif.mol2 --ligand_id B:1
sed 1,2d small.mol2 >wanted
sed 1,2d cif.mol2 >given
check 'mmCIF gives the same atoms' all exited 0 -- same wanted given
gzip -c small.pdb >small.pdb.gz
run prep small.pdb.gz --out gz.brec --ligand_id B:1
check 'gzip gives a receptor too' all exited 0 -- holds stderr '13 heavy atoms'
sed 's/$/\r/' small.pdb >crlf.pdb
run prep crlf.pdb --out crlf.brec --mol2 crlf.mol2 --ligand_id B:1
sed 1,2d crlf.mol2 >given
check 'CRLF line ends' all exited 0 -- same wanted given
run prep - --format pdb --out stdin.brec --ligand_id B:1 <small.pdb
check 'standard input' all exited 0 -- row stdin.brec '13 heavy atoms'
run prep small.mol2 --out again.brec --mol2 again.mol2
sed 1,2d again.mol2 | cut -c 1-47 >given
sed 1,2d small.mol2 | cut -c 1-47 >wanted
check 'its own Mol2 gives the same atoms and types' same wanted given

# What to keep.
if command -v obabel >/dev/null; then
    run prep small.pdb --out k.brec --mol2 k.mol2 --keep all --keep_waters 402
    check '--keep all, --keep_waters' all exited 0 -- holds stderr '1 ZN, 1 CL, 1 SO4, 1 HOH, 1 EOH' -- \
        said '--keep all' 'no site'
    check 'types of sulfate and water' all grep -q ' S .* S.O2 ' k.mol2 -- grep -q ' O4 .* O.co2 ' k.mol2 -- \
        grep -q ' 25.0000 .* O.t3p ' k.mol2
else
    skip 'types of what is no residue' 'obabel is not installed'
fi
run prep small.pdb --out k.brec --drop hetero --keep ZN
check '--drop hetero, but --keep' all exited 0 -- said '--drop hetero' '1 CL, 1 SO4, 1 EOH'
run prep small.pdb --out k.brec --ligand_id B:1 --keep_waters_within 9
check 'waters near the ligand' holds stderr '1 ZN, 1 HOH'
run prep small.pdb --out k.brec --center_x 25 --center_y 5 --center_z 5 --size_x 2 --size_y 2 --size_z 2 \
    --keep_waters_within 1
check 'waters near the box' holds stderr '1 ZN, 1 HOH'

# A water between two residues and the ligand, one that holds on to one residue, and one that is far.
awk 'function atom(record, name, residue, number, x, y, z, b, element) {
        printf "%-6s%5d  %-3s %3s A%4d    %8.3f%8.3f%8.3f  1.00%6.2f           %s\n", record, ++n, name, residue, number, x, y, z, b, element
    }
    BEGIN {
        atom("ATOM", "N", "GLY", 1, 2.9, 0, 0, 20, "N"); atom("ATOM", "CA", "GLY", 1, 4.3, 0.3, 0, 20, "C")
        atom("ATOM", "C", "GLY", 1, 4.9, 1.7, 0, 20, "C"); atom("ATOM", "O", "GLY", 1, 4.2, 2.7, 0, 20, "O")
        atom("ATOM", "N", "GLY", 9, -4.2, 2.4, 0, 20, "N"); atom("ATOM", "CA", "GLY", 9, -3.5, 3.6, 0, 20, "C")
        atom("ATOM", "C", "GLY", 9, -2, 3.6, 0, 20, "C"); atom("ATOM", "O", "GLY", 9, -1.4, 2.5, 0, 20, "O")
        atom("HETATM", "O", "HOH", 301, 0, 0, 0, 25, "O"); atom("HETATM", "O", "HOH", 302, 2.8, -1.2, 2.2, 25, "O")
        atom("HETATM", "O", "HOH", 303, 9, 9, 9, 25, "O")
        atom("HETATM", "O", "EOH", 200, 0, -1.5, 2.4, 20, "O"); atom("HETATM", "C1", "EOH", 200, 0, -2.3, 3.5, 20, "C")
        atom("HETATM", "C2", "EOH", 200, 0, -3.8, 3.5, 20, "C")
    }' >wet.pdb
run prep wet.pdb --out k.brec --ligand_id EOH --waters
check 'waters that bridge are told, and why' all exited 0 -- said 'waters that bridge' bridg -- holds stderr '3 HOH'
run prep wet.pdb --out k.brec --ligand_id EOH --keep_waters bridging
check 'and can be kept' all exited 0 -- holds stderr '1 HOH' -- holds stderr '2 HOH'
sed '/HOH A 301/s/ 25.00 / 45.00 /' wet.pdb >seen.pdb
run prep seen.pdb --out k.brec --ligand_id EOH --waters
check 'not those that are badly seen' all exited 0 -- said 'not those that are badly seen' A:301 -- holds stderr 'keep 0'
run prep wet.pdb --out lost.brec --keep_waters bridging
check 'without a ligand they are not' all exited 1 -- said 'without a ligand they are not' '--keep_waters' -- absent lost.brec
run prep small.pdb --out k.brec --drop XYZ
check 'a name that is not there is said' all exited 0 -- said 'a name that is not there' XYZ
run prep small.pdb --out k.brec --residues A:-1,A:5A --autobox_add 2
check 'a box around residues' holds stderr 'site (5.775, 1.585, 0.900), edges 15.55 x 8.71 x 8.20 Å'

# HIV-1 protease as it lies in the Protein Data Bank: two chains, 6 atoms of each tenth residue left out,
# amprenavir as residue 200, which is called 478, of no chain, and two ions.
pdb_atoms() { # RECORD NAME CHAIN NUMBER FILE.mol2: of chains A and B where CHAIN is -
    awk -v record="$1" -v name="$2" -v chain="$3" -v number="$4" '/^@<TRIPOS>/ { s = $1; next }
        s == "@<TRIPOS>ATOM" && $6 != "H" {
            residue = name == "-" ? substr($8, 1, 3) : name
            at = name == "-" ? substr($8, 4) + 0 : number
            if (at < last) second = 1
            last = at
            symbol = $6; sub(/[.].*/, "", symbol)
            printf "%-6s%5d  %-3s %3s %s%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n", record, ++n % 99999,
                $2, residue, chain == "-" ? second ? "B" : "A" : chain, at, $3, $4, $5, symbol }' "$5"
}
pdb_atoms ATOM - - 0 demo/1hpv_receptor.mol2 >protein.pdb
{
    awk '!(substr($0, 23, 4) % 10 == 5 && substr($0, 14, 1) ~ /[CNOS]/ && substr($0, 15, 1) ~ /[DEZ]/)' protein.pdb
    pdb_atoms HETATM 478 ' ' 200 demo/1hpv_ligand.mol2
    printf 'HETATM 9001 %s    %s   301      30.000  30.000  30.000  1.00 10.00          %s\n' ZN ZN ZN CL CL CL
} >1hpv.pdb
if command -v obabel >/dev/null; then
    run prep 1hpv.pdb --out kept.brec --autobox_ligand demo/1hpv_ligand.mol2
    check 'a ligand that stays is named, with what takes it out; and that it fills the site' all exited 0 -- \
        said 'a ligand that stays' 'looks like' -- said 'a site with a ligand in it' occupied
    run prep 1hpv.pdb --out kept.brec --keep 478
    check '--keep lets it stay, without a warning' all exited 0 -- lacks stderr ligand_id
    pdb_atoms HETATM 478 C 200 demo/1hpv_ligand.mol2 |
        awk '{ printf "%s%8.3f%s\n", substr($0, 1, 30), substr($0, 31, 8) + 60, substr($0, 39) }' | cat 1hpv.pdb - >twice.pdb
    run prep twice.pdb --out kept.brec
    check 'and two of them, on one line' all exited 0 -- said 'two of them' C:200
else
    skip 'a ligand that stays is named' 'Open Babel is not installed'
fi
for name in 478 478:200 478::200 :200 200; do
    run prep 1hpv.pdb --out taken.brec --ligand_id $name
    check "--ligand_id $name" all exited 0 -- holds stderr '478 200, 35 heavy atoms' -- [ "$(grep -c '478 200' stderr)" = 1 ]
done
run env PATH=/nowhere "$BERTH" interactions --receptor 1hpv.pdb --ligand_id 478 --out lost.csv
check 'interactions needs its bonds' all exited 1 -- holds stderr RDKit -- said 'interactions needs its bonds' '478: ' -- \
    absent lost.csv
# The same in one step, as dock does it: with the site and the reference of the ligand that it cuts out.
dock_complex() { # OPTION...
    run "$BERTH" dock --receptor 1hpv.pdb --ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 256 --generations 2 \
        --scoring vina --out docked.sdf --scores docked.csv "$@"
}
# An ion that BUDE's forcefield lacks: vina alone ranks.
{ cat 1hpv.pdb; printf 'HETATM 9002 HG    HG   302      30.000  30.000  36.000  1.00 10.00          HG\n'; } >mercury.pdb
run prep mercury.pdb --out mercury.brec --ligand_id 478
check 'an ion that some functions lack stays' all exited 0 -- row 'kept besides' '1 ZN, 1 HG' -- holds stderr 'drop HG::302'
run "$BERTH" dock --receptor mercury.brec --ligand demo/1hpv_ligand.mol2 --poses 48 --generations 3 --refine 12 --hops 1 \
    --out mercury.sdf
check 'and the first function ranks' all exited 0 -- holds stderr 'ranked by vina alone'
if [ -n "$(command -v obabel)" ]; then
    run "$BERTH" screen --receptor mercury.brec --library demo/1hpv_ligand.mol2 --poses 48 --generations 3 --out mercury
    check 'in a screen, too' all exited 0 -- sh -c 'grep -q "ranked by" stderr stdout'
fi
# A drawing, and coordinates that are all 0, say no place.
cat >flat.sdf <<'EOF'
flat
  drawn

  5  4  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 O   0  0
    1.3000    0.7500    0.0000 C   0  0
    2.6000    0.0000    0.0000 C   0  0
    3.9000    0.7500    0.0000 C   0  0
    1.3000    2.2500    0.0000 O   0  0
  1  2  2  0
  2  3  1  0
  3  4  2  0
  2  5  1  0
M  END
EOF
sed '5,9s/^ *[^ ]* *[^ ]* *[^ ]*/    0.0000    0.0000    0.0000/' flat.sdf >zero.sdf
{
    printf '@<TRIPOS>MOLECULE\nflat\n 4 3\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM\n'
    printf ' %s C%s %s 0.5 0.0 C.2 1 LIG 0.0\n' 1 1 0.0 2 2 1.5 3 3 3.0 4 4 4.5
    printf '@<TRIPOS>BOND\n 1 1 2 2\n 2 2 3 1\n 3 3 4 2\n'
} >flat.mol2
for option in autobox_ligand reference template; do
    for file in flat.sdf zero.sdf flat.mol2; do
        if [ $option = autobox_ligand ]; then
            run "$BERTH" dock --receptor protein.pdb --ligand demo/1hpv_ligand.mol2 --autobox_ligand $file --out lost.sdf
        else
            run "$BERTH" dock --receptor protein.pdb --ligand demo/1hpv_ligand.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
                --$option $file --out lost.sdf
        fi
        check "$file says no place: --$option" all exited 1 -- holds stderr "$file:"
    done
done
# What stands in the site is told by its bonds, not by its name: the ligand as two residues, one of which has the
# name of an amino acid, and a free amino acid.
two() { awk '{ part = NR <= 18 ? "ALA C   1" : "LGB C   2"; print substr($0, 1, 17) part substr($0, 27) }'; }
{ cat protein.pdb; pdb_atoms HETATM 478 ' ' 200 demo/1hpv_ligand.mol2 | two; } >two.pdb
if command -v obabel >/dev/null; then
    run prep two.pdb --out two.brec --ligand_id LGB --reference two.mol2
    check 'a ligand of two residues is cut out whole' all exited 0 -- \
        row ligand 'ALA C:1, LGB C:2, 35 heavy atoms' -- [ "$(awk '$6 ~ /^[CNOS]/' two.mol2 | wc -l)" -eq 35 ]
    run prep two.pdb --out two.brec --drop C:1
    check 'or left out whole' all exited 0 -- row 'left out, as asked for' '1 ALA, 1 LGB'
else
    skip 'a ligand of two residues is cut out whole' 'Open Babel is not installed'
    skip 'or left out whole' 'Open Babel is not installed'
fi
site='--center_x 9.92 --center_y 16.23 --center_z 8.83 --size_x 15 --size_y 15 --size_z 15'
{
    cat protein.pdb
    awk 'BEGIN { split("N CA C O CB CG CD OE1 OE2 OXT", name); split("0 1.4 2 1.3 2 3.5 4.1 3.4 5.3 3.3", x)
        split("0 0 1.4 2.4 -0.8 -0.8 -2.2 -3.2 -2.2 1.5", y)
        for (i = 1; i <= 10; i++)
            printf "HETATM%5d  %-3s GLU A 900    %8.3f%8.3f%8.3f  1.00 10.00           %s\n", 9000 + i, name[i],
                8 + x[i], 16 + y[i], 9, substr(name[i], 1, 1) }'
} >glu.pdb
sed 's/^HETATM/ATOM  /' glu.pdb >glu_atom.pdb
for file in glu glu_atom; do
    # shellcheck disable=SC2086
    run "$BERTH" dock --receptor $file.pdb --ligand demo/1hpv_ligand.mol2 $site --out lost.sdf
    check "a free amino acid in the site is a ligand: $file" all exited 1 -- holds stderr 'GLU A:900 of the receptor (10 heavy' -- \
        holds stderr allow_occupied -- absent lost.sdf
done
run prep glu.pdb --out glu.brec --ligand_id A:900 --reference glu.mol2
check 'and is cut out' all exited 0 -- row ligand 'GLU A:900, 10 heavy atoms' -- sh -c '! grep -q broken stderr'
dock_complex --ligand_id 478
cp stderr stderr.first
check 'dock --ligand_id cuts, boxes and measures' all exited 0 -- holds stderr '478 200, 35 heavy atoms' -- \
    holds stdout 'site (9.920, 16.231, 8.825), edges 12.53 x 11.79 x 15.69' -- \
    awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && !($at["rmsd"] > 0) { bad = 1 } END { exit bad || NR < 2 }' docked.csv
run prep 1hpv.pdb --out taken.brec --ligand_id 478
check 'residues that lack atoms are a line about the site and one of the others' said 'residues that lack atoms' 'lack atoms'
sed 's/^\(ATOM .*\)ARG A   8/\1ASN A   8/' 1hpv.pdb >misnamed.pdb
run "$BERTH" prep receptor misnamed.pdb --out misnamed.brec
check 'and where it is their names that are wrong' all exited 0 -- said 'names that are wrong' 'ASN A:8 (CD'
run prep 1hpv.pdb --out taken.brec --ligand_id 478 --center_x 10 --center_y 16 --center_z 9 --size_x 31 --size_y 31 --size_z 31
check 'a large box is warned of' all exited 0 -- said 'a large box is warned of' 27000
run prep 1hpv.pdb --out taken.brec --ligand_id 478 --center_x 100 --center_y 16 --center_z 9 --size_x 20 --size_y 20 --size_z 20
check 'and one far from the receptor' all exited 0 -- holds stderr '(100, 16, 9)'
run prep 1hpv.pdb --out taken.brec --ligand_id 478 --autobox_ligand demo/1hpv_receptor.mol2
check 'and one about a whole protein' all exited 0 -- said 'a box about a whole protein' '1516 heavy atoms to'
run prep protein.pdb --out taken.brec --autobox_ligand demo/1hpv_ligand.mol2
check 'nothing is amiss with a protein alone' all exited 0 -- lacks stderr warning

# What was done stays known to the run, by way of a receptor file or without one.
prep 1hpv.pdb --out told.brec --ligand_id 478 2>/dev/null
for how in 'told.brec --ligand demo/1hpv_ligand.mol2' '1hpv.pdb --ligand_id 478 --ligand demo/1hpv_ligand.mol2'; do
    # shellcheck disable=SC2086
    run "$BERTH" dock --receptor $how --out told.sdf --scoring vina --search fast --poses 64 --generations 1
    check "run.json of dock --receptor ${how%% *} says how the receptor was prepared" all exited 0 -- \
        grep -q '"prepared_receptor": "1hpv.pdb: .* 478 200, 35 heavy atoms .* 198 residues .* ASP A:25 ' told.run.json
done
# What was said is printed once: nothing of it where the receptor file is read, and of a structure what became of it.
run "$BERTH" lib info told.brec
check 'lib info shows what was done to a receptor file' all exited 0 -- silent -- said 'lib info of a receptor' ''
head -c 300 told.brec >torn.brec
run "$BERTH" lib info torn.brec
check 'and refuses a damaged one' all exited 1 -- holds stderr 'damaged receptor file' -- [ ! -s stdout ]
run "$BERTH" score --receptor told.brec --ligand demo/1hpv_ligand.mol2 --out told.csv
check 'who reads a receptor file hears nothing of it' all exited 0 -- lacks stderr kept -- lacks stderr ASP
run "$BERTH" score --receptor 1hpv.pdb --ligand_id 478 --ligand demo/1hpv_ligand.mol2 --out told.csv
check 'who reads a structure hears what became of it' all exited 0 -- said 'a structure that is read by score' 1hpv.pdb -- holds stderr 'kept: 198' -- lacks stderr histidines
# Where the site is a box, or about a file, dock says of what is near it what prep says.
for site in '--autobox_ligand demo/1hpv_ligand.mol2' '--center_x 9.9 --center_y 16.2 --center_z 8.8 --size_x 20 --size_y 20 --size_z 20'; do
    # shellcheck disable=SC2086
    prep 1hpv.pdb --out told.brec --drop 478 $site 2>prep_says
    grep -v '^HETATM.* 478 ' 1hpv.pdb >apo.pdb
    # shellcheck disable=SC2086
    run "$BERTH" dock --receptor apo.pdb $site --ligand demo/1hpv_ligand.mol2 --out told.sdf --scoring vina --search fast --poses 64 --generations 1
    check "dock ${site%% *} says what lines the site, once" all exited 0 -- [ "$(grep -c "may line the site lack atoms:" stderr)" -eq 1 ] -- \
        [ "$(grep 'may line' stderr)" = "$(grep 'may line' prep_says)" ] -- lacks stderr histidines -- grep -q '| histidines: ' told.run.json
done

# The reference.
if command -v obabel >/dev/null; then
    # Of the ligand where it stands, the same with and without a file in between.
    run "$BERTH" interactions --receptor 1hpv.pdb --ligand_id 478 --out own.csv
    check "interactions --ligand_id without poses: the structure's own ligand" all exited 0 -- \
        holds own.csv '0,478,,hydrogen_bond,ASP,A,30,N,O6,receptor,3.503,' -- lacks stderr overlaps -- holds stderr 'S(=O)(=O)'
    run prep 1hpv.pdb --out r.brec --ligand_id 478 --reference r.mol2
    run "$BERTH" interactions --receptor r.brec --poses r.mol2 --out file.csv
    cut -d , -f 1-8,10- own.csv >own
    cut -d , -f 1-8,10- file.csv >file
    check 'which are those of the reference that prep receptor writes' all exited 0 -- same own file
    run "$BERTH" interactions --receptor 1hpv.pdb --ligand_id 478 --out smiles.csv \
        --ligand_smiles 'CC(C)CN(CC(C(Cc1ccccc1)NC(=O)OC2CCOC2)O)S(=O)(=O)c3ccc(cc3)N'
    check 'with SMILES' all exited 0 -- lacks stderr ligand_smiles -- \
        holds smiles.csv '0,478,,hydrogen_bond,ASP,A,30,N,O6,receptor,3.503,'
    run "$BERTH" interactions --receptor 1hpv.pdb --ligand_id 478 --out lost.csv --ligand_smiles CC
    check 'other SMILES are refused' all exited 1 -- absent lost.csv -- said 'other SMILES are refused' '--ligand_smiles'
    run prep small.pdb --out r.brec --ligand_id EOH --reference r.mol2
    check 'the ligand with hydrogens and bonds' all exited 0 -- \
        grep -q '^ *9 *8 ' r.mol2 -- grep -q ' O .* O.3 ' r.mol2
    # Chlorobenzimidazole; its names have no column for elements, and stand where "CL" would be a carbon.
    awk '{ printf "HETATM%5d  %-3s BIM B   1    %8.3f%8.3f%8.3f  1.00 10.00\n", NR, $1, 30 + $2, $3, $4 }' \
        >heterocycle.pdb <<'EOF'
Cl1 -3.504 -1.445 0.440
C1 -1.939 -0.654 0.227
C2 -1.853 0.733 0.062
C3 -0.587 1.310 -0.103
C4 0.553 0.518 -0.102
N1 1.851 0.849 -0.242
C5 2.539 -0.324 -0.163
N2 1.662 -1.332 0.021
C6 0.407 -0.845 0.064
C7 -0.819 -1.459 0.230
H1 -2.750 1.343 0.063
H2 -0.518 2.383 -0.230
H3 2.256 1.813 -0.383
H4 3.619 -0.361 -0.243
H5 -0.916 -2.529 0.360
EOF
    { grep '^ATOM' small.pdb; cat heterocycle.pdb; } >full.pdb
    grep -v ' H[0-9] *BIM' full.pdb >heavy.pdb
    run prep full.pdb --out r.brec --ligand_id BIM --reference r.mol2
    check "the file's hydrogens say what bonds the ligand has" all exited 0 -- grep -q '^ *15 *16 ' r.mol2 -- \
        grep -q ' Cl1 .* Cl ' r.mol2 -- grep -q ' C5 .* C.2 ' r.mol2 -- holds stderr '(ligand_smiles)'
    mv r.mol2 full.mol2
    # L-lactate
    awk '{ printf "HETATM%5d  %-3s LAC B   1    %8.3f%8.3f%8.3f  1.00 10.00           %s\n", NR, $1, 30 + $2, $3, $4, $5 }' \
        >chiral.pdb <<'EOF'
C3 -0.805 0.830 -0.583 C
C2 0.329 -0.144 -0.342 C
O2 -0.107 -1.469 -0.736 O
C1 0.763 -0.165 1.156 C
OA 0.785 -1.337 1.651 O
OB 1.045 0.946 1.681 O
EOF
    { grep '^ATOM' small.pdb; cat chiral.pdb; } >hand.pdb
    run prep hand.pdb --out r.brec --ligand_id LAC --reference r.mol2
    check 'and its stereo, which is said' all exited 0 -- grep -q '\[C@@\{0,1\}H\]' stderr
    grep -o '[^ ]*\[C@[^ ,]*' stderr | sed 's/$/ said/' >said.smi
    run "$BERTH" prep ligands said.smi --out said.blib
    check 'whose SMILES are those of this molecule' all exited 0 -- \
        sh -c '"$0" lib ls --full said.blib | grep -q "C\[C@H\](O)C(=O)\[O-\]"' "$BERTH"
    # Trifluoroethylamine, whose pKa is 5.7: to Open Babel every amine is a cation.
    awk '{ printf "HETATM%5d  %-3s TFE B   1    %8.3f%8.3f%8.3f  1.00 10.00           %s\n", NR, $1, 30 + $2, $3, $4, substr($1, 1, 1) }' \
        >amine.pdb <<'EOF'
F1 -1.951 -0.452 -0.945
C1 -0.920 0.269 -0.456
F2 -1.403 1.086 0.507
F3 -0.444 1.046 -1.454
C2 0.185 -0.646 0.104
N1 1.383 0.017 0.676
EOF
    { grep '^ATOM' small.pdb; cat amine.pdb; } >base.pdb
    find_rdkit
    if [ -n "$python" ]; then
        run prep base.pdb --out r.brec --ligand_id TFE --reference r.mol2
        check 'it has the charge that it is docked with, by pKa' all exited 0 -- grep -q '^ *10 *9 ' r.mol2 -- \
            grep -q 'N1 .* N.3 ' r.mol2
        run prep base.pdb --out r.brec --ligand_id TFE --reference r.mol2 --ligand_smiles 'FC(F)(F)C[NH3+]'
        check 'and so it has with its SMILES, whatever their charge' all exited 0 -- grep -q '^ *10 *9 ' r.mol2 -- grep -q 'N1 .* N.3 ' r.mol2
        # 3-methylpyrazole: the backbone's oxygen (along the third bond of N1, then of N2) takes a hydrogen bond.
        cat >azole.pdb <<'EOF'
HETATM    1  C6  PYZ B   1       1.900  -0.020   0.020  1.00 10.00           C
HETATM    2  C3  PYZ B   1       0.420  -0.090  -0.010  1.00 10.00           C
HETATM    3  C4  PYZ B   1      -0.510   0.960   0.100  1.00 10.00           C
HETATM    4  C5  PYZ B   1      -1.740   0.360   0.020  1.00 10.00           C
HETATM    5  N1  PYZ B   1      -1.500  -0.970  -0.130  1.00 10.00           N
HETATM    6  N2  PYZ B   1      -0.190  -1.280  -0.150  1.00 10.00           N
EOF
        glycine() { awk '{ printf "ATOM  %5d  %-3s GLY A   7    %8.3f%8.3f%8.3f  1.00 10.00           %s\n", NR, $1, $2, $3, $4, substr($1, 1, 1) }'; }
        printf '%s\n' 'N -6.547 -5.781 -0.743' 'CA -5.538 -4.819 -0.621' 'C -4.478 -3.809 -0.492' 'O -3.591 -2.963 -0.384' |
            glycine | cat - azole.pdb >first.pdb
        printf '%s\n' 'N 2.756 -7.594 -0.823' 'CA 2.167 -6.331 -0.689' 'C 1.548 -5.005 -0.547' 'O 1.031 -3.896 -0.429' |
            glycine | cat - azole.pdb >second.pdb
        for at in first second; do
            run prep $at.pdb --out r.brec --ligand_id PYZ --reference $at.mol2
            cat stderr >>azoles.txt
        done
        donor() { awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>ATOM" { name[$1] = $2; type[$1] = $6 }
            s == "@<TRIPOS>BOND" && type[$3] == "H" && name[$2] ~ /^N/ { print name[$2] }' "$1"; }
        check 'the receptor says which nitrogen of a pyrazole has the hydrogen' all [ "$(donor first.mol2) $(donor second.mol2)" = 'N1 N2' ] -- \
            [ "$(grep -c tautomer azoles.txt)" = 1 ]
        run "$BERTH" dock --receptor first.pdb --ligand_id PYZ --out first.sdf --search fastest --scoring vina
        check 'and dock takes it' all exited 0 -- said 'a pyrazole' 'PYZ: ' -- grep -qx 'REMARK SMILES Cc1cc\[nH\]n1' first.ligand.pdb
    else
        skip 'the receptor says which nitrogen of a pyrazole has the hydrogen' 'RDKit is not installed'
    fi
    run prep heavy.pdb --out r.brec --ligand_id BIM --reference r.mol2
    types full.mol2 | tr ' ' '\n' | grep -v '^H' | sed 's/^N[12]:.*/N/' >wanted
    types r.mol2 | tr ' ' '\n' | grep -v '^H' | sed 's/^N[12]:.*/N/' >given
    check 'and so do the heavy atoms' all exited 0 -- same wanted given
    run prep heavy.pdb --out r.brec --ligand_id BIM --reference r.mol2 --ligand_smiles 'Clc1ccc2[nH]cnc2c1'
    types full.mol2 | tr ' ' '\n' | grep -v '^H' >wanted
    types r.mol2 | tr ' ' '\n' | grep -v '^H' >given
    check 'with its SMILES they are right' all exited 0 -- grep -q '^ *15 *16 ' r.mol2 -- same wanted given -- \
        grep -q '^BIM$' r.mol2
    run prep heavy.pdb --out r.brec --ligand_id BIM --reference r.mol2 --ligand_smiles 'c1ccc2[nH]cnc2c1'
    check "another molecule's are refused" all exited 1 -- holds stderr '--ligand_smiles'
    run prep heavy.pdb --out r.brec --ligand_id BIM --ligand_smiles 'Clc1ccc2[nH]cnc2c1'
    check 'and so are SMILES for nothing' all exited 1 -- said 'and so are SMILES for nothing' '--ligand_smiles'
    # A cofactor that no table has: pyridine.
    awk 'BEGIN {
        for (i = 0; i < 6; i++)
            printf "HETATM%5d  %s%d  PYR B   1    %8.3f%8.3f%8.3f  1.00 10.00           %s\n", i + 1,
                i ? "C" : "N", i + 1, 30 + 1.37 * cos(i * 1.0471976), 1.37 * sin(i * 1.0471976), 0, i ? "C" : "N" }' >pyridine.pdb
    run prep pyridine.pdb --out p.brec --mol2 p.mol2
    types p.mol2 >given
    echo 'N1:N.ar C2:C.ar C3:C.ar C4:C.ar C5:C.ar C6:C.ar' >wanted
    check 'types of a cofactor by its bonds' all exited 0 -- said 'types of a cofactor by its bonds' '  types  ' -- \
        same wanted given
    # Isobutane, flat.
    awk 'BEGIN {
        for (i = 0; i < 4; i++)
            printf "HETATM%5d  C%d  FLT B   1    %8.3f%8.3f%8.3f  1.00 10.00           C\n", i + 1, i + 1,
                30 + (i > 0) * 1.53 * cos(i * 2.0943951), (i > 0) * 1.53 * sin(i * 2.0943951), 0 }' >isobutane.pdb
    run prep isobutane.pdb --out p.brec
    check 'a cofactor whose bonds contradict its geometry: a warning' all exited 0 -- \
        said 'bonds that contradict the geometry' 'FLT B:1'
else
    skip 'the ligand with hydrogens and bonds' 'Open Babel is not installed'
fi
# How side chains are protonated: by names, else by hydrogens in the file.
awk 'function atom(name, residue, number, x, y) { printf "ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", ++n, name, residue, number, x, y, 0, substr(name, 2, 1) }
BEGIN {
    atom(" ND1", "HIS", 1, 0, 0); atom(" NE2", "HIS", 1, 2, 0)
    atom(" ND1", "HIE", 2, 10, 0); atom(" NE2", "HIE", 2, 12, 0)
    atom(" ND1", "HIP", 3, 60, 0); atom(" NE2", "HIP", 3, 62, 0)
    atom(" OD1", "ASH", 4, 20, 0); atom(" OD2", "ASH", 4, 22, 0)
    atom(" OE1", "GLU", 5, 30, 0); atom(" OE2", "GLU", 5, 32, 0); atom(" HE2", "GLU", 5, 33, 0)
    atom(" NZ ", "LYN", 6, 40, 0); atom(" SG ", "CYM", 7, 50, 0); atom(" NZ ", "LYS", 8, 45, 0); atom(" OD1", "ASP", 9, 25, 5)
}' >protons.pdb
run prep protons.pdb --out protons.brec --mol2 protons.mol2 --center_x 0 --center_y 0 --center_z 0 --size_x 4 --size_y 4 --size_z 4
check 'where hydrogens are is said: of histidines always, of other residues that are not as at pH 7.4' all exited 0 -- \
    said histidines histidines -- said protons '(scored as'
# Two aspartates whose OD1 are 2.8 Å apart; where one has the proton, or a metal is between them, there is nothing to say.
acids() { # METAL
    awk -v metal="$1" 'function atom(name, residue, number, x, y) { printf "ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", ++n, name, residue, number, x, y, 0, metal == residue ? metal : substr(name, 2, 1) }
    BEGIN {
        atom(" OD1", "ASP", 1, 1.4, 0); atom(" OD2", "ASP", 1, 2.5, 1.8)
        atom(" OD1", "ASP", 2, -1.4, 0); atom(" OD2", "ASP", 2, -2.5, 1.8)
        if (metal) atom("ZN  ", "ZN", 3, 0, 1.5)
    }'
}
acids '' >acids.pdb
acids ZN >held_acids.pdb
run prep acids.pdb --out acids.brec
check 'acids that face each other' all exited 0 -- said 'facing acids' '(2.8 Å)'
run prep held_acids.pdb --keep ZN --out held_acids.brec
check 'not where a metal holds them' all exited 0 -- lacks stderr 'facing acids'
sed 's/ASP A   2/ASH A   2/' acids.pdb >proton.pdb
run prep proton.pdb --out proton.brec
check 'nor where one has the proton' all exited 0 -- lacks stderr 'facing acids'
sed 's/^\(ATOM.\{13\}\)HIS A   1/\1HIE A   1/' protons.pdb >renamed.pdb # as docs/preparation.md says
run prep renamed.pdb --out protons.brec --mol2 renamed.mol2
check 'and a name changes it' all exited 0 -- [ "$(types renamed.mol2 | cut -d ' ' -f 1-2)" = 'ND1:N.2 NE2:N.pl3' ] -- \
    [ "$(types protons.mol2 | cut -d ' ' -f 1-2)" = 'ND1:N.pl3 NE2:N.2' ]

# Two lysines 100 Å apart; NZ is of the type that is given: Open Babel has NA, a donor and an acceptor.
lysines() { # TYPE
    for number in 1 2; do
        printf '%s\n' 'N 0 0.0 0.0 N' 'CA 1 1.0 0.0 C' 'C 2 2.0 0.0 C' 'O 2 3.2 0.0 OA' 'CB 2 0.0 0.9 C' 'CG 3 1.0 1.4 C' \
            'CD 4 0.0 1.9 C' 'CE 5 1.0 2.4 C' "NZ 6 0.0 2.9 $1" 'HZ1 7 0.0 2.9 HD' |
            awk -v number=$number '{ printf "ATOM  %5d  %-3s LYS A%4d    %8.3f%8.3f%8.3f  1.00  0.00    +0.000 %-2s\n",
                NR, $1, number, $2 + 100 * number, $3, $4, $5 }'
    done
}
lysines NA >lysines.pdbqt
run prep lysines.pdbqt --out lysines.brec
check 'acceptors that are none by their residues' all exited 0 -- said 'acceptors that are none by their residues' 'NZ of LYS A:1'
run prep lysines.pdbqt --out lysines.brec --center_x 205 --center_y 0 --center_z 0 --size_x 8 --size_y 8 --size_z 8
check 'where there is a site, those near it' all exited 0 -- said 'acceptors near the site' 'NZ of LYS A:2'
lysines N >lysines.pdbqt
run prep lysines.pdbqt --out lysines.brec
check 'where the file has them as they are, nothing is said' all exited 0 -- lacks stderr acceptors

run env PATH=/nowhere "$BERTH" prep receptor small.pdb --out r.brec --ligand_id EOH --reference plain.mol2 --overwrite
check 'without RDKit: single bonds, said' all exited 0 -- said 'single bonds' 'single bonds' -- grep -q '^ *3 *2 ' plain.mol2

# Cofactors: types by their names, as they have as ligands (rings with a carbonyl are aromatic to RDKit).
find_rdkit
if [ -n "$python" ]; then
    awk -F '\t' '!/^#/ { print $2, $1 }' "$root/tests/fixtures/chemistry/cofactors.tsv" >cofactors.smi
    run env BERTH_PYTHON="$(command -v "$python")" "$BERTH" prep ligands cofactors.smi --out cofactors.blib --keep_protonation \
        --structures 1
    "$BERTH" lib get cofactors.blib --out cofactors.mol2 >/dev/null
    "$python" -B "$root/tests/chemistry/cofactors.py" cofactors.mol2 cofactors.pdb wanted
    run prep cofactors.pdb --out cofactors.brec --mol2 typed.mol2
    check 'cofactors, whole and without hydrogens: none is left to Open Babel, none lacks an atom' all exited 0 -- \
        sh -c '! grep -q "Open Babel\|lacks\|left out" stderr'
    awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>ATOM" && NF > 7 { sub(/[0-9]*$/, "", $8); print $8, $2, $6 }' typed.mol2 |
        paste -d ' ' wanted - | awk '$1 != $4 || $2 != $5 ||
            $3 != $6 && !($3 ~ /^[CN].ar$/ && $6 ~ /^[CN].2$/ && substr($3, 1, 1) == substr($6, 1, 1))' >unlike
    check 'and they have the types of the same molecules as ligands' all [ "$(wc -l <wanted)" -gt 600 ] -- diff /dev/null unlike
else
    skip 'cofactors' 'RDKit is not installed'
fi

# What is there already.
there() { # NAME FILE OPTION...: nothing is read or written while FILE is there; --overwrite lets it go
    there_name=$1 there_file=$2
    shift 2
    echo mine >"$there_file"
    run "$BERTH" prep receptor demo/1hpv_receptor.mol2 --keep_types "$@"
    check "$there_name" all exited 1 -- holds "$there_file" mine -- said "$there_name"
    run "$BERTH" prep receptor demo/1hpv_receptor.mol2 --keep_types "$@" --overwrite
    check "$there_name, --overwrite" all exited 0 -- sh -c "! grep -q mine $there_file"
}
there 'a receptor that is there already' there.brec --out there.brec
there 'a site that is there already' there_1.brec --out there.brec --site scan --sites 1

# Scan.
run prep demo/1hpv_receptor.mol2 --keep_types --site scan --sites 2 --out scan.brec
check 'a scan writes its sites and their table' all exited 0 -- lines scan_sites.csv 3 -- \
    test -s scan_1.brec -- test -s scan_2.brec -- absent scan.brec scan_3.brec
check 'the first one is where amprenavir lies' awk -F, 'NR == 2 { d = sqrt(($3 - 9.92) ^ 2 + ($4 - 16.23) ^ 2 + ($5 - 8.83) ^ 2); exit d > 3 }' scan_sites.csv

# Use.
run prep demo/1hpv_receptor.mol2 --keep_types --autobox_ligand demo/1hpv_ligand.mol2 --out demo.brec
check 'the demo as receptor file' all exited 0 -- holds stderr '1516 heavy atoms, site (9.920, 16.231, 8.825), edges 12.53 x 11.79 x 15.69'
awk '/^@<TRIPOS>/ { s = $1; next } s == "@<TRIPOS>ATOM" && $6 != "H" {
    printf "HETATM%5d  %-3s LIG L   1    %8.3f%8.3f%8.3f  1.00 10.00\n", ++n, substr($6, 1, 1), $3, $4, $5 }' \
    demo/1hpv_ligand.mol2 >amprenavir.pdb
run prep demo/1hpv_receptor.mol2 --keep_types --autobox_ligand amprenavir.pdb --out box.brec
check 'a box about a ligand in PDB' holds stderr 'site (9.920, 16.231, 8.825), edges 12.53 x 11.79 x 15.69'
if command -v obabel >/dev/null; then
    obabel demo/1hpv_ligand.mol2 -osdf 2>/dev/null >amprenavir.sdf
    run prep demo/1hpv_receptor.mol2 --keep_types --autobox_ligand amprenavir.sdf --out box.brec
    check 'and in SDF' holds stderr 'site (9.920, 16.231, 8.825), edges 12.53 x 11.79 x 15.69'
    cat amprenavir.sdf amprenavir.sdf >two.sdf
    rm box.brec
    run prep demo/1hpv_receptor.mol2 --keep_types --autobox_ligand two.sdf --out box.brec
    check 'of two molecules none is chosen' all exited 1 -- absent box.brec -- said 'of two molecules none is chosen' two.sdf
else
    skip 'and in SDF' 'Open Babel is not installed'
fi
run "$BERTH" score --scoring bude --receptor demo.brec --ligand demo/1hpv_ligand.mol2 --out brec.csv
run "$BERTH" score --scoring bude --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand.mol2 --out mol2.csv
check 'the same energy as from Mol2' all exited 0 -- same mol2.csv brec.csv
mkdir a b
quick_dock --ligand demo/1hpv_ligand_turned.mol2 --out a/p.mol2 --scores a/s.csv >/dev/null 2>&1
run "$BERTH" dock --receptor demo.brec --ligand demo/1hpv_ligand_turned.mol2 $rigid --poses 512 --generations 3 --hops 0 \
    --out b/p.mol2 --scores b/s.csv
check 'docking finds the site in the file, and the same poses' all exited 0 -- same a/s.csv b/s.csv -- same a/p.mol2 b/p.mol2
run "$BERTH" dock --receptor demo.brec --ligand demo/1hpv_ligand_turned.mol2 $rigid --poses 512 --generations 3 \
    --center_x 5 --center_y 16 --center_z 8 --size_x 6 --size_y 6 --size_z 6 --out b/p.mol2
check 'a site on the command line wins' all exited 0 -- grep -q 'site (5.000, 16.000, 8.000), edges 6.00' stdout

# Bad input: an error that says what to do, and no file.
after() { # NAME OPTION VALUE: the error that follows what small.pdb gives rise to
    rm -rf out
    mkdir out
    run prep small.pdb --out out/x.brec "$2" "$3"
    check "$1" all exited 1 -- said "$1" "$2" -- nothing_in out
}
after 'no such ligand' --ligand_id C:1
after 'a ligand that may be two' --ligand_id HOH
after 'no residue by this text' --drop A:B:C:D
refused_too 'a file that is not there, without a format' small "$BERTH" prep receptor small --out out/x.brec
cp small.pdb small
refused 'an unknown format' "$BERTH" prep receptor small --out out/x.brec
refused 'a reference without a ligand' "$BERTH" prep receptor small.pdb --out out/x.brec --reference out/r.mol2
refused 'water as the ligand' "$BERTH" prep receptor small.pdb --ligand_id A:401 --out out/x.brec
refused 'a name that is not that of a receptor file' "$BERTH" prep receptor small.pdb --out out/x.pdb
refused 'a pH for which nothing is protonated' "$BERTH" prep receptor small.pdb --out out/x.brec --ph 5
refused 'how many sites, but no scan' "$BERTH" prep receptor small.pdb --out out/x.brec --sites 2
refused 'two structures' "$BERTH" prep receptor small.pdb small.cif --out out/x.brec
refused 'the output over the input' "$BERTH" prep receptor small.pdb --out small.pdb
# Zeros do not compress small enough to end early: cut in the middle.
head -c 300 small.pdb.gz >cut.pdb.gz
run prep cut.pdb.gz --out cut.brec
check 'truncated gzip' all exited 1 -- absent cut.brec -- grep -q '^berth: cut.pdb.gz:[0-9]*: .*gzip' stderr
head -c 100000 /dev/zero | tr '\0' x >huge.pdb
refused_too 'a huge line' huge.pdb:1 "$BERTH" prep receptor huge.pdb --out out/x.brec
printf 'HEADER\n' >none.pdb
refused 'no atoms' "$BERTH" prep receptor none.pdb --out out/x.brec
head -n 10 small.cif >none.cif
refused 'an mmCIF without atoms' "$BERTH" prep receptor none.cif --out out/x.brec
head -c 1000 demo.brec >cut.brec
refused 'a receptor file that was cut off' "$BERTH" score --receptor cut.brec --ligand demo/1hpv_ligand.mol2 --out out/x.csv
grep 'HOH' small.pdb >waters.pdb
run prep waters.pdb --out waters.brec
check 'nothing but waters' all exited 1 -- absent waters.brec -- said 'nothing but waters' 'waters.pdb: nothing'

if [ -n "$reference" ]; then
    check "BUDE's types from a bare PDB file, but for Arg CZ and the N of three chains" \
        sh -c "bash '$root/bench/receptor/types_1gcz.sh' --out gcz --berth '$BERTH' --data '$reference' | sort >gcz.txt
            printf '%s\n' '15 x ARG CZ: BUDE C.2, berth C.cat' '2654 of 2672 types agree' '3 x PRO N: BUDE N.am, berth N.4' | diff - gcz.txt"
else
    skip "BUDE's types from a bare PDB file" 'no reference data'
fi

slice preparation 'what else looks at a ligand that is cut out'
sed '/^HETATM.* 478 /s/ O$/ S/' 1hpv.pdb >other.pdb
run "$BERTH" dock --receptor other.pdb --ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 256 --generations 2 \
    --scoring vina --out other.sdf --ligand_id 478
check 'or says that it cannot' all exited 0 -- sh -c '! grep -q "no RMSD" stderr.first' -- said 'no RMSD' 'no RMSD'
mkdir alone
cp docked.sdf alone/ # no run.json says there what was cut out
run "$BERTH" interactions --receptor 1hpv.pdb --ligand_id 478 --poses alone/docked.sdf --out cut.csv
run "$BERTH" interactions --receptor 1hpv.pdb --poses alone/docked.sdf --out found.csv
check 'its poses are looked at beside what they were docked to' all same cut.csv found.csv -- holds stderr 478::200 -- \
    sh -c '! tr , "\n" <cut.csv | grep -qx 478' -- [ -s cut.csv ]
"$BERTH" show docked.csv --top 1 --out best.sdf 2>/dev/null
run "$BERTH" interactions --receptor 1hpv.pdb --poses best.sdf --out best.csv
check 'those that `show` writes, too' all exited 0 -- lacks stderr 'overlaps the receptor' -- sh -c '! grep -q -w 478 best.csv' -- [ -s best.csv ]
run "$BERTH" eval poses --receptor 1hpv.pdb --poses best.sdf --out best.csv
check 'which are checked so' all exited 0 -- said 'a pose in the place of what is cut out' 478::200
cp best.sdf drawn.sdf # without the table of checks beside it
run "$BERTH" report drawn.sdf --receptor 1hpv.pdb --out drawn.html
check 'and drawn so' all exited 0 -- holds stderr 478::200 -- holds stderr '478 200, 35 heavy atoms' -- \
    lacks stderr 'stays in the receptor'
awk '/^HETATM.* 478 / { $0 = substr($0, 1, 30) sprintf("%8.3f", substr($0, 31, 8) + 30) substr($0, 39) } { print }' 1hpv.pdb >aside.pdb
run "$BERTH" interactions --receptor aside.pdb --poses best.sdf --out best.csv
check 'a ligand elsewhere stays' all exited 0 -- lacks stderr 'is cut out' -- holds stderr '1 478'
run "$BERTH" report docked.sdf --out docked.html
check 'as the report does' all exited 0 -- grep -q '"ligand_id": "478"' docked.run.json -- holds stderr '478 200, 35 heavy atoms'
# Which box these poses had is not known there, and so not what is away from it.
grep -v ' CD1 LEU A  23 ' 1hpv.pdb | awk '$4 != "GLY" || $6 != 68 || $5 != "A"' >trimmed.pdb
for look in interactions 'eval poses'; do
    # shellcheck disable=SC2086
    run "$BERTH" $look --receptor trimmed.pdb --ligand_id 478 --poses alone/docked.sdf --out trimmed.csv
    check "$look does not say what is away from the site" all exited 0 -- lacks stderr 'the site' -- holds stderr 'LEU A:23' -- \
        grep -q ' A:67 and ... A:69$' stderr
done
run "$BERTH" interactions --receptor 1hpv.pdb --poses docked.sdf --out by_run.csv
check 'by what the run says, too' all exited 0 -- same cut.csv by_run.csv -- said 'cut out as by the run' '--ligand_id'
run "$BERTH" score --receptor 1hpv.pdb --ligand docked.sdf --out by_run.csv
run "$BERTH" score --receptor 1hpv.pdb --ligand_id 478 --ligand alone/docked.sdf --out cut.csv
check 'score does so, too' same cut.csv by_run.csv
"$BERTH" score --receptor 1hpv.pdb --ligand alone/docked.sdf --out uncut.csv 2>/dev/null
check 'and score' all exited 0 -- awk -F , 'FNR == 1 { next } NR == FNR { beside[FNR] = $3; next }
    beside[FNR] < $3 + 50 { bad = 1 } { n++ } END { exit bad || !n }' uncut.csv cut.csv
# What was minimised has its distance from where it stood, not from the ligand.
run "$BERTH" score --receptor 1hpv.pdb --ligand_id 478 --ligand alone/docked.sdf --minimize --out moved.csv
check 'and what is minimised says how far it moved' all exited 0 -- awk -F , 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "rmsd") at = i; next }
    NR == FNR { from[FNR] = $at; next } !($at < from[FNR] - 0.5) { bad = 1 } { n++ } END { exit bad || !n }' cut.csv moved.csv
dock_complex --ligand_id 478 --center_x 10 --center_y 16 --center_z 9 --size_x 10 --size_y 10 --size_z 10
check 'a box that is given wins' all exited 0 -- holds stdout 'site (10.000, 16.000, 9.000), edges 10.00 x 10.00 x 10.00'
run "$BERTH" dock --receptor taken.brec --ligand_id 478 --ligand demo/1hpv_ligand.mol2 --out docked.sdf
check 'a .brec has no ligand to cut out' all exited 1 -- said 'a .brec has no ligand to cut out'
run "$BERTH" dock --receptor 1hpv.pdb,taken.brec --ligand_id 478 --ligand demo/1hpv_ligand.mol2 --out docked.sdf
check 'and several receptors are prepared before' all exited 1 -- said 'and several receptors are prepared before'
# A screen does the same, and so does what is made of it later: the ligand in the file makes no interaction for a pose.
screen_complex() { # OUT OPTION...
    screen_out=$1
    shift
    "$BERTH" screen --receptor 1hpv.pdb --library demo/1hpv_ligand.mol2 --search fast --scoring vina --poses 64 --generations 2 \
        --ligand_id 478 --out "$screen_out" "$@"
}
run screen_complex screened
check 'screen --ligand_id cuts and boxes' all exited 0 -- holds stderr '478 200, 35 heavy atoms' -- \
    holds stdout 'site (9.920, 16.231, 8.825), edges 12.53 x 11.79 x 15.69' -- grep -q '"ligand_id": "478"' screened/run.json
run "$BERTH" report screened
check 'the report of the screen cuts it, too' all exited 0 -- holds stderr '478 200, 35 heavy atoms'
there='contact 478'
run screen_complex none --require "$there"
check 'no pose can touch what was cut out' all exited 1 -- said 'no pose can touch what was cut out' '--require'
run "$BERTH" merge screened --out later --require "$there"
check 'nor in a merge' all exited 1 -- holds stderr '--require'
run "$BERTH" show screened --require "$there"
check 'nor in what is shown' all exited 1 -- holds stderr '--require'
run screen_complex moved --flexible_within 4 --flexible_most 1
check 'flexible_within is measured from it' all exited 0 -- holds stderr 'ASP B:25 1'
run "$BERTH" merge moved --out again
check 'and found again by a merge' all exited 0 -- same moved/hits.side_chains.pdb again/hits.side_chains.pdb
run "$BERTH" dock --receptor 1hpv.pdb --ligand_id 478 --out -
check 'what is docked back is written beside the poses' all exited 1 -- said 'what is docked back is written beside the poses'
run "$BERTH" dock --receptor 1hpv.pdb --out redocked.sdf
check 'without a ligand one is cut out' all exited 1 -- said 'without a ligand one is cut out'
if command -v obabel >/dev/null; then
    run "$BERTH" dock --receptor 1hpv.pdb --ligand_id 478 --search fast --poses 64 --generations 2 --scoring vina --out redocked.sdf \
        --scores redocked.csv
    check 'dock --ligand_id docks the ligand itself where no other is given' all exited 0 -- lines redocked.ligand.pdb 37 -- \
        grep -qx 478 stdout -- grep -q '"molecules": ".*/redocked.ligand.pdb"' redocked.run.json -- \
        awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && !($at["rmsd"] > 0 && $at["ligand"] == 478) { bad = 1 } END { exit bad || NR < 2 }' redocked.csv
    grep '^HETATM.* 478 ' 1hpv.pdb | cut -c 13-54 >wanted
    grep '^HETATM' redocked.ligand.pdb | cut -c 13-54 >given
    check 'which is written where it stood' same wanted given
    run "$BERTH" score --receptor 1hpv.pdb --ligand_id 478 --out scored.csv
    check 'score --ligand_id scores it as it stands' all exited 0 -- same redocked.ligand.pdb scored.ligand.pdb -- \
        awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 && !($1 == 478 && $at["rmsd"] == 0) { bad = 1 } END { exit bad || NR != 2 }' scored.csv
    # An atom of its phenyl ring is pulled aside: what bonds are perceived contradicts that.
    awk '/^HETATM.* 478 / && substr($0, 13, 4) ~ /^ *C12 *$/ { $0 = substr($0, 1, 30) sprintf("%8.3f", substr($0, 31, 8) + 0.6) substr($0, 39) } { print }' \
        1hpv.pdb >bent.pdb
    redock() { # OPTION...
        run "$BERTH" dock --receptor bent.pdb --ligand_id 478 --search fast --poses 64 --generations 2 --scoring vina --out bent.sdf \
            --scores bent.csv "$@"
    }
    redock
    check 'of a ligand with bonds that cannot be, the command with its SMILES is said' all exited 2 -- \
        holds stderr "--ligand_smiles 'SMILES' --out bent.sdf"
    amprenavir='CC(C)CN(C[C@@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1'
    redock --ligand_smiles "$amprenavir"
    check 'which gives its bonds, whatever the geometry is' all exited 0 -- grep -qx 478 stdout -- \
        grep -qxF "REMARK SMILES $amprenavir" bent.ligand.pdb -- lacks stderr "'SMILES'"
    redock --ligand_smiles 'CC(C)CN(C[C@H](O)[C@H](Cc1ccccc1)NC(=O)O[C@H]1CCOC1)S(=O)(=O)c1ccc(N)cc1'
    check "an epimer's SMILES are refused" all exited 1 -- holds stderr stereoisomer
    redock --ligand_smiles CCO
    check "another molecule's SMILES are refused" all exited 1 -- holds stderr bent.ligand.pdb
    run "$BERTH" score --receptor bent.pdb --ligand_id 478 --ligand_smiles "$amprenavir" --out bent.csv
    check 'score takes them, too' all exited 0 -- grep -q '^478,' bent.csv
    refused 'SMILES beside another ligand' \
        "$BERTH" dock --receptor 1hpv.pdb --ligand_id 478 --ligand demo/1hpv_ligand.mol2 --ligand_smiles CCO --out bent.sdf
    run sh -c '"$@" | { exec <&-; cat /dev/null; }' sh "$BERTH" score --receptor 1hpv.pdb --ligand redocked.ligand.pdb --ligand_id 478 --out -
    check 'a reader that leaves ends it in silence' all exited 0 -- lacks stderr 'standard output'
    for compound in 'UNNAMED' 'MOL_ID: 1;' 'amprenavir'; do
        sed "s/^COMPND.*/COMPND    $compound/" redocked.ligand.pdb >named.pdb
        "$BERTH" prep ligands named.pdb --out named.blib --overwrite >/dev/null 2>&1
        "$BERTH" lib ls named.blib | sed 1d | cut -d, -f2
    done >given
    printf '%s\n' named.pdb named.pdb amprenavir >wanted
    check 'a PDB file of a ligand says its name, or the file does' same wanted given
    dock_complex --autobox_ligand demo/1hpv_ligand.mol2
    check 'a site with the ligand in it is refused' all exited 1 -- \
        said 'a site with the ligand in it is refused' '--allow_occupied'
    awk '/^HETATM.* 478 / { x = substr($0, 31, 8) - 1.6; print substr($0, 1, 30) sprintf("%8.3f", x) substr($0, 39); next } { print }' \
        1hpv.pdb >clash.pdb
    run "$BERTH" dock --receptor clash.pdb --autobox_ligand demo/1hpv_ligand.mol2 --ligand demo/1hpv_ligand.mol2 --out docked.sdf
    check 'one that overlaps the protein, too' all exited 1 -- holds stderr '--allow_occupied'
    run prep 1hpv.pdb --out held.brec --keep 478 --autobox_ligand demo/1hpv_ligand.mol2
    run "$BERTH" dock --receptor held.brec --ligand demo/1hpv_ligand.mol2 --out docked.sdf
    check 'that of a .brec, too' all exited 1 -- holds stderr '--allow_occupied'
    dock_complex --autobox_ligand demo/1hpv_ligand.mol2 --allow_occupied
    check 'and docked to where that is allowed' all exited 0 -- holds stderr '478 200'
else
    skip 'a site with the ligand in it' 'Open Babel is not installed'
fi
finish
