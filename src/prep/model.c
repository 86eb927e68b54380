#include "prep/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/embedded.h"
#include "base/input.h"
#include "format/output.h"
#include "prep/process.h"

/* Seconds of processor time, and bytes of memory: files have some megabytes. */
static const double LIMIT = 60;
static const size_t MEMORY = (size_t)4 << 30;

static enum berth_status find_python(char path[PATH_MAX], struct berth_error *error)
{
    const char *named = getenv("BERTH_PYTHON"), *at = getenv("PATH");
    if (named && *named) {
        snprintf(path, PATH_MAX, "%s", named);
        return BERTH_OK;
    }
    return berth_process_find("python3", &at, path)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO,
                            "no python3 is in PATH, which reads torch's files: install one, or "
                            "name it by BERTH_PYTHON");
}

/* Has Python turn the file's bytes into those of the network and, behind it, the model's text. */
static enum berth_status convert(const struct berth_bytes *file, char *network,
                                 struct berth_bytes *made, struct berth_error *error)
{
    char python[PATH_MAX], alone[] = "-I", option[] = "-c";
    BERTH_TRY(find_python(python, error));
    char *arguments[] = {python, alone, option, NULL, network, NULL};
    /* execv writes to none of them, whatever its prototype says */
    memcpy(&arguments[3], &berth_embedded_import[0].text, sizeof *arguments);
    const struct berth_process_setup setup = {.program = python,
                                              .arguments = arguments,
                                              .memory = MEMORY,
                                              .file = file->data,
                                              .size = file->count};
    const struct berth_exchange exchange = {.last = true, .reply = made, .limit = LIMIT};
    struct berth_process process = {.id = 0};
    BERTH_TRY(berth_process_start(&setup, &process, error));
    const enum berth_exchange_end end = berth_process_exchange(&process, &exchange);
    const int result = berth_process_stop(&process, end == BERTH_EXCHANGE_DONE);
    BERTH_TRY(berth_exchange_judge(end, python, LIMIT, error));
    if (WIFEXITED(result) && WEXITSTATUS(result) == BERTH_PROCESS_CANNOT_START) {
        return berth_fail(error, BERTH_E_IO, "%s cannot be started: %s", python,
                          berth_process_words(&process, NULL));
    }
    return result ? berth_fail(error, BERTH_E_FORMAT, "%s", berth_process_words(&process, NULL))
                  : BERTH_OK;
}

static enum berth_status write_file(const char *path, const void *bytes, size_t size,
                                    struct berth_error *error)
{
    struct berth_output *output;
    BERTH_TRY(berth_output_create(path, &output, error));
    berth_output_bytes(output, bytes, size);
    return berth_output_finish(output, BERTH_OK, error);
}

/* Writes both files; the one that names the other last. */
static enum berth_status write_both(const struct berth_bytes *made, const char *out,
                                    const char *network, struct berth_error *error)
{
    struct berth_cursor cursor = berth_cursor_over(made->data, made->count);
    const size_t size = berth_cursor_get32(&cursor);
    const void *bytes = berth_cursor_take(&cursor, size);
    const size_t left = berth_cursor_left(&cursor);
    const void *text = berth_cursor_take(&cursor, left);
    if (cursor.failed || !size || !left) {
        return berth_fail(error, BERTH_E_IO, "Python does not answer as it should");
    }
    BERTH_TRY(write_file(network, bytes, size, error));
    return write_file(out, text, left, error);
}

enum berth_status berth_model_import(const char *path, const char *out, struct berth_error *error)
{
    static const char ENDING[] = ".model";
    const char *base = berth_file_name(out);
    const size_t length = strlen(base), ending = sizeof ENDING - 1;
    char network[PATH_MAX], place[PATH_MAX];
    if (length <= ending || strcmp(base + length - ending, ENDING) != 0 ||
        strlen(out) + 1 >= PATH_MAX || strpbrk(base, " \t#")) {
        return berth_fail_option(error, BERTH_E_USAGE, "out",
                                 "out: a model's name ends with .model and has no blanks, not %s",
                                 out);
    }
    snprintf(network, sizeof network, "%.*s.onnx", (int)(length - ending), base);
    snprintf(place, sizeof place, "%.*s.onnx", (int)(strlen(out) - ending), out);
    struct berth_bytes file = {0}, made = {0};
    enum berth_status status = berth_input_read_any(path, &file, error);
    BERTH_THEN(convert(&file, network, &made, error));
    if (status) {
        berth_fail_in(error, path);
    }
    BERTH_THEN(write_both(&made, out, place, error));
    berth_bytes_clear(&file);
    berth_bytes_clear(&made);
    return status;
}
