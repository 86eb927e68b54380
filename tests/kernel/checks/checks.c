/* The checks of single kernels, and what they begin with beside the selftest's inputs: conformers
 * and constants of a search. */
#include <string.h>

#include "checks.h"

void selftest_conformers(struct selftest *test, size_t count,
                         struct berth_device_conformer *conformers)
{
    for (size_t i = 0; i < count; i++) {
        struct berth_device_conformer *conformer = &conformers[i];
        memset(conformer, 0, sizeof *conformer);
        conformer->ligand = (uint32_t)berth_random_below(&test->random, UINT32_MAX);
        conformer->number = (uint32_t)berth_random_below(&test->random, 1000);
        /* tr(G) 1 - G of a diagonal-dominant G: a possible ligand. */
        const double g[3] = {berth_random_between(&test->random, 1, 9),
                             berth_random_between(&test->random, 1, 9),
                             berth_random_between(&test->random, 1, 9)};
        for (int k = 0; k < 3; k++) {
            conformer->inertia[k] = (float)(g[0] + g[1] + g[2] - g[k]);
            conformer->inertia[3 + k] = (float)berth_random_between(&test->random, -0.5, 0.5);
        }
    }
}

struct berth_device_search selftest_search(struct selftest *test, int poses, int parents)
{
    return (struct berth_device_search){
        .seed_low = (uint32_t)berth_random_below(&test->random, UINT32_MAX),
        .seed_high = (uint32_t)berth_random_below(&test->random, UINT32_MAX),
        .poses = poses,
        .parents = parents,
        .half_x = (float)berth_random_between(&test->random, 1, 12),
        .half_y = (float)berth_random_between(&test->random, 1, 12),
        .half_z = (float)berth_random_between(&test->random, 1, 12),
        .exchange = 0.3f,
        .granule = 1 << berth_random_below(&test->random, 4)};
}

enum berth_status checks_run(const struct berth_selftest_setup *setup, size_t *failed,
                             struct berth_error *error)
{
    static const struct selftest_entry CHECKS[] = {
        {"philox_words", selftest_philox, 0},
        {"pair_table", selftest_pair_table, 0},
        {"energy", selftest_energy, 0},
        {"energy_terms", selftest_energy, SELFTEST_TERMS},
        {"large_energy", selftest_energy, SELFTEST_LARGE},
        {"large_terms", selftest_energy, SELFTEST_LARGE | SELFTEST_TERMS},
        {"generation_zero", selftest_generation_zero, 0},
        {"evolve", selftest_evolve, 0},
        {"metropolis", selftest_metropolis, 0},
        {"select_bins", selftest_select_bins, 0},
        {"select_merge", selftest_select_merge, 0},
        {"select_parents", selftest_select_parents, 0},
        {"refine", selftest_refinement, SELFTEST_BODIES | SELFTEST_WIDE},
        {"refine_begin", selftest_refine_begin, 0},
        {"refine_again", selftest_refine_again, 0},
        {"large_refine", selftest_refinement, SELFTEST_LARGE | SELFTEST_WIDE},
        {"restrained_refine", selftest_refinement,
         SELFTEST_RESTRAINED | SELFTEST_BODIES | SELFTEST_WIDE},
        {"make_maps", selftest_make_maps, 0},
        {"mapped_generation", selftest_mapped_generation, 0},
        {"restrained_generation", selftest_mapped_generation, SELFTEST_RESTRAINED},
        {"mapped_recombine", selftest_mapped_recombine, 0},
        {"mapped_choose", selftest_mapped_choose, 0},
        {"find_starts", selftest_find_starts, 0},
        {"score_starts", selftest_starts, 0},
        {"densities", selftest_densities, 0},
        {"docking", selftest_docking, 0}};
    /* The last one, of a whole docking, is done where it is named. */
    const bool named = setup->only && strcmp(setup->only, "docking") == 0;
    return selftest_run(setup, CHECKS, sizeof CHECKS / sizeof *CHECKS - !named, failed, error);
}
