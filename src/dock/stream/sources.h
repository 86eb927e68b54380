/* What a stream reads ligands from: molecules one by one, or a library. */
#ifndef BERTH_DOCK_STREAM_SOURCES_H
#define BERTH_DOCK_STREAM_SOURCES_H

#include "dock/source.h"
#include "dock/stream/stream.h"

struct berth_molecule_source_state {
    struct berth_source *source; /* borrowed, open */
    bool separate;               /* every molecule is a ligand of its own */
    struct berth_stream_settings settings;
    uint64_t begun; /* of the ligand being gathered: berth_source_ligand */
};

/* Reads the source to its end; consecutive conformers of a ligand are gathered.  The state is
 * borrowed. */
struct berth_stream_source berth_molecule_stream_source(struct berth_molecule_source_state *state);

/* --- A library as the source of a stream. */

struct berth_library_source_state {
    const struct berth_library_reader *library; /* borrowed */
    struct berth_library_range range;           /* the ligands to be docked */
    struct berth_stream_settings settings;
    double strain_weight;             /* that is asked for */
    const struct berth_log *failures; /* borrowed, or NULL: is told of ligands that fail */
    uint64_t unweighted;              /* out: ligands that strain_weight could not be applied to */
    /* NULL, or called at the range's end: waits a little for more of the library, moves library and
     * range on where there is some, or sets *end. */
    enum berth_status (*more)(void *context, struct berth_library_source_state *state, bool *end,
                              struct berth_error *error);
    void *context;
};

/* Reads the range into a window; blocks and ligands that cannot be read or packed are failed
 * ligands.  The state is borrowed. */
struct berth_stream_source berth_library_stream_source(struct berth_library_source_state *state);

#endif
