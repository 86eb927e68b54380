/* A library's ligand for others to read: as a file of its conformers, as a row of a table. */
#ifndef BERTH_FORMAT_EXPORT_H
#define BERTH_FORMAT_EXPORT_H

#include "format/library/library.h"
#include "format/poses.h"

/* Appends all conformers of the ligand with hydrogens and bonds, each with the tags conformer,
 * strain, smiles, source, record (those that are known) and its properties.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_library_ligand_write(struct berth_output *output,
                                             const struct berth_pose_format *format,
                                             const struct berth_library_ligand *ligand,
                                             struct berth_error *error);

/* Ends a CSV row with smiles,source,record,properties ("name=value; name=value").  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_library_ligand_csv(struct berth_output *output,
                                           const struct berth_library_ligand *ligand,
                                           struct berth_error *error);

#endif
