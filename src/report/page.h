/* A run as one HTML page that holds all it shows: `berth report`. */
#ifndef BERTH_REPORT_PAGE_H
#define BERTH_REPORT_PAGE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/log.h"

/* Poses of a page: by default; at most, since each is up to 8 kB with its drawing and interactions.
 */
enum { BERTH_PAGE_POSES = 500, BERTH_PAGE_POSES_MAX = 1000 };

/* Poses of PyMOL's script, by default: it takes a second for 20, and minutes for 200, since
 * each pose adds its residues to objects that it copies. */
enum { BERTH_PAGE_VIEWED = 20 };

/* Everything is borrowed; NULL where nothing is asked for. */
struct berth_page_settings {
    const char *run;       /* of a database: see berth_store_open; NULL: the last */
    const char *folder;    /* a database of runs; or of the run: scores.csv, hits.sdf or poses.sdf,
                              run.json, failures.csv; or    redock.csv, redock.svg */
    const char *poses;     /* SDF; NULL: the folder's */
    const char *scores;    /* table; NULL: the folder's, or the one beside the poses */
    const char *receptor;  /* NULL: the one that run.json names */
    const char *scoring;   /* name; NULL: that of run.json, else the default */
    const char *actives;   /* names or molecules that are known to bind */
    bool states;           /* names say what is a state, too: NAME_1, NAME_2 ... */
    const char *require;   /* interactions that poses of the page must make (dock/requirement.h) */
    const char *view;      /* "pymol" or "chimerax": a script beside the page */
    const char *reference; /* molecule that the script opens, too */
    const char *out;       /* NULL: report.html in the folder */
    const char *methods; /* file for the paragraph for methods; "-": standard output; NULL: none */
    size_t top;          /* poses to show, at most (up to BERTH_PAGE_POSES_MAX) */
    size_t view_top;     /* of these PyMOL's script opens so many, the best, at most */
    const struct berth_log *log;
    const atomic_bool *stop; /* see berth_check_stop */
};

/* What it writes; script: the viewer's, "" without one. */
struct berth_page_files {
    char page[PATH_MAX], script[PATH_MAX];
};

/* Writes the page; *files gets the names.  What is missing (the receptor, RDKit, poses) is
 * left out of the page, and said.  Errors: those of reading and writing; BERTH_E_IO (no table of
 * scores); BERTH_E_USAGE (no such viewer or scoring function). */
enum berth_status berth_page_write(const struct berth_page_settings *settings,
                                   struct berth_page_files *files, struct berth_error *error);

#endif
