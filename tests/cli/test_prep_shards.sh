#!/bin/sh
# berth prep ligands --shard: the parts, joined, are the bytes of the whole, also where one was killed and resumed.
. tests/cli/lib.sh

need_rdkit 'shards of a preparation'
BERTH_FRAGMENTS=$work/store
export BERTH_FRAGMENTS

# 500 molecules in two files, with a bad one in each, one that fails a filter, and one that comes twice.
seq 500 | awk '{ tail = "O"; for (i = $1 % 50; i > 9; i -= 10) tail = "C" tail
    split("C N CC c1ccccc1 OC CCN C1CCCCC1 CCS c1ccncc1 FC", head, " ")
    print head[$1 % 10 + 1] "C(C)C" tail, "m" $1 }' >all.smi
sed -i -e '130s/.*/C(C)(C)(C)(C)C bad/' -e '400s/.*/nonsense worse/' -e '300s/.*/CCCCCCCCCCCCCCCCCCCCCCCCC long/' all.smi
head -n 210 all.smi >a.smi
tail -n +211 all.smi | gzip >b.smi.gz
prep() { # OUT OPTION...
    prep_out=$1
    shift
    "$BERTH" prep ligands a.smi b.smi.gz --out "$prep_out.blib" --builder fragments --structures 1 --max_heavy 20 "$@"
}
run prep whole
check 'all of it' all exited 2 -- holds stdout '497 ligands' -- lines whole.failures.csv 4
for k in 1 2 3; do
    run prep part$k --shard $k/3
    check "shard $k of 3" exited $((k == 2 ? 0 : 2))
done
run "$BERTH" lib merge part2.blib part3.blib part1.blib --out joined.blib
check 'joined in any order they are the whole, to the byte' all exited 0 -- same whole.blib joined.blib
rows() { (head -n 1 part1.failures.csv && tail -q -n +2 part?.failures.csv) >rows.csv && cmp rows.csv whole.failures.csv; }
check 'and so are the rows of their failures' rows
run "$BERTH" lib verify joined.blib
check 'what is joined is whole' exited 0

run "$BERTH" lib merge part1.blib part3.blib --out none.blib
check 'a shard that is missing is named' all exited 1 -- absent none.blib -- said 'a shard that is missing is named'
run "$BERTH" lib merge part1.blib part3.blib part1.blib --out none.blib
check 'and one that comes twice' all exited 1 -- said 'and one that comes twice'
run "$BERTH" lib merge part1.blib whole.blib --out none.blib
check 'and one of another run' all exited 1 -- said 'and one of another run'
run "$BERTH" lib merge whole.blib part1.blib --out both.blib
check 'behind a whole library a shard is a library like others' all exited 0 -- holds stdout '752 ligands'

slice preparation 'duplicates, empty shards, killed ones, tasks of Slurm'
# Duplicates are looked for in front of the shard, too.
run prep unique --drop_duplicates
for k in 1 2 3; do prep unique$k --drop_duplicates --shard $k/3 >>log 2>&1; done
run "$BERTH" lib merge unique?.blib --out distinct.blib
check 'duplicates across shards are dropped' all exited 0 -- same unique.blib distinct.blib

# More shards than there are chunks: some are empty.
for k in 1 2 3 4 5 6; do
    run prep small$k --shard $k/6
    cat stderr >>small.log
    [ "$code" -eq 1 ] && break
done
run "$BERTH" lib merge small?.blib --out small.blib
check 'one that is empty says why' grep -q 'shard [1-6]/6 .*128' small.log
check 'empty shards do no harm' all exited 0 -- same whole.blib small.blib

# Killed, anywhere.
rm part2.blib
for round in 1 2 3; do
    rm -rf part2.blib*
    "$BERTH" prep ligands a.smi b.smi.gz --out part2.blib --builder fragments --structures 1 --max_heavy 20 \
        --shard 2/3 >log 2>&1 &
    pid=$!
    sleep 0.$((3 * round))
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    [ -s part2.blib ] || run prep part2 --shard 2/3 --resume
    run "$BERTH" lib merge part?.blib --out again.blib
    check "killed and resumed, round $round: the same bytes" all exited 0 -- same whole.blib again.blib -- rows
    rm -f again.blib
done

# The tasks of tools/slurm, without a Slurm.
mkdir slurm slurm/shards slurm/log
task() { # K
    SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$1 sh "$root/tools/slurm/screen_task.sh" "$BERTH" slurm 2 5 prep \
        a.smi b.smi.gz --builder fragments --structures 1 --max_heavy 20
}
for k in 1 2 1; do run task $k; done
check 'tasks prepare shards, and leave one that is finished alone' all exited 0 -- holds stdout 'was finished before'
run sh "$root/tools/slurm/merge_task.sh" "$BERTH" "$work/slurm" 2 prep
check 'and the merge makes the whole of them' all exited 0 -- same whole.blib slurm/library.blib -- \
    same whole.failures.csv slurm/library.failures.csv

refused 'no part' prep none --shard 4/3
run "$BERTH" prep ligands demo/ten_drugs.mol2.gz --out none.blib --shard 1/2
check 'Mol2 whose conformers would be torn apart' all exited 1 -- absent none.blib -- \
    said 'Mol2 whose conformers would be torn apart' '--rebuild'
run "$BERTH" prep ligands - --format smi --out none.blib --shard 1/2 <a.smi
check 'what can be read once' all exited 1 -- said 'what can be read once'
finish
