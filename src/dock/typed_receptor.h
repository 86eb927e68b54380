/* A receptor as dockings take it: its atoms with their types, and the forcefield that gave them. */
#ifndef BERTH_DOCK_TYPED_RECEPTOR_H
#define BERTH_DOCK_TYPED_RECEPTOR_H

#include <stdbool.h>

#include "chem/structure.h"
#include "engine/pack.h"
#include "score/scoring.h"

struct berth_typed_receptor {
    struct berth_scoring scoring;
    struct berth_molecule molecule;
    struct berth_residue_id *residues; /* owned; those that the molecule's residue_ids count from 1;
                                          NULL of Mol2, where residues have no chain */
    size_t residue_count;
    struct berth_heavy_atoms heavy;
    bool has_site; /* a .brec file may bring one: */
    struct berth_site site;
};

/* Reads scoring and receptor, and types it: a receptor file that `berth prep` made, told by its
 * content; PDB, PDBQT or mmCIF, by their endings, as `berth prep receptor` without options would
 * prepare them; else Mol2 as it stands.  log receives what is remarkable, each remark once, and
 * what was prepared.  The caller clears *receptor.  Errors: as the readers and
 * berth_receptor_prepare; BERTH_E_FORMAT for a receptor without heavy atoms. */
enum berth_status berth_typed_receptor_read(const struct berth_scoring_choice *choice,
                                            const char *path, const struct berth_log *log,
                                            struct berth_typed_receptor *receptor,
                                            struct berth_error *error);

void berth_typed_receptor_clear(struct berth_typed_receptor *receptor);

#endif
