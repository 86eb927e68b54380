/* berth eval fit: a ranking fitted to complexes, actives and decoys that are known. */
#include "cli/common.h"
#include "eval/fit/fit.h"
#include "cli/rows.h"

static const struct cli_usage USAGE = {
    "eval fit", "[RESULTS --actives FILE] [--redock DIRS] --out DIR [options]",
    "Fits the weights of a ranking to your own target: of ligands to actives and decoys of a\n"
    "screen, of poses to complexes that were redocked, or both.  Nested cross-validation says how\n"
    "it ranks what it was not fitted to, beside rankings that were not fitted.  Where that is no\n"
    "gain beyond chance it says so, writes no ranking, and exits with 2."};

static const struct berth_option OPTIONS[] = {
    {.help = "Input"},
    {"RESULTS", BERTH_FIELD_OF_ONE(struct berth_fit_settings, results),
     .help = "scores.csv (or .csv.gz) of a screen by several scoring functions, or the folder that "
             "holds it.  Only first modes count"},
    {"actives", BERTH_FIELD(struct berth_fit_settings, actives), .argument = "FILE",
     .help = "known actives: names, one a line, or molecules (.smi, .sdf, .mol2, all .gz too, or "
             ".blib); of these, actives of one scaffold stay together in folds",
     .fallback = "none"},
    {"decoys", BERTH_FIELD(struct berth_fit_settings, decoys), .argument = "FILE",
     .help = "the same of decoys; other ligands do not count then",
     .fallback = "all that are no actives"},
    CLI_STATES_ROW(struct berth_fit_settings, states),
    {"redock", BERTH_FIELD(struct berth_fit_settings, redock), .argument = "DIRS",
     .help = "folders that `berth eval redock --out` made, by several scoring functions (as by "
             "default), separated by commas: the poses of each complex, of which those within 2 Å "
             "of the crystal's are right",
     .fallback = "none"},
    {.help = "What is fitted"},
    {"ligand_terms", BERTH_FIELD(struct berth_fit_settings, ligand_terms), .argument = "LIST",
     .help = "expressions that are to be weighted and added, separated by commas, at most 16: "
             "\"vina, -cnn_score, -heavy_atoms\".  Lower is better, and no weight is below 0",
     .fallback = "each built-in function and strain, over (1 + 0.03*rotors) * heavy_atoms^0.25"},
    {"pose_terms", BERTH_FIELD(struct berth_fit_settings, pose_terms), .argument = "LIST",
     .help = "the same of poses", .fallback = "each built-in function and strain"},
    {"against", BERTH_FIELD(struct berth_fit_settings, against), .argument = "R",
     .words = "consensus screening",
     .help = "the ranking that is to be bettered, beside score: as --rank takes it.  What is not "
             "bettered, or not fitted, the new ranking has from there",
     .fallback = "consensus for poses, screening for ligands"},
    {.help = "Confidence"},
    {"resamples", BERTH_FIELD(struct berth_fit_settings, resamples), .argument = "N", .min = 100,
     .max = 1000000, .help = "bootstrap resamples of complexes, or of actives and decoys",
     .fallback = "2000; of more than 200000 ligands fewer"},
    {"seed", BERTH_FIELD(struct berth_fit_settings, seed), .argument = "N",
     .help = "of folds and resamples"},
    {.help = "Output"},
    {"out", BERTH_FIELD(struct berth_fit_settings, out), .argument = "DIR", .required = true,
     .help = "folder for fitted.rank, which --rank takes, fit.csv (the measures), weights.csv and "
             "summary.txt"},
    CLI_CONFIG_ROW,
    {0}};

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct berth_fit_settings *settings = context;
    bool shown = false;
    const enum berth_status status = berth_fit_run(settings, cli_log(), &shown, error);
    if (!status && shown) {
        printf("\n");
        cli_print("What is fitted, for --rank: %s/fitted.rank", settings->out);
    }
    *code = shown ? CLI_DONE : CLI_SOME_FAILED;
    return status;
}

int cmd_eval_fit(int argc, char **argv)
{
    struct berth_fit_settings settings = {.seed = 1};
    return cli_run(&USAGE, OPTIONS, &settings, execute, argc, argv);
}
