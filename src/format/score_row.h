/* What is said of a docked pose: one list of columns of a table and tags of a structure. */
#ifndef BERTH_FORMAT_SCORE_ROW_H
#define BERTH_FORMAT_SCORE_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "format/receptor_names.h"
#include "score/pose.h"

/* All energies are in kJ/mol, or in the scoring's own unit; everything is borrowed. */
struct berth_score_row {
    long long ordinal; /* the ligand's place in the input, from 0; negative: unknown */
    const char *ligand;
    size_t rank; /* of the ligand among all that were docked, from 1; 0: unknown */
    size_t mode; /* rank of the pose among the ligand's, from 1 */
    const struct berth_pose *pose;
    const struct berth_term_names *names; /* of the terms */
    const struct berth_judges *judges;    /* NULL: one function, and no ranking */
    double ranking;                       /* what the run's makes of the ligand */
    size_t heavy_atoms;
    size_t conformers;  /* 0: unknown */
    const char *device; /* that docked it; NULL: unknown */
    /* Of a run to several receptors, else NULL: their names, and the best score of the ligand in
     * each, NAN where it has none. */
    const struct berth_receptor_names *receptors;
    const double *receptor_scores;
};

/* Columns and tags, with room for all terms and receptors that there can be. */
enum {
    BERTH_SCORE_FIELDS = 24 + BERTH_FUNCTIONS_MAX + BERTH_LEARNED_MAX + BERTH_TERMS_MAX +
                         BERTH_PART_COUNT + BERTH_RESTRAINTS_MAX + BERTH_RECEPTORS_MAX
};

/* Whose fields a table has; borrowed. */
struct berth_score_columns {
    const struct berth_term_names *terms;
    const struct berth_receptor_names *receptors; /* NULL: there is one */
    const struct berth_judges *judges;            /* NULL: as of a row */
};

/* The name of a field, in order; NULL where it is that of a term, a receptor, a function or a model
 * that there is not. */
const char *berth_score_name(size_t field, const struct berth_score_columns *columns);

/* What a ranking calls the field; NULL where it may not look at it: it is no number, or is worked
 * out after the ranking. */
const char *berth_score_rankable(size_t field, const struct berth_score_columns *columns);

/* True where the field is an output of a model. */
bool berth_score_is_learned(size_t field);

/* A field as a ranking looks at it; NAN: it is not known.  A part of the energy that the pose does
 * not have is 0; functions count what open sites of metals are worth to it, and displaced waters.
 */
double berth_score_cell(size_t field, const struct berth_score_row *row);

/* The columns of the row's table. */
struct berth_score_columns berth_score_row_columns(const struct berth_score_row *row);

/* Any finite number with four decimals: a sign, 309 digits, a point, and the 0 at the end. */
enum { BERTH_SCORE_NUMBER_SIZE = 320 };

/* A row as texts, "" where nothing is known; those of numbers stand in `numbers`, which is why the
 * struct is not to be copied. */
struct berth_score_texts {
    const char *texts[BERTH_SCORE_FIELDS];
    char numbers[BERTH_SCORE_FIELDS][BERTH_SCORE_NUMBER_SIZE];
};

void berth_score_row_texts(const struct berth_score_row *row, struct berth_score_texts *texts);

#endif
