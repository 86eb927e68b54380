#include "prep/receptor_types.h"

#include <stdio.h>
#include <string.h>

#include "chem/residue_types.h"

/* Å: bonds to hydrogen, between heavy atoms, of a metal to what holds it. */
#define HYDROGEN_BOND 1.3
#define HEAVY_BOND    1.9
#define METAL_BOND    2.8

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
            is_within(&structure->atoms[i], atom, HYDROGEN_BOND)) {
            return true;
        }
    }
    return false;
}

static bool holds_metal(const struct berth_structure *structure,
                        const struct berth_structure_atom *atom)
{
    for (size_t i = 0; atom && i < structure->count; i++) {
        if (berth_is_metal(structure->atoms[i].element) &&
            is_within(&structure->atoms[i], atom, METAL_BOND)) {
            return true;
        }
    }
    return false;
}

static void rename_residue(struct berth_structure *structure, struct berth_span span,
                           const char *name)
{
    for (size_t i = span.begin; i < span.end; i++) {
        snprintf(structure->atoms[i].residue.name, BERTH_LABEL_SIZE, "%s", name);
    }
}

/* HIS becomes HIE or HIP where the file or a metal says so; names that say it themselves stay. */
static void decide_histidine(struct berth_structure *structure, struct berth_span span,
                             struct berth_receptor_typing *typing)
{
    if (strcmp(structure->atoms[span.begin].residue.name, "HIS") == 0) {
        const struct berth_structure_atom *delta = berth_residue_atom(structure, span, "ND1");
        const struct berth_structure_atom *epsilon = berth_residue_atom(structure, span, "NE2");
        const bool on_delta = bears_hydrogen(structure, span, delta);
        const bool on_epsilon = bears_hydrogen(structure, span, epsilon);
        const bool bound_delta = holds_metal(structure, delta);
        const bool bound_epsilon = holds_metal(structure, epsilon);
        if (on_delta && on_epsilon && !bound_delta && !bound_epsilon) {
            rename_residue(structure, span, "HIP");
        } else if (!bound_epsilon && (bound_delta || (on_epsilon && !on_delta))) {
            rename_residue(structure, span, "HIE");
        }
    }
    const struct berth_residue_type *type =
        berth_residue_type_find(structure->atoms[span.begin].residue.name);
    typing->epsilon += strcmp(type->name, "HIE") == 0;
    typing->charged += strcmp(type->name, "HIP") == 0;
}

static bool is_terminal_oxygen(const char *name)
{
    static const char *const NAMES[] = {"OXT", "OT1", "OT2", "O1", "O2"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool ends_chain(const struct berth_structure *structure, struct berth_span span)
{
    return berth_residue_atom(structure, span, "OXT") ||
           berth_residue_atom(structure, span, "OT2") || berth_residue_atom(structure, span, "O2");
}

/* True where the span's atom of this name is bonded to a heavy atom of another residue. */
static bool is_bonded_outside(const struct berth_structure *structure, struct berth_span span,
                              const char *name)
{
    const struct berth_structure_atom *atom = berth_residue_atom(structure, span, name);
    for (size_t i = 0; atom && i < structure->count; i++) {
        const struct berth_structure_atom *other = &structure->atoms[i];
        if ((i < span.begin || i >= span.end) && !berth_is_hydrogen(other) &&
            !berth_is_metal(other->element) && is_within(other, atom, HEAVY_BOND)) {
            return true;
        }
    }
    return false;
}

/* The amino acid before opens no new chain where it has the same chain, no end of its own, and a
 * lower number.  (Files without chains begin again at 1.) */
static bool starts_chain(const struct berth_structure *structure, struct berth_span before,
                         struct berth_span span)
{
    if (before.begin < before.end) {
        const struct berth_residue_id *last = &structure->atoms[before.begin].residue;
        const struct berth_residue_id *this = &structure->atoms[span.begin].residue;
        if (strcmp(last->chain, this->chain) == 0 && this->number >= last->number &&
            !ends_chain(structure, before)) {
            return false;
        }
    }
    return !is_bonded_outside(structure, span, "N");
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

/* Writes the atom's type; false where it is not known. */
static bool find_type(const struct context *at, const struct berth_structure_atom *atom,
                      char type[8])
{
    const bool amino = at->residue && at->residue->kind == BERTH_RESIDUE_AMINO;
    if (berth_is_metal(atom->element) && at->span.end - at->span.begin == 1) {
        const char *symbol = berth_element_symbol(atom->element);
        snprintf(type, 8, "%s%s", symbol, atom->element == 26 ? ".2" : "");
        return true;
    }
    const char *special = "";
    if (amino && at->ends && (strcmp(atom->name, "O") == 0 || is_terminal_oxygen(atom->name))) {
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

static void type_residue(struct berth_structure *structure, const struct context *at,
                         struct berth_receptor_typing *typing)
{
    for (size_t i = at->span.begin; i < at->span.end; i++) {
        struct berth_structure_atom *atom = &structure->atoms[i];
        char type[8];
        if (berth_is_hydrogen(atom)) {
            continue;
        }
        if (find_type(at, atom, type)) {
            typing->typed++;
            typing->changed += *atom->type && strcmp(atom->type, type) != 0;
            snprintf(atom->type, sizeof atom->type, "%s", type);
        } else {
            typing->untyped += !*atom->type;
        }
    }
}

void berth_receptor_type(struct berth_structure *structure, struct berth_receptor_typing *typing)
{
    memset(typing, 0, sizeof *typing);
    struct berth_span before = {0, 0};
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        struct context at = {.structure = structure, .span = span};
        at.residue = berth_residue_type_find(structure->atoms[span.begin].residue.name);
        if (at.residue && at.residue->kind == BERTH_RESIDUE_AMINO) {
            if (strncmp(at.residue->name, "HI", 2) == 0) {
                decide_histidine(structure, span, typing);
                at.residue = berth_residue_type_find(structure->atoms[span.begin].residue.name);
            }
            at.starts = starts_chain(structure, before, span);
            at.ends = ends_chain(structure, span);
            before = span;
        } else if (!at.residue) {
            at.modified =
                berth_has_backbone(structure, span) && (is_bonded_outside(structure, span, "N") ||
                                                        is_bonded_outside(structure, span, "C"));
        }
        type_residue(structure, &at, typing);
    }
}
