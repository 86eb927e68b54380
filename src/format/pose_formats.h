/* The formats behind berth_pose_write, one function each; only poses.c calls them. */
#ifndef BERTH_IO_POSE_FORMATS_H
#define BERTH_IO_POSE_FORMATS_H

#include "format/poses.h"

/* A molfile with data items.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_write(struct berth_output *output,
                                  const struct berth_tagged_molecule *tagged,
                                  struct berth_error *error);

/* Comments, then MOLECULE, ATOM and BOND sections. */
void berth_mol2_write(struct berth_output *output, const struct berth_tagged_molecule *tagged);

/* Position of an atom of the structure, Å. */
const double *berth_tagged_position(const struct berth_tagged_molecule *tagged, size_t atom);

/* Prints a text that must stay on its line: line breaks become blanks. */
void berth_print_on_line(struct berth_output *output, const char *text);

#endif
