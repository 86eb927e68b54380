/* berth eval: how good poses and rankings are, measured on what is known. */
#include <string.h>

#include "cli/common.h"
#include "cli/receptors.h"
#include "dock/open_devices.h"
#include "eval/redock/redock.h"
#include "run/run.h"

static const struct cli_usage USAGE = {
    "eval redock", "SET --out DIR [options]",
    "Docks the ligand of each complex of a set back into its receptor, from the crystal's own\n"
    "conformer, with random torsions if you like, and from conformers that know nothing of the\n"
    "crystal, and reports how often the right pose comes first, at 1, 2 and 3 \xc3\x85, and whose\n"
    "failure each miss is: the search's, the energy's or the conformers'.\n"
    "\n"
    "Bonds that a file lacks come from --smiles, else from RDKit's perception; where that\n"
    "contradicts the file, the complex fails and is listed."};

/* What the command holds. */
struct command {
    struct berth_devices devices; /* none where nothing is docked */
    struct berth_run run;
    struct berth_redock *redock;
    struct berth_gatherer warnings;
};

static enum berth_status execute(struct berth_options *options, struct command *command,
                                 struct berth_error *error)
{
    const struct berth_run_parts parts = {
        .devices = &command->devices, .options = options, .log = cli_log()};
    const char *named = options->rank;
    options->rank = berth_search_options_ranking(options);
    options->stop = cli_stop();
    if (strcmp(options->mode, "none") != 0) {
        BERTH_TRY(berth_devices_look(options->device, cli_log(), &command->devices, error));
        BERTH_TRY(berth_devices_keep(options->device, cli_log(), &command->devices, error));
    }
    BERTH_TRY(berth_run_open(&parts, &command->run, error));
    BERTH_TRY(berth_redock_create(&command->run, options->rank != named, &command->warnings,
                                  &command->redock, error));
    cli_catch_signals();
    BERTH_TRY(berth_redock_run(command->redock, error));
    return strcmp(options->mode, "none") == 0 ? BERTH_OK
                                              : berth_redock_summarize(command->redock, "-", error);
}

int cmd_eval_redock(int argc, char **argv)
{
    struct berth_options options;
    struct berth_error error;
    int code = cli_options(&USAGE, argc, argv, &options);
    if (code == CLI_GO_ON) {
        struct command command = {.warnings.next = cli_log()};
        const enum berth_status status = execute(&options, &command, &error);
        berth_gatherer_flush(&command.warnings);
        code = status                                ? cli_fatal(&error)
               : berth_redock_failed(command.redock) ? CLI_SOME_FAILED
                                                     : CLI_DONE;
        const bool hangs = command.redock && berth_redock_hangs(command.redock);
        berth_redock_destroy(command.redock);
        berth_run_close(&command.run);
        berth_devices_clear(&command.devices);
        if (hangs) {
            cli_leave_devices(code);
        }
    }
    berth_options_clear(&options);
    return code;
}
