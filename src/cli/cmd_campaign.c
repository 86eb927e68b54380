/* berth campaign: screens of what a model chooses, which learns from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "cli/common.h"
#include "cli/screen.h"
#include "screen/campaign.h"
#include "screen/results.h"
#include "format/output.h"
#include "report/store/store.h"
#include "run/exclusions.h"
#include "score/ranking.h"

static const struct cli_usage USAGE = {
    "campaign", "--receptor R.pdb|R.brec --library MOLECULES.smi --out DIR [options]",
    "Docks a random sample of a library, learns scores from it, docks what it predicts to be\n"
    "best, and learns again, until the budget is spent.  Needs RDKit.\n"
    "\n"
    "Held-out molecules of the sample say how many of the library's best have been found, with an\n"
    "interval.  A campaign that was interrupted goes on with --resume."};

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
static enum berth_status check(const struct berth_options *options, struct berth_error *error)
{
    const struct berth_choices choices = {.options = options};
    BERTH_TRY(berth_choices_check(&choices, error));
    BERTH_TRY(check_rank(options->rank, error));
    BERTH_TRY(options->db ? berth_store_check(options->db, error) : BERTH_OK);
    BERTH_TRY(berth_screen_folder_check(options->out, error));
    return berth_folder_make(options->out, error);
}

/* The settings as campaign.py takes them; begun: by this command, so that a worker that is started
 * anew goes on with it, whatever was asked for. */
static enum berth_status put_settings(const struct berth_options *options, bool begun,
                                      char text[SETTINGS], struct berth_error *error)
{
    const size_t jobs = options->prepare.jobs;
    const int size = snprintf(
        text, SETTINGS,
        "budget=%s\nseek=%s\nsample=%s\nmodel=%s\nrounds=%lld\nexplore=%.15g\nrecall=%.15g\n"
        "seed=%llu\ntop=%zu\njobs=%zu\nresume=%d\noverwrite=%d\n",
        options->budget, options->seek, options->sample, options->model, options->rounds,
        options->explore, options->recall, (unsigned long long)options->seed, (size_t)options->top,
        jobs ? jobs : berth_processors(), begun || options->resume, !begun && options->overwrite);
    return size < SETTINGS
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "budget",
                                   "budget, seek, sample, model: these texts are too long");
}

/* Screens what a round has chosen; the exit code. */
static int dock(const struct berth_options *options, const char *folder, double started)
{
    struct berth_options round = *options; /* which borrows all that it points to */
    struct berth_error error;
    char molecules[PATH_MAX];
    if (berth_path_in(folder, "molecules.smi", molecules, sizeof molecules, &error)) {
        return cli_fatal(&error);
    }
    round.report = false;
    round.db = NULL;
    round.resume = true;
    round.overwrite = false;
    round.library = molecules;
    round.out = folder;
    if (round.time_limit > 0) {
        round.time_limit = fmax(round.time_limit - (berth_now() - started), 0.001);
    }
    return cli_screen(&round);
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
static enum berth_status go_on(const struct berth_options *options, struct berth_campaign *campaign,
                               const char *later, int *code, struct berth_error *error)
{
    const double started = berth_now();
    double next = started + PATIENCE;
    struct berth_campaign_step step = {.rounds = NULL};
    enum berth_status status = BERTH_OK;
    while (!status && *code != CLI_FATAL && !step.rounds) {
        status = berth_campaign_next(campaign, &step, error);
        if (status) {
            break;
        }
        campaign->settings = later;
        if (step.screen || step.rounds || berth_now() > next) {
            print_step(&step);
            next = berth_now() + PATIENCE;
        }
        if (step.screen && options->choose_only) {
            cli_print("%s: screen its molecules.smi into it, and go on with --resume", step.screen);
            break;
        }
        if (step.screen) {
            const int round = dock(options, step.screen, started);
            *code = round == CLI_FATAL ? CLI_FATAL : CLI_DONE;
        }
    }
    if (!status && step.rounds) {
        *code = step.failed ? CLI_SOME_FAILED : CLI_DONE;
        status = berth_campaign_join(campaign, &step, (size_t)options->top, error);
        BERTH_THEN(cli_screens_end(options, "campaign", error));
    }
    berth_campaign_step_clear(&step);
    return status;
}

static int run(struct berth_options *options)
{
    char settings[SETTINGS], later[SETTINGS];
    struct berth_campaign campaign = {
        .folder = options->out, .library = options->library, .settings = settings};
    struct berth_error error;
    int code = CLI_DONE;
    enum berth_status status = check(options, &error);
    BERTH_THEN(put_settings(options, false, settings, &error));
    BERTH_THEN(put_settings(options, true, later, &error));
    cli_catch_signals();
    BERTH_THEN(berth_campaign_open(&campaign, cli_stop(), &error));
    BERTH_THEN(go_on(options, &campaign, later, &code, &error));
    berth_campaign_close(&campaign);
    return status ? cli_fatal(&error) : code;
}

int cmd_campaign(int argc, char **argv)
{
    struct berth_options options;
    int code = cli_options(&USAGE, argc, argv, &options);
    code = code == CLI_GO_ON ? run(&options) : code;
    berth_options_clear(&options);
    return code;
}
