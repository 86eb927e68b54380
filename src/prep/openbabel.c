#include "prep/openbabel.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { OPTIONS_MAX = 30, FORMAT_SIZE = 40, CANNOT_START = 127 };

static char NAME[] = "obabel";

/* The process's three streams: files without names, so that no pipe can fill up. */
struct streams {
    FILE *input, *output, *errors;
};

static void close_streams(struct streams *streams)
{
    FILE *const all[] = {streams->input, streams->output, streams->errors};
    for (size_t i = 0; i < 3; i++) {
        if (all[i]) {
            fclose(all[i]);
        }
    }
}

static enum berth_status open_streams(const struct berth_openbabel_job *job,
                                      struct streams *streams, struct berth_error *error)
{
    *streams = (struct streams){tmpfile(), tmpfile(), tmpfile()};
    if (!streams->input || !streams->output || !streams->errors ||
        /* a job that reads a file has no input, and fwrite must not be given a null pointer */
        (job->input_size > 0 &&
         fwrite(job->input, 1, job->input_size, streams->input) != job->input_size) ||
        fflush(streams->input) != 0 || fseek(streams->input, 0, SEEK_SET) != 0) {
        return berth_fail(error, BERTH_E_IO, "cannot write a temporary file for Open Babel: %s",
                          strerror(errno));
    }
    return BERTH_OK;
}

/* The program's path, by PATH: errno where there is none. */
static int find_program(char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : "/usr/bin:/bin"; at;) {
        const size_t size = strcspn(at, ":");
        struct stat facts;
        const int length =
            snprintf(path, PATH_MAX, "%.*s%s%s", (int)size, at, size ? "/" : "", NAME);
        if (length < PATH_MAX && stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
            access(path, X_OK) == 0) {
            return 0;
        }
        at = at[size] ? at + size + 1 : NULL;
    }
    return ENOENT;
}

/* "-iFORMAT", from what may be a user's text. */
static enum berth_status put_format(const char *format, char option[FORMAT_SIZE],
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

/* The child, behind the fork: nothing but what a signal handler may call.  A group of its own, so
 * that it is killed with what it starts; and it dies with its parent, also one that died just now.
 */
_Noreturn static void become(const char *program, char *const *arguments,
                             const struct streams *streams, pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() == parent && dup2(fileno(streams->input), STDIN_FILENO) >= 0 &&
        dup2(fileno(streams->output), STDOUT_FILENO) >= 0 &&
        dup2(fileno(streams->errors), STDERR_FILENO) >= 0) {
        execv(program, arguments);
    }
    _exit(CANNOT_START);
}

/* Starts the process.  The thread that does so must wait for it: on Linux it dies with the thread.
 */
static enum berth_status start(const struct berth_openbabel_job *job, const struct streams *streams,
                               pid_t *process, struct berth_error *error)
{
    char program[PATH_MAX], format[FORMAT_SIZE];
    char *arguments[OPTIONS_MAX + 3] = {NAME};
    size_t count = 1;
    if (job->format) {
        const enum berth_status status = put_format(job->format, format, error);
        if (status) {
            return status;
        }
        arguments[count++] = format;
    }
    for (size_t i = 0; job->options[i]; i++, count++) {
        if (i == OPTIONS_MAX) {
            return berth_fail(error, BERTH_E_USAGE, "Open Babel: more than %d options",
                              OPTIONS_MAX);
        }
        /* execv writes to none of them, whatever its prototype says */
        memcpy(&arguments[count], &job->options[i], sizeof arguments[count]);
    }
    int code = find_program(program);
    if (!code) {
        const pid_t parent = getpid();
        *process = fork();
        if (*process == 0) {
            become(program, arguments, streams, parent);
        }
        code = *process < 0 ? errno : 0;
    }
    if (code) {
        return berth_fail(error, BERTH_E_IO,
                          "cannot start Open Babel's obabel (%s); install it, for example with "
                          "`apt-get install openbabel`",
                          strerror(code));
    }
    setpgid(*process, *process); /* both do it, since either may be first */
    return BERTH_OK;
}

static enum berth_status stop(pid_t process, int *result, const char *why,
                              struct berth_error *error)
{
    kill(-process, SIGKILL);
    waitpid(process, result, 0);
    return berth_fail(error, BERTH_E_IO, "Open Babel %s and was stopped", why);
}

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

/* Waits for the process, and kills it behind the limit. */
static enum berth_status wait_for(pid_t process, const struct berth_openbabel_job *job, int *result,
                                  struct berth_error *error)
{
    clockid_t clock;
    const bool clocked = clock_getcpuclockid(process, &clock) == 0;
    const double begin = seconds_of(CLOCK_MONOTONIC);
    double used = 0, added = 0;
    for (;;) {
        const pid_t ended = waitpid(process, result, WNOHANG);
        if (ended == process) {
            return BERTH_OK;
        }
        if (ended < 0 && errno != EINTR) {
            return berth_fail(error, BERTH_E_IO, "cannot wait for Open Babel: %s", strerror(errno));
        }
        used = clocked ? seconds_of(clock) : 0;
        if (job->used && used > added) {
            *job->used += used - added;
            added = used;
        }
        const bool hangs =
            seconds_of(CLOCK_MONOTONIC) - begin > BERTH_OPENBABEL_PATIENCE * job->limit;
        if (used > job->limit || hangs) {
            char why[80];
            snprintf(why, sizeof why, "took more than %g s%s",
                     hangs ? BERTH_OPENBABEL_PATIENCE * job->limit : job->limit,
                     hangs ? " by the clock" : " of processor time");
            return stop(process, result, why, error);
        }
        if (job->cancel && atomic_load(job->cancel)) {
            return stop(process, result, "was cancelled", error);
        }
        const struct timespec moment = {0, 2000000};
        nanosleep(&moment, NULL);
    }
}

static void read_all(FILE *file, struct berth_bytes *bytes)
{
    unsigned char block[16384];
    size_t got;
    rewind(file);
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        berth_bytes_put(bytes, block, got);
    }
}

/* What the process said last, on one line. */
static void last_words(FILE *file, char *words, size_t size)
{
    char line[256];
    rewind(file);
    snprintf(words, size, "it said nothing");
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strspn(line, " \t=*") != strlen(line) && !strstr(line, "molecules converted")) {
            snprintf(words, size, "%s", line);
        }
    }
}

enum berth_status berth_openbabel_run(const struct berth_openbabel_job *job,
                                      struct berth_bytes *output, struct berth_error *error)
{
    struct streams streams;
    pid_t process = -1;
    int result = 0;
    enum berth_status status = open_streams(job, &streams, error);
    if (!status) {
        status = start(job, &streams, &process, error);
    }
    if (!status) {
        status = wait_for(process, job, &result, error);
    }
    const size_t before = output->count;
    if (!status) {
        read_all(streams.output, output);
    }
    if (!status && output->failed) {
        status = berth_fail(error, BERTH_E_MEMORY, "out of memory for Open Babel's output");
    }
    if (!status && (!WIFEXITED(result) || WEXITSTATUS(result) != 0 || output->count == before)) {
        char words[256];
        last_words(streams.errors, words, sizeof words);
        status = berth_fail(error, BERTH_E_IO, "Open Babel %s: %s",
                            WIFSIGNALED(result) ? "crashed"
                            : WEXITSTATUS(result) == CANNOT_START
                                ? "cannot be started (is it installed?)"
                                : "failed",
                            words);
    }
    close_streams(&streams);
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
