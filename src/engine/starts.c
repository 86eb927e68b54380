#include "engine/starts.h"

#include <stdlib.h>

#include "base/memory.h"

/* Å: half edges of a box that nothing leaves. */
#define ANYWHERE 1e6f

struct berth_starts {
    size_t rays, rotations, width; /* width: rays of a work-item */
    struct berth_kernel *kernel, *score;
    struct berth_buffer *constants; /* struct berth_device_starts */
    struct berth_buffer *atoms;     /* struct berth_device_atom [atoms] */
    struct berth_buffer *matrices;  /* float [rotations][9] */
    struct berth_buffer *planes;    /* float [6][rays] */
    struct berth_buffer *found[2];  /* float [rotations][rays]: energies, distances */
    float *on_host[2];              /* owned; of the same shape */
    struct berth_buffer *poses;     /* float [6][poses] */
    struct berth_buffer *energies;  /* float [poses] */
};

static enum berth_status upload_constants(struct berth_starts *starts,
                                          struct berth_context *context,
                                          const struct berth_starts_setup *setup,
                                          struct berth_error *error)
{
    const bool anywhere = setup->box.size[0] == 0;
    const struct berth_device_starts constants = {
        .atoms = (berth_int32)setup->atom_count,
        .rays = (berth_int32)setup->ray_count,
        .steps = (berth_int32)setup->steps,
        .step = setup->step,
        .clearance = setup->clearance,
        .x = (float)setup->box.center[0],
        .y = (float)setup->box.center[1],
        .z = (float)setup->box.center[2],
        .half_x = anywhere ? ANYWHERE : (float)(setup->box.size[0] / 2),
        .half_y = anywhere ? ANYWHERE : (float)(setup->box.size[1] / 2),
        .half_z = anywhere ? ANYWHERE : (float)(setup->box.size[2] / 2)};
    return berth_buffer_upload(context, &constants, sizeof constants, &starts->constants, error);
}

static enum berth_status upload_rays(struct berth_starts *starts, struct berth_context *context,
                                     const struct berth_ray *rays, struct berth_error *error)
{
    float *planes;
    BERTH_TRY(berth_make(&planes, 6 * starts->rays, sizeof *planes, NULL, error));
    for (size_t i = 0; i < starts->rays; i++) {
        for (size_t k = 0; k < 3; k++) {
            planes[k * starts->rays + i] = rays[i].origin[k];
            planes[(3 + k) * starts->rays + i] = rays[i].direction[k];
        }
    }
    const enum berth_status status = berth_buffer_upload(
        context, planes, 6 * starts->rays * sizeof *planes, &starts->planes, error);
    free(planes);
    return status;
}

static enum berth_status make_results(struct berth_starts *starts, struct berth_context *context,
                                      size_t poses, struct berth_error *error)
{
    const size_t count = starts->rotations * starts->rays;
    enum berth_status status = berth_buffer_create(context, starts->rotations * 9 * sizeof(float),
                                                   &starts->matrices, error);
    for (size_t k = 0; !status && k < 2; k++) {
        status = berth_buffer_create(context, count * sizeof(float), &starts->found[k], error);
        BERTH_THEN(berth_make(&starts->on_host[k], count, sizeof(float), NULL, error));
    }
    BERTH_THEN(berth_buffer_create(context, poses * 6 * sizeof(float), &starts->poses, error));
    BERTH_THEN(berth_buffer_create(context, poses * sizeof(float), &starts->energies, error));
    return status;
}

enum berth_status berth_starts_create(struct berth_evaluator *evaluator,
                                      const struct berth_starts_setup *setup,
                                      struct berth_starts **starts, struct berth_error *error)
{
    struct berth_context *context = evaluator->context;
    struct berth_starts *made;
    BERTH_TRY(berth_make(starts, 1, sizeof *made, NULL, error));
    made = *starts;
    made->rays = setup->ray_count;
    made->rotations = setup->rotations;
    made->width = (size_t)evaluator->variant.vector_width;
    enum berth_status status =
        berth_evaluator_maps_kernel(evaluator, "find_starts", &made->kernel, error);
    BERTH_THEN(berth_evaluator_maps_kernel(evaluator, "score_starts", &made->score, error));
    BERTH_THEN(upload_constants(made, context, setup, error));
    BERTH_THEN(berth_buffer_upload(context, setup->atoms, setup->atom_count * sizeof *setup->atoms,
                                   &made->atoms, error));
    BERTH_THEN(upload_rays(made, context, setup->rays, error));
    BERTH_THEN(make_results(made, context, setup->poses, error));
    if (status) {
        berth_starts_destroy(made);
        *starts = NULL;
    } else {
        struct berth_kernel *kernels[] = {made->kernel, made->score};
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
            berth_kernel_set_buffers(kernels[i], 0, setup->maps->halves, setup->maps->grid,
                                     made->constants, made->atoms);
        }
        berth_kernel_set_buffers(made->kernel, 4, made->matrices, made->planes, made->found[0],
                                 made->found[1]);
    }
    return status;
}

enum berth_status berth_starts_run(struct berth_starts *starts, const float (*rotations)[9],
                                   size_t count, struct berth_starts_found *found,
                                   struct berth_error *error)
{
    const size_t items = (starts->rays + starts->width - 1) / starts->width;
    enum berth_status status =
        berth_buffer_write(starts->matrices, rotations, count * sizeof *rotations, error);
    BERTH_THEN(berth_kernel_launch(starts->kernel, items, count, 0, NULL, error));
    for (int k = 0; !status && k < 2; k++) {
        status = berth_buffer_read(starts->found[k], starts->on_host[k],
                                   count * starts->rays * sizeof(float), error);
    }
    *found = (struct berth_starts_found){starts->on_host[0], starts->on_host[1]};
    return status;
}

enum berth_status berth_starts_score(struct berth_starts *starts, const float *planes, size_t count,
                                     float *energies, struct berth_error *error)
{
    const size_t items = (count + starts->width - 1) / starts->width;
    BERTH_TRY(berth_buffer_write(starts->poses, planes, count * 6 * sizeof *planes, error));
    berth_kernel_set_buffer(starts->score, 4, starts->poses);
    berth_kernel_set_int(starts->score, 5, (int32_t)count);
    berth_kernel_set_buffer(starts->score, 6, starts->energies);
    BERTH_TRY(berth_kernel_launch(starts->score, items, 1, 0, NULL, error));
    return berth_buffer_read(starts->energies, energies, count * sizeof *energies, error);
}

void berth_starts_destroy(struct berth_starts *starts)
{
    if (!starts) {
        return;
    }
    berth_kernel_destroy(starts->kernel);
    berth_kernel_destroy(starts->score);
    struct berth_buffer *buffers[] = {starts->constants, starts->atoms,    starts->matrices,
                                      starts->planes,    starts->found[0], starts->found[1],
                                      starts->poses,     starts->energies};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        berth_buffer_destroy(buffers[i]);
    }
    free(starts->on_host[0]);
    free(starts->on_host[1]);
    free(starts);
}
