#!/bin/sh
# Runs each fuzzer that is built for FUZZ_SECONDS (60), on a copy of its corpus in BUILD (build).
# A crash ends it with exit code 1 and leaves the input beside the copy.
# Usage: BUILD=build FUZZ_SECONDS=60 sh tests/fuzz/run.sh
set -u
BUILD=${BUILD:-build}
limit=${FUZZ_SECONDS:-60}
failed=0
for source in tests/fuzz/fuzz_*.c; do
    fuzzer=$(basename "$source" .c)
    name=${fuzzer#fuzz_}
    work=$BUILD/fuzz/corpus-$name
    log=$BUILD/fuzz/$fuzzer.log
    mkdir -p "$work"
    [ -d "tests/fuzz/corpus/$name" ] && cp "tests/fuzz/corpus/$name"/* "$work"/
    if "$BUILD/fuzz/$fuzzer" -max_total_time="$limit" -max_len=20000 -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$BUILD/fuzz/$fuzzer-" "$work" >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        echo "$fuzzer: $runs executions in $limit s, no crash"
    else
        echo "$fuzzer: FAILED, the log is $log"
        tail -n 40 "$log"
        failed=1
    fi
done
exit $failed
