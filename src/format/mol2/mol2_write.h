/* Writing Mol2. */
#ifndef BERTH_FORMAT_MOL2_MOL2_WRITE_H
#define BERTH_FORMAT_MOL2_MOL2_WRITE_H

#include "format/tagged.h"

/* Tags as comments, then MOLECULE, ATOM and BOND sections.  Never fails: as the other formats. */
enum berth_status berth_mol2_write(struct berth_output *output,
                                   const struct berth_tagged_molecule *tagged,
                                   struct berth_error *error);

#endif
