/* Molecules one by one, from Mol2 and poses as they stand, prepared on the way, or from a library:
 * what a docking begins with. */
#ifndef BERTH_DOCK_SOURCE_H
#define BERTH_DOCK_SOURCE_H

#include <stdatomic.h>

#include "dock/relax/relaxation.h"
#include "format/failures.h"
#include "dock/covalent/covalent.h"
#include "format/library/library.h"
#include "format/mol2/mol2.h"
#include "prep/ligands/ligands.h"
#include "prep/posed.h"
#include "prep/prepare.h"
#include "score/scoring.h"

/* The caller sets what is borrowed. */
struct berth_source {
    const char *path; /* borrowed; told by its ending: a library (.blib), others (see
                         berth_prepare_takes), else Mol2 */
    const struct berth_scoring *scoring; /* borrowed */
    struct berth_columns_wanted columns; /* of tables; borrowed */
    /* Borrowed; they prepare molecules that are no Mol2; NULL: these are poses as they stand. */
    struct berth_ligand_workers *workers;
    struct berth_failures *failures;          /* borrowed */
    struct berth_relaxer *relaxer;            /* borrowed; NULL: molecules stay where they stand */
    const struct berth_heavy_atoms *receptor; /* borrowed; that it moves them in */
    double strain;                            /* of the molecule that it moved last, kJ/mol */
    double moved;                             /* how far, Å: as berth_molecule_rmsd */
    const struct berth_log *log;              /* borrowed; receives the scoring's fallbacks */
    /* Borrowed; what the molecules are adducts of, and hung from; NULL: they are not bonded. */
    const struct berth_covalent *covalent;
    const atomic_bool *stop;          /* borrowed, or NULL: once it is true, reading ends */
    bool stopped;                     /* it did so */
    size_t most_atoms;                /* heavy atoms of a ligand; 0: BERTH_LIGAND_ATOMS_MAX */
    size_t read;                      /* molecules that came out right so far */
    struct berth_mol2_reader *reader; /* owned; NULL but for Mol2 */
    struct berth_typer typer;         /* of Mol2 whose types are none of SYBYL's */
    struct berth_pose_reader *poses;  /* owned; NULL but for poses */
    struct berth_prepared_ligands *prepared; /* owned; NULL but for ligands that are prepared */
    struct berth_library_reader *library;    /* owned; NULL but for a library */
    struct berth_library_ligand ligand;      /* whose conformers are being given */
    size_t conformer;                        /* the next one of it */
    uint64_t molecules;                      /* read so far, also those that failed: but of a
                                                library and of prepared ones */
    uint64_t ordinal;                        /* of the next ligand of a library or that is prepared;
                                                0 of other molecules */
};

/* Opens the file.  The caller closes *source.  Errors: as the readers. */
enum berth_status berth_source_open(struct berth_source *source, struct berth_error *error);

/* A zeroed source is accepted. */
void berth_source_close(struct berth_source *source);

/* The next molecule that can be read and typed, and its heavy atoms; those that cannot are rows of
 * the failures.  *end at the end of the file.  The caller clears molecule and heavy.  Errors: a
 * file that cannot be read and gave no molecule at all; BERTH_E_MEMORY. */
enum berth_status berth_source_next(struct berth_source *source, struct berth_molecule *molecule,
                                    struct berth_heavy_atoms *heavy, bool *end,
                                    struct berth_error *error);

/* The place in the file, from 0, of the molecule that berth_source_next gave last: a record's, and
 * in a library its ligand's; negative: unknown. */
long long berth_source_ordinal(const struct berth_source *source);

/* The number of its ligand, from 1, in a library or among those that are prepared, each of which
 * has its conformers; 0: only the molecules behind it tell where the ligand ends, as in Mol2. */
uint64_t berth_source_ligand(const struct berth_source *source);

/* Strain of the conformer that berth_source_next gave last, kJ/mol above its ligand's best one, or
 * of a relaxed one see berth_relax; NAN where it is unknown, as for other Mol2 and poses. */
double berth_source_strain(const struct berth_source *source);

/* Its ligand, whose SMILES and properties are known, borrowed until the next one; NULL where they
 * are not. */
const struct berth_library_ligand *berth_source_known(const struct berth_source *source);

/* BERTH_E_USAGE where the conformers' strain is to have a weight, and the source's ligands have
 * none: those of a library and prepared ones have. */
enum berth_status berth_source_check_weight(const struct berth_source *source, double weight,
                                            struct berth_error *error);

/* True where the path ends as a library does (.blib). */
bool berth_is_library_path(const char *path);

#endif
