/* The demo complex that comes with berth (HIV-1 protease and amprenavir), also as a deck. */
#ifndef BERTH_CHECK_DEMO_H
#define BERTH_CHECK_DEMO_H

#include "check/deck.h"
#include "dock/typed_receptor.h"

/* The complex, with its site about the crystal's ligand as `make demo` has it. */
struct berth_demo {
    char *folder; /* owned; of the files */
    struct berth_typed_receptor receptor;
    struct berth_site site;
};

/* Reads it from the folder `data`, or, where that is NULL, from where `make install` or the sources
 * have it beside the program, typed for a scoring function.  The caller clears *demo either way.
 * Errors: as the readers; BERTH_E_IO (no such data: says what to do). */
enum berth_status berth_demo_read(const char *data, const struct berth_scoring_choice *scoring,
                                  const struct berth_log *log, struct berth_demo *demo,
                                  struct berth_error *error);

void berth_demo_clear(struct berth_demo *demo);

/* count poses for a conformer about its own centroid, float [6][count], which the caller frees:
 * uniform in rotation and in a box with these edges (Å) about the origin, always the same ones.
 * NULL when out of memory. */
float *berth_random_poses(const double size[3], size_t count);

/* The demo complex as a deck: the crystal's ligand at random poses, with the energies of the
 * double-precision oracle.  The caller clears *deck.  Errors: as berth_demo_read. */
enum berth_status berth_demo_deck(const char *data, const struct berth_scoring_choice *scoring,
                                  const struct berth_log *log, struct berth_deck *deck,
                                  struct berth_error *error);

#endif
