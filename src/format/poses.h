/* Writing docked poses with all atoms, bonds and score tags, as SDF or Mol2, or as PDBQT. */
#ifndef BERTH_FORMAT_POSES_H
#define BERTH_FORMAT_POSES_H

#include "format/library/library.h"
#include "format/tagged.h"
#include "score/fields.h"

/* A format that poses are written in: one of a table in poses.c, which a further one is added to.
 */
struct berth_pose_format;

/* One pose to write. */
struct berth_pose_record {
    const struct berth_molecule *conformer; /* borrowed: names, types, bonds */
    const double (*positions)[3]; /* borrowed: [conformer->atom_count], Å, the receptor's frame */
    const double (*best)[3];      /* borrowed: likewise of the ligand's best pose; NULL: unknown */
    struct berth_score_row row;   /* the ligand's name becomes the title */
    unsigned long long seed;
    bool standing;                            /* nothing was searched: no seed is written */
    const struct berth_library_ligand *known; /* borrowed, or NULL: its SMILES and properties */
    const char *side_chains; /* borrowed, or NULL: where the receptor's are, as a tag says it */
};

/* Format by the ending of path (see berth_pose_endings; .gz behind it is passed over).  Errors:
 * BERTH_E_USAGE for others. */
enum berth_status berth_pose_format_of(const char *path, const struct berth_pose_format **format,
                                       struct berth_error *error);

extern const struct berth_pose_format *const BERTH_POSE_SDF, *const BERTH_POSE_MOL2;

/* What files of poses may end with: ".sdf, .sd, .mol2 or .pdbqt". */
void berth_pose_endings(char *text, size_t size);

/* Appends the molecule.  SDF: V2000 up to 999 atoms and bonds, V3000 above; aromatic bonds as
 * Kekulé structure where one exists, else as bond type 4; formal charges from the types (N.4,
 * O.co2); tags as data items.  Mol2: the types as they were read; the tags stand in comment lines
 * in front of the molecule.  PDBQT: see format/pdbqt/pdbqt.h.  Line breaks in tags
 * become blanks.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_molecule_write(struct berth_output *output,
                                       const struct berth_pose_format *format,
                                       const struct berth_tagged_molecule *tagged,
                                       struct berth_error *error);

enum { BERTH_COLUMN_SIZE = 256 };

/* A property of a library as a column of scores.csv and a tag of poses: by its name, unless that is
 * one of ours or a term's. */
void berth_property_column(const char *name, const struct berth_score_columns *columns,
                           char column[BERTH_COLUMN_SIZE]);

/* Appends the pose as a structure with tags: what of the row is known, seed, SMILES, properties and
 * side chains.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_pose_write(struct berth_output *output,
                                   const struct berth_pose_format *format,
                                   const struct berth_pose_record *record,
                                   struct berth_error *error);

#endif
