/* The failures of a run of `berth prep ligands` that may be resumed: PART.failures beside the
 * library's PART, a line each, "consumed<tab>F or D<tab>ligand<tab>reason". */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/text_reader.h"
#include "prep/ligands/ligands_internal.h"

/* Bytes of a field, so that the line stays one that can be read back. */
enum { FIELD_MAX = 8000, FIELDS = 4 };

static void put_field(FILE *file, const char *text)
{
    char *escaped = berth_text_escape(text, "");
    fprintf(file, "%.*s", FIELD_MAX, escaped ? escaped : "");
    free(escaped);
}

static void put_line(FILE *file, uint64_t consumed, bool dropped, const char *const texts[2])
{
    fprintf(file, "%llu\t%c\t", (unsigned long long)consumed, dropped ? 'D' : 'F');
    put_field(file, texts[0] ? texts[0] : "");
    fputc('\t', file);
    put_field(file, texts[1]);
    fputc('\n', file);
    fflush(
        file); /* so that a kill loses none; a failed write costs the list of a resumed run only */
}

/* Cuts a line into its fields; false where it is not whole. */
static bool cut_line(char *line, char *fields[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = line;
        char *tab = strchr(line, '\t');
        if (i < FIELDS - 1 && !tab) {
            return false;
        }
        if (i < FIELDS - 1) {
            *tab = '\0';
            line = tab + 1;
        }
    }
    return (*fields[1] == 'F' || *fields[1] == 'D') && fields[1][1] == '\0';
}

/* Takes over what the lines of an earlier run say of the first `resumed` records. */
static enum berth_status recall(const char *path, uint64_t resumed, struct berth_failures *failures,
                                FILE *file, struct berth_error *error)
{
    struct berth_text_reader *reader;
    if (access(path, F_OK) != 0) {
        return BERTH_OK;
    }
    enum berth_status status = berth_text_reader_create(path, &reader, error);
    char *line = NULL;
    while (!status) {
        char *fields[FIELDS];
        status = berth_text_reader_next(reader, &line, error);
        if (status || !line) {
            break;
        }
        if (!cut_line(line, fields)) {
            continue;
        }
        const uint64_t consumed = strtoull(fields[0], NULL, 10);
        if (consumed <= resumed) {
            const bool dropped = *fields[1] == 'D';
            berth_text_unescape(fields[2]);
            berth_text_unescape(fields[3]);
            const char *const texts[] = {fields[2], fields[3]};
            const struct berth_failure failure = {(long long)consumed - 1, fields[2], fields[3],
                                                  dropped};
            berth_failures_recall(failures, &failure);
            put_line(file, consumed, dropped, texts);
        }
    }
    berth_text_reader_destroy(reader);
    return status;
}

enum berth_status berth_ligand_journal_open(struct berth_ligand_journal *journal,
                                            const char *library, uint64_t resumed,
                                            struct berth_failures *failures,
                                            struct berth_error *error)
{
    char next[PATH_MAX];
    snprintf(journal->path, sizeof journal->path, "%s.part.failures", library);
    snprintf(next, sizeof next, "%s.part.failures.new", library);
    journal->file = fopen(next, "w");
    if (!journal->file) {
        return berth_fail(error, BERTH_E_IO, "%s: cannot create: %s", next, strerror(errno));
    }
    enum berth_status status =
        resumed ? recall(journal->path, resumed, failures, journal->file, error) : BERTH_OK;
    if (!status && rename(next, journal->path) != 0) {
        status =
            berth_fail(error, BERTH_E_IO, "%s: cannot replace: %s", journal->path, strerror(errno));
    }
    if (status) {
        fclose(journal->file);
        journal->file = NULL;
        unlink(next);
    }
    return status;
}

void berth_ligand_journal_add(struct berth_ligand_journal *journal, uint64_t consumed, bool dropped,
                              const char *ligand, const char *reason)
{
    const char *const texts[] = {ligand, reason};
    if (journal->file) {
        put_line(journal->file, consumed, dropped, texts);
    }
}

void berth_ligand_journal_close(struct berth_ligand_journal *journal, bool keep)
{
    if (journal->file) {
        fclose(journal->file);
        journal->file = NULL;
        if (!keep) {
            unlink(journal->path);
        }
    }
}
