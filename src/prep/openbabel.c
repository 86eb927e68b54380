#include "prep/openbabel.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "format/mol2/mol2.h"
#include "prep/process.h"

enum { OPTIONS_MAX = 30, FORMAT_SIZE = 40 };

static char NAME[] = "obabel";

/* "-iFORMAT", from what may be a user's text. */
static enum berth_status put_format_option(const char *format, char option[FORMAT_SIZE],
                                           struct berth_error *error)
{
    bool good = *format && strlen(format) + sizeof "-i" <= FORMAT_SIZE;
    for (const char *at = format; *at; at++) {
        good = good && isalnum((unsigned char)*at);
    }
    if (!good) {
        return berth_fail(error, BERTH_E_USAGE,
                          "'%.60s' is no format of Open Babel; `obabel -L formats` lists them",
                          format);
    }
    snprintf(option, FORMAT_SIZE, "-i%s", format);
    return BERTH_OK;
}

/* Starts the process.  The thread that does so must wait for it: on Linux it dies with the thread.
 */
static enum berth_status start_openbabel(const struct berth_openbabel_job *job,
                                         struct berth_process *process, struct berth_error *error)
{
    char program[PATH_MAX], format[FORMAT_SIZE];
    char *arguments[OPTIONS_MAX + 3] = {NAME};
    const char *folders = getenv("PATH");
    size_t count = 1;
    if (job->format) {
        BERTH_TRY(put_format_option(job->format, format, error));
        arguments[count++] = format;
    }
    if (job->input && job->input->failed) {
        return berth_out_of_memory(error, NULL);
    }
    for (size_t i = 0; job->options[i]; i++, count++) {
        if (i == OPTIONS_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "Open Babel: more than %d options",
                              OPTIONS_MAX);
        }
        /* execv writes to none of them, whatever its prototype says */
        memcpy(&arguments[count], &job->options[i], sizeof arguments[count]);
    }
    folders = folders ? folders : "/usr/bin:/bin";
    if (!berth_process_find(NAME, &folders, program)) {
        return berth_fail(error, BERTH_E_IO,
                          "cannot start Open Babel's obabel (%s); install it, for example with "
                          "`apt-get install openbabel`",
                          strerror(ENOENT));
    }
    const struct berth_process_setup setup = {
        .program = program,
        .arguments = arguments,
        .file = job->input && job->input->data ? (const void *)job->input->data : "",
        .size = job->input ? job->input->count : 0};
    return berth_process_start(&setup, process, error);
}

/* Says why there is no output; BERTH_OK where there is. */
static enum berth_status judge_end(const struct berth_openbabel_job *job,
                                   enum berth_exchange_end end, int result,
                                   struct berth_process *process, struct berth_error *error)
{
    BERTH_TRY(berth_exchange_judge(end, "Open Babel", job->limit, error));
    if (WIFEXITED(result) && WEXITSTATUS(result) == BERTH_PROCESS_CANNOT_START) {
        return berth_fail(error, BERTH_E_IO, "Open Babel cannot be started (is it installed?): %s",
                          berth_process_words(process, NULL));
    }
    return WIFSIGNALED(result)        ? berth_fail(error, BERTH_E_FORMAT, "Open Babel crashed: %s",
                                                   berth_process_words(process, NULL))
           : WEXITSTATUS(result) != 0 ? berth_fail(error, BERTH_E_FORMAT, "Open Babel failed: %s",
                                                   berth_process_words(process, job->silent))
                                      : BERTH_OK;
}

enum berth_status berth_openbabel_run(const struct berth_openbabel_job *job,
                                      struct berth_bytes *output, struct berth_error *error)
{
    struct berth_process process = {.id = 0};
    const size_t before = output->count;
    BERTH_TRY(start_openbabel(job, &process, error));
    const struct berth_exchange exchange = {
        .last = true, .reply = output, .limit = job->limit, .cancel = job->cancel};
    const enum berth_exchange_end end = berth_process_exchange(&process, &exchange);
    const int result = berth_process_stop(&process, end == BERTH_EXCHANGE_DONE);
    if (output->failed) {
        return berth_out_of_memory(error, NULL);
    }
    enum berth_status status = judge_end(job, end, result, &process, error);
    if (!status && job->kekulise &&
        strstr(berth_process_words(&process, NULL), "Failed to kekulize")) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "atoms are aromatic, and no single and double bonds are possible for "
                            "them: a hydrogen or a charge is missing");
    }
    if (!status && output->count == before) {
        status = berth_fail(error, BERTH_E_FORMAT, "Open Babel failed: %s",
                            berth_process_words(&process, job->silent));
    }
    return status;
}

enum berth_status berth_openbabel_read(const char *writer, const void *text, size_t size,
                                       struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_mol2_reader *reader = NULL;
    bool end = false;
    enum berth_status status = berth_mol2_reader_create_memory(writer, text, size, &reader, error);
    BERTH_THEN(berth_mol2_next(reader, molecule, &end, error));
    berth_mol2_reader_destroy(reader);
    return status || !end ? status
                          : berth_fail(error, BERTH_E_FORMAT, "%s holds no molecule", writer);
}

enum berth_status berth_openbabel_molecule(const struct berth_openbabel_job *job,
                                           struct berth_molecule *molecule,
                                           struct berth_error *error)
{
    struct berth_bytes text = {0};
    enum berth_status status = berth_openbabel_run(job, &text, error);
    BERTH_THEN(berth_openbabel_read("Open Babel's output", text.data, text.count, molecule, error));
    berth_bytes_clear(&text);
    return status;
}

enum berth_status berth_openbabel_check(struct berth_error *error)
{
    static const char *const OPTIONS[] = {"-V", NULL};
    static const double LIMIT = 60; /* seconds: a cold disk */
    const struct berth_openbabel_job job = {.options = OPTIONS, .limit = LIMIT};
    struct berth_bytes output = {0};
    const enum berth_status status = berth_openbabel_run(&job, &output, error);
    berth_bytes_clear(&output);
    return status;
}
