#include "chem/hybrid.h"

#include <stddef.h>
#include <string.h>

enum berth_hybrid berth_hybrid_of_type(const char *type)
{
    static const struct {
        const char *suffix; /* of types that have one; or the whole type */
        enum berth_hybrid hybrid;
    } ROWS[] = {{"3", BERTH_HYBRID_SP3},       {"4", BERTH_HYBRID_SP3},
                {"3h", BERTH_HYBRID_SP3},      {"t3p", BERTH_HYBRID_SP3},
                {"spc", BERTH_HYBRID_SP3},     {"o", BERTH_HYBRID_SP3},
                {"o2", BERTH_HYBRID_SP3},      {"O", BERTH_HYBRID_SP3},
                {"O2", BERTH_HYBRID_SP3},      {"P", BERTH_HYBRID_SP3},
                {"Si", BERTH_HYBRID_SP3},      {"2", BERTH_HYBRID_SP2},
                {"am", BERTH_HYBRID_SP2},      {"pl3", BERTH_HYBRID_SP2},
                {"pl", BERTH_HYBRID_SP2},      {"plc", BERTH_HYBRID_SP2},
                {"cat", BERTH_HYBRID_SP2},     {"co2", BERTH_HYBRID_SP2},
                {"ar", BERTH_HYBRID_AROMATIC}, {"ar5", BERTH_HYBRID_AROMATIC},
                {"ar6", BERTH_HYBRID_AROMATIC}};
    const char *dot = strchr(type, '.');
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (strcmp(dot ? dot + 1 : type, ROWS[i].suffix) == 0) {
            return ROWS[i].hybrid;
        }
    }
    return BERTH_HYBRID_OTHER;
}
