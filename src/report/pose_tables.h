/* Tables of poses: their interactions with the receptor, and whether they could be molecules in it.
 */
#ifndef BERTH_REPORT_POSE_TABLES_H
#define BERTH_REPORT_POSE_TABLES_H

#include "eval/validity.h"

/* What is asked for; everything is borrowed. */
struct berth_pose_table {
    const char *receptor; /* file */
    const char *poses;    /* file, of poses to check SDF; NULL, of interactions alone: the one
                             pose is ligand_id's, where it stands */
    struct berth_residues_asked asked;
    const char *ligand_smiles; /* its bonds, where it is the pose; NULL: they are perceived */
    const char *covalent; /* "CYS A:25 SG": what the poses are bonded to; "" or NULL: nothing */
    const char *out;      /* "-" is standard output */
    const char *failures; /* table of poses that failed; NULL: none */
    const struct berth_log *log; /* or NULL */
    const atomic_bool *stop;     /* or NULL: see berth_check_stop */
    /* Of interactions. */
    const char *kinds;     /* names with commas between; NULL: all but contacts */
    const char *require;   /* what poses must make to be in the table; NULL: nothing */
    const char *view;      /* viewer: "pymol" or "chimerax"; NULL: none */
    const char *reference; /* a file that the viewer's script opens beside; NULL: none */
    /* Of validity. */
    long long conformers;         /* see berth_validity_check */
    const char *valid;            /* SDF file for the poses that pass, as they are; NULL: none */
    berth_progress_call progress; /* told of poses after each, and in the end; NULL: nobody is */
    void *context;                /* handed to progress */
};

/* Writes a row for each interaction, and a viewer's script beside the table (see report/viewer.h).
 * *failed: poses that were not.  Errors: those of reading and writing; BERTH_E_USAGE (no such kind
 * or viewer); BERTH_E_FORMAT where no pose could be used; the end was asked for. */
enum berth_status berth_interaction_table_write(const struct berth_pose_table *settings,
                                                size_t *failed, struct berth_error *error);

/* What came out of a file of poses. */
struct berth_validity_sums {
    size_t poses, valid;
    size_t failed[BERTH_VALIDITY_CHECKS];
};

/* Writes a row for each pose that was checked.  Errors: as above, and those of the worker that are
 * no molecule's. */
enum berth_status berth_validity_table_write(const struct berth_pose_table *settings,
                                             size_t *failed, struct berth_validity_sums *sums,
                                             struct berth_error *error);

#endif
