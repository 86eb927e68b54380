#!/bin/sh
# Runs the same jobs with two builds of berth and compares, byte for byte, all that they write: for a
# change that must not change results.
# Usage: sh tests/compare_programs.sh OLD NEW [DEVICE]   (paths of two programs; from the project's folder)
# OLD may be a folder of results: one that does not exist yet is filled with those of NEW, and kept.
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
    printf '%s\n' amprenavir indinavir >active.txt
    R="--receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --device $device"
    ln -s "$root/data/demo" demo
    run dock1 "$berth" dock $R --scoring vina --ligand demo/1hpv_ligand_turned.mol2 --reference demo/1hpv_ligand.mol2 \
        --poses 256 --out dock1.sdf --scores dock1.csv
    run dock10 "$berth" dock $R --ligand demo/ten_drugs.mol2.gz --search rigid_fast --poses 1024 \
        --generations 3 --hops 0 --out dock10.mol2 --scores dock10.csv --seed 7
    run plp "$berth" dock $R --ligand demo/ten_drugs.mol2.gz --poses 64 --generations 3 --hops 1 \
        --scoring plp --refine_torsions --out plp.sdf --scores plp.csv
    run rigid "$berth" dock $R --ligand demo/ten_drugs.mol2.gz --search rigid_fast --poses 512 \
        --generations 2 --refine 0 --separate --out rigid.sdf --scores rigid.csv
    run prep "$berth" prep ligands demo/ten_drugs.mol2.gz --conformers 3 --out ten.blib --failures prep.csv
    run libls "$berth" lib ls ten.blib
    run libget "$berth" lib get ten.blib amprenavir --out get.mol2
    run brec "$berth" prep receptor demo/1hpv_receptor.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --out r.brec
    S="--receptor r.brec --library ten.blib --device $device --poses 64 --generations 3 --hops 1"
    run screen "$berth" screen $S --scoring vina --out screen
    run modes "$berth" screen $S --scoring plp --refine_torsions --num_modes 3 --top 4 --out modes
    for part in 1 2 3; do
        run "part$part" "$berth" screen $S --scoring vina --shard "$part/3" --out "part$part"
    done
    run merge "$berth" merge part3 part1 part2 --out merged
    run docklib "$berth" dock --receptor r.brec --ligand ten.blib --device "$device" --poses 64 \
        --generations 3 --strain_weight 0.5 --out docklib.sdf --scores docklib.csv
    run score "$berth" score --receptor demo/1hpv_receptor.mol2 --ligand dock10.mol2 --out score.csv --device "$device"
    run minimize "$berth" score --receptor demo/1hpv_receptor.mol2 --ligand dock10.mol2 --out min.csv \
        --device "$device" --minimize --out_poses min.sdf
    run scoreplp "$berth" score --receptor demo/1hpv_receptor.mol2 --ligand dock10.mol2 --scoring plp \
        --out - --device "$device"
    if [ -n "$reference" ]; then
        run bude "$berth" score --receptor "$reference/bude/1gcz/receptor.mol2" \
            --ligand "$reference/bude/1gcz/reference/ligand01.mol2" --out bude.csv --device "$device"
        run redock "$berth" eval redock "$reference/redock" --only 1opk --mode crystal --scoring vina --poses 64 \
            --out redock --device "$device"
    fi
    run vinardo "$berth" dock $R --ligand demo/1hpv_ligand_turned.mol2 --scoring vinardo --out vinardo.sdf \
        --scores vinardo.csv --seed 3
    run rigid_bude "$berth" dock $R --ligand demo/1hpv_ligand_turned.mol2 --scoring bude --search published \
        --poses 512 --generations 4 --out rigid_bude.sdf --scores rigid_bude.csv
    awk -v OFS=' ' '/^@<TRIPOS>/ { section = $1 } section ~ /ATOM/ && NF >= 8 { $4 += 0.3 }
        { print }' demo/1hpv_receptor.mol2 >moved.mol2
    E="--receptor demo/1hpv_receptor.mol2,moved.mol2 --autobox_ligand demo/1hpv_ligand.mol2 --device $device"
    run ensemble "$berth" screen $E --scoring vina --library ten.blib --poses 32 --generations 2 --out ensemble
    run ensembledock "$berth" dock $E --scoring vina --ligand ten.blib --poses 32 --generations 2 --out ensembledock.sdf \
        --scores ensembledock.csv
    run surface "$berth" dock --receptor demo/1hpv_receptor.mol2 --ligand demo/1hpv_ligand_turned.mol2 \
        --site surface --search fast --generations 2 --out surface.sdf --scores surface.csv --device "$device"
    run movedbrec "$berth" prep receptor moved.mol2 --out moved.brec
    run protein "$berth" dock --receptor demo/1hpv_receptor.mol2 --ligand moved.brec --protein --out protein.pdb \
        --scores protein.csv --rotation_spacing 60 --starts 8 --num_modes 2 --device "$device"
    run smiles "$berth" prep ligands demo/drugs.smi --out smiles.blib --failures smiles.csv
    run show "$berth" show screen
    run showmodes "$berth" show modes --out modes.json
    run report "$berth" report screen --out report.html
    run interactions "$berth" interactions --receptor demo/1hpv_receptor.mol2 --poses dock10.mol2 --out contacts.csv
    run poses "$berth" eval poses --poses dock1.sdf --receptor demo/1hpv_receptor.mol2 --conformers 0 \
        --out poses_eval.csv
    run actives "$berth" eval screen screen/scores.csv --actives active.txt --out actives_eval
    for function in bude plp vina vinardo; do
        run "kernel_$function" "$berth" show-kernel --scoring $function
    done
    for command in prep 'prep ligands' 'prep receptor' lib dock screen merge show score report interactions eval \
        'eval redock' 'eval screen' 'eval poses' devices doctor selftest bench tune show-kernel; do
        run "help_$(echo "$command" | tr ' ' _)" "$berth" $command -h
    done
    rm -f demo moved.mol2
    rm -rf part1/journal part2/journal part3/journal screen/journal modes/journal ensemble/journal
    sed -i -e '/<script type="application\/json" id="data">/s/"made":"[^"]*",//; s/"run":"\([^"\\]\|\\.\)*"//' -e "s|$1|WORK|g" report.html
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

(jobs_of "$work/new" "$(realpath "$2")")
# A job that fails in both compares nothing.
if grep -L '^exit code 0' "$work/new/"*.stderr | grep .; then
    echo 'these jobs failed'
    exit 1
fi
if [ -d "$1" ]; then
    cp -r "$1" "$work/old"
elif [ -x "$1" ]; then
    (jobs_of "$work/old" "$(realpath "$1")")
else
    cp -r "$work/new" "$1"
    exit
fi
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
