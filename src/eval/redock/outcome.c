#include "eval/redock/redock.h"

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
    static const char *const NAMES[] = {"crystal", "torsions", "generated"};
    return NAMES[mode];
}

/* Sets the mode of that name, or all that the name of several means; false: there is none. */
static bool set_modes(const char *name, size_t length, bool modes[BERTH_REDOCK_MODES])
{
    const bool both = length == 4 && strncmp(name, "both", length) == 0;
    const bool all = length == 3 && strncmp(name, "all", length) == 0;
    bool known = both || all;
    for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
        const char *own = berth_redock_mode_name((enum berth_redock_mode)mode);
        const bool same = strlen(own) == length && strncmp(name, own, length) == 0;
        modes[mode] = modes[mode] || same || all || (both && mode != BERTH_REDOCK_TORSIONS);
        known = known || same;
    }
    return known;
}

enum berth_status berth_redock_modes_parse(const char *text, bool modes[BERTH_REDOCK_MODES],
                                           struct berth_error *error)
{
    memset(modes, 0, BERTH_REDOCK_MODES * sizeof *modes);
    bool known = true;
    for (const char *at = text; known && strcmp(text, "none") != 0;) {
        const size_t length = strcspn(at, ",");
        known = set_modes(at, length, modes);
        if (!at[length]) {
            break;
        }
        at += length + 1;
    }
    return known ? BERTH_OK
                 : berth_fail(error, BERTH_E_USAGE,
                              "--mode: '%s' is none of crystal, torsions, generated (or several, "
                              "with commas between), both, all and none",
                              text);
}
