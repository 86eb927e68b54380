#include "format/records.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text_reader.h"

static const char MOLECULE[] = "@<TRIPOS>MOLECULE";

struct berth_records {
    struct berth_text_reader *text; /* owned */
    enum berth_record_kind kind;
    uint64_t count; /* records met */
    bool ended;     /* by an error */
};

void berth_record_clear(struct berth_record *record)
{
    berth_bytes_clear(&record->text);
    free(record->title);
    memset(record, 0, sizeof *record);
}

enum berth_record_kind berth_record_kind_of(const char *format)
{
    static const struct {
        const char *name;
        enum berth_record_kind kind;
    } KINDS[] = {
        {"smi", BERTH_RECORD_SMILES}, {"smiles", BERTH_RECORD_SMILES}, {"can", BERTH_RECORD_SMILES},
        {"ism", BERTH_RECORD_SMILES}, {"sdf", BERTH_RECORD_SDF},       {"sd", BERTH_RECORD_SDF},
        {"mol", BERTH_RECORD_SDF},    {"mdl", BERTH_RECORD_SDF},       {"mol2", BERTH_RECORD_MOL2}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcasecmp(format, KINDS[i].name) == 0) {
            return KINDS[i].kind;
        }
    }
    return BERTH_RECORD_OTHER;
}

void berth_format_of(const char *path, char *format, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t length = strcasecmp(name, ".gz") == 0 ? 0 : berth_unpacked_length(name);
    size_t start = length, filled = 0;
    while (start > 0 && name[start - 1] != '.') {
        start--;
    }
    start = start ? start : length; /* no dot */
    for (; start + filled < length && filled + 1 < size; filled++) {
        format[filled] = (char)tolower((unsigned char)name[start + filled]);
    }
    format[filled] = '\0';
}

/* Takes over the text. */
static enum berth_status create(struct berth_text_reader *text, enum berth_record_kind kind,
                                struct berth_records **records, struct berth_error *error)
{
    const enum berth_status status = berth_make(records, 1, sizeof **records, NULL, error);
    if (status) {
        berth_text_reader_destroy(text);
        return status;
    }
    (*records)->text = text;
    (*records)->kind = kind;
    return BERTH_OK;
}

enum berth_status berth_records_create(const char *path, enum berth_record_kind kind,
                                       struct berth_records **records, struct berth_error *error)
{
    struct berth_text_reader *text;
    *records = NULL;
    BERTH_TRY(berth_text_reader_create(path, &text, error));
    return create(text, kind, records, error);
}

enum berth_status berth_records_create_memory(const char *name, const struct berth_bytes *bytes,
                                              enum berth_record_kind kind,
                                              struct berth_records **records,
                                              struct berth_error *error)
{
    struct berth_text_reader *text;
    *records = NULL;
    BERTH_TRY(berth_text_reader_create_memory(name, bytes->data, bytes->count, &text, error));
    return create(text, kind, records, error);
}

void berth_records_stop_on(struct berth_records *records, const atomic_bool *stop)
{
    berth_text_reader_stop_on(records->text, stop);
}

bool berth_records_is_broken(const struct berth_records *records)
{
    return records->ended;
}

uint64_t berth_records_offset(const struct berth_records *records)
{
    return berth_text_reader_offset(records->text);
}

void berth_records_destroy(struct berth_records *records)
{
    if (records) {
        berth_text_reader_destroy(records->text);
        free(records);
    }
}

/* "file:line: " and the reason. */
static enum berth_status refuse(const struct berth_records *records,
                                const struct berth_record *record, const char *reason,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s", berth_text_reader_path(records->text),
                      record->line, reason);
}

static enum berth_status set_title(struct berth_record *record, const char *text, size_t length,
                                   struct berth_error *error)
{
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    free(record->title);
    record->title = strndup(text, length);
    return record->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* The next line; an error that nothing can be read behind ends the file. */
static enum berth_status next_line(struct berth_records *records, char **line,
                                   struct berth_error *error)
{
    const enum berth_status status = berth_text_reader_next(records->text, line, error);
    records->ended = status && berth_text_reader_is_broken(records->text);
    return status;
}

/* Appends the line; too much of it empties the text, which stays empty from there on. */
static void append(struct berth_record *record, const char *line, bool *too_long)
{
    const size_t length = strlen(line);
    *too_long = *too_long || record->text.count + length + 1 > BERTH_RECORD_MAX;
    if (*too_long) {
        record->text.count = 0;
    } else {
        berth_bytes_put(&record->text, line, length);
        berth_bytes_put8(&record->text, '\n');
    }
}

static void begin(struct berth_records *records, struct berth_record *record)
{
    record->line = berth_text_reader_line(records->text);
    record->number = ++records->count;
}

/* A line: SMILES, blanks, title. */
static enum berth_status next_smiles(struct berth_records *records, struct berth_record *record,
                                     bool *end, struct berth_error *error)
{
    char *line;
    enum berth_status status;
    do {
        status = next_line(records, &line, error);
    } while (!status && line && (berth_line_is_blank(line) || *line == '#'));
    if (!status && !line) {
        *end = true;
        return BERTH_OK;
    }
    begin(records, record);
    if (status) {
        return status;
    }
    line += strspn(line, " \t");
    const size_t size = strcspn(line, " \t");
    const char *title = line + size + strspn(line + size, " \t");
    berth_bytes_put(&record->text, line, size);
    return set_title(record, title, strcspn(title, "\t"), error);
}

/* What a record of several lines was like. */
struct record_lines {
    size_t count; /* bad ones, too */
    bool any;     /* one is not blank */
    bool whole;   /* one says so: "M  END" */
    bool closed;  /* by "$$$$" */
    bool too_long;
    enum berth_status bad; /* of the first line that is */
};

/* Takes a line of the record, with the status of its reading. */
static void take_line(struct berth_record *record, enum berth_status status, const char *line,
                      struct record_lines *lines)
{
    lines->count++;
    lines->bad = lines->bad ? lines->bad : status;
    if (!status) {
        lines->any = lines->any || !berth_line_is_blank(line);
        lines->whole = lines->whole || strncmp(line, "M  END", 6) == 0;
        lines->closed = strncmp(line, "$$$$", 4) == 0;
        append(record, line, &lines->too_long);
    }
}

/* Reads the lines of an SDF record up to "$$$$", or of a Mol2 molecule up to the next one; what
 * stands in front of the first one of a Mol2 file is no molecule.  An error in a line spoils the
 * record, which is read to its end. */
static enum berth_status read_lines(struct berth_records *records, struct berth_record *record,
                                    struct record_lines *lines, struct berth_error *error)
{
    const bool mol2 = records->kind == BERTH_RECORD_MOL2;
    const size_t title = mol2 ? 2 : 1;
    for (;;) {
        char *line;
        struct berth_error why;
        enum berth_status status = next_line(records, &line, &why);
        if (!status && !line) {
            return lines->bad;
        }
        const bool mark = !status && strncmp(line, MOLECULE, sizeof MOLECULE - 1) == 0;
        const bool last = records->ended || status == BERTH_E_MEMORY;
        if (mol2 && mark && lines->count) {
            berth_text_reader_unread(records->text);
            return lines->bad;
        }
        if (mol2 && !mark && !last && !lines->count) {
            continue;
        }
        if (!lines->count) {
            begin(records, record);
        }
        if (!status && lines->count + 1 == title) {
            status = set_title(record, line, strlen(line), &why);
        }
        if (status && !lines->bad) {
            *error = why;
        }
        take_line(record, status, line, lines);
        if (last || status == BERTH_E_MEMORY || (!mol2 && lines->closed)) {
            return lines->bad;
        }
    }
}

static enum berth_status next_sdf(struct berth_records *records, struct berth_record *record,
                                  bool *end, struct berth_error *error)
{
    struct record_lines lines = {0};
    BERTH_TRY(read_lines(records, record, &lines, error));
    *end = !lines.any && !lines.closed; /* blank lines behind the last record */
    records->count -= *end && lines.count;
    if (!*end && !lines.closed && !lines.whole) {
        return refuse(records, record, "the record is cut off: it has no \"M  END\"", error);
    }
    return lines.too_long ? refuse(records, record, "a record above 16 MiB", error) : BERTH_OK;
}

static enum berth_status next_mol2(struct berth_records *records, struct berth_record *record,
                                   bool *end, struct berth_error *error)
{
    struct record_lines lines = {0};
    BERTH_TRY(read_lines(records, record, &lines, error));
    if (!lines.count && !records->count) {
        records->ended = true;
        begin(records, record);
        return berth_fail(error, BERTH_E_FORMAT, "%s: no molecule (no %s)",
                          berth_text_reader_path(records->text), MOLECULE);
    }
    *end = !lines.count;
    return lines.too_long ? refuse(records, record, "a molecule above 16 MiB", error) : BERTH_OK;
}

enum berth_status berth_records_next(struct berth_records *records, struct berth_record *record,
                                     bool *end, struct berth_error *error)
{
    berth_record_clear(record);
    record->kind = records->kind;
    *end = records->ended;
    if (*end) {
        return BERTH_OK;
    }
    enum berth_status status = set_title(record, "", 0, error);
    BERTH_THEN(records->kind == BERTH_RECORD_SMILES ? next_smiles(records, record, end, error)
               : records->kind == BERTH_RECORD_SDF  ? next_sdf(records, record, end, error)
                                                    : next_mol2(records, record, end, error));
    if (!status && record->text.failed) {
        status = berth_out_of_memory(error, NULL);
    }
    records->ended = records->ended || status == BERTH_E_MEMORY;
    return status;
}
