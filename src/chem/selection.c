#include "chem/selection.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/fields.h"
#include "chem/residue_types.h"

enum { DIGITS_MAX = 7 }; /* of a residue's number, with its sign */

/* "25" or "-3B" of exactly length bytes. */
static bool read_number(const char *text, size_t length, int *number, char *insertion)
{
    *insertion = '\0';
    if (length > 1 && isalpha((unsigned char)text[length - 1])) {
        *insertion = text[--length];
    }
    const struct berth_field digits = {text, length};
    return length <= DIGITS_MAX && *text != '+' && berth_field_integer(&digits, number);
}

static bool copy_label(const char *text, size_t length, char label[BERTH_LABEL_SIZE])
{
    snprintf(label, BERTH_LABEL_SIZE, "%.*s", (int)length, text);
    return length < BERTH_LABEL_SIZE;
}

/* "THR315": a name of letters, and a number. */
static bool read_named(const char *text, struct berth_selector *selector)
{
    const size_t letters = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    return letters && text[letters] && copy_label(text, letters, selector->name) &&
           read_number(text + letters, strlen(text + letters), &selector->number,
                       &selector->insertion);
}

/* "[name:]chain:[number]", "chain:namenumber", or "name". */
static bool parse_one(const char *text, struct berth_selector *selector)
{
    memset(selector, 0, sizeof *selector);
    snprintf(selector->text, sizeof selector->text, "%s", text);
    selector->any_chain = selector->any_number = true;
    const char *first = strchr(text, ':');
    if (!first) {
        return *text && copy_label(text, strlen(text), selector->name);
    }
    const char *second = strchr(first + 1, ':');
    const char *chain = second ? first + 1 : text;
    const char *behind = second ? second : first;
    if (second && (first == text || !copy_label(text, (size_t)(first - text), selector->name))) {
        return false;
    }
    selector->any_chain = false;
    if (!copy_label(chain, (size_t)(behind - chain), selector->chain)) {
        return false;
    }
    selector->any_number = !behind[1];
    return selector->any_number ||
           read_number(behind + 1, strlen(behind + 1), &selector->number, &selector->insertion) ||
           (!second && read_named(behind + 1, selector));
}

enum berth_status berth_selection_parse(const char *text, struct berth_selection *selection,
                                        struct berth_error *error)
{
    selection->count = 0;
    for (const char *at = text; at && *at;) {
        const size_t length = strcspn(at, ",");
        char item[32];
        if (selection->count == BERTH_SELECTORS_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "more than %d residues in '%s'; name fewer",
                              BERTH_SELECTORS_MAX, text);
        }
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        if (length >= sizeof item || !parse_one(item, &selection->selectors[selection->count++])) {
            return berth_fail(error, BERTH_E_USAGE,
                              "'%.*s' names no residue; write NAME, CHAIN:NUMBER, CHAIN:, "
                              "NAME:CHAIN:NUMBER or CHAIN:NAMENUMBER",
                              (int)length, at);
        }
        at += length + (at[length] == ',');
    }
    return BERTH_OK;
}

/* True where an atom of the structure is of a residue of this name, or of this chain. */
static bool has_residue(const struct berth_structure *structure, const char *name,
                        const char *chain)
{
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_residue_id *residue = &structure->atoms[i].residue;
        if ((name && strcmp(residue->name, name) == 0) ||
            (chain && strcmp(residue->chain, chain) == 0)) {
            return true;
        }
    }
    return false;
}

void berth_selection_resolve(struct berth_selection *selection,
                             const struct berth_structure *structure)
{
    for (size_t i = 0; i < selection->count; i++) {
        struct berth_selector *selector = &selection->selectors[i];
        struct berth_selector named = *selector;
        int number;
        char insertion;
        if (*selector->chain && !*selector->name &&
            !has_residue(structure, NULL, selector->chain) &&
            has_residue(structure, selector->chain, NULL)) {
            memcpy(selector->name, selector->chain, sizeof selector->name);
            selector->any_chain = true;
        } else if (selector->any_chain && selector->any_number &&
                   !has_residue(structure, selector->name, NULL) &&
                   read_number(selector->name, strlen(selector->name), &number, &insertion)) {
            selector->name[0] = '\0';
            selector->any_number = false;
            selector->number = number;
            selector->insertion = insertion;
        } else if (selector->any_chain && selector->any_number &&
                   !has_residue(structure, selector->name, NULL) &&
                   read_named(selector->name, &named)) {
            named.any_number = false;
            *selector = named;
        }
    }
}

bool berth_selector_is_of_copy(const struct berth_selector *selector)
{
    const char *dash = strrchr(selector->chain, '-');
    return dash && dash > selector->chain && dash[1] && !dash[1 + strspn(dash + 1, "0123456789")];
}

bool berth_selector_matches(const struct berth_selector *selector,
                            const struct berth_residue_id *residue)
{
    return (!*selector->name || strcmp(selector->name, residue->name) == 0) &&
           (selector->any_chain || strcmp(selector->chain, residue->chain) == 0) &&
           (selector->any_number ||
            (selector->number == residue->number && selector->insertion == residue->insertion));
}

bool berth_selection_matches(const struct berth_selection *selection,
                             const struct berth_residue_id *residue)
{
    for (size_t i = 0; i < selection->count; i++) {
        if (berth_selector_matches(&selection->selectors[i], residue)) {
            return true;
        }
    }
    return false;
}

const struct berth_selector *berth_selection_unmatched(const struct berth_selection *selection,
                                                       const struct berth_structure *structure)
{
    for (size_t i = 0; i < selection->count; i++) {
        bool matched = false;
        for (size_t a = 0; !matched && a < structure->count; a++) {
            matched =
                berth_selector_matches(&selection->selectors[i], &structure->atoms[a].residue);
        }
        if (!matched) {
            return &selection->selectors[i];
        }
    }
    return NULL;
}

void berth_selector_of(const struct berth_residue_id *residue, char text[BERTH_SELECTOR_TEXT])
{
    snprintf(text, BERTH_SELECTOR_TEXT, "%s:%s:%d%.1s", residue->name, residue->chain,
             residue->number, residue->insertion ? (char[]){residue->insertion, '\0'} : "");
}

void berth_residue_beside(const struct berth_residue_id *residues, size_t count, const char *chain,
                          int number, char text[BERTH_BESIDE_TEXT])
{
    const struct berth_residue_id *best = NULL;
    bool has_chain = !*chain;
    for (size_t i = 0; i < count; i++) {
        const bool there = strcmp(residues[i].chain, chain) == 0;
        has_chain = has_chain || there;
        if (residues[i].number == number && (!best || (there && strcmp(best->chain, chain) != 0))) {
            best = &residues[i];
        }
    }
    *text = '\0';
    if (best) {
        char name[BERTH_RESIDUE_TEXT_SIZE];
        berth_residue_text(best, name);
        snprintf(text, BERTH_BESIDE_TEXT, "; it has %s", name);
    }
    if (!has_chain && count) {
        char chains[BERTH_BESIDE_TEXT];
        /* The chains, each once, as people may write them. */
        *chains = '\0';
        for (size_t i = 0; i < count && strlen(chains) < BERTH_BESIDE_TEXT / 2; i++) {
            bool met = false;
            for (size_t j = 0; j < i && !met; j++) {
                met = strcmp(residues[j].chain, residues[i].chain) == 0;
            }
            if (!met) {
                berth_text_append(chains, BERTH_BESIDE_TEXT, "%s%s", *chains ? ", " : "",
                                  *residues[i].chain ? residues[i].chain : "a blank one");
            }
        }
        berth_text_append(text, BERTH_BESIDE_TEXT, "%s no chain %s, but %s",
                          best ? ", and" : "; it has", chain, chains);
    }
}

void berth_selector_suggest(const struct berth_atom *atom, const struct berth_residue_id *residues,
                            struct berth_error *error)
{
    char text[BERTH_SELECTOR_TEXT];
    if (residues) {
        berth_selector_of(&residues[atom->residue_id - 1], text);
    } else {
        berth_residue_stem(atom->residue, text);
        if (berth_is_standard_residue(text)) {
            return; /* by that name alone, all of them would go */
        }
    }
    berth_text_append(error->message, sizeof error->message, "; drop %s leaves the residue out",
                      text);
}

const char *berth_residues_asked_by(const struct berth_residues_asked *asked)
{
    const char *const said[][2] = {
        {"ligand_id", asked->ligand_id}, {"keep", asked->keep}, {"drop", asked->drop}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (said[i][1] && *said[i][1]) {
            return said[i][0];
        }
    }
    return NULL;
}
