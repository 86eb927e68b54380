/* What came out of a redocking, for people: redock.csv, summary.md and redock.svg. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "eval/analysis.h"
#include "eval/redock/redock_internal.h"
#include "eval/statistics.h"

/* Å: a pose nearer than 1, 2 or 3 is a success, that of each choice. */
enum { LIMIT = 3, CHOICES = 3 };

static const char *const CHOICE[CHOICES] = {"top pose", "best of 5", "best of all"};

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

#define COLUMN(member, name, decimals) {#name, decimals},
static const struct {
    const char *name;
    int decimals;
} COLUMNS[] = {REDOCK_VALUE_LIST(COLUMN)};

static enum berth_status write_csv(const struct berth_redock *redock, struct berth_error *error)
{
    const int columns = redock_is_restrained(redock) ? REDOCK_VALUES : REDOCK_UNMET;
    struct berth_output *output;
    char path[PATH_MAX];
    BERTH_TRY(berth_output_create(redock_path(redock, NULL, "redock.csv", path), &output, error));
    berth_output_print(output, "complex,mode,outcome,");
    for (int k = 0; k < columns; k++) {
        berth_output_print(output, "%s,", COLUMNS[k].name);
    }
    berth_output_print(output, "smiles\n");
    for (size_t i = 0; i < BERTH_REDOCK_MODES * redock->count; i++) {
        const size_t complex = i / BERTH_REDOCK_MODES;
        const int mode = (int)(i % BERTH_REDOCK_MODES);
        const struct redock_row *row = redock_row_of(redock, complex, mode);
        if (!row) {
            continue;
        }
        berth_output_csv(output, redock->entries[complex].name, ',');
        berth_output_print(output, "%s,%s,", BERTH_REDOCK_MODE[mode],
                           BERTH_REDOCK_OUTCOME[row->outcome]);
        for (int k = 0; k < columns; k++) {
            berth_output_print(output, isfinite(row->values[k]) ? "%.*f," : ",",
                               COLUMNS[k].decimals, row->values[k]);
        }
        berth_output_csv(output, redock->entries[complex].result.smiles, '\n');
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
    berth_output_text(output, redock->folder);
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

static void print_row(struct berth_output *output, const char *name, const struct redock_row *row)
{
    const double *values = row->values;
    char placed[32] = "";
    if (!isnan(values[REDOCK_PLACED])) {
        snprintf(placed, sizeof placed, isinf(values[REDOCK_PLACED]) ? "none" : "%.1f",
                 values[REDOCK_PLACED]);
    }
    berth_output_print(output, "| ");
    berth_output_text(output, name);
    berth_output_print(output,
                       " | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f | %.2f | %.1f | %.1f | "
                       "%.1f | %+.1f | %.1f | %s | %s | %.1f |\n",
                       values[REDOCK_HEAVY_ATOMS], values[REDOCK_TORSIONS],
                       values[REDOCK_CONFORMERS], values[REDOCK_NEAREST], values[REDOCK_TOP],
                       values[REDOCK_TOP_FIVE], values[REDOCK_BEST], values[REDOCK_TOP_ENERGY],
                       values[REDOCK_CRYSTAL], values[REDOCK_CRYSTAL_MINIMISED], values[REDOCK_GAP],
                       values[REDOCK_LAID_MINIMISED], placed, BERTH_REDOCK_OUTCOME[row->outcome],
                       values[REDOCK_DOCK_SECONDS]);
}

static void print_rows(struct berth_output *output, const struct berth_redock *redock, int mode)
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
        const struct redock_row *row = redock_row_of(redock, i, mode);
        if (row) {
            print_row(output, redock->entries[i].name, row);
        }
    }
    berth_output_print(output, "\n");
}

static void print_success(struct berth_output *output, const struct berth_redock *redock, int mode)
{
    berth_output_print(output, "| within | 1 \xc3\x85 | 2 \xc3\x85 | 3 \xc3\x85 |\n"
                               "| --- | --- | --- | --- |\n");
    size_t misses[BERTH_REDOCK_SEARCH + 1] = {0};
    for (int choice = 0; choice < CHOICES; choice++) {
        berth_output_print(output, "| %s |", CHOICE[choice]);
        for (int limit = 1; limit <= LIMIT; limit++) {
            size_t near = 0;
            for (size_t i = 0; i < redock->count; i++) {
                const struct redock_row *row = redock_row_of(redock, i, mode);
                near += row && row->values[REDOCK_TOP + choice] < limit;
                misses[row ? row->outcome : BERTH_REDOCK_RIGHT] += choice == 0 && limit == 1;
            }
            const struct berth_share share = berth_share_of(near, redock->prepared);
            berth_output_print(output, " %zu of %zu: %.0f %% (%.0f to %.0f) |", near,
                               redock->prepared, 100 * share.value, 100 * share.low,
                               100 * share.high);
        }
        berth_output_print(output, "\n");
    }
    berth_output_print(output,
                       "\nPercent with 95 %% confidence intervals (Wilson). Misses: %zu search, "
                       "%zu scoring, %zu conformer.\n\n",
                       misses[BERTH_REDOCK_SEARCH], misses[BERTH_REDOCK_SCORING],
                       misses[BERTH_REDOCK_CONFORMER]);
}

enum berth_status berth_redock_summarize(const struct berth_redock *redock, const char *path,
                                         struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(path, &output, error));
    print_head(output, redock);
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        if (redock->modes[mode]) {
            print_rows(output, redock, mode);
            print_success(output, redock, mode);
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

/* A curve for the top pose of each mode, and one for the best of all. */
static void put_curve(const struct berth_redock *redock, int mode, bool best,
                      struct berth_bytes *request)
{
    static const int COLORS[BERTH_REDOCK_MODES] = {0, 2, 1};
    struct berth_bytes curve = {0}, values = {0};
    char label[64];
    for (size_t i = 0; i < redock->count; i++) {
        const struct redock_row *row = redock_row_of(redock, i, mode);
        if (row) {
            berth_column_put(&values, row->values[REDOCK_TOP + (best ? CHOICES - 1 : 0)]);
        }
    }
    if (values.count) {
        snprintf(label, sizeof label, "%s, %s", BERTH_REDOCK_MODE[mode],
                 CHOICE[best ? CHOICES - 1 : 0]);
        berth_request_put_text(&curve, "label", label);
        berth_request_put_number(&curve, "color", (uint64_t)COLORS[mode]);
        berth_request_put_text(&curve, "dashed", best ? "" : NULL);
        berth_request_put_bytes(&curve, "values", &values);
        berth_request_put_bytes(request, "curve", &curve);
    }
    berth_bytes_clear(&values);
    berth_bytes_clear(&curve);
}

/* Drawn by tools/eval/plot.py; where no Python has NumPy there is no picture, which is said. */
static enum berth_status write_picture(const struct berth_redock *redock, struct berth_error *error)
{
    struct berth_bytes request = {0};
    struct berth_answer answer = {0};
    struct berth_error why;
    char subtitle[160], path[PATH_MAX];
    size_t effort[2];
    search_of(redock, effort);
    snprintf(subtitle, sizeof subtitle, "%zu complexes, %zu poses x %zu generations",
             redock->prepared, effort[0], effort[1]);
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        put_curve(redock, mode, false, &request);
        put_curve(redock, mode, true, &request);
    }
    berth_request_put_text(&request, "subtitle", subtitle);
    enum berth_status status = berth_analyse("redock", &request, &answer, &why);
    redock_path(redock, NULL, "redock.svg", path);
    if (status) {
        berth_warn(redock->run->log, NULL, "%s is not drawn: %s", path, why.message);
        status = berth_file_remove(path, BERTH_OK, error); /* of another run */
    } else {
        status = berth_analysis_write_text(
            &answer.fields[berth_analysis_find(&answer, "redock.svg")], path, error);
    }
    berth_answer_clear(&answer);
    berth_bytes_clear(&request);
    return status;
}

enum berth_status redock_report_write(const struct berth_redock *redock, struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(write_csv(redock, error));
    BERTH_TRY(write_picture(redock, error));
    return berth_redock_summarize(redock, redock_path(redock, NULL, "summary.md", path), error);
}
