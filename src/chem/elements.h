/* Elements, by atomic number: symbols, masses, radii, and which are metals. */
#ifndef BERTH_CHEM_ELEMENTS_H
#define BERTH_CHEM_ELEMENTS_H

#include <stdbool.h>

/* Those that rules of chemistry name. */
enum {
    HYDROGEN = 1,
    BORON = 5,
    CARBON = 6,
    NITROGEN = 7,
    OXYGEN = 8,
    FLUORINE = 9,
    NEON = 10,
    MAGNESIUM = 12,
    SILICON = 14,
    PHOSPHORUS = 15,
    SULFUR = 16,
    CHLORINE = 17,
    CALCIUM = 20,
    MANGANESE = 25,
    IRON = 26,
    ZINC = 30,
    GERMANIUM = 32,
    ARSENIC = 33,
    SELENIUM = 34,
    BROMINE = 35,
    TELLURIUM = 52,
    IODINE = 53,
    TUNGSTEN = 74,
    ASTATINE = 85,
    BERTH_ELEMENTS = 119
};

/* Atomic number of a Mol2 type ("C.ar" gives 6, "Cl" 17, "H.spc", "D" and "T" 1);
 * 0 for "Du", "LP", "Any", "Hal", "Het", "Hev" and what is no element. */
int berth_element_of_type(const char *type);

/* Symbol of an atomic number ("C"); "*" for 0 and what is out of range. */
const char *berth_element_symbol(int element);

/* Standard atomic weight, g/mol; of elements without one, that of their longest-lived isotope. */
double berth_element_mass(int element);

/* True for the metals that stand in proteins. */
bool berth_is_metal(int element);

/* A hydrogen and a nitrogen or oxygen: a hydrogen bond, as likely as not. */
bool berth_may_hydrogen_bond(int first, int second);

/* Fluorine, chlorine, bromine, iodine. */
bool berth_is_halogen(int element);

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

/* Å, of AutoDock's atom types; all others, which are metals, have the largest. */
double berth_covalent_radius(int element);
#define BERTH_COVALENT_RADIUS_MAX 1.75

#endif
