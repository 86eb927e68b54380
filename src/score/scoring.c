#include "score/scoring.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/gather.h"
#include "base/memory.h"
#include "chem/traits.h"
#include "score/bhff.h"
#include "score/plp.h"
#include "score/vina_typing.h"

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

int berth_scoring_type(const struct berth_scoring *scoring, const struct berth_atom *atom,
                       const struct berth_log *log, const char *title)
{
    if (scoring->typing == BERTH_TYPING_BUDE) {
        return berth_forcefield_type(&scoring->forcefield, atom, log, title);
    }
    const char *name = berth_vina_type(atom->element, &atom->traits);
    for (size_t i = 0; name && i < scoring->type_count; i++) {
        if (strcmp(scoring->type_names[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

enum berth_status berth_scoring_untyped(const struct berth_scoring *scoring, const char *title,
                                        const struct berth_atom *atom, size_t number,
                                        struct berth_error *error)
{
    if (scoring->typing == BERTH_TYPING_BUDE) {
        return berth_forcefield_untyped(&scoring->forcefield, title, atom, number, error);
    }
    const char *name = berth_vina_type(atom->element, &atom->traits);
    return berth_fail(
        error, BERTH_E_TYPE,
        "%s: atom %zu (%s%s%s) is %s%s, which the scoring function %s has no type for", title,
        number + 1, atom->name, *atom->residue ? " of " : "", atom->residue, name ? "of type " : "",
        name ? name : berth_element_symbol(atom->element), scoring->name);
}

/* Adds a heavy atom with its type. */
static enum berth_status take_atom(const struct berth_scoring *scoring, const char *title,
                                   const struct berth_atom *atom, size_t number,
                                   struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    const int type = berth_scoring_type(scoring, atom, NULL, title);
    if (type < 0) {
        return berth_scoring_untyped(scoring, title, atom, number, error);
    }
    struct berth_heavy_atom *typed = &heavy->atoms[heavy->count++];
    memcpy(typed->position, atom->position, sizeof typed->position);
    typed->type = type;
    return BERTH_OK;
}

enum berth_status berth_scoring_assign(const struct berth_scoring *scoring,
                                       const struct berth_molecule *molecule,
                                       const struct berth_log *log, struct berth_heavy_atoms *heavy,
                                       struct berth_error *error)
{
    if (scoring->typing == BERTH_TYPING_BUDE) {
        return berth_forcefield_assign(&scoring->forcefield, molecule, log, heavy, error);
    }
    struct berth_traits *traits = berth_alloc(molecule->atom_count, sizeof *traits);
    *heavy = (struct berth_heavy_atoms){
        .atoms = berth_alloc(berth_heavy_count(molecule), sizeof *heavy->atoms)};
    enum berth_status status =
        traits && heavy->atoms
            ? berth_traits_find(molecule, traits, error)
            : berth_fail(error, BERTH_E_MEMORY, "%s: out of memory", molecule->title);
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy) {
            struct berth_atom atom = molecule->atoms[i];
            atom.traits = traits[i];
            status = take_atom(scoring, molecule->title, &atom, i, heavy, error);
        }
    }
    free(traits);
    if (status) {
        berth_heavy_atoms_clear(heavy);
    }
    return status;
}

size_t berth_scoring_apart(const struct berth_scoring *scoring)
{
    (void)scoring; /* of both formulas */
    return 4;
}

double berth_scoring_total(const struct berth_scoring *scoring, double inter, double intra,
                           double rotors)
{
    (void)scoring; /* of both formulas the sum */
    (void)rotors;
    return inter + intra;
}

void berth_scoring_clear(struct berth_scoring *scoring)
{
    if (scoring) {
        free(scoring->name);
        free(scoring->type_names);
        berth_forcefield_clear(&scoring->forcefield);
        memset(scoring, 0, sizeof *scoring);
    }
}
