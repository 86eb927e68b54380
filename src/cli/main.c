/* berth: the table of commands. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"

static const struct cli_command COMMANDS[] = {
    {"prep", "make libraries of ligands, and receptors, from files of any format", cmd_prep},
    {"lib", "look into libraries of ligands, check and join them", cmd_lib},
    {"dock", "dock ligands into a receptor: ranked poses and scores", cmd_dock},
    {"screen", "dock a library of any size: ranked hits; resumable, in shards", cmd_screen},
    {"merge", "join the shards of a screen", cmd_merge},
    {"show", "the hits of a screen as a table: sorted, filtered, as CSV or JSON", cmd_show},
    {"score", "energies of poses as they stand", cmd_score},
    {"report", "a run as one page: hits with drawings, interactions, distributions", cmd_report},
    {"interactions", "list what poses and receptor do to each other: hydrogen bonds and more",
     cmd_interactions},
    {"eval", "how good poses and rankings are, by complexes and actives that are known", cmd_eval},
    {"devices", "what CUDA and OpenCL offer here, and which device is the default", cmd_devices},
    {"selftest", "check every kernel on your devices against the reference", cmd_selftest},
    {"bench", "throughput of your devices, verified, and against what they could do", cmd_bench},
    {"tune", "find and store the fastest variant of the energy kernel", cmd_tune},
    {"show-kernel", "print the kernels' source as a device gets it", cmd_show_kernel},
    {NULL, NULL, NULL}};

static void print_help(FILE *file)
{
    fprintf(file,
            "berth %s: molecular docking on any OpenCL device\n\n"
            "Usage: berth COMMAND [options]     (berth COMMAND -h explains a command)\n\n",
            BERTH_VERSION);
    for (const struct cli_command *command = COMMANDS; command->name; command++) {
        fprintf(file, "  %-12s %s\n", command->name, command->purpose);
    }
}

/* `berth help COMMAND ...` is `berth COMMAND ... -h`. */
static int help(int argc, char **argv)
{
    static char option[] = "-h";
    char *arguments[] = {argc > 1 ? argv[1] : option, option};
    if (argc == 0) {
        print_help(stdout);
        return CLI_DONE;
    }
    for (const struct cli_command *command = COMMANDS; command->name; command++) {
        if (strcmp(command->name, argv[0]) == 0) {
            return command->run(argc > 1 ? 2 : 1, arguments);
        }
    }
    cli_say("there is no command %s", argv[0]);
    print_help(stderr);
    return CLI_FATAL;
}

/* Runs the command line; returns its exit code. */
static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) {
        print_help(stdout);
        return CLI_DONE;
    }
    if (strcmp(name, "help") == 0) {
        return help(argc - 2, argv + 2);
    }
    if (strcmp(name, "--version") == 0) {
        printf("berth %s\n", BERTH_VERSION);
        return CLI_DONE;
    }
    for (const struct cli_command *command = COMMANDS; command->name; command++) {
        if (strcmp(command->name, name) == 0) {
            return command->run(argc - 2, argv + 2);
        }
    }
    if (*name) {
        cli_say("there is no command %s", name);
    }
    print_help(stderr);
    return CLI_FATAL;
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
    return cli_end_output(run(argc, argv));
}
