/* berth campaign: screens of what a model chooses, which learns from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "cli/common.h"
#include "cli/screen.h"
#include "dock/screen/campaign.h"
#include "dock/screen/results.h"
#include "format/output.h"
#include "report/store/store.h"
#include "score/ranking.h"
#include "score/ranking_file.h"

static const struct cli_usage USAGE = {
    "campaign", "--receptor SITE.brec|R.mol2 --library MOLECULES.smi --out DIR [options]",
    "Docks a random sample of a library, learns scores from it, docks what it predicts to be\n"
    "best, and learns again, until the budget is spent.  Held-out molecules of the sample say\n"
    "how many of the library's best have been found, with an interval.  Needs RDKit.  A\n"
    "campaign that was interrupted goes on with --resume."};

enum { SETTINGS = 1024 }; /* bytes of their text */

/* Seconds between lines that say how far a long step is. */
static const double PATIENCE = 10;

/* A campaign knows only the ligands that it has docked so far, and ranks those of all rounds
 * together. */
static enum berth_status check_rank(const char *rank, struct berth_error *error)
{
    struct berth_ranking_texts texts = {0};
    struct berth_ranking *ranking = NULL;
    enum berth_status status = rank ? berth_ranking_find(rank, &texts, error) : BERTH_OK;
    if (!status && texts.ligands) {
        status = berth_ranking_create("rank", texts.ligands, NULL, 0, &ranking, error);
    }
    if (!status && ranking && !berth_ranking_is_plain(ranking)) {
        status = berth_fail_option(
            error, BERTH_E_USAGE, "rank",
            "rank: z() and rank() depend on the other ligands, of which a campaign docks a part "
            "only; rank by a sum of the columns");
    }
    berth_ranking_destroy(ranking);
    berth_ranking_texts_clear(&texts);
    return status;
}

/* What speaks against it before anything is done. */
static enum berth_status check(const struct berth_screen_request *asked, struct berth_error *error)
{
    const struct {
        const char *option, *why;
        bool given;
    } refused[] = {
        {"stages", "dock its hits again", asked->stages != NULL},
        {"rescore",
         "a model of poses judges the best of a whole screen: dock the hits again with it",
         asked->screen.rescore != NULL},
        {"shard", "screen a round in shards with --choose_only, and merge them",
         asked->screen.shard != NULL}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (refused[i].given) {
            return berth_fail_option(error, BERTH_E_USAGE, refused[i].option,
                                     "%s: a campaign has none; %s", refused[i].option,
                                     refused[i].why);
        }
    }
    if (asked->screen.resume && asked->screen.overwrite) {
        return berth_fail_option(error, BERTH_E_USAGE, "overwrite",
                                 "resume and overwrite exclude each other");
    }
    BERTH_TRY(check_rank(asked->screen.rank, error));
    BERTH_TRY(asked->screen.db ? berth_store_check(asked->screen.db, error) : BERTH_OK);
    BERTH_TRY(berth_screen_folder_check(asked->screen.out, error));
    return berth_folder_make(asked->screen.out, error);
}

/* The settings as campaign.py takes them; begun: by this command, so that a worker that is started
 * anew goes on with it, whatever was asked for. */
static enum berth_status put_settings(const struct berth_campaign_request *values, bool begun,
                                      char text[SETTINGS], struct berth_error *error)
{
    const struct berth_screen_request *screen = &values->screen;
    const size_t jobs = screen->prepare.jobs;
    const int size = snprintf(
        text, SETTINGS,
        "budget=%s\nseek=%s\nsample=%s\nmodel=%s\nrounds=%lld\nexplore=%.15g\nrecall=%.15g\n"
        "seed=%llu\ntop=%zu\njobs=%zu\nresume=%d\noverwrite=%d\n",
        values->budget, values->seek, values->sample, values->model, values->rounds,
        values->explore, values->recall, (unsigned long long)screen->search.seed,
        (size_t)screen->screen.top, jobs ? jobs : berth_processors(),
        begun || screen->screen.resume, !begun && screen->screen.overwrite);
    return size < SETTINGS
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "budget",
                                   "budget, seek, sample, model: these texts are too long");
}

/* Screens what a round has chosen; the exit code. */
static int dock(const struct berth_campaign_request *values, const struct berth_parsed *parsed,
                const char *folder, double started)
{
    struct berth_screen_request round = values->screen;
    struct berth_error error;
    char molecules[PATH_MAX];
    if (berth_path_in(folder, "molecules.smi", molecules, sizeof molecules, &error)) {
        return cli_fatal(&error);
    }
    round.report = false;
    round.screen.db = NULL;
    round.screen.resume = true;
    round.screen.overwrite = false;
    round.screen.library = molecules;
    round.screen.out = folder;
    if (round.screen.time_limit > 0) {
        round.screen.time_limit = fmax(round.screen.time_limit - (berth_now() - started), 0.001);
    }
    return cli_screen(&round, parsed);
}

static void print_step(const struct berth_campaign_step *step)
{
    for (size_t i = 0; i < step->said_count; i++) {
        cli_print("%s", (const char *)step->said[i].data);
    }
    fflush(stdout);
}

/* Takes one step after the other; later: the settings of those behind the first; *code: the exit
 * code. */
static enum berth_status go_on(const struct berth_campaign_request *values,
                               const struct berth_parsed *parsed, struct berth_campaign *campaign,
                               const char *later, int *code, struct berth_error *error)
{
    const double started = berth_now();
    double next = started + PATIENCE;
    struct berth_campaign_step step = {.ends = false};
    enum berth_status status = BERTH_OK;
    while (!status && *code != CLI_FATAL && !step.ends) {
        status = berth_campaign_next(campaign, &step, error);
        if (status) {
            break;
        }
        campaign->settings = later;
        if (step.screen || step.ends || berth_now() > next) {
            print_step(&step);
            next = berth_now() + PATIENCE;
        }
        if (step.screen && values->choose_only) {
            cli_print("%s: screen its molecules.smi into it, and go on with --resume", step.screen);
            break;
        }
        if (step.screen) {
            const int round = dock(values, parsed, step.screen, started);
            *code = round == CLI_FATAL ? CLI_FATAL : CLI_DONE;
        }
    }
    if (!status && step.ends) {
        *code = step.failed ? CLI_SOME_FAILED : CLI_DONE;
        status = cli_screens_end(&values->screen, "campaign", error);
    }
    berth_campaign_step_clear(&step);
    return status;
}

static int run(struct berth_campaign_request *values, const struct berth_parsed *parsed)
{
    char settings[SETTINGS], later[SETTINGS];
    struct berth_campaign campaign = {.folder = values->screen.screen.out,
                                      .library = values->screen.screen.library,
                                      .settings = settings};
    struct berth_error error;
    int code = CLI_DONE;
    enum berth_status status = check(&values->screen, &error);
    BERTH_THEN(put_settings(values, false, settings, &error));
    BERTH_THEN(put_settings(values, true, later, &error));
    cli_catch_signals();
    BERTH_THEN(berth_campaign_open(&campaign, cli_stop(), &error));
    BERTH_THEN(go_on(values, parsed, &campaign, later, &code, &error));
    berth_campaign_close(&campaign);
    return status ? cli_fatal(&error) : code;
}

int cmd_campaign(int argc, char **argv)
{
    struct berth_campaign_request values = berth_campaign_request();
    struct berth_parsed parsed = {0};
    int code = cli_parse(&USAGE, BERTH_CAMPAIGN_TABLE, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        code = run(&values, &parsed);
    }
    berth_parsed_clear(&parsed);
    return code;
}
