/* berth doctor: what is here, what is missing, and what mends it. */
#include "cli/common.h"
#include "report/doctor.h"

static void print_finding(void *context, const struct berth_finding *finding)
{
    static const char *const STATES[] = {[BERTH_FINDING_OK] = "ok",
                                         [BERTH_FINDING_ABSENT] = "absent",
                                         [BERTH_FINDING_WARNING] = "warning",
                                         [BERTH_FINDING_PROBLEM] = "PROBLEM"};
    (void)context;
    cli_print("%-8s %-12s %s", STATES[finding->state], finding->what, finding->text);
    if (*finding->mend) {
        cli_print("%-21s > %s", "", finding->mend);
    }
    fflush(stdout);
}

static enum berth_status examine(void *context, int *code, struct berth_error *error)
{
    const struct berth_doctor doctor = {.report = print_finding, .log = cli_log()};
    (void)context;
    (void)error;
    const bool well = berth_doctor_run(&doctor);
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
