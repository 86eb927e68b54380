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

/* A form's cutting, taken apart. */
struct cutting {
    struct berth_fragment_parts parts;       /* its arrays are those below */
    const struct berth_fragment **fragments; /* owned */
    char **keys;                             /* owned; in the form's text */
    uint32_t *order;                         /* owned */
    uint16_t (*pairs)[2];                    /* owned; cuts, then caps */
    char **asked; /* owned, and what it holds; of each fragment what RDKit is asked for; NULL: it is
                     known */
};

/* Lines of keys, ".", between, of the order, of the atoms of cut bonds and of caps. */
enum { LINES = 4 };

static void clear_cutting(struct cutting *cutting)
{
    free(cutting->fragments);
    free(cutting->keys);
    free(cutting->order);
    free(cutting->pairs);
    for (size_t i = 0; cutting->asked && i < cutting->parts.fragment_count; i++) {
        free(cutting->asked[i]);
    }
    free(cutting->asked);
}

/* How many there are, with such a character between. */
static size_t count_parts(const char *text, char between)
{
    size_t count = *text != '\0';
    for (; *text; text++) {
        count += *text == between;
    }
    return count;
}

static uint32_t next_number(const char **at)
{
    char *end;
    const uint32_t number = (uint32_t)strtoul(*at, &end, 10);
    *at = end + (*end == ',');
    return number;
}

static void read_pairs(const char *text, size_t count, uint16_t (*pairs)[2])
{
    for (size_t i = 0; i < 2 * count; i++) {
        pairs[i / 2][i % 2] = (uint16_t)next_number(&text);
    }
}

/* Cuts the text into its lines and these into their parts, which the cutting borrows. */
static enum berth_status read_cutting(char *text, struct cutting *cutting,
                                      struct berth_error *error)
{
    char *lines[LINES] = {text}, *rest = text;
    for (int i = 1; i < LINES; i++) {
        char *end = strchr(lines[i - 1], '\n');
        if (!end) {
            return berth_rdkit_bad_answer(error);
        }
        *end = '\0';
        lines[i] = end + 1;
    }
    const char *order = lines[1];
    const size_t keys = count_parts(rest, '.'), numbers = count_parts(order, ',');
    const size_t cuts = count_parts(lines[2], ',') / 2, caps = count_parts(lines[3], ',') / 2;
    cutting->keys = berth_alloc(keys, sizeof *cutting->keys);
    cutting->fragments = berth_alloc(keys, sizeof *cutting->fragments);
    cutting->asked = berth_alloc(keys, sizeof *cutting->asked);
    cutting->order = berth_alloc(numbers, sizeof *cutting->order);
    cutting->pairs = berth_alloc(cuts + caps, sizeof *cutting->pairs);
    if (!cutting->keys || !cutting->fragments || !cutting->asked || !cutting->order ||
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
        cutting->order[i] = next_number(&order);
    }
    read_pairs(lines[2], cuts, cutting->pairs);
    read_pairs(lines[3], caps, cutting->pairs + cuts);
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
        if (cutting->asked[i]) {
            const struct berth_field *record = &answer.fields[next++];
            status = berth_fragment_store_add(builders->store, cutting->asked[i], record->data,
                                              record->size, &cutting->fragments[i], error);
            cutting->fragments[i] = berth_fragment_store_find(builders->store, cutting->keys[i]);
            builders->made++;
        }
        if (!status && !cutting->fragments[i]) {
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
        cutting->fragments[i] = berth_fragment_store_find(store, key);
        if (!cutting->fragments[i]) {
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
                              struct berth_draft *draft, atomic_size_t **slow,
                              struct berth_error *error)
{
    const struct berth_preparation *preparation = preparer->preparation;
    struct berth_builders *builders = preparation->builders;
    struct cutting cutting = {.keys = NULL};
    *slow = &builders->uncut;
    enum berth_status status =
        form->cutting ? read_cutting(form->cutting, &cutting, error)
                      : berth_fail(error, BERTH_E_FORMAT, "it is not cut into fragments");
    *slow = status ? *slow : &builders->unbuilt;
    BERTH_THEN(find_fragments(preparer, &cutting, error));
    for (size_t i = 0; !status && i < cutting.parts.fragment_count; i++) {
        if (!cutting.fragments[i]->atom_count) {
            status = berth_fail(error, BERTH_E_FORMAT, "%s cannot be built", cutting.keys[i]);
        }
    }
    *slow = status ? *slow : &builders->clashing;
    BERTH_THEN(berth_fragments_join(&cutting.parts, preparation->structures,
                                    preparation->energy_window, &draft->raw, &draft->structures,
                                    &draft->energies, error));
    clear_cutting(&cutting);
    return status;
}

enum berth_status berth_fragments_build(struct berth_preparer *preparer, struct berth_form *form,
                                        struct berth_draft *draft, struct berth_error *error)
{
    atomic_size_t *slow;
    struct berth_error why;
    const enum berth_status status = join(preparer, form, draft, &slow, &why);
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
    return berth_rdkit_build(preparer, form->ligand.smiles, draft, error);
}
