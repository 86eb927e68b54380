/* Redocking: the ligands of complexes whose answer is known go back into their receptors.  What
 * comes out is the right pose, or whose failure it is that another one came first. */
#ifndef BERTH_EVAL_REDOCK_REDOCK_H
#define BERTH_EVAL_REDOCK_REDOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "device/device.h"
#include "dock/modes.h"
#include "prep/prepare.h"
#include "dock/judging.h"
#include "dock/relaxing.h"
#include "dock/restraints.h"

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

/* What to do; everything is borrowed. */
struct berth_redock_settings {
    const char *set;    /* folder with sites.tsv (columns pdb, center_x, center_y, center_z) and a
                           folder for each complex */
    const char *smiles; /* table of ligands (columns pdb, smiles); NULL: bonds are perceived */
    const char *only;   /* names of complexes with commas between; NULL: all */
    const char *out;    /* folder of the results, made where it is missing */
    bool modes[BERTH_REDOCK_MODES]; /* those to dock in; none: complexes are prepared only */
    double size;                    /* Å: edges of the boxes */
    /* Of generated conformers.  Its pH is not asked where the ligand's SMILES are known; its limit
     * holds for perceiving bonds, too; `cancel` is the means'. */
    struct berth_preparation preparation;
    struct berth_search_settings search;
    struct berth_scoring_choice scoring;
    struct berth_mode_choice choice; /* of modes */
    /* Files in a complex's folder, which not all need to have; paths NULL: none. */
    const char *restraints;
    struct berth_template_setup pattern;
    enum berth_metal_sites metal_sites; /* see dock/restraints.h */
};

/* What to do it with; everything is borrowed until the redocking is destroyed. */
struct berth_redock_means {
    const struct berth_typed_receptor *functions; /* no receptor: the scoring functions alone */
    const struct berth_judging *judging;          /* by them */
    const struct berth_judging *alone; /* NULL, or by the first one alone: for complexes whose
                                          receptor another one has no types for */
    struct berth_relaxing *relaxing;   /* NULL, or poses are relaxed; of receptors it knows none */
    const struct berth_devices *devices; /* those to use; none where nothing is docked */
    const struct berth_log *log;         /* or NULL: is told of each complex as it is done */
    const struct berth_log *warnings;    /* or NULL: of atoms and torsions, one for each of many */
    const atomic_bool *stop;             /* or NULL: see struct berth_docking_setup */
};

struct berth_redock; /* opaque */

/* Reads the tables of the set, and sees that there is room for the results.  The caller destroys
 * *redock, also after an error.  Errors: BERTH_E_IO, BERTH_E_FORMAT (file, line), BERTH_E_USAGE
 * (`only` names what is not there; `out` is the set itself), BERTH_E_MEMORY. */
enum berth_status berth_redock_create(const struct berth_redock_settings *settings,
                                      struct berth_redock **redock, struct berth_error *error);

/* Prepares and docks all complexes, and writes its tables and, for each complex, a folder
 * with what was prepared and the poses.  Complexes that fail are rows of failures.csv.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY, BERTH_E_DEVICE; BERTH_E_FORMAT where no complex could be docked;
 * BERTH_E_USAGE (settings: random torsions in a search without torsions; the end was asked for). */
enum berth_status berth_redock_run(struct berth_redock *redock,
                                   const struct berth_redock_means *means,
                                   struct berth_error *error);

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
