/* What the commands share: exit codes, messages, and loading what most of them need. */
#ifndef BERTH_CLI_COMMON_H
#define BERTH_CLI_COMMON_H

#include <stdio.h>

#include "base/options.h"
#include "cl/device.h"
#include "io/mol2.h"
#include "io/output.h"
#include "model/forcefield.h"

/* Exit codes: all done; usage or fatal; finished, but some ligands failed.  (CLI_GO_ON is none:
 * see cli_parse.) */
enum { CLI_GO_ON = -1, CLI_DONE = 0, CLI_FATAL = 1, CLI_SOME_FAILED = 2 };

/* A command: its name, what it is for, how it is called, and its function (argc and argv behind
 * the command's name; returns an exit code). */
struct cli_command {
    const char *name, *purpose;
    int (*run)(int argc, char **argv);
};

int cmd_dock(int argc, char **argv);
int cmd_score(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_bench(int argc, char **argv);

/* Prints "berth: MESSAGE" to stderr; returns CLI_FATAL. */
int cli_fatal(const struct berth_error *error);

/* A log whose warnings go to stderr. */
struct berth_log cli_log(void);

/* The head of a command's help: usage, and what it does. */
struct cli_usage {
    const char *command, *synopsis, *text;
};

/* Reads the arguments into values (which hold the defaults).  Returns CLI_GO_ON, or the command's
 * exit code after -h or an error, which were printed.  The caller clears *parsed either way. */
int cli_parse(const struct cli_usage *usage, const struct berth_option *table, int argc,
              char **argv, void *values, struct berth_parsed *parsed);

/* A receptor with its forcefield. */
struct cli_receptor {
    struct berth_forcefield forcefield;
    struct berth_molecule molecule;
    struct berth_heavy_atoms heavy;
};

/* Reads forcefield (NULL: the built-in one) and receptor, and types it.  The caller clears
 * *receptor.  Errors: as the readers; BERTH_E_FORMAT for a receptor without heavy atoms. */
enum berth_status cli_receptor_read(const char *forcefield, const char *path,
                                    struct cli_receptor *receptor, struct berth_error *error);

void cli_receptor_clear(struct cli_receptor *receptor);

/* The failures file: a row for each ligand that failed. */
struct cli_failures {
    struct berth_output *output; /* owned; NULL: rows go to stderr only */
    size_t count;
};

/* Starts the file at path (NULL: none).  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status cli_failures_create(const char *path, struct cli_failures *failures,
                                      struct berth_error *error);

/* Adds a row, and prints it to stderr: ligand may be NULL where its name is not known. */
void cli_failures_add(struct cli_failures *failures, const char *ligand,
                      const struct berth_error *why);

/* What a command that reads molecules one by one needs. */
struct cli_source {
    struct berth_mol2_reader *reader;
    const char *path;                          /* borrowed; of the file being read */
    const struct berth_forcefield *forcefield; /* borrowed */
    struct cli_failures *failures;             /* borrowed */
    size_t read;                               /* molecules that came out right so far */
};

/* A file that a command reads or writes, by the option that names it. */
struct cli_file {
    const char *option, *path; /* borrowed; path NULL: not given */
    bool output;
};

/* BERTH_E_USAGE where an output is also another output or an input. */
enum berth_status cli_check_files(const struct cli_file *files, size_t count,
                                  struct berth_error *error);

/* The next molecule that can be read and typed, and its heavy atoms; those that cannot are rows of
 * the failures.  *end at the end of the file.  The caller clears molecule and heavy.  Errors: a
 * file that cannot be read and gave no molecule at all; BERTH_E_MEMORY. */
enum berth_status cli_source_next(struct cli_source *source, struct berth_molecule *molecule,
                                  struct berth_heavy_atoms *heavy, bool *end,
                                  struct berth_error *error);

/* From here on SIGINT and SIGTERM ask for an orderly end (a second one kills), and a reader that
 * closes our standard output does not. */
void cli_catch_signals(void);

/* BERTH_E_USAGE once a signal asked for the end. */
enum berth_status cli_check_signals(struct berth_error *error);

/* Seconds of a clock that only goes forward. */
double cli_now(void);

#endif
