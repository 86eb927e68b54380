#!/bin/sh
# Waters that a ligand may displace: receptor files with and without them, docked to together, and
# what displacing them costs.
. tests/cli/lib.sh

# Two residues with a water between them and an ethanol, a second water at the ethanol, one far away.
awk 'function atom(record, name, residue, number, x, y, z, element) {
        printf "%-6s%5d  %-3s %3s A%4d    %8.3f%8.3f%8.3f  1.00 20.00           %s\n", record, ++n, name, residue, number, x, y, z, element
    }
    BEGIN {
        atom("ATOM", "N", "GLY", 1, 2.9, 0, 0, "N"); atom("ATOM", "CA", "GLY", 1, 4.3, 0.3, 0, "C")
        atom("ATOM", "C", "GLY", 1, 4.9, 1.7, 0, "C"); atom("ATOM", "O", "GLY", 1, 4.2, 2.7, 0, "O")
        atom("ATOM", "N", "GLY", 9, -4.2, 2.4, 0, "N"); atom("ATOM", "CA", "GLY", 9, -3.5, 3.6, 0, "C")
        atom("ATOM", "C", "GLY", 9, -2, 3.6, 0, "C"); atom("ATOM", "O", "GLY", 9, -1.4, 2.5, 0, "O")
        atom("HETATM", "O", "HOH", 301, 0, 0, 0, "O"); atom("HETATM", "O", "HOH", 302, 2.8, -1.2, 2.2, "O")
        atom("HETATM", "O", "HOH", 303, 9, 9, 9, "O")
        atom("HETATM", "O", "EOH", 200, 0, -1.5, 2.4, "O"); atom("HETATM", "C1", "EOH", 200, 0, -2.3, 3.5, "C")
        atom("HETATM", "C2", "EOH", 200, 0, -3.8, 3.5, "C")
    }' >wet.pdb
cat >ethanol.mol2 <<'E2'
@<TRIPOS>MOLECULE
ethanol
4 3
SMALL
NO_CHARGES
@<TRIPOS>ATOM
1 O 0 -1.5 2.4 O.3
2 C1 0 -2.3 3.5 C.3
3 C2 0 -3.8 3.5 C.3
4 H 0.8 -1.3 2.1 H
@<TRIPOS>BOND
1 1 2 1
2 2 3 1
3 1 4 1
E2

prep() { "$BERTH" prep receptor wet.pdb --ligand_id EOH "$@"; }
grep -v HOH wet.pdb >arid.pdb
for option in '--keep_waters bridging' '--displaceable_waters bridging' '--keep_waters_within 6' --waters; do
    # shellcheck disable=SC2086
    run "$BERTH" prep receptor arid.pdb --ligand_id EOH $option --out arid.brec --overwrite
    name=${option%% *}
    check "$option without waters: said" all exited 0 -- said "$option without waters" "warning: arid.pdb"
done
run "$BERTH" prep receptor arid.pdb --ligand_id EOH --out arid.brec --overwrite
check 'who asks for none is not told' all exited 0 -- lacks stderr 'no water'
run prep --displaceable_waters A:301,A:302 --out site.brec
check 'receptors with and without two waters' all exited 0 -- holds stderr '2 HOH' -- holds stderr '1 HOH' -- \
    said 'receptors with and without two waters' '--water_price'
run prep --keep_waters A:302 --out arid.brec --overwrite
run prep --displaceable_waters bridging --out bridge.brec
check 'those that bridge' all exited 0 -- [ -s bridge_no_A301.brec ] -- absent bridge_no_A302.brec
run prep --displaceable_waters A:301 --out site.brec
check 'files that are there stay' all exited 1 -- holds stderr overwrite
rm site.brec
run prep --displaceable_waters A:301 --out site.brec
check 'and so do those without waters' all exited 1 -- holds stderr 'site_no_A301.brec' -- absent site.brec
run prep --displaceable_waters A:301,A:302 --out site.brec --overwrite
check 'unless asked for' exited 0
run prep --displaceable_waters A:999 --out none.brec
check 'a water that is not there' all exited 1 -- absent none.brec -- said 'a water that is not there' '--displaceable_waters'
refused 'scan' "$BERTH" prep receptor wet.pdb --displaceable_waters A:301 --site scan --out out/x.brec
awk '{ print } /HOH A 303/ { for (i = 0; i < 4; i++) print substr($0, 1, 22) sprintf("%4d", 310 + i) substr($0, 27, 5) sprintf("%7.3f", 15 + 3 * i) substr($0, 39) }' \
    wet.pdb >wetter.pdb
run "$BERTH" prep receptor wetter.pdb --ligand_id EOH --displaceable_waters HOH --out many.brec
check 'too many' all exited 1 -- absent many.brec -- said 'too many' '--displaceable_waters'

sed '/HOH A 301/s/ A / \/ /' wet.pdb >slash.pdb
run "$BERTH" prep receptor slash.pdb --ligand_id EOH --displaceable_waters HOH:/:301 --out slash.brec
check 'a chain that is no part of a file name' all exited 1 -- absent slash.brec -- \
    said 'a chain that is no part of a file name' '--displaceable_waters'

# dock RECEPTORS NAME OPTIONS...
dock() {
    receptors=$1
    name=$2
    shift 2
    "$BERTH" dock --receptor "$receptors" --ligand ethanol.mol2 --scoring vina --search fast --poses 8 --generations 2 --hops 1 \
        --num_modes 1 --out "$name.sdf" --scores "$name.csv" "$@"
}
column() { # NAME FILE.csv: of its first row
    awk -F , -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } NR == 2 { print $at }' "$2"
}
both=site.brec,site_no_A301.brec
run dock arid.brec dry
run dock site_no_A301.brec alone
columns dry.csv energy conformer rotors >wanted
columns alone.csv energy conformer rotors >found
check 'one without a water is what prep makes without it' all exited 0 -- same wanted found
run dock $both free
check 'without a price nothing is paid' all exited 0 -- sh -c '! grep -q displacement free.csv'
run dock $both priced --water_price 1.5
check 'each water costs its price in the receptor that lacks it' all exited 0 -- \
    [ "$(column score_site priced.csv)" = "$(column score_site free.csv)" ] -- \
    sh -c "awk 'BEGIN { exit !($(column score_site_no_A301 priced.csv) - $(column score_site_no_A301 free.csv) == 1.5) }'"
run dock $both dear --water_price 50
check 'one that is dear is not displaced' all exited 0 -- [ "$(column receptor dear.csv)" = site ] -- \
    [ "$(column displacement dear.csv)" = 0.0000 ] -- [ "$(column score dear.csv)" = "$(column score_site free.csv)" ]
run dock $both cheap --water_price -50
check 'one that wants to go is' all exited 0 -- [ "$(column receptor cheap.csv)" = site_no_A301 ] -- \
    [ "$(column displacement cheap.csv)" = -50.0000 ] -- grep -q displacement cheap.sdf
run dock site.brec,site_no_A301.brec,site_no_A302.brec,site_no_A301_A302.brec four --water_price -50
check 'two waters are paid for twice' all exited 0 -- [ "$(column displacement four.csv)" = -100.0000 ]
run dock $both ranked --water_price -50 --rank '-displacement'
check 'rankings see it' all exited 0 -- [ "$(column receptor ranked.csv)" = site ] -- \
    [ "$(column displacement ranked.csv)" = 0.0000 ]

screen() {
    "$BERTH" screen --receptor $both --library ethanol.mol2 --scoring vina --search fast --poses 8 --generations 2 --hops 1 \
        --out "$@"
}
run screen s --water_price -50
check 'screens, too' all exited 0 -- [ "$(column displacement s/scores.csv)" = -50.0000 ]
run screen s --water_price -40 --resume
check 'another price is another screen' all exited 1 -- holds stderr water_price
"$BERTH" merge s --out merged >/dev/null 2>&1
check 'merging knows it' same s/scores.csv merged/scores.csv

refused 'one receptor' dock site.brec out/x --water_price 1
refused 'mol2' dock pocket.mol2 out/x --autobox_ligand demo/1hpv_ligand.mol2 --water_price 1
finish
