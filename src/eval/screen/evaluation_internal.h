/* What the files of an evaluation share: evaluation.c reads the inputs, ranks and measures,
 * evaluation_files.c writes what came out. */
#ifndef BERTH_EVAL_SCREEN_EVALUATION_INTERNAL_H
#define BERTH_EVAL_SCREEN_EVALUATION_INTERNAL_H

#include "eval/screen/evaluation.h"
#include "eval/screen/ligands.h"

/* Results, their mean rank, heavy atoms, mass. */
enum { EVALUATION_RANKINGS = BERTH_COMPARED_MAX + 3, EVALUATION_LABEL = 64 };

/* A ligand that all results have a score of. */
struct evaluated {
    const char *name; /* borrowed */
    double heavy_atoms, mass;
    bool open_stereo;
    size_t scaffold; /* of an active; SIZE_MAX: none is known */
};

struct scaffold {
    const char *smiles; /* borrowed; "": no ring */
    size_t actives;
};

/* An active's place in a ranking. */
struct placed {
    double rank;
    size_t ligand;
};

struct ranking {
    char label[EVALUATION_LABEL];
    double *scores, *ranks; /* owned; [ligands] */
    struct placed *actives; /* owned; [active_count], best first */
    struct placed *places;  /* owned; [scaffold_count]: of the best active of each */
    double scaffold_area;   /* under the ROC curve in which each scaffold counts once */
};

struct evaluation {
    struct berth_evaluation_settings settings;
    struct berth_named_ligands results[BERTH_COMPARED_MAX];
    size_t result_count;
    char *columns[BERTH_COMPARED_MAX]; /* owned; what ranks each, where several do one table; else
                                          NULL */
    struct berth_named_ligands actives, decoys, molecules; /* molecules: of settings.ligands */
    struct evaluated *ligands;                             /* owned; [count], sorted by name */
    bool *active;                                          /* owned; [count] */
    size_t count, active_count;
    size_t undocked;            /* actives that the first results have no score of, */
    const char *first_undocked; /* borrowed: the first of them, */
    size_t hidden;              /* and ligands there that may be states of these by their names */
    size_t left_out;            /* actives and decoys that not all results have a score of */
    size_t unlisted;            /* ligands that are neither active nor decoy */
    bool no_rdkit;              /* it was needed, and is not there */
    size_t massless;            /* ligands without a known mass, of which this is the first: */
    const char *first_massless; /* borrowed */
    struct ranking rankings[EVALUATION_RANKINGS];
    size_t ranking_count, trivial;       /* the first of the trivial ones */
    struct scaffold *scaffolds;          /* owned; [scaffold_count], by SMILES */
    size_t scaffold_count, unscaffolded; /* actives without a known one */
    struct berth_enrichment *enrichment; /* owned */
};

/* BERTH_E_IO where the files of an evaluation could not be written to settings->out. */
enum berth_status evaluation_probe(const struct berth_evaluation_settings *settings,
                                   struct berth_error *error);

/* Writes the files that the settings name.  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status evaluation_write(const struct evaluation *evaluation, struct berth_error *error);

#endif
