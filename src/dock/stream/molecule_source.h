/* Molecules read one by one as the source of a stream. */
#ifndef BERTH_DOCK_STREAM_MOLECULE_SOURCE_H
#define BERTH_DOCK_STREAM_MOLECULE_SOURCE_H

#include "dock/source.h"
#include "dock/stream/stream.h"

struct berth_molecule_source_state {
    struct berth_source *source; /* borrowed, open */
    bool separate;               /* every molecule is a ligand of its own */
    struct berth_stream_settings settings;
};

/* Reads the source to its end; consecutive conformers of a ligand are gathered.  The state is
 * borrowed. */
struct berth_stream_source berth_molecule_stream_source(struct berth_molecule_source_state *state);

#endif
