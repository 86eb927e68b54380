/* berth report: a run as one page. */
#include "cli/common.h"
#include "cli/rows.h"
#include "report/page.h"

struct values {
    struct berth_arguments folders;
    const char *run, *receptor, *poses, *scores, *scoring, *actives, *require, *view, *reference,
        *out, *methods;
    bool states;
    long long top, view_top;
};

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
    {"DIR", BERTH_FIELD(struct values, folders), .required = true, .max = 1,
     .help = "folder of the run: scores.csv, hits.sdf or poses.sdf, run.json, failures.csv; or "
             "poses, NAME.sdf, with their table NAME.csv beside them, if it is there, and "
             "NAME.run.json; "
             "or a database (--db)"},
    CLI_RUN_ROW(struct values, run),
    {"out", BERTH_FIELD(struct values, out), .argument = "FILE", .help = "page to write",
     .fallback = "DIR/report.html, or NAME.html"},
    {"methods", BERTH_FIELD(struct values, methods), .argument = "FILE",
     .help = "text file for the page's paragraph for methods, or - for standard output",
     .fallback = "on the page alone"},
    {"top", BERTH_FIELD(struct values, top), .argument = "N",
     .help = "poses on the page, the best, up to 1000; counts and distributions are of all",
     .min = 1, .max = BERTH_PAGE_POSES_MAX},
    {"actives", BERTH_FIELD(struct values, actives), .argument = "FILE",
     .help = "known actives, names or molecules: for the ROC curve", .fallback = "none"},
    CLI_STATES_ROW(struct values, states),
    {"require", BERTH_FIELD(struct values, require), .argument = "LIST",
     .help = CLI_REQUIRE_HELP "; how many of the poses looked at do is said", .fallback = "any"},
    {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
     .help = CLI_RECEPTOR_HELP, .fallback = "the one that run.json names"},
    {"poses", BERTH_FIELD(struct values, poses), .argument = "FILE", .help = "poses (SDF)",
     .fallback = "hits.sdf or poses.sdf of DIR"},
    {"scores", BERTH_FIELD(struct values, scores), .argument = "FILE",
     .help = "table of scores of these poses",
     .fallback = "scores.csv of DIR, or NAME.csv, or the tags of NAME.sdf"},
    {"scoring", BERTH_FIELD(struct values, scoring), .argument = "S",
     .help = "scoring function of the run", .fallback = "that of run.json, else vina"},
    {"view", BERTH_FIELD(struct values, view), .argument = "V", .words = "pymol chimerax",
     .help = "pymol or chimerax: a script beside the page that opens receptor, site, reference and "
             "poses, with their interactions drawn",
     .fallback = "none"},
    {"view_top", BERTH_FIELD(struct values, view_top), .argument = "N",
     .help = "poses of the page that PyMOL's script opens, the best; hundreds take minutes",
     .min = 1, .max = BERTH_PAGE_POSES_MAX},
    {"reference", BERTH_FIELD(struct values, reference), .argument = "FILE",
     .help = "molecule that the script opens, too", .fallback = "none"},
    CLI_CONFIG_ROW,
    {0}};

static enum berth_status execute(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    char path[PATH_MAX];
    (void)code;
    const struct berth_page_settings settings = {.folder = values->folders.items[0],
                                                 .run = values->run,
                                                 .poses = values->poses,
                                                 .scores = values->scores,
                                                 .receptor = values->receptor,
                                                 .scoring = values->scoring,
                                                 .actives = values->actives,
                                                 .states = values->states,
                                                 .require = values->require,
                                                 .view = values->view,
                                                 .reference = values->reference,
                                                 .out = values->out,
                                                 .methods = values->methods,
                                                 .top = (size_t)values->top,
                                                 .view_top = (size_t)values->view_top,
                                                 .log = cli_log(),
                                                 .stop = cli_stop()};
    cli_catch_signals();
    const enum berth_status status = berth_page_write(&settings, path, error);
    if (!status && values->methods && strcmp(values->methods, "-") == 0) {
        cli_say("the report: %s", path);
    } else if (!status) {
        cli_print("the report: %s", path);
    }
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct values values = {.top = BERTH_PAGE_POSES, .view_top = BERTH_PAGE_VIEWED};
    return cli_run(&USAGE, OPTIONS, &values, execute, argc, argv);
}
