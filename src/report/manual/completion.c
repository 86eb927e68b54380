/* Completions: what all commands have is data, a line each; the shell's function stands in the
 * foot, or, of fish, in the head. */
#include <string.h>

#include "base/embedded.h"
#include "report/manual/manual.h"

enum { BRIEF = 72 };

/* The beginning of a help text, as far as one line has room for it. */
static void brief(const char *text, char line[BRIEF + 4])
{
    size_t size = strcspn(text, ";\n"), end;
    if (size > BRIEF) {
        for (end = BRIEF; end && text[end] != ' '; end--) {
        }
        size = end ? end : BRIEF;
    }
    snprintf(line, BRIEF + 4, "%.*s%s", (int)size, text,
             text[size] && !strchr(";\n", text[size]) ? "..." : "");
}

/* Prints text for between single quotes, with a backslash before each letter of `special`. */
static void put_quoted(const char *text, const char *special, FILE *file)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", file);
        } else {
            fprintf(file, "%s%c", strchr(special, *text) ? "\\" : "", *text);
        }
    }
}

/* The next option of a table from `row` on, or NULL. */
static const struct berth_option *next_option(const struct berth_option *row)
{
    while (!berth_option_is_end(row) && !berth_option_is_named(row)) {
        row++;
    }
    return berth_option_is_end(row) ? NULL : row;
}

static bool takes_value(const struct berth_option *option)
{
    return option->kind != BERTH_OPTION_FLAG;
}

void berth_bash_write(const struct berth_manual_command *command, FILE *file)
{
    const struct berth_option *option = next_option(command->table);
    fprintf(file, "_berth_words['berth %s']='", command->name);
    for (; option; option = next_option(option + 1)) {
        fprintf(file, "--%s ", option->name);
    }
    fprintf(file, "--help%s'\n", berth_options_are_many(command->table) ? " --help_all" : "");
    for (option = next_option(command->table); option; option = next_option(option + 1)) {
        const char *words = option->words ? option->words : "";
        if (takes_value(option)) {
            fprintf(file, "_berth_values['berth %s --%s']='%s'\n", command->name, option->name,
                    words);
        }
        if (takes_value(option) && option->letter) {
            fprintf(file, "_berth_values['berth %s -%c']='%s'\n", command->name, option->letter,
                    words);
        }
    }
}

/* "prep-ligands": a key that needs no quotes. */
static void put_key(const char *name, FILE *file)
{
    for (; *name; name++) {
        fputc(*name == ' ' ? '-' : *name, file);
    }
}

void berth_zsh_write(const struct berth_manual_command *command, FILE *file)
{
    static const char SPECIAL[] = "[]:\\";
    char line[BRIEF + 4];
    fputs("specs[", file);
    put_key(command->name, file);
    fprintf(file, "]='--help[print help]\n%s",
            berth_options_are_many(command->table) ? "--help_all[print all options]\n" : "");
    for (const struct berth_option *option = next_option(command->table); option;
         option = next_option(option + 1)) {
        brief(option->help, line);
        fprintf(file, "--%s[", option->name);
        put_quoted(line, SPECIAL, file);
        if (!takes_value(option)) {
            fputs("]\n", file);
        } else if (option->words) {
            fprintf(file, "]:value:(%s)\n", option->words);
        } else {
            fputs("]:value:_files\n", file);
        }
    }
    fputs("'\n", file);
}

void berth_fish_write(const struct berth_manual_command *command, FILE *file)
{
    char line[BRIEF + 4];
    for (const struct berth_option *option = next_option(command->table); option;
         option = next_option(option + 1)) {
        brief(option->help, line);
        fprintf(file, "complete -c berth -n '__berth_has %s' -l %s", command->name, option->name);
        if (option->letter) {
            fprintf(file, " -s %c", option->letter);
        }
        if (takes_value(option)) {
            option->words ? fprintf(file, " -x -a '%s'", option->words) : fputs(" -r -F", file);
        }
        fputs(" -d '", file);
        put_quoted(line, "\\", file);
        fputs("'\n", file);
    }
}

bool berth_completion_knows(const char *shell)
{
    return strcmp(shell, "bash") == 0 || strcmp(shell, "zsh") == 0 || strcmp(shell, "fish") == 0;
}

void berth_completion_head(FILE *file, const char *shell)
{
    static const char BASH[] = "declare -A _berth_words _berth_values\n";
    static const char ZSH[] = "local -A rows specs\n";
    const char letter = *shell;
    fprintf(file, "%s# berth in %s: made by `berth completion %s`.\n",
            letter == 'z' ? "#compdef berth\n" : "", shell, shell);
    fputs(letter == 'b'   ? BASH
          : letter == 'z' ? ZSH
                          : berth_embedded_text("completion.fish"),
          file);
}

void berth_completion_row(FILE *file, const char *shell, const char *group, const char *name,
                          const char *purpose)
{
    const char *blank = *group ? " " : "";
    char line[BRIEF + 4];
    brief(purpose, line);
    if (*shell == 'b') {
        fprintf(file, "_berth_words['berth%s%s']+='%s '\n", blank, group, name);
        return;
    }
    if (*shell == 'z') {
        fprintf(file, "rows[%s]+='%s:", *group ? group : ".", name);
        put_quoted(line, ":\\", file);
        fputs("\n'\n", file);
        return;
    }
    fprintf(file, "complete -c berth -f -n '__berth_needs%s%s' -a %s -d '", blank, group, name);
    put_quoted(line, "\\", file);
    fputs("'\n", file);
}

void berth_completion_foot(FILE *file, const char *shell)
{
    fputs(*shell == 'b'   ? berth_embedded_text("completion.bash")
          : *shell == 'z' ? berth_embedded_text("completion.zsh")
                          : "",
          file);
}
