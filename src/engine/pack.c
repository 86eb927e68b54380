#include "engine/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* tr(G) 1 - G from G = <x xᵀ> (xx yy zz xy xz yz). */
static void set_inertia(const double gyration[6], struct berth_device_conformer *device)
{
    const double trace = gyration[0] + gyration[1] + gyration[2];
    for (int k = 0; k < 3; k++) {
        device->inertia[k] = (float)(trace - gyration[k]);
        device->inertia[3 + k] = (float)-gyration[3 + k];
    }
}

enum berth_status berth_pack_conformer(const struct berth_heavy_atoms *heavy, uint32_t ligand,
                                       uint32_t number, struct berth_packed_conformer *packed,
                                       struct berth_error *error)
{
    memset(packed, 0, sizeof *packed);
    if (!heavy->count || heavy->count > BERTH_LIGAND_ATOMS_MAX) {
        return berth_fail(error, BERTH_E_USAGE, "%zu heavy atoms; a ligand has 1 to %d",
                          heavy->count, BERTH_LIGAND_ATOMS_MAX);
    }
    packed->atoms = berth_alloc(heavy->count, sizeof *packed->atoms);
    if (!packed->atoms) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < heavy->count; i++) {
        for (int k = 0; k < 3; k++) {
            packed->centroid[k] += heavy->atoms[i].position[k] / (double)heavy->count;
        }
    }
    double gyration[6] = {0};
    for (size_t i = 0; i < heavy->count; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = heavy->atoms[i].position[k] - packed->centroid[k];
            gyration[k] += x[k] * x[k] / (double)heavy->count;
        }
        gyration[3] += x[0] * x[1] / (double)heavy->count;
        gyration[4] += x[0] * x[2] / (double)heavy->count;
        gyration[5] += x[1] * x[2] / (double)heavy->count;
        const double radius = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        packed->device.radius = fmaxf(packed->device.radius, (float)radius);
        packed->atoms[i] =
            (struct berth_device_atom){(float)x[0], (float)x[1], (float)x[2], heavy->atoms[i].type};
    }
    packed->device.atom_count = (berth_int32)heavy->count;
    packed->device.flexible = -1;
    packed->device.ligand = ligand;
    packed->device.number = number;
    packed->device.conformers = 1;
    set_inertia(gyration, &packed->device);
    return BERTH_OK;
}

enum berth_status berth_pack_fixed(const struct berth_flexible *flexible,
                                   const struct berth_heavy_atoms *heavy, const double centre[3],
                                   struct berth_packed_conformer *packed, struct berth_error *error)
{
    const size_t places = heavy->count + flexible->anchor_count;
    struct berth_device_atom *atoms = realloc(packed->atoms, places * sizeof *atoms);
    if (!atoms) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = flexible->free_count; i < places; i++) {
        const double *at = heavy->atoms[i].position;
        atoms[i] =
            (struct berth_device_atom){(float)(at[0] - centre[0]), (float)(at[1] - centre[1]),
                                       (float)(at[2] - centre[2]), heavy->atoms[i].type};
    }
    packed->atoms = atoms;
    packed->anchors = flexible->anchor_count;
    packed->device.atom_count = (berth_int32)heavy->count;
    packed->device.conformers = 1;
    return BERTH_OK;
}

bool berth_is_large(const struct berth_packed_conformer *packed)
{
    return packed->device.atom_count > BERTH_LIGAND_FLEXIBLE_MAX;
}

size_t berth_count_alike(const struct berth_packed_conformer *packed, size_t count)
{
    size_t alike = 0;
    while (alike < count && berth_is_large(&packed[alike]) == berth_is_large(packed)) {
        alike++;
    }
    return alike;
}

void berth_packed_conformer_clear(struct berth_packed_conformer *packed)
{
    free(packed->atoms);
    memset(packed, 0, sizeof *packed);
}

_Static_assert(BERTH_TORSIONS == BERTH_FLEXIBLE_TORSIONS_MAX, "the kernels turn as many");
_Static_assert(BERTH_DIHEDRALS == BERTH_FLEXIBLE_DIHEDRALS_MAX,
               "the kernels have room for as many");

/* Writes the atoms in order of type, and of number where types are equal. */
static void write_order(const struct berth_heavy_atoms *heavy, berth_int32 *order)
{
    for (size_t i = 0; i < heavy->count; i++) {
        size_t place = 0;
        for (size_t j = 0; j < heavy->count; j++) {
            const int type = heavy->atoms[j].type;
            place += type < heavy->atoms[i].type || (j < i && type == heavy->atoms[i].type);
        }
        order[place] = (berth_int32)i;
    }
}

/* True where atom i stands before atom j in order of branch.  What a torsion moves is moved by
 * those nearer the root, too, which have lower numbers, and by no other of lower number: so in the
 * order of the words that begin with torsion 0 it lies together.  The free body stands before the
 * others.  moved: [2][atoms]. */
static bool is_before(const uint32_t *moved, const struct berth_flexible *flexible, size_t i,
                      size_t j)
{
    const size_t atoms = flexible->atom_count, free = flexible->free_count;
    if ((i < free) != (j < free)) {
        return i < free;
    }
    for (size_t word = 0; word < 2; word++) {
        const uint32_t a = moved[word * atoms + i], b = moved[word * atoms + j];
        const uint32_t other = a ^ b;
        if (other) {
            return (a & (other & (~other + 1))) == 0; /* the lowest bit that is another */
        }
    }
    return i < j;
}

/* Writes the atoms in order of branch, and where there those begin and end that a torsion moves. */
static void write_branches(const uint32_t *moved, const struct berth_flexible *flexible,
                           berth_int32 *words)
{
    const size_t torsions = flexible->tree.count, atoms = flexible->atom_count;
    berth_int32 *order = words + BERTH_FLEXIBLE_BRANCHES(torsions, atoms);
    berth_int32 *ends = words + BERTH_FLEXIBLE_ENDS(torsions, atoms);
    for (size_t i = 0; i < atoms; i++) {
        size_t place = 0;
        for (size_t j = 0; j < atoms; j++) {
            place += j != i && is_before(moved, flexible, j, i);
        }
        order[place] = (berth_int32)i;
    }
    for (size_t t = 0; t < torsions; t++) {
        const uint32_t *word = moved + t / 32 * atoms;
        size_t begin = 0;
        while (begin < atoms && !(word[order[begin]] >> t % 32 & 1)) {
            begin++;
        }
        size_t end = begin;
        while (end < atoms && word[order[end]] >> t % 32 & 1) {
            end++;
        }
        ends[2 * t] = (berth_int32)begin;
        ends[2 * t + 1] = (berth_int32)end;
    }
}

/* The different types of the ligand, types[count]; the place of each atom's type there. */
static size_t list_types(const struct berth_heavy_atoms *heavy, int *types, size_t *places)
{
    size_t count = 0;
    for (size_t i = 0; i < heavy->count; i++) {
        places[i] = 0;
        while (places[i] < count && types[places[i]] != heavy->atoms[i].type) {
            places[i]++;
        }
        if (places[i] == count) {
            types[count++] = heavy->atoms[i].type;
        }
    }
    return count;
}

/* What the pairs of a ligand are written from. */
struct pairs {
    size_t count; /* pairs */
    size_t type_count;
    int types[BERTH_LIGAND_FLEXIBLE_MAX];
    size_t places[BERTH_LIGAND_FLEXIBLE_MAX];
};

static void count_pairs(const struct berth_flexible *flexible,
                        const struct berth_heavy_atoms *heavy, struct pairs *pairs)
{
    pairs->count = 0;
    for (size_t i = 0; i < flexible->atom_count; i++) {
        for (size_t j = i + 1; j < flexible->atom_count; j++) {
            pairs->count += berth_flexible_is_far(flexible, i, j);
        }
    }
    pairs->type_count = list_types(heavy, pairs->types, pairs->places);
}

/* Neighbours in the list have no atom in common, so that work-items that take one each do not wait
 * for each other. */
static void write_pairs(const struct berth_flexible *flexible, const struct pairs *from,
                        berth_int32 *words)
{
    const size_t atoms = flexible->atom_count, types = from->type_count;
    berth_int32 *pairs = words + 2 + types;
    words[0] = (berth_int32)from->count;
    words[1] = (berth_int32)types;
    for (size_t k = 0; k < types; k++) {
        words[2 + k] = from->types[k];
    }
    for (size_t apart = 1; apart < atoms; apart++) {
        for (size_t i = 0; i + apart < atoms; i++) {
            const size_t j = i + apart;
            if (berth_flexible_is_far(flexible, i, j)) {
                const size_t place = from->places[i] * types + from->places[j];
                *pairs++ = (berth_int32)BERTH_PAIR_WORD(i, j, place);
            }
        }
    }
}

/* Writes each torsion's head, and the dihedrals. */
static void write_dihedrals(const struct berth_flexible *flexible, berth_int32 *words)
{
    const size_t torsions = flexible->tree.count;
    for (size_t t = 0, next = 0; t < torsions; t++) {
        const size_t begin = next;
        for (; next < flexible->dihedral_count && flexible->dihedrals[next].torsion == t; next++) {
            const struct berth_dihedral *four = &flexible->dihedrals[next];
            words[torsions + next] = (berth_int32)BERTH_DIHEDRAL_WORD(four->first, four->last);
        }
        const size_t row = next > begin ? flexible->dihedrals[begin].row : 0;
        words[t] = (berth_int32)BERTH_TORSIONAL_HEAD(begin, next - begin, row);
    }
}

enum berth_status berth_pack_flexible(const struct berth_flexible *flexible,
                                      const struct berth_heavy_atoms *heavy,
                                      struct berth_packed_flexible *packed,
                                      struct berth_error *error)
{
    const struct berth_torsion_tree *tree = &flexible->tree;
    const size_t torsions = tree->count, atoms = flexible->atom_count;
    memset(packed, 0, sizeof *packed);
    packed->torsions = torsions;
    struct pairs pairs;
    count_pairs(flexible, heavy, &pairs);
    const size_t plain = BERTH_FLEXIBLE_WORDS(torsions, atoms, pairs.type_count, pairs.count);
    packed->count = plain + (flexible->torsional ? torsions + flexible->dihedral_count : 0);
    packed->words = berth_alloc(packed->count, sizeof *packed->words);
    if (!packed->words) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu torsions", torsions);
    }
    packed->words[0] = (berth_int32)torsions;
    packed->words[BERTH_FLEXIBLE_FREE] = (berth_int32)flexible->free_count;
    uint32_t *moved = (uint32_t *)packed->words + BERTH_FLEXIBLE_MOVED(torsions);
    for (size_t t = 0; t < torsions; t++) {
        const struct berth_torsion *torsion = &tree->torsions[t];
        packed->words[BERTH_FLEXIBLE_AXES + 2 * t] = (berth_int32)torsion->first;
        packed->words[BERTH_FLEXIBLE_AXES + 2 * t + 1] = (berth_int32)torsion->second;
        for (size_t i = 0; i < torsion->moved_count; i++) {
            moved[t / 32 * atoms + tree->moved[torsion->moved_start + i]] |= (uint32_t)1 << t % 32;
        }
    }
    write_order(heavy, packed->words + BERTH_FLEXIBLE_ORDER(torsions, atoms));
    write_branches(moved, flexible, packed->words);
    memcpy(packed->words + BERTH_FLEXIBLE_FAR(torsions, atoms), flexible->far,
           atoms * flexible->words * sizeof *flexible->far);
    write_pairs(flexible, &pairs, packed->words + BERTH_FLEXIBLE_PAIRS(torsions, atoms));
    if (flexible->torsional) {
        write_dihedrals(flexible, packed->words + plain);
    }
    return BERTH_OK;
}

void berth_packed_flexible_clear(struct berth_packed_flexible *packed)
{
    free(packed->words);
    memset(packed, 0, sizeof *packed);
}

uint32_t berth_ligand_key(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return hash;
}
