/* Step 2 by fragments: RDKit cuts the molecule and builds the fragments that are not known yet;
 * they are joined here.  What cannot be joined goes the slow way: RDKit builds it whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "prep/builders.h"
#include "prep/fragments/join.h"

/* --- The store --- */

/* The file of the store, which the caller frees; NULL: there is to be none. */
static char *store_path(const char *version)
{
    const char *own = getenv("BERTH_FRAGMENTS");
    char name[96];
    if (own) {
        return *own ? berth_copy_text(own) : NULL;
    }
    char *folder = berth_cache_directory(), *path = NULL;
    snprintf(name, sizeof name, "fragments-%s.store", version);
    if (folder && !berth_directory_make(folder, NULL) && !berth_directory_check_own(folder, NULL)) {
        path = berth_path_join(folder, name);
    }
    free(folder);
    return path;
}

enum berth_status berth_fragments_open(struct berth_builders *builders, const struct berth_log *log,
                                       struct berth_error *error)
{
    char *path = store_path(builders->rdkit.version);
    const struct berth_fragment_store_setup setup = {path, builders->rdkit.version, log};
    enum berth_status status = berth_fragment_store_create(&setup, &builders->store, error);
    if (status && status != BERTH_E_MEMORY && !getenv("BERTH_FRAGMENTS")) {
        const struct berth_fragment_store_setup none = {NULL, builders->rdkit.version, log};
        berth_warn(log, NULL, "fragments are not kept for later runs: %s", error->message);
        status = berth_fragment_store_create(&none, &builders->store, error);
    }
    free(path);
    return status;
}

void berth_builders_end(struct berth_builders *builders, const struct berth_log *log)
{
    const size_t joined = builders->joined, uncut = builders->uncut, unbuilt = builders->unbuilt;
    const size_t clashing = builders->clashing, slow = uncut + unbuilt + clashing;
    if (joined + slow) {
        berth_note(log,
                   "%zu of %zu ligands joined from fragments; RDKit built %zu, %.1f %% (%zu with "
                   "macrocycles or isotopes, %zu with fragments that cannot be built, %zu that "
                   "clash); %zu new fragments, %zu known",
                   joined, joined + slow, slow, 100 * (double)slow / (double)(joined + slow), uncut,
                   unbuilt, clashing, (size_t)builders->made,
                   berth_fragment_store_count(builders->store));
    }
    berth_fragment_store_destroy(builders->store);
    builders->store = NULL;
}

/* --- What RDKit says of a molecule --- */

/* The answer to "cut", taken apart. */
struct cutting {
    struct berth_answer answer;
    struct berth_fragment_parts parts;       /* its arrays are those below */
    const struct berth_fragment **fragments; /* owned */
    char **keys;                             /* owned; in the answer */
    uint32_t *order;                         /* owned */
    uint16_t (*pairs)[2];                    /* owned; cuts, then caps */
    bool *unknown;                           /* owned; of the fragments */
};

static void clear_cutting(struct cutting *cutting)
{
    berth_answer_clear(&cutting->answer);
    free(cutting->fragments);
    free(cutting->keys);
    free(cutting->order);
    free(cutting->pairs);
    free(cutting->unknown);
}

static size_t count_char(const char *text, char c)
{
    size_t count = 0;
    for (; *text; text++) {
        count += *text == c;
    }
    return count;
}

static void read_pairs(const struct berth_field *field, uint16_t (*pairs)[2])
{
    const unsigned char *bytes = field->data;
    for (size_t i = 0; i < field->size / 4; i++) {
        for (size_t k = 0; k < 2; k++) {
            const unsigned char *at = bytes + 4 * i + 2 * k;
            pairs[i][k] = (uint16_t)(at[0] | at[1] << 8);
        }
    }
}

/* Keys come as "KEY.KEY", the order as "2,0,1", pairs as numbers of 16 bits. */
static enum berth_status read_cutting(struct cutting *cutting, struct berth_error *error)
{
    const struct berth_field *fields = cutting->answer.fields + 1;
    char *rest = (char *)cutting->answer.bytes.data +
                 ((const unsigned char *)fields[0].data - cutting->answer.bytes.data);
    const char *order = fields[1].data;
    const size_t cuts = fields[2].size / 4, caps = fields[3].size / 4;
    const size_t keys = count_char(rest, '.') + 1, numbers = count_char(order, ',') + 1;
    cutting->keys = berth_alloc(keys, sizeof *cutting->keys);
    cutting->fragments = berth_alloc(keys, sizeof *cutting->fragments);
    cutting->unknown = berth_alloc(keys, sizeof *cutting->unknown);
    cutting->order = berth_alloc(numbers, sizeof *cutting->order);
    cutting->pairs = berth_alloc(cuts + caps, sizeof *cutting->pairs);
    if (!cutting->keys || !cutting->fragments || !cutting->unknown || !cutting->order ||
        !cutting->pairs) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < keys; i++) {
        cutting->keys[i] = strtok_r(i ? NULL : rest, ".", &rest);
        if (!cutting->keys[i]) {
            return berth_rdkit_bad_answer(error);
        }
    }
    for (size_t i = 0; i < numbers; i++) {
        char *end;
        cutting->order[i] = (uint32_t)strtoul(order, &end, 10);
        order = end + (*end == ',');
    }
    read_pairs(&fields[2], cutting->pairs);
    read_pairs(&fields[3], cutting->pairs + cuts);
    cutting->parts =
        (struct berth_fragment_parts){.fragments = cutting->fragments,
                                      .fragment_count = keys,
                                      .order = cutting->order,
                                      .order_count = numbers,
                                      .atom_count = numbers > caps ? numbers - caps : 0,
                                      .cuts = (const uint16_t(*)[2])cutting->pairs,
                                      .cut_count = cuts,
                                      .caps = (const uint16_t(*)[2])cutting->pairs + cuts,
                                      .cap_count = caps};
    return BERTH_OK;
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
        status = berth_rdkit_bad_answer(error);
    }
    for (size_t i = 0, next = 1; !status && i < cutting->parts.fragment_count; i++) {
        if (cutting->unknown[i]) {
            const struct berth_field *record = &answer.fields[next++];
            status = berth_fragment_store_add(builders->store, cutting->keys[i], record->data,
                                              record->size, &cutting->fragments[i], error);
            builders->made++;
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
        cutting->fragments[i] = berth_fragment_store_find(store, key, strlen(key));
        cutting->unknown[i] = !cutting->fragments[i];
        if (cutting->unknown[i]) {
            berth_bytes_put(&keys, ".", count++ ? 1 : 0);
            berth_bytes_put(&keys, key, strlen(key));
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
static enum berth_status join(struct berth_preparer *preparer, const char *smiles,
                              struct berth_draft *draft, atomic_size_t **slow,
                              struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    struct berth_builders *builders = preparation->builders;
    const struct berth_fragment_request request = {preparation->structures,
                                                   preparation->energy_window};
    struct cutting cutting = {.keys = NULL};
    const struct berth_field field = berth_text_field(smiles);
    *slow = &builders->uncut;
    enum berth_status status = berth_rdkit_ask(preparer, "cut", &field, 1, &cutting.answer, error);
    if (!status && cutting.answer.count != 5) {
        status = berth_fail(error, BERTH_E_FORMAT, "it is not cut into fragments");
    }
    BERTH_THEN(read_cutting(&cutting, error));
    *slow = status ? *slow : &builders->unbuilt;
    BERTH_THEN(find_fragments(preparer, &cutting, error));
    for (size_t i = 0; !status && i < cutting.parts.fragment_count; i++) {
        if (!cutting.fragments[i]->atom_count) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s cannot be built", cutting.keys[i]);
        }
    }
    *slow = status ? *slow : &builders->clashing;
    BERTH_THEN(berth_fragments_join(&cutting.parts, &request, &draft->raw, &draft->structures,
                                    &draft->energies, error));
    clear_cutting(&cutting);
    return status;
}

enum berth_status berth_fragments_build(struct berth_preparer *preparer, const char *smiles,
                                        struct berth_draft *draft, struct berth_error *error)
{
    atomic_size_t *slow;
    struct berth_error why;
    const enum berth_status status = join(preparer, smiles, draft, &slow, &why);
    if (!status) {
        preparer->preparation->builders->joined++;
        return BERTH_OK;
    }
    if (status != BERTH_E_FORMAT) {
        *error = why;
        return status;
    }
    (*slow)++;
    berth_molecule_clear(&draft->raw);
    berth_conformers_clear(&draft->structures);
    free(draft->energies);
    draft->energies = NULL;
    return berth_rdkit_build(preparer, smiles, draft, error);
}
