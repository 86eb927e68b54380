/* Residues by name or place, as people write them on a command line, between commas:
 *
 *     HEM        every residue of that name
 *     A:25       chain A, number 25 (A:25B with insertion code B; :25 in a blank chain)
 *     A:         all of chain A
 *     MTX:A:201  that name at that place
 *     A:MTX201   the same; MTX201 in any chain, where no residue is called so
 *     MTX:201    chain MTX; where there is none, the name MTX at that number in any chain
 *     201        a name; where no residue is called so, a number in any chain
 */
#ifndef BERTH_CHEM_SELECTION_H
#define BERTH_CHEM_SELECTION_H

#include "chem/structure.h"

struct berth_selector {
    char text[32];               /* as given */
    char name[BERTH_LABEL_SIZE]; /* "" for any */
    char chain[BERTH_LABEL_SIZE];
    bool any_chain;
    bool any_number; /* else: */
    int number;
    char insertion;
};

enum { BERTH_SELECTORS_MAX = 64 };

struct berth_selection {
    struct berth_selector selectors[BERTH_SELECTORS_MAX];
    size_t count;
};

/* Reads text (NULL: nothing is selected).  Errors: BERTH_E_USAGE. */
enum berth_status berth_selection_parse(const char *text, struct berth_selection *selection,
                                        struct berth_error *error);

/* Makes selectors that are a number and no residue's name in this structure mean the number, and
 * those of a chain that it has not, but of which it has a residue of that name, the residue. */
void berth_selection_resolve(struct berth_selection *selection,
                             const struct berth_structure *structure);

/* Whether it names a place in a copy of a chain, which assemblies call ... */
bool berth_selector_is_of_copy(const struct berth_selector *selector);

bool berth_selector_matches(const struct berth_selector *selector,
                            const struct berth_residue_id *residue);

bool berth_selection_matches(const struct berth_selection *selection,
                             const struct berth_residue_id *residue);

/* The first selector that no residue matches, or NULL. */
const struct berth_selector *berth_selection_unmatched(const struct berth_selection *selection,
                                                       const struct berth_structure *structure);

/* Which residues of a structure are cut out as the ligand, and which of the others become a
 * receptor, as options say it: NULL or "" for nothing. */
struct berth_residues_asked {
    const char *ligand_id;
    const char *keep; /* or "all" */
    const char *drop; /* or "hetero" */
};

/* The first option that says something; NULL: none does. */
const char *berth_residues_asked_by(const struct berth_residues_asked *asked);

enum { BERTH_BESIDE_TEXT = 160 };

/* What stands in place of a residue of this chain ("": any) and number that is not there, or is
 * another one: "; it has VAL A:82", the first of that number, or of another chain; "; it has no
 * chain B, but A, C" where that is so; "" where there is neither. */
void berth_residue_beside(const struct berth_residue_id *residues, size_t count, const char *chain,
                          int number, char text[BERTH_BESIDE_TEXT]);

enum { BERTH_SELECTOR_TEXT = 64 };

/* What selects this residue alone: "ASP:A:25B". */
void berth_selector_of(const struct berth_residue_id *residue, char text[BERTH_SELECTOR_TEXT]);

/* Appends to the error's message which `drop` leaves out the residue of a receptor's atom, of those
 * that its residue_id counts from 1; NULL: the receptor is Mol2, whose residues have a name alone,
 * by which nothing is said where it is that of many. */
void berth_selector_suggest(const struct berth_atom *atom, const struct berth_residue_id *residues,
                            struct berth_error *error);

#endif
