/* What the files of `berth prep` share. */
#ifndef BERTH_CLI_PREP_H
#define BERTH_CLI_PREP_H

#include "cli/common.h"
#include "prep/prepare.h"

/* The commands behind `berth prep` (see struct cli_command). */
int cmd_prep_ligands(int argc, char **argv);
int cmd_prep_receptor(int argc, char **argv);

/* The options of `berth prep ligands`, with their defaults in prep_defaults(). */
struct prep_values {
    struct berth_arguments inputs;
    const char *list, *format, *builder, *mw, *elements, *properties, *exclude;
    const char *out, *failures, *forcefield, *config;
    double ph, energy_window, conformer_rmsd, time_limit;
    long long protomers, stereo, conformers, ring_conformers, memory_limit, max_heavy, max_rotors,
        jobs;
    bool keep_protonation, rebuild, smiles, drop_duplicates, resume, overwrite;
};

extern const struct berth_option PREP_OPTIONS[];

struct prep_values prep_defaults(void);

/* What they ask for, and the texts that it borrows from. */
struct prep_plan {
    struct berth_preparation preparation;
    char *property_text;        /* owned; the names, cut apart */
    const char **properties;    /* owned; [preparation.property_count] */
    struct berth_bytes exclude; /* owned; a text, or empty */
    char *note;                 /* owned; for the library: everything that decides what is in it */
};

/* The caller clears *plan.  Errors: BERTH_E_USAGE, BERTH_E_MEMORY. */
enum berth_status prep_plan_create(const struct prep_values *values, struct prep_plan *plan,
                                   struct berth_error *error);

void prep_plan_clear(struct prep_plan *plan);

/* Sets what Open Babel's processes are to find in their environment, where it is not set. */
void prep_set_environment(void);

#endif
