/* A core that ligands share with a reference, whose atoms hold them where it lies there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/restraints/restraints_internal.h"
#include "format/smiles/smiles.h"
#include "prep/posed.h"

/* Takes the first match. */
struct taking {
    size_t count;
    size_t atoms[BERTH_CORE_ATOMS];
    bool found;
};

static bool take_first(void *context, const size_t *atoms)
{
    struct taking *taking = context;
    taking->found = true;
    memcpy(taking->atoms, atoms, taking->count * sizeof *atoms);
    return false;
}

static enum berth_status read_reference(const char *path, struct berth_molecule *molecule,
                                        struct berth_error *error)
{
    struct berth_pose_reader *reader;
    struct berth_molecule other = {0};
    bool end = false;
    memset(molecule, 0, sizeof *molecule);
    enum berth_status status = berth_pose_reader_create(path, NULL, NULL, &reader, error);
    BERTH_THEN(berth_pose_reader_next(reader, molecule, &end, error));
    if (!status && end) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no molecule in it", path);
    }
    if (!status && berth_heavy_count(molecule) > BERTH_LIGAND_ATOMS_MAX) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: %zu heavy atoms; a ligand has 1 to %d",
                            path, berth_heavy_count(molecule), BERTH_LIGAND_ATOMS_MAX);
    }
    BERTH_THEN(berth_place_check(path, molecule, error));
    BERTH_THEN(berth_pose_reader_next(reader, &other, &end, error));
    if (!status && !end) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: it holds several molecules, and poses can be held where one of "
                            "them is: give a file of that one",
                            path);
    }
    berth_molecule_clear(&other);
    berth_pose_reader_destroy(reader);
    return status;
}

/* Takes all heavy atoms of a reference. */
static enum berth_status take_whole(const struct berth_molecule *molecule, struct taking *taking,
                                    const char *path, struct berth_error *error)
{
    for (size_t i = 0; i < molecule->atom_count; i++) {
        if (molecule->atoms[i].heavy && taking->count < BERTH_CORE_ATOMS) {
            taking->atoms[taking->count] = i;
        }
        taking->count += molecule->atoms[i].heavy;
    }
    if (!molecule->bond_count && taking->count > 1) {
        return berth_fail(error, BERTH_E_FORMAT, "%s: the template has no bonds", path);
    }
    return taking->count <= BERTH_CORE_ATOMS
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT, "%s: the template has %zu heavy atoms, above %d",
                            path, taking->count, BERTH_CORE_ATOMS);
}

/* Of a reference without the core: which pattern, of which line, and what the reference is, as a
 * pattern that it has. */
static enum berth_status refuse_reference(const struct berth_restraint_rule *rule, const char *path,
                                          const struct berth_facts *reference,
                                          struct berth_error *error)
{
    struct berth_bytes smiles = {0};
    size_t *order;
    bool known = false;
    BERTH_TRY(berth_make(&order, reference->molecule->atom_count, sizeof *order, NULL, error));
    enum berth_status status =
        berth_smiles_write(reference, true, NULL, &smiles, order, &known, error);
    berth_bytes_put8(&smiles, 0);
    if (!status) {
        known = known && !smiles.failed;
        status =
            berth_fail(error, BERTH_E_FORMAT, "%s: the reference%s%s does not have the core: %s",
                       path, known ? " " : "", known ? (const char *)smiles.data : "", rule->text);
    }
    berth_bytes_clear(&smiles);
    free(order);
    return status;
}

enum berth_status restraints_read_core(struct berth_matcher *matcher,
                                       struct berth_restraint_rule *rule, const char *path,
                                       struct berth_error *error)
{
    struct berth_template *whole;
    BERTH_TRY(berth_make(&rule->whole, 1, sizeof *whole, NULL, error));
    whole = rule->whole;
    struct taking taking = {0};
    enum berth_status status = read_reference(path, &whole->molecule, error);
    BERTH_THEN(berth_facts_find(&whole->molecule, BERTH_PATTERN_FACTS, &whole->facts, error));
    if (!status && !rule->core) {
        status = take_whole(&whole->molecule, &taking, path, error);
    } else if (!status) {
        taking.count = rule->core->count;
        status =
            berth_pattern_match(matcher, rule->core, &whole->facts, take_first, &taking, error);
        if (status) {
            berth_fail_in(error, path);
        } else if (!taking.found) {
            status = refuse_reference(rule, path, &whole->facts, error);
        }
    }
    BERTH_THEN(
        berth_make(&rule->core_places, taking.count, sizeof *rule->core_places, NULL, error));
    for (size_t i = 0; !status && i < taking.count; i++) {
        memcpy(rule->core_places[i], whole->molecule.atoms[taking.atoms[i]].position,
               sizeof rule->core_places[i]);
    }
    rule->core_count = status ? 0 : taking.count;
    return status;
}

/* Ways that poses start in, and ways that are looked at for these, at most. */
enum { WAYS_STARTED = 16, WAYS_SEEN = 1024 };

/* What finding the core in a ligand works on. */
struct finding {
    const struct berth_molecule *ligand;
    size_t count;
    const struct berth_molecule *reference; /* of a core that is what is in common */
    size_t first[BERTH_CORE_ATOMS];         /* the atoms of the first match */
    bool found;
    bool may[BERTH_CORE_ATOMS][BERTH_CORE_ATOMS]; /* atom first[i] can be in place k */
    uint8_t (*ways)[BERTH_CORE_ATOMS]; /* owned; [way_count], of each the place of first[i] */
    size_t way_count, way_capacity;
    enum berth_status status;
    struct berth_error *error;
};

/* Notes a way: the place of each atom.  False: that is enough. */
static bool add_way(struct finding *finding, const uint8_t lies[BERTH_CORE_ATOMS])
{
    finding->status = berth_reserve(&finding->ways, &finding->way_capacity, finding->way_count + 1,
                                    sizeof *finding->ways, finding->error);
    if (finding->status) {
        return false;
    }
    memcpy(finding->ways[finding->way_count++], lies, finding->count);
    for (size_t i = 0; i < finding->count; i++) {
        finding->may[i][lies[i]] = true;
    }
    return finding->way_count < WAYS_SEEN;
}

/* Ways round the atoms of the first match count, too; the same core elsewhere does not. */
static bool take_way(void *context, const size_t *atoms)
{
    struct finding *finding = context;
    uint8_t lies[BERTH_CORE_ATOMS] = {0};
    if (!finding->found) {
        memcpy(finding->first, atoms, finding->count * sizeof *atoms);
        finding->found = true;
    }
    for (size_t k = 0; k < finding->count; k++) {
        size_t number = 0;
        while (number < finding->count && finding->first[number] != atoms[k]) {
            number++;
        }
        if (number == finding->count) {
            return true;
        }
        lies[number] = (uint8_t)k;
    }
    return add_way(finding, lies);
}

/* The same of what is in common with the reference, whose atoms these are. */
static bool take_common(void *context, const size_t *atoms)
{
    struct finding *finding = context;
    uint8_t lies[BERTH_CORE_ATOMS] = {0};
    for (size_t i = 0; i < finding->count; i++) {
        for (size_t k = 0; k < atoms[i]; k++) { /* places are those of its heavy atoms */
            lies[i] += finding->reference->atoms[k].heavy;
        }
    }
    finding->found = true;
    return add_way(finding, lies);
}

static enum berth_status find_core(const struct berth_restraint_rule *rule,
                                   const struct restraints_ligand *ligand, struct finding *finding)
{
    struct berth_common_core core;
    if (rule->core) {
        finding->count = rule->core_count;
        BERTH_TRY(berth_pattern_match(ligand->matcher, rule->core, ligand->facts, take_way, finding,
                                      finding->error));
        return finding->status;
    }
    const struct berth_template *whole = rule->whole;
    BERTH_TRY(berth_common_core_find(&whole->facts, ligand->facts, &core, finding->error));
    if (core.count < rule->least) {
        return BERTH_OK;
    }
    finding->count = core.count;
    finding->reference = &whole->molecule;
    memcpy(finding->first, core.ligand, core.count * sizeof *core.ligand);
    BERTH_TRY(berth_common_core_ways(&whole->facts, ligand->facts, &core, take_common, finding,
                                     finding->error));
    return finding->status;
}

/* The pulls: of each atom to all that it can be. */
static enum berth_status make_pulls(const struct finding *finding,
                                    const struct berth_restraint_rule *rule, size_t number,
                                    const size_t *heavy, struct berth_restrained *restrained)
{
    size_t pulls = 0;
    for (size_t i = 0; i < finding->count; i++) {
        for (size_t k = 0; k < rule->core_count; k++) {
            pulls += finding->may[i][k];
        }
    }
    BERTH_TRY(
        berth_make(&restrained->pulls, pulls, sizeof *restrained->pulls, NULL, finding->error));
    for (size_t i = 0; i < finding->count; i++) {
        for (size_t k = 0; k < rule->core_count; k++) {
            if (finding->may[i][k]) {
                restrained->pulls[restrained->count++] =
                    (struct berth_pull){.restraint = i,
                                        .rule = number,
                                        .place = rule->places[0] + k,
                                        .point = {{(uint16_t)heavy[finding->first[i]]}, 1}};
            }
        }
    }
    restrained->restraints = restrained->held = finding->count;
    return BERTH_OK;
}

/* Which atom of the core, but for `other`, is the first that is bonded to number i of it; count:
 * there is none. */
static size_t neighbour_in(const struct finding *finding, size_t i, size_t other)
{
    for (size_t k = 0; k < finding->count; k++) {
        for (size_t b = 0; k != other && b < finding->ligand->bond_count; b++) {
            const struct berth_bond *bond = &finding->ligand->bonds[b];
            if ((bond->first == finding->first[i] && bond->second == finding->first[k]) ||
                (bond->second == finding->first[i] && bond->first == finding->first[k])) {
                return k;
            }
        }
    }
    return finding->count;
}

static size_t number_in(const struct finding *finding, size_t atom)
{
    size_t i = 0;
    while (i < finding->count && finding->first[i] != atom) {
        i++;
    }
    return i;
}

/* Where poses start: ways from all of them, and a dihedral about each single bond; half of the
 * poses of a core that is not held, anywhere. */
static enum berth_status make_starts(const struct finding *finding,
                                     const struct berth_restraint_rule *rule,
                                     struct berth_restrained *restrained)
{
    const struct berth_molecule *ligand = finding->ligand;
    const size_t count = finding->count;
    const size_t ways = finding->way_count < WAYS_STARTED ? finding->way_count : WAYS_STARTED;
    const size_t all = rule->soft > 0 ? 2 * ways : ways;
    BERTH_TRY(
        berth_make(&restrained->ways, all * count, sizeof *restrained->ways, NULL, finding->error));
    BERTH_TRY(berth_make(&restrained->dihedrals, ligand->bond_count, sizeof *restrained->dihedrals,
                         NULL, finding->error));
    BERTH_TRY(berth_make(&restrained->matches, finding->way_count * count,
                         sizeof *restrained->matches, NULL, finding->error));
    restrained->match_count = finding->way_count;
    for (size_t i = 0; i < finding->way_count * count; i++) {
        restrained->matches[i] = (uint16_t)(rule->places[0] + finding->ways[i / count][i % count]);
    }
    restrained->way_count = all;
    for (size_t i = ways * count; i < all * count; i++) {
        restrained->ways[i] = BERTH_WAY_ANYWHERE;
    }
    for (size_t way = 0; way < ways; way++) {
        const uint8_t *lies = finding->ways[way * finding->way_count / ways];
        for (size_t i = 0; i < count; i++) {
            restrained->ways[way * count + i] = rule->places[0] + lies[i];
        }
    }
    for (size_t b = 0; b < ligand->bond_count; b++) {
        const size_t first = number_in(finding, ligand->bonds[b].first);
        const size_t second = number_in(finding, ligand->bonds[b].second);
        if (first == count || second == count || strcmp(ligand->bonds[b].type, "1") != 0) {
            continue;
        }
        const size_t before = neighbour_in(finding, first, second);
        const size_t behind = neighbour_in(finding, second, first);
        if (before < count && behind < count) {
            size_t *four = restrained->dihedrals[restrained->dihedral_count++];
            four[0] = before;
            four[1] = first;
            four[2] = second;
            four[3] = behind;
        }
    }
    return BERTH_OK;
}

enum berth_status restraints_match_core(const struct berth_restraint_rule *rule, size_t number,
                                        const struct restraints_ligand *ligand,
                                        struct berth_restrained *restrained,
                                        struct berth_error *error)
{
    struct finding finding = {.ligand = ligand->molecule, .error = error};
    enum berth_status status = find_core(rule, ligand, &finding);
    if (!status && finding.found) {
        status = make_pulls(&finding, rule, number, ligand->heavy, restrained);
        BERTH_THEN(make_starts(&finding, rule, restrained));
    } else if (!status && rule->refuses) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            rule->core ? "it does not have the core"
                                       : "it has less than %zu atoms in common with the template",
                            rule->least);
    }
    free(finding.ways);
    return status;
}

/* The template as a line; the caller frees it; NULL when out of memory. */
static char *describe(const struct berth_template_setup *setup)
{
    const size_t size = 140 + (setup->core ? strlen(setup->core) : 0);
    char *text = berth_alloc(size, 1);
    int length = 0;
    if (text && setup->core) {
        length = snprintf(text, size, "core %s", setup->core);
    } else if (text) {
        length = snprintf(text, size, "core of %zu atoms or more", setup->least);
    }
    if (text) {
        snprintf(text + length, size - (size_t)length, " on the template's, within %g \xc3\x85%s",
                 setup->tolerance, setup->refuses ? "" : "; ligands without it are free");
    }
    if (text && setup->weight > 0) {
        length = (int)strlen(text);
        snprintf(text + length, size - (size_t)length, ", off it at most %g", setup->weight);
    }
    return text;
}

enum berth_status berth_restraints_add_template(struct berth_restraints *restraints,
                                                const struct berth_template_setup *setup,
                                                struct berth_error *error)
{
    for (size_t i = 0; i < restraints->count; i++) {
        if (restraints->rules[i].reference) {
            return berth_fail_option(error, BERTH_E_USAGE, "template",
                                     "template: %s has a core, and there can be one",
                                     restraints->path);
        }
    }
    if (restraints->count == BERTH_RESTRAINTS_MAX) {
        return berth_fail_option(error, BERTH_E_USAGE, "template",
                                 "template: %s has %d restraints, and this is one more",
                                 restraints->path, BERTH_RESTRAINTS_MAX);
    }
    struct berth_restraint_rule *rule = &restraints->rules[restraints->count++];
    rule->subject = BERTH_SUBJECT_CORE;
    rule->required = setup->weight <= 0;
    rule->soft = setup->weight;
    rule->radius = setup->tolerance;
    rule->weight = NAN;
    rule->least = setup->least;
    rule->refuses = setup->refuses;
    if (setup->core) {
        BERTH_TRY(berth_pattern_read(&restraints->matcher, setup->core, &rule->core, error));
    }
    rule->reference = berth_copy_text(setup->path);
    rule->text = describe(setup);
    if (!restraints->path) {
        restraints->path = berth_copy_text(setup->path);
    }
    return rule->text && rule->reference && restraints->path ? BERTH_OK
                                                             : berth_out_of_memory(error, NULL);
}
