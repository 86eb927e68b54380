#include "check/selftest.h"

#include <string.h>

#include "check/selftest_internal.h"

enum berth_status selftest_run(const struct berth_selftest_setup *setup,
                               const struct selftest_entry *checks, size_t count, size_t *failed,
                               struct berth_error *error)
{
    *failed = 0;
    struct selftest test = {.setup = setup, .random = {setup->seed, 0}};
    enum berth_status status = berth_context_create(setup->device, &test.context, error);
    BERTH_THEN(berth_variant_build(test.context, &setup->variant, setup->scoring,
                                   setup->build_options, &test.program, error));
    size_t chosen = 0;
    for (size_t i = 0; !status && i < count; i++) {
        if (setup->only && strncmp(checks[i].name, setup->only, strlen(setup->only)) != 0) {
            continue;
        }
        chosen++;
        test.how = checks[i].how;
        struct berth_error why;
        const enum berth_status outcome = checks[i].check(&test, &why);
        setup->report(setup->context, checks[i].name, outcome ? why.message : NULL);
        *failed += outcome != BERTH_OK;
    }
    if (!status && !chosen) {
        status = berth_fail(error, BERTH_E_USAGE, "no check begins with %s", setup->only);
    }
    berth_program_destroy(test.program);
    berth_context_destroy(test.context);
    return status;
}

enum berth_status berth_selftest_run(const struct berth_selftest_setup *setup, size_t *failed,
                                     struct berth_error *error)
{
    static const struct selftest_entry CHECKS[] = {
        {"random_numbers", selftest_philox, 0},
        {"pairs", selftest_pair_table, 0},
        {"energy", selftest_energy, 0},
        {"energy_terms", selftest_energy, SELFTEST_TERMS},
        {"large_energy", selftest_energy, SELFTEST_LARGE},
        {"large_terms", selftest_energy, SELFTEST_LARGE | SELFTEST_TERMS},
        {"selection", selftest_selection, 0},
        {"evolution", selftest_evolution, 0},
        {"maps", selftest_maps, 0},
        {"map_slopes", selftest_map_slopes, 0},
        {"map_search", selftest_map_search, 0},
        {"starts", selftest_starts, 0},
        {"refinement", selftest_refinement, 0},
        {"large_refinement", selftest_refinement, SELFTEST_LARGE},
        {"restrained_search", selftest_map_search, SELFTEST_RESTRAINED},
        {"restrained_refinement", selftest_refinement, SELFTEST_RESTRAINED},
        {"core_starts", selftest_core_starts, SELFTEST_HELD},
        {"hanging_slopes", selftest_map_slopes, SELFTEST_HANGING},
        {"hanging_search", selftest_map_search, SELFTEST_HANGING}};
    return selftest_run(setup, CHECKS, sizeof CHECKS / sizeof *CHECKS, failed, error);
}
