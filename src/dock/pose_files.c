#include "dock/pose_files.h"

#include <math.h>

#include "dock/score_table.h"

enum berth_status berth_pose_files_create(struct berth_pose_files *files,
                                          const struct berth_pose_paths *paths,
                                          struct berth_error *error)
{
    enum berth_status status = berth_pose_format_of(paths->poses, &files->format, error);
    BERTH_THEN(berth_output_create(paths->poses, &files->poses, error));
    if (!status && paths->scores) {
        status = berth_output_create(paths->scores, &files->scores, error);
    }
    if (!status && paths->scores) {
        const struct berth_score_columns columns = {files->terms, files->receptors};
        berth_score_table_begin(files->scores, &columns, NULL, 0);
    }
    if (!status) {
        files->failures.log = files->log;
        status = berth_failures_create(paths->failures, &files->failures, error);
    }
    return status;
}

struct berth_score_row berth_score_row_of(const struct berth_ligand *ligand,
                                          const struct berth_pose *mode, size_t number,
                                          const struct berth_term_names *names)
{
    return (struct berth_score_row){.ordinal = -1,
                                    .ligand = ligand->name,
                                    .mode = number,
                                    .pose = mode,
                                    .names = names,
                                    .heavy_atoms =
                                        berth_heavy_count(&ligand->conformers[mode->conformer]),
                                    .conformers = ligand->conformer_count};
}

/* Writes the modes. */
static enum berth_status write_modes(struct berth_pose_files *files,
                                     const struct berth_stream_ligand *ligand,
                                     const struct berth_modes *modes, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < modes->count; i++) {
        const struct berth_pose *mode = &modes->modes[i];
        struct berth_pose_record record = {
            .conformer = &ligand->whole.ligand.conformers[mode->conformer],
            .positions = (const double(*)[3])mode->positions,
            .row = berth_score_row_of(&ligand->whole.ligand, mode, i + 1, files->terms),
            .seed = files->seed};
        record.row.ordinal = (long long)ligand->result.ordinal;
        record.row.device = files->devices[mode->device].name;
        record.row.receptors = files->receptors;
        record.row.receptor_scores = modes->scores;
        status = berth_pose_write(files->poses, files->format, &record, error);
        if (!status && files->scores) {
            berth_score_table_add(files->scores, &record.row, NULL, 0);
        }
    }
    BERTH_THEN(berth_output_check(files->poses, error));
    return status || !files->scores ? status : berth_output_check(files->scores, error);
}

void berth_result_recall(const struct berth_result *result, struct berth_failures *failures)
{
    const struct berth_failure failure = {(long long)result->ordinal, result->title,
                                          result->failure, false};
    berth_failures_recall(failures, &failure);
}

enum berth_status berth_pose_files_add(struct berth_pose_files *files,
                                       const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, struct berth_error *error)
{
    const struct berth_result *result = &ligand->result;
    if (!modes) {
        berth_result_recall(result, &files->failures);
        return BERTH_OK;
    }
    files->ligands++;
    files->unmatched += files->reference && modes->modes[0].rmsd < 0;
    files->unweighted += berth_stream_ligand_is_unweighted(ligand, files->strain_weight);
    return write_modes(files, ligand, modes, error);
}

enum berth_status berth_pose_files_commit(struct berth_pose_files *files, struct berth_error *error)
{
    struct berth_output **outputs[] = {&files->poses, &files->scores, &files->failures.output};
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < sizeof outputs / sizeof *outputs; i++) {
        status = *outputs[i] ? berth_output_sync(*outputs[i], error) : BERTH_OK;
    }
    for (size_t i = 0; !status && i < sizeof outputs / sizeof *outputs; i++) {
        status = *outputs[i] ? berth_output_commit(*outputs[i], error) : BERTH_OK;
        *outputs[i] = NULL;
    }
    return status;
}

void berth_pose_files_warn(const struct berth_pose_files *files, const char *reference)
{
    if (files->unmatched) {
        berth_warn(files->log, NULL,
                   "no RMSD for %zu of %zu ligands: the reference %s (%zu heavy atoms) has other "
                   "atoms or bonds; it must be the same molecule, and that alone",
                   files->unmatched, files->ligands, reference,
                   berth_heavy_count(files->reference));
    }
    if (files->unweighted) {
        berth_warn(files->log, NULL,
                   "%zu of %zu ligands are ranked by energy alone: the library does not have the "
                   "strain of all their conformers",
                   files->unweighted, files->ligands);
    }
}

void berth_pose_files_discard(struct berth_pose_files *files)
{
    berth_output_discard(files->poses);
    berth_output_discard(files->scores);
    berth_output_discard(files->failures.output);
    files->poses = files->scores = files->failures.output = NULL;
}
