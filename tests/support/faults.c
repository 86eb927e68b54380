#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/program.h"

enum { FAULT_MAX = 4096 };

/* The fault, as texts of its file; "" where there is none. */
static char old[FAULT_MAX], *new;
static bool planted;

bool faults_plant(const char *name)
{
    static const char SEPARATOR[] = "====\n";
    char path[256];
    planted = false;
    *old = '\0';
    if (!name) {
        return true;
    }
    snprintf(path, sizeof path, "tests/faults/%s", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    old[fread(old, 1, sizeof old - 1, file)] = '\0';
    fclose(file);
    new = strstr(old, SEPARATOR);
    if (!new || new == old) {
        *old = '\0';
        return false;
    }
    *new = '\0';
    new += sizeof SEPARATOR - 1;
    return true;
}

bool faults_planted(void)
{
    return planted;
}

enum berth_status __real_berth_program_create(struct berth_context *context, const char *source,
                                              const char *options, struct berth_program **program,
                                              struct berth_error *error);
enum berth_status __wrap_berth_program_create(struct berth_context *context, const char *source,
                                              const char *options, struct berth_program **program,
                                              struct berth_error *error);

enum berth_status __wrap_berth_program_create(struct berth_context *context, const char *source,
                                              const char *options, struct berth_program **program,
                                              struct berth_error *error)
{
    const char *at = *old ? strstr(source, old) : NULL;
    if (!at) {
        return __real_berth_program_create(context, source, options, program, error);
    }
    if (strstr(at + 1, old)) {
        *program = NULL;
        return berth_fail(error, BERTH_E_USAGE, "the fault's text is twice in the source");
    }
    char *faulty = malloc(strlen(source) + strlen(new) + 1);
    if (!faulty) {
        *program = NULL;
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    const size_t before = (size_t)(at - source);
    memcpy(faulty, source, before);
    strcpy(faulty + before, new);
    strcat(faulty + before, at + strlen(old));
    planted = true;
    const enum berth_status status =
        __real_berth_program_create(context, faulty, options, program, error);
    free(faulty);
    return status;
}
