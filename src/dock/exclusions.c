#include "dock/exclusions.h"

#define ONE_FUNCTION "a whole surface is searched and ranked by one function"
#define HELD_NOWHERE "a whole surface is searched without any"
#define NOT_KEPT                                                                                   \
    "poses are not relaxed with restraints, templates and sites of metals (metal_sites off), "     \
    "which would not be kept"

/* The first of the two is refused. */
static const struct row {
    enum berth_choice refused, beside;
    const char *why;
} ROWS[] = {
    {BERTH_CHOICE_SURFACE, BERTH_CHOICE_FUNCTIONS, ONE_FUNCTION},
    {BERTH_CHOICE_SURFACE, BERTH_CHOICE_RESCORE, ONE_FUNCTION},
    {BERTH_CHOICE_SURFACE, BERTH_CHOICE_RECEPTORS, "a whole surface is one receptor's"},
    {BERTH_CHOICE_RESTRAINTS, BERTH_CHOICE_SURFACE, HELD_NOWHERE},
    {BERTH_CHOICE_TEMPLATE, BERTH_CHOICE_SURFACE, HELD_NOWHERE},
    {BERTH_CHOICE_FLEXIBLE, BERTH_CHOICE_SURFACE, "side chains move in a box"},
    {BERTH_CHOICE_COVALENT, BERTH_CHOICE_RECEPTORS, "it goes without several receptors"},
    {BERTH_CHOICE_COVALENT, BERTH_CHOICE_FLEXIBLE, "it goes without flexible side chains"},
    {BERTH_CHOICE_COVALENT, BERTH_CHOICE_TEMPLATE, "it goes without a template"},
    {BERTH_CHOICE_COVALENT, BERTH_CHOICE_RESCORE, "it goes without a model that rescores"},
    {BERTH_CHOICE_COVALENT, BERTH_CHOICE_SURFACE, "it goes without a whole surface"},
    {BERTH_CHOICE_RESCORE, BERTH_CHOICE_FLEXIBLE,
     "a model sees the receptor as it was given, so no side chain may move"},
    {BERTH_CHOICE_RELAX, BERTH_CHOICE_SURFACE, "poses are not relaxed with a whole surface"},
    {BERTH_CHOICE_RELAX, BERTH_CHOICE_COVALENT,
     "poses are not relaxed with ligands that are bonded to the receptor"},
    {BERTH_CHOICE_RELAX, BERTH_CHOICE_FLEXIBLE, "poses are not relaxed with side chains that move"},
    {BERTH_CHOICE_RELAX, BERTH_CHOICE_RESTRAINTS, NOT_KEPT},
    {BERTH_CHOICE_RELAX, BERTH_CHOICE_TEMPLATE, NOT_KEPT},
    {BERTH_CHOICE_RELAX, BERTH_CHOICE_METALS, NOT_KEPT},
};
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

/* As the manual calls them. */
static const char *const OPTIONS[BERTH_CHOICES] = {[BERTH_CHOICE_SURFACE] = "site",
                                                   [BERTH_CHOICE_COVALENT] = "covalent",
                                                   [BERTH_CHOICE_FLEXIBLE] = "flexible_residues",
                                                   [BERTH_CHOICE_RECEPTORS] = "receptor",
                                                   [BERTH_CHOICE_FUNCTIONS] = "rank",
                                                   [BERTH_CHOICE_RESTRAINTS] = "restraints",
                                                   [BERTH_CHOICE_TEMPLATE] = "template",
                                                   [BERTH_CHOICE_METALS] = "metal_sites",
                                                   [BERTH_CHOICE_RESCORE] = "rescore",
                                                   [BERTH_CHOICE_RELAX] = "relax"};

enum berth_status berth_choices_check(const struct berth_choices *choices,
                                      struct berth_error *error)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const char *refused = choices->by[ROWS[i].refused];
        if (refused && choices->by[ROWS[i].beside]) {
            return berth_fail_option(error, BERTH_E_USAGE, refused, "%s: %s", refused, ROWS[i].why);
        }
    }
    return BERTH_OK;
}

struct berth_exclusion berth_exclusion_at(size_t number)
{
    return number < ROW_COUNT
               ? (struct berth_exclusion){OPTIONS[ROWS[number].refused],
                                          OPTIONS[ROWS[number].beside], ROWS[number].why}
               : (struct berth_exclusion){NULL, NULL, NULL};
}
