/* Molecules of which something is known, by name: actives, decoys, what was docked. */
#ifndef BERTH_EVAL_SCREEN_LIGANDS_H
#define BERTH_EVAL_SCREEN_LIGANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "eval/screen/scores.h"

struct berth_rdkit;

struct berth_named_ligand {
    char *name;               /* owned */
    size_t place;             /* in the file */
    double heavy_atoms, mass; /* mass in g/mol; NAN: unknown */
    char *scaffold;           /* owned; Bemis and Murcko's, as SMILES; "": no ring; NULL: unknown */
};

struct berth_named_ligands {
    struct berth_named_ligand *items; /* owned; [count], sorted by name; of several the first */
    size_t count, capacity;
};

/* The ligand of this name, or NULL. */
const struct berth_named_ligand *berth_ligand_find(const struct berth_named_ligands *ligands,
                                                   const char *name);

/* Sorts them by name, and keeps one of each, the first. */
void berth_named_ligands_sort(struct berth_named_ligands *ligands);

void berth_named_ligands_clear(struct berth_named_ligands *ligands);

/* What to read of molecules; everything is borrowed. */
struct berth_known_setup {
    const char *path;                /* of molecules, or of names, one a line */
    const struct berth_rdkit *rdkit; /* NULL: of SMILES and SDF the names alone are known, and no
                                        scaffolds */
    bool scaffolds;                  /* are wanted */
    const struct berth_log *log;     /* is told what is not known, and why */
};

/* True where the path ends as a file of molecules does: SMILES, SDF, Mol2 (plain or .gz) or a
 * library (.blib). */
bool berth_known_takes(const char *path);

/* Reads them; one that cannot be read has a name alone, or is left out.  The caller clears
 * *ligands. Errors: those of reading the file; BERTH_E_FORMAT where it names nothing. */
enum berth_status berth_known_read(const struct berth_known_setup *setup,
                                   struct berth_named_ligands *ligands, struct berth_error *error);

/* Reads the molecules of a file, if one is named, into a request, as a field of this name.  Errors:
 * the same. */
enum berth_status berth_known_put(const struct berth_known_setup *setup, const char *name,
                                  struct berth_bytes *request, struct berth_error *error);

#endif
