#!/bin/sh
# Every kernel under Oclgrind: no access out of bounds, no data race, no wrong API call.  That a race is found is
# checked with a fault that takes a barrier out.
. tests/cli/lib.sh
[ -z "$sanitize" ] || {
    skip 'kernels' 'Oclgrind does not run under the sanitizers'
    finish
}
needs oclgrind 'kernels' || finish

# simulated LOG OPTION...: check_kernels with small inputs; Oclgrind's findings go to LOG.
simulated() {
    log=$1
    shift
    (cd "$root" && oclgrind --data-races --check-api --log "$work/$log" "$BUILD/tests/kernel/check_kernels" --small "$@")
}

# clean VARIANT KERNEL...: those whose names begin so pass, and there are no findings.  As many at once as there are
# cores.
clean() {
    variant=$1
    shift
    running=0
    for kernel; do
        # Optimized, Oclgrind 21.10 does not know what is left of inlined functions in mapped_generation.
        simulated "$kernel.log" --kernel "$kernel" --variant "$variant" --build_options -cl-opt-disable >"$kernel.out" 2>&1 &
        running=$((running + 1))
        [ $((running % $(nproc))) -ne 0 ] || wait
    done
    wait
    for kernel; do
        cp "$kernel.out" stdout
        check "$kernel with $variant" all grep -q '^ .* ok$' "$kernel.out" -- holds "$kernel.out" 'all kernels passed' -- \
            absent_or_empty "$kernel.log"
    done
}
absent_or_empty() { [ ! -s "$1" ]; }

scalar='vector_width=1,refine_wgsize=3'
if in_slice oclgrind-1 'energies, selection, restraints on maps'; then
    clean "$scalar" restrained_generation select philox pair energy large_energy large_terms generation_zero evolve \
        metropolis find score_starts densities
    clean 'vector_width=4,ppwi=3,wgsize=1' energy
    clean 'vector_width=1,ppwi=2,wgsize=3' large_energy
    clean 'vector_width=4,select_wgsize=1' select
    simulated race.log --kernel select_merge --fault barrier >stdout 2>&1
    check 'a missing barrier is found' holds race.log 'data race'
fi
if in_slice oclgrind-2 'maps and refinement'; then
    clean "$scalar" mapped restrained_refine refine large_refine make_maps
fi
finish
