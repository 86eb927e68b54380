/* What the commands share: exit codes, messages, and loading what most of them need. */
#ifndef BERTH_CLI_COMMON_H
#define BERTH_CLI_COMMON_H

#include <stdatomic.h>
#include <stdio.h>

#include "base/options.h"
#include "cl/profile.h"
#include "cl/device.h"
#include "engine/pack.h"
#include "engine/refine.h"
#include "io/library.h"
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
int cmd_tune(int argc, char **argv);
int cmd_show_kernel(int argc, char **argv);
int cmd_prep(int argc, char **argv);
int cmd_lib(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_screen(int argc, char **argv);
int cmd_merge(int argc, char **argv);

/* Runs the command of the group ("lib") that argv[0] names, or prints what there is. */
int cli_run_one_of(const char *group, const struct cli_command *commands, int argc, char **argv);

/* Print a line (printf style, without its end): to standard output; to standard error, with "berth:
 * " in front.  Control characters of what is in it are shown as \xHH (see berth_text_escape):
 * whatever holds a name or a text of others is printed through these. */
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "berth: MESSAGE" to stderr; returns CLI_FATAL. */
int cli_fatal(const struct berth_error *error);

/* Warns of a device that is not used any more. */
void cli_warn_lost(const struct berth_error *why);

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

/* A forcefield and how it scores, as options. */
struct cli_forcefield {
    const char *path; /* NULL: built in */
    const char *scoring;
};

/* What --device takes where several may be named. */
#define CLI_DEVICES_HELP                                                                           \
    "numbers or parts of names, as `berth devices` prints them, with commas between; or all"

/* Rows of an option table; `type` has a field `forcefield` of type struct cli_forcefield. */
#define CLI_FORCEFIELD_ROWS(type)                                                                  \
    {"forcefield", BERTH_FIELD(type, forcefield.path), .argument = "FILE",                         \
     .help = "BUDE parameter file (.bhff)", .fallback = "built in: by-atom-2017"},                 \
    {                                                                                              \
        "scoring", BERTH_FIELD(type, forcefield.scoring),                                          \
            .argument = "S",                                                                       \
            .help =                                                                                \
                "what energies are: bude, the forcefield's own (kJ/mol); or plp, the piecewise "   \
                "linear potential by the hydrogen bonds that its types make (unit PLP)"            \
    }

/* Reads the forcefield, and has it score as asked.  The caller clears *forcefield.  Errors: those
 * of berth_bhff_read; BERTH_E_USAGE (no such scoring). */
enum berth_status cli_forcefield_read(const struct cli_forcefield *options,
                                      struct berth_forcefield *forcefield,
                                      struct berth_error *error);

/* The built-in forcefield, and its own scoring. */
struct cli_forcefield cli_forcefield_defaults(void);

/* The unit of its energies: "kJ/mol" or "PLP". */
const char *cli_energy_unit(const struct cli_forcefield *options);

/* A receptor with its forcefield. */
struct cli_receptor {
    struct berth_forcefield forcefield;
    struct berth_molecule molecule;
    struct berth_heavy_atoms heavy;
    bool has_site; /* a .brec file may bring one: */
    struct berth_site site;
};

/* Reads forcefield and receptor (Mol2, or a receptor file that `berth prep` made, told by its
 * content), and types it.  The caller clears *receptor.  Errors: as the readers; BERTH_E_FORMAT for
 * a receptor without heavy atoms. */
enum berth_status cli_receptor_read(const struct cli_forcefield *forcefield, const char *path,
                                    struct cli_receptor *receptor, struct berth_error *error);

void cli_receptor_clear(struct cli_receptor *receptor);

/* The failures file: a row for each ligand that failed or that a filter dropped. */
struct cli_failures {
    struct berth_output *output; /* owned; NULL: rows go to stderr only */
    size_t count, dropped;
};

/* Starts the file at path (NULL: none).  Errors: BERTH_E_IO, BERTH_E_MEMORY. */
enum berth_status cli_failures_create(const char *path, struct cli_failures *failures,
                                      struct berth_error *error);

/* Adds a row, and prints it to stderr: ligand may be NULL where its name is not known. */
void cli_failures_add(struct cli_failures *failures, const char *ligand,
                      const struct berth_error *why);

/* Adds a row for a ligand that was left out because the user asked for it: no failure. */
void cli_failures_drop(struct cli_failures *failures, const char *ligand,
                       const struct berth_error *why);

/* Adds a row that an earlier run had, without printing it. */
void cli_failures_recall(struct cli_failures *failures, const char *ligand, const char *reason,
                         bool dropped);

/* What a command that reads molecules one by one needs; the caller sets what is borrowed. */
struct cli_source {
    const char *path; /* borrowed; Mol2, or a library where it ends so (.blib) */
    const struct berth_forcefield *forcefield; /* borrowed */
    struct cli_failures *failures;             /* borrowed */
    size_t read;                               /* molecules that came out right so far */
    struct berth_mol2_reader *reader;          /* owned; NULL for a library */
    struct berth_library_reader *library;      /* owned; NULL for Mol2 */
    struct berth_library_ligand ligand;        /* whose conformers are being given */
    size_t conformer;                          /* the next one of it */
    uint64_t ordinal;                          /* of the next ligand */
};

/* Opens the file.  The caller closes *source.  Errors: as the readers. */
enum berth_status cli_source_open(struct cli_source *source, struct berth_error *error);

/* A zeroed source is accepted. */
void cli_source_close(struct cli_source *source);

/* A file that a command reads or writes, by the option that names it. */
struct cli_file {
    const char *option, *path; /* borrowed; path NULL: not given */
    bool output;
};

/* BERTH_E_USAGE where an output is also another output or an input; BERTH_E_IO where one could not
 * be written (see berth_output_probe). */
enum berth_status cli_check_files(const struct cli_file *files, size_t count,
                                  struct berth_error *error);

/* BERTH_E_IO where files of these names could not be written to the folder, or where that is
 * missing and could not be made.  For before the work is done that they are to hold. */
enum berth_status cli_check_folder(const char *folder, const char *const *names, size_t count,
                                   struct berth_error *error);

/* The next molecule that can be read and typed, and its heavy atoms; those that cannot are rows of
 * the failures.  *end at the end of the file.  The caller clears molecule and heavy.  Errors: a
 * file that cannot be read and gave no molecule at all; BERTH_E_MEMORY; those of cli_check_signals.
 */
enum berth_status cli_source_next(struct cli_source *source, struct berth_molecule *molecule,
                                  struct berth_heavy_atoms *heavy, bool *end,
                                  struct berth_error *error);

/* Strain of the conformer that cli_source_next gave last, kJ/mol above its ligand's best one; NAN
 * where it is unknown, as always for Mol2. */
double cli_source_strain(const struct cli_source *source);

/* True where the path ends as a library does (.blib). */
bool cli_is_library(const char *path);

/* The options of a refinement. */
struct cli_refine {
    long long poses, evaluations, hops;
    bool torsions;
};

struct cli_refine cli_refine_defaults(void);

/* The settings for it; of each conformer's poses at most `most` are refined. */
struct berth_refine_settings cli_refine_settings(const struct cli_refine *refine, size_t most);

/* BERTH_E_USAGE where Open Babel's builder of 3D coordinates is none that we use. */
enum berth_status cli_check_builder(const char *builder, struct berth_error *error);

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

/* BERTH_E_USAGE once a signal asked for the end. */
enum berth_status cli_check_signals(struct berth_error *error);

/* Closes standard output.  Gives the code, or CLI_FATAL where not all of it could be written, which
 * is said. */
int cli_end_output(int code);

/* Ends the process, standard output closed, without waiting for devices that hang or are at work,
 * as drivers would. */
void cli_leave_devices(int code);

/* Seconds of a clock that only goes forward. */
double cli_now(void);

/* Prints a table of the kernels' device times, and the busy part of the devices' time. */
void cli_print_profile(const struct berth_profile *profile, double busy);

#endif
