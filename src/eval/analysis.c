#include "eval/analysis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "format/output.h"

static const struct berth_python_program PROGRAM = {berth_embedded_analysis, "NumPy", "numpy",
                                                    "no python3 of PATH has NumPy"};

/* --- Requests --- */

void berth_request_put(struct berth_bytes *request, const char *name, const void *data, size_t size)
{
    berth_bytes_put32(request, (uint32_t)strlen(name));
    berth_bytes_put(request, name, strlen(name));
    berth_bytes_put32(request, (uint32_t)size);
    berth_bytes_put(request, data, size);
    request->failed = request->failed || size > UINT32_MAX;
}

void berth_request_put_bytes(struct berth_bytes *request, const char *name,
                             const struct berth_bytes *bytes)
{
    berth_request_put(request, name, bytes->data, bytes->count);
    request->failed = request->failed || bytes->failed;
}

void berth_request_put_text(struct berth_bytes *request, const char *name, const char *text)
{
    if (text) {
        berth_request_put(request, name, text, strlen(text));
    }
}

void berth_request_put_number(struct berth_bytes *request, const char *name, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    berth_request_put_text(request, name, text);
}

void berth_column_put(struct berth_bytes *column, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    berth_bytes_put64(column, bits);
}

/* --- Asking --- */

enum berth_status berth_analysis_open(struct berth_analysis *analysis, struct berth_error *error)
{
    struct berth_error why;
    analysis->worker = NULL;
    return berth_python_start(&PROGRAM, NULL, &analysis->python, &analysis->worker, &why)
               ? berth_fail(error, why.status,
                            "%s; evaluations need it: `apt-get install python3-numpy` or `pip "
                            "install numpy`, or BERTH_PYTHON, which names a Python that has it",
                            why.message)
               : BERTH_OK;
}

void berth_analysis_close(struct berth_analysis *analysis)
{
    berth_worker_destroy(analysis->worker);
}

enum berth_status berth_analysis_ask(struct berth_analysis *analysis, const char *operation,
                                     const struct berth_bytes *request, struct berth_answer *answer,
                                     struct berth_error *error)
{
    static const double LIMIT = 1e9; /* s: as long as it takes */
    double used = 0;
    const struct berth_request frame = {
        .fields = {berth_text_field(operation), {request->data, request->count}},
        .count = 2,
        .limit = LIMIT,
        .used = &used};
    if (request->failed || request->count > UINT32_MAX - 64) {
        return berth_out_of_memory(error, "more than 4 GiB of results");
    }
    BERTH_TRY(berth_worker_ask(analysis->worker, &frame, answer, error));
    if (answer->count == 4 && strcmp(answer->fields[1].data, "refused") == 0) {
        const char *option = answer->fields[3].data;
        return berth_fail_option(error, BERTH_E_USAGE,
                                 strcmp(option, "states") == 0 ? "states" : NULL, "%s",
                                 (const char *)answer->fields[2].data);
    }
    return answer->count % 2 == 0
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO, "NumPy gave an answer that makes no sense");
}

enum berth_status berth_analyse(const char *operation, const struct berth_bytes *request,
                                struct berth_answer *answer, struct berth_error *error)
{
    struct berth_analysis analysis;
    enum berth_status status = berth_analysis_open(&analysis, error);
    BERTH_THEN(berth_analysis_ask(&analysis, operation, request, answer, error));
    berth_analysis_close(&analysis);
    return status;
}

/* --- Answers: behind "ok" and "done" a file's name and its text, and so on --- */

size_t berth_analysis_find(const struct berth_answer *answer, const char *name)
{
    for (size_t i = 2; i + 1 < answer->count; i += 2) {
        if (strcmp(answer->fields[i].data, name) == 0) {
            return i + 1;
        }
    }
    return SIZE_MAX;
}

enum berth_status berth_analysis_write_text(const struct berth_field *text, const char *path,
                                            struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(path, &output, error));
    berth_output_bytes(output, text->data, text->size);
    return berth_output_commit(output, error);
}

enum berth_status berth_analysis_write(const struct berth_answer *answer, const char *folder,
                                       struct berth_error *error)
{
    char path[PATH_MAX];
    BERTH_TRY(berth_folder_make(folder, error));
    for (size_t i = 2; i + 1 < answer->count; i += 2) {
        BERTH_TRY(berth_path_in(folder, answer->fields[i].data, path, sizeof path, error));
        BERTH_TRY(berth_analysis_write_text(&answer->fields[i + 1], path, error));
    }
    return BERTH_OK;
}
