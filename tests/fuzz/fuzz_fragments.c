/* libFuzzer: what the worker sends.  Any bytes as a molecule; and the store of fragments over them:
 * as they are, as records behind a good head, and as the content of one good record, so that what a
 * checksum would stop is tried too. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "prep/fragments/store.h"
#include "fuzz.h"

static void put_crc(struct berth_bytes *file, size_t start)
{
    berth_bytes_put32(file, (uint32_t)crc32_z(0, file->data + start, file->count - start));
}

static void check(const struct berth_fragment *fragment)
{
    const size_t places = fragment->atom_count + fragment->hydrogen_count;
    for (size_t i = 0; i < fragment->bond_count; i++) {
        demand(fragment->bonds[i].first < fragment->atom_count &&
               fragment->bonds[i].second < fragment->atom_count);
    }
    for (size_t i = 0; i < fragment->hydrogen_count; i++) {
        demand(fragment->parents[i] < fragment->atom_count);
    }
    for (size_t i = 0; i < fragment->shape_count * places; i++) {
        for (int k = 0; k < 3; k++) {
            demand(isfinite(fragment->positions[i][k]));
        }
    }
}

static void read_as(const struct berth_bytes *file)
{
    const struct berth_fragment_store_setup setup = {.version = "1"};
    struct berth_fragment_store *store;
    size_t good = 0;
    demand(!berth_fragment_store_create(&setup, &store, NULL));
    berth_fragment_store_read(store, file->data, file->count, &good, NULL);
    demand(good <= file->count);
    const struct berth_fragment *found = berth_fragment_store_find(store, "key");
    if (found) {
        check(found);
    }
    berth_fragment_store_destroy(store);
}

static void read_molecule(const void *bytes, size_t size)
{
    struct berth_molecule molecule;
    struct berth_conformers structures;
    if (!berth_worker_molecule_read(bytes, size, &molecule, &structures, NULL)) {
        demand(structures.count && structures.atom_count == molecule.atom_count);
        for (size_t i = 0; i < molecule.bond_count; i++) {
            demand(molecule.bonds[i].first < molecule.atom_count &&
                   molecule.bonds[i].second < molecule.atom_count);
        }
    }
    berth_molecule_clear(&molecule);
    berth_conformers_clear(&structures);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char version[32];
    struct berth_bytes file = {0};
    snprintf(version, sizeof version, "1, recipe %d", (int)BERTH_FRAGMENT_RECIPE);
    read_molecule(bytes, size);
    berth_bytes_put(&file, bytes, size);
    read_as(&file);
    berth_bytes_clear(&file);
    berth_bytes_put(&file, "BERTHFR1", 8);
    berth_bytes_put32(&file, (uint32_t)strlen(version));
    berth_bytes_put(&file, version, strlen(version));
    put_crc(&file, 0);
    const size_t head = file.count;
    berth_bytes_put(&file, bytes, size);
    read_as(&file);
    file.count = head;
    berth_bytes_put32(&file, 3);
    berth_bytes_put32(&file, (uint32_t)size);
    berth_bytes_put(&file, "key", 3);
    berth_bytes_put(&file, bytes, size);
    put_crc(&file, head);
    read_as(&file);
    berth_bytes_clear(&file);
    return 0;
}
