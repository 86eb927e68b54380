/* berth eval screen: whether a screen finds the actives that are known. */
#include <stdlib.h>

#include "base/text.h"
#include "cli/common.h"
#include "cli/run_lines.h"
#include "cli/rows.h"
#include "eval/screen/evaluation.h"

static const struct cli_usage USAGE = {
    "eval screen", "RESULTS --actives FILE [options]",
    "Says how early a screen ranks the actives that are known: area under the ROC curve, "
    "enrichment\n"
    "factors at 0.5, 1, 2, 5 and 10 %, BEDROC (alpha 20 and 80.5), area under the ROC curve over\n"
    "the logarithm of decoys, with 95 % confidence; scaffolds that are found early; and whether "
    "it\n"
    "ranks better than size alone, by heavy atoms and by mass, does."};

static const struct berth_option OPTIONS[] = {
    {.help = "Input"},
    {"RESULTS", BERTH_FIELD_OF_ONE(struct berth_evaluation_settings, results), .required = true,
     .help = "scores.csv (or .csv.gz) of `berth screen`, `merge`, `dock` or `score`, or the folder "
             "that holds it.  A ligand counts once, by its best score"},
    {"actives", BERTH_FIELD(struct berth_evaluation_settings, actives), .argument = "FILE",
     .required = true,
     .help = "known actives: names, one a line, or molecules (.smi, .sdf, .mol2, all .gz too, or "
             ".blib), whose scaffolds and masses are then known, too"},
    {"decoys", BERTH_FIELD(struct berth_evaluation_settings, decoys), .argument = "FILE",
     .help = "the same of decoys; other ligands do not count then",
     .fallback = "all that are no actives"},
    {"ligands", BERTH_FIELD(struct berth_evaluation_settings, ligands), .argument = "FILE",
     .help = "molecules of what was docked, for masses and scaffolds that the files of actives and "
             "decoys do not tell",
     .fallback = "of a screen's folder, the library that it docked, for masses"},
    CLI_STATES_ROW(struct berth_evaluation_settings, states),
    {"column", BERTH_FIELD(struct berth_evaluation_settings, column), .argument = "LIST",
     .help = "what ranks, the lower the better: a column, or an expression over columns as of "
             "--rank; several, separated by commas, are compared",
     .fallback = "ranking, else score, total, energy"},
    {"compare", BERTH_FIELD(struct berth_evaluation_settings, compare), .argument = "LIST",
     .help = "further RESULTS of the same ligands, by other scoring functions for example, "
             "separated by commas; and the mean rank by all",
     .fallback = "none"},
    {.help = "Confidence"},
    {"resamples", BERTH_FIELD(struct berth_evaluation_settings, resamples), .argument = "N",
     .min = 100, .max = 1000000, .help = "bootstrap resamples of actives and decoys",
     .fallback = "2000; of more than 200000 ligands fewer"},
    {"seed", BERTH_FIELD(struct berth_evaluation_settings, seed), .argument = "N",
     .help = "of the resamples"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct berth_evaluation_settings, out), .argument = "DIR",
     .help = "folder for enrichment.csv, differences.csv, actives.csv (the rank of each), "
             "scaffolds.csv, roc.svg, roc_log.svg and summary.txt",
     .fallback = "none"},
    CLI_CONFIG_ROW,
    {0}};

/* Says what each of the columns is not: before the measures, and behind them. */
static enum berth_status tell_columns(const struct berth_evaluation_settings *settings, bool before,
                                      struct berth_error *error)
{
    const char *how = "; --column score ranks by it";
    enum berth_status status = settings->column || before
                                   ? BERTH_OK
                                   : cli_foot_ranked(settings->results, NULL, how, error);
    for (const char *rest = settings->column; !status && rest;) {
        char *column = berth_text_next_expression(&rest);
        status = !column  ? berth_out_of_memory(error, NULL)
                 : before ? cli_head_ranked(settings->results, column, error)
                          : cli_foot_ranked(settings->results, column, how, error);
        free(column);
    }
    return status;
}

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct berth_evaluation_settings *settings = context;
    (void)code;
    BERTH_TRY(settings->compare ? BERTH_OK : tell_columns(settings, true, error));
    BERTH_TRY(berth_evaluation_run(settings, cli_log(), error));
    return tell_columns(settings, false, error);
}

int cmd_eval_screen(int argc, char **argv)
{
    struct berth_evaluation_settings settings = {.seed = 1};
    return cli_run(&USAGE, OPTIONS, &settings, execute, argc, argv);
}
