#include "screen/campaign.h"

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
    const struct berth_field *fields = step->answer.fields; /* "ok", what comes next, of where */
    if (step->answer.count < 3) {
        return berth_fail(error, BERTH_E_IO, "the RDKit worker does not speak its protocol");
    }
    step->ends = strcmp(fields[1].data, "done") == 0;
    step->screen = strcmp(fields[1].data, "dock") == 0 ? fields[2].data : NULL;
    step->failed = step->ends && fields[2].size;
    step->said = fields + 3;
    step->said_count = step->answer.count - 3;
    return BERTH_OK;
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
