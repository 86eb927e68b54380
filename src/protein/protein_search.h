/* One protein docked to another, both rigid: starts all over the surface on maps, the best of them
 * refined by exact energies, and those that are distinct as modes. */
#ifndef BERTH_PROTEIN_PROTEIN_SEARCH_H
#define BERTH_PROTEIN_PROTEIN_SEARCH_H

#include "dock/typed_receptor.h"
#include "options/options.h"
#include "protein/interface.h"
#include "protein/protein_starts.h"

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

/* One protein docked to another, from files to files. */
struct berth_protein_run {
    const struct berth_options *options; /* borrowed; the files, and how to search */
    const struct berth_log *log;         /* borrowed, or NULL */
    const struct berth_site *box;        /* borrowed; NULL: the whole surface */
    struct berth_typed_receptor receptor, ligand;
    double (*reference)[3]; /* owned; [ligand.heavy.count]; NULL: none */
    double *rmsds;          /* owned; [result.count], Å: to the reference; NULL: none */
    struct berth_protein_result result;
    struct berth_output *poses, *scores; /* owned, until they are committed */
};

/* Docks the ligand to the receptor, both typed by the same function, on one device: run->result.
 * Errors: BERTH_E_USAGE (too large a ligand; no place for it in the box; stopped), BERTH_E_DEVICE,
 * BERTH_E_DEVICE_MEMORY, BERTH_E_MEMORY, BERTH_E_RESULT. */
enum berth_status berth_protein_dock(struct berth_protein_run *run,
                                     const struct berth_device *device, struct berth_error *error);

/* Puts the ligand's heavy atoms where a pose has them: [atoms][3], Å. */
void berth_protein_place(const struct berth_protein_result *result,
                         const struct berth_heavy_atoms *heavy,
                         const struct berth_transform *transform, double (*placed)[3]);

void berth_protein_result_clear(struct berth_protein_result *result);

#endif
