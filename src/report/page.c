#include "report/page.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/csv.h"
#include "format/folder.h"
#include "format/receptor_names.h"
#include "eval/pose_records.h"
#include "report/page_internal.h"

/* --- Members of its data --- */

void page_name(struct berth_output *output, const char *name)
{
    berth_output_print(output, ",\"%s\":", name);
}

void page_number(struct berth_output *output, double value, int decimals)
{
    if (isfinite(value)) {
        berth_output_print(output, "%.*f", decimals, value);
    } else {
        berth_output_print(output, "null");
    }
}

void page_text(struct berth_output *output, const char *text)
{
    char *shown = berth_text_escape(text, "");
    berth_output_json(output, shown ? shown : "");
    free(shown);
}

void page_picture(struct berth_output *output, const unsigned char *svg, size_t size)
{
    berth_output_print(output, "\"data:image/svg+xml,");
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = svg[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || (c && strchr(" .,-_:;=/()", c));
        berth_output_print(output, plain ? "%c" : "%%%02X", c);
    }
    berth_output_print(output, "\"");
}

/* --- Tables as they stand --- */

static void write_row(struct berth_output *output, const struct berth_csv *csv, bool head)
{
    for (size_t i = 0; i < berth_csv_columns(csv); i++) {
        berth_output_print(output, i ? "," : "[");
        /* the table has escaped what it holds */
        berth_output_json(output, head ? berth_csv_column(csv, i) : berth_csv_field(csv, i));
    }
    berth_output_print(output, "]");
}

/* A table of the folder as it stands.  Errors: as above. */
static enum berth_status write_table(const struct page *page, const struct page_table *table,
                                     struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    size_t rows = 0;
    bool end = false;
    enum berth_status status = berth_csv_open(table->path, &csv, error);
    if (status) {
        return status;
    }
    page_name(page->output, table->name);
    berth_output_print(page->output, "{\"columns\":");
    write_row(page->output, csv, true);
    berth_output_print(page->output, ",\"rows\":[");
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        if (rows++ < table->most) {
            berth_output_print(page->output, rows > 1 ? ",\n" : "");
            write_row(page->output, csv, false);
        }
    }
    berth_output_print(page->output, "],\"all\":%zu", rows);
    page_name(page->output, "file");
    page_text(page->output, table->path);
    berth_output_print(page->output, "}");
    berth_csv_close(csv);
    return status;
}

/* What redocking left.  Errors: as above. */
static enum berth_status write_redock(const struct page *page, struct berth_error *error)
{
    struct berth_bytes svg = {0};
    char path[PATH_MAX];
    /* what the page says of redocking is of all complexes, of which nobody has many thousands */
    const struct page_table table = {"redock", page->redock, SIZE_MAX};
    enum berth_status status = write_table(page, &table, error);
    BERTH_THEN(berth_path_in(page->settings->folder, "redock.svg", path, sizeof path, error));
    if (!status && access(path, F_OK) == 0) {
        status = berth_input_read_all(path, page->settings->cancel, &svg, error);
    }
    if (!status && svg.count) {
        page_name(page->output, "picture");
        page_picture(page->output, svg.data, svg.count);
    }
    berth_bytes_clear(&svg);
    return status;
}

/* --- Failures by reason --- */

/* Reasons that are told apart; those that come later are one. */
enum { REASONS = 500, SHOWN = 12, REASON_SIZE = 200 };

struct reason {
    char text[REASON_SIZE];
    size_t count;
};

struct reasons {
    struct reason items[REASONS];
    size_t count, others, all;
};

/* Numbers and the ligand's own name tell the same reason apart: they become '#' and "...". */
static void generalise(const char *reason, const char *ligand, char text[REASON_SIZE])
{
    const size_t length = strlen(ligand);
    size_t used = 0;
    while (*reason && used + 4 < REASON_SIZE) {
        if (length > 1 && strncmp(reason, ligand, length) == 0) {
            memcpy(text + used, "...", 3);
            used += 3;
            reason += length;
        } else if (isdigit((unsigned char)*reason)) {
            text[used++] = '#';
            reason += strspn(reason, "0123456789.");
        } else {
            text[used++] = *reason++;
        }
    }
    text[used] = '\0';
}

static void count_reason(struct reasons *reasons, const char *text)
{
    reasons->all++;
    for (size_t i = 0; i < reasons->count; i++) {
        if (strcmp(reasons->items[i].text, text) == 0) {
            reasons->items[i].count++;
            return;
        }
    }
    if (reasons->count == REASONS) {
        reasons->others++;
        return;
    }
    strcpy(reasons->items[reasons->count].text, text);
    reasons->items[reasons->count++].count = 1;
}

static int compare_counts(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

static enum berth_status read_reasons(const struct page *page, struct reasons *reasons,
                                      struct berth_error *error)
{
    struct berth_csv *csv = NULL;
    char text[REASON_SIZE];
    bool end = false;
    enum berth_status status = berth_csv_open(page->failures, &csv, error);
    const size_t reason = status ? SIZE_MAX : berth_csv_find(csv, "reason");
    const size_t ligand = status ? SIZE_MAX : berth_csv_find(csv, "ligand");
    while (!status && reason != SIZE_MAX && ligand != SIZE_MAX) {
        status = berth_csv_next(csv, &end, error);
        if (status || end) {
            break;
        }
        generalise(berth_csv_field(csv, reason), berth_csv_field(csv, ligand), text);
        count_reason(reasons, text);
    }
    berth_csv_close(csv);
    return status;
}

/* The reasons of the failures, most frequent first.  Errors: as above. */
static enum berth_status write_reasons(const struct page *page, struct berth_error *error)
{
    struct reasons *reasons = berth_alloc(1, sizeof *reasons);
    if (!reasons) {
        return berth_out_of_memory(error, NULL);
    }
    const enum berth_status status =
        *page->failures ? read_reasons(page, reasons, error) : BERTH_OK;
    qsort(reasons->items, reasons->count, sizeof *reasons->items, compare_counts);
    berth_output_print(page->output, ",\n\"failed\":%zu,\n\"failures\":[", reasons->all);
    for (size_t i = 0; i < reasons->count; i++) {
        if (i >= SHOWN) {
            reasons->others += reasons->items[i].count;
            continue;
        }
        berth_output_print(page->output, "%s[", i ? "," : "");
        berth_output_json(page->output, reasons->items[i].text); /* the table escaped it */
        berth_output_print(page->output, ",%zu]", reasons->items[i].count);
    }
    if (reasons->others) {
        berth_output_print(page->output, ",[\"other reasons\",%zu]", reasons->others);
    }
    berth_output_print(page->output, "]");
    free(reasons);
    return status;
}

/* Rows of a table of pockets, at most. */
enum { TABLE_ROWS = 1000 };

/* --- run.json --- */

/* The text of a member of an object of run.json, without escapes: BERTH_OK and "" where there is
 * none.  What berth writes, a line a member, is all that this reads. */
static void find_member(const struct page *page, const char *object, const char *name,
                        char text[PATH_MAX])
{
    char key[64 + BERTH_RECEPTOR_KEY];
    size_t used = 0;
    text[0] = '\0';
    if (!page->run.count) {
        return;
    }
    snprintf(key, sizeof key, "\n  \"%s\": {", object);
    const char *at = strstr((const char *)page->run.data, key);
    const char *end = at ? strstr(at, "\n  }") : NULL;
    snprintf(key, sizeof key, "\n    \"%s\": \"", name);
    at = at ? strstr(at, key) : NULL;
    if (!at || !end || at > end) {
        return;
    }
    for (at += strlen(key); *at && *at != '"' && used + 1 < PATH_MAX; at++) {
        unsigned code;
        if (at[0] == '\\' && at[1] == 'u' && sscanf(at + 2, "%4x", &code) == 1 && code < 256) {
            text[used++] = (char)code;
            at += 5;
        } else {
            at += *at == '\\' && at[1];
            text[used++] = *at;
        }
    }
    text[used] = '\0';
}

static enum berth_status read_run(struct page *page, struct berth_error *error)
{
    char path[PATH_MAX];
    enum berth_status status =
        berth_path_in(page->settings->folder, "run.json", path, sizeof path, error);
    if (!status && access(path, F_OK) == 0) {
        status = berth_input_read_all(path, page->settings->cancel, &page->run, error);
        if (!status) {
            berth_bytes_put8(&page->run, 0);
            status = page->run.failed ? berth_out_of_memory(error, NULL) : status;
        } else {
            berth_fail_in(error, path);
        }
    }
    return status;
}

/* --- What the run left --- */

/* The first of these files that the folder has. */
static void find_file(const struct page *page, const char *const *names, char path[PATH_MAX])
{
    struct berth_error ignored;
    for (; *names; names++) {
        if (!berth_path_in(page->settings->folder, *names, path, PATH_MAX, &ignored) &&
            access(path, F_OK) == 0) {
            return;
        }
    }
    path[0] = '\0';
}

static enum berth_status find_files(struct page *page, struct berth_error *error)
{
    static const char *const SCORES[] = {"scores.csv", "scores.csv.gz", NULL};
    static const char *const POSES[] = {"hits.sdf", "poses.sdf", "poses.sdf.gz", NULL};
    static const char *const REDOCK[] = {"redock.csv", NULL};
    static const char *const FAILURES[] = {"failures.csv", "poses.failures.csv", NULL};
    static const char *const POCKETS[] = {"poses.pockets.csv", NULL};
    static const char *const AGREED[] = {"poses.agreed.csv", NULL};
    const struct berth_page_settings *settings = page->settings;
    find_file(page, SCORES, page->scores);
    find_file(page, POCKETS, page->pockets);
    find_file(page, AGREED, page->agreed);
    find_file(page, POSES, page->poses);
    find_file(page, FAILURES, page->failures);
    find_file(page, REDOCK, page->redock);
    if (!*page->scores && !*page->redock) {
        return berth_fail(error, BERTH_E_IO,
                          "%s: no scores.csv; give the folder of a screen, of `eval redock`, or of "
                          "a docking with --scores DIR/scores.csv",
                          settings->folder);
    }
    if (settings->poses) {
        snprintf(page->poses, sizeof page->poses, "%s", settings->poses);
    }
    return read_run(page, error);
}

/* The scoring function of the run; of one that is not built in and not at hand nothing is known but
 * what the tables say. */
static enum berth_status choose_scoring(struct page *page, struct berth_error *error)
{
    char name[PATH_MAX];
    struct berth_scoring_choice choice = berth_scoring_defaults();
    find_member(page, "identity", "scoring", name);
    if (page->settings->scoring || *name) {
        choice.scoring = page->settings->scoring ? page->settings->scoring : name;
    }
    const enum berth_status status =
        berth_scoring_read(&choice, page->settings->log, &page->scoring, error);
    if (status && !page->settings->scoring) {
        berth_warn(page->settings->log, NULL,
                   "the scoring function %s is not known here: --scoring FILE.score names it",
                   choice.scoring);
        berth_scoring_clear(&page->scoring);
        return BERTH_OK;
    }
    return status;
}

/* The site that run.json has, where the receptor brings none. */
static void take_site(struct page *page)
{
    struct berth_receptor *receptor = &page->target.receptor;
    char center[PATH_MAX], size[PATH_MAX];
    find_member(page, "identity", "center", center);
    find_member(page, "identity", "size", size);
    if (sscanf(center, "%lf %lf %lf", &receptor->center[0], &receptor->center[1],
               &receptor->center[2]) == 3 &&
        sscanf(size, "%lf %lf %lf", &receptor->size[0], &receptor->size[1], &receptor->size[2]) ==
            3) {
        receptor->has_site = true;
    }
}

/* Of a run to several receptors: the one that the first pose is in. */
static void find_best_receptor(struct page *page)
{
    struct berth_pose_records poses = {0};
    struct berth_read_pose pose = {0};
    struct berth_error ignored;
    char key[BERTH_RECEPTOR_KEY];
    bool end = false;
    if (*page->poses && !berth_pose_records_open(page->poses, &poses, &ignored) &&
        !berth_pose_records_next(&poses, &pose, &end, &ignored) && !end) {
        snprintf(key, sizeof key, "receptor_%.*s", BERTH_RECEPTOR_NAME_SIZE,
                 berth_pose_tag(&pose, "receptor"));
        find_member(page, "files", key, page->receptor);
    }
    berth_read_pose_clear(&pose);
    berth_pose_records_close(&poses);
}

static enum berth_status open_receptor(struct page *page, struct berth_error *error)
{
    const struct berth_page_settings *settings = page->settings;
    struct berth_error why;
    if (!*page->scores) { /* redocking has many */
        return BERTH_OK;
    }
    find_member(page, "files", "receptor", page->receptor);
    if (!*page->receptor) {
        find_best_receptor(page);
    }
    if (settings->receptor) {
        snprintf(page->receptor, sizeof page->receptor, "%s", settings->receptor);
    }
    enum berth_status status =
        *page->receptor
            ? berth_interaction_target_read(page->receptor, settings->log, &page->target, &why)
            : berth_fail(&why, BERTH_E_IO, "no receptor is known: --receptor FILE names it");
    if (status == BERTH_E_MEMORY || (status && settings->receptor)) {
        *error = why;
        return status;
    }
    page->has_target = !status;
    if (status) {
        berth_warn(settings->log, NULL, "the page has no interactions: %s", why.message);
        return BERTH_OK;
    }
    take_site(page);
    if (page->scoring.name && berth_scoring_assign(&page->scoring, &page->target.receptor.molecule,
                                                   NULL, &page->heavy, &why)) {
        page->heavy.count = 0; /* no shares of residues */
    }
    return BERTH_OK;
}

static enum berth_status open_worker(struct page *page, struct berth_error *error)
{
    struct berth_error why;
    if (berth_rdkit_find(&page->rdkit, &why)) {
        berth_warn(page->settings->log, NULL,
                   "Open Babel draws the molecules, and no pose is checked: %s", why.message);
        return BERTH_OK;
    }
    const struct berth_worker_setup setup = {.rdkit = &page->rdkit,
                                             .cancel = page->settings->cancel};
    return berth_worker_create(&setup, &page->worker, error);
}

static enum berth_status open_viewer(struct page *page, const char *path, struct berth_error *error)
{
    const struct berth_viewer_setup setup = {.kind = page->settings->view,
                                             .beside = path,
                                             .poses = page->poses,
                                             .reference = page->settings->reference,
                                             .target = &page->target};
    return !setup.kind ? BERTH_OK
           : !page->has_target || !*page->poses
               ? berth_fail(error, BERTH_E_USAGE, "--view: there is no receptor, or no poses")
               : berth_viewer_create(&setup, &page->viewer, error);
}

/* --- The page --- */

static const struct berth_embedded *part(const char *name)
{
    const struct berth_embedded *found = berth_embedded_page;
    while (strcmp(found->name, name) != 0) {
        found++;
    }
    return found;
}

static void write_head(const struct page *page)
{
    struct berth_output *output = page->output;
    const time_t now = time(NULL);
    struct tm parts;
    char made[32];
    strftime(made, sizeof made, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    berth_output_print(output, "{\"berth\":\"%s\",\"made\":\"%s\"", BERTH_VERSION, made);
    page_name(output, "folder");
    page_text(output, page->settings->folder);
    page_name(output, "receptor");
    page_text(output, page->receptor);
    page_name(output, "unit");
    page_text(output, page->scoring.unit);
    page_name(output, "scoring");
    page_text(output, page->scoring.name ? page->scoring.name : "");
    page_name(output, "terms");
    for (size_t i = 0; i < page->scoring.terms.count; i++) {
        berth_output_print(output, i ? "," : "[");
        page_text(output, page->scoring.terms.names[i]);
    }
    berth_output_print(output, page->scoring.terms.count ? "]" : "[]");
    page_name(output, "kinds");
    for (int kind = 0; kind < BERTH_INTERACTION_KINDS; kind++) {
        berth_output_print(output, "%s\"%s\"", kind ? "," : "[",
                           berth_interaction_name((enum berth_interaction_kind)kind));
    }
    berth_output_print(output, "]");
    page_name(output, "run");
    /* as a text, which the page parses: a file that is no JSON costs that part alone */
    berth_output_json(output, page->run.count ? (const char *)page->run.data : "");
}

static enum berth_status write_data(struct page *page, struct berth_error *error)
{
    double worst = INFINITY;
    write_head(page);
    enum berth_status status =
        *page->scores ? page_scores_write(page, &worst, error) : write_redock(page, error);
    const struct page_table tables[] = {{"pockets", page->pockets, TABLE_ROWS},
                                        {"agreed", page->agreed, TABLE_ROWS}};
    for (size_t i = 0; !status && i < sizeof tables / sizeof *tables; i++) {
        status = *tables[i].path ? write_table(page, &tables[i], error) : BERTH_OK;
    }
    BERTH_THEN(write_reasons(page, error));
    BERTH_THEN(page_hits_write(page, worst, error));
    berth_output_print(page->output, "}\n");
    return status;
}

/* The template up to "@NAME@" as it stands, then what belongs there. */
static enum berth_status write_page(struct page *page, struct berth_error *error)
{
    const char *at = part("page.html")->text;
    enum berth_status status = BERTH_OK;
    for (const char *mark; !status && (mark = strchr(at, '@')) != NULL;) {
        const char *end = strchr(mark + 1, '@') + 1;
        berth_output_bytes(page->output, at, (size_t)(mark - at));
        if (strncmp(mark, "@DATA@", 6) == 0) {
            status = write_data(page, error);
        } else {
            const struct berth_embedded *text =
                part(strncmp(mark, "@STYLE@", 7) == 0 ? "page.css" : "page.js");
            berth_output_bytes(page->output, text->text, text->size);
        }
        at = end;
    }
    berth_output_bytes(page->output, at, strlen(at));
    return status;
}

static enum berth_status commit(struct page *page, struct berth_error *error)
{
    enum berth_status status = page->viewer ? berth_viewer_commit(page->viewer, error) : BERTH_OK;
    if (!status) {
        status = berth_output_commit(page->output, error);
        page->output = NULL;
    }
    return status;
}

static void clear(struct page *page)
{
    berth_output_discard(page->output);
    berth_viewer_destroy(page->viewer);
    berth_worker_destroy(page->worker);
    berth_heavy_atoms_clear(&page->heavy);
    berth_interaction_target_clear(&page->target);
    berth_scoring_clear(&page->scoring);
    berth_bytes_clear(&page->run);
}

enum berth_status berth_page_write(const struct berth_page_settings *settings, char *path,
                                   struct berth_error *error)
{
    struct page page = {.settings = settings};
    enum berth_status status =
        settings->out ? BERTH_OK
                      : berth_path_in(settings->folder, "report.html", path, PATH_MAX, error);
    if (settings->out) {
        snprintf(path, PATH_MAX, "%s", settings->out);
    }
    static enum berth_status (*const STEPS[])(struct page *, struct berth_error *) = {
        find_files, choose_scoring, open_receptor, open_worker};
    for (size_t i = 0; !status && i < sizeof STEPS / sizeof *STEPS; i++) {
        status = STEPS[i](&page, error);
    }
    BERTH_THEN(open_viewer(&page, path, error));
    BERTH_THEN(berth_output_create(path, &page.output, error));
    BERTH_THEN(write_page(&page, error));
    BERTH_THEN(commit(&page, error));
    clear(&page);
    return status;
}
