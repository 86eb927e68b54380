#include "cli/common.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/leftovers.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/text.h"
#include "dock/open_devices.h"
#include "format/failures.h"
#include "report/manual/manual.h"

void cli_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    berth_text_vprint(stdout, "", "", format, arguments);
    va_end(arguments);
}

/* What a line begins with; on a terminal a line that is written over may stand there. */
static const char *lead(void)
{
    return isatty(STDERR_FILENO) ? "\r\033[Kberth: " : "berth: ";
}

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    berth_text_vprint(stderr, lead(), "", format, arguments);
    va_end(arguments);
}

/* The lines of a build's log stay lines. */
static __attribute__((format(printf, 1, 2))) void say_lines(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    berth_text_vprint(stderr, lead(), "\t\n", format, arguments);
    va_end(arguments);
}

void cli_print_account(FILE *file, const char *line)
{
    enum { WHAT_MAX = 24 };
    char *shown = berth_text_escape(line, ""), what[WHAT_MAX + 4] = "  note";
    const char *text = shown ? shown : "", *colon = strstr(text, ": ");
    if (colon && colon - text <= WHAT_MAX) {
        snprintf(what, sizeof what, "  %.*s", (int)(colon - text), text);
        text = colon + 2;
    }
    berth_text_print_row(file, what, text, isatty(fileno(file)));
    free(shown);
}

/* True where nobody reads our standard output any more, as behind `| head`: no news to who left. */
static bool is_reader_gone(const struct berth_error *error)
{
    static const char OUTPUT[] = "standard output: "; /* as format/output.c calls it */
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return strncmp(error->message, OUTPUT, sizeof OUTPUT - 1) == 0 && poll(&output, 1, 0) == 1 &&
           output.revents & POLLERR;
}

int cli_fatal(const struct berth_error *error)
{
    cli_log_release();
    if (is_reader_gone(error)) {
        return CLI_FATAL;
    }
    const char *option = error->option ? error->option : "";
    const size_t size = strlen(option);
    const bool leads = size && strncmp(error->message, option, size) == 0 &&
                       error->message[size] == ':'; /* else the option stands behind */
    const char *before = leads ? "--" : "";
    const char *behind[] = {size && !leads ? " (--" : "", leads ? "" : option,
                            size && !leads ? ")" : ""};
    if (error->status == BERTH_E_DEVICE) {
        say_lines("%s%s%s%s%s", before, error->message, behind[0], behind[1], behind[2]);
    } else {
        cli_say("%s%s%s%s%s", before, error->message, behind[0], behind[1], behind[2]);
    }
    return CLI_FATAL;
}

/* What a brief log leaves out, and holds. */
static struct {
    pthread_mutex_t lock; /* any thread sends lines */
    bool brief, hold;
    size_t most, left_out;   /* notes that it still lets through; since then, those it did not */
    struct berth_bytes held; /* warnings, a 0 behind each */
} short_log = {.lock = PTHREAD_MUTEX_INITIALIZER, .most = SIZE_MAX};

void cli_log_be_brief(bool hold)
{
    short_log.brief = true;
    short_log.hold = hold;
}

void cli_log_notes_few(size_t most)
{
    short_log.most = short_log.brief ? most : SIZE_MAX;
    short_log.left_out = 0;
}

size_t cli_log_notes_all(void)
{
    short_log.most = SIZE_MAX;
    return short_log.left_out;
}

void cli_log_release(void)
{
    pthread_mutex_lock(&short_log.lock);
    struct berth_bytes held = short_log.held;
    short_log.held = (struct berth_bytes){.data = NULL};
    short_log.hold = false;
    pthread_mutex_unlock(&short_log.lock);
    for (size_t at = 0; at < held.count; at += strlen((const char *)held.data + at) + 1) {
        cli_say("%s", (const char *)held.data + at);
    }
    berth_bytes_clear(&held);
}

/* True where the line is left out, or held: one of a build's log, which has lines, is not. */
static bool keep_back(const struct berth_log_line *line, const char *lead, const char *ligand)
{
    bool kept = false;
    pthread_mutex_lock(&short_log.lock);
    if (line->level == BERTH_LOG_NOTE && short_log.brief) {
        kept = strcmp(line->kind, "detail") == 0;
        if (!kept && short_log.most == 0) {
            short_log.left_out++;
            kept = true;
        } else if (!kept && short_log.most != SIZE_MAX) {
            short_log.most--;
        }
    } else if (line->level == BERTH_LOG_WARNING && short_log.hold &&
               strcmp(line->kind, "device") != 0) {
        berth_bytes_print(&short_log.held, "%s%s%s%s", lead, ligand, *ligand ? ": " : "",
                          line->text);
        berth_bytes_put8(&short_log.held, 0);
        kept = !short_log.held.failed;
    }
    pthread_mutex_unlock(&short_log.lock);
    return kept;
}

static void take_line(void *context, const struct berth_log_line *line)
{
    static const char *const LEADS[] = {
        [BERTH_LOG_NOTE] = "", [BERTH_LOG_WARNING] = "warning: ", [BERTH_LOG_FAILURE] = "failed: "};
    (void)context;
    const bool named = line->ligand && *line->ligand && !strstr(line->text, line->ligand);
    if (keep_back(line, LEADS[line->level], named ? line->ligand : "")) {
        return;
    }
    if (strcmp(line->kind, "device") == 0) { /* a build's log has lines */
        say_lines("%s%s", LEADS[line->level], line->text);
    } else if (named) {
        cli_say("%s%s: %s", LEADS[line->level], line->ligand, line->text);
    } else {
        cli_say("%s%s", LEADS[line->level], line->text);
    }
}

const struct berth_log *cli_log(void)
{
    static const struct berth_log LOG = {take_line, NULL};
    return &LOG;
}

enum berth_status cli_devices_choose(struct berth_devices *devices, const char *text,
                                     struct berth_error *error)
{
    BERTH_TRY(berth_devices_look(text, cli_log(), devices, error));
    return berth_devices_keep(text, cli_log(), devices, error);
}

/* Names the options that change nothing, those for the same reason together. */
static void warn_of_idle(const struct berth_parsed *parsed)
{
    for (size_t i = 0; i < parsed->idle_count; i++) {
        const char *why = parsed->idle[i]->help;
        char names[1024] = "";
        size_t count = 0;
        bool told = false;
        for (size_t j = 0; j < parsed->idle_count && !told; j++) {
            if (strcmp(parsed->idle[j]->help, why) == 0) {
                told = j < i;
                berth_text_append(names, sizeof names, "%s--%s", count++ ? ", " : "",
                                  parsed->idle[j]->name);
            }
        }
        if (!told) {
            cli_say("warning: %s change%s nothing: %s", names, count == 1 ? "s" : "", why);
        }
    }
}

int cli_parse(const struct cli_usage *usage, const struct berth_option *table, int argc,
              char **argv, void *values, struct berth_parsed *parsed)
{
    struct berth_error error;
    const struct berth_manual_command command = {usage->command, usage->synopsis, usage->text,
                                                 table, values};
    if (argc == 1 && berth_manual_write(argv[0], &command, stdout)) {
        return CLI_DONE;
    }
    if (berth_options_parse(table, argc, argv, values, parsed, &error)) {
        cli_fatal(&error);
        cli_say("see `berth %s -h`", usage->command);
        return CLI_FATAL;
    }
    warn_of_idle(parsed);
    return parsed->help && berth_manual_write(parsed->help, &command, stdout) ? CLI_DONE
                                                                              : CLI_GO_ON;
}

int cli_options(const struct cli_usage *usage, int argc, char **argv, struct berth_options *options)
{
    struct berth_error error;
    if (berth_options_begin(berth_run_of(usage->command), true, options, &error)) {
        return cli_fatal(&error);
    }
    return cli_parse(usage, options->rows, argc, argv, options, &options->parsed);
}

/* Does the work, once the arguments are read; the exit code. */
static int do_work(cli_work work, void *values)
{
    struct berth_error error;
    int code = CLI_DONE;
    return work(values, &code, &error) ? cli_fatal(&error) : code;
}

int cli_run(const struct cli_usage *usage, const struct berth_option *table, void *values,
            cli_work work, int argc, char **argv)
{
    struct berth_parsed parsed = {0};
    const int code = cli_parse(usage, table, argc, argv, values, &parsed);
    const int end = code == CLI_GO_ON ? do_work(work, values) : code;
    berth_parsed_clear(&parsed);
    return end;
}

int cli_run_options(const struct cli_usage *usage, cli_work work, int argc, char **argv)
{
    struct berth_options options;
    const int code = cli_options(usage, argc, argv, &options);
    const int end = code == CLI_GO_ON ? do_work(work, &options) : code;
    berth_options_clear(&options);
    return end;
}

/* True where writing one of the files would spoil the other. */
static bool files_clash(const struct cli_file *a, const struct cli_file *b)
{
    if (!a->path || !b->path || (!a->output && !b->output)) {
        return false;
    }
    if (strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0) {
        return a->output == b->output; /* "-" is two streams */
    }
    return berth_output_is_file(a->path, b->path);
}

/* Arguments without an option are in capitals, as the usage has them. */
static const char *dashes(const char *option)
{
    return isupper((unsigned char)*option) ? "" : "--";
}

enum berth_status cli_check_files(const struct cli_file *files, size_t count,
                                  struct berth_error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (files_clash(&files[i], &files[j])) {
                return berth_fail(error, BERTH_E_USAGE,
                                  "%s%s and %s%s are the same file, %s; give one another name",
                                  dashes(files[j].option), files[j].option, dashes(files[i].option),
                                  files[i].option, files[i].path);
            }
        }
    }
    enum berth_status status = BERTH_OK;
    for (size_t i = 0; !status && i < count; i++) {
        if (files[i].output && files[i].path) {
            status = berth_output_probe(files[i].path, error);
        }
    }
    return status;
}

void cli_failures_path(const char *asked, const char *output, char path[PATH_MAX])
{
    if (asked) {
        snprintf(path, PATH_MAX, "%s", asked);
    } else {
        berth_failures_path(output, path, PATH_MAX);
    }
}

/* ms: a signal that comes so soon behind the first is that one again, not an impatient user's:
 * `timeout` and batch systems send theirs to a process and then to its group. */
enum { AGAIN = 1000 };

/* Signal handlers have nothing but static memory to write to. */
static atomic_llong first_signal; /* ms, by the monotonic clock; 0: none came */
static atomic_bool caught_signal;

/* Ends the process by the signal, without what it has written in part. */
static void end_at_once(int number)
{
    const int kept = errno;
    berth_leftovers_remove();
    signal(number, SIG_DFL);
    raise(number); /* once this handler has returned */
    errno = kept;
}

static void catch_signal(int number)
{
    const int kept = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long time = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + 1;
    long long first = 0;
    if (!atomic_compare_exchange_strong(&first_signal, &first, time) && time - first >= AGAIN) {
        end_at_once(number);
    }
    atomic_store(&caught_signal, true);
    errno = kept;
}

void cli_tidy_at_signals(void)
{
    static const int NUMBERS[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = end_at_once;
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        if (sigaction(NUMBERS[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            sigaction(NUMBERS[i], &action, NULL);
        }
    }
}

void cli_catch_signals(void)
{
    struct sigaction action, hangup;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = catch_signal;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) { /* nohup */
        sigaction(SIGHUP, &action, NULL);
    }
}

/* Children get the default back, which a signal that is ignored would not give them. */
static void let_write_fail(int number)
{
    (void)number;
}

void cli_survive_limits(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = let_write_fail;
    action.sa_flags = SA_RESTART;
    sigaction(SIGXFSZ, &action, NULL);
}

const atomic_bool *cli_stop(void)
{
    return &caught_signal;
}

bool cli_interrupted(void)
{
    return atomic_load(&caught_signal);
}

int cli_end_output(int code)
{
    cli_log_release();
    errno = 0;
    const bool failed = fflush(stdout) != 0 || ferror(stdout) != 0;
    const int why = errno; /* 0: an earlier write failed */
    if (fclose(stdout) == 0 && !failed) {
        return code;
    }
    const int reason = failed ? why : errno;
    cli_say("cannot write to standard output%s%s", reason ? ": " : "",
            reason ? strerror(reason) : "");
    return CLI_FATAL;
}

void cli_leave_devices(int code)
{
    _exit(cli_end_output(code));
}

void cli_set_environment(void)
{
    /* one thread a process: the processes share the cores among themselves */
    setenv("OMP_NUM_THREADS", "1", 0);
    /* what Open Babel 3.2 takes its seed from, where it was built so; before, it is the time */
    setenv("OB_RANDOM_SEED", "1", 0);
}
