/* Packing receptor and conformers for the device: single precision, the site's centre as origin,
 * the receptor sorted by type into runs, and the table of pair constants. */
#ifndef BERTH_ENGINE_PACK_H
#define BERTH_ENGINE_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "chem/geometry.h"
#include "chem/ligand.h"
#include "chem/site.h"
#include "score/flexible.h"
#include "score/restraint.h"
#include "score/scoring.h"
#include "shared.h"

/* What a docking is about; everything is borrowed. */
struct berth_target {
    const struct berth_scoring *scoring;
    const struct berth_heavy_atoms *receptor; /* typed by scoring */
    struct berth_site site;
    const struct berth_places *places; /* what restraints are about; NULL: there are none */
};

/* A receptor as the kernels see it. */
struct berth_packed_receptor {
    struct berth_device_site_atom *atoms; /* owned; [atom_count], by tile, then type */
    struct berth_device_tile *tiles;      /* owned; [site.tile_count] */
    struct berth_device_run *runs;        /* owned; [run_count] */
    float *pairs; /* owned; [pair_count][pair_words]: [types][pair_columns], see BERTH_PAIR_REACH */
    size_t atom_count, run_count, pair_count, pair_words;
    size_t atom_capacity, tile_capacity, run_capacity;
    struct berth_device_site site;
};

/* What turns in a ligand as the kernels see it: the same for all its conformers. */
struct berth_packed_flexible {
    berth_int32 *words; /* owned; [count]: see BERTH_FLEXIBLE_AXES */
    size_t count, torsions;
};

/* A conformer as the kernels see it, and how to get back from there. */
struct berth_packed_conformer {
    struct berth_device_atom *atoms;              /* owned; [device.atom_count] */
    const struct berth_packed_flexible *flexible; /* borrowed; NULL: nothing turns */
    const struct berth_restrained *restrained;    /* borrowed; NULL: nothing is restrained */
    struct berth_device_conformer device;
    double centroid[3]; /* Å: of the heavy atoms in the conformer's own frame */
    double rotors;      /* of the ligand (chem/torsion.h), for totals; set by whoever packs it */
    /* The torsional term of its poses where nothing turns, and which of the terms that is (0: the
     * function has none, or torsions turn); likewise. */
    double torsional;
    size_t torsional_term;
    /* Borrowed; [judges][device.atom_count]: types by the functions that judge its poses; NULL:
     * nobody does. */
    const berth_int32 *judged;
    /* Borrowed; the same beside the side chains of the next receptor that it is docked to; NULL: it
     * is docked to that one as it is. */
    const struct berth_packed_conformer *next;
};

/* Packs the receptor relative to the target's centre, in tiles of so many atoms, at most (0: one
 * tile), or in neighbour lists, with which energies are the same, bit for bit, as with one tile.
 * The caller clears *packed.  Errors: BERTH_E_USAGE (no atoms), BERTH_E_MEMORY. */
enum berth_status berth_pack_receptor(const struct berth_target *target, size_t tile, bool lists,
                                      struct berth_packed_receptor *packed,
                                      struct berth_error *error);

/* About how many bytes a receptor takes with neighbour lists all over the target's site. */
double berth_packed_receptor_bytes(const struct berth_target *target);

void berth_packed_receptor_clear(struct berth_packed_receptor *packed);

/* Packs the conformer, as the only one of its ligand; ligand and number key its random numbers. The
 * caller clears *packed.
 * Errors: BERTH_E_USAGE (no heavy atoms, or more than BERTH_LIGAND_ATOMS_MAX), BERTH_E_MEMORY. */
enum berth_status berth_pack_conformer(const struct berth_heavy_atoms *heavy, uint32_t ligand,
                                       uint32_t number, struct berth_packed_conformer *packed,
                                       struct berth_error *error);

/* Puts behind a packed ligand's atoms those of bodies with a fixed root that it is joined with
 * (score/bodies.h).  centre: of the site, Å.  Where no body is free, *packed comes zeroed.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_pack_fixed(const struct berth_heavy_atoms *fixed, const double centre[3],
                                   struct berth_packed_conformer *packed,
                                   struct berth_error *error);

/* Puts the atoms of a packed ligand whose root is held where it was given, as those of fixed bodies
 * are.  heavy: as it was packed; centre: of the site, Å. */
void berth_pack_held(const struct berth_heavy_atoms *heavy, const double centre[3],
                     struct berth_packed_conformer *packed);

/* Of the conformer's atoms those of the body with a free root. */
size_t berth_packed_free(const struct berth_packed_conformer *packed);

/* True where the conformer takes kernels for large ligands: it is rigid, is searched with exact
 * energies, and shares no batch with others. */
bool berth_is_large(const struct berth_packed_conformer *packed);

/* How many of the first of count conformers are large, or are not, as the first is. */
size_t berth_count_alike(const struct berth_packed_conformer *packed, size_t count);

void berth_packed_conformer_clear(struct berth_packed_conformer *packed);

/* Packs what turns in the ligand, whose heavy atoms have the types of any of its conformers.  The
 * caller clears *packed.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_pack_flexible(const struct berth_flexible *flexible,
                                      const struct berth_heavy_atoms *heavy,
                                      struct berth_packed_flexible *packed,
                                      struct berth_error *error);

/* Words that a ligand's restraints take (BERTH_RESTRAINED_HEADS in shared.h), and writes them. */
size_t berth_count_restrained(const struct berth_restrained *restrained);
void berth_pack_restrained(const struct berth_restrained *restrained, berth_int32 *words);

/* A place as the kernels see it, relative to the site's centre (Å). */
struct berth_device_place berth_pack_place(const struct berth_place *place, const double centre[3]);

void berth_packed_flexible_clear(struct berth_packed_flexible *packed);

/* The key of a ligand's random numbers: a hash (FNV-1a) of its name, so that its result depends
 * neither on its place in the file nor on its neighbours. */
uint32_t berth_ligand_key(const char *name);

#endif
