/* berth: the tables of commands, and what prints all of them. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "report/manual/manual.h"

#ifndef BERTH_COMMIT /* " (d8900c5b)": of what clone this was built; see the Makefile */
#define BERTH_COMMIT ""
#endif

static const struct berth_command PREP[] = {
    {"ligands", "molecules of any format to a library of conformers (.blib)", cmd_prep_ligands,
     NULL, NULL},
    {"receptor", "a structure (PDB, mmCIF, Mol2, PDBQT) to a receptor with a site (.brec)",
     cmd_prep_receptor, NULL, NULL},
    {0}};

static const struct berth_command LIB[] = {
    {"info", "what a library holds, and how it was made", cmd_lib_info, NULL, NULL},
    {"ls", "its ligands, one CSV row each", cmd_lib_ls, NULL, NULL},
    {"get", "ligands by name or number, as Mol2 or SDF", cmd_lib_get, NULL, NULL},
    {"verify", "check every byte of it", cmd_lib_verify, NULL, NULL},
    {"merge", "join libraries of one forcefield", cmd_lib_merge, NULL, NULL},
    {0}};

static const struct berth_command MODEL[] = {
    {"import", "a model of weights that gnina published", cmd_model_import, NULL, NULL}, {0}};

static const struct berth_command EVAL[] = {
    {"redock", "dock the ligands of known complexes back, and count what comes out right",
     cmd_eval_redock, NULL, NULL},
    {"poses", "check whether poses could be molecules in a protein", cmd_eval_poses, NULL, NULL},
    {"screen", "count how early known actives rank in a screen", cmd_eval_screen, NULL, NULL},
    {"fit", "fit a ranking to known complexes, actives and decoys of your target", cmd_eval_fit,
     NULL, NULL},
    {0}};

static const struct berth_command COMMANDS[] = {
    {"prep", "make libraries of ligands, and receptors, from files of any format", NULL, PREP,
     "Prepare"},
    {"lib", "look into libraries of ligands, check and join them", NULL, LIB, NULL},
    {"dock", "dock ligands into a receptor: ranked poses and scores", cmd_dock, NULL, "Dock"},
    {"screen", "dock a library of any size: ranked hits; resumable, in shards", cmd_screen, NULL,
     NULL},
    {"campaign", "dock the part of a large library that a model chooses, and say what was found",
     cmd_campaign, NULL, NULL},
    {"merge", "join the shards of a screen", cmd_merge, NULL, NULL},
    {"score", "energies of poses as they stand", cmd_score, NULL, NULL},
    {"serve", "dock what other programs ask for, line by line: EasyDock, loops that make molecules",
     cmd_serve, NULL, NULL},
    {"show", "the hits of a screen as a table: sorted, filtered, as CSV or JSON", cmd_show, NULL,
     "Look at results"},
    {"report", "a run as one page: hits with drawings, interactions, distributions", cmd_report,
     NULL, NULL},
    {"interactions", "list what poses and receptor do to each other: hydrogen bonds and more",
     cmd_interactions, NULL, NULL},
    {"eval", "how good poses and rankings are, by complexes and actives that are known", NULL, EVAL,
     "Judge and learn"},
    {"model", "learned functions that judge poses", NULL, MODEL, NULL},
    {"devices", "what CUDA and OpenCL offer here, and which device is the default", cmd_devices,
     NULL, "This machine"},
    {"doctor", "what is installed and what is missing, with the command that fixes it", cmd_doctor,
     NULL, NULL},
    {"selftest", "check what your devices compute against a reference", cmd_selftest, NULL, NULL},
    {"bench", "throughput of your devices, every energy verified", cmd_bench, NULL, NULL},
    {"tune", "find and store the fastest variant of the energy kernel", cmd_tune, NULL, NULL},
    {"show-kernel", "print the kernels' source as a device gets it", cmd_show_kernel, NULL, NULL},
    {"manual", "the manual page of a command", cmd_manual, NULL, "Help"},
    {"completion", "completion of commands and options for bash, zsh or fish", cmd_completion, NULL,
     NULL},
    {0}};

struct values {
    struct berth_arguments words;
    const char *shell;
    bool list, troff;
};

static const struct berth_option MANUAL_OPTIONS[] = {
    {"COMMAND...", BERTH_FIELD(struct values, words), .help = "such as dock, or prep ligands"},
    {"list", BERTH_FIELD(struct values, list), .help = "print the names of all commands"},
    {"troff", BERTH_FIELD(struct values, troff),
     .help = "the page's source, for `man -l -` to show"},
    {0}};

static const struct berth_option COMPLETION_OPTIONS[] = {
    {"SHELL", BERTH_FIELD_OF_ONE(struct values, shell), .help = "bash, zsh or fish",
     .required = true},
    {0}};

static enum berth_status manual(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    (void)code;
    if (values->list) {
        berth_commands_print_names("", COMMANDS, stdout);
        return BERTH_OK;
    }
    return berth_commands_print_page(COMMANDS, &values->words, values->troff, stdout, error);
}

static enum berth_status complete(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    (void)code;
    return berth_commands_print_completion(COMMANDS, values->shell, stdout, error);
}

int cmd_manual(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "manual", "[--troff] [COMMAND...]",
        "Prints the manual page of a command, or of berth itself: its options, examples, files,\n"
        "exit status and environment."};
    struct values values = {0};
    return cli_run(&USAGE, MANUAL_OPTIONS, &values, manual, argc, argv);
}

int cmd_completion(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "completion", "bash|zsh|fish",
        "Prints what a shell needs to complete commands, options and their values.  `make "
        "install`\n"
        "puts it where shells look for it; else: `. <(berth completion bash)` in ~/.bashrc."};
    struct values values = {0};
    return cli_run(&USAGE, COMPLETION_OPTIONS, &values, complete, argc, argv);
}

/* The command that a word for none may stand for, or NULL. */
static const char *nearest(const struct berth_command *commands, const char *name)
{
    const char *found = NULL;
    int limit = berth_word_slips(name);
    for (const struct berth_command *command = commands; command->name; command++) {
        const int distance = berth_word_distance(name, command->name);
        if (distance <= limit) {
            found = command->name;
            limit = distance - 1;
        }
    }
    return found;
}

/* Runs the command of the group that argv[0] names, or prints what there is; returns the exit code.
 */
static int run(const char *group, const struct berth_command *commands, int argc, char **argv)
{
    const char *name = argc > 0 ? argv[0] : "";
    if (berth_options_asks_help(name)) {
        berth_commands_print(group, commands, stdout);
        return CLI_DONE;
    }
    for (const struct berth_command *command = commands; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command->run ? command->run(argc - 1, argv + 1)
                                : run(name, command->commands, argc - 1, argv + 1);
        }
    }
    if (*name) {
        const char *meant = nearest(commands, name);
        cli_say("there is no command %s%s%s%s%s%s", group, *group ? " " : "", name,
                meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    }
    berth_commands_print(group, commands, stderr);
    return CLI_FATAL;
}

/* The whole command line.  `berth help COMMAND ...` is `berth COMMAND ... -h`. */
static int run_all(int argc, char **argv)
{
    static char option[] = "-h";
    if (argc > 0 && strcmp(argv[0], "help") == 0) {
        char *help[] = {argc > 1 ? argv[1] : option, argc > 2 ? argv[2] : option, option};
        return run("", COMMANDS, 3, help);
    }
    if (argc > 0 && strcmp(argv[0], "--version") == 0) {
        printf("berth %s%s\n", BERTH_VERSION, BERTH_COMMIT);
        return CLI_DONE;
    }
    return run("", COMMANDS, argc, argv);
}

/* Where a standard stream is closed, the first file opened would take its place, and messages. What
 * takes it cannot be read or written as the stream would be: that is an error, not the end of a
 * file or a success. */
static void open_missing_streams(void)
{
    static const int INSTEAD[] = {O_WRONLY, O_RDONLY, O_RDWR}; /* messages have nowhere to go */
    for (int stream = 0; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", INSTEAD[stream]) != stream) {
            _exit(CLI_FATAL);
        }
    }
}

int main(int argc, char **argv)
{
    open_missing_streams();
    cli_survive_limits();
    cli_tidy_at_signals();
    return cli_end_output(run_all(argc - 1, argv + 1));
}
