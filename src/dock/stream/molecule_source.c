#include "dock/stream/molecule_source.h"

#include <stddef.h>

/* Whether the molecule begins a ligand behind this one. */
static bool begins_next(const struct berth_molecule_source_state *state,
                        const struct berth_stream_ligand *ligand,
                        const struct berth_molecule *molecule)
{
    return state->separate || !berth_ligand_accepts(&ligand->whole.ligand, molecule);
}

/* Adds the molecule to *ligand, which it may begin. */
static enum berth_status add(struct berth_molecule_source_state *state,
                             const struct berth_stream_conformer *conformer,
                             struct berth_stream_ligand **ligand, struct berth_error *error)
{
    enum berth_status status =
        *ligand ? BERTH_OK
                : berth_stream_ligand_begin((uint64_t)berth_source_ordinal(state->source),
                                            &state->settings, ligand, error);
    return status ? status : berth_stream_ligand_add(*ligand, conformer, &state->settings, error);
}

static enum berth_status read_all(void *context, struct berth_window *window,
                                  struct berth_error *error)
{
    struct berth_molecule_source_state *state = context;
    struct berth_stream_ligand *ligand = NULL;
    enum berth_status status = BERTH_OK;
    bool end = false, going = true;
    while (!status && going && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_source_next(state->source, &molecule, &heavy, &end, error);
        if (!status && ligand && (end || begins_next(state, ligand, &molecule))) {
            going = berth_window_add(window, ligand);
            ligand = NULL;
        }
        if (!status && going && !end) {
            const struct berth_stream_conformer conformer = {.heavy = &heavy,
                                                             .strain =
                                                                 berth_source_strain(state->source),
                                                             .molecule = &molecule,
                                                             .whole_title = state->separate};
            status = add(state, &conformer, &ligand, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
    }
    berth_stream_ligand_destroy(ligand);
    return status;
}

struct berth_stream_source berth_molecule_stream_source(struct berth_molecule_source_state *state)
{
    return (struct berth_stream_source){state, read_all};
}
