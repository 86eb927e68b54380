#!/bin/sh
# --require of a screen and of what comes after it: hits without the interactions are left out, and counted; no docking again.
. tests/cli/lib.sh
receptor=pocket.mol2
ligand=demo/1hpv_ligand.mol2
zcat demo/ten_drugs.mol2.gz >ten.mol2
"$BERTH" prep ligands ten.mol2 --out ten.blib >/dev/null 2>&1
screening() { # OUT OPTIONS...
    screen_out=$1
    shift
    "$BERTH" screen --receptor "$receptor" --library ten.blib --autobox_ligand "$ligand" --scoring vina --search fast \
        --poses 48 --generations 2 --hops 1 --num_modes 3 --out "$screen_out" "$@"
}
what='hydrogen_bond ASP25 or hydrogen_bond ASP30, hydrophobic ILE50'
run screening all
run screening some --require "$what"
check 'a screen with it' all exited 0 -- holds some/required.csv 'interaction,ligands,of' -- \
    holds some/required.csv 'hydrogen_bond ASP25 or hydrogen_bond ASP30,' -- holds some/required.csv 'hydrophobic ILE50,' -- \
    holds some/run.json '"require"'
run "$BERTH" merge all --out later --require "$what"
check 'the same afterwards, without docking' all exited 0 -- same some/scores.csv later/scores.csv -- \
    same some/failures.csv later/failures.csv -- same some/required.csv later/required.csv -- same some/hits.sdf later/hits.sdf
run "$BERTH" merge all --out strict --require 'hydrogen_bond ASP25, hydrogen_bond ASP30'
dropped=$((10 - $(sed -n 's/^all,\([0-9]*\),.*/\1/p' strict/required.csv)))
check "how many were dropped is said ($dropped)" all exited 0 -- [ "$dropped" -gt 1 ] -- \
    [ "$(sed 1d strict/failures.csv | wc -l)" -eq "$dropped" ] -- holds stdout "$dropped ligands"
cp -r all resumed
run screening resumed --resume --require "$what"
check 'or by the screen itself' all exited 0 -- same some/scores.csv resumed/scores.csv -- same some/required.csv resumed/required.csv
run screening resumed --resume
check 'which takes it back, too' all exited 0 -- same all/scores.csv resumed/scores.csv -- sh -c '! [ -e resumed/required.csv ]'
run screening any --require any
check 'any is what a screen without it is' all exited 0 -- same all/hits.sdf any/hits.sdf -- sh -c '! grep -q "\"require\"" any/run.json'
run "$BERTH" dock --receptor r --ligand l --out o.sdf --require "$what"
check 'dock says where it is' all exited 1 -- said 'dock says where it is'
run "$BERTH" merge some --out again --require any
check 'and back' all exited 0 -- same all/scores.csv again/scores.csv -- sh -c '! [ -e again/required.csv ]'

# What is left makes them, by the table of interactions; what is dropped does not.
"$BERTH" interactions --receptor "$receptor" --poses some/hits.sdf --out some.csv
columns some.csv pose kind residue number >made
awk -F, '{ all[$1]; polar[$1] += $2 == "hydrogen_bond" && ($4 == 25 || $4 == 30); apolar[$1] += $2 == "hydrophobic" && $4 == 50 }
    END { for (pose in all) if (!polar[pose] || !apolar[pose]) exit 1 }' made
check 'all poses that are left make them' [ $? -eq 0 ]
# The same of a table and of a page, which say how many do.
run "$BERTH" interactions --receptor "$receptor" --poses all/hits.sdf --require 'hydrophobic ILE50, contact ASP25' --out hydro.csv
check 'interactions of the poses that make some' all exited 0 -- grep -q ' of 30 .*hydrophobic ILE50' stderr
columns hydro.csv pose >with
columns hydro.csv pose kind number | awk -F, '$2 == "hydrophobic" && $3 == 50 { print $1 }' | sort -nu >made
sort -nu with >shown
check 'no others are in the table' same made shown
# Strong hydrogen bonds: those up to 3.5 Å and from 120°.
run "$BERTH" interactions --receptor "$receptor" --poses all/hits.sdf --out every.csv
columns every.csv pose kind number distance angle weak |
    awk -F, '($2 == "hydrogen_bond" && ($4 > 3.5 || $5 < 120)) != $6 + 0 || $6 ~ /[^1]/ { print }' >wrong
check 'the column weak' all same wrong /dev/null -- holds every.csv ',,1'
columns every.csv pose kind number weak | awk -F, '$2 == "hydrogen_bond" && $3 == 30 { print $1 > ($4 ? "weak_ones" : "strong_ones") }'
sort -nu strong_ones >made
run "$BERTH" interactions --receptor "$receptor" --poses all/hits.sdf --require 'strong hbond ASP30' --out strong.csv
columns strong.csv pose | sort -nu >shown
check 'only strong hydrogen bonds, where they are asked for' all exited 0 -- same made shown -- [ -n "$(sort -nu weak_ones | diff - made | grep "^<")" ]
run "$BERTH" report all --require 'hydrophobic ILE50' --out page.html
check 'and in a report' all exited 0 -- grep -q ' of 30 .*hydrophobic ILE50' stderr -- [ -s page.html ]
# The rows of a finished screen whose poses make it; a database has a row for each pose.
tags() { awk '/^>  <ordinal>/ { getline o } /^>  <energy>/ { getline e; print o "," e }' "$1" | sort; }
run "$BERTH" show all --require "$what" --out shown.csv --columns ordinal,energy
columns all/scores.csv ordinal energy | sort >rows
tags later/hits.sdf >made
comm -12 rows made >both
sed 1d shown.csv | sort >shown
check 'show filters hits by their interactions' all exited 0 -- holds stderr ' of 30 ' -- same both shown -- [ -s shown ]
"$BERTH" interactions --receptor "$receptor" --poses all/hits.sdf --require 'hydrogen_bond ASP30' --out other.csv 2>/dev/null
run "$BERTH" show all --require 'hydrogen_bond ASP30' --columns ordinal --out best.csv
mades=$(columns other.csv ligand | sort -u | wc -l) rows=$(sed 1d best.csv | wc -l)
check 'and how many ligands make it in poses that have no row' all exited 0 -- [ "$mades" -gt "$rows" ] -- \
    grep -q "^berth: warning: $((mades - rows)) " stderr
run "$BERTH" show all --require "$what" --columns ordinal,mode --out mode.csv
check 'and says which pose of each it is' all exited 0 -- [ "$(head -n 1 mode.csv)" = ordinal,mode ] -- \
    sh -c 'sed 1d mode.csv | grep -qvx "[0-9]*,[1-9]" && exit 1; [ "$(wc -l <mode.csv)" -eq "$(wc -l <shown.csv)" ]'
left_out=$(columns all/scores.csv ordinal energy ligand | sort | awk -F, 'NR == FNR { made[$0]; next } !(($1 "," $2) in made) { print $3; exit }' both -)
run "$BERTH" show all --require "$what" --exclude_names "$left_out" --out without.csv --columns ordinal,energy
check 'a name whose row it leaves out is in the table' all exited 0 -- [ -n "$left_out" ] -- same shown.csv without.csv -- \
    lacks stderr 'in no row'
"$BERTH" merge all --out stored --db hits.db >/dev/null 2>&1
run "$BERTH" show hits.db --poses --require "$what" --out stored.csv --columns ordinal,energy
sed 1d stored.csv | sort >shown
check 'of a database, too, where all poses are rows' all exited 0 -- same made shown
run "$BERTH" show hits.db --poses --require "$what" --free all --columns ligand,energy,strain,cost --out cost.csv
columns all/scores.csv ligand energy strain >free
check 'the cost beside a free run is that of the poses which make it' all exited 0 -- lines cost.csv "$(($(wc -l <shown) + 1))" -- \
    awk -F, 'NR == FNR { free[$1] = $2 + $3; next } FNR > 1 { sum = $2 + $3; if (!($1 in low) || sum < low[$1]) low[$1] = sum; cost[$1] = $4 }
        END { for (l in low) { n++; d = low[l] - free[l] - cost[l]; if (d > 2e-4 || d < -2e-4) exit 1 } exit !n }' free cost.csv
cp all/scores.csv alone.csv
awk '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 += 200 } { print }' demo/1hpv_receptor.mol2 >far.mol2
run "$BERTH" show all --require "$what" --receptor far.mol2 --out far.csv
check 'a receptor that no pose is at' all exited 1 -- said 'a receptor that no pose is at' far.mol2 -- [ ! -e far.csv ]
run "$BERTH" show all --require "$what" --receptor none.mol2 --out far.csv
check 'a receptor that is not there' all exited 1 -- holds stderr none.mol2 -- lacks stderr 'another file'
refused 'a table without poses' "$BERTH" show alone.csv --require "$what" --out out/a.csv
refused 'a residue that there is not, shown' "$BERTH" show all --require 'contact TRP999' --out out/a.csv
refused 'what no atom that is named can make' "$BERTH" show all --require 'hydrogen_bond ASP25:CB' --out out/a.csv
refused_too 'of a residue that there is not' TRP999 \
    "$BERTH" interactions --receptor "$receptor" --poses all/hits.sdf --require 'contact TRP999' --out out/a.csv

lost=$(sed 1d some/failures.csv | wc -l)
left=$(sed -n 's/^all,\([0-9]*\),.*/\1/p' some/required.csv)
check "ligands without such a pose are rows of failures.csv ($lost), the others are hits ($left)" \
    [ "$((lost + left))" -eq 10 ]

refused 'a residue that the receptor lacks' screening out/a --require 'hbond A:TRP999'
refused 'a kind that there is not' screening out/a --require 'kiss ASP25'
refused_too 'what is neither strong nor weak' 'strong salt_bridge' screening out/a --require 'strong salt_bridge ASP25'
refused_too 'nothing behind a comma' "''" screening out/a --require 'hbond ASP25,'
finish
