/* Where the restraints of a run are, as its run.json says. */
#ifndef BERTH_REPORT_PLACES_H
#define BERTH_REPORT_PLACES_H

#include "dock/restraints/restraints.h"
#include "eval/pose_records.h"
#include "format/run_card.h"

/* How many restraints the card (NULL: 0) has, in card->files.restraint. */
size_t berth_restraint_count(const struct berth_run_card *card);

/* True for an open site of a metal. */
bool berth_restraint_is_metal(const struct berth_run_restraint *restraint);

/* Where it is in the receptor that poses name so; count 0: nowhere. */
struct berth_run_places berth_restraint_places(const struct berth_run_restraint *restraint,
                                               const char *of);

/* The distance (Å) that a pose's tag says for restraint number i, from 0; NAN: none, and the
 * restraint is met only if it is to avoid something. */
double berth_shown_distance(const struct berth_read_pose *pose, size_t i);
enum berth_standing_to berth_shown_stands(const struct berth_run_restraint *restraint,
                                          double distance);

/* Counts how the ligands of a table of scores, which has a row for each, stand to the restraints.
 * Errors: those of reading. */
enum berth_status berth_shown_places_count(const struct berth_run_card *card, const char *table,
                                           struct berth_standing_counts *counts,
                                           struct berth_error *error);

#endif
