/* Cuts files of many molecules into the text of each one, without understanding more of it than
 * that: a SMILES line, a row of a table, an SDF record up to its "$$$$", a Mol2 molecule.  Plain or
 * gzip alike; memory is bounded by one record. */
#ifndef BERTH_FORMAT_RECORDS_H
#define BERTH_FORMAT_RECORDS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "format/columns.h"

enum berth_record_kind {
    BERTH_RECORD_SMILES,
    BERTH_RECORD_SDF,
    BERTH_RECORD_MOL2,
    BERTH_RECORD_TABLE, /* of a file: CSV, whose records are SMILES */
    BERTH_RECORD_OTHER  /* what prep/prepare_convert.c makes SDF of */
};

/* A record above this many bytes fails. */
enum { BERTH_RECORD_MAX = 16 << 20 };

struct berth_record {
    enum berth_record_kind kind;
    struct berth_bytes text; /* owned; lines end with LF; no 0 at the end.  Of a SMILES line the
                                SMILES and their extension alone ("CC |...|") */
    char *title;             /* owned; of SMILES up to the first tab; "" where there is none or the
                                record failed in front of it */
    size_t line;             /* where it starts, from 1 */
    uint64_t number;         /* its position in the file, from 1 */
    bool perceived;          /* its bonds were found by the atoms' places (left to who knows) */
};

void berth_record_clear(struct berth_record *record);

/* The kind that a file's name (".gz" aside) or a format's name asks for: "smi", "sdf", "mol2" ...
 */
enum berth_record_kind berth_record_kind_of(const char *format);

/* What follows the last dot of path, ".gz" aside, in lower case; "" where there is none. */
void berth_format_of(const char *path, char *format, size_t size);

struct berth_records; /* opaque */

/* Opens path ("-" is standard input).  kind is not BERTH_RECORD_OTHER.  The caller destroys
 * *records.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_records_create(const char *path, enum berth_record_kind kind,
                                       struct berth_records **records, struct berth_error *error);

/* The same over memory (see berth_text_reader_create_memory). */
enum berth_status berth_records_create_memory(const char *name, const struct berth_bytes *bytes,
                                              enum berth_record_kind kind,
                                              struct berth_records **records,
                                              struct berth_error *error);

/* From here on reading ends, with BERTH_E_IO, soon after *stop (borrowed) has become true. */
void berth_records_stop_on(struct berth_records *records, const atomic_bool *stop);

/* Before the first record: which columns of a table or of SMILES lines hold what (borrowed). */
void berth_records_choose(struct berth_records *records, struct berth_columns_wanted wanted);

/* Behind the first record, which columns were found (berth_columns_tell); "" where none were looked
 * for. */
const char *berth_records_columns(const struct berth_records *records);

/* Reads the next record, which the caller clears (it is cleared here first); *end is set where
 * there is none.  Errors: BERTH_E_FORMAT for a record that cannot be used (a line or a record too
 * long, a NUL byte, cut off), "file:line: reason"; number, line and title are set as far as known,
 * and the next call goes on behind it.  BERTH_E_IO, BERTH_E_MEMORY and damaged gzip data end the
 * file: the next call sets *end. */
enum berth_status berth_records_next(struct berth_records *records, struct berth_record *record,
                                     bool *end, struct berth_error *error);

/* The one record of a file, which the caller clears.  Errors: those of the reader; BERTH_E_FORMAT
 * where there is none, or a second one. */
enum berth_status berth_record_read_one(const char *path, enum berth_record_kind kind,
                                        struct berth_record *record, struct berth_error *error);

/* Bytes of the file that were read so far; 0 over memory. */
uint64_t berth_records_offset(const struct berth_records *records);

/* True after an error that ended the file. */
bool berth_records_is_broken(const struct berth_records *records);

/* NULL is accepted. */
void berth_records_destroy(struct berth_records *records);

#endif
