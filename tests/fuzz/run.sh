#!/bin/sh
# Runs each fuzzer that is built for FUZZ_SECONDS (60), as many at once as there are cores, on a copy of its
# corpus in BUILD (build), with the words of NAME.dict where there is one.  A crash, or an input that takes 10 s,
# ends it with exit code 1 and leaves the input beside the copy.
# Usage: BUILD=build FUZZ_SECONDS=60 sh tests/fuzz/run.sh
set -u
BUILD=${BUILD:-build}
limit=${FUZZ_SECONDS:-60}
cores=$(nproc 2>/dev/null || echo 2)
files=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # in memory: some write and sync a file each time
trap 'rm -rf "$files"' EXIT

# fuzz FUZZER: its line; the file FUZZER.failed where it failed.
fuzz() {
    fuzzer=$1
    name=${fuzzer#fuzz_}
    work=$BUILD/fuzz/corpus-$name
    log=$BUILD/fuzz/$fuzzer.log
    rm -f "$BUILD/fuzz/$fuzzer.failed"
    mkdir -p "$work"
    set --
    [ ! -e "tests/fuzz/$name.dict" ] || set -- -dict="tests/fuzz/$name.dict"
    [ -d "tests/fuzz/corpus/$name" ] && cp "tests/fuzz/corpus/$name"/* "$work"/
    if TMPDIR=$files "$BUILD/fuzz/$fuzzer" "$@" -max_total_time="$limit" -max_len=20000 -timeout=10 \
        -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1 -artifact_prefix="$BUILD/fuzz/$fuzzer-" "$work" >"$log" 2>&1; then
        echo "$fuzzer: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions in $limit s, no crash"
    else
        : >"$BUILD/fuzz/$fuzzer.failed"
        printf '%s\n' "$fuzzer: FAILED, the log is $log" "$(tail -n 40 "$log")"
    fi
}

begun=0
for source in tests/fuzz/fuzz_*.c; do
    fuzz "$(basename "$source" .c)" &
    begun=$((begun + 1))
    [ $((begun % cores)) -ne 0 ] || wait # they take the same time
done
wait
for source in tests/fuzz/fuzz_*.c; do
    [ ! -e "$BUILD/fuzz/$(basename "$source" .c).failed" ] || exit 1
done
