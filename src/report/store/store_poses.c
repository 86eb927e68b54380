/* Poses of a run, with their structures and interactions. */
#include <math.h>
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

/* The complex of the receptor that a pose is in; NULL, and a warning the first time, where it
 * cannot be opened: its poses have no interactions. */
static struct berth_complex *find_complex(struct store *store, const char *receptor)
{
    const size_t known = store->complexes.count;
    struct berth_complex *complex;
    struct berth_error why;
    if (!berth_complexes_find(&store->complexes, receptor, &complex, &why)) {
        return complex;
    }
    if (store->complexes.count > known) {
        berth_warn(store->run->log, NULL, "%s: no interactions of poses: %s", store->run->path,
                   why.message);
    }
    return NULL;
}

/* A pose in its receptor. */
struct stood {
    struct berth_complex *complex;
    struct berth_molecule pose; /* owned */
};

static enum berth_status add_interaction(struct store *store, const struct key *key,
                                         const struct berth_interaction *item,
                                         const struct stood *stood, struct berth_error *error)
{
    struct berth_statement *statement = store->interaction;
    const struct berth_residue_id *residue = &stood->complex->receptor.residues[item->residue];
    const bool directed = item->kind == BERTH_INTERACTION_HYDROGEN_BOND;
    const double numbers[] = {item->distance, item->angle, item->offset};
    struct berth_interaction_texts texts;
    char number[24];
    snprintf(number, sizeof number, "%d%.1s", residue->number,
             residue->insertion ? (char[]){residue->insertion, '\0'} : "");
    berth_interaction_texts(item, stood->complex, &stood->pose, &texts);
    const char *const words[] = {BERTH_INTERACTION[item->kind],
                                 residue->name,
                                 residue->chain,
                                 number,
                                 texts.receptor,
                                 texts.ligand,
                                 !directed            ? NULL
                                 : item->ligand_gives ? "ligand"
                                                      : "receptor"};
    berth_statement_set_integer(statement, 1, store->number);
    berth_statement_set_integer(statement, 2, key->ordinal);
    berth_statement_set_integer(statement, 3, key->mode);
    for (int i = 0; i < 7; i++) {
        berth_statement_set_text(statement, 4 + i, words[i]);
    }
    for (int i = 0; i < 3; i++) { /* three decimals, as the table of interactions has them */
        berth_statement_set_text(statement, 11 + i, NULL);
        if (isfinite(numbers[i])) {
            berth_statement_set_real(statement, 11 + i, round(numbers[i] * 1000) / 1000);
        }
    }
    berth_statement_set_text(statement, 14, NULL);
    if (berth_interaction_is_weak(item)) {
        berth_statement_set_integer(statement, 14, 1);
    }
    return berth_statement_run(statement, error);
}

/* side_chains: the pose's tag. */
static enum berth_status add_interactions(struct store *store, const struct key *key,
                                          struct berth_complex *complex,
                                          const struct berth_bytes *text, const char *side_chains,
                                          struct berth_error *error)
{
    struct stood stood = {.complex = complex};
    struct berth_interactions found = {0};
    struct berth_error why;
    enum berth_status status =
        berth_molfile_read((const char *)text->data, text->count, &stood.pose, &why);
    if (!status) {
        status = berth_complex_put(complex, &stood.pose, side_chains, &why);
        if (status == BERTH_E_FORMAT) {
            berth_warn(store->run->log, NULL, "%s: a pose without interactions: %s",
                       store->run->path, why.message);
        }
    }
    if (!status && stood.pose.atom_count) {
        status = berth_interactions_find(complex, &stood.pose, &found, &why);
    }
    if (status == BERTH_E_MEMORY) {
        *error = why;
    } else { /* such as one without hydrogens: it has none */
        status = BERTH_OK;
    }
    for (size_t i = 0; !status && i < found.count; i++) {
        if (found.items[i].kind != BERTH_INTERACTION_CONTACT) {
            status = add_interaction(store, key, &found.items[i], &stood, error);
        }
    }
    berth_interactions_clear(&found);
    berth_molecule_clear(&stood.pose);
    return status;
}

static enum berth_status add_structure(struct store *store, const struct key *key,
                                       const struct berth_bytes *text, struct berth_error *error)
{
    uLongf size = compressBound((uLong)text->count);
    unsigned char *packed;
    BERTH_TRY(berth_make(&packed, size, 1, NULL, error));
    compress2(packed, &size, text->data, (uLong)text->count, Z_DEFAULT_COMPRESSION);
    berth_statement_set_integer(store->structure, 1, store->number);
    berth_statement_set_integer(store->structure, 2, key->ordinal);
    berth_statement_set_integer(store->structure, 3, key->mode);
    berth_statement_set_integer(store->structure, 4, (int64_t)text->count);
    berth_statement_set_bytes(store->structure, 5, packed, size);
    const enum berth_status status = berth_statement_run(store->structure, error);
    free(packed);
    return status;
}

/* What a pose's row is made of, beside its tags. */
struct pose_row {
    struct berth_sdf_tags tags;   /* owned */
    const char **names, **values; /* owned; [tags and the title] */
    size_t capacity[2];
};

static enum berth_status read_row(const struct berth_record *record, struct pose_row *row,
                                  struct berth_error *error)
{
    const struct berth_sdf_tags *tags = &row->tags;
    BERTH_TRY(berth_sdf_tags_read(record->text.data, record->text.count, &row->tags, error));
    BERTH_TRY(
        berth_reserve(&row->names, &row->capacity[0], tags->count + 1, sizeof *row->names, error));
    BERTH_TRY(berth_reserve(&row->values, &row->capacity[1], tags->count + 1, sizeof *row->values,
                            error));
    for (size_t i = 0; i < tags->count; i++) {
        row->names[i] = tags->items[i].name;
        row->values[i] = tags->items[i].value;
    }
    row->names[tags->count] = BERTH_COLUMN_LIGAND; /* the title has the name */
    row->values[tags->count] = record->title ? record->title : "";
    return BERTH_OK;
}

static enum berth_status add_pose(struct store *store, const char *path,
                                  const struct berth_record *record, struct pose_row *row,
                                  struct berth_error *error)
{
    struct rows rows = {0};
    struct key key;
    BERTH_TRY(read_row(record, row, error));
    const char *receptor = berth_sdf_tags_find(&row->tags, BERTH_COLUMN_RECEPTOR);
    const char *moved = berth_sdf_tags_find(&row->tags, BERTH_COLUMN_SIDE_CHAINS);
    enum berth_status status =
        store_rows_begin(store, path, row->names, row->tags.count + 1, &rows, error);
    BERTH_THEN(store_row_add(store, &rows, row->values, &key, error));
    store_rows_end(&rows);
    BERTH_THEN(add_structure(store, &key, &record->text, error));
    struct berth_complex *complex = status ? NULL : find_complex(store, receptor);
    return complex ? add_interactions(store, &key, complex, &record->text, moved, error) : status;
}

enum berth_status store_poses_add(struct store *store, const char *path, struct berth_error *error)
{
    struct berth_records *records = NULL;
    struct berth_record record = {0};
    struct pose_row row = {.capacity = {0}};
    bool end = false;
    enum berth_status status = store_prepare(
        store, &store->structure, error,
        "INSERT INTO structure (run, ordinal, mode, bytes, sdf) VALUES (?1, ?2, ?3, ?4, ?5)");
    BERTH_THEN(
        store_prepare(store, &store->interaction, error,
                      "INSERT INTO interaction (run, ordinal, mode, kind, residue, chain, number, "
                      "receptor_atoms, ligand_atoms, donor, distance, angle, \"offset\", weak) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"));
    BERTH_THEN(berth_records_create(path, BERTH_RECORD_SDF, &records, error));
    BERTH_THEN(berth_records_next(records, &record, &end, error));
    while (!status && !end) {
        status = add_pose(store, path, &record, &row, error);
        BERTH_THEN(berth_records_next(records, &record, &end, error));
    }
    berth_sdf_tags_clear(&row.tags);
    free(row.names);
    free(row.values);
    berth_record_clear(&record);
    berth_records_destroy(records);
    return status;
}
