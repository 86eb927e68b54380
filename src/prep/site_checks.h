/* Sites about a molecule in a file, and what is doubtful about a site. */
#ifndef BERTH_PREP_SITE_CHECKS_H
#define BERTH_PREP_SITE_CHECKS_H

#include "base/error.h"
#include "base/log.h"
#include "chem/polymers.h"
#include "chem/site.h"
#include "chem/structure.h"

/* The box, of atoms or of a centroid as *site says, about the one molecule of path (see
 * berth_posed_read) by berth_site_about; log is warned of one that is too large for a ligand.
 * Errors: BERTH_E_FORMAT (no heavy atoms). */
enum berth_status berth_site_about_file(const char *path, const struct berth_molecule *molecule,
                                        double add, const struct berth_log *log,
                                        struct berth_site *site, struct berth_error *error);

/* Warns log of a box above 27,000 Å^3, of one that no atom of the receptor is near to, and of
 * molecules of the receptor (neither its polymers nor water nor ions) that occupy it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_site_check_structure(const struct berth_site *site,
                                             const struct berth_structure *receptor,
                                             const struct berth_log *log,
                                             struct berth_error *error);

/* What is docked into: a molecule, with residues [its residue_ids count them from 1], or NULL,
 * where its substructures tell them; and whether something may stand where ligands go. */
struct berth_site_surroundings {
    const struct berth_molecule *receptor;
    const struct berth_residue_id *residues;
    bool allow_occupied;
};

/* Warns log (or NULL) of a ligand that is said to stand there, and is called so (NULL: there is
 * none), where it overlaps the receptor: how many pairs of heavy atoms do, and which are nearest.
 * So many. */
size_t berth_site_check_overlap(const struct berth_molecule *ligand, const char *called,
                                const struct berth_site_surroundings *surroundings,
                                const struct berth_log *log);

/* True where three of the pose's heavy atoms or more lie within 1.5 Å of one of the molecule's: it
 * was docked to where the molecule is, and not beside it. */
bool berth_takes_place(const struct berth_polymers *polymers,
                       const struct berth_structure *structure, size_t molecule,
                       const struct berth_molecule *pose);

/* Warns as of a structure, for what is docked into.  Errors: BERTH_E_USAGE where a molecule that
 * looks like a ligand occupies the site and may not; BERTH_E_MEMORY. */
enum berth_status berth_site_check(const struct berth_site *site,
                                   const struct berth_site_surroundings *surroundings,
                                   const struct berth_log *log, struct berth_error *error);

#endif
