/* Which program builds structures. */
#include <stdio.h>
#include <string.h>

#include "prep/openbabel.h"
#include "prep/prepare_steps.h"

bool berth_prepare_knows(const char *builder)
{
    static const char *const BUILDERS[] = {"rdkit", "openbabel", "med", "slow", "best", "dg"};
    for (size_t i = 0; i < sizeof BUILDERS / sizeof *BUILDERS; i++) {
        if (strcmp(builder, BUILDERS[i]) == 0) {
            return true;
        }
    }
    return false;
}

enum berth_status berth_prepare_choose(struct berth_preparation *preparation,
                                       struct berth_rdkit *rdkit, const struct berth_log *log,
                                       struct berth_error *error)
{
    const char *builder = preparation->builder;
    struct berth_error no_rdkit = {.message = ""};
    const bool must = preparation->exclude || (builder && strcmp(builder, "rdkit") == 0);
    preparation->rdkit = NULL;
    if (builder && must && strcmp(builder, "rdkit") != 0) {
        return berth_fail(error, BERTH_E_USAGE, "--exclude needs RDKit, not --builder %s", builder);
    }
    if (!builder || must) {
        const enum berth_status status = berth_rdkit_find(rdkit, &no_rdkit);
        if (!status) {
            preparation->rdkit = rdkit;
            berth_note(builder ? NULL : log, "RDKit %s builds the structures (%s)", rdkit->version,
                       rdkit->python);
            return preparation->exclude ? berth_rdkit_check_patterns(preparation, error) : BERTH_OK;
        }
        if (must) {
            return berth_fail(error, status, "%s", no_rdkit.message);
        }
    }
    if (preparation->protomers > 1 || preparation->stereoisomers > 1) {
        return berth_fail(error, BERTH_E_USAGE, "--protomers and --stereo above 1 need RDKit%s%s",
                          builder ? ", not Open Babel as the builder" : ": ", no_rdkit.message);
    }
    const enum berth_status status = berth_openbabel_check(error);
    if (!status && !builder) {
        berth_note(log, "Open Babel builds the structures, and takes ten times as long: %s",
                   no_rdkit.message);
    }
    return status;
}
