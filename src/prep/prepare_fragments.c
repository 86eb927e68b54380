/* Step 2 by fragments: RDKit cuts the molecule and builds the fragments that are not known yet;
 * they are joined here.  What cannot be joined goes the slow way: RDKit builds it whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/own.h"
#include "prep/fragments/join.h"
#include "prep/prepare_build.h"

/* --- The store --- */

static void tell_lost(const struct berth_log *log, const struct berth_error *why)
{
    berth_warn(log, NULL, "fragments are not kept for later runs: %s", why->message);
}

/* The file of the store, which the caller frees; NULL: there is to be none, or log is told why
 * there can be none. */
static char *store_path(const char *version, const struct berth_log *log)
{
    const char *own = getenv("BERTH_FRAGMENTS");
    struct berth_error why;
    char name[96];
    if (own) {
        return *own ? berth_copy_text(own) : NULL;
    }
    char *folder = berth_cache_directory(), *path = NULL;
    snprintf(name, sizeof name, "fragments-%s-%d.store", version, (int)BERTH_FRAGMENT_RECIPE);
    if (folder && berth_directory_make_own(folder, &why)) {
        tell_lost(log, &why);
    } else if (folder) {
        path = berth_path_join(folder, name);
    }
    free(folder);
    return path;
}

enum berth_status berth_fragments_open(const struct berth_preparation *preparation,
                                       struct berth_builders *builders, const struct berth_log *log,
                                       struct berth_error *error)
{
    char *path = store_path(builders->rdkit.version, log);
    const struct berth_embedded *shipped = &berth_embedded_fragments;
    const struct berth_fragment_store_setup setup = {
        .path = path,
        .version = builders->rdkit.version,
        .shipped = shipped->text,
        .shipped_size = shipped->size,
        .log = log,
        .stops = {preparation->stop, preparation->cancel}};
    enum berth_status status = berth_fragment_store_create(&setup, &builders->store, error);
    if (status && status != BERTH_E_MEMORY && !berth_is_stopped(preparation->stop) &&
        !getenv("BERTH_FRAGMENTS")) {
        struct berth_fragment_store_setup none = setup;
        none.path = NULL;
        tell_lost(log, error);
        status = berth_fragment_store_create(&none, &builders->store, error);
    }
    free(path);
    return status;
}

void berth_builders_tell(struct berth_builders *builders, const struct berth_log *log)
{
    const size_t joined = atomic_exchange(&builders->joined, 0);
    const size_t uncut = atomic_exchange(&builders->uncut, 0);
    const size_t unbuilt = atomic_exchange(&builders->unbuilt, 0);
    const size_t clashing = atomic_exchange(&builders->clashing, 0);
    const size_t made = atomic_exchange(&builders->made, 0), slow = uncut + unbuilt + clashing;
    if (joined + slow) {
        berth_detail(log,
                     "%zu of %zu ligands joined from fragments; RDKit built %zu, %.1f %% (%zu with "
                     "macrocycles or isotopes, %zu with fragments that cannot be built, %zu that "
                     "clash); %zu new fragments, %zu known",
                     joined, joined + slow, slow, 100 * (double)slow / (double)(joined + slow),
                     uncut, unbuilt, clashing, made, berth_fragment_store_count(builders->store));
    }
}

void berth_builders_end(struct berth_builders *builders)
{
    berth_fragment_store_destroy(builders->store);
    builders->store = NULL;
}

/* --- What RDKit says of a molecule --- */

/* A form's cutting, taken apart. */
struct cutting {
    struct berth_fragment_parts parts; /* its arrays are owned, the caps behind the cuts */
    const char **keys;                 /* owned; [parts.fragment_count], in the form's record */
    char **asked; /* owned, and what it holds; of each fragment what RDKit is asked for; NULL: it is
                     known */
};

static void clear_cutting(struct cutting *cutting)
{
    for (size_t i = 0; cutting->asked && i < cutting->parts.fragment_count; i++) {
        free(cutting->asked[i]);
    }
    free(cutting->asked);
    free(cutting->keys);
    free(cutting->parts.fragments);
    free(cutting->parts.order);
    free(cutting->parts.cuts);
}

/* Takes the record apart, whose keys the cutting borrows:
 *
 *     record = u16 keys, u16 numbers, u16 cuts, u16 caps, keys (texts that end with a 0), u16 of
 *              each key's atoms in turn the molecule's, or from its number of atoms on a cap, the
 *              two u16 atoms of each bond that was cut, and of each cap the atom that it stands for
 *              and the one that has it
 */
static enum berth_status read_cutting(const struct berth_bytes *record, struct cutting *cutting,
                                      struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(record->data, record->count);
    struct berth_fragment_parts *parts = &cutting->parts;
    const size_t keys = parts->fragment_count = berth_cursor_get16(&cursor);
    const size_t order = parts->order_count = berth_cursor_get16(&cursor);
    const size_t cuts = parts->cut_count = berth_cursor_get16(&cursor);
    const size_t caps = parts->cap_count = berth_cursor_get16(&cursor);
    BERTH_TRY(berth_make(&cutting->keys, keys, sizeof *cutting->keys, NULL, error));
    BERTH_TRY(berth_make(&cutting->asked, keys, sizeof *cutting->asked, NULL, error));
    BERTH_TRY(berth_make(&parts->fragments, keys, sizeof *parts->fragments, NULL, error));
    BERTH_TRY(berth_make(&parts->order, order, sizeof *parts->order, NULL, error));
    BERTH_TRY(berth_make(&parts->cuts, cuts + caps, sizeof *parts->cuts, NULL, error));
    parts->caps = parts->cuts + cuts;
    parts->atom_count = order > caps ? order - caps : 0;
    for (size_t i = 0; i < keys; i++) {
        cutting->keys[i] = berth_cursor_get_text(&cursor);
    }
    for (size_t i = 0; i < order; i++) {
        parts->order[i] = berth_cursor_get16(&cursor);
    }
    for (size_t i = 0; i < 2 * (cuts + caps); i++) {
        parts->cuts[i / 2][i % 2] = berth_cursor_get16(&cursor);
    }
    return cursor.failed || berth_cursor_left(&cursor) ? berth_worker_bad_answer(error) : BERTH_OK;
}

/* Asks for the fragments that are not known, in one request, and keeps them. */
static enum berth_status make_fragments(struct berth_preparer *preparer, struct cutting *cutting,
                                        const char *keys, size_t count, struct berth_error *error)
{
    struct berth_builders *builders = preparer->preparation->builders;
    struct berth_answer answer = {0};
    const struct berth_field field = berth_text_field(keys);
    enum berth_status status =
        berth_rdkit_ask(preparer, "make_fragments", &field, 1, &answer, error);
    if (!status && answer.count != 1 + count) {
        status = berth_worker_bad_answer(error);
    }
    for (size_t i = 0, next = 1; !status && i < cutting->parts.fragment_count; i++) {
        if (cutting->asked[i]) {
            const struct berth_field *record = &answer.fields[next++];
            status = berth_fragment_store_add(builders->store, cutting->asked[i], record->data,
                                              record->size, &cutting->parts.fragments[i], error);
            cutting->parts.fragments[i] =
                berth_fragment_store_find(builders->store, cutting->keys[i]);
            builders->made++;
        }
        if (!status && !cutting->parts.fragments[i]) {
            status = berth_out_of_memory(error, NULL);
        }
    }
    berth_answer_clear(&answer);
    return status;
}

/* Finds the fragments of all keys; one that comes twice is asked for twice, the first time only. */
static enum berth_status find_fragments(struct berth_preparer *preparer, struct cutting *cutting,
                                        struct berth_error *error)
{
    struct berth_fragment_store *store = preparer->preparation->builders->store;
    struct berth_bytes keys = {0};
    size_t count = 0;
    for (size_t i = 0; i < cutting->parts.fragment_count; i++) {
        const char *key = cutting->keys[i];
        cutting->parts.fragments[i] = berth_fragment_store_find(store, key);
        if (!cutting->parts.fragments[i]) {
            cutting->asked[i] = berth_fragment_store_key(key);
            keys.failed = keys.failed || !cutting->asked[i];
            berth_bytes_put(&keys, ".", count++ ? 1 : 0);
            berth_bytes_put(&keys, keys.failed ? "" : cutting->asked[i],
                            keys.failed ? 0 : strlen(cutting->asked[i]));
        }
    }
    berth_bytes_put8(&keys, 0);
    enum berth_status status = keys.failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
    if (!status && count) {
        status = make_fragments(preparer, cutting, (const char *)keys.data, count, error);
    }
    berth_bytes_clear(&keys);
    return status;
}

/* --- Building --- */

/* Joins the molecule; *slow gets the counter of the reason why it cannot be. */
static enum berth_status join(struct berth_preparer *preparer, const struct berth_form *form,
                              struct berth_molecule *molecule, struct berth_conformers *structures,
                              atomic_size_t **slow, struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    struct berth_builders *builders = preparation->builders;
    struct cutting cutting = {.keys = NULL};
    *slow = &builders->uncut;
    enum berth_status status =
        form->cutting.count ? read_cutting(&form->cutting, &cutting, error)
                            : berth_fail(error, BERTH_E_FORMAT, "it is not cut into fragments");
    *slow = status ? *slow : &builders->unbuilt;
    BERTH_THEN(find_fragments(preparer, &cutting, error));
    for (size_t i = 0; !status && i < cutting.parts.fragment_count; i++) {
        if (!cutting.parts.fragments[i]->atom_count) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s cannot be built", cutting.keys[i]);
        }
    }
    *slow = status ? *slow : &builders->clashing;
    BERTH_THEN(berth_fragments_join(&cutting.parts, preparation->structures,
                                    preparation->energy_window, molecule, structures, error));
    clear_cutting(&cutting);
    return status;
}

enum berth_status berth_fragments_build(struct berth_preparer *preparer, struct berth_form *form,
                                        struct berth_molecule *molecule,
                                        struct berth_conformers *structures,
                                        struct berth_error *error)
{
    atomic_size_t *slow;
    struct berth_error why;
    const enum berth_status status = join(preparer, form, molecule, structures, &slow, &why);
    if (!status) {
        preparer->preparation->builders->joined++;
        return BERTH_OK;
    }
    if (status != BERTH_E_FORMAT) {
        *error = why;
        return status;
    }
    (*slow)++;
    berth_molecule_clear(molecule);
    berth_conformers_clear(structures);
    return berth_rdkit_build(preparer, form->ligand.smiles, molecule, structures, error);
}
