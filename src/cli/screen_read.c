/* The thread that reads a screen's library into its window. */
#include <string.h>

#include "cli/screen_run.h"

/* Adds ligands begin .. end - 1, whose block cannot be read.  *going: the run is not being
 * stopped. */
static enum berth_status add_unreadable(struct screen_reader *reader, uint64_t begin, uint64_t end,
                                        const struct berth_error *why, bool *going)
{
    enum berth_status status = BERTH_OK;
    cli_say("failed: %s", why->message);
    for (uint64_t ordinal = begin; !status && *going && ordinal < end; ordinal++) {
        struct screen_ligand *ligand;
        status = screen_ligand_create_failed(ordinal, NULL, why->message, &ligand, &reader->error);
        *going = !status && screen_window_add(reader->window, ligand);
    }
    return status;
}

/* Adds one ligand; rest: of its block, where several modes are wanted. */
static enum berth_status add(struct screen_reader *reader,
                             const struct berth_docking_ligand *docking,
                             struct berth_write_out_block *rest, size_t number, bool *going)
{
    struct berth_library_ligand whole = {0};
    struct screen_ligand *ligand = NULL;
    struct berth_error *error = &reader->error;
    enum berth_status status = BERTH_OK;
    if (reader->manner.several) {
        status = berth_write_out_ligand(rest, number, false, &whole, error);
    }
    if (!status) {
        status = screen_ligand_create(docking, &reader->manner, &whole, &ligand, error);
    }
    if (status == BERTH_E_FORMAT || status == BERTH_E_USAGE) {
        const struct berth_error why = *error;
        cli_say("failed: ligand %s: %s", docking->title, why.message);
        status = screen_ligand_create_failed(docking->ordinal, docking->title, why.message, &ligand,
                                             error);
    }
    reader->unweighted +=
        !status && reader->manner.strain_weight > 0 && !ligand->failure && !ligand->strain_weight;
    berth_library_ligand_clear(&whole);
    *going = !status && screen_window_add(reader->window, ligand);
    return status;
}

/* Adds the ligands of the block that comes next. */
static enum berth_status read_block(struct screen_reader *reader, struct berth_docking_block *block,
                                    struct berth_write_out_block *rest, bool *going)
{
    bool end;
    const uint64_t begin = reader->range.next;
    enum berth_status status =
        berth_library_next(reader->library, &reader->range, block, &end, &reader->error);
    if (!status && end) {
        *going = false;
        return BERTH_OK;
    }
    if (!status && reader->manner.several) {
        status = berth_library_write_out(reader->library, block, rest, &reader->error);
    }
    if (status == BERTH_E_FORMAT) {
        const struct berth_error why = reader->error;
        return add_unreadable(reader, begin, reader->range.next, &why, going);
    }
    for (size_t i = 0; !status && *going && i < block->count; i++) {
        status = add(reader, &block->ligands[i], rest, i, going);
    }
    return status;
}

void *screen_read(void *context)
{
    struct screen_reader *reader = context;
    struct berth_docking_block block = {0};
    struct berth_write_out_block rest = {0};
    bool going = true;
    while (!reader->status && going) {
        reader->status = read_block(reader, &block, &rest, &going);
    }
    if (reader->status) {
        screen_window_stop(reader->window);
    }
    berth_docking_block_clear(&block);
    berth_write_out_block_clear(&rest);
    screen_window_read(reader->window);
    return NULL;
}
