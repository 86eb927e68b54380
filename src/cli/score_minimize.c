/* `berth score --minimize`: each molecule goes downhill from where it stands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/score.h"
#include "dock/minimize.h"
#include "dock/modes.h"
#include "dock/queue.h"

enum { BATCH = 1024 };

void score_print_header(struct berth_output *rows, const struct berth_scoring *scoring,
                        bool minimized)
{
    berth_output_print(rows, "name,energy");
    for (size_t i = 0; i < scoring->terms.count; i++) {
        berth_output_print(rows, ",%s", scoring->terms.names[i]);
    }
    berth_output_print(rows, "%s%s\n", minimized ? ",strain" : "",
                       berth_scoring_counts_rotors(scoring) ? ",rotors,total" : "");
}

void score_print_row(struct berth_output *rows, const struct score_row *row,
                     const struct berth_scoring *scoring)
{
    berth_output_csv(rows, row->name, ',');
    berth_output_print(rows, "%.4f", row->energy);
    for (size_t i = 0; i < scoring->terms.count; i++) {
        berth_output_print(rows, ",%.4f", row->terms->values[i]);
    }
    if (row->minimized) {
        berth_output_print(rows, ",%.4f", row->strain);
    }
    if (berth_scoring_counts_rotors(scoring)) {
        const double total = berth_scoring_total(scoring, row->energy, row->strain, row->rotors);
        berth_output_print(rows, ",%.1f,%.4f", row->rotors, total);
    }
    berth_output_print(rows, "\n");
}

static enum berth_status write_mode(const struct score_minimizing *with,
                                    const struct berth_queued_ligand *queued,
                                    const struct berth_mode *mode, struct berth_error *error)
{
    const struct berth_ligand *ligand = &queued->ligand;
    const struct score_row row = {.name = ligand->name,
                                  .energy = mode->energy,
                                  .terms = &mode->terms,
                                  .minimized = true,
                                  .strain = mode->turned ? mode->strain : 0,
                                  .rotors = queued->rotors};
    score_print_row(with->rows, &row, with->target->scoring);
    if (!with->poses) {
        return BERTH_OK;
    }
    const struct berth_pose_record record = {
        .conformer = &ligand->conformers[0],
        .positions = (const double(*)[3])mode->positions,
        .row = {.ordinal = -1,
                .ligand = ligand->name,
                .mode = 1,
                .score = mode->value,
                .energy = mode->energy,
                .terms = mode->terms,
                .names = &with->target->scoring->terms,
                .strain = mode->turned ? mode->strain : NAN,
                .conformer_strain = NAN,
                .rmsd = mode->rmsd,
                .conformer = 1,
                .heavy_atoms = berth_heavy_count(&ligand->conformers[0])}};
    return berth_pose_write(with->poses, with->format, &record, error);
}

/* Writes what was found for the queued molecules. */
static enum berth_status write_all(const struct score_minimizing *with,
                                   const struct berth_queue *queue, const struct berth_found *found,
                                   struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < queue->count; i++) {
        const struct berth_queued_ligand *ligand = &queue->ligands[i];
        const struct berth_docked docked = {.conformers = ligand->packed,
                                            .poses = found->poses + i,
                                            .counts = found->counts + i,
                                            .stride = 1,
                                            .angles = found->angles + i * BERTH_TORSIONS,
                                            .given = found->given + i,
                                            .tree = &ligand->tree};
        struct berth_mode_settings settings = {.scoring = with->target->scoring,
                                               .count = 1,
                                               .energy_range = INFINITY,
                                               .reference = &ligand->ligand.conformers[0]};
        struct berth_modes modes;
        memcpy(settings.center, with->target->site.center, sizeof settings.center);
        status = berth_modes_find(&ligand->ligand, &docked, &settings, &modes, error);
        if (!status) {
            status = write_mode(with, ligand, &modes.modes[0], error);
            berth_modes_clear(&modes);
        }
    }
    return status ? status : berth_output_check(with->rows, error);
}

/* Minimises the queued molecules, writes them, and empties the queue. */
static enum berth_status flush(const struct score_minimizing *with,
                               struct berth_minimizer *minimizer, struct berth_queue *queue,
                               struct berth_error *error)
{
    const struct berth_search_settings settings = {.refine = {.poses = 1}};
    struct berth_found found;
    enum berth_status status = berth_found_create(&settings, queue->count, &found, error);
    struct berth_packed_conformer *molecules = berth_queue_gather(queue);
    if (!status && !molecules) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu molecules", queue->count);
    }
    if (!status && queue->count) {
        status = berth_minimizer_run(minimizer, molecules, queue->count, &found, error);
    }
    if (!status) {
        status = write_all(with, queue, &found, error);
    }
    free(molecules);
    berth_found_clear(&found);
    berth_queue_clear(queue);
    return status;
}

static enum berth_status minimize_all(const struct score_minimizing *with,
                                      struct berth_minimizer *minimizer, struct berth_queue *queue,
                                      struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    bool end = false;
    while (!status && !end) {
        struct berth_molecule molecule = {0};
        struct berth_heavy_atoms heavy = {0};
        status = berth_source_next(with->source, &molecule, &heavy, &end, error);
        if (!status && !end) {
            const struct berth_queued_conformer conformer = {&molecule, &heavy, NAN};
            status = berth_queue_add(queue, &conformer, true, error);
        }
        berth_molecule_clear(&molecule);
        berth_heavy_atoms_clear(&heavy);
        if (!status && (end || queue->count == BATCH)) {
            status = flush(with, minimizer, queue, error);
        }
    }
    return status;
}

enum berth_status score_minimize(const struct score_minimizing *with, struct berth_error *error)
{
    const struct berth_refine_settings settings = cli_refine_settings(with->refine, 1);
    struct berth_queue queue = {.flexible = settings.torsions,
                                .apart = berth_scoring_apart(with->target->scoring),
                                .log = with->source->log};
    struct berth_minimizer *minimizer;
    enum berth_status status =
        berth_minimizer_create(with->device, with->target, &settings, &minimizer, error);
    if (!status) {
        score_print_header(with->rows, with->target->scoring, true);
        status = minimize_all(with, minimizer, &queue, error);
    }
    berth_queue_clear(&queue);
    berth_minimizer_destroy(minimizer);
    return status;
}
