/* The receptors that a run docks to: one, or several structures of one site, superposed. */
#ifndef BERTH_DOCK_ENSEMBLE_H
#define BERTH_DOCK_ENSEMBLE_H

#include "dock/docking.h"
#include "dock/restraints/restraints.h"
#include "dock/typed_receptor.h"
#include "score/receptor_names.h"

struct berth_covalent;
struct berth_side_chains;

/* Zeroed to begin with. */
struct berth_ensemble {
    const struct berth_typed_receptor *receptors[BERTH_RECEPTORS_MAX]; /* borrowed */
    const char *paths[BERTH_RECEPTORS_MAX];                            /* borrowed */
    struct berth_receptor_names names;
    size_t count;
    struct berth_restraints *restraints; /* borrowed, with places in all of them; NULL: none */
    /* Borrowed; [count]: each receptor's own; NULL: the receptors do not move. */
    const struct berth_side_chains *side_chains;
    const struct berth_covalent
        *covalent; /* borrowed; of the one; NULL: ligands are bonded to none */
};

/* What stands beside ligands as bodies with a fixed root: side chains that move, or what adducts
 * hang from; NULL: nothing. */
const struct berth_side_chains *berth_ensemble_beside(const struct berth_ensemble *ensemble);

/* Takes a receptor (borrowed, as its path) behind the others.  Errors: BERTH_E_USAGE (too many; the
 * same file twice; another scoring function or forcefield than the first one's). */
enum berth_status berth_ensemble_add(struct berth_ensemble *ensemble,
                                     const struct berth_typed_receptor *receptor, const char *path,
                                     struct berth_error *error);

/* Whether all of them can be docked to in this site: BERTH_E_USAGE that names the one that has no
 * atoms near it.  log is told of one whose residues lie far from those of the first. */
enum berth_status berth_ensemble_check(const struct berth_ensemble *ensemble,
                                       const struct berth_site *site, const struct berth_log *log,
                                       struct berth_error *error);

/* Notes what each receptor pays for waters: price (the scoring function's unit) for each that
 * another of them has in its place and it has not.  0: nothing is noted.  Errors: BERTH_E_USAGE
 * (there is one receptor; one has no residues, as of Mol2; all have the same waters). */
enum berth_status berth_ensemble_price_waters(const struct berth_ensemble *ensemble, double price,
                                              struct berth_judges *judges,
                                              struct berth_error *error);

/* Makes them the targets of the setup, at this site. */
void berth_ensemble_aim(const struct berth_ensemble *ensemble, const struct berth_site *site,
                        struct berth_docking_setup *setup);

/* Pairs of atoms for each atom of a conformer in a receptor, in the mean: see
 * berth_search_pairs_per_atom. */
double berth_ensemble_pairs_per_atom(const struct berth_ensemble *ensemble,
                                     const struct berth_search_settings *search);

#endif
