/* berth manual, berth completion: all commands for man, and for shells. */
#include "cli/common.h"

struct values {
    struct berth_arguments words;
    bool list;
};

static enum berth_status manual(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    (void)code;
    if (values->list) {
        berth_commands_print_names(CLI_COMMANDS, stdout);
        return BERTH_OK;
    }
    return berth_commands_print_page(CLI_COMMANDS, &values->words, stdout, error);
}

static enum berth_status complete(void *context, int *code, struct berth_error *error)
{
    const struct values *values = context;
    (void)code;
    return values->words.count > 1 ? berth_fail(error, BERTH_E_USAGE, "one shell at a time")
                                   : berth_commands_print_completion(
                                         CLI_COMMANDS, values->words.items[0], stdout, error);
}

int cmd_manual(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "manual", "[COMMAND...]",
        "Prints the manual page of a command, or of berth itself, for `man -l -` to show."};
    static const struct berth_option OPTIONS[] = {
        {"COMMAND...", BERTH_FIELD(struct values, words), .help = "such as dock, or prep ligands"},
        {"list", BERTH_FIELD(struct values, list), .help = "print the names of all commands"},
        {0}};
    struct values values = {0};
    return cli_run(&USAGE, OPTIONS, &values, manual, argc, argv);
}

int cmd_completion(int argc, char **argv)
{
    static const struct cli_usage USAGE = {
        "completion", "bash|zsh|fish",
        "Prints what a shell needs to complete commands, options and their values.  `make "
        "install`\n"
        "puts it where shells look for it; else: `. <(berth completion bash)` in ~/.bashrc."};
    static const struct berth_option OPTIONS[] = {
        {"SHELL", BERTH_FIELD(struct values, words), .help = "bash, zsh or fish", .required = true},
        {0}};
    struct values values = {0};
    return cli_run(&USAGE, OPTIONS, &values, complete, argc, argv);
}
