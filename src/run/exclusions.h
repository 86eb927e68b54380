/* What a run cannot do at once, and what says nothing alone: one table, from which the errors and
 * the manual come. */
#ifndef BERTH_RUN_EXCLUSIONS_H
#define BERTH_RUN_EXCLUSIONS_H

#include "options/options.h"

/* What a run is asked to do, as far as options alone do not say. */
struct berth_choices {
    const struct berth_options *options;
    bool receptors; /* there are several */
    bool functions; /* several rank */
    bool metals;    /* sites of metals pull donors */
};

/* Errors: BERTH_E_USAGE, with the option, where two exclude each other or one lacks what it is
 * about. */
enum berth_status berth_choices_check(const struct berth_choices *choices,
                                      struct berth_error *error);

/* A row of the table. */
struct berth_exclusion {
    unsigned runs;       /* that it holds for */
    const char *refused; /* options, with blanks between, each of which is refused */
    const char *beside;  /* likewise, where one of these is given */
    const char *why;
    bool lone; /* rather where none of these is given */
};

/* By its number from 0; behind the last one `why` is NULL. */
struct berth_exclusion berth_exclusion_at(size_t number);

#endif
