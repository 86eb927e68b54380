/* Receptor files (.brec): a prepared receptor's heavy atoms with their Mol2 types, traits and
 * residues, and the site to dock into.  Hydrogens and bonds play no part in the energy and are not
 * in it.
 *
 * Atoms are kept by type name and by what they are, so a receptor can be scored with any function
 * and any forcefield that knows the types; the one that prep checked them against is on record.
 *
 * docs/formats.md specifies the bytes.
 */
#ifndef BERTH_FORMAT_RECEPTOR_FILE_H
#define BERTH_FORMAT_RECEPTOR_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "chem/selection.h"

struct berth_receptor {
    struct berth_molecule molecule;    /* owned; heavy atoms only, no bonds; an atom's residue_id is
                                          its index into residues, plus 1; has_traits */
    struct berth_residue_id *residues; /* owned; [residue_count] */
    size_t residue_count;
    char *source;      /* owned; the file it was made from */
    char *preparation; /* owned; what was said when it was, a line each; NULL: not known */
    char *forcefield;  /* owned; name of the forcefield that knew all types */
    uint64_t forcefield_hash;
    bool has_site;
    double center[3], size[3]; /* Å, full edges; of the site */
};

/* Makes a receptor of the structure's heavy atoms, all of which have types.  The caller clears it.
 * Errors: BERTH_E_MEMORY. */
enum berth_status berth_receptor_from_structure(const struct berth_structure *structure,
                                                struct berth_receptor *receptor,
                                                struct berth_error *error);

/* Writes it to path.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_receptor_write(const char *path, const struct berth_receptor *receptor,
                                       struct berth_error *error);

/* True for a file that begins with the magic; "-" and what cannot be read is none. */
bool berth_is_receptor_file(const char *path);

/* Reads a receptor file; the caller clears *receptor.  Errors: BERTH_E_IO, BERTH_E_MEMORY,
 * BERTH_E_FORMAT (not a receptor file, another version, cut off, damaged). */
enum berth_status berth_receptor_read(const char *path, struct berth_receptor *receptor,
                                      struct berth_error *error);

/* The same from memory; name stands for the path in messages. */
enum berth_status berth_receptor_read_memory(const char *name, const void *bytes, size_t size,
                                             struct berth_receptor *receptor,
                                             struct berth_error *error);

/* BERTH_E_USAGE: residues are asked for, by an option that there is, of a receptor file. */
enum berth_status berth_receptor_refuse(const char *path, const struct berth_residues_asked *asked,
                                        struct berth_error *error);

/* Frees what the receptor owns and zeroes it; NULL is accepted. */
void berth_receptor_clear(struct berth_receptor *receptor);

#endif
