/* What the files of redocking share: set.c reads which complexes there are, complex.c prepares one,
 * crystal.c says how a ligand begins and what it could reach, dock.c docks and measures it, run.c
 * takes them through all of this, several at a time, kept.c keeps what is done, report.c writes
 * what came out.
 */
#ifndef BERTH_EVAL_REDOCK_REDOCK_INTERNAL_H
#define BERTH_EVAL_REDOCK_REDOCK_INTERNAL_H

#include <limits.h>
#include <pthread.h>

#include "chem/molecule.h"
#include "chem/rmsd.h"
#include "base/log.h"
#include "format/failures.h"
#include "format/journal.h"
#include "format/library/library.h"
#include "format/receptor_file.h"
#include "eval/redock/redock.h"
#include "prep/bond_orders.h"
#include "score/score_ref.h"

/* --- The set --- */

/* Reads FOLDER/sites.tsv (columns pdb, center_x, center_y, center_z), and SMILES from the options'
 * table (columns pdb, smiles); keeps the complexes that `only` names.  Errors: see
 * berth_redock_create. */
enum berth_status redock_set_read(struct berth_redock *redock, struct berth_error *error);
void redock_set_clear(struct berth_redock *redock);

/* --- What came out --- */

/* What a run writes into settings->out itself. */
enum { REDOCK_FILES = 5 };
extern const char *const REDOCK_FILE[REDOCK_FILES];

/* The numbers of a row: VALUE(member, column of redock.csv, decimals).  RMSDs are in Å, energies in
 * the function's unit; of what is minimised, see redock_crystal.  NEAREST is the generated
 * conformer that is nearest to the crystal's, superposed (from the crystal's, torsions turned or
 * not: it, at 0), LAID that one laid onto the crystal pose; TOP_FIVE the least of the first five
 * poses; the STRAIN of the top pose's conformer is in kJ/mol; CONFIDENCE is the top pose's; PLACED,
 * see struct berth_redock_facts, is not asked for where the top pose is right or lower than the
 * crystal pose; UNMET are required restraints that the top pose does not meet.  NAN: not known, or
 * none. */
#define REDOCK_VALUE_LIST(VALUE)                                                                   \
    VALUE(HEAVY_ATOMS, heavy_atoms, 0)                                                             \
    VALUE(TORSIONS, torsions, 0)                                                                   \
    VALUE(CONFORMERS, conformers, 0)                                                               \
    VALUE(NEAREST, nearest_conformer, 3)                                                           \
    VALUE(TOP, rmsd_top, 3)                                                                        \
    VALUE(TOP_FIVE, rmsd_top5, 3)                                                                  \
    VALUE(BEST, rmsd_best, 3)                                                                      \
    VALUE(TOP_ENERGY, energy_top, 3)                                                               \
    VALUE(BEST_ENERGY, energy_best, 3)                                                             \
    VALUE(TOP_STRAIN, conformer_strain, 3)                                                         \
    VALUE(CRYSTAL, energy_crystal, 3)                                                              \
    VALUE(CRYSTAL_MINIMISED, energy_crystal_minimised, 3)                                          \
    VALUE(GAP, energy_gap, 3)                                                                      \
    VALUE(LAID, energy_nearest, 3)                                                                 \
    VALUE(LAID_MINIMISED, energy_nearest_minimised, 3)                                             \
    VALUE(PLACED, energy_placed, 3)                                                                \
    VALUE(PREPARE_SECONDS, seconds_prepare, 3)                                                     \
    VALUE(DOCK_SECONDS, seconds_dock, 3)                                                           \
    VALUE(CONFIDENCE, confidence, 4)                                                               \
    VALUE(UNMET, unmet, 0)

#define REDOCK_VALUE_MEMBER(member, ...) REDOCK_##member,
enum redock_value { REDOCK_VALUE_LIST(REDOCK_VALUE_MEMBER) REDOCK_VALUES };

/* How well the docking of a complex in a mode went. */
struct redock_row {
    enum berth_redock_outcome outcome;
    double values[REDOCK_VALUES];
};

/* What came of a complex. */
struct redock_result {
    bool done;
    char *failure; /* owned; why there is none of what follows; NULL: there is */
    char *smiles;  /* owned; what was docked */
    struct redock_row rows[BERTH_REDOCK_MODES]; /* of the modes that are docked in */
    bool recalled;                              /* by an earlier run */
    struct berth_gatherer warnings;             /* of this one */
};

/* A complex by name, as the set's tables list it. */
struct redock_entry {
    char *name;
    double center[3];            /* Å: of the box */
    char *smiles;                /* NULL: bonds are perceived */
    struct redock_result result; /* guarded by the redocking's lock */
};

/* Dockings on a GPU at once: opening one takes longer than its search.  On a CPU one alone fills
 * all cores. */
enum { REDOCK_AT_ONCE = 8 };

/* A docking that is on, or could be. */
struct redock_slot {
    struct berth_device *device;   /* borrowed */
    struct berth_context *context; /* owned; keeps the kernels; NULL: not opened so far */
    bool busy;
    bool lost; /* the device failed */
};

struct berth_redock {
    struct berth_run *run;           /* borrowed: its functions, devices, ranker, options */
    struct berth_gatherer *warnings; /* borrowed */
    bool modes[BERTH_REDOCK_MODES];  /* those to dock in; none: complexes are prepared only */
    /* Of generated conformers.  Its pH is not asked where the ligand's SMILES are known; its limit
     * holds for perceiving bonds, too. */
    struct berth_preparation preparation;
    struct berth_builders builders;      /* what the preparation borrows from, where it builds */
    bool chosen;                         /* the builder is: at the first ligand that needs one */
    struct berth_template_setup pattern; /* a file in a complex's folder, which not all have */
    enum berth_metal_sites metal_sites;  /* see dock/restraints/restraints.h */
    struct berth_ranker first;           /* by the first function alone; it owns nothing */
    const struct berth_ranker *alone;    /* NULL, or that one */
    const char *folder;                  /* borrowed: of the set */
    struct redock_entry *entries;        /* owned; in the order of its sites.tsv */
    size_t count, capacity;
    /* What the threads share: */
    pthread_mutex_t lock;          /* guards all that follows, and what is `chosen` */
    pthread_cond_t room;           /* a slot is free */
    size_t next;                   /* complex that no thread has */
    struct redock_slot *slots;     /* owned; [slot_count] */
    size_t slot_count, busy, most; /* there are; that are busy; that may be */
    bool cramped;                  /* a device has no memory for two dockings */
    size_t prepared, failed;       /* complexes that are done */
    size_t told;                   /* complexes in front of the first that is not, or was not */
    struct berth_journal *journal; /* owned; OUT/journal */
    struct berth_failures failures;
    struct berth_output *sites; /* owned; OUT/sites.tsv: the complexes that were prepared */
    bool hangs;                 /* a device does, or was left at work */
    enum berth_status status;   /* of the first that ends the run */
    struct berth_error error;
};

/* A thread of a run, and what it needs to itself. */
struct redock_thread {
    struct berth_redock *redock; /* borrowed */
    /* Owned; NULL: not needed so far; of ligands whose SMILES are known, and of others. */
    struct berth_preparation preparations[2];
    struct berth_preparer *preparers[2];
    struct berth_bond_finder bonds;         /* of crystals' files that have none */
    struct berth_mode_relaxer mode_relaxer; /* its relaxer is owned; NULL: poses are not relaxed */
};

/* The row of a complex of the set in a mode; NULL: there is none. */
const struct redock_row *redock_row_of(const struct berth_redock *redock, size_t i, int mode);

/* OUT/NAME, or OUT/FOLDER/NAME, in path (PATH_MAX), which is returned. */
const char *redock_path(const struct berth_redock *redock, const char *folder, const char *name,
                        char *path);

/* --- What is done --- */

/* Takes over a result.  The lock is held. */
void redock_settle(struct berth_redock *redock, size_t i, const struct redock_result *result);

/* Begins the journal, or, where the run goes on, opens it.  Errors: BERTH_E_IO (another run is at
 * work there), BERTH_E_FORMAT (it is of other options or files), BERTH_E_MEMORY. */
enum berth_status redock_open_journal(struct berth_redock *redock, struct berth_error *error);

/* Settles what the journal has.  Errors: BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status redock_recall(struct berth_redock *redock, struct berth_error *error);

/* Writes a result to the journal.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status redock_keep(struct berth_redock *redock, size_t i,
                              const struct redock_result *result, struct berth_error *error);

/* --- A complex, ready to be docked --- */

struct redock_complex {
    struct berth_redock *redock;      /* borrowed */
    const struct redock_entry *entry; /* borrowed */
    struct berth_log log;             /* what its result gathers */
    struct berth_site site;
    struct berth_typed_receptor receptor; /* its functions are the run's, borrowed */
    struct berth_judging_function judges[BERTH_FUNCTIONS_MAX - 1]; /* the receptor's */
    struct berth_ensemble receptors;                               /* it, with the restraints */
    const struct berth_ranker *ranker;  /* borrowed; the run's, the redocking's `alone`, or */
    struct berth_ranker own;            /* that one, which knows of the restraints */
    bool alone;                         /* by the first function: none judges */
    struct berth_library_ligand ligand; /* from its graph alone: generated conformers */
    struct berth_molecule crystal;      /* heavy atoms of the crystal pose, types as the ligand's */
    struct berth_heavy_atoms crystal_heavy;
    struct berth_restraints restraints; /* of its poses; count 0: none */
    double seconds;                     /* for all of this */
};

/* Reads and prepares the complex, which has redocking, entry and log.  The caller clears *complex
 * either way.  Errors: what makes it useless, with the file's name. */
enum berth_status redock_complex_read(struct redock_thread *thread, struct redock_complex *complex,
                                      struct berth_error *error);
void redock_complex_clear(struct redock_complex *complex);

/* Writes what was prepared to OUT/COMPLEX: receptor.mol2, crystal.mol2 and ligand.blib, from which
 * redock_complex_read makes the complex again without Open Babel.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY, BERTH_E_TYPE. */
enum berth_status redock_complex_write(const struct redock_complex *complex,
                                       struct berth_error *error);

/* Puts the crystal's positions on the atoms of the molecule (heavy ones only).  Where several atoms
 * may be the same by the graph but not by their bonds' orders, the bonds' lengths tell; the
 * molecule's own coordinates do not matter.  Errors: BERTH_E_FORMAT (they are different molecules),
 * BERTH_E_MEMORY. */
enum berth_status redock_take_positions(const struct berth_molecule *graph,
                                        struct berth_molecule *molecule, struct berth_error *error);

/* --- What is known of its poses --- */

bool redock_is_restrained(const struct berth_redock *redock);

/* Whether some complex has the files that the settings name.  Errors: BERTH_E_USAGE. */
enum berth_status redock_check_known(const struct berth_redock *redock, struct berth_error *error);

/* --- The crystal's place --- */

/* A pose that was not docked: as it stands, and what it becomes as a rigid body in a minimum of the
 * energy near by. */
struct redock_energies {
    double energy, minimised;
};

/* The energies of the crystal pose: whatever docked poses are held against is minimised so. Errors:
 * BERTH_E_MEMORY. */
enum berth_status redock_crystal(const struct redock_complex *complex,
                                 struct redock_energies *energies, struct berth_error *error);

/* Lays the ligand's generated conformers onto the crystal pose: how near (Å) the nearest one is,
 * and its energies there; *placed is lowered to the lowest energy that any of them reaches there,
 * see struct berth_redock_facts; NULL: not asked for.  Errors: BERTH_E_MEMORY, BERTH_E_TYPE; those
 * of the means' check. */
enum berth_status redock_lay(const struct redock_complex *complex, double *rmsd,
                             struct redock_energies *energies, double *placed,
                             struct berth_error *error);

/* A rigid ligand moved downhill with the oracle, to the minimum that its pose belongs to.  Written
 * for checking: small steps along and about the axes (compass search) that are kept where the
 * double-precision energy falls, so that no energy is ever raised and nothing is left to chance.
 * Slow on purpose; it needs no device and no gradient.
 *
 * Moves ligand (its positions, Å) to a minimum near by; *energy (kJ/mol) is what it has there, no
 * higher than where it stood.  No atom's step is above 0.5 Å.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_relax_rigid(const struct berth_scoring *scoring,
                                    const struct berth_heavy_atoms *receptor,
                                    struct berth_heavy_atoms *ligand, double *energy,
                                    struct berth_error *error);

/* --- Docking it --- */

/* Makes what is docked of a molecule of the crystal's or a generated conformer: the crystal's is
 * rotated at random, so that nothing of how it lies there is left, and where torsions are asked for
 * each takes a random angle, so that no two atoms clash if that is found soon.  Decided by seed and
 * title.  Errors: BERTH_E_MEMORY. */
enum berth_status redock_start(enum berth_redock_mode mode, uint64_t seed,
                               struct berth_molecule *molecule, struct berth_error *error);

/* Docks the complex in each mode that is asked for, once a slot is free, and measures what came of
 * it; poses go to OUT/COMPLEX/MODE_poses.sdf.  Errors: those of docking and writing. */
enum berth_status redock_dock(struct redock_thread *thread, struct redock_complex *complex,
                              struct redock_result *result, struct berth_error *error);

/* --- Reports --- */

/* Writes redock.csv, redock.svg and summary.md.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status redock_report_write(const struct berth_redock *redock, struct berth_error *error);

#endif
