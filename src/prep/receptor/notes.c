#include "prep/receptor/notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/coordination.h"
#include "chem/molecule.h"
#include "chem/residue_types.h"
#include "chem/site.h"
#include "chem/structure.h"
#include "chem/vectors.h"
#include "format/receptor_file.h"
#include "prep/receptor/prepare_structure.h"

/* --- What is said of a receptor's metals --- */

static void note_metal(const struct berth_receptor *receptor, size_t metal,
                       const struct berth_log *log)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    struct berth_coordination found;
    char name[BERTH_RESIDUE_TEXT_SIZE];
    berth_residue_text(&receptor->residues[molecule->atoms[metal].residue_id - 1], name);
    if (berth_coordination_find(molecule, metal, &found)) {
        berth_note(log,
                   "metal %s: stays where it is, %s; %zu of its sites taken by the receptor, %zu "
                   "open to the ligand%s",
                   name, BERTH_POLYHEDRON_NAMES[found.polyhedron], found.taken, found.open_count,
                   molecule->atoms[metal].traits.bystander
                       ? "; the one that was cut out binds none of these, so that they draw none "
                         "(metal_sites on: they do)"
                       : " (metal_sites of dock and screen)");
    } else {
        berth_note(log,
                   "metal %s: stays where it is; its donors do not say where it is open, so that "
                   "only the scoring function's own terms draw a ligand to it",
                   name);
    }
}

static bool is_bound(const double metal[3], const struct berth_structure *ligand)
{
    static const double REACH = 3; /* Å */
    bool bound = false;
    for (size_t i = 0; i < ligand->count; i++) {
        const struct berth_structure_atom *atom = &ligand->atoms[i];
        const bool donor =
            atom->element == NITROGEN || atom->element == OXYGEN || atom->element == SULFUR;
        bound = bound || (donor && berth_distance(atom->position, metal) < REACH);
    }
    return bound;
}

void berth_receptor_mark_bystanders(struct berth_receptor *receptor,
                                    const struct berth_structure *ligand)
{
    struct berth_molecule *molecule = &receptor->molecule;
    for (size_t i = 0; i < molecule->atom_count; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        struct berth_coordination found;
        atom->traits.bystander = berth_is_metal(atom->element) &&
                                 !is_bound(atom->position, ligand) &&
                                 berth_coordination_find(molecule, i, &found) && found.open_count;
    }
}

void berth_receptor_note_metals(const struct berth_receptor *receptor, const struct berth_log *log)
{
    struct berth_site site = {.atoms = false};
    memcpy(site.center, receptor->center, sizeof site.center);
    memcpy(site.size, receptor->size, sizeof site.size);
    for (size_t i = 0; receptor->has_site && i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        if (berth_is_metal(atom->element) &&
            berth_site_outside(&site, atom->position) <= BERTH_SITE_REACH) {
            note_metal(receptor, i, log);
        }
    }
}

/* --- What a receptor's PDBQT file says of its atoms, beside what berth makes of them --- */

void berth_receptor_note_acceptors(const struct berth_structure *structure,
                                   const struct berth_molecule *receptor,
                                   const struct berth_site *site, const struct berth_log *log)
{
    const struct berth_structure_atom *first = NULL;
    char residue[BERTH_RESIDUE_TEXT_SIZE];
    size_t count = 0;
    for (size_t i = 0, heavy = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        if (berth_is_hydrogen(atom)) {
            continue;
        }
        const bool accepts = receptor->atoms[heavy++].traits.acceptor;
        if ((atom->element == NITROGEN || atom->element == OXYGEN) && atom->accepts != accepts &&
            (!site || berth_site_outside(site, atom->position) <= BERTH_SITE_REACH)) {
            first = first ? first : atom;
            count++;
        }
    }
    if (first) {
        berth_residue_text(&first->residue, residue);
        berth_note(log,
                   "acceptors of hydrogen bonds: %zu atom%s%s differ%s from the file's types, the "
                   "first %s of %s, which the file %s one; berth goes by residues, `vina` by the "
                   "file: energies there differ",
                   count, count == 1 ? "" : "s", site ? " near the site" : "",
                   count == 1 ? "s" : "", first->name, residue,
                   first->accepts ? "has as" : "has not as");
    }
}

enum { NAMED_MAX = 8 };

/* The first few residues of a kind, by name, and how many there are. */
struct named {
    char text[NAMED_MAX * 2 * (BERTH_RESIDUE_TEXT_SIZE + 16)];
    size_t count;
};

/* remark: behind the name, or "". */
static void add_name(struct named *named, const struct berth_residue_id *residue,
                     const char *remark)
{
    char name[BERTH_RESIDUE_TEXT_SIZE];
    if (named->count++ < NAMED_MAX) {
        berth_residue_text(residue, name);
        berth_text_append(named->text, sizeof named->text, "%s%s%s", *named->text ? ", " : "", name,
                          remark);
    }
}

static void finish_names(struct named *named)
{
    if (named->count > NAMED_MAX) {
        berth_text_append(named->text, sizeof named->text, " ...");
    }
}

/* The name of what the residue is by its atoms' types, where that is not its usual form: an acid
 * with its hydrogen, which the file may have without the name. */
static const char *unusual(const struct berth_structure *structure, struct berth_span span,
                           const char *type)
{
    const bool aspartate = strcmp(type, "ASP") == 0 || strcmp(type, "ASH") == 0;
    const bool glutamate = strcmp(type, "GLU") == 0 || strcmp(type, "GLH") == 0;
    for (size_t i = span.begin; (aspartate || glutamate) && i < span.end; i++) {
        if (strcmp(structure->atoms[i].type, "O.3h") == 0) {
            return aspartate ? "ASH" : "GLH";
        }
    }
    return strcmp(type, "LYN") == 0                                        ? "LYN"
           : strcmp(structure->atoms[span.begin].residue.name, "CYM") == 0 ? "CYM"
                                                                           : NULL;
}

/* What there is to tell. */
struct protonation {
    size_t delta, epsilon, both; /* histidines, by where they bear hydrogens */
    struct named lining, unusual, facing;
};

/* Å: between oxygens of two carboxylates, one of which has a proton then. */
#define FACING 3.1
/* Å: from an oxygen to a metal that it binds. */
#define HOLDS 3.0

/* A side chain's oxygen of an acid that is charged. */
static bool is_acid(const struct berth_structure_atom *atom)
{
    return strcmp(atom->type, "O.co2") == 0 &&
           ((strcmp(atom->residue.name, "ASP") == 0 && strncmp(atom->name, "OD", 2) == 0) ||
            (strcmp(atom->residue.name, "GLU") == 0 && strncmp(atom->name, "OE", 2) == 0));
}

/* Two charged acids that face each other. */
struct facing {
    struct berth_span first; /* the one that the file has first, */
    size_t second;           /* and where the other begins */
    double distance;         /* Å: the least between their oxygens */
};

/* The search for them. */
struct search {
    const struct berth_structure *structure; /* borrowed */
    struct berth_cells cells;                /* owned; of its atoms */
    struct berth_span span;                  /* the residue that is looked at: */
    bool holds_metal;                        /* which keeps it beside others, and no proton */
    struct facing *pairs;                    /* owned; [count] */
    size_t count, capacity;
    enum berth_status status;
    struct berth_error *error; /* borrowed */
};

static void meet(void *context, size_t index, double squared)
{
    struct search *search = context;
    const struct berth_structure_atom *atom = &search->structure->atoms[index];
    search->holds_metal =
        search->holds_metal || (berth_is_metal(atom->element) && squared < HOLDS * HOLDS);
    if (index < search->span.end || !is_acid(atom) || squared >= FACING * FACING ||
        search->status) {
        return;
    }
    while (index && berth_same_residue(&atom->residue, &atom[-1].residue)) {
        index--;
        atom--;
    }
    search->status = berth_reserve(&search->pairs, &search->capacity, search->count + 1,
                                   sizeof *search->pairs, search->error);
    if (!search->status) {
        search->pairs[search->count++] = (struct facing){search->span, index, sqrt(squared)};
    }
}

/* In the file's order, of two residues the nearest atoms first. */
static int by_place(const void *left, const void *right)
{
    const struct facing *a = left, *b = right;
    return a->first.begin != b->first.begin ? (a->first.begin < b->first.begin ? -1 : 1)
           : a->second != b->second         ? (a->second < b->second ? -1 : 1)
                                    : (a->distance > b->distance) - (a->distance < b->distance);
}

/* Finds acids that share a proton, to judge by how near they are, and names them. */
static enum berth_status find_facing(const struct berth_structure *structure, struct named *facing,
                                     struct berth_error *error)
{
    struct search search = {.structure = structure, .error = error};
    BERTH_TRY(berth_structure_cells(structure, FACING, &search.cells, error));
    for (search.span = berth_residue_at(structure, 0); search.span.begin < search.span.end;
         search.span = berth_residue_at(structure, search.span.end)) {
        const size_t before = search.count;
        search.holds_metal = false;
        for (size_t i = search.span.begin; i < search.span.end; i++) {
            if (is_acid(&structure->atoms[i])) {
                berth_cells_each(&search.cells, structure->atoms[i].position, FACING, meet,
                                 &search);
            }
        }
        search.count = search.holds_metal ? before : search.count;
    }
    if (search.count) {
        qsort(search.pairs, search.count, sizeof *search.pairs, by_place);
    }
    for (size_t i = 0; i < search.count; i++) {
        const struct facing *pair = &search.pairs[i];
        char remark[BERTH_RESIDUE_TEXT_SIZE + 32], name[BERTH_RESIDUE_TEXT_SIZE];
        if (i && pair->first.begin == pair[-1].first.begin && pair->second == pair[-1].second) {
            continue;
        }
        berth_residue_text(&structure->atoms[pair->second].residue, name);
        snprintf(remark, sizeof remark, " and %s (%.1f \xc3\x85)", name, pair->distance);
        add_name(facing, &structure->atoms[pair->first.begin].residue, remark);
    }
    free(search.pairs);
    berth_cells_clear(&search.cells);
    return search.status;
}

static void look_at(const struct berth_structure *structure, struct berth_span span,
                    const struct berth_site *site, struct protonation *found)
{
    struct berth_residue_id residue = structure->atoms[span.begin].residue;
    const struct berth_residue_type *type = berth_residue_type_find(residue.name);
    const char *form = type ? unusual(structure, span, type->name) : NULL;
    if (form) {
        snprintf(residue.name, sizeof residue.name, "%s", form);
        add_name(&found->unusual, &residue, strcmp(form, "CYM") == 0 ? " (scored as CYS)" : "");
    }
    if (!type || strncmp(type->name, "HI", 2) != 0) {
        return;
    }
    const bool epsilon = strcmp(type->name, "HIE") == 0, both = strcmp(type->name, "HIP") == 0;
    found->epsilon += epsilon;
    found->both += both;
    found->delta += !epsilon && !both;
    if (site && berth_residue_lines_site(structure, span, site)) {
        add_name(&found->lining, &residue, epsilon ? " (NE2)" : both ? " (both)" : " (ND1)");
    }
}

enum berth_status berth_receptor_note_protonation(const struct berth_structure *structure,
                                                  const struct berth_site *site,
                                                  const struct berth_log *log,
                                                  struct berth_error *error)
{
    struct protonation found = {.delta = 0};
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        look_at(structure, span, site, &found);
    }
    BERTH_TRY(find_facing(structure, &found.facing, error));
    finish_names(&found.lining);
    finish_names(&found.unusual);
    finish_names(&found.facing);
    if (found.delta + found.epsilon + found.both) {
        berth_note(
            log,
            "histidines: %zu with the hydrogen on ND1 (where nothing says otherwise), %zu "
            "on NE2, %zu with both%s%s; to change that, call them HID, HIE or HIP in the file",
            found.delta, found.epsilon, found.both, found.lining.count ? "; near the site " : "",
            found.lining.text);
    }
    if (found.facing.count) {
        berth_note(
            log,
            "facing acids: %s, both charged here, of which one probably has a proton; call that "
            "one ASH or GLH in the file (the hydrogen is on OD2 or OE2)",
            found.facing.text);
    }
    if (found.unusual.count) {
        berth_note(log, "unusual forms: %s, by the file or its network", found.unusual.text);
    }
    return BERTH_OK;
}
