/* What the files of a fit share: read.c reads what is known, run.c fits, measures and writes what
 * came out. */
#ifndef BERTH_EVAL_FIT_FIT_INTERNAL_H
#define BERTH_EVAL_FIT_FIT_INTERNAL_H

#include "eval/fit/fit.h"
#include "eval/fit/logistic.h"
#include "eval/screen/enrichment.h"
#include "eval/screen/ligands.h"
#include "score/ranking.h"

/* The rankings that are measured: fitted to other folds; by the first function's score; the one to
 * be bettered, where its columns are there; by each built-in function alone, of ligands also over
 * their size; of ligands by heavy atoms. */
enum { FIT_FITTED, FIT_SCORE, FIT_AGAINST, FIT_RANKINGS = 20, FIT_LABEL = 64 };

/* Columns that an expression may name; measures of each ranking, of which the first decides; folds
 * of the cross-validation, and of that inside each, which chooses the penalty; how often units are
 * dealt out to folds, as what one deal shows another may not. */
enum { FIT_COLUMNS = 64, FIT_MEASURES = 4, FIT_FOLDS = 10, FIT_INNER_FOLDS = 5, FIT_DEALS = 5 };

/* Behind a function's name: its ranking of ligands over their size. */
#define FIT_OVER_SIZE " over size"

/* What is written to settings->out. */
enum { FIT_SUMMARY, FIT_TABLE, FIT_WEIGHTS, FIT_RANK, FIT_FILES };
extern const char *const FIT_FILE[FIT_FILES];

/* A pose, or a ligand's first mode. */
struct fit_row {
    char *name;       /* owned; of the complex or ligand */
    const char *kept; /* borrowed; what it stays together with in folds: that name, or a scaffold */
    size_t at;        /* its place in the cells */
    size_t list;      /* the poses of a file, the rows of a ligand; rising */
    size_t unit;      /* the number of `kept` */
    bool positive;    /* a right pose, an active */
};

struct fit_term {
    char *text;      /* owned; an expression */
    double *x;       /* owned; [rows]: what it is, less the mean, over its deviation */
    double scale;    /* the deviation; of poses within their list */
    double weight;   /* of the text, not of x; the first one above 0 is 1 */
    double share[3]; /* 0 .. 1: of the sum of the weights of x; its bounds over the folds */
};

struct fit_measure {
    const char *name, *title; /* for tables, for people */
    int decimals;
    struct berth_estimate values[FIT_RANKINGS];
    struct berth_estimate gains[FIT_RANKINGS]; /* of the fitted one over each */
};

/* What is fitted: how ligands are ordered, or poses. */
struct fit_part {
    bool ligands;
    const char *source;                  /* borrowed: where its rows are from */
    struct berth_ranking_texts before;   /* the ranking to be bettered */
    const char *before_name;             /* borrowed */
    const char *labels[FIT_RANKINGS];    /* borrowed: what the rankings are called */
    char alone[FIT_RANKINGS][FIT_LABEL]; /* what some of these point to */
    size_t compared, rankings;           /* the first ones, not by one thing alone; all */
    size_t size;                         /* the ranking by heavy atoms; 0: there is none */
    char *columns[FIT_COLUMNS];          /* owned */
    size_t places[FIT_COLUMNS];          /* of these in the table */
    size_t column_count, tag_count;      /* tag_count: of the pose whose columns they are */
    double *cells;                       /* owned: [rows][columns]; NAN: no number */
    struct fit_row *rows;                /* owned */
    size_t count, capacity, cell_capacity;
    struct fit_term terms[BERTH_FIT_TERMS_MAX];
    size_t term_count;
    double *values[FIT_RANKINGS];             /* owned: [rows]; lower is better */
    size_t list_count, unit_count, scaffolds; /* scaffolds: actives whose scaffold is known */
    size_t twins;    /* ligands that are the same molecule as another; with it they are one */
    bool *active;    /* owned: [units]: of actives */
    size_t known[2]; /* decoys and actives; complexes, and those with right poses and wrong ones */
    double penalty;  /* that the cross-validation of all chose */
    struct fit_measure measures[FIT_MEASURES];
    size_t measure_count, best; /* best: the unfitted ranking that has most of the first measure */
    size_t resamples;
    size_t gaining;               /* deals in which the gain over that is more than chance */
    bool shown;                   /* it is in all */
    enum berth_in_place standing; /* of the fitted ranking beside that by heavy atoms, */
    char worse[BERTH_WORSE_TEXT]; /* and by what it is worse */
    char *expression;             /* owned; NULL: no term tells right from wrong */
};

/* Reads what the settings name, and works out terms and unfitted rankings of each row.  The caller
 * clears *part, also after an error.  Errors: see berth_fit_run. */
enum berth_status fit_read(const struct berth_fit_settings *settings, bool ligands,
                           const struct berth_log *log, struct fit_part *part,
                           struct berth_error *error);
void fit_part_clear(struct fit_part *part);

/* Whether a column is a built-in scoring function's.  Others beside them are of models, or of files
 * that only the user can name. */
bool fit_is_function(const char *column);

/* Behind the last row of the list that begins with this row. */
size_t fit_list_end(const struct fit_part *part, size_t begin);

#endif
