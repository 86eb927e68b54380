/* miniBUDE's benchmark decks: a folder with protein.in, ligand.in, forcefield.in, poses.in (raw,
 * little-endian) and ref_energies.out (text). */
#ifndef BERTH_CHECK_DECK_H
#define BERTH_CHECK_DECK_H

#include "dock/typed_receptor.h"
#include "score/scoring.h"

struct berth_deck {
    struct berth_scoring scoring; /* with miniBUDE's constants */
    struct berth_heavy_atoms protein, ligand;
    float *poses;     /* owned; [6][pose_count]: angles (rad), translations (Å) */
    double *energies; /* owned; [energy_count]: the reference, kJ/mol */
    size_t pose_count, energy_count;
};

/* Reads the deck in directory.  The caller clears *deck.  Errors: BERTH_E_IO, BERTH_E_FORMAT
 * (which file and what is wrong), BERTH_E_MEMORY. */
enum berth_status berth_deck_read(const char *directory, struct berth_deck *deck,
                                  struct berth_error *error);

void berth_deck_clear(struct berth_deck *deck);

/* --- The demo complex that comes with berth: HIV-1 protease and amprenavir --- */

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
