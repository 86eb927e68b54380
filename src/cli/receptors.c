#include "cli/receptors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "cli/common.h"
#include "format/output.h"
#include "options/search.h"

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

enum berth_status cli_receptors_load(const struct berth_receptor_options *options,
                                     struct cli_receptors *receptors, struct berth_error *error)
{
    struct berth_receptor_options other;
    berth_receptor_defaults(&other, sizeof other);
    const struct berth_box none = other.box;
    other = *options;
    if (options->ligand_id && receptors->path_count > 1) {
        return berth_fail_option(error, BERTH_E_USAGE, "ligand_id",
                                 "ligand_id: one receptor is taken; make .brec files of several "
                                 "with `berth prep receptor`");
    }
    for (size_t i = 0; i < receptors->path_count; i++) {
        const enum berth_status status = berth_receptor_load(receptors->paths[i], &other, cli_log(),
                                                             &receptors->handles[i], error);
        if (status) {
            return status;
        }
        receptors->count++;
        other.box = none;
    }
    return BERTH_OK;
}

const char *cli_ranking(const struct berth_option *table, const struct berth_parsed *parsed,
                        const struct berth_search_options *search, const char *rank,
                        const char *standard)
{
    struct berth_search_level level;
    struct berth_error ignored;
    return rank || berth_options_given(table, parsed, "scoring") ||
                   berth_options_given(table, parsed, "strain_weight") ||
                   berth_search_options_level(search, false, &level, &ignored) || !level.maps ||
                   !level.refine
               ? rank
               : standard;
}

enum berth_status cli_receptors_rank(const char *rank, bool named, struct cli_receptors *receptors,
                                     struct berth_receptor_options *options,
                                     struct berth_error *error)
{
    if (rank && !named) {
        BERTH_TRY(berth_rank_functions(rank, receptors->scoring, sizeof receptors->scoring, error));
    }
    options->scoring = *receptors->scoring ? receptors->scoring : options->scoring;
    return BERTH_OK;
}

enum berth_status cli_receptors_load_ranked(const struct cli_ranked *ranked,
                                            struct cli_receptors *receptors,
                                            struct berth_receptor_options *options,
                                            struct berth_error *error)
{
    const char *alone = options->scoring;
    BERTH_TRY(cli_receptors_rank(*ranked->rank, ranked->scoring, receptors, options, error));
    enum berth_status status = cli_receptors_load(options, receptors, error);
    if (status == BERTH_E_TYPE && *ranked->rank != ranked->named) {
        cli_receptors_unload(receptors);
        berth_warn(cli_log(), NULL, "%s; ranked by %s alone", error->message, alone);
        *ranked->rank = ranked->named;
        options->scoring = alone;
        status = cli_receptors_load(options, receptors, error);
    }
    return status;
}

const berth_receptor *const *cli_receptors_more(const struct cli_receptors *receptors)
{
    return (const berth_receptor *const *)(receptors->handles + 1);
}

enum berth_status cli_receptors_cut(const char *poses, const char *receptor,
                                    struct berth_run_cut *cut, const char **named,
                                    struct berth_error *error)
{
    struct stat facts;
    if (strchr(receptor, ',') && stat(receptor, &facts) != 0) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--receptor %s: one receptor is taken, with the poses that are in it; "
                          "give the command for each receptor",
                          receptor);
    }
    BERTH_TRY(berth_run_json_cut(poses, receptor, cut, error));
    if (!*named && *cut->ligand_id) {
        *named = cut->ligand_id;
        cli_say("%s is cut out of %s, as the run of these poses did (--ligand_id)", cut->ligand_id,
                receptor);
    }
    return BERTH_OK;
}

enum berth_status cli_refuse_bonded(const char *poses, const struct berth_run_cut *cut,
                                    struct berth_error *error)
{
    return *cut->covalent
               ? berth_fail(error, BERTH_E_USAGE,
                            "%s: these poses are bonded to %s and hold a part of it, which the "
                            "receptor has, too; what the run said of them stands in its table",
                            poses, cut->covalent)
               : BERTH_OK;
}

enum berth_status cli_need_ligand(const char *ligand, const struct berth_receptor_options *target,
                                  bool cuts, const char *out, struct berth_error *error)
{
    if (ligand) {
        return target->ligand_smiles
                   ? berth_fail_option(
                         error, BERTH_E_USAGE, "ligand_smiles",
                         "ligand_smiles: gives the bonds of the ligand that ligand_id "
                         "cuts out, where that is taken; %s is",
                         ligand)
                   : BERTH_OK;
    }
    if (!target->ligand_id || !cuts) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--ligand must be given, on the command line or in a --config file (see "
                          "--help)%s",
                          cuts ? ", or --ligand_id, to take the ligand that is cut out" : "");
    }
    return strcmp(out, "-") == 0
               ? berth_fail(error, BERTH_E_USAGE,
                            "--out -: the ligand that is cut out is written beside it; name a file")
               : BERTH_OK;
}

enum berth_status cli_bonded_ligand(const char *receptor, const char *covalent, const char *ligand,
                                    char ligand_id[BERTH_SELECTOR_TEXT],
                                    struct berth_receptor_options *target,
                                    struct berth_error *error)
{
    if (!covalent || ligand || target->ligand_id || !receptor) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_bonded_ligand(receptor, covalent, ligand_id, error));
    target->ligand_id = ligand_id;
    cli_say("without --ligand: %s, which is bonded to %s (--ligand_id)", ligand_id, covalent);
    return BERTH_OK;
}

enum berth_status cli_receptors_ligand(const struct cli_receptors *receptors, const char *out,
                                       const char *covalent, char path[PATH_MAX],
                                       const char **ligand, struct berth_error *error)
{
    if (*ligand) {
        return BERTH_OK;
    }
    if (covalent) {
        berth_output_beside(out, "ligand.smi", path, PATH_MAX);
        *ligand = path;
        return berth_receptor_write_bonded(receptors->handles[0], covalent, path, cli_log(), error);
    }
    berth_output_beside(out, "ligand.pdb", path, PATH_MAX);
    *ligand = path;
    return berth_receptor_write_ligand(receptors->handles[0], path, cli_log(), error);
}

void cli_suggest_smiles(const char *command, const char *receptor,
                        const struct berth_receptor_options *target, const char *out)
{
    if (!target->ligand_smiles) {
        cli_say(
            "if its bonds are wrong, give the SMILES of the ligand that was cut out, beside the "
            "other options: berth %s --receptor %s --ligand_id %s --ligand_smiles 'SMILES' "
            "--out %s",
            command, receptor, target->ligand_id, out);
    }
}

void cli_say_box(const struct berth_option *table, const struct berth_parsed *parsed)
{
    if (parsed->config && berth_options_given(table, parsed, "size_x") &&
        !berth_options_given(table, parsed, "box")) {
        cli_say("%s: the ligand's centroid stays in the box; --box atoms has all its atoms stay in "
                "it, as in Vina",
                parsed->config);
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
