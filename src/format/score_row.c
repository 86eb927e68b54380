#include "format/score_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "score/terms.h"

/* The columns and tags: a further one is a line here, one of COLUMNS, one of score/terms.h, and
 * its text. */
enum field {
    ORDINAL,
    LIGAND,
    RANK,
    MODE,
    RECEPTOR,
    SCORE,
    ENERGY,
    TERMS,
    PARTS = TERMS + BERTH_TERMS_MAX,
    CONFORMER_STRAIN = PARTS + BERTH_PART_COUNT,
    EFFICIENCY,
    RMSD,
    CLASH,
    CONFORMER,
    HEAVY_ATOMS,
    CONFORMERS,
    DEVICE,
    RECEPTOR_SCORES
};

/* Their names' numbers, but for those of terms, parts and receptors. */
static const enum berth_column COLUMNS[BERTH_SCORE_FIELDS] = {
    [ORDINAL] = BERTH_COLUMN_ORDINAL,
    [LIGAND] = BERTH_COLUMN_LIGAND,
    [RANK] = BERTH_COLUMN_RANK,
    [MODE] = BERTH_COLUMN_MODE,
    [RECEPTOR] = BERTH_COLUMN_RECEPTOR,
    [SCORE] = BERTH_COLUMN_SCORE,
    [ENERGY] = BERTH_COLUMN_ENERGY,
    [CONFORMER_STRAIN] = BERTH_COLUMN_CONFORMER_STRAIN,
    [EFFICIENCY] = BERTH_COLUMN_EFFICIENCY,
    [RMSD] = BERTH_COLUMN_RMSD,
    [CLASH] = BERTH_COLUMN_CLASH,
    [CONFORMER] = BERTH_COLUMN_CONFORMER,
    [HEAVY_ATOMS] = BERTH_COLUMN_HEAVY_ATOMS,
    [CONFORMERS] = BERTH_COLUMN_CONFORMERS,
    [DEVICE] = BERTH_COLUMN_DEVICE};

const char *berth_score_name(size_t field, const struct berth_score_columns *columns)
{
    const size_t receptors = berth_receptor_names_count(columns->receptors);
    if (field >= RECEPTOR_SCORES) {
        const size_t number = field - RECEPTOR_SCORES;
        return number < receptors ? columns->receptors->columns[number] : NULL;
    }
    if (field >= TERMS && field < PARTS) {
        const struct berth_term_names *terms = columns->terms;
        return field - TERMS < terms->count ? terms->names[field - TERMS] : NULL;
    }
    if (field >= PARTS && field < CONFORMER_STRAIN) {
        return BERTH_COLUMN_NAMES[BERTH_COLUMN_PARTS + field - PARTS];
    }
    return field == RECEPTOR && !receptors ? NULL : BERTH_COLUMN_NAMES[COLUMNS[field]];
}

struct berth_score_columns berth_score_row_columns(const struct berth_score_row *row)
{
    return (struct berth_score_columns){row->names, row->receptors};
}

static char *number_of(struct berth_score_texts *texts, size_t field)
{
    texts->texts[field] = texts->numbers[field];
    return texts->numbers[field];
}

/* Decimals, and no "-0.0000"; empty where the number is unknown. */
static void put_real(struct berth_score_texts *texts, size_t field, int decimals, double value)
{
    if (!isfinite(value)) {
        return;
    }
    char *number = number_of(texts, field);
    snprintf(number, sizeof *texts->numbers, "%.*f", decimals, value);
    if (*number == '-' && !number[1 + strspn(number + 1, "0.")]) {
        texts->texts[field]++;
    }
}

static void put_count(struct berth_score_texts *texts, size_t field, size_t count)
{
    if (count) {
        snprintf(number_of(texts, field), sizeof *texts->numbers, "%zu", count);
    }
}

void berth_score_row_texts(const struct berth_score_row *row, struct berth_score_texts *texts)
{
    const struct berth_pose *pose = row->pose;
    for (size_t i = 0; i < BERTH_SCORE_FIELDS; i++) {
        texts->texts[i] = "";
        *texts->numbers[i] = '\0';
    }
    if (row->ordinal >= 0) {
        snprintf(number_of(texts, ORDINAL), sizeof *texts->numbers, "%lld", row->ordinal);
    }
    texts->texts[LIGAND] = row->ligand;
    put_count(texts, RANK, row->rank);
    put_count(texts, MODE, row->mode);
    put_real(texts, SCORE, 4, pose->value);
    put_real(texts, ENERGY, 4, pose->energy);
    for (size_t i = 0; i < row->names->count; i++) {
        put_real(texts, TERMS + i, 4, pose->terms.values[i]);
    }
    for (size_t k = 0; k < BERTH_PART_COUNT; k++) {
        put_real(texts, PARTS + k, 4, pose->parts[k]);
    }
    put_real(texts, CONFORMER_STRAIN, 2, pose->conformer_strain);
    if (row->heavy_atoms) {
        put_real(texts, EFFICIENCY, 4, pose->energy / (double)row->heavy_atoms);
    }
    put_real(texts, RMSD, 3, pose->rmsd < 0 ? NAN : pose->rmsd);
    put_real(texts, CLASH, 3, pose->clash);
    put_count(texts, CONFORMER, pose->conformer + 1);
    put_count(texts, HEAVY_ATOMS, row->heavy_atoms);
    put_count(texts, CONFORMERS, row->conformers);
    texts->texts[DEVICE] = row->device ? row->device : "";
    texts->texts[RECEPTOR] = berth_receptor_name(row->receptors, pose->receptor);
    for (size_t i = 0; i < berth_receptor_names_count(row->receptors); i++) {
        put_real(texts, RECEPTOR_SCORES + i, 4, row->receptor_scores[i]);
    }
}
