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

/* Minimises all of the source's molecules from where they stand, and writes what came of them.
 * Errors: those of the device and of the files. */
enum berth_status score_minimize(const struct score_minimizing *with, struct berth_error *error);

#endif
