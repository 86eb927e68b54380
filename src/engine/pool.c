#include "engine/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct berth_pool {
    struct berth_search *searches[BERTH_FUNCTIONS_MAX]; /* owned; [count] */
    size_t by[BERTH_FUNCTIONS_MAX];                     /* the function of each, rising */
    size_t count;
    size_t started;           /* of them, in the last batch */
    size_t conformers;        /* in it */
    size_t functions;         /* that judge, all of them */
    struct berth_found found; /* owned; what one of the further searches found */
};

/* Opens the search by the first function. */
static enum berth_status open_first(const struct berth_pool_setup *setup,
                                    const struct berth_search *beside, struct berth_search **search,
                                    struct berth_error *error)
{
    BERTH_TRY(
        berth_search_create(setup->evaluator, setup->size, &setup->search, beside, search, error));
    return berth_search_judge_with(*search, setup->judges, error);
}

/* Opens the search by function f, from 1, whose judges are the first function, which reports, and
 * then the others. */
static enum berth_status open_further(const struct berth_pool_setup *setup, size_t f,
                                      const struct berth_search *beside,
                                      struct berth_search **search, struct berth_error *error)
{
    const struct berth_search_judges *all = setup->judges;
    struct berth_search_judges judges = {
        .count = all->count, .evaluators = {setup->evaluator}, .own = f, .first_reports = true};
    for (size_t k = 0, at = 1; k < all->count; k++) {
        if (k + 1 != f) {
            judges.evaluators[at] = all->evaluators[k];
            judges.numbers[at++] = k + 1;
        }
    }
    BERTH_TRY(berth_search_create(all->evaluators[f - 1], setup->size, &setup->search, beside,
                                  search, error));
    return berth_search_judge_with(*search, &judges, error);
}

/* Opens the search by function f behind the others. */
static enum berth_status open(const struct berth_pool_setup *setup, size_t f,
                              struct berth_pool *pool, struct berth_error *error)
{
    const size_t k = pool->count++;
    const struct berth_search *beside = setup->first ? setup->first->searches[k] : NULL;
    pool->by[k] = f;
    return f ? open_further(setup, f, beside, &pool->searches[k], error)
             : open_first(setup, beside, &pool->searches[k], error);
}

enum berth_status berth_pool_create(const struct berth_pool_setup *setup, struct berth_pool **pool,
                                    struct berth_error *error)
{
    *pool = NULL;
    if (setup->search.pool > 1 && !setup->search.refine.poses) {
        return berth_fail_option(error, BERTH_E_USAGE, "pool",
                                 "pool: poses that others than the first function find must be "
                                 "refined");
    }
    BERTH_TRY(berth_make(pool, 1, sizeof **pool, NULL, error));
    struct berth_pool *made = *pool;
    struct berth_search_settings one = setup->search;
    one.pool = 0;
    made->functions = setup->judges->count + 1;
    enum berth_status status = BERTH_OK;
    for (size_t f = 0; !status && f < made->functions; f++) {
        status = berth_pool_has(setup->search.pool, f) ? open(setup, f, made, error) : BERTH_OK;
    }
    if (!status && made->count > 1) {
        const struct berth_device *device = berth_context_device(setup->evaluator->context);
        status = berth_found_create(&one, berth_search_fit(&one, device), &made->found, error);
    }
    if (status) {
        berth_pool_destroy(made);
        *pool = NULL;
    }
    return status;
}

enum berth_status berth_pool_count_with(struct berth_pool *pool, struct berth_evaluator *counter,
                                        struct berth_error *error)
{
    return pool->by[0] == 0 ? berth_search_count_with(pool->searches[0], counter, error) : BERTH_OK;
}

double berth_pool_met(const struct berth_pool *pool)
{
    return pool && pool->by[0] == 0 ? berth_search_met(pool->searches[0]) : 0;
}

/* Conformers as function f and its judges type them. */
struct typed {
    struct berth_packed_conformer *conformers; /* owned, but what they point to */
    struct berth_device_atom *atoms;           /* owned */
    berth_int32 *types;                        /* owned */
};

static void clear_typed(struct typed *typed)
{
    free(typed->conformers);
    free(typed->atoms);
    free(typed->types);
}

/* Types by function g, 0 being the first, of the conformer's atom i. */
static berth_int32 type_by(const struct berth_packed_conformer *conformer, size_t g, size_t i)
{
    const size_t count = (size_t)conformer->device.atom_count;
    return g ? conformer->judged[(g - 1) * count + i] : conformer->atoms[i].type;
}

/* Types the conformers for the function. */
static enum berth_status type(const struct berth_pool *pool, size_t f,
                              const struct berth_packed_conformer *conformers, size_t count,
                              struct typed *typed, struct berth_error *error)
{
    size_t places = 0;
    for (size_t c = 0; c < count; c++) {
        places += (size_t)conformers[c].device.atom_count;
    }
    BERTH_TRY(berth_make(&typed->conformers, count, sizeof *typed->conformers, NULL, error));
    BERTH_TRY(berth_make(&typed->atoms, places, sizeof *typed->atoms, NULL, error));
    BERTH_TRY(
        berth_make(&typed->types, places * pool->functions, sizeof *typed->types, NULL, error));
    struct berth_device_atom *atoms = typed->atoms;
    berth_int32 *types = typed->types;
    for (size_t c = 0; c < count; c++) {
        const struct berth_packed_conformer *from = &conformers[c];
        const size_t atom_count = (size_t)from->device.atom_count;
        typed->conformers[c] = *from;
        typed->conformers[c].atoms = atoms;
        typed->conformers[c].judged = types;
        memcpy(atoms, from->atoms, atom_count * sizeof *atoms);
        for (size_t i = 0; i < atom_count; i++) {
            atoms[i].type = type_by(from, f, i);
        }
        for (size_t g = 0; g < pool->functions; g++) {
            for (size_t i = 0; g != f && i < atom_count; i++) {
                *types++ = type_by(from, g, i);
            }
        }
        atoms += atom_count;
    }
    return BERTH_OK;
}

/* Starts search k. */
static enum berth_status start(struct berth_pool *pool, size_t k,
                               const struct berth_packed_conformer *conformers, size_t count,
                               struct berth_error *error)
{
    if (pool->by[k] == 0) {
        return berth_search_start(pool->searches[k], conformers, count, error);
    }
    struct typed typed = {0};
    enum berth_status status = type(pool, pool->by[k], conformers, count, &typed, error);
    BERTH_THEN(berth_search_start(pool->searches[k], typed.conformers, count, error));
    clear_typed(&typed); /* is on its way */
    return status;
}

enum berth_status berth_pool_start(struct berth_pool *pool,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    pool->conformers = count;
    pool->started = 0;
    while (!status && pool->started < (berth_is_large(conformers) ? 1 : pool->count)) {
        status = start(pool, pool->started++, conformers, count, error);
    }
    return status;
}

enum berth_status berth_pool_poll(const struct berth_pool *pool, bool *ended,
                                  struct berth_error *error)
{
    *ended = true;
    for (size_t f = 0; *ended && f < pool->started; f++) {
        BERTH_TRY(berth_search_poll(pool->searches[f], ended, error));
    }
    return BERTH_OK;
}

/* Adds poses to those of a conformer, all of them the best first, of equal ones those that were
 * there. */
static void join(struct berth_pose *poses, size_t count, const struct berth_pose *more,
                 size_t more_count)
{
    for (size_t i = 0; i < more_count; i++) {
        const float total = berth_pose_total(&more[i]);
        size_t at = count++;
        for (; at > 0 && berth_pose_total(&poses[at - 1]) > total; at--) {
            poses[at] = poses[at - 1];
        }
        poses[at] = more[i];
    }
}

enum berth_status berth_pool_finish(struct berth_pool *pool, struct berth_found *found,
                                    struct berth_error *error)
{
    BERTH_TRY(berth_search_finish(pool->searches[0], found, 0, error));
    const struct berth_found *more = &pool->found;
    for (size_t f = 1; f < pool->started; f++) {
        BERTH_TRY(berth_search_finish(pool->searches[f], &pool->found, 0, error));
        for (size_t c = 0; c < pool->conformers; c++) {
            join(found->poses + c * found->stride, found->counts[c], more->poses + c * more->stride,
                 more->counts[c]);
            found->counts[c] += more->counts[c];
            found->evaluations[c] += more->evaluations[c];
        }
    }
    return BERTH_OK;
}

void berth_pool_destroy(struct berth_pool *pool)
{
    for (size_t f = 0; pool && f < BERTH_FUNCTIONS_MAX; f++) {
        berth_search_destroy(pool->searches[f]);
    }
    if (pool) {
        berth_found_clear(&pool->found);
        free(pool);
    }
}
