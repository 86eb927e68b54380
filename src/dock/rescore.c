#include "dock/rescore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "chem/aromatic.h"
#include "chem/traits.h"
#include "device/onnx.h"
#include "engine/density.h"

/* Poses that are rescored together, at most: a grid takes megabytes. */
enum { BATCH = 16 };

/* How far an atom's density reaches, in its radii. */
#define REACH 1.5

/* An atom that the model sees. */
struct seen {
    size_t atom, channel;
    double radius; /* Å */
};

/* Those of a molecule, by channel. */
struct view {
    struct seen *seen; /* owned */
    size_t count;
};

struct berth_rescorer {
    struct berth_model model;
    const struct berth_molecule *receptor; /* borrowed */
    struct view receptor_view;
    struct berth_onnx *onnx;
    struct berth_context *context;
    struct berth_density *density;
    float *grids;                     /* owned; [BATCH][channels][points³] */
    int32_t *begins;                  /* owned; [BATCH × channels + 1] */
    struct berth_density_atom *atoms; /* owned */
    size_t atom_capacity;
};

static size_t result_points(const struct berth_model *model)
{
    return model->points / model->average;
}

/* --- What the model sees of a molecule --- */

/* For qsort: by channel, then in the molecule's order. */
static int compare_seen(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    return x->channel != y->channel ? (x->channel > y->channel) - (x->channel < y->channel)
                                    : (x->atom > y->atom) - (x->atom < y->atom);
}

static enum berth_status look(const struct berth_model *model,
                              const struct berth_molecule *molecule, bool ligand, struct view *view,
                              struct berth_error *error)
{
    const size_t count = molecule->atom_count;
    bool *aromatic = berth_alloc(count, sizeof *aromatic);
    struct berth_traits *traits = berth_alloc(count, sizeof *traits);
    *view = (struct view){.seen = berth_alloc(count, sizeof *view->seen)};
    enum berth_status status =
        aromatic && traits && view->seen ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_aromatic_find(molecule, aromatic, error));
    BERTH_THEN(berth_traits_find(molecule, traits, error));
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_atom atom = molecule->atoms[i];
        atom.traits = traits[i];
        const struct berth_model_kind *kind =
            atom.heavy ? berth_model_kind_of(model, ligand, &atom, aromatic[i]) : NULL;
        if (kind) {
            view->seen[view->count++] = (struct seen){i, kind->channel, kind->radius};
        }
    }
    free(aromatic);
    free(traits);
    if (view->count) {
        qsort(view->seen, view->count, sizeof *view->seen, compare_seen);
    }
    return status;
}

/* --- Grids --- */

/* A molecule where it stands: positions, or NULL, those of its atoms. */
struct placed {
    const struct berth_molecule *molecule;
    const double (*positions)[3];
    const struct view *view;
};

static const double *place_of(const struct placed *placed, size_t atom)
{
    return placed->positions ? placed->positions[atom] : placed->molecule->atoms[atom].position;
}

/* The mean place of the ligand's heavy atoms. */
static void find_center(const struct placed *ligand, double center[3])
{
    size_t count = 0;
    memset(center, 0, 3 * sizeof *center);
    for (size_t i = 0; i < ligand->molecule->atom_count; i++) {
        for (int k = 0; ligand->molecule->atoms[i].heavy && k < 3; k++) {
            center[k] += place_of(ligand, i)[k];
        }
        count += ligand->molecule->atoms[i].heavy;
    }
    for (int k = 0; count && k < 3; k++) {
        center[k] /= (double)count;
    }
}

/* Appends an atom of a pose's, where its density touches the grid. */
static void add_atom(struct berth_rescorer *rescorer, const struct seen *seen, const double *at,
                     const double center[3], size_t *count)
{
    const struct berth_model *model = &rescorer->model;
    const double half = model->spacing * (double)model->points / 2;
    struct berth_density_atom *atom = &rescorer->atoms[*count];
    bool touches = true;
    atom->radius = (float)seen->radius;
    for (int k = 0; k < 3; k++) {
        atom->place[k] = (float)(at[k] - center[k]);
        touches = touches && fabs(at[k] - center[k]) < half + REACH * seen->radius;
    }
    *count += touches;
}

/* Appends the atoms of a pose's grid, whose first is at begins[0], and says where the channels
 * end. */
static enum berth_status add_grid(struct berth_rescorer *rescorer, const struct placed *ligand,
                                  int32_t *begins, struct berth_error *error)
{
    const struct placed receptor = {rescorer->receptor, NULL, &rescorer->receptor_view};
    const struct placed *const both[] = {&receptor, ligand};
    size_t count = (size_t)begins[0], next[] = {0, 0};
    double center[3];
    find_center(ligand, center);
    BERTH_TRY(berth_reserve(&rescorer->atoms, &rescorer->atom_capacity,
                            count + receptor.view->count + ligand->view->count + 1,
                            sizeof *rescorer->atoms, error));
    for (size_t channel = 0; channel < rescorer->model.channels; channel++) {
        for (size_t m = 0; m < 2; m++) {
            const struct view *view = both[m]->view;
            for (; next[m] < view->count && view->seen[next[m]].channel == channel; next[m]++) {
                const struct seen *seen = &view->seen[next[m]];
                add_atom(rescorer, seen, place_of(both[m], seen->atom), center, &count);
            }
        }
        begins[channel + 1] = (int32_t)count;
    }
    return BERTH_OK;
}

/* --- What the network says of them --- */

/* values: [outputs][grids]. */
static enum berth_status judge(struct berth_rescorer *rescorer, size_t grids,
                               double values[BERTH_LEARNED_MAX][BATCH], struct berth_error *error)
{
    const struct berth_model *model = &rescorer->model;
    const struct berth_density_atoms atoms = {rescorer->atoms, rescorer->begins, grids};
    const int64_t points = (int64_t)result_points(model);
    const struct berth_onnx_input input = {
        model->input,
        rescorer->grids,
        {(int64_t)grids, (int64_t)model->channels, points, points, points}};
    struct berth_onnx_output outputs[BERTH_LEARNED_MAX];
    for (size_t i = 0; i < model->output_count; i++) {
        outputs[i] =
            (struct berth_onnx_output){model->outputs[i].name, model->outputs[i].number, values[i]};
    }
    BERTH_TRY(berth_density_run(rescorer->density, &atoms, rescorer->grids, error));
    return berth_onnx_run(rescorer->onnx, &input, outputs, model->output_count, error);
}

enum berth_status berth_rescorer_run(struct berth_rescorer *rescorer,
                                     const struct berth_ligand *ligand, struct berth_modes *modes,
                                     struct berth_error *error)
{
    const size_t channels = rescorer->model.channels;
    double values[BERTH_LEARNED_MAX][BATCH];
    struct view view;
    enum berth_status status = look(&rescorer->model, &ligand->conformers[0], true, &view, error);
    for (size_t first = 0, count; !status && first < modes->count; first += count) {
        count = modes->count - first < BATCH ? modes->count - first : BATCH;
        for (size_t i = 0; !status && i < count; i++) {
            const struct berth_pose *mode = &modes->modes[first + i];
            const struct placed placed = {&ligand->conformers[mode->conformer],
                                          (const double(*)[3])mode->positions, &view};
            status = add_grid(rescorer, &placed, rescorer->begins + i * channels, error);
        }
        BERTH_THEN(judge(rescorer, count, values, error));
        for (size_t i = 0; !status && i < count; i++) {
            for (size_t k = 0; k < rescorer->model.output_count; k++) {
                modes->modes[first + i].learned[k] = values[k][i];
            }
        }
    }
    free(view.seen);
    return status;
}

/* --- The rescorer --- */

const struct berth_model *berth_rescorer_model(const struct berth_rescorer *rescorer)
{
    return &rescorer->model;
}

/* Threads of the network: as many as the device's, if it is a CPU, whose number the user may have
 * limited. */
static size_t threads_for(const struct berth_device *device)
{
    return device->kind == BERTH_DEVICE_CPU ? device->compute_units : berth_processors();
}

/* Whether the network takes the model's grid: an empty one. */
static enum berth_status try_network(struct berth_rescorer *rescorer, struct berth_error *error)
{
    double values[BERTH_LEARNED_MAX][BATCH];
    BERTH_TRY(berth_reserve(&rescorer->atoms, &rescorer->atom_capacity, 1, sizeof *rescorer->atoms,
                            error));
    return judge(rescorer, 1, values, error);
}

enum berth_status berth_rescorer_create(const struct berth_rescore_setup *setup,
                                        struct berth_rescorer **rescorer, struct berth_error *error)
{
    struct berth_rescorer *made;
    BERTH_TRY(berth_make(rescorer, 1, sizeof *made, NULL, error));
    made = *rescorer;
    made->receptor = setup->receptor;
    struct berth_model *model = &made->model;
    enum berth_status status = berth_model_read(setup->model, model, error);
    const size_t points = result_points(model);
    const struct berth_density_grid grid = {model->channels, points, model->average,
                                            (float)model->spacing};
    BERTH_THEN(look(model, setup->receptor, false, &made->receptor_view, error));
    BERTH_THEN(berth_onnx_create(model->network, threads_for(setup->device), &made->onnx, error));
    BERTH_THEN(berth_context_create(setup->device, &made->context, error));
    BERTH_THEN(berth_density_create(made->context, &grid, &made->density, error));
    BERTH_THEN(berth_make(&made->grids, BATCH * model->channels * points * points * points,
                          sizeof *made->grids, NULL, error));
    BERTH_THEN(
        berth_make(&made->begins, BATCH * model->channels + 1, sizeof *made->begins, NULL, error));
    BERTH_THEN(try_network(made, error));
    if (status) {
        berth_rescorer_destroy(made);
        *rescorer = NULL;
    }
    return status;
}

void berth_rescorer_destroy(struct berth_rescorer *rescorer)
{
    if (rescorer) {
        berth_density_destroy(rescorer->density);
        berth_context_destroy(rescorer->context);
        berth_onnx_destroy(rescorer->onnx);
        free(rescorer->receptor_view.seen);
        free(rescorer->grids);
        free(rescorer->begins);
        free(rescorer->atoms);
        free(rescorer);
    }
}
