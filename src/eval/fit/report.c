/* What a fit prints and writes: a summary, tables, and the ranking for `rank`. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "eval/fit/fit_internal.h"
#include "format/output.h"

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

enum berth_status fit_write(const struct berth_fit_settings *settings,
                            const struct fit_part *const parts[2], struct berth_error *error)
{
    const bool shown = (parts[0] && parts[0]->shown) || (parts[1] && parts[1]->shown);
    char path[PATH_MAX];
    BERTH_TRY(berth_folder_make(settings->out, error));
    for (size_t i = 0; i < FIT_FILES; i++) {
        struct berth_output *output;
        BERTH_TRY(berth_path_in(settings->out, FIT_FILE[i], path, sizeof path, error));
        if (i == FIT_RANK && !shown) {
            unlink(path); /* one of another fit must not be taken for this one's */
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
