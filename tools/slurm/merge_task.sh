#!/bin/sh
# The job that submit.sh submits behind the array: merges the shards' results into DIR.
# Usage: merge_task.sh BERTH DIR SHARDS screen|prep
set -u
berth=$1 out=$2 shards=$3 what=$4
set --
while [ $# -lt "$shards" ]; do
    set -- "$@" "$out/shards/$(($# + 1))-of-$shards"
done
if [ "$what" = prep ]; then
    { # the rows of all shards' failures
        head -n 1 "$1/library.failures.csv"
        for shard; do
            tail -n +2 "$shard/library.failures.csv"
        done
    } >"$out/library.failures.csv"
    cd "$out/shards" && "$berth" lib merge ./*"-of-$shards/library.blib" --out "$out/library.blib" </dev/null
else
    "$berth" merge "$@" --out "$out" </dev/null
fi
code=$?
[ "$code" -ne 2 ] || code=0 # some ligands failed, which failures.csv says
echo "merge_task.sh: $(date '+%F %T'): $shards shards, exit code $code"
exit "$code"
