/* libFuzzer: SMILES, and those that are written of any molecule. */
#include <string.h>

#include "chem/stereo.h"
#include "format/smiles/smiles.h"
#include "molecule.h"

/* What is written is SMILES, of as many atoms. */
static void check_written(const struct berth_molecule *molecule, struct berth_bytes *text,
                          const size_t *order)
{
    const size_t length = text->count;
    size_t atoms = 0;
    berth_bytes_put8(text, 0);
    demand(!text->failed && !berth_smiles_check((const char *)text->data, length, NULL));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        atoms += molecule->atoms[i].heavy;
        demand(i >= atoms || order[i] < molecule->atom_count);
    }
}

static void write_as_smiles(const struct berth_molecule *molecule)
{
    struct berth_bytes text = {0};
    struct berth_stereo stereo = {0};
    size_t *order = calloc(molecule->atom_count + 1, sizeof *order);
    bool known = false;
    struct berth_error error;
    demand(order != NULL);
    struct berth_facts facts = {0};
    enum berth_status status = berth_stereo_find(molecule, NULL, &stereo, &error);
    if (!status) {
        status = berth_facts_find(molecule, BERTH_FACT_ORDERS, &facts, &error);
    }
    if (!status) {
        status = berth_smiles_write(&facts, false, &stereo, &text, order, &known, &error);
    }
    berth_facts_clear(&facts);
    demand(!status || (status == BERTH_E_FORMAT && *error.message)); /* too many bonds */
    if (!status && known) {
        check_written(molecule, &text, order);
    } else {
        demand(!text.count);
    }
    free(order);
    berth_stereo_clear(&stereo);
    berth_bytes_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t rest;
    char *line = fuzz_line(bytes, size, &rest);
    struct berth_error error;
    struct berth_molecule molecule;
    const enum berth_status status = berth_smiles_check(line, strlen(line), &error);
    demand(!status || (status == BERTH_E_FORMAT && *error.message));
    fuzz_molecule(bytes + rest, size - rest, &molecule);
    write_as_smiles(&molecule);
    berth_molecule_clear(&molecule);
    free(line);
    return 0;
}
