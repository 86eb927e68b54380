#!/bin/sh
# Runs each fuzzer that is built for FUZZ_SECONDS (60), as many at once as there are cores, on a copy of its
# corpus in BUILD (build).  A crash ends it with exit code 1 and leaves the input beside the copy.
# Usage: BUILD=build FUZZ_SECONDS=60 sh tests/fuzz/run.sh
set -u
BUILD=${BUILD:-build}
limit=${FUZZ_SECONDS:-60}
cores=$(nproc 2>/dev/null || echo 2)

# fuzz FUZZER: its line; the file FUZZER.failed where it failed.
fuzz() {
    name=${1#fuzz_}
    work=$BUILD/fuzz/corpus-$name
    log=$BUILD/fuzz/$1.log
    rm -f "$BUILD/fuzz/$1.failed"
    mkdir -p "$work"
    [ -d "tests/fuzz/corpus/$name" ] && cp "tests/fuzz/corpus/$name"/* "$work"/
    if "$BUILD/fuzz/$1" -max_total_time="$limit" -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$BUILD/fuzz/$1-" "$work" >"$log" 2>&1; then
        echo "$1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions in $limit s, no crash"
    else
        : >"$BUILD/fuzz/$1.failed"
        printf '%s\n' "$1: FAILED, the log is $log" "$(tail -n 40 "$log")"
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
