#include "screen/campaign.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/output.h"
#include "format/run_json.h"
#include "screen/join.h"

/* Seconds of processor time for a step: that a model is fitted to a million molecules, and asked
 * about a thousand millions. */
static const double STEP_LIMIT = 1e6;

enum berth_status berth_campaign_open(struct berth_campaign *campaign, const atomic_bool *cancel,
                                      struct berth_error *error)
{
    const struct berth_worker_setup setup = {.rdkit = &campaign->rdkit, .cancel = cancel};
    BERTH_TRY(berth_rdkit_find(&campaign->rdkit, error));
    return berth_worker_create(&setup, &campaign->worker, error);
}

enum berth_status berth_campaign_next(struct berth_campaign *campaign,
                                      struct berth_campaign_step *step, struct berth_error *error)
{
    double used = 0;
    const struct berth_request request = {
        .fields = {berth_text_field("campaign"), berth_text_field(campaign->settings),
                   berth_text_field(campaign->folder), berth_text_field(campaign->library)},
        .count = 4,
        .limit = STEP_LIMIT,
        .used = &used};
    BERTH_TRY(berth_worker_ask(campaign->worker, &request, &step->answer, error));
    const struct berth_field *fields = step->answer.fields; /* "ok", what comes next, of what */
    const size_t count = step->answer.count;
    const bool ends = count > 1 && strcmp(fields[1].data, "done") == 0;
    const size_t known = ends ? 5 : 3;
    if (count < known) {
        return berth_fail(error, BERTH_E_IO, "the RDKit worker does not speak its protocol");
    }
    step->rounds = ends ? fields[2].data : NULL;
    step->failed = ends && fields[3].size;
    step->found = ends ? fields[4].data : NULL;
    step->screen = strcmp(fields[1].data, "dock") == 0 ? fields[2].data : NULL;
    step->said = fields + known;
    step->said_count = count - known;
    return BERTH_OK;
}

/* Finds the rounds: their folders, and their table. */
static enum berth_status find_rounds(const struct berth_campaign *campaign, const char *rounds,
                                     char (**folders)[PATH_MAX], struct berth_joined **screens,
                                     size_t *count, struct berth_error *error)
{
    const size_t most = strlen(rounds) / 2 + 1;
    BERTH_TRY(berth_make(folders, most, sizeof **folders, NULL, error));
    BERTH_TRY(berth_make(screens, most, sizeof **screens, NULL, error));
    for (char *end; *rounds; rounds = end + (*end == ' ')) {
        struct berth_joined *screen = &(*screens)[*count];
        char name[32];
        screen->number = strtoul(rounds, &end, 10);
        screen->folder = (*folders)[(*count)++];
        snprintf(name, sizeof name, "round-%zu", screen->number);
        BERTH_TRY(berth_path_in(campaign->folder, name, (*folders)[*count - 1], PATH_MAX, error));
    }
    return BERTH_OK;
}

enum berth_status berth_campaign_join(const struct berth_campaign *campaign,
                                      const struct berth_campaign_step *step, size_t top,
                                      struct berth_error *error)
{
    char(*folders)[PATH_MAX] = NULL, unreadable[PATH_MAX], path[PATH_MAX];
    struct berth_joined *screens = NULL;
    struct berth_run_card card = {.failed = false};
    struct berth_join join = {.folder = campaign->folder,
                              .column = "round",
                              .named = true,
                              .together = true,
                              .top = top,
                              .failures = unreadable,
                              .card = &card};
    enum berth_status status =
        find_rounds(campaign, step->rounds, &folders, &screens, &join.count, error);
    join.screens = screens;
    if (!status && !join.count) {
        status = berth_fail(error, BERTH_E_IO, "%s: the campaign has no round", campaign->folder);
    }
    BERTH_THEN(
        berth_path_in(campaign->folder, "unreadable.csv", unreadable, sizeof unreadable, error));
    BERTH_THEN(berth_path_in(screens[join.count - 1].folder, "run.json", path, sizeof path, error));
    BERTH_THEN(berth_run_json_read(path, NULL, &card, error));
    if (!status) {
        card.campaign = step->found;
        status = berth_join_screens(&join, error);
    }
    berth_run_card_clear(&card);
    free(screens);
    free(folders);
    return status;
}

void berth_campaign_step_clear(struct berth_campaign_step *step)
{
    berth_answer_clear(&step->answer);
}

void berth_campaign_close(struct berth_campaign *campaign)
{
    berth_worker_destroy(campaign->worker);
    campaign->worker = NULL;
}
