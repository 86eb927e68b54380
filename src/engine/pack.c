#include "engine/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- Ligands --- */

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
    BERTH_TRY(berth_make(&packed->atoms, heavy->count, sizeof *packed->atoms, NULL, error));
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
    packed->device.flexible = packed->device.restrained = -1;
    packed->device.ligand = ligand;
    packed->device.number = number;
    packed->device.conformers = 1;
    set_inertia(gyration, &packed->device);
    return BERTH_OK;
}

/* An atom relative to a centre. */
static struct berth_device_atom device_atom(const struct berth_heavy_atom *atom,
                                            const double centre[3])
{
    const double *at = atom->position;
    return (struct berth_device_atom){(float)(at[0] - centre[0]), (float)(at[1] - centre[1]),
                                      (float)(at[2] - centre[2]), atom->type};
}

enum berth_status berth_pack_fixed(const struct berth_heavy_atoms *fixed, const double centre[3],
                                   struct berth_packed_conformer *packed, struct berth_error *error)
{
    const size_t free = (size_t)packed->device.atom_count, count = free + fixed->count;
    struct berth_device_atom *atoms = realloc(packed->atoms, count * sizeof *atoms);
    if (!atoms) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < fixed->count; i++) {
        atoms[free + i] = device_atom(&fixed->atoms[i], centre);
    }
    packed->atoms = atoms;
    packed->device.atom_count = (berth_int32)count;
    packed->device.conformers = 1;
    return BERTH_OK;
}

void berth_pack_held(const struct berth_heavy_atoms *heavy, const double centre[3],
                     struct berth_packed_conformer *packed)
{
    for (size_t i = 0; i < heavy->count; i++) {
        packed->atoms[i] = device_atom(&heavy->atoms[i], centre);
    }
    packed->device.start_x = (float)(packed->centroid[0] - centre[0]);
    packed->device.start_y = (float)(packed->centroid[1] - centre[1]);
    packed->device.start_z = (float)(packed->centroid[2] - centre[2]);
}

size_t berth_packed_free(const struct berth_packed_conformer *packed)
{
    return (size_t)(packed->flexible ? packed->flexible->words[BERTH_FLEXIBLE_FREE]
                                     : packed->device.atom_count);
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
 * others, and what is still behind them.  moved: [2][atoms]. */
static bool is_before(const uint32_t *moved, const struct berth_flexible *flexible, size_t i,
                      size_t j)
{
    const size_t atoms = flexible->atom_count, free = flexible->free_count;
    if ((i < free) != (j < free)) {
        return i < free;
    }
    const size_t moving = atoms - flexible->still_count;
    if (i >= moving || j >= moving) {
        return i < j;
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
    BERTH_TRY(berth_make(&packed->words, packed->count, sizeof *packed->words, NULL, error));
    packed->words[0] = (berth_int32)torsions;
    packed->words[BERTH_FLEXIBLE_FREE] = (berth_int32)flexible->free_count;
    packed->words[BERTH_FLEXIBLE_MOVING] = (berth_int32)(atoms - flexible->still_count);
    packed->words[BERTH_FLEXIBLE_HELD] = flexible->held;
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

size_t berth_count_restrained(const struct berth_restrained *restrained)
{
    size_t words = BERTH_RESTRAINED_HEADS + 2 * restrained->restraints;
    for (size_t i = 0; i < restrained->count; i++) {
        const size_t atoms = restrained->pulls[i].point.count;
        words += BERTH_PULL_WORDS + (atoms > 1 ? atoms : 0);
    }
    return words + (restrained->way_count
                        ? BERTH_START_HEADS + restrained->way_count * restrained->held +
                              4 * restrained->dihedral_count
                        : 0);
}

static void pack_starts(const struct berth_restrained *restrained, berth_int32 *words)
{
    words[0] = (berth_int32)restrained->way_count;
    words[1] = (berth_int32)restrained->dihedral_count;
    words += BERTH_START_HEADS;
    for (size_t i = 0; i < restrained->way_count * restrained->held; i++) {
        *words++ =
            restrained->ways[i] == BERTH_WAY_ANYWHERE ? -1 : (berth_int32)restrained->ways[i];
    }
    for (size_t i = 0; i < 4 * restrained->dihedral_count; i++) {
        *words++ = (berth_int32)restrained->dihedrals[i / 4][i % 4];
    }
}

void berth_pack_restrained(const struct berth_restrained *restrained, berth_int32 *words)
{
    berth_int32 *ranges = words + BERTH_RESTRAINED_HEADS;
    size_t next = BERTH_RESTRAINED_HEADS + 2 * restrained->restraints;
    size_t list = next + BERTH_PULL_WORDS * restrained->count; /* of the points' atoms */
    words[0] = (berth_int32)restrained->held;
    words[1] = (berth_int32)restrained->restraints;
    for (size_t i = 0; i < restrained->count; i++, next += BERTH_PULL_WORDS) {
        const struct berth_pull *pull = &restrained->pulls[i];
        const struct berth_ligand_point *point = &pull->point;
        if (i == 0 || pull->restraint != restrained->pulls[i - 1].restraint) {
            ranges[2 * pull->restraint] = (berth_int32)next;
        }
        ranges[2 * pull->restraint + 1] = (berth_int32)(next + BERTH_PULL_WORDS);
        const size_t first = point->count > 1 ? list : point->atoms[0];
        words[next] = (berth_int32)BERTH_POINT_WORD(first, (size_t)point->count);
        words[next + 1] = (berth_int32)BERTH_PULL_WORD(pull->place, pull->restraint);
        for (size_t k = 0; point->count > 1 && k < point->count; k++) {
            words[list++] = point->atoms[k];
        }
    }
    words[2] = restrained->way_count ? (berth_int32)list : 0;
    if (restrained->way_count) {
        pack_starts(restrained, words + list);
    }
}

struct berth_device_place berth_pack_place(const struct berth_place *place, const double centre[3])
{
    return (struct berth_device_place){.x = (float)(place->position[0] - centre[0]),
                                       .y = (float)(place->position[1] - centre[1]),
                                       .z = (float)(place->position[2] - centre[2]),
                                       .radius = (float)place->radius,
                                       .weight = (float)place->weight,
                                       .rule = (place->avoided ? BERTH_PLACE_AVOIDED : 0) |
                                               (place->bounded ? BERTH_PLACE_BOUNDED : 0)};
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

/* --- Receptors --- */

/* Å: what single precision may be wrong by, many times over. */
#define SLACK 0.01

/* Å: conformers up to this radius have neighbour lists all about the site. */
#define MARGIN 9.0

/* The levels of neighbour lists: edge of a cell and the spread that it allows, Å.  Measured on
 * 1GCZ. */
static const struct {
    double edge, spread;
} LEVELS[BERTH_LEVELS] = {{2.0, 1.0}, {3.0, 2.5}, {5.0, 5.0}};

/* A grid of more cells than this along an axis gets larger cells. */
enum { CELLS_MAX = 24 };

/* What packing works on. */
struct packer {
    const struct berth_target *target;
    struct berth_packed_receptor *packed;
    struct berth_device_site_atom *atoms; /* [count]: sorted by type */
    int *types;                           /* [count]: theirs */
    double *reach;                        /* [types][BERTH_KINDS], Å */
    int *kinds;                           /* [types] */
    size_t *near;                         /* [count]: atoms in reach of a line of cells */
    size_t count;
};

static struct berth_device_site_atom site_atom(const struct berth_heavy_atom *atom,
                                               const double center[3])
{
    struct berth_device_site_atom packed;
    packed.x = (float)(atom->position[0] - center[0]);
    packed.y = (float)(atom->position[1] - center[1]);
    packed.z = (float)(atom->position[2] - center[2]);
    double x = packed.x, y = packed.y, z = packed.z;
    packed.square = (float)(x * x + y * y + z * z);
    return packed;
}

/* Orders the atoms by type. */
static void sort_by_type(struct packer *packer)
{
    const struct berth_heavy_atoms *receptor = packer->target->receptor;
    for (size_t type = 0; type < packer->target->scoring->type_count; type++) {
        for (size_t i = 0; i < receptor->count; i++) {
            if (receptor->atoms[i].type == (int)type) {
                packer->types[packer->count] = (int)type;
                packer->atoms[packer->count++] =
                    site_atom(&receptor->atoms[i], packer->target->site.center);
            }
        }
    }
}

/* Å: from how far, on average over all types of receptor atoms, a ligand atom's type interacts. */
static double mean_reach(const struct packer *packer, size_t type)
{
    const struct berth_scoring *scoring = packer->target->scoring;
    double sum = 0;
    for (size_t i = 0; i < scoring->type_count; i++) {
        sum += berth_score_reach(scoring->program, (int)i, (int)type);
    }
    return sum / (double)scoring->type_count;
}

/* Types of ligand atoms that interact from afar are of the first kind, the others of the second:
 * their lists are shorter. */
static void find_kinds(struct packer *packer)
{
    const size_t types = packer->target->scoring->type_count;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < types; i++) {
        const double reach = mean_reach(packer, i);
        least = fmin(least, reach);
        most = fmax(most, reach);
    }
    for (size_t i = 0; i < types; i++) {
        packer->kinds[i] = mean_reach(packer, i) < (least + most) / 2;
    }
}

/* All pairs of types: those with the receptor's atoms, and those of ligand atoms with each other.
 */
static void fill_pairs(struct packer *packer)
{
    const int *kinds = packer->kinds;
    const struct berth_score_program *program = packer->target->scoring->program;
    struct berth_packed_receptor *packed = packer->packed;
    const size_t types = packer->target->scoring->type_count;
    for (size_t i = 0; i < types; i++) {
        double *reach = &packer->reach[i * BERTH_KINDS];
        for (size_t j = 0; j < types; j++) {
            const int first = (int)i, second = (int)j;
            float *pair = packed->pairs + (i * types + j) * packed->pair_words;
            float *behind = pair + berth_score_constant_count(program);
            berth_score_constants(program, first, second, pair);
            behind[BERTH_PAIR_REACH] = (float)berth_score_reach(program, first, second);
            behind[BERTH_PAIR_KIND] = (float)kinds[j];
            behind[BERTH_PAIR_BODY] = (float)berth_score_body(program, first, second);
            reach[kinds[j]] = fmax(reach[kinds[j]], behind[BERTH_PAIR_REACH]);
        }
        reach[0] = fmax(reach[0], reach[1]); /* refine.cl relies on it */
    }
    packed->pair_count = types * types;
    packed->site.pair_columns = (berth_int32)types;
}

/* Begins a tile behind the atoms and runs that there are. */
static enum berth_status begin_tile(struct berth_packed_receptor *packed, struct berth_error *error)
{
    const berth_int32 atom = (berth_int32)packed->atom_count, run = (berth_int32)packed->run_count;
    BERTH_TRY(berth_reserve(&packed->tiles, &packed->tile_capacity,
                            (size_t)packed->site.tile_count + 1, sizeof *packed->tiles, error));
    packed->tiles[packed->site.tile_count++] = (struct berth_device_tile){atom, atom, run, run};
    return BERTH_OK;
}

/* Adds atom i to the last tile. */
static enum berth_status add_atom(const struct packer *packer, size_t i, struct berth_error *error)
{
    struct berth_packed_receptor *packed = packer->packed;
    BERTH_TRY(berth_reserve(&packed->atoms, &packed->atom_capacity, packed->atom_count + 1,
                            sizeof *packed->atoms, error));
    BERTH_TRY(berth_reserve(&packed->runs, &packed->run_capacity, packed->run_count + 1,
                            sizeof *packed->runs, error));
    struct berth_device_tile *tile = &packed->tiles[packed->site.tile_count - 1];
    const berth_int32 at = (berth_int32)packed->atom_count - tile->atom_begin;
    packed->atoms[packed->atom_count++] = packer->atoms[i];
    tile->atom_end = (berth_int32)packed->atom_count;
    if (tile->run_end == tile->run_begin ||
        packed->runs[packed->run_count - 1].type != packer->types[i]) {
        packed->runs[packed->run_count++] =
            (struct berth_device_run){.begin = at, .type = packer->types[i]};
        tile->run_end = (berth_int32)packed->run_count;
    }
    packed->runs[packed->run_count - 1].end = at + 1;
    return BERTH_OK;
}

static enum berth_status make_tiles(const struct packer *packer, size_t size,
                                    struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < packer->count; i++) {
        if (i % size == 0) {
            status = begin_tile(packer->packed, error);
        }
        BERTH_THEN(add_atom(packer, i, error));
    }
    return status;
}

/* The largest distance (Å) from which an atom of the type reaches ligand atoms of any kind. */
static double any_reach(const struct packer *packer, int type)
{
    double reach = 0;
    for (int kind = 0; kind < BERTH_KINDS; kind++) {
        reach = fmax(reach, packer->reach[type * BERTH_KINDS + kind]);
    }
    return reach;
}

/* BERTH_LIST_SITE: what a conformer with a radius up to MARGIN can interact with in the site. */
static enum berth_status list_site(const struct packer *packer, struct berth_error *error)
{
    const double *size = packer->target->site.size;
    enum berth_status status = begin_tile(packer->packed, error);
    for (size_t i = 0; !status && i < packer->count; i++) {
        const struct berth_device_site_atom *atom = &packer->atoms[i];
        const double position[3] = {atom->x, atom->y, atom->z};
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double outside = fmax(fabs(position[k]) - size[k] / 2, 0);
            square += outside * outside;
        }
        const double reach = MARGIN + any_reach(packer, packer->types[i]) + SLACK;
        if (square < reach * reach) {
            status = add_atom(packer, i, error);
        }
    }
    return status;
}

/* A line of cells along x. */
struct line {
    const struct berth_device_level *level;
    int kind;
    double edge;       /* of a cell, Å */
    double y, z;       /* its axis, Å */
    double beyond;     /* Å: half a cell's diagonal and the level's spread */
    size_t near_count; /* packer->near [near_count]: atoms in reach of any of its cells */
};

static double reach_from(const struct packer *packer, const struct line *line, size_t atom)
{
    return packer->reach[packer->types[atom] * BERTH_KINDS + line->kind] + line->beyond;
}

static enum berth_status list_line(struct packer *packer, struct line *line,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    line->near_count = 0;
    for (size_t i = 0; i < packer->count; i++) {
        const double dy = packer->atoms[i].y - line->y, dz = packer->atoms[i].z - line->z;
        const double reach = reach_from(packer, line, i);
        if (dy * dy + dz * dz < reach * reach) {
            packer->near[line->near_count++] = i;
        }
    }
    for (int n = 0; !status && n < line->level->nx; n++) {
        const double x = line->level->x + (n + 0.5) * line->edge;
        status = begin_tile(packer->packed, error);
        for (size_t i = 0; !status && i < line->near_count; i++) {
            const struct berth_device_site_atom *atom = &packer->atoms[packer->near[i]];
            const double dx = atom->x - x, dy = atom->y - line->y, dz = atom->z - line->z;
            const double reach = reach_from(packer, line, packer->near[i]);
            if (dx * dx + dy * dy + dz * dz < reach * reach) {
                status = add_atom(packer, packer->near[i], error);
            }
        }
    }
    return status;
}

/* The edge of level number l's cells, of a site whose longest edge is so long, Å. */
static double edge_of(int l, double longest)
{
    return LEVELS[l].edge * fmax(1, (longest + 2 * MARGIN) / (CELLS_MAX * LEVELS[l].edge));
}

/* True where the grid about the centre has all atoms in it. */
static bool covers(const struct packer *packer, const struct berth_device_level *level)
{
    for (size_t i = 0; i < packer->count; i++) {
        const struct berth_device_site_atom *atom = &packer->atoms[i];
        if (fabsf(atom->x) > -level->x || fabsf(atom->y) > -level->y ||
            fabsf(atom->z) > -level->z) {
            return false;
        }
    }
    return true;
}

/* Lays level number l's grid over the site and its margin. */
static struct berth_device_level make_level(const struct packer *packer, int l)
{
    const double *size = packer->target->site.size;
    const double longest = fmax(fmax(size[0], size[1]), size[2]);
    const double edge = edge_of(l, longest), scale = edge / LEVELS[l].edge;
    struct berth_device_level level = {.per_edge = (float)(1 / edge),
                                       .first = packer->packed->site.tile_count,
                                       .spread = (float)(LEVELS[l].spread * scale)};
    level.nx = (berth_int32)ceil((size[0] + 2 * MARGIN) / edge);
    level.ny = (berth_int32)ceil((size[1] + 2 * MARGIN) / edge);
    level.nz = (berth_int32)ceil((size[2] + 2 * MARGIN) / edge);
    level.x = (float)(-0.5 * edge * level.nx);
    level.y = (float)(-0.5 * edge * level.ny);
    level.z = (float)(-0.5 * edge * level.nz);
    level.covers = covers(packer, &level);
    return level;
}

static enum berth_status list_level(struct packer *packer, int l, struct berth_error *error)
{
    struct berth_device_site *site = &packer->packed->site;
    struct berth_device_level *level = &site->levels[l];
    *level = make_level(packer, l);
    const double edge = 1 / (double)level->per_edge;
    struct line line = {
        .level = level, .edge = edge, .beyond = edge * sqrt(3) / 2 + level->spread + SLACK};
    enum berth_status status = BERTH_OK;
    for (line.kind = 0; line.kind < BERTH_KINDS; line.kind++) {
        for (int z = 0; z < level->nz; z++) {
            for (int y = 0; !status && y < level->ny; y++) {
                line.y = level->y + (y + 0.5) * edge;
                line.z = level->z + (z + 0.5) * edge;
                status = list_line(packer, &line, error);
            }
        }
    }
    site->level_count = l + 1;
    return status;
}

static enum berth_status make_lists(struct packer *packer, struct berth_error *error)
{
    const double *size = packer->target->site.size;
    enum berth_status status = make_tiles(packer, packer->count, error); /* BERTH_LIST_ALL */
    packer->packed->site.margin = -1;
    if (status || size[0] == 0) {
        return status;
    }
    status = list_site(packer, error);
    packer->packed->site.margin = (float)MARGIN;
    for (int l = 0; !status && l < BERTH_LEVELS; l++) {
        status = list_level(packer, l, error);
    }
    return status;
}

double berth_packed_receptor_bytes(const struct berth_target *target)
{
    const double *size = target->site.size;
    const double reach = berth_score_longest_reach(target->scoring->program);
    double copies = 2; /* each atom once in all, once in the site's list */
    for (int l = 0; l < BERTH_LEVELS; l++) {
        const double edge = edge_of(l, fmax(fmax(size[0], size[1]), size[2]));
        const double spread = LEVELS[l].spread * edge / LEVELS[l].edge;
        const double radius = (reach + edge * sqrt(3) / 2 + spread) / edge; /* in cells */
        copies += BERTH_KINDS * 4.19 * radius * radius * radius;
    }
    return copies * (double)target->receptor->count * sizeof(struct berth_device_site_atom);
}

static enum berth_status allocate(struct packer *packer, struct berth_error *error)
{
    const size_t atoms = packer->target->receptor->count;
    const size_t types = packer->target->scoring->type_count;
    packer->atoms = berth_alloc(atoms, sizeof *packer->atoms);
    packer->types = berth_alloc(atoms, sizeof *packer->types);
    packer->near = berth_alloc(atoms, sizeof *packer->near);
    packer->reach = berth_alloc(types * BERTH_KINDS, sizeof *packer->reach);
    packer->kinds = berth_alloc(types, sizeof *packer->kinds);
    packer->packed->pair_words =
        BERTH_PAIR_WORDS(berth_score_constant_count(packer->target->scoring->program));
    packer->packed->pairs =
        berth_alloc(types * types * packer->packed->pair_words, sizeof *packer->packed->pairs);
    if (!packer->atoms || !packer->types || !packer->near || !packer->reach || !packer->kinds ||
        !packer->packed->pairs) {
        return berth_out_of_memory(error, NULL);
    }
    return BERTH_OK;
}

enum berth_status berth_pack_receptor(const struct berth_target *target, size_t tile, bool lists,
                                      struct berth_packed_receptor *packed,
                                      struct berth_error *error)
{
    memset(packed, 0, sizeof *packed);
    if (!target->receptor->count) {
        return berth_fail(error, BERTH_E_USAGE, "the receptor has no heavy atoms");
    }
    struct packer packer = {.target = target, .packed = packed};
    enum berth_status status = allocate(&packer, error);
    if (!status) {
        sort_by_type(&packer);
        find_kinds(&packer);
        fill_pairs(&packer);
        status = lists ? make_lists(&packer, error)
                       : make_tiles(&packer, tile ? tile : packer.count, error);
    }
    free(packer.atoms);
    free(packer.types);
    free(packer.near);
    free(packer.reach);
    free(packer.kinds);
    if (status) {
        berth_packed_receptor_clear(packed);
    }
    return status;
}

void berth_packed_receptor_clear(struct berth_packed_receptor *packed)
{
    free(packed->atoms);
    free(packed->tiles);
    free(packed->runs);
    free(packed->pairs);
    memset(packed, 0, sizeof *packed);
}
