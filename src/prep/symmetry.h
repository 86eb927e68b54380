/* What a structure's file says of its symmetry: its assemblies, and the images that its crystal has
 * of it.  gemmi reads it, in the worker (tools/rdkit/symmetry.py), which answers with one binary
 * record, of which no byte is trusted; numbers are little-endian:
 *
 *     record   = u16 assemblies, assemblies, u8 (1: the cell has no room for the atoms), u32
 * images, a placement of each assembly = name (a text that ends with a 0), u32 parts, parts part =
 * chain (a text), placement placement = three rows of four doubles
 */
#ifndef BERTH_PREP_SYMMETRY_H
#define BERTH_PREP_SYMMETRY_H

#include "base/bytes.h"
#include "chem/structure.h"
#include "prep/bond_orders.h"

/* Where a copy stands: row k gives coordinate k as three factors of the original's and a shift (Å).
 * The factors turn it (or, of an image, mirror it). */
struct berth_placement {
    double rows[3][4];
};

/* A chain at one of its places. */
struct berth_assembly_part {
    char chain[BERTH_LABEL_SIZE];
    struct berth_placement placement;
};

struct berth_assembly {
    char name[16];     /* "1" */
    size_t begin, end; /* parts[begin .. end) */
};

/* Zeroed, a file says nothing. */
struct berth_symmetry {
    struct berth_assembly *assemblies; /* owned; [assembly_count], in the file's order */
    struct berth_assembly_part *parts; /* owned */
    size_t assembly_count, part_count, part_capacity;
    struct berth_placement *images; /* owned; [image_count]: of the crystal */
    size_t image_count;
    bool crowded; /* the crystal's cell is none of these atoms: it has no room for them */
};

/* Whose symmetry; everything is borrowed. */
struct berth_symmetry_request {
    const char *path;
    bool cif;             /* mmCIF; else PDB */
    bool named;           /* an assembly is wanted whole; else copies of chains that move */
    const double *around; /* [4]: a sphere about the structure, middle and radius (Å), */
    const double *near;   /* [4]: and one that its images in the crystal are to meet; NULL: none */
    size_t heavy;         /* atoms of the structure */
};

/* Reads what a file says; gemmi is not asked where it says nothing of what is.  The caller
 * clears *symmetry either way.  Errors: BERTH_E_IO (the file; no RDKit), BERTH_E_FORMAT (no gemmi
 * beside it, or it refuses the file; a placement that turns nothing; a cell that is far too small;
 * standard input), BERTH_E_MEMORY. */
enum berth_status berth_symmetry_read(struct berth_bond_finder *finder,
                                      const struct berth_symmetry_request *asked,
                                      struct berth_symmetry *symmetry, struct berth_error *error);

/* The record of an answer.  Errors: BERTH_E_FORMAT, BERTH_E_MEMORY. */
enum berth_status berth_symmetry_parse(const void *record, size_t size,
                                       struct berth_symmetry *symmetry, struct berth_error *error);

void berth_symmetry_clear(struct berth_symmetry *symmetry);

/* Where a copy has a point of the original; they are not the same. */
void berth_place(const struct berth_placement *placement, const double point[3], double placed[3]);

#endif
