#include "prep/receptor/reference.h"

#include <stdlib.h>
#include <string.h>

#include "format/output.h"
#include "format/poses.h"
#include "prep/bond_orders.h"
#include "prep/openbabel.h"
#include "prep/perception.h"
#include "prep/receptor/tautomer.h"
#include "prep/standing.h"

/* Seconds for Open Babel, with the bonds of the ligand's SMILES. */
#define LIGAND_LIMIT 60.0

static enum berth_status find_smiles(const struct berth_molecule *molecule,
                                     struct berth_bytes *smiles, struct berth_error *error)
{
    const struct berth_tagged_molecule tagged = {.molecule = molecule, .title = ""};
    struct berth_output *output = NULL;
    char *sdf = NULL;
    size_t size = 0;
    BERTH_TRY(berth_output_create_memory(&sdf, &size, &output, error));
    enum berth_status status = berth_molecule_write(output, BERTH_POSE_SDF, &tagged, error);
    status = berth_output_finish(output, status, error);
    const struct berth_bytes input = {.data = (unsigned char *)sdf, .count = size};
    BERTH_THEN(berth_smiles_of_sdf(&input, smiles, error));
    free(sdf);
    return status;
}

/* Says what was perceived, so that a chemist sees at once where it is wrong. */
static enum berth_status say_bonds(const struct berth_molecule *reference, size_t moved,
                                   const struct berth_log *log, struct berth_error *error)
{
    struct berth_bytes smiles = {0};
    struct berth_error why;
    char text[BERTH_CONTRADICTION_SIZE];
    BERTH_TRY(berth_contradiction_find(reference, text, error));
    const bool known = !find_smiles(reference, &smiles, &why);
    const char *told = known ? (const char *)smiles.data : "";
    const int size = (int)strcspn(told, " \t\r\n");
    if (*text) {
        berth_warn(log, NULL,
                   "the bonds of the ligand, perceived as %.*s, contradict its geometry (%s): give "
                   "its SMILES (ligand_smiles)",
                   size ? size : 1, size ? told : "?", text);
    } else if (!size) {
        berth_warn(log, NULL, "the SMILES of the ligand cannot be told: %s",
                   known ? "it is empty" : why.message);
    } else {
        berth_note(log,
                   "ligand: %.*s, as perceived%s: if that is wrong, give the SMILES "
                   "(ligand_smiles)",
                   size, told, moved ? ", its tautomer by the receptor's hydrogen bonds" : "");
    }
    berth_bytes_clear(&smiles);
    return BERTH_OK;
}

/* In the state in which docking it out of the structure would have it, or its SMILES: Open Babel
 * has rules of its own for what is charged.  Errors: as berth_bond_orders_find and
 * berth_stand_protonated. */
static enum berth_status protonate(const char *smiles, struct berth_receptor_prepared *prepared,
                                   size_t *moved, struct berth_error *error)
{
    const struct berth_structure *ligand = &prepared->ligand;
    struct berth_bytes sdf = {0};
    *moved = 0;
    enum berth_status status =
        smiles ? berth_bond_orders_find(ligand, smiles, LIGAND_LIMIT, &sdf, error)
               : berth_cut_ligand_sdf(ligand, &prepared->receptor.molecule, &sdf, moved, error);
    BERTH_THEN(berth_stand_protonated(&sdf, BERTH_PH, &prepared->reference, error));
    BERTH_THEN(berth_perception_restore(ligand, (const double[3]){0}, &prepared->reference, error));
    berth_bytes_clear(&sdf);
    return status;
}

enum berth_status berth_receptor_reference(const struct berth_receptor_settings *settings,
                                           const struct berth_log *log,
                                           struct berth_receptor_prepared *prepared,
                                           struct berth_error *error)
{
    const struct berth_structure *ligand = &prepared->ligand;
    struct berth_molecule *reference = &prepared->reference;
    const char *smiles = settings->ligand_smiles;
    struct berth_error why;
    size_t moved = 0;
    if (!ligand->count) {
        return BERTH_OK;
    }
    if (!settings->reference) { /* for its place alone, bonds do not matter */
        return berth_plain_molecule(ligand, reference, error);
    }
    const bool own = !smiles && berth_perception_full(ligand); /* hydrogens */
    if (!own && protonate(smiles, prepared, &moved, &why) == BERTH_OK) {
        return smiles ? BERTH_OK : say_bonds(reference, moved, log, error);
    }
    if (smiles) {
        const enum berth_status status =
            berth_bond_orders_molecule(ligand, smiles, LIGAND_LIMIT, reference, error);
        if (status) {
            berth_fail_in(error, "ligand_smiles");
            error->option = "ligand_smiles";
        }
        return status;
    }
    if (berth_perceive_molecule(ligand, reference, &why)) {
        berth_warn(log, NULL, "the ligand has single bonds only: %s", why.message);
        return berth_plain_molecule(ligand, reference, error);
    }
    return say_bonds(reference, 0, log, error);
}
