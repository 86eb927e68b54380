#!/bin/sh
# Every check that runs nothing: format, layers, cycles, warnings of clang, cppcheck, and of the scripts
# those of ShellCheck.  One line a step; what a failed step printed follows it; the last line says
# "check: ok" or names what failed.  A step whose program is not installed is skipped, and says so.
# Usage: BUILD=build sh tools/check.sh   (from the project's folder, once that is built)

# Paths hold no blanks: lists of them are split into words on purpose.
# shellcheck disable=SC2046
set -u
BUILD=${BUILD:-build}
failed=''
log=$(mktemp)
trap 'rm -f "$log"' EXIT
jobs=$(nproc 2>/dev/null || echo 2)

step() { # name program command...: runs the command where the program is there
    name=$1 program=$2
    shift 2
    if ! command -v "$program" >/dev/null; then
        echo "check: $name: skipped, $program is not installed"
    elif "$@" >"$log" 2>&1; then
        echo "check: $name: ok"
    else
        echo "check: $name: FAILED"
        sed 's/^/    /' "$log"
        failed="$failed $name"
    fi
}

files() { # patterns of names, for find
    find include src kernels tests bench tools .ci -type f \( "$@" \) 2>/dev/null | LC_ALL=C sort
}

check_format() {
    clang-format --dry-run -Werror $(files -name '*.[ch]' -o -name '*.cl')
}

# What the scripts of bench/ compile for themselves, so that a change of a header does not break them unseen.
check_bench() {
    find bench -name '*.c' ! -path 'bench/instruments/*' -exec gcc -std=c11 -D_DEFAULT_SOURCE -fsyntax-only \
        -Iinclude -Isrc -Ikernels {} +
}

# What it found of files that did not change is kept in a folder.
check_cppcheck() {
    mkdir -p "$BUILD/cppcheck"
    cppcheck --enable=warning,performance,portability --error-exitcode=1 --inline-suppr \
        --suppress=missingInclude --suppress=ctuuninitvar --std=c11 --quiet -j "$jobs" --cppcheck-build-dir="$BUILD/cppcheck" -Iinclude -Isrc -Ikernels -Itests \
        -D_POSIX_C_SOURCE=200809L $(files -name '*.c')
}

check_shell() {
    shellcheck --severity=warning $(files -name '*.sh' -o -path '.ci/run')
}

step format clang-format check_format
step layers sh sh tools/check_layers.sh
step references python3 python3 tools/check_references.py . "$BUILD/berth"
step slices sh sh tests/slices.sh check
step cycles nm python3 tools/check_cycles.py "$BUILD"
step clang clang "${MAKE:-make}" -s clang-warnings BUILD="$BUILD"
step bench gcc check_bench
step cppcheck cppcheck check_cppcheck
step shell shellcheck check_shell

if [ -n "$failed" ]; then
    echo "check: failed:$failed"
    exit 1
fi
echo 'check: ok'
