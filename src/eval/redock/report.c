/* What came out of a redocking: outcomes by name, and redock.csv, summary.md and redock.svg. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/redock/redock_internal.h"
#include "eval/statistics.h"
#include "eval/svg.h"

/* --- Names --- */

enum berth_redock_outcome berth_redock_outcome_of(const struct berth_redock_facts *facts)
{
    if (facts->top_rmsd < BERTH_REDOCK_NEAR) {
        return BERTH_REDOCK_RIGHT;
    }
    if (facts->top_energy <= facts->crystal_energy) {
        return BERTH_REDOCK_SCORING;
    }
    return facts->placed_energy < facts->top_energy ? BERTH_REDOCK_SEARCH : BERTH_REDOCK_CONFORMER;
}

const char *const BERTH_REDOCK_OUTCOME[] = {"right", "scoring", "conformer", "search"};

const char *const BERTH_REDOCK_MODE[] = {"crystal", "torsions", "generated"};

/* Whether the name, of this length, is that text. */
static bool is_called(const char *name, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(name, text, length) == 0;
}

enum berth_status berth_redock_modes_parse(const char *text, bool modes[BERTH_REDOCK_MODES],
                                           struct berth_error *error)
{
    memset(modes, 0, BERTH_REDOCK_MODES * sizeof *modes);
    bool known = true;
    for (const char *at = strcmp(text, "none") == 0 ? NULL : text; known && at;) {
        const size_t length = strcspn(at, ",");
        const bool all = is_called(at, length, "all"), both = is_called(at, length, "both");
        known = all || both;
        for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
            const bool same = is_called(at, length, BERTH_REDOCK_MODE[mode]);
            modes[mode] = modes[mode] || same || all || (both && mode != BERTH_REDOCK_TORSIONS);
            known = known || same;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return known ? BERTH_OK
                 : berth_fail_option(error, BERTH_E_USAGE, "mode",
                                     "mode: '%s' is none of crystal, torsions, generated (or "
                                     "several, separated by commas), both, all and none",
                                     text);
}

/* --- Reports --- */

enum { LIMITS = 3, CHOICES = 3 };

/* Å: a pose nearer than that is a success. */
static const double LIMIT[LIMITS] = {1, 2, 3};

static const char *const CHOICE[CHOICES] = {"top pose", "best of 5", "best of all"};

/* Å: where the picture ends. */
static const double SHOWN = 5;

const char *const REDOCK_FILE[REDOCK_FILES] = {"redock.csv", "summary.md", "redock.svg",
                                               "failures.csv", "sites.tsv"};

/* How much was searched: poses of a conformer in a generation, and generations. */
static void search_of(const struct berth_redock *redock, size_t effort[2])
{
    const struct berth_search_settings *search = &redock->run->search;
    effort[0] = search->mapped.poses ? search->mapped.poses : search->poses;
    effort[1] = search->mapped.poses ? search->mapped.generations : search->generations;
}

/* --- redock.csv --- */

static enum berth_status write_csv(const struct berth_redock *redock, struct berth_error *error)
{
    struct berth_output *output;
    char path[PATH_MAX];
    BERTH_TRY(berth_output_create(redock_path(redock, NULL, "redock.csv", path), &output, error));
    berth_output_print(output,
                       "complex,mode,outcome,heavy_atoms,torsions,conformers,nearest_conformer,"
                       "rmsd_top,rmsd_top5,rmsd_best,energy_top,energy_best,conformer_strain,"
                       "energy_crystal,energy_crystal_minimised,energy_gap,energy_nearest,"
                       "energy_nearest_minimised,energy_placed,seconds_prepare,seconds_dock,"
                       "%ssmiles\n",
                       redock_is_restrained(redock) ? "unmet," : "");
    for (size_t i = 0; i < redock->count; i++) {
        const struct redock_row *row = &redock->rows[i];
        berth_output_csv(output, row->entry->name, ',');
        berth_output_print(output, "%s,%s,%zu,%zu,%zu,", BERTH_REDOCK_MODE[row->mode],
                           BERTH_REDOCK_OUTCOME[row->outcome], row->heavy_atoms, row->torsions,
                           row->conformers);
        const double figures[] = {row->nearest.rmsd,
                                  row->top[0],
                                  row->top[1],
                                  row->top[2],
                                  row->top_energy,
                                  row->best_energy,
                                  row->top_strain,
                                  row->crystal.energy,
                                  row->crystal.minimised,
                                  row->top_energy - row->crystal.minimised,
                                  row->nearest.energies.energy,
                                  row->nearest.energies.minimised,
                                  row->placed,
                                  row->prepare_seconds,
                                  row->seconds};
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
            berth_output_print(output, isfinite(figures[k]) ? "%.3f," : ",", figures[k]);
        }
        if (row->restrained) {
            berth_output_print(output, "%zu", row->unmet);
        }
        berth_output_print(output, redock_is_restrained(redock) ? "," : "");
        berth_output_csv(output, row->smiles, '\n');
    }
    return berth_output_commit(output, error);
}

/* --- summary.md --- */

static void print_head(struct berth_output *output, const struct berth_redock *redock)
{
    const struct berth_run *run = redock->run;
    const struct berth_devices *devices = &run->devices;
    const bool structures = redock->preparation.conformers == 1;
    const char *ranking = redock->run->ranker.texts.poses;
    size_t effort[2];
    search_of(redock, effort);
    berth_output_print(output, "# Redocking\n\n- set: ");
    berth_output_text(output, redock->set.folder);
    berth_output_print(
        output,
        "\n- device: %s\n"
        "- %zu poses x %zu generations, seed %llu, box of %g \xc3\x85, at most %zu generated "
        "%s, %zu modes\n"
        "- RMSDs in \xc3\x85 (heavy atoms, symmetry-corrected), energies in %s (scoring %s%s%s)\n"
        "- gap: the top pose's energy less the crystal pose's, minimised as a rigid body\n"
        "- laid: energy of the nearest conformer laid onto the crystal pose and minimised there\n"
        "- placed: the lowest energy of a generated conformer laid onto the crystal pose and "
        "minimised there; given for misses whose top pose is above the crystal pose\n"
        "- outcome: right (top pose within %g \xc3\x85), or the failure of scoring (the top pose "
        "is no higher than the crystal pose), of the conformers (it is higher, but none of them "
        "could do better in the crystal's place) or of the search\n\n",
        devices->count ? devices->devices[0].name : "none", effort[0], effort[1],
        (unsigned long long)run->search.seed, run->options.size,
        structures ? redock->preparation.structures : redock->preparation.conformers,
        structures ? "structures" : "conformers", run->modes.num_modes,
        redock->run->typed->scoring.unit, redock->run->typed->scoring.name,
        ranking ? "; poses ranked by " : "", ranking ? ranking : "", BERTH_REDOCK_NEAR);
}

static void print_rows(struct berth_output *output, const struct berth_redock *redock,
                       enum berth_redock_mode mode)
{
    static const char *const TITLES[] = {"the crystal conformer",
                                         "the crystal's rings and bonds, torsions random",
                                         "generated conformers"};
    berth_output_print(
        output,
        "## From %s\n\n"
        "| complex | heavy atoms | torsions | conformers | nearest | top | best of 5 | best of all "
        "| top energy | crystal pose | minimised | gap | laid | placed | outcome | s |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
        "| ---: | --- | ---: |\n",
        TITLES[mode]);
    for (size_t i = 0; i < redock->count; i++) {
        const struct redock_row *row = &redock->rows[i];
        char placed[32] = "";
        if (row->mode != mode) {
            continue;
        }
        if (isinf(row->placed)) {
            snprintf(placed, sizeof placed, "none");
        } else if (!isnan(row->placed)) {
            snprintf(placed, sizeof placed, "%.1f", row->placed);
        }
        berth_output_print(output, "| ");
        berth_output_text(output, row->entry->name);
        berth_output_print(
            output,
            " | %zu | %zu | %zu | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f | "
            "%.1f | %+.1f | %.1f | %s | %s | %.1f |\n",
            row->heavy_atoms, row->torsions, row->conformers, row->nearest.rmsd, row->top[0],
            row->top[1], row->top[2], row->top_energy, row->crystal.energy, row->crystal.minimised,
            row->top_energy - row->crystal.minimised, row->nearest.energies.minimised, placed,
            BERTH_REDOCK_OUTCOME[row->outcome], row->seconds);
    }
    berth_output_print(output, "\n");
}

static void print_success(struct berth_output *output, const struct berth_redock *redock,
                          enum berth_redock_mode mode, size_t total)
{
    berth_output_print(output, "| within | 1 \xc3\x85 | 2 \xc3\x85 | 3 \xc3\x85 |\n"
                               "| --- | --- | --- | --- |\n");
    for (int choice = 0; choice < CHOICES; choice++) {
        berth_output_print(output, "| %s |", CHOICE[choice]);
        for (int limit = 0; limit < LIMITS; limit++) {
            size_t near = 0;
            for (size_t i = 0; i < redock->count; i++) {
                near += redock->rows[i].mode == mode && redock->rows[i].top[choice] < LIMIT[limit];
            }
            const struct berth_share share = berth_share_of(near, total);
            berth_output_print(output, " %zu of %zu: %.0f %% (%.0f to %.0f) |", near, total,
                               100 * share.value, 100 * share.low, 100 * share.high);
        }
        berth_output_print(output, "\n");
    }
}

static void print_outcomes(struct berth_output *output, const struct berth_redock *redock,
                           enum berth_redock_mode mode)
{
    static const enum berth_redock_outcome MISSES[] = {BERTH_REDOCK_SEARCH, BERTH_REDOCK_SCORING,
                                                       BERTH_REDOCK_CONFORMER};
    berth_output_print(output, "\nPercent with 95 %% confidence intervals (Wilson). Misses:");
    for (size_t k = 0; k < sizeof MISSES / sizeof *MISSES; k++) {
        size_t count = 0;
        for (size_t i = 0; i < redock->count; i++) {
            count += redock->rows[i].mode == mode && redock->rows[i].outcome == MISSES[k];
        }
        berth_output_print(output, "%s %zu %s", k ? "," : "", count,
                           BERTH_REDOCK_OUTCOME[MISSES[k]]);
    }
    berth_output_print(output, ".\n\n");
}

enum berth_status berth_redock_summarize(const struct berth_redock *redock, const char *path,
                                         struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(path, &output, error));
    print_head(output, redock);
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        size_t total = 0;
        for (size_t i = 0; i < redock->count; i++) {
            total += redock->rows[i].mode == (enum berth_redock_mode)mode;
        }
        if (total) {
            print_rows(output, redock, (enum berth_redock_mode)mode);
            print_success(output, redock, (enum berth_redock_mode)mode, total);
            print_outcomes(output, redock, (enum berth_redock_mode)mode);
        }
    }
    if (redock->failed) {
        berth_output_print(output,
                           "%zu complex%s could not be docked and stand%s in no figure above: see "
                           "failures.csv.\n",
                           redock->failed, redock->failed == 1 ? "" : "es",
                           redock->failed == 1 ? "s" : "");
    }
    return berth_output_commit(output, error);
}

/* --- redock.svg --- */

static enum berth_status write_picture(const struct berth_redock *redock, struct berth_error *error)
{
    enum { SHOWN_CHOICES = 2 }; /* the top pose, and the best of all */
    static const char *const LABELS[BERTH_REDOCK_MODES][SHOWN_CHOICES] = {
        {"crystal, top pose", "crystal, best of all"},
        {"torsions, top pose", "torsions, best of all"},
        {"generated, top pose", "generated, best of all"}};
    static const int COLORS[BERTH_REDOCK_MODES] = {0, 2, 1};
    struct berth_svg_curve curves[BERTH_REDOCK_MODES * SHOWN_CHOICES];
    char subtitle[160], path[PATH_MAX];
    struct berth_svg_curves chart = {.title = "Redocking: success against RMSD",
                                     .subtitle = subtitle,
                                     .axis = "RMSD to the crystal pose, at most, \xc3\x85",
                                     .end = SHOWN,
                                     .curves = curves};
    double *values;
    BERTH_TRY(berth_make(&values, redock->count * SHOWN_CHOICES, sizeof *values, NULL, error));
    size_t used = 0, most = 0, effort[2];
    search_of(redock, effort);
    for (int k = 0; k < BERTH_REDOCK_MODES * SHOWN_CHOICES; k++) {
        const int mode = k / SHOWN_CHOICES, choice = k % SHOWN_CHOICES ? CHOICES - 1 : 0;
        const size_t first = used;
        for (size_t i = 0; i < redock->count; i++) {
            if (redock->rows[i].mode == (enum berth_redock_mode)mode) {
                values[used++] = redock->rows[i].top[choice];
            }
        }
        if (used > first) {
            qsort(values + first, used - first, sizeof *values, berth_compare_numbers);
            curves[chart.count++] =
                (struct berth_svg_curve){LABELS[mode][k % SHOWN_CHOICES], values + first,
                                         used - first, COLORS[mode], choice > 0};
            most = used - first > most ? used - first : most;
        }
    }
    snprintf(subtitle, sizeof subtitle, "%zu complexes, %zu poses x %zu generations", most,
             effort[0], effort[1]);
    const enum berth_status status =
        berth_svg_curves_write(redock_path(redock, NULL, "redock.svg", path), &chart, error);
    free(values);
    return status;
}

enum berth_status redock_report_write(const struct berth_redock *redock, struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(write_csv(redock, error));
    BERTH_TRY(write_picture(redock, error));
    return berth_redock_summarize(redock, redock_path(redock, NULL, "summary.md", path), error);
}
