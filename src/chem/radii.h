/* Van der Waals radii, and how far two atoms that are not bonded overlap. */
#ifndef BERTH_CHEM_RADII_H
#define BERTH_CHEM_RADII_H

/* Å, by atomic number (A. Bondi, J. Phys. Chem. 68 (1964) 441): H, N, O, F, P, S, Cl, Br and I;
 * carbon's 1.70 for all others. */
double berth_vdw_radius(int element);

/* Å by which two atoms overlap at this distance (Å): the sum of their radii less the distance, and
 * less 0.4 Å where both are nitrogen, oxygen or fluorine, which a hydrogen bond brings together (as
 * in UCSF Chimera: E. F. Pettersen et al., J. Comput. Chem. 25 (2004) 1605).  A metal has zinc's
 * 1.39 Å, and none with atoms that it is coordinated by (all but C and H).  Below 0 where they do
 * not. */
double berth_overlap(int first, int second, double distance);

/* The largest overlap's reach, Å: at this distance no two atoms overlap. */
#define BERTH_OVERLAP_REACH 4.0

#endif
