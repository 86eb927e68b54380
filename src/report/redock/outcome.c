#include "report/redock/redock.h"

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
