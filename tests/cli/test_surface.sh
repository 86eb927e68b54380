#!/bin/sh
# --site surface: a ligand over the whole receptor of the demo, whose known site comes out first; the files beside
# the poses; several ligands; what is refused.
. tests/cli/lib.sh
receptor="--receptor $root/data/demo/1hpv_receptor.mol2"
search="--search fast --generations 3 --refine_evaluations 60 --batch_limit 86400"

# Two ligands of other names, and one that is none.
sed 's/^amprenavir.*/second/' demo/1hpv_ligand_turned.mol2 >second.mol2
awk 'BEGIN {
    print "@<TRIPOS>MOLECULE\nchain\n1001 1000\nSMALL\nNO_CHARGES\n@<TRIPOS>ATOM"
    for (i = 1; i <= 1001; i++) print i, "C" i, 1.25 * i, 0.8 * (i % 2), 0, "C.3"
    print "@<TRIPOS>BOND"
    for (i = 1; i < 1001; i++) print i, i, i + 1, 1
}' >chain.mol2
cat demo/1hpv_ligand_turned.mol2 second.mol2 chain.mol2 >several.mol2

# shellcheck disable=SC2086
scan() { # OUT OPTIONS...
    scan_out=$1
    shift
    "$BERTH" dock $receptor --reference demo/1hpv_ligand.mol2 --site surface $search --out "$scan_out.sdf" \
        --scores "$scan_out.csv" "$@"
}

mkdir one
run scan one/poses --ligand demo/1hpv_ligand_turned.mol2 --num_modes 4
check 'one ligand over the whole receptor' exited 0
mv one/poses.csv one/scores.csv
cp stdout one/stdout
near() { awk -F, 'FNR == 2 { d = ($7 - 10.0) ^ 2 + ($8 - 16.2) ^ 2 + ($9 - 8.6) ^ 2 } END { exit !(NR > 1 && d <= 16) }' "$1"; }
check 'the known site comes first' near one/poses.pockets.csv
# The table: ranks, falling scores, shares of all poses; the modes are its pockets.
check 'a row a pocket' [ "$(head -n 1 one/poses.pockets.csv)" = \
    ligand,pocket,score,energy,poses,share,center_x,center_y,center_z,size_x,size_y,size_z,residues ]
sound() {
    awk -F, 'FNR > 1 {
            if ($1 != "amprenavir" || $2 != ++n || $3 < last || $5 < 1 || $6 <= 0 || $6 > 1 || $13 !~ /[A-Z]+[0-9]+/) exit 1
            last = $3
            for (k = 10; k <= 12; k++) if ($k < 8 || $k > 30) exit 1
            share += $6
        }
        BEGIN { last = -1e9 } END { exit !(n == 4 && share <= 1) }' "$1"
}
check 'in order' sound one/poses.pockets.csv
columns one/scores.csv score >modes
columns one/poses.pockets.csv score >pockets
check 'modes are the best poses of pockets' same modes pockets
check 'which are printed, and what it takes' all holds one/stdout '155 searches in 1 part' -- holds one/stdout '     1 '

# The points: a line a pose, in the columns of a PDB file, whose pockets and shares are those of the table.
points() { # POINTS TABLE
    awk 'FILENAME == ARGV[1] { split($0, field, ","); score[field[2]] = field[3]; poses[field[2]] = field[5]; share[field[2]] = field[6]; next }
        /^HETATM/ {
            pocket = substr($0, 23, 4) + 0
            if (length($0) != 78 || substr($0, 13, 9) != " C   PKT " "" || substr($0, 22, 1) != "A") exit 1
            if (substr($0, 31, 8) == "" || substr($0, 31, 24) ~ /[^-0-9. ]/) exit 1
            if (pocket in share && pocket != "pocket" && (share[pocket] - substr($0, 55, 6)) ^ 2 > 0.0001) exit 1
            if (!(pocket in best)) best[pocket] = substr($0, 61, 6) + 0
            count[pocket]++
            n++
        }
        END {
            for (p = 1; p <= 4; p++) if (count[p] != poses[p] || (best[p] - score[p]) ^ 2 > 0.0001) exit 1
            exit !(n > 100 && $0 == "END")
        }' "$2" "$1"
}
check 'the points of all poses' points one/poses.pockets.pdb one/poses.pockets.csv

slice docking 'several ligands, a receptor in parts, what is refused'
# Neither the devices nor the batch nor the neighbours of a ligand show; a bad one is a row of the failures.
POCL_DEVICES='pthread pthread'
export POCL_DEVICES
run "$BERTH" devices
devices=
[ "$(grep -c pthread stdout)" -lt 2 ] || devices='--device all'
# shellcheck disable=SC2086
run scan several --ligand several.mol2 --num_modes 4 --batch 37 $devices
unset POCL_DEVICES
check 'several ligands, of which one is too large' all exited 2 -- said 'a ligand that is too large' 'failed: ' -- \
    holds stdout '2 ligands agree'
grep -v '^second' several.pockets.csv >first
check 'the first one as it is alone, in any batch, by two devices as by one' same first one/poses.pockets.csv
awk '/^HETATM/ && substr($0, 22, 1) == "A" || !/^HETATM/' several.pockets.pdb >first
check 'and its points' same first one/poses.pockets.pdb
# The other has another name, and so other random numbers: they agree on the known site all the same.
agree() { awk -F, 'FNR == 2 { exit !($1 == 1 && $2 == 2 && $3 == 1 && ($6 - 10.0) ^ 2 + ($7 - 16.2) ^ 2 + ($8 - 8.6) ^ 2 <= 16) }' "$1"; }
check 'where they agree' agree several.agreed.csv

run "$BERTH" report one $receptor
check 'the page has the pockets' all exited 0 -- holds one/report.html '"pockets":{"columns":["ligand","pocket","score"' -- \
    holds one/report.html '"agreed":{"columns":["pocket","ligands"'

# A receptor that is too large for one set of maps: two copies, whose sites are both found; poses of both parts
# stand where their energies say.
awk 'FNR == 1 { section = "" }
    /^@/ { section = $1; if (section !~ /BOND|SUBSTRUCTURE/) print; next }
    section ~ /MOLECULE/ && ++line == 2 { print 2 * $1, 0, 0, 0, 0; next }
    section !~ /ATOM/ { if (section !~ /BOND|SUBSTRUCTURE/) print; next }
    { atom[++n] = $0; print }
    END { for (i = 1; i <= n; i++) { $0 = atom[i]; print n + i, $2, $3 + 150, $4, $5, $6, $7 + 1000, $8 } }' \
    demo/1hpv_receptor.mol2 >two.mol2
# shellcheck disable=SC2086
run "$BERTH" dock --receptor two.mol2 --ligand demo/1hpv_ligand_turned.mol2 --site surface $search --num_modes 3 \
    --out two.poses.mol2 --scores two.csv
check 'a receptor in parts' all exited 0 -- lines two.poses.pockets.csv 4
both() {
    awk -F, 'FNR > 1 { d = ($8 - 16.2) ^ 2 + ($9 - 8.6) ^ 2; one += ($7 - 10) ^ 2 + d <= 16; other += ($7 - 160) ^ 2 + d <= 16 }
        END { exit !(one == 1 && other == 1) }' "$1"
}
check 'has both sites' both two.poses.pockets.csv
run "$BERTH" score --receptor two.mol2 --ligand two.poses.mol2 --out two.scored.csv
columns two.csv energy >docked
columns two.scored.csv energy >scored
close() { paste "$1" "$2" | awk 'NF != 2 || ($1 - $2) ^ 2 > 0.0004 { exit 1 } END { exit NR != 3 }'; }
check 'and poses with the energies of where they stand' all exited 0 -- close docked scored
columns two.csv clash >clashes
check 'which clash with neither' awk '$1 > 1 { exit 1 }' clashes

# shellcheck disable=SC2086
dock() { "$BERTH" dock ${two:-$receptor} --ligand demo/1hpv_ligand_turned.mol2 --out out/x.sdf --site "$@"; }
refused 'no such site' dock scan
refused 'and a box' dock surface --center_x 3 --center_y 3 --center_z 3 --size_x 9 --size_y 9 --size_z 9
refused_too 'and a box about a ligand' 'a whole surface' dock surface --autobox_ligand demo/1hpv_ligand.mol2
refused 'and an RMSD' dock surface --min_rmsd 2
refused 'a rigid search' dock surface --search published
refused 'an output over another' dock surface --scores out/x.pockets.csv
two="--receptor demo/1hpv_receptor.mol2,demo/1hpv_ligand.mol2"
refused 'two receptors' dock surface
finish
