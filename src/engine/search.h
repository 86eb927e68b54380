/* Evolutionary Monte Carlo on one device, and refinement of what it finds.
 *
 * Generation zero, energies, the Metropolis rule, selection, evolution and refinement all run on
 * the device: a batch of conformers goes there in two transfers, or three where their torsions
 * turn, the best poses come back in three, or in two when refined, and nothing crosses the bus in
 * between.
 */
#ifndef BERTH_ENGINE_SEARCH_H
#define BERTH_ENGINE_SEARCH_H

#include "engine/maps.h"
#include "engine/refine.h"
#include "engine/levels.h"
#include "score/pose.h"

/* What was found for some conformers. */
struct berth_found {
    struct berth_pose *poses; /* owned; [conformers][stride], best first: what a device found */
    size_t *counts;           /* owned; [conformers]: poses that there are; 0: the device gave no
                                 finite energy */
    size_t *evaluations;      /* owned; [conformers]: energies with gradients that were spent on
                                 them: by the search on maps, and by refinement */
    size_t stride;
};

/* Makes room for conformers searched with these settings.  The caller clears *found.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_found_create(const struct berth_search_settings *settings,
                                     size_t conformers, struct berth_found *found,
                                     struct berth_error *error);

/* Frees what it owns and zeroes it; a zeroed one is accepted. */
void berth_found_clear(struct berth_found *found);

/* Takes the records of conformer c's found->counts[c] refined poses, the best first; scores: of
 * each record, by all functions, or NULL. */
void berth_found_refined(struct berth_found *found, size_t c,
                         const struct berth_device_refined *records,
                         const double (*scores)[BERTH_FUNCTIONS_MAX]);

struct berth_search; /* opaque */

/* Prepares searches of the site on evaluator (borrowed).  first: NULL, or a search with the same
 * settings to run beside, which shares its maps, and has another queue of the device unless they
 * are to run in turn.  The caller destroys *search.  Errors: BERTH_E_USAGE (settings out of range),
 * BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY. */
enum berth_status berth_search_create(struct berth_evaluator *evaluator, const double size[3],
                                      const struct berth_search_settings *settings,
                                      const struct berth_search *first,
                                      struct berth_search **search, struct berth_error *error);

/* Starts the search of count conformers (at most berth_search_fit; all large, or none), and waits
 * for nothing: another search on the same evaluator can be started behind it.  What was started
 * must be finished before the next start.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_search_start(struct berth_search *search,
                                     const struct berth_packed_conformer *conformers, size_t count,
                                     struct berth_error *error);

/* Says whether what was started has ended, without waiting.  Errors: BERTH_E_DEVICE. */
enum berth_status berth_search_poll(const struct berth_search *search, bool *ended,
                                    struct berth_error *error);

/* Waits for what was started, and writes it to found, from conformer number `first` on.  Errors:
 * BERTH_E_DEVICE, BERTH_E_DEVICE_MEMORY, BERTH_E_RESULT (more poses than there can be). */
enum berth_status berth_search_finish(struct berth_search *search, struct berth_found *found,
                                      size_t first, struct berth_error *error);

/* Lets searches count the pairs of atoms that they meet, with an evaluator that was built with
 * -DBERTH_COUNT (borrowed).  Starting a search then waits for each generation.  Errors:
 * BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_search_count_with(struct berth_search *search,
                                          struct berth_evaluator *counter,
                                          struct berth_error *error);

/* Who judges the poses that a search finds; borrowed. */
struct berth_search_judges {
    struct berth_evaluator *evaluators[BERTH_FUNCTIONS_MAX - 1]; /* [count], of one device */
    size_t count;
    /* Which of the run's functions they are, and which one searches; 0: the first. */
    size_t numbers[BERTH_FUNCTIONS_MAX - 1], own;
    bool first_reports; /* poses have the terms and parts of the first judge's energy */
};

/* Lets these functions judge what searches find from now on, whose conformers are typed by them.
 * Once for a search.  Errors: BERTH_E_DEVICE, BERTH_E_MEMORY. */
enum berth_status berth_search_judge_with(struct berth_search *search,
                                          const struct berth_search_judges *judges,
                                          struct berth_error *error);

/* The maps of a search on maps. */
struct berth_maps *berth_search_maps(const struct berth_search *search);

/* The pairs that all searches so far have met, over all poses. */
double berth_search_met(const struct berth_search *search);

void berth_search_destroy(struct berth_search *search);

#endif
