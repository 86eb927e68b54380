/* What may be wrong with a receptor's model: reported, not repaired. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"
#include "prep/receptor_types.h"
#include "chem/residue_types.h"

enum { REPORTS_MAX = 20, TEXT_SIZE = 200, NAMED_MAX = 3 };

/* Å: two residues further apart than this are not bonded; two atoms closer are one. */
#define BREAK_DISTANCE 2.5
#define SAME_PLACE     0.5

/* Passes on the first REPORTS_MAX remarks of one kind. */
struct remarks {
    const struct berth_log *log;
    size_t count;
};

static void remark(struct remarks *remarks, const char *text)
{
    if (remarks->count++ < REPORTS_MAX) {
        berth_warn(remarks->log, NULL, "%s", text);
    }
}

static void finish(const struct remarks *remarks, const char *kind)
{
    if (remarks->count > REPORTS_MAX) {
        berth_warn(remarks->log, NULL, "and %zu more %s", remarks->count - REPORTS_MAX, kind);
    }
}

/* The names of atoms that a residue lacks, while they are gathered. */
struct missing {
    const struct berth_structure *structure;
    struct berth_span span;
    char names[TEXT_SIZE];
    size_t length;
};

/* The carbonyl oxygen of a chain's end has other names, too. */
static bool has_atom(const struct missing *missing, const char *name)
{
    return berth_residue_atom(missing->structure, missing->span, name) ||
           (strcmp(name, "O") == 0 &&
            (berth_residue_atom(missing->structure, missing->span, "OT1") ||
             berth_residue_atom(missing->structure, missing->span, "O1")));
}

static void note_missing(void *context, const char *name)
{
    struct missing *missing = context;
    if (!has_atom(missing, name) && missing->length + BERTH_LABEL_SIZE + 2 < TEXT_SIZE) {
        const int added =
            snprintf(missing->names + missing->length, TEXT_SIZE - missing->length, " %s", name);
        missing->length += (size_t)added;
    }
}

/* Residues that lack atoms: the first few by name. */
struct incomplete {
    char text[NAMED_MAX * (TEXT_SIZE + BERTH_RESIDUE_TEXT_SIZE + 8)];
    char only[TEXT_SIZE + BERTH_RESIDUE_TEXT_SIZE + 8]; /* what is said of one alone */
    size_t length, count;
};

static void check_atoms(const struct berth_structure *structure, struct berth_span span,
                        const struct berth_residue_type *type, struct incomplete *incomplete)
{
    struct missing missing = {structure, span, "", 0};
    berth_residue_each_atom(type, note_missing, &missing);
    if (!missing.length || incomplete->count++ >= NAMED_MAX) {
        return;
    }
    char residue[BERTH_RESIDUE_TEXT_SIZE];
    berth_residue_text(&structure->atoms[span.begin].residue, residue);
    snprintf(incomplete->only, sizeof incomplete->only, "%s lacks%s", residue, missing.names);
    incomplete->length += (size_t)snprintf(
        incomplete->text + incomplete->length, sizeof incomplete->text - incomplete->length,
        "%s%s (%s)", incomplete->length ? ", " : "", residue, missing.names + 1);
}

static void check_completeness(const struct berth_structure *structure, const struct berth_log *log)
{
    struct incomplete incomplete = {.count = 0};
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_type *type =
            berth_residue_type_find(structure->atoms[span.begin].residue.name);
        if (type) {
            check_atoms(structure, span, type, &incomplete);
        }
    }
    if (incomplete.count == 1) {
        berth_warn(log, NULL, "%s", incomplete.only);
    } else if (incomplete.count > NAMED_MAX) {
        berth_warn(log, NULL, "%zu residues lack atoms: %s and %zu more", incomplete.count,
                   incomplete.text, incomplete.count - NAMED_MAX);
    } else if (incomplete.count) {
        berth_warn(log, NULL, "%zu residues lack atoms: %s", incomplete.count, incomplete.text);
    }
}

/* Two residues of one chain that follow each other without a bond. */
static void check_bond(const struct berth_structure *structure, struct berth_span before,
                       struct berth_span span, struct remarks *remarks)
{
    const struct berth_residue_id *first = &structure->atoms[before.begin].residue;
    const struct berth_residue_id *second = &structure->atoms[span.begin].residue;
    const struct berth_structure_atom *end = berth_residue_atom(structure, before, "C");
    const struct berth_structure_atom *start = berth_residue_atom(structure, span, "N");
    if (!end || !start) {
        end = berth_residue_atom(structure, before, "O3'");
        start = berth_residue_atom(structure, span, "P");
    }
    if (!end || !start || strcmp(first->chain, second->chain) != 0 ||
        second->number < first->number || berth_residue_atom(structure, before, "OXT") ||
        berth_residue_atom(structure, before, "OT2")) {
        return;
    }
    const double squared = berth_distance_squared(end->position, start->position);
    if (squared > BREAK_DISTANCE * BREAK_DISTANCE) {
        char a[BERTH_RESIDUE_TEXT_SIZE], b[BERTH_RESIDUE_TEXT_SIZE], text[TEXT_SIZE];
        berth_residue_text(first, a);
        berth_residue_text(second, b);
        snprintf(text, sizeof text, "the chain is broken between %s and %s (%.1f \xc3\x85)", a, b,
                 sqrt(squared));
        remark(remarks, text);
    }
}

/* True for what chains are made of.  A modified amino acid is bonded to the one before it; without
 * that it is a cofactor that happens to look like one (S-adenosylmethionine). */
static bool is_link(const struct berth_structure *structure, struct berth_span before,
                    struct berth_span span, const struct berth_residue_type *type)
{
    if (type) {
        return type->kind == BERTH_RESIDUE_AMINO || type->kind == BERTH_RESIDUE_NUCLEOTIDE;
    }
    const struct berth_structure_atom *end = berth_residue_atom(structure, before, "C");
    const struct berth_structure_atom *start = berth_residue_atom(structure, span, "N");
    return end && start && berth_has_backbone(structure, span) &&
           berth_distance_squared(end->position, start->position) <=
               BREAK_DISTANCE * BREAK_DISTANCE;
}

static void check_bonds(const struct berth_structure *structure, const struct berth_log *log)
{
    struct remarks breaks = {log, 0};
    struct berth_span before = {0, 0};
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_type *type =
            berth_residue_type_find(structure->atoms[span.begin].residue.name);
        if (is_link(structure, before, span, type)) {
            if (before.begin < before.end) {
                check_bond(structure, before, span, &breaks);
            }
            before = span;
        }
    }
    finish(&breaks, "breaks in chains");
}

/* The search for atoms in one place. */
struct overlap {
    const struct berth_structure *structure;
    size_t index;
    struct remarks remarks;
};

static void note_overlap(void *context, size_t index, double squared)
{
    struct overlap *overlap = context;
    const struct berth_structure_atom *a = &overlap->structure->atoms[overlap->index];
    const struct berth_structure_atom *b = &overlap->structure->atoms[index];
    if (index <= overlap->index || berth_is_hydrogen(a) || berth_is_hydrogen(b)) {
        return;
    }
    char of_a[BERTH_RESIDUE_TEXT_SIZE], of_b[BERTH_RESIDUE_TEXT_SIZE], text[TEXT_SIZE];
    berth_residue_text(&a->residue, of_a);
    berth_residue_text(&b->residue, of_b);
    snprintf(text, sizeof text,
             "%s of %s and %s of %s lie %.2f \xc3\x85 apart: leave one of them out", a->name, of_a,
             b->name, of_b, sqrt(squared));
    remark(&overlap->remarks, text);
}

static enum berth_status check_overlaps(const struct berth_structure *structure,
                                        const struct berth_log *log, struct berth_error *error)
{
    double(*points)[3] = berth_alloc(structure->count, sizeof *points);
    if (!points) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu atoms", structure->count);
    }
    for (size_t i = 0; i < structure->count; i++) {
        memcpy(points[i], structure->atoms[i].position, sizeof points[i]);
    }
    struct berth_cells cells;
    enum berth_status status =
        berth_cells_create((const double(*)[3])points, structure->count, 2, &cells, error);
    struct overlap overlap = {structure, 0, {log, 0}};
    for (; !status && overlap.index < structure->count; overlap.index++) {
        berth_cells_each(&cells, points[overlap.index], SAME_PLACE, note_overlap, &overlap);
    }
    finish(&overlap.remarks, "pairs of atoms in one place");
    if (!status) {
        berth_cells_clear(&cells);
    }
    free(points);
    return status;
}

enum berth_status berth_receptor_check(const struct berth_structure *structure,
                                       const struct berth_log *log, struct berth_error *error)
{
    check_completeness(structure, log);
    check_bonds(structure, log);
    return check_overlaps(structure, log, error);
}
