/* The best ligands of a screen: kept in a heap, and written with all atoms and bonds. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "score/terms.h"
#include "base/parallel.h"
#include "dock/screen/hits.h"
#include "dock/screen/walk.h"
#include "dock/modes.h"
#include "format/folder.h"
#include "format/poses.h"

/* Ties break in the library's order. */
static bool is_better(const struct berth_hit *a, const struct berth_hit *b)
{
    return a->value != b->value ? a->value < b->value : a->ordinal < b->ordinal;
}

static void swap(struct berth_hit *a, struct berth_hit *b)
{
    const struct berth_hit kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the hit at place down until no child is worse than its parent. */
static void sink(struct berth_hits *hits, size_t place)
{
    for (;;) {
        size_t worst = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2; child++) {
            if (child < hits->count && is_better(&hits->hits[worst], &hits->hits[child])) {
                worst = child;
            }
        }
        if (worst == place) {
            return;
        }
        swap(&hits->hits[place], &hits->hits[worst]);
        place = worst;
    }
}

static void rise(struct berth_hits *hits, size_t place)
{
    while (place && is_better(&hits->hits[(place - 1) / 2], &hits->hits[place])) {
        swap(&hits->hits[place], &hits->hits[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
}

enum berth_status berth_hits_add(struct berth_hits *hits, const struct berth_result *result,
                                 struct berth_error *error)
{
    struct berth_hit hit = {.value = result->modes[0].value,
                            .ordinal = result->ordinal,
                            .mode_count = result->mode_count};
    const bool full = hits->count == hits->most;
    if (full && (!hits->most || !is_better(&hit, &hits->hits[0]))) {
        return BERTH_OK;
    }
    enum berth_status status =
        berth_reserve(&hits->hits, &hits->capacity, hits->count + 1, sizeof *hits->hits, error);
    if (status) {
        return status;
    }
    hit.modes = berth_alloc(hit.mode_count, sizeof *hit.modes);
    if (!hit.modes) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu hits", hits->count);
    }
    memcpy(hit.modes, result->modes, hit.mode_count * sizeof *hit.modes);
    if (full) {
        free(hits->hits[0].modes);
        hits->hits[0] = hit;
        sink(hits, 0);
    } else {
        hits->hits[hits->count++] = hit;
        rise(hits, hits->count - 1);
    }
    return BERTH_OK;
}

static int by_rank(const void *left, const void *right)
{
    return is_better(left, right) ? -1 : 1; /* no two have one ordinal */
}

void berth_hits_sort(struct berth_hits *hits)
{
    if (hits->count) {
        qsort(hits->hits, hits->count, sizeof *hits->hits, by_rank);
    }
}

void berth_hits_clear(struct berth_hits *hits)
{
    for (size_t i = 0; i < hits->count; i++) {
        free(hits->hits[i].modes);
    }
    free(hits->hits);
    memset(hits, 0, sizeof *hits);
}

/* What is known of a hit beside its poses. */
enum { TAG_SMILES, OWN_TAGS };

/* Tags of a hit, whose texts are owned or borrowed from the ligand. */
struct hit_tags {
    struct berth_tag *tags;           /* owned; [count] */
    char (*names)[BERTH_COLUMN_SIZE]; /* owned; of the properties */
    size_t count;
};

static void clear_tags(struct hit_tags *tags)
{
    free(tags->tags);
    free(tags->names);
}

static enum berth_status make_tags(const struct berth_library_ligand *ligand,
                                   const struct berth_run_records *records, struct hit_tags *tags,
                                   struct berth_error *error)
{
    tags->tags = berth_alloc(OWN_TAGS + ligand->property_count, sizeof *tags->tags);
    tags->names = berth_alloc(ligand->property_count, sizeof *tags->names);
    if (!tags->tags || !tags->names) {
        return berth_out_of_memory(error, NULL);
    }
    tags->tags[TAG_SMILES] = (struct berth_tag){BERTH_COLUMN_NAMES[BERTH_COLUMN_SMILES],
                                                ligand->smiles ? ligand->smiles : ""};
    for (size_t i = 0; i < ligand->property_count; i++) {
        berth_property_column(ligand->properties[i].name, records, tags->names[i]);
        tags->tags[OWN_TAGS + i] = (struct berth_tag){tags->names[i], ligand->properties[i].value};
    }
    tags->count = OWN_TAGS + ligand->property_count;
    return BERTH_OK;
}

/* What the poses of a hit are written from. */
struct writing {
    const struct berth_screen_outcome *outcome;
    const struct berth_hit *hit;
    size_t rank;                        /* from 1 */
    struct berth_library_ligand ligand; /* owned */
    struct hit_tags tags;               /* owned */
    double scores[BERTH_RECEPTORS_MAX]; /* the ligand's best in each receptor */
};

/* A hit and where its poses stand in the file that has them in the library's order. */
struct placed_hit {
    const struct berth_hit *hit; /* borrowed */
    size_t rank;                 /* from 1 */
    uint64_t begin, end;         /* bytes */
};

/* The row of pose `number` of the hit. */
static struct berth_score_row row_of(const struct writing *writing,
                                     const struct berth_result_mode *mode, size_t number)
{
    const struct berth_ligand *ligand = &writing->ligand.ligand;
    const struct berth_result result = {.ordinal = writing->hit->ordinal,
                                        .title = ligand->name,
                                        .heavy_count =
                                            berth_heavy_count(&ligand->conformers[mode->conformer]),
                                        .conformer_count = ligand->conformer_count};
    struct berth_score_row row =
        berth_screen_row(&result, mode, writing->outcome->records, writing->scores);
    row.rank = writing->rank;
    row.mode = number + 1;
    return row;
}

/* Writes pose `number` of the hit. */
static enum berth_status write_mode(struct writing *writing, size_t number,
                                    struct berth_output *output, struct berth_error *error)
{
    const struct berth_screen_outcome *outcome = writing->outcome;
    const struct berth_hit *hit = writing->hit;
    const struct berth_ligand *ligand = &writing->ligand.ligand;
    const struct berth_result_mode *mode = &hit->modes[number];
    if (mode->conformer >= ligand->conformer_count) {
        return berth_fail(error, BERTH_E_FORMAT, "ligand %llu has no conformer %zu",
                          (unsigned long long)hit->ordinal, mode->conformer + 1);
    }
    const struct berth_molecule *conformer = &ligand->conformers[mode->conformer];
    double centroid[3];
    berth_heavy_centroid(conformer, centroid);
    const struct berth_placed_pose placed = {.transform = &mode->pose.transform,
                                             .angles = mode->torsions ? mode->angles : NULL,
                                             .tree = &writing->ligand.tree,
                                             .centroid = centroid,
                                             .center = outcome->center};
    double(*positions)[3] = berth_pose_place(conformer, &placed);
    if (!positions) {
        return berth_out_of_memory(error, NULL);
    }
    const struct berth_pose_record record = {.conformer = conformer,
                                             .positions = (const double(*)[3])positions,
                                             .row = row_of(writing, mode, number),
                                             .seed = outcome->seed,
                                             .more = writing->tags.tags,
                                             .more_count = writing->tags.count};
    enum berth_status status = berth_pose_write(output, BERTH_POSE_SDF, &record, error);
    free(positions);
    return status;
}

static enum berth_status write_hit(const struct berth_screen_outcome *outcome,
                                   const struct placed_hit *placed, struct berth_library_walk *walk,
                                   struct berth_output *output, struct berth_error *error)
{
    const struct berth_hit *hit = placed->hit;
    struct writing writing = {.outcome = outcome, .hit = hit, .rank = placed->rank};
    enum berth_status status = berth_library_walk_to(walk, hit->ordinal, &writing.ligand, error);
    BERTH_THEN(make_tags(&writing.ligand, outcome->records, &writing.tags, error));
    berth_result_scores(hit->modes, hit->mode_count, writing.scores);
    for (size_t i = 0; !status && i < hit->mode_count && i < outcome->num_modes; i++) {
        status = write_mode(&writing, i, output, error);
    }
    clear_tags(&writing.tags);
    berth_library_ligand_clear(&writing.ligand);
    return status;
}

static int placed_by_ordinal(const void *left, const void *right)
{
    const struct placed_hit *a = left, *b = right;
    return a->hit->ordinal < b->hit->ordinal ? -1 : 1; /* no two have one */
}

static int placed_by_rank(const void *left, const void *right)
{
    const struct placed_hit *a = left, *b = right;
    return a->rank < b->rank ? -1 : 1;
}

/* Hits that a thread makes at a time, so that what is held in memory stays small; and threads. */
enum { PART = 32, THREADS_MAX = 16 };

/* Hits that one thread makes, in the library's order. */
struct part {
    const struct berth_screen_outcome *outcome;
    struct berth_library_walk walk; /* goes on from part to part */
    struct placed_hit *hits;        /* [count]; they come to stand in text */
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
static enum berth_status write_in_library_order(struct placed_hit *hits, size_t count,
                                                const struct berth_screen_outcome *outcome,
                                                struct berth_output *scratch,
                                                struct berth_error *error)
{
    struct part parts[THREADS_MAX];
    const size_t processors = berth_processors();
    const size_t threads = processors < THREADS_MAX ? processors : THREADS_MAX;
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; k < threads; k++) {
        parts[k] = (struct part){
            .outcome = outcome,
            .walk = {.reader = outcome->library, .range = outcome->range, .whole = true}};
    }
    qsort(hits, count, sizeof *hits, placed_by_ordinal);
    for (size_t next = 0; !status && next < count;) {
        size_t pieces = 0;
        for (; pieces < threads && next < count; pieces++) {
            parts[pieces].hits = hits + next;
            parts[pieces].count = count - next < PART ? count - next : PART;
            next += parts[pieces].count;
        }
        berth_in_parallel(pieces, make_part, parts);
        for (size_t k = 0; k < pieces; k++) {
            status = status ? status : append_part(&parts[k], scratch, error);
            free(parts[k].text);
            parts[k].text = NULL;
        }
    }
    for (size_t k = 0; k < threads; k++) {
        berth_library_walk_clear(&parts[k].walk);
    }
    return status;
}

enum berth_status berth_hits_write(const struct berth_hits *hits,
                                   const struct berth_screen_outcome *outcome,
                                   struct berth_output *output, struct berth_error *error)
{
    struct berth_output *scratch = NULL;
    char path[PATH_MAX];
    struct placed_hit *placed = berth_alloc(hits->count, sizeof *placed);
    if (!placed) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu hits", hits->count);
    }
    for (size_t i = 0; i < hits->count; i++) {
        placed[i] = (struct placed_hit){.hit = &hits->hits[i], .rank = i + 1};
    }
    enum berth_status status =
        berth_path_in(outcome->folder, "hits.unranked", path, sizeof path, error);
    BERTH_THEN(berth_output_create(path, &scratch, error));
    BERTH_THEN(write_in_library_order(placed, hits->count, outcome, scratch, error));
    qsort(placed, hits->count, sizeof *placed, placed_by_rank);
    for (size_t i = 0; !status && i < hits->count; i++) {
        status = berth_output_copy(output, scratch, placed[i].begin, placed[i].end, error);
    }
    berth_output_discard(scratch);
    free(placed);
    return status;
}
