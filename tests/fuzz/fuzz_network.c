/* libFuzzer: what the worker says of a receptor's hydrogens (prep/receptor/network.h), over a
 * structure of two residues. */
#include "fuzz.h"

#include "prep/receptor/network.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const struct berth_structure_atom ATOMS[] = {
        {.residue = {"HIS", "A", 1, 0}, .name = "ND1"},
        {.residue = {"HIS", "A", 1, 0}, .name = "CD2"},
        {.residue = {"ASP", "A", 2, 0}, .name = "OD1"},
        {.residue = {"ASP", "A", 2, 0}, .name = "OD2"}};
    struct berth_structure structure = {0};
    struct berth_network network = {0};
    struct berth_error error;
    for (size_t i = 0; i < sizeof ATOMS / sizeof *ATOMS; i++) {
        demand(!berth_structure_add(&structure, &ATOMS[i], &error));
    }
    const enum berth_status status = berth_network_apply(bytes, size, &structure, &network, &error);
    demand(!status || status == BERTH_E_FORMAT);
    for (size_t i = 0; i < network.count; i++) {
        demand(memchr(network.rows[i].form, 0, sizeof network.rows[i].form));
    }
    berth_network_clear(&network);
    berth_structure_clear(&structure);
    return 0;
}
