/* What the files of `berth prep receptor` share. */
#ifndef BERTH_CLI_PREP_RECEPTOR_H
#define BERTH_CLI_PREP_RECEPTOR_H

#include "cli/common.h"
#include "cli/site.h"
#include "format/receptor_file.h"
#include "chem/selection.h"
#include "chem/structure.h"

/* The options of `berth prep receptor`. */
struct prep_receptor_values {
    struct berth_arguments inputs;
    const char *out, *format, *forcefield, *config, *mol2, *reference;
    const char *ligand_id, *keep, *drop, *keep_waters;
    const char *site, *residues, *autobox_ligand;
    double keep_waters_within, center[3], size[3], autobox_add;
    long long sites;
    bool keep_types, overwrite;
};

extern const struct berth_option PREP_RECEPTOR_OPTIONS[];

/* A receptor in preparation. */
struct prep_receptor {
    const struct prep_receptor_values *values; /* borrowed */
    const struct berth_parsed *parsed;         /* borrowed */
    struct berth_structure structure;          /* what will be the receptor */
    struct berth_structure ligand;             /* what was cut out of it */
    struct berth_molecule reference;           /* that with bonds; empty where nothing was */
    struct berth_receptor receptor;
};

/* Cuts the ligand out of the structure and leaves waters, additives and what --drop names out of
 * it; says what it did.  Errors: BERTH_E_USAGE (a selection that is none, that nothing matches, a
 * ligand that may be one of several), BERTH_E_FORMAT (nothing is left), BERTH_E_MEMORY. */
enum berth_status prep_receptor_select(struct prep_receptor *prep, struct berth_error *error);

/* Sets the receptor's site from the options; without any, it has none.  Errors: BERTH_E_USAGE,
 * those of reading the autobox ligand. */
enum berth_status prep_receptor_site(struct prep_receptor *prep, struct berth_error *error);

/* BERTH_E_USAGE where a file that a scan may write is there already. */
enum berth_status prep_receptor_check_scan(const struct prep_receptor_values *values,
                                           struct berth_error *error);

/* Scans the receptor for sites and writes one receptor file for each, and the table of them.
 * Errors: BERTH_E_IO, BERTH_E_FORMAT (no pocket), BERTH_E_MEMORY. */
enum berth_status prep_receptor_scan(struct prep_receptor *prep, struct berth_error *error);

#endif
