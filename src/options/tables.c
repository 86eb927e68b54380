#include "options/tables.h"

#include <string.h>

const struct berth_option *berth_options_table(const char *run)
{
    static const struct {
        const char *run;
        const struct berth_option *table;
    } TABLES[] = {{"dock", BERTH_DOCK_TABLE},
                  {"screen", BERTH_SCREEN_TABLE},
                  {"score", BERTH_SCORE_TABLE},
                  {"merge", BERTH_MERGE_TABLE},
                  {"prep ligands", BERTH_PREPARE_LIGANDS_TABLE},
                  {"prep receptor", BERTH_PREPARE_RECEPTOR_TABLE},
                  {"selftest", BERTH_SELFTEST_TABLE}};
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
        if (strcmp(TABLES[i].run, run) == 0) {
            return TABLES[i].table;
        }
    }
    return NULL;
}
