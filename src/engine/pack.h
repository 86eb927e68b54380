/* Packing receptor and conformers for the device: single precision, the site's centre as origin,
 * the receptor sorted by type into runs, and the table of pair constants. */
#ifndef BERTH_ENGINE_PACK_H
#define BERTH_ENGINE_PACK_H

#include <stdint.h>

#include "base/error.h"
#include "model/forcefield.h"
#include "model/geometry.h"
#include "shared.h"

/* The box that the heavy-atom centroid of every pose stays in. */
struct berth_site {
    double center[3]; /* Å, the receptor's frame */
    double size[3];   /* full edges, Å */
};

/* A receptor as the kernels see it. */
struct berth_packed_receptor {
    struct berth_device_site_atom *atoms; /* owned; [atom_count], sorted by tile, then type */
    struct berth_device_tile *tiles;      /* owned; [tile_count] */
    struct berth_device_run *runs;        /* owned; [run_count] */
    struct berth_device_pair *pairs;      /* owned; [site types][pair_columns] */
    size_t atom_count, tile_count, run_count, pair_count;
    size_t pair_columns; /* types of the forcefield */
};

/* A conformer as the kernels see it, and how to get back from there. */
struct berth_packed_conformer {
    struct berth_device_atom *atoms; /* owned; [device.atom_count] */
    struct berth_device_conformer device;
    double centroid[3]; /* Å: of the heavy atoms in the conformer's own frame */
};

/* The ramps of a pair of types: design.md section 2 with every term as S(c0 + c1 r).  Exported for
 * its test. */
struct berth_device_pair berth_pack_pair(const struct berth_type *receptor,
                                         const struct berth_type *ligand);

/* Packs the receptor relative to center, in tiles of at most tile_size atoms (0: one tile).
 * The caller clears *packed.  Errors: BERTH_E_USAGE (no atoms), BERTH_E_MEMORY. */
enum berth_status berth_pack_receptor(const struct berth_forcefield *forcefield,
                                      const struct berth_heavy_atoms *receptor,
                                      const double center[3], size_t tile_size,
                                      struct berth_packed_receptor *packed,
                                      struct berth_error *error);

void berth_packed_receptor_clear(struct berth_packed_receptor *packed);

/* Packs the conformer; ligand and number key its random numbers.  The caller clears *packed.
 * Errors: BERTH_E_USAGE (no heavy atoms, or more than BERTH_LIGAND_ATOMS_MAX), BERTH_E_MEMORY. */
enum berth_status berth_pack_conformer(const struct berth_heavy_atoms *heavy, uint32_t ligand,
                                       uint32_t number, struct berth_packed_conformer *packed,
                                       struct berth_error *error);

void berth_packed_conformer_clear(struct berth_packed_conformer *packed);

/* Heavy atoms of a ligand: above this it is taken for a mistake (a receptor, say). */
enum { BERTH_LIGAND_ATOMS_MAX = 1000 };

/* The key of a ligand's random numbers: a hash (FNV-1a) of its name, so that its result depends
 * neither on its place in the file nor on its neighbours. */
uint32_t berth_ligand_key(const char *name);

#endif
