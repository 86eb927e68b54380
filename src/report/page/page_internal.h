/* What the files of the page share: page.c puts it together, scores.c reads the table of scores,
 * hits.c looks at the poses, redock.c takes over
 * what redocking wrote, reasons.c counts the failures. */
#ifndef BERTH_REPORT_PAGE_PAGE_INTERNAL_H
#define BERTH_REPORT_PAGE_PAGE_INTERNAL_H

#include <limits.h>

#include "base/bytes.h"
#include "format/output.h"
#include "prep/worker.h"
#include "eval/interactions.h"
#include "report/page/json.h"
#include "report/page/page.h"
#include "report/viewer.h"
#include "score/scoring.h"

struct page {
    const struct berth_page_settings *settings;
    char scores[PATH_MAX], poses[PATH_MAX], failures[PATH_MAX]; /* "": there is none */
    char redock[PATH_MAX]; /* the table of redocking, where that is what the folder holds */
    char pockets[PATH_MAX], agreed[PATH_MAX]; /* tables of a docking to a whole surface; "" */
    char receptor[PATH_MAX];
    struct berth_bytes run; /* of run.json, with a 0 at the end; empty: there is none */
    struct berth_scoring scoring;
    struct berth_output *output;
    /* What poses are looked at with; NULL or empty where it is not there. */
    bool has_target;
    struct berth_interaction_target target;
    struct berth_heavy_atoms heavy; /* of the receptor, typed; empty: not for this function */
    struct berth_rdkit rdkit;
    struct berth_worker *worker;
    struct berth_viewer *viewer;
};

/* --- Parts of the page; each appends members of an object, with a comma in front of each --- */

/* Reads the table of scores: how many, histogram, energy against size, the ROC curve.  *worst: the
 * score that the hits of the page have, at most.  Errors: those of reading; BERTH_E_MEMORY. */
enum berth_status page_scores_write(const struct page *page, double *worst,
                                    struct berth_error *error);

/* A table that the page shows, under a name. */
struct page_table {
    const char *name, *path;
    size_t most; /* rows, from the first on; the page says how many there are */
};

/* A table of the folder as it stands.  Errors: as above. */
enum berth_status page_table_write(const struct page *page, const struct page_table *table,
                                   struct berth_error *error);

/* What redocking left.  Errors: as above. */
enum berth_status page_redock_write(const struct page *page, struct berth_error *error);

/* The reasons of the failures, most frequent first.  Errors: as above. */
enum berth_status page_reasons_write(const struct page *page, struct berth_error *error);

/* The poses whose score is at most `worst`, settings->top of them.  Errors: as above. */
enum berth_status page_hits_write(struct page *page, double worst, struct berth_error *error);

#endif
