/* The steps of preparing a ligand that Open Babel does; nothing but prepare.c includes this. */
#ifndef BERTH_IO_PREPARE_STEPS_H
#define BERTH_IO_PREPARE_STEPS_H

#include "prep/prepare.h"
#include "chem/conformers.h"

/* What is left of a molecule's time. */
struct berth_prepare_clock {
    double used, limit;        /* processor seconds: that Open Babel took so far; as asked for */
    const atomic_bool *cancel; /* borrowed, or NULL */
};

struct berth_prepare_clock berth_prepare_start(const struct berth_preparation *preparation);

/* Step 1.  *smiles is owned by the caller. */
enum berth_status berth_prepare_normalise(struct berth_prepare_clock *clock, double ph,
                                          const struct berth_record *record, char **smiles,
                                          struct berth_composition *composition,
                                          struct berth_error *error);

/* Step 2: 3D coordinates as Open Babel's builder gives them, with its own types; where that finds
 * none (some stereo centres, macrocycles), by its distance geometry, which is slower and not the
 * same from run to run. */
enum berth_status berth_prepare_build(struct berth_prepare_clock *clock, const char *smiles,
                                      const char *builder, struct berth_molecule *molecule,
                                      struct berth_error *error);

/* Step 4: energies (kJ/mol) of molecule in each of its conformers, [conformers->count]; NAN where
 * the force field lacks parameters for it. */
enum berth_status berth_prepare_energies(struct berth_prepare_clock *clock,
                                         const struct berth_molecule *molecule,
                                         const struct berth_conformers *conformers,
                                         double *energies, struct berth_error *error);

/* Adds the properties of an SDF record that `wanted` names ("all" names them all). */
enum berth_status berth_prepare_properties(const struct berth_record *record,
                                           const char *const *wanted, size_t wanted_count,
                                           struct berth_library_ligand *ligand,
                                           struct berth_error *error);

#endif
