#!/bin/sh
# Runs the same jobs with two builds of berth and compares, byte for byte, all that they write: for a
# change that must not change results.
# Usage: sh tests/compare_programs.sh OLD NEW [DEVICE]   (paths of two programs; from the project's folder)
# Left out are times and rates, the hash of the kernels (a comment changes it), and the library that Open
# Babel makes, which differs from run to run.
# Exit code 1 where anything differs.
set -u
root=$PWD
reference=$(cd "${BERTH_REFERENCE_DATA:-../shared/data}" 2>/dev/null && pwd)
device=${3:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What one program writes, in the folder $1; the program is $2.
jobs_of() {
    mkdir -p "$1" && cd "$1" || exit 1
    berth=$2
    R="--receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --device $device"
    ln -s "$root/data/demo" demo
    run dock1 "$berth" dock $R --ligand demo/1hpv_ligand_turned.mol2 --reference demo/1hpv_ligand.mol2 \
        --poses 2048 --out dock1.sdf --scores dock1.csv
    run dock10 "$berth" dock $R --ligand demo/ten_drugs.mol2.gz --poses 1024 --generations 3 --hops 0 \
        --out dock10.mol2 --scores dock10.csv --seed 7
    run plp "$berth" dock $R --ligand demo/ten_drugs.mol2.gz --poses 512 --generations 3 --hops 1 \
        --scoring plp --refine_torsions --out plp.sdf --scores plp.csv
    run rigid "$berth" dock $R --ligand demo/ten_drugs.mol2.gz --poses 512 --generations 2 --refine 0 \
        --separate --out rigid.sdf --scores rigid.csv
    run prep "$berth" prep ligands demo/ten_drugs.mol2.gz --conformers 3 --out ten.blib --failures prep.csv
    run libls "$berth" lib ls ten.blib
    run libget "$berth" lib get ten.blib ritonavir --out get.mol2
    run brec "$berth" prep receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --out r.brec
    S="--receptor r.brec --library ten.blib --device $device --poses 512 --generations 3 --hops 1"
    run screen "$berth" screen $S --out screen
    run modes "$berth" screen $S --scoring plp --refine_torsions --num_modes 3 --top 4 --out modes
    for part in 1 2 3; do
        run "part$part" "$berth" screen $S --shard "$part/3" --out "part$part"
    done
    run merge "$berth" merge part3 part1 part2 --out merged
    run docklib "$berth" dock --receptor r.brec --ligand ten.blib --device "$device" --poses 512 \
        --generations 3 --strain_weight 0.5 --out docklib.sdf --scores docklib.csv
    run score "$berth" score --receptor demo/1hpv_receptor.mol2 --ligand dock10.mol2 --out score.csv --device "$device"
    run minimize "$berth" score --receptor demo/1hpv_receptor.mol2 --ligand dock10.mol2 --out min.csv \
        --device "$device" --minimize --out_poses min.sdf
    run scoreplp "$berth" score --receptor demo/1hpv_receptor.mol2 --ligand dock10.mol2 --scoring plp \
        --out - --device "$device"
    if [ -n "$reference" ]; then
        run bude "$berth" score --receptor "$reference/bude/1gcz/receptor.mol2" \
            --ligand "$reference/bude/1gcz/reference/ligand01.mol2" --out bude.csv --device "$device"
        run redock "$berth" eval redock "$reference/redock" --only 1opk --mode crystal --poses 1024 \
            --hops 0 --out redock --device "$device"
    fi
    rm -f demo
    rm -rf part1/journal part2/journal part3/journal screen/journal modes/journal
    # What a run took is no result.
    find . -type f \( -name '*.json' -o -name '*.stdout' -o -name '*.csv' -o -name '*.md' -o -name '*.stderr' \) \
        -exec sed -i -e '/seconds\|per_second\|"finished"\|"devices_busy"\|"kernels":/d' -e "s|$1|WORK|g" \
        -e 's/; [0-9.]* s, .*\/s$//' -e 's/; [0-9.]* s$//' -e 's/, [0-9.e+]* ligands\/s.* left//' {} +
    [ ! -f redock/redock.csv ] || cut -d, -f 1-19,22 redock/redock.csv >redock/rows && rm -f redock/redock.csv redock/summary.md redock.stdout redock/1opk/ligand.blib
}

run() { # NAME COMMAND...
    name=$1
    shift
    "$@" >"$name.stdout" 2>"$name.stderr"
    echo "exit code $?" >>"$name.stderr"
}

(jobs_of "$work/old" "$(realpath "$1")")
(jobs_of "$work/new" "$(realpath "$2")")
cd "$work" || exit 1
find old -type f | sed 's|^old/||' | sort >old.list
find new -type f | sed 's|^new/||' | sort >new.list
different=0
diff old.list new.list || different=1
while read -r file; do
    cmp -s "old/$file" "new/$file" && continue
    different=1
    echo "differs: $file"
    diff "old/$file" "new/$file" 2>&1 | head -n 6
done <old.list
echo "$(wc -l <old.list) files compared"
exit $different
