#include "report/redock/redock.h"

#include <string.h>

enum berth_redock_outcome berth_redock_outcome_of(const struct berth_redock_facts *facts)
{
    if (facts->top_rmsd < BERTH_REDOCK_NEAR) {
        return BERTH_REDOCK_RIGHT;
    }
    if (facts->top_energy <= facts->crystal_energy) {
        return BERTH_REDOCK_SCORING;
    }
    return facts->placed_energy < facts->top_energy ? BERTH_REDOCK_SEARCH : BERTH_REDOCK_CONFORMER;
}

const char *berth_redock_name(enum berth_redock_outcome outcome)
{
    static const char *const NAMES[] = {"right", "scoring", "conformer", "search"};
    return NAMES[outcome];
}

const char *berth_redock_mode_name(enum berth_redock_mode mode)
{
    return mode == BERTH_REDOCK_CRYSTAL ? "crystal" : "generated";
}

enum berth_status berth_redock_modes_parse(const char *text, bool modes[BERTH_REDOCK_MODES],
                                           struct berth_error *error)
{
    bool known = strcmp(text, "both") == 0 || strcmp(text, "none") == 0;
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        const char *name = berth_redock_mode_name((enum berth_redock_mode)mode);
        modes[mode] = strcmp(text, "both") == 0 || strcmp(text, name) == 0;
        known = known || modes[mode];
    }
    return known ? BERTH_OK
                 : berth_fail(error, BERTH_E_USAGE,
                              "--mode: '%s' is none of crystal, generated, both and none", text);
}
