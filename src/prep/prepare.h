/* From a molecule in whatever form to a ligand with conformers, types and a torsion tree.
 *
 * A Mol2 molecule with hydrogens and 3D coordinates is taken as it stands.  Everything else goes
 * through Open Babel, in processes of its own that share one time limit:
 *
 *   1. largest fragment, protonation, canonical SMILES and formula
 *   2. hydrogens, 3D coordinates, Mol2 types; these are put to the forcefield's convention
 *      (chem/type_rules.h)
 *   3. here: the torsion tree, and conformers by turning its bonds (chem/conformers.h)
 *   4. their MMFF94 energies
 */
#ifndef BERTH_IO_PREPARE_H
#define BERTH_IO_PREPARE_H

#include <stdatomic.h>

#include "format/library/library.h"
#include "format/records.h"
#include "chem/composition.h"

/* Bounds that a molecule must keep; 0: none. */
struct berth_filter {
    long long max_heavy, max_rotors;
    double min_mass, max_mass;     /* g/mol */
    bool elements[BERTH_ELEMENTS]; /* those allowed beside hydrogen, where `chosen` */
    bool chosen;
};

struct berth_preparation {
    double ph;                     /* NAN: protonation stays as it is */
    const char *builder;           /* borrowed; Open Babel's --gen3d: "slow" */
    size_t conformers;             /* at most */
    double energy_window;          /* kJ/mol: conformers above the lowest by more are left out */
    double min_rmsd;               /* Å between two conformers */
    double limit;                  /* processor seconds of Open Babel for a molecule */
    const atomic_bool *cancel;     /* borrowed, or NULL; true: stop at once, everything fails */
    const char *const *properties; /* borrowed; [property_count]: SDF properties to keep */
    size_t property_count;
    bool rebuild; /* Mol2, too, goes through Open Babel */
    bool smiles;  /* find the SMILES of Mol2 that is taken as it stands, too */
    struct berth_filter filter;
};

/* Prepares record.  *ligand has name, conformers, strains, tree, SMILES and properties; its source
 * is left to the caller, who clears it.  *dropped is set where the filter refuses the molecule;
 * *error then says why.  taken: the record was taken as it stands, and may be one conformer of
 * many. Errors (*ligand is empty): BERTH_E_FORMAT, BERTH_E_IO (Open Babel), BERTH_E_MEMORY. */
struct berth_prepared {
    struct berth_library_ligand ligand;
    bool dropped, taken;
};
enum berth_status berth_prepare(const struct berth_preparation *preparation,
                                const struct berth_record *record, struct berth_prepared *prepared,
                                struct berth_error *error);

/* Canonical SMILES of record as step 1 gives it, in *smiles, which the caller frees. */
enum berth_status berth_prepare_smiles(const struct berth_preparation *preparation,
                                       const struct berth_record *record, char **smiles,
                                       struct berth_error *error);

/* True for a path whose ending names a format of ligands that need Open Babel: SMILES, SDF and well
 * known ones beside; false for Mol2 and what is not known. */
bool berth_prepare_takes(const char *path);

/* Names a record of the file at path that has no title by its place ("FILE:NUMBER"), or by its file
 * where that is all that berth_prepare_convert gave it.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_prepare_name(struct berth_record *record, const char *path,
                                     struct berth_error *error);

/* Converts a whole file ("-" is standard input) of a format that only Open Babel reads to SDF,
 * appended to *sdf.  PDBQT goes to it as bare heavy atoms, since that format leaves out hydrogens
 * at carbon, which Open Babel would take for radicals.  Where the format takes the file's name for
 * a title that is missing, the title is BERTH_OPENBABEL_INPUT (io/openbabel.h).  stop: borrowed, or
 * NULL; once it is true, this ends with BERTH_E_IO.  Errors: BERTH_E_USAGE (no such format),
 * BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_prepare_convert(const char *path, const char *format, double limit,
                                        const atomic_bool *stop, struct berth_bytes *sdf,
                                        struct berth_error *error);

#endif
