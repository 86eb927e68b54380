/* A protein docked to a receptor, from files to files. */
#ifndef BERTH_PROTEIN_PROTEIN_RUN_H
#define BERTH_PROTEIN_PROTEIN_RUN_H

#include "protein/protein_search.h"

/* Names of files; borrowed. */
struct berth_protein_paths {
    const char *receptor, *ligand;
    const char *reference; /* the ligand where it is known to bind, to give RMSDs to; NULL: none */
    const char *out;       /* PDB */
    const char *scores;    /* CSV; NULL: none */
};

struct berth_protein_run {
    struct berth_typed_receptor receptor, ligand;
    double (*reference)[3]; /* owned; [ligand.heavy.count]; NULL: none */
    double *rmsds;          /* owned; [result.count], Å: to the reference; NULL: none */
    struct berth_protein_result result;
    struct berth_output *poses, *scores; /* owned, until they are committed */
};

/* Reads receptor and ligand, which are prepared in the same way (dock/typed_receptor.h), and sees
 * to it that the outputs can be written.  The caller clears *run.  Errors: those of reading;
 * BERTH_E_USAGE (several receptors, an output that is no PDB, too large a ligand); BERTH_E_FORMAT
 * (the ligand is no protein or nucleic acid, the reference has other atoms); BERTH_E_IO. */
enum berth_status berth_protein_run_open(const struct berth_protein_paths *paths,
                                         const struct berth_scoring_choice *choice,
                                         const struct berth_log *log, struct berth_protein_run *run,
                                         struct berth_error *error);

/* Docks, and writes the files.  Errors: those of berth_protein_dock; BERTH_E_IO. */
enum berth_status berth_protein_run_dock(struct berth_protein_run *run,
                                         const struct berth_protein_paths *paths,
                                         const struct berth_device *device,
                                         const struct berth_protein_settings *settings,
                                         struct berth_error *error);

void berth_protein_run_clear(struct berth_protein_run *run);

#endif
