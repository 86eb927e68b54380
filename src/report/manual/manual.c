#include "report/manual/manual.h"

#include <string.h>

#include "report/manual/writers.h"

static void write_help(const struct berth_manual_command *command, FILE *file)
{
    fprintf(file, "Usage: berth %s%s%s\n\n%s\n\n", command->name, *command->synopsis ? " " : "",
            command->synopsis, command->text);
    berth_options_help(command->table, command->defaults, file);
}

bool berth_manual_write(const char *how, const struct berth_manual_command *command, FILE *file)
{
    static const struct {
        const char *how;
        void (*write)(const struct berth_manual_command *command, FILE *file);
    } WAYS[] = {{"-h", write_help},
                {"--help", write_help},
                {"--help=manual", berth_manpage_write},
                {"--help=bash", berth_bash_write},
                {"--help=zsh", berth_zsh_write},
                {"--help=fish", berth_fish_write}};
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
        if (strcmp(WAYS[i].how, how) == 0) {
            WAYS[i].write(command, file);
            return true;
        }
    }
    return false;
}
