/* Ligands on their way to the device: read, packed, and docked or minimised in one go. */
#ifndef BERTH_DOCK_QUEUE_H
#define BERTH_DOCK_QUEUE_H

#include <stdbool.h>

#include "base/log.h"
#include "chem/ligand.h"
#include "chem/torsion.h"
#include "engine/pack.h"
#include "score/flexible.h"

/* A ligand on its way: read and packed, then docked. */
struct berth_queued_ligand {
    struct berth_ligand ligand;
    struct berth_packed_conformer *packed; /* owned; [ligand.conformer_count] */
    double *strains;                       /* owned; [ligand.conformer_count]: kJ/mol above the
                                              ligand's best conformer; NAN where unknown */
    size_t packed_capacity, strain_capacity;
    double rotors;                      /* see chem/rotors.h */
    struct berth_torsion_tree tree;     /* of all atoms; empty where it is docked rigid */
    struct berth_packed_flexible words; /* the same for the device */
};

/* Ligands that are docked in one go. */
struct berth_queue {
    struct berth_queued_ligand *ligands; /* owned */
    size_t count, capacity, conformer_count;
    bool flexible;               /* the ligands' torsions are flexible */
    size_t apart;                /* see berth_flexible_find */
    const struct berth_log *log; /* borrowed, or NULL */
};

/* A conformer to queue. */
struct berth_queued_conformer {
    struct berth_molecule *molecule;       /* moved from */
    const struct berth_heavy_atoms *heavy; /* borrowed for the call */
    double strain;                         /* kJ/mol; NAN where unknown */
};

/* Adds a conformer: to the last ligand where it is one of its conformers and not `separate`, else
 * as a new ligand.  Errors: BERTH_E_MEMORY, BERTH_E_USAGE (see
 * berth_pack_conformer). */
enum berth_status berth_queue_add(struct berth_queue *queue,
                                  const struct berth_queued_conformer *conformer, bool separate,
                                  struct berth_error *error);

/* True where molecule would begin a new ligand. */
bool berth_queue_begins(const struct berth_queue *queue, const struct berth_molecule *molecule,
                        bool separate);

/* Lets the packed conformers know of the torsions that are flexible in them.  No ligand may be
 * added any more. */
void berth_queue_close(struct berth_queue *queue);

/* Closes the queue.  The packed conformers of all its ligands in one array that the caller frees;
 * their atoms stay the queue's.  NULL when out of memory. */
struct berth_packed_conformer *berth_queue_gather(struct berth_queue *queue);

/* Empties the queue, for new ligands. */
void berth_queue_clear(struct berth_queue *queue);

#endif
