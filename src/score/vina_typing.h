/* The atom types of AutoDock Vina, from what an atom is.
 *
 * O. Trott, A. J. Olson, J. Comput. Chem. 31 (2010) 455; the rules are those that `vina` follows
 * for PDBQT files of Open Babel's: C_H is a carbon whose neighbours are carbons and hydrogens, C_P
 * another one; N and O are donors (D) where they bear a hydrogen, acceptors (A) where
 * berth_traits.acceptor says so, both (DA), or neither (P); halogens are hydrophobic (H); metals
 * are donors.  Selenium counts as sulfur.
 */
#ifndef BERTH_SCORE_VINA_TYPING_H
#define BERTH_SCORE_VINA_TYPING_H

#include "chem/molecule.h"

/* "C_H", "C_P", "N_P", "N_D", "N_A", "N_DA", "O_P", "O_D", "O_A", "O_DA", "S_P", "P_P", "F_H",
 * "Cl_H", "Br_H", "I_H", "Si", "At" or "Met_D"; NULL for an element that Vina does not know (B). */
const char *berth_vina_type(int element, const struct berth_traits *traits);

/* The element of atoms of a type; zinc for all metals, sulfur for selenium; 0 where Vina has no
 * such type. */
int berth_vina_element(const char *type);

#endif
