/* What is known of the poses of a complex: restraints and a template, from files in its folder. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "eval/redock/redock_internal.h"

/* The path of a complex's file in the set; false: it has none. */
static bool find_known(const struct berth_redock *redock, const struct redock_entry *entry,
                       const char *name, char path[PATH_MAX])
{
    return name && snprintf(path, PATH_MAX, "%s/%s/%s", redock->set.folder, entry->name, name) &&
           access(path, F_OK) == 0;
}

bool redock_is_restrained(const struct berth_redock *redock)
{
    return redock->run->options.restraints || redock->pattern.path;
}

enum berth_status redock_check_known(const struct berth_redock *redock, struct berth_error *error)
{
    const char *const names[2] = {redock->run->options.restraints, redock->pattern.path};
    static const char *const OPTIONS[2] = {"restraints", "template"};
    for (int k = 0; k < 2; k++) {
        char path[PATH_MAX];
        bool found = !names[k];
        for (size_t i = 0; !found && i < redock->set.count; i++) {
            found = find_known(redock, &redock->set.entries[i], names[k], path);
        }
        if (!found) {
            return berth_fail_option(error, BERTH_E_USAGE, OPTIONS[k],
                                     "%s: no complex of %s has a file %s in its folder", OPTIONS[k],
                                     redock->set.folder, names[k]);
        }
    }
    return redock_is_restrained(redock) && !redock->run->search.mapped.poses
               ? berth_fail_option(error, BERTH_E_USAGE, "search",
                                   "search: one on maps alone knows restraints")
               : BERTH_OK;
}

enum berth_status redock_restrain(struct redock_complex *complex,
                                  const struct berth_receptor *receptor, struct berth_error *error)
{
    const struct berth_redock *redock = complex->redock;
    struct berth_restraints *restraints = &complex->restraints;
    struct berth_template_setup pattern = redock->pattern;
    const struct berth_typed_receptor typed = {.scoring = redock->run->typed->scoring,
                                               .molecule = complex->receptor,
                                               .residues = receptor->residues,
                                               .residue_count = receptor->residue_count};
    char path[PATH_MAX];
    if (find_known(redock, complex->entry, redock->run->options.restraints, path)) {
        BERTH_TRY(berth_restraints_read(path, restraints, error));
    }
    if (find_known(redock, complex->entry, pattern.path, path)) {
        pattern.path = path;
        BERTH_TRY(berth_restraints_add_template(restraints, &pattern, error));
    }
    const struct berth_typed_receptor *const list[] = {&typed};
    enum berth_status status =
        restraints->count ? berth_restraints_place(restraints, 0, &typed, error) : BERTH_OK;
    if (!status && redock->metal_sites) {
        status = berth_restraints_add_metals(restraints, list, 1, &complex->site,
                                             redock->metal_sites, error);
    }
    if (restraints->count) {
        complex->own = *complex->judging;
        berth_restraints_name(restraints, &complex->own.names);
        complex->judging = &complex->own;
    }
    return status;
}
