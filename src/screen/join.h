/* Several screens as one, the stages of a screen or the rounds of a campaign: their tables, poses
 * and failures become those of the whole, in which each ligand has a number and a rank.  Shards of
 * one screen are merged from their journals instead: merge.h. */
#ifndef BERTH_SCREEN_JOIN_H
#define BERTH_SCREEN_JOIN_H

#include "format/run_card.h"

/* A screen that is whole. */
struct berth_joined {
    const char *folder;      /* borrowed */
    size_t number;           /* its own, in the last column of scores.csv */
    const uint64_t *ligands; /* borrowed; [ligand_count], rising: the number in the whole that each
                                of its ordinals has; NULL: the same */
    size_t ligand_count;
};

struct berth_join {
    const char *folder;                 /* borrowed; of the whole */
    const struct berth_joined *screens; /* borrowed; [count] */
    size_t count;
    const char *column; /* of scores.csv: the number of the screen that a row is of */
    bool named;    /* the number of a ligand in the whole stands in front of its name, where it is
                      taken off; rows have it as "molecule", and as ordinal their place */
    bool together; /* ranked together, by "ranking" or "score"; else those of later screens come
                      first, by their ranks */
    size_t top;    /* ligands in hits.sdf, at most */
    const char *failures; /* a table of further failures, which come first; NULL: there are none */
    const struct berth_run_card *card; /* what becomes run.json */
};

/* Writes failures.csv, hits.sdf, scores.csv and run.json of the whole, all or none of them.  A
 * ligand has the row of the last screen that has one of it.  Errors: BERTH_E_FORMAT, BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_join_screens(const struct berth_join *join, struct berth_error *error);

/* The number from 0 of a column "ordinal" or "rank" in the row of a screen's table.  Errors:
 * BERTH_E_FORMAT names the row. */
struct berth_csv;
enum berth_status berth_join_number(const struct berth_csv *csv, const char *path,
                                    const char *column, uint64_t *number,
                                    struct berth_error *error);

#endif
