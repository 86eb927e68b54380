#include "check/selftest.h"

#include <string.h>

#include "check/selftest_internal.h"

static const struct {
    const char *kernel;
    selftest_check *check;
} CHECKS[] = {{"philox_words", selftest_philox},
              {"pair_table", selftest_pair_table},
              {"energy", selftest_energy},
              {"energy_terms", selftest_energy_terms},
              {"large_energy", selftest_energy_large},
              {"large_terms", selftest_energy_terms_large},
              {"generation_zero", selftest_generation_zero},
              {"evolve", selftest_evolve},
              {"metropolis", selftest_metropolis},
              {"select_bins", selftest_select_bins},
              {"select_merge", selftest_select_merge},
              {"select_parents", selftest_select_parents},
              {"refine", selftest_refine},
              {"refine_begin", selftest_refine_begin},
              {"large_refine", selftest_refine_large},
              {"make_maps", selftest_make_maps},
              {"mapped_generation", selftest_mapped_generation},
              {"mapped_recombine", selftest_mapped_recombine},
              {"mapped_choose", selftest_mapped_choose},
              {"find_starts", selftest_find_starts},
              {"score_starts", selftest_score_starts}};

enum berth_status berth_selftest_run(const struct berth_selftest_setup *setup, size_t *failed,
                                     struct berth_error *error)
{
    *failed = 0;
    struct selftest test = {.setup = setup, .random = {setup->seed, 0}};
    enum berth_status status = berth_context_create(setup->device, &test.context, error);
    BERTH_THEN(berth_variant_build(test.context, &setup->variant, setup->scoring,
                                   setup->build_options, &test.program, error));
    for (size_t i = 0; !status && i < sizeof CHECKS / sizeof *CHECKS; i++) {
        if (setup->only && strncmp(CHECKS[i].kernel, setup->only, strlen(setup->only)) != 0) {
            continue;
        }
        struct berth_error why;
        const enum berth_status outcome = CHECKS[i].check(&test, &why);
        setup->report(setup->context, CHECKS[i].kernel, outcome ? why.message : NULL);
        *failed += outcome != BERTH_OK;
    }
    berth_program_destroy(test.program);
    berth_context_destroy(test.context);
    return status;
}
