/* From a molecule in whatever form to ligands with conformers, types and a torsion tree.
 *
 * A Mol2 molecule with hydrogens and 3D coordinates is taken as it stands.  Everything else goes
 * through RDKit (prep/worker.h), or where there is none, Open Babel (prep/prepare_fallback.c), in
 * processes of their own:
 *
 *   1. largest fragment, protonation, stereo, canonical SMILES and formula: one or more forms
 *   2. for each of them hydrogens, 3D coordinates, Mol2 types; these are put to the forcefield's
 *      convention (chem/type_rules.h)
 *   3. here: the torsion tree, and conformers by turning its bonds (chem/conformers.h)
 *   4. their MMFF94 energies
 */
#ifndef BERTH_PREP_PREPARE_H
#define BERTH_PREP_PREPARE_H

#include <stdatomic.h>

#include "base/log.h"
#include "format/library/library.h"
#include "format/records.h"
#include "chem/molecule.h"
#include "prep/fragments/store.h"
#include "prep/bond_orders.h"

/* Bounds that a molecule must keep; 0: none. */
struct berth_filter {
    long long max_heavy, max_rotors;
    double min_mass, max_mass;     /* g/mol */
    bool elements[BERTH_ELEMENTS]; /* those allowed beside hydrogen, where `chosen` */
    bool chosen;
};

/* Structures of a ligand where nobody says. */
enum { BERTH_STRUCTURES = 5 };

/* Forms of a molecule that may be asked for. */
enum { BERTH_PROTOMERS_MAX = 20, BERTH_STEREOISOMERS_MAX = 100 };

/* What builds structures, and how it went; zeroed it is empty. */
struct berth_builders {
    struct berth_rdkit rdkit;
    struct berth_fragment_store *store;     /* owned; NULL: none are needed */
    atomic_size_t made;                     /* fragments that RDKit built */
    atomic_size_t joined;                   /* structures that were joined from fragments */
    atomic_size_t uncut, unbuilt, clashing; /* those that RDKit built, by what was in the way */
};

struct berth_preparation {
    double ph;                       /* NAN: protonation stays as it is */
    size_t protomers, stereoisomers; /* RDKit: forms of a molecule, at most (0: 1): the likeliest
                                        states at ph, and of each where stereo is left open */
    double min_population;           /* of such a state, but for the likeliest: 0 to 1 */
    const struct berth_rdkit *rdkit; /* borrowed; see berth_prepare_choose; NULL: Open Babel */
    struct berth_builders *builders; /* borrowed; NULL: no structure is joined from fragments */
    const char *builder;  /* borrowed; as asked for: "rdkit", "fragments", "openbabel"; NULL: RDKit
                             if there is */
    size_t memory;        /* bytes that a process of RDKit's may use; 0: no limit */
    size_t conformers;    /* at most */
    size_t structures;    /* RDKit: that differ in rings or bond angles, at most */
    double energy_window; /* kJ/mol: conformers above the lowest by more are left out */
    double min_rmsd;      /* Å between two conformers */
    double limit;         /* processor seconds for a molecule; of each process of Open Babel's */
    const atomic_bool *cancel;     /* borrowed, or NULL; true: stop at once, everything fails */
    const atomic_bool *stop;       /* likewise: the user's; true: nothing else is waited for */
    const char *const *properties; /* borrowed; [property_count]: SDF properties to keep */
    size_t property_count;
    bool rebuild;             /* Mol2, too, is built anew */
    bool smiles;              /* find the SMILES of Mol2 that is taken as it stands, too */
    const char *exclude;      /* borrowed, or NULL: a file of patterns that molecules must not hold,
                                 lines      SMARTS NAME with '#' comments; RDKit alone knows them */
    const char *exclude_name; /* borrowed: the file's */
    /* Borrowed, or NULL: "CYS": molecules become adducts with the side chain of this residue, by
     * reactions (data/covalent says how they are written), of a file of that name; RDKit alone can.
     */
    const char *residue, *reactions, *reactions_name;
    bool all_warheads; /* of each of a molecule's warheads; false: it has one */
    struct berth_filter filter;
};

/* Finds the builder that preparation->builder asks for, and sets what the preparation borrows of
 * *builders, which is empty and must stay as long as the preparation.  Where it is left to this
 * function, the log is told which it is.  The caller ends *builders, also after an error.  Errors:
 * BERTH_E_USAGE, BERTH_E_IO (it is not installed), BERTH_E_FORMAT (the store of fragments). */
enum berth_status berth_prepare_choose(struct berth_preparation *preparation,
                                       struct berth_builders *builders, const struct berth_log *log,
                                       struct berth_error *error);

/* Tells the log what share of the structures was joined from fragments since it was last told. */
void berth_builders_tell(struct berth_builders *builders, const struct berth_log *log);

/* Frees what *builders owns.  An empty one is accepted. */
void berth_builders_end(struct berth_builders *builders);

/* One of the ligands that a record gives: a state of protonation, a stereoisomer. */
struct berth_form {
    struct berth_library_ligand ligand; /* its source and record are left to the caller */
    char label[16];                     /* what its name has behind the record's title */
    char population[16];                /* of its state, 0 to 1; "": it is the only one asked for */
    char open_stereo[16]; /* centres and double bonds that the input leaves open, where
                             isomers were left out; "": none were */
    char remark[400];     /* what is to be said of it, a line each; "": nothing */
    struct berth_composition composition;
    struct berth_bytes cutting; /* owned; its fragments, as prepare_fragments.c reads them; empty:
                                   it is not to be joined from any */
    bool recharged;             /* its charge is another than that of the input, its salts aside */
    bool dropped;               /* a filter refuses it; error says why */
    enum berth_status status;   /* of preparing it; where it failed, ligand is empty */
    struct berth_error error;
};

struct berth_prepared {
    struct berth_form *forms; /* owned; [count] */
    size_t count;             /* at least 1, unless the record failed */
    bool taken;               /* as it stood: it may be one conformer of many */
    bool dropped;             /* a filter refuses the record; error says why */
};

void berth_prepared_clear(struct berth_prepared *prepared);

struct berth_preparer; /* opaque: for one thread, which on Linux must be the same all along */

/* preparation is borrowed until the preparer is destroyed.  The caller destroys *preparer.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_preparer_create(const struct berth_preparation *preparation,
                                        struct berth_preparer **preparer,
                                        struct berth_error *error);

/* NULL is accepted. */
void berth_preparer_destroy(struct berth_preparer *preparer);

/* Records that are looked at ahead, at most. */
enum { BERTH_AHEAD = 32 };

/* Does step 1 of many records at once, which costs less than one by one; of the next calls for
 * these records, which must not change meanwhile, the results are the same.  What was done ahead of
 * earlier ones is forgotten.  count: BERTH_AHEAD at most. */
void berth_prepare_ahead(struct berth_preparer *preparer, const struct berth_record *const *records,
                         size_t count);

/* Prepares record.  The ligands have name, conformers, strains, tree, SMILES and properties.  The
 * caller clears *prepared.  Errors, of the record or of a form: BERTH_E_FORMAT (it cannot be
 * prepared, or is dropped), BERTH_E_IO (no molecule's fault: the machine's, or cancelled),
 * BERTH_E_MEMORY. */
enum berth_status berth_prepare(struct berth_preparer *preparer, const struct berth_record *record,
                                struct berth_prepared *prepared, struct berth_error *error);

/* True for the properties that preparing adds itself: input_smiles, the SMILES of the input;
 * state_of, the title of a record that gave several ligands; state_population; open_stereo. */
bool berth_prepare_adds(const char *property);

/* Step 1 alone: the forms have their SMILES and nothing else. */
enum berth_status berth_prepare_smiles(struct berth_preparer *preparer,
                                       const struct berth_record *record,
                                       struct berth_prepared *prepared, struct berth_error *error);

/* The molecule of an SDF record as it stands: bonds and positions are the record's, hydrogens that
 * it leaves out are added behind its atoms, and its types are those of what is built.  ph: the
 * state that a docking would give it there; NAN: as drawn.  The caller clears *molecule.  Errors:
 * as berth_prepare. */
enum berth_status berth_prepare_stand(struct berth_preparer *preparer,
                                      const struct berth_record *record, double ph,
                                      struct berth_molecule *molecule, struct berth_error *error);

/* True for a path whose ending names a format of ligands that are prepared: SMILES, tables, SDF,
 * and what is converted into it; false for Mol2 and what is not known. */
bool berth_prepare_takes(const char *path);

/* True for a format of atoms alone (PDB, PDBQT, XYZ ...): its bonds, and often its hydrogens, are
 * perceived. */
bool berth_prepare_lacks_bonds(const char *format);

/* What no builder may be given: SMILES that are none, an SDF record whose bonds have no order, or
 * whose counts are wrong.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_prepare_check(const struct berth_record *record, struct berth_error *error);

/* Names a record of the file at path that has no title by its place ("FILE:NUMBER"; of PDB, PDBQT
 * and mmCIF without the ending, the first without its number).  Errors: BERTH_E_MEMORY. */
enum berth_status berth_prepare_name(struct berth_record *record, const char *path,
                                     struct berth_error *error);

/* A file of a format that is converted to SDF: by the worker, where that finds its bonds, else by
 * Open Babel. */
struct berth_conversion {
    const char *path; /* "-": standard input, which has no name */
    const char *format;
    double limit;                    /* processor seconds */
    bool models;                     /* a PDBQT file may have several, a record each; else one */
    struct berth_bond_finder *bonds; /* borrowed: finds those of formats without */
    const atomic_bool *stop;     /* borrowed, or NULL; once it is true, this ends with BERTH_E_IO */
    const struct berth_log *log; /* borrowed, or NULL: hears of alternate locations */
};

/* A record that it became, of SDF: at the line of the file where its molecule begins, where that is
 * known; whether its bonds were found by where atoms stand (prep/bond_orders.h), it says itself. */
struct berth_converted_record {
    struct berth_record record; /* owned; without text where there is a failure */
    char *failure;              /* owned; why it could not be converted; NULL: it was */
};

/* What a file became.  Zeroed it is empty. */
struct berth_converted {
    struct berth_converted_record *items; /* owned; [count] */
    size_t count, capacity;
    size_t next; /* that is given next */
};

/* Converts it as a whole; a molecule that cannot be converted is a record that says why.  Perceived
 * bonds that contradict the file are no good.  Of alternate locations the one of highest occupancy
 * is kept.  The caller clears *converted, also after an error.  Errors: BERTH_E_USAGE (no such
 * format), BERTH_E_IO, BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_prepare_convert(const struct berth_conversion *conversion,
                                        struct berth_converted *converted,
                                        struct berth_error *error);

/* Moves the next record to *record, which the caller clears (it is cleared here first); *end is set
 * where there is none.  Errors: BERTH_E_FORMAT (it could not be converted). */
enum berth_status berth_converted_next(struct berth_converted *converted,
                                       struct berth_record *record, bool *end,
                                       struct berth_error *error);

void berth_converted_clear(struct berth_converted *converted);

/* Types for molecules as they stand: a preparer that is made when it is first needed.  Zeroed but
 * for `stop` it is ready; it stays where it is until it is cleared. */
struct berth_typer {
    const atomic_bool *stop; /* borrowed, or NULL */
    struct berth_builders builders;
    struct berth_preparation preparation;
    struct berth_preparer *preparer; /* owned; NULL: not needed so far */
};

/* Makes it now, if it is not there.  Errors: BERTH_E_IO (there is neither RDKit nor Open Babel),
 * BERTH_E_MEMORY. */
enum berth_status berth_typer_start(struct berth_typer *typer, struct berth_error *error);

/* As berth_prepare_stand.  Errors: those of berth_typer_start, too. */
enum berth_status berth_typer_stand(struct berth_typer *typer, const struct berth_record *record,
                                    double ph, struct berth_molecule *molecule,
                                    struct berth_error *error);

/* Gives a molecule with foreign_types those of SYBYL, by elements, bonds and charges, which stay,
 * as do its positions; another is left as it is.  Errors: as berth_typer_stand; BERTH_E_FORMAT
 * (bonds without orders). */
enum berth_status berth_typer_settle(struct berth_typer *typer, struct berth_molecule *molecule,
                                     struct berth_error *error);

/* BERTH_E_FORMAT where the orders of the bonds are not known. */
enum berth_status berth_typer_check(const struct berth_molecule *molecule,
                                    struct berth_error *error);

void berth_typer_clear(struct berth_typer *typer);

#endif
