/* berth doctor: what is here, what is missing, and what mends it. */
#include "cli/common.h"
#include "cli/text_doctor.h"

static enum berth_status examine(void *context, int *code, struct berth_error *error)
{
    (void)context;
    (void)error;
    const bool well = cli_examine_machine();
    cli_print("%s", well ? "berth can prepare and dock here"
                         : "berth cannot do its work here before each PROBLEM is mended");
    *code = well ? CLI_DONE : CLI_FATAL;
    return BERTH_OK;
}

int cmd_doctor(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "doctor", "",
        "Looks at all that berth needs here: OpenCL, CUDA, each device with a quick check of its\n"
        "energies, RDKit, Open Babel, cache folder, memory and limits; and names the command that\n"
        "mends what is wrong.  Exit code 0: ligands can be prepared and docked."};
    static const struct berth_option NONE[] = {{0}};
    return cli_run(&USAGE, NONE, NULL, examine, argc, argv);
}
