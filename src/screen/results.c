#include "screen/results.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "dock/modes.h"
#include "dock/output_files.h"
#include "screen/library_walk.h"
#include "screen/ranks.h"
#include "screen/required.h"
#include "dock/flexible/side_chains.h"
#include "format/failures.h"
#include "format/library/library.h"
#include "format/output.h"
#include "format/poses.h"
#include "prep/ligands/ligands.h"

/* One of the best ligands, and where its poses stand in a file that has them in another order. */
struct hit {
    uint64_t ordinal;
    char *title;              /* owned */
    size_t rank;              /* from 1 */
    double ranking;           /* what the run's makes of the ligand */
    struct berth_pose *modes; /* owned; [mode_count]; without positions */
    size_t mode_count;
    uint64_t begin, end; /* bytes */
};

/* What both passes work with. */
struct writing {
    struct berth_screen_outcome *outcome;
    struct hit *hits; /* owned; [hit_count], best first */
    size_t hit_count;
    struct berth_ranks ranks;
    size_t next;                      /* ligand of these whose row is written next */
    struct berth_known_columns known; /* what the library brings behind our own columns */
    bool corrupt;                     /* the write-out stream is, somewhere */
    struct berth_failures failures;
    struct berth_output *scores, *poses, *side_chains, *unranked;
};

/* --- What is said of a mode --- */

/* What is said of a mode of a result, the first one unless the caller changes that; it borrows from
 * all of these.  scores: the result's in each receptor. */
static struct berth_score_row row_of_mode(const struct berth_result *result,
                                          const struct berth_pose *mode,
                                          const struct berth_run_records *records,
                                          const struct berth_score_columns *run,
                                          const double *scores)
{
    return (struct berth_score_row){
        .run = run,
        .ordinal = (long long)result->ordinal,
        .ligand = result->title,
        .mode = 1,
        .pose = mode,
        .heavy_atoms = result->heavy_count,
        .conformers = result->conformer_count,
        .device = records->devices.devices[mode->device].texts[BERTH_KNOWN_NAME],
        .receptor_scores = scores,
        .ranking = NAN};
}

/* --- The best ligands: written with all atoms and bonds --- */

/* Keeps the result, of which the row is, where there is a place for it.  Errors: BERTH_E_MEMORY. */
static enum berth_status keep_hit(struct writing *writing, const struct berth_result *result,
                                  const struct berth_score_row *row, struct berth_error *error)
{
    if (row->rank > writing->hit_count) {
        return BERTH_OK;
    }
    const struct berth_modes *modes = &result->modes;
    struct hit *hit = &writing->hits[row->rank - 1];
    *hit = (struct hit){.ordinal = result->ordinal,
                        .rank = row->rank,
                        .ranking = row->ranking,
                        .mode_count = modes->count};
    BERTH_TRY(berth_make(&hit->modes, modes->count, sizeof *hit->modes, NULL, error));
    memcpy(hit->modes, modes->modes, modes->count * sizeof *hit->modes);
    hit->title = berth_copy_text(result->title);
    return hit->title ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static void clear_hits(struct writing *writing)
{
    for (size_t i = 0; writing->hits && i < writing->hit_count; i++) {
        free(writing->hits[i].modes);
        free(writing->hits[i].title);
    }
    free(writing->hits);
}

/* What the poses of a hit are written from. */
struct hit_writing {
    const struct berth_screen_outcome *outcome;
    const struct hit *hit;
    struct berth_library_ligand ligand; /* owned */
    struct berth_score_columns run;
    double scores[BERTH_RECEPTORS_MAX]; /* the ligand's best in each receptor */
};

/* The row of pose `number` of the hit. */
static struct berth_score_row row_of(const struct hit_writing *writing,
                                     const struct berth_pose *mode, size_t number)
{
    const struct berth_ligand *ligand = &writing->ligand.ligand;
    const struct berth_result result = {.ordinal = writing->hit->ordinal,
                                        .title = ligand->name,
                                        .heavy_count =
                                            berth_heavy_count(&ligand->conformers[mode->conformer]),
                                        .conformer_count = ligand->conformer_count};
    struct berth_score_row row =
        row_of_mode(&result, mode, writing->outcome->poses.records, &writing->run, writing->scores);
    row.rank = writing->hit->rank;
    row.ranking = writing->hit->ranking;
    row.mode = number + 1;
    return row;
}

/* Writes pose `number` of the hit. */
static enum berth_status write_mode(struct hit_writing *writing, size_t number,
                                    struct berth_output *output, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    const struct hit *hit = writing->hit;
    const struct berth_ligand *ligand = &writing->ligand.ligand;
    const struct berth_pose *mode = &hit->modes[number];
    double(*positions)[3];
    char *moved = NULL;
    BERTH_TRY(
        berth_library_place(&writing->ligand, mode, outcome->poses.center, &positions, error));
    if (outcome->poses.side_chains) {
        moved = berth_side_chains_text(&outcome->poses.side_chains[mode->receptor], mode);
    }
    const struct berth_molecule *conformer = &ligand->conformers[mode->conformer];
    const struct berth_pose_record record = {.conformer = conformer,
                                             .positions = (const double(*)[3])positions,
                                             .row = row_of(writing, mode, number),
                                             .seed = outcome->seed,
                                             .known = &writing->ligand,
                                             .side_chains = moved};
    enum berth_status status = berth_pose_write(output, BERTH_POSE_SDF, &record, error);
    free(moved);
    free(positions);
    return status;
}

static enum berth_status write_hit(const struct berth_screen_outcome *outcome,
                                   const struct hit *hit, struct berth_library_walk *walk,
                                   struct berth_output *output, struct berth_error *error)
{
    struct hit_writing writing = {
        .outcome = outcome, .hit = hit, .run = berth_run_records_columns(outcome->poses.records)};
    enum berth_status status = berth_library_walk_to(walk, hit->ordinal, &writing.ligand, error);
    const struct berth_modes modes = {.modes = hit->modes, .count = hit->mode_count};
    berth_modes_scores(&modes, writing.scores);
    for (size_t i = 0; !status && i < hit->mode_count && i < outcome->poses.num_modes; i++) {
        status = write_mode(&writing, i, output, error);
    }
    berth_library_ligand_clear(&writing.ligand);
    return status;
}

static int by_place(const void *left, const void *right)
{
    const struct hit *a = left, *b = right;
    return a->ordinal < b->ordinal ? -1 : 1; /* no two have one */
}

static int by_rank(const void *left, const void *right)
{
    const struct hit *a = left, *b = right;
    return a->rank < b->rank ? -1 : 1;
}

/* Hits that a thread makes at a time, so that what is held in memory stays small; and threads. */
enum { PART = 32, THREADS_MAX = 16 };

/* Hits that one thread makes, in the library's order. */
struct part {
    const struct berth_screen_outcome *outcome;
    struct berth_library_walk walk; /* goes on from part to part */
    struct hit *hits;               /* [count]; they come to stand in text */
    size_t count;
    char *text; /* owned; [size] */
    size_t size;
    enum berth_status status;
    struct berth_error error;
};

static void make_part(void *context, size_t number)
{
    struct part *part = (struct part *)context + number;
    struct berth_output *output = NULL;
    part->status = berth_output_create_memory(&part->text, &part->size, &output, &part->error);
    for (size_t i = 0; !part->status && i < part->count; i++) {
        part->hits[i].begin = berth_output_size(output);
        part->status = write_hit(part->outcome, &part->hits[i], &part->walk, output, &part->error);
        if (part->status == BERTH_E_FORMAT) {
            part->status = BERTH_OK; /* a row of failures.csv says so */
        }
        part->hits[i].end = berth_output_size(output);
    }
    if (!part->status) {
        part->status = berth_output_check(output, &part->error);
    }
    berth_output_discard(output);
}

/* Appends what was made, and says where each hit stands then. */
static enum berth_status append_part(struct part *part, struct berth_output *scratch,
                                     struct berth_error *error)
{
    const uint64_t begin = berth_output_size(scratch);
    if (part->status) {
        *error = part->error;
        return part->status;
    }
    for (size_t i = 0; i < part->count; i++) {
        part->hits[i].begin += begin;
        part->hits[i].end += begin;
    }
    berth_output_bytes(scratch, part->text, part->size);
    return berth_output_check(scratch, error);
}

/* Writes the hits in the library's order, and notes where. */
static enum berth_status write_in_library_order(struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    const size_t count = writing->hit_count;
    struct part parts[THREADS_MAX];
    const size_t processors = berth_processors();
    const size_t threads = processors < THREADS_MAX ? processors : THREADS_MAX;
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; k < threads; k++) {
        parts[k] = (struct part){.outcome = outcome,
                                 .walk = {.reader = outcome->poses.library,
                                          .range = outcome->poses.range,
                                          .whole = true}};
    }
    qsort(writing->hits, count, sizeof *writing->hits, by_place);
    for (size_t next = 0; !status && next < count;) {
        size_t pieces = 0;
        for (; pieces < threads && next < count; pieces++) {
            parts[pieces].hits = writing->hits + next;
            parts[pieces].count = count - next < PART ? count - next : PART;
            next += parts[pieces].count;
        }
        berth_in_parallel(pieces, make_part, parts);
        for (size_t k = 0; k < pieces; k++) {
            status = status ? status : append_part(&parts[k], writing->unranked, error);
            free(parts[k].text);
            parts[k].text = NULL;
        }
    }
    for (size_t k = 0; k < threads; k++) {
        berth_library_walk_clear(&parts[k].walk);
    }
    return status;
}

/* Writes the poses of the hits; a ligand that cannot be read is left out.  They are made in the
 * library's order, whose blocks are large, by a thread for each processor, in a file beside the
 * output's.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
static enum berth_status write_hits(struct writing *writing, struct berth_error *error)
{
    BERTH_TRY(berth_output_create_in(writing->outcome->folder, "hits.unranked", &writing->unranked,
                                     error));
    BERTH_TRY(berth_output_unname(writing->unranked, error));
    BERTH_TRY(write_in_library_order(writing, error));
    qsort(writing->hits, writing->hit_count, sizeof *writing->hits, by_rank);
    for (size_t i = 0; i < writing->hit_count; i++) {
        const struct hit *hit = &writing->hits[i];
        BERTH_TRY(
            berth_output_copy(writing->poses, writing->unranked, hit->begin, hit->end, error));
    }
    return BERTH_OK;
}

/* Writes the side chains of the hits' poses, in their order, which write_hits leaves. */
static enum berth_status write_side_chains(const struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    struct berth_output *output = writing->side_chains;
    size_t models = 0;
    for (size_t i = 0; outcome->poses.side_chains && i < writing->hit_count; i++) {
        const struct hit *hit = &writing->hits[i];
        const bool written = hit->end > hit->begin; /* else it could not be read */
        for (size_t k = 0; written && k < hit->mode_count && k < outcome->poses.num_modes; k++) {
            const struct berth_side_chains *chains =
                &outcome->poses.side_chains[hit->modes[k].receptor];
            BERTH_TRY(berth_side_chains_print(chains, &hit->modes[k], hit->title, k + 1, ++models,
                                              output, error));
        }
    }
    if (outcome->poses.side_chains) {
        berth_output_print(output, "END\n");
    }
    return BERTH_OK;
}

/* --- All files --- */

/* Two passes over the journals and, where the library carries properties, over its write-out
 * stream: the first finds the ranks and the names of the properties, the second writes. */

/* What is written to the folder beside the journal; hits.unranked never stays. */
static const char *const FILES[] = {"scores.csv",     "failures.csv",  "hits.sdf",
                                    BERTH_HITS_MOVED, "hits.unranked", BERTH_REQUIRED_TABLE,
                                    "run.json"};
enum { FILE_COUNT = sizeof FILES / sizeof *FILES };

enum berth_status berth_screen_folder_check(const char *path, struct berth_error *error)
{
    return berth_folder_probe(path, FILES, FILE_COUNT, error);
}

void berth_screen_folder_sweep(const char *path)
{
    berth_folder_sweep(path, FILES, FILE_COUNT);
}

enum berth_status berth_screen_folder_empty(const char *path, struct berth_error *error)
{
    for (size_t i = 0; i < FILE_COUNT; i++) {
        char file[PATH_MAX];
        BERTH_TRY(berth_path_in(path, FILES[i], file, sizeof file, error));
        BERTH_TRY(berth_file_remove(file, BERTH_OK, error));
    }
    return BERTH_OK;
}

/* The first pass. */
static enum berth_status find_ranks(struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    struct berth_library_walk walk = {.reader = outcome->poses.library,
                                      .range = outcome->poses.range};
    struct berth_result *result = &outcome->poses.records->result;
    bool end = false;
    berth_run_records_rewind(outcome->poses.records, outcome->poses.range.next);
    enum berth_status status = berth_run_records_next(outcome->poses.records, &end, error);
    while (!status && !end) {
        struct berth_library_ligand ligand = {0};
        if (!result->failure) {
            status = berth_ranks_add(&writing->ranks, result, error);
            BERTH_THEN(berth_library_walk_to(&walk, result->ordinal, &ligand, error));
        }
        if (status == BERTH_E_FORMAT) {
            writing->corrupt = true;
            status = BERTH_OK;
        }
        BERTH_THEN(berth_known_columns_add(&writing->known, &ligand, error));
        berth_library_ligand_clear(&ligand);
        BERTH_THEN(berth_run_records_next(outcome->poses.records, &end, error));
    }
    berth_library_walk_clear(&walk);
    BERTH_THEN(berth_ranks_close(&writing->ranks, error));
    writing->hit_count = writing->ranks.count < outcome->top ? writing->ranks.count : outcome->top;
    BERTH_THEN(berth_make(&writing->hits, writing->hit_count, sizeof *writing->hits, NULL, error));
    return status;
}

static enum berth_status print_header(const struct writing *writing, struct berth_error *error)
{
    const struct berth_score_columns run =
        berth_run_records_columns(writing->outcome->poses.records);
    return berth_known_table_begin(writing->scores, &run, &writing->known, error);
}

static enum berth_status print_score(struct writing *writing, struct berth_result *result,
                                     const struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    const struct berth_run_records *records = writing->outcome->poses.records;
    const size_t place = writing->next++; /* in their order */
    double scores[BERTH_RECEPTORS_MAX];
    BERTH_TRY(berth_ranks_settle(&writing->ranks, place, result, error));
    berth_modes_scores(&result->modes, scores);
    const struct berth_score_columns run = berth_run_records_columns(records);
    struct berth_score_row row =
        row_of_mode(result, &result->modes.modes[0], records, &run, scores);
    row.rank = (size_t)writing->ranks.ligands[place].rank;
    row.ranking = writing->ranks.values ? writing->ranks.values[place] : NAN;
    BERTH_TRY(berth_known_table_add(writing->scores, &row, &writing->known, ligand, error));
    return keep_hit(writing, result, &row, error);
}

/* The rows of a ligand. */
static enum berth_status print_result(struct writing *writing, struct berth_library_walk *walk,
                                      struct berth_error *error)
{
    struct berth_result *result = &writing->outcome->poses.records->result;
    if (result->failure) {
        berth_result_recall(result, &writing->failures);
        return BERTH_OK;
    }
    struct berth_library_ligand ligand = {0};
    enum berth_status status = BERTH_OK;
    if (writing->known.smiles || writing->known.count || writing->corrupt) {
        status = berth_library_walk_to(walk, result->ordinal, &ligand, error);
    }
    if (status == BERTH_E_FORMAT) {
        char reason[sizeof error->message];
        snprintf(reason, sizeof reason,
                 "docked, but its structure and properties cannot be read: %.1800s",
                 error->message);
        struct berth_result unread = *result;
        unread.failure = reason;
        berth_result_recall(&unread, &writing->failures);
        status = BERTH_OK;
    }
    BERTH_THEN(print_score(writing, result, &ligand, error));
    berth_library_ligand_clear(&ligand);
    return status ? status : berth_output_check(writing->scores, error);
}

/* The second pass. */
static enum berth_status print_all(struct writing *writing, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    struct berth_library_walk walk = {.reader = outcome->poses.library,
                                      .range = outcome->poses.range};
    bool end = false;
    berth_run_records_rewind(outcome->poses.records, outcome->poses.range.next);
    enum berth_status status = print_header(writing, error);
    for (size_t i = 0; !status && i < outcome->unprepared_count; i++) {
        status = berth_ligands_recall(outcome->unprepared[i], &writing->failures, error);
    }
    BERTH_THEN(berth_run_records_next(outcome->poses.records, &end, error));
    while (!status && !end) {
        status = print_result(writing, &walk, error);
        BERTH_THEN(berth_run_records_next(outcome->poses.records, &end, error));
    }
    berth_library_walk_clear(&walk);
    return status;
}

static enum berth_status create_failures(const struct berth_screen_outcome *outcome,
                                         struct berth_failures *failures, struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(berth_path_in(outcome->folder, "failures.csv", path, sizeof path, error));
    return berth_failures_create(path, failures, error);
}

/* Looks for what is asked of poses: from here on the records have no others. */
static enum berth_status find_required(struct berth_screen_outcome *outcome,
                                       struct berth_error *error)
{
    char path[PATH_MAX];
    if (!outcome->required_setup) { /* of an earlier run that asked for something */
        BERTH_TRY(berth_path_in(outcome->folder, BERTH_REQUIRED_TABLE, path, sizeof path, error));
        return berth_file_remove(path, BERTH_OK, error);
    }
    outcome->poses.records->made = NULL;
    BERTH_TRY(
        berth_required_find(outcome->required_setup, &outcome->poses, outcome->required, error));
    outcome->poses.records->made = &outcome->required->made;
    return berth_required_write(outcome->required, outcome->folder, error);
}

enum berth_status berth_screen_results_write(struct berth_screen_outcome *outcome,
                                             struct berth_error *error)
{
    struct writing writing = {.outcome = outcome,
                              .ranks = {.ranker = outcome->ranker,
                                        .judged_top = outcome->judged_top,
                                        .again = outcome->again}};
    struct berth_output **const outputs[] = {&writing.failures.output, &writing.poses,
                                             &writing.scores, &writing.side_chains};
    const size_t output_count = outcome->poses.side_chains ? 4 : 3;
    enum berth_status status =
        berth_output_create_in(outcome->folder, "scores.csv", &writing.scores, error);
    BERTH_THEN(create_failures(outcome, &writing.failures, error));
    BERTH_THEN(berth_output_create_in(outcome->folder, "hits.sdf", &writing.poses, error));
    if (!status && outcome->poses.side_chains) {
        status =
            berth_output_create_in(outcome->folder, BERTH_HITS_MOVED, &writing.side_chains, error);
    }
    BERTH_THEN(find_required(outcome, error));
    BERTH_THEN(find_ranks(&writing, error));
    BERTH_THEN(print_all(&writing, error));
    BERTH_THEN(write_hits(&writing, error));
    BERTH_THEN(write_side_chains(&writing, error));
    BERTH_THEN(berth_outputs_commit(outputs, output_count, error));
    berth_output_discard(writing.scores);
    outcome->failed = writing.failures.count;
    outcome->commonest = berth_failures_commonest(&writing.failures);
    outcome->docked = writing.ranks.count;
    berth_output_discard(writing.failures.output);
    berth_output_discard(writing.poses);
    berth_output_discard(writing.side_chains);
    berth_output_discard(writing.unranked);
    clear_hits(&writing);
    berth_ranks_clear(&writing.ranks);
    berth_known_columns_clear(&writing.known);
    return status;
}
