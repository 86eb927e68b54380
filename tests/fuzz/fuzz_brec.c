/* libFuzzer: the reader of receptor files over any bytes: as they are, and behind a head whose
 * checksum fits them, so that what the checksum would stop is tried too. */
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "format/mol2/mol2.h"
#include "format/receptor_file.h"
#include "fuzz.h"

static void check(const struct berth_receptor *receptor)
{
    const struct berth_molecule *molecule = &receptor->molecule;
    demand(molecule->title && receptor->source && receptor->forcefield);
    for (size_t i = 0; i < molecule->atom_count; i++) {
        const struct berth_atom *atom = &molecule->atoms[i];
        for (int k = 0; k < 3; k++) {
            demand(fabs(atom->position[k]) <= BERTH_COORDINATE_MAX);
        }
        demand(atom->residue_id >= 1 && (size_t)atom->residue_id <= receptor->residue_count);
        demand(*atom->type && memchr(atom->type, 0, BERTH_NAME_SIZE) &&
               memchr(atom->name, 0, BERTH_NAME_SIZE) && memchr(atom->residue, 0, BERTH_NAME_SIZE));
    }
    for (int k = 0; receptor->has_site && k < 3; k++) {
        demand(fabs(receptor->center[k]) <= BERTH_COORDINATE_MAX && receptor->size[k] > 0);
    }
}

static void read_as(const uint8_t *bytes, size_t size)
{
    struct berth_receptor receptor;
    struct berth_error error;
    enum berth_status status = berth_receptor_read_memory("fuzz", bytes, size, &receptor, &error);
    if (status) {
        demand(status == BERTH_E_FORMAT && !receptor.molecule.atoms && !receptor.residues);
    } else {
        check(&receptor);
    }
    berth_receptor_clear(&receptor);
}

static void put(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    read_as(bytes, size);
    enum { HEAD = 24 };
    static const uint8_t MAGIC[] = {0x89, 'b', 'r', 'e', 'c', '\r', '\n', 0x1a};
    uint8_t *whole = malloc(HEAD + size);
    demand(whole != NULL);
    memcpy(whole, MAGIC, sizeof MAGIC);
    put(whole + 8, 2, 4); /* the version */
    put(whole + 12, crc32_z(0, bytes, size), 4);
    put(whole + 16, size, 8);
    if (size) {
        memcpy(whole + HEAD, bytes, size);
    }
    read_as(whole, HEAD + size);
    free(whole);
    return 0;
}
