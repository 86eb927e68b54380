#include "report/unpack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftovers.h"
#include "format/output.h"
#include "report/show.h"
#include "report/store/store.h"

static const char *const FILES[] = {"scores.csv", "hits.sdf", "failures.csv", "run.json"};

/* What the files have of the run, but for its table and run.json. */
static const char *const SQL[] = {
    NULL,
    "SELECT ordinal, mode FROM score JOIN structure USING (ordinal, mode) "
    "ORDER BY rank IS NULL, rank, ordinal, mode",
    "SELECT ordinal, ligand, reason FROM failure"};

enum berth_status berth_store_make_folder(char folder[PATH_MAX], struct berth_error *error)
{
    const char *named = getenv("TMPDIR");
    snprintf(folder, PATH_MAX, "%s/berth-XXXXXX", named && *named ? named : "/tmp");
    if (!mkdtemp(folder)) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s", folder);
        *folder = '\0';
        return berth_io_error(path, "make the folder", errno, error);
    }
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        char path[PATH_MAX];
        BERTH_TRY(berth_path_in(folder, FILES[i], path, sizeof path, error));
        berth_leftovers_add(path);
    }
    berth_leftovers_add(folder);
    return BERTH_OK;
}

static enum berth_status write_json(const char *path, const char *run, const char *file,
                                    struct berth_error *error)
{
    struct berth_sqlite *sqlite;
    struct berth_run_card card;
    struct berth_output *output = NULL;
    int64_t number;
    BERTH_TRY(berth_store_open(path, run, &sqlite, &number, error));
    berth_run_card_start(&card);
    enum berth_status status = berth_store_card(sqlite, number, &card, error);
    BERTH_THEN(berth_output_create(file, &output, error));
    if (!status && card.json.count) {
        berth_output_bytes(output, card.json.data, card.json.count - 1);
    }
    berth_run_card_clear(&card);
    berth_sqlite_close(sqlite);
    return berth_output_finish(output, status, error);
}

enum berth_status berth_store_unpack(const char *path, const char *run, char folder[PATH_MAX],
                                     struct berth_error *error)
{
    char file[PATH_MAX];
    *folder = '\0';
    enum berth_status status = berth_store_make_folder(folder, error);
    for (size_t i = 0; !status && i < sizeof SQL / sizeof *SQL; i++) {
        const struct berth_show_settings settings = {
            .results = path, .run = run, .sql = SQL[i], .poses = !SQL[i]};
        status = berth_path_in(folder, FILES[i], file, sizeof file, error);
        BERTH_THEN(berth_show_write(&settings, file, error));
    }
    BERTH_THEN(berth_path_in(folder, FILES[3], file, sizeof file, error));
    BERTH_THEN(write_json(path, run, file, error));
    return status;
}

void berth_store_remove(const char *folder, const struct berth_log *log)
{
    char path[PATH_MAX];
    for (size_t i = 0; *folder && i < sizeof FILES / sizeof *FILES; i++) {
        if (!berth_path_in(folder, FILES[i], path, sizeof path, NULL)) {
            unlink(path);
            berth_leftovers_forget(path);
        }
    }
    if (*folder && rmdir(folder) != 0) {
        berth_warn(log, NULL, "%s: cannot remove this temporary folder: %s", folder,
                   strerror(errno));
    }
    berth_leftovers_forget(folder);
}
