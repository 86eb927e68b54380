#include "cli/text_docking.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/common.h"
#include "cli/run_lines.h"
#include "score/fields.h"
#include "score/ranking.h"

/* --- Results --- */

/* Characters of columns, at least. */
enum { TERM_WIDTH = 9, PART_WIDTH = 8, RANKING_WIDTH = 12, CONFIDENCE_WIDTH = 11, RMSD_WIDTH = 7 };

/* Degrees: a carbonyl group that is twisted by more is told. */
static const double TWISTED = 45;

static __attribute__((format(printf, 2, 3))) void print_to(FILE *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    berth_text_vprint(file, "", "", format, arguments);
    va_end(arguments);
}

/* Characters of the column of this name. */
static int width_of(const char *name, int least)
{
    const int length = (int)strlen(name);
    return length > least ? length : least;
}

/* A column of the table, with what it says of a pose. */
struct column {
    const char *name, *unit;
    int width; /* characters */
    char text[32];
};
enum { COLUMNS_MAX = 64 };

/* Those of a pose. */
struct columns {
    struct column columns[COLUMNS_MAX];
    size_t count;
};

static __attribute__((format(printf, 5, 6))) void
put(struct columns *columns, const char *name, const char *unit, int least, const char *format, ...)
{
    va_list arguments;
    struct column *column = &columns->columns[columns->count++];
    *column = (struct column){name, unit, width_of(name, least), ""};
    va_start(arguments, format);
    vsnprintf(column->text, sizeof column->text, format, arguments);
    va_end(arguments);
}

/* What ranks the pose and its score, of one function the energy and its terms, of several what each
 * says; what a model says; and the energy's parts that it has. */
static void put_scores(const struct cli_results *text, const struct berth_docked_pose *pose,
                       struct columns *columns)
{
    const struct berth_receptor_facts *facts = text->scoring;
    const bool several = facts->function_count > 1;
    const char *unit = facts->unit;
    if (text->ranked) {
        put(columns, BERTH_COLUMN_POSE_RANKING, "", RANKING_WIDTH, "%.2f", pose->ranking);
    }
    put(columns, BERTH_COLUMN_SCORE, unit, TERM_WIDTH, "%.2f", pose->value);
    if (!several) {
        put(columns, BERTH_COLUMN_ENERGY, unit, TERM_WIDTH, "%.2f", pose->energy);
    }
    for (size_t k = 0; several && k < facts->function_count; k++) {
        put(columns, facts->functions[k], facts->units[k], TERM_WIDTH, "%.2f", pose->scores[k]);
    }
    for (size_t k = 0; !several && k < facts->term_count; k++) {
        put(columns, facts->terms[k], unit, TERM_WIDTH, "%.2f", pose->terms[k]);
    }
    for (size_t k = 0; k < text->run->learned_count; k++) {
        put(columns, text->run->learned[k], "", TERM_WIDTH, "%.2f", pose->learned[k]);
    }
    for (size_t k = 0; k < facts->part_count; k++) {
        if (isfinite(pose->parts[k])) {
            put(columns, facts->parts[k], unit, PART_WIDTH, "%.2f", pose->parts[k]);
        }
    }
    put(columns, "conformer", "", TERM_WIDTH, "%zu", pose->conformer + 1);
}

/* Required restraints that a pose does not meet. */
static size_t count_unmet(const struct berth_run_facts *run, const struct berth_docked_pose *pose)
{
    size_t unmet = 0;
    for (size_t k = 0; k < run->restraint_count; k++) {
        unmet += (run->required & ~pose->met) >> k & 1;
    }
    return unmet;
}

/* What its affinity is, and how sure it is. */
static void put_affinity(const struct cli_results *text, const struct berth_docked_pose *pose,
                         const struct berth_docked_pose *first, struct columns *columns)
{
    put(columns, BERTH_HEAD_SCORE, text->scoring->unit, TERM_WIDTH, "%.2f", pose->value);
    if (isfinite(first->confidence)) { /* as the line below has it */
        char percent[8] = "";
        if (pose == first) {
            snprintf(percent, sizeof percent, "%.0f %%",
                     fmin(fmax(100 * first->confidence, 1), 99));
        }
        put(columns, BERTH_COLUMN_CONFIDENCE, "", CONFIDENCE_WIDTH, "%s", percent);
    }
    if (isfinite(first->seeds)) {
        put(columns, BERTH_COLUMN_SEEDS, "", PART_WIDTH - 2, "%.0f", pose->seeds);
    }
}

/* The columns of a ligand's pose; first: its first. */
static void list_columns(const struct cli_results *text, const struct berth_docked_pose *pose,
                         const struct berth_docked_pose *first, size_t number,
                         struct columns *columns)
{
    columns->count = 0;
    put(columns, BERTH_COLUMN_MODE, "", 4, "%zu", number);
    if (cli_count_required(text->run)) {
        put(columns, "unmet", "", 5, "%zu", count_unmet(text->run, pose));
    }
    if (text->verbose) {
        put_scores(text, pose, columns);
    } else {
        put_affinity(text, pose, first, columns);
    }
    if (isfinite(pose->rmsd)) {
        put(columns, BERTH_COLUMN_RMSD, "\xc3\x85", RMSD_WIDTH, "%.2f", pose->rmsd);
    }
}

static void print_mode(FILE *file, const struct cli_results *text,
                       const struct berth_docked_ligand *ligand, size_t number)
{
    struct columns shown;
    const struct berth_docked_pose *pose = ligand->poses[number];
    const char *receptor = text->run->receptors[pose->receptor];
    list_columns(text, pose, ligand->poses[0], number + 1, &shown);
    for (size_t i = 0; i < shown.count; i++) {
        fprintf(file, " %*s", shown.columns[i].width, shown.columns[i].text);
    }
    fprintf(file, "%s%s\n", *receptor ? "  " : "", receptor);
}

/* The table's head: names, units, a line. */
static void print_table_head(FILE *file, const struct cli_results *text,
                             const struct berth_docked_ligand *ligand)
{
    struct columns shown;
    const bool several = text->run->receptor_count > 1;
    int width = (several ? 10 : 0) + 3, blanks = 0;
    list_columns(text, ligand->poses[0], ligand->poses[0], 1, &shown);
    for (size_t i = 0; i < shown.count; i++) {
        fprintf(file, " %*s", shown.columns[i].width, shown.columns[i].name);
        width += 1 + shown.columns[i].width;
    }
    fprintf(file, "%s\n", several ? "  receptor" : "");
    for (size_t i = 0; i < shown.count; i++) {
        const char *unit = shown.columns[i].unit;
        const int length = strcmp(unit, "\xc3\x85") == 0 ? 1 : (int)strlen(unit);
        blanks += 1 + shown.columns[i].width;
        if (length) {
            fprintf(file, "%*s%s", blanks - length, "", unit);
            blanks = 0;
        }
    }
    fprintf(file, "\n");
    for (; width > 0; width--) {
        fprintf(file, "-");
    }
    fprintf(file, "\n");
}

/* How a pose stands to a restraint. */
static enum berth_standing_to standing_of(const struct berth_run_facts *run,
                                          const struct berth_docked_pose *pose, size_t k)
{
    return berth_restraint_stands(pose->met >> k & 1, k >= run->restraint_count - run->metal_count,
                                  pose->distances[k]);
}

/* How the best pose stands to restraints; the distance of a core is over its atoms that the ligand
 * has. */
static void print_restraints(FILE *file, const struct cli_results *text,
                             const struct berth_docked_ligand *ligand)
{
    const struct berth_docked_pose *pose = ligand->poses[0];
    const struct berth_run_facts *run = text->run;
    const size_t shown = run->restraint_count - (text->verbose ? 0 : run->metal_count);
    for (size_t k = 0; k < shown; k++) {
        const enum berth_standing_to stands = standing_of(text->run, pose, k);
        const bool metal = k >= text->run->restraint_count - text->run->metal_count;
        char within[CLI_WITHIN_TEXT];
        fprintf(file, "restraint %zu%s: %s%s", k + 1, metal ? CLI_OF_METAL : "",
                (metal ? BERTH_STANDS_METAL : BERTH_STANDS)[stands],
                stands == BERTH_STANDS_APART ? " (no donor within 8 \xc3\x85)" : "");
        if (isfinite(pose->distances[k])) {
            fprintf(file, ", %.2f \xc3\x85", (double)pose->distances[k]);
        }
        if (ligand->core_atoms && ligand->core == k) {
            fprintf(file, " over %zu atoms in common", ligand->core_atoms);
        }
        fprintf(file, ": ");
        cli_restraint_within(text->run, k, within);
        print_to(file, "%s (%s)", text->run->restraints[k], within);
    }
}

/* Of a pose that is not the reference's, whether the search or the ranking is why. */
static void print_apart(FILE *file, const struct cli_results *text,
                        const struct berth_docked_ligand *ligand)
{
    static const float right = 2; /* Å, the field's bound for a pose that is right */
    const struct berth_docked_pose *first = ligand->poses[0];
    size_t i = 0;
    while (i < ligand->pose_count && !(ligand->poses[i]->rmsd < right)) {
        i++;
    }
    if (!isfinite(first->rmsd) || i == 0) {
        return;
    }
    if (i == ligand->pose_count && text->run->maps) { /* on the terms of these modes */
        print_to(
            file,
            "no mode within 2 \xc3\x85 of the reference: the same with --template %s says what "
            "a pose there comes to: if its %s is lower than %.2f, the search missed it, else the "
            "ranking is why, or the conformers that were docked%s",
            text->known, text->ranked ? "pose_ranking" : "score",
            (double)(text->ranked ? first->ranking : first->value),
            text->run->metal_count ? " (at a metal give both --metal_sites off)" : "");
        return;
    }
    if (i == ligand->pose_count) {
        print_to(file,
                 "no mode within 2 \xc3\x85 of the reference: `berth score %s --minimize "
                 "--refine_torsions --out -` says whether it is lower than mode 1",
                 text->known);
        return;
    }
    const struct berth_docked_pose *pose = ligand->poses[i];
    fprintf(file,
            "mode %zu is the first within 2 \xc3\x85 of the reference (%.2f \xc3\x85): found, "
            "but ranked behind mode 1 (%s %.2f, mode 1 %.2f)\n",
            i + 1, (double)pose->rmsd, text->ranked ? "pose_ranking" : "score",
            (double)(text->ranked ? pose->ranking : pose->value),
            (double)(text->ranked ? first->ranking : first->value));
}

static void print_table(FILE *file, const struct cli_results *text,
                        const struct berth_docked_ligand *ligand)
{
    fprintf(file, "\n");
    print_to(file, "%s", ligand->name);
    print_table_head(file, text, ligand);
    for (size_t i = 0; i < ligand->pose_count; i++) {
        print_mode(file, text, ligand, i);
    }
    if (*ligand->verdict) {
        print_to(file, "%s", ligand->verdict);
    }
    if (text->verbose) {
        print_apart(file, text, ligand);
    }
    print_restraints(file, text, ligand);
}

static void print_line(FILE *file, const struct cli_results *text,
                       const struct berth_docked_ligand *ligand)
{
    const struct berth_docked_pose *best = ligand->poses[0];
    const char *receptor = text->run->receptors[best->receptor];
    char rmsd[32] = "";
    if (isfinite(best->rmsd)) {
        snprintf(rmsd, sizeof rmsd, "  (rmsd %.2f)", best->rmsd);
    }
    if (!text->verbose) {
        print_to(file, "%9.2f  %s%s%s%s", best->value, ligand->name, rmsd, *receptor ? "  in " : "",
                 receptor);
        return;
    }
    if (text->compared) {
        fprintf(file, "%*.2f ", RANKING_WIDTH, ligand->ranking);
    }
    print_to(file, "%10.2f %9.2f  %s%s%s%s", best->value, best->energy, ligand->name, rmsd,
             *receptor ? "  in " : "", receptor);
}

/* The ligand's line, which the caller frees; NULL when out of memory. */
static char *line_of(const struct cli_results *results, const struct berth_docked_ligand *ligand)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        print_line(file, results, ligand);
        fclose(file);
    }
    return text;
}

/* True where what ranks the lines that are shown divides the function's energy for rotors: by
 * itself, or as `score` is. */
static bool divides(const struct cli_results *text, const char *function)
{
    struct berth_ranking_texts texts = {0};
    bool divided = false;
    if (text->ranked && !berth_ranking_find(text->ranked, &texts, NULL)) {
        const char *shown = text->ligands == 1 ? texts.poses
                            : text->compared   ? texts.ligands
                                               : "score";
        const bool bare =
            berth_text_has_word(shown, function) || berth_text_has_word(shown, "energy");
        divided =
            berth_text_has_word(shown, "rotors") || (berth_text_has_word(shown, "score") && !bare);
    }
    berth_ranking_texts_clear(&texts);
    return divided;
}

static void print_affinity(const struct cli_results *text)
{
    const struct berth_receptor_facts *scoring = text->scoring;
    const bool shown = text->ligands == 1 && scoring->function_count > 1;
    const char *name = scoring->functions[0];
    const struct cli_lowest lowest = {.coordinated = text->run->metal_count > 0,
                                      .flexible = text->flexible,
                                      .restrained = cli_count_required(text->run) > 0};
    char how[BERTH_TERM_NAME_SIZE + 40] = "";
    if (divides(text, name)) {
        snprintf(how, sizeof how, "; what ranks (docs/scoring.md, Rankings) is");
    } else if (text->ranked) {
        snprintf(how, sizeof how, "; --scoring %s ranks by score", name);
    }
    if (text->affinity) {
        cli_foot_affinity(name, &lowest, shown ? name : "energy", how);
        if (text->run->metal_count) {
            printf("coordination, what a metal's open sites are worth to a pose by how near its "
                   "donors "
                   "are, is added to that, not to %s: a column of --scores, and a tag of poses\n",
                   shown ? "the functions' energies" : "energy");
        }
        if (text->flexible) {
            printf("receptor_strain, of the side chains that move, is in the score: compare these "
                   "poses with each other, not with a rigid receptor's, since what side chains "
                   "gain without any ligand is in it, too; where they go, and the score with it, "
                   "may be another with another --seed\n");
        }
    }
}

static void print_unbound(const struct cli_results *text)
{
    char which[64] = "";
    if (text->ligands > 1) {
        snprintf(which, sizeof which, "of %zu of %zu ligands ", text->unbound, text->ligands);
    }
    if (text->unbound) {
        (text->verbose ? cli_print : cli_say)(
            "%s%sthe best pose's score is not below 0: look at the box, clashes with the receptor "
            "(column clash), and protonation",
            text->verbose ? "" : "warning: ", which);
    }
}

static void print_twisted(const struct cli_results *text)
{
    if (text->twisted) {
        printf("the best pose of %zu of %zu ligands twists a carbonyl group by more than %.0f "
               "degrees out of the plane of the ring or double bond that it is conjugated with "
               "(column twist), which its strain counts: see docs/scoring.md\n",
               text->twisted, text->ligands, TWISTED);
    }
}

static double value_of(const struct cli_results *text, const struct berth_docked_ligand *ligand)
{
    return text->compared ? ligand->ranking : ligand->poses[0]->value;
}

/* Keeps the line among the best, unless so many are better; owns its text. */
static void keep_line(struct cli_results *text, const struct cli_ranked_line *line)
{
    size_t place = text->best_count;
    while (place && (line->value < text->best[place - 1].value ||
                     (isnan(text->best[place - 1].value) && !isnan(line->value)))) {
        text->best[place] = text->best[place - 1];
        place--;
    }
    text->best[place] = *line;
    if (text->best_count < CLI_BEST) {
        text->best_count++;
    } else {
        free(text->best[CLI_BEST].text);
    }
}

/* The best of several ligands, best first. */
static void print_best(const struct cli_results *text)
{
    printf("\nbest first");
    if (text->best_count < text->ligands) {
        printf(", %zu of %zu", text->best_count, text->ligands);
    }
    printf("\n");
    if (text->verbose) {
        const char *unit = text->scoring->unit;
        printf("%s     score    energy  ligand\n%*s %9s\n", text->compared ? "     ranking " : "",
               (text->compared ? 1 + RANKING_WIDTH : 0) + 10, unit, unit);
    } else {
        cli_head_hits(text->scoring->unit);
    }
    for (size_t i = 0; i < text->best_count; i++) {
        if (!text->verbose) {
            printf("%5zu ", i + 1);
        }
        fputs(text->best[i].text, stdout);
    }
}

/* Notes the ligand's name where it has fewer poses than were asked for. */
static void note_few(struct cli_results *text, const struct berth_docked_ligand *ligand)
{
    struct cli_few *few = &text->few;
    if (ligand->pose_count >= text->num_modes) {
        return;
    }
    if (few->count < CLI_FEW_NAMED) {
        char *name = berth_text_escape(ligand->name, "");
        snprintf(few->names[few->count], sizeof *few->names, "%s", name ? name : "");
        free(name);
    }
    few->count++;
}

bool cli_results_add(struct cli_results *text, const struct berth_docked_ligand *ligand)
{
    text->compared = text->ligands ? text->compared : isfinite(ligand->ranking);
    if (!text->quiet) {
        const struct cli_ranked_line line = {value_of(text, ligand), line_of(text, ligand)};
        print_table(stdout, text, ligand);
        fflush(stdout);
        if (!line.text) {
            text->failed = true;
            return false;
        }
        keep_line(text, &line);
    }
    for (size_t k = 0; k < text->run->restraint_count; k++) {
        berth_standing_count(&text->standings, k, standing_of(text->run, ligand->poses[0], k),
                             ligand->name);
    }
    note_few(text, ligand);
    text->unbound += ligand->poses[0]->value >= 0;
    text->twisted += ligand->poses[0]->twist > TWISTED;
    text->standings.of = ++text->ligands;
    return true;
}

void cli_results_end(const struct cli_results *text)
{
    if (text->ligands > 1) {
        print_best(text);
        printf("\n");
    }
    if (text->ligands > 1 && text->run->restraint_count) {
        cli_foot_restraints(text->run, &text->standings, text->verbose);
    } else if (text->ligands && text->verbose && text->run->restraint_count) {
        cli_foot_unmet(stdout, text->run);
    }
    if (text->ligands && text->verbose) {
        print_affinity(text);
        print_unbound(text);
        print_twisted(text);
        printf("\n");
    } else if (text->ligands == 1) {
        printf("\n");
    }
}

void cli_results_warn(const struct cli_results *text)
{
    if (!text->verbose) {
        print_unbound(text);
    }
}

void cli_results_clear(struct cli_results *text)
{
    for (size_t i = 0; i < text->best_count; i++) {
        free(text->best[i].text);
    }
}

/* --- Pockets of a surface --- */

enum { RESIDUES_SHOWN = 48 }; /* characters */

static void print_place(const struct berth_docked_pocket *pocket)
{
    const char *residues = pocket->residues;
    const double *center = pocket->center;
    const size_t length = strlen(residues);
    int shown = length > RESIDUES_SHOWN ? RESIDUES_SHOWN : (int)length;
    while (shown < (int)length && shown && residues[shown] != ';') { /* whole names */
        shown--;
    }
    cli_print(" %8.2f %8.2f %8.2f  %.*s%s", center[0], center[1], center[2], shown, residues,
              shown < (int)length ? " ..." : "");
}

static void print_pocket(void *context, const struct berth_docked_pocket *pocket)
{
    (void)context;
    printf("%6zu %9.2f %5zu", pocket->rank, pocket->value, pocket->poses);
    print_place(pocket);
}

static void print_agreed(void *context, const struct berth_docked_pocket *pocket)
{
    if (pocket->rank <= *(const size_t *)context) {
        printf("%6zu %7zu %9.2f", pocket->rank, pocket->ligands, pocket->mean_rank);
        print_place(pocket);
    }
}

void cli_print_pockets(const berth_docking *docking, size_t ligands, size_t most)
{
    const bool agreed = ligands > 1;
    if (agreed) {
        printf("\nwhere the %zu ligands agree\npocket ligands mean rank        x        y        "
               "z  residues\n",
               ligands);
    } else {
        printf("pocket %9s poses        x        y        z  residues\n", "score");
    }
    berth_docking_pockets(docking, agreed, agreed ? print_agreed : print_pocket, &most, NULL);
    printf("\n");
}

/* --- Proteins --- */

static void print_protein_modes(const struct berth_protein_run *run)
{
    printf("\n mode     energy  contacts  residues    buried%s\n%16s  < 5 \xc3\x85               "
           "\xc3\x85\xc2\xb2%s\n",
           run->rmsds ? "    rmsd" : "", run->receptor.scoring.unit,
           run->rmsds ? "       \xc3\x85" : "");
    printf("%s\n", run->rmsds ? "----------------------------------------------------------"
                              : "--------------------------------------------------");
    for (size_t i = 0; i < run->result.count; i++) {
        const struct berth_protein_mode *mode = &run->result.modes[i];
        printf("%5zu %10.2f %9zu %5zu %3zu %9.0f", i + 1, mode->energy, mode->interface.contacts,
               mode->interface.receptor_residues, mode->interface.ligand_residues,
               mode->interface.buried);
        if (run->rmsds) {
            printf(" %7.2f", run->rmsds[i]);
        }
        printf("\n");
    }
}

void cli_print_protein(const struct berth_protein_run *run, double seconds)
{
    const struct berth_protein_result *result = &run->result;
    const double pairs = (double)run->receptor.heavy.count * (double)run->ligand.heavy.count;
    printf("receptor %zu heavy atoms, ligand %zu, scoring %s\n", run->receptor.heavy.count,
           run->ligand.heavy.count, run->receptor.scoring.name);
    print_protein_modes(run);
    printf("\n%zu rotations x %zu places on maps; %zu poses refined, %zu energies with gradients "
           "of %.4g pairs of atoms; %.2f s\n",
           result->rotations, result->places, result->refined, result->evaluations, pairs, seconds);
}
