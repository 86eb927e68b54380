#include <stdlib.h>

#include "api/api.h"
#include "base/locale.h"
#include "format/receptor_file.h"
#include "format/run_json.h"
#include "report/methods.h"

/* What a receptor file was made from; "": another kind of file, or no longer there. */
static const char *made_from(const char *path, struct berth_receptor *receptor)
{
    struct berth_error ignored;
    return berth_is_receptor_file(path) && !berth_receptor_read(path, receptor, &ignored)
               ? receptor->source
               : "";
}

enum berth_status berth_run_methods(const char *run_json, const struct berth_methods_counts *counts,
                                    void (*take)(void *context, const char *text), void *context,
                                    struct berth_error *error)
{
    BERTH_IN_C_LOCALE;
    struct berth_run_card card;
    struct berth_receptor receptor = {.source = NULL};
    struct berth_methods_facts facts = {.run = &card, .folder = "", .counted = counts};
    char *text = NULL;
    BERTH_TRY(BERTH_NEED(error, BERTH_ARGUMENT(run_json), BERTH_ARGUMENT(take)));
    berth_run_card_start(&card);
    berth_bytes_put_text(&card.json, run_json);
    enum berth_status status = card.json.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    if (!status) {
        berth_run_json_parse(&card);
        const char *path = card.files.receptor[0].of ? card.files.receptor[0].text : "";
        facts.docked_into = path;
        facts.made_from = made_from(path, &receptor);
        facts.counts = counts ? *counts : facts.counts;
        status = berth_methods_write(&facts, &text, error);
    }
    if (!status) {
        take(context, text);
    }
    free(text);
    berth_receptor_clear(&receptor);
    berth_run_card_clear(&card);
    return status;
}
