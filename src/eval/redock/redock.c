/* A redocking from the set's tables to the results'. */
#include "eval/redock/redock_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "format/output.h"

/* Results must not fall into the set, whose files they would replace; and there must be room for
 * them. */
static enum berth_status check_out(const struct berth_redock_settings *settings,
                                   struct berth_error *error)
{
    struct stat set, out;
    if (stat(settings->set, &set) == 0 && stat(settings->out, &out) == 0 &&
        set.st_dev == out.st_dev && set.st_ino == out.st_ino) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--out: %s is the set itself; choose another folder", settings->out);
    }
    return berth_folder_probe(settings->out, REDOCK_FILE, REDOCK_FILES, error);
}

enum berth_status berth_redock_create(const struct berth_redock_settings *settings,
                                      struct berth_redock **redock, struct berth_error *error)
{
    struct berth_redock *made = berth_alloc(1, sizeof *made);
    *redock = NULL;
    if (!made) {
        return berth_out_of_memory(error, NULL);
    }
    *made = (struct berth_redock){.settings = *settings};
    enum berth_status status = redock_set_read(settings, &made->set, error);
    BERTH_THEN(check_out(settings, error));
    if (status) {
        berth_redock_destroy(made);
    } else {
        *redock = made;
    }
    return status;
}

static bool is_prepare_only(const struct berth_redock *redock)
{
    bool any = false;
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        any = any || redock->settings.modes[mode];
    }
    return !any;
}

static bool is_stopped(const struct berth_redock *redock)
{
    return redock->means.stop && atomic_load(redock->means.stop);
}

/* One line a complex, as it is done. */
static void say_done(const struct redock_complex *complex, const struct redock_row *rows,
                     size_t count)
{
    const struct berth_log *log = complex->redock->means.log;
    char text[256] = " prepared";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %.2f \xc3\x85 (%s)",
                                 i ? "," : "", berth_redock_mode_name(rows[i].mode), rows[i].top[0],
                                 berth_redock_name(rows[i].outcome));
    }
    berth_note(log, "%s:%s", complex->entry->name, text);
    if (complex->removed) {
        berth_warn(log, NULL,
                   "%s: %zu heavy atoms of the receptor are the ligand itself, and were left out "
                   "with their residues",
                   complex->entry->name, complex->removed);
    }
}

/* Errors of one complex are a row of the failures; others end the run. */
static bool is_fatal(enum berth_status status)
{
    return status == BERTH_E_MEMORY || status == BERTH_E_DEVICE || status == BERTH_E_USAGE;
}

static enum berth_status interrupted(const struct berth_redock *redock, struct berth_error *error)
{
    return berth_fail(error, BERTH_E_USAGE,
                      "interrupted after %zu of %zu complexes; what was prepared and docked is in "
                      "%s, of the tables none: start the run again",
                      redock->prepared + redock->failed, redock->set.count, redock->settings.out);
}

/* Takes the rows of a complex that is done; their texts move. */
static enum berth_status add_rows(struct berth_redock *redock, const struct redock_row *rows,
                                  size_t count, struct berth_error *error)
{
    enum berth_status status =
        berth_reserve(&redock->rows, &redock->capacity, redock->count + count, sizeof *rows, error);
    if (!status && count) {
        memcpy(redock->rows + redock->count, rows, count * sizeof *rows);
        redock->count += count;
    }
    return status;
}

static enum berth_status do_complex(struct berth_redock *redock, const struct redock_entry *entry,
                                    struct berth_error *error)
{
    struct redock_complex complex;
    struct redock_row rows[BERTH_REDOCK_MODES];
    size_t count = 0;
    enum berth_status status = redock_complex_read(redock, entry, &complex, error);
    BERTH_THEN(redock_complex_write(&complex, error));
    if (!status && !is_prepare_only(redock)) {
        status = redock_dock(&complex, rows, &count, &redock->hangs, error);
    }
    if (!status) {
        say_done(&complex, rows, count);
        berth_output_print(redock->sites, "%s\t%.10g\t%.10g\t%.10g\n", entry->name,
                           entry->center[0], entry->center[1], entry->center[2]);
        redock->prepared++;
        status = add_rows(redock, rows, count, error);
    } else {
        for (size_t i = 0; i < count; i++) {
            free(rows[i].smiles);
        }
    }
    redock_complex_clear(&complex);
    if (status && !is_fatal(status) && !is_stopped(redock)) {
        redock->failed++;
        berth_failures_add_at(&redock->failures, entry - redock->set.entries, entry->name, error);
        status = BERTH_OK;
    }
    return is_stopped(redock) ? interrupted(redock, error) : status;
}

static enum berth_status open_outputs(struct berth_redock *redock, struct berth_error *error)
{
    char failures[PATH_MAX], sites[PATH_MAX];
    redock_path(redock, NULL, "failures.csv", failures);
    redock_path(redock, NULL, "sites.tsv", sites);
    redock->failures.log = redock->means.log;
    enum berth_status status = redock_make_folder(redock->settings.out, error);
    BERTH_THEN(berth_failures_create(failures, &redock->failures, error));
    BERTH_THEN(berth_output_create(sites, &redock->sites, error));
    if (!status) {
        berth_output_print(redock->sites, "pdb\tcenter_x\tcenter_y\tcenter_z\n");
    }
    return status;
}

/* Gives the tables of a run that came to its end their final names. */
static enum berth_status close_outputs(struct berth_redock *redock, struct berth_error *error)
{
    enum berth_status status = berth_output_commit(redock->failures.output, error);
    redock->failures.output = NULL;
    if (!status && !redock->prepared) {
        status =
            berth_fail(error, BERTH_E_FORMAT, "%s: no complex could be docked", redock->set.folder);
    }
    if (!status) {
        status = berth_output_commit(redock->sites, error);
        redock->sites = NULL;
    }
    return status || is_prepare_only(redock) ? status : redock_report_write(redock, error);
}

/* Random torsions lead to the crystal pose only where the search changes them. */
static enum berth_status check_torsions(const struct berth_redock_settings *settings,
                                        struct berth_error *error)
{
    const struct berth_refine_settings *refine = &settings->search.refine;
    char names[BERTH_SEARCH_LEVEL_NAMES];
    berth_search_level_names(true, names);
    return settings->modes[BERTH_REDOCK_TORSIONS] && !(refine->poses && refine->torsions)
               ? berth_fail(error, BERTH_E_USAGE,
                            "--mode torsions: the search keeps torsions as they are; take --search "
                            "%s, or add --refine_torsions",
                            names)
               : BERTH_OK;
}

enum berth_status berth_redock_run(struct berth_redock *redock,
                                   const struct berth_redock_means *means,
                                   struct berth_error *error)
{
    redock->means = *means;
    enum berth_status status = check_torsions(&redock->settings, error);
    BERTH_THEN(open_outputs(redock, error));
    for (size_t i = 0; !status && i < means->devices->count; i++) {
        berth_note(means->log, "device %zu: %s", means->devices->devices[i].index,
                   means->devices->devices[i].name);
    }
    for (size_t i = 0; !status && i < redock->set.count; i++) {
        status = do_complex(redock, &redock->set.entries[i], error);
    }
    return status ? status : close_outputs(redock, error);
}

size_t berth_redock_failed(const struct berth_redock *redock)
{
    return redock->failed;
}

bool berth_redock_hangs(const struct berth_redock *redock)
{
    return redock->hangs;
}

void berth_redock_destroy(struct berth_redock *redock)
{
    if (!redock) {
        return;
    }
    for (size_t i = 0; i < redock->count; i++) {
        free(redock->rows[i].smiles);
    }
    free(redock->rows);
    berth_output_discard(redock->failures.output);
    berth_output_discard(redock->sites);
    redock_set_clear(&redock->set);
    free(redock);
}
