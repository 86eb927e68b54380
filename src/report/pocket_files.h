/* What a docking to a whole surface writes beside its poses: a table of each ligand's pockets, one
 * of where ligands agree, and a PDB file of points for viewers. */
#ifndef BERTH_REPORT_POCKET_FILES_H
#define BERTH_REPORT_POCKET_FILES_H

#include <limits.h>

#include "chem/cells.h"
#include "format/output.h"
#include "surface/surface_pockets.h"
#include "dock/typed_receptor.h"

/* Names for --out NAME.sdf: NAME.pockets.csv, NAME.agreed.csv, NAME.pockets.pdb. */
struct berth_pocket_paths {
    char pockets[PATH_MAX], agreed[PATH_MAX], points[PATH_MAX];
};

struct berth_pocket_paths berth_pocket_paths_of(const char *out);

/* The caller sets what comes first. */
struct berth_pocket_files {
    const struct berth_typed_receptor *receptor;    /* borrowed */
    size_t most;                                    /* pockets of each ligand */
    struct berth_output *pockets, *agreed, *points; /* owned; NULL: none */
    struct berth_cells cells;                       /* the receptor's heavy atoms */
    size_t *atoms;                                  /* owned; numbers of these */
    bool *near;                                     /* owned; [residues + 1] */
    size_t residues;
    struct berth_ligand_pocket *all; /* owned; [count]: of all ligands so far, and */
    char **residue_texts;            /* owned, as its texts; [count]: what stands about them */
    size_t count, capacity, text_capacity;
    char **ligands; /* owned, as its texts; [ligand_count]: their names */
    size_t ligand_count, ligand_capacity;
    size_t point_count;
    struct berth_agreed_pocket
        *places;        /* owned; [place_count]: where the ligands agree, once the */
    size_t place_count; /* files are committed */
};

/* Opens the files; paths NULL: none.  The caller discards *files, also after an error or the
 * commit.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_pocket_files_create(struct berth_pocket_files *files,
                                            const struct berth_pocket_paths *paths,
                                            struct berth_error *error);

/* Writes the pockets of a ligand, whose modes are all poses of it; the best of each of the first
 * pockets is kept of them.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status berth_pocket_files_add(struct berth_pocket_files *files,
                                         const struct berth_ligand *ligand,
                                         struct berth_modes *modes, struct berth_error *error);

/* Writes where the ligands agree, and gives the files their names.  Errors: BERTH_E_IO,
 * BERTH_E_MEMORY. */
enum berth_status berth_pocket_files_commit(struct berth_pocket_files *files,
                                            struct berth_error *error);

/* Removes what has no name; a zeroed one is accepted. */
void berth_pocket_files_discard(struct berth_pocket_files *files);

#endif
