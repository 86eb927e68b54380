/* Fitting, and what the fitted ranking is worth: nested cross-validation (S. Varma, R. Simon, BMC
 * Bioinformatics 7 (2006) 91).  Folds outside say what the fit gives for units that it has not
 * seen; folds inside each of them choose the penalty. */
#include "eval/fit/fit.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "eval/fit/fit_internal.h"
#include "eval/screen/evaluation.h"
#include "eval/statistics.h"
#include "format/output.h"

/* --- What is written --- */

/* What a fit prints and writes: a summary, tables, and the ranking for `rank`. */

const char *const FIT_FILE[] = {"summary.txt", "fit.csv", "weights.csv", "fitted.rank"};

static const char *name_of(const struct fit_part *part)
{
    return part->ligands ? "ligands" : "poses";
}

/* What they are that a fit wants more of. */
static const char *wanted_of(const struct fit_part *part)
{
    return part->ligands ? "actives" : "complexes";
}

/* --- The summary --- */

enum { MEASURE = 13, CELL = 26, ALONE = 20 };

static void print_head(struct berth_output *output, const struct fit_part *part)
{
    const size_t wanted = part->term_count * BERTH_FIT_WANTED;
    berth_output_text(output, part->source);
    if (part->ligands) {
        berth_output_print(output, ": %zu ligands, %zu actives, %zu decoys\n", part->list_count,
                           part->known[1], part->known[0]);
    } else {
        berth_output_print(output, ": %zu complexes, %zu of them with right poses and wrong ones\n",
                           part->known[0], part->known[1]);
    }
    if (part->twins) {
        berth_output_print(output, "%zu ligand%s the same molecule as another, by smiles\n",
                           part->twins, part->twins > 1 ? "s are" : " is");
    }
    berth_output_print(output,
                       "%zu terms fitted in %d folds of %s; those of one %s stay together\n",
                       part->term_count, FIT_FOLDS, part->ligands ? "ligands" : "poses",
                       !part->ligands    ? "complex"
                       : part->scaffolds ? "scaffold (actives) or name"
                                         : "name");
    if (part->known[1] < wanted) {
        berth_output_print(output, "for %zu weight%s about %zu %s are wanted; these are %zu\n",
                           part->term_count, part->term_count == 1 ? "" : "s", wanted,
                           wanted_of(part), part->known[1]);
    }
}

/* Blanks behind what has that width, up to the next column. */
static void print_gap(struct berth_output *output, int width)
{
    berth_output_print(output, "%*s  ", width < CELL ? CELL - width : 0, "");
}

/* "0.782 (0.713 to 0.845)"; returns its width. */
static int print_estimate(struct berth_output *output, const struct berth_estimate *estimate,
                          int decimals, bool gain)
{
    char text[96];
    const int width =
        snprintf(text, sizeof text, gain ? "%+.*f (%+.*f to %+.*f)" : "%.*f (%.*f to %.*f)",
                 decimals, estimate->value, decimals, estimate->low, decimals, estimate->high);
    berth_output_print(output, "%s", text);
    return width;
}

/* What single functions, and size, reach by the measure that decides. */
static void print_alone(struct berth_output *output, const struct fit_part *part)
{
    const struct fit_measure *measure = &part->measures[0];
    bool over = false;
    for (size_t k = part->compared; k < part->rankings; k++) {
        if (k == part->compared) {
            berth_output_print(output, "\n\n%-*s%-*sfitted over it", ALONE, "by one alone", CELL,
                               measure->title);
        }
        berth_output_print(output, "\n%-*s", ALONE, part->labels[k]);
        print_gap(output, print_estimate(output, &measure->values[k], measure->decimals, false));
        print_estimate(output, &measure->gains[k], measure->decimals, true);
        over = over || strstr(part->labels[k], FIT_OVER_SIZE);
    }
    if (over) {
        berth_output_print(output, "\n(over size: / (1 + 0.03*rotors) / heavy_atoms^0.25)");
    }
}

static void print_measures(struct berth_output *output, const struct fit_part *part)
{
    berth_output_print(output, "\n%-*s", MEASURE, "");
    for (size_t k = 0; k < part->compared; k++) {
        berth_output_text(output, part->labels[k]);
        print_gap(output, (int)berth_text_width(part->labels[k]));
    }
    berth_output_print(output, "fitted over ");
    berth_output_text(output, part->labels[part->best]);
    for (size_t m = 0; m < part->measure_count; m++) {
        const struct fit_measure *measure = &part->measures[m];
        berth_output_print(output, "\n%-*s", MEASURE, measure->title);
        for (size_t k = 0; k < part->compared; k++) {
            print_gap(output,
                      print_estimate(output, &measure->values[k], measure->decimals, false));
        }
        print_estimate(output, &measure->gains[part->best], measure->decimals, true);
    }
    print_alone(output, part);
    berth_output_print(output, "\n(95 %% confidence by %zu resamples)\n", part->resamples);
}

static void print_weights(struct berth_output *output, const struct fit_part *part)
{
    berth_output_print(output, "\n%-*s%-*sterm\n", MEASURE, "weight", CELL, "share (of the folds)");
    for (size_t k = 0; k < part->term_count; k++) {
        const struct fit_term *term = &part->terms[k];
        char share[64];
        snprintf(share, sizeof share, "%.0f %% (%.0f to %.0f)", 100 * term->share[0],
                 100 * term->share[1], 100 * term->share[2]);
        berth_output_print(output, "%-*.4g%-*s", MEASURE, term->weight, CELL, share);
        berth_output_text(output, term->text);
        berth_output_print(output, "\n");
    }
}

/* Whether the gain is more than chance, and if not what would tell. */
static void print_gain(struct berth_output *output, const struct fit_part *part)
{
    const struct berth_estimate *gain = &part->measures[0].gains[part->best];
    const double half = (gain->high - gain->low) / 2;
    const char *than = part->labels[part->best];
    if (part->shown) {
        berth_output_print(output, "It ranks better than ");
        berth_output_text(output, than);
        berth_output_print(output, " by more than chance, in each of %d deals of the folds.\n",
                           FIT_DEALS);
    } else if (part->gaining) {
        berth_output_print(output, "These %s cannot tell whether it ranks better than ",
                           wanted_of(part));
        berth_output_text(output, than);
        berth_output_print(output,
                           ": by more than chance it does in %zu of %d deals of the folds.\n",
                           part->gaining, FIT_DEALS);
    } else if (gain->high < 0) {
        berth_output_print(output, "It ranks worse than ");
        berth_output_text(output, than);
        berth_output_print(output, ", by more than chance.\n");
    } else {
        berth_output_print(output, "These %s do not show that it ranks better than ",
                           wanted_of(part));
        berth_output_text(output, than);
        berth_output_print(output, ".");
        if (gain->value > 0) {
            const double times = half / gain->value;
            berth_output_print(output, "  If the gain is what it seems, about %.0f would.",
                               fmax(times * times, 1) * (double)part->known[part->ligands]);
        }
        berth_output_print(output, "\n");
    }
}

/* Single functions that rank better than what is fitted by more than chance (surely), or those that
 * rank as well or better, for all that these rows tell. */
static void print_better(struct berth_output *output, const struct fit_part *part, bool surely)
{
    size_t count = 0;
    for (size_t k = part->compared; k < part->rankings; k++) {
        const struct berth_estimate *gain = &part->measures[0].gains[k];
        const bool worse = gain->high < 0, level = !worse && gain->value <= 0;
        if ((surely ? worse : level) && k != part->size) {
            berth_output_print(output, count++  ? ", "
                                       : surely ? "By more than chance it ranks worse than "
                                                : "By the same measure it is no better than ");
            berth_output_text(output, part->labels[k]);
        }
    }
    if (count) {
        berth_output_print(output, surely      ? " alone.\n"
                                   : count > 1 ? " alone, which need no fit.\n"
                                               : " alone, which needs no fit.\n");
    }
}

/* Whether the ranking is worth it. */
static void print_verdict(struct berth_output *output, const struct fit_part *part)
{
    if (!part->expression) {
        berth_output_print(output, "\nNo term tells right from wrong: nothing is fitted.\n");
        return;
    }
    berth_output_print(output, "\n%s = ", name_of(part));
    berth_output_text(output, part->expression);
    berth_output_print(output, "\n");
    print_gain(output, part);
    print_better(output, part, true);
    print_better(output, part, false);
    if (part->size && part->standing == BERTH_STANDING_WORSE) {
        berth_output_print(output, "It ranks worse than %s alone (%s).\n", part->labels[part->size],
                           part->worse);
    } else if (part->size && part->standing == BERTH_STANDING_MIXED) {
        berth_output_print(output,
                           "It ranks better than %s alone by one measure, worse by another (%s).\n",
                           part->labels[part->size], part->worse);
    } else if (part->size && part->standing == BERTH_STANDING_NEITHER) {
        berth_output_print(output,
                           "These actives do not show that it ranks better than %s "
                           "alone.\n",
                           part->labels[part->size]);
    }
}

/* --- Tables --- */

static void fill_measures(const struct fit_part *part, struct berth_output *output)
{
    for (size_t m = 0; m < part->measure_count; m++) {
        const struct fit_measure *measure = &part->measures[m];
        for (size_t k = 0; k < 2 * part->rankings; k++) {
            const bool gain = k >= part->rankings;
            const size_t ranking = k - (gain ? part->rankings : 0);
            const struct berth_estimate *estimate =
                gain ? &measure->gains[ranking] : &measure->values[ranking];
            if (gain && ranking == FIT_FITTED) {
                continue;
            }
            berth_output_print(output, "%s,", name_of(part));
            berth_output_csv(output, part->labels[gain ? FIT_FITTED : ranking], ',');
            berth_output_csv(output, gain ? part->labels[ranking] : "", ',');
            berth_output_print(output, "%s,%.12g,%.12g,%.12g\n", measure->name, estimate->value,
                               estimate->low, estimate->high);
        }
    }
}

static void fill_weights(const struct fit_part *part, struct berth_output *output)
{
    for (size_t k = 0; k < part->term_count; k++) {
        const struct fit_term *term = &part->terms[k];
        berth_output_print(output, "%s,", name_of(part));
        berth_output_csv(output, term->text, ',');
        berth_output_print(output, "%.12g,%.12g,%.12g,%.12g\n", term->weight, term->share[0],
                           term->share[1], term->share[2]);
    }
}

/* --- fitted.rank --- */

/* A list of functions with commas between. */
struct functions {
    char list[512];
    size_t count;
};

/* Adds a function that searches or is named, and is not yet there. */
static void add_function(struct functions *functions, const char *name, size_t searching,
                         const char *const expressions[2])
{
    const bool needed = functions->count < searching || berth_text_has_word(expressions[0], name) ||
                        berth_text_has_word(expressions[1], name);
    if (needed && !berth_text_lists(functions->list, ',', name)) {
        berth_text_append(functions->list, sizeof functions->list, "%s%s",
                          functions->count++ ? "," : "", name);
    }
}

/* Adds those that a part was docked by, in their order. */
static void add_docked(struct functions *functions, const struct fit_part *part, size_t searching,
                       const char *const expressions[2])
{
    for (size_t k = 0; k < part->column_count; k++) {
        if (fit_is_function(part->columns[k])) {
            add_function(functions, part->columns[k], searching, expressions);
        }
    }
}

/* Adds those of a ranking. */
static void add_listed(struct functions *functions, const char *list,
                       const char *const expressions[2])
{
    char others[512], *rest = others;
    snprintf(others, sizeof others, "%s", list ? list : "");
    for (const char *name; (name = strtok_r(rest, ",", &rest));) {
        add_function(functions, name, 1, expressions);
    }
}

/* How many functions searched for poses: as the ranking says, if the functions are its. */
static size_t pool_of(const struct fit_part *poses)
{
    const char *const none[2] = {"", ""};
    struct functions all = {"", 0};
    add_docked(&all, poses, FIT_COLUMNS, none);
    return poses->before.scoring && strcmp(all.list, poses->before.scoring) == 0
               ? poses->before.pool
               : 0;
}

/* Where a ranking's part is from, for its head. */
static void print_origin(struct berth_output *output, const struct fit_part *part)
{
    const struct berth_estimate *gain = &part->measures[0].gains[part->best];
    berth_output_print(output, "# %s: fitted by `berth eval fit` to %zu %s of ", name_of(part),
                       part->known[1], wanted_of(part));
    berth_output_on_line(output, part->source);
    berth_output_print(output, ";\n# in folds that were left out %s %+.3g (%+.3g to %+.3g) over ",
                       part->measures[0].title, gain->value, gain->low, gain->high);
    berth_output_on_line(output, part->labels[part->best]);
    berth_output_print(output, "\n");
}

/* The functions of the runs come first; those that an expression names which was not fitted
 * follow. */
static void fill_rank(const struct fit_part *const parts[2], struct berth_output *output)
{
    const struct fit_part *poses = parts[0] ? parts[0] : parts[1];
    const struct fit_part *ligands = parts[1] ? parts[1] : parts[0];
    const char *const expressions[2] = {
        poses == parts[0] && poses->shown ? poses->expression : poses->before.poses,
        ligands == parts[1] && ligands->shown ? ligands->expression : ligands->before.ligands};
    const size_t pool = pool_of(poses);
    struct functions functions = {"", 0};
    add_docked(&functions, poses, pool ? pool : 1, expressions);
    add_docked(&functions, ligands, 1, expressions);
    add_listed(&functions, poses->before.scoring, expressions);
    add_listed(&functions, ligands->before.scoring, expressions);
    for (size_t p = 0; p < 2; p++) {
        if (parts[p] && parts[p]->shown) {
            print_origin(output, parts[p]);
        }
    }
    berth_output_print(output, functions.count ? "scoring = %s\n" : "%s", functions.list);
    if (pool) {
        berth_output_print(output, "pool    = %zu\n", pool);
    }
    for (size_t p = 0; p < 2; p++) {
        berth_output_print(output, p ? "\nligands = " : "poses   = ");
        berth_output_on_line(output, expressions[p]);
    }
    berth_output_print(output, "\n");
}

/* --- All files --- */

static void fill_summary(const struct fit_part *const parts[2], struct berth_output *output)
{
    for (size_t p = 0; p < 2; p++) {
        if (parts[p]) {
            berth_output_print(output, p && parts[0] ? "\n" : "");
            print_head(output, parts[p]);
            print_measures(output, parts[p]);
            print_weights(output, parts[p]);
            print_verdict(output, parts[p]);
        }
    }
}

static void fill_tables(const struct fit_part *const parts[2], bool weights,
                        struct berth_output *output)
{
    berth_output_print(output, weights ? "part,term,weight,share,low,high\n"
                                       : "part,ranking,against,measure,value,low,high\n");
    for (size_t p = 0; p < 2; p++) {
        if (parts[p]) {
            (weights ? fill_weights : fill_measures)(parts[p], output);
        }
    }
}

/* Writes all files, and the summary to standard output; part: poses, ligands; NULL: not fitted. */
static enum berth_status fit_write(const struct berth_fit_settings *settings,
                                   const struct fit_part *const parts[2], struct berth_error *error)
{
    const bool shown = (parts[0] && parts[0]->shown) || (parts[1] && parts[1]->shown);
    char path[PATH_MAX];
    BERTH_TRY(berth_folder_make(settings->out, error));
    for (size_t i = 0; i < FIT_FILES; i++) {
        struct berth_output *output;
        BERTH_TRY(berth_path_in(settings->out, FIT_FILE[i], path, sizeof path, error));
        if (i == FIT_RANK && !shown) { /* one of another fit must not be taken for this one's */
            BERTH_TRY(berth_file_remove(path, BERTH_OK, error));
            continue;
        }
        BERTH_TRY(berth_output_create(path, &output, error));
        if (i == FIT_RANK) {
            fill_rank(parts, output);
        } else if (i == FIT_SUMMARY) {
            fill_summary(parts, output);
        } else {
            fill_tables(parts, i == FIT_WEIGHTS, output);
        }
        BERTH_TRY(berth_output_commit(output, error));
    }
    struct berth_output *output;
    BERTH_TRY(berth_output_create("-", &output, error));
    fill_summary(parts, output);
    return berth_output_commit(output, error);
}

/* Penalties to choose from, the strongest first: on weights of terms whose deviation is 1. */
static const double PENALTIES[] = {10, 1, 0.1, 0.01, 0.001};

/* A fit on its way. */
struct fitting {
    struct fit_part *part;
    struct berth_examples examples; /* owned */
    size_t *folds, *inner;          /* owned: [units]; SIZE_MAX: not taken */
    uint64_t seed;                  /* of the deal */
};

/* --- Examples --- */

static size_t right_ones(const struct fit_part *part, size_t begin, size_t end)
{
    size_t right = 0;
    for (size_t i = begin; i < end; i++) {
        right += part->rows[i].positive;
    }
    return right;
}

/* Adds an example: row i is to come before row `other` (SIZE_MAX: early). */
static void add_example(struct fitting *fitting, size_t i, size_t other, double weight)
{
    const struct fit_part *part = fitting->part;
    struct berth_example *example = &fitting->examples.items[fitting->examples.count++];
    for (size_t k = 0; k < part->term_count; k++) {
        const double *x = part->terms[k].x;
        example->x[k] = (other == SIZE_MAX ? 0 : x[other]) - x[i];
    }
    example->weight = weight;
    example->unit = part->rows[i].unit;
    example->positive = part->rows[i].positive;
}

/* Of ligands each row is one; of poses each pair of a right and a wrong one of a list.  A list
 * counts once. */
static enum berth_status make_examples(struct fitting *fitting, struct berth_error *error)
{
    const struct fit_part *part = fitting->part;
    size_t pairs = 0;
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        const size_t right = right_ones(part, begin, end);
        pairs += right * (end - begin - right);
    }
    fitting->examples =
        (struct berth_examples){.terms = part->term_count, .intercept = part->ligands};
    BERTH_TRY(berth_make(&fitting->examples.items, part->ligands ? part->count : pairs,
                         sizeof *fitting->examples.items, NULL, error));
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        const size_t right = right_ones(part, begin, end), size = end - begin;
        for (size_t i = begin; part->ligands && i < end; i++) {
            add_example(fitting, i, SIZE_MAX, 1 / (double)size);
        }
        for (size_t i = begin; !part->ligands && i < end; i++) {
            for (size_t k = begin; part->rows[i].positive && k < end; k++) {
                if (!part->rows[k].positive) {
                    add_example(fitting, i, k, 1 / (double)(right * (size - right)));
                }
            }
        }
    }
    return BERTH_OK;
}

/* --- Cross-validation --- */

/* Deals units out to folds in an order of chance, actives and others each by themselves; those of
 * a fold that is left out (SIZE_MAX: none is) get none. */
static enum berth_status deal(const struct fitting *fitting, size_t left_out, size_t count,
                              size_t *folds, struct berth_error *error)
{
    const struct fit_part *part = fitting->part;
    uint64_t random = fitting->seed + left_out;
    size_t *order, dealt[2] = {0, 0};
    BERTH_TRY(berth_make(&order, part->unit_count, sizeof *order, NULL, error));
    for (size_t i = 0; i < part->unit_count; i++) {
        const size_t place = (size_t)(berth_random_uniform(&random) * (double)(i + 1));
        order[i] = order[place];
        order[place] = i;
    }
    for (size_t i = 0; i < part->unit_count; i++) {
        const size_t unit = order[i];
        folds[unit] = left_out != SIZE_MAX && fitting->folds[unit] == left_out
                          ? SIZE_MAX
                          : dealt[part->active[unit]]++ % count;
    }
    free(order);
    return BERTH_OK;
}

/* Fits to all units but those of a fold (SIZE_MAX: to all), by the penalty that loses least on
 * units which were left out of that.  weights: [terms + 1]. */
static enum berth_status fit_without(struct fitting *fitting, size_t left_out, double *weights,
                                     struct berth_error *error)
{
    enum { COUNT = sizeof PENALTIES / sizeof *PENALTIES };
    double losses[COUNT] = {0};
    size_t best = 0;
    BERTH_TRY(deal(fitting, left_out, FIT_INNER_FOLDS, fitting->inner, error));
    for (size_t k = 0; k < COUNT; k++) {
        for (size_t fold = 0; fold < FIT_INNER_FOLDS; fold++) {
            const struct berth_fold rest = {fitting->inner, fold, true};
            const struct berth_fold itself = {fitting->inner, fold, false};
            berth_logistic_fit(&fitting->examples, &rest, PENALTIES[k], weights);
            losses[k] += berth_logistic_loss(&fitting->examples, &itself, weights);
        }
        best = losses[k] < losses[best] ? k : best;
    }
    const struct berth_fold all = {fitting->inner, FIT_INNER_FOLDS, true};
    fitting->part->penalty = PENALTIES[best];
    berth_logistic_fit(&fitting->examples, &all, PENALTIES[best], weights);
    double sum = 0;
    for (size_t k = 0; k < fitting->part->term_count; k++) {
        sum += weights[k];
    }
    for (size_t k = 0; sum > 0 && k < fitting->part->term_count; k++) {
        weights[k] /= sum; /* so that the values of different folds are alike */
    }
    return BERTH_OK;
}

/* Values each row by the fit to other folds, and finds the weights of the fit to all. */
static enum berth_status cross_validate(struct fitting *fitting, struct berth_error *error)
{
    struct fit_part *part = fitting->part;
    double weights[BERTH_FIT_TERMS_MAX + 1];
    memset(part->values[FIT_FITTED], 0, part->count * sizeof(double));
    BERTH_TRY(deal(fitting, SIZE_MAX, FIT_FOLDS, fitting->folds, error));
    for (size_t fold = 0; fold < FIT_FOLDS; fold++) {
        BERTH_TRY(fit_without(fitting, fold, weights, error));
        for (size_t k = 0; k < part->term_count; k++) {
            double *share = part->terms[k].share;
            share[1] = fold ? fmin(share[1], weights[k]) : weights[k];
            share[2] = fold ? fmax(share[2], weights[k]) : weights[k];
            for (size_t i = 0; i < part->count; i++) {
                part->values[FIT_FITTED][i] += fitting->folds[part->rows[i].unit] == fold
                                                   ? weights[k] * part->terms[k].x[i]
                                                   : 0;
            }
        }
    }
    BERTH_TRY(fit_without(fitting, SIZE_MAX, weights, error));
    for (size_t k = 0; k < part->term_count; k++) {
        part->terms[k].share[0] = weights[k];
        part->terms[k].weight = weights[k] / part->terms[k].scale;
    }
    return BERTH_OK;
}

/* --- Measures --- */

/* Whether the ranking by heavy atoms is among those measured: the first deal of folds has all. */
static bool measures_size(const struct fit_part *part)
{
    return part->size && part->size < part->rankings;
}

/* Turns the ranking by heavy atoms, of scores[rankings][lists], round where the fewest first find
 * more. */
static enum berth_status rank_by_size(struct fit_part *part, const bool *active, double *scores,
                                      struct berth_error *error)
{
    double *const sizes = scores + part->size * part->list_count;
    bool fewest = false;
    if (measures_size(part)) {
        for (size_t i = 0; i < part->list_count; i++) {
            sizes[i] = isinf(sizes[i]) ? NAN : -sizes[i];
        }
        BERTH_TRY(berth_rank_by_size(active, sizes, part->list_count, sizes, &fewest, error));
        part->labels[part->size] = fewest ? "fewest heavy atoms" : "heavy atoms";
    }
    return BERTH_OK;
}

/* A ligand counts by its best row. */
static enum berth_status measure_ligands(struct fit_part *part, uint64_t seed,
                                         struct berth_error *error)
{
    static const enum berth_measure MEASURES[FIT_MEASURES] = {BERTH_BEDROC_20, BERTH_ROC_AREA,
                                                              BERTH_EF_1, BERTH_EF_5};
    const size_t lists = part->list_count;
    double *scores = NULL;
    bool *active = NULL;
    struct berth_enrichment *enrichment = NULL;
    enum berth_status status =
        berth_make(&scores, lists * part->rankings, sizeof *scores, NULL, error);
    BERTH_THEN(berth_make(&active, lists, sizeof *active, NULL, error));
    for (size_t i = 0; !status && i < part->count; i++) {
        const size_t list = part->rows[i].list;
        const bool first = !i || part->rows[i - 1].list != list;
        active[list] = part->rows[i].positive;
        for (size_t k = 0; k < part->rankings; k++) {
            double *score = &scores[k * lists + list];
            *score = first ? part->values[k][i] : fmin(*score, part->values[k][i]);
        }
    }
    BERTH_THEN(rank_by_size(part, active, scores, error));
    const double *by[FIT_RANKINGS];
    for (size_t k = 0; k < part->rankings; k++) {
        by[k] = scores + k * lists;
    }
    const struct berth_rankings all = {active, lists, by, part->rankings};
    BERTH_THEN(berth_enrichment_create(&all, part->resamples, seed, &enrichment, error));
    for (size_t m = 0; !status && m < FIT_MEASURES; m++) {
        struct fit_measure *measure = &part->measures[part->measure_count++];
        *measure = (struct fit_measure){.name = BERTH_MEASURE[MEASURES[m]].name,
                                        .title = BERTH_MEASURE[MEASURES[m]].title,
                                        .decimals = m < 2 ? 3 : 1};
        for (size_t k = 0; k < part->rankings; k++) {
            measure->values[k] =
                berth_enrichment_of(enrichment, k, BERTH_NO_RANKING, MEASURES[m]).estimate;
            measure->gains[k] =
                berth_enrichment_of(enrichment, FIT_FITTED, k, MEASURES[m]).estimate;
        }
    }
    if (!status && measures_size(part)) {
        part->standing = berth_enrichment_standing(enrichment, FIT_FITTED, part->size, part->worse);
    }
    berth_enrichment_destroy(enrichment);
    free(scores);
    free(active);
    return status;
}

/* Adds percent of a complex's lists in which a right pose is among the first so many, by each
 * ranking; of poses that are equal the first in the file comes first. */
static void add_success(const struct fit_part *part, size_t begin, size_t end, size_t among,
                        double *successes[FIT_RANKINGS])
{
    const size_t unit = part->rows[begin].unit;
    for (size_t k = 0; k < part->rankings; k++) {
        bool right = false;
        for (size_t i = begin; i < end; i++) {
            size_t before = 0;
            for (size_t j = begin; part->rows[i].positive && j < end; j++) {
                const double one = part->values[k][j], other = part->values[k][i];
                before += one < other || (one == other && j < i);
            }
            right = right || (part->rows[i].positive && before < among);
        }
        successes[k][unit] += right ? 100 : 0;
    }
}

static enum berth_status measure_choice(struct fit_part *part, size_t among, double *room,
                                        uint64_t seed, struct berth_error *error)
{
    const size_t units = part->unit_count;
    struct fit_measure *measure = &part->measures[part->measure_count++];
    double *lists = room, *gains = room + units, *successes[FIT_RANKINGS];
    memset(room, 0, (2 + part->rankings) * units * sizeof *room);
    for (size_t k = 0; k < part->rankings; k++) {
        successes[k] = room + (2 + k) * units;
    }
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        add_success(part, begin, end, among, successes);
        lists[part->rows[begin].unit]++;
    }
    *measure = (struct fit_measure){.name = among > 1 ? "right_of_five" : "right_first",
                                    .title = among > 1 ? "of five, %" : "first, %",
                                    .decimals = 1};
    for (size_t k = 0; k < part->rankings; k++) {
        for (size_t i = 0; i < units; i++) {
            successes[k][i] /= lists[i];
            gains[i] = successes[FIT_FITTED][i] - successes[k][i];
        }
        BERTH_TRY(
            berth_mean_of(successes[k], units, part->resamples, seed, &measure->values[k], error));
        BERTH_TRY(berth_mean_of(gains, units, part->resamples, seed, &measure->gains[k], error));
    }
    return BERTH_OK;
}

static enum berth_status measure_poses(struct fit_part *part, uint64_t seed,
                                       struct berth_error *error)
{
    double *room;
    BERTH_TRY(
        berth_make(&room, (2 + part->rankings) * part->unit_count, sizeof *room, NULL, error));
    enum berth_status status = measure_choice(part, 1, room, seed, error);
    BERTH_THEN(measure_choice(part, 5, room, seed, error));
    free(room);
    return status;
}

/* --- All of it --- */

/* Counts what is known, and sees that it is enough to begin with. */
static enum berth_status count_known(struct fit_part *part, struct berth_error *error)
{
    const size_t wanted = part->term_count * BERTH_FIT_WANTED;
    bool *teaches;
    BERTH_TRY(berth_make(&teaches, part->unit_count, sizeof *teaches, NULL, error));
    for (size_t begin = 0, end; begin < part->count; begin = end) {
        end = fit_list_end(part, begin);
        const size_t right = right_ones(part, begin, end);
        part->known[right > 0] += part->ligands;
        teaches[part->rows[begin].unit] |= !part->ligands && right && right < end - begin;
    }
    for (size_t i = 0; !part->ligands && i < part->unit_count; i++) {
        part->known[0]++;
        part->known[1] += teaches[i];
    }
    free(teaches);
    if (part->known[0] >= BERTH_FIT_LEAST && part->known[1] >= BERTH_FIT_LEAST) {
        return BERTH_OK;
    }
    return part->ligands
               ? berth_fail(error, BERTH_E_USAGE,
                            "%s: %zu actives and %zu decoys are too few to fit to; it takes %d of "
                            "each at least, and for %zu weights better %zu actives",
                            part->source, part->known[1], part->known[0], BERTH_FIT_LEAST,
                            part->term_count, wanted)
               : berth_fail(error, BERTH_E_USAGE,
                            "%s: %zu of %zu complexes have right poses and wrong ones: too few to "
                            "fit to; it takes %d at least, and for %zu weights better %zu",
                            part->source, part->known[1], part->known[0], BERTH_FIT_LEAST,
                            part->term_count, wanted);
}

/* The sum of the terms by their weights, of which the first becomes 1. */
static enum berth_status write_expression(struct fit_part *part, struct berth_error *error)
{
    static const char WORD[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    struct berth_output *output;
    double first = 0;
    size_t size;
    for (size_t k = 0; k < part->term_count; k++) {
        first = first > 0 ? first : part->terms[k].weight;
        part->terms[k].weight /= first > 0 ? first : 1;
    }
    if (!(first > 0)) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_output_create_memory(&part->expression, &size, &output, error));
    for (size_t k = 0, written = 0; k < part->term_count; k++) {
        const struct fit_term *term = &part->terms[k];
        if (term->weight > 0) {
            const bool word = !term->text[strspn(term->text, WORD)];
            berth_output_print(output, "%s", written++ ? " + " : "");
            if (term->weight != 1) {
                berth_output_print(output, "%.4g*", term->weight);
            }
            berth_output_print(output, word ? "%s" : "(%s)", term->text);
        }
    }
    return berth_output_commit(output, error);
}

/* Fits and measures by one deal of the folds; of those behind the first one only what decides. */
static enum berth_status fit_deal(struct fitting *fitting, uint64_t seed, size_t deal,
                                  struct berth_error *error)
{
    struct fit_part *part = fitting->part;
    const size_t rankings = part->rankings;
    fitting->seed = seed + ((uint64_t)deal << 32);
    part->measure_count = 0;
    part->rankings = deal ? part->compared : rankings;
    enum berth_status status = cross_validate(fitting, error);
    BERTH_THEN(part->ligands ? measure_ligands(part, fitting->seed, error)
                             : measure_poses(part, fitting->seed, error));
    part->rankings = rankings;
    if (!status) {
        const struct fit_measure *first = &part->measures[0];
        part->best = part->compared > FIT_AGAINST &&
                             first->values[FIT_AGAINST].value >= first->values[FIT_SCORE].value
                         ? FIT_AGAINST
                         : FIT_SCORE;
        part->gaining += first->gains[part->best].low > 0;
    }
    return status;
}

/* Fits, and measures what that gives for rows that were not fitted to. */
static enum berth_status fit_part_fit(const struct berth_fit_settings *settings,
                                      struct fit_part *part, struct berth_error *error)
{
    struct fitting fitting = {.part = part};
    const size_t units = part->unit_count;
    part->resamples = settings->resamples ? settings->resamples : berth_resamples(part->list_count);
    BERTH_TRY(count_known(part, error));
    enum berth_status status = make_examples(&fitting, error);
    BERTH_THEN(berth_make(&fitting.folds, units, sizeof *fitting.folds, NULL, error));
    BERTH_THEN(berth_make(&fitting.inner, units, sizeof *fitting.inner, NULL, error));
    BERTH_THEN(berth_make(&part->values[FIT_FITTED], part->count, sizeof(double), NULL, error));
    for (size_t deal = FIT_DEALS; !status && deal-- > 0;) { /* the first, which is told of, last */
        status = fit_deal(&fitting, settings->seed, deal, error);
    }
    BERTH_THEN(write_expression(part, error));
    free(fitting.examples.items);
    free(fitting.folds);
    free(fitting.inner);
    part->shown = !status && part->expression && part->gaining == FIT_DEALS;
    return status;
}

enum berth_status berth_fit_run(const struct berth_fit_settings *settings,
                                const struct berth_log *log, bool *shown, struct berth_error *error)
{
    struct fit_part parts[2] = {0};
    const struct fit_part *fitted[2] = {NULL, NULL};
    const bool given[2] = {settings->redock != NULL, settings->results != NULL};
    enum berth_status status = berth_folder_probe(settings->out, FIT_FILE, FIT_FILES, error);
    if (!given[0] && !given[1]) {
        status = berth_fail_option(error, BERTH_E_USAGE, "redock",
                                   "redock: nothing to fit to: give complexes that were redocked, "
                                   "or the results of a screen and its actives");
    } else if (given[1] != (settings->actives != NULL)) {
        status = berth_fail_option(error, BERTH_E_USAGE, "actives",
                                   "actives: RESULTS and actives go together");
    }
    for (int ligands = 0; !status && ligands < 2; ligands++) {
        if (given[ligands]) {
            status = fit_read(settings, ligands, log, &parts[ligands], error);
            BERTH_THEN(fit_part_fit(settings, &parts[ligands], error));
            fitted[ligands] = &parts[ligands];
        }
    }
    BERTH_THEN(fit_write(settings, fitted, error));
    *shown = parts[0].shown || parts[1].shown;
    fit_part_clear(&parts[0]);
    fit_part_clear(&parts[1]);
    return status;
}
