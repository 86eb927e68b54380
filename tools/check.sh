#!/bin/sh
# Every check that needs no device: format, layers, warnings with gcc and clang, cppcheck, and the
# scripts by shellcheck.  One line a step; what a failed step printed follows it; the last line
# says "check: ok" or names what failed.  A step whose program is not installed is skipped, and
# says so.
# Usage: sh tools/check.sh   (from the project's folder)

# Paths hold no blanks: lists of them are split into words on purpose.
# shellcheck disable=SC2046
set -u
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

build_with() { # compiler assignment...
    compiler=$1
    shift
    "${MAKE:-make}" -s -j "$jobs" BUILD="build-$compiler" CC="$compiler" WERROR=-Werror "$@" tests
}

# What the scripts of bench/ compile for themselves, so that a change of a header does not break them unseen.
check_bench() {
    find bench -name '*.c' ! -path 'bench/instruments/*' -exec gcc -std=c11 -D_DEFAULT_SOURCE -fsyntax-only \
        -Iinclude -Isrc -Ikernels {} +
}

check_cppcheck() {
    cppcheck --enable=warning,performance,portability --error-exitcode=1 --inline-suppr \
        --suppress=missingInclude --std=c11 --quiet -j "$jobs" -Iinclude -Isrc -Ikernels -Itests \
        -D_POSIX_C_SOURCE=200809L $(files -name '*.c')
}

check_shell() {
    shellcheck --severity=warning $(files -name '*.sh' -o -path '.ci/run')
}

step format clang-format check_format
step layers sh sh tools/check_layers.sh
step gcc gcc build_with gcc
step cycles nm sh tools/check_cycles.sh build-gcc
step clang clang build_with clang CFLAGS=-O0
step bench gcc check_bench
step cppcheck cppcheck check_cppcheck
step shell shellcheck check_shell

if [ -n "$failed" ]; then
    echo "check: failed:$failed"
    exit 1
fi
echo 'check: ok'
