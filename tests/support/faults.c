#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/program.h"

enum { FAULTS_MAX = 8, FAULT_MAX = 4096 };

/* A fault, as texts of its file. */
struct fault {
    char old[FAULT_MAX], *new;
    bool planted;
};

static struct fault faults[FAULTS_MAX];
static size_t count;

static bool read_fault(const char *name, struct fault *fault)
{
    static const char SEPARATOR[] = "====\n";
    char path[256];
    snprintf(path, sizeof path, "tests/faults/%s", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    fault->planted = false;
    fault->old[fread(fault->old, 1, sizeof fault->old - 1, file)] = '\0';
    fclose(file);
    fault->new = strstr(fault->old, SEPARATOR);
    if (!fault->new || fault->new == fault->old) {
        return false;
    }
    *fault->new = '\0';
    fault->new += sizeof SEPARATOR - 1;
    return true;
}

bool faults_plant(const char *names)
{
    char name[64];
    int length;
    count = 0;
    for (const char *at = names ? names : ""; sscanf(at, "%63[^,]%n", name, &length) == 1;) {
        if (count == FAULTS_MAX || !read_fault(name, &faults[count])) {
            count = 0;
            return false;
        }
        count++;
        at += length + (at[length] == ',');
    }
    return true;
}

bool faults_planted(void)
{
    bool all = count != 0;
    for (size_t i = 0; i < count; i++) {
        all = all && faults[i].planted;
    }
    return all;
}

enum berth_status __real_berth_program_create(struct berth_context *context, const char *source,
                                              const char *options, struct berth_program **program,
                                              struct berth_error *error);
enum berth_status __wrap_berth_program_create(struct berth_context *context, const char *source,
                                              const char *options, struct berth_program **program,
                                              struct berth_error *error);

/* Plants a fault where its text is in the source (owned, and given back larger). */
static enum berth_status plant(struct fault *fault, char **source, struct berth_error *error)
{
    const char *at = strstr(*source, fault->old);
    if (!at) {
        return BERTH_OK;
    }
    if (strstr(at + 1, fault->old)) {
        return berth_fail(error, BERTH_E_USAGE, "the fault's text is twice in the source");
    }
    char *faulty = malloc(strlen(*source) + strlen(fault->new) + 1);
    if (!faulty) {
        return berth_fail(error, BERTH_E_MEMORY, "out of memory");
    }
    const size_t before = (size_t)(at - *source);
    memcpy(faulty, *source, before);
    strcpy(faulty + before, fault->new);
    strcat(faulty + before, at + strlen(fault->old));
    fault->planted = true;
    free(*source);
    *source = faulty;
    return BERTH_OK;
}

enum berth_status __wrap_berth_program_create(struct berth_context *context, const char *source,
                                              const char *options, struct berth_program **program,
                                              struct berth_error *error)
{
    char *faulty = strdup(source);
    enum berth_status status =
        faulty ? BERTH_OK : berth_fail(error, BERTH_E_MEMORY, "out of memory");
    *program = NULL;
    for (size_t i = 0; !status && i < count; i++) {
        status = plant(&faults[i], &faulty, error);
    }
    if (!status) {
        status = __real_berth_program_create(context, faulty, options, program, error);
    }
    free(faulty);
    return status;
}
