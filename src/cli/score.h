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

/* Writes the names of a row's columns, and its energy and terms, without the end of the line. */
void score_print_header(struct berth_output *rows, const struct berth_scoring *scoring);
void score_print_energy(struct berth_output *rows, double energy, const struct berth_terms *terms,
                        const struct berth_scoring *scoring);

/* Minimises all of the source's molecules from where they stand, and writes what came of them.
 * Errors: those of the device and of the files. */
enum berth_status score_minimize(const struct score_minimizing *with, struct berth_error *error);

#endif
