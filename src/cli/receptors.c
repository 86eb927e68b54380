#include "cli/receptors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cli/common.h"
#include "format/output.h"

/* On what was done to receptors, where not all is printed: with the line that says so, five. */
enum { NOTES = 4 };

enum berth_status cli_receptors_split(const char *text, struct cli_receptors *receptors,
                                      struct berth_error *error)
{
    struct stat facts;
    const bool one = stat(text, &facts) == 0;
    receptors->text = berth_copy_text(text);
    if (!receptors->text) {
        return berth_out_of_memory(error, NULL);
    }
    for (char *path = receptors->text; path;) {
        char *comma = one ? NULL : strchr(path, ',');
        if (comma) {
            *comma++ = '\0';
        }
        if (!*path && (comma || receptors->path_count)) {
            return berth_fail(error, BERTH_E_USAGE,
                              "--receptor %s: a name is missing about a comma", text);
        }
        if (receptors->path_count == CLI_RECEPTORS_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "--receptor: %d receptors at most",
                              (int)CLI_RECEPTORS_MAX);
        }
        receptors->paths[receptors->path_count++] = path;
        path = comma;
    }
    return BERTH_OK;
}

enum berth_status cli_receptors_load(const struct berth_options *options,
                                     struct cli_receptors *receptors, struct berth_error *error)
{
    struct berth_options other = *options; /* which borrows all that it points to */
    if (options->asked.ligand_id && receptors->path_count > 1) {
        return berth_fail_option(error, BERTH_E_USAGE, "ligand_id",
                                 "ligand_id: one receptor is taken; make .brec files of several "
                                 "with `berth prep receptor`");
    }
    for (size_t i = 0; i < receptors->path_count; i++) {
        BERTH_TRY(berth_receptor_load(receptors->paths[i], &other, cli_log(),
                                      &receptors->handles[i], error));
        receptors->count++;
        for (int k = 0; k < 3; k++) {
            other.center[k] = other.edges[k] = NAN;
        }
        other.autobox_ligand = other.box = NULL;
    }
    return BERTH_OK;
}

enum berth_status cli_receptors_load_ranked(struct cli_receptors *receptors,
                                            struct berth_options *options,
                                            struct berth_error *error)
{
    const char *alone = options->scoring, *named = options->rank;
    BERTH_TRY(berth_options_ranking(options, &options->rank, receptors->scoring,
                                    sizeof receptors->scoring, error));
    options->scoring = *receptors->scoring ? receptors->scoring : alone;
    cli_log_notes_few(NOTES);
    enum berth_status status = cli_receptors_load(options, receptors, error);
    if (status == BERTH_E_TYPE && options->rank != named) {
        cli_receptors_unload(receptors);
        berth_warn(cli_log(), NULL, "%s; ranked by %s alone", error->message, alone);
        options->rank = named;
        options->scoring = alone;
        status = cli_receptors_load(options, receptors, error);
    }
    const size_t left_out = cli_log_notes_all();
    if (left_out) {
        cli_say("%zu more line%s on the receptor: with --verbose, and in run.json", left_out,
                left_out == 1 ? "" : "s");
    }
    return status;
}

enum berth_status cli_receptors_cut(const char *poses, const char *receptor,
                                    struct berth_run_card *run, struct berth_residues_asked *asked,
                                    struct berth_error *error)
{
    struct stat facts;
    berth_run_card_start(run);
    if (strchr(receptor, ',') && stat(receptor, &facts) != 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--receptor %s: one receptor is taken, with the poses that are in it; "
                          "give the command for each receptor",
                          receptor);
    }
    BERTH_TRY(berth_run_json_in(poses, receptor, run, error));
    const struct berth_residues_asked of_run = berth_run_residues(run, "");
    asked->keep = asked->keep ? asked->keep : of_run.keep;
    asked->drop = asked->drop ? asked->drop : of_run.drop;
    if (!asked->ligand_id && *of_run.ligand_id) {
        asked->ligand_id = of_run.ligand_id;
        cli_say("%s is cut out of %s, as the run of these poses did (--ligand_id)",
                asked->ligand_id, receptor);
    }
    return BERTH_OK;
}

enum berth_status cli_receptors_pose_table(struct berth_pose_table *table,
                                           struct berth_run_card *run, struct berth_error *error)
{
    const struct cli_file files[] = {
        {"receptor", table->receptor, false},   {"poses", table->poses, false},
        {"reference", table->reference, false}, {"out", table->out, true},
        {"valid", table->valid, true},          {"failures", table->failures, true}};
    BERTH_TRY(cli_check_files(files, sizeof files / sizeof *files, error));
    if (table->poses) {
        BERTH_TRY(cli_receptors_cut(table->poses, table->receptor, run, &table->asked, error));
    }
    table->covalent = run->identity.covalent;
    table->log = cli_log();
    table->stop = cli_stop();
    cli_catch_signals();
    return BERTH_OK;
}

enum berth_status cli_refuse_bonded(const char *poses, const struct berth_run_card *run,
                                    struct berth_error *error)
{
    return *run->identity.covalent
               ? berth_fail(error, BERTH_E_USAGE,
                            "%s: these poses are bonded to %s and hold a part of it, which the "
                            "receptor has, too; what the run said of them stands in its table",
                            poses, run->identity.covalent)
               : BERTH_OK;
}

enum berth_status cli_need_ligand(const struct berth_options *options, bool cuts,
                                  struct berth_error *error)
{
    if (options->ligand) {
        return options->ligand_smiles
                   ? berth_fail_option(
                         error, BERTH_E_USAGE, "ligand_smiles",
                         "ligand_smiles: gives the bonds of the ligand that ligand_id "
                         "cuts out, where that is taken; %s is",
                         options->ligand)
                   : BERTH_OK;
    }
    if (!options->asked.ligand_id || !cuts) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--ligand must be given, on the command line or in a --config file (see "
                          "--help)%s",
                          cuts ? ", or --ligand_id, to take the ligand that is cut out" : "");
    }
    return strcmp(options->out, "-") == 0
               ? berth_fail(error, BERTH_E_USAGE,
                            "--out -: the ligand that is cut out is written beside it; name a file")
               : BERTH_OK;
}

enum berth_status cli_bonded_ligand(struct berth_options *options,
                                    char ligand_id[BERTH_SELECTOR_TEXT], struct berth_error *error)
{
    if (!options->covalent || options->ligand || options->asked.ligand_id || !options->receptor) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_bonded_ligand(options->receptor, options->covalent, ligand_id, error));
    options->asked.ligand_id = ligand_id;
    cli_say("without --ligand: %s, which is bonded to %s (--ligand_id)", ligand_id,
            options->covalent);
    return BERTH_OK;
}

enum berth_status cli_receptors_ligand(const struct cli_receptors *receptors,
                                       struct berth_options *options, char path[PATH_MAX],
                                       struct berth_error *error)
{
    if (options->ligand) {
        return BERTH_OK;
    }
    const char *covalent = options->run == BERTH_RUN_DOCK ? options->covalent : NULL;
    options->ligand = path;
    berth_output_beside(options->out, covalent ? "ligand.smi" : "ligand.pdb", path, PATH_MAX);
    return covalent ? berth_receptor_write_bonded(receptors->handles[0], covalent, path, cli_log(),
                                                  error)
                    : berth_receptor_write_ligand(receptors->handles[0], path, cli_log(), error);
}

void cli_suggest_smiles(const char *command, const struct berth_options *options)
{
    if (!options->ligand_smiles) {
        cli_say(
            "if its bonds are wrong, give the SMILES of the ligand that was cut out, beside the "
            "other options: berth %s --receptor %s --ligand_id %s --ligand_smiles 'SMILES' "
            "--out %s",
            command, options->receptor, options->asked.ligand_id, options->out);
    }
}

void cli_say_box(const struct berth_options *options)
{
    if (options->parsed.config && berth_options_has(options, "size_x") &&
        !berth_options_has(options, "box")) {
        cli_say("%s: the ligand's centroid stays in the box; --box atoms has all its atoms stay in "
                "it, as in Vina",
                options->parsed.config);
    }
}

void cli_receptors_unload(struct cli_receptors *receptors)
{
    while (receptors->count) {
        berth_receptor_free(receptors->handles[--receptors->count]);
    }
}

void cli_receptors_clear(struct cli_receptors *receptors)
{
    cli_receptors_unload(receptors);
    free(receptors->text);
}
