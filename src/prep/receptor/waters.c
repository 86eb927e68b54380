#include "prep/receptor/waters.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "chem/bonds.h"
#include "chem/residue_types.h"

/* Å: from a water's oxygen to a nitrogen or oxygen that it has a hydrogen bond with; degrees: the
 * least angle at that between what it is bonded to and the water, 120 or 109 when it is ideal. */
#define BOND  3.5
#define ANGLE 85.0

/* Whether the atom can have a hydrogen bond with a water at this place, by element, distance and
 * what it is bonded to. */
static bool is_partner(const struct berth_structure *structure, size_t i, const double water[3])
{
    const struct berth_structure_atom *atom = &structure->atoms[i];
    const double distance = berth_distance(atom->position, water);
    if (berth_is_metal(atom->element)) {
        return distance <= BERTH_BOND_METAL;
    }
    if ((atom->element != NITROGEN && atom->element != OXYGEN) || distance > BOND ||
        (strcmp(atom->residue.name, "PRO") == 0 && strcmp(atom->name, "N") == 0)) {
        return false;
    }
    for (size_t k = 0; k < structure->count; k++) {
        const struct berth_structure_atom *other = &structure->atoms[k];
        double to_other[3], to_water[3];
        if (k == i || berth_is_hydrogen(other) ||
            berth_distance(other->position, atom->position) > BERTH_BOND_HEAVY) {
            continue;
        }
        berth_direction(atom->position, other->position, to_other);
        berth_direction(atom->position, water, to_water);
        if (berth_angle(to_other, to_water) < ANGLE) {
            return false;
        }
    }
    return true;
}

static const struct berth_structure_atom *oxygen_of(const struct berth_structure *structure,
                                                    struct berth_span span)
{
    for (size_t i = span.begin; i < span.end; i++) {
        if (structure->atoms[i].element == OXYGEN) {
            return &structure->atoms[i];
        }
    }
    return NULL;
}

/* The mean of what becomes a receptor; 0: the file has none. */
static double mean_b_factor(const struct berth_structure *structure)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        const bool counts = !berth_is_water_name(atom->residue.name) && !berth_is_hydrogen(atom);
        sum += counts ? atom->b_factor : 0;
        count += counts;
    }
    return count ? sum / (double)count : 0;
}

void berth_water_look(const struct berth_structure *structure, const struct berth_structure *ligand,
                      struct berth_span span, struct berth_water *water)
{
    const struct berth_structure_atom *oxygen = oxygen_of(structure, span);
    *water = (struct berth_water){.mean = mean_b_factor(structure)};
    if (!oxygen) {
        return;
    }
    water->b_factor = oxygen->b_factor;
    water->occupancy = oxygen->occupancy;
    for (size_t i = 0; i < ligand->count; i++) {
        water->ligand += is_partner(ligand, i, oxygen->position);
    }
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        if ((i >= span.begin && i < span.end) || berth_is_additive_name(atom->residue.name) ||
            !is_partner(structure, i, oxygen->position)) {
            continue;
        }
        *(berth_is_water_name(atom->residue.name) ? &water->waters : &water->receptor) += 1;
    }
    water->bridges = water->receptor >= 2 && water->ligand >= 1 &&
                     water->occupancy >= BERTH_WATER_OCCUPANCY &&
                     (water->mean <= 0 || water->b_factor <= BERTH_WATER_B * water->mean);
}

void berth_water_text(const struct berth_water *water, char text[BERTH_WATER_TEXT])
{
    const bool held = water->receptor >= 2 && water->ligand >= 1;
    snprintf(text, BERTH_WATER_TEXT,
             "%s: %zu hydrogen bond%s with the receptor, %zu with the ligand, %zu with waters",
             water->bridges ? "bridges"
             : held         ? "bridges, but is badly seen"
                            : "does not bridge",
             water->receptor, water->receptor == 1 ? "" : "s", water->ligand, water->waters);
    if (water->mean > 0) {
        berth_text_append(text, BERTH_WATER_TEXT, ", B %.0f (receptor's mean %.0f)",
                          water->b_factor, water->mean);
    }
    if (water->occupancy < 1) {
        berth_text_append(text, BERTH_WATER_TEXT, ", occupancy %.2f", water->occupancy);
    }
}
