/* The site that a command line describes: a box by centre and size, or about a known ligand. */
#ifndef BERTH_CLI_SITE_H
#define BERTH_CLI_SITE_H

#include "cli/common.h"

/* What the options center_x/y/z, size_x/y/z, autobox_ligand and autobox_add of a table hold. */
struct cli_site_request {
    const struct berth_option *table;  /* borrowed */
    const struct berth_parsed *parsed; /* borrowed */
    struct berth_site box;
    const char *autobox_ligand; /* borrowed; NULL: not given */
    double autobox_add;         /* Å */
};

/* The box that was asked for; *given is false where nothing was.  Errors: BERTH_E_USAGE (both a box
 * and a ligand, half a box, an edge of 0), those of reading the ligand. */
enum berth_status cli_site_read(const struct cli_site_request *request, bool *given,
                                struct berth_site *site, struct berth_error *error);

/* The same, else the site that the receptor brings; BERTH_E_USAGE where it brings none. */
enum berth_status cli_site_of(const struct cli_site_request *request,
                              const struct berth_typed_receptor *receptor, struct berth_site *site,
                              struct berth_error *error);

#endif
