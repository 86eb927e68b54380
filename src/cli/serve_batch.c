#include "cli/serve_batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "format/failures.h"

/* --- What is asked for --- */

static int compare_names(const void *a, const void *b)
{
    const struct serve_ligand *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

/* A name is what stands behind the SMILES on a line, up to a tab, blanks cut off. */
static const char *flaw_of(const struct serve_ligand *ligand)
{
    const char *name = ligand->name;
    const size_t length = strlen(name);
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < ' ') {
            return "its name has a control character";
        }
    }
    return !length || name[0] == ' ' || name[length - 1] == ' '
               ? "its name is empty, or begins or ends with a blank"
           : strpbrk(ligand->smiles, "\r\n")
               ? "a text of several lines is not one SMILES (ligand_in_format: smiles)"
           : !*ligand->smiles || strpbrk(ligand->smiles, " \t")
               ? "a SMILES has no blanks, and is not empty"
               : NULL;
}

static enum berth_status check(struct serve_batch *batch, struct berth_error *error)
{
    for (size_t i = 0; i < batch->count; i++) {
        struct serve_ligand *ligand = batch->sorted[i];
        if (i && strcmp(ligand->name, batch->sorted[i - 1]->name) == 0) {
            return berth_fail(error, BERTH_E_FORMAT, "payload: the ligand %s is there twice",
                              ligand->name);
        }
        const char *flaw = flaw_of(ligand);
        ligand->failure = flaw ? berth_copy_text(flaw) : NULL;
        if (flaw && !ligand->failure) {
            return berth_out_of_memory(error, NULL);
        }
    }
    return BERTH_OK;
}

enum berth_status serve_batch_create(const struct berth_json_value *payload, bool ranked,
                                     struct serve_batch *batch, struct berth_error *error)
{
    *batch = (struct serve_batch){.ranked = ranked};
    pthread_mutex_init(&batch->lock, NULL);
    if (!payload || payload->kind != BERTH_JSON_OBJECT) {
        return berth_fail(
            error, BERTH_E_FORMAT,
            "payload: an object with the SMILES of each ligand by its name is needed");
    }
    BERTH_TRY(berth_make(&batch->ligands, payload->inside, sizeof *batch->ligands, NULL, error));
    BERTH_TRY(
        berth_make(&batch->sorted, payload->inside, sizeof(struct serve_ligand *), NULL, error));
    BERTH_TRY(
        berth_make(&batch->written, payload->inside, sizeof(struct serve_ligand *), NULL, error));
    for (const struct berth_json_value *value = NULL; (value = berth_json_next(payload, value));) {
        if (value->kind != BERTH_JSON_TEXT) {
            return berth_fail(error, BERTH_E_FORMAT, "payload: %s is no text, but a SMILES is",
                              value->name);
        }
        struct serve_ligand *ligand = &batch->ligands[batch->count];
        *ligand = (struct serve_ligand){.name = value->name, .smiles = value->text};
        batch->sorted[batch->count++] = ligand;
    }
    qsort(batch->sorted, batch->count, sizeof(struct serve_ligand *), compare_names);
    return check(batch, error);
}

enum berth_status serve_batch_write(struct serve_batch *batch, const char *path,
                                    struct berth_error *error)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        return berth_io_error(path, "write", errno, error);
    }
    for (size_t i = 0; i < batch->count; i++) {
        struct serve_ligand *ligand = &batch->ligands[i];
        if (!ligand->failure) { /* behind a blank nothing names columns or is a comment */
            fprintf(file, " %s %s\n", ligand->smiles, ligand->name);
            batch->written[batch->written_count++] = ligand;
        }
    }
    const bool failed = ferror(file) != 0;
    return fclose(file) != 0 || failed ? berth_io_error(path, "write", errno, error) : BERTH_OK;
}

/* --- What became of them --- */

static struct serve_ligand *find(const struct serve_batch *batch, const char *name)
{
    const struct serve_ligand wanted = {.name = name}, *key = &wanted;
    struct serve_ligand **found =
        bsearch(&key, batch->sorted, batch->count, sizeof(struct serve_ligand *), compare_names);
    return found ? *found : NULL;
}

bool serve_batch_take(struct serve_batch *batch, const struct berth_docked_ligand *docked)
{
    if (docked->failure) {
        serve_batch_fail(batch, docked->name, docked->failure);
        return batch->starved;
    }
    struct serve_ligand *ligand =
        docked->ordinal < batch->written_count ? batch->written[docked->ordinal] : NULL;
    const double score = batch->ranked ? docked->ranking : docked->poses[0]->value;
    if (!ligand || (ligand->poses.count && ligand->score <= score)) {
        return false;
    }
    berth_bytes_clear(&ligand->poses);
    ligand->score = score;
    for (size_t i = 0; i < docked->pose_count; i++) {
        berth_bytes_print(&ligand->poses, "%s", docked->poses[i]->sdf);
    }
    berth_bytes_put8(&ligand->poses, 0);
    batch->starved = batch->starved || ligand->poses.failed;
    return batch->starved;
}

void serve_batch_fail(struct serve_batch *batch, const char *name, const char *why)
{
    struct serve_ligand *ligand = find(batch, name);
    pthread_mutex_lock(&batch->lock);
    if (ligand && !ligand->failure) {
        char *reason = berth_copy_text(berth_failure_behind_place(why));
        batch->starved = batch->starved || !reason;
        if (reason) {
            berth_text_drop_name(reason, name);
        }
        ligand->failure = reason;
    }
    pthread_mutex_unlock(&batch->lock);
}

bool serve_batch_is_whole(const struct serve_batch *batch)
{
    size_t whole = 0;
    for (size_t i = 0; i < batch->count; i++) {
        whole += batch->ligands[i].failure || batch->ligands[i].poses.count;
    }
    return whole == batch->count;
}

void serve_batch_clear(struct serve_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        berth_bytes_clear(&batch->ligands[i].poses);
        free(batch->ligands[i].failure);
    }
    free(batch->ligands);
    free(batch->sorted);
    free(batch->written);
    pthread_mutex_destroy(&batch->lock);
}
