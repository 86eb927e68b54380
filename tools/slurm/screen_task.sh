#!/bin/sh
# A task of the array that submit.sh submits: screens or prepares one shard, going on from its last
# checkpoint.
# Usage: screen_task.sh BERTH DIR SHARDS ATTEMPTS screen|prep [arguments of berth screen or prep ligands]
#
# A task that failed would leave the merge waiting for what cannot come (afterok).  So one whose
# screen failed, or is about to reach its time limit, requeues itself while it still runs.  It gives
# up, and fails, after ATTEMPTS starts in a row that brought the shard no further; DIR/log/*.attempts
# keeps the count, lost nodes included: "JOB STARTS PROGRESS".
set -u
berth=$1 out=$2 shards=$3 bound=$4 what=$5
shift 5
# Not $SLURM_JOB_ID: one task has the same number as its array, and would requeue all of it.
job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
name=$SLURM_ARRAY_TASK_ID-of-$shards
shard=$out/shards/$name
attempts=$out/log/shard-$name.attempts

say() { echo "screen_task.sh: $(date '+%F %T'): shard $SLURM_ARRAY_TASK_ID/$shards, job $job: $*"; }

# How far the shard is, in bytes of its journal and results.
progress() {
    find "$shard" -type f -exec ls -ln {} + | awk '{ bytes += $5 } END { printf "%.0f\n", bytes }'
}

# Counts in $count the starts in a row, this one included, that found the shard no further than $best.
count_start() {
    of='' count=0 best=0
    [ ! -s "$attempts" ] || read -r of count best <"$attempts"
    [ "$of" = "$SLURM_ARRAY_JOB_ID" ] || count=0 best=0
    now=$(progress)
    [ "$now" -le "$best" ] || count=0 best=$now
    count=$((count + 1))
    echo "$SLURM_ARRAY_JOB_ID $count $best" >"$attempts.new" && mv "$attempts.new" "$attempts" ||
        count=$((${SLURM_RESTART_COUNT:-0} + 1)) # a full disk, for one
}

give_up() {
    rm -f "$attempts" # whoever requeues it by hand means it
    say "gives up: $bound starts in a row brought it no further, see above; to go on, submit it again"
    exit 1
}

# Slurm ends a requeued task, this scontrol included, if it lets it.
requeue() {
    trap - TERM USR1
    (
        trap '' TERM
        exec scontrol requeue "$job"
    ) && exec sleep 300
    say 'cannot be requeued'
    exit 1
}

# berth finishes its batches in flight and writes a checkpoint; 40 s must do, since the time limit
# comes 60 s after its signal.
stop() {
    stopped=yes
    [ -n "$pid" ] || return
    kill -TERM "$pid" 2>/dev/null
    (
        sleep 40
        kill -KILL "$pid" 2>/dev/null
    ) &
}

stopped='' ended='' pid=''
trap 'ended=yes; stop' TERM # by scancel, preemption, a requeue
trap stop USR1              # by --signal: the time limit is near
mkdir -p "$shard"
count_start
say "start ${SLURM_RESTART_COUNT:-0} on ${SLURMD_NODENAME:-$(hostname)}"
[ "$count" -le "$bound" ] || give_up
# PoCL would take all cores of the machine.
POCL_MAX_PTHREAD_COUNT=${POCL_MAX_PTHREAD_COUNT:-${SLURM_CPUS_ON_NODE:-1}}
export POCL_MAX_PTHREAD_COUNT
if [ "$what" = prep ]; then
    [ ! -s "$shard/library.blib" ] || { # a resumed run would begin it again
        say 'was finished before'
        exit 0
    }
    set -- prep ligands --out "$shard/library.blib" "$@"
else
    set -- screen --out "$shard" "$@"
fi
"$berth" "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards" --resume </dev/null &
pid=$!
[ -z "$stopped" ] || kill -TERM "$pid"
wait "$pid"
code=$?
while kill -0 "$pid" 2>/dev/null; do # a signal ends the wait early
    wait "$pid"
    code=$?
done
case $code in
0 | 2)
    say "finished with exit code $code"
    exit 0
    ;;
esac
[ -z "$ended" ] || exit 1 # not ours to undo
say "${stopped:+stopped near its time limit, }exit code $code"
[ "$count" -lt "$bound" ] || [ "$(progress)" -gt "$best" ] || give_up
requeue
