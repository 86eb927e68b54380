/* What a redocking has done, complex by complex in the order of the set, in the journal of its
 * folder: a run that was ended goes on behind that. */
#include <dirent.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "eval/redock/redock_internal.h"
#include "format/output.h"

/* --- In memory --- */

enum berth_status redock_make_room(struct berth_redock *redock, struct berth_error *error)
{
    return berth_reserve(&redock->rows, &redock->capacity, redock->count + BERTH_REDOCK_MODES,
                         sizeof *redock->rows, error);
}

void redock_drop_rows(struct berth_redock *redock, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(redock->rows[redock->count + i].smiles);
    }
}

void redock_settle(struct berth_redock *redock, const struct redock_entry *entry, size_t count,
                   const struct berth_error *failure)
{
    if (failure) {
        redock->failed++;
        berth_failures_add_at(&redock->failures, entry - redock->set.entries, entry->name, failure);
        return;
    }
    berth_output_print(redock->sites, "%s\t%.10g\t%.10g\t%.10g\n", entry->name, entry->center[0],
                       entry->center[1], entry->center[2]);
    redock->prepared++;
    redock->count += count;
}

/* --- Records --- */

#define AT(field) offsetof(struct redock_row, field)

/* The numbers of a row, in the order in which a record has them. */
static const size_t COUNTS[] = {AT(heavy_atoms), AT(torsions), AT(conformers),
                                AT(nearest.conformer), AT(unmet)};
static const size_t REALS[] = {AT(nearest.rmsd),
                               AT(nearest.energies.energy),
                               AT(nearest.energies.minimised),
                               AT(top[0]),
                               AT(top[1]),
                               AT(top[2]),
                               AT(top_energy),
                               AT(top_strain),
                               AT(best_energy),
                               AT(crystal.energy),
                               AT(crystal.minimised),
                               AT(placed),
                               AT(prepare_seconds),
                               AT(seconds)};
enum { COUNT_COUNT = sizeof COUNTS / sizeof *COUNTS, REAL_COUNT = sizeof REALS / sizeof *REALS };

static void put_row(struct berth_bytes *bytes, const struct redock_row *row)
{
    berth_bytes_put8(bytes, (uint8_t)row->mode);
    berth_bytes_put8(bytes, (uint8_t)row->outcome);
    berth_bytes_put8(bytes, row->restrained);
    for (size_t i = 0; i < COUNT_COUNT; i++) {
        size_t count;
        memcpy(&count, (const char *)row + COUNTS[i], sizeof count);
        berth_bytes_put_varint(bytes, count);
    }
    for (size_t i = 0; i < REAL_COUNT; i++) {
        uint64_t word;
        memcpy(&word, (const char *)row + REALS[i], sizeof word);
        berth_bytes_put64(bytes, word);
    }
    berth_bytes_put_text(bytes, row->smiles);
}

static enum berth_status get_row(struct berth_cursor *content, const struct redock_entry *entry,
                                 struct redock_row *row, struct berth_error *error)
{
    *row = (struct redock_row){.entry = entry};
    row->mode = berth_cursor_get8(content);
    row->outcome = berth_cursor_get8(content);
    row->restrained = berth_cursor_get8(content);
    for (size_t i = 0; i < COUNT_COUNT; i++) {
        const size_t count = (size_t)berth_cursor_get_varint(content);
        memcpy((char *)row + COUNTS[i], &count, sizeof count);
    }
    for (size_t i = 0; i < REAL_COUNT; i++) {
        const uint64_t word = berth_cursor_get64(content);
        memcpy((char *)row + REALS[i], &word, sizeof word);
    }
    content->failed =
        content->failed || row->mode >= BERTH_REDOCK_MODES || row->outcome > BERTH_REDOCK_SEARCH;
    row->smiles = berth_copy_text(berth_cursor_get_text(content));
    return row->smiles ? BERTH_OK : berth_out_of_memory(error, NULL);
}

enum berth_status redock_keep(struct berth_redock *redock, const struct redock_entry *entry,
                              size_t count, const struct berth_error *failure,
                              struct berth_error *error)
{
    struct berth_bytes record = {0};
    berth_bytes_put_text(&record, entry->name);
    berth_bytes_put_text(&record, failure ? failure->message : "");
    berth_bytes_put_varint(&record, count);
    for (size_t i = 0; i < count; i++) {
        put_row(&record, &redock->rows[redock->count + i]);
    }
    enum berth_status status = berth_journal_add(redock->journal, &record, error);
    BERTH_THEN(berth_journal_sync(redock->journal, error));
    berth_bytes_clear(&record);
    return status;
}

/* Takes the record of this complex, which is the next one of the set. */
static enum berth_status take(struct berth_redock *redock, const struct redock_entry *entry,
                              struct berth_cursor *content, struct berth_error *error)
{
    struct berth_error failure = {.status = BERTH_E_FORMAT};
    const bool same = strcmp(berth_cursor_get_text(content), entry->name) == 0;
    snprintf(failure.message, sizeof failure.message, "%s", berth_cursor_get_text(content));
    const uint64_t count = berth_cursor_get_varint(content);
    content->failed = content->failed || !same || count > BERTH_REDOCK_MODES;
    BERTH_TRY(redock_make_room(redock, error));
    size_t taken = 0;
    enum berth_status status = BERTH_OK;
    for (; !status && !content->failed && taken < count; taken++) {
        status = get_row(content, entry, &redock->rows[redock->count + taken], error);
    }
    if (!status && (content->failed || berth_cursor_left(content))) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: the record of %s makes no sense; remove the journal and start the "
                            "run again",
                            berth_journal_path(redock->journal), entry->name);
    }
    if (status) {
        redock_drop_rows(redock, taken);
    } else {
        redock_settle(redock, entry, taken, *failure.message ? &failure : NULL);
    }
    return status;
}

enum berth_status redock_recall(struct berth_redock *redock, struct berth_error *error)
{
    struct berth_cursor content;
    bool end = false;
    enum berth_status status = BERTH_OK;
    while (!status && !(status = berth_journal_next(redock->journal, &content, &end, error)) &&
           !end) {
        const size_t next = redock->prepared + redock->failed;
        status = next < redock->set.count
                     ? take(redock, &redock->set.entries[next], &content, error)
                     : berth_fail(error, BERTH_E_FORMAT, "%s: has more complexes than the set",
                                  berth_journal_path(redock->journal));
    }
    return status;
}

/* --- What decides the results --- */

static int is_shown(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

/* Adds what the folder of a complex holds; one that is not there holds nothing. */
static enum berth_status add_folder(const char *folder, struct berth_sha256 *hash,
                                    struct berth_error *error)
{
    struct dirent **names = NULL;
    const int count = scandir(folder, &names, is_shown, alphasort);
    enum berth_status status = BERTH_OK;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct berth_error none;
        BERTH_THEN(berth_path_in(folder, names[i]->d_name, path, sizeof path, error));
        if (!status && !berth_file_check_plain(path, &none)) {
            berth_sha256_add(hash, names[i]->d_name, strlen(names[i]->d_name) + 1);
            status = berth_sha256_add_file(hash, path, NULL, error);
        }
        free(names[i]);
    }
    free(names);
    return status;
}

static void add_hash(struct berth_output *identity, const char *name, struct berth_sha256 *hash)
{
    unsigned char digest[BERTH_SHA256_SIZE];
    char text[BERTH_SHA256_TEXT];
    berth_sha256_end(hash, digest);
    berth_sha256_print(digest, text);
    berth_output_print(identity, "%s = %s\n", name, text);
}

static enum berth_status add_complex(const struct berth_redock *redock,
                                     const struct redock_entry *entry,
                                     struct berth_output *identity, struct berth_error *error)
{
    struct berth_sha256 hash;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", redock->set.folder, entry->name);
    berth_sha256_start(&hash);
    berth_sha256_add(&hash, entry->center, sizeof entry->center);
    if (entry->smiles) {
        berth_sha256_add(&hash, entry->smiles, strlen(entry->smiles));
    }
    BERTH_TRY(add_folder(path, &hash, error));
    add_hash(identity, entry->name, &hash);
    return BERTH_OK;
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
    if (ranker->rescorer) {
        const char *network = berth_rescorer_model(ranker->rescorer)->network;
        BERTH_TRY(berth_sha256_add_file(&hash, network, NULL, error));
    }
    add_hash(identity, "function", &hash);
    return BERTH_OK;
}

/* An option's value; of a file what is in it, too. */
static enum berth_status add_option(const struct berth_option *row,
                                    const struct berth_options *options,
                                    struct berth_output *identity, struct berth_error *error)
{
    const void *field = (const char *)options + row->offset;
    struct berth_error none;
    struct berth_sha256 hash;
    const char *text;
    switch (row->kind) {
    case BERTH_OPTION_FLAG:
        berth_output_print(identity, "%s = %d\n", row->name, *(const bool *)field);
        return BERTH_OK;
    case BERTH_OPTION_INTEGER:
    case BERTH_OPTION_UNSIGNED:
        berth_output_print(identity, "%s = %lld\n", row->name, *(const long long *)field);
        return BERTH_OK;
    case BERTH_OPTION_REAL:
        berth_output_print(identity, "%s = %.17g\n", row->name, *(const double *)field);
        return BERTH_OK;
    case BERTH_OPTION_TEXT:
        text = *(const char *const *)field;
        berth_output_print(identity, "%s = %s\n", row->name, text ? text : "");
        if (text && !berth_file_check_plain(text, &none)) {
            berth_sha256_start(&hash);
            BERTH_TRY(berth_sha256_add_file(&hash, text, NULL, error));
            add_hash(identity, row->name, &hash);
        }
        return BERTH_OK;
    default:
        return BERTH_OK;
    }
}

/* Whether results are the same whatever its value is. */
static bool changes_nothing(const char *option)
{
    static const char *const OPTIONS[] = {"out", "resume", "device"};
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++) {
        if (strcmp(option, OPTIONS[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum berth_status identify(const struct berth_redock *redock, struct berth_output *identity,
                                  struct berth_error *error)
{
    const struct berth_options *options = &redock->run->options;
    berth_output_print(identity, "berth = %s\n", BERTH_VERSION);
    enum berth_status status = add_ranker(&redock->run->ranker, identity, error);
    for (const struct berth_option *row = options->rows; !status && !berth_option_is_end(row);
         row++) {
        if (berth_option_is_named(row) && !changes_nothing(row->name)) {
            status = add_option(row, options, identity, error);
        }
    }
    for (size_t i = 0; !status && i < redock->set.count; i++) {
        status = add_complex(redock, &redock->set.entries[i], identity, error);
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
