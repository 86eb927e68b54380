/* What dockings and scorings write: scores.csv, which all of them share, files of poses, tables of
 * energies, and the failures beside them. */
#ifndef BERTH_DOCK_OUTPUT_FILES_H
#define BERTH_DOCK_OUTPUT_FILES_H

#include "dock/ranker.h"
#include "dock/ligand_files.h"
#include "dock/score_table.h"
#include "dock/stream/ligand.h"
#include "format/failures.h"
#include "format/output.h"
#include "format/poses.h"

/* Gives all of these files their names, once all of them are on disk; those that are NULL are not
 * asked for, and all are NULL afterwards.  Errors: BERTH_E_IO. */
enum berth_status berth_outputs_commit(struct berth_output **const *outputs, size_t count,
                                       struct berth_error *error);

/* --- Where docked ligands go: a file of poses, a table of their scores, and one of the failures.
 */

/* Files of the same poses, in a format each. */
enum { BERTH_POSE_FILES = 2 };

/* Their names; borrowed. */
struct berth_pose_paths {
    const char *poses[BERTH_POSE_FILES], *scores, *failures; /* NULL: none */
    const char *side_chains; /* PDB, a model for each pose; NULL: none */
    const char *each;        /* folder with a PDBQT file of each ligand; NULL: none */
};

/* Ligands that are counted, and the first of their names. */
struct berth_strange_names {
    size_t count;
    char names[128];
};

/* Ligands of which the reference, that RMSDs are measured to, says nothing. */
struct berth_mismatches {
    const struct berth_molecule *reference; /* borrowed; NULL: none, and nothing is counted */
    size_t of;                              /* ligands so far */
    struct berth_strange_names molecules;   /* of them other molecules, */
    struct berth_strange_names isomers;     /* and other stereoisomers */
};

/* Counts a ligand, whose modes these are. */
void berth_mismatches_add(struct berth_mismatches *mismatches, const char *name,
                          const struct berth_modes *modes);

/* Warns of ligands without an RMSD to the reference, which is called so, and notes it where that
 * was not asked for (NULL), but the ligand cut out of the receptor. */
void berth_mismatches_warn(const struct berth_mismatches *mismatches, const char *reference,
                           const struct berth_log *log);

/* The caller sets what is borrowed, and the seed. */
struct berth_pose_files {
    const struct berth_device *devices; /* borrowed; of the docking's setup */
    struct berth_score_columns run;     /* whose poses they are */
    const struct berth_ranker *ranker;  /* borrowed; of poses and ligands */
    unsigned long long seed;
    double strain_weight;                         /* that was asked for */
    struct berth_mismatches mismatches;           /* to the reference that RMSDs are to */
    const struct berth_log *log;                  /* borrowed, or NULL; told of failures */
    const struct berth_side_chains *moving;       /* borrowed; [receptors]; NULL: none moves */
    struct berth_output *poses[BERTH_POSE_FILES]; /* owned; NULL: not asked for */
    const struct berth_pose_format *formats[BERTH_POSE_FILES]; /* of these */
    struct berth_ligand_files each;
    struct berth_output *scores, *side_chains; /* owned; NULL: not asked for */
    struct berth_waiting_rows rows;            /* of scores */
    char *moved;   /* owned: the tag of the last record that says where its side chains are */
    size_t models; /* in it so far */
    struct berth_failures failures; /* its output is owned */
    size_t ligands;                 /* written so far */
    size_t unweighted;              /* of them that strain_weight could not be applied to */
};

/* A ligand's mode of this number, from 0, as the files have it; borrowed. */
struct berth_pose_record berth_pose_files_record(struct berth_pose_files *files,
                                                 const struct berth_stream_ligand *ligand,
                                                 const struct berth_modes *modes, size_t number);

/* What is said of a ligand's mode, which is borrowed, as the run is; number: from 1; ordinal and
 * device are not known. */
struct berth_score_row berth_score_row_of(const struct berth_ligand *ligand,
                                          const struct berth_pose *mode, size_t number,
                                          const struct berth_score_columns *run);

/* Notes the failure of a ligand that the log was told of. */
void berth_result_recall(const struct berth_result *result, struct berth_failures *failures);

/* Opens the files.  Errors: BERTH_E_USAGE (no such format), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_pose_files_create(struct berth_pose_files *files,
                                          const struct berth_pose_paths *paths,
                                          struct berth_error *error);

/* Writes the modes of a ligand that is docked, or, where they are NULL, its row of the failures.
 * Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_pose_files_add(struct berth_pose_files *files,
                                       const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, struct berth_error *error);

/* Gives the files their names.  Errors: BERTH_E_IO. */
enum berth_status berth_pose_files_commit(struct berth_pose_files *files,
                                          struct berth_error *error);

/* As berth_mismatches_warn; warns of ligands that are not ranked as was asked for, too. */
void berth_pose_files_warn(const struct berth_pose_files *files, const char *reference);

/* Removes what has no name. */
void berth_pose_files_discard(struct berth_pose_files *files);

/* --- What `berth score` writes: a table of energies, and the poses that minimised molecules come
 * to. */

struct berth_score_files {
    struct berth_output *rows, *poses; /* owned; NULL: not asked for */
    const struct berth_pose_format *format;
    const struct berth_ranker *ranker; /* borrowed; whose functions, rankings and model are
                                            columns */
    /* Whose poses they are, and the same of the table, whose columns the caller names but for
     * BERTH_WITH_REFERENCE and BERTH_WITH_MODES, which the first molecule's tag says. */
    struct berth_score_columns run, table;
    struct berth_mismatches mismatches; /* to the reference that RMSDs are to */
    /* Mode 1 of a ligand that was docked, with which its further modes, right behind it, are
     * compared: owned; NULL: none yet. */
    char *first_name;
    double (*first_positions)[3]; /* owned; [first_atoms], Å */
    size_t first_atoms;
    bool begun; /* the table has its header */
};

/* A molecule's one mode as the files have it; borrowed.  Of the modes of a docking that follow each
 * other `best` is the first. */
struct berth_pose_record berth_score_files_record(const struct berth_score_files *files,
                                                  const struct berth_stream_ligand *ligand,
                                                  const struct berth_modes *modes);

/* Opens the files; both may be NULL.  Errors: BERTH_E_IO, BERTH_E_MEMORY, BERTH_E_USAGE (see
 * berth_pose_format_of). */
enum berth_status berth_score_files_create(struct berth_score_files *files, const char *rows,
                                           const char *poses, struct berth_error *error);

/* Writes a molecule's one mode, or, where modes is NULL, its row of the failures.  Errors:
 * BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_score_files_add(struct berth_score_files *files,
                                        struct berth_failures *failures,
                                        const struct berth_stream_ligand *ligand,
                                        const struct berth_modes *modes, struct berth_error *error);

/* Gives the files, and that of the failures, their names.  Errors: BERTH_E_IO. */
enum berth_status berth_score_files_commit(struct berth_score_files *files,
                                           struct berth_failures *failures,
                                           struct berth_error *error);

/* Removes what has no name. */
void berth_score_files_discard(struct berth_score_files *files);

#endif
