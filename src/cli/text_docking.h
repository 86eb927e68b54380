/* What `berth dock`, `screen` and `merge` print of results. */
#ifndef BERTH_CLI_TEXT_DOCKING_H
#define BERTH_CLI_TEXT_DOCKING_H

#include "chem/site.h"
#include "score/scoring.h"
#include "format/receptor_names.h"
#include "device/profile.h"
#include "dock/docking.h"
#include "dock/ensemble.h"
#include "dock/file_runs.h"
#include "dock/modes.h"
#include "dock/output_files.h"
#include "dock/protein/run.h"
#include "dock/surface/surface.h"
#include "report/pocket_files.h"

/* Of a docking to a whole surface: how many searches, and the memory that they take. */
void cli_print_surface(const struct berth_surface *surface);

/* A table of the only ligand, or a line a ligand.  Zeroed but for the first three, nothing was
 * printed. */
struct cli_results {
    bool quiet;                                   /* ligands are counted only */
    const struct berth_scoring *scoring;          /* borrowed */
    const struct berth_receptor_names *receptors; /* borrowed; NULL: there is one */
    size_t ligands;                               /* so far */
    char *first_name;         /* owned; of the first ligand, which is not printed yet */
    struct berth_modes first; /* its modes */
};

/* Counts a ligand, whose modes may be moved from, and prints a line of it.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status cli_results_add(struct cli_results *text, const char *name,
                                  struct berth_modes *modes, struct berth_error *error);

/* Prints the only ligand's table, where there was but one. */
void cli_results_end(struct cli_results *text);

void cli_results_clear(struct cli_results *text);

/* Of a docking to a whole surface whose files were committed: the only ligand's pockets, or where
 * the ligands agree. */
void cli_print_pockets(const struct berth_pocket_files *files);

/* Of a protein docked to a protein: the table of modes, and what it took. */
void cli_print_protein(const struct berth_protein_run *run, double seconds);

#endif
