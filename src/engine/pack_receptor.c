/* The receptor as tiles of runs: some that fit local memory, or neighbour lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/pack.h"

/* Å: what single precision may be wrong by, many times over. */
#define SLACK 0.01

/* Å: conformers up to this radius have neighbour lists all about the site. */
#define MARGIN 9.0

/* The levels of neighbour lists: edge of a cell and the spread that it allows, Å.  Measured on 1GCZ
 * (bench/RESULTS.md). */
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
    const size_t count = (size_t)packed->site.tile_count;
    enum berth_status status = berth_reserve(&packed->tiles, &packed->tile_capacity, count + 1,
                                             sizeof *packed->tiles, error);
    if (!status) {
        packed->tiles[packed->site.tile_count++] = (struct berth_device_tile){
            (berth_int32)packed->atom_count, (berth_int32)packed->atom_count,
            (berth_int32)packed->run_count, (berth_int32)packed->run_count};
    }
    return status;
}

/* Adds atom i to the last tile. */
static enum berth_status add_atom(const struct packer *packer, size_t i, struct berth_error *error)
{
    struct berth_packed_receptor *packed = packer->packed;
    enum berth_status status = berth_reserve(&packed->atoms, &packed->atom_capacity,
                                             packed->atom_count + 1, sizeof *packed->atoms, error);
    BERTH_THEN(berth_reserve(&packed->runs, &packed->run_capacity, packed->run_count + 1,
                             sizeof *packed->runs, error));
    if (status) {
        return status;
    }
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

static void find_near(struct packer *packer, struct line *line)
{
    line->near_count = 0;
    for (size_t i = 0; i < packer->count; i++) {
        const double dy = packer->atoms[i].y - line->y, dz = packer->atoms[i].z - line->z;
        const double reach = reach_from(packer, line, i);
        if (dy * dy + dz * dz < reach * reach) {
            packer->near[line->near_count++] = i;
        }
    }
}

static enum berth_status list_line(struct packer *packer, struct line *line,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    find_near(packer, line);
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
    const struct berth_scoring *scoring = target->scoring;
    const int types = (int)scoring->type_count;
    double copies = 2, reach = 0; /* each atom once in all, once in the site's list */
    for (int i = 0; i < types; i++) {
        for (int j = 0; j < types; j++) {
            reach = fmax(reach, berth_score_reach(scoring->program, i, j));
        }
    }
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
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu receptor atoms", atoms);
    }
    return BERTH_OK;
}

enum berth_status berth_pack_receptor(const struct berth_target *target,
                                      const struct berth_packing *packing,
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
        status = packing->lists
                     ? make_lists(&packer, error)
                     : make_tiles(&packer, packing->tile ? packing->tile : packer.count, error);
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
