#include "prep/receptor/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/text.h"
#include "chem/molecule.h"
#include "prep/receptor/ask.h"

/* Å: nearer to something else than this a side chain hardly fits. */
#define TIGHT 2.4

enum { NAMED_MAX = 8, NAMED_SIZE = NAMED_MAX * (BERTH_RESIDUE_TEXT_SIZE + 80) };

/* What was built, while it is added. */
struct built {
    struct berth_structure whole; /* owned: the structure with it */
    size_t residues, atoms, tight;
    char text[NAMED_SIZE]; /* the first of the residues, and of those that are tight */
    char tights[NAMED_SIZE];
};

static enum berth_status add_span(const struct berth_structure *structure, struct berth_span span,
                                  struct built *built, struct berth_error *error)
{
    for (size_t i = span.begin; i < span.end; i++) {
        BERTH_TRY(berth_structure_add(&built->whole, &structure->atoms[i], error));
    }
    return BERTH_OK;
}

/* Reads an atom and adds it, like the first of its residue in all that the record does not say. */
static enum berth_status add_atom(struct berth_cursor *cursor,
                                  const struct berth_structure_atom *first, struct built *built,
                                  char *names, size_t size, struct berth_error *error)
{
    struct berth_structure_atom atom = *first;
    bool good = berth_cursor_get_name(cursor, atom.name, sizeof atom.name);
    atom.element = berth_cursor_get8(cursor);
    for (int k = 0; k < 3; k++) {
        atom.position[k] = berth_cursor_get_double(cursor);
        good = good && fabs(atom.position[k]) <= BERTH_COORDINATE_MAX;
    }
    if (!good || cursor->failed || atom.element <= 1 || atom.element >= BERTH_ELEMENTS) {
        return berth_worker_bad_answer(error);
    }
    *atom.type = '\0';
    atom.alternate = 0;
    berth_text_append(names, size, "%s%s", *names ? " " : "", atom.name);
    built->atoms++;
    return berth_structure_add(&built->whole, &atom, error);
}

static enum berth_status add_row(struct berth_cursor *cursor,
                                 const struct berth_structure_atom *first, struct built *built,
                                 struct berth_error *error)
{
    char names[80] = "", residue[BERTH_RESIDUE_TEXT_SIZE];
    const double least = berth_cursor_get_double(cursor);
    for (size_t left = berth_cursor_get8(cursor); left && !cursor->failed; left--) {
        BERTH_TRY(add_atom(cursor, first, built, names, sizeof names, error));
    }
    berth_residue_text(&first->residue, residue);
    if (built->residues++ < NAMED_MAX) {
        berth_text_append(built->text, sizeof built->text, "%s%s (%s)", *built->text ? ", " : "",
                          residue, names);
    }
    if (least < TIGHT && built->tight++ < NAMED_MAX) {
        berth_text_append(built->tights, sizeof built->tights, "%s%s (%.1f \xc3\x85)",
                          *built->tights ? ", " : "", residue, least);
    }
    return BERTH_OK;
}

static void say(const struct built *built, const struct berth_log *log)
{
    berth_note(log, "built: %zu atoms of %zu side chains that the file lacks%s%s%s", built->atoms,
               built->residues, built->residues ? ": " : "", built->text,
               built->residues > NAMED_MAX ? " ..." : "");
    if (built->tight) {
        berth_warn(
            log, NULL,
            "side chains that were built hardly fit, and are as near to other atoms as %s%s; "
            "have those at the site move (flexible_residues)",
            built->tights, built->tight > NAMED_MAX ? " ..." : "");
    }
}

static enum berth_status add_rows(struct berth_cursor *cursor,
                                  const struct berth_structure *structure, struct built *built,
                                  struct berth_error *error)
{
    struct berth_span span = berth_residue_at(structure, 0);
    size_t at = 0;
    for (size_t left = berth_cursor_get32(cursor); left && !cursor->failed; left--) {
        const size_t residue = berth_cursor_get32(cursor);
        if (residue < at) {
            return berth_worker_bad_answer(error);
        }
        for (; at <= residue && span.begin < span.end; at++) {
            BERTH_TRY(add_span(structure, span, built, error));
            const struct berth_structure_atom *first = &structure->atoms[span.begin];
            span = berth_residue_at(structure, span.end);
            if (at == residue) {
                BERTH_TRY(add_row(cursor, first, built, error));
            }
        }
        if (at <= residue) {
            return berth_worker_bad_answer(error);
        }
    }
    BERTH_TRY(add_span(structure, (struct berth_span){span.begin, structure->count}, built, error));
    return cursor->failed || berth_cursor_left(cursor) ? berth_worker_bad_answer(error) : BERTH_OK;
}

enum berth_status berth_missing_add(const void *record, size_t size,
                                    struct berth_structure *structure, const struct berth_log *log,
                                    struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(record, size);
    struct built built = {.residues = 0};
    const enum berth_status status = add_rows(&cursor, structure, &built, error);
    if (status) {
        berth_structure_clear(&built.whole);
        return status;
    }
    say(&built, log);
    free(structure->atoms);
    structure->atoms = built.whole.atoms;
    structure->count = built.whole.count;
    structure->capacity = built.whole.capacity;
    return BERTH_OK;
}

enum berth_status berth_receptor_build_missing(const struct berth_receptor_work *work,
                                               struct berth_error *error)
{
    struct berth_answer answer = {0};
    if (!work->settings->build_missing) {
        return BERTH_OK;
    }
    enum berth_status status = berth_receptor_ask(work, "missing", "", 1, &answer, error);
    if (status) {
        berth_fail_in(error, "build_missing");
        error->option = "build_missing";
    }
    BERTH_THEN(berth_missing_add(answer.fields[1].data, answer.fields[1].size,
                                 &work->prepared->structure, work->log, error));
    berth_answer_clear(&answer);
    return status;
}
