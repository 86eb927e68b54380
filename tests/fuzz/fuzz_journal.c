/* libFuzzer: journals, and the records in them.  The first byte says what the others are: even, a
 * journal, byte for byte; odd, a byte that says what poses have, and records behind a byte with
 * their length each, of which a journal is made. */
#include <math.h>
#include <string.h>

#include "screen/records.h"
#include "fuzz.h"

static void write_journal(const char *path, const uint8_t *bytes, size_t size)
{
    const struct berth_journal_setup setup = {path, "seed = 1\n", "", BERTH_JOURNAL_REPLACE};
    struct berth_journal *journal;
    struct berth_cursor content, input = berth_cursor_over(bytes, size);
    bool end = false;
    demand(!berth_journal_create(&setup, &journal, NULL));
    while (!berth_journal_next(journal, &content, &end, NULL) && !end) {
    }
    while (berth_cursor_left(&input)) {
        struct berth_bytes record = {0};
        const size_t wanted = berth_cursor_get8(&input), left = berth_cursor_left(&input);
        const size_t length = wanted < left ? wanted : left;
        berth_bytes_put(&record, berth_cursor_take(&input, length), length);
        demand(!berth_journal_add(journal, &record, NULL));
        berth_bytes_clear(&record);
    }
    demand(!berth_journal_sync(journal, NULL));
    berth_journal_close(journal);
}

static void check(const struct berth_run_records *records)
{
    const struct berth_result *result = &records->result;
    demand(result->title && (result->failure || result->modes.count));
    for (size_t i = 0; i < result->modes.count; i++) {
        const struct berth_pose *mode = &result->modes.modes[i];
        demand(mode->device < records->devices.count && mode->torsions <= BERTH_TORSIONS);
        demand(mode->conformer < result->conformer_count && !mode->receptor);
    }
}

/* Returns how many ligands there are. */
static size_t read_records(struct berth_run_records *records)
{
    struct berth_error error;
    size_t count = 0;
    for (bool end = false; !end;) {
        const enum berth_status status = berth_run_records_next(records, &end, &error);
        demand(!status || (status == BERTH_E_FORMAT && *error.message));
        if (status || end) {
            return count;
        }
        check(records);
        count++;
    }
    return count;
}

static void read_journal(const char *path, unsigned judges)
{
    struct berth_run_records records = {.max_clash = INFINITY, .num_modes = 2};
    struct berth_error error;
    records.terms.count = 1 + judges % 2;
    records.judges.count = 1 + (judges >> 1) % 2;
    records.functions = berth_run_recorded(&records.judges);
    records.judges.restraints = (judges >> 2) % 4;
    records.judges.learned_count = (judges >> 4) % 2;
    records.judges.binding = (judges >> 5) % 2;
    records.judges.receptor_moves = (judges >> 6) % 2;
    const enum berth_status status = berth_journal_open(path, &records.journal, &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message && !records.journal));
    if (!status) {
        const size_t count = read_records(&records);
        berth_run_records_rewind(&records, 0);
        demand(read_records(&records) == count);
        berth_journal_close(records.journal);
    }
    berth_run_records_clear(&records);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2) {
        return 0;
    }
    char path[PATH_MAX];
    fuzz_file(".journal", bytes + 1, size - 1, path);
    if (bytes[0] % 2) {
        write_journal(path, bytes + 2, size - 2);
    }
    read_journal(path, bytes[1]);
    remove(path);
    return 0;
}
