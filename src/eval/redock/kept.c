/* What a redocking has done, complex by complex, in the journal of its folder: a run that was ended
 * goes on with the others. */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "eval/redock/redock_internal.h"
#include "format/output.h"

/* --- Records --- */

/* A complex: text name, text failure, text SMILES; unless it failed, for each mode of the run u8
 * outcome, f64 values of its row. */

enum berth_status redock_keep(struct berth_redock *redock, size_t i,
                              const struct redock_result *result, struct berth_error *error)
{
    struct berth_bytes record = {0};
    berth_bytes_put_text(&record, redock->entries[i].name);
    berth_bytes_put_text(&record, result->failure ? result->failure : "");
    berth_bytes_put_text(&record, result->smiles ? result->smiles : "");
    for (int mode = 0; mode < BERTH_REDOCK_MODES && !result->failure; mode++) {
        const struct redock_row *row = &result->rows[mode];
        if (redock->modes[mode]) {
            berth_bytes_put8(&record, (uint8_t)row->outcome);
            for (int k = 0; k < REDOCK_VALUES; k++) {
                uint64_t word;
                memcpy(&word, &row->values[k], sizeof word);
                berth_bytes_put64(&record, word);
            }
        }
    }
    enum berth_status status = berth_journal_add(redock->journal, &record, error);
    BERTH_THEN(berth_journal_sync(redock->journal, error));
    berth_bytes_clear(&record);
    return status;
}

static void get_row(struct berth_cursor *content, struct redock_row *row)
{
    row->outcome = berth_cursor_get8(content);
    content->failed = content->failed || row->outcome > BERTH_REDOCK_SEARCH;
    for (int k = 0; k < REDOCK_VALUES; k++) {
        const uint64_t word = berth_cursor_get64(content);
        memcpy(&row->values[k], &word, sizeof word);
    }
}

/* Takes the record of a complex. */
static enum berth_status take(struct berth_redock *redock, struct berth_cursor *content,
                              struct berth_error *error)
{
    struct redock_result result = {.recalled = true};
    const char *name = berth_cursor_get_text(content);
    size_t i = 0;
    while (i < redock->count &&
           (redock->entries[i].result.done || strcmp(redock->entries[i].name, name) != 0)) {
        i++;
    }
    const char *failure = berth_cursor_get_text(content), *smiles = berth_cursor_get_text(content);
    for (int mode = 0; mode < BERTH_REDOCK_MODES && !*failure; mode++) {
        if (redock->modes[mode]) {
            get_row(content, &result.rows[mode]);
        }
    }
    if (content->failed || berth_cursor_left(content) || i == redock->count) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s: the record of %s makes no sense; remove the journal and start the "
                          "run again",
                          berth_journal_path(redock->journal), name);
    }
    result.failure = *failure ? berth_copy_text(failure) : NULL;
    result.smiles = berth_copy_text(smiles);
    if (!result.smiles || (*failure && !result.failure)) {
        free(result.failure);
        free(result.smiles);
        return berth_out_of_memory(error, NULL);
    }
    redock_settle(redock, i, &result);
    return BERTH_OK;
}

enum berth_status redock_recall(struct berth_redock *redock, struct berth_error *error)
{
    struct berth_cursor content;
    bool end = false;
    enum berth_status status = BERTH_OK;
    while (!status && !(status = berth_journal_next(redock->journal, &content, &end, error)) &&
           !end) {
        status = take(redock, &content, error);
    }
    return status;
}

/* --- What decides the results --- */

static int is_shown(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

static void add_hash(struct berth_output *identity, const char *name, struct berth_sha256 *hash)
{
    unsigned char digest[BERTH_SHA256_SIZE];
    char text[BERTH_SHA256_TEXT];
    berth_sha256_end(hash, digest);
    berth_sha256_print(digest, text);
    berth_output_print(identity, "%s = %s\n", name, text);
}

/* The box, the SMILES, and what the folder of a complex holds; one that is not there holds nothing.
 */
static enum berth_status add_complex(const struct berth_redock *redock,
                                     const struct redock_entry *entry,
                                     struct berth_output *identity, struct berth_error *error)
{
    struct berth_sha256 hash;
    struct dirent **names = NULL;
    char folder[PATH_MAX], path[PATH_MAX];
    enum berth_status status = BERTH_OK;
    snprintf(folder, sizeof folder, "%s/%s", redock->folder, entry->name);
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, entry->center, sizeof entry->center);
    if (entry->smiles) {
        berth_sha256_add(&hash, entry->smiles, strlen(entry->smiles));
    }
    const int count = scandir(folder, &names, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        struct berth_error none;
        BERTH_THEN(berth_path_in(folder, names[i]->d_name, path, sizeof path, error));
        if (!status && !berth_file_check_plain(path, &none)) {
            berth_sha256_add(&hash, names[i]->d_name, strlen(names[i]->d_name) + 1);
            status = berth_sha256_add_file(&hash, path, NULL, error);
        }
        free(names[i]);
    }
    free(names);
    add_hash(identity, entry->name, &hash);
    return status;
}

/* The functions and the model. */
static enum berth_status add_ranker(const struct berth_ranker *ranker,
                                    struct berth_output *identity, struct berth_error *error)
{
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    for (size_t i = 0; i < BERTH_FUNCTIONS_MAX && ranker->functions[i]; i++) {
        const struct berth_scoring *scoring = ranker->functions[i];
        const uint64_t forcefield = berth_forcefield_hash(&scoring->forcefield);
        berth_sha256_add(&hash, &forcefield, sizeof forcefield);
        berth_sha256_add(&hash, scoring->definition->digest, sizeof scoring->definition->digest);
    }
    if (ranker->texts.confidence) {
        berth_sha256_add(&hash, ranker->texts.confidence, strlen(ranker->texts.confidence));
    }
    if (ranker->rescorer) {
        const char *network = berth_rescorer_model(ranker->rescorer)->network;
        BERTH_TRY(berth_sha256_add_file(&hash, network, NULL, error));
    }
    add_hash(identity, "function", &hash);
    return BERTH_OK;
}

/* Whether results are the same whatever its value is, or it has none. */
static bool changes_nothing(const struct berth_option *option)
{
    const char *name = option->name;
    return option->kind > BERTH_OPTION_TEXT || strcmp(name, "out") == 0 ||
           strcmp(name, "resume") == 0 || strcmp(name, "device") == 0;
}

/* An option's value; of a file what is in it, too. */
static enum berth_status add_option(const struct berth_option *row,
                                    const struct berth_options *options,
                                    struct berth_output *identity, struct berth_error *error)
{
    char value[PATH_MAX];
    struct berth_error none;
    struct berth_sha256 hash;
    berth_option_print(row, options, value, sizeof value);
    berth_output_print(identity, "%s = %s\n", row->name, value);
    if (row->kind == BERTH_OPTION_TEXT && *value && !berth_file_check_plain(value, &none)) {
        berth_sha256_start(&hash);
        BERTH_TRY(berth_sha256_add_file(&hash, value, NULL, error));
        add_hash(identity, row->name, &hash);
    }
    return BERTH_OK;
}

static enum berth_status identify(const struct berth_redock *redock, struct berth_output *identity,
                                  struct berth_error *error)
{
    const struct berth_options *options = &redock->run->options;
    berth_output_print(identity, "berth = %s\n", BERTH_VERSION);
    enum berth_status status = add_ranker(&redock->run->ranker, identity, error);
    for (const struct berth_option *row = options->rows; !status && !berth_option_is_end(row);
         row++) {
        if (berth_option_is_named(row) && !changes_nothing(row)) {
            status = add_option(row, options, identity, error);
        }
    }
    for (size_t i = 0; !status && i < redock->count; i++) {
        status = add_complex(redock, &redock->entries[i], identity, error);
    }
    return status;
}

/* A journal that is gone on with must be of the same run; the first lines that differ are told. */
static enum berth_status check_identity(const struct berth_redock *redock, const char *now,
                                        struct berth_error *error)
{
    const char *then = berth_journal_identity(redock->journal);
    if (strcmp(then, now) == 0) {
        return BERTH_OK;
    }
    for (size_t line;
         (line = strcspn(then, "\n")) == strcspn(now, "\n") && strncmp(then, now, line) == 0;) {
        then += line + (then[line] == '\n');
        now += line + (now[line] == '\n');
    }
    return berth_fail(error, BERTH_E_FORMAT,
                      "%s: the run was begun with `%.*s`, now `%.*s`; give the same options and "
                      "files, or another folder",
                      berth_journal_path(redock->journal), (int)strcspn(then, "\n"), then,
                      (int)strcspn(now, "\n"), now);
}

enum berth_status redock_open_journal(struct berth_redock *redock, struct berth_error *error)
{
    struct berth_output *identity;
    char path[PATH_MAX], *text = NULL;
    size_t size;
    BERTH_TRY(berth_output_create_memory(&text, &size, &identity, error));
    enum berth_status status =
        berth_output_finish(identity, identify(redock, identity, error), error);
    const struct berth_journal_setup setup = {
        .path = redock_path(redock, NULL, "journal", path),
        .identity = text,
        .facts = "",
        .mode = redock->run->options.resume ? BERTH_JOURNAL_RESUME : BERTH_JOURNAL_REPLACE};
    BERTH_THEN(berth_journal_create(&setup, &redock->journal, error));
    BERTH_THEN(check_identity(redock, text, error));
    free(text);
    return status;
}
