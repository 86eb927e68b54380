/* Writing a gzip member to a file. */
#ifndef BERTH_FORMAT_PACKER_H
#define BERTH_FORMAT_PACKER_H

#include <stdbool.h>
#include <stdio.h>

struct berth_packer; /* opaque */

/* Begins a member, without name and time: the same bytes give the same file.  file is borrowed.
 * The caller destroys it.  NULL when out of memory. */
struct berth_packer *berth_packer_create(FILE *file);

/* Appends bytes; false, and errno, where the file cannot be written. */
bool berth_packer_write(struct berth_packer *packer, const void *bytes, size_t size);

/* Ends the member, unless it is ended already; false, and errno, where the file cannot be written.
 */
bool berth_packer_end(struct berth_packer *packer);

/* NULL is accepted. */
void berth_packer_destroy(struct berth_packer *packer);

#endif
