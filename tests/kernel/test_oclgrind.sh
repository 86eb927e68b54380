#!/bin/sh
# Every kernel under Oclgrind (make test: some): no access out of bounds, no data race, no wrong API call.
# That a race is found is checked with a fault that takes a barrier out.
set -u
BUILD=${BUILD:-build}

if ! command -v oclgrind >/dev/null 2>&1; then
    echo "ok 1 - oclgrind # SKIP oclgrind is not installed"
    exit 0
fi
if [ "${BUILD#*asan}" != "$BUILD" ]; then
    echo "ok 1 - oclgrind # SKIP Oclgrind does not run under the sanitizers"
    exit 0
fi

number=0
failed=0
check() { # name, status
    number=$((number + 1))
    if [ "$2" -eq 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        failed=1
    fi
}

log=$BUILD/tests/kernel/oclgrind.log
run() { # options of check_kernels; Oclgrind's findings go to $log
    rm -f "$log"
    oclgrind --data-races --check-api --log "$log" "$BUILD/tests/kernel/check_kernels" --small "$@"
}

clean() { # options
    # The words of $1 are separate options.
    # shellcheck disable=SC2086
    run $1 && [ ! -s "$log" ]
    check "clean: $1" $?
    [ ! -s "$log" ] || head -n 20 "$log"
}

clean '--kernel energy --variant vector_width=4,ppwi=3,wgsize=1'
if [ -n "${BERTH_TEST_ALL:-}" ]; then
    clean '--kernel large_energy --variant vector_width=1,ppwi=2,wgsize=3'
    # Optimized, Oclgrind 21.10 does not know what is left of inlined functions in mapped_generation.
    clean '--variant vector_width=1,refine_wgsize=3 --build_options -cl-opt-disable'
    clean '--kernel select --variant vector_width=4,select_wgsize=1'
else
    number=$((number + 1))
    echo "ok $number - clean: all kernels # SKIP make test-all runs it"
fi

run --kernel select_merge --fault barrier >/dev/null 2>&1
grep -q 'data race' "$log"
check "a missing barrier is found" $?
exit $failed
