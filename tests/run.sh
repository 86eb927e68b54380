#!/bin/sh
# Runs every test program and script, as many at once as there are cores (JOBS), and adds up what they
# report.  The last line is "N passed, N failed, N skipped"; exit code 1 where anything failed.
# Usage: BUILD=build sh tests/run.sh [name ...]   (only those whose path contains a name)
set -u
BUILD=${BUILD:-build}
BERTH_REFERENCE_DATA=${BERTH_REFERENCE_DATA:-../shared/data}
CMOCKA_MESSAGE_OUTPUT=TAP
BERTH=$PWD/$BUILD/berth
UBSAN_OPTIONS=print_stacktrace=1
# Programs are cached, but not among the user's own.
BERTH_CACHE_DIR=$PWD/$BUILD/tests/cache
# LLVM inside PoCL keeps what it allocates until the process ends: not ours to free.
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export BUILD BERTH BERTH_REFERENCE_DATA BERTH_CACHE_DIR CMOCKA_MESSAGE_OUTPUT UBSAN_OPTIONS
export LSAN_OPTIONS

wanted() {
    [ $# -eq 1 ] && return 0
    path=$1
    shift
    for name; do
        case $path in *"$name"*) return 0 ;; esac
    done
    return 1
}

# The long ones come first, so that none runs alone in the end.
counts=$(mktemp) sources=$(mktemp)
trap 'rm -f "$counts" "$sources"' EXIT
for source in tests/kernel/test_*.c tests/cli/test_*.sh tests/kernel/test_*.sh tests/unit/test_*.c; do
    [ -e "$source" ] && wanted "$source" "$@" && echo "$source"
done >"$sources"
xargs -P "${JOBS:-$(nproc)}" -n 1 sh tests/run_one.sh "$counts" <"$sources"
# What left no line did not come to its end.
awk -v wanted="$(wc -l <"$sources")" '{ passed += $1; failed += $2; skipped += $3 }
    END { failed += wanted - NR; printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 }' "$counts"
