#!/bin/sh
# tools/cloud/task.sh: shards on machines that vanish, a store that is a folder or S3's (by a program that copies), a merge.
# shellcheck shell=sh disable=SC2154,SC2086
. tests/cli/lib.sh
. "$root/tests/cli/screen_lib.sh"

mkdir bin
ln -s "$BERTH" bin/berth
cat >bin/aws <<'END'
#!/bin/sh
# aws s3 sync --only-show-errors FROM TO, a bucket being a folder.
[ "$1 $2 $3" = 's3 sync --only-show-errors' ] || exit 9
from=$(echo "$4" | sed "s,^s3://,$BUCKETS/,") to=$(echo "$5" | sed "s,^s3://,$BUCKETS/,")
echo "$5" >>"$BUCKETS/log"
[ ! -d "$from" ] || { mkdir -p "$to" && cp -R "$from/." "$to/"; }
END
chmod +x bin/aws
PATH=$work/bin:$PATH BUCKETS=$work/buckets
export PATH BUCKETS
for store in "$work/store" "$BUCKETS/bucket/run"; do
    mkdir -p "$store/inputs"
    cp demo/1hpv_receptor.mol2 demo/1hpv_ligand.mol2 many.blib "$store/inputs"
done
task() { sh "$root/tools/cloud/task.sh" "$@"; }
search="--receptor 1hpv_receptor.mol2 --autobox_ligand 1hpv_ligand.mol2 --library many.blib --scoring bude
    --search rigid_fast --poses 256 --generations 2 --refine 0"
(cd "$work/store/inputs" && berth screen $search --out "$work/whole") >/dev/null 2>&1

# The second machine vanishes: of its work there is what it has copied.
for index in 0 1 2; do
    export JOB_COMPLETION_INDEX=$index
    if [ $index -eq 1 ]; then
        SAVE_EVERY=0.05 WORK=$work/lost timeout -s KILL 1 sh "$root/tools/cloud/task.sh" shard "$work/store" 3 $search >/dev/null 2>&1
    fi
    run task shard "$work/store" 3 $search
    check "shard $((index + 1)) of 3" all exited 0 -- [ -s "store/shards/$((index + 1))-of-3/scores.csv" ]
done
# A copy into the store that is cut off leaves what is there.
cat >bin/cp <<'END'
#!/bin/sh
/bin/cp "$@" || exit
case $3 in "$CUT"*) find "$3" -type f -exec truncate -s 50 {} + && exit 1 ;; esac
END
chmod +x bin/cp
run env CUT="$work/store/shards" sh "$root/tools/cloud/task.sh" shard "$work/store" 3 $search
check 'a copy that was cut off' all exited 1 -- [ "$(wc -c <store/shards/3-of-3/journal)" -gt 50 ]
rm bin/cp
unset JOB_COMPLETION_INDEX
run task merge "$work/store" 3
check 'the merge: the bytes of one screen' all exited 0 -- same_results whole store

for index in 0 1; do
    export AWS_BATCH_JOB_ARRAY_INDEX=$index
    run task shard s3://bucket/run 2 $search
    check "shard $((index + 1)) of 2, of S3" all exited 0 -- holds buckets/log "s3://bucket/run/shards/$((index + 1))-of-2"
done
run task merge s3://bucket/run 2
check 'the merge of these' all exited 0 -- same_results whole buckets/bucket/run

# What goes wrong.
run task shard "$work/store" 2 --receptor absent.mol2 --library many.blib
check 'a fault is said, and is no endless loop' all exited 1 -- holds stderr 'absent.mol2'
unset AWS_BATCH_JOB_ARRAY_INDEX
run task shard "$work/store" 2
check 'no task of an array' all exited 1 -- said 'no task of an array'
run task merge store 2
check 'a store that is none' all exited 1 -- said 'no store'
run task merge "$work/store" 3
check 'a merge again' all exited 0 -- same_results whole store
finish
