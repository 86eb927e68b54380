#include "engine/pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* kJ/mol Å⁰: the constant of the electrostatic term, and its reach in Å. */
#define ELECTROSTATIC_CONSTANT 22.5
#define FORMAL_REACH           4.0
#define DIPOLE_REACH           2.0

static double charge_product(const struct berth_type *i, const struct berth_type *j)
{
    double product = i->charge * j->charge;
    return i->class == 'E' || j->class == 'E' ? -fabs(product) : product;
}

/* A ramp that is 1 up to contact and falls to 0 within reach: S(1 - (r - contact) / reach). */
static void set_ramp(double contact, double reach, float *constant, float *slope)
{
    *constant = (float)(1 + contact / reach);
    *slope = (float)(-1 / reach);
}

struct berth_device_pair berth_pack_pair(const struct berth_type *receptor,
                                         const struct berth_type *ligand)
{
    struct berth_device_pair pair = {0};
    const double contact = receptor->radius + ligand->radius;
    pair.a1 = (float)(-1 / contact);
    pair.A = (float)((receptor->hardness + ligand->hardness) / 2);

    const int formal = receptor->class == 'F' && ligand->class == 'F';
    pair.B = (float)(ELECTROSTATIC_CONSTANT * charge_product(receptor, ligand));
    set_ramp(contact, formal ? FORMAL_REACH : DIPOLE_REACH, &pair.b0, &pair.b1);

    const double hi = receptor->hydrophobic, hj = ligand->hydrophobic;
    double reach = 1, weight = 0;
    if (hi < 0 && hj < 0) {
        weight = (hi + hj) / 2;
        reach = (receptor->nonpolar_reach + ligand->nonpolar_reach) / 2;
    } else if (hi * hj < 0) {
        weight = (fabs(hi) + fabs(hj)) / 2;
        reach = hi > 0 ? receptor->polar_reach : ligand->polar_reach;
    }
    pair.D = (float)weight;
    set_ramp(contact, reach, &pair.d0, &pair.d1);
    return pair;
}

/* What packing needs besides its result. */
struct packing {
    const struct berth_forcefield *forcefield;
    const struct berth_heavy_atoms *receptor;
    const double *center;
    size_t *order; /* receptor atoms sorted by type, stable */
    int *row_of;   /* row of the pair table for each type of the forcefield; -1: not in the site */
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

/* Orders the atoms by type (stable counting sort) and numbers the types that occur. */
static size_t sort_by_type(struct packing *packing)
{
    size_t filled = 0, rows = 0;
    for (size_t type = 0; type < packing->forcefield->type_count; type++) {
        size_t before = filled;
        for (size_t i = 0; i < packing->receptor->count; i++) {
            if (packing->receptor->atoms[i].type == (int)type) {
                packing->order[filled++] = i;
            }
        }
        packing->row_of[type] = filled > before ? (int)rows++ : -1;
    }
    return rows;
}

static enum berth_status fill_pairs(const struct packing *packing, size_t rows,
                                    struct berth_packed_receptor *packed, struct berth_error *error)
{
    const struct berth_forcefield *forcefield = packing->forcefield;
    packed->pair_columns = forcefield->type_count;
    packed->pair_count = rows * packed->pair_columns;
    packed->pairs = berth_alloc(packed->pair_count, sizeof *packed->pairs);
    if (!packed->pairs) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for the pair table");
    }
    for (size_t i = 0; i < forcefield->type_count; i++) {
        for (size_t j = 0; packing->row_of[i] >= 0 && j < forcefield->type_count; j++) {
            packed->pairs[(size_t)packing->row_of[i] * packed->pair_columns + j] =
                berth_pack_pair(&forcefield->types[i], &forcefield->types[j]);
        }
    }
    return BERTH_OK;
}

/* Fills atoms, runs and tiles from the sorted order; a run never crosses a tile's end. */
static void fill_tiles(const struct packing *packing, size_t tile_size,
                       struct berth_packed_receptor *packed)
{
    struct berth_device_tile *tile = NULL;
    struct berth_device_run *run = NULL;
    for (size_t i = 0; i < packed->atom_count; i++) {
        const struct berth_heavy_atom *atom = &packing->receptor->atoms[packing->order[i]];
        if (i % tile_size == 0) {
            tile = &packed->tiles[packed->tile_count++];
            tile->atom_begin = (berth_int32)i;
            tile->run_begin = (berth_int32)packed->run_count;
            run = NULL;
        }
        if (!run || run->type != packing->row_of[atom->type]) {
            run = &packed->runs[packed->run_count++];
            run->begin = (berth_int32)i - tile->atom_begin;
            run->type = packing->row_of[atom->type];
            tile->run_end = (berth_int32)packed->run_count;
        }
        run->end = (berth_int32)i - tile->atom_begin + 1;
        tile->atom_end = (berth_int32)i + 1;
        packed->atoms[i] = site_atom(atom, packing->center);
    }
}

enum berth_status berth_pack_receptor(const struct berth_forcefield *forcefield,
                                      const struct berth_heavy_atoms *receptor,
                                      const double center[3], size_t tile_size,
                                      struct berth_packed_receptor *packed,
                                      struct berth_error *error)
{
    memset(packed, 0, sizeof *packed);
    if (!receptor->count) {
        return berth_fail(error, BERTH_E_USAGE, "the receptor has no heavy atoms");
    }
    const size_t tile = tile_size ? tile_size : receptor->count;
    const size_t tiles = (receptor->count + tile - 1) / tile;
    struct packing packing = {forcefield, receptor, center, NULL, NULL};
    packing.order = berth_alloc(receptor->count, sizeof *packing.order);
    packing.row_of = berth_alloc(forcefield->type_count, sizeof *packing.row_of);
    packed->atom_count = receptor->count;
    packed->atoms = berth_alloc(receptor->count, sizeof *packed->atoms);
    packed->tiles = berth_alloc(tiles, sizeof *packed->tiles);
    packed->runs = berth_alloc(forcefield->type_count + tiles, sizeof *packed->runs);
    enum berth_status status;
    if (!packing.order || !packing.row_of || !packed->atoms || !packed->tiles || !packed->runs) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu receptor atoms",
                            receptor->count);
    } else {
        size_t rows = sort_by_type(&packing);
        fill_tiles(&packing, tile, packed);
        status = fill_pairs(&packing, rows, packed, error);
    }
    free(packing.order);
    free(packing.row_of);
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
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
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
        packed->atoms[i] =
            (struct berth_device_atom){(float)x[0], (float)x[1], (float)x[2], heavy->atoms[i].type};
    }
    packed->device.atom_count = (berth_int32)heavy->count;
    packed->device.ligand = ligand;
    packed->device.number = number;
    set_inertia(gyration, &packed->device);
    return BERTH_OK;
}

void berth_packed_conformer_clear(struct berth_packed_conformer *packed)
{
    free(packed->atoms);
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
