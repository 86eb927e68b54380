/* run.json: a run's card as a file. */
#ifndef BERTH_FORMAT_RUN_JSON_H
#define BERTH_FORMAT_RUN_JSON_H

#include <stdatomic.h>

#include "base/log.h"
#include "format/output.h"
#include "format/run_card.h"

/* Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_run_json_print(struct berth_output *output,
                                       const struct berth_run_card *card,
                                       struct berth_error *error);
enum berth_status berth_run_json_write(const char *path, const struct berth_run_card *card,
                                       struct berth_error *error);

/* Puts card->json, with a 0 behind it, onto the card, as far as it makes sense: what berth writes,
 * a line a member. */
void berth_run_json_parse(struct berth_run_card *card);

/* Reads a file as berth writes it, a line a member, to *card, which it starts, and the caller
 * clears either way.  What makes no sense is not known then.  stop: see berth_check_stop.  Errors:
 * those of reading; BERTH_E_MEMORY. */
enum berth_status berth_run_json_read(const char *path, const atomic_bool *stop,
                                      struct berth_run_card *card, struct berth_error *error);

/* The same of the run.json of a file of poses: the one called as the poses are (POSES.run.json), or
 * that of their folder.  None is no error: nothing is known. */
enum berth_status berth_run_json_beside(const char *poses, struct berth_run_card *card,
                                        struct berth_error *error);

/* The same of poses of a docking, or of a folder's hits, if it names this receptor, the same file
 * by whatever path, and no other; else nothing is known. */
enum berth_status berth_run_json_in(const char *poses, const char *receptor,
                                    struct berth_run_card *card, struct berth_error *error);

/* Warns where the run names a receptor, and this file is another one: by its path and, where both
 * can be read, by its content; of files that are no longer there, by the name.  Of several
 * receptors, the one of this file's name is meant. */
void berth_run_check_receptor(const struct berth_run_card *card, const char *receptor,
                              const struct berth_log *log);

/* The same of the run of some poses, if its run.json tells of them.  Errors: those of reading. */
enum berth_status berth_run_json_check_beside(const char *poses, const char *receptor,
                                              const struct berth_log *log,
                                              struct berth_error *error);

#endif
