/* The interactions of poses as a table. */
#ifndef BERTH_REPORT_INTERACTION_TABLE_H
#define BERTH_REPORT_INTERACTION_TABLE_H

#include "format/failures.h"
#include "eval/interactions.h"

/* Everything is borrowed. */
struct berth_interaction_run {
    const char *receptor, *poses; /* files */
    const char *out;              /* "-" is standard output */
    const char *kinds;            /* names with commas between; NULL: all but contacts */
    const char *view;             /* viewer: "pymol" or "chimerax"; NULL: none */
    const char *reference;        /* a file that the viewer's script opens beside; NULL: none */
    const char *failures;         /* table of poses that failed; NULL: none */
    const struct berth_log *log;  /* or NULL */
    enum berth_status (*check)(struct berth_error *error); /* asked between poses */
};

/* Writes the table, and a viewer's script beside it (see report/viewer.h).  *failed: poses
 * that were not.  Errors: those of reading and writing; BERTH_E_USAGE (no such kind or viewer);
 * BERTH_E_FORMAT where no pose could be used; those of check. */
enum berth_status berth_interaction_table_write(const struct berth_interaction_run *run,
                                                size_t *failed, struct berth_error *error);

enum { BERTH_RESIDUE_NAME = 64 };

/* "ASP A:25", or "ASP 25" where there are no chains. */
void berth_residue_name(const struct berth_residue_id *residue, char text[BERTH_RESIDUE_NAME]);

/* Texts of an interaction, of its atoms above all: "OD1" of a residue, "O12 O13" of a pose. */
struct berth_interaction_texts {
    char residue[BERTH_RESIDUE_NAME];
    char receptor[8 * BERTH_FEATURE_ATOMS], ligand[24 * BERTH_FEATURE_ATOMS];
};

void berth_interaction_texts(const struct berth_interaction *interaction,
                             const struct berth_interaction_target *target,
                             const struct berth_molecule *pose,
                             struct berth_interaction_texts *texts);

#endif
