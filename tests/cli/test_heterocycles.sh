#!/bin/sh
# Mol2 of heterocycles, which RDKit must read as what they are: built, and cut out of a PDB file.
. tests/cli/lib.sh

need_rdkit 'Mol2 of heterocycles'
list=$root/tests/fixtures/chemistry/heterocycles.smi

read_mol2() { "$python" -B "$root/tests/chemistry/read_mol2.py" "$@"; }
write() { # NAME INPUT OPTIONS...: NAME.mol2 and NAME.sdf
    write_name=$1
    shift
    "$BERTH" prep ligands "$@" --out "$write_name.blib" --failures "$write_name.csv" --keep_protonation --conformers 1 \
        --jobs 2 --overwrite && "$BERTH" lib get "$write_name.blib" --out "$write_name.mol2" &&
        "$BERTH" lib get "$write_name.blib" --out "$write_name.sdf"
}

for builder in fragments rdkit; do
    run write "$builder" "$list" --builder "$builder"
    check "built by $builder: RDKit reads what it was" all exited 0 -- read_mol2 "$list" "$builder.mol2"
done

if ! command -v obabel >/dev/null; then
    skip 'out of PDB' 'Open Babel is not installed'
    finish
fi

# Heavy atoms alone, by bonds that berth perceives; which of quinazolinone's nitrogens has the hydrogen they do not say.
cut='uracil thymine cytosine caffeine coumarin chromone xanthone acridone pyridazinone pyridone2
    thiopyridone quinolinone'
: >cut.smi
for name in $cut; do
    "$BERTH" lib get rdkit.blib "$name" --out "$name.mol2"
    awk '/@/ { atoms = /ATOM/ } atoms && NF > 6 && $6 != "H" {
        element = substr($6, 1, 1)
        printf "HETATM%5d  %s%-2d TNK A   1    %8.3f%8.3f%8.3f  1.00  0.00           %s\n", $1, element, $1, $3, $4, $5, element
    }' "$name.mol2" >"$name.pdb"
    grep " $name\$" "$list" | sed 's/$/.pdb/' >>cut.smi
done
run write cut ./*.pdb
sed -i 's|^\./||' cut.mol2
check 'out of PDB' all exited 0 -- read_mol2 cut.smi cut.mol2

# A reference that is cut out of a complex.
printf 'ATOM      1  CA  ALA A   9      20.000  20.000  20.000  1.00  0.00           C\n' | cat - caffeine.pdb >complex.pdb
grep caffeine "$list" | sed 's/caffeine/TNK/' >reference.smi
for smiles in '' 'Cn1cnc2c1c(=O)n(C)c(=O)n2C'; do
    run "$BERTH" prep receptor complex.pdb --out x.brec --ligand_id TNK --reference known.mol2 --overwrite \
        ${smiles:+--ligand_smiles "$smiles"}
    check "a reference${smiles:+ by its SMILES}" all exited 0 -- read_mol2 reference.smi known.mol2
done

finish
