#include "dock/stream/molecule_source.h"

/* Adds the queue's ligand, if it has one, to the window.  *going: the run is not being stopped. */
static enum berth_status add(struct berth_molecule_source_state *state, struct berth_queue *queue,
                             struct berth_window *window, bool *going, struct berth_error *error)
{
    if (!queue->count) {
        return BERTH_OK;
    }
    struct berth_stream_ligand *ligand;
    enum berth_status status = berth_stream_ligand_from_queue(&queue->ligands[0], state->ligands++,
                                                              &state->settings, &ligand, error);
    berth_queue_clear(queue);
    *going = !status && berth_window_add(window, ligand);
    return status;
}

static enum berth_status read_all(void *context, struct berth_window *window,
                                  struct berth_error *error)
{
    struct berth_molecule_source_state *state = context;
    struct berth_queue queue = {.flexible = state->settings.flexible,
                                .apart = state->settings.apart,
                                .log = state->settings.log};
    enum berth_status status = BERTH_OK;
    bool end = false, going = true;
    while (!status && going && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_source_next(state->source, &molecule, &heavy, &end, error);
        if (!status && (end || berth_queue_begins(&queue, &molecule, state->separate))) {
            status = add(state, &queue, window, &going, error);
        }
        if (!status && !end) {
            const struct berth_queued_conformer conformer = {&molecule, &heavy,
                                                             berth_source_strain(state->source)};
            status = berth_queue_add(&queue, &conformer, state->separate, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
    }
    berth_queue_clear(&queue);
    return status;
}

struct berth_stream_source berth_molecule_stream_source(struct berth_molecule_source_state *state)
{
    return (struct berth_stream_source){state, read_all};
}
