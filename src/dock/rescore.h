/* Rescoring: what a learned function (format/model.h) says of poses, as columns of theirs. */
#ifndef BERTH_DOCK_RESCORE_H
#define BERTH_DOCK_RESCORE_H

#include "device/device.h"
#include "dock/modes.h"
#include "format/model.h"

struct berth_rescorer; /* opaque: for one thread at a time */

/* Opens the model, to compute densities on the first of the devices that can be opened, and the
 * network there too where that is by CUDA and ONNX Runtime has it, else on the host, as log is
 * told; and tries the network on an empty grid.  The caller destroys *rescorer.  Errors: those of
 * berth_model_read, berth_onnx_create and berth_density_create; BERTH_E_FORMAT (the network does
 * not take the model's grid). */
enum berth_status berth_rescorer_create(const char *model, const struct berth_devices *devices,
                                        const struct berth_log *log,
                                        struct berth_rescorer **rescorer,
                                        struct berth_error *error);

/* The model's outputs are the columns. */
const struct berth_model *berth_rescorer_model(const struct berth_rescorer *rescorer);

/* How many poses it judges at a time, at most; fewer leave processors idle. */
size_t berth_rescorer_batch(const struct berth_rescorer *rescorer);

/* A ligand's modes, which have their positions. */
struct berth_rescored {
    const struct berth_ligand *ligand; /* borrowed */
    struct berth_modes *modes;         /* their `learned` becomes what the model says of them */
};

/* Sets the receptors [count] that modes are in, by their numbers: borrowed until others are set, or
 * the rescorer is destroyed.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_rescorer_receive(struct berth_rescorer *rescorer,
                                         const struct berth_molecule *const *receptors,
                                         size_t count, struct berth_error *error);

/* Asks the model about the modes of these ligands [count].  What it says of one depends neither on
 * the others nor on the number of threads.  Errors: BERTH_E_DEVICE, BERTH_E_FORMAT,
 * BERTH_E_MEMORY. */
enum berth_status berth_rescorer_run(struct berth_rescorer *rescorer,
                                     const struct berth_rescored *ligands, size_t count,
                                     struct berth_error *error);

/* NULL is accepted. */
void berth_rescorer_destroy(struct berth_rescorer *rescorer);

#endif
