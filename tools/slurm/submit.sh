#!/bin/sh
# Screens a library, or prepares one, on a Slurm cluster: submits an array of tasks, one for each shard,
# and a job that merges their results when all have finished.  The same command again goes on from
# where an earlier one ended, whatever ended it.
set -eu

usage() {
    cat <<'END'
Usage: submit.sh --receptor R --library L.blib|MOLECULES --out DIR --shards N [--at_once M]
                 [--attempts A] [options of berth screen] [-- options of sbatch]
       submit.sh prep IN... --out DIR --shards N [--at_once M] [--attempts A]
                 [options of berth prep ligands] [-- options of sbatch]

Screens the library, or prepares DIR/library.blib, in N shards, each a task of one Slurm job array, and merges their results
into DIR when all have finished.  A task that Slurm stops (lost node, preemption, time limit)
or whose screen fails is requeued and goes on from its last checkpoint.  The same command again
goes on with whatever is not done.

  --out DIR       results, with shards/ and log/ in it; on a file system that all nodes share
  --shards N      tasks; several for each GPU, so that none waits long for the last
  --at_once M     tasks that run at the same time, at most (default as Slurm has room)
  --attempts A    attempts in a row without progress after which a shard fails (default 5)
  -h, --help      print this help

Options behind -- are for sbatch, for the tasks and the merge alike; for one GPU a task:
-- --gres=gpu:1.  BERTH is the program, by default the one beside this script, else on PATH.
END
}

die() {
    echo "submit.sh: $*" >&2
    exit 1
}

# number NAME VALUE: VALUE must be a whole number that Slurm and sh can hold.
number() {
    case $2 in
    '' | 0* | *[!0-9]* | ???????*) die "$1 '$2': a whole number from 1 to 999999 is needed" ;;
    esac
}

# readable OPTION VALUE: the file, or all of several with commas between; @LIST names a file, too.
readable() {
    [ ! -r "$2" ] || return 0
    printf '%s\n' "$2" | tr ',' '\n' | while read -r file; do
        [ -r "${file#@}" ] || die "$1 $file: cannot be read"
    done
}

find_berth() {
    if [ -n "${BERTH:-}" ]; then
        [ -x "$BERTH" ] || die "BERTH=$BERTH is not a program"
        set -- "$BERTH"
    else
        set -- "$tools/../../build/berth" "$tools/../../../bin/berth"
        [ -x "$1" ] || shift
        [ -x "$1" ] || set -- "$(command -v berth || true)"
        [ -n "$1" ] || die 'berth not found: run make, or set BERTH to the program'
    fi
    echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
}

quote() { printf " '%s'" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"; }

# submit [SBATCH OPTION...] SCRIPT [ARGUMENT...]: prints the job's number.
submit() {
    job=$(eval "sbatch $sbatch"' --parsable --requeue --open-mode=append "$@"') || return
    echo "${job%%;*}" # a cluster's name may follow
}

# Two lists, quoted for eval: $screen for berth, $sbatch for sbatch.
out='' shards='' at_once='' attempts=5 screen='' sbatch='' what=screen
[ "${1:-}" != prep ] || {
    what=prep
    shift
}
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    option=$1
    shift
    case $option in
    -h | --help)
        usage
        exit
        ;;
    --out=* | --shards=* | --at_once=* | --attempts=* | --receptor=* | --library=*)
        value=${option#*=}
        option=${option%%=*}
        ;;
    --out | --shards | --at_once | --attempts | --receptor | --library)
        [ $# -gt 0 ] || die "$option needs a value"
        value=$1
        shift
        ;;
    esac
    case $option in
    --out) out=$value ;;
    --shards) shards=$value ;;
    --at_once) at_once=$value ;;
    --attempts) attempts=$value ;;
    --receptor | --library)
        readable "$option" "$value"
        screen="$screen $option$(quote "$value")"
        ;;
    --shard | --shard=* | --resume) die "$option is for the tasks to set; leave it out" ;;
    *) screen="$screen$(quote "$option")" ;;
    esac
done
[ $# -eq 0 ] || shift
for option; do
    sbatch="$sbatch$(quote "$option")"
done

[ -n "$out" ] || die '--out DIR is missing; submit.sh -h lists the options'
number --shards "$shards"
number --attempts "$attempts"
[ -z "$at_once" ] || number --at_once "$at_once"
command -v sbatch >/dev/null || die 'sbatch not found: run this where jobs are submitted to Slurm'
tools=$(cd "$(dirname "$0")" && pwd)
berth=$(find_berth)
mkdir -p "$out/shards" "$out/log"
out=$(cd "$out" && pwd)

# Two arrays on one folder would only be in each other's way.
if [ -s "$out/log/jobs" ]; then
    left=$(squeue -h -o %A -j "$(cat "$out/log/jobs")" 2>/dev/null | sort -u | tr '\n' ' ')
    [ -z "$left" ] || die "$out: jobs are still at it; to end them: scancel $left"
fi

logs=$(printf '%s\n' "$out/log" | sed 's/%/%%/g') # Slurm has placeholders with %
eval "set -- $screen"
array=$(SBATCH_JOB_NAME=${SBATCH_JOB_NAME:-berth-$what} submit --signal=B:USR1@60 \
    --array="1-$shards${at_once:+%$at_once}" --output="$logs/shard-%a-of-$shards.log" \
    "$tools/screen_task.sh" "$berth" "$out" "$shards" "$attempts" "$what" "$@") ||
    die 'sbatch refused the tasks'
merge=$(SBATCH_JOB_NAME=${SBATCH_JOB_NAME:-berth-merge} submit --kill-on-invalid-dep=yes \
    --dependency="afterok:$array" --output="$logs/merge.log" \
    "$tools/merge_task.sh" "$berth" "$out" "$shards" "$what") || {
    scancel "$array"
    die 'sbatch refused the merge; the tasks are cancelled'
}
echo "$array,$merge" >"$out/log/jobs"
cat <<END
job $array: $shards shards, each a task; logs in $out/log
job $merge: merges them into $out when all have finished
to see how far they are: squeue -j $array,$merge
if one fails, its log says why; the same command again goes on from there
END
