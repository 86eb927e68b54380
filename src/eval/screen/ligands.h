/* Ligands by name: the scores that a run gave them, one each, whatever states and poses they were
 * docked in; and molecules of which something is known: actives, decoys, what was docked. */
#ifndef BERTH_EVAL_SCREEN_LIGANDS_H
#define BERTH_EVAL_SCREEN_LIGANDS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "format/csv.h"
#include "prep/worker.h"

struct berth_named_ligand {
    char *name;               /* owned */
    double score;             /* of its best row; of a molecule its place in the file */
    double heavy_atoms, mass; /* mass in g/mol; NAN: unknown */
    bool open_stereo;         /* some of its stereoisomers were not docked */
    char *scaffold;           /* owned; Bemis and Murcko's, as SMILES; "": no ring; NULL: unknown */
};

/* A state or isomer, as a table's column state_of has it; or a further name of a molecule. */
struct berth_ligand_state {
    char *name, *molecule; /* owned */
};

/* What a table's column smiles has of a ligand, in one of its states, and behind a blank how much
 * stereo was left open: of a racemate the one isomer that was docked is not all of it. */
struct berth_ligand_form {
    char *name, *smiles; /* owned; the name is the molecule's, as state_of has it */
};

struct berth_named_ligands {
    struct berth_named_ligand
        *items; /* owned; [count], sorted by name; of several the lowest score */
    size_t count, capacity;
    /* Of a table that scores were read from: */
    char path[PATH_MAX];
    size_t rows;                       /* with a score */
    struct berth_ligand_state *states; /* owned; [state_count], sorted by name */
    size_t state_count, state_capacity;
    struct berth_ligand_form *forms; /* owned; [form_count]: of rows with a SMILES */
    size_t form_count, form_capacity;
    struct berth_ligand_state
        *twins; /* owned; [twin_count], sorted by name: see berth_ligands_find_twins */
    size_t twin_count, twin_capacity;
    size_t joined;         /* ligands that berth_ligands_join_twins called by another's name */
    char first_joined[96]; /* "NAME is OTHER" */
};

/* The ligand of this name, or NULL. */
const struct berth_named_ligand *berth_ligand_find(const struct berth_named_ligands *ligands,
                                                   const char *name);

/* Sorts them by name, and keeps one of each, that of the lowest score. */
void berth_named_ligands_sort(struct berth_named_ligands *ligands);

void berth_named_ligands_clear(struct berth_named_ligands *ligands);

/* The table that `results` names: itself, or of a folder its scores.csv or scores.csv.gz, or of
 * poses the table beside them, NAME.csv of NAME.sdf.  Errors: BERTH_E_IO, BERTH_E_USAGE (poses
 * without one). */
enum berth_status berth_scores_find(const char *results, char path[PATH_MAX],
                                    struct berth_error *error);

/* Fails, with BERTH_E_IO, where the folder is of a screen that is not finished, and says how to go
 * on; BERTH_OK for any other. */
enum berth_status berth_scores_await(const char *folder, struct berth_error *error);

/* The library that the screen in this folder has made, or that its run.json, of a merge too, names;
 * *found is false where there is none, or it has moved.  Errors: those of reading. */
enum berth_status berth_screen_library_find(const char *results, char library[PATH_MAX],
                                            bool *found, struct berth_error *error);

/* The column that ranks a table's rows, the lower the better: ranking, else score, total or
 * energy; SIZE_MAX where it has none of these. */
size_t berth_scores_ranking_column(const struct berth_csv *csv);

/* The column of the ligands' names: ligand, else name; SIZE_MAX where it has neither. */
size_t berth_scores_name_column(const struct berth_csv *csv);

/* The molecule that a row is of, which its state_of names, else its ligand; the caller frees it;
 * NULL: out of memory.  state_of: its column; SIZE_MAX: there is none. */
char *berth_ligand_molecule(const struct berth_csv *csv, size_t name, size_t state_of);

/* Reads `results`; rows without a score are passed over.  by: what ranks, a column or an expression
 * over those of a row (score/ranking.h), the lower the better; NULL: see above.  The caller clears
 * *scores.  Errors: BERTH_E_IO, BERTH_E_FORMAT (no such columns; no ligand with a score),
 * BERTH_E_USAGE (an expression that looks at all rows), BERTH_E_MEMORY. */
enum berth_status berth_ligand_scores_read(const char *results, const char *by,
                                           struct berth_named_ligands *scores,
                                           struct berth_error *error);

/* Sorts states by their names. */
void berth_ligand_states_sort(struct berth_ligand_state *states, size_t count);

/* Calls ligands that the table of these scores has as states by their molecules.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_ligands_join_states(struct berth_named_ligands *ligands,
                                            const struct berth_named_ligands *scores,
                                            struct berth_error *error);

/* Finds the ligands of a table that are one molecule under several names, as every SMILES that its
 * column smiles has of one it has of the other, and no more: the enantiomers of a racemate are not
 * it.  What joins and cuts states comes first.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ligands_find_twins(struct berth_named_ligands *scores,
                                           struct berth_error *error);

/* The name that stands for this one and its twins in that table: the best one's, or itself. */
const char *berth_ligand_twin(const struct berth_named_ligands *scores, const char *name);

/* Calls ligands by these.  They may be the scores themselves.  Errors: BERTH_E_MEMORY. */
enum berth_status berth_ligands_join_twins(struct berth_named_ligands *ligands,
                                           const struct berth_named_ligands *scores,
                                           struct berth_error *error);

/* True where the name ends as a state's does: NAME_1, NAME_2 ... */
bool berth_ligand_is_state(const char *name);

/* Takes _1 and the like off the end of a name until it is among the known, else all of them: a
 * tautomer ID_2 of which states were made is ID_2_1. */
void berth_ligand_cut_states(char *name, const struct berth_named_ligands *actives,
                             const struct berth_named_ligands *decoys);

/* The same of all these ligands; of those that are one then the best stays. */
void berth_ligands_cut_states(struct berth_named_ligands *ligands,
                              const struct berth_named_ligands *actives,
                              const struct berth_named_ligands *decoys);

/* Says how many rows of a table were joined, and the first ligand of another name; "": none. */
enum { BERTH_JOINED_TEXT = 400 };
void berth_ligands_joined(const struct berth_named_ligands *scores, char text[BERTH_JOINED_TEXT]);

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

#endif
