/* What came of complexes: modes and outcomes by name, results, and what is said of them in the
 * order of the set. */
#include <stdio.h>
#include <string.h>

#include "eval/redock/redock_internal.h"

/* --- Names --- */

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

const char *const BERTH_REDOCK_OUTCOME[] = {"right", "scoring", "conformer", "search"};

const char *const BERTH_REDOCK_MODE[] = {"crystal", "torsions", "generated"};

/* Whether the name, of this length, is that text. */
static bool is_called(const char *name, size_t length, const char *text)
{
    return strlen(text) == length && strncmp(name, text, length) == 0;
}

enum berth_status berth_redock_modes_parse(const char *text, bool modes[BERTH_REDOCK_MODES],
                                           struct berth_error *error)
{
    memset(modes, 0, BERTH_REDOCK_MODES * sizeof *modes);
    bool known = true;
    for (const char *at = strcmp(text, "none") == 0 ? NULL : text; known && at;) {
        const size_t length = strcspn(at, ",");
        const bool all = is_called(at, length, "all"), both = is_called(at, length, "both");
        known = all || both;
        for (int mode = 0; mode < BERTH_REDOCK_MODES; mode++) {
            const bool same = is_called(at, length, BERTH_REDOCK_MODE[mode]);
            modes[mode] = modes[mode] || same || all || (both && mode != BERTH_REDOCK_TORSIONS);
            known = known || same;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return known ? BERTH_OK
                 : berth_fail_option(error, BERTH_E_USAGE, "mode",
                                     "mode: '%s' is none of crystal, torsions, generated (or "
                                     "several, separated by commas), both, all and none",
                                     text);
}

/* --- Results --- */

const struct redock_row *redock_row_of(const struct berth_redock *redock, size_t i, int mode)
{
    const struct redock_result *result = &redock->entries[i].result;
    return redock->modes[mode] && result->done && !result->failure ? &result->rows[mode] : NULL;
}

/* One line a complex. */
static void say_done(const struct berth_redock *redock, size_t i)
{
    char text[256] = " prepared";
    size_t used = 0;
    for (int mode = 0; mode < BERTH_REDOCK_MODES && used < sizeof text; mode++) {
        const struct redock_row *row = redock_row_of(redock, i, mode);
        if (row) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %s %.2f \xc3\x85 (%s)",
                                     used ? "," : "", BERTH_REDOCK_MODE[mode],
                                     row->values[REDOCK_TOP], BERTH_REDOCK_OUTCOME[row->outcome]);
        }
    }
    berth_note(redock->run->log, "%s:%s", redock->entries[i].name, text);
}

/* Says what came of the next complexes of the set that are done, and writes it. */
static void tell(struct berth_redock *redock)
{
    for (; redock->told < redock->count && redock->entries[redock->told].result.done;
         redock->told++) {
        struct redock_result *result = &redock->entries[redock->told].result;
        const struct redock_entry *entry = &redock->entries[redock->told];
        if (result->failure) {
            struct berth_error failure;
            berth_fail(&failure, BERTH_E_FORMAT, "%s", result->failure);
            berth_failures_add_at(&redock->failures, (long long)redock->told, entry->name,
                                  &failure);
        } else {
            berth_output_print(redock->sites, "%s\t%.10g\t%.10g\t%.10g\n", entry->name,
                               entry->center[0], entry->center[1], entry->center[2]);
            if (!result->recalled) {
                say_done(redock, redock->told);
            }
        }
        berth_gatherer_move(&result->warnings, redock->warnings);
    }
}

void redock_settle(struct berth_redock *redock, size_t i, const struct redock_result *result)
{
    redock->entries[i].result = *result;
    redock->entries[i].result.done = true;
    redock->prepared += !result->failure;
    redock->failed += result->failure != NULL;
    tell(redock);
}
