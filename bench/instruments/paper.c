#include "paper.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "check/bench.h"
#include "check/deck.h"
#include "dock/docking.h"
#include "format/mol2/mol2.h"

/* What is docked, and into what. */
struct paper {
    const struct berth_paper_settings *settings;
    struct berth_demo demo;                    /* its receptor is cut to BERTH_PAPER_SITE atoms */
    struct berth_packed_conformer *conformers; /* owned; [count] */
    size_t count, capacity;
    char ligand[128];               /* name of the last conformer's ligand */
    size_t number;                  /* conformers of the last ligand so far */
    struct berth_heavy_atoms first; /* the first conformer, about its centroid */
};

/* An atom and how far it is from the centre. */
struct ranked {
    double square; /* Å² */
    size_t index;
};

static int by_distance(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->square != b->square ? (a->square > b->square) - (a->square < b->square)
                                  : (a->index > b->index) - (a->index < b->index);
}

/* Keeps the `wanted` atoms nearest to center, the nearest first. */
static enum berth_status keep_nearest(struct berth_heavy_atoms *heavy, const double center[3],
                                      size_t wanted, struct berth_error *error)
{
    struct ranked *ranked = berth_alloc(heavy->count, sizeof *ranked);
    struct berth_heavy_atom *kept = berth_alloc(wanted, sizeof *kept);
    enum berth_status status = BERTH_OK;
    if (!ranked || !kept) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for the site");
    } else if (heavy->count < wanted) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "the receptor has %zu heavy atoms, not the %zu "
                            "of the benchmark's site",
                            heavy->count, wanted);
    }
    for (size_t i = 0; !status && i < heavy->count; i++) {
        ranked[i] = (struct ranked){0, i};
        for (int k = 0; k < 3; k++) {
            const double from = heavy->atoms[i].position[k] - center[k];
            ranked[i].square += from * from;
        }
    }
    if (!status) {
        qsort(ranked, heavy->count, sizeof *ranked, by_distance);
        for (size_t i = 0; i < wanted; i++) {
            kept[i] = heavy->atoms[ranked[i].index];
        }
        berth_heavy_atoms_clear(heavy);
        *heavy = (struct berth_heavy_atoms){kept, wanted};
        kept = NULL;
    }
    free(ranked);
    free(kept);
    return status;
}

/* Packs the conformer; it is the next one of the last ligand where its title says so. */
static enum berth_status add_conformer(struct paper *paper, const char *title,
                                       const struct berth_heavy_atoms *heavy,
                                       struct berth_error *error)
{
    char name[sizeof paper->ligand];
    snprintf(name, sizeof name, "%.*s", (int)berth_ligand_stem(title), title);
    if (strcmp(name, paper->ligand) != 0) {
        memcpy(paper->ligand, name, sizeof name);
        paper->number = 0;
    }
    enum berth_status status = berth_reserve(&paper->conformers, &paper->capacity, paper->count + 1,
                                             sizeof *paper->conformers, error);
    if (!status) {
        status = berth_pack_conformer(heavy, berth_ligand_key(name), (uint32_t)++paper->number,
                                      &paper->conformers[paper->count], error);
    }
    if (!status) {
        paper->count++;
    }
    return status;
}

/* Keeps the first conformer, moved to the origin, for measuring the energy kernel alone. */
static void keep_first(struct paper *paper, struct berth_heavy_atoms *heavy)
{
    for (size_t i = 0; i < heavy->count; i++) {
        for (int k = 0; k < 3; k++) {
            heavy->atoms[i].position[k] -= paper->conformers[0].centroid[k];
        }
    }
    paper->first = *heavy;
    memset(heavy, 0, sizeof *heavy);
}

static enum berth_status read_conformer(struct paper *paper, struct berth_mol2_reader *reader,
                                        bool *end, struct berth_error *error)
{
    struct berth_molecule molecule = {0};
    struct berth_heavy_atoms heavy = {0};
    enum berth_status status = berth_mol2_next(reader, &molecule, end, error);
    if (!status && !*end) {
        status =
            berth_scoring_assign(&paper->demo.receptor.scoring, &molecule, NULL, &heavy, error);
    }
    if (!status && !*end) {
        status = add_conformer(paper, molecule.title, &heavy, error);
    }
    if (!status && !*end && paper->count == 1) {
        keep_first(paper, &heavy);
    }
    berth_heavy_atoms_clear(&heavy);
    berth_molecule_clear(&molecule);
    return status;
}

static enum berth_status read_conformers(struct paper *paper, struct berth_error *error)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/ten_drugs.mol2.gz", paper->demo.folder);
    struct berth_mol2_reader *reader;
    bool end = false;
    const size_t wanted = paper->settings->conformers;
    enum berth_status status = berth_mol2_reader_create(path, &reader, error);
    if (status) {
        return status;
    }
    while (!status && !end && paper->count < wanted) {
        status = read_conformer(paper, reader, &end, error);
    }
    berth_mol2_reader_destroy(reader);
    if (!status && paper->count < wanted) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: %zu conformers, not %zu", path,
                            paper->count, wanted);
    }
    return status;
}

static enum berth_status read_paper(struct paper *paper, struct berth_error *error)
{
    const struct berth_scoring_choice scoring = berth_scoring_published();
    enum berth_status status =
        berth_demo_read(paper->settings->data, &scoring, paper->settings->log, &paper->demo, error);
    if (!status) {
        status = keep_nearest(&paper->demo.receptor.heavy, paper->demo.site.center,
                              BERTH_PAPER_SITE, error);
    }
    return status ? status : read_conformers(paper, error);
}

static void clear_paper(struct paper *paper)
{
    for (size_t i = 0; i < paper->count; i++) {
        berth_packed_conformer_clear(&paper->conformers[i]);
    }
    free(paper->conformers);
    berth_heavy_atoms_clear(&paper->first);
    berth_demo_clear(&paper->demo);
}

/* Interactions of all conformers, poses and generations. */
static double interactions_of(const struct paper *paper)
{
    double ligand_atoms = 0;
    for (size_t i = 0; i < paper->count; i++) {
        ligand_atoms += paper->conformers[i].device.atom_count;
    }
    return ligand_atoms * BERTH_PAPER_SITE * (double)paper->settings->poses *
           (double)paper->settings->generations;
}

/* Docks all conformers; the poses are there when it returns. */
static enum berth_status dock(const struct paper *paper, struct berth_docking *docking,
                              const struct berth_search_settings *search, struct berth_error *error)
{
    struct berth_found found;
    enum berth_status status = berth_found_create(search, paper->count, &found, error);
    if (!status) {
        status = berth_docking_run(docking, paper->conformers, paper->count, &found, error);
    }
    berth_found_clear(&found);
    return status;
}

/* How many of the interactions the neighbour lists left to be done, from docking once more. */
static enum berth_status count_met(const struct paper *paper,
                                   const struct berth_docking_setup *setup, double *met,
                                   struct berth_error *error)
{
    struct berth_docking_setup counting = *setup;
    counting.count_met = true;
    struct berth_docking *docking;
    enum berth_status status = berth_docking_create(&counting, &docking, error);
    if (!status) {
        status = dock(paper, docking, &setup->search, error);
        *met = berth_docking_met(docking);
        berth_docking_destroy(docking);
    }
    return status;
}

/* Prepares the device, docks, and takes the times; what came before began at `start`. */
static enum berth_status run_docking(const struct paper *paper,
                                     const struct berth_docking_setup *setup, double start,
                                     struct berth_paper_result *result, struct berth_error *error)
{
    struct berth_docking *docking;
    const double read = berth_now();
    enum berth_status status = berth_docking_create(setup, &docking, error);
    if (status) {
        return status;
    }
    const double prepared = berth_now();
    status = dock(paper, docking, &setup->search, error);
    const double docked = berth_now();
    result->reading = read - start;
    result->preparing = prepared - read;
    result->docking = docked - prepared;
    result->interactions_per_s = interactions_of(paper) / (docked - start);
    if (!status) {
        status = berth_docking_times(docking, &result->profile, &result->busy, error);
    }
    berth_docking_destroy(docking);
    return status;
}

/* The rate of the energy kernel alone on the first conformer, at as many poses as a generation has,
 * every interaction done. */
static enum berth_status measure_kernel(const struct paper *paper,
                                        const struct berth_device *device,
                                        const struct berth_variant *variant, double *rate,
                                        struct berth_error *error)
{
    const size_t poses = paper->settings->poses;
    struct berth_bench_setup setup = {.target = {&paper->demo.receptor.scoring,
                                                 &paper->demo.receptor.heavy, paper->demo.site,
                                                 NULL},
                                      .ligand = &paper->first,
                                      .pose_count = poses,
                                      .poses_wanted = poses,
                                      .repeats = paper->settings->repeats,
                                      .variant = *variant};
    setup.variant.lists = 0;
    struct berth_bench_result result = {0};
    float *planes = berth_random_poses(paper->demo.site.size, poses);
    memset(setup.target.site.size, 0, sizeof setup.target.site.size); /* nothing is left out */
    setup.poses = planes;
    enum berth_status status =
        planes ? berth_bench_run(device, &setup, &result, error)
               : berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu poses", poses);
    *rate = result.interactions_per_s;
    free(planes);
    return status;
}

enum berth_status berth_paper_run(const struct berth_paper_settings *settings,
                                  const struct berth_device *device,
                                  const struct berth_variant *variant,
                                  struct berth_paper_result *result, struct berth_error *error)
{
    struct paper paper = {.settings = settings};
    const double start = berth_now();
    *result = (struct berth_paper_result){0};
    enum berth_status status = read_paper(&paper, error);
    if (!status) {
        struct berth_docking_setup setup = {
            .targets = {{&paper.demo.receptor.scoring, &paper.demo.receptor.heavy, paper.demo.site,
                         NULL}},
            .target_count = 1,
            .search = berth_search_published(),
            .devices = device,
            .device_count = 1,
            .variant = *variant};
        setup.search.poses = settings->poses;
        setup.search.generations = settings->generations;
        result->conformers = paper.count;
        status = run_docking(&paper, &setup, start, result, error);
        if (!status) {
            status = count_met(&paper, &setup, &result->met_per_s, error);
            result->met_per_s *= result->interactions_per_s / interactions_of(&paper);
        }
    }
    if (!status) {
        status = measure_kernel(&paper, device, variant, &result->bench_per_s, error);
    }
    clear_paper(&paper);
    return status;
}
