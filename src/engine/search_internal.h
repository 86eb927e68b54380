/* What the files of the search share. */
#ifndef BERTH_ENGINE_SEARCH_INTERNAL_H
#define BERTH_ENGINE_SEARCH_INTERNAL_H

#include "engine/search.h"

struct berth_search {
    struct berth_evaluator *evaluator; /* borrowed */
    struct berth_search_settings settings;
    double size[3]; /* Å: full edges of the site */
    size_t batch_size;
    int queue;              /* of the device */
    size_t bins, bin_poses; /* of the selection */
    struct berth_batch batch;
    struct berth_kernel *generation_zero, *evolve, *metropolis;
    struct berth_kernel *select_bins, *select_merge, *select_parents;
    size_t select_wgsize;
    struct berth_buffer *constants;         /* struct berth_device_search */
    struct berth_buffer *transforms;        /* float [batch][6][poses] */
    struct berth_buffer *energies;          /* float [batch][poses] */
    struct berth_buffer *lists[2];          /* ulong [batch][bins][BERTH_KEEP]: merged to and fro */
    struct berth_buffer *parent_transforms; /* float [batch][6][parents] */
    struct berth_buffer *heads;             /* int [batch][parents]: each family's first pose */
    struct berth_buffer *parent_counts;     /* int [batch] */
    struct berth_buffer *parent_terms;      /* float [batch][terms][parents] */
    /* What comes back, on the host: owned, of the same shapes. */
    float *host_transforms, *host_terms;
    int32_t *host_counts;
    struct berth_refiner *refiner;   /* NULL: nothing is refined */
    struct berth_mapped *mapped;     /* NULL: the search is rigid */
    struct berth_evaluator *counter; /* borrowed; NULL: nothing is counted */
    struct berth_buffer *met_poses;  /* float [batch][poses]: pairs met by each pose */
    float *host_met;                 /* owned, of the same shape */
    double met;
    struct berth_search *rigid;  /* owned; takes the place of one on maps for large ligands; NULL
                                    until one comes */
    bool on_rigid;               /* what was started last was started there */
    struct berth_event *results; /* the end of the last transfer back; NULL: nothing was started */
};

/* Starts all generations of the conformers in search->batch, and the refinement or the terms of the
 * last parents.  Errors: BERTH_E_DEVICE. */
enum berth_status search_start_generations(struct berth_search *search, struct berth_error *error);

#endif
