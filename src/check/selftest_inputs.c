/* What the checks of the selftest begin with: poisoned buffers, and random molecules and poses. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/selftest_internal.h"

enum { POISON = 0xFF, GUARD = 256 };

enum berth_status selftest_poisoned(struct selftest *test, size_t size,
                                    struct selftest_array *array, struct berth_error *error)
{
    memset(array, 0, sizeof *array);
    array->size = size;
    array->host = berth_alloc(size + GUARD, 1);
    if (!array->host) {
        return berth_out_of_memory(error, NULL);
    }
    memset(array->host, POISON, size + GUARD);
    enum berth_status status =
        berth_buffer_create(test->context, size + GUARD, &array->buffer, error);
    return status ? status : selftest_upload(array, error);
}

enum berth_status selftest_upload(struct selftest_array *array, struct berth_error *error)
{
    return berth_buffer_write(array->buffer, array->host, array->size + GUARD, error);
}

enum berth_status selftest_download(struct selftest_array *array, struct berth_error *error)
{
    enum berth_status status =
        berth_buffer_read(array->buffer, array->host, array->size + GUARD, error);
    const unsigned char *guard = (const unsigned char *)array->host + array->size;
    for (size_t i = 0; !status && i < GUARD; i++) {
        if (guard[i] != POISON) {
            status =
                berth_fail(error, BERTH_E_RESULT, "wrote %zu bytes behind its output's end", i + 1);
        }
    }
    return status;
}

void selftest_clear(struct selftest_array *array)
{
    berth_buffer_destroy(array->buffer);
    free(array->host);
    memset(array, 0, sizeof *array);
}

enum berth_status selftest_options(const struct selftest *test, bool small_tiles, char **options,
                                   struct berth_error *error)
{
    static const char TILES[] = " -DBERTH_LIGAND_TILE=3";
    const char *given = test->setup->build_options ? test->setup->build_options : "";
    *options = berth_alloc(strlen(given) + sizeof TILES, 1);
    if (!*options) {
        return berth_out_of_memory(error, NULL);
    }
    strcat(strcpy(*options, given), small_tiles ? TILES : "");
    return BERTH_OK;
}

void selftest_conformers(struct selftest *test, size_t count,
                         struct berth_device_conformer *conformers)
{
    for (size_t i = 0; i < count; i++) {
        struct berth_device_conformer *conformer = &conformers[i];
        memset(conformer, 0, sizeof *conformer);
        conformer->ligand = (uint32_t)berth_random_below(&test->random, UINT32_MAX);
        conformer->number = (uint32_t)berth_random_below(&test->random, 1000);
        /* tr(G) 1 - G of a diagonal-dominant G: a possible ligand. */
        const double g[3] = {berth_random_between(&test->random, 1, 9),
                             berth_random_between(&test->random, 1, 9),
                             berth_random_between(&test->random, 1, 9)};
        for (int k = 0; k < 3; k++) {
            conformer->inertia[k] = (float)(g[0] + g[1] + g[2] - g[k]);
            conformer->inertia[3 + k] = (float)berth_random_between(&test->random, -0.5, 0.5);
        }
    }
}

enum berth_status selftest_atoms(struct selftest *test, size_t count, double half,
                                 struct berth_heavy_atoms *heavy, struct berth_error *error)
{
    heavy->count = count;
    heavy->atoms = berth_alloc(count, sizeof *heavy->atoms);
    if (!heavy->atoms) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        heavy->atoms[i].type =
            (int)berth_random_below(&test->random, test->setup->scoring->type_count);
        for (int k = 0; k < 3; k++) {
            heavy->atoms[i].position[k] = berth_random_between(&test->random, -half, half);
        }
    }
    return BERTH_OK;
}

void selftest_poses(struct selftest *test, size_t conformers, size_t stride, double half,
                    float *transforms)
{
    for (size_t c = 0; c < conformers; c++) {
        for (size_t k = 0; k < 6; k++) {
            const double bound = k < 3 ? 3.14159 : half;
            for (size_t i = 0; i < stride; i++) {
                transforms[(c * 6 + k) * stride + i] =
                    (float)berth_random_between(&test->random, -bound, bound);
            }
        }
    }
}

struct berth_device_search selftest_search(struct selftest *test, int poses, int parents)
{
    return (struct berth_device_search){
        .seed_low = (uint32_t)berth_random_below(&test->random, UINT32_MAX),
        .seed_high = (uint32_t)berth_random_below(&test->random, UINT32_MAX),
        .poses = poses,
        .parents = parents,
        .half_x = (float)berth_random_between(&test->random, 1, 12),
        .half_y = (float)berth_random_between(&test->random, 1, 12),
        .half_z = (float)berth_random_between(&test->random, 1, 12),
        .exchange = 0.3f,
        .granule = 1 << berth_random_below(&test->random, 4)};
}
