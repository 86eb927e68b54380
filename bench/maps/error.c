/* error RECEPTOR LIGAND.mol2 X Y Z SIZE: how far energies from maps are from exact ones, on the
 * poses of every stage of a search at the level `balanced`, by the default scoring function. Prints
 * a row of CSV for each pose: stage, exact energy between receptor and ligand (double precision,
 * all pairs), and that of the maps.  run.sh builds and calls it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dock/typed_receptor.h"
#include "engine/search.h"
#include "format/mol2/mol2.h"
#include "score/flexible.h"

enum { SIZE = 7, POSES = 32 };

static void demand(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fprintf(stderr, "error: %s\n", error->message);
        exit(1);
    }
}

/* What is docked, and into what; the receptor about the site's centre. */
struct system {
    struct berth_typed_receptor receptor;
    struct berth_site site;
    struct berth_heavy_atoms ligand;
    struct berth_flexible flexible;
    struct berth_packed_flexible turning;
    struct berth_packed_conformer packed;
    struct berth_evaluator *evaluator;
};

static void read_ligand(struct system *system, const char *path)
{
    const struct berth_scoring *scoring = &system->receptor.scoring;
    struct berth_error error;
    struct berth_mol2_reader *reader;
    struct berth_molecule molecule = {0};
    bool end;
    demand(berth_mol2_reader_create(path, &reader, &error), &error);
    demand(berth_mol2_next(reader, &molecule, &end, &error), &error);
    demand(berth_scoring_assign(scoring, &molecule, NULL, &system->ligand, &error), &error);
    demand(berth_flexible_find(&molecule, berth_scoring_apart(scoring), &system->flexible, &error),
           &error);
    demand(berth_pack_flexible(&system->flexible, &system->ligand, &system->turning, &error),
           &error);
    demand(berth_pack_conformer(&system->ligand, 1, 1, &system->packed, &error), &error);
    system->packed.flexible = system->turning.torsions ? &system->turning : NULL;
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(reader);
}

/* Devices and context stay until the program ends. */
static void open_device(struct system *system)
{
    struct berth_error error;
    struct berth_devices devices;
    struct berth_context *context;
    demand(berth_devices_enumerate("all", NULL, &devices, &error), &error);
    demand(berth_devices_choose_one(&devices, NULL, &error), &error);
    demand(berth_context_create(&devices.devices[0], &context, &error), &error);
    const struct berth_variant variant = berth_variant_default(&devices.devices[0]);
    const struct berth_target target = {&system->receptor.scoring, &system->receptor.heavy,
                                        system->site};
    demand(berth_evaluator_create(context, &variant, NULL, &target, &system->evaluator, &error),
           &error);
}

/* The trilinear interpolation of an atom's map; inside the grid. */
static double look_up(const struct berth_device_grid *grid, const uint16_t *maps,
                      const struct berth_heavy_atom *atom)
{
    const double lowest[3] = {grid->x, grid->y, grid->z};
    const double points[3] = {grid->nx, grid->ny, grid->nz};
    double energy = 0, fraction[3];
    size_t cell[3];
    for (int k = 0; k < 3; k++) {
        const double at = (atom->position[k] - lowest[k]) * grid->per_edge;
        if (at < 0 || at > points[k] - 1.001) {
            return NAN;
        }
        cell[k] = (size_t)at;
        fraction[k] = at - (double)cell[k];
    }
    for (size_t corner = 0; corner < 8; corner++) {
        double weight = 1;
        size_t at[3];
        for (int k = 0; k < 3; k++) {
            weight *= corner >> k & 1 ? fraction[k] : 1 - fraction[k];
            at[k] = cell[k] + (corner >> k & 1);
        }
        const size_t place = (at[2] * (size_t)grid->ny + at[1]) * (size_t)grid->nx + at[0];
        energy +=
            weight * berth_maps_energy(maps, (size_t)atom->type * (size_t)grid->points + place);
    }
    return energy;
}

static uint16_t *read_maps(const struct system *system, struct berth_search *search,
                           struct berth_device_grid *grid)
{
    struct berth_error error;
    struct berth_maps *maps = berth_search_maps(search);
    *grid = maps->layout;
    const size_t points = system->receptor.scoring.type_count * (size_t)grid->points;
    const size_t bytes = points * BERTH_MAP_HALVES * sizeof(uint16_t);
    uint16_t *halves = malloc(bytes);
    if (!halves) {
        fprintf(stderr, "error: out of memory\n");
        exit(1);
    }
    demand(berth_buffer_read(maps->halves, halves, bytes, &error), &error);
    return halves;
}

/* Prints what the poses of a search have by its maps and exactly. */
static void compare(const struct system *system, const char *stage, struct berth_search *search,
                    const struct berth_found *found)
{
    struct berth_heavy_atom atoms[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {atoms, system->ligand.count};
    struct berth_device_grid grid;
    uint16_t *maps = read_maps(system, search, &grid);
    for (size_t i = 0; i < found->counts[0]; i++) {
        double angles[BERTH_TORSIONS], on_maps = 0, exact = 0;
        for (size_t t = 0; t < BERTH_TORSIONS; t++) {
            angles[t] = found->poses[i].angles[t];
        }
        berth_flexible_place(&system->flexible, &system->ligand, &found->poses[i].transform, angles,
                             &placed);
        for (size_t a = 0; a < placed.count; a++) {
            on_maps += look_up(&grid, maps, &atoms[a]);
        }
        const struct berth_terms terms =
            berth_score_ref(&system->receptor.scoring, &system->receptor.heavy, &placed);
        for (size_t t = 0; t < berth_scoring_pair_terms(&system->receptor.scoring); t++) {
            exact += terms.values[t];
        }
        printf("%s,%.4f,%.4f\n", stage, exact, on_maps);
    }
    free(maps);
}

/* Searches with `generations`, descents of `evaluations`, and a refinement of `refined`. */
static void run_stage(const struct system *system, const char *stage, size_t generations,
                      size_t evaluations, size_t refined)
{
    struct berth_error error;
    struct berth_search *search;
    struct berth_found found;
    struct berth_search_settings settings = berth_search_at(berth_search_level_find("balanced"));
    settings.mapped.generations = generations ? generations : settings.mapped.generations;
    settings.mapped.evaluations = evaluations ? evaluations : settings.mapped.evaluations;
    settings.mapped.hops = evaluations ? 1 : settings.mapped.hops;
    settings.refine.evaluations = refined ? refined : settings.refine.evaluations;
    settings.refine.shakes = refined ? 0 : settings.refine.shakes;
    settings.refine.poses = settings.parents = POSES;
    demand(
        berth_search_create(system->evaluator, system->site.size, &settings, NULL, &search, &error),
        &error);
    demand(berth_found_create(&settings, 1, &found, &error), &error);
    demand(berth_search_start(search, &system->packed, 1, &error), &error);
    demand(berth_search_finish(search, &found, 0, &error), &error);
    compare(system, stage, search, &found);
    berth_found_clear(&found);
    berth_search_destroy(search);
}

int main(int count, char **words)
{
    struct system system = {0};
    struct berth_error error;
    const struct berth_scoring_choice scoring = berth_scoring_defaults();
    if (count != SIZE) {
        fprintf(stderr, "usage: error RECEPTOR LIGAND.mol2 X Y Z SIZE\n");
        return 1;
    }
    demand(berth_typed_receptor_read(&scoring, words[1], NULL, NULL, &system.receptor, &error),
           &error);
    for (int k = 0; k < 3; k++) {
        system.site.center[k] = strtod(words[3 + k], NULL);
        system.site.size[k] = strtod(words[6], NULL);
    }
    read_ligand(&system, words[2]);
    open_device(&system);
    for (size_t i = 0; i < system.receptor.heavy.count; i++) {
        for (int k = 0; k < 3; k++) {
            system.receptor.heavy.atoms[i].position[k] -= system.site.center[k];
        }
    }
    run_stage(&system, "drawn", 1, 1, 1);
    run_stage(&system, "first", 1, 0, 1);
    run_stage(&system, "last", 0, 0, 1);
    run_stage(&system, "refined", 0, 0, 0);
    return 0;
}
