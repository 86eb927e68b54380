#include "dock/pose_files.h"

#include <math.h>

#include "dock/score_table.h"

enum berth_status berth_pose_files_create(struct berth_pose_files *files, const char *poses,
                                          const char *scores, struct berth_error *error)
{
    enum berth_status status = berth_pose_format_of(poses, &files->format, error);
    if (!status) {
        status = berth_output_create(poses, &files->poses, error);
    }
    if (!status && scores) {
        status = berth_output_create(scores, &files->scores, error);
    }
    if (!status && scores) {
        berth_score_table_begin(files->scores, NULL, 0);
    }
    return status;
}

struct berth_score_row berth_score_row_of(const struct berth_ligand *ligand,
                                          const struct berth_mode *mode, size_t number)
{
    return (struct berth_score_row){.ordinal = -1,
                                    .ligand = ligand->name,
                                    .mode = number,
                                    .score = mode->value,
                                    .energy = mode->energy,
                                    .terms = mode->terms,
                                    .strain = mode->has_torsions ? mode->strain : NAN,
                                    .conformer_strain = mode->conformer_strain,
                                    .rmsd = mode->rmsd,
                                    .clash = mode->clash,
                                    .conformer = mode->conformer + 1,
                                    .heavy_atoms =
                                        berth_heavy_count(&ligand->conformers[mode->conformer]),
                                    .conformers = ligand->conformer_count};
}

enum berth_status berth_pose_files_add(struct berth_pose_files *files,
                                       const struct berth_stream_ligand *ligand,
                                       const struct berth_modes *modes, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < modes->count; i++) {
        const struct berth_mode *mode = &modes->modes[i];
        struct berth_pose_record record = {
            .conformer = &ligand->whole.ligand.conformers[mode->conformer],
            .positions = (const double(*)[3])mode->positions,
            .row = berth_score_row_of(&ligand->whole.ligand, mode, i + 1),
            .seed = files->seed};
        record.row.ordinal = (long long)ligand->result.ordinal;
        record.row.device = files->devices[ligand->found[mode->conformer].device].name;
        status = berth_pose_write(files->poses, files->format, &record, error);
        if (!status && files->scores) {
            berth_score_table_add(files->scores, &record.row, NULL, 0);
        }
    }
    if (!status) {
        status = berth_output_check(files->poses, error);
    }
    return status || !files->scores ? status : berth_output_check(files->scores, error);
}

enum berth_status berth_pose_files_commit(struct berth_pose_files *files, struct berth_error *error)
{
    enum berth_status status = berth_output_sync(files->poses, error);
    if (!status && files->scores) {
        status = berth_output_sync(files->scores, error);
    }
    if (!status) {
        status = berth_output_commit(files->poses, error);
        files->poses = NULL;
    }
    if (!status && files->scores) {
        status = berth_output_commit(files->scores, error);
        files->scores = NULL;
    }
    return status;
}

void berth_pose_files_discard(struct berth_pose_files *files)
{
    berth_output_discard(files->poses);
    berth_output_discard(files->scores);
    files->poses = files->scores = NULL;
}
