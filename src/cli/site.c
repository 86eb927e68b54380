#include "cli/site.h"

#include <string.h>

#include "prep/site_checks.h"

static const char *const BOX[] = {"center_x", "center_y", "center_z", "size_x", "size_y", "size_z"};

enum { BOX_COUNT = sizeof BOX / sizeof *BOX };

enum berth_status cli_site_read(const struct cli_site_options *options, bool *any,
                                struct berth_site *site, struct berth_error *error)
{
    size_t count = 0;
    const char *missing = NULL;
    for (size_t i = 0; i < BOX_COUNT; i++) {
        if (berth_options_given(options->table, options->parsed, BOX[i])) {
            count++;
        } else if (!missing) {
            missing = BOX[i];
        }
    }
    *any = count > 0 || options->box->autobox_ligand;
    if (options->box->autobox_ligand) {
        return count ? berth_fail(error, BERTH_E_USAGE,
                                  "give either --autobox_ligand or centre and size, not both")
                     : berth_site_about_file(options->box->autobox_ligand,
                                             options->box->autobox_add, cli_log(), site, error);
    }
    if (count && missing) {
        return berth_fail(error, BERTH_E_USAGE,
                          "--%s is missing: a site needs --center_x/y/z and --size_x/y/z, or "
                          "--autobox_ligand",
                          missing);
    }
    for (int k = 0; count && k < 3; k++) {
        if (options->box->size[k] <= 0) {
            return berth_fail(error, BERTH_E_USAGE, "--%s: an edge of 0 Å; it must be above 0",
                              BOX[3 + k]);
        }
    }
    memcpy(site->center, options->box->center, sizeof site->center);
    memcpy(site->size, options->box->size, sizeof site->size);
    return BERTH_OK;
}

enum berth_status cli_site_of(const struct cli_site_options *options,
                              const struct berth_typed_receptor *receptor, struct berth_site *site,
                              struct berth_error *error)
{
    bool any;
    enum berth_status status = cli_site_read(options, &any, site, error);
    if (!status && !any && !receptor->has_site) {
        status =
            berth_fail(error, BERTH_E_USAGE,
                       "--center_x is missing: a site needs --center_x/y/z and --size_x/y/z, or "
                       "--autobox_ligand, or a .brec receptor that brings one");
    }
    if (!status && !any) {
        *site = receptor->site;
    }
    return status ? status : berth_site_check(site, &receptor->molecule, cli_log(), error);
}
