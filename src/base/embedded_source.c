#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/memory.h"

static const struct berth_embedded *find_file(const char *name)
{
    const struct berth_embedded *file = berth_embedded_kernels;
    while (strcmp(file->name, name) != 0) {
        file++;
    }
    return file;
}

const char *berth_embedded_text(const char *name)
{
    const struct berth_embedded *file = berth_embedded_texts;
    while (strcmp(file->name, name) != 0) {
        file++;
    }
    return file->text;
}

char *berth_embedded_source(const char *const *names, size_t count)
{
    size_t size = 1;
    for (size_t i = 0; i < count; i++) {
        size += find_file(names[i])->size + strlen(names[i]) + 16;
    }
    char *source = berth_alloc(size, 1);
    size_t used = 0;
    for (size_t i = 0; source && i < count; i++) {
        used += (size_t)snprintf(source + used, size - used, "#line 1 \"%s\"\n%s\n", names[i],
                                 find_file(names[i])->text);
    }
    return source;
}
