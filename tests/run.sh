#!/bin/sh
# Runs every test program and script, one more at once than there are cores (JOBS), since some wait at
# times, and adds up what they report.  Each that ends has a line, with how many have ended and, where the
# last run measured how long each takes, about how long the others will.  The last line is "N passed, N
# failed, N skipped"; exit code 1 where anything failed.
# Usage: BUILD=build sh tests/run.sh [name ...]   (only those whose path contains a name)
# BERTH_TEST_SLICE=NAME: the tests of that slice (tests/slices.sh), all: everything (make test-all); else what
# runs each time.  BERTH_TEST_COMPLETE=1: a test that is skipped because a program is not installed has failed (.ci/run).
set -u
BUILD=${BUILD:-build}
BERTH_REFERENCE_DATA=${BERTH_REFERENCE_DATA:-../shared/data}
CMOCKA_MESSAGE_OUTPUT=TAP
BERTH=$PWD/$BUILD/berth
UBSAN_OPTIONS=print_stacktrace=1
# Programs are cached for all builds, but not among the user's own.
BERTH_CACHE_DIR=$PWD/build-kernels
# LLVM inside PoCL keeps what it allocates until the process ends: not ours to free.
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
# gcc 12's runtime takes a thread's storage for that of an older glibc where its address happens to look so, and then
# dies looking for leaks; tests put libraries of their own before the sanitizer's.
# LLVM, where a thread starts it, has that thread handle signals on a stack that the sanitizer takes for its own.
ASAN_OPTIONS=intercept_tls_get_addr=0:verify_asan_link_order=0:use_sigaltstack=0
export BUILD BERTH BERTH_REFERENCE_DATA BERTH_CACHE_DIR CMOCKA_MESSAGE_OUTPUT UBSAN_OPTIONS
export LSAN_OPTIONS ASAN_OPTIONS
JOBS=${JOBS:-$(($(nproc) + 1))}
export JOBS

wanted() {
    [ $# -eq 1 ] && return 0
    path=$1
    shift
    for name; do
        case $path in *"$name"*) return 0 ;; esac
    done
    return 1
}

slice=${BERTH_TEST_SLICE:-}
sources() {
    case $slice in
    '' | all) ls tests/kernel/test_*.[cs]* tests/cli/test_*.sh tests/unit/test_*.c ;;
    *) sh tests/slices.sh "$slice" ;;
    esac
}
# "SOURCE SECONDS": of each when it last ran so.
seconds=$PWD/$BUILD/tests/seconds.${slice:-each}
mkdir -p "$BUILD/tests"
touch "$seconds"

# The long ones come first, so that none runs alone in the end: by what they last took.
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
sources | while read -r source; do
    wanted "$source" "$@" && echo "$source"
done | awk 'FILENAME != "-" { last[$1] = $2; next }
    !seen[$1]++ { print ($1 in last ? last[$1] : 10000 - FNR), $1 }' "$seconds" - |
    sort -s -k1,1rn | cut -d ' ' -f 2 >"$state/sources"
: >"$state/counts"
xargs -P "$JOBS" -n 1 sh tests/run_one.sh "$state" "$seconds" <"$state/sources"
awk 'FILENAME == ARGV[1] { now[$4] = $5; next } !($1 in now) { print }
    END { for (source in now) print source, now[source] }' "$state/counts" "$seconds" >"$state/seconds"
cp "$state/seconds" "$seconds"
# What left no line did not come to its end.
awk -v wanted="$(wc -l <"$state/sources")" '{ passed += $1; failed += $2; skipped += $3 }
    END { failed += wanted - NR; printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' "$state/counts"
