#!/bin/sh
# berth eval fit: planted weights are found, noise is refused, what it writes ranks, and what is refused.
. tests/cli/lib.sh

# make_scores KIND: a screen's table, of which every fourth ligand is an active.  Planted: a + 4 b tells them, and vina is
# a; noise: nothing does.  Numbers are whole thousandths of a fixed generator, so no machine rounds them differently.
make_scores() {
    python3 - "$1" <<'END'
import sys
state = 12345
def uniform():
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return (state >> 8) / 2**23
def normal():
    return sum(uniform() for _ in range(12)) - 6
print('ligand,mode,score,vina,plp,cnn_score,energy,other,strain,rmsd,heavy_atoms,rotors')
for i in range(1500):
    active, a, b = i % 4 == 3, normal(), normal() / 4
    if active and sys.argv[1] == 'planted':
        a, b = a - 0.5, b - 0.125
    c = normal()
    name = 'active' if active else 'decoy'
    for mode in (1, 2):
        print(f'{name}{i},{mode},{a + mode:.3f},{a - 7:.3f},{b:.3f},{a:.3f},{a:.3f},{c:.3f},,{0 if active else 9},20,3')
END
}
make_scores planted >planted.csv
make_scores noise >noise.csv
sed -n 's/^\(active[0-9]*\),1,.*/\1/p' planted.csv >actives.txt

fit() { "$BERTH" eval fit "$@"; }
run fit planted.csv --actives actives.txt --out out --ligand_terms 'vina,plp,other,-other'
check 'planted weights' all exited 0 -- silent -- \
    holds stdout 'planted.csv: 1500 ligands, 375 actives, 1125 decoys' -- \
    holds stdout '4 terms' -- said 'by more than chance' ' 5 deals' -- said 'the file' out/fitted.rank
check 'are found: logistic regression of two normal distributions has their difference over their variance, 1 to 4' \
    python3 - <<'END'
import csv
terms = {row['term']: row for row in csv.DictReader(open('out/weights.csv'))}
assert float(terms['vina']['weight']) == 1
assert 3 < float(terms['plp']['weight']) < 5.3, terms['plp']
assert min(float(terms[t]['share']) for t in ('other', "'-other")) == 0
for row in terms.values():
    assert 0 <= float(row['low']) <= float(row['high']) <= 1
assert abs(sum(float(row['share']) for row in terms.values()) - 1) < 1e-9
END
check 'and the measures are those of `eval screen` for what was not fitted' python3 - <<'END'
import csv
rows = {(r['ranking'], r['against'], r['measure']): r for r in csv.DictReader(open('out/fit.csv'))}
value = lambda *key: float(rows[key]['value'])
assert value('fitted', '', 'roc_area') > value('score', '', 'roc_area')
gain = value('fitted', '', 'bedroc_20') - value('score', '', 'bedroc_20')
assert abs(gain - value('fitted', 'score', 'bedroc_20')) < 1e-9 and float(rows['fitted', 'score', 'bedroc_20']['low']) > 0
END
check 'and each function alone is measured beside it' python3 - <<'END'
import csv
rows = {(r['ranking'], r['against']): r for r in csv.DictReader(open('out/fit.csv')) if r['measure'] == 'roc_area'}
first = [r for r in csv.DictReader(open('planted.csv')) if r['mode'] == '1']
actives = set(open('actives.txt').read().split())
for name in 'vina', 'plp':
    right = [float(r[name]) for r in first if r['ligand'] in actives]
    wrong = [float(r[name]) for r in first if r['ligand'] not in actives]
    area = sum((a < b) + (a == b) / 2 for a in right for b in wrong) / len(right) / len(wrong)
    assert abs(float(rows[name, '']['value']) - area) < 1e-9, (name, area, rows[name, ''])
    gain = float(rows['fitted', '']['value']) - area
    assert abs(float(rows['fitted', name]['value']) - gain) < 1e-9
END
check 'beside size alone' all holds out/fit.csv 'ligands,fitted,,ef_1,2.66666666667,1.6,3.46666666667,1' -- \
    grep -q '^EF1 %  .* 1\.0$' stdout
awk -F, 'NR == 1 || $2 == 1' planted.csv >first.csv
run "$BERTH" eval screen first.csv --actives actives.txt --out known
check 'and so are those of the unfitted one' \
    [ "$(sed -n 's/^ligands,score,,\(roc_area,.*,\).*,.*/\1/p' out/fit.csv)" = \
    "$(sed -n 's/^first,\(roc_area,.*,\).*,.*/\1/p' known/enrichment.csv)" ]
check 'the file names the functions of the run that it needs' all holds out/fitted.rank 'scoring = vina,plp' -- \
    holds out/fitted.rank 'poses   = score' -- holds out/fitted.rank 'ligands = vina + ' -- \
    holds out/fitted.rank '# ligands: fitted by `berth eval fit` to 375 actives of planted.csv;'
dock() {
    "$BERTH" dock --receptor pocket.mol2 --ligand demo/1hpv_ligand_turned.mol2 --autobox_ligand \
        demo/1hpv_ligand.mol2 --poses 48 --generations 2 --refine 4 --hops 1 --out poses.sdf "$@"
}
run fit planted.csv --actives actives.txt --out two --ligand_terms ' vina , plp'
run dock --rank two/fitted.rank
check 'and --rank takes it' all exited 0 -- holds stdout 'two/fitted.rank of vina and plp'

# Noise.
run fit noise.csv --actives actives.txt --out out --ligand_terms 'vina,plp,other,-other'
check 'noise is no ranking, and the one of another fit goes' all exited 2 -- silent -- absent out/fitted.rank
printf 'ligand,score,energy,contrary\n' >contrary.csv
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf 'active%s,1,1,%s\nother%s,1,1,%s\n' $i $i $i -$i; done >>contrary.csv
seq -f 'active%g' 12 >twelve.txt
run fit contrary.csv --actives twelve.txt --out contrary --ligand_terms contrary
check 'nor is a term that leads astray, of a table without sizes' all exited 2 -- \
    said 'no term' ' term '
# Poses: of 30 complexes five poses each, of which one is right: where vina + 2 plp is least.  Of the first complex plp says
# nothing.
make_redocking() {
    python3 - "$1" <<'END'
import os, sys
state = 99
def uniform():
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return (state >> 8) / 2**23
os.makedirs(sys.argv[1])
with open(f'{sys.argv[1]}/redock.csv', 'w') as table:
    table.write('complex,mode,outcome\n')
    for complex in range(30):
        table.write(f'c{complex},torsions,right\n')
        os.makedirs(f'{sys.argv[1]}/c{complex}')
        with open(f'{sys.argv[1]}/c{complex}/torsions_poses.sdf', 'w') as file:
            for pose in range(5):
                truth, noise = uniform() / 2 - (0.7 if pose == 3 else 0), 20 * uniform()
                tags = {'mode': pose + 1, 'score': pose, 'vina': 10 * complex + truth + noise, 'vinardo': 0,
                        'plp': -noise / 2, 'bude': 0, 'fitted': 0, 'energy': pose, 'strain': '',
                        'rmsd': 0.5 if pose == 3 else 3 + pose}
                file.write(f'c{complex}\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n'
                           '    0.0000    0.0000    0.0000 C   0  0\nM  END\n')
                if complex == 0:
                    del tags['plp']
                file.writelines(f'>  <{name}>\n{value:.3f}\n\n' if value != '' else f'>  <{name}>\n\n\n'
                                for name, value in tags.items())
                file.write('$$$$\n')
END
}
make_redocking redocking
run fit --redock redocking --out poses
check 'poses' all exited 0 -- said complexes ' 30 complexes, 30 of them ' -- holds stdout 'first, %     96.7 (' -- \
    holds poses/fitted.rank 'scoring = vina,vinardo,plp' -- holds poses/fitted.rank 'pool    = vina,vinardo' -- holds poses/fitted.rank 'poses   = vina + '
check 'by the difference within a complex, whatever its place' python3 - <<'END'
import csv
weight = {row['term']: float(row['weight']) for row in csv.DictReader(open('poses/weights.csv'))}
assert weight['vina'] == 1 and abs(weight['plp'] - 2) < 0.1 and weight['strain'] == 0, weight
END
run fit --redock redocking --out pair --pose_terms 'vina, plp' --against vina
check 'by two functions, of another pool' all exited 0 -- holds pair/fitted.rank 'scoring = vina,plp' -- sh -c '! grep -q pool pair/fitted.rank' -- \
    holds pair/fitted.rank 'ligands = vina'
# What is refused.
head -n 5 actives.txt >few.txt
refused 'few actives' fit planted.csv --actives few.txt --out no --ligand_terms 'vina,plp'
head -n 6 redocking/redock.csv >six && mkdir six.d && cp six six.d/redock.csv && cp -r redocking/c[0-4] six.d
refused 'few complexes' fit --redock six.d --out no
refused 'nothing to fit to' fit --out no
refused 'no actives' fit planted.csv --out no
refused 'what tells the answer' fit planted.csv --actives actives.txt --out no --ligand_terms rmsd
cut -d, -f 1,4 planted.csv >scoreless.csv
refused 'no score' fit scoreless.csv --actives actives.txt --out no
cut -d, -f 1,3,7 planted.csv >single.csv
refused 'one function' fit single.csv --actives actives.txt --out no
refused 'a ranking whose columns are not there' fit planted.csv --actives actives.txt --out no --against screening

slice screening 'metals, sizes, molecules of two names, other orders and seeds, few actives'
awk -F, -v OFS=, '{ print $0, NR == 1 ? "coordination" : NR % 3 ? "" : -3 }' planted.csv >metal.csv
run fit metal.csv --actives actives.txt --out metal --ligand_terms 'vina,plp'
check 'rankings have what metals add to functions, as while docking' python3 - <<'END'
import csv
rows = {r['ranking']: r for r in csv.DictReader(open('metal/fit.csv')) if r['measure'] == 'roc_area' and not r['against']}
first = [r for r in csv.DictReader(open('metal.csv')) if r['mode'] == '1']
actives = set(open('actives.txt').read().split())
value = lambda r: float(r['vina']) + float(r['coordination'] or 0)
right = [value(r) for r in first if r['ligand'] in actives]
wrong = [value(r) for r in first if r['ligand'] not in actives]
area = sum((a < b) + (a == b) / 2 for a in right for b in wrong) / len(right) / len(wrong)
assert abs(float(rows['vina']['value']) - area) < 1e-9, (area, rows['vina'])
END
awk -F, -v OFS=, 'NR > 1 { $11 = 20 + NR % 7 + ($1 ~ /active/ ? 9 : 0); $12 = NR % 5 } { print }' first.csv >sizes.csv
run fit sizes.csv --actives actives.txt --out sizes --ligand_terms 'vina,plp'
check 'size alone is told where it ranks better' all exited 0 -- \
    said 'size alone' ' heavy atoms alone (ROC area -0.'
"$BERTH" eval screen sizes.csv --actives actives.txt --column vina --out by_vina >/dev/null
check 'as eval screen measures that; and a function as it is, which is not it over size' python3 - <<'END'
import csv
fit = {r['ranking']: float(r['value']) for r in csv.DictReader(open('sizes/fit.csv')) if r['measure'] == 'bedroc_20' and not r['against']}
screen = {r['ranking']: float(r['value']) for r in csv.DictReader(open('by_vina/enrichment.csv')) if r['measure'] == 'bedroc_20'}
assert abs(fit['vina'] - screen['sizes']) < 1e-9 and abs(fit['heavy atoms'] - screen['heavy atoms']) < 1e-9, (fit, screen)
assert abs(fit['vina over size'] - fit['vina']) > 0.01
END
# The first active once more, under a decoy's name and a better score: the molecule is one, and an active.
awk -F, -v OFS=, 'NR == 1 { print $0, "smiles"; next } { print $0, $1 }
    $1 == "active3" { $3 -= 1; smiles = $1; $1 = "decoy_again"; print $0, smiles }' planted.csv >twice.csv
run fit twice.csv --actives actives.txt --out twice --ligand_terms 'vina,plp'
check 'a molecule under two names is one ligand' all exited 0 -- \
    holds stdout 'twice.csv: 1500 ligands, 375 actives, 1125 decoys' -- said 'two names' ', by smiles'
run fit planted.csv --actives actives.txt --out default
check 'by default each function and strain, but not what a model says, which may be better where it is high' \
    [ "$(sed -n 's/^ligands,\([a-z_]*\).*/\1/p' default/weights.csv | tr '\n' ' ')" = 'vina plp strain ' ]

# What decides nothing.
"$BERTH" eval fit planted.csv --actives actives.txt --out out --ligand_terms 'vina,plp,other,-other' >/dev/null
{ head -n 1 planted.csv; tail -n +2 planted.csv | sort -t, -k 3,3; } >sorted.csv
cp planted.csv kept.csv
cp sorted.csv planted.csv
run fit planted.csv --actives actives.txt --out again --ligand_terms 'vina,plp,other,-other'
check 'the order of rows' all same out/fit.csv again/fit.csv -- same out/weights.csv again/weights.csv -- \
    same out/fitted.rank again/fitted.rank
cp kept.csv planted.csv
run fit planted.csv --actives actives.txt --out seed --ligand_terms 'vina,plp,other,-other' --seed 2
check 'another seed: other folds' all exited 0 -- differ out/fit.csv seed/fit.csv
awk -F, -v OFS=, 'NR > 1 { $11 = /active/ ? 10 : 20 } { print }' noise.csv >small.csv
run fit small.csv --actives actives.txt --out small --ligand_terms 'vina,plp'
check 'where actives are smaller, the fewest atoms are to be beaten' all exited 2 -- \
    holds stdout 'fewest heavy atoms alone (ROC area -0.' -- grep -q '^fewest heavy atoms  1\.000 (1\.000 to 1\.000)' stdout
run fit planted.csv --actives actives.txt --out alone --ligand_terms 'vina'
check 'one function, fitted, is no better than it is alone' said 'no better than one alone' ' no fit'
run fit planted.csv --actives actives.txt --out worse --ligand_terms 'other,-other,vina*other^2'
check 'what ranks worse by more than chance is said to, and than which functions alone' all exited 2 -- \
    said 'worse than score' ' score, by ' -- said 'worse than one alone' ' vina, vina over size, plp, plp over size '
# So few actives that one deal of the folds shows what another does not.
python3 - >weak.csv <<'END'
state = 1
def normal():
    global state
    total = -6
    for _ in range(12):
        state = (state * 1103515245 + 12345) % 2**31
        total += (state >> 8) / 2**23
    return total
print('ligand,mode,score,vina,plp,heavy_atoms,rotors')
for i in range(300):
    active, a, b = i % 15 == 14, normal(), normal()
    if active:
        a, b = a - 0.86, b - 0.86
    print(f'{"active" if active else "decoy"}{i},1,{a:.3f},{a - 7:.3f},{b:.3f},20,3')
END
grep -o '^active[0-9]*' weak.csv >weak.txt
for seed in 2 3 4; do
    run fit weak.csv --actives weak.txt --out weak --ligand_terms vina,plp --seed $seed
    check "then no seed decides: $seed" all exited 2 -- grep -q ' [1-4] of 5 deals ' stdout -- absent weak/fitted.rank
done
check 'which is said' said 'no decision' ' of 5 deals '
run fit planted.csv --actives actives.txt --redock redocking --out both --ligand_terms 'vina,plp'
check 'and ligands at once, the same as alone, with and without blanks in the list' all exited 0 -- \
    [ "$(grep ^poses both/fit.csv)" = "$(grep ^poses poses/fit.csv)" ] -- \
    [ "$(grep ^ligands both/fit.csv)" = "$(grep ^ligands two/fit.csv)" ] -- \
    [ "$(grep ^ligands both/fitted.rank)" = "$(grep ^ligands two/fitted.rank)" ] -- \
    [ "$(grep ^poses both/fitted.rank)" = "$(grep ^poses poses/fitted.rank)" ]
{ cat planted.csv; echo 'decoyless,1,,1,1,1,1,1,,1,1,1'; } >unscored.csv
run fit unscored.csv --actives actives.txt --out unscored --ligand_terms 'vina,plp'
check 'a ligand without a score is none' same two/fit.csv unscored/fit.csv
finish
