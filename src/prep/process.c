#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2, memfd_create */
#endif
#include "prep/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

enum { BLOCK = 1 << 16, GLANCE = 20 /* ms between looks at the clocks */ };

/* Seconds for a process that has closed its output to end. */
static const double GRACE = 10;

/* Both ends of the three pipes, [0] to read from and [1] to write to. */
struct pipes {
    int input[2], output[2], errors[2];
};

bool berth_process_find(const char *name, const char **at, char path[PATH_MAX])
{
    while (*at) {
        const char *folder = *at;
        const size_t size = strcspn(folder, ":");
        struct stat facts;
        const int length =
            snprintf(path, PATH_MAX, "%.*s%s%s", (int)size, folder, size ? "/" : "", name);
        *at = folder[size] ? folder + size + 1 : NULL;
        if (length < PATH_MAX && stat(path, &facts) == 0 && S_ISREG(facts.st_mode) &&
            access(path, X_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* --- Starting --- */

/* No other process may inherit it, which would keep it open. */
static bool open_pipe(int ends[2])
{
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC) == 0;
#else
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
#endif
}

static void close_end(int *end)
{
    if (*end >= 0) {
        close(*end);
    }
    *end = -1;
}

static void close_pipes(struct pipes *pipes)
{
    int *const all[] = {pipes->input, pipes->output, pipes->errors};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        close_end(&all[i][0]);
        close_end(&all[i][1]);
    }
}

/* The child, behind the fork: nothing but what a signal handler may call.  A group of its own, so
 * that it is killed with what it starts; and it dies with its parent, also one that died just now.
 */
_Noreturn static void become(const struct berth_process_setup *setup, const struct pipes *pipes,
                             pid_t parent)
{
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const struct rlimit memory = {(rlim_t)setup->memory, (rlim_t)setup->memory};
    if (getppid() == parent && dup2(pipes->input[0], STDIN_FILENO) >= 0 &&
        dup2(pipes->output[1], STDOUT_FILENO) >= 0 && dup2(pipes->errors[1], STDERR_FILENO) >= 0 &&
        (!setup->memory || setrlimit(RLIMIT_AS, &memory) == 0)) {
        execv(setup->program, setup->arguments);
    }
    _exit(BERTH_PROCESS_CANNOT_START);
}

/* A file without a name; -1 and errno where there can be none. */
static int open_file(void)
{
#ifdef __linux__
    return memfd_create("berth", MFD_CLOEXEC);
#else
    FILE *file = tmpfile();
    const int made = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
    if (file) {
        fclose(file);
    }
    return made;
#endif
}

/* Fills *file with what the process is to read. */
static bool write_file(const struct berth_process_setup *setup, int *file)
{
    size_t done = 0;
    *file = open_file();
    while (*file >= 0 && done < setup->size) {
        const ssize_t put = write(*file, (const char *)setup->file + done, setup->size - done);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    return *file >= 0 && lseek(*file, 0, SEEK_SET) == 0;
}

enum berth_status berth_process_start(const struct berth_process_setup *setup,
                                      struct berth_process *process, struct berth_error *error)
{
    struct pipes pipes = {{-1, -1}, {-1, -1}, {-1, -1}};
    *process = (struct berth_process){.id = 0};
    const pid_t parent = getpid();
    bool good = (setup->file ? write_file(setup, &pipes.input[0]) : open_pipe(pipes.input)) &&
                open_pipe(pipes.output) && open_pipe(pipes.errors);
    if (good) {
        process->id = fork();
        good = process->id >= 0;
    }
    if (good && process->id == 0) {
        become(setup, &pipes, parent);
    }
    if (!good) {
        const int code = errno;
        close_pipes(&pipes);
        process->id = 0;
        return berth_fail(error, BERTH_E_IO, "cannot start %s: %s", setup->program, strerror(code));
    }
    setpgid(process->id, process->id); /* both do it, since either may be first */
    process->input = pipes.input[1];
    process->output = pipes.output[0];
    process->errors = pipes.errors[0];
    pipes.input[1] = pipes.output[0] = pipes.errors[0] = -1;
    close_pipes(&pipes);
    if (process->input >= 0) { /* it may be writing, too, and not reading */
        fcntl(process->input, F_SETFL, O_NONBLOCK);
    }
    fcntl(process->errors, F_SETFL, O_NONBLOCK);
    return BERTH_OK;
}

/* --- Speaking --- */

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

/* Reads what is there of its standard error, of which the end is kept. */
static void read_words(struct berth_process *process)
{
    char block[BERTH_PROCESS_WORDS / 2];
    ssize_t got;
    while (process->errors >= 0 && (got = read(process->errors, block, sizeof block)) != 0) {
        if (got < 0) {
            return; /* nothing for now */
        }
        const size_t size = (size_t)got, kept = sizeof process->errors_text - 1 - size;
        if (process->errors_size > kept) {
            memmove(process->errors_text, process->errors_text + process->errors_size - kept, kept);
            process->errors_size = kept;
        }
        memcpy(process->errors_text + process->errors_size, block, size);
        process->errors_size += size;
    }
    close_end(&process->errors);
}

const char *berth_process_words(struct berth_process *process, const char *silent)
{
    const char *words = silent ? silent : "it said nothing";
    process->errors_text[process->errors_size] = '\0';
    char *rest = process->errors_text;
    for (char *line = strtok_r(rest, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        if (strspn(line, " \t=*") != strlen(line) && !strstr(line, " converted")) {
            words = line + strspn(line, " \t");
        }
    }
    return words;
}

/* Writes what the pipe takes; false once nobody reads.  The signal of that is not for our program:
 * it is taken back. */
static bool send_some(struct berth_process *process, const struct berth_exchange *exchange,
                      size_t *sent)
{
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t put =
        write(process->input, (const char *)exchange->data + *sent, exchange->size - *sent);
    const int code = put < 0 ? errno : 0;
    const bool there = sigismember(&pending, SIGPIPE);
    sigpending(&pending);
    if (code == EPIPE && !there && sigismember(&pending, SIGPIPE)) {
        int taken;
        sigwait(&broken, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *sent += put > 0 ? (size_t)put : 0;
    errno = code;
    return put >= 0 || code == EAGAIN || code == EINTR;
}

/* True where the reply is a whole frame. */
static bool is_whole(const struct berth_bytes *reply, size_t before)
{
    struct berth_cursor cursor = berth_cursor_over(reply->data, reply->count);
    berth_cursor_take(&cursor, before);
    const uint32_t size = berth_cursor_get32(&cursor);
    return !cursor.failed && berth_cursor_left(&cursor) >= size;
}

/* What is left of an exchange. */
struct dialogue {
    const struct berth_exchange *exchange;
    size_t before, sent;
    clockid_t clock;
    bool clocked;
    double begin, used; /* by the clock; of processor time, as it was at first, s */
};

static struct dialogue begin(const struct berth_process *process,
                             const struct berth_exchange *exchange)
{
    struct dialogue dialogue = {.exchange = exchange, .before = exchange->reply->count};
    dialogue.clocked = clock_getcpuclockid(process->id, &dialogue.clock) == 0;
    dialogue.begin = seconds_of(CLOCK_MONOTONIC);
    dialogue.used = dialogue.clocked ? seconds_of(dialogue.clock) : 0;
    return dialogue;
}

/* BERTH_EXCHANGE_DONE: it may go on. */
static enum berth_exchange_end look_at_clocks(const struct dialogue *dialogue)
{
    const struct berth_exchange *exchange = dialogue->exchange;
    const double used = dialogue->clocked ? seconds_of(dialogue->clock) - dialogue->used : 0;
    const double passed = seconds_of(CLOCK_MONOTONIC) - dialogue->begin;
    const double most =
        exchange->clock > 0 ? exchange->clock : BERTH_PROCESS_PATIENCE * exchange->limit;
    if (exchange->cancel && atomic_load(exchange->cancel)) {
        return BERTH_EXCHANGE_CANCELLED;
    }
    return used > exchange->limit ? BERTH_EXCHANGE_LATE
           : passed > most        ? BERTH_EXCHANGE_HANGS
                                  : BERTH_EXCHANGE_DONE;
}

/* Sends and reads what can be without waiting; *over is set where *end is how the exchange ends. */
static void move_some(struct berth_process *process, struct dialogue *dialogue,
                      const struct pollfd ready[3], bool *over, enum berth_exchange_end *end)
{
    const struct berth_exchange *exchange = dialogue->exchange;
    unsigned char block[BLOCK];
    if (ready[1].revents) {
        const ssize_t got = read(process->output, block, sizeof block);
        if (got > 0) {
            berth_bytes_put(exchange->reply, block, (size_t)got);
        }
        *over = got == 0 || (got < 0 && errno != EINTR) || exchange->reply->failed ||
                (!exchange->last && is_whole(exchange->reply, dialogue->before));
        *end = got < 0 || exchange->reply->failed ? BERTH_EXCHANGE_FAILED
               : got == 0 && !exchange->last      ? BERTH_EXCHANGE_BROKEN
                                                  : BERTH_EXCHANGE_DONE;
    }
    /* where nobody reads on, its output has ended, or will */
    if (ready[0].revents && !send_some(process, exchange, &dialogue->sent)) {
        dialogue->sent = exchange->size;
    }
    read_words(process);
}

enum berth_exchange_end berth_process_exchange(struct berth_process *process,
                                               const struct berth_exchange *exchange)
{
    struct dialogue dialogue = begin(process, exchange);
    enum berth_exchange_end end = BERTH_EXCHANGE_DONE;
    bool over = false;
    while (!over) {
        const bool sending = process->input >= 0 && dialogue.sent < exchange->size;
        struct pollfd ready[3] = {{sending ? process->input : -1, POLLOUT, 0},
                                  {process->output, POLLIN, 0},
                                  {process->errors, POLLIN, 0}};
        if (poll(ready, 3, GLANCE) < 0 && errno != EINTR) {
            return BERTH_EXCHANGE_FAILED;
        }
        move_some(process, &dialogue, ready, &over, &end);
        if (!over) {
            end = look_at_clocks(&dialogue);
            over = end != BERTH_EXCHANGE_DONE;
        }
    }
    if (exchange->used && dialogue.clocked) {
        *exchange->used += seconds_of(dialogue.clock) - dialogue.used;
    }
    return end;
}

enum berth_status berth_exchange_judge(enum berth_exchange_end end, const char *who, double limit,
                                       struct berth_error *error)
{
    switch (end) {
    case BERTH_EXCHANGE_LATE:
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s took more than %g s of processor time and was stopped", who, limit);
    case BERTH_EXCHANGE_HANGS:
        return berth_fail(error, BERTH_E_FORMAT,
                          "%s took more than %g s by the clock and was stopped", who,
                          BERTH_PROCESS_PATIENCE * limit);
    case BERTH_EXCHANGE_CANCELLED:
        return berth_fail(error, BERTH_E_IO, "%s was cancelled", who);
    case BERTH_EXCHANGE_FAILED:
        return berth_fail(error, BERTH_E_IO, "cannot speak with %s: %s", who, strerror(errno));
    default:
        return BERTH_OK;
    }
}

/* --- Ending --- */

/* Waits until it has ended, or GRACE is over. */
static bool has_ended(const struct berth_process *process, int *result)
{
    const double begin = seconds_of(CLOCK_MONOTONIC);
    pid_t ended = 0;
    while (ended == 0 && seconds_of(CLOCK_MONOTONIC) - begin < GRACE) {
        ended = waitpid(process->id, result, WNOHANG);
        if (ended == 0) {
            const struct timespec moment = {0, 1000000};
            nanosleep(&moment, NULL);
        }
    }
    return ended == process->id;
}

int berth_process_stop(struct berth_process *process, bool wait)
{
    int result = 0;
    if (process->id > 0) {
        if (!wait || !has_ended(process, &result)) {
            kill(-process->id, SIGKILL);
            while (waitpid(process->id, &result, 0) < 0 && errno == EINTR) {
            }
        }
        read_words(process);
        close_end(&process->input);
        close_end(&process->output);
        close_end(&process->errors);
        process->id = 0;
    }
    return result;
}
