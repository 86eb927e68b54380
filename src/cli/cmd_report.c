/* berth report: a run as one page. */
#include "cli/common.h"
#include "cli/rows.h"
#include "report/page.h"

static const struct cli_usage USAGE = {
    "report", "DIR [options]",
    "Makes one HTML page of a screen, of `eval redock`, or of a docking whose poses.sdf and\n"
    "scores.csv are in DIR: what was run, distribution of scores, energy against size, failures "
    "by\n"
    "reason, and a table of the hits that sorts and filters, each with its drawing, terms,\n"
    "interactions and what each residue contributes.  The page needs no network and nothing "
    "beside\n"
    "it."};

static const struct berth_option OPTIONS[] = {
    {"DIR", BERTH_FIELD_OF_ONE(struct berth_page_settings, folder), .required = true,
     .help = "folder of the run: scores.csv, hits.sdf or poses.sdf, run.json, failures.csv; or "
             "poses, NAME.sdf, with their table NAME.csv beside them, if it is there, and "
             "NAME.run.json; "
             "or a database (--db)"},
    CLI_RUN_ROW(struct berth_page_settings, run),
    {"out", BERTH_FIELD(struct berth_page_settings, out), .argument = "FILE",
     .help = "page to write", .fallback = "DIR/report.html, or NAME.html"},
    {"methods", BERTH_FIELD(struct berth_page_settings, methods), .argument = "FILE",
     .help = "text file for the page's paragraph for methods, or - for standard output",
     .fallback = "on the page alone"},
    {"top", BERTH_FIELD(struct berth_page_settings, top), .argument = "N",
     .help = "poses on the page, the best, up to 1000; counts and distributions are of all",
     .min = 1, .max = BERTH_PAGE_POSES_MAX},
    {"actives", BERTH_FIELD(struct berth_page_settings, actives), .argument = "FILE",
     .help = "known actives, names or molecules: for the ROC curve", .fallback = "none"},
    CLI_STATES_ROW(struct berth_page_settings, states),
    {"require", BERTH_FIELD(struct berth_page_settings, require), .argument = "LIST",
     .help = CLI_REQUIRE_HELP "; how many of the poses looked at do is said", .fallback = "any"},
    {"receptor", BERTH_FIELD(struct berth_page_settings, receptor), .argument = "FILE",
     .help = CLI_RECEPTOR_HELP, .fallback = "the one that run.json names"},
    {"poses", BERTH_FIELD(struct berth_page_settings, poses), .argument = "FILE",
     .help = "poses (SDF)", .fallback = "hits.sdf or poses.sdf of DIR"},
    {"scores", BERTH_FIELD(struct berth_page_settings, scores), .argument = "FILE",
     .help = "table of scores of these poses",
     .fallback = "scores.csv of DIR, or NAME.csv, or the tags of NAME.sdf"},
    {"scoring", BERTH_FIELD(struct berth_page_settings, scoring), .argument = "S",
     .help = "scoring function of the run", .fallback = "that of run.json, else vina"},
    {"view", BERTH_FIELD(struct berth_page_settings, view), .argument = "V",
     .words = "pymol chimerax",
     .help = "pymol or chimerax: a script beside the page that opens receptor, site, reference and "
             "poses, with their interactions drawn",
     .fallback = "none"},
    {"view_top", BERTH_FIELD(struct berth_page_settings, view_top), .argument = "N",
     .help = "poses of the page that PyMOL's script opens, the best; hundreds take minutes",
     .min = 1, .max = BERTH_PAGE_POSES_MAX},
    {"reference", BERTH_FIELD(struct berth_page_settings, reference), .argument = "FILE",
     .help = "molecule that the script opens, too", .fallback = "none"},
    CLI_CONFIG_ROW,
    {0}};

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct berth_page_settings *settings = context;
    struct berth_page_files files;
    (void)code;
    cli_catch_signals();
    BERTH_TRY(berth_page_write(settings, &files, error));
    const bool silent = settings->methods && strcmp(settings->methods, "-") == 0;
    void (*const tell)(const char *format, ...) = silent ? cli_say : cli_print;
    tell("the report: %s", files.page);
    if (*files.script) {
        tell("the script for %s: %s", settings->view, files.script);
    }
    return BERTH_OK;
}

int cmd_report(int argc, char **argv)
{
    struct berth_page_settings settings = {.top = BERTH_PAGE_POSES,
                                           .view_top = BERTH_PAGE_VIEWED,
                                           .log = cli_log(),
                                           .stop = cli_stop()};
    return cli_run(&USAGE, OPTIONS, &settings, execute, argc, argv);
}
