#!/bin/sh
# berth show: the table on terminals of any width, sorting, filters, files, hostile names, and that long
# tables take no memory.
. tests/cli/lib.sh

awk 'BEGIN {
    print "ordinal,ligand,rank,mode,score,energy,efficiency,heavy_atoms,rmsd,supplier"
    for (i = 0; i < 60; i++) {
        for (mode = 1; mode <= 2; mode++) {
            energy = -12 + (i * 37 % 60) / 8 + mode / 4
            printf "%d,lig%02d,,%d,%.4f,%.4f,%.4f,%d,%s,%s\n", i, i, mode, energy + 1, energy, energy / (12 + i % 9),
                12 + i % 9, i % 3 ? sprintf("%.3f", i / 7) : "", i % 4 ? "Acme" : "\"Best, Inc.\""
        }
    }
}' >scores.csv

show() { run env LC_ALL=C COLUMNS=100 "$BERTH" show "$@"; }
# firsts FILE: the first words of its rows.
firsts() { awk 'NR > 1 && !/shown$/ { printf "%s ", $1 }' "$1"; }

within() { ! LC_ALL=C.UTF-8 grep ".\{$(($1 + 1))\}" stdout; } # CHARACTERS

run env LC_ALL=C.UTF-8 COLUMNS=110 "$BERTH" show scores.csv --top 8
check 'a wide terminal' all exited 0 -- silent
check 'it has 8 rows, bars, and keeps within the terminal' all [ "$(firsts stdout | wc -w)" -eq 8 ] -- holds stdout '█' -- within 110
show scores.csv --top 1 --filter 'ordinal >= 24 and ordinal < 36' --columns ligand,score
bins() { grep -o -- '-[0-9.]* #* *[0-9.]* %.*' stdout; }
check 'a distribution is of the rows that pass, whose bins hold all of them' all exited 0 -- holds stdout ' 12 rows' -- \
    [ "$(bins | awk '{ printf "%s %s ", $1, $(NF - 1) }')" = "$(awk -F, '$1 >= 24 && $1 < 36 && $4 == 1 { x[n++] = $5 }
    END {
        for (i = 0; i < n; i++) { low = i == 0 || x[i] < low ? x[i] : low; high = i == 0 || x[i] > high ? x[i] : high }
        for (i = 0; i < n; i++) { bin = int((x[i] - low) / (high - low) * 6); counts[bin < 6 ? bin : 5]++ }
        for (i = 0; i < 6; i++) printf "%.2f %.1f ", low + i * (high - low) / 6, 100 * counts[i] / n
    }' scores.csv)" ]
show scores.csv --poses --top 1 --columns ligand,score
check 'of more than 100 rows the last bin is open, and says to where' all exited 0 -- holds stdout ' 120 rows' -- \
    [ "$(bins | sed -n '$s/.*, to //p')" = "$(awk -F, 'NR > 1 { print $5 }' scores.csv | sort -g | awk 'END { printf "%.2f", $1 }')" ]
show scores.csv --filter 'ordinal < 9' --columns ligand,score
check 'of fewer than 10 rows there is none' all exited 0 -- sh -c '! grep -q " %" stdout'
run env LC_ALL=C COLUMNS=64 "$BERTH" show scores.csv --top 3 --filter 'energy < -9 and heavy_atoms <= 15'
check 'a narrow one, without Unicode' all exited 0 -- silent
check 'it has no other characters, and keeps within the terminal' all holds stdout '#' -- within 64 -- \
    sh -c '! LC_ALL=C grep -q "[^ -~]" stdout'
run env LC_ALL=C COLUMNS=20 "$BERTH" show scores.csv --top 1
check 'one that is too narrow has no bars' all exited 0 -- [ "$(grep -c '#' stdout)" -eq 0 ]
show scores.csv
check '20 rows by default' all exited 0 -- [ "$(firsts stdout | wc -w)" -eq 20 ] -- holds stdout '60 rows'

# Which rows, and in which order.
show scores.csv --top 4 --columns ligand,efficiency --sort efficiency --descending
check '--sort, --descending, --columns' [ "$(firsts stdout)" = \
    "$(awk -F, 'NR > 1 && $4 == 1 { print $7, NR, $2 }' scores.csv | sort -k 1gr -k 2n | head -n 4 |
        awk '{ printf "%s ", $3 }')" ]
show scores.csv --top 4 --columns ligand,affinity --sort affinity
awk '/^lig[0-9]/ { print $1, $2 }' stdout >by_head
show scores.csv --top 4 --columns ligand,score --sort score
check 'what printed tables call a column is a name for it' all exited 0 -- lines by_head 4 -- \
    sh -c 'awk "/^lig[0-9]/ { print \$1, \$2 }" stdout | diff - by_head'
show scores.csv --top 3 --columns ligand,supplier --sort supplier --descending
check 'texts are sorted by their letters, ties stay in order' [ "$(firsts stdout)" = 'lig00 lig04 lig08 ' ]
show scores.csv --top 60 --columns ligand,rmsd --sort rmsd
check 'empty cells come last' [ "$(firsts stdout | awk '{ print $1, $40, $41, $60 }')" = 'lig01 lig59 lig00 lig57' ]
show scores.csv --poses --filter 'ordinal == 0' --columns ligand,mode
check '--poses: all of a ligand' all [ "$(firsts stdout)" = 'lig00 lig00 ' ] -- \
    holds stdout '2 of 120 rows'
show - --top 1 --columns ligand <scores.csv
check 'standard input' all exited 0 -- [ "$(firsts stdout)" = 'lig00 ' ]
mkdir results
gzip -c scores.csv >results/scores.csv.gz
show results --top 1 --columns ligand
check 'a folder, packed' all exited 0 -- [ "$(firsts stdout)" = 'lig00 ' ]

# A row a molecule.
cat >states.csv <<'END'
ordinal,ligand,rank,mode,score,heavy_atoms,state_of
0,a_1,4,1,-5,9,a
1,b_7,2,1,-7,5,
2,a_2,1,1,-8,9,a
3,c_1,5,1,,12,c
4,c_2,3,1,-6,11,c
END
show states.csv --names 'c, b_7 ,nobody' --columns 'ligand, score'
check '--names: ligands, states of molecules, and who is in no row; blanks do not matter' all exited 0 -- [ "$(firsts stdout)" = 'b_7 c_2 c_1 ' ] -- \
    said 'names in no row'
printf 'lig03\nlig05\n' >chosen
show scores.csv --names chosen --poses --out chosen.csv
check '--names FILE, written to a file' all exited 0 -- silent -- [ "$(cut -d , -f 2 chosen.csv | tr '\n' ' ')" = 'ligand lig03 lig03 lig05 lig05 ' ]
show states.csv --exclude_names c,b_7,nobody --columns ligand
check '--exclude_names: all others' all exited 0 -- [ "$(firsts stdout)" = 'a_2 a_1 ' ] -- \
    holds stderr nobody
show states.csv --names b_7 --exclude_names c_1 --columns ligand
check 'a name that is left out anyway is in the table' all exited 0 -- silent -- [ "$(firsts stdout)" = 'b_7 ' ]
refused 'a mistyped file' "$BERTH" show states.csv --names nofile.txt
refused 'names of another table, whose rows are not written' \
    "$BERTH" show states.csv --exclude_names x,y --out out/none.csv
printf 'x\ny\n' >strangers
show states.csv --exclude_names strangers --columns ligand
check 'a file of other names is none mistyped' all exited 0 -- lines stderr 1 -- [ "$(firsts stdout)" = 'a_2 b_7 c_2 a_1 c_1 ' ]
refused 'an empty name' "$BERTH" show states.csv --names a,,b
refused_too 'nor one to leave out' --exclude_names "$BERTH" show states.csv --exclude_names a,,b
show states.csv --molecules
check '--molecules: the best state of each, with how many there are' all exited 0 -- \
    [ "$(awk '{ print $2, $5 }' stdout | head -n 4 | tr '\n' ,)" = 'ligand states,a_2 2,b_7 1,c_2 2,' ] -- \
    holds stdout '5 rows, of 3 molecules'
show states.csv --molecules --sort heavy_atoms --descending --top 2 --columns ligand,states
check 'the best by what ranks, sorted by anything' [ "$(firsts stdout)" = 'c_2 a_2 ' ]
show states.csv --molecules --filter 'score > -8' --columns ligand,states,rank
check 'of those that pass the filter' all [ "$(awk '{ print $1, $2 }' stdout | sed -n 2,4p | tr '\n' ,)" = 'b_7 1,c_2 1,a_1 1,' ] -- \
    holds stdout '3 of 5 rows'
run "$BERTH" show states.csv --molecules --columns ligand,states --out -
check 'to a file in the order of the table' stdout_is 'ligand,states
b_7,1
a_2,2
c_2,2'
run "$BERTH" show scores.csv --molecules --columns ligand,states --top 60 --out -
check 'without states each ligand is a molecule' all exited 0 -- [ "$(sed 1d stdout | cut -d, -f 2 | sort -u)" = 1 ] -- lines stdout 61

# The strain of a ligand without torsions is empty, and counts as 0, as in rankings.
printf '%s\n' 'ordinal,ligand,mode,score,strain' 0,rigid,1,-7, 1,eased,1,-6,0.4 2,tense,1,-8,2.1 >strains.csv
run "$BERTH" show strains.csv --filter 'strain < 1' --columns ligand --out -
check 'an empty strain is none' all exited 0 -- lines stderr 0 -- [ "$(sed 1d stdout | sort | tr '\n' ,)" = eased,rigid, ]
run "$BERTH" show strains.csv --filter 'strain > 1' --columns ligand --out -
check 'and is not said to be missing' all exited 0 -- lines stderr 0 -- [ "$(sed 1d stdout)" = tense ]

# What restraints cost: of the poses that meet them, the lowest of all modes, against the lowest without.
printf '%s\n' ordinal,ligand,mode,score,energy,strain,unmet 0,a,1,-7,-9,1,0 0,a,2,-6,-8.5,0,0 0,a,3,-9,-12,0,1 1,b,1,-5,-5,,0 2,c,1,-4,-4,0,1 >held.csv
printf '%s\n' ordinal,ligand,mode,score,energy,strain 0,b,1,-6,-5.25, 1,a,1,-7,-9.5,0.25 1,a,2,-7,-10,1 3,c,1,-5,-5,0 >free.csv
run "$BERTH" show held.csv --free free.csv --columns ligand,cost --out -
check '--free: what restraints cost' all exited 0 -- silent -- stdout_is 'ligand,cost
a,0.7500
b,0.2500
c,'
printf '%s\n' ordinal,ligand,mode,score,energy,strain 0,b,1,-6,-5.5, 1,a,1,-7,-7,0 >other.csv
run "$BERTH" show held.csv --free free.csv,other.csv --columns ligand,cost --out -
check 'of several free runs the lowest counts' all exited 0 -- silent -- stdout_is 'ligand,cost
a,0.7500
b,0.5000
c,'
refused 'one of which there is not' "$BERTH" show held.csv --free free.csv,none.csv
run "$BERTH" show held.csv --free free.csv --sort cost
check 'sorted by it, where columns are chosen, too' all exited 0 -- [ "$(firsts stdout)" = 'b a c ' ] -- grep -q '^ligand .* cost$' stdout
mkdir held free
cp held.csv held/scores.csv
cp free.csv free/scores.csv
printf '{\n  "identity": {\n    "scoring": "vina"\n  }\n}\n' >held/run.json
printf '{\n  "identity": {\n    "scoring": "plp"\n  }\n}\n' >free/run.json
refused 'a run by another function' "$BERTH" show held --free free
printf 'x\n' >strange.csv
refused 'a run without energies' "$BERTH" show held.csv --free strange.csv
refused 'a table that can be read once' sh -c '"$0" show - --free free.csv <held.csv' "$BERTH"

# Filters: against awk.
filter() { # CONDITION AWK
    "$BERTH" show scores.csv --filter "$1" --columns ordinal --out - >got
    awk -F, "NR == 1 || (\$4 == 1 && ($2)) { print \$1 }" scores.csv >wanted
    check "--filter '$1'" all same wanted got -- [ "$(wc -l <got)" -gt 1 ]
}
filter 'energy < -9 and heavy_atoms <= 15' '$6 < -9 && $8 <= 15'
filter 'not (heavy_atoms == 12 or heavy_atoms >= 16)' '!($8 == 12 || $8 >= 16)'
filter '-energy / heavy_atoms > 0.7' '-$6 / $8 > 0.7'
filter 'min(rmsd, 3) != 3' '$9 == "" || $9 < 3'
filter 'rmsd < 2' '$9 != "" && $9 < 2'
filter "ligand == 'lig07'" '$2 == "lig07"'
filter 'supplier != "Acme" and energy < -9' '$10 != "Acme" && $6 < -9'
filter "not (supplier == 'Best, Inc.') or ligand == 'lig04'" '$10 == "Acme" || $2 == "lig04"'
filter "rmsd == ''" '$9 == ""'
filter "ligand < 'lig03'" '$2 < "lig03"'
filter "ligand IN (SELECT ligand FROM score WHERE mode = 2 AND energy < -11)" '$6 < -11.25'
filter "ligand IN ('lig03', 'lig05') OR ligand LIKE 'lig1%' AND rmsd IS NULL" \
    '$2 == "lig03" || $2 == "lig05" || ($2 ~ /^lig1/ && $9 == "")'
filter 'heavy_atoms / 2 > 6.4 and pow(energy, 2) < 100' '$8 / 2 > 6.4 && $6 * $6 < 100'
filter 'abs(energy + 8) <= 0.5' '$6 + 8 <= 0.5 && $6 + 8 >= -0.5'
show scores.csv --filter 'rmsd < 3 and score < -9'
check 'rows that an empty cell alone left out are counted' all exited 0 -- \
    said 'left out' -- holds stderr " $(awk -F, '$4 == 1 && $9 == "" && $5 < -9' scores.csv | wc -l) rows"
show scores.csv --filter 'rmsd >= 4 and ligand == "lig00"'
check 'one, by any comparison' all exited 0 -- holds stderr ' 1 row'
show scores.csv --filter 'rmsd != 4 and score < -9'
check 'none that passes' all exited 0 -- silent
show scores.csv --filter 'energy < -100'
check 'no row passes' all exited 0 -- holds stdout '0 of 60 rows'

# A SELECT of one's own.
run "$BERTH" show scores.csv --sql "SELECT supplier, count(*) AS n, min(energy) FROM score WHERE mode = 1 GROUP BY supplier ORDER BY n" --out -
check '--sql: one SELECT over the table' all exited 0 -- silent -- stdout_is 'supplier,n,min(energy)
"Best, Inc.",15,-11.75
Acme,45,-11.625'
show scores.csv --sql 'SELECT ligand, score FROM score ORDER BY score' --top 3
check 'of whose rows the first are shown' all exited 0 -- [ "$(firsts stdout)" = 'lig00 lig13 lig00 ' ] -- holds stdout '120 rows; 3 shown'
show scores.csv --sql "SELECT ligand AS '=x', ';' || supplier FROM score LIMIT 1" --out formula.csv
check 'what a spreadsheet would run is none there' all exited 0 -- holds formula.csv "'=x"
refused 'more than one statement' "$BERTH" show scores.csv --sql 'SELECT 1; SELECT 2'
refused 'what changes something' "$BERTH" show scores.csv --sql "ATTACH 'out/new.db' AS new"
refused 'a name in quotes that is no column' "$BERTH" show scores.csv --sql 'SELECT "rotors" FROM score'
refused 'another table' "$BERTH" show scores.csv --sql 'SELECT * FROM scores'
refused 'interactions of a table without poses' "$BERTH" show scores.csv --sql 'SELECT * FROM score JOIN interaction USING (ordinal)'
refused 'options beside it' "$BERTH" show scores.csv --sql 'SELECT * FROM score' --filter 'score < 1'
sed 's/^7,lig07,,1,[^,]*/7,lig07,,1,n.a./' scores.csv >spoiled.csv
refused 'a text among numbers' "$BERTH" show spoiled.csv --filter 'score > -9'
refused_too 'likewise in SQL' spoiled.csv:16 "$BERTH" show spoiled.csv --sql 'SELECT ligand FROM score WHERE score > -9'
refused 'a condition that ends before its end' "$BERTH" show scores.csv --filter 'score < 1) or (1'
timeout -s TERM -k 5 1 "$BERTH" show scores.csv --sql 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT count(*) FROM n'
check 'a signal ends a question without end' [ $? -eq 124 ]

# Files.
columns_of() { awk -F, -v n="$1" '{ printf "%s ", $n }'; }
run "$BERTH" show scores.csv --poses --out same.csv
check '--out: the whole table, as it was' all exited 0 -- silent -- stdout_is_empty -- same scores.csv same.csv
run "$BERTH" show scores.csv --top 5 --sort ligand --out five.csv.gz
check 'sorted, packed' all exited 0 -- [ "$(gzip -dc five.csv.gz | columns_of 2)" = 'ligand lig00 lig01 lig02 lig03 lig04 ' ]
printf '%s\n' 'ligand,score,n' "\"a \"\"b\"\"\",-1.5,007" 'x\x1b[2Jy,,1e3' "'=1+1,1.,-.5" >odd.csv
run "$BERTH" show odd.csv --out odd.json
check 'JSON: numbers, texts, nothing' all exited 0 -- same odd.json - <<'JSON'
[
{"ligand": "a \"b\"", "score": -1.5, "n": "007"},
{"ligand": "x\u001b[2Jy", "score": null, "n": 1e3},
{"ligand": "=1+1", "score": "1.", "n": "-.5"}
]
JSON
run "$BERTH" show odd.csv --out back.csv
check 'CSV: escapes and apostrophes stay' same odd.csv back.csv
run "$BERTH" show odd.csv --filter 'score > 9' --out none.json
check 'JSON of no rows' all exited 0 -- [ "$(cat none.json)" = '[]' ]
show odd.csv
check 'a terminal is told names, not commands' all exited 0 -- holds stdout 'x\x1b[2Jy' -- \
    [ "$(tr -d '[:print:]\n' <stdout | wc -c)" -eq 0 ]
awk 'BEGIN { printf "ligand,score\n"; for (i = 0; i < 30; i++) printf "\xc3\xa4\xe6\xbc\xa2"; print ",-1\nshort,-2" }' >long.csv
show long.csv
check 'long names are cut, at a character' all exited 0 -- holds stdout '..' -- [ "$(iconv -f utf-8 -t utf-8 stdout | wc -l)" -gt 2 ]

# Lists to buy, and structures.
mkdir bought
cat >bought/scores.csv <<'END'
ordinal,ligand,rank,mode,score,smiles,input_smiles
0,acid,2,1,-5,CC(=O)[O-],CC(=O)O
1,base,1,1,-6,C[NH3+],
2,nothing,4,1,-3,,
3,last,3,1,-4,CCO,OCC
END
for pose in '1 1 base' '1 2 base' '0 1 acid' '3 1 last'; do
    # shellcheck disable=SC2086
    set -- $pose
    printf '%s\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n%s\nM  END\n' "$3" \
        '    0.0000    0.0000    0.0000 C   0  0'
    printf '>  <ordinal>\n%s\n\n>  <mode>\n%s\n\n$$$$\n' "$1" "$2"
done >bought/hits.sdf
run "$BERTH" show bought --top 3 --out list.smi
check '--out .smi: the SMILES of the input where they are known' all exited 0 -- silent -- same list.smi - <<'SMILES'
C[NH3+] base
CC(=O)O acid
OCC last
SMILES
run "$BERTH" show bought --out all.smi
check 'rows without any are said' all exited 0 -- lines all.smi 3 -- \
    said 'no SMILES'
run "$BERTH" show bought --top 2 --out two.sdf
check '--out .sdf: the poses of the rows, in their order' all exited 0 -- silent -- \
    [ "$(grep -c M..END two.sdf)" -eq 2 ] -- [ "$(grep -x -e base -e acid two.sdf | tr '\n' ' ')" = 'base acid ' ]
run "$BERTH" show bought --out all.sdf.gz
check 'those without one are said' all exited 0 -- [ "$(gzip -dc all.sdf.gz | grep -c M..END)" -eq 3 ] -- \
    said 'no pose'

# A long table through little memory.
if [ -n "$sanitize" ]; then
    skip 'constant memory' 'the sanitizers take memory themselves'
else
    awk 'BEGIN { print "ligand,score"; for (i = 0; i < 600000; i++) printf "a_long_name_of_a_ligand_%d,%.5f\n", i, -(i * 7919 % 600000) / 1e5 }' >big.csv
    run sh -c 'ulimit -v 60000; exec "$1" show big.csv --top 3 --filter "score < -1"' sh "$BERTH"
    check 'constant memory: the best of 600000 rows' all exited 0 -- holds stdout '499999 of 600000 rows'
    run sh -c 'ulimit -v 60000; exec "$1" show big.csv --filter "score < -1" --out big.json' sh "$BERTH"
    check 'constant memory: a file of them' all exited 0 -- lines big.json 500001
fi

# Torsions, which the library has.
ln -s "$root/tests/fixtures/screen/library.blib" library.blib
"$BERTH" lib ls library.blib | awk -F, -v OFS=, 'NR == 1 { print "ordinal,ligand,energy" } NR > 1 { print $1, $2, -$1 }' >docked.csv
"$BERTH" lib ls library.blib | awk -F, 'NR > 1 && $5 > 1 && -$1 <= 0 { print $2 "," $5 }' >wanted
run "$BERTH" show docked.csv --library library.blib --filter 'energy <= 0 and torsions > 1' \
    --columns ligand,torsions --out -
check 'a condition on torsions' all exited 0 -- [ -s wanted ] -- [ "$(sed 1d stdout)" = "$(cat wanted)" ]

# What is refused.
show_it() { "$BERTH" show "$@"; }
refused 'no such column, as of a run by one function' show_it scores.csv --columns ligand,ranking
refused 'no such column' show_it scores.csv --sort rotors
refused 'a filter by an unknown column' show_it scores.csv --filter 'energy < -9 and rotors <= 8'
refused 'that one, beside what printed tables call a column' show_it scores.csv --filter 'affinity < -9 and rotors <= 8'
refused 'a property of a table without SMILES' show_it scores.csv --columns ligand,mw
refused 'a number in quotes' show_it scores.csv --filter "energy < '-9'"
refused_too 'or several' --filter show_it scores.csv --filter "heavy_atoms in ('12', '13')"
refused_too 'nor between two' --filter show_it scores.csv --filter "score between '-9' and '-8'"
refused 'torsions of a table alone' show_it scores.csv --filter 'energy < -9 and torsions <= 8'
refused 'torsions of another library' show_it scores.csv --columns ligand,torsions --library library.blib
refused 'poses and molecules' show_it states.csv --molecules --poses
refused 'half a filter' show_it scores.csv --filter 'energy <'
refused 'more than a filter' show_it scores.csv --filter 'energy < -9 heavy_atoms'
refused 'an empty filter' show_it scores.csv --filter ' '
refused 'a filter by texts' show_it scores.csv --filter 'ligand != 3'
refused 'a text without an end' show_it scores.csv --filter "ligand == 'lig03"
refused 'an ending' show_it scores.csv --out out/x.txt
refused 'the table itself as --out' show_it scores.csv --out scores.csv
refused 'two tables' show_it scores.csv odd.csv
refused 'SMILES of a table without' show_it scores.csv --out out/x.smi
refused 'structures without poses' show_it scores.csv --out out/x.sdf
refused 'structures of a table without modes' show_it odd.csv --out out/x.sdf
mkdir begun
: >begun/journal
refused 'a screen that is not finished' show_it begun
refused_too 'nor a report of it' begun "$BERTH" report begun --out out/page.html
# Poses: their table, which lies beside them.
echo >poses.sdf
show poses.sdf
check 'poses without a table are no table' all exited 1 -- \
    said 'poses without a table'
cp scores.csv poses.csv
show poses.sdf --top 3
check 'poses with their table beside them' all exited 0 -- holds stdout '60 rows'
mkdir screened
echo >screened/hits.sdf
cp scores.csv screened
show screened/hits.sdf --top 3
check 'hits, with the table of their folder' all exited 0 -- holds stdout '60 rows'

# Molecules that differ.  The second is like the first, the fourth has no SMILES that can be read.
need_rdkit 'molecules that differ'
cat >differ.csv <<'END'
ordinal,ligand,score,input_smiles
0,phenol,-9,Oc1ccccc1
1,again,-8.5,Oc1ccccc1
2,butane,-8,CCCC
3,broken,-7,C1CC
4,catechol_azo,-6,CCOC(=O)c1ccc(N=Nc2ccc(O)c(O)c2)cc1
END
columns_wanted=ligand,mw,donors,rotatable_bonds,pains
show differ.csv --diverse 2 --columns $columns_wanted --out -
check '--diverse: the best of each kind, with properties' all exited 0 -- stdout_is "$columns_wanted
phenol,94.113,1,0,
butane,58.124,0,1,"
show differ.csv --diverse 9 --columns ligand,pains --out -
check 'all that differ, and an alert' all exited 0 -- lines stdout 4 -- grep -q '^catechol_azo,"*[a-z]' stdout
slice screening 'further alerts, orders and properties'
printf 'ligand,score,input_smiles\nnitro,-3,CC(=O)Nc1ccc([N+](=O)[O-])cc1\nplain,-2,CC(=O)Nc1ccccc1\n' >brenk.csv
show brenk.csv --filter "brenk != ''" --columns ligand,pains,brenk --out -
check "Brenk's alerts, of what has none of PAINS" all exited 0 -- lines stdout 2 -- grep -q '^nitro,,.*nitro' stdout
printf 'ligand,score,state_of,input_smiles\nmenthol_2,-3,menthol,CC1CCC(C(C)C)C(O)C1\nplain,-2,,CCO\nmenthol_1,-1,menthol,CC1CCC(C(C)C)C(O)C1\n' >isomers.csv
show isomers.csv --molecules --out isomers.smi
check 'a list to buy has the names of molecules, not of their isomers' all exited 0 -- \
    [ "$(cat isomers.smi)" = 'CC1CCC(C(C)C)C(O)C1 menthol
CCO plain' ]
show differ.csv --diverse 9 --top 2 --out differ.smi
check '--top: among the best' all exited 0 -- [ "$(cat differ.smi)" = 'Oc1ccccc1 phenol' ]
show differ.csv --diverse 2 --filter 'score < -7.5 and mw < 60' --columns ligand,mw --out -
check 'a condition on a property, before the choice' all exited 0 -- stdout_is 'ligand,mw
butane,58.124'
show differ.csv --filter "mw < 100 and pains == ''" --columns ligand,mw,tpsa --out -
check 'and without a choice; a molecule that cannot be read has none' all exited 0 -- stdout_is 'ligand,mw,tpsa
phenol,94.113,20.23
again,94.113,20.23
butane,58.124,0' -- holds stderr 1
show differ.csv --sort logp --descending --top 2 --columns ligand,logp
check 'an order by a property' all exited 0 -- \
    [ "$(awk 'NR < 4 { print $1, $2 }' stdout | tr '\n' ' ')" = 'ligand logp catechol_azo 3.6899 butane 1.8064 ' ]
show differ.csv --top 1 --filter "mw < 100 and score < -8.2" --columns ligand,scaffold
check 'rows are looked at until enough pass' all exited 0 -- holds stdout '1 of the first 1 rows pass the filter, no more were looked at' -- \
    holds stdout 'phenol  c1ccccc1'
show differ.csv --filter "substructure(input_smiles, '[OX2H]c') and similarity(input_smiles, 'Oc1ccccc1') < 1" --columns ligand,scaffold --out -
check 'a pattern, and what a molecule is like' all exited 0 -- stdout_is 'ligand,scaffold
catechol_azo,c1ccc(N=Nc2ccccc2)cc1'
show differ.csv --group scaffold --columns ligand --out -
check '--group: the best of each; what RDKit cannot read is alone' all exited 0 -- stdout_is 'ligand
phenol
butane
broken
catechol_azo'
show differ.csv --sql "SELECT ligand, mw(input_smiles) AS mw FROM score WHERE ligand = 'butane'" --out -
check 'functions of SMILES in SQL' all exited 0 -- stdout_is 'ligand,mw
butane,58.124'
show differ.csv --sql "SELECT ligand FROM score WHERE pains(input_smiles) = '' AND ligand <> 'again'" --out -
check 'none of them is an empty text there' all exited 0 -- stdout_is 'ligand
phenol
butane'
show differ.csv --sql "SELECT ligand, MW(input_smiles) AS m, logp(input_smiles) AS l FROM score WHERE ligand = 'butane'" --out -
check 'functions in capitals' stdout_is 'ligand,m,l
butane,58.124,1.8064'
printf 'ligand,score,supplier\na,-3,Acme\nb,-2,\nc,-1,Acme\nd,0,\n' >sold.csv
show sold.csv --group supplier --columns ligand --out -
check 'rows that are of no group are all shown' stdout_is 'ligand
a
b
d'
show differ.csv --sql "SELECT ligand, score, input_smiles FROM score WHERE score < -8.6" --out sql.smi
check 'a list to buy of what SQL selects' all exited 0 -- [ "$(cat sql.smi)" = 'Oc1ccccc1 phenol' ]
refused_too 'one without SMILES' --out show_it differ.csv --sql 'SELECT ligand FROM score' --out none.smi
show differ.csv --filter "ligand != input_smiles" --columns ligand --out -
check 'two columns of texts' all exited 0 -- lines stdout 6
show differ.csv --list_columns
check '--list_columns: each of the table, its unit and what it is, and those of RDKit' all exited 0 -- lines stdout 15 -- \
    holds stdout 'score              energy   by the first function' -- holds stdout scaffold
printf 'ordinal,ligand,score,vina,energy,gauss1,efficiency,device,price,open_stereo,supplier\n0,a,-1,-1,-1,-1,-1,cpu,3,,Acme\n' >named.csv
show named.csv --list_columns
check "the run's own names, and what is the library's, wherever they stand" all exited 0 -- \
    grep -q '^vina .*by the function' stdout -- grep -q '^gauss1 .*a term' stdout -- \
    grep -q '^price .*came with' stdout -- grep -q '^supplier .*came with' stdout
refused_too 'a pattern that is none' --filter show_it differ.csv --filter "substructure(input_smiles, 'C((')"
refused_too 'one with a line end in it' --filter show_it differ.csv --filter "similarity(input_smiles, char(10)) > 0"
refused_too 'rows of molecules and of groups' --group show_it differ.csv --group scaffold --molecules
printf 'ligand,score,mw,smiles\nours,-3,7,CCCC\n' >own.csv
show own.csv --filter 'mw < 50' --columns ligand,mw --out -
check "the table's own column goes before" all exited 0 -- stdout_is 'ligand,mw
ours,7'
printf 'ligand,score,smiles\nsalt,-3,[NH3+]CCC.[Cl-]\nacid,-2,CCC(=O)[O-]\n' >states.smiles.csv
show states.smiles.csv --filter 'mw > 0' --columns ligand,mw,donors --out -
check 'of the neutral molecule, without the salt' all exited 0 -- stdout_is 'ligand,mw,donors
salt,59.112,1
acid,74.079,1'
refused_too 'a property without SMILES' --filter show_it scores.csv --filter 'mw < 100'
awk -F, 'NR == 1 { print $0 ",mode" } NR > 1 { print $0 ",1" }' differ.csv >posed.csv
for number in 0 1 2 3 4; do
    printf 'pose\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\nM  END\n'
    printf '>  <ordinal>\n%s\n\n>  <mode>\n1\n\n$$$$\n' "$number"
done >posed.sdf
show posed.csv --diverse 1 --out order.sdf
check 'structures have the properties as tags, behind their own' all exited 0 -- lines order.sdf 34 -- \
    [ "$(sed -n '/<mode>/,$p' order.sdf | head -9 | tr '\n' ' ')" = '>  <mode> 1  >  <mw> 94.113  >  <logp> 1.3922  ' ] -- \
    [ "$(tail -n 1 order.sdf)" = '$$$$' ]
show posed.csv --sql 'SELECT score, mode, ordinal FROM score WHERE score < -8 ORDER BY score DESC' --out sql.sdf
check 'poses of what SQL selects' all exited 0 -- [ "$(grep -A 1 '<ordinal>' sql.sdf | grep -c '^[01]$')" -eq 2 ] -- \
    [ "$(grep -c '[$]' sql.sdf)" -eq 2 ]
awk -F, '{ print NR == 1 ? $0 : (NR + 5) substr($0, index($0, ",")) }' posed.csv >unposed.csv
cp posed.sdf unposed.sdf
refused_too 'structures of none of the rows' --out show_it unposed.csv --filter 'score < -8' --out none.sdf
refused_too 'a receptor that is not there' --receptor show_it posed.csv --receptor none.pdb --sql 'SELECT count(*) FROM interaction'
refused_too 'a choice without SMILES' --diverse show_it scores.csv --diverse 2
finish
