/* SDF: writing molecules, and what can be told of records that others wrote without a program that
 * prepares them. */
#ifndef BERTH_FORMAT_SDF_SDF_H
#define BERTH_FORMAT_SDF_SDF_H

#include "format/tagged.h"

/* A molfile with data items.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_write(struct berth_output *output,
                                  const struct berth_tagged_molecule *tagged,
                                  struct berth_error *error);

/* One molecule as a record of SDF, under its title and without data items; *text: [*size], which
 * the caller frees.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_text(const struct berth_molecule *molecule, char **text, size_t *size,
                                 struct berth_error *error);

/* Looks through an SDF record (V2000 or V3000; size bytes of text, borrowed).  BERTH_E_FORMAT where
 * a bond is neither single, double, triple nor aromatic: a coordination, zero-order or query bond,
 * which Open Babel reads as a bond that uses up a valence, and so takes hydrogens from its ends;
 * where a V2000 record has more or fewer lines of atoms and bonds than it counts, or lines missing
 * in front of its counts, which programs read as another molecule or none; where an atom stands for
 * a group (an alias); and where bonds are missing (chem/parts.h).  What cannot be read as a bond is
 * left to them to refuse. */
enum berth_status berth_molfile_check(const char *text, size_t size, struct berth_error *error);

/* The data items of a record ("> <NAME>", lines of value, up to a blank line, the next item or the
 * record's end); zeroed there are none. */
struct berth_sdf_tags {
    struct berth_tag *items; /* owned; [count]; a value of several lines is all of these */
    size_t count, capacity;
    char *text; /* owned; what they point into */
};

/* Reads those of a record's text of size bytes, in the place of what *tags has.  The caller clears
 * *tags either way.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_sdf_tags_read(const void *text, size_t size, struct berth_sdf_tags *tags,
                                      struct berth_error *error);

/* The value of a tag; "" where there is none. */
const char *berth_sdf_tags_find(const struct berth_sdf_tags *tags, const char *name);

void berth_sdf_tags_clear(struct berth_sdf_tags *tags);

/* What a line of a file is, its end cut off: the head of a data item; what ends a record or was
 * meant to ("$$$$", shorter or behind blanks); the counts of a molecule, with its version or, as
 * old programs wrote it, without. */
bool berth_sdf_is_item(const char *line);
bool berth_sdf_is_end(const char *line);
bool berth_sdf_is_counts(const char *line);
bool berth_sdf_is_old_counts(const char *line);

/* The atoms and bonds of a V2000 record: elements (types are their symbols), names (symbol and
 * number), positions, the types of bonds and the charges; an empty molecule for a V3000 one.  The
 * title, which the record has, is NULL.  The caller clears *molecule.  Errors: BERTH_E_FORMAT,
 * BERTH_E_MEMORY. */
enum berth_status berth_molfile_read(const char *text, size_t size, struct berth_molecule *molecule,
                                     struct berth_error *error);

#endif
