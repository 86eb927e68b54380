/* berth dock: ligands into a receptor, from Mol2 to ranked poses. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cli/dock.h"
#include "cli/head.h"

static const struct cli_usage USAGE = {
    "dock",
    "--receptor R.brec|R.mol2 --ligand L.mol2 --out poses.sdf\n"
    "                  (--center_x X ... --size_z C | --autobox_ligand REF.mol2) [options]",
    "Docks each ligand into the receptor: a search over rotation and translation of every\n"
    "conformer, wholly on the OpenCL device.  Energies are BUDE's, in kJ/mol (see\n"
    "--scoring); lower is better."};

/* Everything a run of `berth dock` holds. */
struct run {
    const struct dock_values *values;
    const struct berth_parsed *parsed;
    struct berth_site site;
    struct berth_typed_receptor receptor;
    struct berth_molecule reference;
    struct berth_devices devices;
    struct berth_docking *docking;
    struct berth_failures failures;
    struct berth_source source;
    struct dock_report report;
    struct berth_queue queue;
    struct berth_gatherer warnings;
    struct berth_log log; /* gathers in warnings */
};

static enum berth_status open_docking(struct run *run, struct berth_error *error)
{
    const struct dock_values *values = run->values;
    struct berth_docking_setup setup = {
        .target = {&run->receptor.forcefield, &run->receptor.heavy, run->site},
        .search = cli_search_settings(&values->search),
        .devices = run->devices.devices,
        .device_count = run->devices.count,
        .variant = berth_variant_unset(),
        .check = cli_check_signals};
    setup.search.seed = values->seed;
    setup.search.batch = (size_t)values->batch;
    run->queue.flexible = setup.search.refine.poses && setup.search.refine.torsions;
    if (values->min_rmsd < setup.search.distinct_modes) {
        setup.search.distinct_modes = (float)values->min_rmsd;
    }
    enum berth_status status = BERTH_OK;
    if (values->variant) {
        status = berth_variant_parse(values->variant, &setup.variant, error);
    }
    return status ? status : berth_docking_create(&setup, &run->docking, error);
}

/* True for a path that is, or will be, a regular file: not "-", a device or a pipe. */
static bool is_file(const char *path)
{
    struct stat facts;
    return strcmp(path, "-") != 0 && (stat(path, &facts) != 0 || S_ISREG(facts.st_mode));
}

/* failures.csv beside the scores, else beside the poses. */
static void failures_path(const struct dock_values *values, char *path, size_t size)
{
    if (values->failures) {
        snprintf(path, size, "%s", values->failures);
        return;
    }
    const char *beside = values->scores && is_file(values->scores) ? values->scores : values->out;
    const char *slash = strrchr(beside, '/');
    snprintf(path, size, "%.*sfailures.csv", slash ? (int)(slash - beside + 1) : 0, beside);
}

static enum berth_status open_files(struct run *run, struct berth_error *error)
{
    const struct dock_values *values = run->values;
    if (values->strain_weight > 0 && !berth_is_library_path(values->ligand)) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--strain_weight: %s is no library (.blib), and only they have strains",
                          values->ligand);
    }
    char failures[PATH_MAX];
    failures_path(values, failures, sizeof failures);
    const struct cli_file files[] = {{"receptor", values->receptor, false},
                                     {"ligand", values->ligand, false},
                                     {"forcefield", values->forcefield.path, false},
                                     {"reference", values->reference, false},
                                     {"autobox_ligand", values->autobox_ligand, false},
                                     {"out", values->out, true},
                                     {"scores", values->scores, true},
                                     {"failures", failures, true}};
    enum berth_status status = cli_check_files(files, sizeof files / sizeof *files, error);
    if (!status) {
        status = berth_typed_receptor_read(&values->forcefield, values->receptor, cli_log(),
                                           &run->receptor, error);
    }
    if (!status) {
        status = dock_site(values, run->parsed, &run->receptor, &run->site, error);
    }
    if (!status && values->reference) {
        status = berth_mol2_read_one(values->reference, true, &run->reference, error);
    }
    if (!status) {
        run->source = (struct berth_source){.path = values->ligand,
                                            .stop = cli_stop(),
                                            .check = cli_check_signals,
                                            .forcefield = &run->receptor.forcefield,
                                            .failures = &run->failures,
                                            .log = &run->log};
        status = berth_source_open(&run->source, error);
    }
    if (!status) {
        status = dock_report_create(values, &run->report, error);
    }
    if (!status) {
        run->failures.log = cli_log();
        status = berth_failures_create(failures, &run->failures, error);
    }
    return status;
}

static void print_head(const struct run *run)
{
    const struct head_target target = {run->values->receptor, &run->receptor,
                                       &run->values->forcefield, &run->site};
    head_print_target(&target);
    head_print_devices(&run->devices, run->docking);
    head_print_search(run->values->seed, &run->values->search, run->docking);
    if (run->values->strain_weight > 0) {
        printf("ranked by energy%s + %g x conformer_strain\n",
               run->queue.flexible ? " + strain" : "", run->values->strain_weight);
    }
}

/* Finds and reports the modes of all queued ligands. */
static enum berth_status report_all(struct run *run,
                                    const struct berth_packed_conformer *conformers,
                                    const struct berth_found *found, bool whole,
                                    struct berth_error *error)
{
    struct berth_mode_settings settings = {.count = (size_t)run->values->num_modes,
                                           .min_rmsd = run->values->min_rmsd,
                                           .energy_range = run->values->energy_range,
                                           .strain_weight = run->values->strain_weight};
    memcpy(settings.center, run->site.center, sizeof settings.center);
    settings.reference = run->values->reference ? &run->reference : NULL;
    enum berth_status status = BERTH_OK;
    size_t first = 0;
    for (size_t i = 0; !status && i < run->queue.count; i++) {
        const struct berth_ligand *ligand = &run->queue.ligands[i].ligand;
        const size_t at = first * found->stride;
        const struct berth_docked part = {
            .conformers = conformers + first,
            .poses = found->poses + at,
            .counts = found->counts + first,
            .stride = found->stride,
            .angles = found->angles ? found->angles + at * BERTH_TORSIONS : NULL,
            .given = found->given + first,
            .tree = &run->queue.ligands[i].tree};
        struct berth_modes modes;
        settings.strains = run->queue.ligands[i].strains;
        status = berth_modes_find(ligand, &part, &settings, &modes, error);
        if (!status) {
            status = dock_report_add(&run->report, ligand, &modes, whole, error);
            run->report.unweighted +=
                settings.strain_weight > 0 &&
                !berth_strains_known(settings.strains, ligand->conformer_count);
            berth_modes_clear(&modes);
        }
        first += ligand->conformer_count;
    }
    return status;
}

static void count_work(struct run *run, const struct berth_packed_conformer *conformers,
                       const struct berth_found *found)
{
    double ligand_atoms = 0;
    for (size_t i = 0; i < run->queue.conformer_count; i++) {
        ligand_atoms += conformers[i].device.atom_count;
        run->report.evaluations += found->evaluations[i];
    }
    run->report.conformers += run->queue.conformer_count;
    run->report.interactions += ligand_atoms * (double)run->receptor.heavy.count *
                                (double)run->values->search.poses *
                                (double)run->values->search.generations;
}

/* Docks and reports the queue, and empties it. */
static enum berth_status flush(struct run *run, bool end, struct berth_error *error)
{
    const size_t count = run->queue.conformer_count;
    if (!count) {
        return BERTH_OK;
    }
    struct berth_found found;
    struct berth_packed_conformer *conformers = berth_queue_gather(&run->queue);
    enum berth_status status =
        berth_found_create(berth_docking_settings(run->docking), count, &found, error);
    if (!status && !conformers) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu conformers", count);
    }
    if (!status) {
        status = berth_docking_run(run->docking, conformers, count, &found, error);
    }
    if (!status) {
        count_work(run, conformers, &found);
        const bool whole = end && run->report.ligands == 0 && run->queue.count == 1;
        status = report_all(run, conformers, &found, whole, error);
    }
    free(conformers);
    berth_found_clear(&found);
    berth_queue_clear(&run->queue);
    return status;
}

static enum berth_status dock_all(struct run *run, struct berth_error *error)
{
    const size_t batch = berth_docking_batch(run->docking);
    enum berth_status status = BERTH_OK;
    bool end = false;
    while (!status && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_source_next(&run->source, &molecule, &heavy, &end, error);
        if (!status && !end && run->queue.conformer_count >= batch &&
            berth_queue_begins(&run->queue, &molecule, run->values->separate)) {
            status = flush(run, false, error);
        }
        if (!status) {
            status = cli_check_signals(error);
        }
        if (!status && !end) {
            const struct berth_queued_conformer conformer = {&molecule, &heavy,
                                                             berth_source_strain(&run->source)};
            status = berth_queue_add(&run->queue, &conformer, run->values->separate, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
    }
    return status ? status : flush(run, true, error);
}

static void print_foot(const struct run *run, double seconds)
{
    printf("%zu ligand%s, %zu conformer%s, %zu failed; %.2f s, %.3g interactions/s\n",
           run->report.ligands, run->report.ligands == 1 ? "" : "s", run->report.conformers,
           run->report.conformers == 1 ? "" : "s", run->failures.count, seconds,
           run->report.interactions / seconds);
}

static enum berth_status print_profile(const struct run *run, struct berth_error *error)
{
    struct berth_profile profile;
    double busy;
    enum berth_status status = berth_docking_profile(run->docking, &profile, &busy, error);
    if (!status) {
        cli_print_profile(&profile, busy);
        printf("%zu energies with gradients in refinements\n", run->report.evaluations);
    }
    return status;
}

static enum berth_status execute(struct run *run, struct berth_error *error)
{
    enum berth_status status = open_files(run, error);
    if (!status) {
        status = cli_devices_list(&run->devices, error);
    }
    if (!status) {
        status = berth_devices_choose(&run->devices, run->values->device, error);
    }
    if (!status) {
        cli_check_tuning(&run->devices);
        status = open_docking(run, error);
    }
    if (status) {
        return status;
    }
    if (run->report.table) {
        print_head(run);
        fflush(stdout);
    }
    const double start = berth_now();
    cli_catch_signals();
    status = dock_all(run, error);
    if (!status) {
        status = berth_output_sync(run->failures.output, error);
    }
    if (!status) {
        status = dock_report_commit(&run->report, error);
    }
    if (!status) {
        status = berth_output_commit(run->failures.output, error);
        run->failures.output = NULL;
    }
    if (!status && run->report.table) {
        print_foot(run, berth_now() - start);
        status = run->values->profile ? print_profile(run, error) : BERTH_OK;
    }
    if (!status && run->report.unmatched) {
        cli_say("warning: no RMSD for %zu of %zu ligands: the reference %s has other atoms or "
                "bonds",
                run->report.unmatched, run->report.ligands, run->values->reference);
    }
    if (!status && run->report.unweighted) {
        cli_say("warning: %zu of %zu ligands are ranked by energy alone: the library does "
                "not have the strain of all their conformers",
                run->report.unweighted, run->report.ligands);
    }
    return status;
}

static void close_run(struct run *run)
{
    berth_queue_clear(&run->queue);
    dock_report_discard(&run->report);
    berth_output_discard(run->failures.output);
    berth_source_close(&run->source);
    berth_docking_destroy(run->docking);
    berth_devices_clear(&run->devices);
    berth_molecule_clear(&run->reference);
    berth_typed_receptor_clear(&run->receptor);
}

int cmd_dock(int argc, char **argv)
{
    struct dock_values values = dock_defaults();
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, DOCK_OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        struct run run = {.values = &values, .parsed = &parsed, .queue = {.log = &run.log}};
        run.warnings.next = cli_log();
        run.log = berth_gather(&run.warnings);
        enum berth_status status =
            cli_search_complete(DOCK_OPTIONS, &parsed, &values.search, &error);
        status = status ? status : execute(&run, &error);
        berth_gatherer_flush(&run.warnings);
        code = status ? cli_fatal(&error) : run.failures.count ? CLI_SOME_FAILED : CLI_DONE;
        const bool hangs = run.docking && berth_docking_hangs(run.docking);
        close_run(&run);
        if (hangs) {
            cli_leave_devices(code);
        }
    }
    berth_parsed_clear(&parsed);
    return code;
}
