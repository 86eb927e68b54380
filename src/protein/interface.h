/* What two proteins have in common where they touch. */
#ifndef BERTH_PROTEIN_INTERFACE_H
#define BERTH_PROTEIN_INTERFACE_H

#include <stdbool.h>

#include "chem/geometry.h"
#include "chem/surface.h"
#include "dock/typed_receptor.h"

/* Å: heavy atoms of two proteins that are nearer are a contact, and their residues belong to the
 * interface; and how near to the receptor an atom of the ligand is for the RMSD of interfaces. Both
 * are CAPRI's (R. Mendez et al., Proteins 52 (2003) 51). */
#define BERTH_CONTACT_REACH   5.0
#define BERTH_INTERFACE_REACH 10.0

struct berth_interface {
    size_t contacts;                           /* pairs of atoms */
    size_t receptor_residues, ligand_residues; /* with an atom in a contact */
    double buried;                             /* Å^2: see berth_surface_buried */
};

/* Looks at interfaces of a pair; opaque. */
struct berth_interfaces;

/* Prepares for the pair (borrowed).  The caller destroys *interfaces.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_interfaces_create(const struct berth_molecule *receptor,
                                          const struct berth_molecule *ligand,
                                          struct berth_interfaces **interfaces,
                                          struct berth_error *error);

/* What the ligand has with its heavy atoms placed so, [atoms][3], Å.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_interface_measure(struct berth_interfaces *interfaces,
                                          const double (*placed)[3],
                                          struct berth_interface *interface,
                                          struct berth_error *error);

/* Marks the atoms of the ligand that are within BERTH_INTERFACE_REACH of the receptor. */
void berth_interface_mark(const struct berth_interfaces *interfaces, const double (*placed)[3],
                          bool *near);

/* RMSD (Å) between two placements of count atoms over those that are marked in either, in the
 * receptor's frame; INFINITY where none is. */
double berth_interface_rmsd(const double (*a)[3], const bool *near_a, const double (*b)[3],
                            const bool *near_b, size_t count);

void berth_interfaces_destroy(struct berth_interfaces *interfaces);

#endif
