/* Options of runs, for tests of the public functions. */
#ifndef TESTS_UNIT_MAKE_OPTIONS_H
#define TESTS_UNIT_MAKE_OPTIONS_H

#include <stdarg.h>
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
static inline berth_options *__attribute__((sentinel)) make_options(const char *run, ...)
{
    berth_options *options;
    va_list words;
    if (berth_options_create(run, &options, NULL)) {
        abort();
    }
    va_start(words, run);
    for (const char *name; (name = va_arg(words, const char *));) {
        set_option(options, name, va_arg(words, const char *));
    }
    va_end(words);
    return options;
}

#endif
