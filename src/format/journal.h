/* Journals: what a long run has done, record by record, so that a run that was killed, lost its
 * power or filled its disk goes on where it was.
 *
 * Records reach the disk when the journal is synced.  What is behind the last whole record,
 * whatever a crash left there, is cut off when the run is resumed.  A journal is locked while it is
 * written, so that two processes cannot do one run.
 *
 * A journal begins with its identity and facts, lines "name = value", as in run.json.  The identity
 * is everything that determines what the run computes; facts are good to know.  Its bytes, with
 * numbers, texts and varints as in docs/formats.md:
 *
 *     head   = magic (89 62 6a 6e 6c 0d 0a 1a), u32 version, u32 CRC-32 of the rest,
 *              u64 size of the rest, text identity, text facts
 *     record = u32 size of the content, u32 CRC-32 of these 4 bytes and the content, content
 *
 * Who adds records says what their contents are: screen/records.h, eval/redock/kept.c.
 */
#ifndef BERTH_FORMAT_JOURNAL_H
#define BERTH_FORMAT_JOURNAL_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"

enum { BERTH_JOURNAL_RECORD_MAX = 1 << 26 /* bytes */ };

struct berth_journal; /* opaque */

enum berth_journal_mode {
    BERTH_JOURNAL_NEW,    /* refuse where there is one */
    BERTH_JOURNAL_RESUME, /* go on with it; begin it where there is none, or not even a whole head
                           */
    BERTH_JOURNAL_REPLACE /* begin it, whatever is there that no other process writes */
};

struct berth_journal_setup {
    const char *path, *identity, *facts; /* borrowed for the call; of one that is resumed the caller
                                            compares the identity before anything is added */
    enum berth_journal_mode mode;
};

/* Begins or resumes a journal.  A resumed one is read to its end (berth_journal_next) before
 * records are added.  The caller closes *journal.  Errors: BERTH_E_IO (cannot create; it is there
 * already; another process writes it), BERTH_E_FORMAT (no journal), BERTH_E_MEMORY. */
enum berth_status berth_journal_create(const struct berth_journal_setup *setup,
                                       struct berth_journal **journal, struct berth_error *error);

/* Opens a journal that nobody writes, for reading.  Errors: as berth_journal_create. */
enum berth_status berth_journal_open(const char *path, struct berth_journal **journal,
                                     struct berth_error *error);

/* Borrowed from the journal. */
const char *berth_journal_path(const struct berth_journal *journal);
const char *berth_journal_identity(const struct berth_journal *journal);
const char *berth_journal_facts(const struct berth_journal *journal);

/* The next record; its content is borrowed until the next call.  *end at the end of the whole
 * records.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_journal_next(struct berth_journal *journal, struct berth_cursor *content,
                                     bool *end, struct berth_error *error);

/* Bytes behind the last whole record, once berth_journal_next has come to the end: what a crash
 * left, or records that are damaged.  A journal that is written to is cut there. */
uint64_t berth_journal_dropped(const struct berth_journal *journal);

/* False where the file system has no locks, so that another process may work on it, too. */
bool berth_journal_is_locked(const struct berth_journal *journal);

/* Makes berth_journal_next begin with the first record again; what was added must be synced. */
void berth_journal_rewind(struct berth_journal *journal);

/* Adds a record, on disk after the next sync.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_journal_add(struct berth_journal *journal,
                                    const struct berth_bytes *content, struct berth_error *error);

/* Writes what was added and syncs it to disk.  After an error (BERTH_E_IO; also where the file is
 * no longer under its path, see berth_journal_place) the journal holds what it held before, and can
 * be resumed. */
enum berth_status berth_journal_sync(struct berth_journal *journal, struct berth_error *error);

/* Where the file is that is being written. */
enum berth_journal_place {
    BERTH_JOURNAL_THERE,  /* under its path, as far as can be told */
    BERTH_JOURNAL_MOVED,  /* elsewhere: it or its folder was renamed */
    BERTH_JOURNAL_REMOVED /* nowhere: what it holds is lost once it is closed */
};
enum berth_journal_place berth_journal_place(const struct berth_journal *journal);

/* Lets others go on with it: nothing more is added. */
void berth_journal_release(struct berth_journal *journal);

/* Frees it; what was not synced is lost.  NULL is accepted. */
void berth_journal_close(struct berth_journal *journal);

#endif
