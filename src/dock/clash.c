#include "dock/clash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/cells.h"
#include "chem/elements.h"
#include "chem/vectors.h"
#include "score/scoring.h"

struct berth_receptor_shape {
    struct berth_cells cells;
    int *elements;    /* owned; of the receptor's heavy atoms */
    int *of_types;    /* owned; of the scoring function's types */
    double center[3]; /* Å: of the site */
};

/* The element that an entry of the forcefield is of: by its Mol2 type, and in a residue by the
 * first letter of the atom's name. */
static int element_of(const struct berth_type_entry *entry)
{
    const char first[2] = {entry->name[0], '\0'};
    return berth_element_of_type(strcmp(entry->residue, "WLD") == 0 ? entry->name : first);
}

/* Types that entries of the forcefield share have the first one's. */
static void find_elements(const struct berth_scoring *scoring, int *elements)
{
    const struct berth_forcefield *forcefield = &scoring->forcefield;
    for (size_t i = 0; scoring->typing == BERTH_TYPING_VINA && i < scoring->type_count; i++) {
        elements[i] = berth_vina_element(scoring->definition->types[i]);
    }
    for (size_t i = 0; i < forcefield->entry_count; i++) {
        const struct berth_type_entry *entry = &forcefield->entries[i];
        elements[entry->type] = elements[entry->type] ? elements[entry->type] : element_of(entry);
    }
}

static enum berth_status fill(struct berth_receptor_shape *shape,
                              const struct berth_heavy_atoms *receptor, struct berth_error *error)
{
    const struct berth_heavy_atom *atoms = receptor->atoms;
    for (size_t i = 0; i < receptor->count; i++) {
        shape->elements[i] = shape->of_types[atoms[i].type];
    }
    return berth_cells_create(atoms->position, sizeof *atoms, receptor->count, BERTH_OVERLAP_REACH,
                              &shape->cells, error);
}

enum berth_status berth_receptor_shape_create(const struct berth_target *target,
                                              struct berth_receptor_shape **shape,
                                              struct berth_error *error)
{
    const size_t atoms = target->receptor->count, types = target->scoring->type_count;
    struct berth_receptor_shape *made;
    BERTH_TRY(berth_make(shape, 1, sizeof *made, NULL, error));
    made = *shape;
    memcpy(made->center, target->site.center, sizeof made->center);
    enum berth_status status =
        berth_make(&made->elements, atoms, sizeof *made->elements, NULL, error);
    BERTH_THEN(berth_make(&made->of_types, types, sizeof *made->of_types, NULL, error));
    if (!status) {
        find_elements(target->scoring, made->of_types);
        status = fill(made, target->receptor, error);
    }
    if (status) {
        berth_receptor_shape_destroy(made);
        *shape = NULL;
    }
    return status;
}

void berth_receptor_shape_destroy(struct berth_receptor_shape *shape)
{
    if (shape) {
        berth_cells_clear(&shape->cells);
        free(shape->elements);
        free(shape->of_types);
        free(shape);
    }
}

/* An atom of the ligand among the receptor's. */
struct probe {
    const struct berth_receptor_shape *shape;
    int element;
    double worst; /* Å */
};

static void meet(void *context, size_t index, double squared)
{
    struct probe *probe = context;
    const double overlap =
        berth_overlap(probe->shape->elements[index], probe->element, sqrt(squared));
    probe->worst = fmax(probe->worst, overlap);
}

/* Of the ligand's atoms, the first ones, with the receptor and with the others, which stand beside
 * them, where these are far in terms of bonds. */
static double clash_of(const struct berth_receptor_shape *shape,
                       const struct berth_heavy_atoms *atoms, const struct berth_flexible *flexible)
{
    const size_t free = flexible->free_count;
    struct probe probe = {.shape = shape};
    for (size_t i = 0; i < free; i++) {
        const double *position = atoms->atoms[i].position;
        probe.element = shape->of_types[atoms->atoms[i].type];
        berth_cells_each(&shape->cells, position, BERTH_OVERLAP_REACH, meet, &probe);
        for (size_t j = free; j < atoms->count; j++) {
            const struct berth_heavy_atom *other = &atoms->atoms[j];
            if (berth_flexible_is_far(flexible, i, j)) {
                probe.worst =
                    fmax(probe.worst, berth_overlap(shape->of_types[other->type], probe.element,
                                                    berth_distance(position, other->position)));
            }
        }
    }
    return probe.worst;
}

enum berth_status berth_clash_where_it_stands(const struct berth_receptor_shape *shape,
                                              const struct berth_packed_conformer *conformer,
                                              double *clash, struct berth_error *error)
{
    struct berth_placed unpacked;
    const enum berth_status status = berth_unpack(conformer, &unpacked, error);
    for (size_t i = 0; !status && i < unpacked.conformer.count; i++) {
        for (int k = 0; k < 3; k++) {
            unpacked.conformer.atoms[i].position[k] += conformer->centroid[k];
        }
    }
    *clash = status ? NAN : clash_of(shape, &unpacked.conformer, &unpacked.flexible);
    berth_placed_clear(&unpacked);
    return status;
}

double berth_clash_of_placed(const struct berth_receptor_shape *shape,
                             const struct berth_placed *unpacked)
{
    return clash_of(shape, &unpacked->placed, &unpacked->flexible);
}

enum berth_status berth_clash_of_pose(const struct berth_receptor_shape *shape,
                                      const struct berth_packed_conformer *conformer,
                                      const struct berth_pose *pose, double *clash,
                                      struct berth_error *error)
{
    struct berth_placed unpacked;
    const enum berth_status status = berth_unpack(conformer, &unpacked, error);
    if (!status) {
        berth_placed_place(&unpacked, pose, shape->center);
        *clash = berth_clash_of_placed(shape, &unpacked);
    }
    berth_placed_clear(&unpacked);
    return status;
}

void berth_metal_of_placed(const struct berth_receptor_shape *shape,
                           const struct berth_placed *unpacked, float metal[2])
{
    const struct berth_heavy_atoms *atoms = &unpacked->placed;
    metal[0] = metal[1] = NAN;
    for (size_t m = 0; m < shape->cells.count; m++) {
        double first = INFINITY, second = INFINITY;
        for (size_t i = 0; berth_is_metal(shape->elements[m]) && i < unpacked->flexible.free_count;
             i++) {
            const int element = shape->of_types[atoms->atoms[i].type];
            const double distance =
                element == NITROGEN || element == OXYGEN || element == SULFUR
                    ? berth_distance(shape->cells.points[m], atoms->atoms[i].position)
                    : INFINITY;
            second = fmin(second, fmax(first, distance));
            first = fmin(first, distance);
        }
        if (isfinite(first) && !((double)metal[0] <= first)) {
            metal[0] = (float)first;
            metal[1] = isfinite(second) ? (float)second : NAN;
        }
    }
}

enum berth_status berth_metal_of_pose(const struct berth_receptor_shape *shape,
                                      const struct berth_packed_conformer *conformer,
                                      const struct berth_pose *pose, float metal[2],
                                      struct berth_error *error)
{
    struct berth_placed unpacked;
    const enum berth_status status = berth_unpack(conformer, &unpacked, error);
    if (!status) {
        berth_placed_place(&unpacked, pose, shape->center);
        berth_metal_of_placed(shape, &unpacked, metal);
    }
    berth_placed_clear(&unpacked);
    return status;
}
