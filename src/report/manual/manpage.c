/* Manual pages, in the macros of man(7). */
#include <ctype.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text.h"
#include "report/manual/manual.h"
#include "run/exclusions.h"

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

/* True where the command has one of these options, with blanks between. */
static bool has_any(const struct berth_manual_command *command, const char *names)
{
    const struct berth_option *row = command->table;
    while (!berth_option_is_end(row) && (!row->name || berth_option_is_foreign(row) ||
                                         !berth_text_lists(names, ' ', row->name))) {
        row++;
    }
    return !berth_option_is_end(row);
}

/* Options, with blanks between. */
static void put_options(const char *names, FILE *file)
{
    const char *comma = "";
    while (*names) {
        const size_t length = strcspn(names, " ");
        fprintf(file, "%s\\fB\\-\\-%.*s\\fR", comma, (int)length, names);
        comma = ", ";
        names += length + strspn(names + length, " ");
    }
}

/* What the command's options exclude, and need. */
static void put_exclusions(const struct berth_manual_command *command, FILE *file)
{
    const unsigned run = berth_run_of(command->name);
    bool any = false;
    struct berth_exclusion row;
    for (size_t i = 0; row = berth_exclusion_at(i), row.why; i++) {
        if (!(row.runs & run) || !has_any(command, row.beside)) {
            continue;
        }
        fputs(any ? ".TP\n" : ".SH EXCLUSIONS\n.TP\n", file);
        any = true;
        put_options(row.refused, file);
        fputs(row.lone ? " without " : " beside ", file);
        put_options(row.beside, file);
        fputc('\n', file);
        put(row.why, file);
        fputc('\n', file);
    }
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
        } else if (!berth_option_is_foreign(row)) {
            put_option(command, row, file);
        }
    }
    fputs(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n", file);
    fputs(berth_options_are_many(command->table)
              ? "print the options used most\n.TP\n\\fB\\-\\-help_all\\fR\nprint all options\n"
              : "print the options\n",
          file);
    put_exclusions(command, file);
}

/* What a page's end is written by: for man, as it stands; for people, without macros and fonts. */
struct end {
    FILE *file;
    bool plain;
    enum { BODY, TAG, TEXT } next; /* of the plain one: what the next line is */
};

static void put_plain(struct end *end, const char *line, size_t size)
{
    static const struct {
        const char *macro;
        int next;
    } MACROS[] = {{".SH ", BODY}, {".TP", TAG}, {".nf", BODY}, {".fi", BODY}};
    const char *at = line, *stop = line + size - 1; /* without its end */
    for (size_t i = 0; i < sizeof MACROS / sizeof *MACROS; i++) {
        const size_t length = strlen(MACROS[i].macro);
        if (strncmp(line, MACROS[i].macro, length) == 0) {
            end->next = MACROS[i].next;
            if (i == 0) {
                at += length + (line[length] == '"');
                fprintf(end->file, "\n%.*s:\n", (int)(stop - at - (stop[-1] == '"')), at);
            }
            return;
        }
    }
    at += strncmp(at, ".I ", 3) == 0 ? 3 : 0;
    fputs(end->next == TEXT ? "      " : "  ", end->file);
    end->next = end->next == TAG ? TEXT : end->next;
    while (at < stop) {
        if (strncmp(at, "\\f", 2) == 0) {
            at += 3; /* the font's letter, too */
        } else {
            at += *at == '\\';
            fputc(*at++, end->file);
        }
    }
    fputc('\n', end->file);
}

/* The part of data/manual/ends.man that this name heads. */
static const char *find_part(const char *name)
{
    char head[64];
    snprintf(head, sizeof head, "\n.\\\" %.40s\n", name);
    const char *at = strstr(berth_embedded_text("ends.man"), head);
    return at ? at + strlen(head) : "";
}

/* Prints it, and those parts that lines "@NAME@" stand for. */
static void put_part(struct end *end, const char *name)
{
    const char *at = find_part(name);
    while (*at && strncmp(at, ".\\\"", 3) != 0) {
        const size_t size = strcspn(at, "\n") + 1;
        if (*at == '@') {
            char other[64];
            snprintf(other, sizeof other, "%.*s", (int)strcspn(at + 1, "@"), at + 1);
            put_part(end, other);
        } else if (end->plain) {
            put_plain(end, at, size);
        } else {
            fwrite(at, 1, size, end->file);
        }
        at += size;
    }
}

/* Prints a line of a page without man's backslashes; where it is too long for a terminal, an option
 * that does not fit begins another line. */
static void put_command(const char *line, FILE *file)
{
    enum { COLUMNS = 98 };
    int column = fprintf(file, "  ");
    for (; *line != '\n'; line++) {
        const bool option = strncmp(line, " \\-\\-", 5) == 0;
        const char *next = option ? strstr(line + 5, " \\-\\-") : NULL;
        const size_t left = strcspn(line, "\n");
        const size_t word = next && (size_t)(next - line) < left ? (size_t)(next - line) : left;
        if (option && column + (int)word > COLUMNS) {
            column = fprintf(file, " \\\n     ") - 3;
        }
        if (*line != '\\') {
            fputc(*line, file);
            column++;
        }
    }
    fputc('\n', file);
}

void berth_manpage_example(FILE *file, const char *name)
{
    static const char HEAD[] = ".SH EXAMPLES\n.nf\n";
    const char *at = find_part(name);
    if (strncmp(at, HEAD, strlen(HEAD)) != 0) {
        return;
    }
    at += strlen(HEAD);
    if (*at == '#') {
        const size_t size = strcspn(at, "\n");
        fprintf(file, "Example: %.*s:\n", (int)size - 2, at + 2);
        at += size + 1;
    } else {
        fputs("Example:\n", file);
    }
    put_command(at, file);
    fputc('\n', file);
}

void berth_manpage_foot(FILE *file, const char *name, bool plain)
{
    struct end end = {.file = file, .plain = plain};
    put_part(&end, *name ? name : "berth");
}
