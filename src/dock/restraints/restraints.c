/* Places of restraints in receptors. */
#include "dock/restraints/restraints.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"
#include "chem/selection.h"
#include "chem/facts.h"
#include "chem/vectors.h"
#include "dock/restraints/restraints_internal.h"
#include "prep/site_checks.h"

/* Å: how far from an aromatic ring's plane another one's centre lies. */
#define STACKED 3.6

/* Å: radii of places that are not told: coordinates, above rings, and those to keep away from. */
#define RADIUS_AT    1.5
#define RADIUS_AVOID 3.0

/* Å: how far an atom of a core may lie from the reference's. */
#define RADIUS_CORE 0.5

/* What an unmet restraint costs by default, in kcal/mol, and in units that are smaller. */
#define WEIGHT       3.0
#define WEIGHT_SMALL 12.0

/* The share of that of an atom of a core. */
#define SHARE_CORE (1 / 3.0)

/* Å: a pose whose nearest donor is farther from a metal's open site has nothing to do with it. */
#define METAL_REACH 8

/* Å: what lies farther outside the box than this no atom of a ligand in it reaches. */
#define SITE_REACH 15

/* Bytes: a place as messages name it. */
enum { SPOT_TEXT = 3 * BERTH_LABEL_SIZE + 16 };

static bool is_of_residue(const struct berth_spot *spot,
                          const struct berth_typed_receptor *receptor, size_t atom)
{
    const struct berth_atom *of = &receptor->molecule.atoms[atom];
    if (!of->heavy || (*spot->atom && strcasecmp(spot->atom, of->name) != 0)) {
        return false;
    }
    if (receptor->residues && of->residue_id > 0) {
        const struct berth_residue_id *residue = &receptor->residues[of->residue_id - 1];
        return residue->number == spot->number &&
               (!*spot->name || strcasecmp(spot->name, residue->name) == 0) &&
               (!*spot->chain || strcmp(spot->chain, residue->chain) == 0);
    }
    struct berth_spot own = {.number = 0};
    return restraints_read_residue(of->residue, strlen(of->residue), &own) &&
           own.number == spot->number && (!*spot->name || strcasecmp(spot->name, own.name) == 0);
}

static enum berth_status add_place(struct berth_restraints *restraints, size_t k,
                                   const struct berth_restraint_rule *rule,
                                   const struct berth_place *place, struct berth_error *error)
{
    struct berth_places *places = &restraints->places[k];
    BERTH_TRY(berth_reserve(&places->places, &restraints->place_capacity[k], places->count + 1,
                            sizeof *places->places, error));
    struct berth_place *made = &places->places[places->count++];
    *made = *place;
    made->avoided = rule->avoided;
    made->bounded = !rule->required;
    made->radius = isnan(rule->radius) ? place->radius : rule->radius;
    made->weight = rule->weight;
    return BERTH_OK;
}

static void print_spot(const struct berth_spot *spot, char text[SPOT_TEXT])
{
    snprintf(text, SPOT_TEXT, "%s%s%s%d%s%s", spot->chain, *spot->chain ? ":" : "", spot->name,
             spot->number, *spot->atom ? ":" : "", spot->atom);
}

static enum berth_status refuse(const struct berth_restraints *restraints,
                                const struct berth_restraint_rule *rule,
                                const struct berth_spot *spot, const char *what,
                                struct berth_error *error)
{
    char name[SPOT_TEXT];
    print_spot(spot, name);
    return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s: %s", restraints->path, rule->line, name,
                      what);
}

/* Residues of a receptor that has none of its own (Mol2), as is_of_residue reads them: without
 * chains; one for each atom whose residue has a name and a number. */
static enum berth_status read_residues(const struct berth_molecule *molecule,
                                       struct berth_residue_id **residues, size_t *count,
                                       struct berth_error *error)
{
    *count = 0;
    BERTH_TRY(berth_make(residues, molecule->atom_count, sizeof **residues, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const char *text = molecule->atoms[i].residue;
        struct berth_spot spot = {.number = 0};
        if (restraints_read_residue(text, strlen(text), &spot)) {
            struct berth_residue_id *residue = &(*residues)[(*count)++];
            *residue = (struct berth_residue_id){.number = spot.number};
            memcpy(residue->name, spot.name, sizeof residue->name);
        }
    }
    return BERTH_OK;
}

/* The same of what the receptor lacks; says what it has there. */
static enum berth_status refuse_missing(const struct berth_restraints *restraints,
                                        const struct berth_restraint_rule *rule,
                                        const struct berth_spot *spot,
                                        const struct berth_typed_receptor *receptor,
                                        struct berth_error *error)
{
    char beside[BERTH_BESIDE_TEXT], text[2 * BERTH_BESIDE_TEXT];
    if (receptor->residues) {
        berth_residue_beside(receptor->residues, receptor->residue_count, spot->chain, spot->number,
                             beside);
    } else {
        struct berth_residue_id *residues = NULL;
        size_t count;
        BERTH_TRY(read_residues(&receptor->molecule, &residues, &count, error));
        berth_residue_beside(residues, count, "", spot->number, beside);
        free(residues);
    }
    snprintf(text, sizeof text, "the receptor has no such %s%s",
             rule->over ? "residue with a ring" : "atom", beside);
    return refuse(restraints, rule, spot, text, error);
}

/* Places above and below the residue's rings. */
static enum berth_status place_over(struct berth_restraints *restraints, size_t k,
                                    const struct berth_restraint_rule *rule,
                                    const struct berth_spot *spot,
                                    const struct berth_typed_receptor *receptor,
                                    struct berth_error *error)
{
    struct berth_molecule molecule;
    struct berth_featured featured = {0};
    const size_t before = restraints->places[k].count;
    if (!berth_molecule_copy(&receptor->molecule, &molecule)) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status =
        molecule.bond_count ? BERTH_OK : berth_bonds_by_distance(&molecule, error);
    BERTH_THEN(berth_features_find(&molecule, &featured, error));
    for (size_t i = 0; !status && i < featured.count; i++) {
        const struct berth_feature *ring = &featured.features[i];
        if (ring->kind != BERTH_FEATURE_RING || !is_of_residue(spot, receptor, ring->atoms[0])) {
            continue;
        }
        for (int side = -1; !status && side <= 1; side += 2) {
            struct berth_place place = {.radius = RADIUS_AT};
            berth_add_scaled(ring->center, side * STACKED, ring->normal, place.position);
            status = add_place(restraints, k, rule, &place, error);
        }
    }
    berth_featured_clear(&featured);
    berth_molecule_clear(&molecule);
    return status || restraints->places[k].count > before
               ? status
               : refuse_missing(restraints, rule, spot, receptor, error);
}

/* Whether an atom of the receptor gives hydrogen bonds, and takes them; a metal binds acceptors. */
static enum berth_status find_bonds(const struct berth_molecule *molecule, size_t atom, bool *gives,
                                    bool *takes, struct berth_error *error)
{
    const int element = molecule->atoms[atom].element;
    const bool polar = element == NITROGEN || element == OXYGEN;
    struct berth_facts facts;
    BERTH_TRY(berth_facts_find(molecule, BERTH_FACT_TRAITS, &facts, error));
    *gives = berth_is_metal(element) || (polar && facts.traits[atom].hydrogens);
    *takes = polar && facts.traits[atom].acceptor;
    berth_facts_clear(&facts);
    return BERTH_OK;
}

/* Refuses a hydrogen bond that the atom of the receptor cannot make, and says what to write.  Of C,
 * N, O and metals it is known; sulphur, halides and others make weak ones, or may.  Where nothing
 * says which nitrogen of a histidine has the hydrogen, that was assumed. */
static enum berth_status check_bond(const struct berth_restraints *restraints,
                                    const struct berth_restraint_rule *rule,
                                    const struct berth_spot *spot,
                                    const struct berth_molecule *molecule, size_t atom,
                                    struct berth_error *error)
{
    const enum berth_feature_kind kind = BERTH_SUBJECTS[rule->subject].kind;
    const int element = molecule->atoms[atom].element;
    const bool metal = berth_is_metal(element), polar = element == NITROGEN || element == OXYGEN;
    const bool imidazole =
        element == NITROGEN && strncasecmp(spot->name, "HI", 2) == 0 && strlen(spot->atom) > 1;
    bool gives, takes;
    char name[SPOT_TEXT], text[SPOT_TEXT + 256];
    if (rule->avoided || (kind != BERTH_FEATURE_DONOR && kind != BERTH_FEATURE_ACCEPTOR) ||
        (!metal && !polar && element != CARBON)) {
        return BERTH_OK;
    }
    BERTH_TRY(find_bonds(molecule, atom, &gives, &takes, error));
    const bool makes = rule->either                  ? takes || (gives && !metal)
                       : kind == BERTH_FEATURE_DONOR ? takes
                                                     : gives;
    if (makes) {
        return BERTH_OK;
    }
    print_spot(spot, name);
    snprintf(text, sizeof text, "%s: write %s to %s%s",
             metal   ? "a metal takes no hydrogen bond, but binds lone pairs"
             : gives ? "it takes no hydrogen bond, but gives one, to a ligand's acceptor"
             : takes ? "it has no hydrogen to give, but takes one, of a ligand's donor"
                     : "it neither gives nor takes hydrogen bonds; name the atom that does, or ask "
                       "for a distance alone",
             metal   ? "ligator"
             : gives ? "acceptor"
             : takes ? "donor"
                     : "atom",
             name,
             imidazole
                 ? ", or call the residue HID, HIE or HIP, by where its hydrogens are, in the "
                   "receptor's file and here"
                 : "");
    return refuse(restraints, rule, spot, text, error);
}

static enum berth_status place_spot(struct berth_restraints *restraints, size_t k,
                                    const struct berth_restraint_rule *rule,
                                    const struct berth_spot *spot,
                                    const struct berth_typed_receptor *receptor,
                                    struct berth_error *error)
{
    struct berth_place place = {.radius = rule->avoided ? RADIUS_AVOID : RADIUS_AT};
    size_t found = 0, atom = 0;
    memcpy(place.position, spot->position, sizeof place.position);
    for (size_t i = 0; spot->residue && i < receptor->molecule.atom_count; i++) {
        if (is_of_residue(spot, receptor, i)) {
            memcpy(place.position, receptor->molecule.atoms[i].position, sizeof place.position);
            atom = i;
            found++;
        }
    }
    if (spot->residue) {
        place.radius = rule->avoided ? RADIUS_AVOID : BERTH_SUBJECTS[rule->subject].radius;
    }
    if (spot->residue && !found) {
        return refuse_missing(restraints, rule, spot, receptor, error);
    }
    if (spot->residue && found > 1) {
        return refuse(restraints, rule, spot,
                      "the receptor has several such atoms; say which, as A:MET793:N", error);
    }
    if (spot->residue) {
        BERTH_TRY(check_bond(restraints, rule, spot, &receptor->molecule, atom, error));
    }
    if (spot->residue && rule->either && !rule->avoided) { /* a donor meets no other donor */
        bool gives, takes;
        BERTH_TRY(find_bonds(&receptor->molecule, atom, &gives, &takes, error));
        place.meets = (takes ? BERTH_MEETS_DONOR : 0) | (gives ? BERTH_MEETS_ACCEPTOR : 0);
    }
    return add_place(restraints, k, rule, &place, error);
}

static enum berth_status place_core(struct berth_restraints *restraints, size_t k,
                                    struct berth_restraint_rule *rule, struct berth_error *error)
{
    enum berth_status status =
        rule->core_places ? BERTH_OK
                          : restraints_read_core(restraints->matcher, rule, rule->reference, error);
    if (status && rule->line) {
        char place[PATH_MAX + 24];
        snprintf(place, sizeof place, "%s:%zu", restraints->path, rule->line);
        berth_fail_in(error, place);
    }
    for (size_t i = 0; !status && i < rule->core_count; i++) {
        struct berth_place place = {.radius = RADIUS_CORE};
        rule->weight = rule->soft > 0 ? rule->soft / (double)rule->core_count : rule->weight;
        memcpy(place.position, rule->core_places[i], sizeof place.position);
        status = add_place(restraints, k, rule, &place, error);
    }
    return status;
}

enum berth_status berth_restraints_place(struct berth_restraints *restraints, size_t k,
                                         const struct berth_typed_receptor *receptor,
                                         struct berth_error *error)
{
    const bool large = strcmp(receptor->scoring.unit, "kcal/mol") == 0;
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < restraints->count; i++) {
        struct berth_restraint_rule *rule = &restraints->rules[i];
        const size_t begin = restraints->places[k].count;
        const double weight = (large ? WEIGHT : WEIGHT_SMALL) * (rule->reference ? SHARE_CORE : 1);
        rule->weight = isnan(rule->weight) ? weight : rule->weight;
        if (rule->reference) {
            status = place_core(restraints, k, rule, error);
        }
        for (size_t s = 0; !status && s < rule->spot_count; s++) {
            status = (rule->over ? place_over : place_spot)(restraints, k, rule, &rule->spots[s],
                                                            receptor, error);
        }
        const size_t places[2] = {begin, restraints->places[k].count};
        if (!status && k && memcmp(places, rule->places, sizeof places) != 0) {
            status = refuse(restraints, rule, &rule->spots[0],
                            "the receptors differ in how many rings it has", error);
        }
        memcpy(rule->places, places, sizeof places);
    }
    return status;
}

const char *const BERTH_STANDS[] = {"not met", "met", "does not apply"};
const char *const BERTH_STANDS_METAL[] = {"not taken", "taken", "does not apply"};

enum berth_standing_to berth_restraint_stands(bool met, bool metal, double distance)
{
    return met                                   ? BERTH_STANDS_MET
           : metal && !(distance <= METAL_REACH) ? BERTH_STANDS_APART
                                                 : BERTH_STANDS_UNMET;
}

void berth_standing_count(struct berth_standing_counts *counts, size_t k,
                          enum berth_standing_to stands, const char *name)
{
    counts->met[k] += stands == BERTH_STANDS_MET;
    counts->apart[k] += stands == BERTH_STANDS_APART;
    if (stands == BERTH_STANDS_UNMET) {
        if (counts->unmet[k] < BERTH_STANDING_NAMED) {
            snprintf(counts->named[k][counts->unmet[k]], BERTH_STANDING_NAME, "%s", name);
        }
        counts->unmet[k]++;
    }
}

/* How far the nearest place of a rule in a receptor is from where poses in the site are, Å. */
static double find_gap(const struct berth_restraint_rule *rule, const struct berth_places *places,
                       const struct berth_site *site)
{
    double least = INFINITY;
    for (size_t p = rule->places[0]; p < rule->places[1]; p++) {
        const struct berth_place *place = &places->places[p];
        least = fmin(least, berth_site_outside(site, place->position) - place->radius);
    }
    return least;
}

void berth_restraints_warn_far(const struct berth_restraints *restraints, size_t receptors,
                               const struct berth_site *site, const struct berth_log *log)
{
    for (size_t i = 0; i < restraints->count; i++) {
        const struct berth_restraint_rule *rule = &restraints->rules[i];
        double most = 0;
        for (size_t k = 0; !rule->metal && k < receptors; k++) {
            most = fmax(most, find_gap(rule, &restraints->places[k], site));
        }
        if (most > SITE_REACH && rule->line) {
            berth_warn(log, NULL,
                       "%s:%zu: the place of this restraint lies %.0f Å outside the box, where no "
                       "pose is: it decides nothing",
                       restraints->path, rule->line, most);
        } else if (most > SITE_REACH) {
            berth_warn(log, NULL, "%s: the template lies %.0f Å outside the box, where no pose is",
                       rule->reference, most);
        }
    }
}

void berth_restraints_warn_overlap(const struct berth_restraints *restraints,
                                   const struct berth_typed_receptor *receptor,
                                   const struct berth_log *log)
{
    const struct berth_site_surroundings surroundings = {&receptor->molecule, receptor->residues,
                                                         false};
    for (size_t i = 0; i < restraints->count; i++) {
        if (restraints->rules[i].whole) {
            berth_site_check_overlap(&restraints->rules[i].whole->molecule,
                                     restraints->rules[i].reference, &surroundings, log);
        }
    }
}

void berth_restraints_hash(const struct berth_restraints *restraints, size_t receptors,
                           char digest[BERTH_SHA256_TEXT])
{
    unsigned char bytes[BERTH_SHA256_SIZE];
    struct berth_sha256 hash;
    berth_sha256_start(&hash);
    for (size_t i = 0; i < restraints->count; i++) {
        berth_sha256_add(&hash, restraints->rules[i].text, strlen(restraints->rules[i].text) + 1);
    }
    for (size_t k = 0; k < receptors; k++) {
        for (size_t i = 0; i < restraints->places[k].count; i++) {
            const struct berth_place *place = &restraints->places[k].places[i];
            berth_sha256_add(&hash, place->position, sizeof place->position);
        }
    }
    berth_sha256_end(&hash, bytes);
    berth_sha256_print(bytes, digest);
}
