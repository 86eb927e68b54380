/* libFuzzer: the readers of mmCIF files and of components. */
#include "format/pdb/component.h"
#include "structure.h"

static void read_component(const uint8_t *bytes, size_t size)
{
    struct berth_text_reader *text;
    struct berth_molecule molecule = {0};
    struct berth_error error;
    if (berth_text_reader_create_memory("fuzz", bytes, size, &text, &error)) {
        return;
    }
    const enum berth_status status = berth_component_read(text, &molecule, &error);
    demand(status == BERTH_E_FORMAT || (!status && molecule.atom_count));
    for (size_t i = 0; i < molecule.bond_count; i++) {
        demand(molecule.bonds[i].first < molecule.atom_count &&
               molecule.bonds[i].second < molecule.atom_count);
    }
    berth_molecule_clear(&molecule);
    berth_text_reader_destroy(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_component(bytes, size);
    struct berth_text_reader *text;
    struct berth_structure structure = {0};
    struct berth_error error;
    if (berth_text_reader_create_memory("fuzz", bytes, size, &text, &error)) {
        return 0;
    }
    enum berth_status status = berth_mmcif_read(text, &structure, &error);
    fuzz_structure(&structure, status, &error);
    berth_text_reader_destroy(text);
    return 0;
}
