/* The whole surface of a receptor as the site of a docking: small populations begin at places all
 * over it, each within a few Å of its own, and go downhill from there wherever it leads. */
#ifndef BERTH_SURFACE_SURFACE_SCAN_H
#define BERTH_SURFACE_SURFACE_SCAN_H

#include "chem/molecule.h"
#include "dock/docking.h"

/* A part of the receptor that maps are made of at a time. */
struct berth_surface_part {
    struct berth_site site;
    size_t first, count; /* of the places */
};

struct berth_surface {
    struct berth_site site;           /* the whole receptor's */
    double (*places)[3];              /* owned; [place_count], part by part: Å */
    struct berth_surface_part *parts; /* owned; [part_count]; by size and place alone */
    size_t place_count, part_count;
    double bytes; /* that the maps of the largest part take on a device */
};

/* Populations of one ligand's conformer, at most. */
enum { BERTH_SURFACE_PLACES_MAX = 65535 };

/* Finds them, and parts small enough for maps of so many kinds of atoms.  The caller clears
 * *surface, also after an error.  Errors: those of berth_cover_find; BERTH_E_USAGE (too large: more
 * than BERTH_SURFACE_PLACES_MAX places). */
enum berth_status berth_surface_create(const struct berth_molecule *receptor, size_t kinds,
                                       struct berth_surface *surface, struct berth_error *error);

/* A zeroed one is accepted. */
void berth_surface_clear(struct berth_surface *surface);

/* The level of a search (BERTH_SEARCH_LEVELS) that each of the populations is to make: `balanced`
 * gives all of them together what some dozens of dockings to one site take.  NULL: there is none of
 * that name. */
const struct berth_search_level *berth_surface_level(const char *name);

/* Aims a docking's setup, whose search is one on maps, at a part.  A batch has a conformer at all
 * of the part's places, where the setup names no other. */
void berth_surface_aim(const struct berth_surface *surface, size_t part,
                       struct berth_docking_setup *setup);

/* --- The engine of a docking to a whole surface: takes conformers from a stream as a docking to
 * one site does, docks each at all places, and gives its poses back, one of each place. */

struct berth_surface_scan; /* opaque */

/* docking (borrowed) was opened with this setup, aimed at the first part; the others are opened
 * with it one after the other.  The caller destroys *scan.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_surface_scan_create(const struct berth_surface *surface,
                                            const struct berth_docking_setup *setup,
                                            struct berth_docking *docking,
                                            struct berth_surface_scan **scan,
                                            struct berth_error *error);

/* NULL is accepted. */
void berth_surface_scan_destroy(struct berth_surface_scan *scan);

/* It as the engine of a stream: poses are relative to the centre of the surface's site; pose number
 * k of a conformer is the best one of the population at place k.  Errors: those of
 * berth_docking_run_stream and of opening a docking. */
struct berth_stream_engine berth_surface_scan_engine(struct berth_surface_scan *scan);

/* The shape of the receptor in that site, for clashes; borrowed from the scan. */
const struct berth_receptor_shape *const *
berth_surface_scan_shapes(const struct berth_surface_scan *scan);

#endif
