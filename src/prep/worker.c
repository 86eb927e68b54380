#include "prep/worker.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/memory.h"

const struct berth_python_program BERTH_RDKIT = {berth_embedded_worker, "RDKit", "rdkit",
                                                 "no python3 of PATH has RDKit; install it, for "
                                                 "example with `apt-get install python3-rdkit`"};

/* Seconds to start Python and import RDKit, from a cold disk of a network: of processor time and at
 * most by the clock; where a molecule has little, the clock allows what that may take, but this. */
static const double START_LIMIT = 60, START_LEAST = 20;

/* Seconds of processor time for the molecules that are built on trial: one or two will do. */
static const double EXAMINE_LIMIT = 60;

struct berth_worker {
    struct berth_worker_setup setup;
    struct berth_process process; /* zeroed: not started */
    char python[PATH_MAX];
    bool broken; /* it did not start, and not for want of what the program needs */
};

/* --- Frames --- */

static void put_request(struct berth_bytes *bytes, const struct berth_field *fields, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += 4 + fields[i].size;
    }
    berth_bytes_put32(bytes, (uint32_t)size);
    for (size_t i = 0; i < count; i++) {
        berth_bytes_put32(bytes, (uint32_t)fields[i].size);
        berth_bytes_put(bytes, fields[i].data, fields[i].size);
    }
}

/* The program's modules, as start.py takes them. */
static void put_modules(const struct berth_python_program *program, struct berth_bytes *bytes)
{
    for (const struct berth_embedded *module = program->modules + 1; module->name; module++) {
        const struct berth_field fields[] = {{module->name, strlen(module->name)},
                                             {module->text, module->size}};
        put_request(bytes, fields, 2);
    }
    berth_bytes_put32(bytes, 0);
}

/* Cuts the frame into its fields, and puts a 0 behind each, where the next one's size was. */
static enum berth_status cut_answer(struct berth_answer *answer, struct berth_error *error)
{
    berth_bytes_put8(&answer->bytes, 0);
    struct berth_cursor cursor = berth_cursor_over(answer->bytes.data, answer->bytes.count);
    size_t capacity = 0;
    if (answer->bytes.failed) {
        return berth_out_of_memory(error, NULL);
    }
    const size_t size = berth_cursor_get32(&cursor);
    cursor.end = cursor.at + size;
    while (!cursor.failed && berth_cursor_left(&cursor)) {
        BERTH_TRY(berth_reserve(&answer->fields, &capacity, answer->count + 1,
                                sizeof *answer->fields, error));
        struct berth_field *field = &answer->fields[answer->count++];
        field->size = berth_cursor_get32(&cursor);
        field->data = berth_cursor_take(&cursor, field->size);
    }
    for (size_t i = 0; i < answer->count && !cursor.failed; i++) {
        const unsigned char *data = answer->fields[i].data;
        answer->bytes.data[(size_t)(data - answer->bytes.data) + answer->fields[i].size] = 0;
    }
    return cursor.failed || !answer->count
               ? berth_fail(error, BERTH_E_IO, "the Python worker does not speak its protocol")
               : BERTH_OK;
}

void berth_answer_clear(struct berth_answer *answer)
{
    free(answer->fields);
    berth_bytes_clear(&answer->bytes);
    memset(answer, 0, sizeof *answer);
}

enum berth_status berth_worker_bad_answer(struct berth_error *error)
{
    return berth_fail(error, BERTH_E_FORMAT,
                      "the RDKit worker gave an answer that makes no sense: a defect in berth, "
                      "please report it, with the molecule");
}

/* --- The process --- */

static enum berth_status say_no_start(struct berth_worker *worker, int result,
                                      struct berth_error *error)
{
    const struct berth_python_program *program = worker->setup.rdkit->program;
    const char *words = berth_process_words(&worker->process, NULL);
    char how[64] = "", missing[96];
    snprintf(missing, sizeof missing, "ModuleNotFoundError: No module named '%s'", program->module);
    worker->broken = WIFSIGNALED(result) || (strstr(words, "Error") && strcmp(words, missing) != 0);
    if (WIFSIGNALED(result)) {
        snprintf(how, sizeof how, " (signal %d)", WTERMSIG(result));
    }
    return berth_fail(error, BERTH_E_IO, "%s cannot start %s%s: %s", worker->setup.rdkit->python,
                      program->name, how, words);
}

/* Starts the process and reads how it introduces itself, for which it has `clock` seconds by the
 * clock; *hangs is set where these were not enough. */
static enum berth_status start_worker(struct berth_worker *worker, double clock, bool *hangs,
                                      struct berth_answer *hello, struct berth_error *error)
{
    /* its whole path as its name, too, by which Python finds its modules; execv writes to none of
     * them, whatever its prototype says */
    const struct berth_python_program *program = worker->setup.rdkit->program;
    char option[] = "-c";
    char *arguments[] = {worker->python, option, NULL, NULL};
    memcpy(&arguments[2], &program->modules[0].text, sizeof *arguments);
    const struct berth_process_setup setup = {.program = worker->setup.rdkit->python,
                                              .arguments = arguments,
                                              .memory = worker->setup.memory};
    BERTH_TRY(berth_process_start(&setup, &worker->process, error));
    struct berth_bytes modules = {0};
    put_modules(program, &modules);
    const struct berth_exchange exchange = {.data = modules.data,
                                            .size = modules.count,
                                            .reply = &hello->bytes,
                                            .limit = START_LIMIT,
                                            .clock = clock,
                                            .cancel = worker->setup.cancel};
    const enum berth_exchange_end end = modules.failed
                                            ? BERTH_EXCHANGE_FAILED
                                            : berth_process_exchange(&worker->process, &exchange);
    berth_bytes_clear(&modules);
    if (end == BERTH_EXCHANGE_DONE) {
        return cut_answer(hello, error);
    }
    const int result = berth_process_stop(&worker->process, end == BERTH_EXCHANGE_BROKEN);
    *hangs = worker->broken = end == BERTH_EXCHANGE_HANGS;
    if (*hangs) {
        return berth_fail(error, BERTH_E_IO,
                          "%s cannot start %s: it took more than %g s by the clock, and was "
                          "stopped",
                          worker->setup.rdkit->python, program->name, clock);
    }
    return end == BERTH_EXCHANGE_CANCELLED
               ? berth_fail(error, BERTH_E_IO, "%s was cancelled", program->name)
               : say_no_start(worker, result, error);
}

enum berth_status berth_worker_create(const struct berth_worker_setup *setup,
                                      struct berth_worker **worker, struct berth_error *error)
{
    BERTH_TRY(berth_make(worker, 1, sizeof **worker, NULL, error));
    (*worker)->setup = *setup;
    snprintf((*worker)->python, sizeof(*worker)->python, "%s", setup->rdkit->python);
    return BERTH_OK;
}

void berth_worker_destroy(struct berth_worker *worker)
{
    if (worker) {
        berth_process_stop(&worker->process, false);
        free(worker);
    }
}

/* --- Asking --- */

/* *killed is set where somebody else has killed the worker, which no molecule does. */
static enum berth_status say_end(struct berth_worker *worker, const struct berth_request *request,
                                 enum berth_exchange_end end, bool *killed,
                                 struct berth_error *error)
{
    const int code = errno;
    const char *name = worker->setup.rdkit->program->name;
    const int result = berth_process_stop(&worker->process, end == BERTH_EXCHANGE_BROKEN);
    *killed = end == BERTH_EXCHANGE_BROKEN && WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL;
    errno = code;
    BERTH_TRY(berth_exchange_judge(end, name, request->limit, error));
    if (*killed) {
        return berth_fail(error, BERTH_E_IO,
                          "the %s worker was killed, and so was the next: is this machine out of "
                          "memory? (fewer jobs take less)",
                          name);
    }
    return berth_fail(error, BERTH_E_FORMAT, "%s crashed: %s", name,
                      berth_process_words(&worker->process, NULL));
}

/* One try, with a worker that is started where there is none; *again is set where another may do:
 * somebody has killed it, or stopped it while it started. */
static enum berth_status ask_once(struct berth_worker *worker, const struct berth_request *request,
                                  struct berth_answer *answer, bool *again,
                                  struct berth_error *error)
{
    const double patience = BERTH_PROCESS_PATIENCE * request->limit;
    const double clock = fmin(fmax(patience, START_LEAST), START_LIMIT);
    struct berth_bytes text = {0};
    berth_answer_clear(answer);
    if (!worker->process.id) {
        const enum berth_status status = start_worker(worker, clock, again, answer, error);
        berth_answer_clear(answer);
        BERTH_TRY(status);
    }
    put_request(&text, request->fields, request->count);
    const struct berth_exchange exchange = {.data = text.data,
                                            .size = text.count,
                                            .reply = &answer->bytes,
                                            .limit = request->limit - *request->used,
                                            .cancel = worker->setup.cancel,
                                            .used = request->used};
    const enum berth_exchange_end end =
        text.failed ? BERTH_EXCHANGE_FAILED : berth_process_exchange(&worker->process, &exchange);
    berth_bytes_clear(&text);
    return end == BERTH_EXCHANGE_DONE ? cut_answer(answer, error)
                                      : say_end(worker, request, end, again, error);
}

/* What the worker says of how it went. */
static enum berth_status judge_answer(struct berth_answer *answer, struct berth_error *error)
{
    const char *how = answer->fields[0].data;
    const char *why = answer->count > 1 ? answer->fields[1].data : "";
    if (strcmp(how, "ok") == 0) {
        return BERTH_OK;
    }
    answer->dropped = strcmp(how, "dropped") == 0;
    return strcmp(how, "machine") == 0
               ? berth_fail(error, BERTH_E_IO, "the RDKit worker: %s", why)
               : berth_fail(error, BERTH_E_FORMAT, "%s%s", answer->dropped ? "dropped: " : "", why);
}

enum berth_status berth_worker_ask(struct berth_worker *worker, const struct berth_request *request,
                                   struct berth_answer *answer, struct berth_error *error)
{
    bool again = false;
    if (*request->used >= request->limit) {
        return say_end(worker, request, BERTH_EXCHANGE_LATE, &again, error);
    }
    enum berth_status status = ask_once(worker, request, answer, &again, error);
    if (again) {
        status = ask_once(worker, request, answer, &again, error);
    }
    return status ? status : judge_answer(answer, error);
}

enum berth_status berth_answer_open(const struct berth_field *field, struct berth_answer *answer,
                                    struct berth_error *error)
{
    berth_answer_clear(answer);
    berth_bytes_put32(&answer->bytes, (uint32_t)field->size);
    berth_bytes_put(&answer->bytes, field->data, field->size);
    BERTH_TRY(cut_answer(answer, error));
    return judge_answer(answer, error);
}

/* --- Finding Python --- */

/* True where this Python has what the program needs, which then runs.  Else *why says why not,
 * unless that is set already: *broken, since one that was tried before has it and does not start.
 */
static bool try_python(struct berth_worker *worker, struct berth_rdkit *rdkit, bool *broken,
                       struct berth_error *why)
{
    struct berth_error error;
    struct berth_answer hello = {0};
    bool hangs = false;
    snprintf(worker->python, sizeof worker->python, "%s", rdkit->python);
    const bool good = !start_worker(worker, START_LIMIT, &hangs, &hello, &error) && hello.count > 1;
    if (good) {
        snprintf(rdkit->version, sizeof rdkit->version, "%s", (const char *)hello.fields[1].data);
    } else if (!*broken) {
        *why = error;
        *broken = worker->broken;
    }
    berth_answer_clear(&hello);
    if (!good) {
        berth_process_stop(&worker->process, false);
    }
    return good;
}

/* Starts the worker by the first Python that will do. */
static enum berth_status start_first(const struct berth_python_program *program,
                                     struct berth_rdkit *rdkit, struct berth_worker *worker,
                                     struct berth_error *error)
{
    const char *chosen = getenv("BERTH_PYTHON"), *environment = getenv("VIRTUAL_ENV");
    const char *at = getenv("PATH");
    struct berth_error why;
    bool broken = false;
    *rdkit = (struct berth_rdkit){.program = program};
    worker->setup.rdkit = rdkit;
    if (chosen && *chosen) {
        snprintf(rdkit->python, sizeof rdkit->python, "%s", chosen);
        return try_python(worker, rdkit, &broken, &why)
                   ? BERTH_OK
                   : berth_fail(error, BERTH_E_IO, "%s", why.message);
    }
    if (environment && *environment) {
        snprintf(rdkit->python, sizeof rdkit->python, "%s/bin/python3", environment);
        if (access(rdkit->python, X_OK) == 0 && try_python(worker, rdkit, &broken, &why)) {
            return BERTH_OK;
        }
    }
    while (berth_process_find("python3", &at, rdkit->python)) {
        if (try_python(worker, rdkit, &broken, &why)) {
            return BERTH_OK;
        }
    }
    return berth_fail(error, BERTH_E_IO, "%s", broken ? why.message : program->missing);
}

enum berth_status berth_rdkit_find(struct berth_rdkit *rdkit, struct berth_error *error)
{
    struct berth_worker worker = {.broken = false};
    const enum berth_status status = start_first(&BERTH_RDKIT, rdkit, &worker, error);
    berth_process_stop(&worker.process, false);
    return status;
}

enum berth_status berth_python_start(const struct berth_python_program *program,
                                     const struct berth_worker_setup *setup,
                                     struct berth_rdkit *python, struct berth_worker **worker,
                                     struct berth_error *error)
{
    BERTH_TRY(berth_make(worker, 1, sizeof **worker, NULL, error));
    if (setup) {
        (*worker)->setup = *setup;
    }
    return start_first(program, python, *worker, error);
}

enum berth_status berth_rdkit_examine(const struct berth_rdkit *rdkit,
                                      struct berth_beside_rdkit *beside, struct berth_error *error)
{
    const struct berth_worker_setup setup = {.rdkit = rdkit};
    struct berth_worker *worker = NULL;
    struct berth_answer answer = {0};
    double used = 0;
    const struct berth_request request = {.fields = {berth_text_field("examine"), {"", 0}},
                                          .count = 2,
                                          .limit = EXAMINE_LIMIT,
                                          .used = &used};
    enum berth_status status = berth_worker_create(&setup, &worker, error);
    BERTH_THEN(berth_worker_ask(worker, &request, &answer, error));
    if (!status && answer.count != 4) {
        status = berth_worker_bad_answer(error);
    }
    snprintf(beside->gemmi, sizeof beside->gemmi, "%s",
             status ? "" : (const char *)answer.fields[2].data);
    snprintf(beside->network, sizeof beside->network, "%s",
             status ? "" : (const char *)answer.fields[3].data);
    berth_answer_clear(&answer);
    berth_worker_destroy(worker);
    return status;
}
