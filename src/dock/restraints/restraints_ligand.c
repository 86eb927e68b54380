/* What of ligands is restrained, and how poses meet it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"
#include "dock/restraints/restraints_internal.h"
#include "dock/placed.h"

/* What matching a ligand works on. */
struct matcher {
    const struct berth_restraint_rule *rule;
    const struct berth_molecule *molecule;
    const size_t *heavy; /* [atoms]: number of each among the heavy ones */
    const struct berth_restraints *restraints;
    struct berth_restrained *restrained;
    size_t capacity;
    size_t number; /* of the rule */
    size_t place;  /* the one of its places that the point pulls to; SIZE_MAX: all */
    enum berth_status status;
    struct berth_error *error;
};

static bool pulls_already(const struct matcher *matcher, const struct berth_ligand_point *point,
                          size_t place)
{
    const struct berth_restrained *restrained = matcher->restrained;
    bool found = false;
    for (size_t i = 0; !found && i < restrained->count; i++) {
        const struct berth_pull *pull = &restrained->pulls[i];
        found = pull->rule == matcher->number && pull->place == place &&
                memcmp(&pull->point, point, sizeof *point) == 0;
    }
    return found;
}

/* What the place may meet in one of the receptors at least, whose atoms there may differ; *there:
 * one of them has it. */
static unsigned meets_of(const struct berth_restraints *restraints, size_t place, bool *there)
{
    unsigned meets = 0;
    *there = false;
    for (size_t k = 0; k < BERTH_RECEPTORS_MAX && place < restraints->places[k].count; k++) {
        const struct berth_place *found = &restraints->places[k].places[place];
        meets |= found->meets;
        *there = *there || berth_length(found->position) < BERTH_RESTRAINT_NOWHERE;
    }
    return meets;
}

/* The point pulls to those places of the rule that it can meet (a mask, BERTH_MEETS_...), once. */
static void add_point(struct matcher *matcher, const struct berth_ligand_point *point,
                      unsigned meets)
{
    struct berth_restrained *restrained = matcher->restrained;
    const struct berth_restraint_rule *rule = matcher->rule;
    matcher->status = berth_reserve(&restrained->pulls, &matcher->capacity,
                                    restrained->count + rule->places[1] - rule->places[0],
                                    sizeof *restrained->pulls, matcher->error);
    for (size_t p = rule->places[0]; !matcher->status && p < rule->places[1]; p++) {
        bool there;
        const unsigned met = meets_of(matcher->restraints, p, &there);
        if (!there || (matcher->place != SIZE_MAX && matcher->place != p - rule->places[0]) ||
            (met && !(met & meets)) || pulls_already(matcher, point, p)) {
            continue;
        }
        restrained->pulls[restrained->count++] =
            (struct berth_pull){.restraint = restrained->restraints,
                                .rule = matcher->number,
                                .place = p,
                                .point = *point};
    }
}

/* The labelled atoms of a match; of none labelled the first. */
static bool take_match(void *context, const size_t *atoms)
{
    struct matcher *matcher = context;
    const struct berth_pattern *core = matcher->rule->core;
    struct berth_ligand_point point = {.count = 0};
    for (size_t i = 0; i < core->count; i++) {
        if (core->labels[i] && point.count < BERTH_POINT_ATOMS) {
            point.atoms[point.count++] = (uint16_t)matcher->heavy[atoms[i]];
        }
    }
    if (!point.count) {
        point.atoms[point.count++] = (uint16_t)matcher->heavy[atoms[0]];
    }
    add_point(matcher, &point, 0);
    return !matcher->status;
}

/* A chelate's oxygens together, and each alone. */
static void take_chelate(void *context, size_t first, size_t second)
{
    struct matcher *matcher = context;
    struct berth_ligand_point points[] = {
        {{(uint16_t)matcher->heavy[first]}, 1},
        {{(uint16_t)matcher->heavy[second]}, 1},
        {{(uint16_t)matcher->heavy[first], (uint16_t)matcher->heavy[second]}, 2}};
    for (size_t i = 0; !matcher->status && i < sizeof points / sizeof *points; i++) {
        matcher->place = restraints_metal_chelate(points[i].count);
        add_point(matcher, &points[i], 0);
    }
}

static bool counts(const struct berth_restraint_rule *rule, enum berth_feature_kind kind)
{
    return kind == BERTH_SUBJECTS[rule->subject].kind ||
           (rule->either && (kind == BERTH_FEATURE_DONOR || kind == BERTH_FEATURE_ACCEPTOR));
}

static void match_features(struct matcher *matcher, const struct berth_featured *featured)
{
    const struct berth_molecule *ligand = featured->molecule;
    const bool any = matcher->rule->subject == BERTH_SUBJECT_ATOM;
    for (size_t i = 0; any && !matcher->status && i < ligand->atom_count; i++) {
        const struct berth_ligand_point point = {{(uint16_t)matcher->heavy[i]}, 1};
        if (ligand->atoms[i].heavy) {
            add_point(matcher, &point, 0);
        }
    }
    for (size_t i = 0; !any && !matcher->status && i < featured->count; i++) {
        const struct berth_feature *feature = &featured->features[i];
        struct berth_ligand_point point = {.count = 0};
        for (size_t a = 0; a < feature->count; a++) {
            point.atoms[point.count++] = (uint16_t)matcher->heavy[feature->atoms[a]];
        }
        if (counts(matcher->rule, feature->kind)) {
            add_point(matcher, &point, /* of other kinds no place asks */
                      feature->kind == BERTH_FEATURE_DONOR ? BERTH_MEETS_DONOR
                                                           : BERTH_MEETS_ACCEPTOR);
        }
    }
}

static void match_pattern(struct matcher *matcher, const struct berth_facts *facts)
{
    const enum berth_status status =
        berth_pattern_match(matcher->restraints->matcher, matcher->rule->core, facts, take_match,
                            matcher, matcher->error);
    matcher->status = status ? status : matcher->status;
}

/* An open site of a metal: donors that take it alone, each at the place of its element, and
 * chelates. */
static void match_metal(struct matcher *matcher, const struct berth_facts *facts)
{
    for (size_t i = 0; !matcher->status && i < facts->molecule->atom_count; i++) {
        const struct berth_atom *atom = &facts->molecule->atoms[i];
        if (atom->heavy && restraints_binds_metal(facts, i)) {
            const struct berth_ligand_point point = {{(uint16_t)matcher->heavy[i]}, 1};
            matcher->place = restraints_metal_place(atom->element);
            add_point(matcher, &point, 0);
        }
    }
    restraints_find_chelates(facts, take_chelate, matcher);
}

static enum berth_status match_rules(struct berth_restraints *restraints, struct matcher *matcher,
                                     const struct berth_featured *featured,
                                     const struct berth_facts *facts)
{
    struct berth_restrained *restrained = matcher->restrained;
    const struct restraints_ligand ligand = {featured->molecule, facts, matcher->heavy,
                                             restraints->matcher};
    for (size_t i = 0; !matcher->status && i < restraints->count; i++) {
        struct berth_restraint_rule *rule = &restraints->rules[i];
        if (rule->reference) { /* what it holds comes first */
            matcher->status = restraints_match_core(rule, i, &ligand, restrained, matcher->error);
            matcher->capacity = restrained->count;
            rule->matched += restrained->count > 0;
        }
    }
    for (size_t i = 0; !matcher->status && i < restraints->count; i++) {
        struct berth_restraint_rule *rule = &restraints->rules[i];
        if (rule->reference) {
            continue;
        }
        const size_t before = restrained->count;
        matcher->rule = rule;
        matcher->number = i;
        matcher->place = SIZE_MAX;
        if (rule->metal) {
            match_metal(matcher, facts);
        } else if (rule->core) {
            match_pattern(matcher, facts);
        } else {
            match_features(matcher, featured);
        }
        restrained->restraints += restrained->count > before;
        rule->matched += restrained->count > before;
    }
    return matcher->status;
}

enum berth_status berth_restraints_match(struct berth_restraints *restraints,
                                         const struct berth_molecule *ligand,
                                         struct berth_restrained *restrained,
                                         struct berth_error *error)
{
    struct berth_featured featured = {0};
    struct berth_facts facts = {0};
    size_t *heavy = berth_heavy_numbers(ligand);
    struct matcher matcher = {.molecule = ligand,
                              .heavy = heavy,
                              .restraints = restraints,
                              .restrained = restrained,
                              .error = error};
    memset(restrained, 0, sizeof *restrained);
    enum berth_status status = heavy ? BERTH_OK : berth_out_of_memory(error, NULL);
    BERTH_THEN(berth_features_find(ligand, &featured, error));
    BERTH_THEN(berth_facts_find(ligand, BERTH_PATTERN_FACTS, &facts, error));
    BERTH_THEN(match_rules(restraints, &matcher, &featured, &facts));
    if (!status && restraints->metals) {
        restrained->acid = restraints_metal_acid(restraints, &facts);
    }
    berth_featured_clear(&featured);
    berth_facts_clear(&facts);
    free(heavy);
    restraints->ligands++;
    return status;
}

/* Whether a point at this distance (Å; NAN: the ligand has none) meets restraint number i. */
static bool is_met(const struct berth_restraints *restraints, size_t i, double distance)
{
    const struct berth_restraint_rule *rule = &restraints->rules[i];
    const struct berth_place *place = &restraints->places[0].places[rule->places[0]];
    return rule->avoided ? !(distance < place->radius - BERTH_RESTRAINT_SLACK)
                         : distance <= place->radius + BERTH_RESTRAINT_SLACK;
}

enum berth_status berth_restraints_measure(const struct berth_restraints *restraints, size_t k,
                                           const double center[3],
                                           const struct berth_packed_conformer *conformer,
                                           struct berth_pose *pose, struct berth_error *error)
{
    const struct berth_restrained *restrained = conformer->restrained;
    const struct berth_places *places = &restraints->places[k];
    struct berth_placed unpacked;
    enum berth_status status = berth_unpack(conformer, &unpacked, error);
    pose->unmet = pose->met = 0;
    for (size_t i = 0; i < restraints->count; i++) {
        pose->distances[i] = NAN;
    }
    if (!status) {
        berth_placed_place(&unpacked, pose, center);
    }
    for (size_t i = 0; !status && restrained && i < restrained->count; i++) {
        const struct berth_pull *first = &restrained->pulls[i];
        if (i == 0 || first->restraint != first[-1].restraint) {
            double energy;
            const struct berth_pull *nearest =
                berth_pull_nearest(places, restrained, i, &unpacked.placed, &energy);
            const double distance = berth_pull_distance(places, nearest, &unpacked.placed);
            pose->distances[first->rule] = (float)distance;
        }
    }
    if (!status && restrained && restrained->held) { /* the pulls of a core are its atoms' */
        pose->distances[restrained->pulls[0].rule] =
            (float)berth_held_distance(places, restrained, &unpacked.placed);
    }
    for (size_t i = 0; i < restraints->count; i++) {
        const bool met = is_met(restraints, i, pose->distances[i]);
        pose->met |= (unsigned)met << i;
        pose->unmet += restraints->rules[i].required && !met;
    }
    berth_placed_clear(&unpacked);
    return status;
}

void berth_restraints_warn(const struct berth_restraints *restraints, const struct berth_log *log)
{
    for (size_t i = 0; i < restraints->count; i++) {
        if (restraints->rules[i].metal) {
            continue; /* a ligand need have nothing that binds it */
        }
        if (restraints->ligands && !restraints->rules[i].matched && !restraints->rules[i].line) {
            berth_warn(log, NULL, "%s: no ligand has a core in common with the template",
                       restraints->rules[i].reference);
        } else if (restraints->ligands && !restraints->rules[i].matched) {
            berth_warn(log, NULL, "%s:%zu: no ligand has what this restraint is about",
                       restraints->path, restraints->rules[i].line);
        }
    }
}
