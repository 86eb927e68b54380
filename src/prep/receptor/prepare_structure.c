#include "prep/receptor/prepare_structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "chem/bonds.h"
#include "chem/polymers.h"
#include "chem/residue_types.h"

/* --- Alternate locations --- */

enum { ALTERNATES_MAX = 64 };

/* One alternate of a place in the chain. */
struct alternate {
    char letter;
    char residue[BERTH_LABEL_SIZE];
    double occupancy; /* sum over its atoms */
    size_t atoms;
};

/* The alternates of one place, best first. */
struct ranking {
    struct alternate alternates[ALTERNATES_MAX];
    size_t count;
};

static double mean_of(const struct alternate *alternate)
{
    return alternate->occupancy / (double)alternate->atoms;
}

/* Insertion sort: stable, and there are few. */
static void sort_ranking(struct ranking *ranking)
{
    for (size_t i = 1; i < ranking->count; i++) {
        const struct alternate moved = ranking->alternates[i];
        size_t j = i;
        for (; j > 0 && mean_of(&ranking->alternates[j - 1]) < mean_of(&moved) - 1e-9; j--) {
            ranking->alternates[j] = ranking->alternates[j - 1];
        }
        ranking->alternates[j] = moved;
    }
}

/* Which of the alternates the atom is one of; the count where none. */
static size_t rank_of(const struct ranking *ranking, const struct berth_structure_atom *atom)
{
    size_t i = 0;
    while (i < ranking->count &&
           (ranking->alternates[i].letter != atom->alternate ||
            strcmp(ranking->alternates[i].residue, atom->residue.name) != 0)) {
        i++;
    }
    return i;
}

static void count_atom(struct ranking *ranking, const struct berth_structure_atom *atom)
{
    const size_t i = rank_of(ranking, atom);
    if (i == ALTERNATES_MAX) {
        return; /* ranks behind all others */
    }
    if (i == ranking->count) {
        ranking->alternates[ranking->count++] = (struct alternate){.letter = atom->alternate};
        memcpy(ranking->alternates[i].residue, atom->residue.name, BERTH_LABEL_SIZE);
    }
    ranking->alternates[i].occupancy += atom->occupancy;
    ranking->alternates[i].atoms++;
}

/* True where no better place of the same atom stands among the span's. */
static bool is_best(const struct berth_structure *structure, struct berth_span span, size_t index,
                    const struct ranking *ranking)
{
    const struct berth_structure_atom *atom = &structure->atoms[index];
    if (strcmp(atom->residue.name, ranking->alternates[0].residue) != 0) {
        return false;
    }
    const size_t rank = rank_of(ranking, atom);
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *other = &structure->atoms[i];
        if (i != index && strcmp(other->name, atom->name) == 0 &&
            strcmp(other->residue.name, atom->residue.name) == 0) {
            const size_t theirs = other->alternate ? rank_of(ranking, other) : 0;
            if (!other->alternate || theirs < rank || (theirs == rank && i < index)) {
                return false;
            }
        }
    }
    return true;
}

enum berth_status berth_alternates_resolve(struct berth_structure *structure, size_t *residues,
                                           struct berth_error *error)
{
    *residues = 0;
    bool *keep;
    BERTH_TRY(berth_make(&keep, structure->count, sizeof *keep, NULL, error));
    const struct berth_structure_atom *atoms = structure->atoms;
    struct berth_span span = {0, 0};
    for (; span.begin < structure->count; span.begin = span.end) {
        struct ranking ranking = {.count = 0};
        span.end = span.begin;
        while (span.end < structure->count &&
               berth_same_place(&atoms[span.begin].residue, &atoms[span.end].residue)) {
            if (atoms[span.end].alternate) {
                count_atom(&ranking, &atoms[span.end]);
            }
            span.end++;
        }
        sort_ranking(&ranking);
        size_t dropped = 0;
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = !atoms[i].alternate || is_best(structure, span, i, &ranking);
            dropped += !keep[i];
        }
        *residues += dropped > 0;
    }
    berth_structure_filter(structure, keep);
    free(keep);
    return BERTH_OK;
}

/* Å: nearer to each other than bonded heavy atoms are. */
static const double OVERLAP = 1.2;

bool berth_residue_gives_way(const struct berth_structure *structure, struct berth_span residue,
                             const double place[3])
{
    bool near = false;
    for (size_t i = residue.begin; i < residue.end; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        if (!atom->alternate || berth_is_standard_residue(atom->residue.name)) {
            return false;
        }
        near = near || (!berth_is_hydrogen(atom) &&
                        berth_distance_squared(atom->position, place) < OVERLAP * OVERLAP);
    }
    return near;
}

/* --- Types --- */

static bool is_within(const struct berth_structure_atom *a, const struct berth_structure_atom *b,
                      double distance)
{
    return berth_distance_squared(a->position, b->position) < distance * distance;
}

static bool bears_hydrogen(const struct berth_structure *structure, struct berth_span span,
                           const struct berth_structure_atom *atom)
{
    for (size_t i = span.begin; atom && i < span.end; i++) {
        if (berth_is_hydrogen(&structure->atoms[i]) &&
            is_within(&structure->atoms[i], atom, BERTH_BOND_HYDROGEN)) {
            return true;
        }
    }
    return false;
}

/* A structure, and what is looked for about an atom of it. */
struct vicinity {
    struct berth_structure *structure; /* borrowed */
    struct berth_cells cells;          /* owned; of its atoms */
    struct berth_span own;             /* the residue of the atom */
    bool found;
};

static void meet_metal(void *context, size_t index, double squared)
{
    struct vicinity *vicinity = context;
    vicinity->found =
        vicinity->found || (berth_is_metal(vicinity->structure->atoms[index].element) &&
                            squared < BERTH_BOND_METAL * BERTH_BOND_METAL);
}

static bool holds_metal(struct vicinity *vicinity, const struct berth_structure_atom *atom)
{
    vicinity->found = false;
    if (atom) {
        berth_cells_each(&vicinity->cells, atom->position, BERTH_BOND_METAL, meet_metal, vicinity);
    }
    return vicinity->found;
}

static void rename_residue(struct berth_structure *structure, struct berth_span span,
                           const char *name)
{
    for (size_t i = span.begin; i < span.end; i++) {
        snprintf(structure->atoms[i].residue.name, BERTH_LABEL_SIZE, "%s", name);
    }
}

/* HIS becomes HIE or HIP where the file or a metal says so; names that say it themselves stay. */
static void decide_histidine(struct vicinity *vicinity, struct berth_span span)
{
    struct berth_structure *structure = vicinity->structure;
    if (strcmp(structure->atoms[span.begin].residue.name, "HIS") == 0) {
        const struct berth_structure_atom *delta = berth_residue_atom(structure, span, "ND1");
        const struct berth_structure_atom *epsilon = berth_residue_atom(structure, span, "NE2");
        const bool on_delta = bears_hydrogen(structure, span, delta);
        const bool on_epsilon = bears_hydrogen(structure, span, epsilon);
        const bool bound_delta = holds_metal(vicinity, delta);
        const bool bound_epsilon = holds_metal(vicinity, epsilon);
        if (on_delta && on_epsilon && !bound_delta && !bound_epsilon) {
            rename_residue(structure, span, "HIP");
        } else if (!bound_epsilon && (bound_delta || (on_epsilon && !on_delta))) {
            rename_residue(structure, span, "HIE");
        }
    }
}

static bool ends_chain(const struct berth_structure *structure, struct berth_span span)
{
    return berth_residue_atom(structure, span, "OXT") ||
           berth_residue_atom(structure, span, "OT2") || berth_residue_atom(structure, span, "O2");
}

static void meet_bonded(void *context, size_t index, double squared)
{
    struct vicinity *vicinity = context;
    const struct berth_structure_atom *other = &vicinity->structure->atoms[index];
    const bool outside = index < vicinity->own.begin || index >= vicinity->own.end;
    vicinity->found = vicinity->found ||
                      (outside && !berth_is_hydrogen(other) && !berth_is_metal(other->element) &&
                       squared < BERTH_BOND_HEAVY * BERTH_BOND_HEAVY);
}

/* True where the span's atom of this name is bonded to a heavy atom of another residue. */
static bool is_bonded_outside(struct vicinity *vicinity, struct berth_span span, const char *name)
{
    const struct berth_structure_atom *atom = berth_residue_atom(vicinity->structure, span, name);
    vicinity->own = span;
    vicinity->found = false;
    if (atom) {
        berth_cells_each(&vicinity->cells, atom->position, BERTH_BOND_HEAVY, meet_bonded, vicinity);
    }
    return vicinity->found;
}

/* The amino acid before opens no new chain where it has the same chain, no end of its own, and a
 * lower number.  (Files without chains begin again at 1.) */
static bool starts_chain(struct vicinity *vicinity, struct berth_span before,
                         struct berth_span span)
{
    const struct berth_structure *structure = vicinity->structure;
    if (before.begin < before.end) {
        const struct berth_residue_id *last = &structure->atoms[before.begin].residue;
        const struct berth_residue_id *this = &structure->atoms[span.begin].residue;
        if (strcmp(last->chain, this->chain) == 0 && this->number >= last->number &&
            !ends_chain(structure, before)) {
            return false;
        }
    }
    return !is_bonded_outside(vicinity, span, "N");
}

/* The carboxyl group of an atom of Asp or Glu, as types beside the table's: "" for none. */
static const char *acid_type(const struct berth_structure *structure, struct berth_span span,
                             const struct berth_structure_atom *atom)
{
    static const char *const PAIRS[][3] = {
        {"ASP", "OD1", "OD2"}, {"ASP", "OD2", "OD1"}, {"GLU", "OE1", "OE2"}, {"GLU", "OE2", "OE1"}};
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        if (strcmp(atom->residue.name, PAIRS[i][0]) == 0 && strcmp(atom->name, PAIRS[i][1]) == 0) {
            const struct berth_structure_atom *other =
                berth_residue_atom(structure, span, PAIRS[i][2]);
            return bears_hydrogen(structure, span, atom)    ? "O.3h"
                   : bears_hydrogen(structure, span, other) ? "O.2"
                                                            : "";
        }
    }
    return "";
}

/* The residue around an atom that is being typed. */
struct context {
    const struct berth_structure *structure;
    const struct berth_residue_type *residue; /* NULL: not a standard one */
    struct berth_span span;
    bool starts, ends; /* an amino acid at the end of its chain */
    bool modified;     /* an amino acid within a chain that the table does not know */
};

/* A metal alone, whatever its residue is called: one of uranium may have uridine's name. */
static bool is_ion(const struct berth_structure *structure, struct berth_span span)
{
    return span.end - span.begin == 1 && berth_is_metal(structure->atoms[span.begin].element);
}

/* Writes the atom's type; false where it is not known. */
static bool find_type(const struct context *at, const struct berth_structure_atom *atom,
                      char type[8])
{
    const bool amino = at->residue && at->residue->kind == BERTH_RESIDUE_AMINO;
    if (is_ion(at->structure, at->span)) {
        berth_metal_type(atom->element, type);
        return true;
    }
    const char *special = "";
    if (amino && at->ends && berth_text_lists("O OXT OT1 OT2 O1 O2", ' ', atom->name)) {
        special = "O.co2";
    } else if (amino && at->starts && strcmp(atom->name, "N") == 0) {
        special = "N.4";
    } else if (amino) {
        special = acid_type(at->structure, at->span, atom);
    }
    /* Any amino acid has the backbone of glycine. */
    if (at->modified) {
        return berth_residue_atom_type(berth_residue_type_find("GLY"), atom->name, type);
    }
    snprintf(type, 8, "%s", special);
    return *special || (at->residue && berth_residue_atom_type(at->residue, atom->name, type));
}

enum berth_status berth_receptor_type(struct berth_structure *structure,
                                      struct berth_receptor_typing *typing,
                                      struct berth_error *error)
{
    struct vicinity vicinity = {.structure = structure};
    struct berth_span before = {0, 0};
    memset(typing, 0, sizeof *typing);
    BERTH_TRY(berth_structure_cells(structure, BERTH_BOND_METAL, &vicinity.cells, error));
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        struct context at = {.structure = structure, .span = span};
        at.residue = berth_residue_type_find(structure->atoms[span.begin].residue.name);
        if (at.residue && at.residue->kind == BERTH_RESIDUE_AMINO) {
            if (strncmp(at.residue->name, "HI", 2) == 0) {
                decide_histidine(&vicinity, span);
                at.residue = berth_residue_type_find(structure->atoms[span.begin].residue.name);
            }
            at.starts = starts_chain(&vicinity, before, span);
            at.ends = ends_chain(structure, span);
            before = span;
        } else if (!at.residue) {
            at.modified =
                berth_has_backbone(structure, span) && (is_bonded_outside(&vicinity, span, "N") ||
                                                        is_bonded_outside(&vicinity, span, "C"));
        }
        for (size_t i = at.span.begin; i < at.span.end; i++) {
            struct berth_structure_atom *atom = &structure->atoms[i];
            char type[8];
            if (!berth_is_hydrogen(atom) && find_type(&at, atom, type)) {
                typing->changed += *atom->type && strcmp(atom->type, type) != 0;
                snprintf(atom->type, sizeof atom->type, "%s", type);
            }
        }
    }
    berth_cells_clear(&vicinity.cells);
    return BERTH_OK;
}

/* --- What may be wrong with the model: reported, not repaired --- */

enum { REPORTS_MAX = 20, TEXT_SIZE = 200, NAMED_MAX = 8 };

/* Å: two residues further apart than this are not bonded; two atoms closer are one. */
#define BREAK_DISTANCE 2.5
#define SAME_PLACE     0.5
/* Å: edge of a cell in which atoms are counted; there are 5 at most, with hydrogens, of a model. */
#define CROWDING 3.0
enum { CROWD_MAX = 200 };

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

static void finish_remarks(const struct remarks *remarks, const char *kind)
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
    if (!has_atom(missing, name) && strlen(missing->names) + BERTH_LABEL_SIZE + 2 < TEXT_SIZE) {
        berth_text_append(missing->names, TEXT_SIZE, " %s", name);
    }
}

/* Residues that lack atoms: the first few by name; and those among them that have atoms which none
 * of their name has. */
struct incomplete {
    char text[NAMED_MAX * (TEXT_SIZE + BERTH_RESIDUE_TEXT_SIZE + 8)];
    size_t count, misnamed;
    char first[TEXT_SIZE + BERTH_RESIDUE_TEXT_SIZE + 8]; /* of the misnamed */
};

/* Counts the residue where it has atoms that none of its name has. */
static void check_name(const struct berth_structure *structure, struct berth_span span,
                       const struct berth_residue_type *type, struct incomplete *incomplete)
{
    char names[TEXT_SIZE] = "", kind[8], residue[BERTH_RESIDUE_TEXT_SIZE];
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        if (!berth_is_hydrogen(atom) && !berth_text_lists("OXT OT1 OT2 O1 O2", ' ', atom->name) &&
            !berth_residue_atom_type(type, atom->name, kind) &&
            strlen(names) + BERTH_LABEL_SIZE + 2 < TEXT_SIZE) {
            berth_text_append(names, TEXT_SIZE, " %s", atom->name);
        }
    }
    if (*names && !incomplete->misnamed++) {
        berth_residue_text(&structure->atoms[span.begin].residue, residue);
        snprintf(incomplete->first, sizeof incomplete->first, "%s (%s)", residue, names + 1);
    }
}

static void check_atoms(const struct berth_structure *structure, struct berth_span span,
                        const struct berth_residue_type *type, struct incomplete *incomplete)
{
    struct missing missing = {structure, span, ""};
    berth_residue_each_atom(type, note_missing, &missing);
    if (!*missing.names) {
        return;
    }
    check_name(structure, span, type, incomplete);
    if (incomplete->count++ >= NAMED_MAX) {
        return;
    }
    char residue[BERTH_RESIDUE_TEXT_SIZE];
    berth_residue_text(&structure->atoms[span.begin].residue, residue);
    berth_text_append(incomplete->text, sizeof incomplete->text, "%s%s (%s)",
                      *incomplete->text ? ", " : "", residue, missing.names + 1);
}

bool berth_residue_lines_site(const struct berth_structure *structure, struct berth_span span,
                              const struct berth_site *site)
{
    bool near = false;
    for (size_t i = span.begin; site && !near && i < span.end; i++) {
        near = berth_site_outside(site, structure->atoms[i].position) <= BERTH_SITE_REACH;
    }
    return near;
}

/* Those that line the site, or those that do not; where: in words. */
static void check_residues(const struct berth_structure *structure, const struct berth_site *site,
                           bool lining, const char *where, const struct berth_log *log)
{
    struct incomplete incomplete = {.count = 0};
    char more[48] = "";
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        const struct berth_residue_type *type =
            berth_residue_type_find(structure->atoms[span.begin].residue.name);
        if (type && !is_ion(structure, span) &&
            berth_residue_lines_site(structure, span, site) == lining) {
            check_atoms(structure, span, type, &incomplete);
        }
    }
    if (incomplete.count > NAMED_MAX) {
        snprintf(more, sizeof more, " and %zu more", incomplete.count - NAMED_MAX);
    }
    if (incomplete.count) {
        berth_warn(log, NULL, "%zu residue%s%s lack%s atoms: %s%s", incomplete.count,
                   incomplete.count == 1 ? "" : "s", where, incomplete.count == 1 ? "s" : "",
                   incomplete.text, more);
    }
    if (incomplete.misnamed) {
        berth_warn(
            log, NULL,
            "%zu of these ha%s atoms that no residue of the name has, %s: it is the names that "
            "are wrong, as in some files of Open Babel; take the file that it was made from",
            incomplete.misnamed, incomplete.misnamed == 1 ? "s" : "ve", incomplete.first);
    }
}

static void check_completeness(const struct berth_structure *structure,
                               const struct berth_site *site, const struct berth_log *log)
{
    if (site) {
        check_residues(structure, site, true, " that may line the site", log);
    }
    check_residues(structure, site, false, site ? " away from the site" : "", log);
}

/* Where chains are broken: how many places, and one of them. */
struct breaks {
    const struct berth_structure *structure;
    const struct berth_site *site; /* NULL: there is none, and the first place is told */
    size_t count;
    double nearest;       /* Å from the site, of the place that is told */
    char text[TEXT_SIZE]; /* "between A and B" */
};

static void note_break(struct breaks *breaks, const struct berth_structure_atom *end,
                       const struct berth_structure_atom *start)
{
    const struct berth_site *site = breaks->site;
    const double away = site ? fmin(berth_site_outside(site, end->position),
                                    berth_site_outside(site, start->position))
                             : 0;
    if (breaks->count++ && away >= breaks->nearest) {
        return;
    }
    char first[BERTH_RESIDUE_TEXT_SIZE], second[BERTH_RESIDUE_TEXT_SIZE];
    berth_residue_text(&end->residue, first);
    berth_residue_text(&start->residue, second);
    breaks->nearest = away;
    snprintf(breaks->text, sizeof breaks->text, "between %s and %s", first, second);
}

static void tell_breaks(const struct breaks *breaks, const struct berth_log *log)
{
    char lead[96] = "the chain is broken ", tail[64] = "";
    if (breaks->count > 1) {
        snprintf(lead, sizeof lead, "chains are broken at %zu places, %s ", breaks->count,
                 breaks->site ? "the nearest to the site" : "the first");
    }
    if (breaks->site && breaks->nearest > 0) {
        snprintf(tail, sizeof tail, ", %.0f \xc3\x85 away from the site", breaks->nearest);
    } else if (breaks->site) {
        snprintf(tail, sizeof tail, ", in the site");
    }
    if (breaks->count) {
        berth_warn(log, NULL, "%s%s%s", lead, breaks->text, tail);
    }
}

/* Whether residues between these two, which chains are not known to be made of, bond them: a
 * modified residue whose atoms have lost their names, as PDBQT's UNK. */
static bool is_bridged(const struct berth_structure *structure, struct berth_span before,
                       struct berth_span span, const struct berth_structure_atom *end,
                       const struct berth_structure_atom *start)
{
    const double most = BREAK_DISTANCE * BREAK_DISTANCE;
    bool at_end = false, at_start = false;
    for (size_t i = before.end; i < span.begin; i++) {
        const double *at = structure->atoms[i].position;
        at_end = at_end || berth_distance_squared(at, end->position) <= most;
        at_start = at_start || berth_distance_squared(at, start->position) <= most;
    }
    return at_end && at_start;
}

/* Two residues of one chain that follow each other without a bond. */
static void check_bond(struct berth_span before, struct berth_span span, struct breaks *breaks)
{
    const struct berth_structure *structure = breaks->structure;
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
    if (berth_distance_squared(end->position, start->position) > BREAK_DISTANCE * BREAK_DISTANCE &&
        !is_bridged(structure, before, span, end, start)) {
        note_break(breaks, end, start);
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

static enum berth_status check_bonds(const struct berth_structure *structure,
                                     const struct berth_site *site, const struct berth_log *log,
                                     struct berth_error *error)
{
    struct breaks breaks = {.structure = structure, .site = site};
    struct berth_span before = {0, 0};
    struct berth_polymers polymers;
    const enum berth_status status = berth_polymers_find(structure, &polymers, error);
    for (size_t i = 0; !status && i < polymers.count; i++) {
        const struct berth_span span = polymers.residues[i];
        const struct berth_residue_type *type =
            berth_residue_type_find(structure->atoms[span.begin].residue.name);
        if (!polymers.molecule[i] && is_link(structure, before, span, type)) {
            if (before.begin < before.end) {
                check_bond(before, span, &breaks);
            }
            before = span;
        }
    }
    tell_breaks(&breaks, log);
    berth_polymers_clear(&polymers);
    return status;
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

static void count_neighbour(void *context, size_t index, double squared)
{
    size_t *count = context;
    (void)index, (void)squared;
    ++*count;
}

enum berth_status berth_receptor_check_crowding(const struct berth_structure *structure,
                                                struct berth_error *error)
{
    struct berth_cells cells;
    size_t most = 0, crowded = 0;
    BERTH_TRY(berth_structure_cells(structure, CROWDING, &cells, error));
    for (size_t l = 0; l < cells.lists; l++) {
        const size_t begin = cells.starts[l], count = cells.starts[l + 1] - begin;
        crowded = count > most ? cells.members[begin] : crowded;
        most = count > most ? count : most;
    }
    if (most > CROWD_MAX) {
        most = 0;
        berth_cells_each(&cells, structure->atoms[crowded].position, 2 * CROWDING, count_neighbour,
                         &most);
    }
    berth_cells_clear(&cells);
    if (most > CROWD_MAX) {
        char residue[BERTH_RESIDUE_TEXT_SIZE];
        berth_residue_text(&structure->atoms[crowded].residue, residue);
        return berth_fail(
            error, BERTH_E_FORMAT,
            "line %zu: %zu atoms lie within %g \xc3\x85 of %s of %s: are these several "
            "models, without the lines that tell them apart?; give one",
            structure->atoms[crowded].line, most, 2 * CROWDING, structure->atoms[crowded].name,
            residue);
    }
    return BERTH_OK;
}

enum berth_status berth_receptor_check(const struct berth_structure *structure,
                                       const struct berth_site *site, const struct berth_log *log,
                                       struct berth_error *error)
{
    check_completeness(structure, site, log);
    BERTH_TRY(check_bonds(structure, site, log, error));
    const struct berth_structure_atom *atoms = structure->atoms;
    struct berth_cells cells;
    struct overlap overlap = {structure, 0, {log, 0}};
    BERTH_TRY(berth_structure_cells(structure, 2, &cells, error));
    for (; overlap.index < structure->count; overlap.index++) {
        berth_cells_each(&cells, atoms[overlap.index].position, SAME_PLACE, note_overlap, &overlap);
    }
    finish_remarks(&overlap.remarks, "pairs of atoms in one place");
    berth_cells_clear(&cells);
    return BERTH_OK;
}
