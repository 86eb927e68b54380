#include "score/scoring.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/gather.h"
#include "base/memory.h"
#include "score/bhff.h"
#include "score/plp.h"

/* What there is to choose from. */
static const struct function {
    const char *name, *unit;
    struct berth_term_names terms;
} FUNCTIONS[] = {
    [BERTH_FORMULA_BUDE] = {"bude", "kJ/mol", {3, {"steric", "electrostatic", "desolvation"}}},
    [BERTH_FORMULA_PLP] = {"plp", "PLP", {3, {"wall", "hydrogen_bond", "contact"}}}};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

struct berth_scoring_choice berth_scoring_defaults(void)
{
    return (struct berth_scoring_choice){.scoring = "bude"};
}

enum berth_status berth_scoring_of(enum berth_formula formula, struct berth_forcefield *forcefield,
                                   struct berth_scoring *scoring, struct berth_error *error)
{
    const struct function *function = &FUNCTIONS[formula];
    *scoring = (struct berth_scoring){.name = berth_copy_text(function->name),
                                      .terms = function->terms,
                                      .formula = formula,
                                      .forcefield = *forcefield,
                                      .type_count = forcefield->type_count};
    snprintf(scoring->unit, sizeof scoring->unit, "%s", function->unit);
    memset(forcefield, 0, sizeof *forcefield);
    if (!scoring->name) {
        berth_scoring_clear(scoring);
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    if (formula == BERTH_FORMULA_PLP) {
        berth_plp_use(&scoring->forcefield);
    }
    return BERTH_OK;
}

enum berth_status berth_scoring_read(const struct berth_scoring_choice *choice,
                                     const struct berth_log *log, struct berth_scoring *scoring,
                                     struct berth_error *error)
{
    size_t formula = 0;
    memset(scoring, 0, sizeof *scoring);
    while (formula < FUNCTION_COUNT && strcmp(FUNCTIONS[formula].name, choice->scoring) != 0) {
        formula++;
    }
    if (formula == FUNCTION_COUNT) {
        return berth_fail(error, BERTH_E_USAGE, "--scoring: '%s' is neither bude nor plp",
                          choice->scoring);
    }
    struct berth_forcefield forcefield;
    struct berth_gatherer gatherer = {.next = log};
    const struct berth_log gathering = berth_gather(&gatherer);
    const enum berth_status status = berth_bhff_read(choice->path, &gathering, &forcefield, error);
    berth_gatherer_flush(&gatherer);
    return status ? status
                  : berth_scoring_of((enum berth_formula)formula, &forcefield, scoring, error);
}

enum berth_status berth_scoring_assign(const struct berth_scoring *scoring,
                                       const struct berth_molecule *molecule,
                                       const struct berth_log *log, struct berth_heavy_atoms *heavy,
                                       struct berth_error *error)
{
    return berth_forcefield_assign(&scoring->forcefield, molecule, log, heavy, error);
}

void berth_scoring_clear(struct berth_scoring *scoring)
{
    if (scoring) {
        free(scoring->name);
        berth_forcefield_clear(&scoring->forcefield);
        memset(scoring, 0, sizeof *scoring);
    }
}
