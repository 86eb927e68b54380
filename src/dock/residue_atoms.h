/* The heavy atoms of a residue of a receptor, and the bonds between them by their distances. */
#ifndef BERTH_DOCK_RESIDUE_ATOMS_H
#define BERTH_DOCK_RESIDUE_ATOMS_H

#include "chem/selection.h"
#include "dock/typed_receptor.h"

/* Heavy atoms of an amino acid, at most. */
enum { BERTH_RESIDUE_ATOMS_MAX = 64 };

struct berth_residue_atoms {
    const struct berth_molecule *molecule;        /* borrowed: the receptor's */
    size_t atoms[BERTH_RESIDUE_ATOMS_MAX], count; /* numbers there */
    uint64_t bonds[BERTH_RESIDUE_ATOMS_MAX];      /* a bit for each of the residue's atoms */
};

/* Finds those of a residue, which counts from 0.  False where it is too large for an amino acid:
 * the first of its atoms. */
bool berth_residue_atoms_find(const struct berth_molecule *molecule, size_t number,
                              struct berth_residue_atoms *residue);

const struct berth_atom *berth_residue_heavy(const struct berth_residue_atoms *residue, size_t i);

/* The first atom of that name; count: there is none. */
size_t berth_residue_heavy_named(const struct berth_residue_atoms *residue, const char *name);

/* Reads which residues the text names, in those of a receptor; *missing: the first name that none
 * of them has, or NULL (borrowed from *selection).  Errors: those of berth_selection_parse. */
enum berth_status berth_residues_select(const struct berth_typed_receptor *receptor,
                                        const char *text, struct berth_selection *selection,
                                        const struct berth_selector **missing,
                                        struct berth_error *error);

#endif
