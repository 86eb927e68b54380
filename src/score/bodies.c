#include "score/bodies.h"

#include <string.h>

#include "base/memory.h"
#include "chem/ligand.h"

/* Where an atom of the whole comes from. */
struct source {
    size_t body, atom;
};

/* How bodies are put together.  Places are those of the whole. */
struct plan {
    const struct berth_body *bodies;
    size_t count, free;
    size_t atoms, free_atoms, still, torsions, moved, dihedrals;
    struct source sources[BERTH_LIGAND_FLEXIBLE_MAX]; /* of each place */
    uint32_t
        places[BERTH_LIGAND_FLEXIBLE_MAX]; /* of the atoms of all bodies, one after the other */
};

static uint32_t *places_of(struct plan *plan, size_t body)
{
    uint32_t *places = plan->places;
    for (size_t b = 0; b < body; b++) {
        places += plan->bodies[b].flexible->atom_count;
    }
    return places;
}

static bool is_moved(const struct berth_torsion_tree *tree, size_t atom)
{
    bool moved = false;
    for (size_t i = 0; !moved && i < tree->moved_count; i++) {
        moved = tree->moved[i] == atom;
    }
    return moved;
}

/* Gives the next places to the atoms of a body that move, or to its still ones; how many they are.
 */
static size_t give_places(struct plan *plan, size_t body, bool still)
{
    const struct berth_flexible *flexible = plan->bodies[body].flexible;
    const size_t first = plan->atoms;
    for (size_t i = 0; i < flexible->atom_count; i++) {
        if ((body >= plan->free && !is_moved(&flexible->tree, i)) == still) {
            plan->sources[plan->atoms] = (struct source){body, i};
            places_of(plan, body)[i] = (uint32_t)plan->atoms++;
        }
    }
    return plan->atoms - first;
}

static enum berth_status make_plan(struct plan *plan, struct berth_error *error)
{
    size_t atoms = 0;
    for (size_t b = 0; b < plan->count; b++) {
        const struct berth_flexible *flexible = plan->bodies[b].flexible;
        atoms += flexible->atom_count;
        plan->torsions += flexible->tree.count;
        plan->moved += flexible->tree.moved_count;
        plan->dihedrals += flexible->dihedral_count;
    }
    if (atoms > BERTH_LIGAND_FLEXIBLE_MAX || plan->torsions > BERTH_FLEXIBLE_TORSIONS_MAX) {
        return berth_fail(error, BERTH_E_USAGE,
                          "%zu heavy atoms and %zu torsions move together; there is room for %d "
                          "and %d",
                          atoms, plan->torsions, BERTH_LIGAND_FLEXIBLE_MAX,
                          BERTH_FLEXIBLE_TORSIONS_MAX);
    }
    for (size_t b = 0; b < plan->count; b++) {
        give_places(plan, b, false);
        plan->free_atoms = b < plan->free ? plan->atoms : plan->free_atoms;
    }
    for (size_t b = plan->free; b < plan->count; b++) {
        plan->still += give_places(plan, b, true);
    }
    return BERTH_OK;
}

static enum berth_status make_room(const struct plan *plan, struct berth_flexible *joined,
                                   struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    const size_t words = (plan->atoms + 31) / 32;
    struct berth_torsion_tree *tree = &joined->tree;
    joined->atom_count = heavy->count = plan->atoms;
    joined->free_count = plan->free_atoms;
    joined->still_count = plan->still;
    joined->words = words;
    tree->torsions = berth_alloc(plan->torsions, sizeof *tree->torsions);
    tree->moved = berth_alloc(plan->moved, sizeof *tree->moved);
    joined->far = berth_alloc(plan->atoms * words, sizeof *joined->far);
    joined->dihedrals = berth_alloc(plan->dihedrals, sizeof *joined->dihedrals);
    heavy->atoms = berth_alloc(plan->atoms, sizeof *heavy->atoms);
    const bool made =
        tree->torsions && tree->moved && joined->far && joined->dihedrals && heavy->atoms;
    tree->capacity = plan->torsions;
    tree->moved_capacity = plan->moved;
    return made ? BERTH_OK
                : berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu bodies", plan->count);
}

/* Puts a body's torsions and dihedrals behind those of the bodies before it. */
static void add_torsions(struct plan *plan, size_t body, struct berth_flexible *joined)
{
    const struct berth_flexible *flexible = plan->bodies[body].flexible;
    const uint32_t *places = places_of(plan, body);
    struct berth_torsion_tree *tree = &joined->tree;
    for (size_t k = 0; k < flexible->dihedral_count; k++) {
        const struct berth_dihedral *four = &flexible->dihedrals[k];
        joined->dihedrals[joined->dihedral_count++] =
            (struct berth_dihedral){four->torsion + (uint32_t)tree->count, places[four->first],
                                    places[four->last], four->row};
    }
    for (size_t t = 0; t < flexible->tree.count; t++) {
        const struct berth_torsion *from = &flexible->tree.torsions[t];
        tree->torsions[tree->count++] =
            (struct berth_torsion){places[from->first], places[from->second],
                                   from->moved_start + tree->moved_count, from->moved_count};
    }
    for (size_t i = 0; i < flexible->tree.moved_count; i++) {
        tree->moved[tree->moved_count++] = places[flexible->tree.moved[i]];
    }
    joined->fixed += flexible->fixed;
    joined->torsional = joined->torsional || flexible->torsional;
}

static void set_far(const struct plan *plan, struct berth_flexible *joined)
{
    for (size_t i = 0; i < plan->atoms; i++) {
        for (size_t j = 0; j < plan->atoms; j++) {
            const struct source *a = &plan->sources[i], *b = &plan->sources[j];
            const bool fixed = i >= plan->atoms - plan->still && j >= plan->atoms - plan->still;
            if ((a->body != b->body && !fixed) ||
                (a->body == b->body &&
                 berth_flexible_is_far(plan->bodies[a->body].flexible, a->atom, b->atom))) {
                joined->far[i * joined->words + j / 32] |= UINT32_C(1) << j % 32;
            }
        }
    }
}

enum berth_status berth_bodies_join(const struct berth_body *bodies, size_t count, size_t free,
                                    struct berth_flexible *joined, struct berth_heavy_atoms *heavy,
                                    struct berth_error *error)
{
    struct plan plan = {.bodies = bodies, .count = count, .free = free};
    memset(joined, 0, sizeof *joined);
    memset(heavy, 0, sizeof *heavy);
    enum berth_status status = make_plan(&plan, error);
    BERTH_THEN(make_room(&plan, joined, heavy, error));
    for (size_t b = 0; !status && b < count; b++) {
        add_torsions(&plan, b, joined);
    }
    for (size_t place = 0; !status && place < plan.atoms; place++) {
        const struct source *source = &plan.sources[place];
        heavy->atoms[place] = bodies[source->body].heavy->atoms[source->atom];
    }
    if (!status) {
        set_far(&plan, joined);
    } else {
        berth_flexible_clear(joined);
        berth_heavy_atoms_clear(heavy);
    }
    return status;
}
