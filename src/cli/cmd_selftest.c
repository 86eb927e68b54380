#include "cli/common.h"
int cmd_selftest(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return CLI_DONE;
}
