/* miniBUDE's benchmark decks: a folder with protein.in, ligand.in, forcefield.in, poses.in (raw,
 * little-endian) and ref_energies.out (text). */
#ifndef BERTH_CHECK_DECK_H
#define BERTH_CHECK_DECK_H

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

#endif
