/* What the files of the page share: page.c puts it together, page_tables.c reads the tables,
 * page_hits.c looks at the poses, page_source.c finds both, page_space.c says where their atoms
 * are. */
#ifndef BERTH_REPORT_PAGE_INTERNAL_H
#define BERTH_REPORT_PAGE_INTERNAL_H

#include <limits.h>

#include "base/bytes.h"
#include "base/text_set.h"
#include "eval/screen/scores.h"
#include "score/scoring.h"
#include "format/csv.h"
#include "format/json.h"
#include "score/receptor_names.h"
#include "format/run_card.h"
#include "prep/worker.h"
#include "dock/requirement.h"
#include "report/methods.h"
#include "report/page.h"
#include "report/places.h"
#include "report/store/store.h"
#include "report/viewer.h"

struct page {
    const struct berth_page_settings *settings;
    bool named; /* the settings name a file of poses, with its table beside it, not a folder */
    struct berth_run_files files;
    char *scores_text, *failures_text; /* owned; of a database, or of tags: the tables; NULL: these
                                          are the files */
    struct berth_sqlite *sqlite;       /* owned; the database of its run; NULL: there is none */
    struct berth_run_poses source;     /* of the poses */
    char receptor[PATH_MAX], receptor_of[BERTH_RECEPTOR_NAME_SIZE]; /* of: of several, its name */
    char docked_into[PATH_MAX]; /* the run's receptor; "": not known */
    char ranked_by[24];         /* the table's column that ranks; "": there is no table */
    bool has_first;             /* the first pose was looked at, for its receptor */
    struct berth_run_card run;  /* nothing is known: there is none */
    struct berth_scoring scoring;
    struct berth_methods_counts told; /* for the methods */
    bool counted;                     /* there is a table of scores, of which they are */
    struct berth_text_set drawn; /* SMILES of the hits' first modes, where the table has none */
    size_t drawn_count;          /* of these modes */
    bool has_smiles;             /* the table */
    struct berth_json json;      /* the page's data, on its way */
    /* What poses are looked at with; NULL or empty where it is not there. */
    bool has_complex;
    struct berth_complex complex;
    struct berth_requirements required; /* what poses must make */
    bool *met; /* owned; [the receptor's residues]: a pose meets it; NULL: there is none yet */
    struct berth_heavy_atoms heavy; /* of the receptor, typed; empty: not for this function */
    struct berth_rdkit rdkit;
    struct berth_worker *worker;
    struct berth_viewer *viewer;
    size_t view_top;     /* poses that its script opens, the best, at most */
    double worst_viewed; /* score that the best poses of the script's ligands have, at most */
};

/* The best pose of the ligand that rows or poses are being read of. */
struct page_best {
    double ordinal, score; /* of the ligand in its input; what ranks */
};

/* Notes the next row or pose: `further` ones of a ligand, which follow its best, have its score;
 * of those whose best is not there each counts as one. */
void page_best_note(struct page_best *best, bool further, double ordinal, double score);

/* --- Parts of the page; each appends members of its data --- */

/* Reads the table of scores: how many, histogram, energy against size, the ROC curve.  *worst: the
 * score that the best poses of the page's ligands have, at most; so page->worst_viewed.  Errors:
 * those of reading; BERTH_E_MEMORY. */
enum berth_status page_scores_write(struct page *page, double *worst, struct berth_error *error);

/* Finds where the run's tables and poses are, and what its card says.  Errors: those of reading;
 * BERTH_E_IO (no table of scores), BERTH_E_USAGE. */
enum berth_status page_sources_find(struct page *page, struct berth_error *error);

/* Opens a table of that path and text.  Errors: those of reading. */
enum berth_status page_table_open(const char *path, const char *text, struct berth_csv **csv,
                                  struct berth_error *error);

/* The first rows of a table, `most` at most, as they stand, under a name; the page says how many
 * there are.  Errors: as above. */
enum berth_status page_table_write(struct page *page, const char *name, const char *path,
                                   size_t most, struct berth_error *error);

/* The reasons of the failures, most frequent first.  Errors: as above. */
enum berth_status page_reasons_write(struct page *page, struct berth_error *error);

/* The poses whose score is at most `worst`, settings->top of them.  Errors: as above. */
enum berth_status page_hits_write(struct page *page, double worst, struct berth_error *error);

/* Where the pose's atoms are, as members of its hit. */
void page_space_write(struct page *page, const struct berth_molecule *pose);

/* Notes the residues that a pose meets; and, behind all poses, writes where their atoms are.
 * Errors: BERTH_E_MEMORY. */
enum berth_status page_space_meet(struct page *page, const struct berth_interactions *found,
                                  struct berth_error *error);
enum berth_status page_space_pocket(struct page *page, struct berth_error *error);

#endif
