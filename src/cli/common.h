/* What the commands share: exit codes, messages, and loading what most of them need. */
#ifndef BERTH_CLI_COMMON_H
#define BERTH_CLI_COMMON_H

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/log.h"
#include "base/clock.h"
#include "base/options.h"

#include "options/options.h"

struct berth_devices; /* of device/device.h */

/* Exit codes: all done; usage or fatal; finished, but some ligands failed.  (CLI_GO_ON is none:
 * see cli_parse.) */
enum { CLI_GO_ON = -1, CLI_DONE = 0, CLI_FATAL = 1, CLI_SOME_FAILED = 2 };

int cmd_dock(int argc, char **argv);
int cmd_score(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_show_kernel(int argc, char **argv);
int cmd_prep_ligands(int argc, char **argv);
int cmd_prep_receptor(int argc, char **argv);
int cmd_lib_info(int argc, char **argv);
int cmd_lib_ls(int argc, char **argv);
int cmd_lib_get(int argc, char **argv);
int cmd_lib_verify(int argc, char **argv);
int cmd_lib_merge(int argc, char **argv);
int cmd_eval_redock(int argc, char **argv);
int cmd_interactions(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_eval_poses(int argc, char **argv);
int cmd_eval_screen(int argc, char **argv);
int cmd_eval_fit(int argc, char **argv);
int cmd_screen(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_campaign(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_model_import(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_manual(int argc, char **argv);
int cmd_completion(int argc, char **argv);

/* Print a line (printf style, without its end): to standard output; to standard error, with "berth:
 * " in front.  Control characters of what is in it are shown as \xHH (see berth_text_escape):
 * whatever holds a name or a text of others is printed through these. */
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints what was said when a receptor was prepared as a row of a table: what it is about, which
 * the line begins with ("kept: ..."), and the rest beside it, wrapped on a terminal. */
void cli_print_account(FILE *file, const char *line);

/* Prints "berth: MESSAGE" to stderr, with the option that it is about as it is typed: in front
 * ("--max_clash: ..."), or behind ("... (--max_clash)"); returns CLI_FATAL. */
int cli_fatal(const struct berth_error *error);

/* A log whose lines go to stderr at once (see berth_gather for one that gathers warnings). */
const struct berth_log *cli_log(void);

/* From here on it leaves out details; hold: warnings wait for cli_log_release(), or for the error
 * or the end that comes first. */
void cli_log_be_brief(bool hold);

/* From here on a brief log lets no more than so many notes through: cli_log_notes_all() has it take
 * all again, and gives the number of those that were left out. */
void cli_log_notes_few(size_t most);
size_t cli_log_notes_all(void);

/* Says the warnings that wait; the next ones go to stderr at once. */
void cli_log_release(void);

/* Lists the devices and keeps those that text asks for (see berth_devices_keep).  Errors: those of
 * listing; BERTH_E_USAGE. */
enum berth_status cli_devices_choose(struct berth_devices *devices, const char *text,
                                     struct berth_error *error);

/* The head of a command's help: usage, and what it does. */
struct cli_usage {
    const char *command, *synopsis, *text;
};

/* Reads the arguments into values (which hold the defaults).  Returns CLI_GO_ON, or the command's
 * exit code after -h or an error, which were printed.  The caller clears *parsed either way. */
int cli_parse(const struct cli_usage *usage, const struct berth_option *table, int argc,
              char **argv, void *values, struct berth_parsed *parsed);

/* The same of a run (options/options.h), whose command the usage names.  The caller clears *options
 * either way. */
int cli_options(const struct cli_usage *usage, int argc, char **argv,
                struct berth_options *options);

/* What a command does with its values; *code: its exit code where nothing fails, CLI_DONE unless it
 * is set. */
typedef enum berth_status (*cli_work)(void *values, int *code, struct berth_error *error);

/* A whole command: reads its arguments, does its work, says what failed.  Returns its exit code. */
int cli_run(const struct cli_usage *usage, const struct berth_option *table, void *values,
            cli_work work, int argc, char **argv);

/* The same of a run; values are its options. */
int cli_run_options(const struct cli_usage *usage, cli_work work, int argc, char **argv);

/* A file that a command reads or writes, by the option that names it. */
struct cli_file {
    const char *option, *path; /* borrowed; path NULL: not given */
    bool output;
};

/* BERTH_E_USAGE where an output is also another output or an input; BERTH_E_IO where one could not
 * be written (see berth_output_probe). */
enum berth_status cli_check_files(const struct cli_file *files, size_t count,
                                  struct berth_error *error);

/* The file of the failures: the one that was asked for, or, where that is NULL, beside the output.
 */
void cli_failures_path(const char *asked, const char *output, char path[PATH_MAX]);

/* From here on signals that end the process have what it has written in part removed first
 * (base/leftovers.h). */
void cli_tidy_at_signals(void);

/* From here on SIGINT, SIGTERM and SIGHUP ask for an orderly end (a second one, a second or more
 * later, kills), and a reader that closes our standard output does not.  SIGHUP stays ignored where
 * it is. */
void cli_catch_signals(void);

/* From here on a write beyond the limit on the size of files fails, and does not kill. */
void cli_survive_limits(void);

/* What becomes true once a signal asked for the end: for readers that may wait. */
const atomic_bool *cli_stop(void);

/* True once a signal asked for the end. */
bool cli_interrupted(void);

/* Sets what Open Babel's processes are to find in their environment, where it is not set. */
void cli_set_environment(void);

/* Closes standard output.  Gives the code, or CLI_FATAL where not all of it could be written, which
 * is said. */
int cli_end_output(int code);

/* Ends the process, standard output closed, without waiting for devices that hang or are at work,
 * as drivers would. */
void cli_leave_devices(int code);

#endif
