/* Places that cover the space along a molecule's surface: where searches of all of it begin. */
#ifndef BERTH_CHEM_COVER_H
#define BERTH_CHEM_COVER_H

#include <stddef.h>

#include "base/error.h"
#include "chem/molecule.h"

/* Finds the places (Å): every point outside the heavy atoms (by 2.8 Å) and within 5 Å of one has
 * one within `spacing` (1 to 20 Å), and no two are nearer to each other than that.  The most buried
 * ones come first.  The caller frees *places, [*count].  Errors: those of berth_pocket_grid_create;
 * BERTH_E_FORMAT (nothing is accessible). */
enum berth_status berth_cover_find(const struct berth_molecule *molecule, long spacing,
                                   double (**places)[3], size_t *count, struct berth_error *error);

#endif
