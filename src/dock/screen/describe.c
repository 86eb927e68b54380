/* What the journal of a screen says of it. */
#include <math.h>
#include <string.h>

#include "dock/describe.h"
#include "dock/screen/screen.h"
#include "format/failures.h"

/* A library, or what makes it: a hash stands for what is longer than a line. */
static enum berth_status add_library(struct berth_screen *run, struct berth_error *error)
{
    struct berth_bytes *text = &run->identity;
    char digest[BERTH_SHA256_TEXT];
    if (run->preparation) {
        const char *note = berth_screen_preparation_note(run->preparation);
        berth_run_digest(note, digest);
        berth_run_line(text, "prepare = %s", note);
        berth_run_line(text, "prepare_hash = %s", digest);
        BERTH_TRY(berth_screen_preparation_hash(run->preparation, digest, error));
        berth_run_line(text, "input_hash = %s", digest);
        return BERTH_OK;
    }
    unsigned char bytes[BERTH_LIBRARY_HASH_SIZE];
    BERTH_TRY(berth_library_hash(run->library, bytes, error));
    berth_sha256_print(bytes, digest);
    berth_run_line(text, "library = %s", digest);
    berth_run_line(text, "ligands = %llu",
                   (unsigned long long)berth_library_info(run->library).ligands);
    return BERTH_OK;
}

/* A library that was prepared, and what of the molecules is not in it. */
static void add_prepared(const struct berth_screen *run, struct berth_bytes *facts)
{
    const char *path = run->settings.library_path;
    size_t failed, dropped;
    berth_run_path(facts, "library", path);
    if (strncmp(berth_library_info(run->library).note, BERTH_LIBRARY_NOTE,
                strlen(BERTH_LIBRARY_NOTE)) != 0) {
        return;
    }
    berth_failures_count(path, &failed, &dropped);
    if (failed) {
        berth_run_line(facts, "prepare_failed = %zu", failed);
    }
    if (dropped) {
        berth_run_line(facts, "prepare_dropped = %zu", dropped);
    }
}

/* What else is known of the run: a run that goes on may differ in it. */
static void add_facts(struct berth_screen *run)
{
    struct berth_bytes *facts = &run->facts;
    if (run->preparation) {
        berth_run_line(facts, "molecules = %s", run->settings.library_path);
    } else {
        add_prepared(run, facts);
    }
    berth_run_known(run->settings.receptors, facts);
    berth_run_line(facts, "search = %s", run->settings.level);
    berth_run_line(facts, "top = %zu", run->settings.top);
    if (isfinite(run->settings.modes.max_clash)) {
        berth_run_line(facts, "max_clash = %.15g", run->settings.modes.max_clash);
    }
    if (run->settings.require) {
        berth_run_line(facts, "require = %s", run->settings.require);
    }
    berth_bytes_put8(facts, 0);
}

enum berth_status berth_screening_describe(struct berth_screen *run, struct berth_error *error)
{
    const struct berth_screen_settings *settings = &run->settings;
    struct berth_bytes *text = &run->identity;
    const struct berth_run_identity identity = {.receptors = settings->receptors,
                                                .site = &settings->site,
                                                .scoring = settings->scoring,
                                                .search = &settings->search,
                                                .modes = &settings->modes,
                                                .variant = settings->variant,
                                                .judging = settings->judging,
                                                .rescore = settings->rescore,
                                                .rescore_top = settings->rescore_top,
                                                .text = text};
    BERTH_TRY(berth_run_identify_target(&identity, error));
    BERTH_TRY(add_library(run, error));
    BERTH_TRY(berth_run_identify_search(&identity, error));
    berth_run_line(text, "shard = %llu/%llu", (unsigned long long)settings->shard.number,
                   (unsigned long long)settings->shard.count);
    berth_bytes_put8(text, 0);
    add_facts(run);
    return text->failed || run->facts.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}
