/* A library for others to read: its ligands as files of their conformers, or as rows of a table.
 * Blocks that are corrupt cost their ligands: each is a failure in the log, and is counted. */
#ifndef BERTH_FORMAT_LIBRARY_EXPORT_H
#define BERTH_FORMAT_LIBRARY_EXPORT_H

#include "base/log.h"
#include "format/library/library.h"
#include "format/poses.h"

/* Writes the library at path as a table, a row a ligand: ordinal, name, heavy_atoms, conformers,
 * torsions, and, where full, smiles, source, record, properties ("name=value; name=value"). Errors:
 * BERTH_E_IO, BERTH_E_FORMAT (no library), BERTH_E_MEMORY. */
enum berth_status berth_library_list(const char *path, const char *out, bool full,
                                     const struct berth_log *log, uint64_t *corrupt,
                                     struct berth_error *error);

/* Which ligands of a library to write, and where to; everything is borrowed. */
struct berth_library_export {
    const char *path, *out;
    const struct berth_pose_format *format;
    const char *const *names; /* [name_count]: all ligands that are called so */
    size_t name_count;        /* 0: all ligands, or */
    long long ordinal;        /* this one alone; below 0: by their names */
    const struct berth_log *log;
};

/* Writes them.  Errors: those of berth_library_list; BERTH_E_USAGE (there is none of a name, or of
 * that ordinal). */
enum berth_status berth_library_export(const struct berth_library_export *wanted, uint64_t *corrupt,
                                       struct berth_error *error);

/* Checks every block (see berth_library_verify).  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_library_verify_blocks(const struct berth_library_reader *reader,
                                              const struct berth_log *log, uint64_t *corrupt,
                                              struct berth_error *error);

#endif
