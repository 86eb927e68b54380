#!/bin/sh
# --cpu N: how many threads PoCL starts.
. tests/cli/lib.sh

standard=$("$BERTH" devices | sed -n 's/^\* *\([0-9]*\) .*/\1/p')
if ! "$BERTH" devices | grep -q "^\* *$standard  *CPU  *\(pthread\|cpu\)-"; then
    skip '--cpu' 'the default device is none of PoCL'
elif [ "$(nproc)" -lt 2 ]; then
    skip '--cpu' 'there is one core'
elif ! preload count_threads; then
    skip '--cpu' 'no compiler, or no dlsym'
else
    # started N COMMAND...: the threads that a run with --cpu N starts, in the file count.
    started() {
        started_cpu=$1
        shift
        rm -f count
        run preloaded count_threads env COUNT_THREADS="$work/count" "$@" --receptor pocket.mol2 --cpu "$started_cpu"
    }
    fixture=$root/tests/fixtures/screen
    for command in "score --ligand demo/1hpv_ligand.mol2 --out scores.csv" \
        "dock --ligand demo/1hpv_ligand.mol2 --autobox_ligand demo/1hpv_ligand.mol2 $rigid --poses 128 --generations 1 --out p.sdf" \
        "screen --library $fixture/library.blib --autobox_ligand demo/1hpv_ligand.mol2 $rigid --poses 128 --generations 1 --out s"; do
        # shellcheck disable=SC2086
        started 1 "$BERTH" $command
        one=$(cat count)
        rm -rf s
        # shellcheck disable=SC2086
        started 2 "$BERTH" $command
        check "${command%% *} --cpu 2: a thread more than with --cpu 1" all exited 0 -- \
            [ "$(cat count)" -eq $((one + 1)) ]
    done
fi
finish
