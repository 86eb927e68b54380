#include "prep/receptor/plddt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/residue_types.h"
#include "prep/receptor/prepare_structure.h"

/* --- Whether B factors are pLDDT --- */

/* B factors of a residue that differ by less are one, written with two decimals. */
#define ROUNDING 0.011

/* The B factors of protein and nucleic acid, hydrogens aside. */
struct survey {
    double *values; /* owned; [count]: of each residue, in order of size */
    size_t count, distinct;
    double low, high;     /* of each atom */
    bool one_per_residue; /* all atoms of a residue have the same */
    bool crystalline;     /* waters, alternate locations, or atoms that are there in part */
};

/* The mean of a residue's heavy atoms, and the least and most of them; NAN: it has none. */
static double b_factor_of(const struct berth_structure *structure, struct berth_span span,
                          double *low, double *high)
{
    double sum = 0;
    size_t count = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        if (!berth_is_hydrogen(atom)) {
            sum += atom->b_factor;
            count++;
            *low = fmin(*low, atom->b_factor);
            *high = fmax(*high, atom->b_factor);
        }
    }
    return count ? sum / (double)count : NAN;
}

static int by_size(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static void look_at(const struct berth_structure *structure, struct berth_span span,
                    struct survey *survey)
{
    const char *name = structure->atoms[span.begin].residue.name;
    const struct berth_residue_type *type = berth_residue_type_find(name);
    double low, high;
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        survey->crystalline = survey->crystalline || atom->alternate || atom->occupancy < 1;
    }
    survey->crystalline = survey->crystalline || berth_is_water_name(name);
    const double value = b_factor_of(structure, span, &low, &high);
    if (type && (type->kind == BERTH_RESIDUE_AMINO || type->kind == BERTH_RESIDUE_NUCLEOTIDE) &&
        !isnan(value)) {
        survey->values[survey->count++] = value;
        survey->low = fmin(survey->low, low);
        survey->high = fmax(survey->high, high);
        survey->one_per_residue = survey->one_per_residue && high - low < ROUNDING;
    }
}

/* The caller frees survey->values. */
static enum berth_status make_survey(const struct berth_structure *structure, struct survey *survey,
                                     struct berth_error *error)
{
    *survey = (struct survey){.low = INFINITY, .high = -INFINITY, .one_per_residue = true};
    BERTH_TRY(berth_make(&survey->values, structure->count, sizeof *survey->values, NULL, error));
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        look_at(structure, span, survey);
    }
    qsort(survey->values, survey->count, sizeof *survey->values, by_size);
    for (size_t i = 0; i < survey->count; i++) {
        survey->distinct += !i || survey->values[i] > survey->values[i - 1];
    }
    return BERTH_OK;
}

/* Whether B factors look so much like pLDDT that no word of the file is needed: one for a residue,
 * more values than there are kinds of residues, most of them high and near the highest.  B factors
 * are the other way round, a long tail above most of them. */
static bool look_alike(const struct survey *survey, double scale)
{
    enum { KINDS = 20 };
    const double median = survey->count ? survey->values[survey->count / 2] : 0;
    return survey->one_per_residue && !survey->crystalline && survey->distinct > KINDS &&
           median * scale >= BERTH_PLDDT_VERY_LOW && survey->high - median < median - survey->low;
}

/* What the file says, and its B factors, in words; *given: these are pLDDT. */
static void conclude(const struct berth_structure_origin *origin, const struct survey *survey,
                     struct berth_plddt *model)
{
    const bool possible = survey->low > 0 && survey->high <= 100 && survey->distinct > 1;
    char *why = model->why;
    const size_t size = sizeof model->why;
    model->scale = survey->high <= 1 ? 100 : 1;
    model->predicted = (origin->program || origin->plddt) && !origin->experiment &&
                       (origin->plddt || !origin->cell);
    model->given = true;
    if (origin->experiment) {
        snprintf(why, size, "its file speaks of an experiment");
    } else if (!possible && survey->distinct < 2) {
        snprintf(why, size, "its B factors are all the same");
    } else if (!possible) {
        snprintf(why, size, "its B factors are from %g to %g", survey->low, survey->high);
    } else if (model->predicted) {
        snprintf(why, size, "predicted%s%s, as the file says", origin->program ? " by " : "",
                 origin->program ? origin->program : "");
        return;
    } else if (origin->theoretical && survey->one_per_residue) {
        snprintf(why, size, "predicted, as the file says, with one B factor for each residue");
        return;
    } else if (origin->theoretical) {
        snprintf(why, size,
                 "its file speaks of a prediction, but not of pLDDT, and atoms of one residue have "
                 "several B factors");
    } else if (origin->cell) {
        snprintf(why, size, "its file has a crystal's cell");
    } else if (look_alike(survey, model->scale)) {
        snprintf(why, size,
                 "probably predicted: the file does not say so, but has one B factor for each "
                 "residue, most of them high, and neither cell nor waters");
        return;
    } else {
        snprintf(why, size,
                 "its file does not say that it was predicted (PDB does by a line TITLE, with the "
                 "name of the program)");
    }
    model->given = false;
}

enum berth_status berth_plddt_find(const struct berth_structure *structure,
                                   struct berth_plddt *model, struct berth_error *error)
{
    struct survey survey;
    BERTH_TRY(make_survey(structure, &survey, error));
    conclude(&structure->origin, &survey, model);
    free(survey.values);
    return BERTH_OK;
}

/* --- Residues of little confidence --- */

/* A residue, and where it is. */
struct place {
    const struct berth_residue_id *residue; /* borrowed */
    double plddt, distance; /* Å from the middle of the site; infinite where it does not line it */
};

/* Those that line the site come first, the nearest in front. */
struct places {
    struct place *items; /* owned; [count] */
    size_t count, lining;
};

static double plddt_of(const struct berth_plddt *model, const struct berth_structure *structure,
                       struct berth_span span)
{
    double low, high;
    return model->scale * b_factor_of(structure, span, &low, &high);
}

static int by_distance(const void *a, const void *b)
{
    return by_size(&((const struct place *)a)->distance, &((const struct place *)b)->distance);
}

/* site: NULL is none.  The caller frees the items. */
static enum berth_status find_places(const struct berth_plddt *model,
                                     const struct berth_structure *structure,
                                     const struct berth_site *site, struct places *places,
                                     struct berth_error *error)
{
    *places = (struct places){.count = 0};
    BERTH_TRY(berth_make(&places->items, structure->count, sizeof *places->items, NULL, error));
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        struct place *place = &places->items[places->count++];
        *place = (struct place){&structure->atoms[span.begin].residue,
                                plddt_of(model, structure, span), INFINITY};
        if (berth_residue_lines_site(structure, span, site)) {
            places->lining++;
            for (size_t i = span.begin; i < span.end; i++) {
                const double *at = structure->atoms[i].position;
                place->distance = fmin(place->distance, berth_distance(at, site->center));
            }
        }
    }
    qsort(places->items, places->count, sizeof *places->items, by_distance);
    return BERTH_OK;
}

/* Of the first `count` places. */
static size_t count_below(const struct places *places, size_t count, double limit)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        below += places->items[i].plddt < limit;
    }
    return below;
}

enum { NAMED_MAX = 10, NAMES_SIZE = NAMED_MAX * (BERTH_RESIDUE_TEXT_SIZE + 8) + 32 };

/* ": MET A:1 (45), ALA A:2 (62)": those below limit that line the site; "": none. */
static void name_below(const struct places *places, double limit, char names[NAMES_SIZE])
{
    size_t count = 0;
    *names = '\0';
    for (size_t i = 0; i < places->lining; i++) {
        char residue[BERTH_RESIDUE_TEXT_SIZE];
        if (places->items[i].plddt < limit && count++ < NAMED_MAX) {
            berth_residue_text(places->items[i].residue, residue);
            berth_text_append(names, NAMES_SIZE, "%s %s (%.1f)", count > 1 ? "," : ":", residue,
                              places->items[i].plddt);
        }
    }
    if (count > NAMED_MAX) {
        berth_text_append(names, NAMES_SIZE, " and %zu more", count - NAMED_MAX);
    }
}

enum berth_status berth_plddt_count(const struct berth_receptor_prepared *prepared,
                                    const struct berth_site *site, size_t *low,
                                    struct berth_error *error)
{
    struct places places;
    *low = 0;
    if (prepared->plddt.given) {
        BERTH_TRY(find_places(&prepared->plddt, &prepared->structure, site, &places, error));
        *low = count_below(&places, places.lining, BERTH_PLDDT_LOW);
        free(places.items);
    }
    return BERTH_OK;
}

/* --- What is done and said --- */

enum berth_status berth_receptor_leave_uncertain(const struct berth_receptor_work *work,
                                                 struct berth_error *error)
{
    struct berth_receptor_prepared *prepared = work->prepared;
    struct berth_structure *structure = &prepared->structure;
    const double limit = work->settings->min_plddt;
    bool *keep;
    if (limit <= 0) {
        return BERTH_OK;
    }
    if (!prepared->plddt.given) {
        return berth_fail_option(error, BERTH_E_USAGE, "min_plddt",
                                 "min_plddt: %s has no pLDDT: %s", work->settings->path,
                                 prepared->plddt.why);
    }
    BERTH_TRY(berth_make(&keep, structure->count, sizeof *keep, NULL, error));
    enum berth_status status = BERTH_OK;
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const bool stays = plddt_of(&prepared->plddt, structure, span) >= limit;
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = stays;
            if (!stays) {
                BERTH_THEN(berth_structure_add(&prepared->uncertain, &structure->atoms[i], error));
            }
        }
    }
    berth_structure_filter(structure, keep);
    free(keep);
    if (!status && !structure->count) {
        status = berth_fail_option(error, BERTH_E_USAGE, "min_plddt",
                                   "min_plddt: no residue of %s has a pLDDT of %g or more",
                                   work->settings->path, limit);
    }
    return status;
}

static void tell(const struct berth_receptor_work *work, const struct places *places)
{
    const struct berth_plddt *model = &work->prepared->plddt;
    char names[NAMES_SIZE];
    double sum = 0, least = 100;
    for (size_t i = 0; i < places->count; i++) {
        sum += places->items[i].plddt;
        least = i < places->lining ? fmin(least, places->items[i].plddt) : least;
    }
    berth_note(work->log,
               "pLDDT: %.0f in the mean of %zu residues; %zu are below %g, %zu of them below %g (B "
               "factors%s are read so: %s)",
               sum / (double)places->count, places->count,
               count_below(places, places->count, BERTH_PLDDT_LOW), BERTH_PLDDT_LOW,
               count_below(places, places->count, BERTH_PLDDT_VERY_LOW), BERTH_PLDDT_VERY_LOW,
               model->scale > 1 ? ", from 0 to 1 in the file and times 100 here," : "", model->why);
    const size_t low = count_below(places, places->lining, BERTH_PLDDT_LOW);
    if (low) {
        name_below(places, BERTH_PLDDT_LOW, names);
        berth_warn(work->log, NULL,
                   "%zu of %zu residues that may line the site have a pLDDT below %g, where side "
                   "chains, and below %g all, may well stand elsewhere%s; min_plddt leaves such "
                   "residues out",
                   low, places->lining, BERTH_PLDDT_LOW, BERTH_PLDDT_VERY_LOW, names);
    } else if (places->lining) {
        berth_note(work->details,
                   "pLDDT at the site: %.0f or more in all %zu residues that line it", least,
                   places->lining);
    }
}

/* Those that min_plddt left out. */
static void tell_left(const struct berth_receptor_work *work, const struct places *places)
{
    const double limit = work->settings->min_plddt;
    char names[NAMES_SIZE];
    name_below(places, limit, names);
    if (places->lining) {
        berth_warn(work->log, NULL,
                   "left out, pLDDT below %g: %zu residues, of which %zu may line the site%s",
                   limit, places->count, places->lining, names);
    } else {
        berth_note(work->details, "left out, pLDDT below %g: %zu residues", limit, places->count);
    }
}

enum berth_status berth_receptor_note_plddt(const struct berth_receptor_work *work,
                                            const struct berth_site *site,
                                            struct berth_error *error)
{
    const struct berth_receptor_prepared *prepared = work->prepared;
    const struct berth_plddt *model = &prepared->plddt;
    struct places kept = {0}, left = {0};
    if (!model->given) {
        if (model->predicted) {
            berth_warn(work->log, NULL,
                       "the structure was predicted, as its file says, but not how surely: %s, "
                       "which pLDDT cannot be",
                       model->why);
        }
        return BERTH_OK;
    }
    enum berth_status status = find_places(model, &prepared->structure, site, &kept, error);
    BERTH_THEN(find_places(model, &prepared->uncertain, site, &left, error));
    if (!status) {
        tell(work, &kept);
    }
    if (!status && work->settings->min_plddt > 0) {
        tell_left(work, &left);
    }
    free(kept.items);
    free(left.items);
    return status;
}
