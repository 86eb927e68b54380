/* How early rankings of ligands find the actives among them: measures, their confidence, and how
 * sure it is that one ranking is better than another.
 *
 * A ranking is a score for each ligand, the lower the better.  Ligands of equal score count as the
 * mean over all their orders (under ROC curves: as a straight line), so that no measure depends on
 * the order of the input.  docs/evaluation.md has the formulas and where they are from. */
#ifndef BERTH_EVAL_SCREEN_ENRICHMENT_H
#define BERTH_EVAL_SCREEN_ENRICHMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/statistics.h"

enum berth_measure {
    BERTH_ROC_AREA,
    BERTH_EF_05, /* enrichment factors at these percentages of the ligands */
    BERTH_EF_1,
    BERTH_EF_2,
    BERTH_EF_5,
    BERTH_EF_10,
    BERTH_BEDROC_20, /* by alpha */
    BERTH_BEDROC_80,
    BERTH_LOG_AREA, /* under the ROC curve over the logarithm of the share of decoys from 0.001 on,
                       0 to 1; by chance 0.1446 */
    BERTH_MEASURES
};

struct berth_measure_text {
    const char *name;  /* for tables: "roc_area", "ef_0.5", ... "bedroc_20", "log_area" */
    const char *title; /* for people: "ROC area", "EF0.5 %" ... */
};
extern const struct berth_measure_text BERTH_MEASURE[BERTH_MEASURES];

/* The shares of the ligands that EF is given at, in 1/1000, and how many of `count` ligands they
 * are, rounded up. */
enum { BERTH_EARLY_SHARES = 5 };
extern const int BERTH_EARLY_PERMILLE[BERTH_EARLY_SHARES];
size_t berth_early_count(size_t share, size_t count);

/* Fewer actives have intervals that are too narrow; of fewer ligands an EF is coarse. */
enum { BERTH_FEW = 10 };

/* The EF of so few ligands that one active more or less makes another figure: "EF1 % (first 2; one
 * active is 5.6), ..."; "": none. */
enum { BERTH_COARSE_TEXT = 256 };
void berth_enrichment_coarse(size_t actives, size_t ligands, char text[BERTH_COARSE_TEXT]);

/* Rankings of the same ligands; everything is borrowed. */
struct berth_rankings {
    const bool *active;          /* [ligands]; at least one is, and one is not */
    size_t ligands;              /* below 2^32 */
    const double *const *scores; /* [count][ligands]; infinity: last; no NAN */
    size_t count;
};

/* Of a measure, and the two-sided probability of a difference as large where there is none. */
struct berth_difference {
    struct berth_estimate estimate;
    double p;
};

struct berth_enrichment; /* opaque */

/* Measures all rankings, and resamples actives and decoys, each among themselves, with replacement,
 * `resamples` times (at least 2), the same for all rankings; decided by the seed.  The caller
 * destroys *enrichment, also after an error.  Errors: BERTH_E_USAGE (no active or no decoy),
 * BERTH_E_MEMORY. */
enum berth_status berth_enrichment_create(const struct berth_rankings *rankings, size_t resamples,
                                          uint64_t seed, struct berth_enrichment **enrichment,
                                          struct berth_error *error);

#define BERTH_NO_RANKING SIZE_MAX

/* What one ranking has of a measure, or (other is one, too) how much more than another, by paired
 * resamples.  Bounds (NAN where memory is out) are the percentiles 2.5 and 97.5 of the resamples; p
 * is of the normal distribution, for the value in units of the resamples' standard deviation, and
 * never below what that many resamples can tell (see berth_p_print). */
struct berth_difference berth_enrichment_of(const struct berth_enrichment *enrichment,
                                            size_t ranking, size_t other,
                                            enum berth_measure measure);

/* The measures whose differences are tested. */
enum { BERTH_TESTED_MEASURES = 3 };
extern const enum berth_measure BERTH_TESTED[BERTH_TESTED_MEASURES];

/* Whether a ranking has more of one of them than another by more than chance (p < 0.05), and less
 * of none; less of one, and more of none; more of one and less of another; or neither. */
enum berth_in_place {
    BERTH_STANDING_NEITHER,
    BERTH_STANDING_BETTER,
    BERTH_STANDING_WORSE,
    BERTH_STANDING_MIXED
};

/* worse: of the first measure that it has less of, "ROC area -0.261, p < 0.0005"; else "". */
enum { BERTH_WORSE_TEXT = 80 };
enum berth_in_place berth_enrichment_standing(const struct berth_enrichment *enrichment,
                                              size_t ranking, size_t other,
                                              char worse[BERTH_WORSE_TEXT]);

/* "p 0.032", or "p < 0.0005" where it is the least that so many resamples can tell, which is
 * 1 / (resamples + 1). */
enum { BERTH_P_TEXT = 24 };
void berth_p_print(const struct berth_enrichment *enrichment, double p, char text[BERTH_P_TEXT]);

/* NULL is accepted. */
void berth_enrichment_destroy(struct berth_enrichment *enrichment);

/* "0.782 (0.713 to 0.845)", with the decimals that the measure has; a difference with its signs;
 * "1.000 (no interval)" where all resamples have the same, which is no certainty. */
enum { BERTH_ESTIMATE_TEXT = 64 };
void berth_estimate_print(const struct berth_estimate *estimate, enum berth_measure measure,
                          bool difference, char text[BERTH_ESTIMATE_TEXT]);

/* A point of a ROC curve: shares, 0 to 1, of decoys and of actives that were found. */
struct berth_roc_point {
    double decoys, actives;
};

/* The corners of the curve, from (0, 0) to (1, 1), *count of them; the caller frees *points.
 * Errors: as berth_enrichment_create. */
enum berth_status berth_roc_curve(const bool *active, const double *scores, size_t ligands,
                                  struct berth_roc_point **points, size_t *count,
                                  struct berth_error *error);

/* The ranks of scores, from 1; equal scores have the mean of theirs.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ranks(const double *scores, size_t count, double *ranks,
                              struct berth_error *error);

/* The area under the ROC curve in which each active counts by its weight (above 0; decoys have 0).
 * Errors: as berth_enrichment_create. */
enum berth_status berth_weighted_roc_area(const double *weights, const double *scores,
                                          size_t ligands, double *area, struct berth_error *error);

/* Scores by which size alone ranks, which is what a ranking has to beat: the sizes (heavy atoms or
 * masses; NAN: not known, comes last; all [ligands]) so that the largest come first or, where that
 * has the larger ROC area, the smallest.  scores may be sizes.  Errors: as berth_enrichment_create.
 */
enum berth_status berth_rank_by_size(const bool *active, const double *sizes, size_t ligands,
                                     double *scores, bool *smallest, struct berth_error *error);

#endif
