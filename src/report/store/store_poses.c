/* Poses of a run, with their structures and interactions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "score/receptor_names.h"
#include "format/records.h"
#include "format/sdf/sdf.h"
#include "report/store/store_internal.h"
#include "score/fields.h"

/* The complex of the receptor that a pose is in; NULL where it cannot be opened and need not be,
 * which a warning says the first time: its poses have no interactions. */
static enum berth_status find_complex(struct store *store, const char *receptor,
                                      struct berth_complex **complex, struct berth_error *error)
{
    const size_t known = store->complexes.count;
    struct berth_error why;
    const enum berth_status status =
        berth_complexes_find(&store->complexes, receptor, complex, &why);
    if (status && store->run->complete) {
        *error = why;
        return status;
    }
    if (status && store->complexes.count > known) {
        berth_warn(store->run->wait.log, NULL, "%s: no interactions of poses: %s", store->run->path,
                   why.message);
    }
    *complex = status ? NULL : *complex;
    return BERTH_OK;
}

static enum berth_status add_interaction(struct store *store, const int64_t key[2],
                                         const struct berth_interaction *item,
                                         const struct berth_complex *complex,
                                         const struct berth_molecule *pose,
                                         struct berth_error *error)
{
    struct berth_statement *statement = store->interaction;
    struct berth_interaction_texts texts;
    berth_interaction_texts(item, complex, pose, &texts);
    berth_statement_set_integer(statement, 1, key[0]);
    berth_statement_set_integer(statement, 2, key[1]);
    for (int k = 0; k < BERTH_INTERACTION_COLUMNS; k++) { /* numbers are made of the texts */
        const char *cell = texts.cells[k];
        const bool names = k < BERTH_INTERACTION_NAMES; /* a blank chain's is "" */
        berth_statement_set_text(statement, 3 + k, *cell || names ? cell : NULL);
    }
    return berth_statement_run(statement, error);
}

/* side_chains: the pose's tag. */
static enum berth_status add_interactions(struct store *store, const int64_t key[2],
                                          struct berth_complex *complex,
                                          const struct berth_bytes *text, const char *side_chains,
                                          struct berth_error *error)
{
    struct berth_molecule pose = {0};
    struct berth_interactions found = {0};
    struct berth_error why;
    enum berth_status status =
        berth_molfile_read((const char *)text->data, text->count, &pose, &why);
    if (!status) {
        status = berth_complex_put(complex, &pose, side_chains, &why);
        if (status == BERTH_E_FORMAT) {
            berth_warn(store->run->wait.log, NULL, "%s: a pose without interactions: %s",
                       store->run->path, why.message);
        }
    }
    if (!status && pose.atom_count) {
        status = berth_interactions_find(complex, &pose, &found, &why);
    }
    if (status == BERTH_E_MEMORY) {
        *error = why;
    } else { /* such as one without hydrogens: it has none */
        status = BERTH_OK;
    }
    for (size_t i = 0; !status && i < found.count; i++) {
        if (found.items[i].kind != BERTH_INTERACTION_CONTACT) {
            status = add_interaction(store, key, &found.items[i], complex, &pose, error);
        }
    }
    berth_interactions_clear(&found);
    berth_molecule_clear(&pose);
    return status;
}

static enum berth_status add_structure(struct store *store, const int64_t key[2],
                                       const struct berth_bytes *text, struct berth_error *error)
{
    uLongf size = compressBound((uLong)text->count);
    unsigned char *packed;
    BERTH_TRY(berth_make(&packed, size, 1, NULL, error));
    compress2(packed, &size, text->data, (uLong)text->count, Z_DEFAULT_COMPRESSION);
    berth_statement_set_integer(store->structure, 1, key[0]);
    berth_statement_set_integer(store->structure, 2, key[1]);
    berth_statement_set_integer(store->structure, 3, (int64_t)text->count);
    berth_statement_set_bytes(store->structure, 4, packed, size);
    const enum berth_status status = berth_statement_run(store->structure, error);
    free(packed);
    return status;
}

/* A pose's row is made of its tags, and of the title, which has the name. */
static enum berth_status add_pose(struct store *store, const char *path,
                                  const struct berth_record *record, struct berth_sdf_tags *tags,
                                  struct berth_error *error)
{
    struct rows rows = {0};
    BERTH_TRY(berth_sdf_tags_read(record->text.data, record->text.count, tags, error));
    BERTH_TRY(
        berth_reserve(&tags->items, &tags->capacity, tags->count + 1, sizeof *tags->items, error));
    tags->items[tags->count++] =
        (struct berth_tag){BERTH_COLUMN_LIGAND, record->title ? record->title : ""};
    const char *receptor = berth_sdf_tags_find(tags, BERTH_COLUMN_RECEPTOR);
    const char *moved = berth_sdf_tags_find(tags, BERTH_COLUMN_SIDE_CHAINS);
    enum berth_status status =
        store_rows_begin(store, path, tags->items, tags->count, &rows, error);
    BERTH_THEN(store_row_add(store, &rows, tags->items, error));
    store_rows_end(&rows);
    BERTH_THEN(add_structure(store, rows.key, &record->text, error));
    struct berth_complex *complex = NULL;
    BERTH_THEN(find_complex(store, receptor, &complex, error));
    return status || !complex
               ? status
               : add_interactions(store, rows.key, complex, &record->text, moved, error);
}

enum berth_status store_poses_add(struct store *store, const char *path, struct berth_error *error)
{
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    struct berth_sdf_tags tags = {0};
    bool end = false;
    enum berth_status status = berth_sqlite_prepare(
        store->sqlite, &store->structure, error,
        "INSERT INTO structure (run, ordinal, mode, bytes, sdf) VALUES (%lld, ?1, ?2, ?3, ?4)",
        (long long)store->number);
    /* behind the keys the columns of BERTH_INTERACTION_COLUMN, in their order */
    BERTH_THEN(berth_sqlite_prepare(
        store->sqlite, &store->interaction, error,
        "INSERT INTO interaction VALUES (%lld, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (long long)store->number));
    BERTH_THEN(berth_records_create(path, BERTH_RECORD_SDF, &records, error));
    BERTH_THEN(berth_records_next(records, &record, &end, error));
    while (!status && !end) {
        status = add_pose(store, path, &record, &tags, error);
        BERTH_THEN(berth_records_next(records, &record, &end, error));
    }
    berth_sdf_tags_clear(&tags);
    berth_record_clear(&record);
    berth_records_destroy(records);
    return status;
}
