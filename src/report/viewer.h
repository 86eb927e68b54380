/* Scripts that open a receptor, its site, a reference and poses in a molecular viewer, with their
 * interactions drawn, but those of carbons; without poses, what lines the site.  What they do are
 * templates, data/report/pymol.pml and chimerax.cxc. */
#ifndef BERTH_REPORT_VIEWER_H
#define BERTH_REPORT_VIEWER_H

#include "pose/interactions.h"
#include "eval/pose_records.h"
#include "report/places.h"

/* Everything is borrowed. */
struct berth_viewer_setup {
    const char *kind;      /* "pymol" or "chimerax" */
    const char *beside;    /* a file: the script is called like it, but ends with .pml or .cxc */
    const char *poses;     /* that the script opens; NULL: none */
    const char *reference; /* that it opens, too; NULL: none */
    size_t most;           /* of them, as the script says; 0: all */
    const struct berth_receptor *receptor; /* until the viewer is destroyed */
    const struct berth_run_card *run;      /* likewise, or NULL: its restraints are drawn */
    const char *receptor_of;               /* the receptor as the card names it: where these are */
};

struct berth_viewer; /* opaque */

/* Begins the script, and writes the receptor beside it (..._receptor.cif), as it was prepared:
 * heavy atoms alone.  Without poses the residues that reach into the box have sticks and labels.
 * The caller finishes *viewer, also after an error.  Errors: BERTH_E_USAGE (no
 * such viewer; a path that is no UTF-8; standard output), BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_viewer_create(const struct berth_viewer_setup *setup,
                                      struct berth_viewer **viewer, struct berth_error *error);

/* The script's file; borrowed. */
const char *berth_viewer_script(const struct berth_viewer *viewer);

/* Adds the interactions of the next pose of the file.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_viewer_add(struct berth_viewer *viewer, const struct berth_read_pose *pose,
                                   const struct berth_interactions *found,
                                   struct berth_error *error);

/* Writes the files where status is BERTH_OK, else removes them, and frees viewer; NULL is accepted.
 * Returns status, or the error: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_viewer_finish(struct berth_viewer *viewer, enum berth_status status,
                                      struct berth_error *error);

#endif
