#include "dock/output_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "score/fields.h"

/* Ligands that a warning names. */
enum { STRANGERS_LISTED = 3 };

enum berth_status berth_outputs_commit(struct berth_output **const *outputs, size_t count,
                                       struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        status = *outputs[i] ? berth_output_sync(*outputs[i], error) : BERTH_OK;
    }
    for (size_t i = 0; !status && i < count; i++) {
        status = *outputs[i] ? berth_output_commit(*outputs[i], error) : BERTH_OK;
        *outputs[i] = NULL;
    }
    return status;
}

/* --- What docked ligands go to --- */

enum berth_status berth_pose_files_create(struct berth_pose_files *files,
                                          const struct berth_pose_paths *paths,
                                          struct berth_error *error)
{
    for (size_t i = 0; i < BERTH_POSE_FILES; i++) {
        if (paths->poses[i]) {
            BERTH_TRY(berth_pose_format_of(paths->poses[i], &files->formats[i], error));
            BERTH_TRY(berth_output_create(paths->poses[i], &files->poses[i], error));
        }
    }
    if (paths->scores) {
        BERTH_TRY(berth_output_create(paths->scores, &files->scores, error));
        BERTH_TRY(berth_waiting_rows_create(&files->rows, error));
    }
    if (paths->side_chains) {
        BERTH_TRY(berth_output_create(paths->side_chains, &files->side_chains, error));
    }
    BERTH_TRY(berth_ligand_files_create(paths->each, &files->each, error));
    files->failures.log = files->log;
    return berth_failures_create(paths->failures, &files->failures, error);
}

struct berth_score_row berth_score_row_of(const struct berth_ligand *ligand,
                                          const struct berth_pose *mode, size_t number,
                                          const struct berth_score_columns *run)
{
    return (struct berth_score_row){.run = run,
                                    .ordinal = -1,
                                    .ligand = ligand->name,
                                    .mode = number,
                                    .pose = mode,
                                    .heavy_atoms =
                                        berth_heavy_count(&ligand->conformers[mode->conformer]),
                                    .conformers = ligand->conformer_count};
}

struct berth_pose_record berth_pose_files_record(struct berth_pose_files *files,
                                                 const struct berth_stream_ligand *ligand,
                                                 const struct berth_modes *modes, size_t number)
{
    const struct berth_ligand *whole = &ligand->whole.ligand;
    const struct berth_pose *mode = &modes->modes[number];
    struct berth_pose_record record = {.conformer = &whole->conformers[mode->conformer],
                                       .positions = (const double(*)[3])mode->positions,
                                       .best = (const double(*)[3])modes->modes[0].positions,
                                       .row =
                                           berth_score_row_of(whole, mode, number + 1, &files->run),
                                       .seed = files->seed + mode->seed,
                                       .known = &ligand->whole};
    record.row.ordinal = (long long)ligand->result.ordinal;
    record.row.device = files->devices[mode->device].name;
    record.row.receptor_scores = modes->scores;
    record.row.ranking = berth_stream_ligand_ranking(ligand, files->ranker, modes);
    if (files->moving) {
        free(files->moved);
        files->moved = berth_side_chains_text(&files->moving[mode->receptor], mode);
        record.side_chains = files->moved;
    }
    return record;
}

/* Writes a mode to each file of poses. */
static enum berth_status write_pose(const struct berth_pose_files *files,
                                    const struct berth_pose_record *record,
                                    struct berth_error *error)
{
    for (size_t i = 0; i < BERTH_POSE_FILES; i++) {
        if (files->poses[i]) {
            BERTH_TRY(berth_pose_write(files->poses[i], files->formats[i], record, error));
            BERTH_TRY(berth_output_check(files->poses[i], error));
        }
    }
    return BERTH_OK;
}

/* Writes the modes to a file of their own. */
static enum berth_status write_apart(struct berth_pose_files *files,
                                     const struct berth_stream_ligand *ligand,
                                     const struct berth_modes *modes, struct berth_error *error)
{
    struct berth_output *output = NULL;
    BERTH_TRY(berth_ligand_files_open(&files->each, ligand->whole.ligand.name, &output, error));
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < modes->count; i++) {
        const struct berth_pose_record record = berth_pose_files_record(files, ligand, modes, i);
        status = berth_pose_write(output, files->each.format, &record, error);
    }
    return berth_output_finish(output, status, error);
}

/* Writes the modes. */
static enum berth_status write_modes(struct berth_pose_files *files,
                                     const struct berth_stream_ligand *ligand,
                                     const struct berth_modes *modes, struct berth_error *error)
{
    for (size_t i = 0; i < modes->count; i++) {
        const struct berth_pose_record record = berth_pose_files_record(files, ligand, modes, i);
        BERTH_TRY(write_pose(files, &record, error));
        if (files->scores) {
            BERTH_TRY(berth_waiting_rows_add(&files->rows, &record.row, &ligand->whole, error));
        }
        if (files->side_chains) {
            const struct berth_score_row *row = &record.row;
            BERTH_TRY(berth_side_chains_print(&files->moving[row->pose->receptor], row->pose,
                                              row->ligand, row->mode, ++files->models,
                                              files->side_chains, error));
        }
    }
    return files->each.folder ? write_apart(files, ligand, modes, error) : BERTH_OK;
}

void berth_result_recall(const struct berth_result *result, struct berth_failures *failures)
{
    const struct berth_failure failure = {(long long)result->ordinal, result->title,
                                          result->failure, result->dropped};
    berth_failures_recall(failures, &failure);
}

static void list_name(struct berth_strange_names *list, const char *name)
{
    const size_t place = list->count++;
    if (place < STRANGERS_LISTED) {
        berth_text_append(list->names, sizeof list->names, "%s%.30s", place ? ", " : "", name);
    } else if (place == STRANGERS_LISTED) {
        berth_text_append(list->names, sizeof list->names, " ...");
    }
}

void berth_mismatches_add(struct berth_mismatches *mismatches, const char *name,
                          const struct berth_modes *modes)
{
    bool other_stereo = false;
    for (size_t i = 0; i < modes->count; i++) {
        other_stereo = other_stereo || modes->modes[i].other_stereo;
    }
    mismatches->of++;
    if (mismatches->reference && other_stereo) {
        list_name(&mismatches->isomers, name);
    } else if (mismatches->reference && modes->modes[0].rmsd < 0) {
        list_name(&mismatches->molecules, name);
    }
}

void berth_mismatches_warn(const struct berth_mismatches *mismatches, const char *reference,
                           const struct berth_log *log)
{
    const struct berth_strange_names *molecules = &mismatches->molecules;
    const struct berth_strange_names *isomers = &mismatches->isomers;
    if (isomers->count) {
        berth_warn(
            log, NULL,
            "no RMSD for %zu of %zu ligands (%s): %s%s is a stereoisomer, another at a centre "
            "or double bond; with any_stereo it is measured all the same",
            isomers->count, mismatches->of, isomers->names,
            reference ? "the reference " : "the ligand that was cut out of the receptor",
            reference ? reference : "");
    }
    if (molecules->count && reference) {
        berth_warn(log, NULL,
                   "no RMSD for %zu of %zu ligands (%s): the reference %s (%zu heavy atoms) has "
                   "other atoms or bonds; it must be the same molecule, and that alone",
                   molecules->count, mismatches->of, molecules->names, reference,
                   berth_heavy_count(mismatches->reference));
    } else if (molecules->count) {
        berth_note(log,
                   "no RMSD for %zu of %zu ligands (%s): the ligand that was cut out of the "
                   "receptor (%zu heavy atoms) has other atoms or bonds",
                   molecules->count, mismatches->of, molecules->names,
                   berth_heavy_count(mismatches->reference));
    }
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
    berth_mismatches_add(&files->mismatches, ligand->whole.ligand.name, modes);
    files->unweighted += berth_stream_ligand_is_unweighted(ligand, files->strain_weight);
    return write_modes(files, ligand, modes, error);
}

enum berth_status berth_pose_files_commit(struct berth_pose_files *files, struct berth_error *error)
{
    struct berth_output **const outputs[] = {&files->poses[0], &files->poses[1], &files->scores,
                                             &files->side_chains, &files->failures.output};
    if (files->side_chains) {
        berth_output_print(files->side_chains, "END\n");
    }
    if (files->scores) {
        BERTH_TRY(berth_waiting_rows_write(&files->rows, &files->run, files->scores, error));
    }
    return berth_outputs_commit(outputs, sizeof outputs / sizeof *outputs, error);
}

void berth_pose_files_warn(const struct berth_pose_files *files, const char *reference)
{
    berth_mismatches_warn(&files->mismatches, reference, files->log);
    if (files->unweighted) {
        berth_warn(files->log, NULL,
                   "%zu of %zu ligands are ranked by energy alone: the library does not have the "
                   "strain of all their conformers",
                   files->unweighted, files->ligands);
    }
}

void berth_pose_files_discard(struct berth_pose_files *files)
{
    for (size_t i = 0; i < BERTH_POSE_FILES; i++) {
        berth_output_discard(files->poses[i]);
        files->poses[i] = NULL;
    }
    berth_output_discard(files->scores);
    berth_output_discard(files->side_chains);
    berth_output_discard(files->failures.output);
    berth_waiting_rows_clear(&files->rows);
    berth_ligand_files_clear(&files->each);
    free(files->moved);
    files->moved = NULL;
    files->scores = files->side_chains = files->failures.output = NULL;
}

/* --- What scored molecules go to --- */

static void clear_first(struct berth_score_files *files)
{
    free(files->first_name);
    free(files->first_positions);
    files->first_name = NULL;
    files->first_positions = NULL;
}

static bool is_of_first(const struct berth_score_files *files, const struct berth_ligand *molecule)
{
    return files->first_name && molecule->conformers[0].mode > 0 &&
           strcmp(files->first_name, molecule->name) == 0 &&
           files->first_atoms == molecule->conformers[0].atom_count;
}

static enum berth_status keep_first(struct berth_score_files *files,
                                    const struct berth_ligand *molecule,
                                    const struct berth_pose *mode, struct berth_error *error)
{
    if (molecule->conformers[0].mode != 1) {
        return BERTH_OK;
    }
    clear_first(files);
    files->first_atoms = molecule->conformers[0].atom_count;
    files->first_name = berth_copy_text(molecule->name);
    BERTH_TRY(berth_make(&files->first_positions, files->first_atoms,
                         sizeof *files->first_positions, NULL, error));
    memcpy(files->first_positions, mode->positions,
           files->first_atoms * sizeof *files->first_positions);
    return files->first_name ? BERTH_OK : berth_out_of_memory(error, NULL);
}

struct berth_pose_record berth_score_files_record(const struct berth_score_files *files,
                                                  const struct berth_stream_ligand *ligand,
                                                  const struct berth_modes *modes)
{
    const struct berth_ligand *molecule = &ligand->whole.ligand;
    const size_t number = molecule->conformers[0].mode;
    struct berth_pose_record record = {
        .conformer = &molecule->conformers[0],
        .positions = (const double(*)[3])modes->modes[0].positions,
        .standing = true,
        .row = berth_score_row_of(molecule, &modes->modes[0], number ? number : 1, &files->run)};
    record.best = is_of_first(files, molecule) ? (const double(*)[3])files->first_positions : NULL;
    record.row.conformers = 0; /* each molecule is one */
    record.row.ranking = berth_stream_ligand_ranking(ligand, files->ranker, modes);
    return record;
}

enum berth_status berth_score_files_create(struct berth_score_files *files, const char *rows,
                                           const char *poses, struct berth_error *error)
{
    if (poses) {
        BERTH_TRY(berth_pose_format_of(poses, &files->format, error));
    }
    if (rows) {
        BERTH_TRY(berth_output_create(rows, &files->rows, error));
    }
    return poses ? berth_output_create(poses, &files->poses, error) : BERTH_OK;
}

/* modes: the first molecule was a mode of a docking. */
static void begin_table(struct berth_score_files *files, bool modes)
{
    if (files->rows && !files->begun) {
        struct berth_score_columns *table = &files->table;
        const bool placed =
            files->mismatches.reference || table->with & (BERTH_WITH_MINIMIZE | BERTH_WITH_RELAX);
        files->begun = true;
        table->with |=
            (modes ? BERTH_WITH_MODES : 0u) | (placed ? (unsigned)BERTH_WITH_REFERENCE : 0u);
        berth_score_table_begin(files->rows, table, NULL, 0);
    }
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
    berth_mismatches_add(&files->mismatches, ligand->whole.ligand.name, modes);
    struct berth_pose_record record = berth_score_files_record(files, ligand, modes);
    begin_table(files, record.conformer->mode > 0);
    if (files->rows) {
        struct berth_score_row row = record.row;
        row.run = &files->table;
        row.mode = record.conformer->mode;
        berth_score_table_add(files->rows, &row, NULL, 0);
        BERTH_TRY(berth_output_check(files->rows, error));
    }
    if (!files->poses) {
        return BERTH_OK;
    }
    BERTH_TRY(keep_first(files, &ligand->whole.ligand, &modes->modes[0], error));
    record = berth_score_files_record(files, ligand, modes);
    return berth_pose_write(files->poses, files->format, &record, error);
}

enum berth_status berth_score_files_commit(struct berth_score_files *files,
                                           struct berth_failures *failures,
                                           struct berth_error *error)
{
    begin_table(files, false);
    struct berth_output **const outputs[] = {&files->rows, &files->poses, &failures->output};
    return berth_outputs_commit(outputs, sizeof outputs / sizeof *outputs, error);
}

void berth_score_files_discard(struct berth_score_files *files)
{
    berth_output_discard(files->rows);
    berth_output_discard(files->poses);
    files->rows = files->poses = NULL;
    clear_first(files);
}
