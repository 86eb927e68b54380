/* Which waters of a structure bridge between receptor and ligand: `berth prep receptor --waters`.
 */
#ifndef BERTH_PREP_RECEPTOR_WATERS_H
#define BERTH_PREP_RECEPTOR_WATERS_H

#include "chem/structure.h"

/* What holds a water, and whether it would be kept. */
struct berth_water {
    size_t receptor, ligand, waters; /* hydrogen bonds with these; metals count as receptor's */
    double b_factor, mean;           /* Å²: its own, of the receptor's atoms; 0: unknown */
    double occupancy;
    bool bridges;
};

/* B factors above this times the receptor's mean, or occupancies below that, are of waters that
 * may not be there. */
#define BERTH_WATER_B         1.5
#define BERTH_WATER_OCCUPANCY 0.5

/* Looks at the water `span` of the structure, from which the ligand was cut out.  It bridges if it
 * has two hydrogen bonds with the receptor or more, one with the ligand or more, and is well seen.
 */
void berth_water_look(const struct berth_structure *structure, const struct berth_structure *ligand,
                      struct berth_span span, struct berth_water *water);

enum { BERTH_WATER_TEXT = 200 };

/* "bridges: 3 hydrogen bonds with the receptor, 1 with the ligand, B 14 (receptor's mean 22)". */
void berth_water_text(const struct berth_water *water, char text[BERTH_WATER_TEXT]);

#endif
