#include "prep/patterns.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "prep/worker.h"

/* Seconds of processor time for a pattern and a molecule, most of which take 0.1 ms. */
static const double LIMIT = 20;

struct berth_matcher {
    struct berth_rdkit rdkit;
    struct berth_worker *worker; /* owned */
    pthread_mutex_t lock;        /* of the worker */
};

static enum berth_status ask(struct berth_matcher *matcher, const struct berth_field fields[],
                             size_t count, struct berth_answer *answer, struct berth_error *error)
{
    double used = 0;
    struct berth_request request = {.count = count, .limit = LIMIT, .used = &used};
    memcpy(request.fields, fields, count * sizeof *fields);
    pthread_mutex_lock(&matcher->lock);
    enum berth_status status = berth_worker_ask(matcher->worker, &request, answer, error);
    pthread_mutex_unlock(&matcher->lock);
    if (!status && answer->count != 2) {
        status = berth_worker_bad_answer(error);
    }
    if (status) {
        char place[256];
        snprintf(place, sizeof place, "SMARTS %.200s", (const char *)fields[2].data);
        berth_fail_in(error, place);
    }
    return status;
}

static enum berth_status start(struct berth_matcher **matcher, struct berth_error *error)
{
    BERTH_TRY(berth_make(matcher, 1, sizeof **matcher, NULL, error));
    pthread_mutex_init(&(*matcher)->lock, NULL);
    return berth_python_start(&BERTH_RDKIT, NULL, &(*matcher)->rdkit, &(*matcher)->worker, error)
               ? berth_fail_in(error, "SMARTS are matched by RDKit")
               : BERTH_OK;
}

void berth_matcher_destroy(struct berth_matcher *matcher)
{
    if (matcher) {
        berth_worker_destroy(matcher->worker);
        pthread_mutex_destroy(&matcher->lock);
        free(matcher);
    }
}

void berth_pattern_destroy(struct berth_pattern *pattern)
{
    if (pattern) {
        free(pattern->text);
        free(pattern);
    }
}

enum berth_status berth_pattern_read(struct berth_matcher **matcher, const char *text,
                                     struct berth_pattern **pattern, struct berth_error *error)
{
    struct berth_answer answer = {0};
    const struct berth_field fields[] = {
        berth_text_field("pattern"), {"", 0}, berth_text_field(text)};
    BERTH_TRY(*matcher ? BERTH_OK : start(matcher, error));
    BERTH_TRY(berth_make(pattern, 1, sizeof **pattern, NULL, error));
    (*pattern)->text = berth_copy_text(text);
    enum berth_status status =
        (*pattern)->text ? BERTH_OK : berth_out_of_memory(error, "a SMARTS pattern");
    BERTH_THEN(ask(*matcher, fields, 3, &answer, error));
    const size_t count = status ? 0 : answer.fields[1].size / 2;
    if (!status && (count < 1 || count > BERTH_CORE_ATOMS)) {
        status =
            berth_fail(error, BERTH_E_FORMAT, "SMARTS %.200s: it has %zu atoms, and not 1 to %d",
                       text, count, BERTH_CORE_ATOMS);
    }
    struct berth_cursor labels = berth_cursor_over(status ? "" : answer.fields[1].data, 2 * count);
    for (size_t i = 0; i < count && !status; i++) {
        (*pattern)->labels[i] = berth_cursor_get16(&labels);
    }
    (*pattern)->count = count;
    berth_answer_clear(&answer);
    return status;
}

/* Puts the heavy atoms, which are written to heavy [atom_count], with their bonds:
 *
 *     molecule = u16 atoms, u16 bonds, atoms, bonds
 *     atom     = u8 element, i8 charge, u8 hydrogens, u8 aromatic
 *     bond     = u16 atom, u16 atom, u8 order (0: none of 1 to 3), u8 aromatic
 */
static enum berth_status put_molecule(const struct berth_facts *facts, size_t *heavy,
                                      struct berth_bytes *record, struct berth_error *error)
{
    const struct berth_molecule *molecule = facts->molecule;
    size_t *numbers = berth_heavy_numbers(molecule);
    size_t atoms = 0, bonds = 0;
    if (!numbers) {
        return berth_out_of_memory(error, NULL);
    }
    struct berth_bytes put = {0};
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const size_t all = berth_degree(&facts->adjacency, i);
        if (molecule->atoms[i].heavy) {
            heavy[atoms++] = i;
            berth_bytes_put8(&put, (uint8_t)molecule->atoms[i].element);
            berth_bytes_put8(&put, (uint8_t)facts->charges[i]);
            berth_bytes_put8(&put,
                             (uint8_t)(all - berth_heavy_degree(molecule, &facts->adjacency, i)));
            berth_bytes_put8(&put, facts->aromatic[i]);
        }
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        if (molecule->atoms[bond->first].heavy && molecule->atoms[bond->second].heavy &&
            facts->orders[i]) {
            berth_bytes_put16(&put, (uint16_t)numbers[bond->first]);
            berth_bytes_put16(&put, (uint16_t)numbers[bond->second]);
            berth_bytes_put8(&put, facts->orders[i] < 4 ? (uint8_t)facts->orders[i] : 0);
            berth_bytes_put8(&put, facts->rings[i] && facts->aromatic[bond->first] &&
                                       facts->aromatic[bond->second]);
            bonds++;
        }
    }
    berth_bytes_put16(record, (uint16_t)atoms);
    berth_bytes_put16(record, (uint16_t)bonds);
    berth_bytes_put(record, put.data, put.count);
    record->failed = record->failed || put.failed;
    berth_bytes_clear(&put);
    free(numbers);
    return record->failed ? berth_out_of_memory(error, NULL) : BERTH_OK;
}

/* Gives the matches of an answer: u16 atoms, pattern->count of each. */
static enum berth_status take_matches(const struct berth_field *field, size_t count,
                                      const size_t *heavy, size_t heavy_count,
                                      berth_core_taker *take, void *context,
                                      struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(field->data, field->size);
    size_t atoms[BERTH_CORE_ATOMS];
    bool more = true;
    while (more && berth_cursor_left(&cursor)) {
        for (size_t i = 0; i < count; i++) {
            const size_t atom = berth_cursor_get16(&cursor);
            if (cursor.failed || atom >= heavy_count) {
                return berth_worker_bad_answer(error);
            }
            atoms[i] = heavy[atom];
        }
        more = take(context, atoms);
    }
    return BERTH_OK;
}

enum berth_status berth_pattern_match(struct berth_matcher *matcher,
                                      const struct berth_pattern *pattern,
                                      const struct berth_facts *facts, berth_core_taker *take,
                                      void *context, struct berth_error *error)
{
    struct berth_bytes record = {0};
    struct berth_answer answer = {0};
    size_t *heavy;
    BERTH_TRY(berth_make(&heavy, facts->molecule->atom_count, sizeof *heavy, NULL, error));
    enum berth_status status = put_molecule(facts, heavy, &record, error);
    const struct berth_field fields[] = {berth_text_field("matches"),
                                         {"", 0},
                                         berth_text_field(pattern->text),
                                         {record.data, record.count}};
    BERTH_THEN(ask(matcher, fields, 4, &answer, error));
    BERTH_THEN(take_matches(&answer.fields[1], pattern->count, heavy,
                            berth_heavy_count(facts->molecule), take, context, error));
    berth_answer_clear(&answer);
    berth_bytes_clear(&record);
    free(heavy);
    return status;
}
