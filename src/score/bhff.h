/* BUDE's parameter files (.bhff). */
#ifndef BERTH_SCORE_BHFF_H
#define BERTH_SCORE_BHFF_H

#include "base/log.h"
#include "score/forcefield.h"

/* Reads a parameter file, versions 1 and 2 of the format: two lines of "%", comments from '#' on,
 * the number of residues, then each residue with its number of atoms and the atoms' lines:
 * name, class, radius (Å), hydrophobic potential, hardness, np-np and np-p distance (Å), radius
 * scaling, electrostatic potential.  The END tag ends it.  path NULL reads the default set that
 * is built into the program.  The caller clears *forcefield.  log receives a warning where END is
 * missing.  Errors: BERTH_E_IO, BERTH_E_FORMAT (file, line and what is wrong), BERTH_E_MEMORY. */
enum berth_status berth_bhff_read(const char *path, const struct berth_log *log,
                                  struct berth_forcefield *forcefield, struct berth_error *error);

/* The same from memory: size bytes of text (borrowed); name stands in for the path in messages. */
enum berth_status berth_bhff_read_memory(const char *name, const void *bytes, size_t size,
                                         const struct berth_log *log,
                                         struct berth_forcefield *forcefield,
                                         struct berth_error *error);

#endif
