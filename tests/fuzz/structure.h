/* The readers of structures over any bytes, and what prep does with what they accept. */
#ifndef BERTH_FUZZ_STRUCTURE_H
#define BERTH_FUZZ_STRUCTURE_H

#include <math.h>
#include <string.h>

#include "format/mol2/mol2.h"
#include "format/pdb/pdb.h"
#include "format/receptor_file.h"
#include "fuzz.h"
#include "prep/receptor/prepare_structure.h"

static inline void check(const struct berth_structure *structure)
{
    demand(structure->count > 0 && structure->models > 0);
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        for (int k = 0; k < 3; k++) {
            demand(fabs(atom->position[k]) <= BERTH_COORDINATE_MAX);
        }
        demand(memchr(atom->name, 0, BERTH_LABEL_SIZE) &&
               memchr(atom->residue.name, 0, BERTH_LABEL_SIZE) &&
               memchr(atom->residue.chain, 0, BERTH_LABEL_SIZE));
    }
}

/* Everything but Open Babel and the files. */
static inline void prepare(struct berth_structure *structure)
{
    struct berth_receptor_typing typing;
    struct berth_receptor receptor;
    size_t residues;
    demand(!berth_alternates_resolve(structure, &residues, NULL));
    check(structure);
    demand(!berth_receptor_type(structure, &typing, NULL));
    demand(!berth_receptor_check(structure, NULL, NULL, NULL));
    structure->title = calloc(1, 1);
    struct berth_error error;
    const enum berth_status status = berth_receptor_from_structure(structure, &receptor, &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message)); /* too many atoms at one */
    if (!status) {
        demand(receptor.molecule.atom_count <= structure->count);
        berth_receptor_clear(&receptor);
    }
}

/* STATUS and ERROR are what the reader gave. */
static inline void fuzz_structure(struct berth_structure *structure, enum berth_status status,
                                  const struct berth_error *error)
{
    if (status) {
        demand(status == BERTH_E_FORMAT && error->status == status);
    } else {
        check(structure);
        prepare(structure);
    }
    berth_structure_clear(structure);
}

#endif
