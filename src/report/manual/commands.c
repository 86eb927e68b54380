#include "report/manual/manual.h"

#include <string.h>

/* How the command is called, and what it does: so many bytes of that text. */
static void write_head(const struct berth_manual_command *command, size_t bytes, FILE *file)
{
    fprintf(file, "Usage: berth %s%s%s\n\n%.*s\n\n", command->name, *command->synopsis ? " " : "",
            command->synopsis, (int)bytes, command->text);
}

static void write_all_help(const struct berth_manual_command *command, FILE *file)
{
    write_head(command, strlen(command->text), file);
    berth_options_help(command->table, command->defaults, file);
}

/* Of a command with many options one screen: the first paragraph, the usual options, an example. */
static void write_help(const struct berth_manual_command *command, FILE *file)
{
    if (!berth_options_are_many(command->table)) {
        write_all_help(command, file);
        return;
    }
    const char *paragraph = strstr(command->text, "\n\n");
    write_head(command, paragraph ? (size_t)(paragraph - command->text) : strlen(command->text),
               file);
    berth_options_help_usual(command->table, command->defaults, file);
    fputc('\n', file);
    berth_manpage_example(file, command->name);
    fprintf(file, "berth %s --help_all lists all %zu options\n", command->name,
            berth_options_count(command->table));
}

bool berth_manual_write(const char *how, const struct berth_manual_command *command, FILE *file)
{
    static const struct {
        const char *how;
        void (*write)(const struct berth_manual_command *command, FILE *file);
    } WAYS[] = {{"-h", write_help},
                {"--help", write_help},
                {"--help_all", write_all_help},
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

/* --- All commands --- */

enum { NAME = 96 };

/* "prep ligands"; of no group "dock". */
static void join(const char *group, const char *name, char whole[NAME])
{
    snprintf(whole, NAME, "%.40s%s%.40s", group, *group ? " " : "", name);
}

/* Has the command print itself in a way that berth_manual_write knows. */
static void print_command(const struct berth_command *command, const char *way)
{
    char option[32];
    char *arguments[] = {option, NULL};
    snprintf(option, sizeof option, "%s", way);
    command->run(1, arguments);
}

void berth_commands_print_names(const char *group, const struct berth_command *commands, FILE *file)
{
    for (; commands->name; commands++) {
        char whole[NAME];
        join(group, commands->name, whole);
        fprintf(file, "%s\n", whole);
        if (commands->commands) {
            berth_commands_print_names(commands->name, commands->commands, file);
        }
    }
}

void berth_commands_print(const char *group, const struct berth_command *commands, FILE *file)
{
    const char *blank = *group ? " " : "";
    const int width = *group ? 10 : 12;
    if (!*group) {
        fprintf(file, "berth %s: molecular docking on any OpenCL device\n\n", BERTH_VERSION);
    }
    fprintf(file, "Usage: berth %s%sCOMMAND [options]     (berth %s%sCOMMAND -h explains %s)\n\n",
            group, blank, group, blank, *group ? "it" : "a command");
    for (const struct berth_command *row = commands; row->name; row++) {
        if (row->heading) {
            fprintf(file, "%s%s:\n", row == commands ? "" : "\n", row->heading);
        }
        fprintf(file, "  %-*s %s\n", width, row->name, row->purpose);
    }
}

static void print_group(const char *name, const struct berth_command *commands, FILE *file)
{
    fprintf(file, ".SH SYNOPSIS\n.B berth%s%s\n.I COMMAND\n[options]\n.SH COMMANDS\n",
            *name ? " " : "", name);
    for (; commands->name; commands++) {
        char whole[NAME];
        if (commands->heading) {
            fprintf(file, ".SS %s\n", commands->heading);
        }
        join(name, commands->name, whole);
        berth_manpage_row(file, whole, commands->purpose);
    }
}

enum berth_status berth_commands_print_page(const struct berth_command *commands,
                                            const struct berth_arguments *words, bool troff,
                                            FILE *file, struct berth_error *error)
{
    const struct berth_command all = {
        .name = "", .purpose = "molecular docking on any OpenCL device", .commands = commands};
    const struct berth_command *found = &all;
    char name[NAME] = "";
    for (size_t i = 0; i < words->count; i++) {
        char group[NAME];
        memcpy(group, name, sizeof group);
        join(group, words->items[i], name);
        const struct berth_command *row = found->commands;
        while (row && row->name && strcmp(row->name, words->items[i]) != 0) {
            row++;
        }
        if (!row || !row->name) {
            return berth_fail(error, BERTH_E_USAGE, "there is no command %s", name);
        }
        found = row;
    }
    if (troff) {
        berth_manpage_head(file, name, found->purpose);
    } else if (*name) {
        fprintf(file, "berth %s: %s\n\n", name, found->purpose);
    }
    if (!found->commands) {
        print_command(found, troff ? "--help=manual" : "--help_all");
    } else if (troff) {
        print_group(name, found->commands, file);
    } else {
        berth_commands_print(name, found->commands, file);
    }
    berth_manpage_foot(file, name, !troff);
    return BERTH_OK;
}

static void print_completion(const char *shell, const char *group,
                             const struct berth_command *commands, FILE *file)
{
    char way[32];
    snprintf(way, sizeof way, "--help=%s", shell);
    for (; commands->name; commands++) {
        berth_completion_row(file, shell, group, commands->name, commands->purpose);
        if (commands->commands) {
            print_completion(shell, commands->name, commands->commands, file);
        } else {
            print_command(commands, way);
        }
    }
}

enum berth_status berth_commands_print_completion(const struct berth_command *commands,
                                                  const char *shell, FILE *file,
                                                  struct berth_error *error)
{
    if (!berth_completion_knows(shell)) {
        return berth_fail(error, BERTH_E_USAGE, "%s: bash, zsh and fish are known", shell);
    }
    berth_completion_head(file, shell);
    print_completion(shell, "", commands, file);
    berth_completion_foot(file, shell);
    return BERTH_OK;
}
