/* Where a structure comes from, by the words of its file: an experiment, or a program that predicts
 * structures. */
#ifndef BERTH_FORMAT_PDB_ORIGIN_H
#define BERTH_FORMAT_PDB_ORIGIN_H

#include "chem/structure.h"

/* Takes what a line of a PDB file in front of its atoms says. */
void berth_origin_read_line(struct berth_structure_origin *origin, const char *line);

/* Takes what a value of an mmCIF file says, whatever it is the value of. */
void berth_origin_read_value(struct berth_structure_origin *origin, const char *text,
                             size_t length);

/* Takes the first edge of a cell (Å); models have one of 1 Å, or none. */
void berth_origin_read_edge(struct berth_structure_origin *origin, const char *text, size_t length);

#endif
