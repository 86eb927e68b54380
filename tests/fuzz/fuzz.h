/* What the fuzzers share. */
#ifndef BERTH_FUZZ_H
#define BERTH_FUZZ_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A promise of the code under test. */
#define demand(condition)                                                                          \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

/* Puts the bytes into a file of this process, whose name ends so, for code that takes a path; the
 * caller removes it. */
static inline void fuzz_file(const char *ending, const uint8_t *bytes, size_t size,
                             char path[PATH_MAX])
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH_MAX, "%s/berth-fuzz-%ld%s", folder ? folder : "/tmp", (long)getpid(),
             ending);
    FILE *file = fopen(path, "wb");
    demand(file && fwrite(bytes, 1, size, file) == size && !fclose(file));
}

/* The first line of the input as a text, which the caller frees, and where the rest begins. */
static inline char *fuzz_line(const uint8_t *bytes, size_t size, size_t *rest)
{
    size_t length = 0;
    while (length < size && bytes[length] != '\n') {
        length++;
    }
    char *line = malloc(length + 1);
    demand(line != NULL);
    for (size_t i = 0; i < length; i++) {
        line[i] = (char)bytes[i];
    }
    line[length] = '\0';
    *rest = length < size ? length + 1 : size;
    return line;
}

#endif
