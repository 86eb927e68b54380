/* Command-line options from a table, on the command line and in a file alike.
 *
 * A command has a struct of values (its initial content is the defaults) and a table that says
 * which option sets which field:
 *
 *     struct values { const char *receptor, *config; long long num_modes; double min_rmsd; };
 *     static const struct berth_option OPTIONS[] = {
 *         {.help = "Output"},
 *         {"receptor", BERTH_FIELD(struct values, receptor), .argument = "FILE",
 *          .help = "receptor structure", .required = true},
 *         {"num_modes", BERTH_FIELD(struct values, num_modes), .argument = "N",
 *          .help = "poses to write per ligand", .min = 1, .max = 1000},
 *         {"config", BERTH_OPTION_CONFIG, .argument = "FILE",
 *          .help = "read options from a file"},
 *         {0}};
 *
 * The command line knows `--name value` and `--name=value`, with a letter `-n value`, too; a flag
 * stands alone or as `--name=false`.  The file that `--config` names (the option must be in the
 * table) has a line `name = value` for each, with '#' comments, as AutoDock Vina's have; the
 * command line wins over it.  Nothing is abbreviated and nothing may be given twice.  `--` ends the
 * options: what follows it is none, whatever it begins with.  Arguments that follow no option are
 * refused, unless the table has a row for them, of kind BERTH_OPTION_ARGUMENTS:
 *
 *     {"IN...", BERTH_FIELD(struct values, inputs), .help = "files to read", .required = true},
 *
 * or BERTH_OPTION_ARGUMENT, where there is one alone.
 */
#ifndef BERTH_BASE_OPTIONS_H
#define BERTH_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum berth_option_kind {
    BERTH_OPTION_FLAG,      /* bool */
    BERTH_OPTION_INTEGER,   /* long long, or long, which is as long */
    BERTH_OPTION_UNSIGNED,  /* unsigned long long, or unsigned long: seeds, counts */
    BERTH_OPTION_REAL,      /* double, finite */
    BERTH_OPTION_TEXT,      /* const char *, not empty; NULL where not given */
    BERTH_OPTION_CONFIG,    /* no field: the file to read options from */
    BERTH_OPTION_ARGUMENTS, /* struct berth_arguments; on the command line only */
    BERTH_OPTION_ARGUMENT,  /* const char *, the only one; likewise */
    BERTH_OPTION_FOREIGN,   /* no field: another program's option, which is refused; its help says
                               what to do instead, and help does not show it */
    BERTH_OPTION_NO_EFFECT, /* the same, but taken, and changes nothing; its help says why.  Either
                               is taken without a word where its value is initial_text, or that of
                               a flag false: what holds here anyway */
    BERTH_OPTION_OTHERS,    /* no option: further rows of those two kinds are in another table */
    BERTH_OPTION_ELSEWHERE  /* no option: what another table has is an option of another command,
                               which help names */
};

/* Arguments that follow no option, in their order. */
struct berth_arguments {
    const char *const *items; /* [count], borrowed from the struct berth_parsed */
    size_t count;
};

_Static_assert(sizeof(long) == sizeof(long long), "size_t and int64_t fields are set as long long");

/* The kind and offset of a field: the compiler refuses a field of any other type. */
#define BERTH_FIELD(type, field)                                                                   \
    _Generic(((type *)0)->field,                                                                   \
        bool: BERTH_OPTION_FLAG,                                                                   \
        long long: BERTH_OPTION_INTEGER,                                                           \
        long: BERTH_OPTION_INTEGER,                                                                \
        unsigned long long: BERTH_OPTION_UNSIGNED,                                                 \
        unsigned long: BERTH_OPTION_UNSIGNED,                                                      \
        double: BERTH_OPTION_REAL,                                                                 \
        const char *: BERTH_OPTION_TEXT,                                                           \
        struct berth_arguments: BERTH_OPTION_ARGUMENTS),                                                          \
        offsetof(type, field)

/* The same of a text that follows no option. */
#define BERTH_FIELD_OF_ONE(type, field) BERTH_OPTION_ARGUMENT, offsetof(type, field)

/* One option; with name NULL a heading in the help; with help NULL too, the table's end. */
struct berth_option {
    const char *name;            /* without "--"; of arguments, what the help calls them */
    enum berth_option_kind kind; /* of the field */
    size_t offset;               /* of the field in the struct of values */
    const char *argument;        /* what the help calls the value: "FILE", "N"; flags: NULL */
    const char *help;            /* what it does; a long text is wrapped */
    void (*list)(char *text, size_t size); /* NULL, or writes what the help ends with: a list that
                                              the program knows from elsewhere */
    const char *words; /* NULL, or the values that it takes most often, with blanks between: what a
                          shell offers; of others it offers files */
    const char *unit;  /* of a number, "Å"; may be NULL */
    double initial; /* the default of a number, where a function fills the struct from the table */
    const char *initial_text; /* likewise of a text; NULL: none */
    double min, max;          /* allowed range of a number, both included; both 0: any */
    const char *fallback;     /* the default in words where the struct of values cannot say it
                                 ("one per device"); "" shows none; NULL shows the value */
    bool required;
    char letter;                       /* `-r` for `--receptor`; 0: none */
    const struct berth_option *others; /* of BERTH_OPTION_OTHERS and ELSEWHERE */
    /* Of a table that serves several commands, bits of these: those that have the option, those
     * that take it though it has no effect there, and those of `others` that a row ELSEWHERE is
     * about.  A parse is given the rows of one. */
    unsigned commands, idle, of;
    /* What -h shows of a command with many options, beside those that are required: bits likewise;
     * in a table of one command 1.  --help_all shows all. */
    unsigned usual;
    bool library; /* it is set by berth_options_put alone, not on the command line */
    bool program; /* the other way round: the program itself does what it says */
};

enum { BERTH_OPTIONS_MAX = 144, BERTH_OPTION_WORDS = 1024 };

/* What a parse found, beside the values. */
struct berth_parsed {
    const char *help; /* NULL, or "-h" or "--help_all", which was given, also by another of its
                         names: nothing else was looked at */
    unsigned char source[BERTH_OPTIONS_MAX]; /* by row of the table: not given, line or file */
    char *texts[BERTH_OPTIONS_MAX];          /* owned; of TEXT options, those that were copied */
    const char *config;                      /* borrowed; NULL: no file of options is given */
    const char **arguments;                  /* owned; see struct berth_arguments */
    size_t argument_capacity;
    const struct berth_option **idle; /* owned; [idle_count] rows that were given though they have
                                         no effect, each once */
    size_t idle_count, idle_capacity;
};

/* Sets every field that the table has to its default. */
void berth_options_defaults(const struct berth_option *table, void *values);

/* Sets the option of this name to what the text says, as a parse does, whatever it was set to
 * before; text NULL: to its default.  A TEXT is copied to *parsed.  Errors: BERTH_E_USAGE
 * (error->option is the table's name), BERTH_E_MEMORY. */
enum berth_status berth_options_put(const struct berth_option *table, void *values,
                                    struct berth_parsed *parsed, const char *name, const char *text,
                                    struct berth_error *error);

/* Has values own its TEXTs, which are copied to *parsed, where they are not there yet.  Errors:
 * BERTH_E_MEMORY. */
enum berth_status berth_options_keep_texts(const struct berth_option *table, void *values,
                                           struct berth_parsed *parsed, struct berth_error *error);

/* Reads argc arguments (behind the command's name) into values.  TEXT values are borrowed from argv
 * or from *parsed, which the caller clears when they are done with.
 * Errors: BERTH_E_USAGE (says which option and what to do; a line of the file is named by file and
 * number), BERTH_E_IO and BERTH_E_FORMAT for a file that cannot be read, BERTH_E_MEMORY. */
enum berth_status berth_options_parse(const struct berth_option *table, int argc, char *const *argv,
                                      void *values, struct berth_parsed *parsed,
                                      struct berth_error *error);

/* True where the user set this option, on the command line or in the file. */
bool berth_options_given(const struct berth_option *table, const struct berth_parsed *parsed,
                         const char *name);

/* NULL is accepted. */
void berth_parsed_clear(struct berth_parsed *parsed);

/* How many options are too many for -h to show them all. */
enum { BERTH_OPTIONS_MANY = 17 };

/* How many options --help_all lists. */
size_t berth_options_count(const struct berth_option *table);

/* True where -h shows the usual options alone: there are many, and some are marked. */
bool berth_options_are_many(const struct berth_option *table);

/* "-h", "--help_all" for those and other programs' names of them, else NULL. */
const char *berth_options_asks_help(const char *argument);

/* Prints the table's rows for people: options aligned, with units, ranges left to the errors, and
 * with the defaults found in the struct at `defaults`. */
void berth_options_help(const struct berth_option *table, const void *defaults, FILE *file);

/* Prints the usual ones alone, without headings, and of each text and default what stands before a
 * semicolon; rows without a text go with the one before (center_x, center_y, center_z). */
void berth_options_help_usual(const struct berth_option *table, const void *defaults, FILE *file);

/* True for the row that ends a table. */
bool berth_option_is_end(const struct berth_option *option);

/* True for a row that `--name` can give: no heading, arguments without an option, or what another
 * program has. */
bool berth_option_is_named(const struct berth_option *row);

/* True for what another program has. */
bool berth_option_is_foreign(const struct berth_option *row);

/* The option's value in the struct at `values`, as text; "" where it has none. */
void berth_option_print(const struct berth_option *option, const void *values, char *text,
                        size_t size);

/* What the option does, with its unit, and with the default found in the struct at `defaults`. */
void berth_option_describe(const struct berth_option *option, const void *defaults,
                           char text[BERTH_OPTION_WORDS]);

/* How far apart two words are: insertions, deletions and substitutions (Levenshtein), at most 99.
 * A word that the other one begins with counts as 1 away.  For "did you mean". */
int berth_word_distance(const char *given, const char *meant);

/* How far apart from it what was meant by a word may be: longer words may hold more slips. */
int berth_word_slips(const char *given);

#endif
