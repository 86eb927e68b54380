/* The card of a screen. */
#include <string.h>

#include "run/card.h"
#include "screen/screen.h"
#include "format/failures.h"

/* What makes the library: a hash stands for what is longer than a line. */
static enum berth_status fill_molecules(const struct berth_screen *screen,
                                        struct berth_run_card *card, struct berth_error *error)
{
    const char *note = berth_screen_preparation_note(screen->preparation);
    char digest[BERTH_SHA256_TEXT];
    card->files.molecules = berth_run_card_text(card, "%s", screen->run->options.library);
    card->identity.prepare = berth_run_card_text(card, "%s", note);
    card->identity.prepare_hash = berth_run_hash(card, note, strlen(note));
    BERTH_TRY(berth_screen_preparation_hash(screen->preparation, digest, error));
    card->identity.input_hash = berth_run_card_text(card, "%s", digest);
    return BERTH_OK;
}

/* A library, and what of the molecules that it was prepared of is not in it. */
static enum berth_status fill_library(const struct berth_screen *screen,
                                      struct berth_run_card *card, struct berth_error *error)
{
    const struct berth_library_info info = berth_library_info(screen->library);
    const char *path = screen->run->options.library;
    unsigned char bytes[BERTH_LIBRARY_HASH_SIZE];
    char digest[BERTH_SHA256_TEXT];
    size_t failed = 0, dropped = 0;
    BERTH_TRY(berth_library_hash(screen->library, bytes, error));
    berth_sha256_print(bytes, digest);
    card->identity.library = berth_run_card_text(card, "%s", digest);
    card->identity.ligands = (double)info.ligands;
    card->files.library = berth_run_card_path(card, path);
    if (strncmp(info.note, BERTH_LIBRARY_NOTE, strlen(BERTH_LIBRARY_NOTE)) == 0) {
        berth_failures_count(path, &failed, &dropped);
    }
    if (failed) {
        card->files.prepare_failed = (double)failed;
    }
    if (dropped) {
        card->files.prepare_dropped = (double)dropped;
    }
    return BERTH_OK;
}

enum berth_status berth_screening_describe(struct berth_screen *screen, struct berth_error *error)
{
    const struct berth_run *run = screen->run;
    struct berth_run_card *card = &screen->card;
    BERTH_TRY(screen->preparation ? fill_molecules(screen, card, error)
                                  : fill_library(screen, card, error));
    card->identity.shard =
        berth_run_card_text(card, "%llu/%llu", (unsigned long long)screen->shard.number,
                            (unsigned long long)screen->shard.count);
    card->files.top = (double)(size_t)run->options.top;
    return berth_run_describe(run, &run->site, card, error);
}
