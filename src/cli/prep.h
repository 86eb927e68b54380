/* What the files of `berth prep` share. */
#ifndef BERTH_CLI_PREP_H
#define BERTH_CLI_PREP_H

#include "cli/common.h"
#include "prep/ligands/request.h"

/* The options of `berth prep ligands`, with their defaults in prep_defaults(). */
struct prep_values {
    struct berth_ligands_request request;
    const char *out, *failures, *forcefield;
    long long jobs;
    bool resume, overwrite;
};

extern const struct berth_option PREP_OPTIONS[];

struct prep_values prep_defaults(void);

/* Sets what Open Babel's processes are to find in their environment, where it is not set. */
void prep_set_environment(void);

#endif
