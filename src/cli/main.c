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
    {"score", "energies of poses as they stand", cmd_score},
    {"eval", "dock known complexes back, and count how often the right pose comes first", cmd_eval},
    {"devices", "what OpenCL offers here, and which device is the default", cmd_devices},
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
        fprintf(file, "  %-11s %s\n", command->name, command->purpose);
    }
}

/* Runs the command line; returns its exit code. */
static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) {
        print_help(stdout);
        return CLI_DONE;
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
        fprintf(stderr, "berth: there is no command %s\n", name);
    }
    print_help(stderr);
    return CLI_FATAL;
}

/* Where a standard stream is closed, the first file opened would take its place, and messages. */
static void open_missing_streams(void)
{
    int file = 0;
    while (file <= STDERR_FILENO) {
        file = open("/dev/null", O_RDWR);
        if (file < 0) {
            _exit(CLI_FATAL);
        }
    }
    close(file);
}

int main(int argc, char **argv)
{
    open_missing_streams();
    int code = run(argc, argv);
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "berth: cannot write to standard output\n");
        return CLI_FATAL;
    }
    return code;
}
