#!/bin/sh
# Proteins docked to proteins: chain B of the demo's HIV protease, turned, to chain A.
. tests/cli/lib.sh

# The demo's receptor as PDB, a file for each chain: one ends where the residues' numbers begin anew.
awk '/^@<TRIPOS>/ { within = /ATOM/; next }
    within && NF >= 8 {
        number = substr($8, 4) + 0
        if (number < before) chain = "B"; else if (!chain) chain = "A"
        before = number
        split($6, type, ".")
        printf "ATOM  %5d  %-3s %3s %s%4d    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n", ++count, $2,
            substr($8, 1, 3), chain, number, $3, $4, $5, toupper(type[1]) >chain ".pdb"
    }' demo/1hpv_receptor.mol2
# A quarter about z and a half about x of that, and away.
awk '{ printf "%s%8.3f%8.3f%8.3f%s\n", substr($0, 1, 30), 60 - substr($0, 39, 8), -substr($0, 31, 8),
    20 - substr($0, 47, 8), substr($0, 55) }' B.pdb >turned.pdb

dock() { "$BERTH" dock --receptor A.pdb --protein --out poses.pdb "$@"; }

about='--center_x 17.5 --center_y 17.4 --center_z 17.6 --size_x 12 --size_y 12 --size_z 12'
found() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR == 2 && !($column["rmsd"] < 1 && $column["energy"] < -360 && $column["contacts"] > 1000 &&
            $column["buried_area"] > 3000) { exit 1 }' scores.csv
}

# Few starts find it all over the surface with some seeds only (25 of 40 by 30 degrees and 48 starts), in a box with all.
# shellcheck disable=SC2086
run dock --ligand turned.pdb --reference B.pdb --scores scores.csv $about --rotation_spacing 45 --starts 24 --num_modes 2
check 'the dimer is found again, first of all' all exited 0 -- found -- [ "$(wc -l <scores.csv)" -eq 3 ]
check 'poses are models of one PDB, receptor and ligand with their chains and numbers' all \
    [ "$(grep -c '^MODEL' poses.pdb)" -eq 2 ] -- [ "$(grep -c '^ATOM.* B ' poses.pdb)" -eq 1516 ] -- \
    [ "$(grep -c '^ATOM.* A ' poses.pdb)" -eq 1516 ] -- \
    [ "$(grep -c 'CA  PHE B  99 ' poses.pdb)" -eq 2 ] -- \
    grep -q '^REMARK   6 ENERGY -3[6-9]' poses.pdb
check 'memory and starts are said' all grep -q ' MB ' stderr.raw -- grep -q '[0-9]* rotations x [0-9]* places' stderr.raw

slice docking 'all over the surface, in a box, a chain that both have, and what is refused'
run dock --ligand turned.pdb --reference B.pdb --scores scores.csv --rotation_spacing 20 --starts 48 --num_modes 2
check 'all over the surface, too' all exited 0 -- found
run "$BERTH" prep receptor turned.pdb --out turned.brec
boxed() {
    # shellcheck disable=SC2086
    dock --ligand turned.brec --scores - $about --rotation_spacing 60 --starts 8 --num_modes 1
}
run boxed
cp stdout first.csv
check 'a prepared ligand, in a box' all exited 0 -- lines stdout 2 -- \
    awk '/^ATOM/ && substr($0, 22, 1) == "B" { x += substr($0, 31, 8); y += substr($0, 39, 8); z += substr($0, 47, 8); n++ }
        END { exit !(n == 758 && (x / n - 17.5) ^ 2 <= 36 && (y / n - 17.4) ^ 2 <= 36 && (z / n - 17.6) ^ 2 <= 36) }' poses.pdb
run boxed
check 'the same seed gives the same' all exited 0 -- same stdout first.csv

sed 's/^\(ATOM.\{17\}\)B/\1A/' turned.pdb >twin.pdb
run dock --ligand twin.pdb --rotation_spacing 60 --starts 8 --num_modes 1
check 'a chain that both have' all exited 0 -- [ "$(grep -c '^ATOM.\{17\}A' poses.pdb)" -eq 758 ] -- \
    [ "$(grep -c '^ATOM.\{17\}B' poses.pdb)" -eq 758 ] -- grep -qx 'REMARK   6 CHAIN A OF LIGAND IS B' poses.pdb

not_docked() { # NAME FACT ARGUMENT...
    name=$1 fact=$2
    shift 2
    run dock "$@"
    check "$name" all exited 1 -- said "$name" "$fact"
}
printf 'CCO ethanol\n' >drugs.smi
not_docked 'SMILES is no protein' drugs.smi --ligand drugs.smi
head -n 20 B.pdb >small.pdb
run dock
check 'and no ligand, which is not cut out as a protein' all exited 1 -- said 'and no ligand, which is not cut out as a protein'
not_docked 'nor are a few residues' --protein --ligand small.pdb
not_docked 'another search' 'with protein' --ligand B.pdb --search fast
run "$BERTH" dock --receptor A.pdb,B.pdb --ligand turned.pdb --protein --out poses.pdb
check 'two receptors' all exited 1 -- holds stderr 'A.pdb,B.pdb'
head -n 700 B.pdb >part.pdb
not_docked 'a reference of another protein' part.pdb --ligand turned.pdb --reference part.pdb
run "$BERTH" dock --receptor A.pdb --ligand B.pdb --protein --out poses.sdf
check 'poses that are no PDB' all exited 1 -- said 'poses that are no PDB' poses.sdf

run "$BERTH" dock --receptor A.pdb --ligand drugs.smi --starts 4 --out poses.sdf
check 'its options without it' all exited 1 -- said 'its options without it'

finish
