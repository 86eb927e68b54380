/* Preparing ligands and receptors. */
#include <limits.h>
#include <string.h>

#include "api/api.h"
#include "base/locale.h"
#include "base/parallel.h"
#include "format/failures.h"
#include "format/output.h"
#include "format/poses.h"
#include "prep/ligands/ligands.h"
#include "prep/receptor/prepare_receptor.h"
#include "report/viewer.h"
#include "run/exclusions.h"
#include "prep/site_checks.h"

/* What the caller has for messages, and what it answered. */
struct caller {
    const struct berth_log *log;
    berth_progress_call call;
    void *context;
    atomic_bool stop;
};

static void show(void *context, const struct berth_progress *progress)
{
    struct caller *caller = context;
    if (caller->call(caller->context, progress) && !progress->computed) {
        atomic_store(&caller->stop, true);
    }
}

/* BERTH_E_USAGE where a library would be called as if it were molecules. */
static enum berth_status check_library_name(const char *path, struct berth_error *error)
{
    const struct berth_pose_format *format;
    struct berth_error ignored;
    return berth_pose_format_of(path, &format, &ignored)
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "out",
                                   "out: %s would be a library, whose name ends in .blib; `berth "
                                   "lib get` then writes its molecules as SDF or Mol2",
                                   path);
}

static enum berth_status check(const struct berth_options *options, const char *failures,
                               struct berth_error *error)
{
    const struct berth_choices choices = {.options = options};
    enum berth_status status = berth_choices_check(&choices, error);
    BERTH_THEN(check_library_name(options->out, error));
    BERTH_THEN(berth_output_probe(options->out, error));
    BERTH_THEN(berth_output_probe(failures, error));
    BERTH_THEN(berth_output_new(options->out, options->overwrite || options->resume, error));
    return status;
}

/* No input is what is to be written. */
static enum berth_status check_inputs(const struct berth_ligand_inputs *inputs, const char *out,
                                      const char *failures, struct berth_error *error)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *path = inputs->files[i].path;
        const bool library = berth_output_is_file(out, path);
        if (library || berth_output_is_file(failures, path)) {
            return berth_fail_option(error, BERTH_E_USAGE, library ? "out" : "failures",
                                     "an input and an output are the same file, %s; give the "
                                     "output another name",
                                     path);
        }
    }
    return BERTH_OK;
}

static enum berth_status prepare(const struct berth_options *options, const char *failures,
                                 struct caller *caller, struct berth_progress *progress,
                                 struct berth_error *error)
{
    const struct berth_ligands_request *request = &options->prepare;
    const struct berth_arguments *inputs = &options->inputs;
    const struct berth_ligand_sources sources = {
        .items = inputs->items,
        .count = inputs->count,
        .list = request->list,
        .format = request->format,
        .columns = {request->smiles_column, request->name_column},
        .limit = 10 * request->time_limit,
        .stop = options->stop ? options->stop : &caller->stop,
        .log = caller->log};
    struct berth_ligands_settings settings = {.out = options->out,
                                              .failures = failures,
                                              .forcefield = options->forcefield,
                                              .mode = options->resume      ? BERTH_LIBRARY_RESUME
                                                      : options->overwrite ? BERTH_LIBRARY_REPLACE
                                                                           : BERTH_LIBRARY_NEW,
                                              .jobs = request->jobs ? request->jobs
                                                                    : berth_processors(),
                                              .unique = request->drop_duplicates,
                                              .log = caller->log,
                                              .stop = sources.stop,
                                              .show = caller->call ? show : NULL,
                                              .context = caller};
    struct berth_ligand_inputs files = {.count = 0};
    struct berth_ligands_plan plan = {.note = NULL};
    enum berth_status status =
        berth_ligands_plan_create(request, inputs->items, inputs->count, &plan, error);
    BERTH_THEN(berth_shard_parse(options->shard, &settings.shard, error));
    BERTH_THEN(check(options, failures, error));
    BERTH_THEN(berth_ligand_inputs_create(&sources, &files, error));
    BERTH_THEN(check_inputs(&files, options->out, failures, error));
    if (!status) {
        settings.preparation = plan.preparation;
        settings.note = plan.note;
        status = berth_ligands_prepare(&settings, &files, progress, error);
    }
    berth_ligand_inputs_clear(&files);
    berth_ligands_plan_clear(&plan);
    return status;
}

enum berth_status berth_prepare_ligands(const char *const *inputs, size_t count,
                                        const berth_options *options, const struct berth_log *log,
                                        berth_progress_call progress, void *context,
                                        struct berth_progress *done, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct caller caller = {.log = log, .call = progress, .context = context};
    struct berth_options mine;
    const struct berth_options *asked;
    struct berth_progress reached = {0};
    char failures[PATH_MAX];
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(options)));
    BERTH_TRY(berth_options_of(options, BERTH_RUN_LIGANDS, &mine, &asked, error));
    enum berth_status status = BERTH_NEED(error, {"out", asked->out});
    BERTH_THEN(berth_api_need_texts("inputs", inputs, count, error));
    if (!status) {
        struct berth_options complete = *asked; /* which borrows all that it points to */
        complete.inputs = (struct berth_arguments){inputs, count};
        berth_failures_path(asked->out, failures, sizeof failures);
        status = prepare(&complete, asked->failures ? asked->failures : failures, &caller, &reached,
                         error);
    }
    reached.finished = !status;
    if (done) {
        *done = reached;
    }
    return status;
}

/* The names of what is to be written. */
static enum berth_status check_receptor_files(const struct berth_options *options,
                                              struct berth_error *error)
{
    const char *out = options->out;
    const size_t length = strlen(out);
    if (options->reference && !options->asked.ligand_id) {
        return berth_fail_option(error, BERTH_E_USAGE, "reference",
                                 "reference: there is no ligand to write; name it by ligand_id");
    }
    if (options->ligand_smiles && !options->reference) {
        return berth_fail_option(error, BERTH_E_USAGE, "ligand_smiles",
                                 "ligand_smiles: gives the bonds of the ligand that is written; "
                                 "name that file by reference");
    }
    if (strcmp(out, "-") == 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: a receptor file is binary; give its name");
    }
    if (length <= 5 || strcmp(out + length - 5, ".brec") != 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: %s does not end in .brec, as receptor files do (mol2 is a "
                                 "Mol2 file beside it)",
                                 out);
    }
    enum berth_status status =
        options->site ? BERTH_OK : berth_output_new(out, options->overwrite, error);
    for (size_t i = 0; !status && options->site && i <= options->sites; i++) {
        char path[PATH_MAX];
        berth_receptor_scan_path(out, i, path);
        status = berth_output_new(path, options->overwrite, error);
    }
    return status;
}

/* A site that is said, and the molecule that it is about, if it is (owned). */
struct site {
    bool given;
    struct berth_site box;
    struct berth_molecule about;
};

/* One of the ways to say a site, at most. */
static enum berth_status read_site(const struct berth_options *options, const struct berth_log *log,
                                   struct site *site, struct berth_error *error)
{
    const struct berth_choices choices = {.options = options};
    BERTH_TRY(berth_box_of(options, log, &site->given, &site->box, &site->about, error));
    if (options->site && strcmp(options->site, "scan") != 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "site", "site: '%s' is not known; scan is",
                                 options->site);
    }
    BERTH_TRY(berth_choices_check(&choices, error));
    if (site->given + (options->residues != NULL) + (options->site != NULL) > 1) {
        return berth_fail_option(error, BERTH_E_USAGE, "site",
                                 "more than one site is given; choose among autobox_ligand, centre "
                                 "and size, residues and a scan");
    }
    return BERTH_OK;
}

static enum berth_status read_format(const char *path, const char *named,
                                     enum berth_structure_format *format, struct berth_error *error)
{
    *format = berth_structure_format_of(named ? named : path);
    return named && *format == BERTH_STRUCTURE_UNKNOWN
               ? berth_fail_option(error, BERTH_E_USAGE, "format",
                                   "format: %s is not known; pdb, pdbqt, mmcif and mol2 are", named)
               : BERTH_OK;
}

/* A script that shows the receptor and its site, if one is asked for. */
static enum berth_status write_view(const struct berth_options *mine,
                                    const struct berth_receptor *receptor,
                                    struct berth_error *error)
{
    const struct berth_viewer_setup setup = {.kind = mine->view,
                                             .beside = mine->out,
                                             .reference = mine->reference,
                                             .receptor = receptor};
    struct berth_viewer *viewer = NULL;
    const enum berth_status status =
        mine->view ? berth_viewer_create(&setup, &viewer, error) : BERTH_OK;
    return berth_viewer_finish(viewer, status, error);
}

/* mine: complete, and checked. */
static enum berth_status prepare_receptor(const char *path, const struct berth_options *mine,
                                          const struct site *site, const struct berth_log *log,
                                          struct berth_error *error)
{
    struct berth_receptor_prepared prepared = {.receptor = {.has_site = false}};
    enum berth_structure_format format = BERTH_STRUCTURE_UNKNOWN;
    BERTH_TRY(read_format(path, mine->structure_format, &format, error));
    const struct berth_receptor_settings settings = {.path = path,
                                                     .format = format,
                                                     .forcefield = mine->forcefield,
                                                     .asked = mine->asked,
                                                     .assembly = mine->assembly,
                                                     .min_plddt = mine->min_plddt,
                                                     .keep_waters = mine->keep_waters,
                                                     .waters = mine->waters,
                                                     .displaceable_waters =
                                                         mine->displaceable_waters,
                                                     .keep_waters_within = mine->keep_waters_within,
                                                     .box = site->given ? &site->box : NULL,
                                                     .residues = mine->residues,
                                                     .autobox_add = mine->autobox_add,
                                                     .sites = mine->site ? mine->sites : 0,
                                                     .keep_types = mine->keep_types,
                                                     .reference = mine->reference != NULL,
                                                     .ligand_smiles = mine->ligand_smiles,
                                                     .build_missing = mine->build_missing,
                                                     .protonate = mine->protonate,
                                                     .ph = mine->prepare.ph};
    const struct berth_receptor_outputs outputs = {mine->out, mine->reference, mine->mol2,
                                                   mine->overwrite};
    enum berth_status status = berth_receptor_prepare(&settings, log, &prepared, error);
    if (!status) {
        const struct berth_site_surroundings surroundings = {&prepared.receptor.molecule,
                                                             prepared.receptor.residues, false};
        berth_site_check_overlap(&site->about, mine->autobox_ligand, &surroundings, log);
    }
    BERTH_THEN(berth_receptor_prepared_write(&settings, &outputs, log, &prepared, error));
    BERTH_THEN(write_view(mine, &prepared.receptor, error));
    berth_receptor_prepared_clear(&prepared);
    return status;
}

enum berth_status berth_prepare_receptor(const char *path, const berth_options *options,
                                         const struct berth_log *log, struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_options mine;
    const struct berth_options *asked;
    struct site site = {.given = false};
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(path), BERTH_ARGUMENT(options)));
    BERTH_TRY(berth_options_of(options, BERTH_RUN_RECEPTOR, &mine, &asked, error));
    BERTH_TRY(BERTH_NEED(error, {"out", asked->out}));
    BERTH_TRY(check_receptor_files(asked, error));
    enum berth_status status = read_site(asked, log, &site, error);
    BERTH_THEN(prepare_receptor(path, asked, &site, log, error));
    berth_molecule_clear(&site.about);
    return status;
}
