/* The kinds of search, which engine/search.c goes about by one table: the rigid one (rigid.c) and
 * that on maps (mapped.c).  What both share stays there: batches, refinement, judges, results. */
#ifndef BERTH_ENGINE_KINDS_H
#define BERTH_ENGINE_KINDS_H

#include "engine/refine.h"
#include "engine/levels.h"
#include "score/pose.h"

/* What a search is made for: everything is borrowed. */
struct berth_search_place {
    struct berth_evaluator *evaluator;
    const double *size; /* [3], Å: full edges of the site */
    const struct berth_search_settings *settings;
    size_t conformers;             /* of a batch, at most */
    struct berth_refiner *refiner; /* that what is found is for; NULL: nothing is refined */
    struct berth_buffer *counts;   /* int [conformers]: how many poses are found */
};

/* Functions take the search that `create` made. */
struct berth_search_kind {
    /* first: NULL, or a search of the same kind to run beside. */
    enum berth_status (*create)(const struct berth_search_place *of, const void *first,
                                void **search, struct berth_error *error);
    /* Starts the search of a batch, up to its poses in the refiner, and waits for nothing. */
    enum berth_status (*start)(void *search, const struct berth_batch *batch,
                               struct berth_error *error);

    /* Of poses that are not refined, which on maps all are.  Starts to read them, until *end; gives
     * those of a conformer; says where they are on the device. */
    enum berth_status (*start_reading)(void *search, struct berth_event **end,
                                       struct berth_error *error);
    void (*take)(const void *search, size_t conformer, struct berth_pose *poses, size_t count);
    struct berth_parents (*parents)(const void *search);

    /* Of exact energies: see berth_search_count_with and berth_search_met.  NULL on maps. */
    enum berth_status (*count_with)(void *search, struct berth_evaluator *counter,
                                    struct berth_error *error);
    double (*met)(const void *search);

    void (*destroy)(void *search); /* NULL is accepted */
};

extern const struct berth_search_kind BERTH_SEARCH_RIGID, BERTH_SEARCH_MAPPED;

#endif
