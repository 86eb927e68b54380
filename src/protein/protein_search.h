/* One protein docked to another, both rigid: starts all over the surface on maps, the best of them
 * refined by exact energies, and those that are distinct as modes. */
#ifndef BERTH_PROTEIN_PROTEIN_SEARCH_H
#define BERTH_PROTEIN_PROTEIN_SEARCH_H

#include "protein/interface.h"
#include "protein/protein_starts.h"
#include "engine/refine.h"

struct berth_protein_settings {
    struct berth_protein_sampling sampling;
    const struct berth_site *box; /* borrowed; NULL: the whole surface */
    size_t modes;                 /* at most */
    double min_rmsd;              /* between them, Å: of their interfaces */
    double energy_range;          /* above the best, in the function's unit; INFINITY: any */
    unsigned long long seed;
    const char *variant;         /* borrowed: tunables to set (berth_variant_parse); NULL: none */
    const atomic_bool *stop;     /* borrowed, or NULL: see berth_check_stop */
    const struct berth_log *log; /* borrowed, or NULL */
};

/* 20 degrees, 4 Å, 500 starts that are refined; the seed is the settings' own. */
struct berth_protein_sampling berth_protein_sampling_defaults(void);

struct berth_protein_mode {
    struct berth_transform transform; /* relative to result.center */
    struct berth_terms terms;
    double energy; /* their sum */
    struct berth_interface interface;
};

struct berth_protein_result {
    struct berth_protein_mode *modes; /* owned; best first */
    size_t count;
    double center[3];         /* Å: what translations are relative to */
    double centroid[3];       /* Å: of the ligand's heavy atoms in its own frame */
    size_t rotations, places; /* of the starts, each with each */
    size_t refined;           /* of them, by exact energies */
    size_t evaluations;       /* energies with gradients that this took */
};

/* Docks ligand to receptor, both typed by the same function, on one device.  The caller clears
 * *result.  Errors: BERTH_E_USAGE (too large a ligand; no place for it in the box), BERTH_E_DEVICE,
 * BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY, BERTH_E_RESULT, BERTH_E_USAGE
 * (stopped). */
enum berth_status berth_protein_dock(const struct berth_protein_pair *pair,
                                     const struct berth_device *device,
                                     const struct berth_protein_settings *settings,
                                     struct berth_protein_result *result,
                                     struct berth_error *error);

/* Puts the ligand's heavy atoms where a pose has them: [atoms][3], Å. */
void berth_protein_place(const struct berth_protein_result *result,
                         const struct berth_heavy_atoms *heavy,
                         const struct berth_transform *transform, double (*placed)[3]);

void berth_protein_result_clear(struct berth_protein_result *result);

#endif
