#include "dock/score_files.h"

#include "dock/pose_files.h"
#include "score/terms.h"

/* The terms under their own names; and rotors and total where the latter is not the sum. */
static void print_header(const struct berth_score_files *files)
{
    const struct berth_scoring *scoring = files->scoring;
    berth_output_print(files->rows, "%s,%s", BERTH_COLUMN_NAMES[BERTH_COLUMN_NAME],
                       BERTH_COLUMN_NAMES[BERTH_COLUMN_ENERGY]);
    for (size_t i = 0; i < scoring->terms.count; i++) {
        berth_output_print(files->rows, ",%s", scoring->terms.names[i]);
    }
    if (files->minimized) {
        berth_output_print(files->rows, ",%s", BERTH_COLUMN_NAMES[BERTH_COLUMN_STRAIN]);
    }
    berth_output_print(files->rows, ",%s", BERTH_COLUMN_NAMES[BERTH_COLUMN_CLASH]);
    if (berth_scoring_counts_rotors(scoring)) {
        berth_output_print(files->rows, ",%s,%s", BERTH_COLUMN_NAMES[BERTH_COLUMN_ROTORS],
                           BERTH_COLUMN_NAMES[BERTH_COLUMN_TOTAL]);
    }
    berth_output_print(files->rows, "\n");
}

static void print_row(const struct berth_score_files *files, const char *name,
                      const struct berth_mode *mode, double rotors)
{
    const struct berth_scoring *scoring = files->scoring;
    berth_output_csv(files->rows, name, ',');
    berth_output_print(files->rows, "%.4f", mode->energy);
    for (size_t i = 0; i < scoring->terms.count; i++) {
        berth_output_print(files->rows, ",%.4f", mode->terms.values[i]);
    }
    if (files->minimized) {
        berth_output_print(files->rows, ",%.4f", mode->has_torsions ? mode->strain : 0);
    }
    berth_output_print(files->rows, ",%.3f", mode->clash);
    if (berth_scoring_counts_rotors(scoring)) {
        berth_output_print(files->rows, ",%.1f,%.4f", rotors, mode->value);
    }
    berth_output_print(files->rows, "\n");
}

enum berth_status berth_score_files_create(struct berth_score_files *files, const char *rows,
                                           const char *poses, struct berth_error *error)
{
    enum berth_status status =
        poses ? berth_pose_format_of(poses, &files->format, error) : BERTH_OK;
    BERTH_THEN(berth_output_create(rows, &files->rows, error));
    if (!status && poses) {
        status = berth_output_create(poses, &files->poses, error);
    }
    if (!status) {
        print_header(files);
    }
    return status;
}

enum berth_status berth_score_files_add(struct berth_score_files *files,
                                        struct berth_failures *failures,
                                        const struct berth_stream_ligand *ligand,
                                        const struct berth_modes *modes, struct berth_error *error)
{
    if (!modes) {
        berth_result_recall(&ligand->result, failures);
        return BERTH_OK;
    }
    const struct berth_mode *mode = &modes->modes[0];
    const struct berth_ligand *molecule = &ligand->whole.ligand;
    struct berth_pose_record record = {
        .conformer = &molecule->conformers[0],
        .positions = (const double(*)[3])mode->positions,
        .row = berth_score_row_of(molecule, mode, 1, &files->scoring->terms)};
    record.row.conformers = 0; /* each molecule is one */
    print_row(files, molecule->name, mode, ligand->rotors);
    enum berth_status status = berth_output_check(files->rows, error);
    return status || !files->poses ? status
                                   : berth_pose_write(files->poses, files->format, &record, error);
}

enum berth_status berth_score_files_commit(struct berth_score_files *files,
                                           struct berth_failures *failures,
                                           struct berth_error *error)
{
    struct berth_output **outputs[] = {&files->rows, &files->poses, &failures->output};
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

void berth_score_files_discard(struct berth_score_files *files)
{
    berth_output_discard(files->rows);
    berth_output_discard(files->poses);
    files->rows = files->poses = NULL;
}
