#include "dock/requirement.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "chem/selection.h"

/* --- Reading --- */

static enum berth_status refuse(const char *text, const char *why, struct berth_error *error)
{
    return berth_fail_option(error, BERTH_E_USAGE, "require",
                             "require: '%.200s': %s; give it as `hydrogen_bond A:MET793:N`, with "
                             "`or` between those any of which will do, and commas between those "
                             "that must all be made",
                             text, why);
}

/* The next word, up to a blank; false: there is none, or it is too long. */
static bool take_word(const char **text, char word[BERTH_REQUIREMENT_TEXT])
{
    *text += strspn(*text, " \t");
    const size_t length = strcspn(*text, " \t");
    snprintf(word, BERTH_REQUIREMENT_TEXT, "%.*s", (int)length, *text);
    *text += length;
    return length && length < BERTH_REQUIREMENT_TEXT;
}

static bool read_kind(const char *word, enum berth_interaction_kind *kind)
{
    bool known = false;
    for (int i = 0; i < BERTH_INTERACTION_KINDS; i++) {
        if (strcmp(word, BERTH_INTERACTION[i]) == 0 ||
            (i == BERTH_INTERACTION_HYDROGEN_BOND && strcmp(word, "hbond") == 0)) {
            *kind = (enum berth_interaction_kind)i;
            known = true;
        }
    }
    return known;
}

/* The kind of an interaction, before it `strong` or not, which hydrogen bonds can be. */
static bool take_kind(const char **text, struct berth_required_interaction *choice)
{
    char word[BERTH_REQUIREMENT_TEXT];
    bool taken = take_word(text, word);
    choice->strong = taken && strcmp(word, "strong") == 0;
    if (choice->strong) {
        taken = take_word(text, word);
    }
    return taken && read_kind(word, &choice->kind) &&
           (!choice->strong || choice->kind == BERTH_INTERACTION_HYDROGEN_BOND);
}

/* requirement->text: without blanks around it. */
static enum berth_status read_one(struct berth_requirement *requirement, struct berth_error *error)
{
    char word[BERTH_REQUIREMENT_TEXT];
    const char *rest = requirement->text;
    bool more = true;
    while (more) {
        if (requirement->count == BERTH_REQUIREMENT_CHOICES) {
            return refuse(requirement->text, "more than 8 interactions any of which will do",
                          error);
        }
        struct berth_required_interaction *choice = &requirement->choices[requirement->count++];
        if (!take_kind(&rest, choice)) {
            return refuse(requirement->text,
                          "an interaction is hydrogen_bond (or hbond), strong hydrogen_bond, "
                          "salt_bridge, metal, halogen_bond, stacking, stacking_t, cation_pi, "
                          "hydrophobic or contact",
                          error);
        }
        if (!take_word(&rest, word) || !berth_spot_read(word, &choice->spot)) {
            return refuse(requirement->text,
                          "behind the interaction stands a residue, A:MET793, or its atom, "
                          "A:MET793:N",
                          error);
        }
        more = take_word(&rest, word);
        if (more && strcmp(word, "or") != 0) {
            return refuse(requirement->text, "behind the residue stands `or`, a comma, or nothing",
                          error);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_requirements_read(const char *text, struct berth_requirements *requirements,
                                          struct berth_error *error)
{
    memset(requirements, 0, sizeof *requirements);
    while (text) {
        const char *comma = strchr(text, ',');
        text += strspn(text, " \t");
        size_t length = comma && comma > text ? (size_t)(comma - text) : strcspn(text, ",");
        while (length && strchr(" \t", text[length - 1])) {
            length--;
        }
        if (requirements->count == BERTH_REQUIREMENTS_MAX || length >= BERTH_REQUIREMENT_TEXT) {
            return refuse(text, "more than 16 requirements, or one of more than 399 bytes", error);
        }
        struct berth_requirement *requirement = &requirements->items[requirements->count++];
        memcpy(requirement->text, text, length);
        BERTH_TRY(read_one(requirement, error));
        text = comma ? comma + 1 : NULL;
    }
    return BERTH_OK;
}

/* --- What poses make --- */

static bool is_residue(const struct berth_spot *spot, const struct berth_residue_id *residue)
{
    return spot->number == residue->number &&
           (!*spot->name || strcasecmp(spot->name, residue->name) == 0) &&
           (!*spot->chain || strcmp(spot->chain, residue->chain) == 0);
}

/* Says what the receptor has in place of what it lacks. */
static enum berth_status refuse_missing(const struct berth_requirement *requirement,
                                        const struct berth_spot *spot,
                                        const struct berth_receptor *receptor,
                                        struct berth_error *error)
{
    char beside[BERTH_BESIDE_TEXT];
    berth_residue_beside(receptor->residues, receptor->residue_count, spot->chain, spot->number,
                         beside);
    return berth_fail_option(error, BERTH_E_USAGE, "require",
                             "require: '%s': the receptor has no %s%s%s%d%s%s%s", requirement->text,
                             spot->chain, *spot->chain ? ":" : "", spot->name, spot->number,
                             *spot->atom ? ":" : "", spot->atom, beside);
}

static bool is_spot(const struct berth_spot *spot, const struct berth_receptor *receptor,
                    size_t number)
{
    const struct berth_atom *atom = &receptor->molecule.atoms[number];
    return is_residue(spot, &receptor->residues[atom->residue_id - 1]) &&
           (!*spot->atom || strcasecmp(spot->atom, atom->name) == 0);
}

/* Whether an atom that is named can make the interaction. */
static bool can_make(const struct berth_required_interaction *wanted,
                     const struct berth_complex *complex)
{
    bool makes = wanted->kind == BERTH_INTERACTION_CONTACT;
    for (size_t i = 0; !makes && i < complex->featured.count; i++) {
        const struct berth_feature *feature = &complex->featured.features[i];
        const bool is_of = berth_interaction_is_of(wanted->kind, feature->kind);
        for (size_t k = 0; is_of && k < feature->count; k++) {
            makes = makes || is_spot(&wanted->spot, &complex->receptor, feature->atoms[k]);
        }
    }
    return makes;
}

enum berth_status berth_requirements_check(const struct berth_requirements *requirements,
                                           const struct berth_complex *complex,
                                           struct berth_error *error)
{
    const struct berth_molecule *molecule = &complex->receptor.molecule;
    for (size_t i = 0; i < requirements->count; i++) {
        const struct berth_requirement *requirement = &requirements->items[i];
        for (size_t k = 0; k < requirement->count; k++) {
            const struct berth_spot *spot = &requirement->choices[k].spot;
            bool found = false;
            for (size_t a = 0; !found && a < molecule->atom_count; a++) {
                found = is_spot(spot, &complex->receptor, a);
            }
            if (!found) {
                return refuse_missing(requirement, spot, &complex->receptor, error);
            }
            if (!can_make(&requirement->choices[k], complex)) {
                return berth_fail_option(
                    error, BERTH_E_USAGE, "require",
                    "require: '%s': no atom that is named here makes a %s with any ligand "
                    "(docs/interactions.md, Criteria)",
                    requirement->text, BERTH_INTERACTION[requirement->choices[k].kind]);
            }
        }
    }
    return BERTH_OK;
}

static bool is_made(const struct berth_required_interaction *wanted,
                    const struct berth_complex *complex, const struct berth_interaction *item)
{
    const struct berth_spot *spot = &wanted->spot;
    bool atom = !*spot->atom;
    for (size_t i = 0; i < item->receptor.count; i++) {
        const char *name = complex->receptor.molecule.atoms[item->receptor.atoms[i]].name;
        atom = atom || strcasecmp(spot->atom, name) == 0;
    }
    return atom && wanted->kind == item->kind &&
           !(wanted->strong && berth_interaction_is_weak(item)) &&
           is_residue(spot, &complex->receptor.residues[item->residue]);
}

/* Whether they meet it, weak hydrogen bonds aside or not. */
static bool is_met(const struct berth_requirement *requirement, const struct berth_complex *complex,
                   const struct berth_interactions *found, bool aside)
{
    for (size_t i = 0; i < found->count; i++) {
        const bool weak = berth_interaction_is_weak(&found->items[i]);
        for (size_t k = 0; !(weak && aside) && k < requirement->count; k++) {
            if (is_made(&requirement->choices[k], complex, &found->items[i])) {
                return true;
            }
        }
    }
    return false;
}

bool berth_requirement_is_met(const struct berth_requirement *requirement,
                              const struct berth_complex *complex,
                              const struct berth_interactions *found)
{
    return is_met(requirement, complex, found, false);
}

bool berth_requirements_count(const struct berth_requirements *requirements,
                              const struct berth_complex *complex,
                              const struct berth_interactions *found,
                              struct berth_requirement_counts *counts)
{
    bool all = true;
    for (size_t i = 0; i < requirements->count; i++) {
        const bool met = berth_requirement_is_met(&requirements->items[i], complex, found);
        counts->met[i] += met;
        counts->weakly[i] += met && !is_met(&requirements->items[i], complex, found, true);
        all = all && met;
    }
    counts->all += all;
    counts->of++;
    return all;
}

void berth_requirements_tell(const struct berth_requirements *requirements,
                             const struct berth_requirement_counts *counts,
                             const struct berth_log *log)
{
    for (size_t i = 0; i < requirements->count; i++) {
        char weakly[64] = "";
        if (counts->weakly[i]) {
            snprintf(weakly, sizeof weakly, " (%zu of them by a weak bond alone)",
                     counts->weakly[i]);
        }
        berth_note(log, "%zu of %zu poses make %s%s", counts->met[i], counts->of,
                   requirements->items[i].text, weakly);
    }
    if (requirements->count > 1) {
        berth_note(log, "%zu of %zu poses make all of it", counts->all, counts->of);
    }
}
