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
    RANKING,
    POSE_RANKING,
    SCORE,
    FUNCTIONS,
    LEARNED = FUNCTIONS + BERTH_FUNCTIONS_MAX,
    ENERGY = LEARNED + BERTH_LEARNED_MAX,
    TERMS,
    PARTS = TERMS + BERTH_TERMS_MAX,
    CONFORMER_STRAIN = PARTS + BERTH_PART_COUNT,
    COORDINATION,
    DISPLACEMENT,
    EFFICIENCY,
    RMSD,
    CLASH,
    METAL_1,
    METAL_2,
    UNMET,
    DISTANCES,
    CONFORMER = DISTANCES + BERTH_RESTRAINTS_MAX,
    HEAVY_ATOMS,
    CONFORMERS,
    ROTORS,
    TWIST,
    DEVICE,
    RECEPTOR_SCORES
};

/* Their names' numbers, but for those of functions, models, terms, parts, restraints and
 * receptors. */
static const enum berth_column COLUMNS[BERTH_SCORE_FIELDS] = {
    [ORDINAL] = BERTH_COLUMN_ORDINAL,
    [LIGAND] = BERTH_COLUMN_LIGAND,
    [RANK] = BERTH_COLUMN_RANK,
    [MODE] = BERTH_COLUMN_MODE,
    [RECEPTOR] = BERTH_COLUMN_RECEPTOR,
    [RANKING] = BERTH_COLUMN_RANKING,
    [POSE_RANKING] = BERTH_COLUMN_POSE_RANKING,
    [SCORE] = BERTH_COLUMN_SCORE,
    [ENERGY] = BERTH_COLUMN_ENERGY,
    [CONFORMER_STRAIN] = BERTH_COLUMN_CONFORMER_STRAIN,
    [COORDINATION] = BERTH_COLUMN_COORDINATION,
    [DISPLACEMENT] = BERTH_COLUMN_DISPLACEMENT,
    [EFFICIENCY] = BERTH_COLUMN_EFFICIENCY,
    [RMSD] = BERTH_COLUMN_RMSD,
    [CLASH] = BERTH_COLUMN_CLASH,
    [METAL_1] = BERTH_COLUMN_METAL_1,
    [METAL_2] = BERTH_COLUMN_METAL_2,
    [UNMET] = BERTH_COLUMN_UNMET,
    [CONFORMER] = BERTH_COLUMN_CONFORMER,
    [HEAVY_ATOMS] = BERTH_COLUMN_HEAVY_ATOMS,
    [CONFORMERS] = BERTH_COLUMN_CONFORMERS,
    [ROTORS] = BERTH_COLUMN_ROTORS,
    [TWIST] = BERTH_COLUMN_TWIST,
    [DEVICE] = BERTH_COLUMN_DEVICE};

static const char *part_name(size_t field)
{
    return BERTH_COLUMN_NAMES[BERTH_COLUMN_PARTS + field - PARTS];
}

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
    if (berth_score_is_learned(field)) {
        const struct berth_judges *judges = columns->judges;
        const bool there = judges && field - LEARNED < judges->learned_count;
        return there ? judges->learned[field - LEARNED] : NULL;
    }
    if (field >= FUNCTIONS && field < LEARNED) {
        const struct berth_judges *judges = columns->judges;
        const bool there = judges && judges->count > 1 && field - FUNCTIONS < judges->count;
        return there ? judges->names[field - FUNCTIONS] : NULL;
    }
    const size_t restraints = columns->judges ? columns->judges->restraints : 0;
    if (!restraints && (field == PARTS + BERTH_PART_RESTRAINT || field == UNMET)) {
        return NULL;
    }
    if (field == COORDINATION &&
        !(restraints && (columns->judges->metals || columns->judges->core))) {
        return NULL;
    }
    if ((field == METAL_1 || field == METAL_2) && !(columns->judges && columns->judges->binding)) {
        return NULL;
    }
    if (field == DISPLACEMENT && !(columns->judges && columns->judges->displaces)) {
        return NULL;
    }
    if (field >= PARTS && field < CONFORMER_STRAIN) {
        const bool moves = columns->judges && columns->judges->receptor_moves;
        return moves || field != PARTS + BERTH_PART_RECEPTOR ? part_name(field) : NULL;
    }
    if (field >= DISTANCES && field < CONFORMER) {
        return field - DISTANCES < restraints ? BERTH_COLUMN_RESTRAINTS[field - DISTANCES] : NULL;
    }
    if (field == RANK && columns->judges && columns->judges->one_by_one) {
        return NULL;
    }
    const enum berth_ranked ranked = columns->judges ? columns->judges->ranked : BERTH_UNRANKED;
    const bool left_out = field == RECEPTOR       ? !receptors
                          : field == ROTORS       ? !ranked
                          : field == TWIST        ? !columns->judges || !columns->judges->twists
                          : field == RANKING      ? ranked < BERTH_BOTH_RANKED
                          : field == POSE_RANKING ? !ranked || ranked == BERTH_LIGANDS_RANKED
                                                  : false;
    return left_out ? NULL : BERTH_COLUMN_NAMES[COLUMNS[field]];
}

bool berth_score_is_learned(size_t field)
{
    return field >= LEARNED && field < ENERGY;
}

const char *berth_score_rankable(size_t field, const struct berth_score_columns *columns)
{
    const bool numeric = (field >= SCORE && field <= EFFICIENCY) || field == CLASH ||
                         field == UNMET || field == HEAVY_ATOMS || field == CONFORMERS ||
                         field == ROTORS;
    if (field == FUNCTIONS) { /* also where there is no other */
        return columns->judges->names[0];
    }
    if (field >= PARTS && field < CONFORMER_STRAIN) { /* 0 where poses have none */
        return part_name(field);
    }
    if (field == COORDINATION || field == DISPLACEMENT) { /* likewise */
        return BERTH_COLUMN_NAMES[COLUMNS[field]];
    }
    return numeric ? berth_score_name(field, columns) : NULL;
}

/* A field that is a number; NAN: it is not known. */
static double value_of(size_t field, const struct berth_score_row *row)
{
    const struct berth_pose *pose = row->pose;
    if (field >= FUNCTIONS && field < LEARNED) {
        return pose->scores[field - FUNCTIONS];
    }
    if (berth_score_is_learned(field)) {
        return pose->learned[field - LEARNED];
    }
    if (field >= TERMS && field < PARTS) {
        return pose->terms.values[field - TERMS];
    }
    if (field >= PARTS && field < CONFORMER_STRAIN) {
        return pose->parts[field - PARTS];
    }
    if (field >= DISTANCES && field < CONFORMER) {
        return (double)pose->distances[field - DISTANCES];
    }
    if (field >= RECEPTOR_SCORES) {
        return row->receptor_scores[field - RECEPTOR_SCORES];
    }
    switch (field) {
    case RANKING:
        return row->ranking;
    case POSE_RANKING:
        return pose->ranking;
    case SCORE:
        return pose->value;
    case ENERGY:
        return pose->energy;
    case CONFORMER_STRAIN:
        return pose->conformer_strain;
    case COORDINATION:
        return row->judges ? berth_pose_coordination(pose, row->judges) : 0;
    case DISPLACEMENT:
        return row->judges ? row->judges->displacement[pose->receptor] : 0;
    case EFFICIENCY:
        return row->heavy_atoms ? pose->energy / (double)row->heavy_atoms : NAN;
    case RMSD:
        return pose->rmsd < 0 ? NAN : pose->rmsd;
    case CLASH:
        return pose->clash;
    case METAL_1:
    case METAL_2:
        return (double)pose->metal[field - METAL_1];
    case UNMET:
        return (double)pose->unmet;
    case ROTORS:
        return pose->rotors;
    case TWIST:
        return (double)pose->twist;
    case HEAVY_ATOMS:
        return row->heavy_atoms ? (double)row->heavy_atoms : NAN;
    case CONFORMERS:
        return row->conformers ? (double)row->conformers : NAN;
    default:
        return NAN;
    }
}

double berth_score_cell(size_t field, const struct berth_score_row *row)
{
    const bool function = field >= FUNCTIONS && field < LEARNED;
    const double beside = function ? value_of(COORDINATION, row) + value_of(DISPLACEMENT, row) : 0;
    const double value = value_of(field, row) + beside;
    return isnan(value) && field >= PARTS && field < CONFORMER_STRAIN ? 0 : value;
}

struct berth_score_columns berth_score_row_columns(const struct berth_score_row *row)
{
    return (struct berth_score_columns){row->names, row->receptors, row->judges};
}

static char *room_for(struct berth_score_texts *texts, size_t field)
{
    texts->texts[field] = texts->numbers[field];
    return texts->numbers[field];
}

/* Decimals, and no "-0.0000"; empty where the number is unknown. */
static void put_real(const struct berth_score_row *row, size_t field,
                     struct berth_score_texts *texts)
{
    const double value = value_of(field, row);
    if (!isfinite(value)) {
        return;
    }
    char *number = room_for(texts, field);
    const int decimals = field == CONFORMER_STRAIN              ? 2
                         : field == UNMET                       ? 0
                         : field == RMSD || field == CLASH      ? 3
                         : field == ROTORS || field == TWIST    ? 1
                         : field == METAL_1 || field == METAL_2 ? 2
                                                                : 4;
    snprintf(number, sizeof *texts->numbers, "%.*f", decimals, value);
    if (*number == '-' && !number[1 + strspn(number + 1, "0.")]) {
        texts->texts[field]++;
    }
}

static void put_count(struct berth_score_texts *texts, size_t field, size_t count)
{
    if (count) {
        snprintf(room_for(texts, field), sizeof *texts->numbers, "%zu", count);
    }
}

void berth_score_row_texts(const struct berth_score_row *row, struct berth_score_texts *texts)
{
    const struct berth_pose *pose = row->pose;
    const struct berth_score_columns columns = berth_score_row_columns(row);
    for (size_t i = 0; i < BERTH_SCORE_FIELDS; i++) {
        texts->texts[i] = "";
        *texts->numbers[i] = '\0';
        const bool count = i == HEAVY_ATOMS || i == CONFORMERS;
        if (!count && berth_score_name(i, &columns)) {
            put_real(row, i, texts);
        }
    }
    if (row->ordinal >= 0) {
        snprintf(room_for(texts, ORDINAL), sizeof *texts->numbers, "%lld", row->ordinal);
    }
    texts->texts[LIGAND] = row->ligand;
    put_count(texts, RANK, row->rank);
    put_count(texts, MODE, row->mode);
    put_count(texts, CONFORMER, pose->conformer + 1);
    put_count(texts, HEAVY_ATOMS, row->heavy_atoms);
    put_count(texts, CONFORMERS, row->conformers);
    texts->texts[DEVICE] = row->device ? row->device : "";
    texts->texts[RECEPTOR] = berth_receptor_name(row->receptors, pose->receptor);
}
