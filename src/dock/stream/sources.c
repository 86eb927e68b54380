#include "dock/stream/sources.h"

#include <stddef.h>

#include "base/text.h"

/* --- Molecules --- */

/* Whether the molecule begins a ligand behind this one.  Names tell it only where the source does
 * not: isomers may have one name, and the same atoms and bonds. */
static bool begins_next(const struct berth_molecule_source_state *state,
                        const struct berth_stream_ligand *ligand,
                        const struct berth_molecule *molecule)
{
    const uint64_t number = berth_source_ligand(state->source);
    return state->separate || (number ? number != state->begun
                                      : !berth_ligand_accepts(&ligand->whole.ligand, molecule));
}

/* Adds the molecule to *ligand, which it may begin. */
static enum berth_status add_molecule(struct berth_molecule_source_state *state,
                                      const struct berth_stream_conformer *conformer,
                                      struct berth_stream_ligand **ligand,
                                      struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    if (!*ligand) {
        state->begun = berth_source_ligand(state->source);
        status = berth_stream_ligand_begin((uint64_t)berth_source_ordinal(state->source),
                                           &state->settings, ligand, error);
    }
    BERTH_THEN(berth_stream_ligand_add(*ligand, conformer, &state->settings, error));
    if (status == BERTH_E_TYPE || status == BERTH_E_FORMAT) { /* its own fault */
        const struct berth_error why = *error;
        status = berth_stream_ligand_fail(*ligand, why.message, state->settings.log, error);
    }
    return status;
}

static enum berth_status read_molecules(void *context, struct berth_window *window,
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
        going = !state->source->stopped; /* what was read of the last ligand may not be all of it */
        if (!status && going && ligand && (end || begins_next(state, ligand, &molecule))) {
            going = berth_window_add(window, ligand);
            ligand = NULL;
        }
        if (!status && going && !end) {
            const struct berth_stream_conformer conformer = {
                .heavy = &heavy,
                .strain = berth_source_strain(state->source),
                .moved = state->source->relaxer ? state->source->moved : -1,
                .known = berth_source_known(state->source),
                .molecule = &molecule,
                .whole_title = state->separate || berth_source_ligand(state->source)};
            status = add_molecule(state, &conformer, &ligand, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
    }
    berth_stream_ligand_destroy(ligand);
    return status;
}

struct berth_stream_source berth_molecule_stream_source(struct berth_molecule_source_state *state)
{
    return (struct berth_stream_source){state, read_molecules};
}

/* --- A library --- */

/* The source while it is read. */
struct reading {
    struct berth_library_source_state *state;
    struct berth_window *window;
    struct berth_docking_block block;
    struct berth_write_out_block rest; /* of the block */
    bool going;                        /* the run is not being stopped, and not at its end */
};

/* Adds ligands begin .. end - 1, whose block cannot be read. */
static enum berth_status add_unreadable(struct reading *reading, uint64_t begin, uint64_t end,
                                        struct berth_error *error)
{
    const struct berth_error why = *error;
    enum berth_status status = BERTH_OK;
    berth_log_failure(reading->state->failures, NULL, "%s", why.message);
    for (uint64_t ordinal = begin; !status && reading->going && ordinal < end; ordinal++) {
        struct berth_stream_ligand *ligand;
        status = berth_stream_ligand_create_failed(ordinal, NULL, why.message, &ligand, error);
        reading->going = !status && berth_window_add(reading->window, ligand);
    }
    return status;
}

/* Adds ligand `number` of the block. */
static enum berth_status add_ligand(struct reading *reading, size_t number,
                                    struct berth_error *error)
{
    struct berth_library_source_state *state = reading->state;
    const struct berth_docking_ligand *docking = &reading->block.ligands[number];
    struct berth_library_ligand whole = {0};
    struct berth_stream_ligand *ligand = NULL;
    enum berth_status status = berth_library_check_typed(state->library, docking, error);
    BERTH_THEN(berth_write_out_ligand(&reading->rest, number, false, &whole, error));
    BERTH_THEN(berth_stream_ligand_create(docking, &state->settings, &whole, &ligand, error));
    if (status == BERTH_E_FORMAT || status == BERTH_E_USAGE || status == BERTH_E_TYPE) {
        struct berth_error why = *error;
        berth_text_drop_name(why.message, docking->title);
        berth_log_failure(state->failures, NULL, "ligand %s: %s", docking->title, why.message);
        status = berth_stream_ligand_create_failed(docking->ordinal, docking->title, why.message,
                                                   &ligand, error);
    }
    state->unweighted += !status && !ligand->failure &&
                         berth_stream_ligand_is_unweighted(ligand, state->strain_weight);
    berth_library_ligand_clear(&whole);
    reading->going = !status && berth_window_add(reading->window, ligand);
    return status;
}

/* At the end of the range. */
static enum berth_status read_more(struct reading *reading, struct berth_error *error)
{
    struct berth_library_source_state *state = reading->state;
    bool end = !state->more || berth_window_starve(reading->window);
    const enum berth_status status =
        end ? BERTH_OK : state->more(state->context, state, &end, error);
    reading->going = !end;
    return status;
}

/* Adds the ligands of the block that comes next. */
static enum berth_status read_block(struct reading *reading, struct berth_error *error)
{
    struct berth_library_source_state *state = reading->state;
    bool end;
    const uint64_t begin = state->range.next;
    enum berth_status status =
        berth_library_next(state->library, &state->range, &reading->block, &end, error);
    if (!status && end) {
        return read_more(reading, error);
    }
    BERTH_THEN(berth_library_write_out(state->library, &reading->block, &reading->rest, error));
    if (status == BERTH_E_FORMAT) {
        return add_unreadable(reading, begin, state->range.next, error);
    }
    for (size_t i = 0; !status && reading->going && i < reading->block.count; i++) {
        status = add_ligand(reading, i, error);
    }
    return status;
}

static enum berth_status read_library(void *context, struct berth_window *window,
                                      struct berth_error *error)
{
    struct reading reading = {.state = context, .window = window, .going = true};
    enum berth_status status = BERTH_OK;
    while (!status && reading.going) {
        status = read_block(&reading, error);
    }
    berth_docking_block_clear(&reading.block);
    berth_write_out_block_clear(&reading.rest);
    return status;
}

struct berth_stream_source berth_library_stream_source(struct berth_library_source_state *state)
{
    return (struct berth_stream_source){state, read_library};
}
