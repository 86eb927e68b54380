/* What the files of `berth score` share: minimising poses. */
#ifndef BERTH_CLI_SCORE_H
#define BERTH_CLI_SCORE_H

#include "cli/common.h"
#include "engine/pack.h"
#include "format/poses.h"

/* Poses to minimise; everything is borrowed. */
struct score_minimizing {
    const struct berth_device *device;
    const struct berth_target *target; /* its centre: any point near the poses */
    const struct cli_refine *refine;
    struct berth_source *source;
    struct berth_output *rows;              /* CSV: a row a molecule, in file order */
    struct berth_output *poses;             /* the minimised poses; NULL: not asked for */
    const struct berth_pose_format *format; /* of poses */
};

/* What is written of a molecule. */
struct score_row {
    const char *name;
    double energy;
    const struct berth_terms *terms;
    bool minimized;
    double strain; /* where it is minimized */
    double rotors; /* see chem/rotors.h */
};

/* Write the names of the columns, and a row. */
void score_print_header(struct berth_output *rows, const struct berth_scoring *scoring,
                        bool minimized);
void score_print_row(struct berth_output *rows, const struct score_row *row,
                     const struct berth_scoring *scoring);

/* Minimises all of the source's molecules from where they stand, and writes what came of them.
 * Errors: those of the device and of the files. */
enum berth_status score_minimize(const struct score_minimizing *with, struct berth_error *error);

#endif
