/* libFuzzer: the Mol2 reader over any bytes.  Whatever it accepts must keep its promises, and must
 * be writable as a pose. */
#include <string.h>

#include "chem/facts.h"
#include "format/mol2/mol2.h"
#include "fuzz.h"

static void check(const struct berth_molecule *molecule)
{
    demand(molecule->title && !strchr(molecule->title, '\n') && molecule->atom_count > 0);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        for (int axis = 0; axis < 3; axis++) {
            double x = atom->position[axis];
            demand(x >= -BERTH_COORDINATE_MAX && x <= BERTH_COORDINATE_MAX);
        }
        demand(memchr(atom->name, 0, BERTH_NAME_SIZE) && memchr(atom->type, 0, BERTH_NAME_SIZE) &&
               memchr(atom->residue, 0, BERTH_NAME_SIZE));
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        const struct berth_bond *bond = &molecule->bonds[i];
        demand(bond->first < molecule->atom_count && bond->second < molecule->atom_count &&
               bond->first != bond->second);
    }
    struct berth_facts facts;
    struct berth_error error;
    demand(berth_facts_find(molecule, BERTH_FACT_ORDERS, &facts, &error) == BERTH_OK);
    for (size_t i = 0; i < molecule->bond_count; i++) {
        demand(facts.orders[i] >= 0 && facts.orders[i] <= 4);
    }
    berth_facts_clear(&facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_mol2_reader *reader;
    struct berth_molecule molecule = {0};
    struct berth_error error;
    if (berth_mol2_reader_create_memory("fuzz", bytes, size, &reader, &error)) {
        return 0;
    }
    for (bool end = false; !end;) {
        enum berth_status status = berth_mol2_next(reader, &molecule, &end, &error);
        if (status) {
            demand(status == BERTH_E_FORMAT && error.status == status && !end);
            demand(molecule.atom_count == 0 && molecule.bond_count == 0);
        } else if (!end) {
            check(&molecule);
        }
    }
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(reader);
    return 0;
}
