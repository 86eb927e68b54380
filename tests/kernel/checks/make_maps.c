/* Checks of make_maps: every point of the maps that a batch asks for, against the sum over all
 * receptor atoms; and that nothing else is written. */
#include <math.h>
#include <string.h>

#include "mapped.h"

static enum berth_status compare_map(const struct mapped_trial *trial, int type,
                                     struct berth_error *error)
{
    const struct selftest_maps maps = mapped_trial_maps(trial);
    enum berth_status status = BERTH_OK;
    for (size_t n = 0; !status && n < (size_t)trial->layout.points; n++) {
        status = selftest_compare_point(&maps, &trial->receptor, type, n, error);
    }
    return status;
}

static enum berth_status expect_poison(const struct mapped_trial *trial, int type,
                                       struct berth_error *error)
{
    const size_t numbers = selftest_map_numbers(&trial->layout);
    const uint16_t *map = trial->halves + (size_t)type * numbers;
    for (size_t n = 0; n < numbers; n++) {
        if (map[n] != 0xFFFF) {
            return berth_fail(error, BERTH_E_RESULT,
                              "type %d, which no ligand has, was written to at %zu", type, n);
        }
    }
    return BERTH_OK;
}

static bool has_type(const struct mapped_trial *trial, int type)
{
    bool found = false;
    for (size_t i = 0; i < trial->batch.atom_count; i++) {
        found = found || trial->batch.host_atoms[i].type == type;
    }
    return found;
}

static enum berth_status compare_maps(struct mapped_trial *trial, struct berth_error *error)
{
    size_t expected = 0;
    enum berth_status status = BERTH_OK;
    for (int type = 0; !status && type < (int)trial->test->setup->scoring->type_count; type++) {
        const bool wanted = has_type(trial, type);
        expected += wanted;
        status = (wanted ? compare_map : expect_poison)(trial, type, error);
    }
    if (!status && trial->maps->made_count != expected) {
        status = berth_fail(error, BERTH_E_RESULT, "%zu maps were made, not %zu",
                            trial->maps->made_count, expected);
    }
    return status;
}

enum berth_status selftest_make_maps(struct selftest *test, struct berth_error *error)
{
    /* The last grid goes farther from a small site than neighbour lists do. */
    static const struct {
        double half[3], reach;
        size_t atoms;
        struct berth_map_settings grid;
    } SIZES[] = {{{1, 1.5, 0.7}, 5, 60, {.spacing = 0.83f, .margin = 1, .wall = 10, .most = 100}},
                 {{4, 5, 3}, 11, 500, {.spacing = 0.9f, .margin = 2, .wall = 10, .most = 30}},
                 {{0.5, 1, 0.6},
                  17,
                  700,
                  {.spacing = 1.7f, .margin = 2, .radius = 10, .wall = 10, .most = 100}}};
    const size_t trials = test->setup->small ? 1 : sizeof SIZES / sizeof *SIZES;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < trials; i++) {
        struct mapped_trial trial = {.test = test,
                                     .half = {SIZES[i].half[0], SIZES[i].half[1], SIZES[i].half[2]},
                                     .reach = SIZES[i].reach,
                                     .atoms = test->setup->small ? 20 : SIZES[i].atoms,
                                     .most_atoms = 3,
                                     .grid = SIZES[i].grid};
        status = mapped_trial_make(&trial, error);
        BERTH_THEN(berth_maps_complete(trial.maps, &trial.batch, error));
        BERTH_THEN(mapped_trial_read_maps(&trial, error));
        BERTH_THEN(compare_maps(&trial, error));
        mapped_trial_clear(&trial);
    }
    return status;
}
