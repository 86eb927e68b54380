# What the tests of `berth screen` share: a library of three blocks and a search that takes no time.
# Sourced behind lib.sh.
# shellcheck shell=sh disable=SC2154,SC2034

make_rates || exit 1

# part NAME FIRST LAST: a library of one block, of fragments with this name and these numbers; every
# third has two conformers.
part() {
    part_number=$2
    while [ "$part_number" -le "$3" ]; do
        part_type=$(echo 'O.3 N.3 S.3 Cl N.4' | cut -d ' ' -f $((part_number % 5 + 1)))
        fragment "$1$part_number" "$part_type"
        if [ $((part_number % 3)) -eq 0 ]; then
            fragment "$1$part_number" "$part_type" 11.35
        fi
        part_number=$((part_number + 1))
    done >part.mol2
    ./rates part.mol2 "$1.blib" >/dev/null
}
part alpha 1 13
part beta 14 31
zcat demo/ten_drugs.mol2.gz | awk '/_C0*[1-3]$/ { good = 1 } /MOLECULE/ { good = 0; held = $0; next }
    good && held { print held; held = "" } good { print }' >part.mol2
./rates part.mol2 drugs.blib >/dev/null
"$BERTH" lib merge alpha.blib beta.blib drugs.blib --out many.blib >/dev/null 2>&1
ligands=41

# screen DIR OPTIONS...: a quick screen of $library; $poses and $generations make it slower, $refine
# poses of each conformer are refined, by the function $scoring.
library=many.blib poses=256 generations=2 refine=2 scoring=bude
screen() {
    screen_out=$1
    shift
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --library "$library" --out "$screen_out" --scoring "$scoring" --search rigid_fast --poses "$poses" \
        --generations "$generations" --refine "$refine" --refine_evaluations 20 --refine_torsions "$@"
}

# start_screen DIR OPTIONS...: the same in the background, as process $pid (a function in the
# background would be a shell around it), its output in the files started.out and started.err.
start_screen() {
    screen_out=$1
    shift
    "$BERTH" screen --receptor pocket.mol2 --autobox_ligand demo/1hpv_ligand.mol2 \
        --library "$library" --out "$screen_out" --scoring "$scoring" --search rigid_fast --poses "$poses" \
        --generations "$generations" --refine "$refine" --refine_evaluations 20 --refine_torsions "$@" >started.out 2>started.err &
    pid=$!
}

# same_results A B: all files, and of run.json the counts.
same_results() {
    for file in scores.csv hits.sdf failures.csv; do
        cmp "$1/$file" "$2/$file" || return 1
    done
    [ "$(counts "$1")" = "$(counts "$2")" ]
}
counts() { grep '^  "\(ligands\|failed\|conformers\)": ' "$1/run.json"; }

# equal_devices: how many are like the default one, all of which a screen takes.
equal_devices() {
    "$BERTH" devices | awk '/^[* ] [0-9]/ {
        standard = substr($0, 1, 1) == "*"
        sub(/^. [0-9]+ +/, "")
        count[$0]++
        if (standard) name = $0
    }
    END { print count[name] + 0 }'
}

# The default device's number.
standard=$("$BERTH" devices | sed -n 's/^\* *\([0-9]*\) .*/\1/p')
