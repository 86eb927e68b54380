#!/bin/sh
# What users have at hand goes into dock, screen and score as it would by way of prep: receptors,
# references, poses, ligands.
. tests/cli/lib.sh

crystal=demo/1hpv_ligand.mol2
site="--autobox_ligand $crystal"

# to_pdb FILE.mol2: its atoms as PDB, with a water and a sulfate behind them.
to_pdb() {
    awk '
        /^@/ { atom = /ATOM/; next }
        !atom || NF < 8 { next }
        {
            name = length($2) < 4 ? " " $2 : $2
            last = substr($8, 4)
            printf "ATOM  %5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n",
                $1, name, substr($8, 1, 3), last, $3, $4, $5, substr($2, 1, 1)
        }
        END {
            f = "HETATM%5d %-4s %3s A%4d    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n"
            printf f, 9001, " O", "HOH", 901, 10, 16, 9, "O"
            printf f, 9002, " S", "SO4", 902, 12, 18, 9, "S"
            printf f, 9003, " O1", "SO4", 902, 13.4, 18, 9, "O"
        }' "$1"
}

to_pdb demo/1hpv_receptor.mol2 >receptor.pdb
gzip -c receptor.pdb >receptor.ent.gz
run "$BERTH" prep receptor receptor.pdb --out receptor.brec
check 'a receptor is prepared' all exited 0 -- holds stderr 'left out, waters: 1 HOH'

dock() { "$BERTH" dock --poses 256 --generations 2 --hops 0 "$@"; }

# The same from a .brec and from what it was made of.
run dock --receptor receptor.brec --ligand $crystal $site --out prepared.sdf --scores prepared.csv
check 'docked into the .brec' exited 0
for receptor in receptor.pdb receptor.ent.gz; do
    run dock --receptor $receptor --ligand $crystal $site --out direct.sdf --scores direct.csv
    check "docked into $receptor: the same bytes, and what was left out is said" \
        all exited 0 -- same prepared.sdf direct.sdf -- same prepared.csv direct.csv -- \
        holds stderr 'left out, waters: 1 HOH' -- \
        holds stderr "$receptor: prepared as \`berth prep receptor\` does"
done
run "$BERTH" score --receptor receptor.brec --ligand $crystal --out prepared.csv
run "$BERTH" score --receptor receptor.pdb --ligand $crystal --out direct.csv
check 'score takes it, too' all exited 0 -- same prepared.csv direct.csv
run "$BERTH" prep ligands $crystal --out crystal.blib
run "$BERTH" screen --receptor receptor.brec --library crystal.blib $site --out prepared --search fast
run "$BERTH" screen --receptor receptor.pdb --library crystal.blib $site --out direct --search fast
check 'and so does screen' all exited 0 -- same prepared/scores.csv direct/scores.csv
grep -e HOH receptor.pdb >water.pdb
run dock --receptor water.pdb --ligand $crystal $site --out none.sdf
check 'what is no receptor, and who says so' all exited 1 -- holds stderr \
    'preparing the receptor as `berth prep receptor` does: water.pdb: nothing is left of the receptor'

# References: the same molecule in other formats has the same RMSDs.
turned=demo/1hpv_ligand_turned.mol2
awk '/^@/ { atom = /ATOM/; next }
    atom && NF > 5 && $6 != "H" {
        split($6, type, ".")
        printf "HETATM%5d %4s LIG B   1    %8.3f%8.3f%8.3f  1.00 10.00          %2s\n", $1, $2, $3, $4, $5, type[1]
    }' $crystal >known.pdb
run dock --receptor receptor.brec --ligand $turned $site --reference $crystal --out poses.sdf --scores wanted.csv
check 'RMSDs to Mol2' all exited 0 -- awk -F, '$8 == "" { exit 1 }' wanted.csv
# rmsds_agree FILE FILE: but for rounding of the coordinates
rmsds_agree() {
    paste -d, "$1" "$2" | awk -F, 'NR > 1 { d = $8 - $19; if ($8 == "" || $19 == "" || d > 0.002 || d < -0.002) exit 1 }
        END { exit NR < 2 }'
}
run dock --receptor receptor.brec --ligand $turned $site --reference known.pdb --out poses.sdf --scores given.csv
check 'the same RMSDs to PDB' all exited 0 -- rmsds_agree wanted.csv given.csv
if command -v obabel >/dev/null; then
    obabel -imol2 $crystal -osdf -O known.sdf 2>/dev/null
    run dock --receptor receptor.brec --ligand $turned $site --reference known.sdf --out poses.sdf --scores given.csv
    check 'and to SDF' all exited 0 -- rmsds_agree wanted.csv given.csv
else
    skip 'and to SDF' 'obabel is not installed'
fi
sed 1d known.pdb >short.pdb
run dock --receptor receptor.brec --ligand $turned $site --reference short.pdb --out poses.sdf
check 'a reference that is another molecule' all exited 0 -- holds stderr \
    'no RMSD for 1 of 1 ligands: the reference short.pdb (34 heavy atoms) has other atoms or bonds'

finish
