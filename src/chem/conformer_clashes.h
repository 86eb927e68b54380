/* The pairs of atoms that turning bonds can bring too close to each other. */
#ifndef BERTH_CHEM_CONFORMER_CLASHES_H
#define BERTH_CHEM_CONFORMER_CLASHES_H

#include <stdint.h>

#include "base/error.h"
#include "chem/molecule.h"
#include "chem/torsion.h"

struct berth_clash_pair {
    uint32_t first, second; /* atoms */
    double nearest;         /* Å^2: closer than this they clash */
};

struct berth_clashes {
    struct berth_clash_pair *pairs; /* owned; atoms that some torsion moves against each other and
                                       that more than three bonds separate */
    size_t count, capacity;
};

/* Lists the pairs.  The caller clears *clashes.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_clashes_find(const struct berth_molecule *molecule,
                                     const struct berth_torsion_tree *tree,
                                     struct berth_clashes *clashes, struct berth_error *error);

/* How badly these positions clash, Å^2: 0 where no pair is too close. */
double berth_clash(const struct berth_clashes *clashes, const double (*positions)[3]);

void berth_clashes_clear(struct berth_clashes *clashes);

#endif
