#!/bin/sh
# Runs every test program and script and adds up what they report (TAP: "ok", "not ok"; "# SKIP" on
# either, since cmocka writes a skipped test as "not ok N - name # SKIP").
# The last line is "N passed, N failed, N skipped"; exit code 1 where anything failed.
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

SKIP='^\(not \)\{0,1\}ok.*# SKIP'
passed=0 failed=0 skipped=0
for source in tests/unit/test_*.c tests/kernel/test_*.c tests/cli/test_*.sh tests/kernel/test_*.sh; do
    [ -e "$source" ] && wanted "$source" "$@" || continue
    case $source in
    *.c) command=$BUILD/${source%.c} ;;
    *.sh) command="sh $source" ;;
    esac
    log=$BUILD/${source%.*}.log
    mkdir -p "$(dirname "$log")"
    start=$(date +%s)
    $command >"$log" 2>&1
    code=$?
    # LeakSanitizer itself dies now and then at the end of a process with PoCL's threads: ask again.
    if grep -q 'LeakSanitizer has encountered a fatal error' "$log"; then
        $command >"$log" 2>&1
        code=$?
    fi
    skip=$(grep -c "$SKIP" "$log")
    bad=$(grep -v "$SKIP" "$log" | grep -c '^not ok')
    good=$(grep -v "$SKIP" "$log" | grep -c '^ok')
    # A crash loses its own line: count it.
    if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ] || [ $((good + bad + skip)) -eq 0 ]; then
        bad=$((bad + 1))
    fi
    printf '%-44s %3d passed %d failed %d skipped  %ds\n' "$source" "$good" "$bad" "$skip" \
        $(($(date +%s) - start))
    [ "$bad" -eq 0 ] || sed -e '/^ok/d' -e 's/^/    /' "$log"
    [ "$bad" -ne 0 ] || grep "$SKIP" "$log" | sed 's/^/    /'
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
