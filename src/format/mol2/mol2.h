/* Tripos Mol2: reading molecule by molecule, and writing. */
#ifndef BERTH_FORMAT_MOL2_MOL2_H
#define BERTH_FORMAT_MOL2_MOL2_H

#include <stdbool.h>

#include "base/text_reader.h"
#include "chem/molecule.h"
#include "format/tagged.h"

/* Molecules above this many atoms are refused as absurd, and so are coordinates beyond
 * BERTH_COORDINATE_MAX. */
enum { BERTH_ATOMS_MAX = 1000000 };

struct berth_mol2_reader; /* opaque: one per file */

/* Opens path ("-" is standard input, gzip is recognised).  The caller destroys *reader.
 * Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_mol2_reader_create(const char *path, struct berth_mol2_reader **reader,
                                           struct berth_error *error);

/* The same over memory (see berth_text_reader_create_memory). */
enum berth_status berth_mol2_reader_create_memory(const char *name, const void *bytes, size_t size,
                                                  struct berth_mol2_reader **reader,
                                                  struct berth_error *error);

/* From here on reading ends, with BERTH_E_IO, soon after *stop (borrowed) has become true. */
void berth_mol2_stop_on(struct berth_mol2_reader *reader, const atomic_bool *stop);

/* Reads the next molecule into *molecule, which the caller clears (it is cleared here first).
 * *end is set where the file holds no further molecule.
 * A molecule that cannot be used gives BERTH_E_FORMAT with "file:line: molecule TITLE: reason";
 * *molecule then holds the title as far as known, and the next call goes on with the next
 * molecule.  Errors that the file cannot recover from (BERTH_E_IO, BERTH_E_MEMORY, corrupt gzip,
 * binary content, a file without any molecule) are given once, and the next call sets *end. */
enum berth_status berth_mol2_next(struct berth_mol2_reader *reader, struct berth_molecule *molecule,
                                  bool *end, struct berth_error *error);

/* True after an error that ended the file (see above). */
bool berth_mol2_is_broken(const struct berth_mol2_reader *reader);

void berth_mol2_reader_destroy(struct berth_mol2_reader *reader);

/* True where the line opens this section ("ATOM" for "@<TRIPOS>ATOM"), also behind blanks or in
 * small letters, as hands write it. */
bool berth_mol2_opens(const char *line, const char *section);

/* Reads a file that must hold exactly one molecule (a receptor, a reference): the first; log-free:
 * more than one is BERTH_E_FORMAT where `only` is set. */
enum berth_status berth_mol2_read_one(const char *path, bool only, struct berth_molecule *molecule,
                                      struct berth_error *error);

/* Writes a molecule: tags as comments, then MOLECULE, ATOM and BOND sections.  Never fails: as the
 * other formats. */
enum berth_status berth_mol2_write(struct berth_output *output,
                                   const struct berth_tagged_molecule *tagged,
                                   struct berth_error *error);

/* Writes one molecule to path, as it stands.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_mol2_write_one(const char *path, const struct berth_molecule *molecule,
                                       struct berth_error *error);

#endif
