/* Manual pages, in the macros of man(7). */
#include <ctype.h>
#include <string.h>

#include "report/manual/writers.h"

/* When the pages were last written anew. */
static const char DATE[] = "2026-11-22";

enum { WIDTH = 72 }; /* bytes of a line of source, at most, unless a word is longer */

/* Prints a letter of a word for man; code: all hyphens are as typed, and not alone those that join
 * no words. */
static void put_letter(const char *text, const char *at, bool code, FILE *file)
{
    const bool joins = at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
    if (*at == '-') {
        fputs(joins && !code ? "-" : "\\-", file);
    } else if (*at == '\\') {
        fputs("\\e", file);
    } else {
        fputc(*at, file);
    }
}

/* Prints text for man, `code` in bold, from a line's start on; one_line: as one. */
static void put_text(const char *text, bool one_line, FILE *file)
{
    int column = 0;
    bool code = false;
    for (const char *at = text + strspn(text, " "); *at; at++) {
        if (*at == '\n' || *at == ' ') {
            at += strspn(at, " \n") - 1;
            const int word = (int)strcspn(at + 1, " \n");
            const bool ends = !one_line && column + word > WIDTH;
            fputc(ends ? '\n' : ' ', file);
            column = ends ? 0 : column + 1;
        } else if (*at == '`') {
            code = !code;
            fputs(code ? "\\fB" : "\\fR", file);
            column += 3;
        } else {
            fputs(!column && strchr(".'", *at) ? "\\&" : "", file);
            put_letter(text, at, code, file);
            column++;
        }
    }
}

static void put(const char *text, FILE *file)
{
    put_text(text, false, file);
}

/* Text in a font of its own: B or I. */
static void put_in(char font, const char *text, FILE *file)
{
    fprintf(file, "\\f%c", font);
    put(text, file);
    fputs("\\fR", file);
}

/* "berth-prep-ligands" */
static void put_page_name(const char *name, FILE *file)
{
    fprintf(file, "berth%s", *name ? "\\-" : "");
    for (; *name; name++) {
        *name == ' ' || *name == '-' ? fputs("\\-", file) : fputc(*name, file);
    }
}

void berth_manpage_head(FILE *file, const char *name, const char *purpose)
{
    fprintf(file, ".TH BERTH%s", *name ? "\\-" : "");
    for (const char *at = name; *at; at++) {
        *at == ' ' || *at == '-' ? fputs("\\-", file) : fputc(toupper((unsigned char)*at), file);
    }
    fprintf(file, " 1 %s \"berth %s\" \"berth\"\n.SH NAME\n", DATE, BERTH_VERSION);
    put_page_name(name, file);
    fputs(" \\-\n", file);
    put(purpose, file);
    fputc('\n', file);
}

void berth_manpage_row(FILE *file, const char *name, const char *purpose)
{
    fputs(".TP\n.B ", file);
    put(name, file);
    fputc('\n', file);
    put(purpose, file);
    fputc('\n', file);
}

static void put_option(const struct berth_manual_command *command,
                       const struct berth_option *option, FILE *file)
{
    char text[BERTH_OPTION_WORDS];
    fputs(".TP\n", file);
    if (option->letter) {
        fprintf(file, "\\fB\\-%c\\fR, ", option->letter);
    }
    if (berth_option_is_named(option)) {
        fprintf(file, "\\fB\\-\\-%s\\fR", option->name);
    } else {
        put_in('I', option->name, file);
    }
    if (option->argument) {
        fputc(' ', file);
        put_in('I', option->argument, file);
    }
    fputc('\n', file);
    berth_option_describe(option, command->defaults, text);
    put(text, file);
    fputc('\n', file);
}

void berth_manpage_write(const struct berth_manual_command *command, FILE *file)
{
    fputs(".SH SYNOPSIS\n.B berth ", file);
    put(command->name, file);
    fputc('\n', file);
    put(command->synopsis, file);
    fprintf(file, "%s.SH DESCRIPTION\n", *command->synopsis ? "\n" : "");
    put(command->text, file);
    fputs("\n.SH OPTIONS\n", file);
    for (const struct berth_option *row = command->table; !berth_option_is_end(row); row++) {
        if (!row->name) {
            fputs(".SS ", file);
            put_text(row->help, true, file);
            fputc('\n', file);
        } else if (row->kind != BERTH_OPTION_FOREIGN) {
            put_option(command, row, file);
        }
    }
    fputs(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint the options\n", file);
}

/* The lines of "NAME\tTEXT" as rows. */
static void put_rows(const char *lines, FILE *file)
{
    while (*lines) {
        const size_t name = strcspn(lines, "\t"), all = strcspn(lines, "\n");
        char text[512];
        fprintf(file, ".TP\n.I %.*s\n", (int)name, lines);
        snprintf(text, sizeof text, "%.*s", (int)(all - name - 1), lines + name + 1);
        put(text, file);
        fputc('\n', file);
        lines += all + (lines[all] == '\n');
    }
}

/* Lines as they are typed. */
static void put_examples(const char *lines, FILE *file)
{
    fputs(".SH EXAMPLES\n.nf\n", file);
    for (; *lines; lines++) {
        *lines == '-'    ? fputs("\\-", file)
        : *lines == '\\' ? fputs("\\e", file)
                         : fputc(*lines, file);
    }
    fputs("\n.fi\n", file);
}

void berth_manpage_foot(FILE *file, const char *name)
{
    const struct berth_sections sections = berth_sections_of(name);
    if (sections.examples) {
        put_examples(sections.examples, file);
    }
    if (sections.files) {
        fputs(".SH FILES\n", file);
        put_rows(sections.files, file);
    }
    fputs(".SH \"EXIT STATUS\"\n", file);
    put_rows(sections.exit_status, file);
    for (size_t i = 0; i < sizeof sections.environment / sizeof *sections.environment; i++) {
        if (sections.environment[i]) {
            fputs(i ? "" : ".SH ENVIRONMENT\n", file);
            put_rows(sections.environment[i], file);
        }
    }
    fputs(".SH \"SEE ALSO\"\n", file);
    for (const char *at = sections.related; *at;) {
        char page[32];
        const size_t size = strcspn(at, ",");
        snprintf(page, sizeof page, "%.*s", (int)size, at);
        fputs("\\fB", file);
        put_page_name(page, file);
        fprintf(file, "\\fR(1)%s\n", at[size] ? "," : "");
        at += size + (at[size] == ',');
    }
}
