/* `berth bench --paper`: whole dockings at the published benchmark's size, end to end.
 *
 * McIntosh-Smith et al. (IJHPCA 2014) docked 128 conformers of 10 ligands, 8 generations of 65,536
 * poses each, into a site of 938 atoms (NDM-1).  Here the ten ligands are drugs, and the site is
 * the 938 atoms of the demo's receptor that are nearest to its site's centre. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/bench.h"
#include "dock/docking.h"

enum { PAPER_SITE = 938 };

/* What is docked, and into what. */
struct paper {
    const struct bench_values *values;
    struct bench_demo demo;                    /* its receptor is cut to PAPER_SITE atoms */
    struct berth_packed_conformer *conformers; /* owned; [count] */
    size_t count, capacity;
    char ligand[128];               /* name of the last conformer's ligand */
    size_t number;                  /* conformers of the last ligand so far */
    struct berth_heavy_atoms first; /* the first conformer, about its centroid */
};

/* What a run on one device took and gave. */
struct paper_result {
    double reading, preparing, docking; /* s */
    double interactions_per_s;          /* end to end */
    double bench_per_s;                 /* of the energy kernel alone */
    double met_per_s;                   /* receptor atoms that ligand atoms met, end to end */
    struct berth_profile profile;
    double busy;
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
    berth_ligand_name(title, name, sizeof name);
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
        status = berth_forcefield_assign(&paper->demo.receptor.forcefield, &molecule, NULL, &heavy,
                                         error);
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
    const size_t wanted = (size_t)paper->values->conformers;
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
    enum berth_status status = bench_demo_read(paper->values, &paper->demo, error);
    if (!status) {
        status =
            keep_nearest(&paper->demo.receptor.heavy, paper->demo.site.center, PAPER_SITE, error);
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
    bench_demo_clear(&paper->demo);
}

/* Interactions of all conformers, poses and generations. */
static double interactions_of(const struct paper *paper)
{
    double ligand_atoms = 0;
    for (size_t i = 0; i < paper->count; i++) {
        ligand_atoms += paper->conformers[i].device.atom_count;
    }
    return ligand_atoms * PAPER_SITE * (double)paper->values->poses *
           (double)paper->values->generations;
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
                                     struct paper_result *result, struct berth_error *error)
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
        status = berth_docking_profile(docking, &result->profile, &result->busy, error);
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
    const size_t poses = (size_t)paper->values->poses;
    struct berth_bench_setup setup = {
        .target = {&paper->demo.receptor.forcefield, &paper->demo.receptor.heavy, paper->demo.site},
        .ligand = &paper->first,
        .pose_count = poses,
        .poses_wanted = poses,
        .repeats = (size_t)paper->values->repeats,
        .variant = *variant};
    setup.variant.lists = 0;
    struct berth_bench_result result = {0};
    float *planes = bench_random_poses(paper->demo.site.size, poses);
    memset(setup.target.site.size, 0, sizeof setup.target.site.size); /* nothing is left out */
    setup.poses = planes;
    enum berth_status status =
        planes ? berth_bench_run(device, &setup, &result, error)
               : berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu poses", poses);
    *rate = result.interactions_per_s;
    free(planes);
    return status;
}

static void print_result(const struct paper *paper, const struct berth_device *device,
                         const struct berth_variant *variant, const struct paper_result *result)
{
    const double seconds = result->reading + result->preparing + result->docking;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(variant, text);
    printf("\ndevice %zu: %s, variant %s\n", device->index, device->name, text);
    printf("%.3f s end to end: reading %.3f, preparing the device %.3f, docking %.3f\n", seconds,
           result->reading, result->preparing, result->docking);
    printf("%.4g interactions/s, %.4g conformers/s; while docking %.4g interactions/s\n",
           result->interactions_per_s, (double)paper->count / seconds,
           result->interactions_per_s * seconds / result->docking);
    printf("of these %.4g/s done; neighbour lists show the others to be 0\n", result->met_per_s);
    printf("the energy kernel alone: %.4g interactions/s; end to end is %.1f %% of that\n",
           result->bench_per_s, 100 * result->interactions_per_s / result->bench_per_s);
    cli_print_profile(&result->profile, result->busy);
    fflush(stdout);
}

/* Device time of the energy kernels, %. */
static double energy_share(const struct berth_profile *profile)
{
    double energy = 0;
    for (size_t i = 0; i < profile->kernel_count; i++) {
        if (strncmp(profile->kernels[i].kernel, "energy", strlen("energy")) == 0) {
            energy += 1e-9 * (double)profile->kernels[i].nanoseconds;
        }
    }
    return 100 * energy / berth_profile_seconds(profile);
}

static void write_result(const struct paper *paper, const struct berth_device *device,
                         const struct berth_variant *variant, const struct paper_result *result,
                         struct berth_output *csv)
{
    const double seconds = result->reading + result->preparing + result->docking;
    char text[BERTH_VARIANT_TEXT];
    berth_variant_print(variant, text);
    berth_output_csv(csv, device->name, ',');
    berth_output_csv(csv, device->driver, ',');
    berth_output_print(csv, "%zu,%lld,%lld,%s,%.4f,%.4f,%.5g,%.5g,%.5g,%.5g,%.3f,%.2f,%.2f\n",
                       paper->count, paper->values->poses, paper->values->generations, text,
                       seconds, result->docking, result->interactions_per_s,
                       (double)paper->count / seconds, result->met_per_s, result->bench_per_s,
                       result->interactions_per_s / result->bench_per_s, 100 * result->busy,
                       energy_share(&result->profile));
}

/* One device from reading the files to having the poses, and its report. */
static enum berth_status run_device(const struct bench_values *values,
                                    const struct berth_device *device,
                                    const struct berth_variant *given, struct berth_output *csv,
                                    struct berth_error *error)
{
    struct paper paper = {.values = values};
    struct paper_result result = {0};
    const struct berth_variant variant = berth_variant_with(device, given);
    const double start = berth_now();
    enum berth_status status = read_paper(&paper, error);
    if (!status) {
        struct berth_docking_setup setup = {.target = {&paper.demo.receptor.forcefield,
                                                       &paper.demo.receptor.heavy, paper.demo.site},
                                            .search = berth_search_defaults(),
                                            .devices = device,
                                            .device_count = 1,
                                            .variant = variant};
        setup.search.poses = (size_t)values->poses;
        setup.search.generations = (size_t)values->generations;
        status = run_docking(&paper, &setup, start, &result, error);
        if (!status) {
            status = count_met(&paper, &setup, &result.met_per_s, error);
            result.met_per_s *= result.interactions_per_s / interactions_of(&paper);
        }
    }
    if (!status) {
        status = measure_kernel(&paper, device, &variant, &result.bench_per_s, error);
    }
    if (!status && csv) {
        write_result(&paper, device, &variant, &result, csv);
    }
    if (!status && (!values->csv || strcmp(values->csv, "-") != 0)) {
        print_result(&paper, device, &variant, &result);
    }
    clear_paper(&paper);
    return status;
}

enum berth_status bench_paper(const struct bench_values *values,
                              const struct bench_devices *devices, struct berth_error *error)
{
    struct berth_output *csv = NULL;
    enum berth_status status = BERTH_OK;
    if (values->csv) {
        status = berth_output_create(values->csv, &csv, error);
    }
    if (csv) {
        berth_output_print(csv, "device,driver,conformers,poses,generations,variant,seconds,"
                                "docking_seconds,interactions_per_s,conformers_per_s,done_per_s,"
                                "kernel_interactions_per_s,ratio,busy_pct,energy_pct\n");
    }
    if (!status && (!values->csv || strcmp(values->csv, "-") != 0)) {
        printf("%lld conformers x %lld generations x %lld poses, site of %d receptor atoms\n",
               values->conformers, values->generations, values->poses, PAPER_SITE);
    }
    for (size_t i = 0; !status && i < devices->list.count; i++) {
        status = run_device(values, &devices->list.devices[i], &devices->given, csv, error);
    }
    if (!status && csv) {
        status = berth_output_commit(csv, error);
        csv = NULL;
    }
    berth_output_discard(csv);
    return status;
}
