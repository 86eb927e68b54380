#include "dock/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "chem/residue_types.h"
#include "chem/vectors.h"
#include "dock/covalent/covalent.h"

/* Å: residues of a receptor within this of the box are compared with those of the first one, if
 * there are so many; and what their median distance is in structures that are superposed. */
#define NEAR_SITE  12.0
#define SUPERPOSED 4.0
enum { RESIDUES_MIN = 5 };

/* Whether two receptors are scored by the same functions. */
static bool are_scored_alike(const struct berth_typed_receptor *a,
                             const struct berth_typed_receptor *b)
{
    bool alike = a->judge_count == b->judge_count;
    for (size_t k = 0; alike && k <= a->judge_count; k++) {
        const struct berth_scoring *one = k ? &a->judges[k - 1].scoring : &a->scoring;
        const struct berth_scoring *other = k ? &b->judges[k - 1].scoring : &b->scoring;
        alike =
            strcmp(one->name, other->name) == 0 &&
            berth_forcefield_hash(&one->forcefield) == berth_forcefield_hash(&other->forcefield);
    }
    return alike;
}

enum berth_status berth_ensemble_add(struct berth_ensemble *ensemble,
                                     const struct berth_typed_receptor *receptor, const char *path,
                                     struct berth_error *error)
{
    for (size_t i = 0; i < ensemble->count; i++) {
        const struct berth_scoring *one = &ensemble->receptors[i]->scoring;
        const struct berth_scoring *other = &receptor->scoring;
        if (strcmp(ensemble->paths[i], path) == 0 || berth_is_same_file(ensemble->paths[i], path)) {
            return berth_fail(error, BERTH_E_USAGE, "%s: the receptor is given twice", path);
        }
        if (!are_scored_alike(ensemble->receptors[i], receptor)) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s and %s are scored by unlike functions, %s and %s; receptors of "
                              "one run need the same",
                              ensemble->paths[i], path, one->name, other->name);
        }
    }
    const enum berth_status status = berth_receptor_names_add(&ensemble->names, path, error);
    if (!status) {
        ensemble->paths[ensemble->count] = path;
        ensemble->receptors[ensemble->count++] = receptor;
    }
    return status;
}

/* An atom that each residue has once: of a protein, or of a nucleic acid. */
static bool stands_for_residue(const struct berth_atom *atom)
{
    return strcmp(atom->name, "CA") == 0 || strcmp(atom->name, "C1'") == 0;
}

/* Å from the atom to the nearest one of its name in a residue of the same name and number;
 * infinite where there is none. */
static double distance_to_twin(const struct berth_atom *atom, const struct berth_molecule *other)
{
    double least = INFINITY;
    for (size_t i = 0; i < other->atom_count; i++) {
        const struct berth_atom *twin = &other->atoms[i];
        if (strcmp(twin->name, atom->name) == 0 && strcmp(twin->residue, atom->residue) == 0) {
            least = fmin(least, berth_distance(twin->position, atom->position));
        }
    }
    return least;
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* The median distance between residues about the site and the same ones of the first receptor; 0
 * where too few are the same. */
static enum berth_status measure(const struct berth_ensemble *ensemble, size_t number,
                                 const struct berth_site *site, double *median,
                                 struct berth_error *error)
{
    const struct berth_molecule *first = &ensemble->receptors[0]->molecule;
    const struct berth_molecule *other = &ensemble->receptors[number]->molecule;
    double *distances = berth_alloc(first->atom_count, sizeof *distances);
    size_t count = 0;
    if (!distances) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < first->atom_count; i++) {
        const struct berth_atom *atom = &first->atoms[i];
        if (stands_for_residue(atom) && berth_site_outside(site, atom->position) < NEAR_SITE) {
            const double distance = distance_to_twin(atom, other);
            distances[count] = distance;
            count += isfinite(distance);
        }
    }
    qsort(distances, count, sizeof *distances, by_size);
    *median = count >= RESIDUES_MIN ? distances[count / 2] : 0;
    free(distances);
    return BERTH_OK;
}

static bool is_near(const struct berth_typed_receptor *receptor, const struct berth_site *site)
{
    for (size_t i = 0; i < receptor->heavy.count; i++) {
        if (berth_site_outside(site, receptor->heavy.atoms[i].position) < NEAR_SITE) {
            return true;
        }
    }
    return false;
}

enum berth_status berth_ensemble_check(const struct berth_ensemble *ensemble,
                                       const struct berth_site *site, const struct berth_log *log,
                                       struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && ensemble->count > 1 && i < ensemble->count; i++) {
        double median = 0;
        if (!is_near(ensemble->receptors[i], site)) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s: no atom lies within %g Å of the site; all receptors of a run "
                              "are superposed, in one frame",
                              ensemble->paths[i], NEAR_SITE);
        }
        status = measure(ensemble, i, site, &median, error);
        if (!status && median > SUPERPOSED) {
            berth_warn(log, NULL,
                       "%s: residues about the site lie %.1f Å (median) from those of %s; "
                       "superpose the receptors first, or the site is not the same place in each",
                       ensemble->paths[i], median, ensemble->paths[0]);
        }
    }
    if (!status && ensemble->restraints) {
        berth_restraints_warn_far(ensemble->restraints, ensemble->count, site, log);
        berth_restraints_warn_overlap(ensemble->restraints, ensemble->receptors[0], log);
    }
    return status;
}

/* The residue of an atom of a water; NULL of others. */
static const struct berth_residue_id *water_at(const struct berth_typed_receptor *receptor,
                                               size_t atom)
{
    const struct berth_atom *at = &receptor->molecule.atoms[atom];
    const struct berth_residue_id *residue =
        at->residue_id ? &receptor->residues[at->residue_id - 1] : NULL;
    return residue && at->heavy && berth_is_water_name(residue->name) ? residue : NULL;
}

static bool has_water(const struct berth_typed_receptor *receptor,
                      const struct berth_residue_id *wanted)
{
    bool found = false;
    for (size_t i = 0; !found && i < receptor->molecule.atom_count; i++) {
        const struct berth_residue_id *residue = water_at(receptor, i);
        found = residue && berth_same_residue(residue, wanted);
    }
    return found;
}

/* True where an earlier receptor than number i has the water, too. */
static bool was_counted(const struct berth_ensemble *ensemble, size_t i,
                        const struct berth_residue_id *water)
{
    bool counted = false;
    for (size_t k = 0; !counted && k < i; k++) {
        counted = has_water(ensemble->receptors[k], water);
    }
    return counted;
}

enum berth_status berth_ensemble_price_waters(const struct berth_ensemble *ensemble, double price,
                                              struct berth_judges *judges,
                                              struct berth_error *error)
{
    if (price == 0) {
        return BERTH_OK;
    }
    for (size_t i = 0; i < ensemble->count; i++) {
        const struct berth_typed_receptor *receptor = ensemble->receptors[i];
        if (!receptor->residues) {
            return berth_fail_option(error, BERTH_E_USAGE, "water_price",
                                     "water_price: %s does not tell chains and residues apart; "
                                     "take .brec, PDB or mmCIF",
                                     ensemble->paths[i]);
        }
        for (size_t a = 0; a < receptor->molecule.atom_count; a++) {
            const struct berth_residue_id *water = water_at(receptor, a);
            if (!water || was_counted(ensemble, i, water)) {
                continue;
            }
            for (size_t k = 0; k < ensemble->count; k++) {
                const bool lacks = !has_water(ensemble->receptors[k], water);
                judges->displacement[k] += lacks ? price : 0;
                judges->displaces = judges->displaces || lacks;
            }
        }
    }
    return judges->displaces
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_USAGE, "water_price",
                                   "water_price: it needs receptors of which some have a water "
                                   "that others lack (prep receptor --displaceable_waters)");
}

const struct berth_side_chains *berth_ensemble_beside(const struct berth_ensemble *ensemble)
{
    return ensemble->covalent ? &ensemble->covalent->frame : ensemble->side_chains;
}

void berth_ensemble_aim(const struct berth_ensemble *ensemble, const struct berth_site *site,
                        struct berth_docking_setup *setup)
{
    const struct berth_side_chains *beside = berth_ensemble_beside(ensemble);
    setup->target_count = ensemble->count;
    setup->judge_count = ensemble->receptors[0]->judge_count;
    for (size_t i = 0; i < ensemble->count; i++) {
        const struct berth_typed_receptor *receptor = ensemble->receptors[i];
        const struct berth_places *places =
            ensemble->restraints ? &ensemble->restraints->places[i] : NULL;
        setup->targets[i] =
            (struct berth_target){&receptor->scoring, &receptor->heavy, *site, places};
        for (size_t k = 0; k < receptor->judge_count; k++) {
            const struct berth_judging_function *judge = &receptor->judges[k];
            setup->judges[i][k] =
                (struct berth_target){&judge->scoring, &judge->heavy, *site,
                                      berth_pool_has(setup->search.pool, k + 1) ? places : NULL};
        }
        if (beside) {
            berth_side_chains_aim(&beside[i], i, setup);
        }
    }
}

double berth_ensemble_pairs_per_atom(const struct berth_ensemble *ensemble,
                                     const struct berth_search_settings *search)
{
    double sum = 0;
    for (size_t i = 0; i < ensemble->count; i++) {
        sum += berth_search_pairs_per_atom(search, ensemble->receptors[i]->heavy.count);
    }
    return sum / (double)ensemble->count;
}
