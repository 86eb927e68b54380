#!/bin/sh
# --template: what a ligand has in common with a bound one starts and stays there; ligands without it; patterns; what is refused.
. tests/cli/lib.sh
need_rdkit 'a template, and patterns'
receptor=pocket.mol2
ligand=demo/1hpv_ligand.mol2
level=fast modes=2
dock() { # OUT LIGAND OPTIONS...
    dock_out=$1
    dock_ligand=$2
    shift 2
    "$BERTH" dock --receptor "$receptor" --ligand "$dock_ligand" --autobox_ligand "$ligand" --scoring vina --search "$level" \
        --poses 48 --generations 2 --hops 1 --num_modes "$modes" --out "$dock_out.sdf" --scores "$dock_out.csv" --verbose "$@"
}
# below FILE COLUMN MOST: all numbers of the column are at most that, and there are some
below() { columns "$1" "$2" >numbers && awk -v most="$3" '!($1 <= most) { exit 1 } END { exit !NR }' numbers; }
zcat demo/ten_drugs.mol2.gz | awk '/^@<TRIPOS>MOLECULE/ { head = $0; getline; kept = /celecoxib|trimethoprim/; if (kept) print head }
    kept' >two.mol2

run dock whole "$ligand" --template "$ligand" --reference "$ligand"
check 'a ligand with itself: all of it' all exited 0 -- below whole.csv restraint_1 1.25 -- below whole.csv unmet 0 -- \
    below whole.csv rmsd 1.5 -- holds stdout 'restraint 1: met' -- holds whole.run.json "\"template\": \"$PWD/$ligand\""
heavy=$(awk '/^@/ { atoms = /ATOM/; next } atoms && $6 !~ /^H/ { n++ } END { print n }' "$ligand")
check 'it says over how many atoms' grep -q "^restraint 1: met, .* Å over $heavy atoms" stdout
run dock loose "$ligand" --template "$ligand" --core_tolerance 1000
check 'it may only start there' all exited 0 -- below loose.csv restraint 0

cat two.mol2 two.mol2 >four.mol2
run dock four four.mol2
sed -n '/^best first$/,/^$/p' stdout | sed '1,3d; $d' >best
check 'of several ligands the best are printed in order' all exited 0 -- lines best 4 -- sh -c 'sort -s -g -k 1,1 best | cmp -s - best'

cat "$ligand" "$ligand" >pair.mol2
run dock pair "$ligand" --template pair.mol2
check 'a template of several molecules is none' all exited 1 -- said 'a template of several molecules is none' pair.mol2 -- \
    [ ! -e pair.csv ]

# A template that is false, 7 Å away: held, the pose is there; not held, the function decides.
awk -v shift=7 '/^@/ { atoms = /ATOM/ } atoms && NF > 5 { $3 = sprintf("%.4f", $3 + shift) } { print }' "$ligand" >false.mol2
run dock held "$ligand" --template false.mol2
check 'a template that overlaps the receptor' all exited 0 -- holds stderr 'false.mol2 overlaps'
slice docking 'templates that are not held, shards, ligands without it, screens'
run dock soft "$ligand" --template false.mol2 --core_weight 1
columns held.csv score >there && columns soft.csv score coordination unmet >decided
check 'one that is not held may be left, for its price' all exited 0 -- holds soft.csv ',coordination,' -- \
    awk 'FNR == NR { if (FNR == 1) held = $1; next } FNR == 1 { split($0, c, ","); good = c[1] < held && c[2] > 0.5 && c[2] <= 1 && c[3] == 0 }
        END { exit !good }' there decided
run dock near "$ligand" --template "$ligand" --core_weight 1
check 'or kept' all exited 0 -- holds stdout 'at most 1'

screened() { # OUT OPTIONS...
    screen_out=$1
    shift
    "$BERTH" screen --receptor "$receptor" --library two.blib --autobox_ligand "$ligand" --scoring vina --search fast \
        --poses 48 --generations 2 --hops 1 --template "$ligand" --core_weight 1 --out "$screen_out" "$@"
}
"$BERTH" prep ligands two.mol2 --out two.blib >/dev/null 2>&1
run screened all
check 'a screen takes it, and its journal keeps the price' all exited 0 -- holds all/scores.csv ',coordination,' -- \
    holds all/run.json '"soft_core": "1 1 1"'

for shard in 1 2; do
    screened "part$shard" --shard "$shard/2" >/dev/null 2>&1
done
run "$BERTH" merge part1 part2 --out joined
check 'shards join to it' all exited 0 -- same all/scores.csv joined/scores.csv

# The sulfonamide with its aniline, which neither of the two drugs has.
core='Nc1ccc(cc1)S(=O)(=O)N'
run dock core "$ligand" --template "$ligand" --core "$core"
check 'a pattern' all exited 0 -- below core.csv restraint_1 1.25 -- holds stdout "core $core"
without_rdkit() { BERTH_PYTHON=/bin/false && export BERTH_PYTHON && dock "$@"; } # in a subshell
(without_rdkit bare "$ligand" --template "$ligand" >stdout 2>stderr)
code=$?
check 'a template needs no RDKit' all exited 0 -- below bare.csv restraint_1 1.25
(without_rdkit bare "$ligand" --template "$ligand" --core "$core" >stdout 2>stderr)
code=$?
check 'but a pattern does' all exited 1 -- said 'a pattern without RDKit' 'SMARTS are matched by RDKit'
modes=1
run dock free two.mol2 --template "$ligand" --core "$core"
check 'ligands without the core are docked freely, and do not meet it' all exited 0 -- \
    sh -c '[ "$(wc -l <free.csv)" -eq 3 ]'
columns free.csv restraint_1 unmet >cells
check 'their distances are empty' grep -qx ',1' cells
run dock none two.mol2 --template "$ligand" --core "$core" --no_core refuse --failures none_failures.csv
check 'or refused, if you like' all exited 2 -- said 'ligands without the core' 'ligand celecoxib'
run dock least two.mol2 --template "$ligand" --min_core 30 --no_core refuse --failures least_failures.csv
check 'as those with less in common than asked' said 'ligands with less in common' 'ligand celecoxib'

smiles='C1C(CCO1)OC(=O)NC(C(CN(CC(C)C)S(=O)(=O)c2ccc(cc2)N)O)Cc3ccccc3'
refused 'a core of no template' dock out/a "$ligand" --core "$core"
refused 'how one is held' dock out/a "$ligand" --core_weight 3
refused_too 'a template that is not there' missing.sdf dock out/a "$ligand" --template missing.sdf
refused 'a pattern that it lacks' dock out/a "$ligand" --template "$ligand" --core '[Si]'
run dock whole "$ligand" --template "$ligand" --core "$smiles"
check 'the SMILES of that message is a core that it has' all exited 0 -- holds stdout "core $smiles"
printf '# a core\ncore [Si] on %s\n' "$ligand" >lacks.txt
refused 'of a file its line, the pattern and what the reference is' dock out/a "$ligand" --restraints lacks.txt
refused 'a pattern that is none' dock out/a "$ligand" --template "$ligand" --core 'c1cc('
: >empty.sdf
refused_too 'a file without a molecule' empty.sdf dock out/a "$ligand" --template empty.sdf
printf 'core %s on %s\n' "$core" "$ligand" >core.txt
refused 'two cores' dock out/a "$ligand" --template "$ligand" --restraints core.txt
level=rigid_fast
refused 'a rigid search' dock out/a "$ligand" --template "$ligand"
finish
