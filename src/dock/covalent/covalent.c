#include "dock/covalent/covalent.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"
#include "dock/residue_atoms.h"

/* Atoms of the backbone that an adduct hangs from, CA and CB aside. */
static const char *const BACKBONE[] = {"N", "C", "O", "OXT"};

static enum berth_status refuse(struct berth_error *error, const char *text, const char *why)
{
    return berth_fail_option(error, BERTH_E_USAGE, "covalent", "covalent %s: %s", text, why);
}

/* Residues that a message lists. */
enum { LISTED_MAX = 6 };

static bool is_backbone(const char *name)
{
    bool found = false;
    for (size_t k = 0; k < sizeof BACKBONE / sizeof *BACKBONE; k++) {
        found = found || strcmp(name, BACKBONE[k]) == 0;
    }
    return found;
}

bool berth_covalent_read_name(const char *text, struct berth_covalent_name *name)
{
    const char *last = strrchr(text, ':');
    if (!last || last == text || strlen(last + 1) < 1 || strlen(last + 1) >= sizeof name->atom ||
        (size_t)(last - text) >= 32) {
        return false;
    }
    strcpy(name->atom, last + 1);
    char place[32] = "", chain[32] = "", kind[32] = "";
    memcpy(place, text, (size_t)(last - text));
    char *colon = strrchr(place, ':');
    const char *number = colon ? colon + 1 : place;
    size_t letters = 0;
    while (isalpha((unsigned char)number[letters])) {
        letters++;
    }
    memcpy(kind, number, letters);
    if (colon) {
        memcpy(chain, place, (size_t)(colon - place));
        berth_text_append(name->selector, sizeof name->selector, "%s%s%s:%s", kind,
                          letters ? ":" : "", chain, number + letters);
    } else {
        berth_text_append(name->selector, sizeof name->selector, "%s%s%s", kind, letters ? ":" : "",
                          number + letters);
    }
    return true;
}

const char *berth_covalent_kind(const char *text)
{
    static const char *const KINDS[][2] = {
        {"SG", "CYS"}, {"OG", "SER"}, {"OG1", "THR"}, {"NZ", "LYS"}, {"OH", "TYR"}};
    const char *atom = strrchr(text, ':');
    const char *kind = NULL;
    for (size_t i = 0; atom && i < sizeof KINDS / sizeof *KINDS; i++) {
        kind = strcmp(atom + 1, KINDS[i][0]) == 0 ? KINDS[i][1] : kind;
    }
    return kind;
}

/* Says which residues of the kind that is asked for there are. */
static enum berth_status refuse_missing(struct berth_error *error, const char *text,
                                        const struct berth_typed_receptor *receptor)
{
    const char *kind = berth_covalent_kind(text);
    char why[400] = "the receptor has no such residue";
    size_t listed = 0;
    for (size_t i = 0; kind && i < receptor->residue_count; i++) {
        char name[BERTH_RESIDUE_TEXT_SIZE];
        if (strcmp(receptor->residues[i].name, kind) == 0 && listed++ < LISTED_MAX) {
            berth_residue_text(&receptor->residues[i], name);
            berth_text_append(why, sizeof why, "%s%s", listed == 1 ? "; it has " : ", ", name);
        }
    }
    if (listed > LISTED_MAX) {
        berth_text_append(why, sizeof why, " and %zu more", listed - LISTED_MAX);
    }
    return refuse(error, text, why);
}

static enum berth_status find_residue(const struct berth_typed_receptor *receptor, const char *text,
                                      const char *selector, size_t *number,
                                      struct berth_error *error)
{
    struct berth_selection selection;
    const struct berth_selector *missing;
    size_t found = 0;
    BERTH_TRY(berth_residues_select(receptor, selector, &selection, &missing, error));
    for (size_t i = 0; i < receptor->residue_count; i++) {
        if (berth_selection_matches(&selection, &receptor->residues[i])) {
            *number = i;
            found++;
        }
    }
    return found == 1 ? BERTH_OK
           : found    ? refuse(error, text,
                               "several residues of the receptor are called so; "
                                  "name the chain, as in A:CYS25:SG")
                      : refuse_missing(error, text, receptor);
}

/* The side chain from CA on, as far as bonds lead. */
static bool find_chain(const struct berth_residue_atoms *residue, struct berth_covalent *covalent,
                       size_t order[BERTH_COVALENT_ATOMS_MAX])
{
    const size_t alpha = berth_residue_heavy_named(residue, "CA"),
                 beta = berth_residue_heavy_named(residue, "CB");
    uint64_t seen;
    if (alpha == residue->count || beta == residue->count || !(residue->bonds[alpha] >> beta & 1)) {
        return false;
    }
    order[0] = alpha;
    order[1] = beta;
    covalent->count = 2;
    seen = (uint64_t)1 << alpha | (uint64_t)1 << beta;
    for (size_t at = 1; at < covalent->count; at++) {
        for (size_t i = 0; i < residue->count; i++) {
            if (!(residue->bonds[order[at]] & ~seen & (uint64_t)1 << i)) {
                continue;
            }
            if (covalent->count == BERTH_COVALENT_ATOMS_MAX) {
                return false;
            }
            order[covalent->count++] = i;
            seen |= (uint64_t)1 << i;
        }
    }
    for (size_t i = 0; i < covalent->count; i++) {
        covalent->atoms[i] = *berth_residue_heavy(residue, order[i]);
        for (size_t j = 0; j < covalent->count; j++) {
            covalent->bonds[i] |= (uint32_t)(residue->bonds[order[i]] >> order[j] & 1) << j;
        }
    }
    return true;
}

/* The frame: CA, CB and the backbone stay, and the receptor lacks all of the residue. */
static enum berth_status make_frame(const struct berth_typed_receptor *receptor,
                                    const struct berth_residue_atoms *residue,
                                    struct berth_covalent *covalent, struct berth_error *error)
{
    struct berth_side_chains *frame = &covalent->frame;
    size_t leaving[BERTH_RESIDUE_ATOMS_MAX], heavy = 0;
    frame->receptor = receptor;
    for (size_t i = 0, k = 0; k < residue->count; i++) { /* their numbers among the heavy ones */
        if (i == residue->atoms[k]) {
            leaving[k++] = heavy;
        }
        heavy += receptor->molecule.atoms[i].heavy;
    }
    BERTH_TRY(
        berth_make(&frame->heavy.atoms, residue->count, sizeof *frame->heavy.atoms, NULL, error));
    BERTH_TRY(berth_make(&frame->atoms, residue->count, sizeof *frame->atoms, NULL, error));
    for (int pass = 0; pass < 3; pass++) {
        for (size_t i = 0; i < residue->count; i++) {
            const char *name = berth_residue_heavy(residue, i)->name;
            const int when = strcmp(name, "CA") == 0   ? 0
                             : strcmp(name, "CB") == 0 ? 1
                             : is_backbone(name)       ? 2
                                                       : 3;
            if (when == pass) {
                frame->atoms[frame->heavy.count] = leaving[i];
                frame->heavy.atoms[frame->heavy.count++] = receptor->heavy.atoms[leaving[i]];
            }
        }
    }
    return berth_side_chains_leave(frame, leaving, residue->count, error);
}

/* Refuses an atom that another residue's is bonded to: it can react with nothing. */
static enum berth_status check_free(const struct berth_typed_receptor *receptor, const char *text,
                                    const struct berth_atom *bonded, struct berth_error *error)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *other = &molecule->atoms[i];
        if (berth_is_link(bonded, other)) {
            char why[240], residue[BERTH_RESIDUE_TEXT_SIZE], selector[BERTH_SELECTOR_TEXT];
            berth_residue_text(&receptor->residues[other->residue_id - 1], residue);
            berth_selector_of(&receptor->residues[other->residue_id - 1], selector);
            const bool ligand =
                !berth_is_metal(other->element) &&
                !berth_is_standard_residue(receptor->residues[other->residue_id - 1].name);
            snprintf(why, sizeof why,
                     "it is bonded to %s of %s, so that nothing can react with it%s%s", other->name,
                     residue, ligand ? "; cut that out: ligand_id " : "", ligand ? selector : "");
            return refuse(error, text, why);
        }
    }
    return BERTH_OK;
}

enum berth_status berth_covalent_find(const struct berth_typed_receptor *receptor, const char *text,
                                      struct berth_covalent *covalent, struct berth_error *error)
{
    struct berth_covalent_name name = {0};
    struct berth_residue_atoms residue;
    size_t number = 0, order[BERTH_COVALENT_ATOMS_MAX];
    memset(covalent, 0, sizeof *covalent);
    if (!berth_covalent_read_name(text, &name)) {
        return refuse(error, text, "name a residue and its atom, as in A:CYS25:SG");
    }
    if (!receptor->residues) {
        return refuse(error, text,
                      "the receptor has no chains and residues; give a .brec, PDB, mmCIF or PDBQT");
    }
    BERTH_TRY(find_residue(receptor, text, name.selector, &number, error));
    berth_residue_text(&receptor->residues[number], covalent->text);
    berth_residue_atoms_find(&receptor->molecule, number, &residue);
    const size_t bonded = berth_residue_heavy_named(&residue, name.atom);
    if (bonded == residue.count) {
        return refuse(error, text, "the residue has no such heavy atom");
    }
    if (!berth_covalent_kind(text)) {
        return refuse(error, text,
                      "no nucleophile: Cys SG, Ser OG, Thr OG1, Lys NZ and Tyr OH are");
    }
    BERTH_TRY(check_free(receptor, text, berth_residue_heavy(&residue, bonded), error));
    if (!find_chain(&residue, covalent, order)) {
        return refuse(error, text, "the residue's side chain is incomplete: CA or CB is missing");
    }
    strcpy(covalent->atom, name.atom);
    while (covalent->bonded < covalent->count && order[covalent->bonded] != bonded) {
        covalent->bonded++;
    }
    if (covalent->bonded == covalent->count) {
        return refuse(error, text, "no bonds lead from CB to the atom");
    }
    return make_frame(receptor, &residue, covalent, error);
}

void berth_covalent_clear(struct berth_covalent *covalent)
{
    berth_side_chains_clear(&covalent->frame);
    memset(covalent, 0, sizeof *covalent);
}
