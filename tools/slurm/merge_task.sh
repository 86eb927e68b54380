#!/bin/sh
# The job that submit.sh submits behind the array: merges the shards' results into DIR.
# Usage: merge_task.sh BERTH DIR SHARDS
set -u
berth=$1 out=$2 shards=$3
set --
while [ $# -lt "$shards" ]; do
    set -- "$@" "$out/shards/$(($# + 1))-of-$shards"
done
"$berth" merge "$@" --out "$out" </dev/null
code=$?
[ "$code" -ne 2 ] || code=0 # some ligands failed, which failures.csv says
echo "merge_task.sh: $(date '+%F %T'): $shards shards, exit code $code"
exit "$code"
