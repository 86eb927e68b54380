/* Where the restraints of a run are, as its run.json says. */
#ifndef BERTH_REPORT_PLACES_H
#define BERTH_REPORT_PLACES_H

#include "base/bytes.h"
#include "dock/restraints.h"
#include "eval/pose_records.h"

struct berth_shown_restraint {
    char *text; /* owned */
    bool required, avoided;
    bool metal;      /* an open site of one */
    double radius;   /* Å */
    double (*at)[3]; /* owned; [count], Å */
    size_t count;
};

/* Zeroed: there are none. */
struct berth_shown_places {
    struct berth_shown_restraint items[BERTH_RESTRAINTS_MAX];
    size_t count;
};

/* Reads them from run.json; key: of the receptor (see berth_receptor_key); NULL: of the first one,
 * as radii are the same in all.  The caller clears *places.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_shown_places_read(const struct berth_bytes *json, const char *key,
                                          struct berth_shown_places *places,
                                          struct berth_error *error);

/* The same of poses, in the run's description beside them; none is no error.  Errors: those of
 * reading; BERTH_E_MEMORY. */
enum berth_status berth_shown_places_beside(const char *poses, struct berth_shown_places *places,
                                            struct berth_error *error);

void berth_shown_places_clear(struct berth_shown_places *places);

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
