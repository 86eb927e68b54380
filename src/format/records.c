#include "format/records.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fields.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text_reader.h"
#include "format/csv.h"
#include "format/mol2/mol2.h"
#include "format/sdf/sdf.h"

static const char MOLECULE[] = "@<TRIPOS>MOLECULE";

/* Lines of an SDF record up to its counts. */
enum { HEADER = 3, HEAD_LINES = HEADER + 1 };

struct berth_records {
    struct berth_text_reader *text;  /* owned; NULL for a table */
    struct berth_csv *csv;           /* owned; of a table, once its first row was read */
    char *path;                      /* owned; of a table */
    const struct berth_bytes *bytes; /* borrowed; of a table in memory */
    const atomic_bool *stop;         /* borrowed, or NULL; of a table */
    struct berth_columns columns;    /* of a table, and of SMILES lines with a header */
    char told[BERTH_COLUMNS_TEXT];   /* which they are */
    bool begun;                      /* its first row was read, and is */
    bool held;                       /* a molecule, to be given next */
    enum berth_record_kind kind;
    uint64_t count; /* records met */
    bool ended;     /* by an error */

    /* Of SDF: the head of the next record, which was read with the last one, since nothing ended
     * that: its lines, and how many of them were taken again. */
    char *head[HEAD_LINES]; /* owned */
    size_t head_count, head_taken, head_line;
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
    } KINDS[] = {{"smi", BERTH_RECORD_SMILES},      {"smiles", BERTH_RECORD_SMILES},
                 {"can", BERTH_RECORD_SMILES},      {"ism", BERTH_RECORD_SMILES},
                 {"cxsmiles", BERTH_RECORD_SMILES}, {"cxsmi", BERTH_RECORD_SMILES},
                 {"sdf", BERTH_RECORD_SDF},         {"sd", BERTH_RECORD_SDF},
                 {"mol", BERTH_RECORD_SDF},         {"mdl", BERTH_RECORD_SDF},
                 {"mol2", BERTH_RECORD_MOL2},       {"csv", BERTH_RECORD_TABLE},
                 {"tsv", BERTH_RECORD_TABLE}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (strcasecmp(format, KINDS[i].name) == 0) {
            return KINDS[i].kind;
        }
    }
    return BERTH_RECORD_OTHER;
}

void berth_format_of(const char *path, char *format, size_t size)
{
    const char *name = berth_file_name(path);
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

/* Takes over the text, NULL for a table of this path. */
static enum berth_status create(struct berth_text_reader *text, const char *path,
                                enum berth_record_kind kind, struct berth_records **records,
                                struct berth_error *error)
{
    enum berth_status status = berth_make(records, 1, sizeof **records, NULL, error);
    if (status) {
        berth_text_reader_destroy(text);
        return status;
    }
    (*records)->text = text;
    (*records)->kind = kind;
    (*records)->path = text ? NULL : berth_copy_text(path);
    if (!text && !(*records)->path) {
        berth_records_destroy(*records);
        *records = NULL;
        return berth_out_of_memory(error, path);
    }
    return BERTH_OK;
}

enum berth_status berth_records_create(const char *path, enum berth_record_kind kind,
                                       struct berth_records **records, struct berth_error *error)
{
    struct berth_text_reader *text = NULL;
    *records = NULL;
    BERTH_TRY(kind == BERTH_RECORD_TABLE ? BERTH_OK : berth_text_reader_create(path, &text, error));
    return create(text, path, kind, records, error);
}

enum berth_status berth_records_create_memory(const char *name, const struct berth_bytes *bytes,
                                              enum berth_record_kind kind,
                                              struct berth_records **records,
                                              struct berth_error *error)
{
    struct berth_text_reader *text = NULL;
    *records = NULL;
    BERTH_TRY(kind == BERTH_RECORD_TABLE
                  ? BERTH_OK
                  : berth_text_reader_create_memory(name, bytes->data, bytes->count, &text, error));
    BERTH_TRY(create(text, name, kind, records, error));
    (*records)->bytes = bytes;
    return BERTH_OK;
}

void berth_records_choose(struct berth_records *records, struct berth_columns_wanted wanted)
{
    records->columns.wanted = wanted;
}

const char *berth_records_columns(const struct berth_records *records)
{
    return records->told;
}

void berth_records_stop_on(struct berth_records *records, const atomic_bool *stop)
{
    records->stop = stop;
    if (records->text) {
        berth_text_reader_stop_on(records->text, stop);
    }
}

bool berth_records_is_broken(const struct berth_records *records)
{
    return records->ended;
}

uint64_t berth_records_offset(const struct berth_records *records)
{
    return records->text  ? berth_text_reader_offset(records->text)
           : records->csv ? berth_csv_offset(records->csv)
                          : 0;
}

void berth_records_destroy(struct berth_records *records)
{
    if (records) {
        berth_text_reader_destroy(records->text);
        berth_csv_close(records->csv);
        berth_columns_clear(&records->columns);
        free(records->path);
        for (size_t i = 0; i < HEAD_LINES; i++) {
            free(records->head[i]);
        }
        free(records);
    }
}

/* "file:line: " and the reason. */
static enum berth_status refuse(const struct berth_records *records,
                                const struct berth_record *record, const char *reason,
                                struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s",
                      records->text ? berth_text_reader_path(records->text) : records->path,
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

/* --- SMILES, of lines and of tables --- */

/* Takes SMILES and, behind blanks, an extension; what stands behind these. */
static const char *take_smiles(struct berth_record *record, const char *text)
{
    const size_t size = strcspn(text, " \t");
    const char *rest = text + size + strspn(text + size, " \t");
    const size_t extension = berth_columns_extension(rest);
    berth_bytes_put(&record->text, text, size);
    if (extension) {
        berth_bytes_put8(&record->text, ' ');
        berth_bytes_put(&record->text, rest, extension);
        rest += extension + strspn(rest + extension, " \t");
    }
    return rest;
}

/* The molecule of a row, whose fields stand ready. */
static enum berth_status take_row(struct berth_records *records, struct berth_record *record,
                                  struct berth_error *error)
{
    const char *smiles, *name;
    struct berth_error why;
    const enum berth_status bad = berth_columns_take(&records->columns, &smiles, &name, &why);
    BERTH_TRY(set_title(record, name, strcspn(name, "\r\n"), error));
    if (bad) {
        return refuse(records, record, why.message, error);
    }
    return *take_smiles(record, smiles)
               ? refuse(records, record, "more than SMILES in their column", error)
               : BERTH_OK;
}

/* A first line whose columns are not known: there is nothing to be read behind it. */
static enum berth_status refuse_columns(struct berth_records *records, struct berth_record *record,
                                        enum berth_status status, struct berth_error *error)
{
    char place[PATH_MAX + 32];
    snprintf(place, sizeof place, "%s:%zu",
             records->text ? berth_text_reader_path(records->text) : records->path, record->line);
    records->ended = true;
    record->line = 0; /* no molecule stands there */
    if (error) {
        berth_fail_in(error, place);
    }
    return status;
}

/* The line of a molecule, in a file whose lines may be rows. */
static enum berth_status take_line_of_smiles(struct berth_records *records,
                                             struct berth_record *record, char *line,
                                             struct berth_error *error)
{
    if (!records->columns.separator) {
        const char *title = take_smiles(record, line + strspn(line, " \t"));
        return set_title(record, title, strcspn(title, "\t"), error);
    }
    if (!records->held) {
        struct berth_error why;
        const enum berth_status status = berth_columns_cut(&records->columns, line, &why);
        if (status) {
            return status == BERTH_E_FORMAT ? refuse(records, record, why.message, error)
                                            : berth_out_of_memory(error, NULL);
        }
    }
    records->held = false;
    return take_row(records, record, error);
}

/* The next line that is none of comments or names. */
static enum berth_status next_smiles(struct berth_records *records, struct berth_record *record,
                                     bool *end, struct berth_error *error)
{
    for (;;) {
        char *line;
        bool header = false;
        enum berth_status status = next_line(records, &line, error);
        if (!status && line && (berth_line_is_blank(line) || *line == '#')) {
            continue;
        }
        *end = !status && !line;
        if (*end) {
            return BERTH_OK;
        }
        begin(records, record);
        if (!status && !records->begun) {
            records->begun = true;
            status = berth_columns_begin(&records->columns, line, &header, error);
            records->held = !header;
            if (status) {
                return refuse_columns(records, record, status, error);
            }
            if (records->columns.separator) {
                berth_columns_tell(&records->columns, header, records->told);
            }
        }
        records->count -= header;
        if (!header) {
            return status ? status : take_line_of_smiles(records, record, line, error);
        }
    }
}

/* Opens the table, whose first row then is the current one. */
static enum berth_status begin_table(struct berth_records *records, struct berth_record *record,
                                     struct berth_error *error)
{
    const struct berth_bytes *bytes = records->bytes;
    bool header = false;
    records->begun = true;
    enum berth_status status = bytes
                                   ? berth_csv_open_memory(records->path, bytes->data, bytes->count,
                                                           BERTH_CSV_FOUND, &records->csv, error)
                                   : berth_csv_open_until(records->path, BERTH_CSV_FOUND,
                                                          records->stop, &records->csv, error);
    for (size_t i = 0; !status && i < berth_csv_columns(records->csv); i++) {
        status = berth_columns_add(&records->columns, berth_csv_column(records->csv, i), error);
    }
    if (!status) {
        record->line = berth_csv_line(records->csv);
        status = berth_columns_find(&records->columns, &header, error);
        status = status ? refuse_columns(records, record, status, error) : BERTH_OK;
    }
    records->held = !header;
    if (!status) {
        berth_columns_tell(&records->columns, header, records->told);
    }
    return status;
}

/* Makes the next row the current one; *end where there is none. */
static enum berth_status next_row(struct berth_records *records, bool *end,
                                  struct berth_error *error)
{
    size_t fields = 0;
    if (records->held) {
        records->held = false;
        return BERTH_OK;
    }
    enum berth_status status = berth_csv_next_row(records->csv, &fields, error);
    *end = !status && !fields;
    records->columns.count = 0;
    for (size_t i = 0; !status && i < fields; i++) {
        status = berth_columns_add(&records->columns, berth_csv_field(records->csv, i), error);
    }
    return status;
}

static enum berth_status next_of_table(struct berth_records *records, struct berth_record *record,
                                       bool *end, struct berth_error *error)
{
    enum berth_status status = records->begun ? BERTH_OK : begin_table(records, record, error);
    BERTH_THEN(next_row(records, end, error));
    records->ended = records->ended || status != BERTH_OK;
    if (*end) {
        return BERTH_OK;
    }
    record->number = ++records->count;
    if (status) {
        return status;
    }
    record->line = berth_csv_line(records->csv);
    return take_row(records, record, error);
}

/* --- SDF --- */

/* An SDF record that is being read. */
struct sdf {
    struct berth_record *record; /* borrowed */
    size_t count;                /* lines, bad ones, too */
    char *recent[HEADER];        /* owned; the last lines, which may be the next record's head */
    size_t recent_count;
    bool any;     /* a line is not blank */
    bool counted; /* it has its counts */
    bool whole;   /* it has "M  END", */
    size_t since; /* lines behind that */
    bool item;    /* in a data item, */
    size_t lines; /* of which so many lines were read */
    bool closed;  /* by "$$$$" */
    size_t mark;  /* where its text ended before what may be an end, this many */
    size_t after; /* lines ago; 0: there is none */
    bool too_long;
    enum berth_status bad; /* of the first line that is */
};

/* The next line, of the head that was read before or of the file. */
static enum berth_status next_sdf_line(struct berth_records *records, char **line, size_t *number,
                                       struct berth_error *error)
{
    if (records->head_taken < records->head_count) {
        *line = records->head[records->head_taken];
        *number = records->head_line + records->head_taken++;
        return BERTH_OK;
    }
    const enum berth_status status = next_line(records, line, error);
    *number = berth_text_reader_line(records->text);
    return status;
}

/* Moves the oldest of the recent lines into the record's text. */
static void settle_line(struct sdf *sdf)
{
    append(sdf->record, sdf->recent[0], &sdf->too_long);
    free(sdf->recent[0]);
    sdf->recent_count--;
    memmove(sdf->recent, sdf->recent + 1, sdf->recent_count * sizeof *sdf->recent);
}

static void settle_lines(struct sdf *sdf)
{
    while (sdf->recent_count) {
        settle_line(sdf);
    }
}

/* Keeps the line, which may be of the next record's head. */
static enum berth_status keep_line(struct sdf *sdf, const char *line, struct berth_error *error)
{
    if (sdf->recent_count == HEADER) {
        settle_line(sdf);
    }
    char *copy = berth_copy_text(line);
    if (!copy) {
        return berth_out_of_memory(error, NULL);
    }
    sdf->recent[sdf->recent_count++] = copy;
    return BERTH_OK;
}

/* True for the counts of a further molecule, which nothing parts from this one: its "$$$$" is
 * missing.  A value may be a whole molecule: then its head is all that the item has.  Counts in
 * what would be its head may have been this record's own: some line stands in front of that. */
static bool begins_next(const struct sdf *sdf, const char *line)
{
    const bool old =
        sdf->whole && !sdf->item && sdf->since == HEADER && berth_sdf_is_old_counts(line);
    const bool parted = sdf->count > sdf->recent_count + 1;
    return sdf->counted && (berth_sdf_is_counts(line) || old) && parted &&
           !(sdf->item && sdf->lines == HEADER);
}

/* Ends the record in front of the recent lines, which with this one begin the next. */
static enum berth_status give_head(struct berth_records *records, struct sdf *sdf, const char *line,
                                   size_t number, struct berth_error *error)
{
    char *counts = berth_copy_text(line);
    if (!counts) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < HEAD_LINES; i++) {
        free(records->head[i]);
        records->head[i] = NULL;
    }
    memcpy(records->head, sdf->recent, sdf->recent_count * sizeof *sdf->recent);
    records->head[sdf->recent_count] = counts;
    records->head_count = sdf->recent_count + 1;
    records->head_line = number - sdf->recent_count;
    records->head_taken = 0;
    if (sdf->after == sdf->recent_count + 1) { /* it was an end */
        sdf->record->text.count = sdf->mark;
    }
    sdf->recent_count = 0;
    return BERTH_OK;
}

/* The record's own counts: what is blank in front of its three lines of header stands between
 * records. */
static enum berth_status take_counts(struct sdf *sdf, size_t number, struct berth_error *error)
{
    struct berth_record *record = sdf->record;
    sdf->counted = true;
    for (size_t i = 0; i < record->text.count; i++) {
        if (!isspace(record->text.data[i])) {
            return BERTH_OK;
        }
    }
    record->text.count = 0;
    record->line = number - sdf->recent_count;
    return sdf->recent_count ? set_title(record, sdf->recent[0], strlen(sdf->recent[0]), error)
                             : BERTH_OK;
}

/* Where it stands in the record after this line. */
static void follow(struct sdf *sdf, const char *line)
{
    const bool end = berth_sdf_is_end(line),
               exact = strncmp(line, "$$$$", 4) == 0 || (end && strstr(line, "$$$$"));
    sdf->since += sdf->whole;
    sdf->after += sdf->after > 0;
    sdf->any = sdf->any || !berth_line_is_blank(line);
    sdf->closed = exact || (end && sdf->whole && !sdf->item);
    if (sdf->closed || (end && sdf->item)) {
        settle_lines(sdf);
    }
    if (end && !sdf->closed && sdf->item) {
        sdf->mark = sdf->record->text.count;
        sdf->after = 1;
    }
    if (strncmp(line, "M  END", 6) == 0 && !sdf->item) {
        sdf->whole = sdf->counted = true;
        sdf->since = 0;
    }
    sdf->lines = berth_sdf_is_item(line) ? 0 : sdf->lines + 1;
    sdf->item = berth_sdf_is_item(line) || (sdf->item && !berth_line_is_blank(line));
}

/* Takes a good line; *over: the record ended, with it or in front of it. */
static enum berth_status take_line(struct berth_records *records, struct sdf *sdf, const char *line,
                                   size_t number, bool *over, struct berth_error *error)
{
    *over = begins_next(sdf, line);
    if (*over) {
        return give_head(records, sdf, line, number, error);
    }
    if (!sdf->counted && berth_sdf_is_counts(line)) {
        BERTH_TRY(take_counts(sdf, number, error));
    }
    follow(sdf, line);
    *over = sdf->closed;
    BERTH_TRY(keep_line(sdf, sdf->closed ? "$$$$" : line, error));
    if (berth_sdf_is_item(line) || strncmp(line, "M  END", 6) == 0 || sdf->after == 1) {
        settle_lines(sdf); /* no head has these */
    }
    return BERTH_OK;
}

/* Reads the lines of a record.  An error in one spoils the record, which is read to its end. */
static enum berth_status read_sdf(struct berth_records *records, struct sdf *sdf,
                                  struct berth_error *error)
{
    for (bool over = false; !over;) {
        char *line;
        size_t number;
        struct berth_error why;
        enum berth_status status = next_sdf_line(records, &line, &number, &why);
        if (!status && !line) {
            break;
        }
        if (!sdf->count++) {
            begin(records, sdf->record);
            sdf->record->line = number;
            status = status ? status : set_title(sdf->record, line, strlen(line), &why);
        }
        if (!status) {
            status = take_line(records, sdf, line, number, &over, &why);
        }
        if (status && !sdf->bad) {
            *error = why;
            sdf->bad = status;
        }
        if (status == BERTH_E_FORMAT) {
            BERTH_TRY(
                keep_line(sdf, "", error)); /* it counts: the next record's head may hold it */
        }
        over = over || records->ended || status == BERTH_E_MEMORY;
    }
    settle_lines(sdf);
    if (!sdf->closed) {
        /* What may have been an end was one where nothing follows it. */
        const struct berth_bytes *text = &sdf->record->text;
        size_t at = sdf->after ? sdf->mark : text->count;
        while (at < text->count && (text->data[at] == '$' || isspace(text->data[at]))) {
            at++;
        }
        if (sdf->after && at == text->count && sdf->mark < at) {
            sdf->record->text.count = sdf->mark;
        }
    }
    return sdf->bad;
}

static enum berth_status next_sdf(struct berth_records *records, struct berth_record *record,
                                  bool *end, struct berth_error *error)
{
    struct sdf sdf = {.record = record};
    const enum berth_status status = read_sdf(records, &sdf, error);
    if (status) {
        return status;
    }
    *end = !sdf.any && !sdf.closed; /* blank lines behind the last record */
    records->count -= *end && sdf.count;
    if (!*end && !sdf.closed && !sdf.whole) {
        return refuse(records, record, "the record is cut off: it has no \"M  END\"", error);
    }
    return sdf.too_long ? refuse(records, record, "a record above 16 MiB", error) : BERTH_OK;
}

/* --- Mol2 --- */

/* Reads the lines of a molecule, up to the next one; what stands in front of the first one is no
 * molecule.  An error in a line spoils the molecule, which is read to its end. */
static enum berth_status read_mol2(struct berth_records *records, struct berth_record *record,
                                   size_t *count, bool *too_long, struct berth_error *error)
{
    enum berth_status bad = BERTH_OK;
    for (;;) {
        char *line;
        struct berth_error why;
        enum berth_status status = next_line(records, &line, &why);
        if (!status && !line) {
            return bad;
        }
        const bool mark = !status && berth_mol2_opens(line, "MOLECULE");
        const bool last = records->ended || status == BERTH_E_MEMORY;
        if (mark && *count) {
            berth_text_reader_unread(records->text);
            return bad;
        }
        if (!mark && !last && !*count) {
            continue;
        }
        if (!*count) {
            begin(records, record);
        }
        ++*count;
        if (!status && *count == 2) {
            status = set_title(record, line, strlen(line), &why);
        }
        if (status && !bad) {
            *error = why;
            bad = status;
        } else if (!status) {
            append(record, line, too_long);
        }
        if (last || status == BERTH_E_MEMORY) {
            return bad;
        }
    }
}

static enum berth_status next_mol2(struct berth_records *records, struct berth_record *record,
                                   bool *end, struct berth_error *error)
{
    size_t lines = 0;
    bool too_long = false;
    BERTH_TRY(read_mol2(records, record, &lines, &too_long, error));
    if (!lines && !records->count) {
        records->ended = true;
        begin(records, record);
        return berth_fail(error, BERTH_E_FORMAT, "%s: no molecule (no %s)",
                          berth_text_reader_path(records->text), MOLECULE);
    }
    *end = !lines;
    return too_long ? refuse(records, record, "a molecule above 16 MiB", error) : BERTH_OK;
}

enum berth_status berth_records_next(struct berth_records *records, struct berth_record *record,
                                     bool *end, struct berth_error *error)
{
    berth_record_clear(record);
    const bool table = records->kind == BERTH_RECORD_TABLE;
    record->kind = table ? BERTH_RECORD_SMILES : records->kind;
    *end = records->ended;
    if (*end) {
        return BERTH_OK;
    }
    enum berth_status status = set_title(record, "", 0, error);
    BERTH_THEN(table                                  ? next_of_table(records, record, end, error)
               : records->kind == BERTH_RECORD_SMILES ? next_smiles(records, record, end, error)
               : records->kind == BERTH_RECORD_SDF    ? next_sdf(records, record, end, error)
                                                      : next_mol2(records, record, end, error));
    if (!status && record->text.failed) {
        status = berth_out_of_memory(error, NULL);
    }
    records->ended = records->ended || status == BERTH_E_MEMORY;
    return status;
}

enum berth_status berth_record_read_one(const char *path, enum berth_record_kind kind,
                                        struct berth_record *record, struct berth_error *error)
{
    struct berth_records *records = NULL;
    struct berth_record second = {0};
    bool end = false;
    memset(record, 0, sizeof *record);
    enum berth_status status = berth_records_create(path, kind, &records, error);
    BERTH_THEN(berth_records_next(records, record, &end, error));
    if (!status && end) {
        status = berth_fail(error, BERTH_E_FORMAT, "no molecule");
    }
    BERTH_THEN(berth_records_next(records, &second, &end, error));
    if (!status && !end) {
        status = berth_fail(error, BERTH_E_FORMAT, "more than one molecule; give one");
    }
    berth_record_clear(&second);
    berth_records_destroy(records);
    if (status) {
        berth_record_clear(record);
    }
    return status;
}
