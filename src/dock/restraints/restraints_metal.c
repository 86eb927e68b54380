/* Open coordination sites of the receptors' metals, as restraints that are wished. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "chem/coordination.h"
#include "chem/residue_types.h"
#include "chem/vectors.h"
#include "dock/restraints/restraints_internal.h"

/* Å: nothing is paid within it. */
#define RADIUS 0.3

/* What a site without a donor costs, and so what one is worth that it has, in kcal/mol, and in
 * units that are smaller: docs/restraints.md says on what this was chosen. */
#define WEIGHT       3.0
#define WEIGHT_SMALL 12.0

/* Å: a place of the user's that is so near to a metal says what binds it. */
#define SAID 3.0

/* Å: how far the oxygens of a chelate are apart, and farther from the metal than one alone. */
#define BITE    2.6
#define FARTHER 0.1

/* Each site has a place for each of these, as their distances differ, and two for chelates: for the
 * middle between its oxygens, and for one of them alone. */
static const int DONORS[] = {8, 7, 16};
enum { DONOR_COUNT = sizeof DONORS / sizeof *DONORS, MIDDLE = DONOR_COUNT, ALONE, PLACE_COUNT };

size_t restraints_metal_chelate(size_t atoms)
{
    return atoms == 1 ? ALONE : MIDDLE;
}

size_t restraints_metal_place(int element)
{
    size_t place = 0;
    while (place < DONOR_COUNT && DONORS[place] != element) {
        place++;
    }
    return place;
}

const char *restraints_metal_acid(const struct berth_restraints *restraints,
                                  const struct berth_facts *facts)
{
    const char *acid = NULL;
    for (size_t i = 0; !acid && i < facts->molecule->atom_count; i++) {
        const size_t donor = restraints_metal_place(facts->molecule->atoms[i].element);
        acid = restraints->metal_donors >> donor & 1 ? restraints_metal_acid_at(facts, i) : NULL;
    }
    return acid;
}

/* Whether a place that has been said, in the receptor number k, is near; a core that is not held
 * says nothing. */
static bool is_said(const struct berth_restraints *restraints, size_t said, size_t k,
                    const double metal[3])
{
    for (size_t i = 0; i < said; i++) {
        const struct berth_restraint_rule *rule = &restraints->rules[i];
        for (size_t p = rule->places[0]; rule->soft <= 0 && p < rule->places[1]; p++) {
            if (berth_distance(restraints->places[k].places[p].position, metal) < SAID) {
                return true;
            }
        }
    }
    return false;
}

/* "A:ZN701"; its residue alone where chain and number are not known. */
static void name_metal(const struct berth_typed_receptor *receptor, const struct berth_atom *atom,
                       char name[64])
{
    const struct berth_residue_id *residue = receptor->residues && atom->residue_id > 0
                                                 ? &receptor->residues[atom->residue_id - 1]
                                                 : NULL;
    if (residue) {
        snprintf(name, 64, "%s%s%s%d", residue->chain, *residue->chain ? ":" : "", residue->name,
                 residue->number);
    } else {
        snprintf(name, 64, "%s", atom->residue);
    }
}

/* Names rule number i, made if there is none; kind: of site, in words. */
static enum berth_status need_rule(struct berth_restraints *restraints, size_t i,
                                   const struct berth_typed_receptor *receptor, size_t metal,
                                   const char *kind, struct berth_error *error)
{
    struct berth_restraint_rule *rule = &restraints->rules[i];
    char name[64], text[128];
    if (i < restraints->count) {
        return BERTH_OK;
    }
    name_metal(receptor, &receptor->molecule.atoms[metal], name);
    snprintf(text, sizeof text, BERTH_OPEN_SITE "%s, %s", name, kind);
    rule->text = berth_copy_text(text);
    rule->metal = true;
    rule->subject = BERTH_SUBJECT_SMARTS;
    rule->radius = RADIUS;
    restraints->count++;
    return rule->text ? BERTH_OK : berth_out_of_memory(error, NULL);
}

/* What takes a site: a donor; the one open vertex of a tetrahedron one donor, or a chelate with its
 * middle, so that the metal has five donors; and that vertex again, for the second one of these. */
enum taker { DONOR, EITHER, CHELATE };

/* Å: how far a place of a site is from the metal; 0: it has no such place. */
static double place_length(int metal, int place, enum taker taker)
{
    const double oxygen = berth_coordination_length(metal, DONORS[0]);
    const double both = oxygen + FARTHER;
    const double middle = sqrt(fmax(both * both - BITE * BITE / 4, 0));
    return place == MIDDLE    ? (taker == DONOR ? 0 : middle)
           : place == ALONE   ? (taker == DONOR ? oxygen : 0)
           : taker == CHELATE ? 0
                              : berth_coordination_length(metal, DONORS[place]);
}

/* atom: the metal; NULL: this receptor has no such site. */
static enum berth_status add_site(struct berth_restraints *restraints, size_t k,
                                  const struct berth_atom *atom, const double direction[3],
                                  enum taker taker, struct berth_error *error)
{
    static const double ORIGIN[3] = {0};
    BERTH_TRY(berth_reserve(&restraints->places[k].places, &restraints->place_capacity[k],
                            restraints->places[k].count + PLACE_COUNT, sizeof(struct berth_place),
                            error));
    for (int d = 0; d < PLACE_COUNT; d++) {
        const double length = atom ? place_length(atom->element, d, taker) : 0;
        restraints->metal_donors |= (unsigned)(length > 0) << d;
        struct berth_place place = {
            .bounded = true, .radius = RADIUS, .weight = restraints->metal_weight};
        berth_add_scaled(atom ? atom->position : ORIGIN,
                         length > 0 ? length : 2 * BERTH_RESTRAINT_NOWHERE, direction,
                         place.position);
        restraints->places[k].places[restraints->places[k].count++] = place;
    }
    return BERTH_OK;
}

/* Notes a metal that a place says the ligand of, if it has open sites. */
static void note_bound(struct berth_restraints *restraints,
                       const struct berth_typed_receptor *receptor, size_t metal)
{
    struct berth_coordination found;
    if (!*restraints->bound && berth_coordination_find(&receptor->molecule, metal, &found) &&
        found.open_count) {
        name_metal(receptor, &receptor->molecule.atoms[metal], restraints->bound);
    }
}

/* The open sites about one metal. */
static enum berth_status add_metal(struct berth_restraints *restraints, size_t k, size_t metal,
                                   const struct berth_typed_receptor *receptor, size_t *next,
                                   struct berth_error *error)
{
    struct berth_coordination found;
    enum berth_status status = BERTH_OK;
    if (!berth_coordination_find(&receptor->molecule, metal, &found)) {
        return BERTH_OK;
    }
    const bool one = found.open_count == 1 && found.polyhedron == BERTH_TETRAHEDRON;
    const size_t sites = one ? 2 : found.open_count;
    for (size_t i = 0; !status && i < sites && *next < BERTH_RESTRAINTS_MAX; i++) {
        const char *kind = BERTH_POLYHEDRON_NAMES[found.polyhedron];
        status = need_rule(restraints, *next, receptor, metal,
                           one && i ? "second donor of a chelate" : kind, error);
        BERTH_THEN(add_site(restraints, k, &receptor->molecule.atoms[metal],
                            found.open[one ? 0 : i],
                            !one ? DONOR
                            : i  ? CHELATE
                                 : EITHER,
                            error));
        ++*next;
    }
    return status;
}

enum berth_status berth_restraints_add_metals(struct berth_restraints *restraints,
                                              const struct berth_typed_receptor *const *receptors,
                                              size_t count, const struct berth_site *site,
                                              enum berth_metal_sites which,
                                              struct berth_error *error)
{
    static const double ANY[3] = {1, 0, 0};
    const size_t said = restraints->count;
    const size_t begin = restraints->places[0].count;
    size_t sites[BERTH_RECEPTORS_MAX] = {0};
    enum berth_status status = BERTH_OK;
    restraints->metal_weight =
        strcmp(receptors[0]->scoring.unit, "kcal/mol") == 0 ? WEIGHT : WEIGHT_SMALL;
    for (size_t k = 0; !status && k < count; k++) {
        const struct berth_molecule *molecule = &receptors[k]->molecule;
        size_t next = said;
        for (size_t i = 0; !status && i < molecule->atom_count; i++) {
            const double *at = molecule->atoms[i].position;
            if (!berth_is_metal(molecule->atoms[i].element) ||
                berth_site_outside(site, at) > BERTH_SITE_REACH ||
                (which == BERTH_METAL_SITES_AUTO && molecule->atoms[i].traits.bystander)) {
                continue;
            }
            if (is_said(restraints, said, k, at)) {
                note_bound(restraints, receptors[k], i);
            } else {
                status = add_metal(restraints, k, i, receptors[k], &next, error);
            }
        }
        sites[k] = next - said;
    }
    restraints->metals = restraints->count - said;
    for (size_t i = 0; i < restraints->metals; i++) {
        size_t *places = restraints->rules[said + i].places;
        places[0] = begin + i * PLACE_COUNT;
        places[1] = places[0] + PLACE_COUNT;
        for (size_t k = 0; !status && k < count; k++) {
            status = i < sites[k] ? BERTH_OK : add_site(restraints, k, NULL, ANY, DONOR, error);
        }
    }
    return status;
}

void berth_restraints_note_bound(const struct berth_restraints *restraints, const char *unit,
                                 const struct berth_log *log)
{
    if (*restraints->bound) {
        berth_note(log,
                   "a restraint or the template's core says what binds %s: its open sites, up to "
                   "-%g %s each (coordination), are not in these scores, and are in others",
                   restraints->bound, restraints->metal_weight, unit);
    }
}

void berth_restraints_name(const struct berth_restraints *restraints, struct berth_judges *judges)
{
    judges->restraints = restraints->count;
    judges->metals = restraints->metals;
    judges->binding = restraints->metals > 0;
    judges->metal_weight = restraints->metal_weight;
    judges->metal_radius = RADIUS;
    for (size_t i = 0; i < restraints->count; i++) {
        const struct berth_restraint_rule *rule = &restraints->rules[i];
        if (rule->soft > 0) {
            judges->core = i + 1;
            judges->core_radius = rule->radius;
            judges->core_weight = rule->soft;
        }
    }
}
