/* The paragraph of a run for a paper's methods section: what was docked, how it was prepared,
 * searched, held and judged, with the figures of the run and the papers of its functions.  What it
 * says is a template, data/report/methods.txt. */
#ifndef BERTH_REPORT_METHODS_H
#define BERTH_REPORT_METHODS_H

#include "report/places.h"

/* What is known of the run; everything is borrowed. */
struct berth_methods_facts {
    const struct berth_run_card *run;
    const char *folder;      /* of the run, where its library may be; "": not known */
    const char *docked_into; /* the receptor's file; "": not known */
    const char *made_from;   /* what that was made from; "": not known, or itself */
    bool counted;            /* these are known: */
    struct berth_methods_counts counts;
};

/* The paragraph as *text, which the caller frees; empty where the card says nothing of a docking.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_methods_write(const struct berth_methods_facts *facts, char **text,
                                      struct berth_error *error);

#endif
