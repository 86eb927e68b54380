/* What the checks of the selftest begin with: poisoned buffers, and random molecules,
 * flexible ligands and poses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/selftest_internal.h"
#include "chem/vectors.h"
#include "score/bodies.h"

#define PI 3.14159265358979323846

enum { POISON = 0xFF, GUARD = 256 };

enum berth_status selftest_poisoned(struct selftest *test, size_t size,
                                    struct selftest_array *array, struct berth_error *error)
{
    memset(array, 0, sizeof *array);
    array->size = size;
    BERTH_TRY(berth_make(&array->host, size + GUARD, 1, NULL, error));
    memset(array->host, POISON, size + GUARD);
    enum berth_status status =
        berth_buffer_create(test->context, size + GUARD, &array->buffer, error);
    return status ? status : selftest_upload(array, error);
}

enum berth_status selftest_upload(struct selftest_array *array, struct berth_error *error)
{
    return berth_buffer_write(array->buffer, array->host, array->size + GUARD, error);
}

enum berth_status selftest_download(struct selftest_array *array, struct berth_error *error)
{
    enum berth_status status =
        berth_buffer_read(array->buffer, array->host, array->size + GUARD, error);
    const unsigned char *guard = (const unsigned char *)array->host + array->size;
    for (size_t i = 0; !status && i < GUARD; i++) {
        if (guard[i] != POISON) {
            status =
                berth_fail(error, BERTH_E_RESULT, "wrote %zu bytes behind its output's end", i + 1);
        }
    }
    return status;
}

void selftest_clear(struct selftest_array *array)
{
    berth_buffer_destroy(array->buffer);
    free(array->host);
    memset(array, 0, sizeof *array);
}

enum berth_status selftest_options(const struct selftest *test, bool small_tiles, char **options,
                                   struct berth_error *error)
{
    static const char TILES[] = " -DBERTH_LIGAND_TILE=3";
    const char *given = test->setup->build_options ? test->setup->build_options : "";
    BERTH_TRY(berth_make(options, strlen(given) + sizeof TILES, 1, NULL, error));
    strcat(strcpy(*options, given), small_tiles ? TILES : "");
    return BERTH_OK;
}

enum berth_status selftest_atoms(struct selftest *test, size_t count, double half,
                                 struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    heavy->count = count;
    BERTH_TRY(berth_make(&heavy->atoms, count, sizeof *heavy->atoms, NULL, error));
    for (size_t i = 0; i < count; i++) {
        heavy->atoms[i].type =
            (int)berth_random_below(&test->random, test->setup->scoring->type_count);
        for (int k = 0; k < 3; k++) {
            heavy->atoms[i].position[k] = berth_random_between(&test->random, -half, half);
        }
    }
    return BERTH_OK;
}

void selftest_poses(struct selftest *test, size_t conformers, size_t stride, double half,
                    float *transforms)
{
    for (size_t c = 0; c < conformers; c++) {
        for (size_t k = 0; k < 6; k++) {
            const double bound = k < 3 ? 3.14159 : half;
            for (size_t i = 0; i < stride; i++) {
                transforms[(c * 6 + k) * stride + i] =
                    (float)berth_random_between(&test->random, -bound, bound);
            }
        }
    }
}

/* Hangs a further carbon on any of the molecule's atoms, where no other is near. */
static void grow(struct selftest *test, struct berth_molecule *molecule)
{
    struct berth_atom *atom = &molecule->atoms[molecule->atom_count];
    size_t to = 0;
    bool free_place = molecule->atom_count == 0;
    for (double nearest = 1.3; !free_place; nearest *= 0.99) {
        to = berth_random_below(&test->random, molecule->atom_count);
        double direction[3];
        for (int k = 0; k < 3; k++) {
            direction[k] = berth_random_between(&test->random, -1, 1);
        }
        berth_normalise(direction);
        berth_add_scaled(molecule->atoms[to].position, 1.5, direction, atom->position);
        free_place = true;
        for (size_t i = 0; i < molecule->atom_count; i++) {
            free_place =
                free_place && berth_distance(molecule->atoms[i].position, atom->position) > nearest;
        }
    }
    strcpy(atom->type, "C.3");
    atom->element = 6;
    atom->heavy = true;
    if (molecule->atom_count) {
        molecule->bonds[molecule->bond_count++] =
            (struct berth_bond){to, molecule->atom_count, "1", 0};
    }
    molecule->atom_count++;
}

static enum berth_status pack(struct selftest *test, const struct berth_molecule *molecule,
                              uint32_t number, struct selftest_ligand *ligand,
                              struct berth_error *error)
{
    struct berth_heavy_atoms *heavy = &ligand->heavy;
    enum berth_status status = berth_flexible_find(
        molecule, berth_scoring_apart(test->setup->scoring), &ligand->flexible, error);
    BERTH_THEN(berth_flexible_twist(test->setup->scoring, heavy, &ligand->flexible, error));
    BERTH_THEN(berth_pack_flexible(&ligand->flexible, heavy, &ligand->words, error));
    BERTH_THEN(berth_pack_conformer(heavy, 1, number, &ligand->packed, error));
    for (size_t i = 0; !status && i < heavy->count; i++) {
        const struct berth_device_atom *atom = &ligand->packed.atoms[i];
        const double position[3] = {atom->x, atom->y, atom->z};
        memcpy(heavy->atoms[i].position, position, sizeof position);
    }
    ligand->packed.flexible = &ligand->words;
    return status;
}

enum berth_status selftest_ligand(struct selftest *test, size_t atoms, uint32_t number,
                                  struct selftest_ligand *ligand, struct berth_error *error)
{
    struct berth_molecule molecule = {.atoms = berth_alloc(atoms, sizeof *molecule.atoms),
                                      .bonds = berth_alloc(atoms, sizeof *molecule.bonds),
                                      .title = berth_copy_text("random")};
    memset(ligand, 0, sizeof *ligand);
    enum berth_status status = selftest_atoms(test, atoms, 1, &ligand->heavy, error);
    if (!status && (!molecule.atoms || !molecule.bonds || !molecule.title)) {
        status = berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; !status && i < atoms; i++) {
        grow(test, &molecule);
        memcpy(ligand->heavy.atoms[i].position, molecule.atoms[i].position, sizeof(double[3]));
        ligand->heavy.atoms[i].hybrid = (enum berth_hybrid)(i % 4);
    }
    BERTH_THEN(pack(test, &molecule, number, ligand, error));
    berth_molecule_clear(&molecule);
    return status;
}

/* Makes a random tree in which something turns, beside the middle: up or down from it along each
 * axis, so that bodies are apart, and slopes not steeper than a search follows. */
static enum berth_status make_body(struct selftest *test, bool up, struct selftest_ligand *body,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    while (!status && !body->flexible.tree.count) {
        selftest_ligand_clear(body);
        status = selftest_ligand(test, 5 + berth_random_below(&test->random, 5), 0, body, error);
    }
    for (int k = 0; !status && k < 3; k++) {
        const double shift = (up ? 1 : -1) * berth_random_between(&test->random, 2.5, 4.5);
        for (size_t i = 0; i < body->heavy.count; i++) {
            body->heavy.atoms[i].position[k] += shift;
        }
    }
    return status;
}

/* Puts what was joined in the place of the ligand. */
static enum berth_status replace(const struct berth_flexible *joined,
                                 const struct berth_heavy_atoms *heavy,
                                 struct selftest_ligand *ligand, struct berth_error *error)
{
    static const double CENTRE[3] = {0};
    berth_flexible_clear(&ligand->flexible);
    berth_heavy_atoms_clear(&ligand->heavy);
    berth_packed_flexible_clear(&ligand->words);
    ligand->flexible = *joined;
    ligand->heavy = *heavy;
    ligand->packed.flexible = &ligand->words;
    enum berth_status status = berth_pack_flexible(joined, heavy, &ligand->words, error);
    const size_t free = joined->free_count;
    const struct berth_heavy_atoms fixed = {heavy->atoms + free, heavy->count - free};
    BERTH_THEN(berth_pack_fixed(&fixed, CENTRE, &ligand->packed, error));
    for (size_t i = 0; !status && i < heavy->count; i++) {
        const struct berth_device_atom *atom = &ligand->packed.atoms[i];
        const double position[3] = {atom->x, atom->y, atom->z};
        memcpy(heavy->atoms[i].position, position, sizeof position);
    }
    return status;
}

enum berth_status selftest_bodies(struct selftest *test, struct selftest_ligand *ligand,
                                  struct berth_error *error)
{
    enum { FIXED = 2 };
    const size_t free = ligand->heavy.count != 0;
    struct selftest_ligand fixed[FIXED] = {0};
    struct berth_body bodies[1 + FIXED] = {{&ligand->flexible, &ligand->heavy}};
    enum berth_status status = BERTH_OK;
    for (size_t b = 0; !status && b < FIXED; b++) {
        status = make_body(test, b == 0, &fixed[b], error);
        bodies[free + b] = (struct berth_body){&fixed[b].flexible, &fixed[b].heavy};
    }
    struct berth_flexible joined;
    struct berth_heavy_atoms heavy;
    BERTH_THEN(berth_bodies_join(bodies, free + FIXED, free, &joined, &heavy, error));
    BERTH_THEN(replace(&joined, &heavy, ligand, error));
    for (size_t b = 0; b < FIXED; b++) {
        selftest_ligand_clear(&fixed[b]);
    }
    return status;
}

void selftest_places(struct selftest *test, double half, struct berth_place places[SELFTEST_PLACES])
{
    const double weight = berth_random_between(&test->random, 1, 5);
    for (size_t i = 0; i < SELFTEST_PLACES; i++) {
        struct berth_place *place = &places[i];
        for (int k = 0; k < 3; k++) {
            place->position[k] = berth_random_between(&test->random, -half, half);
        }
        /* the last two keep away */
        place->avoided = i + 2 >= SELFTEST_PLACES;
        place->radius = place->avoided ? half : berth_random_between(&test->random, 0, 1.5);
        /* those of one restraint have one energy at one distance */
        place->bounded = i == 0 || i == 5;
        place->weight = i == 6 ? 2 * weight : weight;
    }
}

/* A pull of the middle of so many atoms; neighbours in number, the last before the first. */
static struct berth_pull pull_of(size_t restraint, size_t place, size_t first, size_t count,
                                 size_t atoms)
{
    struct berth_pull pull = {.restraint = restraint, .place = place};
    for (; pull.point.count < count; pull.point.count++) {
        pull.point.atoms[pull.point.count] = (uint16_t)((first + pull.point.count) % atoms);
    }
    return pull;
}

enum berth_status selftest_restrain(struct selftest *test, const struct berth_places *places,
                                    struct selftest_ligand *ligand, struct berth_error *error)
{
    const size_t atoms = ligand->heavy.count;
    struct berth_restrained *restrained = &ligand->restrained;
    BERTH_TRY(
        berth_make(&restrained->pulls, 4 * atoms + 3, sizeof *restrained->pulls, NULL, error));
    struct berth_pull *next = restrained->pulls;
    /* atoms held: by either of two places, and by one; then any atom to one place, middles to one
     * or another, any atom away */
    restrained->held = atoms < 2 ? atoms : 2;
    for (size_t i = 0; i < restrained->held; i++) {
        *next++ = pull_of(i, i, atoms - 1 - i, 1, atoms);
    }
    if (restrained->held > 1) {
        *next++ = pull_of(restrained->held - 1, 3, atoms - restrained->held, 1, atoms);
    }
    for (size_t r = 0; r < 3; r++) {
        for (size_t i = 0; i < atoms; i++) {
            const size_t middle = r == 1 ? 1 + berth_random_below(&test->random, 6) : 1;
            const size_t count = middle < atoms ? middle : atoms;
            *next++ = pull_of(restrained->held + r,
                              r == 0   ? 2
                              : r == 1 ? 2 + i % 3
                                       : 5,
                              i, count, atoms);
        }
    }
    *next++ = pull_of(restrained->held + 3, 6, 0, 1, atoms);
    restrained->count = (size_t)(next - restrained->pulls);
    restrained->restraints = restrained->held + 4;
    ligand->places = places;
    ligand->packed.restrained = restrained;
    return BERTH_OK;
}

/* Puts all atoms where a random pose has them. */
static void place_at_random(struct selftest *test, const struct selftest_ligand *ligand,
                            double half, struct berth_place *places)
{
    struct berth_heavy_atom room[BERTH_LIGAND_FLEXIBLE_MAX];
    struct berth_heavy_atoms placed = {room, ligand->heavy.count};
    double angles[BERTH_TORSIONS], pose[6];
    for (size_t k = 0; k < BERTH_TORSIONS; k++) {
        angles[k] = berth_random_between(&test->random, -PI, PI);
    }
    for (size_t k = 0; k < 6; k++) {
        const double most = k < 3 ? PI : half;
        pose[k] = berth_random_between(&test->random, -most, most);
    }
    const struct berth_transform transform = {pose[0], pose[1], pose[2], pose[3], pose[4], pose[5]};
    berth_flexible_place(&ligand->flexible, &ligand->heavy, &transform, angles, &placed);
    for (size_t i = 0; i < placed.count; i++) {
        places[i] = (struct berth_place){.weight = 1};
        memcpy(places[i].position, room[i].position, sizeof places[i].position);
    }
}

/* An atom that is bonded to this one, but for `other`. */
static size_t neighbour_of(const struct berth_flexible *flexible, size_t atom, size_t other)
{
    size_t i = 0;
    while (i == atom || i == other ||
           !(flexible->bonded[atom * flexible->words + i / 32] >> i % 32 & 1)) {
        i++;
    }
    return i;
}

enum berth_status selftest_hold(struct selftest *test, double half, struct berth_place *places,
                                size_t first, struct selftest_ligand *ligand,
                                struct berth_error *error)
{
    const size_t atoms = ligand->heavy.count;
    const struct berth_torsion_tree *tree = &ligand->flexible.tree;
    struct berth_restrained *restrained = &ligand->restrained;
    BERTH_TRY(berth_make(&restrained->pulls, 2 * atoms, sizeof *restrained->pulls, NULL, error));
    BERTH_TRY(berth_make(&restrained->ways, 3 * atoms, sizeof *restrained->ways, NULL, error));
    BERTH_TRY(berth_make(&restrained->dihedrals, tree->count, sizeof *restrained->dihedrals, NULL,
                         error));
    for (size_t i = 0; i < 2 * atoms; i++) {
        restrained->pulls[i] = pull_of(i / 2, first + i % 2 * atoms + i / 2, i / 2, 1, atoms);
        restrained->ways[i] = first + i;
    }
    for (size_t i = 2 * atoms; i < 3 * atoms; i++) {
        restrained->ways[i] = BERTH_WAY_ANYWHERE;
    }
    for (size_t t = 0; t < tree->count; t++) {
        size_t *four = restrained->dihedrals[t];
        four[1] = tree->torsions[t].first;
        four[2] = tree->torsions[t].second;
        four[0] = neighbour_of(&ligand->flexible, four[1], four[2]);
        four[3] = neighbour_of(&ligand->flexible, four[2], four[1]);
    }
    restrained->count = 2 * atoms;
    restrained->restraints = restrained->held = atoms;
    restrained->way_count = 3;
    restrained->dihedral_count = tree->count;
    place_at_random(test, ligand, half, places);
    place_at_random(test, ligand, half, places + atoms);
    ligand->packed.restrained = restrained;
    return BERTH_OK;
}

void selftest_ligand_clear(struct selftest_ligand *ligand)
{
    berth_restrained_clear(&ligand->restrained);
    berth_heavy_atoms_clear(&ligand->heavy);
    berth_flexible_clear(&ligand->flexible);
    berth_packed_flexible_clear(&ligand->words);
    berth_packed_conformer_clear(&ligand->packed);
}

size_t selftest_measured(const struct selftest_ligand *ligand)
{
    return ligand->flexible.free_count ? ligand->flexible.free_count : ligand->heavy.count;
}

double selftest_mass(const struct selftest_ligand *of, size_t k)
{
    const struct berth_heavy_atoms *ligand = &of->heavy;
    const float *inertia = of->packed.device.inertia;
    if (k < 6) {
        return k < 3 ? 1 : fmax((inertia[0] + inertia[1] + inertia[2]) / 3, 0.01);
    }
    const struct berth_torsion_tree *tree = &of->flexible.tree;
    const struct berth_torsion *torsion = &tree->torsions[k - 6];
    const double *first = ligand->atoms[torsion->first].position;
    const double *second = ligand->atoms[torsion->second].position;
    double axis[3], sum = 0;
    berth_direction(first, second, axis);
    for (size_t i = 0; i < torsion->moved_count; i++) {
        double arm[3], across[3];
        berth_add_scaled(ligand->atoms[tree->moved[torsion->moved_start + i]].position, -1, second,
                         arm);
        berth_cross(axis, arm, across);
        sum += berth_dot(across, across);
    }
    return fmax(sum / (double)selftest_measured(of), 0.01);
}
