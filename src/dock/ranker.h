/* What judges the poses of a run: its scoring functions, and the rankings that poses and ligands
 * are ordered by. */
#ifndef BERTH_DOCK_RANKER_H
#define BERTH_DOCK_RANKER_H

#include "dock/typed_receptor.h"
#include "format/model.h"
#include "score/fields.h"
#include "score/ranking.h"

struct berth_rescorer;

/* What the confidence in a first mode may look at beside what rankings may: how the ligand's other
 * modes stand to it (dock/confidence.h), what ranks the
 * first, `pose_ranking`, then `gap`, `agree`, and of each function `gap_FUNCTION`. */
enum {
    BERTH_BESIDE_RANKING,
    BERTH_BESIDE_GAP,
    BERTH_BESIDE_AGREE,
    BERTH_BESIDE_GAPS,
    BERTH_BESIDE = BERTH_BESIDE_GAPS + BERTH_FUNCTIONS_MAX
};

struct berth_ranker {
    const struct berth_scoring *functions[BERTH_FUNCTIONS_MAX]; /* borrowed; [names.count] */
    struct berth_judges names;
    struct berth_rescorer *rescorer; /* borrowed; the model that judges, too: set by who has it;
                                        NULL: none, or it has done so */
    struct berth_ranking *poses, *ligands;               /* owned; NULL: by score */
    struct berth_ranking *confidence;                    /* owned; NULL: there is none */
    struct berth_ranking_texts texts;                    /* of these */
    struct berth_known_field fields[BERTH_KNOWN_FIELDS]; /* that rankings may look at, as they count
                                                            columns; [field_count] */
    size_t field_count;
};

/* Judges by the receptor's functions and names what a model, or NULL, says.  ranking: NULL, or
 * what names one.  The caller clears *ranker, also after an error.  Errors: those of
 * berth_ranking_create; BERTH_E_USAGE (an output of the model has a name that is taken). */
enum berth_status berth_ranker_create(const struct berth_typed_receptor *receptor,
                                      const char *ranking, const struct berth_model *model,
                                      struct berth_ranker *ranker, struct berth_error *error);

/* The same where the names of functions, models and terms are known, but no more; poses and
 * ligands: expressions, NULL: by score. */
enum berth_status berth_ranker_recall(const struct berth_judges *functions,
                                      const struct berth_term_names *terms, const char *poses,
                                      const char *ligands, struct berth_ranker *ranker,
                                      struct berth_error *error);

/* True where the ranking looks at what a model says; NULL looks at nothing. */
bool berth_ranker_learns(const struct berth_ranker *ranker, const struct berth_ranking *ranking);

/* The pose as rankings look at it: a function that has no types for it adds nothing, nor does a
 * model that was not asked. */
struct berth_pose berth_ranker_pose(const struct berth_pose *pose);

/* Writes what a ranking looks at of a row to cells, and says how many numbers these are. */
size_t berth_ranker_cells(const struct berth_ranker *ranker, const struct berth_ranking *ranking,
                          const struct berth_score_row *row, double *cells);

/* What the confidence in a first mode is; NAN where it is no number. */
enum berth_status berth_ranker_confidence(const struct berth_ranker *ranker,
                                          const struct berth_score_row *row,
                                          const double beside[BERTH_BESIDE], double *confidence,
                                          struct berth_error *error);

/* A zeroed one is accepted. */
void berth_ranker_clear(struct berth_ranker *ranker);

#endif
