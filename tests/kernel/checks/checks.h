/* Every kernel, alone, on random inputs of awkward sizes against the double-precision references,
 * with all outputs poisoned first and guarded behind their end. */
#ifndef TESTS_KERNEL_CHECKS_CHECKS_H
#define TESTS_KERNEL_CHECKS_CHECKS_H

#include "check/selftest_internal.h"

/* As berth_selftest_run, with a check of each kernel; one of a docking where setup->only is
 * "docking". */
enum berth_status checks_run(const struct berth_selftest_setup *setup, size_t *failed,
                             struct berth_error *error);

selftest_check selftest_generation_zero, selftest_evolve, selftest_metropolis, selftest_select_bins,
    selftest_select_merge, selftest_select_parents, selftest_refine_begin, selftest_refine_again,
    selftest_make_maps, selftest_mapped_generation, selftest_mapped_recombine,
    selftest_mapped_choose, selftest_find_starts, selftest_docking, selftest_densities;

/* Random conformers for the kernels that do not look at atoms: keys and inertia. */
void selftest_conformers(struct selftest *test, size_t count,
                         struct berth_device_conformer *conformers);

/* Random constants of a search. */
struct berth_device_search selftest_search(struct selftest *test, int poses, int parents);

#endif
