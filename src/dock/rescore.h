/* Rescoring: what a learned function (format/model.h) says of poses, as columns of theirs. */
#ifndef BERTH_DOCK_RESCORE_H
#define BERTH_DOCK_RESCORE_H

#include "device/device.h"
#include "dock/modes.h"
#include "format/model.h"

struct berth_rescorer; /* opaque: for one thread at a time */

/* Everything is borrowed. */
struct berth_rescore_setup {
    const char *model;                     /* path */
    const struct berth_molecule *receptor; /* kept until the rescorer is destroyed */
    const struct berth_device *device;     /* that densities are computed on */
};

/* Opens the model, and tries its network on an empty grid.  The caller destroys *rescorer.  Errors:
 * those of berth_model_read, berth_onnx_create and berth_density_create; BERTH_E_FORMAT (the
 * network does not take the model's grid). */
enum berth_status berth_rescorer_create(const struct berth_rescore_setup *setup,
                                        struct berth_rescorer **rescorer,
                                        struct berth_error *error);

/* The model's outputs are the columns. */
const struct berth_model *berth_rescorer_model(const struct berth_rescorer *rescorer);

/* Writes what the model says of each of the ligand's modes to its `learned`.  Errors:
 * BERTH_E_DEVICE, BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_rescorer_run(struct berth_rescorer *rescorer,
                                     const struct berth_ligand *ligand, struct berth_modes *modes,
                                     struct berth_error *error);

/* NULL is accepted. */
void berth_rescorer_destroy(struct berth_rescorer *rescorer);

#endif
