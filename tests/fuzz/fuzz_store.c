/* libFuzzer: databases of results: values that are put into the tables of a good one, each two
 * bytes, which say the column and the kind, and a length in front of its own bytes; then the poses
 * of its run are written, and its rows shown. */
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/embedded.h"
#include "report/show.h"
#include "report/store/sqlite.h"
#include "fuzz.h"

static const char *const UPDATES[] = {"UPDATE run SET name = ?1",
                                      "UPDATE run SET json = ?1",
                                      "UPDATE run SET run = ?1",
                                      "UPDATE field SET number = ?1 WHERE number = 2",
                                      "UPDATE field SET name = ?1 WHERE number = 2",
                                      "UPDATE field SET place = ?1 WHERE number = 2",
                                      "UPDATE field SET \"column\" = ?1 WHERE number = 2",
                                      "UPDATE field SET decimals = ?1 WHERE number = 2",
                                      "UPDATE ligand SET ligand = ?1",
                                      "UPDATE ligand SET rank = ?1",
                                      "UPDATE pose SET mode = ?1",
                                      "UPDATE pose SET score = ?1",
                                      "UPDATE structure SET bytes = ?1",
                                      "UPDATE structure SET sdf = ?1",
                                      "UPDATE failure SET reason = ?1",
                                      "UPDATE failure SET ordinal = ?1"};
enum { UPDATE_COUNT = sizeof UPDATES / sizeof *UPDATES };

static struct berth_sqlite *make_base(const char *path)
{
    struct berth_sqlite *sqlite;
    struct berth_statement *structure;
    unsigned char packed[64];
    uLongf size = sizeof packed;
    demand(!berth_sqlite_open(path, true, NULL, &sqlite, NULL));
    demand(!berth_sqlite_run(sqlite, NULL, "PRAGMA synchronous = OFF; BEGIN"));
    demand(!berth_sqlite_run(sqlite, NULL, "%s", berth_embedded_text("schema.sql")));
    demand(
        !berth_sqlite_run(sqlite, NULL,
                          "INSERT INTO run VALUES (1, 'a', 'screen', '1', '{}');"
                          "INSERT INTO field VALUES (1, 1, 'ligand', 'ligand', 'ligand', 0), "
                          "(1, 2, 'score', 'pose', 'score', 3);"
                          "INSERT INTO ligand (run, ordinal, ligand, rank) VALUES (1, 0, 'x', 1);"
                          "INSERT INTO pose VALUES (1, 0, 1, -9.5, -8);"
                          "INSERT INTO failure VALUES (1, 1, 'y', 'no atoms')"));
    demand(compress2(packed, &size, (const unsigned char *)"a\n$$$$\n", 7, 1) == Z_OK);
    demand(!berth_sqlite_prepare(sqlite, &structure, NULL,
                                 "INSERT INTO structure VALUES (1, 0, 1, 7, ?1)"));
    berth_statement_set_bytes(structure, 1, packed, size);
    demand(!berth_statement_run(structure, NULL));
    berth_statement_end(structure);
    return sqlite;
}

static void set(struct berth_sqlite *sqlite, struct berth_cursor *input)
{
    struct berth_statement *update;
    const uint8_t column = berth_cursor_get8(input), kind = berth_cursor_get8(input);
    const size_t wanted = berth_cursor_get8(input), left = berth_cursor_left(input);
    const size_t size = wanted < left ? wanted : left;
    const unsigned char *bytes = berth_cursor_take(input, size);
    char text[256] = "";
    memcpy(text, bytes, size);
    demand(!berth_sqlite_prepare(sqlite, &update, NULL, "%s", UPDATES[column % UPDATE_COUNT]));
    if (kind % 4 == 0) {
        berth_statement_set_integer(update, 1, strtoll(text, NULL, 10));
    } else if (kind % 4 == 1) {
        berth_statement_set_real(update, 1, strtod(text, NULL));
    } else if (kind % 4 == 2) {
        berth_statement_set_text(update, 1, text);
    } else {
        berth_statement_set_bytes(update, 1, bytes, size);
    }
    (void)!berth_statement_run(update, NULL); /* it may be what no table takes */
    berth_statement_end(update);
}

static void read_rows(const char *path)
{
    const struct berth_show_settings settings = {
        .results = path, .poses = true, .top = 3, .sorted = true};
    struct berth_shown shown;
    struct berth_error error;
    const enum berth_status status = berth_shown_read(&settings, &shown, &error);
    demand(!status || *error.message);
    demand(!status || status == BERTH_E_FORMAT || status == BERTH_E_USAGE || status == BERTH_E_IO);
    berth_shown_clear(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[PATH_MAX], out[PATH_MAX];
    struct berth_error error;
    struct berth_cursor input = berth_cursor_over(bytes, size);
    fuzz_file(".db", bytes, 0, path);
    struct berth_sqlite *sqlite = make_base(path);
    while (berth_cursor_left(&input) > 3) {
        set(sqlite, &input);
    }
    demand(!berth_sqlite_run(sqlite, NULL, "COMMIT"));
    berth_sqlite_close(sqlite);
    const struct berth_show_settings settings = {.results = path, .poses = true, .out = out};
    fuzz_file(".sdf", bytes, 0, out);
    const enum berth_status status = berth_show_write(&settings, &error);
    demand(!status || *error.message);
    demand(!status || status == BERTH_E_FORMAT || status == BERTH_E_USAGE || status == BERTH_E_IO);
    read_rows(path);
    remove(path);
    remove(out);
    return 0;
}
