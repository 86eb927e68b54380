#include "protein/protein_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"
#include "score/score_ref.h"
#include "dock/advice.h"
#include "engine/refine.h"

/* The maps that starts are looked for on: Å between points, at least and at most; and about the
 * receptor. */
#define MAP_SPACING     1.0
#define MAP_SPACING_MAX 2.0
#define MAP_MARGIN      6.0f

/* Energies on maps approach so many times what two atoms win in the mean at their best distance:
 * soft enough for atoms that stand a little too near, as they do in a start. */
#define SOFTNESS 3.0

/* The way in: Å. */
#define STEP      1.0f
#define CLEARANCE 9.0f
enum { STEPS = 28 };

/* Å: as near as the ligand's centre comes to the surface of the receptor's atoms where the two are
 * intertwined.  Where it is farther away, the nearest atom is still the one that a ray begins at.
 */
#define NEAREST 6.0

/* Of starts: Å between places of the ligand's centre over the surface; the best that are kept
 * before those that are alike are left out; Å RMSD between those that are left. */
#define PLACE_SPACING   4
#define DISTINCT_STARTS 4
enum { KEPT = 40000 };

/* Starts that climb on the maps for each one that is refined; and at least. */
enum { CLIMBING = 8, CLIMBING_MIN = 2000 };

/* Poses of a launch of the refinement, so that what is asked in between is asked often enough. */
enum { LAUNCH = 64 };

/* All starts go downhill a little; of those that are still distinct (Å RMSD) the best go to the
 * bottom. */
#define DISTINCT 2.0
enum { EVALUATIONS_FIRST = 60, EVALUATIONS_LAST = 400, LAST = 128 };

struct search {
    struct berth_protein_run *run;
    struct berth_context *context;
    struct berth_evaluator *evaluator;
    struct berth_maps *maps;
    struct berth_batch batch;
    struct berth_packed_conformer packed;
    double gyration[6];
    double size[3];                     /* Å: extents of the receptor */
    struct berth_protein_start *starts; /* owned; what they came to */
    size_t count;
    struct berth_interfaces *interfaces;
    double (*placed)[3]; /* owned; [modes + 1][atoms], Å: of the modes so far; the last are those of
                            the pose that is looked at */
    bool *near;          /* owned; likewise: see berth_interface_mark */
};

/* The middle and the extents of the receptor's heavy atoms. */
static void measure_receptor(struct search *search)
{
    double low[3], high[3];
    berth_heavy_extent(&search->run->receptor.molecule, low, high); /* it has heavy atoms */
    for (int k = 0; k < 3; k++) {
        search->run->result.center[k] = (low[k] + high[k]) / 2;
        search->size[k] = fmax(high[k] - low[k], 1);
    }
}

static enum berth_status pack_ligand(struct search *search, struct berth_error *error)
{
    const struct berth_heavy_atoms *heavy = &search->run->ligand.heavy;
    double(*positions)[3];
    BERTH_TRY(berth_pack_conformer(heavy, 1, 1, &search->packed, error));
    BERTH_TRY(berth_heavy_positions(heavy, &positions, error));
    memcpy(search->run->result.centroid, search->packed.centroid, sizeof search->packed.centroid);
    berth_gyration_of((const double(*)[3])positions, heavy->count, search->packed.centroid,
                      search->gyration);
    free(positions);
    return BERTH_OK;
}

/* What a pair of atoms wins in the mean over receptor and ligand types, at its best distance. */
static double mean_gain(const struct search *search)
{
    const struct berth_scoring *scoring = &search->run->receptor.scoring;
    double sum = 0;
    const int types = (int)scoring->type_count;
    for (int i = 0; i < types; i++) {
        for (int j = 0; j < types; j++) {
            double least = 0;
            for (double r = 2; r < 6; r += 0.25) {
                const struct berth_terms terms = berth_score_ref_pair(scoring, i, j, r);
                least = fmin(least, berth_terms_sum(&terms));
            }
            sum -= least;
        }
    }
    return sum / types / types;
}

/* Bytes of the maps at a spacing. */
static double map_bytes(const struct search *search, double spacing)
{
    return berth_maps_bytes(search->size, (double)MAP_MARGIN, spacing,
                            search->run->receptor.scoring.type_count);
}

/* Says what the search takes before it is taken, and refuses where the device has less. */
static enum berth_status plan(const struct search *search, const struct berth_device *device,
                              double *spacing, struct berth_error *error)
{
    const struct berth_target target = {
        &search->run->receptor.scoring,
        &search->run->receptor.heavy,
        {.size = {search->size[0], search->size[1], search->size[2]}},
        NULL};
    const double lists = berth_packed_receptor_bytes(&target);
    const double room = fmin((double)device->memory / 2 - lists, (double)device->memory_block);
    *spacing = MAP_SPACING;
    while (map_bytes(search, *spacing) > room && *spacing < MAP_SPACING_MAX) {
        *spacing = fmin(*spacing * 1.1, MAP_SPACING_MAX);
    }
    const double maps = map_bytes(search, *spacing);
    if (maps > room) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "a receptor of %.0f x %.0f x %.0f Å takes %.0f MB for neighbour lists and "
            "%.0f MB for maps, more than device %zu (%s) has room for: %.0f MB; take "
            "a forcefield with fewer types, a part of the receptor, or a larger "
            "device",
            search->size[0], search->size[1], search->size[2], lists / 1e6, maps / 1e6,
            device->index, device->name, (room + lists) / 1e6);
    }
    berth_note(search->run->log,
               "memory of the device: %.0f MB for neighbour lists, %.0f MB for maps with a point "
               "every %.2f \xc3\x85",
               lists / 1e6, maps / 1e6, *spacing);
    return BERTH_OK;
}

static enum berth_status open_device(struct search *search, const struct berth_device *device,
                                     struct berth_error *error)
{
    struct berth_target target = {
        &search->run->receptor.scoring, &search->run->receptor.heavy, {.size = {0}}, NULL};
    memcpy(target.site.center, search->run->result.center, sizeof target.site.center);
    memcpy(target.site.size, search->size, sizeof target.site.size);
    struct berth_variant variant = berth_variant_unset();
    double spacing;
    BERTH_TRY(plan(search, device, &spacing, error));
    if (search->run->options->variant) {
        BERTH_TRY(berth_variant_parse(search->run->options->variant, &variant, error));
    }
    variant = berth_variant_with(device, &variant);
    BERTH_TRY(berth_context_create(device, &search->context, error));
    berth_context_tell(search->context, search->run->log);
    BERTH_TRY(berth_evaluator_create(search->context, &variant, NULL, &target, &search->evaluator,
                                     error));
    BERTH_TRY(berth_batch_fill(&search->batch, search->context, &search->packed, 1, error));
    search->batch.large = true; /* any protein is: rigid, and in tiles */
    const struct berth_map_settings settings = {.spacing = (float)spacing,
                                                .margin = MAP_MARGIN,
                                                .most = (float)(SOFTNESS * mean_gain(search))};
    BERTH_TRY(berth_maps_create(search->evaluator, search->size, &settings, &search->maps, error));
    BERTH_TRY(berth_maps_complete(search->maps, &search->batch, error));
    return berth_context_finish(search->context, error);
}

/* The ligand's atoms that have a surface, by type, so that maps are read one after the other. */
static enum berth_status find_exposed(const struct search *search,
                                      struct berth_device_atom **exposed, size_t *count,
                                      struct berth_error *error)
{
    const size_t atoms = (size_t)search->packed.device.atom_count;
    struct berth_spheres spheres;
    double *areas = NULL;
    enum berth_status status = berth_spheres_of(&search->run->ligand.molecule, &spheres, error);
    BERTH_THEN(berth_make(&areas, atoms, sizeof *areas, NULL, error));
    BERTH_THEN(berth_make(exposed, atoms, sizeof **exposed, NULL, error));
    BERTH_THEN(berth_surface_areas(&spheres, BERTH_PROBE_WATER, areas, error));
    *count = 0;
    const int types = (int)search->run->ligand.scoring.type_count;
    for (int type = 0; !status && type < types; type++) {
        for (size_t i = 0; i < atoms; i++) {
            if (search->packed.atoms[i].type == type && areas[i] > 0) {
                (*exposed)[(*count)++] = search->packed.atoms[i];
            }
        }
    }
    berth_spheres_clear(&spheres);
    free(areas);
    return status;
}

/* The radius of a ball with the ligand's radius of gyration, Å. */
static double radius_of(const double gyration[6])
{
    return sqrt(5.0 / 3 * (gyration[0] + gyration[1] + gyration[2]));
}

/* The rays for the ligand all over the receptor. */
static enum berth_status make_rays(const struct search *search, struct berth_ray **rays,
                                   size_t *count, struct berth_error *error)
{
    struct berth_spheres receptor;
    enum berth_status status = berth_spheres_of(&search->run->receptor.molecule, &receptor, error);
    BERTH_THEN(berth_protein_rays(&receptor, fmin(radius_of(search->gyration), NEAREST),
                                  PLACE_SPACING, search->run->result.center, rays, count, error));
    berth_spheres_clear(&receptor);
    return status;
}

static struct berth_site box_of(const struct search *search)
{
    struct berth_site box = {.size = {0}};
    if (search->run->box) {
        box = *search->run->box;
        berth_add_scaled(box.center, -1, search->run->result.center, box.center);
    }
    return box;
}

static enum berth_status find_starts(struct search *search, struct berth_error *error)
{
    struct berth_protein_approach approach = {.evaluator = search->evaluator,
                                              .setup = {.maps = search->maps,
                                                        .box = box_of(search),
                                                        .steps = STEPS,
                                                        .step = STEP,
                                                        .clearance = CLEARANCE},
                                              .gyration = search->gyration,
                                              .rotation_spacing =
                                                  search->run->options->rotation_spacing,
                                              .kept = KEPT,
                                              .distinct = DISTINCT_STARTS,
                                              .wanted = (size_t)search->run->options->starts,
                                              .seed = search->run->options->seed,
                                              .stop = search->run->options->stop};
    struct berth_device_atom *exposed = NULL;
    struct berth_ray *rays = NULL;
    struct berth_protein_starts starts = {0};
    enum berth_status status = find_exposed(search, &exposed, &approach.setup.atom_count, error);
    BERTH_THEN(make_rays(search, &rays, &approach.setup.ray_count, error));
    if (!status) {
        approach.setup.atoms = exposed;
        approach.setup.rays = rays;
        approach.climbing = CLIMBING * approach.wanted;
        approach.climbing = approach.climbing < CLIMBING_MIN ? CLIMBING_MIN : approach.climbing;
        approach.kept = approach.kept < approach.climbing ? approach.climbing : approach.kept;
        status = berth_protein_starts_find(&approach, &starts, error);
    }
    if (!status) {
        search->starts = starts.starts;
        search->count = starts.count;
        search->run->result.rotations = starts.rotations;
        search->run->result.places = starts.places;
        berth_note(
            search->run->log,
            "%zu rotations x %zu places of the surface: %zu starts went on, to %zu distinct ones",
            starts.rotations, starts.places, starts.climbing, starts.count);
    }
    free(exposed);
    free(rays);
    return status;
}

/* Refines starts first .. first + count - 1, at most LAUNCH. */
static enum berth_status refine_some(struct search *search, struct berth_refiner *refiner,
                                     size_t first, size_t count, struct berth_error *error)
{
    struct berth_device_refined *records = refiner->on_host;
    struct berth_event *event = NULL;
    for (size_t i = 0; i < LAUNCH; i++) {
        records[i] = (struct berth_device_refined){.evaluations = i < count ? 0 : -1};
        if (i < count) {
            memcpy(records[i].transform, &search->starts[first + i].transform,
                   sizeof records[i].transform);
        }
    }
    enum berth_status status = berth_refiner_write(refiner, 1, error);
    BERTH_THEN(berth_refiner_run(refiner, &search->batch, NULL, error));
    BERTH_THEN(berth_refiner_start_read(refiner, 1, &event, error));
    BERTH_THEN(berth_event_wait(event, error));
    for (size_t i = 0; !status && i < count; i++) {
        struct berth_protein_start *start = &search->starts[first + i];
        memcpy(&start->transform, records[i].transform, sizeof start->transform);
        for (size_t k = 0; k < BERTH_TERMS_MAX; k++) {
            start->terms.values[k] = records[i].terms[k];
        }
        start->energy = (float)berth_terms_sum(&start->terms);
        search->run->result.evaluations += (size_t)records[i].evaluations;
        if (!isfinite(start->energy)) {
            status = berth_energy_is_none(&search->run->receptor.scoring,
                                          berth_context_device(search->context), error);
        }
    }
    return status;
}

/* Lets all starts go downhill, and sorts them. */
static enum berth_status refine(struct search *search, size_t evaluations,
                                struct berth_error *error)
{
    struct berth_refine_setup setup = {
        .settings = berth_refine_defaults(), .seed = search->run->options->seed, .conformers = 1};
    setup.settings.poses = LAUNCH;
    setup.settings.evaluations = evaluations;
    setup.settings.hops = 0;
    struct berth_refiner *refiner = NULL;
    enum berth_status status = berth_refiner_create(search->evaluator, &setup, &refiner, error);
    for (size_t first = 0; !status && first < search->count; first += LAUNCH) {
        const size_t left = search->count - first;
        status = refine_some(search, refiner, first, left < LAUNCH ? left : LAUNCH, error);
        BERTH_THEN(berth_check_stop(search->run->options->stop, error));
    }
    berth_refiner_destroy(refiner);
    berth_protein_sort(search->starts, search->count);
    return status;
}

void berth_protein_place(const struct berth_protein_result *result,
                         const struct berth_heavy_atoms *heavy,
                         const struct berth_transform *transform, double (*placed)[3])
{
    for (size_t i = 0; i < heavy->count; i++) {
        berth_transform_apply(transform, result->centroid, heavy->atoms[i].position, placed[i]);
        berth_add_scaled(placed[i], 1, result->center, placed[i]);
    }
}

static bool is_in_box(const struct search *search, const struct berth_transform *transform)
{
    const struct berth_site box = box_of(search);
    const double at[3] = {transform->x, transform->y, transform->z};
    return !search->run->box || berth_site_outside(&box, at) <= 0;
}

/* True where the pose that is looked at is far enough from all better modes. */
static bool is_distinct(const struct search *search)
{
    const size_t modes = search->run->result.count, atoms = search->run->ligand.heavy.count;
    for (size_t k = 0; k < modes; k++) {
        if (berth_interface_rmsd(
                (const double(*)[3])(search->placed + k * atoms), search->near + k * atoms,
                (const double(*)[3])(search->placed + modes * atoms), search->near + modes * atoms,
                atoms) < search->run->options->min_rmsd) {
            return false;
        }
    }
    return true;
}

static enum berth_status take_modes(struct search *search, struct berth_error *error)
{
    struct berth_protein_result *result = &search->run->result;
    const struct berth_options *options = search->run->options;
    const size_t atoms = search->run->ligand.heavy.count;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < search->count && result->count < (size_t)options->num_modes;
         i++) {
        const struct berth_protein_start *start = &search->starts[i];
        double(*placed)[3] = search->placed + result->count * atoms;
        if ((double)start->energy > (double)search->starts[0].energy + options->energy_range) {
            break;
        }
        berth_protein_place(result, &search->run->ligand.heavy, &start->transform, placed);
        berth_interface_mark(search->interfaces, (const double(*)[3])placed,
                             search->near + result->count * atoms);
        if (is_in_box(search, &start->transform) && is_distinct(search)) {
            struct berth_protein_mode *mode = &result->modes[result->count++];
            *mode = (struct berth_protein_mode){.transform = start->transform,
                                                .terms = start->terms,
                                                .energy = (double)start->energy};
            status = berth_interface_measure(search->interfaces, (const double(*)[3])placed,
                                             &mode->interface, error);
        }
    }
    return status;
}

/* The best distinct poses are the modes. */
static enum berth_status choose_modes(struct search *search, struct berth_error *error)
{
    struct berth_protein_run *run = search->run;
    struct berth_protein_result *result = &run->result;
    const size_t modes = (size_t)run->options->num_modes;
    const size_t places = (modes + 1) * run->ligand.heavy.count;
    BERTH_TRY(berth_make(&result->modes, modes, sizeof *result->modes, NULL, error));
    BERTH_TRY(berth_make(&search->placed, places, sizeof *search->placed, NULL, error));
    BERTH_TRY(berth_make(&search->near, places, sizeof *search->near, NULL, error));
    BERTH_TRY(berth_interfaces_create(&run->receptor.molecule, &run->ligand.molecule,
                                      &search->interfaces, error));
    BERTH_TRY(take_modes(search, error));
    return result->count
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "no place for the ligand%s: none of %zu rotations at %zu places of the "
                            "surface leads to a pose%s",
                            run->box ? " in the box, which its centre stays in" : "",
                            result->rotations, result->places, run->box ? "; make it larger" : "");
}

static enum berth_status find_modes(struct search *search, const struct berth_device *device,
                                    struct berth_error *error)
{
    measure_receptor(search);
    BERTH_TRY(pack_ligand(search, error));
    BERTH_TRY(open_device(search, device, error));
    BERTH_TRY(find_starts(search, error));
    search->run->result.refined = search->count;
    BERTH_TRY(refine(search, EVALUATIONS_FIRST, error));
    search->count =
        berth_protein_distinct(search->starts, search->count, search->gyration, DISTINCT, LAST);
    BERTH_TRY(refine(search, EVALUATIONS_LAST, error));
    return choose_modes(search, error);
}

enum berth_status berth_protein_dock(struct berth_protein_run *run,
                                     const struct berth_device *device, struct berth_error *error)
{
    struct search search = {.run = run};
    const enum berth_status status = find_modes(&search, device, error);
    berth_maps_destroy(search.maps);
    berth_batch_clear(&search.batch);
    berth_packed_conformer_clear(&search.packed);
    berth_evaluator_destroy(search.evaluator);
    berth_context_destroy(search.context);
    berth_interfaces_destroy(search.interfaces);
    free(search.starts);
    free(search.placed);
    free(search.near);
    if (status) {
        berth_protein_result_clear(&run->result);
    }
    return status;
}

void berth_protein_result_clear(struct berth_protein_result *result)
{
    free(result->modes);
    memset(result, 0, sizeof *result);
}
