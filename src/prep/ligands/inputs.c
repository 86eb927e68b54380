/* The files that `berth prep ligands` reads, one after the other. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text_reader.h"
#include "format/smiles/smiles.h"
#include "prep/ligands/ligands_internal.h"
#include "prep/openbabel.h"

/* A list may name folders, but no further list. */
static enum berth_status add_path(struct berth_ligand_inputs *inputs, const char *path,
                                  bool in_folder, struct berth_error *error);

/* facts: NULL for standard input. */
static enum berth_status append_file(struct berth_ligand_inputs *inputs, const char *path,
                                     const struct stat *facts, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&inputs->files, &inputs->capacity, inputs->count + 1,
                            sizeof *inputs->files, error));
    struct berth_ligand_file *file = &inputs->files[inputs->count];
    file->path = berth_copy_text(path);
    file->endless = !facts || !S_ISREG(facts->st_mode);
    file->size = file->endless ? 0 : (uint64_t)facts->st_size;
    inputs->count++;
    return file->path ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* the same order in every locale */
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The files of a folder, by name; folders in it are left alone, and that is said. */
static enum berth_status add_folder(struct berth_ligand_inputs *inputs, const char *folder,
                                    struct berth_error *error)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_visible, compare_entries);
    if (count < 0) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot list: %s", folder, strerror(errno));
    }
    enum berth_status status = BERTH_OK;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        BERTH_THEN(add_path(inputs, path, true, error));
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* The format of a file; false where neither the sources nor its name say it. */
static bool find_format(const struct berth_ligand_inputs *inputs, const char *path, char *format,
                        size_t size)
{
    if (inputs->sources.format) {
        snprintf(format, size, "%s", inputs->sources.format);
    } else {
        berth_format_of(path, format, size);
    }
    return *format != '\0';
}

static enum berth_status add_path(struct berth_ligand_inputs *inputs, const char *path,
                                  bool in_folder, struct berth_error *error)
{
    struct stat facts;
    char format[32];
    const bool stream = strcmp(path, "-") == 0;
    if (!stream && (stat(path, &facts) != 0 || access(path, R_OK) != 0)) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot open: %s%s", path, strerror(errno),
                          berth_smiles_hint(path));
    }
    if (!stream && S_ISDIR(facts.st_mode)) {
        if (!in_folder) {
            return add_folder(inputs, path, error);
        }
        berth_warn(inputs->sources.log, NULL, "%s: passed over, a folder in a folder", path);
        return BERTH_OK;
    }
    if (!find_format(inputs, path, format, sizeof format)) {
        if (in_folder) {
            berth_warn(inputs->sources.log, NULL,
                       "%s: passed over, its name does not say its format", path);
            return BERTH_OK;
        }
        return berth_fail_option(
            error, BERTH_E_USAGE, "format",
            "%s: the name does not say the format; give it (smi, sdf, mol2 ...)", path);
    }
    return append_file(inputs, path, stream ? NULL : &facts, error);
}

static enum berth_status add_list(struct berth_ligand_inputs *inputs, const char *path,
                                  struct berth_error *error)
{
    struct berth_text_reader *reader;
    enum berth_status status = berth_text_reader_create(path, &reader, error);
    char *line = NULL;
    while (!status && !(status = berth_text_reader_next(reader, &line, error)) && line) {
        status = *line && *line != '#' ? add_path(inputs, line, false, error) : BERTH_OK;
        if (status) {
            char place[PATH_MAX + 32];
            snprintf(place, sizeof place, "%s:%zu", path, berth_text_reader_line(reader));
            berth_fail_in(error, place);
        }
    }
    berth_text_reader_destroy(reader);
    return status;
}

enum berth_status berth_ligand_inputs_create(const struct berth_ligand_sources *sources,
                                             struct berth_ligand_inputs *inputs,
                                             struct berth_error *error)
{
    *inputs = (struct berth_ligand_inputs){.sources = *sources};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sources->count; i++) {
        const char *input = sources->items[i];
        status = *input == '@' ? add_list(inputs, input + 1, error)
                               : add_path(inputs, input, false, error);
    }
    if (!status && sources->list) {
        status = add_list(inputs, sources->list, error);
    }
    if (!status && !inputs->count) {
        status = berth_fail(error, BERTH_E_USAGE,
                            "nothing to read: give files, folders or a list of them");
    }
    return status;
}

enum berth_record_kind berth_ligand_inputs_kind(const struct berth_ligand_inputs *inputs,
                                                size_t index)
{
    char format[32];
    find_format(inputs, inputs->files[index].path, format, sizeof format);
    return berth_record_kind_of(format);
}

/* Of a file that is no other. */
static enum berth_status create_records(const struct berth_ligand_inputs *inputs, size_t index,
                                        struct berth_records **records, struct berth_error *error)
{
    BERTH_TRY(berth_records_create(inputs->files[index].path,
                                   berth_ligand_inputs_kind(inputs, index), records, error));
    berth_records_choose(*records, inputs->sources.columns);
    return BERTH_OK;
}

/* False where the file, which is read for that, holds no record at all; *error says why, where more
 * is wrong with it. */
static bool may_hold(const struct berth_ligand_inputs *inputs, size_t index,
                     struct berth_error *error)
{
    const enum berth_record_kind kind = berth_ligand_inputs_kind(inputs, index);
    const struct berth_ligand_file *file = &inputs->files[index];
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    bool end = false;
    if (file->endless || kind == BERTH_RECORD_OTHER) {
        return file->endless || file->size; /* cannot be read twice; takes long */
    }
    enum berth_status status = create_records(inputs, index, &records, error);
    BERTH_THEN(berth_records_next(records, &record, &end, error));
    const bool no_columns = status && records && !record.line;
    berth_record_clear(&record);
    berth_records_destroy(records);
    return !no_columns && (status || !end);
}

enum berth_status berth_ligand_inputs_check(const struct berth_ligand_inputs *inputs,
                                            const char *name, struct berth_error *error)
{
    struct berth_error why = {.status = BERTH_OK};
    for (size_t i = 0; i < inputs->count; i++) {
        if (may_hold(inputs, i, &why)) {
            return BERTH_OK;
        }
    }
    return why.status ? berth_fail_option(error, why.status, why.option, "%s", why.message)
                      : berth_fail(error, BERTH_E_FORMAT, "%s: holds no molecule", name);
}

/* Opens the current file.  What is no SMILES, table, SDF or Mol2 becomes SDF first, in memory. */
static enum berth_status open_current(struct berth_ligand_inputs *inputs, struct berth_error *error)
{
    const char *path = inputs->files[inputs->current].path;
    char format[32];
    find_format(inputs, path, format, sizeof format);
    const enum berth_record_kind kind = berth_ligand_inputs_kind(inputs, inputs->current);
    if (kind != BERTH_RECORD_OTHER) {
        BERTH_TRY(create_records(inputs, inputs->current, &inputs->records, error));
        berth_records_stop_on(inputs->records, inputs->sources.stop);
        inputs->open = true;
        return BERTH_OK;
    }
    berth_converted_clear(&inputs->converted);
    const struct berth_conversion conversion = {path,
                                                format,
                                                inputs->sources.limit,
                                                false,
                                                &inputs->bonds,
                                                inputs->sources.stop,
                                                inputs->sources.log};
    inputs->bonds.limit = inputs->sources.limit;
    inputs->bonds.stop = inputs->sources.stop;
    inputs->open = !berth_prepare_convert(&conversion, &inputs->converted, error);
    return inputs->open ? BERTH_OK : berth_fail_in(error, path);
}

/* The next record of the current file. */
static enum berth_status read_record(struct berth_ligand_inputs *inputs, const char *path,
                                     struct berth_record *record, bool *end,
                                     struct berth_error *error)
{
    if (!inputs->records) {
        const enum berth_status status =
            berth_converted_next(&inputs->converted, record, end, error);
        if (status) {
            char place[PATH_MAX + 32];
            snprintf(place, sizeof place, "%s:%zu", path, record->line);
            berth_fail_in(error, place);
        }
        return status;
    }
    const bool first = berth_records_columns(inputs->records)[0] == '\0';
    const enum berth_status status = berth_records_next(inputs->records, record, end, error);
    if (first && berth_records_columns(inputs->records)[0]) {
        berth_note(inputs->sources.log, "%s: %s", path, berth_records_columns(inputs->records));
    }
    return status;
}

/* A file that gives nothing is a row, too, under the name that its first molecule would have. */
static enum berth_status name_file(struct berth_record *record, const char *path,
                                   enum berth_status status, struct berth_error *error)
{
    berth_record_clear(record);
    record->kind = BERTH_RECORD_OTHER;
    record->number = 1;
    return berth_prepare_name(record, path, error) ? BERTH_E_MEMORY : status;
}

enum berth_status berth_ligand_inputs_next(struct berth_ligand_inputs *inputs,
                                           struct berth_record *record, const char **path,
                                           bool *end, struct berth_error *error)
{
    for (; inputs->current < inputs->count; inputs->current++) {
        *end = false;
        *path = inputs->files[inputs->current].path;
        enum berth_status status = inputs->open ? BERTH_OK : open_current(inputs, error);
        if (status) {
            inputs->current++;
            return name_file(record, *path, status, error);
        }
        bool file_end;
        status = read_record(inputs, *path, record, &file_end, error);
        if (status && !record->line) {
            return name_file(record, *path, status, error);
        }
        if (status || !file_end) {
            return berth_prepare_name(record, *path, error) ? BERTH_E_MEMORY : status;
        }
        berth_records_destroy(inputs->records);
        inputs->records = NULL;
        inputs->open = false;
    }
    *end = true;
    return BERTH_OK;
}

void berth_ligand_inputs_clear(struct berth_ligand_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        free(inputs->files[i].path);
    }
    free(inputs->files);
    berth_records_destroy(inputs->records);
    berth_converted_clear(&inputs->converted);
    berth_bond_finder_clear(&inputs->bonds);
    memset(inputs, 0, sizeof *inputs);
}

/* --- How much there is to read, for a run that says how far it is --- */

/* Bytes: counting the records of more than that takes seconds. */
#define COUNTED_MOST ((uint64_t)256 << 20)

/* Adds the records of a file. */
static enum berth_status count_file(const struct berth_ligand_inputs *inputs, size_t index,
                                    uint64_t *total, struct berth_error *error)
{
    struct berth_records *records;
    struct berth_record record = {.line = 0};
    bool end = false;
    BERTH_TRY(create_records(inputs, index, &records, error));
    berth_records_stop_on(records, inputs->sources.stop);
    enum berth_status status = BERTH_OK;
    while (!end && status != BERTH_E_IO && status != BERTH_E_MEMORY) {
        status = berth_records_next(records, &record, &end, error); /* its own fault: told later */
        *total += !end;
    }
    berth_record_clear(&record);
    berth_records_destroy(records);
    return end ? BERTH_OK : status;
}

/* True where its records can be counted, and read again. */
static bool is_countable(const struct berth_ligand_inputs *inputs, size_t index)
{
    return !inputs->files[index].endless &&
           berth_ligand_inputs_kind(inputs, index) != BERTH_RECORD_OTHER;
}

enum berth_status berth_ligand_inputs_count(const struct berth_ligand_inputs *inputs,
                                            uint64_t *total, struct berth_error *error)
{
    *total = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        if (!is_countable(inputs, i)) {
            return berth_fail_option(error, BERTH_E_USAGE, "shard",
                                     "shard: %s: its molecules cannot be counted; give SMILES, SDF "
                                     "or Mol2 in a file",
                                     inputs->files[i].path);
        }
        BERTH_TRY(count_file(inputs, i, total, error));
    }
    return BERTH_OK;
}

uint64_t berth_ligand_inputs_total(const struct berth_ligand_inputs *inputs)
{
    uint64_t bytes = 0, total = 0;
    struct berth_error ignored; /* whoever prepares the records tells it */
    for (size_t i = 0; i < inputs->count; i++) {
        bytes += inputs->files[i].size;
        if (bytes > COUNTED_MOST || !is_countable(inputs, i)) {
            return 0;
        }
    }
    return berth_ligand_inputs_count(inputs, &total, &ignored) ? 0 : total;
}

enum berth_status berth_ligand_inputs_hash(const struct berth_ligand_inputs *inputs,
                                           char text[BERTH_SHA256_TEXT], struct berth_error *error)
{
    unsigned char digest[BERTH_SHA256_SIZE];
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    for (size_t i = 0; i < inputs->count; i++) {
        const struct berth_ligand_file *file = &inputs->files[i];
        BERTH_TRY(file->endless
                      ? BERTH_OK
                      : berth_sha256_add_file(&hash, file->path, inputs->sources.stop, error));
    }
    berth_sha256_end(&hash, digest);
    berth_sha256_print(digest, text);
    return BERTH_OK;
}

double berth_ligand_inputs_part(const struct berth_ligand_inputs *inputs)
{
    uint64_t all = 0, read = inputs->records ? berth_records_offset(inputs->records) : 0;
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->files[i].endless) {
            return 0;
        }
        all += inputs->files[i].size;
        read += i < inputs->current ? inputs->files[i].size : 0;
    }
    return all ? (double)read / (double)all : 0;
}
