#include "prep/typer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chem/type_rules.h"
#include "format/sdf/sdf.h"

static const double LIMIT = 60; /* seconds for a molecule */

enum berth_status berth_typer_check(const struct berth_molecule *molecule,
                                    struct berth_error *error)
{
    return !molecule->lacks_orders
               ? BERTH_OK
               : berth_fail(error, BERTH_E_FORMAT,
                            "types of GAFF or Amber, and bonds without orders (all are 1); write "
                            "it with SYBYL's: antechamber -fi mol2 -i IN.mol2 -fo mol2 -o "
                            "OUT.mol2 -at sybyl -j 5");
}

static enum berth_status start(struct berth_typer *typer, struct berth_error *error)
{
    if (typer->preparer) {
        return BERTH_OK;
    }
    typer->preparation = (struct berth_preparation){.ph = NAN,
                                                    .rdkit = &typer->rdkit,
                                                    .memory = (size_t)BERTH_WORKER_MEMORY * 1000000,
                                                    .limit = LIMIT};
    if (berth_rdkit_find(&typer->rdkit, error)) {
        return berth_fail_in(error, "types of GAFF or Amber, which RDKit turns into SYBYL's");
    }
    return berth_preparer_create(&typer->preparation, &typer->preparer, error);
}

/* Takes over title and place of what the molecule was, and its atoms' names. */
static void take_names(struct berth_molecule *from, struct berth_molecule *to)
{
    to->title = from->title;
    to->line = from->line;
    from->title = NULL;
    for (size_t i = 0; i < to->atom_count && i < from->atom_count; i++) {
        struct berth_atom *atom = &to->atoms[i];
        memcpy(atom->name, from->atoms[i].name, sizeof atom->name);
        memcpy(atom->residue, from->atoms[i].residue, sizeof atom->residue);
        memcpy(atom->position, from->atoms[i].position, sizeof atom->position);
        atom->residue_id = from->atoms[i].residue_id;
    }
}

enum berth_status berth_typer_settle(struct berth_typer *typer, struct berth_molecule *molecule,
                                     struct berth_error *error)
{
    char *text = NULL;
    size_t size = 0;
    struct berth_molecule typed = {0};
    if (!molecule->foreign_types) {
        return BERTH_OK;
    }
    BERTH_TRY(berth_typer_check(molecule, error));
    BERTH_TRY(start(typer, error));
    BERTH_TRY(berth_sdf_text(molecule, &text, &size, error));
    const struct berth_record record = {.kind = BERTH_RECORD_SDF,
                                        .text = {.data = (unsigned char *)text, .count = size}};
    enum berth_status status = berth_prepare_stand(typer->preparer, &record, &typed, error);
    BERTH_THEN(berth_types_correct(&typed, error));
    free(text);
    if (status) {
        berth_molecule_clear(&typed);
        return status;
    }
    free(typed.title);
    take_names(molecule, &typed);
    berth_molecule_clear(molecule);
    *molecule = typed;
    return BERTH_OK;
}

void berth_typer_clear(struct berth_typer *typer)
{
    berth_preparer_destroy(typer->preparer);
    memset(typer, 0, sizeof *typer);
}
