#include "prep/receptor/network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/molecule.h"
#include "format/output.h"
#include "prep/receptor/ask.h"
#include "prep/receptor/residues.h"

/* Å: residues nearer to the ligand or the site matter to it. */
#define REACH 8.0

enum { NAMED_MAX = 8, TEXT_SIZE = NAMED_MAX * (BERTH_RESIDUE_TEXT_SIZE + 24) };

void berth_network_clear(struct berth_network *network)
{
    free(network->rows);
    memset(network, 0, sizeof *network);
}

/* --- The record --- */

static void swap_places(struct berth_structure *structure, struct berth_span span,
                        const char *const names[2])
{
    const struct berth_structure_atom *first = berth_residue_atom(structure, span, names[0]);
    const struct berth_structure_atom *second = berth_residue_atom(structure, span, names[1]);
    if (first && second) {
        double *one = structure->atoms[first - structure->atoms].position;
        double *other = structure->atoms[second - structure->atoms].position;
        double kept[3];
        memcpy(kept, one, sizeof kept);
        memcpy(one, other, sizeof kept);
        memcpy(other, kept, sizeof kept);
    }
}

/* Turns the end of a side chain by 180 degrees, which crystallographers' maps can seldom tell. */
static void flip(struct berth_structure *structure, struct berth_span span)
{
    static const struct {
        const char *residue, *atoms[2];
    } PAIRS[] = {{"ASN", {"OD1", "ND2"}}, {"GLN", {"OE1", "NE2"}}, {"HIS", {"ND1", "CD2"}},
                 {"HIS", {"CE1", "NE2"}}, {"ASP", {"OD1", "OD2"}}, {"GLU", {"OE1", "OE2"}}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        if (strcmp(structure->atoms[span.begin].residue.name, PAIRS[i].residue) == 0) {
            swap_places(structure, span, PAIRS[i].atoms);
        }
    }
}

static enum berth_status read_row(struct berth_cursor *cursor, struct berth_network_row *row,
                                  struct berth_error *error)
{
    const bool named = berth_cursor_get_name(cursor, row->form, sizeof row->form);
    row->end = berth_cursor_get8(cursor);
    row->pka = berth_cursor_get_double(cursor);
    row->distance = NAN;
    return named && row->end <= BERTH_END_RENAMED &&
                   berth_cursor_get_name(cursor, row->reason, sizeof row->reason) && !cursor->failed
               ? BERTH_OK
               : berth_worker_bad_answer(error);
}

static void apply_row(const struct berth_network_row *row, struct berth_span span,
                      struct berth_structure *structure)
{
    if (row->end) {
        flip(structure, span);
    }
    for (size_t i = span.begin; *row->form && i < span.end; i++) {
        snprintf(structure->atoms[i].residue.name, BERTH_LABEL_SIZE, "%s", row->form);
    }
}

enum berth_status berth_network_apply(const void *record, size_t size,
                                      struct berth_structure *structure,
                                      struct berth_network *network, struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(record, size);
    struct berth_span span = berth_residue_at(structure, 0);
    size_t capacity = 0, at = 0;
    memset(network, 0, sizeof *network);
    for (size_t left = berth_cursor_get32(&cursor); left && !cursor.failed; left--) {
        const size_t residue = berth_cursor_get32(&cursor);
        for (; at < residue && span.begin < span.end; at++) {
            span = berth_residue_at(structure, span.end);
        }
        if (at != residue || span.begin == span.end) {
            return berth_worker_bad_answer(error);
        }
        struct berth_network_row row = {.residue = structure->atoms[span.begin].residue};
        BERTH_TRY(read_row(&cursor, &row, error));
        BERTH_TRY(berth_reserve(&network->rows, &capacity, network->count + 1,
                                sizeof *network->rows, error));
        network->rows[network->count++] = row;
        apply_row(&row, span, structure);
    }
    return cursor.failed || berth_cursor_left(&cursor) ? berth_worker_bad_answer(error) : BERTH_OK;
}

/* --- What is said --- */

/* Å: between heavy atoms of a residue and of the ligand, or to the box. */
static double distance_of(const struct berth_receptor_work *work, struct berth_span span,
                          const struct berth_site *box)
{
    const struct berth_structure *ligand = &work->prepared->ligand;
    double least = INFINITY;
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *atom = &work->prepared->structure.atoms[i];
        if (!ligand->count && !berth_is_hydrogen(atom)) {
            least = fmin(least, berth_site_outside(box, atom->position));
        }
        for (size_t j = 0; !berth_is_hydrogen(atom) && j < ligand->count; j++) {
            if (!berth_is_hydrogen(&ligand->atoms[j])) {
                least = fmin(least, berth_distance(atom->position, ligand->atoms[j].position));
            }
        }
    }
    return least;
}

/* Equal ones, as all within a box, by chain and number: what qsort makes of them is its own. */
static int compare_distances(const void *a, const void *b)
{
    const struct berth_network_row *one = a, *other = b;
    const struct berth_residue_id *left = &one->residue, *right = &other->residue;
    const int chains = strcmp(left->chain, right->chain);
    return one->distance != other->distance ? (one->distance < other->distance ? -1 : 1)
           : chains                         ? chains
           : left->number != right->number  ? (left->number < right->number ? -1 : 1)
                                            : left->insertion - right->insertion;
}

/* Finds how far rows are, and sorts those that are somewhere. */
static enum berth_status sort_rows(const struct berth_receptor_work *work,
                                   struct berth_error *error)
{
    const struct berth_structure *structure = &work->prepared->structure;
    struct berth_network *network = &work->prepared->network;
    struct berth_site box;
    bool has_box = false;
    if (!work->prepared->ligand.count) {
        BERTH_TRY(berth_receptor_find_site(work, &has_box, &box, error));
    }
    if (!network->count || (!has_box && !work->prepared->ligand.count)) {
        return BERTH_OK;
    }
    size_t row = 0;
    for (struct berth_span span = berth_residue_at(structure, 0);
         row < network->count && span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        if (berth_same_place(&network->rows[row].residue, &structure->atoms[span.begin].residue)) {
            network->rows[row++].distance = distance_of(work, span, &box);
        }
    }
    qsort(network->rows, network->count, sizeof *network->rows, compare_distances);
    return BERTH_OK;
}

static void note_rows(const struct berth_receptor_work *work, const char *used)
{
    const struct berth_network *network = &work->prepared->network;
    char text[TEXT_SIZE] = "", name[BERTH_RESIDUE_TEXT_SIZE];
    size_t flipped = 0;
    for (size_t i = 0; i < network->count; i++) {
        const struct berth_network_row *row = &network->rows[i];
        flipped += row->end == BERTH_END_FLIPPED;
        if (i < NAMED_MAX && row->distance <= REACH) {
            berth_residue_text(&row->residue, name);
            berth_text_append(text, sizeof text, "%s%s%s%s%s", *text ? ", " : "", name,
                              *row->form ? " " : "", row->form,
                              row->end == BERTH_END_FLIPPED ? " flipped" : "");
        }
    }
    berth_note(
        work->log,
        "hydrogens: by their network (%s, pH %g); residues that have a form by it: %zu, with "
        "flipped ends: %zu%s%s",
        used, work->settings->ph, network->count, flipped,
        *text ? "; within 8 \xc3\x85 of the ligand or site " : "", text);
}

enum berth_status berth_receptor_protonate(const struct berth_receptor_work *work,
                                           struct berth_error *error)
{
    struct berth_receptor_prepared *prepared = work->prepared;
    struct berth_answer answer = {0};
    if (!work->settings->protonate) {
        return BERTH_OK;
    }
    char options[80];
    snprintf(options, sizeof options, "ph=%.17g\nlimit=%.17g\n", work->settings->ph,
             BERTH_RECEPTOR_PATIENCE);
    enum berth_status status = berth_receptor_ask(work, "network", options, 2, &answer, error);
    if (status) {
        berth_fail_in(error, "protonate");
        error->option = "protonate";
    }
    BERTH_THEN(berth_network_apply(answer.fields[1].data, answer.fields[1].size,
                                   &prepared->structure, &prepared->network, error));
    BERTH_THEN(sort_rows(work, error));
    if (!status) {
        note_rows(work, answer.fields[2].data);
    }
    berth_answer_clear(&answer);
    return status;
}

enum berth_status berth_network_write(const struct berth_network *network, const char *path,
                                      struct berth_error *error)
{
    struct berth_output *output;
    char name[BERTH_RESIDUE_TEXT_SIZE];
    BERTH_TRY(berth_output_create(path, &output, error));
    berth_output_print(output, "residue,form,flipped,pka,distance,reason\n");
    for (size_t i = 0; i < network->count; i++) {
        const struct berth_network_row *row = &network->rows[i];
        berth_residue_text(&row->residue, name);
        berth_output_csv(output, name, ',');
        berth_output_print(output, "%s,%s,", *row->form ? row->form : row->residue.name,
                           row->end == BERTH_END_FLIPPED ? "yes" : "no");
        if (!isnan(row->pka)) {
            berth_output_print(output, "%.2f", row->pka);
        }
        berth_output_print(output, ",");
        if (!isnan(row->distance)) {
            berth_output_print(output, "%.2f", row->distance);
        }
        berth_output_print(output, ",");
        berth_output_csv(output, row->reason, '\n');
    }
    return berth_output_commit(output, error);
}
