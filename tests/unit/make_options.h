/* Options of runs, for tests of the public functions. */
#ifndef TESTS_UNIT_MAKE_OPTIONS_H
#define TESTS_UNIT_MAKE_OPTIONS_H

#include <stdio.h>
#include <stdlib.h>

#include "berth.h"

/* Sets an option that can be set; any thread may call it. */
static inline void set_option(berth_options *options, const char *name, const char *value)
{
    struct berth_error error;
    if (berth_options_set(options, name, value, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
}

/* Options of the run, set to names and values in turn, up to NULL: the caller's, to free. */
static inline berth_options *make_options_of(const char *run, const char *const *words)
{
    berth_options *options;
    if (berth_options_create(run, &options, NULL)) {
        abort();
    }
    for (; *words; words += 2) {
        set_option(options, words[0], words[1]);
    }
    return options;
}
#define make_options(run, ...) make_options_of(run, (const char *const[]){__VA_ARGS__, NULL})

#endif
