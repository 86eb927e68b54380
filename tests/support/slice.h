/* Where a check runs: each time, or in a slice that BERTH_TEST_SLICE names (tests/slices.sh). */
#ifndef TESTS_SUPPORT_SLICE_H
#define TESTS_SUPPORT_SLICE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

/* Whether the slice `name` runs: BERTH_TEST_SLICE has names with blanks between, or "all". */
static inline bool in_slice(const char *name)
{
    const char *slices = getenv("BERTH_TEST_SLICE");
    const size_t length = strlen(name);
    if (slices && strcmp(slices, "all") == 0) {
        return true;
    }
    for (const char *at = slices; at && *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (strcspn(at, " ") == length && strncmp(at, name, length) == 0) {
            return true;
        }
    }
    return false;
}

/* What follows in this test is of the slice `name`; elsewhere the test is skipped here. */
static inline void slice(const char *name)
{
    if (!in_slice(name)) {
        print_message("# slice %s\n", name);
        skip();
    }
}

#endif
