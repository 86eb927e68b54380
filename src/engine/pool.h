/* Searches of a site by one scoring function, or by several in turn, whose poses are pooled: each
 * is judged by all functions, and counts by what the first one says of it, whether that searches or
 * not. */
#ifndef BERTH_ENGINE_POOL_H
#define BERTH_ENGINE_POOL_H

#include "engine/search.h"

struct berth_pool; /* opaque */

/* What a pool is for; everything is borrowed. */
struct berth_pool_setup {
    struct berth_evaluator *evaluator; /* of the first function */
    double size[3];                    /* Å: full edges of the site */
    struct berth_search_settings search;
    const struct berth_search_judges *judges; /* the other functions */
    const struct berth_pool *first;           /* see berth_search_create */
};

/* The caller destroys *pool.  Errors: as berth_search_create; BERTH_E_USAGE (a pool of poses that
 * are not refined). */
enum berth_status berth_pool_create(const struct berth_pool_setup *setup, struct berth_pool **pool,
                                    struct berth_error *error);

/* See berth_search_count_with and berth_search_met: of the search by the first function, where that
 * searches.  Of NULL nothing was met. */
enum berth_status berth_pool_count_with(struct berth_pool *pool, struct berth_evaluator *counter,
                                        struct berth_error *error);
double berth_pool_met(const struct berth_pool *pool);

/* As of a search.  Large ligands are searched by the first alone of those that search. */
enum berth_status berth_pool_start(struct berth_pool *pool,
                                   const struct berth_packed_conformer *conformers, size_t count,
                                   struct berth_error *error);
enum berth_status berth_pool_poll(const struct berth_pool *pool, bool *ended,
                                  struct berth_error *error);
enum berth_status berth_pool_finish(struct berth_pool *pool, struct berth_found *found,
                                    struct berth_error *error);

/* NULL is accepted. */
void berth_pool_destroy(struct berth_pool *pool);

#endif
