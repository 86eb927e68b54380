#!/bin/sh
# Open coordination sites of metals: one draws the one donor of a ligand, --metal_sites off and places of restraints
# leave it out, a screen's journal keeps it, and receptors without metals are docked as if nothing knew of them.
. tests/cli/lib.sh

# Zinc at the origin with three nitrogens, 105 degrees apart, and a wall of carbons behind these: the open vertex is at
# (0, 0, 2.03) for nitrogen.
awk 'function atom(name, type, x, y, z) {
        n++
        rows[n] = sprintf("%d %s %.4f %.4f %.4f %s 1 SITE1", n, name, x, y, z, type)
    }
    BEGIN {
        pi = atan2(0, -1)
        atom("ZN", "Zn", 0, 0, 0)
        for (i = 0; i < 3; i++) {
            a = 2 * pi * i / 3
            atom("N" i, "N.ar", 1.93 * cos(a), 1.93 * sin(a), -0.73)
        }
        for (x = -6; x <= 6; x += 3) for (y = -6; y <= 6; y += 3) atom("C" n, "C.3", x, y, -4.5)
        printf "@<TRIPOS>MOLECULE\nsite\n%d 0 1\nPROTEIN\nNO_CHARGES\n@<TRIPOS>ATOM\n", n
        for (i = 1; i <= n; i++) print rows[i]
    }' >zinc.mol2
sed 's/^1 ZN .*/1 CQ 0.0000 0.0000 0.0000 C.3 1 SITE1/' zinc.mol2 >none.mol2
printf 'NCCCc1ccccc1 amine\nc1ccccc1CCC phenyl\n' >two.smi
"$BERTH" prep ligands two.smi --out two.blib --keep_protonation >/dev/null 2>&1
head -n 1 two.smi >one.smi
"$BERTH" prep ligands one.smi --out one.blib --keep_protonation >/dev/null 2>&1
ligands=two.blib
sites=on

dock() { # RECEPTOR OUT OPTIONS...
    dock_receptor=$1 dock_out=$2
    shift 2
    "$BERTH" dock --receptor "$dock_receptor" --ligand "$ligands" --center_x 0 --center_y 0 --center_z 3 --size_x 8 --size_y 8 \
        --size_z 8 --scoring vina --search fast --poses 96 --generations 4 --num_modes 1 --out "$dock_out.sdf" \
        --scores "$dock_out.csv" --metal_sites "$sites" --verbose "$@"
}
run dock zinc.mol2 on
columns on.csv ligand restraint_1 coordination >found
check 'an open site draws a donor' all exited 0 -- \
    awk -F , '$1 == "amine" && $2 <= 1 && $3 < -1 { good = 1 } END { exit !good }' found
ligands=one.blib
run dock zinc.mol2 one
check 'the score is said to have it' said coordination 'are worth'
check 'it is said to be met' grep -q 'restraint 1 .* 0.* Å: .* SITE1' stdout
columns one.csv restraint coordination >worth
check 'what it is worth is coordination, and no cost of a restraint' awk -F , '$1 != "" || $2 >= -1 { exit 1 }' worth
columns one.csv metal_1 metal_2 >near
check 'how near the metal the first and the second donor are is in each row' awk -F , '
    !($1 > 1.5 && $1 < 2.8) || ($2 != "" && $2 < $1) { bad = 1 } END { exit bad || !NR }' near
check 'and in no row where there is no metal' lacks none.csv metal_1
for site in zinc none; do
    run "$BERTH" score --receptor $site.mol2 --ligand one.sdf --rank energy --out -
    cp stderr $site.said
done
check 'score says that its rankings lack it, where there is a metal' all holds zinc.said coordination -- \
    lacks none.said coordination
run "$BERTH" interactions --receptor zinc.mol2 --poses one.sdf --out held.csv --view chimerax
check 'a viewer draws what the metal holds' all exited 0 -- grep -q 'color mediumpurple name "metal, [0-9.]* A"' held.cxc
# Acids that are neutral in water and anions on a metal; one of carbon, an ester and a secondary amide are not meant.
printf '%s\n' 'CC(=O)NO hydroxamate' 'CCCO alcohol' 'CCCS thiol' 'CCS ethanethiol' 'CS(N)(=O)=O amide' 'CC(=O)NOC ester' \
    'CS(=O)(=O)NC secondary' >acids.smi
printf '%s\n' 'CC(=O)N[O-] hydroxamate' 'CCC[S-] thiol' 'CS([NH-])(=O)=O amide' >anions.smi
for ligands in acids anions; do
    "$BERTH" prep ligands $ligands.smi --out $ligands.blib --keep_protonation >/dev/null 2>&1
done
ligands=acids.blib
run dock zinc.mol2 acids
check 'acids that lose their proton to a metal are warned of' all exited 0 -- \
    said 'acids that lose their proton to a metal are warned of'
columns acids.csv ligand metal_1 metal_2 coordination restraint_1 restraint_2 >held
check 'both oxygens of a hydroxamate bind zinc, at the one vertex that is open, and are worth two donors' awk -F, '
    $1 == "hydroxamate" { found = $2 < 2.6 && $3 < 2.6 && $4 < -5 && $5 == $6 && $5 < 0.6 }
    $1 != "hydroxamate" && $6 != "" { bad = 1 }
    END { exit bad || !found }' held
run dock none.mol2 acids
check 'but where there is no metal' all exited 0 -- silent
sites=off
run dock zinc.mol2 acids
sites=on
check 'or its sites do not count' all exited 0 -- silent
ligands=anions.blib
run dock zinc.mol2 anions
check 'and anions are not' all exited 0 -- silent
tail -n 1 two.smi >one.smi
"$BERTH" prep ligands one.smi --out apart.blib --keep_protonation >/dev/null 2>&1
ligands=apart.blib
run dock zinc.mol2 apart
check 'of a ligand without donors that it does not apply' said 'a ligand without donors' 'restraint 1'
printf 'ligator to 0 0 18 radius 0.5\n' >far.txt
run "$BERTH" dock --receptor zinc.mol2 --ligand one.blib --center_x 0 --center_y 0 --center_z 12 --size_x 8 --size_y 8 --size_z 15 \
    --scoring vina --search fast --poses 96 --generations 4 --num_modes 1 --restraints far.txt --out far.sdf --scores far.csv --verbose
check 'nor one that is far from the pose' all exited 0 -- holds stdout 'restraint 1: met' -- \
    grep -q 'restraint 2 .*, 1[0-9.]* Å: .* SITE1' stdout
run env BERTH_PYTHON=/bin/false "$BERTH" report far.sdf --view chimerax
check 'which the page and the viewer say, too' all exited 0 -- grep -q '"restraints":\[\[[0-9.]*,true\],\[1[0-9.]*,null\]' far.html -- \
    holds far.cxc 'restraint 1, ' -- lacks far.cxc 'restraint 2, '
ligands=two.blib
check 'a ligand without donors is docked as ever' awk -F , '$1 == "phenyl" && $2 == "" && $3 == 0 { good = 1 } END { exit !good }' found
columns on.csv unmet >unmet
check 'the site is wished, not required' awk '$1 != 0 { exit 1 }' unmet
sites=off
run dock zinc.mol2 off
sites=on
check 'there may be none' all exited 0 -- lacks off.csv coordination -- lacks stdout 'open site'
printf 'ligator to 0 0 2 radius 0.5\n' >said.txt
run dock zinc.mol2 said --restraints said.txt
check 'a place near the metal stands for it, which scores then lack' all exited 0 -- lacks stdout 'open site' -- \
    lacks said.csv coordination -- said 'a place near the metal' SITE1
sites=off
run dock zinc.mol2 off --restraints said.txt
sites=on
check 'no matter where no sites are asked for' all exited 0 -- lacks stderr 'open sites'
run "$BERTH" dock --receptor zinc.mol2 --ligand two.blib --center_x 0 --center_y 0 --center_z 3 --size_x 8 --size_y 8 --size_z 8 \
    --scoring vina --search fast --poses 96 --generations 4 --num_modes 1 --out usual.sdf --scores usual.csv
check 'by default there are' all exited 0 -- same on.csv usual.csv
sites=maybe
run dock zinc.mol2 bad
check 'on or off' all exited 1 -- holds stderr 'metal_sites'

sites=on
run dock none.mol2 none
sites=off
run dock none.mol2 none_off
sites=on
check 'without metals nothing changes' all same none.csv none_off.csv -- same none.sdf none_off.sdf

slice preparation 'screens and shards'

screen() { # OUT OPTIONS...
    screen_out=$1
    shift
    "$BERTH" screen --receptor zinc.mol2 --library two.blib --center_x 0 --center_y 0 --center_z 3 --size_x 8 --size_y 8 \
        --size_z 8 --scoring vina --search fast --poses 96 --generations 4 --metal_sites "$sites" --out "$screen_out" "$@"
}
run screen whole
check 'a screen takes it' all exited 0 -- holds whole/scores.csv ',coordination,'
run screen bound --restraints said.txt
check 'or says that a restraint takes its place' all exited 0 -- holds stderr SITE1
run screen ranked --rank vina
check 'and ranks ligands by it, too' all exited 0 -- awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["ranking"] != "" { off = $c["ranking"] - $c["energy"] - $c["coordination"]; sites += $c["coordination"] < -1 }
    off > 0.0003 || off < -0.0003 { bad = 1 }
    END { exit bad || !sites }' ranked/scores.csv
run "$BERTH" merge ranked --out again --rank vina
check 'as merge does' all exited 0 -- same ranked/scores.csv again/scores.csv
run screen sized --rank 'vina / heavy_atoms^0.25'
run "$BERTH" merge sized --out again --rank 'vina / heavy_atoms^0.25'
check 'and by size as well, both alike' all exited 0 -- same sized/scores.csv again/scores.csv
echo amine >actives.txt
run "$BERTH" eval screen ranked --actives actives.txt --column energy
check 'eval screen says that a column is without it' all exited 0 -- said 'a column without coordination' 'is without'
run "$BERTH" eval screen ranked --actives actives.txt --column score
check 'the score is not' all exited 0 -- lacks stdout 'is without'
for shard in 1 2; do
    screen "part$shard" --shard "$shard/2" >/dev/null 2>&1
done
run "$BERTH" merge part1 part2 --out joined
check 'shards join to it' all exited 0 -- same whole/scores.csv joined/scores.csv
sites=off
run screen whole --resume
check 'a screen with sites is not gone on with without' exited 1

finish
