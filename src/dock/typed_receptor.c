#include "dock/typed_receptor.h"

#include <string.h>

#include "base/gather.h"
#include "format/mol2/mol2.h"
#include "format/receptor_file.h"

/* A receptor file: the molecule, and the site if it has one. */
static enum berth_status read_prepared(const char *path, struct berth_typed_receptor *receptor,
                                       struct berth_error *error)
{
    struct berth_receptor prepared;
    enum berth_status status = berth_receptor_read(path, &prepared, error);
    if (!status) {
        receptor->molecule = prepared.molecule;
        memset(&prepared.molecule, 0, sizeof prepared.molecule);
        receptor->has_site = prepared.has_site;
        memcpy(receptor->site.center, prepared.center, sizeof prepared.center);
        memcpy(receptor->site.size, prepared.size, sizeof prepared.size);
    }
    berth_receptor_clear(&prepared);
    return status;
}

enum berth_status berth_typed_receptor_read(const struct berth_scoring_choice *choice,
                                            const char *path, const struct berth_log *log,
                                            struct berth_typed_receptor *receptor,
                                            struct berth_error *error)
{
    struct berth_gatherer gatherer = {.next = log};
    const struct berth_log gathering = berth_gather(&gatherer);
    memset(receptor, 0, sizeof *receptor);
    enum berth_status status = berth_scoring_read(choice, log, &receptor->forcefield, error);
    if (!status) {
        status = berth_is_receptor_file(path)
                     ? read_prepared(path, receptor, error)
                     : berth_mol2_read_one(path, true, &receptor->molecule, error);
    }
    if (!status) {
        status = berth_forcefield_assign(&receptor->forcefield, &receptor->molecule, &gathering,
                                         &receptor->heavy, error);
        if (status) {
            berth_fail_in(error, path);
        }
    }
    if (!status && !receptor->heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms", path);
    }
    berth_gatherer_flush(&gatherer);
    return status;
}

void berth_typed_receptor_clear(struct berth_typed_receptor *receptor)
{
    berth_forcefield_clear(&receptor->forcefield);
    berth_molecule_clear(&receptor->molecule);
    berth_heavy_atoms_clear(&receptor->heavy);
}
