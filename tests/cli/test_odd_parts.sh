#!/bin/sh
# What is rare in structures: each element as an ion, in all formats, either has a type or is left out by the name that the
# message says; dock, screen, score and who reads their results leave out and keep residues as prep receptor does.
. tests/cli/lib.sh

# Two residues of protein, and what the arguments name as ions in a row behind them, 5 Å apart.
peptide() {
    printf 'ATOM  %5d  %-3s %s A%4d    %8.3f%8.3f%8.3f  1.00 10.00           %s\n' \
        1 N GLY 1 -0.966 0.493 1.500 N 2 CA GLY 1 0.257 0.418 0.692 C 3 C GLY 1 -0.094 0.017 -0.716 C \
        4 O GLY 1 -1.056 -0.682 -0.923 O 5 N GLY 2 0.661 0.439 -1.742 N 6 CA GLY 2 0.400 0.100 -3.140 C \
        7 C GLY 2 1.500 0.600 -4.050 C 8 O GLY 2 2.500 1.100 -3.600 O 9 OXT GLY 2 1.400 0.500 -5.300 O
}
pdb() { # ELEMENT...
    peptide
    printf '%s\n' "$@" | awk '{ s = toupper($1)
        printf "HETATM%5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n", NR + 9, length(s) == 1 ? " " s : s, s, NR + 100, 5 * NR, 5, 0, s }'
}
mmcif() {
    printf 'data_x\nloop_\n'
    printf '_atom_site.%s\n' group_PDB id type_symbol label_atom_id label_comp_id label_asym_id label_seq_id Cartn_x Cartn_y \
        Cartn_z occupancy B_iso_or_equiv auth_seq_id auth_asym_id
    pdb "$@" | awk '{ print $1, $2, $NF, $3, $4, $5, ".", $7, $8, $9, $10, $11, $6, $5 }'
}
pdbqt() {
    pdb "$@" | awk '{ t = $NF; if (length(t) == 2) t = substr(t, 1, 1) tolower(substr(t, 2)); if (t == "O") t = "OA"
        printf "%s    %6.3f %-2s\n", substr($0, 1, 66), 0, t }'
}
printf '%s\n' '@<TRIPOS>MOLECULE' methanol '3 2' SMALL NO_CHARGES '@<TRIPOS>ATOM' '1 C1 3.0 5.0 3.0 C.3 1 LIG 0' \
    '2 O1 3.0 4.0 4.0 O.3 1 LIG 0' \
    '3 H1 3.0 4.4 4.9 H 1 LIG 0' '@<TRIPOS>BOND' '1 1 2 1' '2 2 3 1' >lig.mol2

# --- Each element of the periodic table, by each typing (plp has bude's types, vinardo vina's).
metals='Li Be Na Mg Al K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Cs Ba La Ce Pr Nd Pm Sm
Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Tl Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr'
covalent='Hg Pb Bi' # metals to vina; to bude they may be no ions
additives='F Cl Br I Ar Kr Xe'
others='H B C N O Si P S Se'
unknown='He Ne Ge As Sb Te Po At Rn Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'
score() { run "$BERTH" score --receptor "$1" --ligand lig.mol2 --out scores.csv --scoring "$2" $3; }
# shellcheck disable=SC2086 # split into words on purpose
for format in pdb mmcif pdbqt; do
    file=all.${format#mm}
    $format $metals $covalent $additives $others $unknown >"$file"
    drop=$(printf '%s\n' $unknown | tr 'a-z' 'A-Z' | paste -sd , -)
    score "$file" bude "--drop $drop,HG,PB,BI,AT"
    check "$format: bude has a type for each element, or a name by which it is left out" all exited 0 -- holds stderr 'of type Cs is taken as K' -- \
        holds stderr 'of type Np is taken as Zn' -- holds stderr 'left out, additives: 1 F, 1 CL, 1 BR, 1 AR, 1 KR, 1 XE'
    score "$file" vina "--drop $drop,B"
    check "$format: so has vina" exited 0
done
# Who has no list follows the messages: each names one more.
# shellcheck disable=SC2086 # split into words on purpose
follow() { # FUNCTION COUNT
    drop='' named=0
    score odd.pdb "$1" ''
    while [ "$code" -ne 0 ] && [ $named -lt "$2" ]; do
        next=$(sed -n 's/.*; drop \([^ ]*\) leaves the residue out$/\1/p' stderr)
        drop=$drop${drop:+,}$next named=$((named + 1))
        score odd.pdb "$1" "--drop $drop"
    done
    [ "$code" -eq 0 ] && [ $named -eq "$2" ]
}
pdb Zn He Hg As Rf >odd.pdb
check 'bude: each atom without a type is named, with what leaves it out' follow bude 4
check 'vina, too' follow vina 3
pdb U >uridine.pdb
score uridine.pdb vina ''
check 'a single uranium is no uridine that lacks atoms' all exited 0 -- lacks stderr 'lacks atoms'

# --- What prep receptor leaves out and keeps, on the way of each command, and for who reads its results.
pdb Zn Hg SO4 | sed 's/SO4 SO4/ S  SO4/; s/SO4$/  S/' >odd.pdb
box='--center_x 8 --center_y 3 --center_z 1 --size_x 12 --size_y 12 --size_z 12'
quick='--search fast --poses 32 --generations 2 --num_modes 1'
dock() { # RECEPTOR OPTIONS...
    receptor=$1
    shift
    # shellcheck disable=SC2086 # split into words on purpose
    run "$BERTH" dock --receptor "$receptor" --ligand lig.mol2 $box $quick --out docked.sdf --scores docked.csv "$@"
}
dock odd.pdb --scoring bude
check 'an error names the atom, and the option' all exited 1 -- holds stderr 'HG of HG102' -- holds stderr 'drop HG:A:102 leaves the residue out'
dock odd.pdb --scoring bude --drop HG:A:102
check 'dock leaves it out' all exited 0 -- holds stderr 'left out, as asked for: 1 HG' -- holds stdout '10 heavy atoms'
check 'its run says so' grep -q '"drop": "HG:A:102"' docked.run.json
for command in 'interactions --out table.csv' 'eval poses --out table.csv --conformers 0'; do
    # shellcheck disable=SC2086 # split into words on purpose
    run "$BERTH" $command --receptor odd.pdb --poses docked.sdf
    check "$command: it is left out where its poses are looked at" all exited 0 -- holds stderr 'left out, as asked for: 1 HG'
done
# shellcheck disable=SC2086 # split into words on purpose
run "$BERTH" score --receptor odd.pdb --ligand docked.sdf --scoring bude --out scores.csv
check 'score: so do poses of a run' all exited 0 -- holds stderr 'left out, as asked for: 1 HG'
dock odd.pdb --scoring vina --keep SO4
check 'dock keeps an additive' all exited 0 -- holds stderr 'kept besides: 1 ZN, 1 HG, 1 SO4' -- holds stdout '12 heavy atoms'
dock odd.pdb,odd.pdb --scoring bude --drop HG
check 'of several receptors' exited 1
cp odd.pdb other.pdb
dock odd.pdb,other.pdb --scoring bude --drop HG
check 'what was done to receptors takes five lines, of which the last says where the rest is' \
    [ "$(grep -v warning stderr | sed -n '5,$p')" = 'berth: 4 more lines on the receptor: with --verbose, and in run.json' ]
dock odd.pdb,other.pdb --scoring bude --drop HG --verbose
check 'each leaves it out' all exited 0 -- [ "$(grep -c 'left out, as asked for: 1 HG' stderr)" = 2 ] -- \
    grep -q '"drop_other": "HG"' docked.run.json
dock odd.pdb --scoring bude --drop XYZ,HG
check 'what is not there is warned of' all exited 0 -- holds stderr 'drop: no residue XYZ in odd.pdb'
run "$BERTH" prep receptor odd.pdb --out odd.brec --mol2 odd.mol2
check 'prep receptor names it, too' all exited 0 -- holds stderr 'drop HG:A:102 leaves the residue out'
dock odd.brec --drop HG
check 'a receptor file is prepared' all exited 1 -- holds stderr 'drop: odd.brec is prepared already'
dock odd.mol2 --scoring bude
check 'of Mol2 the residue is named' all exited 1 -- holds stderr 'drop HG leaves the residue out'
dock odd.mol2 --scoring bude --drop HG
check 'and left out' all exited 0 -- holds stdout '10 heavy atoms'
if [ -n "$(command -v obabel)" ]; then
    # shellcheck disable=SC2086 # split into words on purpose
    run "$BERTH" screen --receptor odd.pdb --library lig.mol2 $box $quick --scoring bude --drop HG --out screen
    check 'a screen leaves it out' all exited 0 -- holds stderr 'left out, as asked for: 1 HG'
    # shellcheck disable=SC2086 # split into words on purpose
    run "$BERTH" screen --receptor odd.pdb --library lig.mol2 $box $quick --scoring bude --drop HG,ZN --out screen --resume
    check 'and goes on with the same receptor alone' all exited 1 -- holds stderr drop
fi

# --- 5DDR: a riboswitch with caesium.
if [ -n "$reference" ]; then
    run "$BERTH" prep receptor "$reference/structures/5ddr.pdb.gz" --out 5ddr.brec --drop HG
    check '5DDR has types for all functions' all exited 0 -- holds stderr 'is taken as K' -- lacks stderr 'cannot rank'
fi

# --- Complexes of metals: cobalamin, chlorophyll, FeMo cofactor, carbonyls, cisplatin, ammines, a polyoxometalate.
need_rdkit 'complexes of metals'
mkdir none
printf '#!/bin/sh\nexit 1\n' >none/obabel
chmod +x none/obabel
run env PATH="$PWD/none:$PATH" "$BERTH" prep receptor "$root/tests/fixtures/complexes.pdb" --keep ICS,FCO --out complexes.brec --mol2 complexes.mol2
types() { # NAME: those of NAME.mol2, a residue in each paragraph, as golden/NAME.txt has them
    awk '/^@<TRIPOS>/ { atoms = /ATOM/; next } atoms && $8 != last { printf "%s%s", last ? "\n" : "", last = $8 } atoms { printf " %s:%s", $2, $6 }
        END { print "" }' "$1.mol2" | fold -s -w 120 | sed 's/ $//' >"$1.types"
    [ "${BERTH_UPDATE_GOLDEN:-}" ] && cp "$1.types" "$root/tests/golden/$1.txt"
    same "$1.types" "golden/$1.txt"
}
check 'complexes have types without Open Babel' all exited 0 -- types complexes -- lacks stderr 'may be wrong'
for function in bude vina vinardo plp; do
    score complexes.brec $function ''
    check "and $function knows them" exited 0
done
# Modified residues of proteins and nucleic acids.
run "$BERTH" prep receptor "$root/tests/fixtures/modified.pdb" --out modified.brec --mol2 modified.mol2
check 'modified residues have types' all exited 0 -- types modified -- lacks stderr 'may be wrong'
# What RDKit refuses is typed by elements, which is said.
{ peptide; printf 'HETATM%5d  B%-2s BOR A 200    %8.3f%8.3f%8.3f  1.00 10.00           B\n' 20 1 20 5 0 21 2 21.7 5 0 22 3 18.3 5 0 \
    23 4 20 6.7 0 24 5 20 3.3 0 25 6 20 5 1.7; } >boron.pdb
run "$BERTH" prep receptor boron.pdb --out boron.brec
check 'what RDKit refuses stops nothing' all exited 0 -- holds stderr 'all are taken for single' -- holds stderr 'or drop the residue'
# Two molecules in one place, of which one is there at a time, are no molecule together.
{ peptide; printf 'HETATM%5d  %-3s %s A%4d    %8.3f%8.3f%8.3f  0.50 10.00           %s\n' 20 C1 AAA 301 10 5 0 C 21 O1 AAA 301 11.4 5 0 O \
    22 C1 BBB 302 10.2 5.3 0 C 23 N1 BBB 302 11.6 5.2 0.2 N; } >alternates.pdb
run "$BERTH" prep receptor alternates.pdb --out alternates.brec --mol2 alternates.mol2
check 'nor are two in one place taken for one' all exited 0 -- lacks stderr 'may be wrong'
# --- What the crystal has now and then in the ligand's place: all its atoms are of an alternate location.
occupant() { # NAME NUMBER ALTERNATE X
    awk -v name="$1" -v number="$2" -v alternate="$3" -v x="$4" 'BEGIN {
        n = split("C1 N1 C2 C3 O1 C4 N2", atoms)
        for (k = 1; k <= n; k++)
            printf "HETATM%5d  %-3s%s%3s A%4d    %8.3f%8.3f%8.3f  0.50 10.00          %2s\n", number + k, atoms[k], alternate,
                name, number, x + 1.25 * k, 5 + k % 2 * 0.7, 0, substr(atoms[k], 1, 1) }'
}
{ peptide; occupant LGA 301 A 10; occupant OTH 401 B 10.3; occupant FAR 501 B 25; occupant HER 601 ' ' 10.6; } >shared.pdb
run "$BERTH" prep receptor shared.pdb --ligand_id LGA --out shared.brec --mol2 shared.mol2
check 'what stands where the ligand does, as another location, is left out; what is there always, or elsewhere, stays' \
    all exited 0 -- lacks shared.mol2 OTH -- holds shared.mol2 FAR -- holds shared.mol2 HER -- \
    said 'what was left out' 'where the ligand stands: 1 OTH'
run "$BERTH" prep receptor shared.pdb --ligand_id LGA --keep OTH --out kept.brec --mol2 kept.mol2
check 'unless it is asked for' all exited 0 -- holds kept.mol2 OTH
finish
