/* The traits of an atom as three bytes, in libraries and receptor files alike. */
#ifndef BERTH_FORMAT_TRAITS_BYTES_H
#define BERTH_FORMAT_TRAITS_BYTES_H

#include "base/bytes.h"
#include "chem/molecule.h"

void berth_put_traits(struct berth_bytes *bytes, const struct berth_traits *traits);

/* False where they are none. */
bool berth_get_traits(struct berth_cursor *cursor, struct berth_traits *traits);

#endif
