#include "prep/receptor/reference.h"

#include <stdlib.h>

#include "base/memory.h"
#include "format/smiles/smiles_write.h"
#include "prep/bond_orders.h"
#include "prep/perception.h"

/* Seconds for Open Babel, with the bonds of the ligand's SMILES. */
#define LIGAND_LIMIT 60.0

/* Says what was perceived, so that a chemist sees at once where it is wrong. */
static enum berth_status say_bonds(const struct berth_molecule *reference,
                                   const struct berth_log *log, struct berth_error *error)
{
    struct berth_bytes smiles = {0};
    char text[BERTH_CONTRADICTION_SIZE];
    size_t *order;
    bool known;
    BERTH_TRY(berth_contradiction_find(reference, text, error));
    BERTH_TRY(berth_make(&order, reference->atom_count, sizeof *order, NULL, error));
    enum berth_status status = berth_smiles_write(reference, &smiles, order, &known, error);
    if (!status && *text) {
        berth_warn(log, NULL,
                   "the bonds of the reference contradict its geometry (%s): give its SMILES "
                   "(ligand_smiles)",
                   text);
    } else if (!status && known) {
        berth_note(log,
                   "reference: %.*s, as perceived: if that is wrong, give the SMILES "
                   "(ligand_smiles)",
                   (int)smiles.count, (const char *)smiles.data);
    }
    free(order);
    berth_bytes_clear(&smiles);
    return status;
}

enum berth_status berth_receptor_reference(const struct berth_receptor_settings *settings,
                                           const struct berth_structure *ligand,
                                           const struct berth_log *log,
                                           struct berth_molecule *reference,
                                           struct berth_error *error)
{
    if (!ligand->count) {
        return BERTH_OK;
    }
    struct berth_error why;
    if (!settings->reference) { /* for its place alone, bonds do not matter */
        return berth_plain_molecule(ligand, reference, error);
    }
    if (settings->ligand_smiles) {
        const enum berth_status status = berth_bond_orders_molecule(ligand, settings->ligand_smiles,
                                                                    LIGAND_LIMIT, reference, error);
        if (status) {
            berth_fail_in(error, "ligand_smiles");
            error->option = "ligand_smiles";
        }
        return status;
    }
    if (berth_perceive_molecule(ligand, reference, &why)) {
        berth_warn(log, NULL, "the reference has single bonds only: %s", why.message);
        return berth_plain_molecule(ligand, reference, error);
    }
    return say_bonds(reference, log, error);
}
