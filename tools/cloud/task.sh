#!/bin/sh
# One task of an array, on a machine that may vanish: docks its shard, and copies what is done to a store now and then, from
# which the task goes on when it is started again.  docs/cluster.md has jobs that run it.
set -eu

usage() {
    cat <<'END'
Usage: task.sh shard STORE SHARDS [options of berth screen]
       task.sh merge STORE SHARDS [options of berth merge]

STORE is s3://BUCKET/FOLDER, by the program aws, or a folder that all machines share.  The shards go to STORE/shards, the
merged results to STORE.  Which shard, from 0: $JOB_COMPLETION_INDEX (Kubernetes), $AWS_BATCH_JOB_ARRAY_INDEX or $TASK_INDEX.
Receptor and library are named as in the store, by --receptor and --library: files of STORE/inputs, which are fetched.
SAVE_EVERY: seconds between copies (300).  WORK: the folder to work in (a new one in /tmp).
END
}

die() {
    echo "task.sh: $*" >&2
    exit 1
}

# copy FROM TO: a folder, what is new in it; one that is not there is empty.  A file has its name once it is whole, as in S3:
# a machine may vanish amid a copy.
copy() {
    case $1$2 in
    *s3://*) aws s3 sync --only-show-errors "$1" "$2" ;;
    *)
        [ -d "$1" ] || return 0
        mkdir -p "$2"
        (cd "$1" && find . -type d) | while IFS= read -r folder; do mkdir -p "$2/$folder" || exit; done
        (cd "$1" && find . -type f ! -name '*.copied') | while IFS= read -r file; do
            cp -p "$1/$file" "$2/$file.copied" && mv -f "$2/$file.copied" "$2/$file" || exit
        done
        ;;
    esac
}

# shard OPTIONS...: until it is done; copies are made while berth does not run, so that they are whole.
shard() {
    index=${JOB_COMPLETION_INDEX:-${AWS_BATCH_JOB_ARRAY_INDEX:-${TASK_INDEX:-}}}
    case $index in '' | *[!0-9]*) die 'no index: it is to run as a task of an array' ;; esac
    number=$((index + 1)) code=1 before=-1
    [ "$number" -le "$shards" ] || die "task $index: there are $shards shards"
    part=shards/$number-of-$shards
    copy "$store/inputs" inputs
    copy "$store/$part" "$part"
    mkdir -p inputs "$part"
    while [ "$code" -eq 1 ]; do
        code=0
        (cd inputs && berth screen "$@" --shard "$number/$shards" --out "../$part" --resume --time_limit "${SAVE_EVERY:-300}") ||
            code=$?
        copy "$part" "$store/$part"
        # what ended it is the time, and there is more than before, or a fault
        size=$(find "$part" -type f -exec cat {} + 2>/dev/null | wc -c)
        [ "$code" -ne 1 ] || [ "$size" -gt "$before" ] || die "shard $number made no progress"
        before=$size
    done
    [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || exit "$code"
}

merge() { # OPTIONS...
    copy "$store/inputs" inputs
    copy "$store/shards" shards
    code=0
    (cd inputs && berth merge ../shards/*-of-"$shards" --out ../merged "$@") || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || exit "$code"
    copy merged "$store"
}

case ${1:-} in
-h | --help) usage && exit ;;
shard | merge) ;;
*) usage >&2 && exit 1 ;;
esac
[ $# -ge 3 ] || die 'a store and a number of shards are needed'
what=$1 store=$2 shards=$3
shift 3
case $shards in '' | 0* | *[!0-9]*) die "shards '$shards': a whole number is needed" ;; esac
case $store in s3://* | /*) ;; *) die "store '$store': s3://BUCKET/FOLDER, or a folder from / on" ;; esac
WORK=${WORK:-$(mktemp -d)}
mkdir -p "$WORK"
cd "$WORK"
"$what" "$@"
