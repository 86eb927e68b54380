/* From a structure to a receptor: one alternate location, the residues that were chosen, Mol2 types
 * as the forcefield knows them, and a site or several. */
#ifndef BERTH_PREP_RECEPTOR_PREPARE_RECEPTOR_H
#define BERTH_PREP_RECEPTOR_PREPARE_RECEPTOR_H

#include "prep/receptor/work.h"

/* The files to write; NULL: not that one. */
struct berth_receptor_outputs {
    const char *out;       /* receptor file; of a scan the names of the files begin with it */
    const char *reference; /* Mol2 of the ligand that was cut out */
    const char *mol2;      /* Mol2 of the receptor */
    bool overwrite;        /* receptor files without displaceable waters that are there */
};

/* Prepares; log is told what was done and what is doubtful.  The caller clears *prepared.  Errors:
 * BERTH_E_USAGE (a selection that is none, that nothing matches, a ligand that may be one of
 * several), BERTH_E_TYPE, BERTH_E_FORMAT (nothing is left), those of the readers and of Open Babel,
 * BERTH_E_MEMORY. */
enum berth_status berth_receptor_prepare(const struct berth_receptor_settings *settings,
                                         const struct berth_log *log,
                                         struct berth_receptor_prepared *prepared,
                                         struct berth_error *error);

/* Writes the files; a scan for sites writes one receptor file for each, and the table of them.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT (a scan found no pocket), BERTH_E_MEMORY. */
enum berth_status berth_receptor_prepared_write(const struct berth_receptor_settings *settings,
                                                const struct berth_receptor_outputs *outputs,
                                                const struct berth_log *log,
                                                struct berth_receptor_prepared *prepared,
                                                struct berth_error *error);

void berth_receptor_prepared_clear(struct berth_receptor_prepared *prepared);

/* The names of a scan's files: "SITE_2.brec" for site 2 of "SITE.brec", "SITE_sites.csv" for
 * site 0, the table.  path has PATH_MAX bytes. */
void berth_receptor_scan_path(const char *out, size_t site, char *path);

#endif
