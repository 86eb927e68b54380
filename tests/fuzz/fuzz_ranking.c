/* libFuzzer: files of rankings, and what their expressions make of a few rows of numbers. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "score/ranking.h"

enum { COLUMNS = 6, ROWS = 5 };

static void work_out(const char *text)
{
    static const char *const NAMES[COLUMNS] = {"energy",      "strain", "vina",
                                               "heavy_atoms", "ad4",    "cnn_score"};
    static const double NUMBERS[] = {-9.5, 0, NAN, 27, 1e300, -INFINITY, 3};
    struct berth_ranking *ranking = NULL;
    struct berth_error error;
    enum berth_status status = berth_ranking_create("fuzz", text, NAMES, COLUMNS, &ranking, &error);
    demand(!status == (ranking != NULL));
    if (status) {
        demand((status == BERTH_E_FORMAT || status == BERTH_E_USAGE) && *error.message);
        return;
    }
    const size_t *columns, count = berth_ranking_columns(ranking, &columns);
    double cells[ROWS * COLUMNS], values[ROWS], again[ROWS];
    demand(count <= COLUMNS);
    for (size_t i = 0; i < count; i++) {
        demand(columns[i] < COLUMNS && (!i || columns[i] > columns[i - 1]));
    }
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        cells[i] = NUMBERS[i * i % (sizeof NUMBERS / sizeof *NUMBERS)];
    }
    demand(!berth_ranking_values(ranking, cells, ROWS, values, &error));
    for (size_t i = 0; i < ROWS && berth_ranking_is_plain(ranking); i++) { /* each row alone */
        demand(!berth_ranking_values(ranking, cells + i * count, 1, again + i, &error));
        demand(memcmp(&again[i], &values[i], sizeof *values) == 0 ||
               (isnan(again[i]) && isnan(values[i])));
    }
    berth_ranking_destroy(ranking);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[PATH_MAX];
    struct berth_ranking_texts texts;
    struct berth_error error;
    fuzz_file(".rank", bytes, size, path);
    const enum berth_status status = berth_ranking_find(path, &texts, &error);
    demand(!status || (status == BERTH_E_FORMAT && error.status == status && *error.message));
    if (!status) {
        demand(*texts.poses && *texts.ligands);
        work_out(texts.poses);
        work_out(texts.ligands);
        work_out(texts.confidence ? texts.confidence : texts.poses);
    }
    berth_ranking_texts_clear(&texts);
    remove(path);
    return 0;
}
