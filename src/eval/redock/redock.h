/* Redocking: the ligands of complexes whose answer is known go back into their receptors.  What
 * comes out is the right pose, or whose failure it is that another one came first. */
#ifndef BERTH_EVAL_REDOCK_REDOCK_H
#define BERTH_EVAL_REDOCK_REDOCK_H

#include <stdbool.h>

#include "run/run.h"

/* Å: the symmetry-corrected RMSD to the crystal pose below which a pose counts as right. */
#define BERTH_REDOCK_NEAR 2.0

enum berth_redock_outcome {
    BERTH_REDOCK_RIGHT,     /* the top pose is right */
    BERTH_REDOCK_SCORING,   /* it is not, and has no higher an energy than the crystal pose: the
                               search did its work, the energy misleads */
    BERTH_REDOCK_CONFORMER, /* its energy is above the crystal pose's, but no conformer that was
                               docked can do better in the crystal's place */
    BERTH_REDOCK_SEARCH     /* a right pose of lower energy was there to be found */
};

/* What the outcome is decided by.  Energies in kJ/mol. */
struct berth_redock_facts {
    double top_rmsd;       /* Å: of the top pose to the crystal pose */
    double top_energy;     /* of the top pose */
    double crystal_energy; /* of the crystal pose, minimised */
    double placed_energy;  /* the lowest of the conformers that were docked, each laid onto the
                              crystal pose and minimised there, as far as that stays right; infinity
                              where none does; crystal_energy where the crystal's conformer was
                              docked, or random torsions that can become it */
};

enum berth_redock_outcome berth_redock_outcome_of(const struct berth_redock_facts *facts);

/* Their names: "right", "scoring", "conformer", "search". */
extern const char *const BERTH_REDOCK_OUTCOME[];

/* What is docked. */
enum berth_redock_mode {
    BERTH_REDOCK_CRYSTAL,   /* the crystal's own conformer */
    BERTH_REDOCK_TORSIONS,  /* its bonds, angles and rings, but random torsions */
    BERTH_REDOCK_GENERATED, /* conformers that know nothing of the crystal */
    BERTH_REDOCK_MODES
};

/* Their names: "crystal", "torsions", "generated". */
extern const char *const BERTH_REDOCK_MODE[BERTH_REDOCK_MODES];

/* Reads names of modes with commas between, or "both" (crystal and generated), "all" or "none".
 * Errors: BERTH_E_USAGE. */
enum berth_status berth_redock_modes_parse(const char *text, bool modes[BERTH_REDOCK_MODES],
                                           struct berth_error *error);

struct berth_redock; /* opaque */

/* Opens a redocking by a run without receptors, whose options name the set, and reads its tables;
 * sees that there is room for the results.  alone: complexes whose receptor another function than
 * the first has no types for are ranked by that one.  warnings gathers what is said of complexes.
 * All is borrowed until the redocking is destroyed, which the
 * caller does, also after an error.  Errors: BERTH_E_IO, BERTH_E_FORMAT (file, line), BERTH_E_USAGE
 * (`only` names what is not there; `out` is the set itself), BERTH_E_MEMORY. */
enum berth_status berth_redock_create(struct berth_run *run, bool alone,
                                      struct berth_gatherer *warnings, struct berth_redock **redock,
                                      struct berth_error *error);

/* Prepares and docks all complexes, and writes its tables and, for each complex, a folder
 * with what was prepared and the poses.  Complexes that fail are rows of failures.csv.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY, BERTH_E_DEVICE; BERTH_E_FORMAT where no complex could be docked;
 * BERTH_E_USAGE (random torsions in a search without torsions; the end was asked for). */
enum berth_status berth_redock_run(struct berth_redock *redock, struct berth_error *error);

/* Writes the summary of what was docked to path, as Markdown ("-" is standard output).  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_redock_summarize(const struct berth_redock *redock, const char *path,
                                         struct berth_error *error);

/* Complexes that failed. */
size_t berth_redock_failed(const struct berth_redock *redock);

/* True where a device hangs, or was left at work: see berth_docking_hangs. */
bool berth_redock_hangs(const struct berth_redock *redock);

/* NULL is accepted. */
void berth_redock_destroy(struct berth_redock *redock);

#endif
