#!/bin/sh
# Predicted structures: how sure they are of each residue (pLDDT), which B factors are that, and --min_plddt.
. tests/cli/lib.sh

prep() { "$BERTH" prep receptor "$@" --overwrite; }

# helix HEADER FACTOR FILE: 40 alanines, one behind the other, in a line of 3.8 Å a residue; FACTOR is awk's expression
# of the B factor, of the residue's number (r) and the atom's (i).
helix() {
    {
        [ -z "$1" ] || printf '%b\n' "$1"
        awk 'BEGIN {
            split("N CA C O CB", name, " ")
            split("0 1.45 2.4 2.4 1.45", x, " "); split("0 0 0.6 1.8 -1", y, " "); split("0 0 0 0 1.1", z, " ")
            for (r = 1; r <= 40; r++)
                for (i = 1; i <= 5; i++)
                    printf "ATOM  %5d  %-3s ALA A%4d    %8.3f%8.3f%8.3f  1.00%6s           %s\n", ++n, name[i], r, \
                        x[i] + 3.8 * r, y[i], z[i], sprintf("%.2f", '"$2"'), substr(name[i], 1, 1)
            print "END"
        }'
    } >"$3"
}
alphafold='TITLE     ALPHAFOLD MONOMER V2.0 PREDICTION FOR ANYTHING\nCRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1'
# From 40 at the chain's beginning to 98 at its end; 69.7 is residue 12's.
rising='r < 20 ? 40 + 2.7 * (r - 1) : 95 + 0.15 * (r - 20)'
box='--center_x 40 --center_y 0 --center_z 4 --size_x 6 --size_y 6 --size_z 6'

# --- What is known, and what is said of it ---

helix "$alphafold" "$rising" model.pdb
# shellcheck disable=SC2086
run prep model.pdb --out x.brec $box
check 'residues of little confidence at the site are named, the nearest first' all exited 0 -- said 'a model with a site' 'ALA A:10' 'min_plddt'
check 'and of how many the whole model has little' holds stderr '12 are below 70, 4 of them below 50'
run prep model.pdb --out x.brec
check 'without a site the whole model counts' all exited 0 -- said 'a model without a site' 'below 70' -- lacks stderr warning
# shellcheck disable=SC2086
run prep model.pdb --out x.brec --min_plddt 60 --mol2 x.mol2 $box
check 'min_plddt leaves them out, and names those at the site' all exited 0 -- said 'min_plddt' 'left out, pLDDT below 60'
check 'which are not in the receptor' [ "$(awk '$1 == "@<TRIPOS>SUBSTRUCTURE" { on = 1; next } on && NF { print $2; exit }' x.mol2)" = ALA9 ]
run prep model.pdb --out x.brec --min_plddt 30
check 'or says that there were none' all exited 0 -- said 'none left out' 'left out, pLDDT below 30'
run prep model.pdb --out y.brec --min_plddt 99
check 'a model of which nothing would be left is refused' all exited 1 -- said 'nothing left' '--min_plddt' -- absent y.brec
for value in 0 0.7 101 nan -5 1e999 high; do
    run prep model.pdb --out y.brec --min_plddt $value
    check "min_plddt $value is refused" all exited 1 -- said "min_plddt $value" '--min_plddt' -- absent y.brec
done
# shellcheck disable=SC2086
run "$BERTH" dock --receptor model.pdb $box --ligand demo/1hpv_ligand.mol2 --search rigid_fast --poses 64 --generations 1 --scoring vina --out x.sdf
check 'dock says it of a model that it reads itself' all exited 0 -- holds stderr 'pLDDT below 70' -- holds stderr 'ALA A:10'

# --- Which files have pLDDT ---

# model NAME TEXT: is one, and is said to be by TEXT.
model() {
    run prep "$2" --out x.brec --min_plddt 30
    check "$1 is a model" all exited 0 -- said "$1" "$3"
}
# other NAME FILE TEXT: is none, and why.
other() {
    run prep "$2" --out x.brec
    check "$1: nothing is said of pLDDT" all exited 0 -- lacks stderr pLDDT
    run prep "$2" --out x.brec --min_plddt 30
    check "$1: it is none for min_plddt" all exited 1 -- said "$1" "$3"
}
sure='95 + 0.1 * r - (r < 4 ? 30 : 0)'
helix 'TITLE     ESMFOLD V1 PREDICTION FOR INPUT' "($rising) / 100" esm.pdb
model 'ESMFold from 0 to 1' esm.pdb 'from 0 to 1 in the file'
for program in ColabFold Boltz-2 Chai-1; do
    helix "REMARK   1 MADE BY $program" "$rising - i" program.pdb
    model "$program, each atom by itself" program.pdb "${program%-*}"
done
helix 'EXPDTA    THEORETICAL MODEL' "$sure" theoretical.pdb
model 'a theoretical model with one for a residue' theoretical.pdb 'one B factor for each residue'
helix 'EXPDTA    THEORETICAL MODEL, MODELLER 9.25' "$sure" modeller.pdb
model 'one of a program that berth does not know' modeller.pdb 'one B factor for each residue'
helix '' "$sure" bare.pdb
model 'one without a header, by its B factors' bare.pdb 'probably predicted'
helix 'EXPDTA    THEORETICAL MODEL' "$sure - i" homology.pdb
other 'a theoretical model with others' homology.pdb 'several B factors'
helix 'EXPDTA    X-RAY DIFFRACTION\nREMARK   3  STARTING MODEL: ALPHAFOLD' "$sure" replaced.pdb
other 'a crystal that a model helped to solve' replaced.pdb 'experiment'
helix 'CRYST1   61.160   68.462   75.697  90.00  90.00  90.00 P 21 21 21    4' "$sure" cell.pdb
other 'a crystal without other headers' cell.pdb 'cell'
helix '' "$sure - 2 * i" atoms.pdb
other 'B factors that differ in a residue' atoms.pdb 'does not say'
helix '' '15 + 50 * exp(-r / 9)' grouped.pdb
other 'one B factor for a residue, as crystals have it' grouped.pdb 'does not say'
helix 'COMPND    2 CHAIN: A;\nAUTHOR    J.CHAI,L.BOLTZMANN' "$sure - i" names.pdb
other 'words and names that programs are in' names.pdb 'does not say'
{ grep -v END bare.pdb; echo 'HETATM  201  O   HOH A 301       0.000   9.000   9.000  1.00 70.00           O'; } >wet.pdb
other 'one with waters' wet.pdb 'does not say'
other 'Mol2' demo/1hpv_receptor.mol2 'all the same'

# --- B factors that cannot be pLDDT ---

# impossible NAME FACTOR: of a model, by its header.
impossible() {
    helix "$alphafold" "$2" impossible.pdb
    run prep impossible.pdb --out x.brec
    check "$1: a warning says that nothing is known" all exited 0 -- said "$1" 'not how surely'
    run prep impossible.pdb --out x.brec --min_plddt 50
    check "$1: min_plddt is refused" exited 1
}
impossible 'a negative one' 'r == 7 ? -3 : 90 + r / 10'
impossible 'a huge one' 'r == 7 && i == 2 ? 999.99 : 90 + r / 10'
impossible 'one that is 0' 'r == 7 ? 0 : 90 + r / 10'
impossible 'all alike' 80
helix "$alphafold" "$rising" numbers.pdb
sed '/ALA A   7/s/ 1\.00 *[0-9.]*/ 1.00   nan/' numbers.pdb >nan.pdb
run prep nan.pdb --out x.brec
check 'one that is no number' all exited 0 -- said 'no number' 'not how surely'

# --- mmCIF ---

awk '/^ATOM/ { print $1, $2, substr($3, 1, 1), $3, $4, $5, $6, $7, $8, $9, substr($0, 61, 6) + 0 }' model.pdb >rows
# cif CATEGORIES: said.cif, of these rows, and of what else it says.
cif() {
    {
        printf 'data_any\n%b\nloop_\n' "$1"
        printf '_atom_site.%s\n' group_PDB id type_symbol label_atom_id label_comp_id auth_asym_id label_seq_id Cartn_x Cartn_y Cartn_z \
            B_iso_or_equiv
        cat rows
    } >said.cif
}
cif 'loop_\n_ma_qa_metric.id\n_ma_qa_metric.name\n_ma_qa_metric.type\n1 global pLDDT\n2 local pLDDT'
model 'ModelCIF with pLDDT' said.cif 'predicted, as the file says'
cif '_software.name AlphaFold'
model 'mmCIF that names a program' said.cif 'AlphaFold'
cif "_exptl.method 'X-RAY DIFFRACTION'\n_pdbx_initial_refinement_model.source_name AlphaFold"
other 'mmCIF of an experiment' said.cif 'experiment'
cif "_cell.length_a 45.1\n_citation_author.name 'Chai, J.'"
other 'mmCIF with a cell, and an author' said.cif 'cell'

# --- Real ones ---

if [ -n "$reference" ] && [ -e "$reference/structures/alphafold_crabp2.cif.gz" ]; then
    for file in "$reference"/structures/*.gz; do
        run prep "$file" --out x.brec --drop hetero
        holds stderr pLDDT && basename "$file"
    done >given
    echo alphafold_crabp2.cif.gz >wanted
    check 'of entries of the PDB none is a model, and the model is' same wanted given
    run prep "$reference/structures/alphafold_crabp2.cif.gz" --out scan.brec --site scan --min_plddt 90
    check 'AlphaFold DB says 3 residues of CRABP2 below 90' all exited 0 -- holds stderr 'pLDDT below 90  3 residues'
else
    skip 'of entries of the PDB none is a model, and the model is' 'no reference data'
    skip 'AlphaFold DB says 3 residues of CRABP2 below 90' 'no reference data'
fi
finish
