/* What the tests of the readers and writers share: scratch files and the reference data. */
#ifndef TESTS_UNIT_IO_SUPPORT_H
#define TESTS_UNIT_IO_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_SIZE 512

/* "directory/name" into path (PATH_SIZE bytes). */
static inline void join(char *path, const char *directory, const char *name)
{
    int length = snprintf(path, PATH_SIZE, "%s/%s", directory, name);
    assert_in_range(length, 1, PATH_SIZE - 1);
}

/* A new directory for the test's files. */
static inline void make_scratch(char *directory)
{
    snprintf(directory, PATH_SIZE, "/tmp/berth-test-XXXXXX");
    assert_non_null(mkdtemp(directory));
}

static inline void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(!size || fwrite(bytes, 1, size, file) == size);
    assert_int_equal(fclose(file), 0);
}

/* The file's bytes with a 0 behind them; the caller frees them. */
static inline char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = 0, capacity = 1 << 20;
    char *text = malloc(capacity + 1);
    assert_non_null(text);
    for (size_t got; (got = fread(text + size, 1, capacity - size, file)) > 0;) {
        size += got;
        if (size == capacity) {
            capacity *= 2;
            char *more = realloc(text, capacity + 1);
            assert_non_null(more);
            text = more;
        }
    }
    fclose(file);
    text[size] = '\0';
    return text;
}

/* Path of a file of the reference data; skips the test where that is absent. */
static inline void reference(char *path, const char *name)
{
    const char *root = getenv("BERTH_REFERENCE_DATA");
    join(path, root ? root : "../shared/data", name);
    if (access(path, R_OK) != 0) {
        print_message("# %s is absent: skipped\n", path);
        skip();
    }
}

#endif
