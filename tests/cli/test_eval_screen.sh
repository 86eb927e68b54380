#!/bin/sh
# berth eval screen: early enrichment of known actives, by scikit-learn and RDKit too, what counts once,
# scaffolds, the trivial rankings, comparison and mean rank, and what is refused.
. tests/cli/lib.sh

# A Python with NumPy and no RDKit.
mkdir -p no_rdkit/rdkit && echo "raise ModuleNotFoundError(\"No module named 'rdkit'\")" >no_rdkit/rdkit/__init__.py
# The first Python with NumPy.
numpy_python() {
    for python in "${BERTH_PYTHON:-python3}" python3 /usr/bin/python3; do
        ! "$python" -c 'import numpy' 2>/dev/null || { echo "$python" && return; }
    done
}
without_rdkit() { env PYTHONPATH="$work/no_rdkit" "$@"; }

# 400 ligands, of which every 16th is an active, early for the most part; two poses of each, the second
# one worse.  make_scores SHIFT prints a table.
make_scores() {
    awk -v shift="$1" 'BEGIN {
        print "ordinal,ligand,rank,mode,score,energy,heavy_atoms"
        for (i = 0; i < 400; i++) {
            active = i % 16 == 5
            x = (i * 7919 + shift) % 400 / 40 + (active ? (i * 31 % 8) - 6 : 0) + i / 1e4
            for (mode = 1; mode <= 2; mode++)
                printf "%d,%s%d,,%d,%.4f,%.4f,%d\n", i, active ? "active" : "decoy", i, mode, x + mode,
                    x - 1, 15 + i * 13 % 20 + 2 * active
        }
    }'
}
make_scores 0 >one.csv
make_scores 133 >two.csv
sed -n 's/^[0-9]*,\(active[0-9]*\),.*/\1/p' one.csv | sort -u >actives.txt

run "$BERTH" eval screen one.csv --actives actives.txt --compare two.csv --out out
check 'two results, their mean rank and heavy atoms' all exited 0 -- silent
check 'areas and their bounds' holds stdout '0.749 (0.652 to 0.844)    0.769 (0.676 to 0.857)    0.888 (0.829 to 0.937)'
check 'the summary is what was printed' same stdout out/summary.txt
check 'no scaffolds of names' absent out/scaffolds.csv
check 'tables' all lines out/enrichment.csv 37 -- lines out/differences.csv 46 -- lines out/actives.csv 101 -- \
    holds out/roc.svg '>one 0.' -- holds out/roc_log.svg '>0.1</text>'
check 'each measure beside that of the largest first' all \
    holds out/enrichment.csv 'ranking,measure,value,low,high,size_alone' -- \
    [ "$(sed -n 's/^one,\(.*\),.*,.*,.*,\(.*\)/\1,\2/p' out/enrichment.csv)" = \
    "$(sed -n 's/^heavy atoms,\(.*\),\(.*\),.*,.*,.*/\1,\2/p' out/enrichment.csv)" ] -- \
    grep -q '^EF1 %  .* 3\.2$' stdout
check 'an active by its best pose, and where it ranks' \
    [ "$(awk -F, '$1 == "one" { print $2, $3, $4; exit }' out/actives.csv)" = \
    "$(awk -F, 'NR > 1 && $4 == 1 { print $5, $2 }' one.csv | sort -n |
        awk '/active/ { print $2, NR, $1 + 0; exit }')" ]

awk -F, -v OFS=, '{ print $0, NR == 1 ? "open_stereo" : $1 % 3 == 0 ? 2 : "" }' one.csv >open.csv
run "$BERTH" eval screen open.csv --actives actives.txt
check 'whose stereo was left open' all exited 0 -- said 'open stereo' ' 134 of the ligands' -- \
    holds stdout " $(awk -F, '/,active.*,1,/ && $1 % 3 == 0' one.csv | wc -l) of the actives"

check 'parts of what measures and fits, by themselves' "$(numpy_python)" "$root/tests/statistics/units.py"

# What neither the order of rows nor where they stand changes.
awk 'NR == 1 { print; next } { row[NR] = $0 } END { for (i = NR; i > 1; i--) print row[i] }' one.csv >backwards.csv
mkdir results
gzip -c backwards.csv >results/scores.csv.gz
run "$BERTH" eval screen one.csv --actives actives.txt --out first
run "$BERTH" eval screen results --actives actives.txt --out second
sed 's/^results,/one,/; s/,results,/,one,/' second/enrichment.csv >renamed
check 'rows backwards, packed, in a folder' all exited 0 -- same first/enrichment.csv renamed
run "$BERTH" eval screen one.csv --actives actives.txt --out third --seed 2
check 'another seed: other bounds, the same values' all differ first/enrichment.csv third/enrichment.csv -- \
    [ "$(cut -d, -f 1-3 first/enrichment.csv)" = "$(cut -d, -f 1-3 third/enrichment.csv)" ]

# What is no affinity though it is called after Vina.
mkdir ranked && awk -F, -v OFS=, '{ print $0, NR == 1 ? "vina,ranking" : $6 "," $6 }' one.csv >ranked/scores.csv
printf '{\n  "identity": {\n    "scoring": "vina",\n    "functions": "vina vinardo",\n    "rank_ligands": "vina"\n  }\n}\n' >ranked/run.json
run "$BERTH" eval screen ranked --actives actives.txt
check 'which column is the affinity' all exited 0 -- said affinity '1 + 0.05846 rotors'
run "$BERTH" eval screen ranked --actives actives.txt --column score
check 'unless another column is named' all exited 0 -- sh -c '! grep -q 0.05846 stdout'
for column in vina energy ranking; do
    run "$BERTH" eval screen ranked --actives actives.txt --column $column
    check "of such a column, too: $column" all exited 0 -- \
        holds stdout "0.05846 rotors; $(echo $column | sed s/ranking/vina/) "
done
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "heavy_atoms") heavy = i } NR > 1 { $heavy = $0 ~ /active/ ? 10 : 20 } { print }' one.csv >small.csv
run "$BERTH" eval screen small.csv --actives actives.txt
check 'size ranks smaller actives by the fewest atoms' all exited 0 -- \
    grep -q '^EF1 %  .* 16\.0 (no interval)  *0\.0$' stdout -- \
    grep -q '^ROC area  .*  1\.000 (no interval)$' stdout -- holds stdout 'small against fewest heavy atoms' -- \
    said smaller 'fewest heavy atoms alone (ROC area -0.'
run "$BERTH" eval screen one.csv --actives actives.txt
check 'and larger ones by the most' all exited 0 -- holds stdout 'one against heavy atoms' -- \
    sh -c '! grep -q fewest stdout'
# Several columns, and expressions, are compared as results by each of them are.
run "$BERTH" eval screen ranked --actives actives.txt --column ' score,ranking , (1 + 0*score) * (-1) * energy/2' --out three
check 'columns with commas between' all exited 0 -- holds stdout 'ranking                   (1 + 0*score) * (-1) * energy/2' -- \
    holds stdout 'ranking against score' -- [ "$(grep -c '^ranked/scores.csv: ' stdout)" -eq 1 ]
"$BERTH" eval screen ranked --actives actives.txt --column ranking --out two >/dev/null
check 'each is what it is alone' all [ "$(grep -c '^ranking,[a-z_0-9.]*,' three/enrichment.csv)" -gt 8 ] -- \
    [ "$(grep '^ranking,[^m]' three/enrichment.csv)" = "$(grep '^ranked,' two/enrichment.csv | sed 's/^ranked/ranking/')" ]
area() { sed -n "s/^$1,roc_area,\([^,]*\),.*/\1/p" three/enrichment.csv; }
"$BERTH" eval screen ranked --actives actives.txt --column energy --out four >/dev/null
check 'an expression ranks by its value: here the other way round' awk -v a="$(area '.*energy.2')" \
    -v b="$(sed -n 's/^ranked,roc_area,\([^,]*\),.*/\1/p' four/enrichment.csv)" 'BEGIN { exit !(a > 0 && b > 0 && (a + b - 1) ^ 2 < 1e-12) }'
refused_too 'a column that there is not' vinna "$BERTH" eval screen ranked --actives actives.txt --column 'score,vinna'
run "$BERTH" eval screen ranked --actives actives.txt --column 'score / vinna'
check 'of an expression' all exited 1 -- holds stderr "berth: --column:1:9: " -- holds stderr vinna
refused 'an expression over all rows' "$BERTH" eval screen ranked --actives actives.txt --column 'score, z(score)'
refused 'columns and results' \
    "$BERTH" eval screen ranked --actives actives.txt --column score,energy --compare one.csv
run "$BERTH" eval screen ranked --actives actives.txt --column score,score,score,score,score,score,score
check 'too many columns' exited 1
mkdir wet && cp one.csv wet/scores.csv
printf '{\n  "identity": {\n    "functions": "vina vinardo",\n    "metal_sites": "1 3 0.3",\n    "displacement": "0.5"\n  }\n}\n' >wet/run.json
run "$BERTH" eval screen wet --actives actives.txt --column energy
check 'what rankings add to that one is said' all exited 0 -- said 'added to energy' 'coordination and displacement'
for rank in '(vina + vinardo) / (1 + 0.03*rotors)' vinardo score; do
    sed -i "s|\"rank_ligands\": .*|\"rank_ligands\": \"$rank\"|" ranked/run.json
    run "$BERTH" eval screen ranked --actives actives.txt
    check "or ligands are ranked by $rank" all exited 0 -- sh -c '! grep -q 0.05846 stdout'
done

# What a comparison says.
awk -F, -v OFS=, 'NR > 1 { $5 = -$5 } { print }' one.csv | awk -F, 'NR == 1 || $4 == 1' >reverse.csv
awk -F, 'NR == 1 || $4 == 1' one.csv >forward.csv
run "$BERTH" eval screen forward.csv --actives actives.txt --compare reverse.csv --out contrary
check 'the mean rank of contrary rankings is chance' \
    holds contrary/enrichment.csv 'mean rank,roc_area,0.5,0.5,0.5'
awk -F, -v OFS=, 'NR > 1 { $5 = -$7 } { print }' forward.csv >size.csv
run "$BERTH" eval screen size.csv --actives actives.txt
check 'what ranks as size does is told' said 'as size does' 'heavy atoms alone'
mkdir sized
cp size.csv sized/scores.csv
"$BERTH" report sized --actives actives.txt >/dev/null 2>&1
sed -n 's/.*"size":"\([^"]*\)".*/\1/p' sized/report.html >stdout
check 'by the report, too, with what size reaches' said 'as size does, by the report' '+0.000 (no interval), p 1.'
check 'one result is compared with nothing of its kind' sh -c '! grep -q comparisons stdout'
awk -F, -v OFS=, 'NR > 1 { $7 = $2 ~ /active/ ? 30 + NR % 9 : 20 + NR % 13 } { print }' reverse.csv >worse.csv
run "$BERTH" eval screen worse.csv --actives actives.txt
check 'what ranks worse than size is told, with by how much' all exited 0 -- \
    grep -q '^worse .*heavy atoms alone (ROC area -0\.' stdout
mkdir worse && cp worse.csv worse/scores.csv
"$BERTH" report worse --actives actives.txt >/dev/null 2>&1
check 'by the report, too' grep -q \
    '"size":"[^"]*ROC area 0\.9[^"]*heavy atoms alone (ROC area -0\.' worse/report.html
awk -F, -v OFS=, 'NR > 1 { $7 = 20 + NR % 13 } { print }' forward.csv >better.csv
run "$BERTH" eval screen better.csv --actives actives.txt
check 'what ranks better has no such line' all exited 0 -- sh -c '! grep -q "heavy atoms alone" stdout'
grep -v 'decoy1[0-9]*,' two.csv >fewer.csv
run "$BERTH" eval screen one.csv --actives actives.txt --compare fewer.csv
check 'ligands that not all results have' all exited 0 -- said 'not in all' 'some of the results'
cp forward.csv "mean rank.csv"
run "$BERTH" eval screen forward.csv --actives actives.txt --compare forward.csv,"mean rank.csv" --out labels
check 'no two rankings share a name' [ "$(cut -d, -f 1 labels/enrichment.csv | uniq | tr '\n' ' ')" = \
    'ranking forward forward 2 mean rank 2 mean rank heavy atoms ' ]

# Whose name counts.
sed -n '1~2p' actives.txt | sed 's/^/  /; s/$/\t/' >half.txt
printf 'nobody\n\n' >>half.txt
grep -o 'decoy[0-9]*' one.csv | sort -u | head -n 100 >some.txt
run "$BERTH" eval screen one.csv --actives half.txt --decoys some.txt
check 'decoys by name: others do not count' all exited 0 -- \
    holds stdout 'one.csv: 113 ligands, 13 actives, 100 decoys' -- \
    said 'no score' '(nobody)' -- said 'neither active nor decoy' '287 ligands'
awk -F, -v OFS=, 'NR > 1 { $2 = $2 "_" $4 } { print }' one.csv >states.csv
{ head -n 1 one.csv; grep "$(head -n 1 actives.txt)," one.csv; grep -v "$(head -n 1 actives.txt)," states.csv | sed 1d; } >hidden.csv
run "$BERTH" eval screen hidden.csv --actives actives.txt
check 'actives that are there as states are told of' all exited 0 -- \
    said 'states by their names' ' if _1'
run "$BERTH" eval screen states.csv --actives actives.txt --states --out states
sed 's/^states,/one,/' states/enrichment.csv >renamed
check '--states: NAME_1 and NAME_2 are one' all exited 0 -- same first/enrichment.csv renamed
# The column state_of says by itself what is a state of what; actives may be called by states, too.
awk -F, -v OFS=, 'NR == 1 { print $0, "state_of"; next } { print $0, substr($2, 1, length($2) - 2) }' states.csv >by_column.csv
sed 's/$/_2/' actives.txt >by_state.txt
for names in actives by_state; do
    run "$BERTH" eval screen by_column.csv --actives $names.txt --out column_$names
    sed 's/^by_column,/one,/' column_$names/enrichment.csv >renamed
    check "state_of: $names" all exited 0 -- same first/enrichment.csv renamed -- \
        holds stdout '400 of 800 rows' -- holds stdout state_of
done
run "$BERTH" eval screen one.csv --actives actives.txt --compare by_column.csv
check 'beside a table without it' all exited 0 -- holds stdout ': 400 ligands, 25 actives' -- sh -c '! grep -q "left out" stdout'
awk -F, -v OFS=, 'NR > 1 { $7 = "" } { print }' states.csv >no_column.csv
run "$BERTH" eval screen no_column.csv --actives actives.txt --compare by_column.csv
check 'the states of one are those of the other' all exited 0 -- holds stdout ': 400 ligands, 25 actives' -- sh -c '! grep -q "left out" stdout'

# One molecule under two names, by the column smiles: an active that is there twice, one whose other name is worse and
# no active's, two decoys; but not a racemate, whose enantiomers are there by themselves, nor ligands without a SMILES.
cat >twins.csv <<'END'
ligand,score,smiles,state_of
act1,-9,CCO,
act1_again,-8,CCO,
act2,-5,CCN,
dec2,-7,CCN,
dec3,-6,CCC,
dec3_again,-4,CCC,
rac_1,-3,C[C@H](F)Cl,rac
rac_2,-2,C[C@@H](F)Cl,rac
pure,-2.5,C[C@H](F)Cl,
dec4,-1,,
dec5,0,,
END
printf '%s\n' act1 act1_again act2 >twins.txt
run "$BERTH" eval screen twins.csv --actives twins.txt --out twins
check 'names of one molecule are one' all exited 0 -- holds stdout 'twins.csv: 7 ligands, 2 actives, 5 decoys' -- \
    said 'of two names' '4 of 11 rows' -- sh -c '! grep "left out" stdout'
check 'which ranks by the better row, under its name' \
    [ "$(cut -d, -f 2-4 twins/actives.csv | tr '\n' ' ')" = "ligand,rank,score act1,1,-9 dec2,2,-7 " ]
printf 'ligand,score,smiles,open_stereo\nrac,-3,C[C@H](F)Cl,1\nagain,-2,C[C@H](F)Cl,1\npure,-1,C[C@H](F)Cl,\nother,0,CC,\n' >racemate.csv
printf 'rac\npure\n' >racemate.txt
run "$BERTH" eval screen racemate.csv --actives racemate.txt
check 'a racemate is not the enantiomer that was docked of it' all exited 0 -- holds stdout 'racemate.csv: 3 ligands, 2 actives, 1 decoys' -- \
    holds stdout '(again is rac)'
printf '%s\n' dec3_again pure dec4 dec5 dec2 >others.txt
run "$BERTH" eval screen twins.csv --actives twins.txt --decoys others.txt
check 'an active if one of its names is, whatever the others are' all exited 0 -- holds stdout '6 ligands, 2 actives, 4 decoys'
cut -d, -f 1,2 twins.csv | sed 's/_again/_other/' >plain.csv
run "$BERTH" eval screen plain.csv --actives twins.txt
check 'without the column every name is one' all exited 0 -- holds stdout 'plain.csv: 11 ligands, 2 actives, 9 decoys' -- \
    sh -c '! grep "same molecule" stdout'
cut -d, -f 1,2 twins.csv >unknown.csv
run "$BERTH" eval screen twins.csv --actives twins.txt --compare unknown.csv
check 'a table without it is joined as the other says' all exited 0 -- holds stdout ': 7 ligands, 2 actives, 5 decoys'
awk -F, -v OFS=, 'NR > 1 && !$4 { $1 = $1 "_1" } { print }' twins.csv >states_too.csv
sed 's/_again//' twins.txt | sort -u >by_name.txt
run "$BERTH" eval screen states_too.csv --actives by_name.txt --states
check '--states comes first' all exited 0 -- holds stdout ': 7 ligands, 2 actives, 5 decoys'
mkdir twins_page
cp twins.csv twins_page/scores.csv
run "$BERTH" report twins_page --actives twins.txt
check 'the report counts so, and knows actives by all of their names' all exited 0 -- \
    holds twins_page/report.html '"roc":{"actives":2,"ligands":7,' -- \
    holds twins_page/report.html '"names":["act1","dec2","act1_again","act2"]' -- \
    holds twins_page/report.html '3 ligands'

# Of two endings, a tautomer's and a state's of it; names of actives and decoys may end so, too.
awk -F, -v OFS=, 'NR > 1 { $2 = $2 "_1_" $4 } { print }' one.csv >nested.csv
awk -F, -v OFS=, 'NR == 1 { print $0, "state_of"; next } { print $0, substr($2, 1, length($2) - 2) }' nested.csv >nested_by_column.csv
sed 's/$/_1/' actives.txt >tautomers.txt
for table in nested nested_by_column; do
    run "$BERTH" eval screen $table.csv --actives actives.txt --states --out out_$table
    sed "s/^$table,/one,/" out_$table/enrichment.csv >renamed
    check "--states: $table, by molecules" all exited 0 -- same first/enrichment.csv renamed
    run "$BERTH" eval screen $table.csv --actives tautomers.txt --states --out out_$table
    check "--states: $table, by names that end like states" all exited 0 -- \
        [ "$(sed "s/^$table,/one,/" out_$table/enrichment.csv | cut -d, -f 1-3)" = "$(cut -d, -f 1-3 first/enrichment.csv)" ]
done
refused 'states that are not said to be some' "$BERTH" eval screen nested_by_column.csv --actives actives.txt

# The report measures the same.
mkdir page
cp by_column.csv page/scores.csv
run "$BERTH" report page --actives actives.txt
sed -n 's/.*"measures":\[\(.*\)\],"joined":"\([^"]*\)","undocked":0.*/\1 \2/p' page/report.html >measured
# figures FILE: what it has of measures, with intervals.
figures() { grep -oE '[0-9.]+ \((no interval|[0-9.]+ to [0-9.]+)\)' "$1"; }
sed -n 's/^\(ROC\|EF\|BEDROC\|log\)\([^)]*)\).*/\2/p' first/summary.txt >summary
figures summary | head -n 9 >values
figures measured >shown
check 'the report gives the same figures, with intervals' all exited 0 -- lines values 9 -- same values shown -- \
    holds measured '["EF1 %","16.0 (12.0 to 16.0)","3.2"]' -- holds measured '["BEDROC 20","0.489 (0.279 to 0.681)"]' -- \
    holds page/report.html '"resamples":2000' -- holds page/report.html '"states":false,"names":["active101"' -- \
    holds measured '400 of 800 rows'
mkdir states_page
cp states.csv states_page/scores.csv
run "$BERTH" report states_page --actives actives.txt --states
sed -n 's/.*"measures":\[\(.*\)\],"joined":"\([^"]*\)","undocked":0.*/\1 \2/p' states_page/report.html >joined
figures joined >by_name_figures
check 'and by --states, where no column says it' all exited 0 -- [ -s by_name_figures ] -- same values by_name_figures
mkdir nested_page
cp nested_by_column.csv nested_page/scores.csv
run "$BERTH" report nested_page --actives actives.txt --states
sed -n 's/.*"measures":\[\(.*\)\],"joined":"\([^"]*\)","undocked":0.*/\1 \2/p' nested_page/report.html >joined
figures joined >nested_figures
check 'and on top of the column' all exited 0 -- same values nested_figures
{
    printf 'name,energy,total\n'
    awk -F, 'NR > 1 && $4 == 1 { print $2 "," (-$5) "," $5 }' one.csv
} >scored.csv
run "$BERTH" eval screen scored.csv --actives actives.txt --out scored
check 'what `berth score` writes: total ranks' [ "$(sed -n 's/^scored,roc_area,\([^,]*\).*/\1/p' scored/enrichment.csv)" = \
    "$(sed -n 's/^one,roc_area,\([^,]*\).*/\1/p' first/enrichment.csv)" ]
run "$BERTH" eval screen scored.csv --actives actives.txt --out energy --column energy
check '--column: another one' differ scored/enrichment.csv energy/enrichment.csv
printf '\033[2Jname\n=1+1\n' >hostile.txt
printf '%s\n' ligand,score '\x1b[2Jname,1' "'=1+1,2" harmless,3 >hostile.csv
run "$BERTH" eval screen hostile.csv --actives hostile.txt
check 'names that would move a terminal are met, and shown' all exited 0 -- \
    holds stdout '3 ligands, 2 actives' -- holds stdout '\x1b[2Jname 1, =1+1 2' -- \
    [ "$(tr -d '[:print:]\n' <stdout | wc -c)" -eq 0 ]

# Molecules.
printf 'c1ccccc1CCN\tactive5\nc1ccccc1C(=O)[O-] active21\nCCCCO active37\nC1CCCCC1O active53\nnone active69\n' >known.smi
library=$root/tests/fixtures/screen/library.blib
run without_rdkit "$BERTH" eval screen one.csv --actives known.smi
check 'without RDKit: said, and the rest is done' all exited 0 -- \
    holds stdout '400 ligands, 5 actives' -- said 'without RDKit' 'need RDKit'

run env BERTH_PYTHON=/bin/false "$BERTH" eval screen one.csv --actives actives.txt
check 'without NumPy: what to install is said' all exited 1 -- said 'without NumPy' NumPy

# What is refused.
evaluate() { "$BERTH" eval screen "$@"; }
echo unheard >unheard.txt
refused 'no active among the ligands' evaluate one.csv --actives unheard.txt
refused 'an active that is a decoy' evaluate one.csv --actives actives.txt --decoys actives.txt
sed -n '/active/p; 1p' one.csv >all.csv
refused 'nothing but actives' evaluate all.csv --actives actives.txt
refused 'no such column' evaluate one.csv --actives actives.txt --column affinity
printf "a,b\n1,2\n" >failures
refused 'no column of names' evaluate failures --actives actives.txt 
refused 'two results without --compare' evaluate one.csv two.csv --actives actives.txt
refused 'too many results' \
    evaluate one.csv --actives actives.txt --compare one.csv,one.csv,one.csv,one.csv,one.csv,one.csv
mkdir empty
refused 'a folder without scores' evaluate empty --actives actives.txt
{ head -n 90 one.csv; printf '44,decoy44,,2'; } >cut.csv
refused 'a table that is cut off' evaluate cut.csv --actives actives.txt
: >nothing.txt
refused 'no names' evaluate one.csv --actives nothing.txt
refused 'no such folder' evaluate one.csv --actives actives.txt --out /nonexistent/out

slice screening 'masses of the library of a screen, SMILES of actives, scaffolds, values of other programs'
mkdir screened && cp "$library" screened/library.blib
"$BERTH" lib ls "$library" | awk -F , 'NR > 1 { print $2 }' >docked
awk 'BEGIN { print "ligand,score,heavy_atoms" } { print $1 "," NR ",9" }' docked >screened/scores.csv
head -n 2 docked >first.txt
run without_rdkit "$BERTH" eval screen screened --actives first.txt --out masses
check 'of a screen, the library that it docked knows the masses' all exited 0 -- holds masses/enrichment.csv 'mass,roc_area,' -- \
    sh -c '! grep -q "no ranking by mass" stdout'
awk '{ print "C " $1 }' first.txt >drawn.smi
run "$BERTH" eval screen screened --actives drawn.smi --out drawn
for folder in masses drawn; do grep ',mass,\|^mass,' $folder/enrichment.csv | grep -v scaffold >$folder/rows; done
check 'also where actives are given as drawn, which may have another charge' all exited 0 -- [ -s drawn/rows ] -- \
    same masses/rows drawn/rows
for i in 1 2 3 4 5 6; do fragment "mol$i" >>six.mol2; done
{
    echo 'ligand,score,heavy_atoms'
    for i in 1 2 3 4 5 6; do echo "mol$i,$i,7"; done
} >six.csv
head -n 40 six.mol2 | awk '/MOLECULE/ && n++ { exit } { print }' >one.mol2
run without_rdkit "$BERTH" eval screen six.csv --actives one.mol2 --ligands six.mol2 --out six
check 'Mol2: masses without RDKit' all exited 0 -- holds six/enrichment.csv 'mass,roc_area,0.5,' -- \
    holds six/enrichment.csv 'six,roc_area,1,1,1'
sed 's/ 8\.8 / eight /' six.mol2 >bad.mol2
run "$BERTH" eval screen six.csv --actives one.mol2 --ligands bad.mol2
check 'molecules that cannot be read keep their names' all exited 0 -- holds stdout '6 ligands, 1 actives' -- \
    holds stdout ' 5 ligands (mol2)' -- said 'few actives' '10 actives' -- holds stdout ' EF0.5 % (first 1; one active is 6.0), EF1 % '
run "$BERTH" eval screen one.csv --actives known.smi --out known
if holds stderr 'no scaffolds'; then
    skip 'scaffolds' 'RDKit is not installed'
else
    check 'scaffolds' all exited 0 -- holds stdout '3 scaffolds of actives' -- \
        said 'unknown scaffold' '1 actives' -- said 'unknown size' active69 -- \
        holds known/enrichment.csv 'heavy atoms,scaffolds_10,' -- \
        [ "$(sed -n 's/^one,\(.*\),.*,.*/\1/p' known/scaffolds.csv | tr '\n' ' ')" = 'no ring,1 C1CCCCC1,1 c1ccccc1,2 ' ]
    run "$BERTH" eval screen six.csv --actives one.mol2 --out mol2
    check 'of Mol2, too' holds mol2/actives.csv ',c1ccccc1'
fi
"$BERTH" lib ls "$library" | awk -F, 'NR > 1 { print $2 }' >names
{
    echo 'ligand,score'
    awk '{ print $0 "," NR }' names
    echo 'other,99'
} >library.csv
run "$BERTH" eval screen library.csv --actives "$library" --out library
check 'a library' all exited 0 -- lines library/actives.csv $(($(wc -l <names) + 1))

# By others' programs, where a Python has them (BERTH_SKLEARN_PYTHON names one).
for python in python3 /usr/bin/python3 "${BERTH_SKLEARN_PYTHON:-python3}"; do
    if "$python" -c 'import sklearn.metrics, rdkit.ML.Scoring.Scoring' 2>/dev/null; then
        check 'scikit-learn and RDKit agree to 1e-9' \
            "$python" "$root/tests/statistics/enrichment.py" forward.csv actives.txt first/enrichment.csv
        finish
    fi
done
skip 'scikit-learn and RDKit agree to 1e-9' 'scikit-learn is not installed (BERTH_SKLEARN_PYTHON names a Python that has it)'
finish
