/* A PDBQT file of the poses of each ligand, in a folder: what reads one ligand's poses alone
 * (Meeko, vina_split) gets them so. */
#ifndef BERTH_DOCK_LIGAND_FILES_H
#define BERTH_DOCK_LIGAND_FILES_H

#include "base/text_set.h"
#include "format/output.h"
#include "format/poses.h"

/* Zeroed: no such files are written. */
struct berth_ligand_files {
    const char *folder;                     /* borrowed; NULL: none */
    const struct berth_pose_format *format; /* of them */
    struct berth_text_set names;            /* owned; of the files so far */
};

/* Makes the folder where it is missing; NULL: none is asked for.  The caller clears *files.
 * Errors: BERTH_E_IO. */
enum berth_status berth_ligand_files_create(const char *folder, struct berth_ligand_files *files,
                                            struct berth_error *error);

/* Opens the file of a ligand, which replaces what an earlier run left under its name, NAME.pdbqt:
 * letters, digits, ".", "_", "+" and "-" of the ligand's name, "_" for others; of a further ligand
 * of this name NAME_2.pdbqt.  The caller commits or discards *output.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY, BERTH_E_USAGE (too long a path). */
enum berth_status berth_ligand_files_open(struct berth_ligand_files *files, const char *ligand,
                                          struct berth_output **output, struct berth_error *error);

void berth_ligand_files_clear(struct berth_ligand_files *files);

#endif
