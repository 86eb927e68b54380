/* A core that ligands share with a reference, whose atoms hold them where it lies there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dock/restraints_internal.h"
#include "prep/standing.h"

/* Takes the first match, where all of its atoms are heavy. */
struct taking {
    const struct berth_molecule *molecule;
    size_t count;
    size_t atoms[BERTH_SMARTS_ATOMS];
    bool found;
};

static bool all_heavy(const struct berth_molecule *molecule, const size_t *atoms, size_t count)
{
    bool heavy = true;
    for (size_t i = 0; i < count; i++) {
        heavy = heavy && molecule->atoms[atoms[i]].heavy;
    }
    return heavy;
}

static bool take_first(void *context, const size_t *atoms)
{
    struct taking *taking = context;
    taking->found = all_heavy(taking->molecule, atoms, taking->count);
    memcpy(taking->atoms, atoms, taking->count * sizeof *atoms);
    return !taking->found;
}

static enum berth_status read_reference(const char *path, struct berth_molecule *molecule,
                                        struct berth_error *error)
{
    struct berth_pose_reader *reader;
    bool end = false;
    memset(molecule, 0, sizeof *molecule);
    BERTH_TRY(berth_pose_reader_create(path, NULL, &reader, error));
    enum berth_status status = berth_pose_reader_next(reader, molecule, &end, error);
    if (!status && end) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: no molecule in it", path);
    }
    berth_pose_reader_destroy(reader);
    return status;
}

enum berth_status restraints_read_core(struct berth_restraint_rule *rule, const char *path,
                                       struct berth_error *error)
{
    struct berth_molecule molecule;
    struct berth_smarts_target *target = NULL;
    struct taking taking = {.molecule = &molecule, .count = berth_smarts_count(rule->core)};
    enum berth_status status = read_reference(path, &molecule, error);
    BERTH_THEN(berth_smarts_target_create(&molecule, &target, error));
    if (!status) {
        berth_smarts_match(rule->core, target, take_first, &taking);
        status = taking.found ? berth_make(&rule->core_places, taking.count,
                                           sizeof *rule->core_places, NULL, error)
                              : berth_fail(error, BERTH_E_FORMAT,
                                           "%s: the reference does not have the core", path);
    }
    for (size_t i = 0; !status && i < taking.count; i++) {
        memcpy(rule->core_places[i], molecule.atoms[taking.atoms[i]].position,
               sizeof rule->core_places[i]);
    }
    berth_smarts_target_destroy(target);
    berth_molecule_clear(&molecule);
    return status;
}

/* What finding the core in a ligand works on. */
struct finding {
    const struct berth_molecule *ligand;
    size_t count;
    size_t first[BERTH_SMARTS_ATOMS]; /* the atoms of the first match */
    bool found;
    bool may[BERTH_SMARTS_ATOMS][BERTH_SMARTS_ATOMS]; /* atom first[i] can be atom k of the core */
};

/* Ways round the atoms of the first match count, too; the same core elsewhere does not. */
static bool take_way(void *context, const size_t *atoms)
{
    struct finding *finding = context;
    size_t numbers[BERTH_SMARTS_ATOMS];
    if (!all_heavy(finding->ligand, atoms, finding->count)) {
        return true;
    }
    if (!finding->found) {
        memcpy(finding->first, atoms, finding->count * sizeof *atoms);
        finding->found = true;
    }
    for (size_t k = 0; k < finding->count; k++) {
        numbers[k] = 0;
        while (numbers[k] < finding->count && finding->first[numbers[k]] != atoms[k]) {
            numbers[k]++;
        }
        if (numbers[k] == finding->count) {
            return true;
        }
    }
    for (size_t k = 0; k < finding->count; k++) {
        finding->may[numbers[k]][k] = true;
    }
    return true;
}

enum berth_status restraints_match_core(const struct berth_restraint_rule *rule, size_t number,
                                        const struct berth_smarts_target *target,
                                        const struct berth_molecule *ligand, const size_t *heavy,
                                        struct berth_restrained *restrained,
                                        struct berth_error *error)
{
    struct finding finding = {.ligand = ligand, .count = berth_smarts_count(rule->core)};
    berth_smarts_match(rule->core, target, take_way, &finding);
    if (!finding.found) {
        return BERTH_OK;
    }
    size_t pulls = 0;
    for (size_t i = 0; i < finding.count; i++) {
        for (size_t k = 0; k < finding.count; k++) {
            pulls += finding.may[i][k];
        }
    }
    BERTH_TRY(berth_make(&restrained->pulls, pulls, sizeof *restrained->pulls, NULL, error));
    for (size_t i = 0; i < finding.count; i++) {
        for (size_t k = 0; k < finding.count; k++) {
            if (finding.may[i][k]) {
                restrained->pulls[restrained->count++] =
                    (struct berth_pull){.restraint = i,
                                        .rule = number,
                                        .place = rule->places[0] + k,
                                        .point = {{(uint16_t)heavy[finding.first[i]]}, 1}};
            }
        }
    }
    restrained->restraints = restrained->held = finding.count;
    return BERTH_OK;
}
