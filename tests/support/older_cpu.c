/* A library to preload (tests/older_cpu.sh) that lets LLVM inside PoCL believe in an older CPU:
 * OLDER_CPU="haswell -avx512": a name for it, and for each word behind it the features that begin
 * so are taken away.  PoCL then builds kernels as it does on a machine that has no others, and
 * reports vectors of that machine's width.
 *
 * LLVM tells features in its hash table from names to bools (llvm/ADT/StringMap.h, the same layout
 * from LLVM 3 to 18); they are switched off where they stand, so that nothing of LLVM's need be
 * linked.  Who takes this reads the device's name to see whether it worked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FEATURES "_ZN4llvm3sys18getHostCPUFeaturesERNS_9StringMapIbNS_15MallocAllocatorEEE"

struct string_ref {
    const char *text;
    size_t length;
};

struct entry {
    size_t key_length;
    bool value; /* the key's characters stand at item_size */
};

struct string_map {
    struct entry **buckets;
    unsigned bucket_count, item_count, tombstones, item_size;
};

/* What the table has where an entry was removed: -1 without the bits that a pointer has to spare.
 */
#define REMOVED ((struct entry *)((uintptr_t)-1 << 3))

struct string_ref older_name(void) __asm__("_ZN4llvm3sys14getHostCPUNameEv");
bool older_features(struct string_map *map) __asm__(FEATURES);

struct string_ref older_name(void)
{
    const char *plan = getenv("OLDER_CPU");
    const char *name = plan ? plan : "x86-64";
    return (struct string_ref){name, strcspn(name, " ")};
}

/* Whether a word of the plan says that the feature goes. */
static bool goes(const char *feature, size_t length)
{
    const char *plan = getenv("OLDER_CPU");
    for (const char *word = plan ? strchr(plan, ' ') : NULL; word; word = strchr(word, ' ')) {
        word += strspn(word, " -");
        const size_t prefix = strcspn(word, " ");
        if (prefix && prefix <= length && memcmp(feature, word, prefix) == 0) {
            return true;
        }
    }
    return false;
}

/* Leaves the name of LLVM's library in *context; not 0, so that the search ends, where it is. */
static int find_llvm(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(const char **)context = info->dlpi_name;
    return strstr(info->dlpi_name, "libLLVM") != NULL;
}

/* LLVM's own function: libraries that an ICD loader opens are not behind this one, where dlsym's
 * RTLD_NEXT would look. */
static bool call_llvm(struct string_map *map)
{
    const char *path = NULL;
    void *llvm = dl_iterate_phdr(find_llvm, &path) ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    bool (*features)(struct string_map *) = NULL;
    if (llvm) {
        *(void **)&features = dlsym(llvm, FEATURES);
    }
    return features && features(map);
}

bool older_features(struct string_map *map)
{
    const bool known = call_llvm(map);
    for (unsigned i = 0; known && i < map->bucket_count; i++) {
        struct entry *entry = map->buckets[i];
        if (entry && entry != REMOVED &&
            goes((const char *)entry + map->item_size, entry->key_length)) {
            entry->value = false;
        }
    }
    return known;
}
