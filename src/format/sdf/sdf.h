/* Writing SDF. */
#ifndef BERTH_FORMAT_SDF_SDF_H
#define BERTH_FORMAT_SDF_SDF_H

#include "format/tagged.h"

/* A molfile with data items.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_write(struct berth_output *output,
                                  const struct berth_tagged_molecule *tagged,
                                  struct berth_error *error);

/* One molecule as a record of SDF, under its title and without data items; *text: [*size], which
 * the caller frees.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_text(const struct berth_molecule *molecule, char **text, size_t *size,
                                 struct berth_error *error);

#endif
