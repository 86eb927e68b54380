/* Waters that a ligand may displace: beside the receptor file that has them all, files without each
 * of them and without several, to be docked to together (water_price). */
#ifndef BERTH_PREP_RECEPTOR_DISPLACEABLE_H
#define BERTH_PREP_RECEPTOR_DISPLACEABLE_H

#include "base/log.h"
#include "format/receptor_file.h"

enum { BERTH_DISPLACEABLE_MAX = 4 };

struct berth_displaceable {
    struct berth_residue_id waters[BERTH_DISPLACEABLE_MAX];
    size_t count; /* above BERTH_DISPLACEABLE_MAX: the further ones are not listed */
};

void berth_displaceable_add(struct berth_displaceable *displaceable,
                            const struct berth_residue_id *water);

/* BERTH_E_USAGE where there are too many, or a chain cannot stand in the name of a file. */
enum berth_status berth_displaceable_check(const struct berth_displaceable *displaceable,
                                           struct berth_error *error);

/* Writes a receptor file for each choice of waters to leave out, "site_no_A301.brec" and
 * "site_no_A301_A302.brec" beside out, "site.brec" with all waters, and tells log how to dock to
 * all. overwrite: those that are there, too. Errors: BERTH_E_USAGE (a file is there), BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_displaceable_write(const struct berth_displaceable *displaceable,
                                           const struct berth_receptor *receptor, const char *out,
                                           bool overwrite, const struct berth_log *log,
                                           struct berth_error *error);

#endif
