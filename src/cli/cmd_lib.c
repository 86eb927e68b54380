/* berth lib: the table of what it does with libraries. */
#include "cli/lib.h"

static const struct cli_command COMMANDS[] = {
    {"info", "what a library holds, and how it was made", cmd_lib_info},
    {"ls", "its ligands, one CSV row each", cmd_lib_ls},
    {"get", "ligands by name or number, as Mol2 or SDF", cmd_lib_get},
    {"verify", "check every byte of it", cmd_lib_verify},
    {"merge", "join libraries of one forcefield", cmd_lib_merge},
    {NULL, NULL, NULL}};

int cmd_lib(int argc, char **argv)
{
    return cli_run_one_of("lib", COMMANDS, argc, argv);
}
