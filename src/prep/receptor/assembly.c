#include "prep/receptor/assembly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/cells.h"
#include "prep/receptor/residues.h"

/* Å: what stands farther than this from the ligand or the site matters to neither; heavy atoms
 * touch; nearer to a ligand, its copy is another of its places; atoms are one. */
#define REACH 8.0
#define TOUCH 4.0
#define CLASH 2.0
#define SAME  1.0

/* What a rotation, whose numbers are rounded, may stretch at most (prep/symmetry.c). */
#define STRETCH 1.02

enum {
    ATOMS_MAX = 1000000,   /* of a receptor with its copies */
    PLACED_MAX = 50000000, /* atoms of copies that are looked at */
    TEXT_SIZE = 400
};

/* Places of atoms that are asked for by distance. */
struct places {
    double (*at)[3]; /* owned; [count] */
    size_t count;
    struct berth_cells cells; /* owned */
};

/* An atom of the original, by its chain. */
struct member {
    char chain[BERTH_LABEL_SIZE];
    size_t atom;
};

/* A chain of the original. */
struct chain {
    size_t begin, end; /* members[begin .. end), in the structure's order */
    double center[3];  /* Å; of its heavy atoms, */
    double radius;     /* and what of them is farthest from there */
    size_t next;       /* number of its next copy: A-2 is the first */
    bool stands;       /* in the assembly where it is */
};

/* What is added, and to what. */
struct copies {
    const struct berth_receptor_work *work; /* borrowed */
    struct berth_structure *structure;      /* borrowed */
    size_t original;                        /* its atoms, without copies */
    struct member *members;                 /* owned; [original], by chains */
    struct chain *chains;                   /* owned; [chain_count], by their names */
    size_t chain_count;
    size_t placed;                  /* atoms of copies that were looked at */
    struct berth_symmetry symmetry; /* owned */
    bool has_target, has_box;       /* the ligand, or a box */
    struct berth_site box;
    struct places ligand;          /* owned; its heavy atoms */
    double center[3];              /* Å; of the target, */
    double radius;                 /* and what of it is farthest from there */
    struct places there;           /* owned; heavy atoms of structure and ligand */
    bool met[BERTH_SELECTORS_MAX]; /* of prepared->drop_of_copies: what they had */
    size_t dropped;                /* their residues that were left out so */
};

/* --- Where things stand --- */

static void places_clear(struct places *places)
{
    free(places->at);
    berth_cells_clear(&places->cells);
    memset(places, 0, sizeof *places);
}

/* The heavy atoms of two structures; the second may be NULL. */
static enum berth_status places_make(const struct berth_structure *first,
                                     const struct berth_structure *second, struct places *places,
                                     struct berth_error *error)
{
    const struct berth_structure *const all[] = {first, second};
    places_clear(places);
    BERTH_TRY(berth_make(&places->at, first->count + (second ? second->count : 0),
                         sizeof *places->at, NULL, error));
    for (size_t k = 0; k < 2 && all[k]; k++) {
        for (size_t i = 0; i < all[k]->count; i++) {
            if (!berth_is_hydrogen(&all[k]->atoms[i])) {
                memcpy(places->at[places->count++], all[k]->atoms[i].position, sizeof *places->at);
            }
        }
    }
    return berth_cells_create(*places->at, sizeof *places->at, places->count, REACH / 2,
                              &places->cells, error);
}

static void keep_least(void *context, size_t index, double squared)
{
    double *least = context;
    (void)index;
    *least = fmin(*least, squared);
}

/* Å to the nearest of the places; infinite beyond radius. */
static double nearest_of(const struct places *places, const double at[3], double radius)
{
    double least = INFINITY;
    berth_cells_each(&places->cells, at, radius, keep_least, &least);
    return sqrt(least);
}

/* Å from a place to the ligand or box, infinite where it is out of reach. */
static double distance_to_target(const struct copies *copies, const double at[3])
{
    if (berth_distance(at, copies->center) > copies->radius + REACH) {
        return INFINITY;
    }
    if (copies->has_box) {
        const double outside = berth_site_outside(&copies->box, at);
        return outside <= REACH ? outside : INFINITY;
    }
    return nearest_of(&copies->ligand, at, REACH);
}

static bool is_there(const struct copies *copies, const double at[3])
{
    return nearest_of(&copies->there, at, SAME) <= SAME;
}

/* The middle of places, and what is farthest from it. */
static double sphere_about(double (*at)[3], size_t count, double center[3])
{
    double radius = 0;
    memset(center, 0, 3 * sizeof *center);
    for (size_t i = 0; i < count; i++) {
        berth_add_scaled(center, 1.0 / (double)count, at[i], center);
    }
    for (size_t i = 0; i < count; i++) {
        radius = fmax(radius, berth_distance(at[i], center));
    }
    return radius;
}

/* The ligand that was cut out, else the site. */
static enum berth_status find_target(struct copies *copies, struct berth_error *error)
{
    const struct berth_receptor_prepared *prepared = copies->work->prepared;
    BERTH_TRY(places_make(&prepared->ligand, NULL, &copies->ligand, error));
    if (copies->ligand.count) {
        copies->has_target = true;
        copies->radius = sphere_about(copies->ligand.at, copies->ligand.count, copies->center);
        return BERTH_OK;
    }
    BERTH_TRY(berth_receptor_find_site(copies->work, &copies->has_box, &copies->box, error));
    copies->has_target = copies->has_box;
    memcpy(copies->center, copies->box.center, sizeof copies->center);
    copies->radius = berth_length(copies->box.size) / 2;
    return BERTH_OK;
}

static const char *target_name(const struct copies *copies)
{
    return copies->has_box ? "site" : "ligand";
}

/* --- Chains --- */

static int by_chain(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    const int chain = strcmp(a->chain, b->chain);
    return chain ? chain : (a->atom > b->atom) - (a->atom < b->atom);
}

static const struct berth_structure_atom *atom_of(const struct copies *copies, size_t member)
{
    return &copies->structure->atoms[copies->members[member].atom];
}

/* Where the heavy atoms of a chain are. */
static void measure_chain(const struct copies *copies, struct chain *chain)
{
    size_t heavy = 0;
    for (size_t m = chain->begin; m < chain->end; m++) {
        if (!berth_is_hydrogen(atom_of(copies, m))) {
            berth_add_scaled(chain->center, 1, atom_of(copies, m)->position, chain->center);
            heavy++;
        }
    }
    for (int k = 0; k < 3; k++) {
        chain->center[k] /= heavy ? (double)heavy : 1;
    }
    for (size_t m = chain->begin; m < chain->end; m++) {
        chain->radius =
            fmax(chain->radius, berth_distance(atom_of(copies, m)->position, chain->center));
    }
}

static enum berth_status list_chains(struct copies *copies, struct berth_error *error)
{
    struct member *members;
    BERTH_TRY(berth_make(&members, copies->original, sizeof *members, NULL, error));
    copies->members = members;
    BERTH_TRY(berth_make(&copies->chains, copies->original, sizeof *copies->chains, NULL, error));
    for (size_t i = 0; i < copies->original; i++) {
        memcpy(members[i].chain, copies->structure->atoms[i].residue.chain, BERTH_LABEL_SIZE);
        members[i].atom = i;
    }
    qsort(members, copies->original, sizeof *members, by_chain);
    for (size_t i = 0; i < copies->original; i++) {
        if (!i || strcmp(members[i].chain, members[i - 1].chain) != 0) {
            copies->chains[copies->chain_count++] = (struct chain){.begin = i, .next = 2};
        }
        copies->chains[copies->chain_count - 1].end = i + 1;
    }
    for (size_t i = 0; i < copies->chain_count; i++) {
        measure_chain(copies, &copies->chains[i]);
    }
    return BERTH_OK;
}

/* The original's chain of this name, or NULL. */
static struct chain *find_chain(const struct copies *copies, const char *name)
{
    size_t low = 0, high = copies->chain_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(copies->members[copies->chains[middle].begin].chain, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool found = low < copies->chain_count &&
                       strcmp(copies->members[copies->chains[low].begin].chain, name) == 0;
    return found ? &copies->chains[low] : NULL;
}

/* True where the copy of a chain is the chain itself. */
static bool is_still(const struct copies *copies, const struct chain *chain,
                     const struct berth_placement *placement)
{
    for (size_t m = chain ? chain->begin : 0; chain && m < chain->end; m++) {
        const double *position = atom_of(copies, m)->position;
        double placed[3];
        berth_place(placement, position, placed);
        if (berth_distance(placed, position) > SAME) {
            return false;
        }
    }
    return true;
}

/* Å to the target of the copy's nearest heavy atom. */
static double distance_of_copy(struct copies *copies, const struct chain *chain,
                               const struct berth_placement *placement)
{
    double least = INFINITY, center[3];
    if (!chain || !copies->has_target) {
        return INFINITY;
    }
    berth_place(placement, chain->center, center);
    if (berth_distance(center, copies->center) > STRETCH * chain->radius + copies->radius + REACH) {
        return INFINITY;
    }
    copies->placed += chain->end - chain->begin;
    for (size_t m = chain->begin; m < chain->end; m++) {
        double placed[3];
        if (!berth_is_hydrogen(atom_of(copies, m))) {
            berth_place(placement, atom_of(copies, m)->position, placed);
            least = fmin(least, distance_to_target(copies, placed));
        }
    }
    return least;
}

/* --- Assemblies --- */

/* As it is seen from where frame stands: *seen = frame^-1 placement. */
static void see_from(const struct berth_placement *frame, const struct berth_placement *placement,
                     struct berth_placement *seen)
{
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4; j++) {
            double sum = 0;
            for (int m = 0; m < 3; m++) {
                const double shift = j == 3 ? frame->rows[m][3] : 0;
                sum += frame->rows[m][k] * (placement->rows[m][j] - shift);
            }
            seen->rows[k][j] = sum;
        }
    }
}

/* The first of parts [begin .. end) that is of this chain; end where there is none. */
static size_t find_part(const struct berth_symmetry *symmetry, size_t begin, size_t end,
                        const char *chain)
{
    while (begin < end && strcmp(symmetry->parts[begin].chain, chain) != 0) {
        begin++;
    }
    return begin;
}

/* The part of [begin .. end) whose chain is nearest to the middle of the target; end: none. */
static size_t find_nearest(const struct copies *copies, size_t begin, size_t end)
{
    size_t nearest = end;
    double least = INFINITY;
    for (size_t i = 0; copies->has_target && i < copies->chain_count; i++) {
        const struct chain *chain = &copies->chains[i];
        double own = INFINITY;
        for (size_t m = chain->begin; m < chain->end; m++) {
            const struct berth_structure_atom *atom = atom_of(copies, m);
            own = berth_is_hydrogen(atom)
                      ? own
                      : fmin(own, berth_distance(atom->position, copies->center));
        }
        if (own < least) {
            const size_t part =
                find_part(&copies->symmetry, begin, end, copies->members[chain->begin].chain);
            nearest = part < end ? part : nearest;
            least = part < end ? own : least;
        }
    }
    return nearest;
}

/* What is built of an assembly, and how it is told. */
struct building {
    const struct berth_assembly *assembly;
    bool whole;                   /* else what is near the target */
    bool adds;                    /* else it is only told */
    struct berth_placement frame; /* where the target's chain stands in it */
    char text[TEXT_SIZE];         /* "A-2 (2.9 Å)" */
    size_t count, doubled;        /* copies; residues of them that are there already */
    double of_ligand;             /* Å from the ligand to the nearest copy of it that was added */
};

/* The name of the next copy of a chain: the first of ... that no chain has. */
static enum berth_status name_copy(const struct copies *copies, const char *chain, size_t *number,
                                   char name[BERTH_LABEL_SIZE], struct berth_error *error)
{
    for (size_t k = *number;; k++) {
        if (snprintf(name, BERTH_LABEL_SIZE, "%s-%zu", chain, k) >= BERTH_LABEL_SIZE) {
            return berth_fail_option(error, BERTH_E_FORMAT, "assembly",
                                     "assembly: a copy of chain %s would be called %s-%zu, and "
                                     "names of chains have %d letters at most; assembly none adds "
                                     "none",
                                     chain, chain, k, BERTH_LABEL_SIZE - 1);
        }
        if (!find_chain(copies, name)) {
            *number = k;
            return BERTH_OK;
        }
    }
}

/* Å from the copy of atoms of one residue or molecule to what is there, infinite beyond limit. */
static double distance_to_there(const struct copies *copies, const struct berth_structure *from,
                                struct berth_span span, const struct berth_placement *placement,
                                double limit)
{
    double least = INFINITY;
    for (size_t i = span.begin; i < span.end; i++) {
        const struct berth_structure_atom *atom = &from->atoms[i];
        double placed[3];
        berth_place(placement, atom->position, placed);
        if (!berth_is_hydrogen(atom)) {
            least = fmin(least, nearest_of(&copies->there, placed, limit));
        }
    }
    return least;
}

/* The copy of a chain. */
struct copy {
    const char *name_of;              /* borrowed; the chain's */
    struct chain *chain;              /* borrowed; NULL: the original has none of this name */
    char name[BERTH_LABEL_SIZE];      /* its own */
    struct berth_placement placement; /* as the target's chain sees it */
};

/* Adds the copy of atoms, which may be of the structure itself. */
static enum berth_status add_atoms(struct copies *copies, const struct berth_structure *from,
                                   struct berth_span span, const struct copy *copy,
                                   struct berth_error *error)
{
    for (size_t i = span.begin; i < span.end; i++) {
        struct berth_structure_atom atom = from->atoms[i];
        berth_place(&copy->placement, from->atoms[i].position, atom.position);
        snprintf(atom.residue.chain, BERTH_LABEL_SIZE, "%s", copy->name);
        BERTH_TRY(berth_structure_add(copies->structure, &atom, error));
    }
    return BERTH_OK;
}

/* Whether the copy of an atom's residue is to be left out. */
static bool is_dropped(struct copies *copies, const struct berth_structure_atom *atom,
                       const struct copy *copy)
{
    const struct berth_selection *drop = &copies->work->prepared->drop_of_copies;
    struct berth_residue_id residue = atom->residue;
    bool dropped = false;
    snprintf(residue.chain, BERTH_LABEL_SIZE, "%s", copy->name);
    for (size_t k = 0; k < drop->count; k++) {
        if (berth_selector_matches(&drop->selectors[k], &residue)) {
            copies->met[k] = dropped = true;
        }
    }
    copies->dropped += dropped;
    return dropped;
}

/* Adds the ligand's copy beside that of its chain, unless it is another place of the ligand's own:
 * whoever binds there binds beside it. */
static enum berth_status add_ligand(struct copies *copies, const struct copy *copy,
                                    struct building *building, struct berth_error *error)
{
    const struct berth_structure *ligand = &copies->work->prepared->ligand;
    const struct berth_span all = {0, ligand->count};
    if (!ligand->count || strcmp(ligand->atoms[0].residue.chain, copy->name_of) != 0) {
        return BERTH_OK;
    }
    if (distance_to_there(copies, ligand, all, &copy->placement, CLASH) <= CLASH) {
        building->doubled++;
        return BERTH_OK;
    }
    if (is_dropped(copies, &ligand->atoms[0], copy)) {
        return BERTH_OK;
    }
    BERTH_TRY(add_atoms(copies, ligand, all, copy, error));
    for (size_t i = 0; i < ligand->count; i++) {
        double placed[3];
        berth_place(&copy->placement, ligand->atoms[i].position, placed);
        building->of_ligand = fmin(building->of_ligand, nearest_of(&copies->ligand, placed, REACH));
    }
    return BERTH_OK;
}

static enum berth_status add_copy(struct copies *copies, const struct copy *copy,
                                  struct building *building, struct berth_error *error)
{
    struct berth_structure *structure = copies->structure;
    struct berth_span span;
    copies->placed += copy->chain->end - copy->chain->begin;
    for (size_t m = copy->chain->begin; m < copy->chain->end; m += span.end - span.begin) {
        span = berth_residue_at(structure, copies->members[m].atom);
        if (distance_to_there(copies, structure, span, &copy->placement, SAME) <= SAME) {
            building->doubled++;
        } else if (!is_dropped(copies, &structure->atoms[span.begin], copy)) {
            BERTH_TRY(add_atoms(copies, structure, span, copy, error));
        }
    }
    BERTH_TRY(add_ligand(copies, copy, building, error));
    return structure->count <= ATOMS_MAX
               ? BERTH_OK
               : berth_fail_option(error, BERTH_E_FORMAT, "assembly",
                                   "assembly: %s has more than %d atoms; assembly auto adds what "
                                   "is near the ligand or site",
                                   building->assembly->name, ATOMS_MAX);
}

/* Adds a part of the assembly, or tells of it, if it is a copy that is wanted. */
static enum berth_status take_part(struct copies *copies, const struct berth_assembly_part *part,
                                   struct building *building, struct berth_error *error)
{
    struct copy copy = {.name_of = part->chain, .chain = find_chain(copies, part->chain)};
    see_from(&building->frame, &part->placement, &copy.placement);
    const double distance = distance_of_copy(copies, copy.chain, &copy.placement);
    if ((!building->whole && isinf(distance)) || is_still(copies, copy.chain, &copy.placement)) {
        return BERTH_OK;
    }
    if (copies->placed > PLACED_MAX) {
        return berth_fail_option(error, BERTH_E_FORMAT, "assembly",
                                 "assembly: %s has too many copies of chains by the %s (%zu parts "
                                 "in all): is the file right?; assembly none looks at none",
                                 building->assembly->name, target_name(copies),
                                 building->assembly->end - building->assembly->begin);
    }
    snprintf(copy.name, sizeof copy.name, "%s", part->chain);
    if (building->adds) {
        const size_t before = copies->structure->count;
        size_t number = copy.chain->next;
        BERTH_TRY(name_copy(copies, part->chain, &number, copy.name, error));
        BERTH_TRY(add_copy(copies, &copy, building, error));
        if (copies->structure->count == before) {
            return BERTH_OK; /* all of it is there already */
        }
        copy.chain->next = number + 1;
    }
    building->count++;
    berth_text_append(building->text, TEXT_SIZE, "%s%s", *building->text ? ", " : "", copy.name);
    if (!isinf(distance)) {
        berth_text_append(building->text, TEXT_SIZE, " (%.1f \xc3\x85)", distance);
    }
    return BERTH_OK;
}

/* Leaves out the chains that do not stand in the assembly where they are. */
static enum berth_status leave_others(struct copies *copies, const struct building *building,
                                      char text[TEXT_SIZE], struct berth_error *error)
{
    struct berth_structure *structure = copies->structure;
    const struct chain *chain = NULL;
    bool *keep;
    BERTH_TRY(berth_make(&keep, structure->count, sizeof *keep, NULL, error));
    for (size_t k = building->assembly->begin; k < building->assembly->end; k++) {
        const struct berth_assembly_part *part = &copies->symmetry.parts[k];
        struct chain *own = find_chain(copies, part->chain);
        struct berth_placement seen;
        see_from(&building->frame, &part->placement, &seen);
        if (own && !own->stands) {
            own->stands = is_still(copies, own, &seen);
        }
    }
    for (size_t i = 0; i < structure->count; i++) {
        const char *name = structure->atoms[i].residue.chain;
        if (i < copies->original &&
            (!chain || strcmp(name, structure->atoms[i - 1].residue.chain))) {
            chain = find_chain(copies, name);
            if (!chain->stands) {
                berth_text_append(text, TEXT_SIZE, "%s%s", *text ? ", " : "", name);
            }
        }
        keep[i] = i >= copies->original || chain->stands;
    }
    berth_structure_filter(structure, keep);
    free(keep);
    return structure->count ? BERTH_OK
                            : berth_fail_option(error, BERTH_E_USAGE, "assembly",
                                                "assembly: %s has no chain of the receptor",
                                                building->assembly->name);
}

/* The assembly of this name. */
static enum berth_status find_named(const struct copies *copies, const char *name,
                                    const struct berth_assembly **found, struct berth_error *error)
{
    const struct berth_symmetry *symmetry = &copies->symmetry;
    char names[TEXT_SIZE] = "";
    *found = NULL;
    for (size_t i = 0; !*found && i < symmetry->assembly_count; i++) {
        const struct berth_assembly *assembly = &symmetry->assemblies[i];
        *found = strcmp(assembly->name, name) == 0 ? assembly : NULL;
        berth_text_append(names, TEXT_SIZE, "%s%s", *names ? ", " : "", assembly->name);
    }
    return *found ? BERTH_OK
                  : berth_fail_option(error, BERTH_E_USAGE, "assembly",
                                      "assembly: %s has no assembly %s%s%s",
                                      copies->work->settings->path, name,
                                      *names ? ", but " : ": its file says of none", names);
}

/* Which assembly is looked at, and from where; building->assembly is NULL where there is none. */
static enum berth_status choose(struct copies *copies, const char *named, struct building *building,
                                struct berth_error *error)
{
    const struct berth_symmetry *symmetry = &copies->symmetry;
    const struct berth_assembly *assembly = NULL;
    BERTH_TRY(named ? find_named(copies, named, &assembly, error) : BERTH_OK);
    const size_t begin = assembly ? assembly->begin : 0;
    const size_t end = assembly ? assembly->end : symmetry->part_count;
    size_t part = find_nearest(copies, begin, end);
    for (int k = 0; k < 3; k++) {
        building->frame.rows[k][k] = 1;
    }
    for (size_t i = 0; !assembly && part < end && i < symmetry->assembly_count; i++) {
        assembly = part < symmetry->assemblies[i].end ? &symmetry->assemblies[i] : NULL;
    }
    building->assembly = assembly;
    if (part == end) {
        return BERTH_OK;
    }
    const char *chain = symmetry->parts[part].chain;
    building->frame = symmetry->parts[part].placement; /* unless it has the chain where it is */
    for (; part < assembly->end; part = find_part(symmetry, part + 1, assembly->end, chain)) {
        const struct berth_placement *placement = &symmetry->parts[part].placement;
        if (is_still(copies, find_chain(copies, chain), placement)) {
            building->frame = *placement;
        }
    }
    const struct berth_placement whole = {{{1}, {0, 1}, {0, 0, 1}}};
    if (named && isinf(distance_of_copy(copies, find_chain(copies, chain), &whole))) {
        return berth_fail_option(error, BERTH_E_USAGE, "assembly",
                                 "assembly: no chain of %s is within %g \xc3\x85 of the %s; name "
                                 "another, or leave it to auto",
                                 named, REACH, target_name(copies));
    }
    return BERTH_OK;
}

static void tell(const struct copies *copies, const struct building *building, bool none,
                 const char *left)
{
    const struct berth_log *log = copies->work->log;
    const char *name = building->assembly->name, *target = target_name(copies);
    const char *path = copies->work->settings->path;
    if (building->whole) {
        berth_note(log, "assembly %s of the file: chains added: %s%s%s", name,
                   building->count ? building->text : "none", *left ? "; left out: " : "", left);
    } else if (building->count && building->adds) {
        berth_note(log,
                   "assembly %s of the file has copies of chains within %g \xc3\x85 of the %s, "
                   "which were added: %s (assembly none leaves them out)",
                   name, REACH, target, building->text);
    } else if (building->count) {
        berth_warn(log, NULL,
                   "assembly %s of the file has copies of chains within %g \xc3\x85 of the %s, "
                   "which the receptor lacks%s: %s%s%s%s",
                   name, REACH, target, none ? ", as asked for (assembly none)" : "",
                   building->text, none ? "" : "; to have them, prepare it: `berth prep receptor ",
                   none ? "" : path, none ? "" : "` with this box");
    }
    if (!isinf(building->of_ligand)) {
        berth_warn(
            log, NULL,
            "a copy of the ligand, %.1f \xc3\x85 from it, is part of the assembly and stays in "
            "the receptor: what is docked binds beside it",
            building->of_ligand);
    }
    if (building->doubled) {
        berth_note(log, "residues of the copies that lie on what is there were left out: %zu",
                   building->doubled);
    }
}

/* Whether the file's assemblies have anything but what it has. */
static bool has_copies(const struct copies *copies)
{
    const struct berth_symmetry *symmetry = &copies->symmetry;
    for (size_t i = 0; i < symmetry->part_count; i++) {
        const struct berth_assembly_part *part = &symmetry->parts[i];
        if (!is_still(copies, find_chain(copies, part->chain), &part->placement)) {
            return true;
        }
    }
    return false;
}

static enum berth_status assemble(struct copies *copies, const char *named, bool none,
                                  struct berth_error *error)
{
    const struct berth_receptor_settings *settings = copies->work->settings;
    struct building building = {.whole = named != NULL,
                                .adds = !none && !(settings->docked && copies->has_box),
                                .of_ligand = INFINITY};
    char left[TEXT_SIZE] = "";
    BERTH_TRY(choose(copies, named, &building, error));
    if (!building.assembly) {
        if (!copies->has_target && !none && has_copies(copies)) {
            berth_note(copies->work->details,
                       "assemblies of the file have copies of its chains, which are added where "
                       "they are near a ligand or site, and none is given (assembly %s adds them "
                       "all)",
                       copies->symmetry.assemblies[0].name);
        }
        return BERTH_OK;
    }
    for (size_t i = building.assembly->begin; i < building.assembly->end; i++) {
        BERTH_TRY(take_part(copies, &copies->symmetry.parts[i], &building, error));
    }
    BERTH_TRY(named ? leave_others(copies, &building, left, error) : BERTH_OK);
    tell(copies, &building, none, left);
    return BERTH_OK;
}

/* --- The crystal --- */

/* What of the crystal stands near the target, and is not in the receptor. */
struct mates {
    double distance, of_ligand; /* Å; of the nearest, and of the ligand's nearest copy */
    const struct berth_structure_atom *atom; /* which is a copy of this one */
};

static void look_at_mate(const struct copies *copies, const struct berth_structure *original,
                         const struct berth_placement *placement, struct mates *mates)
{
    const struct berth_structure *ligand = &copies->work->prepared->ligand;
    for (size_t i = 0; i < original->count + ligand->count; i++) {
        const bool own = i >= original->count;
        const struct berth_structure_atom *atom =
            own ? &ligand->atoms[i - original->count] : &original->atoms[i];
        double placed[3];
        berth_place(placement, atom->position, placed);
        const double distance =
            berth_is_hydrogen(atom) ? INFINITY : distance_to_target(copies, placed);
        if (isinf(distance) || is_there(copies, placed)) {
            continue;
        }
        if (own) {
            mates->of_ligand = fmin(mates->of_ligand, distance);
        } else if (distance < mates->distance) {
            mates->distance = distance;
            mates->atom = atom;
        }
    }
}

static void tell_mates(const struct copies *copies, const struct mates *mates)
{
    char text[TEXT_SIZE] = "", residue[BERTH_RESIDUE_TEXT_SIZE];
    if (mates->atom) {
        berth_residue_text(&mates->atom->residue, residue);
        berth_text_append(text, TEXT_SIZE, ": a copy of %s at %.1f \xc3\x85", residue,
                          mates->distance);
    }
    if (!isinf(mates->of_ligand)) {
        berth_text_append(text, TEXT_SIZE, "%s a copy of the ligand at %.1f \xc3\x85",
                          *text ? "," : ":", mates->of_ligand);
    }
    const double nearest = fmin(mates->distance, mates->of_ligand);
    if (!copies->has_box && nearest <= TOUCH) {
        berth_warn(copies->work->log, NULL,
                   "symmetry mates in the crystal touch the ligand%s; they are not in the "
                   "receptor, and the ligand may stand as it does because of them",
                   text);
    } else if (!isinf(nearest)) {
        berth_note(copies->work->details,
                   "symmetry mates in the crystal come within %g \xc3\x85 of the %s%s; they are "
                   "not in the receptor",
                   REACH, target_name(copies), text);
    }
}

/* Looks at what the crystal has near the target beside the receptor: images of what was there
 * before copies were added, but for what is there now. */
static void look_at_crystal(const struct copies *copies, const struct berth_structure *original)
{
    const struct berth_symmetry *symmetry = &copies->symmetry;
    struct mates mates = {.distance = INFINITY, .of_ligand = INFINITY};
    if (symmetry->crowded) {
        berth_note(copies->work->details,
                   "the crystal's cell has no room for its atoms: symmetry mates were not looked "
                   "for");
    }
    for (size_t i = 0; i < symmetry->image_count; i++) {
        look_at_mate(copies, original, &symmetry->images[i], &mates);
    }
    tell_mates(copies, &mates);
}

/* --- Both --- */

static enum berth_status read_symmetry(struct copies *copies, const char *named,
                                       struct berth_error *error)
{
    const struct berth_receptor_work *work = copies->work;
    struct berth_error why;
    double around[4], near[4] = {0, 0, 0, copies->radius + REACH};
    around[3] = sphere_about(copies->there.at, copies->there.count, around);
    memcpy(near, copies->center, sizeof copies->center);
    const struct berth_symmetry_request asked = {.path = work->settings->path,
                                                 .cif = work->settings->format ==
                                                        BERTH_STRUCTURE_MMCIF,
                                                 .named = named != NULL,
                                                 .around = around,
                                                 .near = copies->has_target ? near : NULL,
                                                 .heavy = copies->there.count};
    const enum berth_status status =
        berth_symmetry_read(work->finder, &asked, &copies->symmetry, &why);
    if (status == BERTH_E_MEMORY || (status && named)) {
        *error = why;
        error->option = "assembly";
        return berth_fail_in(error, "assembly");
    }
    if (status) {
        berth_warn(work->log, NULL,
                   "copies of chains that stand near the ligand by the structure's symmetry were "
                   "not looked for: %s",
                   why.message);
        berth_symmetry_clear(&copies->symmetry);
    }
    return BERTH_OK;
}

static enum berth_status copy_structure(const struct berth_structure *from,
                                        struct berth_structure *to, struct berth_error *error)
{
    for (size_t i = 0; i < from->count; i++) {
        BERTH_TRY(berth_structure_add(to, &from->atoms[i], error));
    }
    return BERTH_OK;
}

/* Adds copies, and looks at the crystal. */
static enum berth_status look_and_add(struct copies *copies, struct berth_error *error)
{
    const struct berth_receptor_work *work = copies->work;
    const struct berth_receptor_settings *settings = work->settings;
    const char *asked = settings->assembly ? settings->assembly : "auto";
    const bool none = strcmp(asked, "none") == 0;
    const char *named = none || strcmp(asked, "auto") == 0 ? NULL : asked;
    struct berth_structure *structure = copies->structure, original = {0};
    if (settings->format != BERTH_STRUCTURE_PDB && settings->format != BERTH_STRUCTURE_MMCIF) {
        return named ? berth_fail_option(error, BERTH_E_USAGE, "assembly",
                                         "assembly: %s says of none; PDB and mmCIF do",
                                         settings->path)
                     : BERTH_OK;
    }
    if (settings->siteless && !work->prepared->ligand.count) {
        return BERTH_OK; /* nothing that copies could be near to */
    }
    enum berth_status status = find_target(copies, error);
    BERTH_THEN(places_make(structure, &work->prepared->ligand, &copies->there, error));
    BERTH_THEN(list_chains(copies, error));
    BERTH_THEN(read_symmetry(copies, named, error));
    BERTH_THEN(copy_structure(structure, &original, error));
    BERTH_THEN(assemble(copies, named, none, error));
    BERTH_THEN(places_make(structure, &work->prepared->ligand, &copies->there, error));
    if (!status) {
        look_at_crystal(copies, &original);
    }
    berth_structure_clear(&original);
    return status;
}

/* What was left out of the copies, and what they have not. */
static void tell_dropped(const struct copies *copies)
{
    const struct berth_selection *drop = &copies->work->prepared->drop_of_copies;
    const struct berth_log *log = copies->work->log;
    if (copies->dropped) {
        berth_note(log, "residues of the copies that were left out, as asked for: %zu",
                   copies->dropped);
    }
    for (size_t k = 0; k < drop->count; k++) {
        if (!copies->met[k]) {
            berth_warn(log, NULL, "drop: no residue %s in copies of chains that were added",
                       drop->selectors[k].text);
        }
    }
}

enum berth_status berth_receptor_assemble(const struct berth_receptor_work *work,
                                          struct berth_error *error)
{
    struct berth_structure *structure = &work->prepared->structure;
    struct copies copies = {.work = work, .structure = structure, .original = structure->count};
    const enum berth_status status = look_and_add(&copies, error);
    if (!status) {
        tell_dropped(&copies);
    }
    places_clear(&copies.ligand);
    places_clear(&copies.there);
    berth_symmetry_clear(&copies.symmetry);
    free(copies.members);
    free(copies.chains);
    return status;
}
