/* Faults planted into the kernels' source, so that a test can show that it notices them.
 *
 * A fault is a file tests/faults/NAME: a text of the kernels, a line "====", and what stands there
 * instead.  Programs that use this are linked with -Wl,--wrap=berth_program_create, through which
 * all kernels are built. */
#ifndef TESTS_SUPPORT_FAULTS_H
#define TESTS_SUPPORT_FAULTS_H

#include <stdbool.h>

/* From here on programs are built with these faults, names with commas between, or, with NULL,
 * without any.  False where one of them does not exist, or its file is none. */
bool faults_plant(const char *names);

/* True where programs were built with all the faults since they were planted: each must be in the
 * source of one program at least, and in none of them twice. */
bool faults_planted(void);

#endif
