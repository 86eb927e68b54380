#include "dock/rescore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "chem/facts.h"
#include "device/onnx.h"
#include "engine/density.h"

/* Poses whose grids are made together: so many for each thread, at most so many, and so many bytes
 * of grids. */
enum { BATCH_OF_THREAD = 4, BATCH_MAX = 128, BATCH_BYTES = 1 << 28 };

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
    const struct berth_molecule *receptors[BERTH_RECEPTORS_MAX]; /* borrowed; [receptor_count] */
    struct view views[BERTH_RECEPTORS_MAX];                      /* of these */
    size_t receptor_count;
    size_t threads, batch; /* batch: grids, at most */
    bool together; /* a GPU computes the network, always of a whole batch with all channels: it
                      rounds a grid as one of so many, whatever the others are */
    struct berth_onnx *onnx;
    struct berth_context *context;
    struct berth_density *density;
    float *grids;                 /* owned; [firsts[batch]][points³]; NULL: they stay on the GPU */
    size_t firsts[BATCH_MAX + 1]; /* which list of atoms is a grid's first */
    int64_t *channels;            /* owned; [firsts[batch]]: each list's */
    int32_t *begins;              /* owned; [firsts[batch] + 1] */
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
    struct berth_facts facts;
    *view = (struct view){0};
    BERTH_TRY(berth_facts_find(molecule, BERTH_FACT_AROMATIC | BERTH_FACT_TRAITS, &facts, error));
    const enum berth_status status =
        berth_make(&view->seen, molecule->atom_count, sizeof *view->seen, NULL, error);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        struct berth_atom atom = molecule->atoms[i];
        atom.traits = facts.traits[i];
        const struct berth_model_kind *kind =
            atom.heavy ? berth_model_kind_of(model, ligand, &atom, facts.aromatic[i]) : NULL;
        if (kind) {
            view->seen[view->count++] = (struct seen){i, kind->channel, kind->radius};
        }
    }
    berth_facts_clear(&facts);
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

/* Ends a grid's list of a channel.  Where the network takes the numbers of channels of a single
 * grid, empty ones are left out, but for the last if there is no other. */
static void end_list(struct berth_rescorer *rescorer, size_t grid, size_t channel, size_t count)
{
    const struct berth_model *model = &rescorer->model;
    size_t *end = &rescorer->firsts[grid + 1];
    const bool last = channel + 1 == model->channels && *end == rescorer->firsts[grid];
    if (!*model->numbers || rescorer->together || count > (size_t)rescorer->begins[*end] || last) {
        rescorer->channels[*end] = (int64_t)channel;
        rescorer->begins[++*end] = (int32_t)count;
    }
}

/* Appends the atoms of a pose, in the receptor of that number. */
static enum berth_status add_grid(struct berth_rescorer *rescorer, size_t grid, size_t number,
                                  const struct placed *ligand, struct berth_error *error)
{
    const struct placed receptor = {rescorer->receptors[number], NULL, &rescorer->views[number]};
    const struct placed *const both[] = {&receptor, ligand};
    const size_t first = rescorer->firsts[grid + 1] = rescorer->firsts[grid];
    size_t count = (size_t)rescorer->begins[first], next[] = {0, 0};
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
        end_list(rescorer, grid, channel, count);
    }
    return BERTH_OK;
}

/* --- What the network says of them --- */

/* Grids that threads share: each takes every threads-th. */
struct sharing {
    const struct berth_rescorer *rescorer;
    double *const *learned; /* [grids]: where to */
    size_t grids, threads;
    enum berth_status status[BATCH_MAX]; /* [threads] */
    struct berth_error errors[BATCH_MAX];
};

/* One by one: a network may round a grid otherwise in the company of others. */
static void ask(void *context, size_t thread)
{
    struct sharing *sharing = context;
    const struct berth_rescorer *rescorer = sharing->rescorer;
    const struct berth_model *model = &rescorer->model;
    const int64_t points = (int64_t)result_points(model);
    const size_t *firsts = rescorer->firsts;
    struct berth_onnx_output outputs[BERTH_LEARNED_MAX];
    enum berth_status status = BERTH_OK;
    for (size_t i = thread; !status && i < sharing->grids; i += sharing->threads) {
        const struct berth_onnx_input input = {
            .name = model->input,
            .values = rescorer->grids + firsts[i] * (size_t)(points * points * points),
            .shape = {1, (int64_t)(firsts[i + 1] - firsts[i]), points, points, points},
            .numbers_name = model->numbers,
            .numbers = rescorer->channels + firsts[i]};
        for (size_t k = 0; k < model->output_count; k++) {
            outputs[k] = (struct berth_onnx_output){
                model->outputs[k].name, model->outputs[k].number, &sharing->learned[i][k]};
        }
        status = berth_onnx_run(rescorer->onnx, &input, outputs, model->output_count,
                                &sharing->errors[thread]);
    }
    sharing->status[thread] = status;
}

/* Has a GPU judge the batch that lies there, whose first `grids` are wanted. */
static enum berth_status ask_gpu(const struct berth_rescorer *rescorer, size_t grids,
                                 double *const *learned, struct berth_error *error)
{
    const struct berth_model *model = &rescorer->model;
    const int64_t points = (int64_t)result_points(model);
    double values[BERTH_LEARNED_MAX][BATCH_MAX];
    struct berth_onnx_output outputs[BERTH_LEARNED_MAX];
    const struct berth_onnx_input input = {
        .name = model->input,
        .values = berth_density_address(rescorer->density),
        .on_gpu = true,
        .shape = {(int64_t)rescorer->batch, (int64_t)model->channels, points, points, points},
        .numbers_name = model->numbers,
        .numbers = rescorer->channels}; /* of the first grid: all of them */
    for (size_t k = 0; k < model->output_count; k++) {
        outputs[k] =
            (struct berth_onnx_output){model->outputs[k].name, model->outputs[k].number, values[k]};
    }
    BERTH_TRY(berth_onnx_run(rescorer->onnx, &input, outputs, model->output_count, error));
    for (size_t i = 0; i < grids; i++) {
        for (size_t k = 0; k < model->output_count; k++) {
            learned[i][k] = values[k][i];
        }
    }
    return BERTH_OK;
}

/* Adds empty grids behind the last, up to a whole batch. */
static void fill_up(struct berth_rescorer *rescorer, size_t grids)
{
    const size_t last = rescorer->firsts[grids], end = rescorer->batch * rescorer->model.channels;
    for (size_t i = last; i < end; i++) {
        rescorer->begins[i + 1] = rescorer->begins[last];
    }
    rescorer->firsts[rescorer->batch] = end;
}

/* Judges the grids whose atoms are there; learned: [grids], where to. */
static enum berth_status judge(struct berth_rescorer *rescorer, size_t grids,
                               double *const *learned, struct berth_error *error)
{
    const size_t threads = grids < rescorer->threads ? grids : rescorer->threads;
    struct sharing sharing = {
        .rescorer = rescorer, .learned = learned, .grids = grids, .threads = threads};
    if (rescorer->together) {
        fill_up(rescorer, grids);
    }
    const size_t lists = rescorer->firsts[rescorer->together ? rescorer->batch : grids];
    BERTH_TRY(
        berth_density_run(rescorer->density, rescorer->atoms, rescorer->begins, lists, error));
    if (rescorer->together) {
        return ask_gpu(rescorer, grids, learned, error);
    }
    BERTH_TRY(berth_density_read(rescorer->density, lists, rescorer->grids, error));
    berth_in_parallel(threads, ask, &sharing);
    for (size_t i = 0; i < threads; i++) {
        if (sharing.status[i]) {
            *error = sharing.errors[i];
            return sharing.status[i];
        }
    }
    return BERTH_OK;
}

/* Judges the modes of all ligands, in batches; views: of the ligands. */
static enum berth_status judge_all(struct berth_rescorer *rescorer,
                                   const struct berth_rescored *ligands, const struct view *views,
                                   size_t count, struct berth_error *error)
{
    double *learned[BATCH_MAX];
    size_t grids = 0;
    for (size_t i = 0; i < count; i++) {
        const struct berth_modes *modes = ligands[i].modes;
        for (size_t m = 0; m < modes->count; m++) {
            struct berth_pose *mode = &modes->modes[m];
            const struct placed placed = {&ligands[i].ligand->conformers[mode->conformer],
                                          (const double(*)[3])mode->positions, &views[i]};
            BERTH_TRY(add_grid(rescorer, grids, mode->receptor, &placed, error));
            learned[grids++] = mode->learned;
            if (grids == rescorer->batch) {
                BERTH_TRY(judge(rescorer, grids, learned, error));
                grids = 0;
            }
        }
    }
    return grids ? judge(rescorer, grids, learned, error) : BERTH_OK;
}

enum berth_status berth_rescorer_run(struct berth_rescorer *rescorer,
                                     const struct berth_rescored *ligands, size_t count,
                                     struct berth_error *error)
{
    struct view *views;
    struct berth_error why = {0};
    enum berth_status status = berth_make(&views, count, sizeof *views, NULL, error);
    error = error ? error : &why;
    for (size_t i = 0; !status && i < count; i++) {
        status = look(&rescorer->model, &ligands[i].ligand->conformers[0], true, &views[i], error);
    }
    BERTH_THEN(judge_all(rescorer, ligands, views, count, error));
    for (size_t i = 0; views && i < count; i++) {
        free(views[i].seen);
    }
    free(views);
    return status;
}

/* --- The rescorer --- */

const struct berth_model *berth_rescorer_model(const struct berth_rescorer *rescorer)
{
    return &rescorer->model;
}

size_t berth_rescorer_batch(const struct berth_rescorer *rescorer)
{
    return rescorer->batch;
}

static void leave_receptors(struct berth_rescorer *rescorer)
{
    for (size_t i = 0; i < rescorer->receptor_count; i++) {
        free(rescorer->views[i].seen);
    }
    rescorer->receptor_count = 0;
}

enum berth_status berth_rescorer_receive(struct berth_rescorer *rescorer,
                                         const struct berth_molecule *const *receptors,
                                         size_t count, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    leave_receptors(rescorer);
    while (!status && rescorer->receptor_count < count) {
        const size_t number = rescorer->receptor_count++;
        rescorer->receptors[number] = receptors[number];
        status = look(&rescorer->model, receptors[number], false, &rescorer->views[number], error);
    }
    return status;
}

/* Threads of the network: as many as the device's, if it is a CPU, whose number the user may have
 * limited. */
static size_t threads_for(const struct berth_device *device)
{
    const size_t threads =
        device->kind == BERTH_DEVICE_CPU ? device->compute_units : berth_processors();
    return threads < 1 ? 1 : threads < BATCH_MAX ? threads : BATCH_MAX;
}

/* Room for as many grids as are made together. */
static enum berth_status make_room(struct berth_rescorer *rescorer, struct berth_error *error)
{
    const struct berth_model *model = &rescorer->model;
    const size_t points = result_points(model);
    const size_t size = model->channels * points * points * points;
    const size_t most = BATCH_BYTES / (size * sizeof *rescorer->grids);
    size_t batch = rescorer->together ? BATCH_MAX : BATCH_OF_THREAD * rescorer->threads;
    batch = batch < BATCH_MAX ? batch : BATCH_MAX;
    rescorer->batch = batch < most ? batch : most ? most : 1;
    if (!rescorer->together) {
        BERTH_TRY(berth_make(&rescorer->grids, rescorer->batch * size, sizeof *rescorer->grids,
                             NULL, error));
    }
    BERTH_TRY(berth_make(&rescorer->channels, rescorer->batch * model->channels,
                         sizeof *rescorer->channels, NULL, error));
    return berth_make(&rescorer->begins, rescorer->batch * model->channels + 1,
                      sizeof *rescorer->begins, NULL, error);
}

/* Whether the network takes the model's grid: an empty one. */
static enum berth_status try_network(struct berth_rescorer *rescorer, struct berth_error *error)
{
    double values[BERTH_LEARNED_MAX], *const learned[] = {values};
    rescorer->firsts[1] = rescorer->model.channels;
    for (size_t i = 0; i < rescorer->model.channels; i++) {
        rescorer->channels[i] = (int64_t)i;
    }
    BERTH_TRY(berth_reserve(&rescorer->atoms, &rescorer->atom_capacity, 1, sizeof *rescorer->atoms,
                            error));
    return judge(rescorer, 1, learned, error);
}

/* Opens what computes densities. */
static enum berth_status open_device(struct berth_rescorer *rescorer,
                                     const struct berth_devices *devices,
                                     const struct berth_device **opened, struct berth_error *error)
{
    const struct berth_model *model = &rescorer->model;
    const struct berth_density_grid grid = {result_points(model), model->average,
                                            (float)model->spacing};
    enum berth_status status = BERTH_E_DEVICE;
    for (size_t i = 0; status && i < devices->count; i++) {
        status = berth_context_create(&devices->devices[i], &rescorer->context, error);
        rescorer->threads = threads_for(&devices->devices[i]);
        *opened = &devices->devices[i];
    }
    return status ? status
                  : berth_density_create(rescorer->context, &grid, &rescorer->density, error);
}

/* Opens the network on the device of densities, if that is by CUDA, else on the host. */
static enum berth_status open_network(struct berth_rescorer *rescorer,
                                      const struct berth_device *device,
                                      const struct berth_log *log, struct berth_error *error)
{
    const char *network = rescorer->model.network;
    if (device->scalar) { /* CUDA's */
        struct berth_error why;
        const enum berth_status status =
            berth_onnx_create(network, (int)device->number, &rescorer->onnx, &why);
        if (status != BERTH_E_DEVICE) {
            rescorer->together = true;
            return status ? berth_fail(error, status, "%s", why.message) : BERTH_OK;
        }
        berth_note(log, "the network is computed on the host's processors: %s", why.message);
    }
    return berth_onnx_create(network, BERTH_ONNX_HOST, &rescorer->onnx, error);
}

enum berth_status berth_rescorer_create(const char *model, const struct berth_devices *devices,
                                        const struct berth_log *log,
                                        struct berth_rescorer **rescorer, struct berth_error *error)
{
    struct berth_rescorer *made;
    struct berth_error why = {0};
    BERTH_TRY(berth_make(rescorer, 1, sizeof *made, NULL, error));
    made = *rescorer;
    error = error ? error : &why;
    enum berth_status status = berth_model_read(model, &made->model, error);
    const struct berth_device *device = devices->devices;
    BERTH_THEN(open_device(made, devices, &device, error));
    BERTH_THEN(open_network(made, device, log, error));
    BERTH_THEN(make_room(made, error));
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
        leave_receptors(rescorer);
        free(rescorer->grids);
        free(rescorer->channels);
        free(rescorer->begins);
        free(rescorer->atoms);
        free(rescorer);
    }
}
