/* What the quick run (make test) leaves to make test-all. */
#ifndef TESTS_SUPPORT_QUICK_H
#define TESTS_SUPPORT_QUICK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

/* For a test that takes seconds, and whose like others are. */
static inline void need_all(void)
{
    if (!getenv("BERTH_TEST_ALL")) {
        print_message("# make test-all runs it\n");
        skip();
    }
}

#endif
