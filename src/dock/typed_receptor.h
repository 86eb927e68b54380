/* A receptor as dockings take it: its atoms with their types, and the forcefield that gave them. */
#ifndef BERTH_DOCK_TYPED_RECEPTOR_H
#define BERTH_DOCK_TYPED_RECEPTOR_H

#include <stdbool.h>

#include "chem/selection.h"
#include "engine/pack.h"
#include "score/scoring.h"

/* A scoring function that judges poses, and the receptor's heavy atoms typed by it. */
struct berth_judging_function {
    struct berth_scoring scoring;
    struct berth_heavy_atoms heavy;
};

struct berth_typed_receptor {
    struct berth_scoring scoring; /* that searches */
    struct berth_molecule molecule;
    struct berth_residue_id *residues; /* owned; those that the molecule's residue_ids count from 1;
                                          NULL of Mol2, where residues have no chain */
    size_t residue_count;
    struct berth_heavy_atoms heavy;
    struct berth_judging_function *judges; /* owned; [judge_count] */
    size_t judge_count;
    struct berth_judges functions; /* the names of all; nothing is ranked */
    bool has_site;                 /* a .brec file may bring one, and a ligand that is cut out: */
    struct berth_site site;
    struct berth_molecule ligand;  /* that was cut out, as plain atoms; of none: no atoms */
    struct berth_structure cut;    /* owned; the same as its file has it, with hydrogens */
    char *ligand_id, *keep, *drop; /* owned; what the place asked for; NULL: nothing */
    char *preparation; /* owned; what preparing it said, a line each; NULL: Mol2 as it stands */
};

/* Where the site of a receptor is. */
struct berth_receptor_place {
    struct berth_residues_asked asked;
    double add;                   /* Å: margin of the site about the ligand that is cut out */
    const struct berth_site *box; /* borrowed: the site, wherever a ligand was; NULL: not known */
};

/* Reads the functions of a receptor alone, of which the caller clears what there is: see below. */
enum berth_status berth_typed_receptor_functions(const struct berth_scoring_choice *choice,
                                                 const struct berth_log *log,
                                                 struct berth_typed_receptor *receptor,
                                                 struct berth_error *error);

/* Reads scoring, which may be several functions with commas between, the first to search and the
 * others to judge, and receptor, and types it: a receptor file that `berth prep` made, told by its
 * content; PDB, PDBQT or mmCIF, by their endings, as `berth prep receptor` without options would
 * prepare them; else Mol2 as it stands.  place: NULL, or what is cut out, kept and dropped, and
 * where the site is: what preparing says tells what is near it.  log receives what is remarkable,
 * each remark once, and what was prepared.  The caller clears *receptor.  Errors: as the readers
 * and berth_receptor_prepare; BERTH_E_FORMAT for a receptor without heavy atoms; BERTH_E_USAGE for
 * functions that cannot judge (too many, of one name or of a column's, with a torsional term), and
 * for residues asked for of a receptor file. */
enum berth_status
berth_typed_receptor_read(const struct berth_scoring_choice *choice, const char *path,
                          const struct berth_receptor_place *place, const struct berth_log *log,
                          struct berth_typed_receptor *receptor, struct berth_error *error);

/* Types the heavy atoms of the receptor's molecule by all of its functions.  Errors: those of
 * berth_scoring_assign; BERTH_E_FORMAT where there are none. */
enum berth_status berth_typed_receptor_assign(struct berth_typed_receptor *receptor,
                                              const struct berth_log *log,
                                              struct berth_error *error);

void berth_typed_receptor_clear(struct berth_typed_receptor *receptor);

#endif
