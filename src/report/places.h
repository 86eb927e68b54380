/* Where the restraints of a run are, as its run.json says. */
#ifndef BERTH_REPORT_PLACES_H
#define BERTH_REPORT_PLACES_H

#include "dock/restraints/restraints.h"
#include "eval/pose_records.h"
#include "format/run_card.h"

struct berth_shown_restraint {
    const char *text; /* of the card; so is at */
    bool required, avoided;
    bool metal;      /* an open site of one */
    double radius;   /* Å */
    double (*at)[3]; /* [count], Å */
    size_t count;
};

/* Zeroed: there are none. */
struct berth_shown_places {
    struct berth_shown_restraint items[BERTH_RESTRAINTS_MAX];
    size_t count;
};

/* Those of a run, which borrow from its card.  of: the receptor, as poses name it; NULL: the first
 * one, as radii are the same in all. */
struct berth_shown_places berth_shown_places_of(const struct berth_run_card *card, const char *of);

/* The distance (Å) that a pose's tag says for restraint number i, from 0; NAN: none, and the
 * restraint is met only if it is to avoid something. */
double berth_shown_distance(const struct berth_read_pose *pose, size_t i);
enum berth_standing_to berth_shown_stands(const struct berth_shown_restraint *restraint,
                                          double distance);

/* Counts how the ligands of a table of scores, which has a row for each, stand to the restraints.
 * Errors: those of reading. */
enum berth_status berth_shown_places_count(const struct berth_shown_places *places,
                                           const char *table, struct berth_standing_counts *counts,
                                           struct berth_error *error);

#endif
