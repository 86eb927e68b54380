/* The steps of preparing a ligand that RDKit (tools/rdkit has the other side) or Open Babel does;
 * nothing but prepare.c includes this. */
#ifndef BERTH_PREP_PREPARE_BUILD_H
#define BERTH_PREP_PREPARE_BUILD_H

#include "chem/conformers.h"
#include "prep/prepare.h"

/* Step 1 of several records, done at once. */
struct berth_ahead {
    const unsigned char *texts[BERTH_AHEAD]; /* borrowed; [count]: the records', by which they are
                                                told apart; NULL: it was taken */
    size_t count;
    struct berth_answer answer; /* a field for each, behind the first */
    double used;                /* processor seconds that went into one of them */
};

struct berth_preparer {
    const struct berth_preparation *preparation; /* borrowed */
    struct berth_worker *worker;                 /* owned; NULL: Open Babel builds */
    struct berth_ahead ahead;
    double used; /* processor seconds that went into the record so far */
};

/* What Open Babel does where there is no RDKit (prepare_fallback.c): step 1; step 2, by its
 * builder, and where that finds no coordinates, by its distance geometry, neither the same from run
 * to run; and a record as it stands. */
enum berth_status berth_fallback_normalise(struct berth_preparer *preparer,
                                           const struct berth_record *record,
                                           struct berth_prepared *prepared,
                                           struct berth_error *error);
enum berth_status berth_fallback_build(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_molecule *molecule,
                                       struct berth_conformers *structures,
                                       struct berth_error *error);
enum berth_status berth_fallback_stand(struct berth_preparer *preparer,
                                       const struct berth_record *record, double ph,
                                       struct berth_molecule *molecule, struct berth_error *error);

/* Step 1: fills the forms with SMILES, composition, label and remark. */
enum berth_status berth_rdkit_normalise(struct berth_preparer *preparer,
                                        const struct berth_record *record,
                                        struct berth_prepared *prepared, struct berth_error *error);

/* Finds out at once where a pattern of preparation->exclude is none, or a reaction.  Errors:
 * BERTH_E_FORMAT, BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_rdkit_check(const struct berth_preparation *preparation,
                                    struct berth_error *error);

/* Step 2: the molecule in its lowest structure, and all structures, that one first. */
enum berth_status berth_rdkit_build(struct berth_preparer *preparer, const char *smiles,
                                    struct berth_molecule *molecule,
                                    struct berth_conformers *structures, struct berth_error *error);

/* The same from the form's fragments, with the structures' energies; by RDKit what is not joined
 * well. */
enum berth_status berth_fragments_build(struct berth_preparer *preparer, struct berth_form *form,
                                        struct berth_molecule *molecule,
                                        struct berth_conformers *structures,
                                        struct berth_error *error);

/* Opens the store of fragments for builders->rdkit; the preparation's stop and cancel are borrowed
 * as long as that is there.  Errors: those of berth_fragment_store_create. */
enum berth_status berth_fragments_open(const struct berth_preparation *preparation,
                                       struct berth_builders *builders, const struct berth_log *log,
                                       struct berth_error *error);

/* Asks RDKit for `what` of the given fields, of which there may be BERTH_REQUEST_FIELDS - 2.
 * Errors: as berth_worker_ask. */
enum berth_status berth_rdkit_ask(struct berth_preparer *preparer, const char *what,
                                  const struct berth_field *fields, size_t count,
                                  struct berth_answer *answer, struct berth_error *error);

/* Step 4: the energies of structures of what RDKit built for these SMILES. */
enum berth_status berth_rdkit_energies(struct berth_preparer *preparer, const char *smiles,
                                       struct berth_conformers *structures,
                                       struct berth_error *error);

/* Makes room for count forms.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_prepared_reserve(struct berth_prepared *prepared, size_t count,
                                         struct berth_error *error);

#endif
