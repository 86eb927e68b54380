#include "base/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/locale.h"
#include "base/memory.h"

size_t berth_processors(void)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (size_t)processors : 1;
}

/* A piece, and the thread that does it. */
struct piece {
    void (*work)(void *context, size_t k);
    void *context;
    size_t k;
    pthread_t thread;
    bool threaded;
};

static void *do_piece(void *context)
{
    BERTH_IN_C_LOCALE;
    const struct piece *piece = context;
    piece->work(piece->context, piece->k);
    return NULL;
}

void berth_in_parallel(size_t pieces, void (*work)(void *context, size_t k), void *context)
{
    struct piece *all = berth_alloc(pieces, sizeof *all);
    for (size_t k = 1; all && k < pieces; k++) {
        all[k] = (struct piece){.work = work, .context = context, .k = k};
        all[k].threaded = pthread_create(&all[k].thread, NULL, do_piece, &all[k]) == 0;
    }
    for (size_t k = 0; k < pieces; k++) {
        if (!k || !all || !all[k].threaded) {
            work(context, k);
        }
    }
    for (size_t k = 1; all && k < pieces; k++) {
        if (all[k].threaded) {
            pthread_join(all[k].thread, NULL);
        }
    }
    free(all);
}
