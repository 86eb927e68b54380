/* What the files of `berth eval redock` share: options, complexes, one docking and its measure, the
 * reports. */
#ifndef BERTH_CLI_EVAL_H
#define BERTH_CLI_EVAL_H

#include "cli/common.h"
#include "cli/search_options.h"
#include "dock/docking.h"
#include "prep/prepare.h"
#include "report/redock.h"

/* The options, with their defaults in eval_defaults(). */
struct eval_values {
    struct berth_arguments inputs;
    struct berth_scoring_choice forcefield;
    const char *out, *smiles, *only, *mode, *builder, *device, *config;
    double size, ph, energy_window, conformer_rmsd, time_limit, min_rmsd, strain_weight;
    long long conformers, num_modes;
    unsigned long long seed;
    struct cli_search search;
};

extern const struct berth_option EVAL_OPTIONS[];

struct eval_values eval_defaults(void);

/* What is docked. */
enum eval_mode { EVAL_CRYSTAL, EVAL_GENERATED, EVAL_MODES };

/* "crystal", "generated". */
const char *eval_mode_name(enum eval_mode mode);

/* --- The set --- */

/* A complex by name, as the set's tables list it. */
struct eval_entry {
    char *name;
    double center[3]; /* Å: of the box */
    char *smiles;     /* NULL: bonds are perceived */
};

struct eval_set {
    const char *folder;         /* borrowed */
    struct eval_entry *entries; /* owned; in the order of sites.tsv */
    size_t count, capacity;
};

/* Reads FOLDER/sites.tsv (columns pdb, center_x, center_y, center_z), and SMILES from the table
 * that --smiles names (columns pdb, smiles); keeps the complexes that --only names.  The caller
 * clears *set.  Errors: BERTH_E_IO, BERTH_E_FORMAT (file, line), BERTH_E_USAGE (--only names what
 * is not there), BERTH_E_MEMORY. */
enum berth_status eval_set_read(const struct eval_values *values, struct eval_set *set,
                                struct berth_error *error);
void eval_set_clear(struct eval_set *set);

/* --- A complex, ready to be docked --- */

struct eval_complex {
    const struct eval_entry *entry; /* borrowed */
    const struct berth_log *log;    /* borrowed; set before it is read */
    struct berth_site site;
    struct berth_molecule receptor; /* typed heavy atoms */
    struct berth_heavy_atoms receptor_heavy;
    size_t removed;                     /* receptor atoms in residues that were the ligand itself */
    struct berth_library_ligand ligand; /* from its graph alone: generated conformers */
    bool made;                          /* they were made now, and not found with the complex */
    struct berth_molecule crystal;      /* heavy atoms of the crystal pose, types as the ligand's */
    struct berth_heavy_atoms crystal_heavy;
    double seconds; /* for all of this */
};

/* Reads and prepares a complex of the set, which has its log alone.  The caller clears *complex
 * either way.  Errors: what makes it useless, with the file's name. */
enum berth_status eval_complex_read(const struct eval_values *values, const struct eval_set *set,
                                    const struct berth_forcefield *forcefield,
                                    const struct eval_entry *entry, struct eval_complex *complex,
                                    struct berth_error *error);
void eval_complex_clear(struct eval_complex *complex);

/* The one ligand of the library at path, cut to its first `conformers`.  The caller clears *ligand.
 * Errors: as the library's reader; BERTH_E_FORMAT where it holds other than one ligand. */
enum berth_status eval_ligand_read(const char *path, const struct berth_forcefield *forcefield,
                                   size_t conformers, struct berth_library_ligand *ligand,
                                   struct berth_error *error);

/* Writes what was prepared to OUT/COMPLEX: receptor.mol2, crystal.mol2 and ligand.blib, from which
 * eval_complex_read makes the complex again without Open Babel.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY, BERTH_E_TYPE. */
enum berth_status eval_complex_write(const struct eval_values *values,
                                     const struct berth_forcefield *forcefield,
                                     const struct eval_complex *complex, struct berth_error *error);

/* --- The crystal's place --- */

/* A pose that was not docked but given. */
struct eval_given {
    double energy, minimised; /* kJ/mol: as it stands; see eval_minimise */
};

/* Moves the pose (heavy atoms of the complex's ligand, placed) to a minimum of the energy near by,
 * as a rigid body.  Whatever docked poses are held against is minimised here: the crystal pose, and
 * conformers laid onto it.  Errors: BERTH_E_MEMORY. */
enum berth_status eval_minimise(const struct eval_complex *complex,
                                const struct berth_forcefield *forcefield,
                                struct berth_heavy_atoms *pose, struct eval_given *given,
                                struct berth_error *error);

/* The energies of the crystal pose.  Errors: BERTH_E_MEMORY. */
enum berth_status eval_crystal(const struct eval_complex *complex,
                               const struct berth_forcefield *forcefield, struct eval_given *given,
                               struct berth_error *error);

/* The generated conformer that is nearest to the crystal's. */
struct eval_nearest {
    size_t conformer;        /* from 0 */
    double rmsd;             /* Å, superposed */
    struct eval_given given; /* laid onto the crystal pose */
};

/* Finds it; without a forcefield `given` is left out.  Errors: BERTH_E_MEMORY, BERTH_E_TYPE. */
enum berth_status eval_find_nearest(const struct eval_complex *complex,
                                    const struct berth_forcefield *forcefield,
                                    struct eval_nearest *nearest, struct berth_error *error);

/* The lowest energy (kJ/mol) that the ligand's generated conformers reach in the crystal's place,
 * see struct berth_redock_facts; Errors: BERTH_E_MEMORY, BERTH_E_TYPE. */
enum berth_status eval_place(const struct eval_complex *complex,
                             const struct berth_forcefield *forcefield, double *energy,
                             struct berth_error *error);

/* --- Docking it --- */

/* How well it went. */
struct eval_row {
    const struct eval_entry *entry; /* borrowed */
    enum eval_mode mode;
    size_t heavy_atoms, torsions, conformers;
    struct eval_nearest nearest; /* for the crystal's own conformer: it, at 0 Å */
    double top[3];               /* Å: RMSD of the top pose; the least of the first five; of all */
    double top_energy;           /* kJ/mol */
    double top_strain;           /* kJ/mol: of the top pose's conformer; NAN where unknown */
    double best_energy;          /* kJ/mol: of the mode with the least RMSD */
    struct eval_given crystal;   /* the crystal pose */
    double placed; /* kJ/mol; see struct berth_redock_facts; NAN where not asked for: the
                      top pose is right or lower than the crystal pose */
    enum berth_redock_outcome outcome;
    double prepare_seconds, seconds;
    char *smiles; /* owned; what was docked */
};

struct eval_docking {
    const struct eval_values *values;          /* borrowed */
    const struct berth_forcefield *forcefield; /* borrowed */
    const struct berth_devices *devices;       /* borrowed; those to use */
    bool *at_work;                             /* borrowed; out: a device was left so, or hangs */
};

/* Docks the complex in each mode that is asked for and adds a row for each; poses go to
 * OUT/COMPLEX/MODE_poses.sdf.  Errors: those of docking and writing. */
enum berth_status eval_dock(const struct eval_docking *docking, const struct eval_complex *complex,
                            struct eval_row rows[EVAL_MODES], size_t *count,
                            struct berth_error *error);

/* --- Reports --- */

/* Everything that came out. */
struct eval_report {
    const struct eval_values *values; /* borrowed */
    const char *device;               /* borrowed; its name */
    struct eval_row *rows;            /* owned */
    size_t count, capacity;
    size_t failed; /* complexes that have no row */
};

/* Adds rows (their texts move).  Errors: BERTH_E_MEMORY. */
enum berth_status eval_report_add(struct eval_report *report, const struct eval_row *rows,
                                  size_t count, struct berth_error *error);

/* BERTH_E_IO where what a run writes into --out itself could not be written: see
 * berth_folder_probe.
 */
enum berth_status eval_check_out(const struct eval_values *values, struct berth_error *error);

/* Writes redock.csv, summary.md and redock.svg into --out, and the summary to standard output.
 * Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status eval_report_write(const struct eval_report *report, struct berth_error *error);
void eval_report_clear(struct eval_report *report);

/* Makes the folder where it is missing; the one that it lies in must be there.  Errors: BERTH_E_IO.
 */
enum berth_status eval_make_folder(const char *path, struct berth_error *error);

/* OUT/NAME, or OUT/FOLDER/NAME, in path (PATH_MAX). */
void eval_path(const struct eval_values *values, const char *folder, const char *name, char *path);

#endif
